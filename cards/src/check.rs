//! The check: every card of a project fits on its sides and has the pictures it needs.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use banneret_compiler::api::{PrintedCard, located};
use banneret_compiler::diagnostic::{Diagnostic, Located, Severity};
use banneret_compiler::printed::{Face, Printed, Side, StripKind, Text};
use banneret_grammar::span::Span;
use rayon::prelude::*;

use crate::colour::Colour;
use crate::fonts;
use crate::layout::{Layouter, Verdict};
use crate::memo::Memo;
use crate::mends;
use crate::picture::Pictures;
use crate::pictures::{self, OwnPicture, own_pictures, shared};
use crate::text::letters;

/// So many cards are laid out by one thread before it looks for more.
const AT_A_TIME: usize = 16;

/// Checks cards; keeps what it learned for the next check.
#[derive(Default)]
pub struct Checker {
    memo: Memo,
    checks: AtomicU64,
    laid_out: AtomicUsize,
}

/// What was said of one card.
pub struct Said {
    pub found: Vec<Located>,
    /// While these are held they are not forgotten.
    _verdicts: Vec<Arc<Verdict>>,
}

impl Checker {
    /// What is wrong with the printed sides of these cards.
    pub fn check(&self, cards: &[PrintedCard], pictures: &dyn Pictures) -> Vec<Located> {
        let all: Vec<&PrintedCard> = cards.iter().collect();
        let said = self.check_each(&all, pictures, &|| false).unwrap_or_default();
        let mut found: Vec<Located> = said.into_iter().flat_map(|said| said.found).collect();
        let own: Vec<Vec<OwnPicture>> = cards.iter().map(|card| own_pictures(card, pictures)).collect();
        found.extend(shared(cards.iter().zip(own.iter().map(Vec::as_slice))));
        found
    }

    /// The same, card by card, without what only shows when cards are compared. None if it was `stopped`; what it learned until then is kept.
    pub fn check_each(&self, cards: &[&PrintedCard], pictures: &dyn Pictures, stopped: &(dyn Fn() -> bool + Sync)) -> Option<Vec<Said>> {
        let check = self.checks.fetch_add(1, Ordering::Relaxed) + 1;
        let some = |cards: &[&PrintedCard]| -> Vec<Option<Said>> {
            self.memo.with_layouter(|layouter| {
                let one = |card: &&PrintedCard| {
                    if stopped() {
                        return None;
                    }
                    let mut verdicts = Vec::new();
                    let said = self.card(&card.printed, pictures, check, layouter, &mut verdicts);
                    Some(Said { found: said.into_iter().map(|d| located(&card.file, card.start, d)).collect(), _verdicts: verdicts })
                };
                cards.iter().map(one).collect()
            })
        };
        let said = cards.par_chunks(AT_A_TIME).flat_map_iter(some).collect();
        self.memo.forget(check);
        said
    }

    /// How many faces were laid out so far: those that were known are not counted.
    pub fn laid_out(&self) -> usize {
        self.laid_out.load(Ordering::Relaxed)
    }

    fn card(
        &self,
        card: &Printed,
        pictures: &dyn Pictures,
        check: u64,
        layouter: &mut Layouter,
        verdicts: &mut Vec<Arc<Verdict>>,
    ) -> Vec<Diagnostic> {
        let mut out = Vec::new();
        for face in &card.faces {
            let (verdict, fresh) = self.memo.verdict(face, check, layouter);
            self.laid_out.fetch_add(usize::from(fresh), Ordering::Relaxed);
            if !verdict.fits {
                out.push(too_full(card, face, &verdict, layouter));
            }
            for word in &verdict.wide {
                out.push(too_wide(card, face, word));
            }
            if let Some(text) = face.colour.as_ref().filter(|text| Colour::read(text).is_none()) {
                let headline = format!("“{text}” is no colour that can be printed.");
                let d = Diagnostic::error("bad-colour", card.name_span, headline);
                out.push(d.help("Write a colour as `#` and six digits from 0 to f, for example \"#7a1f1f\"."));
            }
            out.extend(missing_letters(card, face));
            out.extend(too_many_marks(card, face));
            out.extend(pictures::of_face(card, face, pictures));
            verdicts.push(verdict);
        }
        out.dedup();
        out
    }
}

pub fn side(face: &Face) -> &'static str {
    match face.side {
        Side::Front => "front",
        Side::Back => "back",
    }
}

