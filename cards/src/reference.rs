//! Cards for what stands on no other card: as many as it takes.

use std::sync::Arc;

use banneret_compiler::api::PrintedCard;
use banneret_compiler::printed::{Entry, Face, Paragraph, Printed, Reference, Side, Strip, StripKind};
use banneret_compiler::words::Run;

use crate::layout::Layouter;

/// A poker card; what does not fit on one alone has a sheet.
const CARD: (i64, i64) = (63_000, 88_000);
const SHEET: (i64, i64) = (148_000, 210_000);
const MARGIN: i64 = 3_000;
const BLEED: i64 = 3_000;
/// 9 and 6.5 points.
const NORMAL: i64 = 3_175;
const SMALLEST: i64 = 2_293;

/// The reference of a project as cards, in its order. None if there is nothing to tell.
pub fn reference_cards(reference: &Reference) -> Vec<PrintedCard> {
    let mut layouter = Layouter::default();
    let mut stacks: Vec<Vec<&Entry>> = Vec::new();
    for entry in &reference.entries {
        let fits = |stack: &[&Entry], layouter: &mut Layouter| {
            let all: Vec<&Entry> = stack.iter().copied().chain([entry]).collect();
            layouter.verdict(&face(reference, &all, CARD, NORMAL, "9/9")).fits
        };
        match stacks.last_mut().filter(|stack| fits(stack, &mut layouter)) {
            Some(stack) => stack.push(entry),
            None => stacks.push(vec![entry]),
        }
    }
    let count = stacks.len();
    stacks.iter().enumerate().filter_map(|(n, stack)| card(reference, stack, n + 1, count, &mut layouter)).collect()
}

fn card(reference: &Reference, stack: &[&Entry], number: usize, count: usize, layouter: &mut Layouter) -> Option<PrintedCard> {
    let first = stack.first()?;
    let numbered = if count > 1 { format!("{number}/{count}") } else { String::new() };
    let on_card = face(reference, stack, CARD, SMALLEST, &numbered);
    let size = if layouter.verdict(&on_card).fits { CARD } else { SHEET };
    let name = if count > 1 { format!("{}_{number}", reference.title) } else { reference.title.to_string() };
    let printed = Printed {
        key: format!("{}#{number}", reference.title).into(),
        name: name.into(),
        title: reference.title.clone(),
        kind: reference.title.clone(),
        of: None,
        faces: vec![face(reference, stack, size, SMALLEST, &numbered)],
        name_span: first.span,
        places: Vec::new(),
    };
    Some(PrintedCard { file: first.file.clone(), start: first.start, printed: Arc::new(printed) })
}

fn face(reference: &Reference, stack: &[&Entry], (width, height): (i64, i64), smallest: i64, numbered: &str) -> Face {
    let text = |words: &str| vec![Run { text: words.to_string(), bold: false }];
    let right = if numbered.is_empty() { Vec::new() } else { text(numbered) };
    let paragraphs: Vec<Paragraph> = stack.iter().map(|entry| entry.paragraph.clone()).collect();
    let strip = |kind| Strip { kind, places: Vec::new(), optional: false };
    Face {
        name: "front".into(),
        side: Side::Front,
        width,
        height,
        margin: MARGIN,
        bleed: BLEED,
        normal: NORMAL,
        smallest,
        strict: true,
        must_fit: Vec::new(),
        colour: None,
        strips: vec![strip(StripKind::Title { left: text(&reference.title), right }), strip(StripKind::Rules(paragraphs))],
    }
}
