//! Everything that a project and its rule system print, for whoever translates it.

use smol_str::SmolStr;

use super::lookup::Lookup;
use super::says::Words;
use super::speech::ToSay;
use super::text::spaced;
use crate::api::is_test_file;
use crate::db::Universe;
use crate::elaborate::elaborate;
use crate::hir::{self, Action, Card, Item, RegionKind, Template};
use crate::items::items;
use crate::printed::face_key;
use crate::ty::Ty;

/// What there is to translate in the files of a project, each entry once, in the order of what it belongs to.
pub fn to_say(db: &dyn salsa::Database, universe: Universe) -> Vec<ToSay> {
    let lookup = Lookup { db, universe };
    let mut all = Entries { words: Words(&lookup), out: Vec::new() };
    for file in universe.files(db).iter().filter(|file| !is_test_file(file.path(db))) {
        for item in items(db, *file) {
            all.item(&elaborate(db, universe, *item).hir);
        }
    }
    all.out.sort();
    all.out.dedup_by(|a, b| a.of == b.of && a.id == b.id);
    all.out
}

struct Entries<'a> {
    words: Words<'a>,
    out: Vec<ToSay>,
}

impl Entries<'_> {
    fn add(&mut self, of: &str, id: &str, note: &str) {
        if !id.trim().is_empty() && id.chars().any(char::is_alphabetic) {
            self.out.push(ToSay { of: SmolStr::new(of), id: SmolStr::new(id), note: note.into() });
        }
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Kind(kind) => {
                let words = self.words.kind(&kind.key);
                self.add(&kind.key, &format!("{}|{}", words.one, words.many), "a noun with its article, one and several");
                for field in &kind.fields {
                    let words = self.words.field(&field.key);
                    match &words.says {
                        Some(says) => self.add(&field.key, says, "what is said of the thing: words that end with an infinitive"),
                        None => self.add(&field.key, &words.label, "a noun with its article"),
                    }
                }
            }
            Item::Enum(of) => {
                for (name, label) in &of.members {
                    self.add(&format!("{}.{name}", of.key), label, "a value");
                }
            }
            Item::Action(action) => self.action(action),
            Item::Define(define) => {
                let name = define.says.as_ref().map_or_else(|| spaced(&self.words.define(&define.key).name), |says| says.text.to_string());
                if define.body.ty == Ty::Bool && !define.params.is_empty() {
                    self.add(&define.key, &name, "an adjective, or words that end with an infinitive");
                }
            }
            Item::Fact(fact) => {
                let name = fact.says.as_ref().map_or_else(|| spaced(&self.words.define(&fact.key).name), |says| says.text.to_string());
                self.add(&fact.key, &name, "an adjective, or words that end with an infinitive");
            }
            Item::Keyword(keyword) => {
                self.add(&keyword.key, &spaced(&keyword.name), "the name of a keyword");
                self.template(&keyword.key, keyword.says.as_ref(), "a sentence");
            }
            Item::Card(card) => self.card(card),
            Item::Face(face) => {
                let of = face_key(face);
                for region in &face.regions {
                    match &region.kind {
                        RegionKind::Title(sides) | RegionKind::Subtitle(sides) | RegionKind::Footer(sides) => {
                            self.template(&of, Some(&sides.left), "printed as it is");
                            self.template(&of, sides.right.as_ref(), "printed as it is");
                        }
                        RegionKind::Row(texts) | RegionKind::Stats(texts) | RegionKind::Each { texts, .. } => {
                            texts.iter().for_each(|text| self.template(&of, Some(text), "printed as it is"));
                        }
                        RegionKind::Rules
                        | RegionKind::Reminders
                        | RegionKind::Flavour
                        | RegionKind::Table(_)
                        | RegionKind::Line
                        | RegionKind::Picture { .. } => {}
                    }
                }
            }
            Item::Limit(_) | Item::Test(_) | Item::Rules(_) | Item::Ruleset(_) | Item::Nothing => {}
        }
    }

    fn template(&mut self, of: &str, template: Option<&Template>, note: &str) {
        // Without a word of its own there is nothing to translate.
        let words = |template: &&Template| {
            template.parts.iter().any(|part| match part {
                hir::TextPart::Text(text) => text.chars().any(char::is_alphabetic),
                hir::TextPart::Plural(..) => true,
                hir::TextPart::Value(_) | hir::TextPart::Article(_) => false,
            })
        };
        if let Some(template) = template.filter(words) {
            self.add(of, &template.text, note);
        }
    }

    fn action(&mut self, action: &Action) {
        let name = action.says.as_ref().map_or_else(|| spaced(&action.name), |says| says.text.to_string());
        let note =
            if action.is_phase { "a length of time: a noun with its article" } else { "what is done: words that end with an infinitive" };
        self.add(&action.key, if action.is_phase || action.says.is_some() { &name } else { "" }, note);
        if action.says.is_none() && !action.is_phase {
            self.add(&action.key, &name.to_lowercase(), note);
        }
        for (name, words) in &action.words {
            let note = if words.speaks_of(name) { "a clause of the words above" } else { "what it stands for" };
            self.add(&format!("{}@{name}", action.key), &words.text, note);
        }
        let counted = action.params.iter().filter(|param| super::meaning::is_number(&param.ty)).map(|param| &param.name);
        for name in counted.chain(&action.bound).filter(|name| !action.words.iter().any(|(has, _)| has == *name)) {
            self.add(
                &format!("{}@{name}", action.key),
                &spaced(name),
                "a noun with its article; needed only where rules ask for it or change it",
            );
        }
        action.inner.iter().for_each(|inner| self.action(inner));
    }

    fn card(&mut self, card: &Card) {
        if card.template {
            return;
        }
        self.add(&card.key, &card.title, "a title");
        if let Some(says) = &card.says {
            self.add(&card.key, says, "a text");
        }
        if let Some(flavour) = &card.flavour {
            self.add(&card.key, flavour, "a tale");
        }
        card.todos.iter().for_each(|words| self.add(&card.key, words, "a text"));
        let nested = card.parts.iter().chain(card.rows.iter().map(|(_, _, row)| row));
        nested.filter(|part| part.of.is_none()).for_each(|part| self.card(part));
    }
}
