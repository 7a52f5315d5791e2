//! The fields of a manifest with the place of each, before anybody asks what they mean.
//!
//! This reads the shape `( name: value, … )` of RON and keeps where everything stands, which the `ron` crate does not tell; the values
//! themselves are decoded by it.

use banneret_grammar::span::Span;

/// Deeper nesting is not read: what a manifest needs has two levels.
const DEEPEST: usize = 32;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    pub name: String,
    pub name_span: Span,
    pub value: Value,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    Text(String),
    List(Vec<(Value, Span)>),
    /// `( name: value, … )` inside the manifest.
    Fields(Vec<Field>),
    /// A number or a bare word, as written, and what to call it: it only lacks its quotes.
    Bare(String, &'static str),
    /// Something a manifest has no use for, and what to call it.
    Other(&'static str),
}

impl Value {
    /// What a person would call it.
    pub fn called(&self) -> &'static str {
        match self {
            Value::Text(_) => "text",
            Value::List(_) => "a list",
            Value::Fields(_) => "a group in parentheses",
            Value::Bare(_, name) | Value::Other(name) => name,
        }
    }
}

/// What is wrong with the shape, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    pub span: Span,
    pub headline: String,
    pub help: String,
}

/// The fields in order, and the span of the closing parenthesis.
pub fn read(text: &str) -> Result<(Vec<Field>, Span), Broken> {
    let mut reader = Reader { text, at: 0 };
    reader.skip();
    // `#![enable(…)]` and a type's name before the parenthesis are RON, and do no harm.
    while reader.starts("#![") {
        reader.until(']');
        reader.skip();
    }
    reader.word();
    reader.skip();
    if !reader.eat('(') {
        return Err(reader.broken("A manifest starts with `(`.", "Write the fields between `(` and `)`."));
    }
    let mut fields = Vec::new();
    loop {
        reader.skip();
        let here = reader.at;
        if reader.eat(')') {
            let end = reader.span(here);
            reader.skip();
            if reader.peek().is_some() {
                return Err(reader.broken("There is text after the manifest's last `)`.", "Remove it."));
            }
            return Ok((fields, end));
        }
        fields.push(reader.field(0)?);
        reader.skip();
        if !reader.eat(',') && reader.peek() != Some(')') {
            return Err(match reader.peek() {
                Some(_) => reader.broken("Two fields need a `,` between them.", "Write a `,` after the value."),
                None => reader.broken("The manifest ends before its `)`.", "Write `)` on the last line."),
            });
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn starts(&self, with: &str) -> bool {
        self.rest().starts_with(with)
    }

    fn eat(&mut self, c: char) -> bool {
        let found = self.peek() == Some(c);
        if found {
            self.at += c.len_utf8();
        }
        found
    }

    fn span(&self, from: usize) -> Span {
        Span::new(u32::try_from(from).unwrap_or(u32::MAX), u32::try_from(self.at).unwrap_or(u32::MAX))
    }

    /// At the next character, or at the end.
    fn broken(&self, headline: &str, help: &str) -> Broken {
        let end = self.at + self.peek().map_or(0, char::len_utf8);
        let span = Span::new(self.span(self.at).start, u32::try_from(end).unwrap_or(u32::MAX));
        Broken { span, headline: headline.to_owned(), help: help.to_owned() }
    }

    /// To behind the character, or to the end.
    fn until(&mut self, c: char) {
        self.at += self.rest().find(c).map_or(self.rest().len(), |n| n + c.len_utf8());
    }

    /// White space and comments; RON's `/* */` nest.
    fn skip(&mut self) {
        loop {
            let rest = self.rest();
            self.at += rest.len() - rest.trim_start().len();
            if self.starts("//") {
                self.until('\n');
            } else if self.starts("/*") {
                let mut depth = 0usize;
                while self.peek().is_some() {
                    if self.starts("/*") {
                        depth += 1;
                        self.at += 2;
                    } else if self.starts("*/") {
                        depth -= 1;
                        self.at += 2;
                    } else {
                        self.at += self.peek().map_or(0, char::len_utf8);
                    }
                    if depth == 0 {
                        break;
                    }
                }
            } else {
                return;
            }
        }
    }

    fn word(&mut self) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        self.at += end;
        rest.get(..end).unwrap_or("")
    }

    fn field(&mut self, depth: usize) -> Result<Field, Broken> {
        let from = self.at;
        let name = self.word().to_owned();
        let name_span = self.span(from);
        if name.is_empty() {
            return Err(match self.peek() {
                None => self.broken("The manifest ends before its `)`.", "Write `)` on the last line."),
                Some('"') => self.broken("A field's name is written without quotes.", "Write `name: \"…\"`."),
                Some(c) => self.broken(&format!("`{c}` cannot stand here."), "A field is written `name: value,`."),
            });
        }
        self.skip();
        if !self.eat(':') {
            return Err(self.broken(&format!("`{name}` needs a `:` and a value."), &format!("Write `{name}: \"…\",`.")));
        }
        self.skip();
        let from = self.at;
        let value = self.value(depth)?;
        Ok(Field { name, name_span, value, span: self.span(from) })
    }

    fn value(&mut self, depth: usize) -> Result<Value, Broken> {
        if depth > DEEPEST {
            return Err(self.broken("This is nested too deep.", "A manifest needs no more than a list of folders."));
        }
        match self.peek() {
            Some('"') => self.text_value(),
            Some('r') if self.starts("r\"") || self.starts("r#") => self.raw_text(),
            Some('[') => self.many('[', ']', depth).map(Value::List),
            Some('(') => self.group(depth),
            Some('{') => self.many('{', '}', depth).map(|_| Value::Other("a map")),
            Some('\'') => {
                self.eat('\'');
                self.until('\'');
                Ok(Value::Other("a character in single quotes"))
            }
            Some(c) if c.is_ascii_digit() || matches!(c, '-' | '+' | '.') => {
                let rest = self.rest();
                let end = rest.find(|c: char| !(c.is_alphanumeric() || "+-._".contains(c)));
                self.at += end.unwrap_or(rest.len());
                let written = rest.get(..end.unwrap_or(rest.len())).unwrap_or("");
                Ok(Value::Bare(written.to_owned(), "a number"))
            }
            Some(c) if c.is_alphabetic() || c == '_' => self.word_value(depth),
            Some(_) => Err(self.broken("A value is missing here.", "Write text in quotes, or a list in `[ ]`.")),
            None => Err(self.broken("The manifest ends before its `)`.", "Write the value, and `)` on the last line.")),
        }
    }

    /// `true`, `None`, a word without quotes, or `Some(value)`, which is the value.
    fn word_value(&mut self, depth: usize) -> Result<Value, Broken> {
        let word = self.word();
        self.skip();
        if self.peek() == Some('(') {
            let mut inner = self.many('(', ')', depth)?;
            return Ok(match (word, inner.pop()) {
                ("Some", Some((value, _))) if inner.is_empty() => value,
                _ => Value::Other("a group in parentheses"),
            });
        }
        Ok(match word {
            "true" | "false" => Value::Other("true or false"),
            "None" => Value::Other("nothing"),
            _ => Value::Bare(word.to_owned(), "a word without quotes"),
        })
    }

    /// `( name: value, … )`. A group of values without names is nothing that a manifest has a use for.
    fn group(&mut self, depth: usize) -> Result<Value, Broken> {
        let from = self.at;
        let mut ahead = Reader { text: self.text, at: from };
        ahead.eat('(');
        ahead.skip();
        let is_named = ahead.peek() == Some(')')
            || !ahead.word().is_empty() && {
                ahead.skip();
                ahead.peek() == Some(':')
            };
        if !is_named {
            return self.many('(', ')', depth).map(|_| Value::Other("a group in parentheses"));
        }
        self.eat('(');
        let mut fields = Vec::new();
        loop {
            self.skip();
            if self.eat(')') {
                return Ok(Value::Fields(fields));
            }
            if self.peek().is_none() {
                let start = self.span(from).start;
                return Err(Broken {
                    span: Span::new(start, start + 1),
                    headline: "This `(` is never closed.".to_owned(),
                    help: "Write `)` behind the last value.".to_owned(),
                });
            }
            fields.push(self.field(depth + 1)?);
            self.skip();
            if !self.eat(',') && !matches!(self.peek(), Some(')') | None) {
                return Err(self.broken("Two fields need a `,` between them.", "Write a `,` after the value."));
            }
        }
    }

    /// What stands between two brackets. Maps and groups may hold `name:` before a value.
    fn many(&mut self, open: char, close: char, depth: usize) -> Result<Vec<(Value, Span)>, Broken> {
        let from = self.at;
        self.eat(open);
        let unclosed = |reader: &Self| Broken {
            span: Span::new(reader.span(from).start, reader.span(from).start + 1),
            headline: format!("This `{open}` is never closed."),
            help: format!("Write `{close}` behind the last value."),
        };
        let mut values = Vec::new();
        loop {
            self.skip();
            if self.peek().is_none() {
                return Err(unclosed(self));
            }
            if self.eat(close) {
                return Ok(values);
            }
            let from = self.at;
            let mut value = self.value(depth + 1)?;
            let mut span = self.span(from);
            self.skip();
            if open != '[' && self.eat(':') {
                self.skip();
                let from = self.at;
                value = self.value(depth + 1)?;
                span = self.span(from);
                self.skip();
            }
            values.push((value, span));
            if !self.eat(',') && self.peek() != Some(close) {
                return Err(match self.peek() {
                    None => unclosed(self),
                    Some(_) => self.broken("Two values need a `,` between them.", "Write a `,` after the first."),
                });
            }
        }
    }

    fn text_value(&mut self) -> Result<Value, Broken> {
        let from = self.at;
        self.eat('"');
        loop {
            match self.peek() {
                Some('"') => break,
                Some('\n') | None => {
                    let start = self.span(from).start;
                    return Err(Broken {
                        span: Span::new(start, start + 1),
                        headline: "This text has no closing quote.".to_owned(),
                        help: "Write `\"` at its end, on the same line.".to_owned(),
                    });
                }
                Some('\\') => {
                    self.eat('\\');
                    self.at += self.peek().map_or(0, char::len_utf8);
                }
                Some(c) => self.at += c.len_utf8(),
            }
        }
        self.eat('"');
        self.decoded(from)
    }

    fn raw_text(&mut self) -> Result<Value, Broken> {
        let from = self.at;
        self.eat('r');
        let mut end = String::from("\"");
        while self.eat('#') {
            end.push('#');
        }
        self.eat('"');
        match self.rest().find(&end) {
            Some(n) => self.at += n + end.len(),
            None => self.at = self.text.len(),
        }
        self.decoded(from)
    }

    /// Escapes and raw text are RON's business.
    fn decoded(&self, from: usize) -> Result<Value, Broken> {
        let written = self.text.get(from..self.at).unwrap_or("");
        ron::from_str::<String>(written).map(Value::Text).map_err(|error| Broken {
            span: self.span(from),
            headline: format!("This text cannot be read: {}.", error.code),
            help: "Write a backslash as `\\\\` and a quote as `\\\"`.".to_owned(),
        })
    }
}
