//! Rules text of cards as designers write them: from source to the words that are printed.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use banneret_compiler::api::{Stage, Workspace};
use banneret_compiler::diagnostic::Severity;
use banneret_compiler::manifest::Manifest;

/// A small rule system, with an action of every shape.
const RULES: &str = r#"ruleset small "Small" {
  version: "1.0"
  length inch as "
}

enum Sort { Plated, Glazed }

kind Side (sides) is player {
  hand: pile of Unit
  burns: Int 0.. = 0
  resource Faith: 0..10 = 3
}

kind Unit (units) is card, piece {
  base: Length = 1"
  skill: Target 2+..6+ = 4+
  defense: Target 2+..6+ = 4+
  power: Int 0.. = 1
  cost: Int 0.. = 1
  types: set of Sort = []
  parts: [Weapon]
  state wounds: Int 0.. = 0
  state acted: Bool = false
  state hidden: Bool = false
}

kind Warlord (warlords) is card { state hurt: Int 0.. = 0 }

kind Weapon (weapons) is part { power: Int 0.. = 1 }

kind Spell (spells) is card {
  target: Choice of Unit?
  effect: Effect(target: Unit)
}

kind Order (orders) is card { effect: Effect(activated: set of Unit) }

define glazed on Unit = Glazed in types
define unglazed on Unit = Glazed not in types

action lose(n: Int) from target: Unit {
  says "{target} loses {n} health"
  target.wounds += n
}

action deal(amount: Int) to target: Unit by source: Unit? {
  says "deal {amount} damage to {target}"
  target.wounds += amount
}

action burn(unit: Unit) by p: Side {
  says "burn {unit}"
  remove unit
}

action flee(unit: Unit) by p: Side {
  says "flee"
  remove unit
}

action defend(n: Int) for f: Unit {
  says "{f} defends against {n} {n|wound|wounds}"
  f.wounds += n
}

action destroy(u: Unit) { remove u }

action draw(n: Int) by p: Side {
  says "draw {n} {n|card|cards}"
  p.Faith += n
}

action summon(what: Unit) by p: Side {
  says "put {a what} into play"
  create what by p into play
}

action spend_faith(n: Int) by u: Unit {
  says "spend {n} Faith"
  controller(u).Faith -= n
}

phase round { do shooting; for p in players { do turn by p } }
phase shooting { }
phase turn by p: Side { }

unit Cinderling { power: 2 }
"#;

/// The words of the last card in a source.
fn text(cards: &str) -> String {
    let mut workspace = Workspace::new();
    let source = format!("{RULES}\n{cards}\n");
    let project = workspace.open(Manifest::loose("small"), String::new(), vec![("a.banner".to_string(), source)]);
    let checked = workspace.check(project);
    let wrong: Vec<&str> =
        checked.found.iter().filter(|f| f.diagnostic.severity == Severity::Error).map(|f| f.diagnostic.headline.as_str()).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    let last = cards.lines().rfind(|line| line.starts_with(|c: char| c.is_alphabetic())).unwrap();
    let name = last.split(' ').nth(1).unwrap();
    workspace.show(project, name, Stage::Text).unwrap().trim_end().to_string()
}

/// The words of a spell with this effect.
fn effect(block: &str) -> String {
    let block = block.replace('\n', "\n    ");
    text(&format!("spell It {{\n  target foe: enemy units\n  effect {{\n    {block}\n  }}\n}}"))
}

/// The words of a unit with this rule.
fn rule(rule: &str) -> String {
    let rule = rule.replace('\n', "\n  ");
    text(&format!("unit It {{\n  {rule}\n}}"))
}

#[test]
fn adjectives_on_a_known_set_are_kept() {
    assert_eq!(text("order It { effect { lose 2 from unglazed activated } }"), "Each of the unglazed activated units loses 2 health.");
    assert_eq!(
        text("order It { effect { grant unglazed activated { power +1 } until end of round } }"),
        "Until the end of the round, the unglazed activated units have +1 Power."
    );
    assert_eq!(
        text("order It { effect { lose 1 from activated where controller(it) == you } }"),
        "Each of the activated units that are yours loses 1 health."
    );
}

