//! What the words of a card or a keyword leave out, told at the line that is left out.

use super::lookup::Lookup;
use super::{Unsaid, card_text, keyword_text};
use crate::db::Universe;
use crate::diagnostic::Diagnostic;
use crate::hir;
use crate::items::Item;

/// One message for each thing that its rules do and its words do not tell. Words of the author's own are the author's business.
pub(crate) fn unsaid<'db>(db: &'db dyn salsa::Database, universe: Universe, item: Item<'db>, meant: &hir::Item) -> Vec<Diagnostic> {
    let text: &str = item.text(db);
    let lookup = Lookup { db, universe };
    let found: Vec<Unsaid> = match meant {
        hir::Item::Card(card) if is_plain(card) => Vec::new(),
        hir::Item::Card(card) => {
            let own = |block: &super::TextBlock| {
                let mut nested = card.parts.iter().chain(card.rows.iter().map(|(_, _, row)| row));
                !nested.any(|part| part.key == block.of && part.of.is_some())
            };
            card_text(card, &lookup).into_iter().filter(own).flat_map(|block| block.unsaid).collect()
        }
        hir::Item::Keyword(keyword) if keyword.says.is_none() => keyword_text(keyword, &lookup).unsaid,
        _ => Vec::new(),
    };
    let mut out: Vec<Diagnostic> = Vec::new();
    for one in found.into_iter().filter(|one| (one.span.end as usize) <= text.len()) {
        let line = crate::elaborate::first_line(one.span, text);
        let d = match &one.action {
            Some(action) => {
                Diagnostic::error("unsaid", line, format!("The words would leave out `{}` of `{action}`.", one.what)).help(format!(
                    "Speak of it in the words of the action: `says \"… {{{}}}\"` in `{action}`. Or write the words of this card with `says`.",
                    one.what
                ))
            }
            None => Diagnostic::error("unsaid", line, format!("There are no words for {}.", one.what))
                .help("Give it to an action of its own, which has words, or write the words of this card with `says`."),
        };
        if !out.contains(&d) {
            out.push(d);
        }
    }
    out
}

/// Whether a card has nothing but values: most cards of a large project are such, and they have nothing to leave out.
fn is_plain(card: &hir::Card) -> bool {
    card.rules.is_empty()
        && card.parts.is_empty()
        && card.rows.is_empty()
        && card.values.iter().all(|(_, value)| matches!(value, hir::CardValue::Value(_)))
}
