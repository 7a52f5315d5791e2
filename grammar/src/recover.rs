//! What is done when an item cannot be read as it stands: the smallest broken line is taken out of the way, again and again.
//!
//! The text of a broken line is overwritten with a mark that the grammar takes for any line, so everything around it is read by the very
//! same rules as in a whole item, at the same offsets. Each line that is taken out gets exactly one error, at the place the grammar
//! could not get past.

use crate::code::Code;
use crate::diagnose::diagnose;
use crate::error::SyntaxError;
use crate::layout::{BROKEN, Lexeme, lexeme};
use crate::span::Span;

/// How many broken lines of one item are reported before it is given up.
const MOST: usize = 64;

/// How many words at each end of a broken header are tried as the first that is taken out.
const TRIED: usize = 40;

/// Takes lines out of `plain` until `read` accepts it. `read` says how far it got when it does not.
pub(crate) fn recover(
    text: &str,
    plain: &str,
    mut failed_at: u32,
    read: impl Fn(&str) -> Result<(), u32>,
) -> (Option<String>, Vec<SyntaxError>) {
    let mut plain = plain.to_owned();
    let mut errors = Vec::new();
    while errors.len() < MOST {
        let levels = lines_around(plain.as_bytes(), failed_at as usize);
        let innermost = levels.first().map_or(Span::new(0, plain.len() as u32), |l| l.span());
        errors.push(diagnose(text, &plain, innermost, failed_at));
        // without its brace nothing of the item stands where it belongs
        if errors.last().is_some_and(|e| e.code == Code::MissingBrace) {
            return (None, errors);
        }
        match levels.iter().flat_map(|l| l.candidates(&plain, failed_at)).find_map(|c| attempt(&plain, c, &read)) {
            Some((better, Ok(()))) => return (Some(better), errors),
            Some((better, Err(at))) => {
                plain = better;
                failed_at = at;
            }
            None => return (None, errors),
        }
    }
    (None, errors)
}

type Attempt = (String, Result<(), u32>);

/// Takes one stretch out. It was the right one if the reading gets past it.
fn attempt(plain: &str, (out, past): (Span, u32), read: &impl Fn(&str) -> Result<(), u32>) -> Option<Attempt> {
    let mut bytes = plain.as_bytes().to_vec();
    let stretch = bytes.get_mut(out.start as usize..out.end as usize)?;
    if stretch.is_empty() || stretch.iter().all(|b| *b == BROKEN) {
        return None;
    }
    stretch.fill(BROKEN);
    let better = String::from_utf8(bytes).ok()?;
    match read(&better) {
        Ok(()) => Some((better, Ok(()))),
        Err(at) if at >= past => Some((better, Err(at))),
        Err(_) => None,
    }
}

/// One line of a block, or the header of the item.
struct Around {
    start: usize,
    /// The end of the line, its block included.
    end: usize,
    /// Where its first block starts.
    block: Option<usize>,
    header: bool,
}

impl Around {
    fn span(&self) -> Span {
        Span::new(self.start as u32, self.block.unwrap_or(self.end) as u32)
    }

    /// What could be taken out, most welcome first, each with the place that must be passed for it to have been right.
    fn candidates(&self, plain: &str, failed_at: u32) -> Vec<(Span, u32)> {
        let trim = |start: usize, end: usize| {
            let inside = plain.get(start..end).unwrap_or("");
            Span::new((end - inside.trim_start().len()) as u32, (start + inside.trim_end().len()) as u32)
        };
        if !self.header {
            let whole = trim(self.start, self.end);
            // a broken `for` still has a block whose lines can be checked
            let head = self.block.filter(|b| failed_at as usize <= *b).map(|b| (trim(self.start, b), whole.end));
            return head.into_iter().chain([(whole, whole.end)]).collect();
        }
        // keep as much of a header as reads: the name of a half-written card is worth having
        let end = self.block.unwrap_or(self.end);
        let stop = trim(0, end).end;
        let words = word_starts(plain.as_bytes(), (failed_at as usize + 1).min(end));
        // each is a reading of all of it: of a very long header only its end and its first words are tried
        let middle = TRIED.min(words.len())..words.len().saturating_sub(TRIED).max(TRIED.min(words.len()));
        let tried = words.iter().enumerate().rev().filter(|(n, w)| !middle.contains(n) && **w > 0);
        tried.map(|(_, w)| (Span::new(*w as u32, stop), stop)).collect()
    }
}

