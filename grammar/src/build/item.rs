//! Items.

use super::{Builder, P, expr, inner_word, no_word, span, string, word};
use crate::ast::{
    Action, Block, Card, Covered, Define, Enum, EnumMember, Face, Fact, Item, ItemKind, Keyword, Kind, LengthDecl, Limit, OptionDecl,
    PrepParam, Ruleset, Setting, Str, TableItem, Test, Type, TypeKind, Use, Word,
};
use crate::parse::Rule;
use crate::span::Span;

impl<'i> Builder<'i> {
    pub(super) fn item(&mut self, pair: P<'i>) -> Item {
        let whole = span(&pair);
        let Some(inner) = pair.into_inner().next() else {
            return Item { word: no_word(), kind: ItemKind::Broken, span: whole };
        };
        let span = span(&inner);
        let end =
            self.text.as_bytes().iter().position(|b| !b.is_ascii_alphanumeric() && *b != b'_' && *b < 0x80).unwrap_or(self.text.len());
        let word = Word { text: self.text.get(..end).unwrap_or("").into(), span: Span::new(0, end as u32) };
        let kind = match inner.as_rule() {
            Rule::use_item => ItemKind::Use(self.use_item(inner)),
            Rule::ruleset_item => ItemKind::Ruleset(self.ruleset(inner)),
            Rule::enum_item => ItemKind::Enum(self.enum_item(inner)),
            Rule::kind_item => ItemKind::Kind(self.kind(inner)),
            Rule::define_item => ItemKind::Define(self.define(inner)),
            Rule::fact_item => ItemKind::Fact(self.fact(inner)),
            Rule::table_item => ItemKind::Table(self.table_item(inner)),
            Rule::action_item => ItemKind::Action(self.action(inner)),
            Rule::keyword_item => ItemKind::Keyword(self.keyword(inner)),
            Rule::limit_item => ItemKind::Limit(self.limit(inner)),
            Rule::face_item => ItemKind::Face(self.face(inner)),
            Rule::test_item => ItemKind::Test(self.test(inner)),
            Rule::rule_item => match inner.into_inner().next() {
                Some(line) => ItemKind::Rule(self.line(line)),
                None => ItemKind::Broken,
            },
            Rule::card => ItemKind::Card(self.card(inner)),
            _ => ItemKind::Broken,
        };
        Item { word, kind, span }
    }

