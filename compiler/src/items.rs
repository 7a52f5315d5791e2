//! From a file to its items, and from an item to its tree and to the names it declares.

use std::borrow::Cow;
use std::sync::Arc;

use banneret_grammar::SyntaxError;
use banneret_grammar::ast;
use banneret_grammar::span::Span;
use smol_str::SmolStr;

use crate::db::{Place, SourceFile};
use crate::key::joined;
use crate::language::is_item_word;

/// An item of a file. Its identity is where it stands and what it is called; its text and its position can change without it becoming another.
#[salsa::tracked(debug)]
pub struct Item<'db> {
    #[returns(copy)]
    pub file: SourceFile,
    /// The first words of the item, up to its brace.
    #[returns(ref)]
    pub header: SmolStr,
    /// How many items with the same header stand above it.
    #[returns(copy)]
    pub nth: u32,
    /// Text that belongs to no item.
    #[returns(copy)]
    pub stray: bool,
    /// Of a card: the card it builds on, as its head names it.
    #[tracked]
    #[returns(ref)]
    pub base: Option<SmolStr>,
    /// How many items stand above it, and how many of its sort: cards, or others.
    #[tracked]
    #[returns(copy)]
    above: (u32, u32),
}

impl<'db> Item<'db> {
    pub fn text(self, db: &'db dyn salsa::Database) -> &'db Arc<str> {
        item_text(db, self)
    }

    /// Where it starts in its file.
    pub fn start(self, db: &'db dyn salsa::Database) -> u32 {
        item_place(db, self).start
    }

    /// What is written above it.
    pub fn doc(self, db: &'db dyn salsa::Database) -> &'db Option<Arc<str>> {
        &item_place(db, self).doc
    }
}

#[salsa::tracked(returns(deref))]
pub fn items<'db>(db: &'db dyn salsa::Database, file: SourceFile) -> Vec<Item<'db>> {
    let (mut cards, mut rules) = (0, 0);
    let items = file.heads(db).iter().zip(0..).map(|(head, above)| {
        let of_its_sort = if starts_card(&head.words, head.stray) { &mut cards } else { &mut rules };
        let item = Item::new(db, file, head.words.clone(), head.nth, head.stray, head.base.clone(), (above, *of_its_sort));
        *of_its_sort += 1;
        item
    });
    items.collect()
}

#[salsa::tracked]
fn item_text<'db>(db: &'db dyn salsa::Database, item: Item<'db>) -> Arc<str> {
    let file = item.file(db);
    let texts = if is_card(db, item) { file.cards(db) } else { file.rules(db) };
    let text = texts.get(item.above(db).1 as usize);
    debug_assert!(text.is_some(), "the items of a file were cut from its text");
    text.cloned().unwrap_or_else(|| Arc::from(""))
}

#[salsa::tracked]
fn item_place<'db>(db: &'db dyn salsa::Database, item: Item<'db>) -> Place {
    let place = item.file(db).places(db).get(item.above(db).0 as usize);
    debug_assert!(place.is_some(), "the items of a file were cut from its text");
    place.cloned().unwrap_or(Place { start: 0, doc: None })
}

/// The items of a file that are not cards. Mostly few: who looks for rules need not walk over all cards.
#[salsa::tracked(returns(deref))]
pub fn rule_items<'db>(db: &'db dyn salsa::Database, file: SourceFile) -> Vec<Item<'db>> {
    items(db, file).iter().copied().filter(|item| !is_card(db, *item)).collect()
}

/// The words that name an item: up to the first brace, bracket, sign or string on its first line, at most three.
pub(crate) fn first_words(text: &str) -> SmolStr {
    let line = text.lines().next().unwrap_or("");
    let end = line.find(['{', '(', '"', ':', '=', '/']).unwrap_or(line.len());
    let mut words = line[..end].split_whitespace();
    match (words.next(), words.next()) {
        (Some(first), Some(second)) => joined(first, " ", second),
        // tests and limits are told apart by their words
        _ if line[end..].starts_with('"') => SmolStr::new(line.trim_end()),
        (first, _) => SmolStr::new(first.unwrap_or_default()),
    }
}

/// What stands behind the `from` of a card, before its block.
pub(crate) fn base_in_head(text: &str) -> Option<SmolStr> {
    let head = text.split('{').next().unwrap_or("");
    let mut words = words_of(head).skip_while(|word| *word != "from").skip(1);
    words.next().map(SmolStr::new)
}

/// The words of a text outside of comments.
pub(crate) fn words_of(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or(""));
    lines.flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '_')).filter(|word| word.starts_with(char::is_alphabetic))
}

