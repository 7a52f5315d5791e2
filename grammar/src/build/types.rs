//! Types, parameters and field declarations.

use super::{Builder, P, item, no_word, span, word};
use crate::ast::{Expr, FieldDecl, FieldRole, Param, PrepParam, Type, TypeKind, Word};
use crate::parse::Rule;

impl<'i> Builder<'i> {
    pub(super) fn ty(&mut self, pair: P<'i>) -> Type {
        let span = span(&pair);
        let mut head: Option<Word> = None;
        let mut others: Vec<Word> = Vec::new();
        let mut kind = None;
        let mut optional = false;
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::word if head.is_none() => head = Some(word(&p)),
                Rule::word => others.push(word(&p)),
                Rule::params => kind = Some(TypeKind::Effect { params: self.params(p) }),
                Rule::range => {
                    let at = span.start;
                    let name = head.take().unwrap_or(Word { text: "".into(), span: crate::span::Span::new(at, at) });
                    kind = Some(TypeKind::Named { name, range: Some(self.expr(p)) });
                }
                Rule::r#type => kind = Some(TypeKind::Of { head: head.take().unwrap_or_else(no_word), of: Box::new(self.ty(p)) }),
                Rule::table_type => kind = Some(self.table_type(p)),
                Rule::opt => optional = true,
                _ => {}
            }
        }
        let kind = match (kind, head) {
            (Some(kind), _) => kind,
            (None, Some(head)) if !others.is_empty() => {
                others.insert(0, head);
                TypeKind::OneOf(others)
            }
            (None, Some(head)) if &*head.text == "Effect" => TypeKind::Effect { params: Vec::new() },
            (None, Some(name)) => TypeKind::Named { name, range: None },
            (None, None) => TypeKind::Broken,
        };
        Type { kind, optional, span }
    }

    fn table_type(&mut self, pair: P<'i>) -> TypeKind {
        let mut inner = pair.into_inner();
        let by = self.operand(&mut inner);
        match inner.next() {
            Some(of) => TypeKind::Table { by: Box::new(by), of: Box::new(self.ty(of)) },
            None => TypeKind::Broken,
        }
    }

    /// `: TYPE`
    pub(super) fn result(&mut self, pair: P<'i>) -> Option<Type> {
        pair.into_inner().find(|p| p.as_rule() == Rule::r#type).map(|p| self.ty(p))
    }

    pub(super) fn params(&mut self, pair: P<'i>) -> Vec<Param> {
        pair.into_inner().map(|p| self.param(p)).collect()
    }

    pub(super) fn param(&mut self, pair: P<'i>) -> Param {
        let mut param = Param { name: no_word(), ty: None, default: None, span: span(&pair) };
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::word => param.name = self.new_name(&p),
                Rule::r#type => param.ty = Some(self.ty(p)),
                Rule::plain => param.default = Some(self.expr(p)),
                _ => {}
            }
        }
        param
    }

    pub(super) fn prep_param(&mut self, pair: P<'i>) -> PrepParam {
        let mut prep = None;
        let mut param = Param { name: no_word(), ty: None, default: None, span: span(&pair) };
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::prep => prep = Some(word(&p)),
                _ => param = self.param(p),
            }
        }
        PrepParam { prep, param }
    }

    pub(super) fn field_decl(&mut self, pair: P<'i>) -> FieldDecl {
        let span = span(&pair);
        let mut role = FieldRole::Plain;
        let mut name = no_word();
        let mut ty = Type { kind: TypeKind::Broken, optional: false, span };
        let mut default: Option<Expr> = None;
        let mut covers = Vec::new();
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::role => {
                    role = match p.as_str() {
                        "of" => FieldRole::Of,
                        "state" => FieldRole::State,
                        _ => FieldRole::Resource,
                    }
                }
                Rule::word => name = word(&p),
                Rule::r#type => ty = self.ty(p),
                Rule::expr => default = Some(self.expr(p)),
                Rule::covers => covers = item::covers(p),
                _ => {}
            }
        }
        FieldDecl { doc: self.doc(span.start), role, name, ty, default, covers, span }
    }

    /// A name that is declared here: it must not be a reserved word.
    pub(super) fn new_name(&mut self, pair: &P<'i>) -> Word {
        self.check_name(pair.as_str(), span(pair));
        word(pair)
    }
}
