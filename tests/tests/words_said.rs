//! The words of rules: abilities of ten rule systems that nobody shipped, with a verdict on each; the words that were found wrong once;
//! and no two different rules of one project in the same words.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod project;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use banneret_compiler::api::{ProjectId, Stage, Workspace};
use banneret_compiler::diagnostic::Severity;
use banneret_compiler::manifest::Manifest;
use banneret_tests::files::{below, house};
use project::Files;

fn open(workspace: &mut Workspace, files: Files) -> ProjectId {
    workspace.open(Manifest::loose("words"), String::new(), files)
}

fn errors(workspace: &Workspace, project: ProjectId) -> Vec<String> {
    let found = workspace.check(project).found;
    found.iter().filter(|one| one.diagnostic.severity == Severity::Error).map(|one| one.diagnostic.headline.clone()).collect()
}

fn one_line(words: &str) -> String {
    words.lines().collect::<Vec<_>>().join(" / ")
}

/// `tests/words/NAME.banner` are the abilities, as they were written before anybody had seen their words. `NAME.verdicts` has a line for each:
/// the card, the verdict (printable, stiff or wrong), and the words that were judged. Other words want another verdict.
#[test]
fn sixty_abilities_of_five_systems() {
    let folder = house().join("tests/words");
    let mut verdicts: BTreeMap<String, usize> = BTreeMap::new();
    let mut changed = Vec::new();
    for path in below(&folder, ".banner") {
        let mut workspace = Workspace::new();
        let project = open(&mut workspace, vec![("words.banner".into(), fs::read_to_string(&path).unwrap())]);
        assert_eq!(errors(&workspace, project), Vec::<String>::new(), "{}", path.display());
        let judged = fs::read_to_string(path.with_extension("verdicts")).unwrap_or_default();
        for line in judged.lines().filter(|line| !line.is_empty()) {
            let [card, verdict, words] = line.splitn(3, " | ").collect::<Vec<_>>()[..] else { panic!("not a verdict: {line}") };
            let made = one_line(&workspace.show(project, card, Stage::Text).unwrap_or_default());
            if made != words {
                changed.push(format!("{card}\n  judged: {words}\n  made:   {made}"));
            }
            *verdicts.entry(verdict.into()).or_default() += 1;
        }
    }
    assert!(changed.is_empty(), "words that nobody has judged:\n{}", changed.join("\n"));
    println!("{verdicts:?}");
    assert!(verdicts.values().sum::<usize>() >= 60, "{verdicts:?}");
    assert_eq!(verdicts.get("wrong"), None, "{verdicts:?}");
    assert!(verdicts["printable"] >= 45, "{verdicts:?}");
}

