//! What to do about a card that is too full. Each mend is laid out before it is offered: done as it says, the card fits.

use banneret_compiler::printed::{Face, Paragraph, Printed, StripKind};
use banneret_compiler::words::Run;

use crate::layout::Layouter;

/// Shorter than this nothing can be said.
const FEWEST_WORDS: usize = 6;

/// The advice of a message, the mildest first.
pub fn mends(card: &Printed, face: &Face, layouter: &mut Layouter) -> String {
    let mut advice: Vec<String> = Vec::new();
    let mut places = texts(face);
    // The longest text has the most to give.
    places.sort_by_key(|(_, words)| std::cmp::Reverse(*words));
    let name = |at: usize| match card.places.get(at).map(|place| place.what.as_str()) {
        None | Some("") => "its own rules".to_string(),
        Some(name) => format!("“{name}”"),
    };
    if let Some((at, words)) = places.first().copied()
        && let Some(fewer) = most_words(face, at, words, layouter)
    {
        advice.push(format!("say {} in at most {fewer} words with `says \"…\"`", name(at)));
    }
    let nameable: Vec<usize> =
        places.iter().map(|(at, _)| *at).filter(|at| card.places.get(*at).is_some_and(|p| !p.what.is_empty())).collect();
    // The shortest one that is enough alone; if none is, the longest ones until it is enough.
    let alone = nameable.iter().rev().find(|at| fits(face, &[**at], layouter)).map(|at| vec![*at]);
    let together = || (2..=nameable.len()).map(|n| nameable[..n].to_vec()).find(|some| fits(face, some, layouter));
    if let Some(gone) = alone.or_else(together) {
        let names: Vec<String> = gone.iter().map(|at| name(*at)).collect();
        let (last, front) = names.split_last().map_or((String::new(), &[][..]), |(last, front)| (last.clone(), front));
        let names = if front.is_empty() { last } else { format!("{} and {last}", front.join(", ")) };
        advice.push(format!("leave out {names}"));
    }
    if advice.is_empty() {
        let has_picture = face.strips.iter().any(|s| matches!(&s.kind, StripKind::Picture(p) if p.height.is_some() && !p.full));
        advice.push(if has_picture { "give the picture less height in the face" } else { "shorten its texts" }.to_string());
    }
    let mut out = advice.join("; or ");
    if let Some(first) = out.get_mut(0..1) {
        first.make_ascii_uppercase();
    }
    out.push('.');
    out
}

/// The texts of rules on a face: where each was written, and how many words it has. What stands in rows, like weapons, is no such text.
fn texts(face: &Face) -> Vec<(usize, usize)> {
    let mut out: Vec<(usize, usize)> = Vec::new();
    for paragraph in face.strips.iter().filter_map(|strip| rules(&strip.kind)).flatten() {
        let words = words_of(paragraph);
        match out.iter_mut().find(|(at, _)| *at == paragraph.at) {
            Some((_, sum)) => *sum += words,
            None => out.push((paragraph.at, words)),
        }
    }
    out
}

fn rules(kind: &StripKind) -> Option<&Vec<Paragraph>> {
    match kind {
        StripKind::Rules(paragraphs) => Some(paragraphs),
        _ => None,
    }
}

fn words_of(paragraph: &Paragraph) -> usize {
    paragraph.text.iter().map(|run| run.text.split_whitespace().count()).sum()
}

/// The face with some texts left out: does it fit?
fn fits(face: &Face, without: &[usize], layouter: &mut Layouter) -> bool {
    let mut other = face.clone();
    for strip in &mut other.strips {
        if let StripKind::Rules(paragraphs) = &mut strip.kind {
            paragraphs.retain(|paragraph| !without.contains(&paragraph.at));
        }
    }
    layouter.verdict(&other).fits
}

/// How many words a text may have. A little less than would just fit: other words are not as long as these.
fn most_words(face: &Face, at: usize, now: usize, layouter: &mut Layouter) -> Option<usize> {
    let (mut low, mut high) = (FEWEST_WORDS, now.saturating_sub(1));
    if high < low || !fits_with(face, at, low, layouter) {
        return None;
    }
    while low < high {
        let middle = (low + high).div_ceil(2);
        if fits_with(face, at, middle, layouter) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    let fewer = low - low / 8;
    (fewer >= FEWEST_WORDS).then_some(fewer)
}

fn fits_with(face: &Face, at: usize, words: usize, layouter: &mut Layouter) -> bool {
    let mut other = face.clone();
    for strip in &mut other.strips {
        let StripKind::Rules(paragraphs) = &mut strip.kind else { continue };
        let mut left = words;
        for paragraph in paragraphs.iter_mut().filter(|paragraph| paragraph.at == at) {
            paragraph.text = shortened(&paragraph.text, &mut left);
        }
        paragraphs.retain(|paragraph| paragraph.at != at || !paragraph.text.is_empty());
    }
    layouter.verdict(&other).fits
}

fn shortened(text: &[Run], left: &mut usize) -> Vec<Run> {
    let mut out = Vec::new();
    for run in text {
        let words: Vec<&str> = run.text.split_inclusive(' ').collect();
        let kept: String = words.iter().take(*left).copied().collect();
        *left = left.saturating_sub(words.iter().filter(|word| !word.trim().is_empty()).count());
        if !kept.is_empty() {
            out.push(Run { text: kept, bold: run.bold });
        }
    }
    out
}
