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

/// What to replace so that the line of an offset, which ends a block, is as far in as it belongs.
pub fn brace(text: &str, offset: u32) -> Vec<(Span, String)> {
    let offset = offset as usize;
    let start = text.get(..offset).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
    let end = text.get(offset..).and_then(|after| after.find('\n')).map_or(text.len(), |at| offset + at);
    let Some(line) = text.get(start..end).filter(|line| line.trim_start().starts_with('}')) else { return Vec::new() };
    let neat = banneret_grammar::format_range(text, Span::new(start as u32, end as u32));
    let around = neat.into_iter().find(|(span, _)| span.start as usize <= start && end <= span.end as usize);
    let known = around.and_then(|(span, neat)| {
        // the line with as many lines before it: a neat text has the same ones, or the place of this one is not known
        let above = text.get(span.start as usize..start)?.matches('\n').count();
        let same = span.of(text).trim_end().lines().count() == neat.trim_end().lines().count();
        let wanted = neat.lines().nth(above).filter(|wanted| same && wanted.trim() == line.trim())?;
        Some(wanted.len() - wanted.trim_start().len())
    });
    let indent = line.len() - line.trim_start().len();
    match known {
        Some(wanted) if wanted != indent => vec![(Span::new(start as u32, (start + indent) as u32), " ".repeat(wanted))],
        _ => Vec::new(),
    }
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
    fn a_brace_goes_where_it_belongs_and_nothing_else() {
        let text = "keyword Hasty on Unit {\n  grant   this { move +1 }\n      }\n";
        let edits = brace(text, text.len() as u32 - 1);
        assert_eq!(applied(text, &edits), "keyword Hasty on Unit {\n  grant   this { move +1 }\n}\n");
        assert!(brace("keyword Hasty on Unit {\n}\n", 25).is_empty());
        assert!(brace("unit A {\n  health: 3\n", 20).is_empty());
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
