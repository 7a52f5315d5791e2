//! Single cards: a file for each side, or one PDF with both.

use banneret_cards::layout::Layouter;
use banneret_compiler::api::PrintedCard;
use rayon::prelude::*;

use super::Done;
use super::files::{bytes, cannot, extension, hash, mixed, names};
use super::store::Store;
use crate::args::{CardFormat, Cards};
use crate::sources::Art;
use crate::terminal::Progress;
use crate::trouble::Trouble;

/// How many cards are drawn before their files are written.
const AT_ONCE: usize = 16;

struct Job<'a> {
    card: &'a PrintedCard,
    /// Which faces go into it.
    faces: std::ops::Range<usize>,
    name: String,
    hash: u64,
}

pub fn print(args: &Cards, cards: &[PrintedCard], art: &Art, store: &mut Store) -> Result<Done, Trouble> {
    let jobs = jobs(args, cards, art);
    let (known, fresh): (Vec<Job>, Vec<Job>) = jobs.into_iter().partition(|job| store.has(&job.name, job.hash));
    let mut progress = Progress::new("Printing", fresh.len());
    for some in fresh.chunks(AT_ONCE) {
        let drawn: Vec<Vec<u8>> =
            some.par_iter().map_init(Layouter::default, |layouter, job| draw(args, job, art, layouter)).collect::<Result<_, _>>()?;
        for (job, bytes) in some.iter().zip(drawn) {
            progress.step(&job.card.printed.title);
            store.write(&job.name, job.hash, &bytes)?;
        }
    }
    Ok(Done { drawn: fresh.len(), kept: known.len(), removed: 0 })
}

fn jobs<'a>(args: &Cards, cards: &'a [PrintedCard], art: &Art) -> Vec<Job<'a>> {
    let extension = extension(args.format);
    let how = mixed(u64::from(args.dpi), u64::from(args.bleed) + 2 * u64::from(args.draft));
    let mut out = Vec::new();
    for (card, name) in cards.iter().zip(names(cards)) {
        let faces = &card.printed.faces;
        if args.format == CardFormat::Pdf {
            let hash = faces.iter().fold(how, |h, face| mixed(h, hash(face, art)));
            out.push(Job { card, faces: 0..faces.len(), name: format!("{name}.{extension}"), hash });
            continue;
        }
        for (i, face) in faces.iter().enumerate() {
            let file = format!("{name}.{}.{extension}", face.name);
            out.push(Job { card, faces: i..i + 1, name: file, hash: mixed(how, hash(face, art)) });
        }
    }
    out
}

fn draw(args: &Cards, job: &Job, art: &Art, layouter: &mut Layouter) -> Result<Vec<u8>, Trouble> {
    let title = &job.card.printed.title;
    let faces = job.card.printed.faces.get(job.faces.clone()).unwrap_or_default();
    let drawings: Vec<_> =
        faces.iter().map(|face| if args.draft { layouter.draft(face, art).0 } else { layouter.draw(face, art).0 }).collect();
    if let ([one], false) = (drawings.as_slice(), args.format == CardFormat::Pdf) {
        return bytes(args, one, title);
    }
    let sides: Vec<_> = drawings.into_iter().map(|d| if args.bleed { d } else { d.trimmed() }).collect();
    banneret_cards::pdf(&sides, title).map_err(|e| cannot(title, &e))
}
