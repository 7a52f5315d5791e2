//! The reserved words, and what to say when one is used as a name.

use crate::error::SyntaxError;
use crate::span::Span;

/// The words that start an item, a rule line or a statement, or stand in an expression. They cannot be names.
pub const RESERVED: &[&str] = &[
    "use",
    "ruleset",
    "enum",
    "kind",
    "define",
    "fact",
    "table",
    "action",
    "phase",
    "keyword",
    "limit",
    "face",
    "test",
    "state",
    "resource",
    "says",
    "grant",
    "before",
    "after",
    "instead",
    "at",
    "cannot",
    "once",
    "let",
    "if",
    "else",
    "for",
    "repeat",
    "need",
    "choose",
    "may",
    "do",
    "alternate",
    "pass",
    "proceed",
    "together",
    "todo",
    "and",
    "or",
    "not",
    "is",
    "in",
    "of",
    "where",
    "within",
    "past",
    "this",
    "you",
    "given",
    "expect",
    "to",
    "from",
    "by",
    "with",
    "on",
    "into",
    "against",
    "using",
    "as",
    "until",
    "while",
    "such",
    "blame",
    "covers",
    "starting",
    "rounded",
];

/// Words that mean something in one place of the grammar and are names everywhere else.
const SPECIAL: &[&str] = &[
    "all", "also", "any", "each", "end", "game", "illegal", "least", "length", "mean", "mod", "most", "next", "odds", "open", "option",
    "per", "rank", "spread", "start", "template", "that", "the", "up", "warning",
];

pub fn is_reserved(word: &str) -> bool {
    is_one_of(RESERVED, &RESERVED_BY_LETTER, &RESERVED_LENGTHS, word.as_bytes())
}

/// Whether the grammar has rules about this word.
pub(crate) fn is_of_grammar(word: &[u8]) -> bool {
    is_one_of(RESERVED, &RESERVED_BY_LETTER, &RESERVED_LENGTHS, word) || is_one_of(SPECIAL, &SPECIAL_BY_LETTER, &SPECIAL_LENGTHS, word)
}

/// For each letter the numbers of the words that start with it: every name of a card is asked about, and most are compared with few words.
type ByLetter = [[u8; 12]; 26];

const RESERVED_BY_LETTER: ByLetter = by_letter(RESERVED);
const SPECIAL_BY_LETTER: ByLetter = by_letter(SPECIAL);

const fn by_letter(words: &[&str]) -> ByLetter {
    let mut table = [[u8::MAX; 12]; 26];
    let mut next = [0; 26];
    let mut i = 0;
    while i < words.len() {
        let letter = (words[i].as_bytes()[0] - b'a') as usize;
        table[letter][next[letter]] = i as u8;
        next[letter] += 1;
        i += 1;
    }
    table
}

/// For each letter a bit for every length of a word that starts with it: most names are of another length.
type Lengths = [u16; 26];

const RESERVED_LENGTHS: Lengths = lengths(RESERVED);
const SPECIAL_LENGTHS: Lengths = lengths(SPECIAL);

const fn lengths(words: &[&str]) -> Lengths {
    let mut table = [0; 26];
    let mut i = 0;
    while i < words.len() {
        table[(words[i].as_bytes()[0] - b'a') as usize] |= 1 << words[i].len();
        i += 1;
    }
    table
}

fn is_one_of(words: &[&str], by_letter: &ByLetter, lengths: &Lengths, word: &[u8]) -> bool {
    let Some(first @ b'a'..=b'z') = word.first() else { return false };
    if word.len() >= 16 || lengths[usize::from(first - b'a')] & (1 << word.len()) == 0 {
        return false;
    }
    let mut same_letter = by_letter[usize::from(first - b'a')].iter().map_while(|at| words.get(usize::from(*at)));
    same_letter.any(|known| known.as_bytes() == word)
}

/// The words that introduce an argument of a sentence.
pub fn is_preposition(word: &str) -> bool {
    matches!(word, "to" | "from" | "by" | "with" | "on" | "into" | "against" | "for" | "using" | "at")
}

pub(crate) fn reserved_error(word: &str, at: Span) -> SyntaxError {
    SyntaxError::new("reserved-word", at, format!("`{word}` is a word of the language and cannot be a name."))
        .help(format!("Use another name, for example `{word}_`."))
        .fix(at, format!("{word}_"))
}

/// The same where a name is used: nothing is called like that.
pub(crate) fn reserved_use(word: &str, at: Span) -> SyntaxError {
    SyntaxError::new("reserved-word", at, format!("`{word}` is a word of the language and cannot be a name."))
        .help("If it is none here, something before it is missing or misspelt.")
}

#[cfg(test)]
mod tests {
    use pest::Parser;

    use super::*;
    use crate::parse::{Grammar, Rule};

    /// Everything the grammar has in quotes that is made of small letters.
    fn literals() -> Vec<&'static str> {
        let rules = include_str!("banneret.pest").lines().filter(|line| !line.starts_with("//"));
        let quoted = rules.flat_map(|line| line.split('"').skip(1).step_by(2));
        let trimmed = quoted.map(|word| word.trim_end_matches([' ', '(']));
        trimmed.filter(|word| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase())).collect()
    }

    fn is_known(word: &str) -> bool {
        is_of_grammar(word.as_bytes())
    }

    #[test]
    fn every_word_of_the_grammar_is_known() {
        let literals = literals();
        let beginnings: Vec<&str> = literals.iter().copied().filter(|word| word.len() == 1).collect();
        // some are written in two pieces, the first of one letter
        let is_rest = |word: &str| beginnings.iter().any(|first| is_known(&format!("{first}{word}")));
        for word in &literals {
            assert!(word.len() == 1 || is_known(word) || is_rest(word), "{word}");
        }
        for word in beginnings.iter().flat_map(|first| literals.iter().map(move |rest| format!("{first}{rest}"))) {
            let whole = |rule| Grammar::parse(rule, &word).is_ok_and(|pairs| pairs.as_str() == word || rule == Rule::stop);
            assert!(is_known(&word) || ![Rule::stop, Rule::prep, Rule::link].into_iter().any(whole), "{word}");
        }
    }

    #[test]
    fn words_that_end_an_expression() {
        for word in RESERVED {
            let stops = Grammar::parse(Rule::stop, word).is_ok();
            assert_eq!(stops, !["this", "you", "past", "if", "table"].contains(word), "{word}");
        }
        assert!(Grammar::parse(Rule::stop, "of_").is_err());
        assert!(Grammar::parse(Rule::stop, "weapon").is_err());
    }
}