#[test]
fn target_numbers_are_improved_not_had() {
    assert_eq!(
        effect("grant foe { skill +1, defense -1 } until end of round"),
        "Until the end of the round, an enemy unit has Skill worsened by 1 and Defense improved by 1."
    );
    assert_eq!(rule("grant your units { power +1, skill -1 }"), "Your units have +1 Power and Skill improved by 1.");
    assert_eq!(rule("grant this { skill +power }"), "This unit has Skill worsened by its Power.");
    assert_eq!(rule("grant your units { skill = 3+ }"), "Your units have Skill 3+.");
}

#[test]
fn in_a_granted_rule_this_is_who_has_it() {
    assert_eq!(
        effect("grant foe { at end of turn { deal 1 to this } } for 3 turns"),
        "For 3 turns, an enemy unit has “At the end of the turn, deal 1 damage to this unit.”"
    );
    assert_eq!(
        text("spell It { effect { grant sides { at end of turn { draw 1 by this } } for 3 turns } }"),
        "For 3 turns, sides have “At the end of the turn, this side draws 1 card.”"
    );
}

#[test]
fn words_of_a_template_are_taken_over() {
    const BASE: &str = "unit Base template { says \"It does odd things.\", after destroy { draw 1 by you } }\n";
    assert_eq!(text(&format!("{BASE}unit It from Base {{ power: 3 }}")), "It does odd things.");
    assert_eq!(text(&format!("{BASE}unit It from Base {{ says \"odd\" }}")), "Odd.");
    assert_eq!(
        text(&format!("{BASE}unit It from Base {{ after destroy {{ draw 2 by you }} }}")),
        "After a unit is destroyed, draw 1 card. After a unit is destroyed, draw 2 cards."
    );
    const SPELL: &str = "spell Base template { says \"odd\", effect { draw 1 by you } }\n";
    assert_eq!(text(&format!("{SPELL}spell It from Base {{ effect {{ draw 2 by you }} }}")), "Draw 2 cards.");
}

#[test]
fn a_table_by_a_roll_has_rows() {
    let table = "table roll d6 {\n 1 { draw 1 by you }\n 2..5 { draw 2 by you }\n 6 { lose 1 from foe }\n }";
    assert_eq!(effect(table), "Choose an enemy unit. Roll a d6. 1: draw 1 card. 2–5: draw 2 cards. 6: that unit loses 1 health.");
    assert_eq!(
        effect(&format!("{table}\ndraw 3 by you")),
        "Choose an enemy unit. Roll a d6. 1: draw 1 card. 2–5: draw 2 cards. 6: that unit loses 1 health. Then draw 3 cards."
    );
    assert_eq!(
        rule(&format!("after destroy {{\n{}\ndraw 3 by you }}", table.replace("foe", "this"))),
        "After a unit is destroyed, roll a d6. 1: draw 1 card. 2–5: draw 2 cards. 6: this unit loses 1 health. Then draw 3 cards."
    );
    assert_eq!(
        effect("let n = roll d6\ntable n {\n ..2 { draw 1 by you }\n 3..4 { draw 2 by you }\n else { lose n from foe }\n }"),
        "Choose an enemy unit. Roll a d6. 2 or less: draw 1 card. 3–4: draw 2 cards. Otherwise: that unit loses that much health."
    );
    assert_eq!(
        effect("draw (table roll d6 { 1 -> 1, 2..5 -> 2, 6 -> 3 }) by you"),
        "Draw X cards, where X is the result of a d6 (1: 1; 2–5: 2; 6: 3)."
    );
}

#[test]
fn a_condition_on_a_roll() {
    assert_eq!(effect("if (roll d6) >= 5 { draw 1 by you }"), "Roll a d6; on 5 or more, draw 1 card.");
    assert_eq!(
        effect("if (roll d6) == 6 { draw 1 by you } else { draw 2 by you }"),
        "Roll a d6; on 6, draw 1 card. Otherwise, draw 2 cards."
    );
    assert_eq!(
        effect("if (roll d6) >= 5 and foe.acted { draw 1 by you }"),
        "Choose an enemy unit. If you roll 5 or more on a d6 and that unit has Acted, draw 1 card."
    );
}

#[test]
fn you_have() {
    assert_eq!(effect("grant you { burns +1 } until end of round"), "Until the end of the round, you have +1 Burns.");
}

#[test]
fn members_of_a_field_after_a_noun() {
    assert_eq!(rule("grant units where Plated not in types { power -1 }"), "Units without Plated among their Types have −1 Power.");
    assert_eq!(rule("grant units where Plated in types { power -1 }"), "Units with Plated among their Types have −1 Power.");
    assert_eq!(
        effect("choose x from units where Plated in types\nlose 1 from x"),
        "Choose a unit with Plated among its Types. The chosen unit loses 1 health."
    );
}

