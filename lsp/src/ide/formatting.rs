//! Formatting, as the smallest replacements: the cursor and everything that is neat already stay where they are.

use banneret_grammar::span::Span;
use similar::{DiffOp, TextDiff};

/// What to replace to make a text neat.
pub fn whole(text: &str) -> Vec<(Span, String)> {
    between(text, &banneret_grammar::format(text), 0)
}

/// What to replace to make the items neat that touch a stretch.
pub fn stretch(text: &str, range: Span) -> Vec<(Span, String)> {
    let wanted = banneret_grammar::format_range(text, range);
    wanted.into_iter().flat_map(|(span, neat)| between(span.of(text), &neat, span.start)).collect()
}

/// The lines in which two texts differ, as replacements in the first, which starts at `start`.
pub(crate) fn between(old: &str, new: &str, start: u32) -> Vec<(Span, String)> {
    if old == new {
        return Vec::new();
    }
    let diff = TextDiff::from_lines(old, new);
    let offsets = |text: &str| -> Vec<usize> {
        let mut at = 0;
        let lines = text.split_inclusive('\n').map(|line| {
            at += line.len();
            at
        });
        std::iter::once(0).chain(lines).collect()
    };
    let (before, after) = (offsets(old), offsets(new));
    let piece = |at: &[usize], index: usize, length: usize| -> (usize, usize) {
        let end = at.last().copied().unwrap_or(0);
        (at.get(index).copied().unwrap_or(end), at.get(index + length).copied().unwrap_or(end))
    };
    let mut out = Vec::new();
    for op in diff.ops() {
        let (o, n) = match *op {
            DiffOp::Equal { .. } => continue,
            DiffOp::Delete { old_index, old_len, new_index } => ((old_index, old_len), (new_index, 0)),
            DiffOp::Insert { old_index, new_index, new_len } => ((old_index, 0), (new_index, new_len)),
            DiffOp::Replace { old_index, old_len, new_index, new_len } => ((old_index, old_len), (new_index, new_len)),
        };
        let (from, to) = piece(&before, o.0, o.1);
        let (new_from, new_to) = piece(&after, n.0, n.1);
        let text = new.get(new_from..new_to).unwrap_or("");
        out.push((Span::new(start + from as u32, start + to as u32), text.to_owned()));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn applied(text: &str, edits: &[(Span, String)]) -> String {
        let mut out = text.to_owned();
        for (span, new) in edits.iter().rev() {
            out.replace_range(span.start as usize..span.end as usize, new);
        }
        out
    }

    #[test]
    fn only_what_is_not_neat_is_replaced() {
        let text = "unit A {\n  health:3\n  move: 6s\n}\n\n\n\nunit B {\n  health: 3\n}\n";
        let edits = whole(text);
        assert_eq!(applied(text, &edits), banneret_grammar::format(text));
        assert!(edits.iter().all(|(span, _)| !span.of(text).contains("move")), "{edits:?}");
        assert!(whole(&banneret_grammar::format(text)).is_empty());
    }

    #[test]
    fn a_stretch_leaves_the_rest_alone() {
        let text = "unit A {\n  health:3\n}\n\nunit B {\n  health:3\n}\n";
        let at = text.find("unit B").unwrap() as u32;
        let edits = stretch(text, Span::new(at + 3, at + 4));
        assert_eq!(applied(text, &edits), "unit A {\n  health:3\n}\n\nunit B {\n  health: 3\n}\n");
    }
}
