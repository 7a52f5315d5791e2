//! Names of files, and what a drawing becomes in each format.

use std::collections::HashMap;

use banneret_cards::display::Drawing;
use banneret_cards::picture::Pictures;
use banneret_compiler::api::PrintedCard;
use banneret_compiler::key::module_of_key;
use banneret_compiler::printed::{Face, StripKind};

use crate::args::{CardFormat, Cards};
use crate::sources::Art;
use crate::trouble::Trouble;

pub fn extension(format: CardFormat) -> &'static str {
    match format {
        CardFormat::Svg => "svg",
        CardFormat::Png => "png",
        CardFormat::Pdf => "pdf",
    }
}

/// A name for each card: its own, with its folder before it where two cards share one.
pub fn names(cards: &[PrintedCard]) -> Vec<String> {
    let mut count: HashMap<&str, usize> = HashMap::new();
    for card in cards {
        *count.entry(card.printed.name.as_str()).or_default() += 1;
    }
    let name = |card: &PrintedCard| {
        let own = card.printed.name.as_str();
        let folder = module_of_key(&card.printed.key).trim_start_matches('@');
        if count.get(own).is_some_and(|n| *n > 1) && !folder.is_empty() { format!("{folder}.{own}") } else { own.to_owned() }
    };
    cards.iter().map(name).collect()
}

/// Everything that a drawing depends on, as one number.
pub fn hash(face: &Face, art: &Art) -> u64 {
    let pictures = face.strips.iter().filter_map(|s| match &s.kind {
        StripKind::Picture(picture) => picture.path.as_deref(),
        _ => None,
    });
    pictures.fold(banneret_cards::face_hash(face), |hash, path| mixed(hash, art.picture(path).map_or(0, |p| p.shown)))
}

pub fn mixed(a: u64, b: u64) -> u64 {
    a.rotate_left(5).wrapping_mul(0x0100_0000_01b3) ^ b
}

/// A side or a page as the bytes of a file.
pub fn bytes(args: &Cards, drawing: &Drawing, title: &str) -> Result<Vec<u8>, Trouble> {
    let trimmed = if args.bleed { drawing.clone() } else { drawing.trimmed() };
    match args.format {
        CardFormat::Svg => Ok(banneret_cards::svg(&trimmed, title).into_bytes()),
        CardFormat::Png => banneret_cards::png(&trimmed, args.dpi as f32).map_err(|e| cannot(title, &e)),
        CardFormat::Pdf => banneret_cards::pdf(&[trimmed], title).map_err(|e| cannot(title, &e)),
    }
}

pub fn cannot(title: &str, why: &str) -> Trouble {
    Trouble::new(format!("“{title}” cannot be drawn: {why}."))
}
