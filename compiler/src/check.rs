//! Everything that is wrong with one item, and what follows from looking at all of them.

use banneret_grammar::ast;
use banneret_grammar::span::Span;
use smol_str::SmolStr;

use crate::db::Universe;
use crate::diagnostic::{Diagnostic, Fix};
use crate::elaborate::{Elaborated, elaborate, elaborate_now};
use crate::follow;
use crate::hir::{self, Key};
use crate::items::{Decl, DeclKind, Item, ParsedItem, is_card, parse, parse_now};
use crate::limits::Printed;
use crate::names::{ModuleName, Wanted, declared};
use crate::part::{self, Part, PartOf};

/// What a check keeps of an item. Cards are many: neither their trees nor their meanings are kept, only this.
#[derive(Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct Analysis<'db> {
    /// What is wrong, spans relative to the item.
    pub found: Vec<Diagnostic>,
    /// Keys of what it names, the actions it calls, and those its rules wait for; without what its shared parts do.
    pub uses: Vec<Key>,
    pub calls: Vec<Key>,
    pub waits: Vec<(Key, Span)>,
    /// It could be read at all.
    pub readable: bool,
    /// A card that others build on.
    pub template: bool,
    /// How many `todo`s are in it, besides those of its shared parts.
    pub todos: usize,
    /// Of a card: what limits can see of it, without its shared parts.
    pub printed: Option<Printed>,
    /// Parts that were read for every card that has the same.
    pub parts: Vec<PartOf<'db>>,
}

impl<'db> Analysis<'db> {
    pub fn all_todos(&self, db: &'db dyn salsa::Database) -> usize {
        let of_parts = self.parts.iter().filter_map(|part| part.part(db)).map(|part| part.todos);
        self.todos + of_parts.sum::<usize>()
    }

    /// Of a card: what limits can see of it.
    pub fn whole_card(&self, db: &'db dyn salsa::Database) -> Option<hir::Card> {
        let mut card = self.printed.as_ref()?.card();
        if !self.parts.is_empty() {
            card.parts.extend(self.parts.iter().filter_map(|part| part.printed(db, &card.key)));
            card.parts.sort_by_key(|part| part.span.start);
        }
        Some(card)
    }

    /// Whether it or a part of it names something.
    pub fn names(&self, db: &'db dyn salsa::Database, key: &str) -> bool {
        let in_part = |part: &Part| part.uses.binary_search_by(|used| used.as_str().cmp(key)).is_ok();
        self.uses.iter().any(|used| used == key) || self.parts.iter().filter_map(|part| part.part(db)).any(in_part)
    }

    /// The actions its rules and those of its parts wait for.
    pub fn all_waits(&'db self, db: &'db dyn salsa::Database) -> impl Iterator<Item = (&'db Key, Span)> {
        let of_parts = self.parts.iter().flat_map(move |part| {
            let waits = part.part(db).map(|meant| meant.waits.as_slice()).unwrap_or_default();
            waits.iter().map(|(action, span)| (action, span.shifted(part.start)))
        });
        self.waits.iter().map(|(action, span)| (action, *span)).chain(of_parts)
    }
}

#[salsa::tracked]
pub fn analysis<'db>(db: &'db dyn salsa::Database, universe: Universe, item: Item<'db>) -> Analysis<'db> {
    if is_card(db, item) {
        return in_parts(db, universe, item).unwrap_or_else(|| of_card(db, universe, item));
    }
    let (parsed, meant) = (parse(db, item), elaborate(db, universe, item));
    Analysis {
        found: found(db, universe, item, parsed, meant),
        uses: meant.uses.clone(),
        calls: meant.calls.clone(),
        waits: meant.waits.clone(),
        readable: is_readable(parsed),
        template: is_template(parsed),
        todos: todos(item.text(db)),
        printed: None,
        parts: Vec::new(),
    }
}

/// How many `todo`s are in a text.
pub(crate) fn todos(text: &str) -> usize {
    text.matches("todo \"").count()
}

fn of_card<'db>(db: &'db dyn salsa::Database, universe: Universe, item: Item<'db>) -> Analysis<'db> {
    let parsed = parse_now(db, item);
    let meant = elaborate_now(db, universe, item, &parsed);
    let found = found(db, universe, item, &parsed, &meant);
    analysed(&parsed, meant, found, todos(item.text(db)), Vec::new())
}

/// A card whose parts are as on other cards. None if something is wrong with it: then it is read as a whole, to tell what.
fn in_parts<'db>(db: &'db dyn salsa::Database, universe: Universe, item: Item<'db>) -> Option<Analysis<'db>> {
    let parsed = part::rest(db, item)?;
    let meant = elaborate_now(db, universe, item, &parsed);
    let found = found(db, universe, item, &parsed, &meant);
    let parts = match &meant.hir {
        hir::Item::Card(rest) if found.is_empty() => part::shared(db, universe, item, rest)?,
        _ => return None,
    };
    Some(analysed(&parsed, meant, found, part::todos_of_rest(db, item), parts))
}

