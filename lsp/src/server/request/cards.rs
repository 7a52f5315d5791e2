//! `banneret/cards`: the sides of cards as drawings, and where what is on them stands in the text. A request of our own, for a panel beside the text.

use banneret_cards::display::{Area, Shown};
use banneret_cards::layout::Layouter;
use banneret_cards::svg;
use banneret_compiler::items::{Item, parse};
use banneret_compiler::printed::{Face, Printed, Side, StripKind};
use banneret_grammar::ast::{self, ItemKind, Line};
use banneret_grammar::span::Span;
use serde::{Deserialize, Serialize};
use tower_lsp::ls_types::{Position, Range, TextDocumentIdentifier};

use crate::ide::{Ide, sums};
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
    /// With everything that does not fit, in red and below the edge.
    svg: String,
    /// By how much it is too long, if it does not fit.
    over: Option<Over>,
    /// Where on the drawing what is: what lies within another comes after it. No word lies outside of all.
    areas: Vec<OnCard>,
}

/// A rectangle of a drawing, in shares of its width and height from the upper left, and what it shows.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OnCard {
    left: f32,
    top: f32,
    width: f32,
    height: f32,
    /// What is gone to: the name of an ability, the value of a field, the name of the card.
    to: Range,
    /// All of it in the text.
    whole: Range,
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
        let item = page.ide.item_at(page.file, card.start);
        let mut lost = Vec::new();
        let sides = printed.faces.iter().map(|face| {
            let (drawing, verdict) = layouter.draft(face, &*loaded.art);
            let drawing = drawing.trimmed();
            lost.extend(verdict.parts.iter().filter(|part| part.lost).map(|part| part.at));
            let areas = drawing.areas.iter().filter_map(|Area { rect, what }| {
                let (to, whole) = source(view, page.ide, item, printed, face, *what)?;
                let range = |span: Span| lines.range(span.shifted(card.start));
                let (w, h) = (drawing.width, drawing.height);
                let (left, top, width, height) = (rect.x / w, rect.y / h, rect.w / w, rect.h / h);
                Some(OnCard { left, top, width, height, to: range(to), whole: range(whole) })
            });
            Drawn {
                side: if face.side == Side::Front { "front" } else { "back" },
                areas: areas.collect(),
                svg: svg(&drawing, &printed.title),
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

/// Where something that is shown stands in its item: what is gone to, and all of it.
fn source(view: &View, ide: Ide<'_>, item: Option<Item<'_>>, printed: &Printed, face: &Face, shown: Shown) -> Option<(Span, Span)> {
    let card = item.and_then(|item| match &parse(view.db(), item).item.kind {
        ItemKind::Card(card) => Some(card),
        _ => None,
    });
    let lines = || card.and_then(|card| card.block.as_ref()).map(|block| block.lines.as_slice()).unwrap_or_default().iter();
    match shown {
        Shown::Part(at) => {
            let to = printed.places.get(at)?.span;
            let part = lines().find_map(|line| match line {
                Line::Part(part) if named(part, to) => Some(part.span),
                _ => None,
            });
            Some((to, part.unwrap_or(to)))
        }
        Shown::Strip(strip) => {
            let field = |wanted: &str| {
                lines().find_map(|line| match line {
                    Line::Field { name, span, .. } if *name.text == *wanted => Some((*span, *span)),
                    _ => None,
                })
            };
            let found = match &face.strips.get(strip)?.kind {
                StripKind::Flavour(_) => field("flavour"),
                // what they remind of is in the list of keywords
                StripKind::Reminders(_) => sums::kind(ide, item?, card?).and_then(sums::keywords).and_then(|name| field(&name)),
                StripKind::Picture(picture) => printed.places.get(picture.at).map(|place| (place.span, place.span)),
                _ => None,
            };
            found.or(Some((printed.name_span, printed.name_span)))
        }
    }
}

fn named(part: &ast::Card, name: Span) -> bool {
    part.name.as_ref().is_some_and(|word| word.span == name)
}
