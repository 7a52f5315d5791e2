//! Text of any language: bold words, capitals, sentences.

use super::Run;

/// Marks around bold words while text is put together.
pub(super) const BOLD: char = '\u{2}';
const LIGHT: char = '\u{3}';

pub(super) fn bold(text: &str) -> String {
    format!("{BOLD}{text}{LIGHT}")
}

/// `DarkPact` and `dark_pact` → "Dark Pact", "dark pact"
pub(super) fn spaced(name: &str) -> String {
    let mut out = String::new();
    let mut before: Option<char> = None;
    for c in name.chars() {
        if c == '_' {
            out.push(' ');
        } else {
            if c.is_uppercase() && before.is_some_and(|b| b.is_lowercase() || b.is_ascii_digit()) {
                out.push(' ');
            }
            out.push(c);
        }
        before = Some(c);
    }
    out
}

/// First letter changed by `f`, marks skipped.
pub(super) fn first_letter(text: &str, f: impl Fn(char) -> String) -> String {
    let first = text.char_indices().find(|(_, c)| *c != BOLD && *c != '“');
    first.map_or_else(|| text.to_owned(), |(at, c)| [&text[..at], &f(c), &text[at + c.len_utf8()..]].concat())
}

pub(super) fn capital(text: &str) -> String {
    first_letter(text, |c| c.to_uppercase().collect())
}

/// A clause as a sentence: one space between words, a capital, a full stop.
pub(super) fn sentence(clause: &str) -> String {
    let tidy = tidy(clause);
    let bare = tidy.trim_end_matches(['.', ',', ' ']);
    if bare.is_empty() {
        return String::new();
    }
    let ended = bare.ends_with(['!', '?', '…']) || bare.ends_with(".”");
    format!("{}{}", capital(bare), if ended { "" } else { "." })
}

/// Without doubled spaces, or spaces before marks.
pub(super) fn tidy(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() && !word.starts_with([',', '.', ';', ':']) {
            out.push(' ');
        }
        out.push_str(word);
    }
    if out.contains(",,") { out.replace(",,", ",") } else { out }
}

/// Marked text as runs.
pub(super) fn runs(text: &str) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let mut bold = false;
    let mut current = String::new();
    for c in text.chars() {
        if c == BOLD || c == LIGHT {
            if !current.is_empty() {
                runs.push(Run { text: std::mem::take(&mut current), bold });
            }
            bold = c == BOLD;
        } else {
            current.push(c);
        }
    }
    if !current.is_empty() {
        runs.push(Run { text: current, bold });
    }
    runs
}