fn too_full(card: &Printed, face: &Face, verdict: &Verdict, layouter: &mut Layouter) -> Diagnostic {
    let lines = if verdict.over_lines == 1 { "1 line".to_string() } else { format!("{} lines", verdict.over_lines) };
    let headline = format!(
        "“{}” does not fit on its {}: it is {:.1} mm ({lines}) too long at {} pt.",
        card.title,
        side(face),
        shown_over(verdict.over),
        verdict.size
    );
    let place = |at: usize| card.places.get(at).map(|p| (p.span, p.what.as_str()));
    let mut lost = verdict.parts.iter().filter(|p| p.lost).filter_map(|p| place(p.at));
    let first = lost.next().map_or(card.name_span, |(span, _)| span);
    let mut d = Diagnostic::error("card-too-full", first, headline).breaks(&face.must_fit);
    for (span, what) in lost.filter(|(span, _)| *span != first) {
        let words = if what.is_empty() { "this falls off too".to_string() } else { format!("“{what}” falls off too") };
        d = d.also(span, words);
    }
    let sizes: Vec<String> = verdict
        .parts
        .iter()
        .filter_map(|p| {
            let (_, what) = place(p.at)?;
            let what = if what.is_empty() { "the rules of its own".to_string() } else { format!("“{what}”") };
            let lines = if p.lines == 1 { "1 line".to_string() } else { format!("{} lines", p.lines) };
            Some(format!("{what} takes {:.1} mm ({lines})", p.millimetres))
        })
        .collect();
    if !sizes.is_empty() {
        d = d.note(format!("{}.", sizes.join(", ")));
    }
    d = d.help(mends::mends(card, face, layouter));
    if !face.strict {
        d.severity = Severity::Warning;
    }
    d
}

/// Never "0.0 mm too long".
fn shown_over(millimetres: f32) -> f32 {
    millimetres.max(0.1)
}

fn too_wide(card: &Printed, face: &Face, word: &str) -> Diagnostic {
    let mut short: String = word.chars().take(30).collect();
    if word.chars().count() > 30 {
        short.push('…');
    }
    let headline = format!("“{short}” is wider than the {} of “{}” allows, so it is broken in two.", side(face), card.title);
    Diagnostic::warning("word-too-wide", card.name_span, headline).help("Use a shorter word, or put a space or a hyphen into it.")
}

/// Characters that the bundled fonts do not have.
fn missing_letters(card: &Printed, face: &Face) -> Option<Diagnostic> {
    let mut strange: Vec<char> = Vec::new();
    every_text(face, &mut |text| {
        for c in text.chars().filter(|c| !c.is_ascii() && !c.is_control() && !c.is_whitespace()) {
            if !strange.contains(&c) && !fonts::has(c) {
                strange.push(c);
            }
        }
    });
    if strange.is_empty() {
        return None;
    }
    let shown: Vec<String> = strange.iter().take(8).map(|c| format!("`{c}`")).collect();
    let headline = format!("The letters on cards have no {}, so it cannot be read on the card.", shown.join(", "));
    Some(Diagnostic::warning("unprintable-letter", card.name_span, headline).help("Write it with other letters."))
}

/// A letter with so many marks on it that they are not all printed.
fn too_many_marks(card: &Printed, face: &Face) -> Option<Diagnostic> {
    let mut longest = None;
    every_text(face, &mut |text| longest = longest.max(letters::too_long(text)));
    let headline = format!(
        "One letter on the {} of this card is made of {} characters, and no more than {} can be printed.",
        side(face),
        longest?,
        letters::MOST
    );
    Some(Diagnostic::error("unprintable-letter", card.name_span, headline).help("Leave out marks that stand on the same letter."))
}

fn every_text(face: &Face, each: &mut impl FnMut(&str)) {
    fn all(text: &Text, each: &mut impl FnMut(&str)) {
        match text.as_slice() {
            [] => {}
            [run] => each(&run.text),
            // a letter may begin in one run and go on in the next
            runs => each(&runs.iter().map(|run| run.text.as_str()).collect::<String>()),
        }
    }
    for strip in &face.strips {
        match &strip.kind {
            StripKind::Title { left, right } | StripKind::Subtitle { left, right } | StripKind::Footer { left, right } => {
                all(left, each);
                all(right, each);
            }
            StripKind::Row(texts) => texts.iter().for_each(|t| all(t, each)),
            StripKind::Stats(stats) => stats.iter().for_each(|(label, value)| {
                each(label);
                all(value, each);
            }),
            StripKind::Lines(rows) | StripKind::Grid { rows, .. } => {
                for row in rows {
                    row.cells.iter().for_each(|t| all(t, each));
                    row.rules.iter().for_each(|p| all(&p.text, each));
                }
            }
            StripKind::Rules(paragraphs) | StripKind::Reminders(paragraphs) => {
                for p in paragraphs {
                    p.title.iter().for_each(|t| each(t));
                    all(&p.text, each);
                }
            }
            StripKind::Flavour(text) => each(text),
            StripKind::Table(rows) => {
                for row in rows {
                    each(&row.title);
                    row.text.iter().for_each(|p| all(&p.text, each));
                }
            }
            StripKind::Line | StripKind::Picture(_) => {}
        }
    }
}

/// Where a place of a card is, or the card's name.
pub fn span_at(card: &Printed, at: usize) -> Span {
    card.places.get(at).map_or(card.name_span, |p| p.span)
}
