//! Makes the text of an item plain, byte for byte, before the grammar sees it.
//!
//! Newlines inside `( )` and `[ ]` and before a joining word end nothing: they become spaces, and so do comments, tabs and carriage
//! returns. Every span stays true, and the grammar can say "a newline ends the line" without counting brackets. Brackets that are never
//! closed join nothing: a forgotten `)` costs its line and not the rest of the item.

use std::borrow::Cow;

/// How deep brackets may be nested. Everything behind the splitter may recurse without counting.
pub const DEEPEST: usize = 128;

/// Stands for text that was found broken and taken out of the way.
pub const BROKEN: u8 = 0x01;
/// Stands for a character that fits nowhere.
const UNFIT: u8 = 0x02;

pub(crate) const JOINING: [&str; 18] = [
    "and", "or", "where", "within", "by", "to", "from", "with", "on", "into", "against", "using", "until", "while", "such", "blame",
    "covers", "else",
];

/// The letters that joining words start with: most lines start with another.
const JOINS_WITH: [bool; 256] = {
    let mut table = [false; 256];
    table[b's' as usize] = true;
    let mut i = 0;
    while i < JOINING.len() {
        table[JOINING[i].as_bytes()[0] as usize] = true;
        i += 1;
    }
    table
};

/// Whether a line that starts like `rest` continues the line before it. A joining word before a `:` is the name of a field.
pub(crate) fn joins(rest: &[u8]) -> bool {
    if !rest.first().is_some_and(|b| JOINS_WITH[usize::from(*b)]) {
        return false;
    }
    let end = rest.iter().position(|b| !b.is_ascii_alphanumeric() && *b != b'_').unwrap_or(rest.len());
    let (word, after) = rest.split_at(end);
    let known = word == b"starting" || JOINING.iter().any(|j| j.as_bytes() == word);
    known && !after.starts_with(b":")
}

/// What stands at a place of a text, for those who only look for brackets, strings and comments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Lexeme {
    Open(u8),
    Close(u8),
    Newline,
    /// A comment or a string, up to this offset; strings that are never closed end with their line.
    Skip(usize),
    Other,
}

/// The bytes that are nothing but themselves wherever they stand: what the scanners pass over without looking twice.
pub(crate) const ORDINARY: [bool; 256] = {
    let mut table = [false; 256];
    let mut b = b' ';
    while b < 0x7F {
        table[b as usize] = !matches!(b, b'{' | b'}' | b'(' | b')' | b'[' | b']' | b'"' | b'/');
        b += 1;
    }
    table
};

/// The first place from `from` on that holds something else.
fn past(bytes: &[u8], from: usize, is: impl Fn(u8) -> bool) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    from + rest.iter().position(|b| !is(*b)).unwrap_or(rest.len())
}

/// The first place from `at` on that is not ordinary.
pub(crate) fn past_ordinary(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    rest.iter().position(|b| !ORDINARY[usize::from(*b)]).map_or(bytes.len(), |n| at + n)
}

/// Reads the lexeme that starts at `at`. Every scanner of the crate goes through here, so they agree on what a string is.
pub(crate) fn lexeme(bytes: &[u8], at: usize) -> Lexeme {
    match bytes[at] {
        b @ (b'{' | b'(' | b'[') => Lexeme::Open(b),
        b @ (b'}' | b')' | b']') => Lexeme::Close(b),
        b'\n' => Lexeme::Newline,
        b'/' if bytes.get(at + 1) == Some(&b'/') => Lexeme::Skip(line_end(bytes, at)),
        b'"' if is_mark(bytes, at) => Lexeme::Other,
        b'"' => Lexeme::Skip(string_end(bytes, at)),
        _ => Lexeme::Other,
    }
}

pub(crate) fn line_end(bytes: &[u8], at: usize) -> usize {
    bytes[at..].iter().position(|b| *b == b'\n').map_or(bytes.len(), |n| at + n)
}