#[test]
fn numbers_of_a_field_after_a_noun() {
    let chosen = |cond: &str| effect(&format!("choose x from enemy units where {cond}\nlose 1 from x"));
    let told = |words: &str| format!("Choose an enemy unit {words}. The chosen unit loses 1 health.");
    assert_eq!(chosen("cost <= 3"), told("with Cost 3 or less"));
    assert_eq!(chosen("cost >= 3"), told("with Cost 3 or more"));
    assert_eq!(chosen("cost == 3"), told("with Cost 3"));
    assert_eq!(chosen("cost < 3"), told("with Cost less than 3"));
    assert_eq!(chosen("wounds > 0"), told("with any Wounds"));
    assert_eq!(chosen("acted"), told("that has Acted"));
    assert_eq!(chosen("not acted"), told("that does not have Acted"));
    assert_eq!(chosen("acted and not hidden"), told("that has Acted and does not have Hidden"));
}

#[test]
fn what_is_repeated_says_so_first() {
    assert_eq!(effect("repeat 2 { summon Cinderling by you }"), "Twice, put a Cinderling into play.");
    assert_eq!(effect("repeat 3 { lose 1 from foe }"), "3 times, an enemy unit loses 1 health.");
}

#[test]
fn a_field_that_is_this_is_named_in_the_pattern() {
    assert_eq!(rule("after burn by you where unit == this { draw 1 by you }"), "After you burn this unit, draw 1 card.");
    // What the words of an action leave out is a condition.
    assert_eq!(rule("after flee by you where unit == this { draw 1 by you }"), "After you flee, if that unit is this unit, draw 1 card.");
    assert_eq!(rule("after flee this by you { draw 1 by you }"), "After you flee, if the unit is this unit, draw 1 card.");
}

#[test]
fn phases_are_played() {
    assert_eq!(rule("instead of shooting { draw 1 by you }"), "Instead of the shooting phase, draw 1 card.");
    assert_eq!(rule("instead of turn by you { draw 1 by you }"), "Instead of your turn, draw 1 card.");
    assert_eq!(
        rule("after destroy { draw 1 by you; do shooting }"),
        "After a unit is destroyed, draw 1 card, then play the shooting phase."
    );
}

#[test]
fn the_player_of_an_event_is_that_player() {
    assert_eq!(
        rule("at end of turn { for w in warlords of p { w.hurt += 1 } }"),
        "At the end of each side’s turn, each of that side’s warlords gains 1 Hurt."
    );
}

#[test]
fn what_a_choice_needs_comes_first() {
    assert_eq!(
        rule("at end of turn { may \"Litany\" { need power >= 2 and acted; spend_faith 2 by this; draw 1 by you } }"),
        "At the end of the turn, if this unit’s Power is 2 or more and this unit has Acted, you may do this: this unit spends 2 Faith, then draw 1 card."
    );
    assert_eq!(
        rule("at end of turn { may \"Litany\" { need acted; draw 1 by you } }"),
        "At the end of the turn, if this unit has Acted, you may draw 1 card."
    );
    assert_eq!(
        rule("at end of turn { may \"Rest\" { this.wounds -= 1 } }"),
        "At the end of the turn, you may do this: this unit loses 1 Wounds."
    );
}

#[test]
fn long_amounts_are_told_at_the_end() {
    assert_eq!(
        effect("defend 2 + count(past(destroy)) for foe"),
        "An enemy unit defends against X wounds, where X is 2 plus the number of times a unit has been destroyed."
    );
}

#[test]
fn what_is_done_to_another_instead() {
    assert_eq!(
        rule("instead of deal to your units { deal amount to this by source }"),
        "If damage would be dealt to one of your units, that damage is dealt to this unit instead."
    );
}

#[test]
fn long_owners_come_after() {
    assert_eq!(
        text("spell It {\n  target ally: your units where acted\n  effect { grant ally.weapons { power +1 } until end of round }\n}"),
        "Until the end of the round, the weapons of one of your units that have Acted have +1 Power."
    );
}

#[test]
fn piles_are_common_nouns() {
    assert_eq!(effect("choose x from hand of you\nremove x"), "Choose a unit in your hand. Remove the chosen unit from the game.");
}
