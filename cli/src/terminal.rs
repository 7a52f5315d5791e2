//! Where output goes and what it may look like: colour, width, progress, and pipes that close early.

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

    pub fn bold(&self, text: &str) -> String {
        if self.color { format!("\x1b[1m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// Standard output. When its reader goes away, the rest is dropped quietly.
pub struct Out {
    inner: BufWriter<io::Stdout>,
    closed: bool,
}

impl Out {
    pub fn new() -> Self {
        Self { inner: BufWriter::new(io::stdout()), closed: false }
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
        let result = self.inner.write(bytes);
        self.quietly(result, bytes.len())
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
        if self.shown {
            let name: String = name.chars().take(50).collect();
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
    fn text_is_broken_between_words() {
        assert_eq!(wrapped("aa bb cc\n  dd ee", 5), "aa bb\ncc\n  dd\n  ee");
        assert_eq!(wrapped("a-very-long-word b", 4), "a-very-long-word\nb");
        assert_eq!(wrapped("", 4), "");
    }
}
