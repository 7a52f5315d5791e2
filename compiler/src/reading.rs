//! How an item was read, for people who want to know why it is not as they meant it: what it was taken apart into, and what each word was taken for.

use std::fmt::Write;

use banneret_grammar::parse_tree;
use banneret_grammar::span::Span;
use banneret_grammar::tree::{NodeKind, Tree};
use smol_str::SmolStr;

use crate::db::Universe;
use crate::elaborate::{Meaning, elaborate, type_in_words};
use crate::items::{DeclKind, Item};
use crate::key::{KeyParts, key_parts, module_of_key};
use crate::names::{Wanted, declared, short};
use crate::signature::kind_by_key;
use crate::ty::Ty;

/// So much of a line is shown beside what it is.
const WIDEST: usize = 72;

/// The parts of an item, each within the one it belongs to.
pub fn tree(text: &str) -> String {
    let tree = parse_tree(text);
    let mut out = String::new();
    part(&tree, text, 0, 0, &mut out);
    out
}

fn part(tree: &Tree, text: &str, node: u32, depth: usize, out: &mut String) {
    let Some(this) = tree.nodes.get(node as usize) else { return };
    let name = match this.kind {
        NodeKind::Named(name) => name.name().replace('_', " "),
        NodeKind::Broken => "not understood".to_owned(),
        NodeKind::Token | NodeKind::Comment | NodeKind::Space => return,
    };
    let named = |child: &&u32| matches!(tree.nodes.get(**child as usize).map(|n| n.kind), Some(NodeKind::Named(_) | NodeKind::Broken));
    let inner: Vec<u32> = this.children.iter().filter(named).copied().collect();
    // what is all of another thing is that thing
    if let [only] = inner.as_slice()
        && tree.nodes.get(*only as usize).is_some_and(|n| n.span == this.span)
    {
        return part(tree, text, *only, depth, out);
    }
    let label = format!("{:indent$}{name}", "", indent = depth * 2);
    let _ = writeln!(out, "{label:<28}  {}", first_line(text, this.span));
    inner.into_iter().for_each(|child| part(tree, text, child, depth + 1, out));
}

fn first_line(text: &str, span: Span) -> String {
    let whole = span.of(text).trim();
    let line = whole.lines().next().unwrap_or("").trim_end();
    let short: String = line.chars().take(WIDEST).collect();
    if short.len() < whole.len() { format!("{} …", short.trim_end()) } else { short }
}

/// What each word was taken for, below the line it stands in; of all lines, or of those of a part.
pub fn meanings<'db>(db: &'db dyn salsa::Database, universe: Universe, item: Item<'db>, part: Option<Span>) -> String {
    let text = item.text(db);
    let meant = elaborate(db, universe, item);
    let mut seen = meant.seen.to_vec();
    seen.sort_by_key(|(span, _)| (span.start, span.end));
    seen.dedup_by_key(|(span, _)| *span);
    let words = |ty: &Ty| type_in_words(db, universe, item, ty);
    let mut out = String::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        if part.is_some_and(|part| end <= part.start as usize || part.end as usize <= start) {
            start = end;
            continue;
        }
        let _ = writeln!(out, "{}", line.trim_end());
        for (span, meaning) in seen.iter().filter(|(span, _)| (start..end).contains(&(span.start as usize))) {
            let meant = match meaning {
                Meaning::Local(at) => match meant.locals.iter().find(|(span, _)| span == at) {
                    Some((_, ty)) => format!("a name given here: {}", words(ty)),
                    None => "a name given here".to_owned(),
                },
                Meaning::Key(key) => meaning_of(db, universe, key, &words),
            };
            let _ = writeln!(out, "      {:<22}  {meant}", span.of(text));
        }
        start = end;
    }
    out
}

fn meaning_of(db: &dyn salsa::Database, universe: Universe, key: &str, words: &dyn Fn(&Ty) -> String) -> String {
    let module = module_of_key(key);
    let whose = if module.starts_with('@') || module.is_empty() { String::new() } else { format!(" ({module})") };
    if let KeyParts::OfEvent(action, _) = key_parts(key) {
        return format!("a value of `{}`{whose}", short(action));
    }
    if let KeyParts::Inside(item, member) = key_parts(key) {
        let owner = short(item);
        let field = kind_by_key(db, universe, item).and_then(|kind| kind.field(member));
        return match (field, declared_as(db, universe, module, owner)) {
            (Some(field), _) => format!("a field of {owner}: {}{whose}", words(&field.ty)),
            (None, Some(DeclKind::Enum | DeclKind::Option)) => format!("a value of {owner}{whose}"),
            _ => format!("a part of {owner}{whose}"),
        };
    }
    let what = declared_as(db, universe, module, short(key)).map_or("something declared", called);
    format!("{what}{whose}")
}

fn declared_as(db: &dyn salsa::Database, universe: Universe, module: &str, name: &str) -> Option<DeclKind> {
    declared(db, universe, Wanted::new(db, SmolStr::new(module), SmolStr::new(name))).first().map(|found| found.kind)
}

fn called(kind: DeclKind) -> &'static str {
    match kind {
        DeclKind::Ruleset => "a rule system",
        DeclKind::Option => "an option",
        DeclKind::Length => "a unit of length",
        DeclKind::Kind => "a kind",
        DeclKind::Noun => "all of a kind in play",
        DeclKind::Word => "the word of a kind",
        DeclKind::Resource => "a resource",
        DeclKind::Enum | DeclKind::Also => "an enum",
        DeclKind::Member => "a value of an enum",
        DeclKind::Define => "a term",
        DeclKind::Fact => "a fact of the table",
        DeclKind::Table => "a table",
        DeclKind::Action => "an action",
        DeclKind::Phase => "a phase",
        DeclKind::Keyword => "a keyword",
        DeclKind::Card => "a card",
    }
}