    fn use_item(&mut self, pair: P<'i>) -> Use {
        let mut item = Use { path: Vec::new(), alias: None, with: Vec::new() };
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::path => item.path = p.into_inner().map(|w| word(&w)).collect(),
                Rule::alias => item.alias = inner_word(p),
                Rule::settings => item.with = self.settings(p),
                _ => {}
            }
        }
        item
    }

    fn settings(&mut self, pair: P<'i>) -> Vec<Setting> {
        pair.into_inner()
            .map(|setting| {
                let mut out = Setting { name: no_word(), value: expr::broken() };
                for p in setting.into_inner() {
                    match p.as_rule() {
                        Rule::word => out.name = word(&p),
                        Rule::plain => out.value = self.expr(p),
                        _ => {}
                    }
                }
                out
            })
            .collect()
    }

    fn ruleset(&mut self, pair: P<'i>) -> Ruleset {
        let mut item =
            Ruleset { name: no_word(), title: None, lengths: Vec::new(), options: Vec::new(), covers: Vec::new(), lines: Vec::new() };
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::word => item.name = self.new_name(&p),
                Rule::string => item.title = Some(string(&p)),
                Rule::ruleset_block => {
                    for p in p.into_inner() {
                        match p.as_rule() {
                            Rule::length_decl => item.lengths.push(self.length_decl(p)),
                            Rule::option_decl => item.options.push(self.option_decl(p)),
                            Rule::covered => {
                                item.covers.extend(covered(p));
                                item.lines.push(self.line(p));
                            }
                            _ => item.lines.push(self.line(p)),
                        }
                    }
                }
                _ => {}
            }
        }
        item
    }

    fn length_decl(&mut self, pair: P<'i>) -> LengthDecl {
        let mut decl = LengthDecl { name: no_word(), signs: Vec::new(), value: None, span: span(&pair) };
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::word => decl.name = word(&p),
                Rule::length_sign => decl.signs.push(word(&p)),
                Rule::expr => decl.value = Some(self.expr(p)),
                _ => {}
            }
        }
        decl
    }

    fn option_decl(&mut self, pair: P<'i>) -> OptionDecl {
        let span = span(&pair);
        let ty = Type { kind: TypeKind::Broken, optional: false, span };
        let mut decl = OptionDecl { doc: self.doc(span.start), name: no_word(), ty, default: None, covers: Vec::new(), span };
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::word => decl.name = self.new_name(&p),
                Rule::result => {
                    if let Some(ty) = self.result(p) {
                        decl.ty = ty;
                    }
                }
                Rule::plain => decl.default = Some(self.expr(p)),
                Rule::covers => decl.covers = covers(p),
                _ => {}
            }
        }
        decl
    }

    fn enum_item(&mut self, pair: P<'i>) -> Enum {
        let mut item = Enum { name: no_word(), open: false, also: false, members: Vec::new() };
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::word => item.name = self.new_name(&p),
                Rule::enum_open => item.open = true,
                Rule::enum_also => item.also = true,
                Rule::enum_block => {
                    for p in p.into_inner().filter(|p| p.as_rule() == Rule::member) {
                        let mut member = EnumMember { doc: self.doc(span(&p).start), name: no_word(), label: None };
                        for p in p.into_inner() {
                            match p.as_rule() {
                                Rule::word => member.name = self.new_name(&p),
                                _ => member.label = Some(string(&p)),
                            }
                        }
                        item.members.push(member);
                    }
                }
                _ => {}
            }
        }
        item
    }

    fn kind(&mut self, pair: P<'i>) -> Kind {
        let mut item = Kind { name: no_word(), plural: None, is: Vec::new(), rank: None, fields: Vec::new(), lines: Vec::new() };
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::word => item.name = self.new_name(&p),
                Rule::plural => item.plural = inner_word(p),
                Rule::kind_is => item.is = p.into_inner().map(|w| word(&w)).collect(),
                Rule::rank => item.rank = p.into_inner().next().map(|e| self.expr(e)),
                Rule::kind_block => {
                    for p in p.into_inner() {
                        match p.as_rule() {
                            Rule::field_decl => item.fields.push(self.field_decl(p)),
                            _ => item.lines.push(self.line(p)),
                        }
                    }
                }
                _ => {}
            }
        }
        item
    }

    fn define(&mut self, pair: P<'i>) -> Define {
        let mut item = Define { name: no_word(), params: Vec::new(), on: None, result: None, value: expr::broken(), says: None };
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::word => item.name = self.new_name(&p),
                Rule::params => item.params = self.params(p),
                Rule::says => item.says = p.into_inner().next().map(|p| string(&p)),
                Rule::on_kind => item.on = inner_word(p),
                Rule::result => item.result = self.result(p),
                Rule::expr => item.value = self.expr(p),
                _ => {}
            }
        }
        item
    }

    fn fact(&mut self, pair: P<'i>) -> Fact {
        let mut item = Fact { name: no_word(), params: Vec::new(), result: None, value: None, says: None };
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::word => item.name = self.new_name(&p),
                Rule::params => item.params = self.params(p),
                Rule::result => item.result = self.result(p),
                Rule::expr => item.value = Some(self.expr(p)),
                Rule::says => item.says = p.into_inner().next().map(|p| string(&p)),
                _ => {}
            }
        }
        item
    }

    fn table_item(&mut self, pair: P<'i>) -> TableItem {
        let mut item = TableItem { name: no_word(), params: Vec::new(), result: None, rows: Vec::new() };
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::word => item.name = self.new_name(&p),
                Rule::params => item.params = self.params(p),
                Rule::result => item.result = self.result(p),
                Rule::rows => item.rows = self.rows(p),
                _ => {}
            }
        }
        item
    }

    pub(super) fn action(&mut self, pair: P<'i>) -> Action {
        let mut item = Action { is_phase: false, name: no_word(), params: Vec::new(), once_per: None, block: Block::default() };
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::action_word => item.is_phase = p.as_str() == "phase",
                Rule::word => item.name = self.new_name(&p),
                Rule::params => item.params.extend(self.params(p).into_iter().map(|param| PrepParam { prep: None, param })),
                Rule::prep_param => item.params.push(self.prep_param(p)),
                Rule::once_per => item.once_per = inner_word(p),
                Rule::block => item.block = self.block(p),
                _ => {}
            }
        }
        item
    }

    fn keyword(&mut self, pair: P<'i>) -> Keyword {
        let mut item = Keyword { name: no_word(), param: None, on: None, block: Block::default() };
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::word => item.name = self.new_name(&p),
                Rule::params => item.param = self.params(p).into_iter().next(),
                Rule::on_kind => item.on = inner_word(p),
                Rule::block => item.block = self.block(p),
                _ => {}
            }
        }
        item
    }

    fn limit(&mut self, pair: P<'i>) -> Limit {
        let mut item = Limit { words: no_string(), on: None, warning: false, covers: Vec::new(), block: Block::default() };
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::string => item.words = string(&p),
                Rule::on_kind => item.on = inner_word(p),
                Rule::as_warning => item.warning = true,
                Rule::covers => item.covers = covers(p),
                Rule::block => item.block = self.block(p),
                _ => {}
            }
        }
        item
    }

    fn face(&mut self, pair: P<'i>) -> Face {
        let mut item = Face { name: no_word(), of: None, covers: Vec::new(), block: Block::default() };
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::word => item.name = self.new_name(&p),
                Rule::of_name => item.of = inner_word(p),
                Rule::face_block => {
                    item.covers = p.into_inner().filter(|p| p.as_rule() == Rule::covered).filter_map(covered).collect();
                    item.block = self.block(p);
                }
                _ => {}
            }
        }
        item
    }

    fn test(&mut self, pair: P<'i>) -> Test {
        let mut item = Test { words: no_string(), covers: Vec::new(), with: Vec::new(), block: Block::default() };
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::string => item.words = string(&p),
                Rule::covers => item.covers = covers(p),
                Rule::settings => item.with = self.settings(p),
                Rule::block => item.block = self.block(p),
                _ => {}
            }
        }
        item
    }

    /// A card, or a part of one.
    pub(super) fn card(&mut self, pair: P<'i>) -> Card {
        let mut card = no_card(span(&pair));
        let mut first = true;
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::word if first => {
                    card.word = word(&p);
                    first = false;
                }
                _ => self.card_bit(&mut card, p),
            }
        }
        card
    }

    pub(super) fn card_bit(&mut self, card: &mut Card, p: P<'i>) {
        match p.as_rule() {
            Rule::word => card.name = Some(self.new_name(&p)),
            Rule::string => card.title = Some(string(&p)),
            Rule::of_name => card.of = inner_word(p),
            Rule::from_name => card.from = inner_word(p),
            Rule::template => card.template = Some(word(&p)),
            Rule::block => card.block = Some(self.block(p)),
            _ => {}
        }
    }
}

pub(super) fn no_card(span: Span) -> Card {
    Card { word: no_word(), name: None, title: None, of: None, from: None, template: None, block: None, span }
}

fn no_string() -> Str {
    Str { text: "".into(), span: Span::default() }
}

/// Which rules a setting keeps; its value is a line like any other.
fn covered(pair: P) -> Option<Covered> {
    let mut parts = pair.into_inner();
    let setting = parts.next().map(|p| word(&p))?;
    let ids = parts.find(|p| p.as_rule() == Rule::covers).map(covers)?;
    Some(Covered { setting, ids })
}

pub(super) fn covers(pair: P) -> Vec<Word> {
    pair.into_inner().map(|p| word(&p)).collect()
}
