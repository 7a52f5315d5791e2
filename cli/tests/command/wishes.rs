//! Mistakes that are wishes in other words: each gets an answer that leads on.

use crate::support::Folder;

const UNIT: &str = "  points: 18, base: 1s, health: 8, move: 5s\n  weapon Pole { reach: [Melee], knack: 4+, attacks: 2, damage: 3 }\n";

/// What is said of a unit with these lines.
fn said(lines: &str) -> String {
    let folder = Folder::new();
    folder.run(&["new", "hill", "--rules", "worlds_collide"]).is(0);
    let folder = folder.file("hill/probe.banner", format!("use worlds_collide\n\nunit Probe of Lanternhill {{\n{UNIT}  {lines}\n}}\n"));
    let ended = folder.run(&["check", "hill"]);
    ended.is(1);
    // as it is read, whatever the width
    ended.out.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn each_leads_on() {
    let effect =
        |deed: &str| format!("ability A {{ cost: 1 AP, knack: 3+, target foe: enemy units within 6s of this, effect {{ {deed} }} }}");
    let cases = [
        (effect("push foe 3s"), "`push WHAT from SOURCE by WAY`"),
        (effect("stun foe"), "grant foe { cannot strike by this } until end of round"),
        (effect("draw a card"), "What cards do here: `deal`, `lose`, `heal`"),
        (effect("grant foe { move -1s } until end of turn"), "What things last for here: `activation`"),
        (effect("heal D3 to this"), "heal (roll d3) to friend"),
        ("ability A { reroll failed hits }".to_owned(), "if pips == 1 { proceed }"),
        ("ability A { gain +1 attack when charging }".to_owned(), "before strike by this where this.moved"),
        ("ability A { grant this { attacks +1 } }".to_owned(), "`grant this.weapons { attacks +1 }`"),
        ("ability A { grant units within 5 steps of this { move +1s } }".to_owned(), "A length is written `5s`."),
        (
            "ability A { grant this { defense +1 } for each 10 models }".to_owned(),
            "`for each 10 models` cannot stand behind the block of this `grant`.",
        ),
        ("ability A {\n    once per battle\n    after destroy enemy units by this { heal 1 to this }\n  }".to_owned(), "`round`"),
    ];
    for (lines, wanted) in cases {
        let said = said(&lines);
        assert!(said.contains(wanted), "{lines}: no {wanted:?} in {said}");
    }
    assert!(!said("ability A { grant this { defense +1 } for each 10 models }").contains("a block is missing"));
}

#[test]
fn a_card_without_a_name_is_told_to_who_looks_for_it() {
    let folder = Folder::new();
    folder.run(&["new", "hill", "--rules", "worlds_collide"]).is(0);
    let probe = format!(
        "use worlds_collide\n\nunit \"Strong Man\" of Lanternhill {{\n{UNIT}}}\n\nroster Two of Lanternhill {{ units: [2 StrongMan], tactics: [] }}\n"
    );
    let ended = folder.file("hill/probe.banner", probe).run(&["check", "hill"]);
    ended.is(1).says("“Strong Man” has no name yet");
}

#[test]
fn a_colour_that_is_none_is_told_once_where_it_is_written() {
    let folder = Folder::new();
    folder.run(&["new", "hill", "--rules", "worlds_collide"]).is(0);
    let text = folder.read("hill/hill.banner").replacen("faction Lanternhill {\n", "faction Lanternhill {\n  colour: \"purple\"\n", 1);
    let folder = folder.file("hill/hill.banner", &text);
    let line = 1 + text.lines().position(|l| l.contains("purple")).unwrap();
    folder.run(&["check", "hill"]).is(1).says(&format!("hill/hill.banner:{line}:11")).says("1 error in 1 file");
}