/// A `"` that is an inch mark: after a digit, or after `as` in `length inch as "`.
fn is_mark(bytes: &[u8], at: usize) -> bool {
    let Some(before) = at.checked_sub(1).map(|i| bytes[i]) else {
        return false;
    };
    before.is_ascii_digit() || (at >= 4 && &bytes[at - 3..at] == b"as " && !bytes[at - 4].is_ascii_alphanumeric())
}

/// Where a string ends, and whether by its quotes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StringEnd {
    Closed(usize),
    /// It ends with its line.
    Open(usize),
}

impl StringEnd {
    pub fn closed(self) -> Option<usize> {
        match self {
            Self::Closed(end) => Some(end),
            Self::Open(_) => None,
        }
    }
}

/// Where the string that starts at `at` ends (after its closing quotes, or at the end of the line if it has none).
pub(crate) fn string_end(bytes: &[u8], at: usize) -> usize {
    match string_end_at(bytes, at) {
        StringEnd::Closed(end) | StringEnd::Open(end) => end,
    }
}

pub(crate) fn string_end_at(bytes: &[u8], at: usize) -> StringEnd {
    if bytes[at..].starts_with(b"\"\"\"") {
        let inside = at + 3;
        // a letter in column 0 starts an item, even inside prose that somebody forgot to close
        let mut i = inside;
        while i < bytes.len() {
            if bytes[i..].starts_with(b"\"\"\"") {
                return StringEnd::Closed(i + 3);
            }
            if bytes[i] == b'\n' && bytes.get(i + 1).is_some_and(|b| b.is_ascii_alphabetic() || *b >= 0x80) {
                break;
            }
            i += 1;
        }
        return StringEnd::Open(line_end(bytes, at));
    }
    let mut i = at + 1;
    while i < bytes.len() {
        match bytes[i] {
            b'\n' => return StringEnd::Open(before_block(bytes, at, i)),
            b'"' => return StringEnd::Closed(i + 1),
            b'\\' if matches!(bytes.get(i + 1), Some(b'"' | b'\\')) => i += 2,
            _ => i += 1,
        }
    }
    StringEnd::Open(i)
}

/// Words that somebody forgot to close do not take the block behind them along: `unit Reaver "Reaver {`.
fn before_block(bytes: &[u8], at: usize, end: usize) -> usize {
    let line = bytes[at..end].trim_ascii_end();
    match line.strip_suffix(b"{") {
        Some(words) if words.ends_with(b" ") => at + words.len(),
        _ => end,
    }
}

pub(crate) struct Layout<'a> {
    /// The plain text; as long as the original.
    pub text: Cow<'a, str>,
    pub too_deep: bool,
    /// A `{` that is never closed.
    pub unclosed: Option<u32>,
    /// A `}` that closes nothing.
    pub stray: Option<u32>,
}

