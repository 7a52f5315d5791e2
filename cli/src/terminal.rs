//! Where output goes and what it may look like: colour, width, progress, and pipes that close early.

use std::borrow::Cow;
use std::io::{self, BufWriter, IsTerminal, Write};

use crate::args::ColorWhen;

/// How wide text is set when there is no terminal to ask.
const PLAIN_WIDTH: usize = 100;

#[derive(Clone, Copy, Debug)]
pub struct Terminal {
    pub color: bool,
    pub error_color: bool,
    /// Columns for text.
    pub width: usize,
    /// Standard output is a terminal.
    pub interactive: bool,
}

impl Terminal {
    pub fn new(when: ColorWhen) -> Self {
        let set = |name: &str| std::env::var_os(name).is_some_and(|v| !v.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|v| v == "dumb");
        let colored = |terminal: bool| match when {
            ColorWhen::Always => true,
            ColorWhen::Never => false,
            ColorWhen::Auto => terminal && !set("NO_COLOR") && !dumb,
        };
        let interactive = io::stdout().is_terminal();
        let width = terminal_size::terminal_size().map_or(PLAIN_WIDTH, |(w, _)| usize::from(w.0));
        Self { color: colored(interactive), error_color: colored(io::stderr().is_terminal()), width: width.clamp(40, 120), interactive }
    }

    /// Text for somewhere else: no colour, nobody who reads along.
    pub fn plain() -> Self {
        Self { color: false, error_color: false, width: PLAIN_WIDTH, interactive: false }
    }

    pub fn bold(&self, text: &str) -> String {
        if self.color { format!("\x1b[1m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// Text from anywhere, with nothing in it that steers a terminal or turns what is read around. With colours, those stay.
pub fn harmless(text: &str, color: bool) -> Cow<'_, str> {
    if !text.contains(steers) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(steers) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let colored = color.then(|| color_code(from)).flatten();
        if let Some((code, after)) = colored {
            out.push_str(code);
            rest = after;
            continue;
        }
        let mut letters = from.chars();
        match letters.next() {
            Some(c) if c.is_ascii() => out.extend(char::from_u32(0x2400 + (u32::from(c) & 0x1f) + if c == '\x7f' { 2 } else { 0 })),
            _ => out.push(char::REPLACEMENT_CHARACTER),
        }
        rest = letters.as_str();
    }
    out.push_str(rest);
    Cow::Owned(out)
}

fn steers(c: char) -> bool {
    (c.is_control() && !matches!(c, '\n' | '\t')) || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A code at the start of a text that changes colour or weight and nothing else, and what follows it.
fn color_code(text: &str) -> Option<(&str, &str)> {
    let inside = text.strip_prefix("\x1b[")?;
    let end = inside.find(|c: char| !c.is_ascii_digit() && c != ';')?;
    inside.get(end..)?.starts_with('m').then(|| text.split_at(end + 3))
}

/// Standard output. When its reader goes away, the rest is dropped quietly.
pub struct Out {
    inner: BufWriter<io::Stdout>,
    color: bool,
    closed: bool,
}

impl Out {
    pub fn new(color: bool) -> Self {
        Self { inner: BufWriter::new(io::stdout()), color, closed: false }
    }

    /// Bytes as they are, for what somebody pipes through the command.
    pub fn write_as_is(&mut self, bytes: &[u8]) -> io::Result<()> {
        let result = self.inner.write_all(bytes);
        self.quietly(result, ())
    }

    /// Nobody reads any more.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    fn quietly<T>(&mut self, result: io::Result<T>, otherwise: T) -> io::Result<T> {
        match result {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(otherwise)
            }
            other => other,
        }
    }
}

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.closed {
            return Ok(bytes.len());
        }
        let result = match std::str::from_utf8(bytes) {
            Ok(text) => self.inner.write_all(harmless(text, self.color).as_bytes()),
            // a piece of a letter: only whole ones can be told from what steers
            Err(_) => self.inner.write_all(harmless(&String::from_utf8_lossy(bytes), self.color).as_bytes()),
        };
        self.quietly(result.map(|()| bytes.len()), bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.closed {
            return Ok(());
        }
        let result = self.inner.flush();
        self.quietly(result, ())
    }
}

/// One line on the terminal that says how far long work has come. Says nothing when standard error is a pipe.
pub struct Progress {
    shown: bool,
    total: usize,
    done: usize,
    verb: &'static str,
}

impl Progress {
    pub fn new(verb: &'static str, total: usize) -> Self {
        Self { shown: total > 1 && io::stderr().is_terminal(), total, done: 0, verb }
    }

    pub fn step(&mut self, name: &str) {
        self.done += 1;
        if !name.is_empty() {
            crate::budget::doing(format!("{} {name}", self.verb.to_lowercase()));
        }
        if self.shown {
            let name: String = harmless(name, false).chars().take(50).collect();
            let _ = write!(io::stderr(), "\r\x1b[K{} {}/{} {name}", self.verb, self.done, self.total);
            let _ = io::stderr().flush();
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.shown {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

/// Breaks text between words so that no line is wider than `width`; lines that are there stay.
pub fn wrapped(text: &str, width: usize) -> String {
    let mut result: Vec<String> = Vec::new();
    for line in text.lines() {
        let indent: String = line.chars().take_while(|c| *c == ' ').collect();
        let mut current = indent.clone();
        let mut empty = true;
        for word in line.split_whitespace() {
            if !empty && current.chars().count() + 1 + word.chars().count() > width {
                result.push(std::mem::replace(&mut current, indent.clone()));
                empty = true;
            }
            if !empty {
                current.push(' ');
            }
            current.push_str(word);
            empty = false;
        }
        result.push(if empty { String::new() } else { current });
    }
    result.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_steers_but_our_colours() {
        assert_eq!(harmless("a\tb\n", false), "a\tb\n");
        assert_eq!(harmless("\x1b[1mx\x1b[0m\x1b[2J\x07", false), "␛[1mx␛[0m␛[2J␇");
        assert_eq!(harmless("\x1b[1mx\x1b[0m\x1b[2J\x7f", true), "\x1b[1mx\x1b[0m␛[2J␡");
        assert_eq!(harmless("a\u{202e}b\u{9b}", true), "a\u{fffd}b\u{fffd}");
    }

    #[test]
    fn text_is_broken_between_words() {
        assert_eq!(wrapped("aa bb cc\n  dd ee", 5), "aa bb\ncc\n  dd\n  ee");
        assert_eq!(wrapped("a-very-long-word b", 4), "a-very-long-word\nb");
        assert_eq!(wrapped("", 4), "");
    }
}
