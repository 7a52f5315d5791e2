//! Fields that hold nothing but names, numbers, strings and lists of them: most lines of a card. What the rule `simple` of the grammar
//! matches, found without asking it; what is harder to tell is left to the grammar.

use crate::layout::string_piece;

pub(crate) fn is_letter(b: u8) -> bool {
    b.is_ascii_alphabetic()
}

/// Letters, digits, `_`, and everything outside of ASCII.
pub(crate) const IN_WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut b = 0;
    while b < 256 {
        table[b] = matches!(b as u8, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | 0x80..);
        b += 1;
    }
    table
};

/// The end of the fields that start at `at`, with the white space and signs behind them; None if there are none.
pub(crate) fn fields_end(bytes: &[u8], at: usize) -> Option<usize> {
    let mut end = None;
    let mut from = at;
    while let Some(field) = field(bytes, from) {
        end = Some(field.end);
        from = field.end;
    }
    end
}

/// Where the value of a field starts and ends, and where the white space and signs behind it end.
pub(crate) struct Field {
    pub value: usize,
    pub value_end: usize,
    pub end: usize,
}

/// The field that starts at `at`.
pub(crate) fn field(bytes: &[u8], at: usize) -> Option<Field> {
    let name = word_end(bytes, at)?;
    if bytes.get(name) != Some(&b':') {
        return None;
    }
    let value = past_spaces(bytes, name + 1);
    let value_end = value_end(bytes, value)?;
    let behind = past_spaces(bytes, value_end);
    let end = match bytes.get(behind)? {
        b'}' => behind,
        b',' | b';' | b'\n' => past(bytes, behind, |b| matches!(b, b' ' | b'\n' | b',' | b';')),
        _ => return None,
    };
    Some(Field { value, value_end, end })
}

fn value_end(bytes: &[u8], at: usize) -> Option<usize> {
    match bytes.get(at)? {
        b'[' => list_end(bytes, at),
        b'"' => string_piece(bytes, at).closed(),
        b'0'..=b'9' => {
            let end = number_end(bytes, at)?;
            // `1 AP`
            let unit = past_spaces(bytes, end);
            let is_unit = unit > end && bytes.get(unit).is_some_and(u8::is_ascii_uppercase);
            Some(if is_unit { past(bytes, unit, in_word) } else { end })
        }
        _ => name_end(bytes, at),
    }
}

fn list_end(bytes: &[u8], at: usize) -> Option<usize> {
    let mut i = past_spaces(bytes, at + 1);
    if bytes.get(i) == Some(&b']') {
        return Some(i + 1);
    }
    loop {
        let entry = if bytes.get(i)?.is_ascii_digit() { number_end(bytes, i)? } else { name_end(bytes, i)? };
        i = past_spaces(bytes, entry);
        match bytes.get(i)? {
            b']' => return Some(i + 1),
            b',' => i = past_spaces(bytes, i + 1),
            _ => return None,
        }
    }
}

/// `3`, `4+`, `6"`, `50%`, `12mm`; and nothing that a sign behind it could make longer.
fn number_end(bytes: &[u8], at: usize) -> Option<usize> {
    let digits = past(bytes, at, |b| b.is_ascii_digit());
    let end = match bytes.get(digits)? {
        b'+' | b'"' | b'%' => digits + 1,
        b if is_letter(*b) => past(bytes, digits, in_word),
        _ => digits,
    };
    matches!(bytes.get(end)?, b' ' | b',' | b';' | b'\n' | b']' | b'}').then_some(end)
}

/// A word that is not dice.
fn name_end(bytes: &[u8], at: usize) -> Option<usize> {
    let end = word_end(bytes, at)?;
    let dice = bytes.get(at) == Some(&b'd') && bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
    (!dice).then_some(end)
}

fn word_end(bytes: &[u8], at: usize) -> Option<usize> {
    bytes.get(at).copied().filter(|b| is_letter(*b))?;
    Some(past(bytes, at + 1, in_word))
}

pub(crate) fn in_word(b: u8) -> bool {
    IN_WORD[usize::from(b)]
}

fn past_spaces(bytes: &[u8], from: usize) -> usize {
    past(bytes, from, |b| b == b' ')
}

/// The first place from `from` on that holds something else.
pub(crate) fn past(bytes: &[u8], from: usize, is: impl Fn(u8) -> bool) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    from + rest.iter().position(|b| !is(*b)).unwrap_or(rest.len())
}
