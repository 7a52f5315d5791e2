//! What a language has to be able to say of a card: the rest of a text is the same in all of them.

use banneret_grammar::span::Span;
use smol_str::SmolStr;

use super::Unsaid;
use crate::hir::{Expr, Key, Local, Rule, Stmt};
use crate::ty::Ty;

pub(super) trait Voice {
    /// The sentences of a rule, ended.
    fn rule(&mut self, rule: &Rule) -> Vec<String>;

    /// The sentences of a stored effect, whose parameters have been told.
    fn effect(&mut self, stmts: &[Stmt]) -> Vec<String>;

    /// A parameter of an effect: what a choice of the card offers for it, or its name and type. `only` if the effect has no other.
    fn parameter(&mut self, param: Local, choice: Option<&Expr>, declared: Option<&(SmolStr, Ty)>);

    /// Parameters of an effect by the field it is declared in.
    fn declared(&self, field: &Key) -> Vec<(SmolStr, Ty)>;

    /// A value as it stands alone, beside a label.
    fn alone(&mut self, value: &Expr) -> String;

    /// What stands before a value or a block of text.
    fn label(&mut self, field: &Key) -> SmolStr;

    /// The keywords of a card, as a sentence.
    fn keywords(&mut self, keywords: &[(Key, i64)]) -> String;

    /// "Once per game"
    fn once(&mut self, scope: &Key) -> String;

    /// Words that somebody wrote for a card.
    fn written(&mut self, of: &Key, words: &str) -> String;

    fn at(&mut self, line: Span);

    fn unsaid(&mut self) -> &mut Vec<Unsaid>;
}
