//! Fields whose values are only numbers, names and lists of them: the grammar takes many of them as one token, and here they are taken
//! apart. What it let through is known, so a few signs tell everything.

use super::{Builder, P, number, unquote};
use crate::ast::{Expr, ExprKind, FieldDecl, FieldRole, Line, ListEntry, Number, Str, Type, TypeKind, Word};
use crate::span::Span;
use crate::words;

/// Where the reading of such a text is.
struct Scan<'t> {
    text: &'t str,
    at: usize,
    /// Where the text starts in its item.
    base: usize,
}

impl<'t> Scan<'t> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip(&mut self, is: impl Fn(u8) -> bool) {
        while self.peek().is_some_and(&is) {
            self.at += 1;
        }
    }

    /// The text up to the first byte that is not part of it, and its place.
    fn take(&mut self, is: impl Fn(u8) -> bool) -> (&'t str, Span) {
        let start = self.at;
        self.skip(is);
        (self.text.get(start..self.at).unwrap_or(""), self.since(start))
    }

    fn since(&self, start: usize) -> Span {
        Span::new((self.base + start) as u32, (self.base + self.at) as u32)
    }

    fn string(&mut self) -> (&'t str, Span) {
        let start = self.at;
        let rest = self.text.get(start..).unwrap_or("");
        let prose = rest.strip_prefix("\"\"\"").and_then(|t| t.find("\"\"\""));
        self.at += prose.map_or_else(|| words_length(rest), |n| n + 6);
        (self.text.get(start..self.at).unwrap_or(""), self.since(start))
    }
}

/// How long the words at the start of `text` are, with their quotes.
fn words_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut i = 1;
    while let Some(b) = bytes.get(i) {
        match b {
            b'"' => return i + 1,
            b'\\' if matches!(bytes.get(i + 1), Some(b'"' | b'\\')) => i += 2,
            _ => i += 1,
        }
    }
    bytes.len()
}

fn in_name(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80
}

fn in_value(b: u8) -> bool {
    !matches!(b, b' ' | b',' | b';' | b']' | b'}' | b'\n')
}

fn separates(b: u8) -> bool {
    matches!(b, b' ' | b',' | b';' | b'\n')
}

/// `d6`, `d6+1`, but not `d6x`.
fn is_number(text: &str) -> bool {
    match text.as_bytes() {
        [b'0'..=b'9', ..] => true,
        [b'd', rest @ ..] if rest.first().is_some_and(u8::is_ascii_digit) => {
            rest.iter().all(u8::is_ascii_digit) || !rest.iter().all(|b| in_name(*b))
        }
        _ => false,
    }
}

impl Builder<'_> {
    /// Reads a `fields` pair.
    pub(super) fn fields(&mut self, pair: &P, mut add: impl FnMut(Line)) {
        let mut scan = Scan { text: pair.as_str(), at: 0, base: pair.span().start as usize };
        while scan.at < scan.text.len() {
            let (name, at) = scan.take(in_name);
            // the colon
            scan.at += 1;
            scan.skip(|b| b == b' ');
            let errors = self.errors.len();
            let value = self.simple(&mut scan);
            let line = self.simple_field(name, at, value);
            if matches!(line, Line::State(_)) {
                // a type may be called anything
                self.errors.truncate(errors);
            }
            add(line);
            scan.skip(separates);
        }
    }

    fn simple_field(&mut self, name: &str, at: Span, value: Expr) -> Line {
        let span = at.to(value.span);
        if is_number(name) {
            return self.no_field_name(at, span);
        }
        let name = Word { text: name.into(), span: at };
        // behind some reserved words stands a type if it can
        if declares(&name.text)
            && let Some(ty) = type_of(&value, self.text)
        {
            return Line::State(FieldDecl {
                doc: self.doc(at.start),
                role: FieldRole::Plain,
                name,
                ty,
                default: None,
                covers: Vec::new(),
                span,
            });
        }
        Line::Field { name, binds: None, value, span }
    }

    fn simple(&mut self, scan: &mut Scan) -> Expr {
        let start = scan.at;
        match scan.peek() {
            Some(b'[') => {
                let list = self.simple_list(scan);
                Expr { kind: ExprKind::List(list), span: scan.since(start) }
            }
            Some(b'"') => {
                let (text, span) = scan.string();
                let text = unquote(text).into();
                Expr { kind: ExprKind::Str(Str { text, span }), span }
            }
            _ => {
                let head = self.scrap(scan);
                let end = scan.at;
                scan.skip(|b| b == b' ');
                // `1 AP`
                if !scan.peek().is_some_and(in_name) {
                    scan.at = end;
                    return head;
                }
                let arg = self.scrap(scan);
                Expr { kind: ExprKind::Run { head: Box::new(head), arg: Box::new(arg) }, span: scan.since(start) }
            }
        }
    }

    fn simple_list(&mut self, scan: &mut Scan) -> Vec<ListEntry> {
        let mut list = Vec::new();
        scan.at += 1;
        scan.skip(separates);
        while scan.peek().is_some_and(|b| b != b']') {
            let value = self.scrap(scan);
            list.push(ListEntry { label: None, value });
            scan.skip(separates);
        }
        scan.at += 1;
        list
    }

    /// A number or a name.
    fn scrap(&mut self, scan: &mut Scan) -> Expr {
        let (text, span) = scan.take(in_value);
        let kind = if is_number(text) {
            let n = number::number(text, false);
            if n == Number::Bad {
                self.bad_number(text, span);
            }
            ExprKind::Number(n)
        } else {
            self.check_name(text, span);
            ExprKind::Name(text.into())
        };
        Expr { kind, span }
    }
}

/// Reserved words that the grammar tries as the name of something declared before it takes them for a field.
fn declares(name: &str) -> bool {
    matches!(name.as_bytes().first(), Some(b'o'..=b't')) && words::is_reserved(name) && !matches!(name, "this" | "past" | "table")
}

/// The value read as a type, if it is one word.
fn type_of(value: &Expr, text: &str) -> Option<Type> {
    let word = value.span.of(text);
    if !word.starts_with(char::is_alphabetic) || !word.bytes().all(in_name) {
        return None;
    }
    let kind = if word == "Effect" {
        TypeKind::Effect { params: Vec::new() }
    } else {
        TypeKind::Named { name: Word { text: word.into(), span: value.span }, range: None }
    };
    Some(Type { kind, optional: false, span: value.span })
}