/// Rules whose words left something out, or leaked what only the source calls things. Each row is a rule on a card and its words.
#[test]
fn words_that_were_wrong() {
    const SYSTEM: &str = r#"
ruleset odd "Odd" { version: "1.0", length step as s }
kind Side (sides) is player {
  deck: pile of Unit
  hand: pile of Unit
  state score: Int 0.. = 0
  says score "points"
}
kind Unit (units) is card, piece {
  base: Length = 1s
  power: Int 0.. = 1
  keywords: set of Keyword = []
  state wounds: Int 0.. = 0
  state acted: Bool = false
  says acted "has acted"
}
unit Clown { }
keyword Shield(x) on Unit { before strike against this { raw -x } }
fact visible(a: Unit, b: Unit): Bool says "in sight of {b}"
phase round { do turn }
phase turn { }
action push(u: Unit) by p: Side with steps: Int = 2 { says "push {u} {steps} steps", u.wounds += steps }
action every_strike by u: Unit { says "every strike of {u}", u.wounds += 0 }
action contract_end(u: Unit) { says "the contract of {u} ends", u.wounds += 0 }
define apart(a: Unit, b: Unit): Length = distance(a, b) says "the gap between {a} and {b}"
action strike by u: Unit against target: Unit {
  says "make an attack"
  let raw = u.power
  says raw "the damage"
  target.wounds += raw
}
action burn by p: Side { says "burn {unit}", choose unit from units of p, remove unit }
action gain(n: Int) for p: Side = you { says "gain {n} AP", p.score += n }
action knack_roll(pips: Int) for u: Unit { says "make a knack roll", u.wounds += 0 * pips }
action heal(n: Int) to target: Unit { says "{target} regains {n} health", target.wounds -= n }
action draw(n: Int) by p: Side { says "draw {n} {n|card|cards}" }
"#;
    let rows: &[(&str, &str)] = &[
        ("before strike against this { raw -1 }", "Before an attack is made against this unit, the damage is reduced by 1."),
        ("before strike where target == this { raw -1 }", "Before an attack is made against this unit, the damage is reduced by 1."),
        (
            "cannot strike by enemy units where target == this and this.wounds > 0",
            "Enemy units cannot make an attack against this unit if this unit has any Wounds.",
        ),
        ("after burn by you where unit == this { draw 1 by you }", "After you burn this unit, draw 1 card."),
        ("at end of turn { gain 2 for opponent }", "At the end of the turn, gain 2 AP for your opponent."),
        ("at end of turn { gain 1 for players }", "At the end of the turn, gain 1 AP for each player."),
        (
            "at end of turn { choose foe from enemy units within 1s of this, move foe to away(foe, this, 3s) }",
            "At the end of the turn, choose an enemy unit within 1s of this unit, then move that unit to a place up to 3s from that unit, \
             straight away from this unit.",
        ),
        (
            "at end of turn { choose spot from places within 3s of this, create Clown by you at spot }",
            "At the end of the turn, choose a place within 3s of this unit, then create Clown at that place.",
        ),
        (
            "at end of turn { choose c from you.hand, move c to you.deck }",
            "At the end of the turn, choose a unit in your hand, then move that unit to your deck.",
        ),
        (
            "at end of turn { choose c from you.hand, move c into you.deck }",
            "At the end of the turn, choose a unit in your hand, then move that unit into your deck.",
        ),
        (
            "after strike by this where any past(knack_roll for this where pips == 6) this turn { gain 1 }",
            "After this unit makes an attack, if a knack roll has been made for this unit this turn while the pips is 6, gain 1 AP.",
        ),
        (
            "at end of turn { choose up to 1 x from your units where wounds > 0, heal 1 to x }",
            "At the end of the turn, choose up to one of your units with any Wounds, then that unit regains 1 health.",
        ),
        (
            "at end of turn { choose hunter from your units, choose foe from enemy units, choose ally from your units where it != hunter, \
             strike by hunter against foe, strike by ally against foe }",
            "At the end of the turn, choose one of your units, then choose an enemy unit (the foe), then choose one of your units other than \
             that unit (the ally), then that unit makes an attack against the foe, then the ally makes an attack against the foe.",
        ),
        ("grant your other units { Shield +1 }", "Your other units have Shield +1."),
        (
            "at end of turn where no enemy units where visible(it, this) { gain 1 }",
            "At the end of the turn, if there are no enemy units in sight of this unit, gain 1 AP.",
        ),
        ("grant you { score +1 }", "You have +1 points."),
        (
            "at end of turn { choose first_one from your units, choose foe from enemy units, let here = first_one.place, move first_one to foe.place, \
             move foe to here }",
            "At the end of the turn, choose one of your units, then choose an enemy unit (the foe), then note that unit’s place, then move that \
             unit to the foe’s place, then move the foe to that place.",
        ),
        (
            "at end of turn { choose x from your units, each once per round, heal 1 to x }",
            "At the end of the turn, choose one of your units, each once per round, then that unit regains 1 health.",
        ),
        (
            "at end of turn { choose by you { \"bribe\" { gain 1 for opponent } \"bleed\" { heal 1 to this } } }",
            "At the end of the turn, choose one: “bribe”: gain 1 AP for your opponent; or “bleed”: this unit regains 1 health.",
        ),
        ("at end of turn { push this by you }", "At the end of the turn, push this unit 2 steps."),
        ("at end of turn { push this by you with 3 }", "At the end of the turn, push this unit 3 steps."),
        ("after every_strike by other units { gain 1 }", "After every strike of another unit, gain 1 AP."),
        (
            "at end of turn { grant this { power +1 } until contract_end this }",
            "At the end of the turn, until the contract of this unit ends, this unit has +1 Power.",
        ),
        (
            "grant units where apart(it, this) <= 6s { power +1 }",
            "Units such that the gap between them and this unit is 6s or less have +1 Power.",
        ),
        (
            "at end of turn where no past(strike by your units) this turn { gain 1 }",
            "At the end of the turn, if none of your units has made an attack this turn, gain 1 AP.",
        ),
        ("at end of turn where not acted { gain 1 }", "At the end of the turn, if this unit has not acted, gain 1 AP."),
    ];
    let mut wrong = Vec::new();
    for (rule, want) in rows {
        let mut workspace = Workspace::new();
        let text = format!("{SYSTEM}\nunit Tried {{\n  {rule}\n}}\n");
        let project = open(&mut workspace, vec![("odd.banner".into(), text)]);
        let found = errors(&workspace, project);
        let words = one_line(&workspace.show(project, "Tried", Stage::Text).unwrap_or_default());
        if !found.is_empty() || words != *want {
            wrong.push(format!("{rule}\n  wanted: {want}\n  made:   {words}\n  errors: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {} rows:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

/// Sentences that were wrong when abilities of three more systems were read: what stands behind a thing was taken for a part of it, words with a
/// subject of their own for a command, and two things of one kind were spoken of in the same words.
#[test]
fn words_of_events_that_were_wrong() {
    const SYSTEM: &str = r#"
ruleset odd "Odd" { version: "1.0" }
kind Side (sides) is player { state score: Int 0.. = 0 }
kind Unit (units) is card { state wounds: Int 0.. = 0, state shut: Bool = false, says shut "is shut" }
phase turn { }
action hurl(r: Unit) at target: Unit by u: Unit { says "hurl {r} at {target}", target.wounds += 1 }
action batter(n: Int) on target: Unit { says "batter {target} {n} {n|time|times}", says n "the number of times", target.wounds += n }
action guide(u: Unit) by p: Side { says "guide {u} home", u.shut = true }
action storm(n: Int) { says "the sea rages by {n}", says n "the rage" }
action bid(n: Int) on u: Unit by p: Side { says "bid {n} {n|coin|coins}", says u "on {u}", p.score += n }
action jostle(u: Unit) by p: Side { says "jostle {u}", u.wounds += 1 }
action gain(n: Int) by p: Side { says "gain {n} AP", p.score += n }
"#;
    let rows: &[(&str, &str)] = &[
        ("after batter on this { gain 1 by you }", "After this unit is battered, gain 1 AP."),
        ("cannot guide other units where this.shut", "Other units cannot be guided home if this unit is shut."),
        ("before storm { n +1 }", "Before the sea rages, the rage is increased by 1."),
        ("after bid on this { gain 1 by you }", "After coins are bid on this unit, gain 1 AP."),
        (
            "at end of turn { grant enemy units { shut = true } until end of turn }",
            "At the end of the turn, until the end of the turn, enemy units are shut.",
        ),
        ("at end of turn { may by opponent { jostle this by opponent } }", "At the end of the turn, your opponent may jostle this unit."),
        (
            "at end of turn { may by opponent { jostle this by you } }",
            "At the end of the turn, your opponent may do this: you jostle this unit.",
        ),
    ];
    let words_of = |rule: &str| {
        let mut workspace = Workspace::new();
        let project = open(&mut workspace, vec![("odd.banner".into(), format!("{SYSTEM}\nunit Tried {{\n  {rule}\n}}\n"))]);
        (one_line(&workspace.show(project, "Tried", Stage::Text).unwrap_or_default()), errors(&workspace, project))
    };
    let mut wrong = Vec::new();
    for (rule, want) in rows {
        let (words, found) = words_of(rule);
        if !found.is_empty() || words != *want {
            wrong.push(format!("{rule}\n  wanted: {want}\n  made:   {words}\n  errors: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {} rows:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
    // The one that hurls, and the one at whom it is hurled: told apart, or refused.
    let [(one, _), (other, found)] = ["u", "target"].map(|who| words_of(&format!("after hurl by other units {{ guide {who} by you }}")));
    assert!(one != other || !found.is_empty(), "{one}");
}

/// Two things of one kind are never spoken of in the same words: that is refused, not printed.
#[test]
fn what_cannot_be_told_apart_is_refused() {
    let text = r#"
ruleset odd "Odd" { version: "1.0" }
kind Side (sides) is player { }
kind Unit (units) is card { state wounds: Int 0.. = 0 }
phase turn { }
action shove(a: Unit) by b: Unit { says "shove", a.wounds += 1 }
unit Bare { at end of turn { choose foe from enemy units, shove foe by this } }
"#;
    let mut workspace = Workspace::new();
    let project = open(&mut workspace, vec![("odd.banner".into(), text.into())]);
    let found = errors(&workspace, project);
    assert!(found.iter().any(|one| one.contains("leave out")), "{found:?}");
}

/// A project's cards and keywords, by their words: one wording, one rule.
#[test]
fn different_rules_have_different_words() {
    let mut collisions = Vec::new();
    let mut looked = 0;
    for folder in folders("content").into_iter().chain(folders("stdlib")) {
        let mut workspace = Workspace::new();
        let project = open(&mut workspace, files_of(&folder));
        let mut by_words: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
        for (key, words) in workspace.texts(project) {
            let path = key.rsplit('/').next().unwrap_or(&key).to_string();
            let Some(code) = workspace.show(project, &path, Stage::Bytecode) else { continue };
            looked += 1;
            by_words.entry(words).or_default().insert(meaning(&code, &path), path);
        }
        for (words, rules) in by_words.into_iter().filter(|(_, rules)| rules.len() > 1) {
            collisions.push(format!("{}: {:?}: {words}", folder.display(), rules.values().collect::<Vec<_>>()));
        }
    }
    assert!(looked > 250, "only {looked} cards and parts");
    assert!(collisions.is_empty(), "{}", collisions.join("\n"));
}

fn folders(path: &str) -> Vec<std::path::PathBuf> {
    let mut found: Vec<_> = fs::read_dir(house().join(path)).unwrap().flatten().map(|e| e.path()).filter(|p| p.is_dir()).collect();
    found.sort();
    found
}

fn files_of(folder: &Path) -> Files {
    let name = |path: &Path| path.strip_prefix(folder).unwrap().to_string_lossy().replace('\\', "/");
    below(folder, ".banner").into_iter().map(|path| (name(&path), fs::read_to_string(&path).unwrap())).collect()
}

/// What the machine does, without names and places in the source: each line is a number, the instruction, and the source beside it.
fn meaning(listing: &str, path: &str) -> String {
    let name = path.rsplit('.').next().unwrap_or(path);
    // Fragments are numbered as they come in the whole card; what they do stands in the listing.
    let unnumbered = |what: &str| match what.split_once("fragment ") {
        Some((before, after)) => format!("{before}fragment{}", after.trim_start_matches(|c: char| c.is_ascii_digit())),
        None => what.to_string(),
    };
    let instruction = |line: &str| {
        line.trim_start().split("  ").filter(|part| !part.is_empty()).nth(1).map(|what| unnumbered(&what.replace(name, "NAME")))
    };
    listing.lines().filter(|line| line.starts_with(' ')).filter_map(instruction).collect::<Vec<_>>().join("\n")
}

/// Words that somebody wrote by hand in the shipped content: few, and none of them because the others would leave something out.
#[test]
fn words_by_hand_are_few_and_for_style_alone() {
    let (mut by_hand, mut lines) = (Vec::new(), 0);
    for folder in folders("content") {
        let files = files_of(&folder);
        lines += files
            .iter()
            .filter(|(path, _)| !path.contains("tests"))
            .flat_map(|(_, text)| text.lines())
            .filter(|line| line.trim_start().starts_with("says \""))
            .count();
        let mut workspace = Workspace::new();
        let project = open(&mut workspace, files);
        by_hand.extend(workspace.overrides(project));
    }
    let cards: Vec<&str> = by_hand.iter().map(|one| one.card.as_str()).collect();
    assert!(cards.len() <= 10 && lines <= 12, "{cards:?}, {lines} lines");
    let needed: Vec<&str> = by_hand.iter().filter(|one| !one.whole).map(|one| one.card.as_str()).collect();
    assert_eq!(needed, Vec::<&str>::new(), "words of which the generated ones leave something out");
}
