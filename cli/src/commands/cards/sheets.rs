//! Print sheets: pages full of cards, one PDF or a picture for each page.

use banneret_cards::layout::Layouter;
use banneret_cards::sheet::{Page, Paper, TwoSides, sheets};
use banneret_compiler::api::PrintedCard;
use banneret_compiler::printed::{Face, Side};
use rayon::prelude::*;

use super::Done;
use super::files::{bytes, cannot, extension, hash, mixed};
use super::store::Store;
use crate::args::{CardFormat, Cards, Sheet};
use crate::sources::Art;
use crate::terminal::Progress;
use crate::trouble::Trouble;

pub fn print(args: &Cards, sheet: Sheet, project: &str, cards: &[PrintedCard], art: &Art, store: &mut Store) -> Result<Done, Trouble> {
    let paper = paper(sheet);
    let stem = stem(project, sheet);
    let hash = cards
        .iter()
        .flat_map(|c| &c.printed.faces)
        .fold(u64::from(args.dpi) + (u64::from(args.draft) << 32), |h, face| mixed(h, hash(face, art)));
    let extension = extension(args.format);
    let whole = format!("{stem}.{extension}");
    if args.format == CardFormat::Pdf && store.has(&whole, hash) {
        return Ok(Done { kept: 1, ..Done::default() });
    }
    let sides: Vec<Vec<TwoSides>> =
        cards.par_iter().map_init(Layouter::default, |layouter, card| two_sides(args, card, art, layouter)).collect();
    let sides: Vec<TwoSides> = sides.into_iter().flatten().collect();
    let pages = sheets(&sides, paper);
    if args.format == CardFormat::Pdf {
        let drawings: Vec<_> = pages.into_iter().map(|p| p.drawing).collect();
        store.write(&whole, hash, &banneret_cards::pdf(&drawings, project).map_err(|e| cannot(project, &e))?)?;
        return Ok(Done { drawn: 1, ..Done::default() });
    }
    let mut done = Done::default();
    let mut progress = Progress::new("Printing", pages.len());
    for page in &pages {
        let name = format!("{stem}-{:02}-{}.{extension}", page.sheet, side(page));
        progress.step(&name);
        if store.has(&name, hash) {
            done.kept += 1;
            continue;
        }
        store.write(&name, hash, &bytes(args, &page.drawing, project)?)?;
        done.drawn += 1;
    }
    Ok(done)
}

fn paper(sheet: Sheet) -> Paper {
    match sheet {
        Sheet::A4 => Paper::A4,
        Sheet::Letter => Paper::Letter,
    }
}

/// What the names of all files of a project's sheets start with.
pub fn stem(project: &str, sheet: Sheet) -> String {
    format!("{project}-{}", paper(sheet).name())
}

fn side(page: &Page) -> &'static str {
    if page.back { "back" } else { "front" }
}

/// The fronts of a card, each with its back. A card with several fronts has as many cards on the sheet.
fn two_sides(args: &Cards, card: &PrintedCard, art: &Art, layouter: &mut Layouter) -> Vec<TwoSides> {
    let of = |side: Side| card.printed.faces.iter().filter(move |f| f.side == side);
    let back = of(Side::Back).next();
    let fronts = of(Side::Front).map(|face| (face, back.filter(|b| (b.width, b.height) == (face.width, face.height))));
    let mut out = Vec::new();
    for (front, back) in fronts {
        let mut draw = |face: &Face| {
            if !args.draft {
                return layouter.draw(face, art).0;
            }
            // on a sheet every card keeps its size: what stands below the edge is only told
            let (mut drawing, _) = layouter.draft(face, art);
            drawing.height = layouter.draw(face, art).0.height;
            drawing
        };
        let front = draw(front);
        let back = back.map(draw);
        out.push(TwoSides { front, back });
    }
    out
}