fn analysed<'db>(parsed: &ParsedItem, meant: Elaborated, found: Vec<Diagnostic>, todos: usize, parts: Vec<PartOf<'db>>) -> Analysis<'db> {
    let printed = match meant.hir {
        hir::Item::Card(card) => Some(Printed::of(card)),
        _ => None,
    };
    let (readable, template) = (is_readable(parsed), is_template(parsed));
    Analysis { found, uses: meant.uses, calls: meant.calls, waits: meant.waits, readable, template, todos, printed, parts }
}

fn is_readable(parsed: &ParsedItem) -> bool {
    !matches!(parsed.item.kind, ast::ItemKind::Broken)
}

fn is_template(parsed: &ParsedItem) -> bool {
    matches!(&parsed.item.kind, ast::ItemKind::Card(c) if c.template.is_some())
}

/// What is wrong in one item, spans relative to it.
fn found<'db>(
    db: &'db dyn salsa::Database,
    universe: Universe,
    item: Item<'db>,
    parsed: &ParsedItem,
    meant: &Elaborated,
) -> Vec<Diagnostic> {
    let mut out: Vec<Diagnostic> = parsed
        .errors
        .iter()
        .map(|e| {
            let mut d = Diagnostic::error(e.code, e.span, e.message.clone());
            d.help = e.help.clone();
            if let Some((span, text)) = &e.fix {
                let title = match (text.is_empty(), span.start == span.end) {
                    (true, _) => "Remove it".to_string(),
                    (false, true) => format!("Insert `{}`", text.trim()),
                    (false, false) => format!("Write `{}`", text.trim()),
                };
                d.fixes.push(Fix { title, edits: vec![(*span, text.clone())], safe: true });
            }
            d
        })
        .collect();
    if !is_readable(parsed) || !meant.diagnostics.is_empty() && follow::block_is_below(db, item) {
        return out;
    }
    if !meant.diagnostics.is_empty() || matches!(parsed.item.kind, ast::ItemKind::Use(_)) {
        let module = ModuleName::new(db, item.file(db).module(db).clone());
        if let Some(at) = follow::other_rules(db, universe, module) {
            out.extend((at == item).then(|| follow::wrong_rules(db, universe, item)));
            return out;
        }
    }
    let lines_lost = !parsed.errors.is_empty();
    // asked only where something is wrong
    let module = || ModuleName::new(db, item.file(db).module(db).clone());
    let rules_lost = || follow::without_rules(db, universe, module());
    let names_lost = || follow::uses_unknown(db, universe, module()) || rules_lost().is_some();
    let follows = |d: &Diagnostic| {
        (lines_lost && matches!(d.code, "row-missing" | "unknown-module"))
            || (d.code.starts_with("unknown-") && d.code != "unknown-module" && names_lost())
    };
    if meant.diagnostics.iter().any(|d| d.code.starts_with("unknown-")) && rules_lost() == Some(item) {
        out.push(follow::no_rules(db, universe, item));
    }
    out.extend(meant.diagnostics.iter().filter(|d| !follows(d)).cloned());
    out.extend(crate::printed::homeless_rules(db, universe, item, &meant.hir));
    out
}

/// Which names get in each other's way.
fn family(kind: DeclKind) -> Option<u8> {
    Some(match kind {
        DeclKind::Kind | DeclKind::Enum => 0,
        DeclKind::Define | DeclKind::Fact | DeclKind::Table | DeclKind::Action | DeclKind::Phase | DeclKind::Noun | DeclKind::Option => 1,
        DeclKind::Card => 2,
        DeclKind::Keyword => 3,
        DeclKind::Ruleset => 4,
        _ => return None,
    })
}

/// Names of this item that an earlier item of its module has taken; `taken` are those that are given twice. Asked for each report of a file and not kept: whoever adds or takes away a
/// name changes what files show each other, and then every report is made anew.
pub(crate) fn twice<'db>(
    db: &'db dyn salsa::Database,
    universe: Universe,
    item: Item<'db>,
    declares: &[Decl],
    taken: &[SmolStr],
) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    let module = item.file(db).module(db);
    for decl in declares {
        let Some(group) = family(decl.kind).filter(|_| taken.binary_search(&decl.name).is_ok()) else { continue };
        let all = declared(db, universe, Wanted::new(db, module.clone(), decl.name.clone()));
        let same: Vec<Item<'db>> = all.iter().filter(|f| family(f.kind) == Some(group)).map(|f| f.item).collect();
        if same.len() < 2 || same.first() == Some(&item) && same.iter().filter(|i| **i == item).count() == 1 {
            continue;
        }
        let first = same[0];
        if first == item && decl.kind == DeclKind::Noun {
            continue;
        }
        let at = if first.file(db) == item.file(db) { "above in this file".to_string() } else { format!("in {}", first.file(db).path(db)) };
        out.push(
            Diagnostic::error("duplicate-name", decl.span, format!("There already is something called `{}`.", decl.name))
                .note(format!("The first one is {at}."))
                .help("Give one of them another name."),
        );
    }
    out
}