/// The item's views and what is wrong with its syntax.
#[derive(Debug, PartialEq, Eq)]
pub struct ParsedItem {
    pub item: ast::Item,
    pub errors: Vec<SyntaxError>,
}

#[salsa::tracked]
pub fn parse<'db>(db: &'db dyn salsa::Database, item: Item<'db>) -> ParsedItem {
    parse_now(db, item)
}

/// The same without keeping it: for cards, which are many and which few look into again.
pub fn parse_now<'db>(db: &'db dyn salsa::Database, item: Item<'db>) -> ParsedItem {
    let parsed = banneret_grammar::parse_item(item.text(db));
    ParsedItem { item: parsed.item, errors: parsed.errors }
}

/// What a name stands for, before anything is looked into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DeclKind {
    Ruleset,
    Option,
    /// A sign or word that lengths are written with.
    Length,
    Kind,
    /// The plural of a kind: all of it in play.
    Noun,
    /// The word that starts a card of a kind.
    Word,
    /// A resource field of a kind.
    Resource,
    Enum,
    /// `enum X also`: adds members, declares nothing
    Also,
    Member,
    Define,
    Fact,
    Table,
    Action,
    Phase,
    Keyword,
    Card,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Decl {
    pub name: SmolStr,
    pub kind: DeclKind,
    /// For members and resources: the enum or kind they belong to.
    pub of: Option<SmolStr>,
    /// Where the name stands, in its item.
    pub span: Span,
}

/// Whether an item is a card. Told from its first word alone: there may be tens of thousands of them, and an item with another first word is
/// another item, so nobody who asks has to ask again.
pub fn is_card<'db>(db: &'db dyn salsa::Database, item: Item<'db>) -> bool {
    starts_card(item.header(db), item.stray(db))
}

pub(crate) fn starts_card(header: &str, stray: bool) -> bool {
    // a letter of another alphabet makes it another word than those
    let end = header.bytes().position(|b| !(b.is_ascii_alphanumeric() || b == b'_')).unwrap_or(header.len());
    let more = header.get(end..).and_then(|rest| rest.chars().next()).is_some_and(char::is_alphanumeric);
    !stray && (more || !header.get(..end).is_some_and(is_item_word))
}

/// What a card declares, from the words that make it this item and no other.
pub fn card_name<'db>(db: &'db dyn salsa::Database, item: Item<'db>) -> Option<Decl> {
    card_decl(item.header(db))
}

/// The name of a card, from its first words: nothing else of it needs to be read for that.
fn card_decl(text: &str) -> Option<Decl> {
    let word_end = |from: usize| text[from..].find(|c: char| !(c.is_alphanumeric() || c == '_')).map_or(text.len(), |i| from + i);
    let word = &text[..word_end(0)];
    let start = word.len() + text[word.len()..].find(|c| c != ' ')?;
    let name = &text[start..word_end(start)];
    if name.is_empty() || !name.starts_with(char::is_alphabetic) || banneret_grammar::words::is_reserved(name) || name == "template" {
        return None;
    }
    let span = Span::new(u32::try_from(start).ok()?, u32::try_from(start + name.len()).ok()?);
    Some(Decl { name: SmolStr::new(name), kind: DeclKind::Card, of: Some(SmolStr::new(word)), span })
}

/// Everything an item declares for others, without spans of its inside mattering to them: see `names`.
#[salsa::tracked(returns(deref))]
pub fn declares<'db>(db: &'db dyn salsa::Database, item: Item<'db>) -> Vec<Decl> {
    if is_card(db, item) {
        return card_decl(item.text(db)).into_iter().collect();
    }
    let parsed = parse(db, item);
    let mut out = Vec::new();
    declared(&parsed.item, &mut out);
    out
}

/// The same without keeping it for cards, which are many and tell it by their first words.
pub fn declares_now<'db>(db: &'db dyn salsa::Database, item: Item<'db>) -> Cow<'db, [Decl]> {
    match is_card(db, item) {
        true => Cow::Owned(card_decl(item.text(db)).into_iter().collect()),
        false => Cow::Borrowed(declares(db, item)),
    }
}

