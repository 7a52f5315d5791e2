//! Names between `{` and `}` in a text: what the words can insert.

use banneret_compiler::elaborate::{Asked, probed};

use super::entry::Entry;
use super::marker::in_text;
use super::{Place, names, nearest_item, values};

/// Whether a text is being written inside of such braces.
pub(super) fn is_open(text: &str) -> bool {
    match (text.rfind('{'), text.rfind(['}', '|'])) {
        (Some(open), Some(close)) => open > close,
        (open, _) => open.is_some(),
    }
}

/// What can be named in the text that starts at a place of the line.
pub(super) fn names(place: &Place<'_>, text: usize, out: &mut Vec<Entry>) {
    for marked in in_text(place.text, place.word, text) {
        let Some(item) = nearest_item(place, &marked) else { return };
        let Some(probe) = probed(place.ide.db, place.ide.universe, item, &marked.parsed) else { continue };
        match &probe.asked {
            Asked::Member { of, card } => names::members(place, of, card.as_deref(), out),
            Asked::EventMember(action) => names::event_members(place, action, out),
            _ => values::scope(place, None, &probe.scene, 0, out),
        }
        return;
    }
}

#[cfg(test)]
mod tests {
    use super::is_open;

    #[test]
    fn a_hole_is_open_until_its_brace_closes() {
        assert!(is_open("deal {am") && is_open("deal {amount} to {") && is_open("{a "));
        assert!(!is_open("deal ") && !is_open("deal {amount} to ") && !is_open("{n|wou"));
    }
}