fn word_starts(bytes: &[u8], end: usize) -> Vec<usize> {
    let is_word = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80;
    (1..end.min(bytes.len()))
        .filter(|i| !bytes[*i].is_ascii_whitespace() && (bytes[*i - 1] == b' ' || is_word(bytes[*i - 1]) != is_word(bytes[*i])))
        .collect()
}

/// The lines around a place, innermost first; the last is the header of the item.
fn lines_around(bytes: &[u8], at: usize) -> Vec<Around> {
    // the starts of the lines that are open at `at`, each with its block if it has one
    let mut open: Vec<(usize, Option<usize>)> = vec![(0, None)];
    let mut round = 0;
    let mut i = 0;
    while i < at.min(bytes.len()) {
        match lexeme(bytes, i) {
            Lexeme::Open(b'{') => {
                if let Some(line) = open.last_mut() {
                    line.1 = line.1.or(Some(i));
                }
                open.push((i + 1, None));
                round = 0;
            }
            Lexeme::Open(_) => round += 1,
            Lexeme::Close(b'}') if open.len() > 1 => {
                open.pop();
                round = 0;
            }
            Lexeme::Close(b'}') => {}
            Lexeme::Close(_) => round = (round - 1).max(0),
            Lexeme::Newline => next_line(&mut open, i, &mut round),
            Lexeme::Skip(end) => {
                i = end;
                continue;
            }
            Lexeme::Other if matches!(bytes[i], b',' | b';') && round == 0 => next_line(&mut open, i, &mut round),
            Lexeme::Other => {}
        }
        i += 1;
    }
    let mut from = at.min(bytes.len());
    let mut lines = Vec::new();
    let count = open.len();
    for (depth, (start, block)) in open.into_iter().enumerate().rev() {
        let header = depth == 0;
        // the innermost line may have been left in the midst of a list
        let inside = if lines.is_empty() { round.min(closed_ahead(bytes, from)) } else { 0 };
        let (end, later) = line_stop(bytes, from, header, inside);
        let block = block.or(later);
        lines.push(Around { start, end, block: if header && !has_block(bytes) { None } else { block }, header });
        from = (end + 1).min(bytes.len());
        debug_assert!(lines.len() <= count);
    }
    lines
}

fn next_line(open: &mut [(usize, Option<usize>)], at: usize, round: &mut i32) {
    // the header of an item may run over lines
    if open.len() > 1
        && let Some(line) = open.last_mut()
    {
        *line = (at + 1, None);
        *round = 0;
    }
}

/// How many brackets that were opened before `from` are closed in the rest of its line.
fn closed_ahead(bytes: &[u8], from: usize) -> i32 {
    let (mut i, mut round, mut closed) = (from, 0, 0);
    while i < bytes.len() {
        match lexeme(bytes, i) {
            Lexeme::Open(b'{') | Lexeme::Close(b'}') | Lexeme::Newline => break,
            Lexeme::Open(_) => round += 1,
            Lexeme::Close(_) if round > 0 => round -= 1,
            Lexeme::Close(_) => closed += 1,
            Lexeme::Skip(end) => {
                i = end;
                continue;
            }
            Lexeme::Other => {}
        }
        i += 1;
    }
    closed
}

/// Where the line that `from` lies in ends, and its first block from there on. `from` lies inside of so many brackets.
fn line_stop(bytes: &[u8], from: usize, header: bool, inside: i32) -> (usize, Option<usize>) {
    let (mut i, mut depth, mut round, mut block) = (from, 0, inside, None);
    while i < bytes.len() {
        match lexeme(bytes, i) {
            Lexeme::Open(b'{') => {
                block = block.or((depth == 0).then_some(i));
                depth += 1;
            }
            Lexeme::Close(b'}') if depth == 0 && !header => break,
            Lexeme::Close(b'}') => depth = (depth - 1).max(0),
            Lexeme::Open(_) => round += 1,
            Lexeme::Close(_) => round = (round - 1).max(0),
            Lexeme::Newline if depth == 0 && !header => break,
            Lexeme::Skip(end) => {
                i = end;
                continue;
            }
            Lexeme::Other if matches!(bytes[i], b',' | b';') && depth == 0 && round == 0 && !header => {
                break;
            }
            _ => {}
        }
        i += 1;
    }
    (i, block)
}

/// A definition is all header: the braces in it belong to its value.
fn has_block(bytes: &[u8]) -> bool {
    !["define ", "fact ", "use "].iter().any(|w| bytes.starts_with(w.as_bytes()))
}
