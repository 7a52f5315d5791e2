//! The reserved words, and what to say when one is used as a name.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::code::Code;
use crate::error::SyntaxError;
use crate::span::Span;

/// A word of the language: it cannot be a name.
#[derive(Clone, Copy, Debug)]
pub struct Word {
    pub text: &'static str,
    /// How it is written, and what that means: for who points at it.
    pub shape: &'static str,
    pub means: &'static str,
    /// What an editor writes where a line may start with it, with `$1` as the first place to fill in, and what it says of that.
    pub offered: Option<(&'static str, &'static str)>,
    /// It introduces an argument of a sentence.
    pub preposition: bool,
    /// A line starts with it and goes on: a word like it that starts a line is a misspelling.
    pub begins_a_line: bool,
    /// What it starts ends in a block.
    pub has_a_block: bool,
    /// Nothing has to follow it.
    pub stands_alone: bool,
}

const fn word(text: &'static str, shape: &'static str, means: &'static str) -> Word {
    Word { text, shape, means, offered: None, preposition: false, begins_a_line: false, has_a_block: false, stands_alone: false }
}

impl Word {
    const fn offered(self, text: &'static str, doc: &'static str) -> Self {
        Self { offered: Some((text, doc)), ..self }
    }

    const fn preposition(self) -> Self {
        Self { preposition: true, ..self }
    }

    const fn begins_a_line(self) -> Self {
        Self { begins_a_line: true, ..self }
    }

    const fn has_a_block(self) -> Self {
        Self { has_a_block: true, ..self }
    }

    const fn stands_alone(self) -> Self {
        Self { stands_alone: true, ..self }
    }
}

