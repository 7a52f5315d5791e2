//! What is wrong with the pictures of cards.

use banneret_compiler::api::{PrintedCard, located};
use banneret_compiler::diagnostic::{Diagnostic, Located};
use banneret_compiler::printed::{Face, Picture, Printed, StripKind};
use rustc_hash::FxHashMap;

use crate::check::{side, span_at};
use crate::picture::{Pictures, Unreadable};
use crate::units::points;

/// A picture made of dots needs this many in an inch to look sharp.
const SHARP: f32 = 150.0;

fn shown(face: &Face) -> impl Iterator<Item = (&Picture, bool)> {
    face.strips.iter().filter_map(|s| match &s.kind {
        StripKind::Picture(p) => Some((p, s.optional)),
        _ => None,
    })
}

/// Pictures of one face that cannot be shown, or not well.
pub fn of_face(card: &Printed, face: &Face, pictures: &dyn Pictures) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    for (picture, optional) in shown(face) {
        let span = span_at(card, picture.at);
        let Some(path) = &picture.path else {
            if picture.own && !optional {
                let headline = format!("“{}” has no picture, and its {} has to show one.", card.title, side(face));
                out.push(Diagnostic::error("missing-picture", span, headline).help("Name a file: `picture: \"name.svg\"`."));
            }
            continue;
        };
        match pictures.picture(path) {
            Err(Unreadable::Missing) => out.push(
                Diagnostic::error("missing-picture", span, format!("There is no picture “{path}”."))
                    .help("Put the file into the folder for pictures, or name another one. Small and capital letters count."),
            ),
            Err(Unreadable::Outside) => out.push(
                Diagnostic::error("unreadable-picture", span, format!("The picture “{path}” is not in this project."))
                    .help("Copy it into the folder for pictures, and write its name without `..` and without `/` in front."),
            ),
            Err(Unreadable::Broken(why)) => out.push(
                Diagnostic::error("unreadable-picture", span, format!("The picture “{path}” cannot be read: {why}."))
                    .help("Save it again as SVG, PNG or JPEG."),
            ),
            Ok(read) => {
                if !read.left_out.is_empty() {
                    let headline = format!("Not all of the picture “{path}” is printed: it has {} in it.", read.left_out.join(", and "));
                    out.push(
                        Diagnostic::warning("incomplete-picture", span, headline)
                            .help("Change it in the program it was drawn with, and save it again."),
                    );
                }
                let Some((w, h)) = read.dots else { continue };
                let room = (points(face.width) / 72.0, picture.height.map_or(points(face.height), points) / 72.0);
                // a picture fills its room: the side that is stretched more decides
                let dpi = (w as f32 / room.0).min(h as f32 / room.1);
                if dpi < SHARP {
                    let (need_w, need_h) = ((room.0 * SHARP).ceil(), (room.1 * SHARP).ceil());
                    let headline = format!(
                        "The picture “{path}” is too small to be printed sharply: it has {w} × {h} dots, and {need_w} × {need_h} are needed."
                    );
                    out.push(
                        Diagnostic::error("small-picture", span, headline).help("Use a larger one, or an SVG, which is sharp in any size."),
                    );
                }
            }
        }
    }
    out
}

/// A picture that no other card may have.
pub struct OwnPicture {
    shown: u64,
    /// Its place in the card.
    at: usize,
}

/// The pictures of a card that have to be its own. What cannot be read is nobody's.
pub fn own_pictures(card: &PrintedCard, pictures: &dyn Pictures) -> Vec<OwnPicture> {
    let own = card.printed.faces.iter().flat_map(shown).filter(|(p, _)| p.own);
    let read = own.filter_map(|(p, _)| Some(OwnPicture { shown: pictures.picture(p.path.as_ref()?).ok()?.shown, at: p.at }));
    read.collect()
}

/// One picture on two different cards, where each has to have its own.
pub fn shared<'c>(cards: impl Iterator<Item = (&'c PrintedCard, &'c [OwnPicture])>) -> Vec<Located> {
    let mut first: FxHashMap<u64, &PrintedCard> = FxHashMap::default();
    let mut out = Vec::new();
    for (card, own) in cards {
        for picture in own {
            match first.get(&picture.shown) {
                Some(other) if other.printed.key != card.printed.key => {
                    let span = span_at(&card.printed, picture.at);
                    let headline = format!("“{}” and “{}” have the same picture.", other.printed.title, card.printed.title);
                    let d = Diagnostic::error("shared-picture", span, headline)
                        .note(format!("The other one is in {}.", other.file))
                        .help("Give each its own: whoever plays with a stand-in has only the picture to tell which is meant.");
                    out.push(located(&card.file, card.start, d));
                }
                Some(_) => {}
                None => {
                    first.insert(picture.shown, card);
                }
            }
        }
    }
    out
}
