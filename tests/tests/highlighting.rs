//! The editors' word lists are the parser's. What the editors do with them is tested beside them, in `editors/vscode/test`.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::BTreeSet;

use banneret_grammar::words::RESERVED;
use banneret_tests::files::{house, text};
use pest_meta::ast::Expr;
use pest_meta::parser::{Rule, consume_rules, parse};
use serde_json::Value;

type Words = BTreeSet<String>;

fn json(path: &str) -> Value {
    serde_json::from_str(&text(&house().join(path))).unwrap_or_else(|e| panic!("{path}: {e}"))
}

// ---- the words of the parser ---------------------------------------------------------------------------------------

/// The literal text an expression of the grammar can match. A word may be spelled in pieces, `"a" ~ ("nd" | "t")`, so what touches the
/// edges is kept apart until it is known what stands beside it.
#[derive(Clone)]
struct Spelled {
    /// Text that is the whole of a match.
    whole: Words,
    /// Text at the start of a match, at its end, and closed off on both sides.
    first: Words,
    last: Words,
    inside: Words,
}

impl Spelled {
    fn only(whole: &str) -> Spelled {
        Spelled { whole: Words::from([whole.to_string()]), first: Words::new(), last: Words::new(), inside: Words::new() }
    }

    /// Something that is no literal text: words end on both sides of it.
    fn gap() -> Spelled {
        let edge = || Words::from([String::new()]);
        Spelled { whole: Words::new(), first: edge(), last: edge(), inside: Words::new() }
    }

    fn or(mut self, other: Spelled) -> Spelled {
        self.whole.extend(other.whole);
        self.first.extend(other.first);
        self.last.extend(other.last);
        self.inside.extend(other.inside);
        self
    }

    fn then(self, next: Spelled) -> Spelled {
        let mut inside: Words = self.inside.union(&next.inside).cloned().collect();
        inside.extend(joined(&self.last, &next.first));
        let first = self.first.iter().cloned().chain(joined(&self.whole, &next.first)).collect();
        let last = next.last.iter().cloned().chain(joined(&self.last, &next.whole)).collect();
        Spelled { whole: joined(&self.whole, &next.whole), first, last, inside }
    }

    /// Everything it spells, once nothing stands beside it any more.
    fn words(self) -> impl Iterator<Item = String> {
        [self.whole, self.first, self.last, self.inside].into_iter().flatten()
    }
}

fn joined(left: &Words, right: &Words) -> Words {
    left.iter().flat_map(|l| right.iter().map(move |r| format!("{l}{r}"))).collect()
}

fn spelled(expr: &Expr) -> Spelled {
    match expr {
        Expr::Str(text) => Spelled::only(text),
        Expr::Seq(left, right) => spelled(left).then(spelled(right)),
        Expr::Choice(left, right) => spelled(left).or(spelled(right)),
        Expr::Opt(inner) => spelled(inner).or(Spelled::only("")),
        Expr::Rep(inner) | Expr::RepOnce(inner) => Spelled::gap().then(spelled(inner)).then(Spelled::gap()),
        // a look ahead reads nothing; what it looks for is read elsewhere
        Expr::PosPred(_) | Expr::NegPred(_) => Spelled::only(""),
        _ => Spelled::gap(),
    }
}

/// Every word that is spelled out in the grammar of the language.
fn words_of_the_parser() -> Words {
    let grammar = text(&house().join("grammar/src/banneret.pest"));
    let rules = consume_rules(parse(Rule::grammar_rules, &grammar).expect("the grammar can be read")).expect("the grammar is sound");
    let spelled = rules.iter().flat_map(|rule| spelled(&rule.expr).words());
    spelled.filter_map(|word| as_word(&word)).collect()
}

/// A spelled text that is a word: `past(` is, `d` (of dice) and `->` are not.
fn as_word(text: &str) -> Option<String> {
    let word = text.trim_end_matches('(');
    (word.len() > 1 && word.chars().all(|c| c.is_ascii_lowercase())).then(|| word.to_string())
}

