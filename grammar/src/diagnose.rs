//! Why a line could not be read, in the words of somebody who knows games and not grammars.

mod habits;

use crate::code::Code;
use crate::error::SyntaxError;
use crate::layout::{self, Lexeme, lexeme};
use crate::signs;
use crate::span::Span;
use crate::words;

struct Line<'a> {
    text: &'a str,
    plain: &'a str,
    span: Span,
    /// Where the grammar could not go on: the start of a token, or the end of the line.
    at: usize,
}

/// Finds the one thing to say about a line that the grammar could not get past `at`.
pub(crate) fn diagnose(text: &str, plain: &str, line: Span, at: u32) -> SyntaxError {
    let bytes = plain.as_bytes();
    let mut at = (at as usize).min(bytes.len());
    while bytes.get(at) == Some(&b' ') {
        at += 1;
    }
    while !plain.is_char_boundary(at) {
        at -= 1;
    }
    let line = Line { text, plain, span: line, at };
    let mut error = line
        .word_twice()
        .or_else(|| line.missing_brace())
        .or_else(|| signs::foreign(text, line.whole()))
        .or_else(|| line.unclosed())
        .or_else(|| line.wrong_quotes())
        .or_else(|| line.condition_word())
        .or_else(|| line.names())
        .or_else(|| line.header_word())
        .or_else(|| line.line_word())
        .or_else(|| line.wrong_operator())
        .or_else(|| line.braced_value())
        .or_else(|| line.missing_value())
        .or_else(|| line.missing_space())
        .or_else(|| line.bad_number())
        .or_else(|| line.reserved())
        .or_else(|| line.missing_word())
        .or_else(|| line.missing_block())
        .or_else(|| line.second_field())
        .or_else(|| line.inner_quotes())
        .or_else(|| line.semicolon_in_list())
        .or_else(|| line.change_first())
        .unwrap_or_else(|| line.unexpected());
    // in the plain text a foreign character is several: a span must not end inside it
    let Span { start, end } = error.span;
    error.span = Span::new(text.floor_char_boundary(start as usize) as u32, text.ceil_char_boundary(end as usize) as u32);
    error
}

fn span(start: usize, end: usize) -> Span {
    Span::new(start as u32, end as u32)
}

