//! What people write who come from rulebooks, spreadsheets or another language, and how it is said here.

use super::{Line, misspelt, span};
use crate::code::Code;
use crate::error::SyntaxError;
use crate::words::reserved;

/// Verbs that every rule system has: lines start with them as with words of the language.
const VERBS: [&str; 3] = ["answers", "dice", "pay"];

/// Whether a word starts a line that goes on behind it.
fn begins_a_line(word: &str) -> bool {
    VERBS.contains(&word) || reserved(word).is_some_and(|word| word.begins_a_line)
}

impl Line<'_> {
    /// `heal 3 to to ally`: a word that was typed twice.
    pub(super) fn word_twice(&self) -> Option<SyntaxError> {
        let before = self.plain.get(self.span.start as usize..self.at)?;
        let is_word = |word: &str| word.chars().all(|c| c.is_alphabetic() || c == '_') && !word.is_empty();
        let last = |text: &str| text.trim_end_matches(' ').rsplit([' ', '\n', '{']).next().map(str::to_owned);
        // the second of them was not expected, or what stands behind it
        let (word, end) = match self.token() {
            token if is_word(token) && last(before).as_deref() == Some(token) => (token.to_owned(), self.at + token.len()),
            _ => (last(before)?, self.plain.get(..self.at)?.trim_end_matches(' ').len()),
        };
        let start = end.checked_sub(word.len())?;
        let first = self.plain.get(self.span.start as usize..start)?;
        if !is_word(&word) || !first.ends_with(' ') || last(first)? != word {
            return None;
        }
        let gap = self.span.start as usize + first.trim_end_matches(' ').len();
        let message = format!("`{word}` stands here twice.");
        Some(SyntaxError::new(Code::UnexpectedToken, span(start, end), message).help("Leave one of them out.").fix(span(gap, end), ""))
    }

    /// `grant ally { +1 move }`: a change stands behind what it changes.
    pub(super) fn change_first(&self) -> Option<SyntaxError> {
        let rest = self.rest();
        let change = rest.split(' ').next().filter(|w| w.starts_with(['+', '-']) && w.len() > 1)?;
        let word = rest.get(change.len() + 1..)?.split(|c: char| !c.is_alphanumeric() && c != '_').next()?;
        if !self.before().is_empty() || !word.starts_with(char::is_lowercase) {
            return None;
        }
        let at = span(self.at, self.at + change.len() + 1 + word.len());
        let right = format!("{word} {change}");
        let message = "A change stands behind what it changes.";
        Some(SyntaxError::new(Code::UnexpectedToken, at, message).help(format!("Write `{right}`.")).fix(at, right))
    }

    /// What stands in the line of a place before it.
    fn line_before(&self, at: usize) -> &str {
        self.plain.get(..at).and_then(|before| before.rsplit('\n').next()).unwrap_or("")
    }

    /// A `]` or `)` too many, or one whose other end was forgotten.
    pub(super) fn closes_nothing(&self, at: usize, sign: u8) -> SyntaxError {
        let (open, close) = if sign == b')' { ('(', ')') } else { ('[', ']') };
        let error =
            |words: &str| SyntaxError::new(Code::UnclosedBracket, span(at, at + 1), format!("This `{close}` closes nothing{words}."));
        let line = self.line_before(at);
        match line.rfind(": ").filter(|_| open == '[' && !line.contains(open)) {
            Some(colon) => {
                let start = at - line.len() + colon + 2;
                error(": before it a `[` is missing").help("A list stands between `[` and `]`.").fix(span(start, start), "[")
            }
            None => error("").help(format!("Remove it, or write `{open}` where it begins.")).fix(span(at, at + 1), ""),
        }
    }

    /// `move: "5""`: a length in quotes. `at` is the last of them.
    pub(super) fn quoted_length(&self, at: usize) -> Option<SyntaxError> {
        let before = self.plain.get(..at)?.strip_suffix('"')?;
        let number = before.len() - before.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        let start = before.len().checked_sub(number + 1).filter(|_| number > 0)?;
        let digits = self.plain.get(start..before.len())?.strip_prefix('"')?;
        let at = span(start, at + 1);
        let error = SyntaxError::new(Code::UnexpectedToken, at, "A length is written without quotes around it.");
        Some(error.fix(at, format!("{digits}\"")))
    }

    /// `flavour: Up the hill."`: words that end with a quote and start with none.
    pub(super) fn unopened(&self, at: usize) -> Option<SyntaxError> {
        let rest = self.plain.get(at + 1..)?.lines().next().unwrap_or("");
        let behind = rest.trim();
        if !behind.is_empty() && !["{", "}", "of ", "from "].iter().any(|w| behind.starts_with(w)) {
            return None;
        }
        let line = self.line_before(at);
        let begin = at - line.len();
        let indent = line.len() - line.trim_start().len();
        let first = line.trim_start().split(' ').next().unwrap_or("");
        let start = match line.rfind(": ") {
            _ if matches!(first, "says" | "test" | "limit" | "todo") => begin + indent + first.len() + 1,
            Some(colon) => begin + colon + 2,
            // behind the word of a card and its name
            None if self.is_header() && begin == 0 => {
                let name = line.find(' ')? + 1;
                name + line.get(name..)?.find(' ')? + 1
            }
            None => return None,
        };
        let words = self.plain.get(start..at)?;
        if words.trim().is_empty() || words.contains(['"', '{', '[']) {
            return None;
        }
        let message = "These words end with a `\"` and do not start with one.";
        let error = SyntaxError::new(Code::UnclosedString, span(start, at + 1), message).help("Write `\"` where the words begin.");
        Some(error.fix(span(start, start), "\""))
    }

    /// The first line of an item ends, and its lines begin without a `{`.
    pub(super) fn missing_brace(&self) -> Option<SyntaxError> {
        let header = self.plain.get(..self.at).filter(|_| self.is_header())?;
        let first = header.split_once('\n')?.0.trim_end();
        let word = self.token();
        let is_field = self.rest().get(word.len()..)?.trim_start_matches(' ').starts_with([':', '{']);
        let starts_line = header.rsplit('\n').next()?.trim().is_empty();
        if header.contains('{') || first.is_empty() || !is_field || !starts_line || !word.starts_with(char::is_alphabetic) {
            return None;
        }
        let end = first.len();
        let message = "At the end of this line a `{` is missing.";
        Some(
            SyntaxError::new(Code::MissingBrace, span(end, end), message)
                .help("The lines of an item stand between `{` and `}`.")
                .fix(span(end, end), " {"),
        )
    }

    /// `before strike if …`, `grant … if …`: the little word before a condition is another one.
    pub(super) fn condition_word(&self) -> Option<SyntaxError> {
        let start = self.plain.get(..self.at)?.rfind(['\n', ';']).map_or(0, |i| i + 1);
        let row = self.plain.get(start..self.at)?;
        let at = start + row.rfind(" if ")? + 1;
        let mut words = self.plain.get(start..at)?.split_whitespace().rev();
        let right = words.find_map(|word| match word {
            "before" | "after" | "instead" | "at" | "cannot" | "must" => Some("where"),
            "grant" => Some("while"),
            _ => None,
        })?;
        // `grant units { … } if`, but `before strike if`: a block before it belongs to a grant only
        if (right == "where") == self.plain.get(start..at)?.rsplit("before ").next()?.trim_end().ends_with('}') {
            return None;
        }
        let at = span(at, at + 2);
        Some(
            SyntaxError::new(Code::WrongOperator, at, format!("The condition of a rule is written after `{right}`, not `if`."))
                .fix(at, right),
        )
    }

    /// Names in quotes, names of several words, and words before the wrong name.
    pub(super) fn names(&self) -> Option<SyntaxError> {
        self.quoted_name().or_else(|| self.late_title()).or_else(|| self.late_of()).or_else(|| self.dashed_name())
    }

    /// `of "Lanternhill"`
    fn quoted_name(&self) -> Option<SyntaxError> {
        let token = self.token();
        let name = token.strip_prefix('"')?.strip_suffix('"')?;
        let last = self.before().rsplit([' ', '\n']).next()?;
        if !matches!(last, "of" | "from" | "use" | "given") || !is_name(name) {
            return None;
        }
        let at = span(self.at, self.at + token.len());
        Some(SyntaxError::new(Code::UnexpectedToken, at, "A name is written without quotes.").fix(at, name))
    }

    /// `unit Watchman of Lanternhill "The Watchman"`
    fn late_title(&self) -> Option<SyntaxError> {
        let token = self.token();
        let mut words = self.before().split_whitespace();
        let (word, name, more) = (words.next()?, words.next()?, words.next()?);
        if !token.starts_with('"') || !self.is_header() || !matches!(more, "of" | "from" | "template") {
            return None;
        }
        let at = span(self.at, self.at + token.len());
        Some(
            SyntaxError::new(Code::UnexpectedToken, at, "What is printed stands directly behind the name.")
                .help(format!("Write `{word} {name} {token} {more} …`.")),
        )
    }

    /// `unit Watchman from Crossbow of Lanternhill`
    fn late_of(&self) -> Option<SyntaxError> {
        let before = self.before();
        if self.token() != "of" || !self.is_header() {
            return None;
        }
        let owner = self.rest().get(2..)?.trim_start();
        let owner = owner.get(..owner.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(owner.len()))?;
        let start = ["from", "template"].iter().filter_map(|w| before.find(&format!(" {w}"))).min()? + 1;
        let moved = before.get(start..)?;
        let end = self.at + self.rest().find(owner)? + owner.len();
        let error = SyntaxError::new(Code::UnexpectedToken, span(self.at, self.at + 2), "`of` comes first, then `from` and `template`.");
        let more = self.plain.get(end..)?.trim_start();
        let more = more.starts_with("from ") || more.starts_with("template");
        Some(if more { error } else { error.fix(span(start, end), format!("of {owner} {moved}")) })
    }

    /// `weapon Great-Axe { … }`, `use my-rules`
    fn dashed_name(&self) -> Option<SyntaxError> {
        if self.token() != "-" {
            return None;
        }
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        let before = self.before();
        let head = before.trim_end_matches(is_part).len();
        let start = self.at - (before.len() - head);
        let end = self.at + self.rest().find(|c: char| !is_part(c)).unwrap_or(self.rest().len());
        let written = self.plain.get(start..end)?;
        let names = before.get(..head)?.split_whitespace().count() == 1 && written.starts_with(char::is_alphabetic);
        let uses = self.first_word() == "use";
        let heads = self.bytes().get(self.end()) == Some(&b'{') || self.is_header() && self.plain.contains('{');
        if !names || !(uses || heads) || !self.rest().get(1..)?.starts_with(char::is_alphabetic) {
            return None;
        }
        let at = span(start, end);
        let error = SyntaxError::new(Code::UnexpectedToken, at, "A name has no `-` in it.");
        if uses {
            return Some(error.fix(at, written.replace('-', "_")));
        }
        let name: String = written.split('-').map(capital).collect();
        let titled = self.plain.get(end..)?.trim_start().starts_with('"');
        let new = if titled { name } else { format!("{name} \"{written}\"") };
        Some(error.help(format!("Write `{new}`: what is printed stands in quotes.")).fix(at, new))
    }

    /// The first line of an item has a word or a bracket that does not belong there.
    pub(super) fn header_word(&self) -> Option<SyntaxError> {
        if !self.is_header() {
            return None;
        }
        let token = self.token();
        let at = span(self.at, self.at + token.len());
        let first = self.first_word();
        let is_first = self.before().is_empty();
        if is_first && matches!(first, "using" | "uses" | "import" | "include" | "require") && !self.plain.contains('{') {
            return Some(SyntaxError::new(Code::UnexpectedToken, at, "The rules of a file are named with `use`.").fix(at, "use"));
        }
        if matches!(token, "(" | "[") && !matches!(first, "define" | "action" | "phase" | "fact" | "table" | "kind" | "keyword") {
            return Some(
                SyntaxError::new(Code::UnexpectedToken, at, "The lines of a card stand in braces.")
                    .help("Write `{` before them and `}` behind them."),
            );
        }
        if matches!(first, "test" | "limit") && self.before() == first && token.starts_with(char::is_alphabetic) {
            let words = self.rest().get(..self.rest().find(['{', '\n']).unwrap_or(self.rest().len()))?.trim_end();
            let at = span(self.at, self.at + words.len());
            let message = format!("The words of a {first} are in quotes.");
            return Some(SyntaxError::new(Code::UnexpectedToken, at, message).fix(at, format!("\"{words}\"")));
        }
        if self.before().split_whitespace().count() < 2 {
            return None;
        }
        let meant = ["from", "of", "template", "also"].into_iter().find(|word| near(token, word))?;
        Some(
            SyntaxError::new(Code::UnexpectedToken, at, format!("`{token}` was not expected here."))
                .help(format!("Did you mean `{meant}`?"))
                .fix(at, meant),
        )
    }

    /// Words that start a line in rulebooks and other languages.
    pub(super) fn line_word(&self) -> Option<SyntaxError> {
        let start = self.start_of_line();
        let first = self.first_word();
        let at = span(start, start + first.len());
        let line = self.plain.get(start..self.line_end())?;
        let told = |right: &str, message: &str| Some(SyntaxError::new(Code::UnexpectedToken, at, message).fix(at, right.to_owned()));
        match first {
            "grants" | "give" | "gives" | "gain" | "gains" if line.contains('{') => {
                told("grant", "What is given to others is written with `grant`.")
            }
            "instead" if !line.starts_with("instead of ") => {
                told("instead of", "What happens in place of something is written `instead of`.")
            }
            "grant" if !line.contains('{') => Some(
                SyntaxError::new(Code::UnexpectedToken, at, "What is granted stands in braces.")
                    .help("It is written like `grant ally { move +1 }`."),
            ),
            // `Given SaltWitch as witch`
            _ if self.token() == "as" && first != "given" && misspelt(&first.to_lowercase(), "given") => {
                told("given", "What there is when a test begins is written with `given`.")
            }
            // a word processor begins every line with a capital
            _ if first.starts_with(char::is_uppercase) && begins_a_line(&first.to_lowercase()) => {
                let small = first.to_lowercase();
                told(&small, &format!("The words of the language are written small: `{small}`."))
            }
            "foreach" => told("for", "What is done with each is written with `for`."),
            "for" if line.starts_with("for each ") => {
                let each = span(start + 3, start + 8);
                Some(
                    SyntaxError::new(Code::UnexpectedToken, span(start + 4, start + 8), "After `for` comes a name; no `each` is needed.")
                        .fix(each, ""),
                )
            }
            _ if self.token() == "until" || line.contains("} until ") => self.late_until(first, line, start),
            _ => None,
        }
    }

    fn late_until(&self, first: &str, line: &str, start: usize) -> Option<SyntaxError> {
        let from = start + line.find("until ")?;
        // behind a brace that closes another line it belongs to that one
        let own = self.plain.get(start..from)?;
        if own.matches('{').count() != own.matches('}').count() {
            return None;
        }
        let end = start + line.trim_end_matches([' ', '}', '\n']).len();
        let error = |message: &str| SyntaxError::new(Code::MisplacedDuration, span(from, end), message);
        match first {
            "grant" => None,
            "before" | "after" | "instead" | "at" | "cannot" | "must" => {
                Some(error("A rule that always holds has no duration.").help("It holds while its card is in play: leave the duration out."))
            }
            _ => Some(error("Only a `grant` lasts; what is done is done.").help("Leave the duration out, or write a `grant`.")),
        }
    }

    /// `{` where a value stands: a list in braces, or a block behind a colon.
    pub(super) fn braced_value(&self) -> Option<SyntaxError> {
        let before = self.before();
        let (colon, compared) = (before.ends_with(':'), before.ends_with("=="));
        if !self.rest().starts_with('{') || !(colon || compared) {
            return None;
        }
        let inside = self.rest().get(1..self.rest().find(['}', '\n'])?)?;
        let closed = self.rest().as_bytes().get(inside.len() + 1) == Some(&b'}');
        let is_entry = |entry: &str| entry.trim().starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
        if closed && !inside.trim().is_empty() && inside.split(',').all(is_entry) {
            let at = span(self.at, self.at + inside.len() + 2);
            return Some(SyntaxError::new(Code::UnexpectedToken, at, "A list is written in brackets.").fix(at, format!("[{inside}]")));
        }
        let at = span(before.len() - 1 + self.span.start as usize, before.len() + self.span.start as usize);
        colon.then(|| SyntaxError::new(Code::UnexpectedToken, at, "Before a block no colon stands.").fix(at, ""))
    }

    /// `"Change me "first"."`
    pub(super) fn inner_quotes(&self) -> Option<SyntaxError> {
        let token = self.token();
        let tight = self.at.checked_sub(1).and_then(|i| self.bytes().get(i)) == Some(&b'"');
        if !tight || !token.starts_with(char::is_alphanumeric) {
            return None;
        }
        let at = span(self.at - 1, self.at);
        Some(
            SyntaxError::new(Code::UnexpectedToken, at, "The words end at this `\"`, but more of them follow.")
                .help("Quotes within words are written `\\\"`."),
        )
    }

    fn is_header(&self) -> bool {
        self.span.start == 0
    }

    /// Where the line that the grammar stopped in starts, without its white space.
    fn start_of_line(&self) -> usize {
        let line = self.plain.get(self.span.start as usize..).unwrap_or("");
        self.span.start as usize + (line.len() - line.trim_start().len())
    }

    fn line_end(&self) -> usize {
        let start = self.start_of_line();
        self.plain.get(start..).and_then(|rest| rest.find('\n')).map_or(self.plain.len(), |i| start + i)
    }
}

fn is_name(word: &str) -> bool {
    word.starts_with(char::is_alphabetic) && word.chars().all(|c| c.is_alphanumeric() || c == '_')
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The same letters in another order, or one too many or too few.
fn near(a: &str, b: &str) -> bool {
    let (long, short) = if a.len() > b.len() { (a, b) } else { (b, a) };
    let one_more = long.len() == short.len() + 1
        && long
            .char_indices()
            .any(|(i, c)| long.get(..i).zip(long.get(i + c.len_utf8()..)).is_some_and(|(x, y)| format!("{x}{y}") == short));
    a != b && (super::same_letters(a, b) || one_more && short.len() > 2)
}
