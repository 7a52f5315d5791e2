//! What can be folded away: blocks over several lines, runs of comments, the `use` lines at the top.

use banneret_grammar::span::Span;
use banneret_grammar::split;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoldKind {
    Block,
    Comment,
    Imports,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fold {
    pub span: Span,
    pub kind: FoldKind,
}

/// Read from the brackets alone, so that a file that does not parse folds as well.
pub fn of_text(text: &str) -> Vec<Fold> {
    let mut out = blocks(text);
    out.extend(comments(text));
    out.extend(imports(text));
    out.sort_by_key(|f| (f.span.start, f.span.end));
    out
}

fn blocks(text: &str) -> Vec<Fold> {
    let bytes = text.as_bytes();
    let (mut open, mut out) = (Vec::new(), Vec::new());
    let mut at = 0;
    while let Some(b) = bytes.get(at) {
        match b {
            b'/' if bytes.get(at + 1) == Some(&b'/') => at = line_end(bytes, at),
            b'"' if !at.checked_sub(1).and_then(|i| bytes.get(i)).is_some_and(u8::is_ascii_digit) => at = string_end(bytes, at),
            b'{' | b'[' | b'(' => open.push(at),
            b'}' | b']' | b')' => {
                if let Some(start) = open.pop()
                    && text.get(start..at).is_some_and(|inside| inside.contains('\n'))
                {
                    out.push(Fold { span: Span::new(start as u32, at as u32), kind: FoldKind::Block });
                }
            }
            _ => {}
        }
        at += 1;
    }
    out
}

fn line_end(bytes: &[u8], at: usize) -> usize {
    bytes[at..].iter().position(|b| *b == b'\n').map_or(bytes.len(), |n| at + n)
}

/// The closing quote, or the end of the line: strings do not run over it.
fn string_end(bytes: &[u8], at: usize) -> usize {
    let mut i = at + 1;
    while let Some(b) = bytes.get(i) {
        match b {
            b'\\' => i += 1,
            b'"' | b'\n' => return i,
            _ => {}
        }
        i += 1;
    }
    i
}

/// Two or more lines of comments after each other.
fn comments(text: &str) -> Vec<Fold> {
    let mut out = Vec::new();
    let mut run: Option<(usize, usize, usize)> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let end = at + line.trim_end().len();
        if line.trim_start().starts_with("//") {
            run = Some(run.map_or((at, end, 1), |(start, _, n)| (start, end, n + 1)));
        } else if let Some((start, end, n)) = run.take()
            && n > 1
        {
            out.push(Fold { span: Span::new(start as u32, end as u32), kind: FoldKind::Comment });
        }
        at += line.len();
    }
    if let Some((start, end, n)) = run
        && n > 1
    {
        out.push(Fold { span: Span::new(start as u32, end as u32), kind: FoldKind::Comment });
    }
    out
}

/// The `use` lines, if there are two or more.
fn imports(text: &str) -> Option<Fold> {
    let uses: Vec<_> = split(text).into_iter().take_while(|c| c.text(text).starts_with("use ")).collect();
    let (first, last) = (uses.first()?, uses.last()?);
    (uses.len() > 1).then_some(Fold { span: Span::new(first.start, last.end), kind: FoldKind::Imports })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_comments_and_uses_fold() {
        let text = "use a\nuse b\n\n// one\n// two\nunit X {\n  move: 6\"\n  weapon Y { reach: [\n    Melee ] }\n  flavour: \"a { b\"\n}\n";
        let kinds: Vec<FoldKind> = of_text(text).iter().map(|f| f.kind).collect();
        assert_eq!(kinds, [FoldKind::Imports, FoldKind::Comment, FoldKind::Block, FoldKind::Block, FoldKind::Block]);
    }

    #[test]
    fn brackets_that_close_nothing_do_no_harm() {
        assert!(of_text("}\n]\n{\n\"").is_empty());
    }
}