#[test]
fn words_are_read_off_the_grammar() {
    let found = words_of_the_parser();
    // who `you` is, is found out like the meaning of any name
    let lost: Vec<&str> = RESERVED.iter().copied().filter(|word| !found.contains(*word)).collect();
    assert_eq!(lost, ["you"], "reserved, but not found in the grammar");
    for word in ["mod", "template", "warning", "least", "spread", "per"] {
        assert!(found.contains(word), "`{word}` is a word in some places, but was not found in the grammar");
    }
}

// ---- the words of the highlighter -----------------------------------------------------------------------------------

const HIGHLIGHTER: &str = "editors/vscode/syntaxes/banneret.tmLanguage.json";

/// The plain words in a regular expression.
fn words_of_an_expression(regex: &str) -> Words {
    let mut plain = String::new();
    let mut chars = regex.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => {
                chars.next();
                plain.push(' ');
            }
            // a set of characters
            '[' => {
                chars.by_ref().take_while(|c| *c != ']').for_each(drop);
                plain.push(' ');
            }
            _ => plain.push(c),
        }
    }
    plain.split(|c: char| !c.is_ascii_lowercase()).filter(|word| word.len() > 1).map(str::to_string).collect()
}

/// The words in the patterns of one entry of the highlighter's repository.
fn words_of_the_highlighter(entry: &str) -> Words {
    let grammar = json(HIGHLIGHTER);
    let entry = &grammar["repository"][entry];
    let alone = std::slice::from_ref(entry);
    let patterns = entry["patterns"].as_array().map_or(alone, Vec::as_slice);
    let expressions = patterns.iter().flat_map(|p| ["match", "begin"].map(|key| p[key].as_str().unwrap_or_default()));
    expressions.flat_map(words_of_an_expression).collect()
}

const VIM: &str = "editors/neovim/syntax/banneret.vim";

/// The words in the matches of some groups of the colours for Neovim: `syntax match GROUP /EXPRESSION/ …`.
fn words_of_vim(groups: &[&str]) -> Words {
    let colours = text(&house().join(VIM));
    let matches = colours.lines().filter_map(|line| line.strip_prefix("syntax match ")?.split_once(' '));
    let wanted = matches.filter(|(group, _)| groups.contains(group));
    let expressions = wanted.filter_map(|(_, rest)| rest.get(rest.find('/')?..rest.rfind('/')?));
    expressions.flat_map(words_of_an_expression).collect()
}

fn reserved_words() -> Words {
    let mut words: Words = RESERVED.iter().map(|word| word.to_string()).collect();
    // an operator that is free as a name only where no value can stand
    words.insert("mod".to_string());
    words
}

#[test]
fn the_colours_know_the_reserved_words() {
    assert_eq!(
        words_of_the_highlighter("words"),
        reserved_words(),
        "the list `words` of {HIGHLIGHTER} and the reserved words of the parser"
    );
    let groups = ["Item", "Rule", "Statement", "Operator", "Self", "Joining"].map(|name| format!("banneret{name}"));
    let groups: Vec<&str> = groups.iter().map(String::as_str).collect();
    assert_eq!(words_of_vim(&groups), reserved_words(), "the words of {VIM} and the reserved words of the parser");
}

#[test]
fn the_colours_know_the_words_that_are_words_in_some_places() {
    let reserved = reserved_words();
    let wanted: Words = words_of_the_parser().difference(&reserved).cloned().collect();
    let entries = ["context-words", "ruleset-words", "kind-words", "item-heads"];
    let known: Words = entries.into_iter().flat_map(words_of_the_highlighter).collect();
    let known: Words = known.difference(&reserved).cloned().collect();
    assert_eq!(known, wanted, "the context words of {HIGHLIGHTER} and those in the grammar of the parser");
    let known: Words = words_of_vim(&["banneretContext", "banneretEnumWord"]).difference(&reserved).cloned().collect();
    assert_eq!(known, wanted, "the context words of {VIM} and those in the grammar of the parser");
}
