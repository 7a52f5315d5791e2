//! What a broken limit says besides its words.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use banneret_compiler::api::Workspace;
use banneret_compiler::diagnostic::Diagnostic;
use banneret_compiler::manifest::Manifest;

const RULES: &str = r#"ruleset small "Small" { version: "1.0", length inch as " }

kind Mini (minis) is card {
  points: Int 1..
  speed: Int 1.. = 1
  reach: Length = 1"
}

kind Deck (decks) is card { cards: list of Mini }

limit "decks" on Deck {
  need affordable(this) blame cards "the deck is too dear"
  let n = count(cards)
  need n >= 2 blame cards "the deck has {n} {n|card|cards} and needs two"
  need count(cards) <= 4 blame cards "too long"
}

define sum_within(d: Deck, most: Int): Bool = sum(d.cards, points) <= most

define affordable(d: Deck): Bool = sum_within(d, 100)

define whole(l: Length): Bool = 1" * floor(l / 1") == l

kind Hand (hands) is Deck { }

limit "hands" on Hand {
  for card in cards { need whole(card.reach) blame cards "the reach of {card} is broken" }
}

kind Purse (purses) is card { deck: Deck }

limit "purses" on Purse { need sum_within(deck, 15) blame deck "the purse is too small" }

limit "speed costs points" on Mini {
  for slower in minis where it.speed < this.speed { need this.points > slower.points blame points "it has to cost more than {slower}" }
  need reach <= 3" blame reach "a reach of {reach} is too far"
}

mini Slow { points: 10 }
mini Big { points: 60 }
"#;

/// What is said of one more card.
fn said(card: &str) -> Diagnostic {
    let mut workspace = Workspace::new();
    let text = format!("{RULES}{card}\n");
    let project = workspace.open(Manifest::loose("small"), String::new(), vec![("a.banner".to_string(), text)]);
    let found = workspace.check(project).found;
    let mut broken = found.into_iter().filter(|d| d.diagnostic.code == "limit-broken");
    let first = broken.next().expect("a limit is broken").diagnostic;
    assert!(broken.next().is_none(), "only one");
    first
}

#[test]
fn a_sum_says_what_to_leave_out() {
    let d = said("deck D { cards: [Big, Big, Slow] }");
    assert_eq!(d.notes, ["It is 130; at most 100 is allowed, 30 too many."]);
    assert_eq!(d.help.as_deref(), Some("Leaving out Big (60) is enough."));
    // one underline over the whole list
    assert!(d.also.is_empty());
    assert_eq!(d.span.of(&format!("{RULES}deck D {{ cards: [Big, Big, Slow] }}\n")), "[Big, Big, Slow]");
}

/// A term that compares says by how much as if the comparison stood in the limit; only the card's own list can be made shorter there.
#[test]
fn a_term_is_seen_through() {
    let d = said("deck D { cards: [Slow, Slow] }\npurse P { deck: D }");
    assert_eq!(d.notes, ["It is 20; at most 15 is allowed, 5 too many."]);
    assert_eq!(d.help, None);
}

/// That two lengths are equal is how the term is made, not what the limit asks.
#[test]
fn an_equality_in_a_term_says_nothing() {
    let d = said("mini Long { points: 5, reach: 2.5\" }\nhand H { cards: [Long, Slow] }");
    assert_eq!(d.headline, "The reach of Long is broken.");
    assert_eq!(d.notes, [""; 0]);
}

#[test]
fn a_count_says_how_many() {
    let d = said("deck D { cards: [5 Slow] }");
    assert_eq!(d.notes, ["It is 5; at most 4 is allowed, 1 too many."]);
    assert_eq!(d.help.as_deref(), Some("Leave out 1 of them."));
}

#[test]
fn words_take_values() {
    let d = said("deck D { cards: [Slow] }");
    assert_eq!(d.headline, "The deck has 1 card and needs two.");
    assert_eq!(d.notes, ["It is 1; at least 2 is needed, 1 too few."]);
}

#[test]
fn lengths_have_their_sign() {
    let d = said("mini Far { points: 5, reach: 4.5\" }");
    assert_eq!(d.headline, "A reach of 4.5\" is too far.");
    assert_eq!(d.notes, ["It is 4.5\"; at most 3\" is allowed, 1.5\" too much."]);
}

#[test]
fn a_limit_sees_the_other_cards() {
    let d = said("mini Fast { points: 60, speed: 2 }");
    assert_eq!(d.headline, "It has to cost more than Big.");
}
