//! Generated content: unit cards with weapons and abilities. No part of a card stands on another: two hundred bodies, and names of their own.

/// One unit, its numbers varied by its index so that no two are alike.
struct Unit {
    index: usize,
    points: usize,
    health: usize,
    defense: usize,
    steps: usize,
    attacks: usize,
    damage: usize,
    knack: usize,
    training: &'static str,
}

const TRAININGS: [&str; 4] = ["Iron", "Blood", "Ash", "Salt"];

fn unit(index: usize) -> Unit {
    Unit {
        index,
        points: 10 + index % 90,
        health: 4 + index % 17,
        defense: index % 4,
        steps: 4 + index % 5,
        attacks: 1 + index % 5,
        damage: 1 + index % 7,
        knack: 2 + index % 5,
        training: TRAININGS[index % 4],
    }
}

/// Files of a project with that many cards, a hundred in each.
pub fn project(cards: usize) -> Vec<(String, String)> {
    let mut files = vec![("bench/faction.banner".to_string(), FACTION.to_string())];
    for file in 0..cards.div_ceil(100) {
        let mut text = String::from("use worlds_collide\n\n");
        for index in file * 100..((file + 1) * 100).min(cards) {
            text.push_str(&source(&unit(index)));
        }
        files.push((format!("bench/units_{file:03}.banner"), text));
    }
    files
}

const FACTION: &str = r#"use worlds_collide

enum Training also { Iron, Blood, Ash, Salt }

enum DefenseType also { Plate, Ward }

environment BenchWeather of BenchFaction {
  1..3 Calm { }
  4..6 Storm { active { grant units { move -1s } } penalty { for u in activated { deal 1 to u } } }
}

faction BenchFaction "The Bench" {
  training: [Iron, Blood, Ash, Salt]
  environment: BenchWeather
}
"#;

const FIRST: [&str; 4] =
    ["heal 2 to friend", "deal 1 to friend", "heal 1 to friend\n      heal 1 to friend", "if friend.wounds > 2 { heal 2 to friend }"];

const THEN: [&str; 5] = [
    "grant friend { move +1s } until end of round",
    "grant friend { aim +1 } until end of round",
    "grant friend { move +1s, aim +1 } until end of round",
    "grant friend { defense +1 } until end of round",
    "if friend.wounds > 1 { grant friend { aim +1 } until end of round }",
];

const AFTERWARDS: [&str; 5] = [
    "grant this { aim +1 } until end of round",
    "heal 1 to this",
    "grant this { move +1s } until end of round",
    "if this.wounds > 2 { heal 1 to this }",
    "grant this { defense +1 } until end of round",
];

/// One of two hundred bodies: other fields, numbers of weapons and effects.
fn source(u: &Unit) -> String {
    let Unit { index, points, health, defense, steps, attacks, damage, knack, training } = u;
    let shape = index % 200;
    let (first, then, afterwards) = (FIRST[shape / 2 % 4], THEN[shape / 8 % 5], AFTERWARDS[shape / 40]);
    let own_knack = if shape % 2 == 0 { "" } else { ", knack: 4+" };
    let bow = match shape % 3 {
        0 => String::new(),
        many => format!("  weapon Bow{index} {{ reach: [Near, Ranged], knack: 4+, attacks: {many}, damage: {damage} }}\n"),
    };
    format!(
        r#"/// A soldier of the line, number {index}.
unit Soldier{index} "Soldier of the {index}th" of BenchFaction {{
  points: {points}, base: 1s, health: {health}, move: {steps}s{own_knack}
  defense: {defense}, types: [Plate], training: [{training}]

  weapon Blade{index} {{ reach: [Melee], knack: {knack}+, attacks: {attacks}, damage: {damage}, effective: [Ward] }}
{bow}
  ability Rally{index} {{
    knack: 4+, cost: 1 AP
    target friend: your units within 8s of this where wounds > 0
    effect {{
      {first}
      {then}
    }}
  }}

  ability Grudge{index} {{
    after strike by this {{
      {afterwards}
    }}
  }}
}}

"#
    )
}