fn declared(item: &ast::Item, out: &mut Vec<Decl>) {
    let mut add = |name: &ast::Word, kind: DeclKind, of: Option<&ast::Word>| {
        out.push(Decl { name: SmolStr::new(&name.text), kind, of: of.map(|w| SmolStr::new(&w.text)), span: name.span });
    };
    match &item.kind {
        ast::ItemKind::Ruleset(r) => {
            add(&r.name, DeclKind::Ruleset, None);
            for option in &r.options {
                add(&option.name, DeclKind::Option, Some(&r.name));
                if let ast::TypeKind::OneOf(words) = &option.ty.kind {
                    for word in words {
                        add(word, DeclKind::Member, Some(&option.name));
                    }
                }
            }
            for length in &r.lengths {
                for sign in &length.signs {
                    add(sign, DeclKind::Length, Some(&r.name));
                }
            }
        }
        ast::ItemKind::Enum(e) => {
            add(&e.name, if e.also { DeclKind::Also } else { DeclKind::Enum }, None);
            for member in &e.members {
                add(&member.name, DeclKind::Member, Some(&e.name));
            }
        }
        ast::ItemKind::Kind(k) => {
            add(&k.name, DeclKind::Kind, None);
            for field in &k.fields {
                if field.role == ast::FieldRole::Resource {
                    add(&field.name, DeclKind::Resource, Some(&k.name));
                }
            }
            let word = snake(&k.name.text);
            let plural = match &k.plural {
                Some(w) => SmolStr::new(&w.text),
                None => SmolStr::new(format!("{word}s")),
            };
            out.push(Decl { name: plural, kind: DeclKind::Noun, of: Some(SmolStr::new(&k.name.text)), span: k.name.span });
            out.push(Decl { name: word, kind: DeclKind::Word, of: Some(SmolStr::new(&k.name.text)), span: k.name.span });
        }
        ast::ItemKind::Define(d) => add(&d.name, DeclKind::Define, d.on.as_ref()),
        ast::ItemKind::Fact(f) => add(&f.name, DeclKind::Fact, None),
        ast::ItemKind::Table(t) => add(&t.name, DeclKind::Table, None),
        ast::ItemKind::Action(a) => {
            add(&a.name, if a.is_phase { DeclKind::Phase } else { DeclKind::Action }, None);
            inner_phases(&a.block, &mut |phase| {
                out.push(Decl { name: SmolStr::new(&phase.name.text), kind: DeclKind::Phase, of: None, span: phase.name.span });
            });
        }
        ast::ItemKind::Keyword(k) => add(&k.name, DeclKind::Keyword, None),
        ast::ItemKind::Card(c) => {
            if let Some(name) = &c.name {
                add(name, DeclKind::Card, Some(&c.word));
            }
        }
        _ => {}
    }
}

/// The phases written in place in a block, at any depth.
pub fn inner_phases<'a>(block: &'a ast::Block, each: &mut impl FnMut(&'a ast::Action)) {
    for line in &block.lines {
        if let ast::Line::Phase { action, .. } = line {
            each(action);
        }
        for inner in blocks_of(line) {
            inner_phases(inner, each);
        }
    }
}

/// The blocks directly inside a line.
pub fn blocks_of(line: &ast::Line) -> Vec<&ast::Block> {
    use ast::Line::*;
    match line {
        If { arms, otherwise, .. } => arms.iter().map(|(_, b)| b).chain(otherwise).collect(),
        For { block, .. } | Repeat { block, .. } | May { block, .. } | Alternate { block, .. } | Together { block, .. } => vec![block],
        Phase { action, .. } => vec![&action.block],
        Menu { lines, .. } => lines
            .iter()
            .flat_map(|l| match l {
                ast::MenuLine::Line(line) => blocks_of(line),
                ast::MenuLine::Labelled { block, .. } => vec![block],
            })
            .collect(),
        Table { rows, .. } => rows
            .iter()
            .filter_map(|r| match &r.value {
                ast::RowValue::Block(b) => Some(b),
                ast::RowValue::Expr(_) => None,
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// `DarkPact` → `dark_pact`
pub fn snake(name: &str) -> SmolStr {
    let mut out = String::with_capacity(name.len() + 2);
    for (i, c) in name.chars().enumerate() {
        if c.is_uppercase() {
            if i > 0 {
                out.push('_');
            }
            out.extend(c.to_lowercase());
        } else {
            out.push(c);
        }
    }
    SmolStr::new(out)
}

/// `DarkPact` → "Dark Pact"
pub fn spaced(name: &str) -> SmolStr {
    let mut out = String::with_capacity(name.len() + 2);
    let mut last_lower = false;
    for c in name.chars() {
        if (c.is_uppercase() || c.is_ascii_digit()) && last_lower {
            out.push(' ');
        }
        last_lower = c.is_lowercase();
        out.push(if c == '_' { ' ' } else { c });
    }
    // most names are one word
    let small_words = if out.contains(' ') { SMALL_WORDS } else { &[] };
    for small in small_words {
        if out.contains(small) {
            out = out.replace(small, &small.to_lowercase());
        }
    }
    SmolStr::new(out)
}

/// Words that have no capital within a title.
const SMALL_WORDS: &[&str] =
    &[" Of ", " The ", " And ", " In ", " On ", " To ", " An ", " At ", " By ", " For ", " With ", " From ", " Or "];
