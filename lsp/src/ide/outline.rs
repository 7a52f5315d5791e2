//! The names a file declares, as a tree.

use banneret_compiler::db::SourceFile;
use banneret_compiler::items::{Item, items, parse, snake};
use banneret_grammar::ast::{self, ItemKind, Line};
use banneret_grammar::span::Span;

use super::Ide;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    Module,
    Ruleset,
    Option,
    Enum,
    Member,
    Kind,
    Field,
    Term,
    Table,
    Action,
    Phase,
    Keyword,
    Limit,
    Face,
    Test,
    Rule,
    Card,
    Part,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    pub name: String,
    /// What it is, in a word or two: the item word, the title.
    pub detail: String,
    pub kind: SymbolKind,
    /// All of it, and its name.
    pub whole: Span,
    pub at: Span,
    pub inside: Vec<Symbol>,
}

/// Everything a file declares, in order.
pub fn of_file(ide: Ide<'_>, file: SourceFile) -> Vec<Symbol> {
    items(ide.db, file).iter().filter_map(|item| of_item(ide, *item)).collect()
}

/// What an item declares.
pub fn of_item(ide: Ide<'_>, item: Item<'_>) -> Option<Symbol> {
    let start = item.start(ide.db);
    let parsed = parse(ide.db, item);
    let mut symbol = symbol(&parsed.item)?;
    symbol.shift(start);
    Some(symbol)
}

impl Symbol {
    fn shift(&mut self, by: u32) {
        self.whole = self.whole.shifted(by);
        self.at = self.at.shifted(by);
        // an editor refuses a name that lies outside of what it names
        self.whole = self.whole.to(self.at);
        self.inside.iter_mut().for_each(|s| s.shift(by));
    }
}

fn symbol(item: &ast::Item) -> Option<Symbol> {
    let word = |w: &ast::Word, kind, detail: &str, inside| Symbol {
        name: w.text.to_string(),
        detail: detail.to_owned(),
        kind,
        whole: item.span,
        at: w.span,
        inside,
    };
    let words = |s: &ast::Str, kind, detail: &str| Symbol {
        name: s.text.to_string(),
        detail: detail.to_owned(),
        kind,
        whole: item.span,
        at: s.span,
        inside: Vec::new(),
    };
    let leaf = |w: &ast::Word, kind, detail: &str, whole: Span| Symbol {
        name: w.text.to_string(),
        detail: detail.to_owned(),
        kind,
        whole: whole.to(w.span),
        at: w.span,
        inside: Vec::new(),
    };
    Some(match &item.kind {
        ItemKind::Use(u) => {
            let path: Vec<&str> = u.path.iter().map(|w| &*w.text).collect();
            let at = u.path.iter().map(|w| w.span).reduce(Span::to)?;
            Symbol { name: path.join("."), detail: "use".into(), kind: SymbolKind::Module, whole: item.span, at, inside: Vec::new() }
        }
        ItemKind::Ruleset(r) => word(
            &r.name,
            SymbolKind::Ruleset,
            "ruleset",
            r.options.iter().map(|o| leaf(&o.name, SymbolKind::Option, "option", o.span)).collect(),
        ),
        ItemKind::Enum(e) => {
            let members = e.members.iter().map(|m| leaf(&m.name, SymbolKind::Member, "", m.name.span)).collect();
            word(&e.name, SymbolKind::Enum, if e.also { "enum also" } else { "enum" }, members)
        }
        ItemKind::Kind(k) => {
            let fields = k.fields.iter().map(|f| {
                let detail = match f.role {
                    ast::FieldRole::Plain => "",
                    ast::FieldRole::Of => "of",
                    ast::FieldRole::State => "state",
                    ast::FieldRole::Resource => "resource",
                };
                leaf(&f.name, SymbolKind::Field, detail, f.span)
            });
            word(&k.name, SymbolKind::Kind, "kind", fields.collect())
        }
        ItemKind::Define(d) => word(&d.name, SymbolKind::Term, "define", Vec::new()),
        ItemKind::Fact(f) => word(&f.name, SymbolKind::Term, "fact", Vec::new()),
        ItemKind::Table(t) => word(&t.name, SymbolKind::Table, "table", Vec::new()),
        ItemKind::Action(a) if a.is_phase => word(&a.name, SymbolKind::Phase, "phase", Vec::new()),
        ItemKind::Action(a) => word(&a.name, SymbolKind::Action, "action", Vec::new()),
        ItemKind::Keyword(k) => word(&k.name, SymbolKind::Keyword, "keyword", Vec::new()),
        ItemKind::Limit(l) => words(&l.words, SymbolKind::Limit, "limit"),
        ItemKind::Face(f) => word(&f.name, SymbolKind::Face, "face", Vec::new()),
        ItemKind::Test(t) => words(&t.words, SymbolKind::Test, "test"),
        ItemKind::Rule(_) => leaf(&item.word, SymbolKind::Rule, "rule", item.span),
        ItemKind::Card(c) => card(c, SymbolKind::Card),
        ItemKind::Broken => return None,
    })
}

fn card(c: &ast::Card, kind: SymbolKind) -> Symbol {
    let name = c.name.as_ref().unwrap_or(&c.word);
    let detail = match &c.title {
        Some(title) => format!("{} \u{201c}{}\u{201d}", c.word.text, title.text),
        None if c.name.is_some() => c.word.text.to_string(),
        None => String::new(),
    };
    let lines = c.block.as_ref().map(|b| b.lines.as_slice()).unwrap_or_default();
    let inside = lines.iter().filter_map(|line| match line {
        // an effect has no name, and nothing in it is a symbol
        Line::Part(p) if p.name.is_some() => Some(card(p, SymbolKind::Part)),
        Line::Entry { card: p, .. } => Some(card(p, SymbolKind::Part)),
        _ => None,
    });
    Symbol { name: name.text.to_string(), detail, kind, whole: c.span, at: name.span, inside: inside.collect() }
}

/// Whether a written query means a name: its letters in order, capitals or not.
pub fn matches(query: &str, name: &str) -> bool {
    let mut letters = name.chars().flat_map(char::to_lowercase);
    query.chars().flat_map(char::to_lowercase).filter(|c| !c.is_whitespace()).all(|wanted| letters.any(|c| c == wanted))
}

/// The item word of a kind.
pub fn item_word(kind: &str) -> String {
    snake(kind).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_is_letters_in_order() {
        assert!(matches("clbr", "ClayBrother"));
        assert!(matches("", "anything"));
        assert!(!matches("brcl", "ClayBrother"));
    }
}
