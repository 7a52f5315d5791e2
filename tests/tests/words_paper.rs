//! What is offered for a card that is too full makes it fit, and keeps it legal.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use banneret_compiler::diagnostic::{Located, Severity};
use banneret_tests::workbench::Workbench;

/// Abilities of different lengths.
const RULES: &[&str] = &[
    "after activate this { heal 1 to this }",
    "grant your other minis within 3\" of this { skill -1 }",
    "at end of turn { deal 1 to enemy minis within 1\" of this by this }",
    "after activate this { may \"rant\" { choose patient from your other wounded minis within 3\" of this, deal 1 to this by this, heal 3 to patient } }",
    "after deal to enemy minis by this { grant target { cannot charge } until end of next turn }",
    "before strike this { damage -1, damage at least 1 }",
    "instead of deal to your other minis within 1\" of this once per turn { deal amount to this by source }",
];

/// Cards with more and more abilities, in other orders.
fn card(n: usize) -> Vec<String> {
    let count = 7 + n % 8;
    (0..count).map(|k| RULES[(n * 5 + k * (1 + n % 3)) % RULES.len()].to_string()).collect()
}

fn source(rules: &[(usize, String, Option<String>)]) -> String {
    let mut out = String::from(
        "use one_card\n\nmini Heap {\n  picture: \"heap.svg\"\n  points: 10\n  speed: 2, actions: 2, move: 6\"\n  skill: 4+, defense: 5+, health: 3\n  weapon Fist from MeleeWeapon { attacks: 1, damage: 1 }\n",
    );
    for (k, rule, says) in rules {
        let says = says.as_ref().map(|says| format!("    says \"{says}\"\n")).unwrap_or_default();
        out.push_str(&format!("  ability Deed{k} {{\n{says}    {rule}\n  }}\n"));
    }
    out + "}\n"
}

fn too_full(found: &[Located]) -> Option<&Located> {
    found.iter().find(|one| one.diagnostic.code == "card-too-full")
}

#[test]
fn every_mend_that_is_offered_makes_the_card_fit() {
    let mut bench = Workbench::default();
    let (mut full, mut offered, mut wrong) = (0, 0, Vec::new());
    for n in 0..300 {
        let rules = card(n);
        let rules: Vec<(usize, String, Option<String>)> = rules.into_iter().enumerate().map(|(k, rule)| (k + 1, rule, None)).collect();
        let found = bench.check_and_lay_out(&[("heap.banner", &source(&rules))]);
        let Some(message) = too_full(&found) else { continue };
        full += 1;
        let help = message.diagnostic.help.clone().unwrap_or_default();
        for mend in help.trim_end_matches('.').split("; or ") {
            let mended: Vec<(usize, String, Option<String>)> = match mend.to_lowercase().strip_prefix("leave out ") {
                Some(names) => rules
                    .iter()
                    .filter(|(k, ..)| !names.contains(&format!("“deed{k}”")) && !names.contains(&format!("“deed {k}”")))
                    .cloned()
                    .collect(),
                None => {
                    let words: usize = mend.split("at most ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap().parse().unwrap();
                    let says = ["until", "the", "end", "of", "this", "turn", "another", "unit", "within", "reach", "regains", "health"];
                    let says = says.iter().cycle().take(words).copied().collect::<Vec<_>>().join(" ");
                    let is_it = |k: usize| mend.contains(&format!("“Deed{k}”")) || mend.contains(&format!("“Deed {k}”"));
                    rules.iter().map(|(k, rule, _)| (*k, rule.clone(), is_it(*k).then(|| says.clone()))).collect()
                }
            };
            offered += 1;
            let found = bench.check_and_lay_out(&[("heap.banner", &source(&mended))]);
            let bad: Vec<&str> =
                found.iter().filter(|one| one.diagnostic.severity == Severity::Error).map(|one| one.diagnostic.headline.as_str()).collect();
            if mended == rules || !bad.is_empty() {
                wrong.push(format!("{n}: {mend}: {bad:?}"));
            }
        }
    }
    println!("{full} cards too full, {offered} mends");
    assert!(full >= 200 && offered >= full, "{full} cards too full, {offered} mends");
    assert!(wrong.is_empty(), "{} of {offered} mends do not help:\n{}", wrong.len(), wrong.join("\n"));
}
