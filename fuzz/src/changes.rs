//! How bytes and texts are changed.

use banneret_runtime::hosts::seeded::Generator;

use crate::one_of;

/// Numbers at the edges of what is counted.
const EDGES: [u8; 8] = [0, 1, 2, 16, 127, 128, 254, 255];

/// Longer than this nothing grows: a reader's time is bounded by what it is given.
const LONGEST: usize = 60_000;

fn place(length: usize, generator: &mut Generator) -> usize {
    generator.below(length as u64 + 1) as usize
}

/// A piece of something so long, mostly short.
fn range(length: usize, generator: &mut Generator) -> std::ops::Range<usize> {
    let start = place(length, generator);
    let longest = [2, 8, 64, length][generator.below(4) as usize];
    start..(start + 1 + place(longest, generator)).min(length)
}

/// Changes bytes from a place on: those before it only say what the rest is.
pub fn bytes(from: &[u8], start: usize, others: &[Vec<u8>], generator: &mut Generator) -> Vec<u8> {
    let (head, rest) = from.split_at(start.min(from.len()));
    let mut bytes = rest.to_vec();
    for _ in 0..=generator.below(4) {
        let here = range(bytes.len(), generator);
        match generator.below(9) {
            0 => bytes.iter_mut().skip(here.start).take(1).for_each(|byte| *byte ^= 1 << generator.below(8)),
            1 => bytes.iter_mut().skip(here.start).take(1).for_each(|byte| *byte = generator.below(256) as u8),
            2 => bytes.iter_mut().skip(here.start).take(1).for_each(|byte| *byte = EDGES[generator.below(8) as usize]),
            3 => bytes.iter_mut().skip(here.start).take(1).for_each(|byte| *byte = byte.wrapping_add(1)),
            4 => drop(bytes.drain(here)),
            5 => {
                let again = bytes[here.clone()].to_vec();
                bytes.splice(here.start..here.start, again);
            }
            6 => bytes.insert(here.start.min(bytes.len()), generator.below(256) as u8),
            7 => {
                let Some(other) = one_of(others, generator) else { continue };
                let taken = other[range(other.len(), generator)].to_vec();
                bytes.splice(here, taken);
            }
            _ if generator.below(4) == 0 => bytes.truncate(here.start),
            _ => {}
        }
        bytes.truncate(LONGEST);
    }
    [head, &bytes].concat()
}

/// Words, numbers and signs; spaces belong to what is before them.
fn tokens(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let (mut start, mut before) = (0, ' ');
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    for (at, c) in text.char_indices() {
        if at > start && !(is_word(before) && is_word(c)) && !c.is_whitespace() {
            out.push(&text[start..at]);
            start = at;
        }
        before = c;
    }
    out.push(&text[start..]);
    out
}

/// Things that readers stumble over.
const STRANGE: [&str; 30] = [
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "<",
    ">",
    "\"",
    "'",
    "//",
    "/*",
    ",",
    ":",
    "..",
    "\n",
    "\r",
    "\t",
    "\0",
    "\u{feff}",
    "\u{202e}",
    "\u{1b}[2J",
    "é",
    "🂡",
    "-1",
    "0",
    "99999999999999999999999",
    "9223372036854775807",
    "1e999",
    "\\",
];

/// Signs that are opened many times.
const OPENED: [(&str, &str); 6] = [("(", ")"), ("[", "]"), ("{\n", "}\n"), ("not ", ""), ("-", ""), ("\"", "\"")];

/// Changes a text by its tokens and lines. `strange`: what else may stand in it.
pub fn text(from: &str, strange: &[&str], others: &[Vec<u8>], generator: &mut Generator) -> String {
    let mut text = from.to_owned();
    for _ in 0..=generator.below(4) {
        text = match generator.below(12) {
            0..=7 => by_tokens(&text, strange, others, generator),
            8..=10 => by_lines(&text, others, generator),
            _ => {
                let changed = bytes(text.as_bytes(), 0, others, generator);
                String::from_utf8_lossy(&changed).into_owned()
            }
        };
        if text.len() > LONGEST {
            let end = (0..=LONGEST).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
            text.truncate(end);
        }
    }
    text
}

fn by_tokens(text: &str, strange: &[&str], others: &[Vec<u8>], generator: &mut Generator) -> String {
    let mut tokens = tokens(text);
    let (here, there) = (range(tokens.len(), generator), place(tokens.len().saturating_sub(1), generator));
    let number;
    let opened;
    let other;
    match generator.below(8) {
        0 => drop(tokens.drain(here)),
        1 => {
            let again = tokens[here.clone()].to_vec();
            tokens.splice(here.start..here.start, again);
        }
        2 if here.start < tokens.len() => tokens.swap(here.start, there),
        3 => {
            let word = one_of(strange, generator).or(one_of(&STRANGE, generator)).copied().unwrap_or_default();
            tokens.insert(here.start, word);
        }
        4 => tokens.insert(here.start, one_of(&STRANGE, generator).copied().unwrap_or_default()),
        5 => {
            number = match generator.below(3) {
                0 => generator.below(10).to_string(),
                1 => generator.below(100_000).to_string(),
                _ => (generator.next_u64() as i64).to_string(),
            };
            let numbers: Vec<usize> = (0..tokens.len()).filter(|at| tokens[*at].starts_with(|c: char| c.is_ascii_digit())).collect();
            if let Some(at) = one_of(&numbers, generator) {
                tokens[*at] = &number;
            }
        }
        6 if generator.below(8) == 0 => {
            let many = [3, 40, 300, 2000][generator.below(4) as usize];
            let (open, close) = OPENED[generator.below(6) as usize];
            opened = (open.repeat(many), close.repeat(many));
            let end = here.end.max(here.start);
            tokens.insert(end, &opened.1);
            tokens.insert(here.start, &opened.0);
        }
        _ => {
            other = one_of(others, generator).map(|other| String::from_utf8_lossy(other)).unwrap_or_default();
            let theirs = self::tokens(&other);
            let taken = theirs[range(theirs.len(), generator)].to_vec();
            tokens.splice(here, taken);
        }
    }
    tokens.concat()
}

fn by_lines(text: &str, others: &[Vec<u8>], generator: &mut Generator) -> String {
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    let here = range(lines.len(), generator);
    let other;
    match generator.below(4) {
        0 => drop(lines.drain(here)),
        1 => {
            let again = lines[here.clone()].to_vec();
            lines.splice(here.start..here.start, again);
        }
        2 => {
            let moved: Vec<&str> = lines.drain(here).collect();
            let to = place(lines.len(), generator);
            lines.splice(to..to, moved);
        }
        _ => {
            other = one_of(others, generator).map(|other| String::from_utf8_lossy(other)).unwrap_or_default();
            let theirs: Vec<&str> = other.split_inclusive('\n').collect();
            let taken = theirs[range(theirs.len(), generator)].to_vec();
            lines.splice(here, taken);
        }
    }
    lines.concat()
}
