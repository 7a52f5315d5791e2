//! What could be written at a place, the likeliest first. Works in files that cannot be read as they stand.

mod cards;
mod entry;
mod holes;
mod items;
mod marker;
mod names;
mod phrases;
mod sentences;
mod skeleton;
mod used;
mod values;

use banneret_compiler::db::SourceFile;
use banneret_compiler::elaborate::{Asked, Probe, probed};
use banneret_compiler::items::{DeclKind, Item, items as items_of};
use banneret_compiler::signature::KindInfo;
use banneret_grammar::ast::ItemKind;
use banneret_grammar::span::Span;
use smol_str::SmolStr;

use super::Ide;
use marker::{Marked, Quoted, marked, quoted, word_at};
use used::Used;

pub use marker::word_at as word_span;

pub(crate) use entry::escaped;
pub use entry::{Entry, EntryKind, Import, Offer};

/// More than anybody reads.
const MOST: usize = 300;

/// The text with the cursor's word in it, the first way it can be read.
pub(crate) fn first_marked(text: &str, offset: u32) -> Option<Marked> {
    marked(text, Span::new(offset, offset)).next()
}

/// Whether what stands behind a beginning of a line is neither comment nor text.
pub(crate) fn is_plain(line: &str) -> bool {
    quoted(line).is_none()
}

/// A card of a kind with everything it must say, by its name.
pub(crate) fn card_called(ide: Ide<'_>, file: SourceFile, info: &KindInfo, name: &str, of: Option<String>) -> String {
    let (text, module) = (file.text(ide.db), file.module(ide.db).clone());
    let place = Place { ide, file, text, module, word: Span::default(), typed: "", line: "", pictures: &Vec::new };
    let card = entry::plain(&skeleton::card(&place, info));
    let (head, body) = card.split_once('{').unwrap_or((&card, "}"));
    let mut head = head.replacen(" Name", &format!(" {name}"), 1);
    if let (Some(of), Some(at)) = (of, head.find(" of ")) {
        head.truncate(at);
        head.push_str(&format!(" of {of} "));
    }
    let lines: Vec<&str> = body.lines().filter(|line| !line.trim().is_empty()).collect();
    format!("{head}{{\n{}", lines.join("\n"))
}

/// What is known of the place.
pub(crate) struct Place<'a> {
    pub ide: Ide<'a>,
    pub file: SourceFile,
    pub text: &'a str,
    pub module: SmolStr,
    /// The word that is being written.
    pub word: Span,
    pub typed: &'a str,
    /// The line before it.
    pub line: &'a str,
    /// Names of pictures.
    pub pictures: &'a dyn Fn() -> Vec<String>,
}

impl Place<'_> {
    /// Whether a name is worth making an entry of: there may be tens of thousands.
    pub fn could(&self, name: &str) -> bool {
        fits(self.typed, name).is_some()
    }
}

/// What could be written at an offset. `pictures` are the files a card may show.
pub fn complete(ide: Ide<'_>, file: SourceFile, offset: u32, pictures: &dyn Fn() -> Vec<String>) -> Offer {
    let text: &str = file.text(ide.db);
    let word = word_at(text, offset);
    let typed = text.get(word.start as usize..offset as usize).unwrap_or("");
    let before = text.get(..word.start as usize).unwrap_or("");
    let line = before.get(before.rfind('\n').map_or(0, |i| i + 1)..).unwrap_or("");
    let module = file.module(ide.db).clone();
    let place = Place { ide, file, text, module, word, typed, line, pictures };
    let mut entries = Vec::new();
    let replaces = match quoted(line) {
        Some(Quoted::Comment) => return Offer::default(),
        Some(Quoted::Text { start }) if holes::is_open(&line[start + 1..]) => {
            holes::names(&place, start, &mut entries);
            word.start
        }
        Some(Quoted::Text { start }) => {
            let from = word.start - (line.len() - start) as u32 + 1;
            return ranked(values::in_text(&place, start), Span::new(from, offset), offset, &place);
        }
        None => {
            if let Some((start, entries)) = phrases::covered(&place) {
                return ranked(entries, Span::new(start, word.end), offset, &place);
            }
            if !phrases::only(&place, &mut entries) {
                gather(&place, &mut entries);
            }
            word.start
        }
    };
    // the rest of the word goes too: `hea|lth` becomes `health`, not `healthlth`
    ranked(entries, Span::new(replaces, word.end), offset, &place)
}

fn gather(place: &Place<'_>, out: &mut Vec<Entry>) {
    let mut first: Option<Marked> = None;
    for marked in marked(place.text, place.word) {
        // a word alone in the first column starts an item
        if marked.at == 0 {
            return items::words(place, out);
        }
        let Some(item) = nearest_item(place, &marked) else { return };
        if let Some(probe) = probed(place.ide.db, place.ide.universe, item, &marked.parsed) {
            return asked(place, &marked, &probe, out);
        }
        first.get_or_insert(marked);
    }
    match first {
        Some(marked) => items::without_meaning(place, &marked, out),
        None if place.line.is_empty() => items::words(place, out),
        None => {}
    }
}

