//! The completion suite: what is expected at a place stands among the first that are offered, also in texts that cannot be read.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use common::{Case, cases, offered};

/// A word may be offered as the start of a phrase: `at` as `at start of`.
fn is(label: &str, expected: &str) -> bool {
    label == expected || label.strip_prefix(expected).is_some_and(|rest| rest.starts_with(' '))
}

#[test]
fn the_wanted_entry_comes_first() {
    let all: Vec<Case> = cases();
    let (mut first, mut third, mut broken) = (0, 0, 0);
    let mut missed = Vec::new();
    // the places at which people found nothing, or the wrong thing first, count by themselves too
    let (mut found, mut found_first, mut found_third) = (0, 0, 0);
    for case in &all {
        let offer = offered(case);
        let place = offer.entries.iter().position(|e| is(&e.label, &case.expected));
        first += usize::from(place == Some(0));
        third += usize::from(place.is_some_and(|p| p < 3));
        broken += usize::from(case.is_broken());
        if case.place.starts_with("found.md") {
            found += 1;
            found_first += usize::from(place == Some(0));
            found_third += usize::from(place.is_some_and(|p| p < 3));
        }
        if place.is_none_or(|p| p > 0) {
            let top: Vec<&str> = offer.entries.iter().take(6).map(|e| e.label.as_str()).collect();
            let at = case.text.find("$0").unwrap_or(0);
            let line = case.text[..at].rsplit('\n').next().unwrap_or("");
            missed.push(format!("{}: {:?} at {place:?} behind {line:?}: {top:?}", case.place, case.expected));
        }
    }
    let total = all.len();
    println!("{total} places, {broken} in texts that cannot be read; {first} first, {third} among the first three\n{}", missed.join("\n"));
    assert!(total >= 150, "{total}");
    assert!(found >= 129 && found_first * 100 >= found * 80 && found_third * 100 >= found * 95, "{found_first}, {found_third} of {found}");
    assert!(broken * 3 >= total, "{broken} of {total}");
    assert!(third * 100 >= total * 95, "{third} of {total} among the first three:\n{}", missed.join("\n"));
    assert!(first * 100 >= total * 80, "{first} of {total} first:\n{}", missed.join("\n"));
}

/// Whatever the language knows in a face is offered there: the same table is read by both.
#[test]
fn a_face_offers_every_region_and_setting() {
    let text = "use worlds_collide\n\nface front of Unit {\n  size: poker\n  $0\n}\n".to_string();
    let case = Case { place: "here".into(), folder: "content/worlds_collide".into(), expected: "title".into(), text };
    let offer = offered(&case);
    let labels: Vec<&str> = offer.entries.iter().map(|entry| entry.label.as_str()).collect();
    let regions = banneret_compiler::language::REGIONS.iter().map(|region| region.word);
    let settings = banneret_compiler::language::FACE_SETTINGS.iter().map(|setting| setting.word);
    let missing: Vec<&str> = regions.chain(settings).filter(|word| !labels.contains(word)).collect();
    assert!(missing.is_empty(), "{missing:?} of {labels:?}");
    for word in ["stats", "reminders", "bleed", "side", "colour"] {
        assert!(labels.contains(&word), "{word}");
    }
}

fn at(folder: &str, text: &str) -> Vec<banneret_lsp::ide::complete::Entry> {
    offered(&Case { place: "here".into(), folder: folder.into(), expected: String::new(), text: text.into() }).entries
}

const EMPTY_EFFECT: &str = "use worlds_collide\n\ntactic Fresh of KilnPilgrims {\n  knack: 4+\n  effect { $0 }\n}\n";

/// Who writes a card is offered what cards do: what the rules keep for themselves comes behind, and what no line can start with does not come at all.
#[test]
fn an_empty_effect_offers_what_cards_do() {
    let labels: Vec<String> = at("content/worlds_collide/kiln", EMPTY_EFFECT).into_iter().map(|e| e.label).collect();
    let place = |word: &str| labels.iter().position(|l| l == word).unwrap_or_else(|| panic!("no {word} in {labels:?}"));
    let kept = ["lay_out", "tally", "weapon_odds", "ability_odds", "plan", "consult"];
    for cards_do in ["deal", "heal", "destroy", "grant", "choose", "if", "for"] {
        assert!(kept.iter().all(|kept| place(cards_do) < place(kept)), "{cards_do}: {labels:?}");
    }
    for no_start in ["ClayBrother", "count", "Melee", "Heavy", "sum"] {
        assert!(!labels.iter().any(|l| l == no_start), "{no_start} starts no line: {labels:?}");
    }
    assert!(labels.len() < 200, "{}", labels.len());
}

#[test]
fn cards_are_offered_with_their_numbers() {
    let entries = at("content/worlds_collide/kiln", "use worlds_collide\n\nroster Fresh of KilnPilgrims {\n  units: [$0]\n}\n");
    let clay = entries.iter().find(|e| e.label == "ClayBrother").unwrap();
    assert!(clay.detail.starts_with("unit: points 18"), "{}", clay.detail);
    assert!(clay.detail.contains("health 10"), "{}", clay.detail);
}
