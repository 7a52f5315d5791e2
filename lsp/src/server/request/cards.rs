//! `banneret/cards`: the sides of cards as drawings, and where what is on them stands in the text. A request of our own, for a panel beside the text.

use banneret_cards::layout::Layouter;
use banneret_cards::svg;
use banneret_compiler::printed::Side;
use serde::{Deserialize, Serialize};
use tower_lsp::ls_types::{Position, Range, TextDocumentIdentifier};

use crate::server::view::View;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CardsParams {
    pub text_document: TextDocumentIdentifier,
    /// Only the card that stands here; without it all cards of the text.
    pub position: Option<Position>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Card {
    name: String,
    title: String,
    /// Where its name stands.
    range: Range,
    sides: Vec<Drawn>,
    /// Abilities and other things on it, from top to bottom, and where they stand in the text.
    places: Vec<Place>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Drawn {
    side: &'static str,
    svg: String,
    /// By how much it is too long, if it does not fit.
    over: Option<Over>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Over {
    lines: usize,
    millimetres: f32,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Place {
    what: String,
    range: Range,
    /// It does not fit on the card.
    lost: bool,
}

pub fn answer(view: &View, params: &CardsParams) -> Option<Vec<Card>> {
    let page = view.page(&params.text_document.uri)?;
    let (id, loaded) = view.project(page.project)?;
    let name = page.file.path(view.db());
    let at = match params.position {
        Some(position) => Some(page.ide.item_at(page.file, page.offset(position))?.start(view.db())),
        None => None,
    };
    let lines = page.lines();
    let mut layouter = Layouter::default();
    let mut out = Vec::new();
    for card in view.workspace.printed_in(id, &|file| file == name).iter().flat_map(|file| &file.cards) {
        if at.is_some_and(|at| at != card.start) {
            continue;
        }
        let printed = &card.printed;
        let mut lost = Vec::new();
        let sides = printed.faces.iter().map(|face| {
            let (drawing, verdict) = layouter.draw(face, &*loaded.art);
            lost.extend(verdict.parts.iter().filter(|part| part.lost).map(|part| part.at));
            Drawn {
                side: if face.side == Side::Front { "front" } else { "back" },
                svg: svg(&drawing.trimmed(), &printed.title),
                over: (!verdict.fits).then_some(Over { lines: verdict.over_lines, millimetres: verdict.over }),
            }
        });
        let sides = sides.collect();
        let places = printed.places.iter().enumerate().map(|(i, place)| Place {
            what: place.what.to_string(),
            range: lines.range(place.span.shifted(card.start)),
            lost: lost.contains(&i),
        });
        out.push(Card {
            name: printed.name.to_string(),
            title: printed.title.to_string(),
            range: lines.range(printed.name_span.shifted(card.start)),
            sides,
            places: places.collect(),
        });
    }
    Some(out)
}