impl<'a> Line<'a> {
    fn bytes(&self) -> &'a [u8] {
        self.plain.as_bytes()
    }

    fn end(&self) -> usize {
        (self.span.end as usize).min(self.plain.len())
    }

    fn rest(&self) -> &'a str {
        self.plain.get(self.at..).unwrap_or("")
    }

    fn before(&self) -> &'a str {
        self.plain.get(self.span.start as usize..self.at).unwrap_or("").trim_end()
    }

    /// The line with what stands behind its block.
    fn whole(&self) -> Span {
        let end = self.text.get(self.at..).and_then(|rest| rest.find('\n')).map_or(self.text.len(), |i| self.at + i);
        Span::new(self.span.start, self.span.end.max(end as u32))
    }

    fn first_word(&self) -> &'a str {
        let line = self.plain.get(self.span.start as usize..self.end()).unwrap_or("").trim_start();
        line.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("")
    }

    /// The token that starts at `at`; empty at the end of the line.
    fn token(&self) -> &'a str {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else {
            return "";
        };
        if first == '\n' {
            return "";
        }
        if first.is_alphanumeric() {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            return &rest[..end];
        }
        if first == '"' {
            return &rest[..layout::string_end(self.bytes(), self.at) - self.at];
        }
        let end = rest.find(|c: char| !"=!<>&|+-*/.".contains(c)).unwrap_or(rest.len());
        if end == 0 { &rest[..first.len_utf8()] } else { &rest[..end] }
    }

    /// A string, `(` or `[` without its other end.
    fn unclosed(&self) -> Option<SyntaxError> {
        let bytes = self.bytes();
        let mut stack: Vec<(usize, u8)> = Vec::new();
        let mut i = self.span.start as usize;
        while i < self.end() {
            match lexeme(bytes, i) {
                Lexeme::Open(b) => stack.push((i, b)),
                Lexeme::Close(b) if b != b'}' => match stack.pop() {
                    Some((_, open)) if open != b'{' => {}
                    _ => return Some(self.closes_nothing(i, b)),
                },
                Lexeme::Close(_) => {
                    stack.pop();
                }
                Lexeme::Skip(end) => {
                    if bytes[i] == b'"' && (end < i + 2 || bytes[end - 1] != b'"') {
                        if let Some(error) = self.quoted_length(i).or_else(|| self.unopened(i)) {
                            return Some(error);
                        }
                        let stop = i + self.plain.get(i..end).map_or(0, |t| t.trim_end().len());
                        let message = "These words start with a `\"` and do not end with one.";
                        let error = SyntaxError::new(Code::UnclosedString, span(i, stop), message).help("Write `\"` where the words end.");
                        let words = self.plain.get(i..stop).unwrap_or("");
                        // in the header of a card more may follow the title
                        let more = bytes.get(end) == Some(&b'{') && [" of ", " from ", " template"].iter().any(|w| words.contains(w));
                        return Some(if more { error } else { error.fix(span(stop, stop), "\"") });
                    }
                    i = end;
                    continue;
                }
                _ => {}
            }
            i += 1;
        }
        let (at, open) = stack.into_iter().rfind(|(_, b)| *b != b'{')?;
        let close = if open == b'(' { ')' } else { ']' };
        let end = self.span.start as usize + self.plain.get(self.span.start as usize..self.end())?.trim_end().len();
        let end = match open {
            // `kind Unit (units is card`: the plural is one word
            b'(' if self.span.start == 0 && self.first_word() == "kind" => self.plain.get(at..end)?.find(' ').map_or(end, |n| at + n),
            b'(' => self.call_end(at, end),
            _ => self.list_end(at, end),
        };
        let message = format!("This `{}` is never closed.", open as char);
        Some(
            SyntaxError::new(Code::UnclosedBracket, span(at, at + 1), message)
                .help(format!("Write `{close}` where it ends."))
                .fix(span(end, end), close.to_string()),
        )
    }

    /// Where the values of a call that is never closed seem to end: before what is done with the result.
    fn call_end(&self, open: usize, end: usize) -> usize {
        let is_call = open > 0 && self.bytes()[open - 1].is_ascii_alphanumeric();
        let inside = self.plain.get(open..end).unwrap_or("");
        if !is_call || inside.contains(" where ") {
            return end;
        }
        let signs = [" == ", " != ", " <= ", " >= ", " < ", " > ", " and ", " or ", " blame ", " rounded "];
        // what follows in the head of an action
        let more: &[&str] =
            if self.first_word() == "action" { &[" to ", " by ", " with ", " from ", " on ", " for ", " once "] } else { &[] };
        let first = signs.iter().chain(more).filter_map(|s| inside.find(s)).min();
        first.map_or(end, |at| open + at)
    }

    /// Where a list that is never closed seems to end: before the next field in its line.
    fn list_end(&self, open: usize, end: usize) -> usize {
        let inside = self.plain.get(open..end).unwrap_or("");
        let is_field = |rest: &str| {
            let word = rest.trim_start();
            let after = word.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_');
            after.len() < word.len() && after.starts_with(':') && word.starts_with(char::is_lowercase)
        };
        inside.match_indices(',').find(|(i, _)| is_field(&inside[i + 1..])).map_or(end, |(i, _)| open + i)
    }

    /// Quotes of a word processor, or single ones.
    fn wrong_quotes(&self) -> Option<SyntaxError> {
        let at = self.text.floor_char_boundary(self.at);
        let rest = self.text.get(at..)?.lines().next()?;
        let open = rest.chars().next()?;
        if !"“”„‟«»‘’‚'`".contains(open) {
            return None;
        }
        let inside = rest.get(open.len_utf8()..)?;
        let error = |end: usize| {
            let message = "Words are put between straight quotes: `\"`.";
            SyntaxError::new(Code::UnexpectedToken, span(at, at + end), message)
        };
        let Some((words, close)) = inside
            .rfind(|c: char| "“”„‟«»‘’‚'`".contains(c))
            .map(|i| (&inside[..i], &inside[i..]))
            .filter(|(words, _)| !words.contains('"'))
        else {
            return Some(error(open.len_utf8()).help("Write `\"` at both ends of the words."));
        };
        let end = open.len_utf8() + words.len() + close.chars().next().map_or(0, char::len_utf8);
        Some(error(end).fix(span(at, at + end), format!("\"{words}\"")))
    }

    /// `cost: 2 points: 10`: two fields and nothing between them.
    fn second_field(&self) -> Option<SyntaxError> {
        if self.token() != ":" {
            return None;
        }
        let before = self.before();
        let word = before.rsplit(' ').next()?;
        let rest = before.strip_suffix(word)?;
        if !rest.contains(':') || !word.chars().all(|c| c.is_alphanumeric() || c == '_') {
            return None;
        }
        let start = self.plain.get(..self.at)?.trim_end().len() - word.len();
        let gap = self.plain.get(..start)?.trim_end().len();
        let message = format!("`{word}` starts another field in the same line.");
        Some(
            SyntaxError::new(Code::UnexpectedToken, span(start, start + word.len()), message)
                .help("Put a comma before it, or give it its own line.")
                .fix(span(gap, gap), ","),
        )
    }

    fn wrong_operator(&self) -> Option<SyntaxError> {
        let token = self.token();
        let asks = matches!(self.first_word(), "if" | "need" | "expect" | "while") || self.before().contains("where ");
        let (wrong, right, what) = match token {
            _ if token.starts_with("&&") => ("&&", "and", "\"and\" is written"),
            "&" => ("&", "and", "\"and\" is written"),
            _ if token.starts_with("||") => ("||", "or", "\"or\" is written"),
            "=" if asks => ("=", "==", "Whether two things are equal is asked with"),
            "===" => ("===", "==", "Whether two things are equal is asked with"),
            "=>" if asks => ("=>", ">=", "\"At least\" is written"),
            "=>" => ("=>", "->", "The value of a row is written after"),
            "=<" => ("=<", "<=", "\"At most\" is written"),
            "<>" => ("<>", "!=", "\"Not equal\" is written"),
            "!" => ("!", "not ", "\"not\" is written"),
            _ => return None,
        };
        let at = span(self.at, self.at + wrong.len());
        Some(SyntaxError::new(Code::WrongOperator, at, format!("{what} `{}`, not `{wrong}`.", right.trim())).fix(at, right))
    }

    /// The line, or a bracket, ends where a value should stand.
    fn missing_value(&self) -> Option<SyntaxError> {
        let ends =
            |at: usize| at >= self.end() || matches!(self.bytes().get(at), None | Some(b'\n' | b'}' | b',' | b';' | b')' | b']' | b'{'));
        if let Some(error) = self.empty_entry() {
            return Some(error);
        }
        // the grammar may have stopped before the word that wants a value, or behind it
        let token = self.token();
        let after = self.at + token.len();
        let next = after + self.plain.get(after..).map_or(0, |t| t.len() - t.trim_start_matches(' ').len());
        let (last, at) = if !token.is_empty() && wants_value(token) && ends(next) {
            (token, after)
        } else if ends(self.at) {
            let before = self.before();
            let last = before.rsplit([' ', '(', '[', ',', ';', '\n']).next().unwrap_or("");
            (last, self.plain.get(..self.at)?.trim_end().len())
        } else {
            return None;
        };
        if last == "{" && self.bytes().get(self.at) == Some(&b'}') {
            return Some(SyntaxError::new(Code::MissingValue, span(self.at, self.at), "Here a value is missing between `{` and `}`."));
        }
        let error = wants_value(last)
            .then(|| SyntaxError::new(Code::MissingValue, span(at, at), format!("Here a value is missing after `{last}`.")))?;
        // `skill: 3 +`
        let Some(number) = self.plain.get(..at)?.strip_suffix('+') else { return Some(error) };
        let tight = number.trim_end();
        Some(match tight.ends_with(|c: char| c.is_ascii_digit()) && tight.len() < number.len() {
            true => error.help("A target number is written without a space: `4+`.").fix(span(tight.len(), number.len()), ""),
            false => error,
        })
    }

    /// `[1, , 2]`, `sum(, 2)`, `()`: nothing stands between two signs of a list.
    fn empty_entry(&self) -> Option<SyntaxError> {
        let next = *self.bytes().get(self.at).filter(|b| matches!(b, b',' | b')' | b']'))?;
        let last = self.before().chars().next_back().filter(|c| matches!(c, ',' | '(' | '['))?;
        let message = format!("Here a value is missing between `{last}` and `{}`.", next as char);
        let error = SyntaxError::new(Code::MissingValue, span(self.at, self.at + 1), message);
        Some(match (last, next) {
            ('(', b')') => error,
            (_, b',') => error.help("Write the value, or leave the comma out."),
            _ => error.help("Write the value, or leave the comma before it out."),
        })
    }

    /// `a -1`, `a+b`: without spaces on both sides a sign belongs to a number.
    fn missing_space(&self) -> Option<SyntaxError> {
        let sign = self.token();
        if !matches!(sign, "+" | "-" | "*" | "/" | "<" | ">" | "==" | "!=" | "<=" | ">=") || self.before().is_empty() {
            return None;
        }
        let bytes = self.bytes();
        let (left, right) = (bytes.get(self.at.checked_sub(1)?)?, bytes.get(self.at + sign.len())?);
        let (tight_left, tight_right) = (*left != b' ', !matches!(right, b' ' | b'\n'));
        if !tight_left && !tight_right {
            return None;
        }
        let at = span(self.at, self.at + sign.len());
        if let Some(error) = self.no_sum(sign, at) {
            return Some(error);
        }
        // `6/4/2`, `power/health: 1/2`: nothing is divided here
        if sign == "/" && (self.before().rsplit(' ').next()?.contains('/') || self.field_follows()) {
            return None;
        }
        // a sign beside quotes adds nothing up either
        if *left == b'"' && !self.before().ends_with(|c: char| c.is_ascii_digit()) && self.before().matches('"').count() > 1
            || *right == b'"'
        {
            return None;
        }
        // `attack: 6-4` on a card: two numbers and no sum
        let digit = |b: &u8| b.is_ascii_digit();
        if sign == "-" && digit(left) && digit(right) && self.before().contains(": ") && self.field_ends(self.at + 1) {
            let start = self.before().rfind(": ").map_or(self.at, |colon| self.span.start as usize + colon + 2);
            let end = self.at + 1 + self.rest().get(1..)?.find(|c: char| !c.is_ascii_digit()).unwrap_or(0);
            let message = "Here stand two numbers, and a field has one.";
            let help = "Write one of them; two that belong together are written `6/4`.";
            return Some(SyntaxError::new(Code::BadNumber, span(start.min(self.at), end.max(self.at + 1)), message).help(help));
        }
        let spaced = format!("{}{sign}{}", if tight_left { " " } else { "" }, if tight_right { " " } else { "" });
        Some(SyntaxError::new(Code::MissingSpace, at, format!("`{sign}` between two values needs a space on both sides.")).fix(at, spaced))
    }

    /// Whether behind a number the field or the line is over.
    fn field_ends(&self, at: usize) -> bool {
        let rest = self.plain.get(at..).unwrap_or("").trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches(' ');
        rest.is_empty() || rest.starts_with([',', '\n', '}', ';'])
    }

    /// `1-2`, `+4`, `=+`, `[Shield +1]`: signs that add nothing up.
    fn no_sum(&self, sign: &str, at: Span) -> Option<SyntaxError> {
        let before = self.before();
        let tight = |i: usize| self.bytes().get(i).is_some_and(u8::is_ascii_digit);
        let number = before.len() - before.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        let head = before.get(..before.len() - number)?.trim_end();
        let ranged = head.trim().is_empty() || head.rsplit(' ').next()?.starts_with(char::is_uppercase);
        if sign == "-" && number > 0 && tight(self.at - 1) && tight(self.at + 1) && ranged {
            return Some(SyntaxError::new(Code::WrongOperator, at, "\"From … to …\" is written `..`, not `-`.").fix(at, ".."));
        }
        if before.ends_with(':') && sign == "+" {
            return Some(
                SyntaxError::new(Code::UnexpectedToken, at, "A value does not start with `+`.")
                    .help("A target number is written `4+`, a plain number `4`."),
            );
        }
        if before.ends_with('=') && !before.ends_with("==") && matches!(sign, "+" | "-") && self.bytes().get(self.at - 1) == Some(&b'=') {
            let at = span(self.at - 1, self.at + 1);
            let right = format!("{sign}=");
            return Some(
                SyntaxError::new(Code::WrongOperator, at, format!("Changing by a number is written `{right}`, not `={sign}`."))
                    .fix(at, right),
            );
        }
        let word = before.rsplit([' ', '[', ',']).next()?;
        let listed = before.rfind('[') > before.rfind(']');
        if listed && word.starts_with(char::is_uppercase) && matches!(sign, "+" | "-") && tight(self.at + 1) {
            let error = SyntaxError::new(Code::UnexpectedToken, at, "A number in a list of keywords has no sign.")
                .help(format!("It stands directly behind the keyword: `{word} 1`."));
            return Some(if sign == "+" { error.fix(at, "") } else { error });
        }
        None
    }

    /// Whether the word behind the sign is the name of a field.
    fn field_follows(&self) -> bool {
        let rest = self.rest().get(1..).unwrap_or("");
        rest.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_').starts_with(':')
    }

    fn bad_number(&self) -> Option<SyntaxError> {
        let is_part = |c: char| c.is_alphanumeric() || "_.+%/".contains(c);
        let before = self.plain.get(..self.at)?;
        let start = before.rfind(|c: char| !is_part(c)).map_or(0, |i| i + before[i..].chars().next().map_or(1, char::len_utf8));
        let end = self.at + self.rest().find(|c: char| !is_part(c)).unwrap_or(self.rest().len());
        let token = self.plain.get(start..end)?;
        if start >= self.at || !token.starts_with(|c: char| c.is_ascii_digit()) || is_number(token) {
            return None;
        }
        let message = format!("`{token}` is not a number this language knows.");
        Some(
            SyntaxError::new(Code::BadNumber, span(start, end), message)
                .help("Numbers are written like 3, 4+, 2d6+1, 6/4, 6\", 50% or 1..6."),
        )
    }

    fn reserved(&self) -> Option<SyntaxError> {
        let token = self.token();
        let last = self.before().rsplit([' ', '(', '\n']).next().unwrap_or("");
        let names_follow =
            matches!(last, "let" | "for" | "as" | "on" | "alternate" | "per") || (self.span.start == 0 && last == self.first_word());
        (words::is_reserved(token) && names_follow).then(|| words::reserved_error(token, span(self.at, self.at + token.len())))
    }

    /// `choose x units`, `for u units { … }`: the little word is missing.
    fn missing_word(&self) -> Option<SyntaxError> {
        let (word, example) = match self.first_word() {
            "choose" => ("from", "choose x from your units"),
            "for" => ("in", "for u in your units { … }"),
            _ => return None,
        };
        let line = self.plain.get(self.span.start as usize..self.end())?;
        if line.contains('{') && word == "from" || line.split_whitespace().any(|w| w == word) {
            return None;
        }
        let at = self.after_the_name(line).unwrap_or(span(self.at, self.at + self.token().len()));
        let message = format!("This line needs the word `{word}`.");
        let error = SyntaxError::new(Code::UnexpectedToken, at, message).help(format!("It is written like `{example}`."));
        let written = at.of(self.plain);
        let set = line.split_whitespace().nth(1).is_some_and(|w| matches!(w, "your" | "enemy" | "other" | "friendly" | "all"));
        if set {
            return Some(error);
        }
        let more = self.plain.get(at.end as usize..self.end()).unwrap_or("");
        Some(if misspelt(written, word) {
            error.fix(at, word)
        } else if more.trim().is_empty() || word == "in" {
            error.fix(span(at.start as usize, at.start as usize), format!("{word} "))
        } else {
            error
        })
    }

    /// The word after the name that a `choose` or a `for` gives.
    fn after_the_name(&self, line: &str) -> Option<Span> {
        let mut next = self.span.start as usize;
        let (_, at) = line
            .split([' ', '\n'])
            .map(|word| {
                let at = next;
                next += word.len() + 1;
                (word, at)
            })
            .filter(|(word, _)| !word.is_empty())
            .skip(1)
            .skip_while(|(word, _)| matches!(*word, "up" | "to" | "any") || word.starts_with(|c: char| c.is_ascii_digit()))
            .nth(1)?;
        let word = self.plain.get(at..)?;
        let length = word.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(word.len());
        Some(span(at, at + length))
    }

    /// `if x` and nothing to do.
    fn missing_block(&self) -> Option<SyntaxError> {
        let word = self.first_word();
        let wants = words::reserved(word).is_some_and(|word| word.has_a_block);
        let token = self.token();
        let line = self.plain.get(self.span.start as usize..self.end())?;
        let has_block = line.contains('{') && word == "grant";
        if has_block || !wants || !(token.is_empty() || token == "}" || self.at >= self.end()) || self.rest().starts_with('{') {
            return None;
        }
        let end = self.span.start as usize + self.plain.get(self.span.start as usize..self.end())?.trim_end().len();
        if let Some(behind) = self.behind_block(end) {
            let message = format!("`{}` cannot stand behind the block of this `{word}`.", behind.of(self.text));
            let error = SyntaxError::new(Code::UnexpectedToken, behind, message);
            return Some(if word == "grant" {
                error.help("Behind it stands how long it lasts, such as `for the game`, or nothing.")
            } else {
                error
            });
        }
        let message = format!("After this `{word}` a block is missing: `{{ … }}`.");
        Some(SyntaxError::new(Code::UnexpectedToken, span(end, end), message).help("Write what it holds between `{` and `}`."))
    }

    /// The rest of the line behind a block that is there, if the block starts here.
    fn behind_block(&self, end: usize) -> Option<Span> {
        let after = self.plain.get(end..)?;
        let open = end + after.len() - after.trim_start_matches(' ').len();
        let mut depth = 0;
        let close = self.plain.get(open..)?.bytes().position(|b| {
            depth += i32::from(b == b'{') - i32::from(b == b'}');
            depth <= 0
        })?;
        let rest = self.plain.get(open + close + 1..)?.lines().next()?;
        let start = open + close + 1 + rest.len() - rest.trim_start().len();
        let rest = rest.trim().trim_end_matches(['}', ' ']);
        (close > 0 && !rest.is_empty()).then(|| span(start, start + rest.len()))
    }

    /// `[a; b]`: entries are separated by commas.
    fn semicolon_in_list(&self) -> Option<SyntaxError> {
        let before = self.before();
        let open = before.matches('[').count() > before.matches(']').count();
        let at = span(self.at, self.at + 1);
        let message = "Between the entries of a list stands a comma.";
        (open && self.rest().starts_with(';')).then(|| SyntaxError::new(Code::UnexpectedToken, at, message).fix(at, ","))
    }

    fn unexpected(&self) -> SyntaxError {
        let token = self.token();
        if token.is_empty() || self.at >= self.plain.len() {
            let end = self.plain.get(..self.at).map_or(self.at, |t| t.trim_end().len());
            return SyntaxError::new(Code::UnexpectedToken, span(end, end), "This line stops before it is complete.");
        }
        let at = span(self.text.floor_char_boundary(self.at), self.text.ceil_char_boundary(self.at + token.len()));
        let shown = at.of(self.text);
        SyntaxError::new(Code::UnexpectedToken, at, format!("`{shown}` was not expected here."))
            .help("If it starts something new, put it on its own line; if it belongs to what stands before it, something between them is missing.")
    }
}