/// The words that start an item, a rule line or a statement, or stand in an expression. Whoever needs a list of them (messages, the editor's
/// completion and hover, the tests of the editors' colours) reads this one.
#[rustfmt::skip]
pub const WORDS: &[Word] = &[
    word("use", "use RULES", "Takes what a rule system or another folder declares."),
    word("ruleset", "ruleset NAME { … }", "What is true for a whole rule system: its lengths, its options, how it measures.").has_a_block(),
    word("enum", "enum NAME { A, B }", "A list of words of which a field holds one. `enum NAME also { C }` adds to one that is there."),
    word("kind", "kind NAME (plural) is ROLE { … }", "A kind of card: which fields its cards have, and what they are in play."),
    word("define", "define NAME(…) = VALUE", "A name for a value that is worked out."),
    word("fact", "fact NAME", "Something that is true or not, and that rules may ask and change."),
    word("table", "table { … }", "Looks a value up: the first row that fits.").has_a_block().offered("table ${1:roll d6} {\n  ${2:1} { $0 \\}\n\\}", "what happens for each result"),
    word("action", "action NAME(…) { … }", "Something that can be done. Every time it is done, rules can answer it.").has_a_block(),
    word("phase", "phase NAME { … }", "A part of the game that starts and ends, such as a turn.").has_a_block(),
    word("keyword", "keyword NAME on KIND { … }", "A rule with a name that many cards can have.").has_a_block(),
    word("limit", "limit \"words\" on KIND { need … }", "What must be true of cards as they are written.").has_a_block(),
    word("face", "face front of KIND { … }", "How the cards of a kind are printed.").has_a_block(),
    word("test", "test \"words\" { … }", "Something that is tried whenever tests are run: what is given, what is done, what is expected.").has_a_block(),
    word("state", "state NAME: TYPE = VALUE", "A field that changes in play."),
    word("resource", "resource NAME: Int = VALUE", "A number that is gained and paid with."),
    word("says", "says \"…\"", "The words for it on cards.").begins_a_line().offered("says \"$1\"", "the words for it on cards"),
    word("grant", "grant WHO { … }", "Changes fields, or gives keywords and rules, for as long as it holds.").begins_a_line().has_a_block().offered("grant ${1:this} { ${2:field} +1 \\} until end of ${3:round}", "a modifier for a time"),
    word("before", "before ACTION { … }", "Answers an action before it happens: its numbers can still be changed.").begins_a_line().has_a_block(),
    word("after", "after ACTION { … }", "Answers an action when it has happened.").begins_a_line().has_a_block(),
    word("instead", "instead of ACTION { … }", "What happens in place of an action.").begins_a_line().has_a_block(),
    word("at", "at start of PHASE, at (X, Y)", "When something happens, or where something stands.").preposition().begins_a_line().has_a_block(),
    word("cannot", "cannot ACTION", "What is not allowed.").begins_a_line(),
    word("must", "must choose SET by PLAYER", "What is chosen before anything else.").begins_a_line(),
    word("once", "once per PHASE", "At most one time in each.").begins_a_line(),
    word("let", "let NAME = VALUE", "Gives a value a name, for the lines that follow.").begins_a_line().offered("let ${1:name} = ${2:value}", "a name for a value"),
    word("if", "if CONDITION { … }", "Only when the condition is true.").begins_a_line().has_a_block().offered("if ${1:condition} {\n  $0\n\\}", "if something holds"),
    word("else", "else { … }", "When no condition before it was true.").stands_alone(),
    word("for", "for NAME in SET { … }", "Once for each of them.").preposition().begins_a_line().has_a_block().offered("for ${1:u} in ${2:units} {\n  $0\n\\}", "for each of several things"),
    word("repeat", "repeat N { … }", "So many times.").begins_a_line().has_a_block().stands_alone().offered("repeat ${1:2} {\n  $0\n\\}", "several times"),
    word("need", "need CONDITION", "If it is not true, the action is illegal, or the card is.").begins_a_line().offered("need ${1:condition}", "only if this holds"),
    word("choose", "choose NAME: SET", "Somebody chooses one of them.").begins_a_line().stands_alone().offered("choose ${1:x} from ${2:units}", "a player chooses"),
    word("may", "may { … }", "Somebody decides whether it happens.").begins_a_line().has_a_block().stands_alone().offered("may \"${1:label}\" {\n  $0\n\\}", "a player may do it or not"),
    word("do", "do EFFECT", "Runs an effect that a card holds.").begins_a_line().offered("do ${1:phase}", "runs a phase or a stored effect"),
    word("alternate", "alternate { … }", "The players take turns until all pass.").begins_a_line().has_a_block(),
    word("pass", "pass", "Lets one's turn in `alternate` go by.").stands_alone(),
    word("proceed", "proceed", "In `instead of`: what would have happened happens after all.").stands_alone(),
    word("together", "together { … }", "Everything in it happens at the same time.").begins_a_line().has_a_block().stands_alone().offered("together {\n  $0\n\\}", "everything at once"),
    word("todo", "todo \"…\"", "A rule that is not written yet. Its words are printed, and in play it does nothing.").begins_a_line().offered("todo \"$1\"", "something still to be written"),
    word("and", "A and B", "Both are true."),
    word("or", "A or B", "At least one of them is true."),
    word("not", "not A", "It is not true."),
    word("is", "X is KIND", "Whether something is of a kind, has a keyword, or is what a word says."),
    word("in", "X in SET", "Whether something is among others."),
    word("of", "WHAT of WHOM", "Whose it is."),
    word("where", "SET where CONDITION", "Only those of which the condition is true."),
    word("within", "SET within LENGTH of X", "Only those that are not farther away than that."),
    word("past", "past(ACTION) this PHASE", "What has happened in a phase so far."),
    word("this", "this", "The card itself; in a keyword, the card that has it.").stands_alone(),
    word("you", "you", "The player whose card it is.").stands_alone(),
    word("given", "given CARD as NAME", "What a test starts with.").begins_a_line(),
    word("expect", "expect CONDITION", "What must be true at this point of a test. `odds of`, `mean of` and `spread of` ask about all rolls of the dice.").begins_a_line(),
    word("to", "ACTION X to Y", "A preposition: the action says what stands behind it.").preposition(),
    word("from", "card NAME from OTHER", "What a card builds on; in a sentence, where something comes from.").preposition(),
    word("by", "ACTION by WHO", "Who does it, or whose it is.").preposition(),
    word("with", "ACTION with X", "A preposition: the action says what stands behind it.").preposition(),
    word("on", "keyword NAME on KIND", "What it belongs to.").preposition(),
    word("into", "ACTION X into PILE", "A preposition: where something goes.").preposition(),
    word("against", "ACTION against X", "A preposition: the action says what stands behind it.").preposition(),
    word("using", "ACTION using X", "A preposition: the action says what stands behind it.").preposition(),
    word("as", "CARD as NAME", "Gives a name to it."),
    word("until", "until end of PHASE", "How long it holds."),
    word("while", "while CONDITION", "It holds for as long as that is true."),
    word("such", "such that CONDITION", "Only what makes the condition true can be chosen."),
    word("blame", "blame CARD", "The card that is pointed at if a limit does not hold."),
    word("covers", "covers NUMBER", "The numbered rules that this is about."),
    word("starting", "starting with PLAYER", "Who is first."),
    word("rounded", "A / B rounded up", "What happens with the rest of a division: `up`, `down` or `near`."),
];

/// The same, without what is told of them.
pub const RESERVED: &[&str] = &{
    let mut texts = [""; WORDS.len()];
    let mut at = 0;
    while at < texts.len() {
        texts[at] = WORDS[at].text;
        at += 1;
    }
    texts
};

static BY_TEXT: LazyLock<FxHashMap<&str, &Word>> = LazyLock::new(|| WORDS.iter().map(|word| (word.text, word)).collect());

/// What is known of a word, if it is one of the language.
pub fn reserved(text: &str) -> Option<&'static Word> {
    BY_TEXT.get(text).copied()
}

pub fn is_reserved(text: &str) -> bool {
    reserved(text).is_some()
}

/// The words that introduce an argument of a sentence.
pub fn is_preposition(text: &str) -> bool {
    reserved(text).is_some_and(|word| word.preposition)
}

pub(crate) fn reserved_error(word: &str, at: Span) -> SyntaxError {
    SyntaxError::new(Code::ReservedWord, at, format!("`{word}` is a word of the language and cannot be a name."))
        .help(format!("Use another name, for example `{word}_`."))
        .fix(at, format!("{word}_"))
}

/// The same where a name is used: nothing is called like that.
pub(crate) fn reserved_use(word: &str, at: Span) -> SyntaxError {
    SyntaxError::new(Code::ReservedWord, at, format!("`{word}` is a word of the language and cannot be a name."))
        .help("If it is none here, something before it is missing or misspelt.")
}

#[cfg(test)]
mod tests {
    use pest::Parser;

    use super::*;
    use crate::parse::{Grammar, Rule};

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