/// The item as the database knows it; where it does not yet, any of the file stands in: it says what module this is.
fn nearest_item<'a>(place: &Place<'a>, marked: &Marked) -> Option<Item<'a>> {
    let all = items_of(place.ide.db, place.file);
    all.iter().find(|i| i.start(place.ide.db) == marked.start).or(all.first()).copied()
}

fn asked(place: &Place<'_>, marked: &Marked, probe: &Probe, out: &mut Vec<Entry>) {
    match &probe.asked {
        Asked::Value(None) if last_word(place.line) == "do" => {
            names::of_kinds(place, &[DeclKind::Phase, DeclKind::Action], 0, out);
            values::of_type(place, None, &probe.scene, 3, out);
        }
        Asked::Value(want) => {
            if probe.scene.statement {
                sentences::statements(place, &probe.scene, out);
            }
            // a line of an effect starts with what happens
            let later = u32::from(probe.scene.statement && !probe.scene.in_test);
            let before = out.len();
            values::of_type(place, want.as_ref(), &probe.scene, later, out);
            let line = place.line.trim_end();
            if probe.scene.statement && (line.is_empty() || line.ends_with('{')) {
                let values = out.split_off(before);
                out.extend(values.into_iter().filter(sentences::can_start));
            }
        }
        Asked::Member { of, card } => names::members(place, of, card.as_deref(), out),
        Asked::EventMember(action) => names::event_members(place, action, out),
        Asked::Declared(kinds) if kinds.as_slice() == [DeclKind::Word] => items::words(place, out),
        Asked::Declared(kinds) => names::declared(place, kinds, &probe.scene, out),
        Asked::CardLine(kind) => cards::lines(place, marked, kind, out),
        Asked::GrantLine(ty) => cards::grant_lines(place, ty, out),
        Asked::After(ty) => sentences::after(place, ty, &probe.scene, out),
    }
    if matches!(marked.parsed.item.kind, ItemKind::Limit(_)) && probe.scene.statement {
        out.push(Entry::new("need", EntryKind::Word, 0).insert("need ${1:condition}"));
    }
}

/// The word a line ends with.
pub(crate) fn last_word(line: &str) -> &str {
    let line = line.trim_end();
    let start = line.rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |i| i + 1);
    line.get(start..).unwrap_or("")
}

/// For so many cards their numbers are told: to look at a card takes a moment.
const NUMBERED: usize = 60;

/// Those that fit what was typed, the likeliest first.
fn ranked(entries: Vec<Entry>, replaces: Span, offset: u32, place: &Place<'_>) -> Offer {
    let typed = place.text.get(replaces.start as usize..offset as usize).unwrap_or("");
    let used = Used::around(place);
    let score = |e: &Entry| (used.unlikely(e), used.seldom(e));
    let mut scored: Vec<(u32, (u32, u32), usize, Entry)> =
        entries.into_iter().enumerate().filter_map(|(i, e)| fits(typed, &e.label).map(|class| (class, score(&e), i, e))).collect();
    scored.sort_by_key(|(class, score, index, entry)| (*class, entry.tier, *score, *index));
    let mut seen = std::collections::HashSet::new();
    let mut entries: Vec<Entry> =
        scored.into_iter().map(|(_, _, _, e)| e).filter(|e| seen.insert((e.label.clone(), e.insert.clone()))).collect();
    let cut = entries.len() > MOST;
    entries.truncate(MOST);
    let behind = place.text.get(replaces.end as usize..).unwrap_or("");
    let rest = behind.lines().next().unwrap_or("");
    for entry in &mut entries {
        entry.fit_before(rest);
    }
    // what somebody compares when choosing a card
    for entry in entries.iter_mut().filter(|entry| entry.card.is_some()).take(NUMBERED) {
        names::numbered(place, entry);
    }
    Offer { entries, replaces, cut }
}

/// How well a label fits what was typed: it begins so, a word in it begins so, its letters come in that order; or not at all.
fn fits(typed: &str, label: &str) -> Option<u32> {
    let (typed, lower) = (typed.to_lowercase(), label.to_lowercase());
    if lower.starts_with(&typed) {
        return Some(0);
    }
    let words = label.char_indices().filter(|(i, c)| c.is_uppercase() || label.get(..*i).is_some_and(|b| b.ends_with(['_', ' '])));
    if words.into_iter().any(|(i, _)| label.get(i..).is_some_and(|rest| rest.to_lowercase().starts_with(&typed))) {
        return Some(1);
    }
    super::outline::matches(&typed, label).then_some(2)
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn beginnings_come_before_middles() {
        assert_eq!(fits("cl", "ClayBrother"), Some(0));
        assert_eq!(fits("bro", "ClayBrother"), Some(1));
        assert_eq!(fits("cbr", "ClayBrother"), Some(2));
        assert_eq!(fits("x", "ClayBrother"), None);
        assert_eq!(fits("", "anything"), Some(0));
    }
}
