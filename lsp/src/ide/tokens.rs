//! What each word is, for colours: by its meaning where it has one, else by how it is written.

use banneret_compiler::db::SourceFile;
use banneret_compiler::elaborate::Meaning;
use banneret_compiler::items::{DeclKind, Item, items};
use banneret_compiler::language::FUNCTIONS;
use banneret_grammar::span::Span;

use super::Ide;
use super::words::{self, Parsed, parsed};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TokenKind {
    Comment,
    Keyword,
    Text,
    Number,
    Kind,
    Enum,
    Member,
    Field,
    Action,
    Phase,
    Term,
    Card,
    Trait,
    Local,
    Module,
    Parameter,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    pub span: Span,
    pub kind: TokenKind,
    pub declares: bool,
}

/// The tokens of a stretch, in order, none over the end of a line.
pub fn tokens(ide: Ide<'_>, file: SourceFile, range: Span) -> Vec<Token> {
    let text: &str = file.text(ide.db);
    let mut out: Vec<Token> = Vec::new();
    for token in lexical(text) {
        if token.span.end >= range.start && token.span.start <= range.end {
            out.push(token);
        }
    }
    for item in items(ide.db, file) {
        let start = item.start(ide.db);
        if start <= range.end && start + item.text(ide.db).len() as u32 >= range.start {
            meant(ide, *item, &mut out);
        }
    }
    // of two about one word the meaning came later and counts
    out.sort_by_key(|t| t.span.start);
    let mut merged: Vec<Token> = Vec::with_capacity(out.len());
    for token in out {
        match merged.last_mut() {
            Some(last) if last.span == token.span => *last = token,
            // names in the holes of a text: the text gives way
            Some(last) if token.span.start < last.span.end => {
                let rest = Span::new(token.span.end, last.span.end);
                let kind = last.kind;
                last.span.end = token.span.start;
                let empty = last.span.start >= last.span.end;
                if empty {
                    merged.pop();
                }
                merged.push(token);
                if rest.start < rest.end {
                    merged.push(Token { span: rest, kind, declares: false });
                }
            }
            _ => merged.push(token),
        }
    }
    merged.retain(|t| t.span.end > range.start && t.span.start < range.end.max(range.start + 1));
    merged
}

fn meant(ide: Ide<'_>, item: Item<'_>, out: &mut Vec<Token>) {
    let start = item.start(ide.db);
    let text = item.text(ide.db);
    for (span, meaning) in words::of_item(ide, item).seen {
        let (kind, declares) = match &meaning {
            Meaning::Local(at) => (TokenKind::Local, *at == span),
            Meaning::Key(key) => match kind_of(ide, key) {
                Some(kind) => (kind, words::place(ide, key) == Some((item.file(ide.db), span.shifted(start)))),
                None => continue,
            },
        };
        // item words are what the language of this game is made of
        let word = kind == TokenKind::Kind && span.of(text).starts_with(char::is_lowercase) && span.start == 0;
        out.push(Token { span: span.shifted(start), kind: if word { TokenKind::Keyword } else { kind }, declares });
    }
}

fn kind_of(ide: Ide<'_>, key: &str) -> Option<TokenKind> {
    Some(match parsed(key) {
        Parsed::OfEvent(..) => TokenKind::Parameter,
        Parsed::Whole(_) => of_declared(words::declaration(ide, key)?.kind),
        Parsed::Inside(owner, _) => match words::declaration(ide, owner)?.kind {
            DeclKind::Enum | DeclKind::Option => TokenKind::Member,
            DeclKind::Card => TokenKind::Card,
            _ => TokenKind::Field,
        },
    })
}

fn of_declared(kind: DeclKind) -> TokenKind {
    match kind {
        DeclKind::Kind | DeclKind::Noun | DeclKind::Word => TokenKind::Kind,
        DeclKind::Enum | DeclKind::Also => TokenKind::Enum,
        DeclKind::Member => TokenKind::Member,
        DeclKind::Card => TokenKind::Card,
        DeclKind::Keyword => TokenKind::Trait,
        DeclKind::Action => TokenKind::Action,
        DeclKind::Phase => TokenKind::Phase,
        DeclKind::Define | DeclKind::Fact | DeclKind::Table => TokenKind::Term,
        DeclKind::Option | DeclKind::Resource | DeclKind::Length => TokenKind::Field,
        DeclKind::Ruleset => TokenKind::Module,
    }
}

/// What can be told from the writing alone.
fn lexical(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let mut at = 0;
    let mut add = |from: usize, to: usize, kind| out.push(Token { span: Span::new(from as u32, to as u32), kind, declares: false });
    while at < bytes.len() {
        let rest = &bytes[at..];
        let line = || rest.iter().position(|b| *b == b'\n').map_or(bytes.len(), |i| at + i);
        match rest[0] {
            b'/' if rest.starts_with(b"//") => {
                let end = line();
                add(at, end, TokenKind::Comment);
                at = end;
            }
            b'"' => {
                let mut end = at + 1;
                while end < bytes.len() && !matches!(bytes[end], b'"' | b'\n') {
                    end += if bytes[end] == b'\\' { 2 } else { 1 };
                }
                let end = (end + 1).min(bytes.len()).min(line().max(at + 1));
                if text.is_char_boundary(end) {
                    add(at, end, TokenKind::Text);
                }
                at = end;
            }
            b if b.is_ascii_digit() => {
                let mut end = at + rest.iter().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'.')).count();
                while bytes[at..end].ends_with(b".") {
                    end -= 1;
                }
                // the sign of a length or a target number
                if matches!(bytes.get(end), Some(b'"' | b'+' | b'%')) {
                    end += 1;
                }
                add(at, end, TokenKind::Number);
                at = end;
            }
            b if b.is_ascii_alphabetic() || b == b'_' || !b.is_ascii() => {
                let length: usize = text[at..].chars().take_while(|c| c.is_alphanumeric() || *c == '_').map(char::len_utf8).sum();
                let end = at + length.max(text[at..].chars().next().map_or(1, char::len_utf8));
                let word = &text[at..end];
                if banneret_grammar::words::is_reserved(word) {
                    add(at, end, TokenKind::Keyword);
                } else if bytes.get(end) == Some(&b'(') && FUNCTIONS.iter().any(|(f, _)| *f == word) {
                    add(at, end, TokenKind::Term);
                }
                at = end;
            }
            _ => at += 1,
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writing_alone_tells_something() {
        let text = "after x { move: 6\" } // é\n\"a { b\" 4+ max(2d6)";
        let told: Vec<(&str, TokenKind)> = lexical(text).into_iter().map(|t| (t.span.of(text), t.kind)).collect();
        assert_eq!(
            told,
            [
                ("after", TokenKind::Keyword),
                ("6\"", TokenKind::Number),
                ("// é", TokenKind::Comment),
                ("\"a { b\"", TokenKind::Text),
                ("4+", TokenKind::Number),
                ("max", TokenKind::Term),
                ("2d6", TokenKind::Number),
            ]
        );
    }
}