/// Whether a word that starts with a digit is a number as it should be: then something else is wrong.
fn is_number(token: &str) -> bool {
    let digits = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
    let dice = |t: &str| {
        let (count, sides) = t.split_once('d').unwrap_or(("", ""));
        (count.is_empty() || digits(count)) && digits(sides.split(['+', '-']).next().unwrap_or(""))
    };
    let half = |t: &str| digits(t.trim_end_matches('+')) || dice(t);
    let letters = token.trim_start_matches(|c: char| c.is_ascii_digit());
    let with_unit = !letters.is_empty() && letters.chars().all(char::is_alphabetic);
    let range = token.split_once("..").is_some_and(|(a, b)| digits(a) && (b.is_empty() || digits(b)));
    let pair = token.split_once('/').is_some_and(|(a, b)| half(a) && half(b));
    token.len() < 19 && (half(token) || digits(token.trim_end_matches('%')) || with_unit || range || pair)
}

/// `form` for `from`.
fn same_letters(a: &str, b: &str) -> bool {
    let sorted = |word: &str| {
        let mut letters: Vec<char> = word.chars().collect();
        letters.sort_unstable();
        letters
    };
    sorted(a) == sorted(b)
}

/// `form` for `from`, `ins` for `in`.
pub(crate) fn misspelt(written: &str, word: &str) -> bool {
    let written = written.to_lowercase();
    let one_more = |long: &str, short: &str| long.starts_with(short) && long.len() == short.len() + 1;
    same_letters(&written, word) || one_more(&written, word) || one_more(word, &written)
}

/// A sign or a word that something must follow.
fn wants_value(word: &str) -> bool {
    match word {
        "=" | "==" | "!=" | "<" | "<=" | ">" | ">=" | "+" | "-" | "*" | "/" | "+=" | "-=" | "->" => true,
        _ => word.ends_with(':') || words::reserved(word).is_some_and(|word| !word.stands_alone),
    }
}