pub(crate) fn layout(text: &str) -> Layout<'_> {
    let bytes = text.as_bytes();
    // (bracket, how many newlines were pending when it was opened)
    let mut stack: Vec<(u8, usize)> = Vec::new();
    let mut pending: Vec<u32> = Vec::new();
    let mut out: Option<Vec<u8>> = None;
    let mut blank = |range: std::ops::Range<usize>, by: u8| out.get_or_insert_with(|| bytes.to_vec())[range].fill(by);
    let (mut too_deep, mut stray) = (false, None);
    // where each open `{` stands
    let mut braces: Vec<u32> = Vec::new();
    let mut forgotten = None;
    // the last newline that surely ends a line, and the longest way between two of them: no line is longer
    let (mut line_start, mut longest) = (0, 0);
    // where a string stopped that nobody closed
    let mut unclosed_words = None;
    let mut i = 0;
    loop {
        i = past_ordinary(bytes, i);
        if i >= bytes.len() {
            break;
        }
        match lexeme(bytes, i) {
            Lexeme::Open(b) => {
                if b == b'{' {
                    braces.push(i as u32);
                }
                stack.push((b, pending.len()));
                too_deep |= stack.len() > DEEPEST;
            }
            Lexeme::Close(b) => {
                if b == b'}' {
                    // a `}` in column 0 is the item's own: what is still open inside was forgotten
                    if braces.len() > 1 && i > 0 && bytes[i - 1] == b'\n' {
                        forgotten = braces.last().copied();
                    }
                    if braces.pop().is_none() {
                        stray = stray.or(Some(i as u32));
                    }
                }
                let want = opener(b);
                if let Some(k) = stack.iter().rposition(|(o, _)| *o == want)
                    // a `)` does not reach over an open `{`
                    && (b == b'}' || stack[k + 1..].iter().all(|(o, _)| *o != b'{'))
                {
                    let from = stack[k].1;
                    if b != b'}' {
                        for at in &pending[from..] {
                            blank(*at as usize..*at as usize + 1, b' ');
                        }
                    }
                    pending.truncate(from);
                    stack.truncate(k);
                }
            }
            Lexeme::Newline => {
                let behind = past(bytes, i, |b| matches!(b, b' ' | b'\n'));
                // words that go on in the next line would look whole if it were joined
                let is_open = unclosed_words.take() == Some(i);
                if let Some(next) = next_line_start(bytes, behind)
                    && joins(&bytes[next..])
                    && !is_open
                {
                    // all newlines up to the joining word, over blank lines and comments
                    blank(i..next, b' ');
                    i = next;
                    continue;
                }
                if stack.last().is_some_and(|(o, _)| *o != b'{') {
                    pending.push(i as u32);
                } else {
                    longest = longest.max(i - line_start);
                    line_start = i;
                    // blank lines behind it end nothing more
                    i = behind;
                    continue;
                }
            }
            Lexeme::Skip(end) => {
                match bytes[i] {
                    b'/' => blank(i..end, b' '),
                    _ if bytes.get(end) == Some(&b'\n') && string_end_at(bytes, i).closed().is_none() => unclosed_words = Some(end),
                    _ => {}
                }
                i = end;
                continue;
            }
            Lexeme::Other if matches!(bytes[i], b'\t' | b'\r' | 0x0B | 0x0C) => blank(i..i + 1, b' '),
            Lexeme::Other if bytes[i] == BROKEN => blank(i..i + 1, UNFIT),
            Lexeme::Other if bytes[i] >= 0x80 => {
                // names may use any alphabet, but nothing else from outside ASCII
                let c = text.get(i..).and_then(|t| t.chars().next());
                let len = c.map_or(1, char::len_utf8);
                if !c.is_some_and(char::is_alphabetic) {
                    blank(i..i + len, UNFIT);
                }
                i += len;
                continue;
            }
            Lexeme::Other => {}
        }
        i += 1;
    }
    let text = match out {
        // only whole characters were replaced, so this cannot fail; if it did, the text itself is the next best
        Some(out) => String::from_utf8(out).map_or(Cow::Borrowed(text), Cow::Owned),
        None => Cow::Borrowed(text),
    };
    too_deep |= longest.max(bytes.len() - line_start) > OF_DEEPEST && many_of(&text);
    Layout { text, too_deep, unclosed: braces.first().map(|first| forgotten.unwrap_or(*first)), stray }
}

/// How long a line is that holds too many ` of `, at least.
const OF_DEEPEST: usize = DEEPEST * " of ".len();

/// `set of set of set of …`: the one thing that nests without brackets.
fn many_of(plain: &str) -> bool {
    plain.split('\n').any(|line| line.len() > OF_DEEPEST && line.matches(" of ").count() > DEEPEST)
}

fn opener(close: u8) -> u8 {
    match close {
        b'}' => b'{',
        b')' => b'(',
        _ => b'[',
    }
}

/// The first character of the next line that is neither blank nor a comment.
pub(crate) fn next_line_start(bytes: &[u8], newline: usize) -> Option<usize> {
    let mut i = newline;
    loop {
        let rest = bytes.get(i..)?;
        i += rest.iter().position(|b| !matches!(b, b' ' | b'\t' | b'\r' | b'\n'))?;
        if bytes.get(i) == Some(&b'/') && bytes.get(i + 1) == Some(&b'/') {
            i = line_end(bytes, i);
        } else {
            return Some(i);
        }
    }
}
