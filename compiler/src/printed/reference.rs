//! What a project prints on cards of its own because no card has room for it for certain: keywords, what it is to be of a member of an enum, rules
//! that belong to no card, and the rules of cards that have no face.

use banneret_grammar::span::Span;
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use crate::api::is_test_file;
use crate::build::reachable_files;
use crate::db::Universe;
use crate::elaborate::elaborate;
use crate::hir::{self, Card, Key, Rule};
use crate::items::{Item, items};
use crate::words::{self, Lookup, TextBlock};

use super::named::{self, Named};
use super::rules::paragraph;
use super::{Paragraph, Printed, StripKind, declared_faces, printed};

/// What stands on reference cards, in order. Whoever sets type divides it among as many as it takes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reference {
    /// What such a card is called.
    pub title: SmolStr,
    pub entries: Vec<Entry>,
}

/// A paragraph, and where it is written: a file, the start of the item, and the place in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub paragraph: Paragraph,
    pub file: String,
    pub start: u32,
    pub span: Span,
}

/// The reference of a project; without entries if its cards tell everything, or if it prints no cards at all.
pub fn reference(db: &dyn salsa::Database, universe: Universe) -> Reference {
    let lookup = Lookup { db, universe };
    let mut out = Reference { title: words::reference_title(&lookup).into(), entries: Vec::new() };
    if declared_faces(db, universe).is_empty() {
        return out;
    }
    let mut collected = Collected { db, universe, wanted: Vec::new(), firm: FxHashSet::default() };
    collected.all();
    let mut said: Vec<Named> = Vec::new();
    let mut todo: Vec<Named> = collected.wanted.clone();
    while let Some(next) = todo.pop() {
        if said.contains(&next) {
            continue;
        }
        for (_, _, more) in named::explained(db, universe, &next, None) {
            todo.extend(more.into_iter().map(|(named, _)| named).filter(|named| !collected.firm.contains(named)));
        }
        said.push(next);
    }
    // keywords before members, by name
    said.sort_by_key(|named| match named {
        Named::Keyword(key) => (0, crate::names::short(key).to_string()),
        Named::Member(of, name) => (1, format!("{of} {name}")),
    });
    for named in &said {
        for (block, item, _) in named::explained(db, universe, named, None) {
            out.push(db, item, block, Span::new(0, 0));
        }
    }
    for (file, item) in named::rules_alone(db, universe) {
        let hir::Item::Rules(rules) = &elaborate(db, universe, item).hir else { continue };
        let is_told = |rule: &Rule| named::about(rule).is_some_and(|(of, name)| said.contains(&Named::Member(of, name)));
        let rules: Vec<Rule> = match super::check::is_home(db, universe, item) {
            true => continue,
            false => rules.iter().filter(|rule| !is_told(rule)).cloned().collect(),
        };
        let key = SmolStr::new(format!("{}/{}", file.module(db), item.header(db)));
        out.push(db, item, words::rules_text(&key, None, None, &rules, &lookup), Span::new(0, 0));
    }
    for file in reachable_files(db, universe).iter().filter(|file| !is_test_file(file.path(db))) {
        for item in crate::items::rule_items(db, *file) {
            let hir::Item::Kind(kind) = &elaborate(db, universe, *item).hir else { continue };
            if kind.rules.is_empty() || super::check::is_home(db, universe, *item) {
                continue;
            }
            let title = words::label_of_kind(&kind.key, &lookup);
            out.push(db, *item, words::rules_text(&kind.key, Some(title), Some(&kind.key), &kind.rules, &lookup), Span::new(0, 0));
        }
    }
    let shown = collected.shown();
    for (item, card) in collected.cards() {
        for mut block in words::card_text(card, &lookup) {
            if !shown.contains(&block.of) {
                let title = words::in_language(&lookup, &card.key, &card.title);
                block.title = Some(match block.title {
                    Some(part) => format!("{title}: {part}").into(),
                    None => title,
                });
                out.push(db, item, block, card.name_span);
            }
        }
    }
    out
}

impl Reference {
    fn push(&mut self, db: &dyn salsa::Database, item: Item, block: TextBlock, span: Span) {
        if block.sentences.is_empty() {
            return;
        }
        let (file, start) = (item.file(db).path(db).to_string(), item.start(db));
        self.entries.push(Entry { paragraph: paragraph(block, 0), file, start, span });
    }
}

/// What the cards of a project name and show.
struct Collected<'db> {
    db: &'db dyn salsa::Database,
    universe: Universe,
    /// What somebody names whose card may not have room to explain it.
    wanted: Vec<Named>,
    /// What is explained wherever it is named.
    firm: FxHashSet<Named>,
}

impl<'db> Collected<'db> {
    fn cards(&self) -> Vec<(Item<'db>, &'db Card)> {
        let mut out = Vec::new();
        for file in self.universe.files(self.db).iter().filter(|file| !is_test_file(file.path(self.db))) {
            for item in items(self.db, *file) {
                match &elaborate(self.db, self.universe, *item).hir {
                    hir::Item::Card(card) if !card.template => out.push((*item, card)),
                    _ => {}
                }
            }
        }
        out
    }

    fn all(&mut self) {
        let mut firm: Vec<Named> = Vec::new();
        for (item, card) in self.cards() {
            let stays = printed(self.db, self.universe, item).as_ref().is_some_and(|printed| has_firm_reminders(printed));
            for (named, _) in named::had(card).into_iter().chain(named::spoken_of(card)) {
                if stays { firm.push(named) } else { self.want(named) }
            }
        }
        for file in reachable_files(self.db, self.universe).iter().filter(|file| !is_test_file(file.path(self.db))) {
            for item in crate::items::rule_items(self.db, *file) {
                let meant = &elaborate(self.db, self.universe, *item).hir;
                if matches!(meant, hir::Item::Action(_) | hir::Item::Kind(_) | hir::Item::Rules(_)) {
                    named::handed_out(meant).into_iter().for_each(|(named, _)| self.want(named));
                }
            }
        }
        self.firm = firm.into_iter().filter(|named| !self.wanted.contains(named)).collect();
    }

    fn want(&mut self, named: Named) {
        if !self.wanted.contains(&named) {
            self.wanted.push(named);
        }
    }

    /// Cards, parts and rows whose rules stand on a face, whatever room there is.
    fn shown(&self) -> FxHashSet<Key> {
        let mut out = FxHashSet::default();
        for (item, _) in self.cards() {
            let Some(printed) = printed(self.db, self.universe, item) else { continue };
            for strip in printed.faces.iter().flat_map(|face| &face.strips).filter(|strip| !strip.optional) {
                out.extend(told(&strip.kind).into_iter().map(|paragraph| paragraph.of.clone()));
            }
        }
        out
    }
}

fn has_firm_reminders(printed: &Printed) -> bool {
    let mut strips = printed.faces.iter().flat_map(|face| &face.strips);
    strips.any(|strip| matches!(strip.kind, StripKind::Reminders(_)) && !strip.optional)
}

/// The rules that a strip shows.
fn told(strip: &StripKind) -> Vec<&Paragraph> {
    match strip {
        StripKind::Rules(paragraphs) => paragraphs.iter().collect(),
        StripKind::Lines(rows) | StripKind::Grid { rows, .. } => rows.iter().flat_map(|row| &row.rules).collect(),
        StripKind::Table(rows) => rows.iter().flat_map(|row| &row.text).collect(),
        _ => Vec::new(),
    }
}
