//! What the server writes for somebody, and what it does when asked: each is made in the text, and what comes of it is checked as the author would see it.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::client::{Client, house, place, uri};
use crate::documents::Folder;

/// One text in a project of its own.
struct Desk {
    client: Client,
    path: PathBuf,
    text: String,
    _folder: Folder,
}

impl Desk {
    /// A typed case with pieces of it changed.
    fn new(name: &str, changes: &[(&str, &str)]) -> Self {
        let mut text = std::fs::read_to_string(house().join("editors/typing/cases/tinkers.banner")).unwrap();
        for (old, new) in changes {
            assert!(text.contains(old), "{old}");
            text = text.replacen(old, new, 1);
        }
        let folder = Folder::of("worlds_collide", name, &[("a.banner", &text)]);
        let path = folder.0.join("a.banner");
        let capabilities = json!({
            "textDocument": { "diagnostic": {}, "codeAction": { "resolveSupport": { "properties": ["edit"] } } },
            "workspace": { "workspaceEdit": { "documentChanges": true } },
            "experimental": { "banneret": { "showCard": true } },
        });
        let mut client = Client::start(&[&folder.0], capabilities);
        client.open(&path);
        Self { client, path, text, _folder: folder }
    }

    fn codes(&mut self) -> Vec<String> {
        self.client.pull(&self.path).iter().map(|d| d["code"].as_str().unwrap().to_owned()).collect()
    }

    /// The actions at a piece of the text.
    fn offered(&mut self, piece: &str) -> Vec<Value> {
        let (line, character) = place(&self.text, piece, 1);
        let at = json!({ "line": line, "character": character });
        let params =
            json!({ "textDocument": { "uri": uri(&self.path) }, "range": { "start": at, "end": at }, "context": { "diagnostics": [] } });
        self.client.ask("textDocument/codeAction", params).as_array().unwrap().clone()
    }

    /// Chooses an action by its title.
    fn choose(&mut self, piece: &str, title: &str) {
        let offered = self.offered(piece);
        let titles: Vec<&Value> = offered.iter().map(|a| &a["title"]).collect();
        let action = offered.iter().find(|a| a["title"] == title).unwrap_or_else(|| panic!("no {title:?} in {titles:?}"));
        let action = if action["edit"].is_null() { self.client.ask("codeAction/resolve", action.clone()) } else { action.clone() };
        let change = &action["edit"]["documentChanges"][0];
        assert!(change["textDocument"]["version"].is_i64(), "{action}");
        assert_eq!(change["textDocument"]["uri"], uri(&self.path));
        let offset = |p: &Value| {
            let lines = self.text.split_inclusive('\n').take(p["line"].as_u64().unwrap() as usize);
            lines.map(str::len).sum::<usize>() + p["character"].as_u64().unwrap() as usize
        };
        let edits = change["edits"].as_array().unwrap().iter();
        let mut edits: Vec<(usize, usize, &str)> =
            edits.map(|e| (offset(&e["range"]["start"]), offset(&e["range"]["end"]), e["newText"].as_str().unwrap())).collect();
        edits.sort_unstable();
        for (from, to, new) in edits.into_iter().rev() {
            self.text.replace_range(from..to, new);
        }
        self.client.set(&self.path, &self.text);
    }

    fn lenses(&mut self) -> Vec<Value> {
        let lenses = self.client.ask("textDocument/codeLens", json!({ "textDocument": { "uri": uri(&self.path) } }));
        lenses.as_array().unwrap().clone()
    }

    fn run(&mut self, words: &str) -> Value {
        let arguments = json!([uri(&self.path), words]);
        self.client.ask("workspace/executeCommand", json!({ "command": "banneret.runTest", "arguments": arguments }))
    }

    fn hover(&mut self, piece: &str) -> String {
        let at = place(&self.text, piece, 0);
        self.client.at("textDocument/hover", &self.path, at)["contents"]["value"].as_str().unwrap_or_default().to_owned()
    }
}

#[test]
fn what_is_named_and_missing_is_written() {
    let mut desk = Desk::new(
        "card",
        &[("units: [Foreman, 4 Riveter]", "units: [Foreman, 4 Riveter, Stoker]"), ("tactics: [Overdrive]", "tactics: [Overdrive, Vent]")],
    );
    assert_eq!(desk.codes(), ["unknown-name", "unknown-name"]);
    desk.choose("Stoker", "Write the unit `Stoker`");
    assert!(desk.text.contains("unit Stoker of Soldermoor {\n"), "{}", desk.text);
    desk.choose("Vent]", "Write the tactic `Vent`");
    let codes = desk.codes();
    assert!(!codes.contains(&"unknown-name".to_owned()), "{codes:?}\n{}", desk.text);
    desk.client.end();

    let mut desk = Desk::new(
        "keyword",
        &[("  training: [Leadership], leadership: 1\n", "  training: [Leadership], leadership: 1\n  keywords: [Gruff]\n")],
    );
    assert_eq!(desk.codes(), ["unknown-keyword"]);
    desk.choose("Gruff", "Write the keyword `Gruff`");
    assert!(desk.text.contains("keyword Gruff on Unit {\n  todo"), "{}", desk.text);
    let codes = desk.codes();
    assert!(!codes.contains(&"unknown-keyword".to_owned()), "{codes:?}\n{}", desk.text);
    desk.client.end();

    let mut desk = Desk::new("member", &[("types: [Brass]", "types: [Brass, Pewter]")]);
    assert!(desk.codes().contains(&"unknown-member".to_owned()));
    desk.choose("Pewter", "Add `Pewter` to DefenseType");
    assert_eq!(desk.codes(), Vec::<String>::new(), "{}", desk.text);
    assert!(desk.text.contains("enum DefenseType also { Brass, Pewter }"), "{}", desk.text);
    // a value of an enum that is closed is not made
    let text = desk.text.replace("reach: [Near]", "reach: [Yonder]");
    desk.text = text.clone();
    desk.client.set(&desk.path, &text);
    assert!(!desk.offered("Yonder").iter().any(|a| a["title"].as_str().unwrap().starts_with("Add ")));
    desk.client.end();
}

#[test]
fn fields_that_are_missing_are_added() {
    let mut desk = Desk::new("fields", &[("  base: 1s, health: 11, defense: 1, types: [Brass], move: 5s\n", "")]);
    assert!(desk.codes().contains(&"missing-field".to_owned()));
    let titles: Vec<String> = desk.offered("Riveter of").iter().map(|a| a["title"].as_str().unwrap().to_owned()).collect();
    let add = titles.iter().find(|t| t.starts_with("Add")).unwrap_or_else(|| panic!("{titles:?}")).clone();
    desk.choose("Riveter of", &add);
    assert!(!desk.codes().contains(&"missing-field".to_owned()), "{}", desk.text);
    desk.client.end();
}

#[test]
fn rows_that_are_missing_are_added() {
    let grant = "    grant activated { move +2s } until end of activation\n";
    let table = "    table roll d6 {\n      1..3 { heal 1 to activated }\n      4 { heal 2 to activated }\n    }\n";
    let mut desk = Desk::new("rows", &[(grant, table)]);
    assert_eq!(desk.codes(), ["row-missing"]);
    desk.choose("table roll", "Write the rows");
    let rows = "      4 { heal 2 to activated }\n      5 { heal 2 to activated }\n      6 { heal 2 to activated }\n";
    assert!(desk.text.contains(rows), "{}", desk.text);
    assert_eq!(desk.codes(), Vec::<String>::new());
    desk.client.end();
}

#[test]
fn a_card_joins_a_roster_once() {
    let mut desk = Desk::new("roster", &[("units: [Foreman, 4 Riveter]", "units: [Foreman]")]);
    desk.choose("Riveter of", "Add `Riveter` to `NightShift`");
    assert!(desk.text.contains("units: [Foreman, Riveter]"), "{}", desk.text);
    assert_eq!(desk.codes(), Vec::<String>::new());
    let again = desk.offered("Riveter of");
    assert!(!again.iter().any(|a| a["title"] == "Add `Riveter` to `NightShift`"), "{again:?}");
    desk.client.end();
}

#[test]
fn a_test_is_written_with_the_numbers_that_come_out() {
    let mut desk = Desk::new("test", &[]);
    desk.choose("RivetGun", "Write a test of `RivetGun`");
    assert!(desk.text.contains("test \"Riveter: RivetGun\" {\n  given Riveter as a"), "{}", desk.text);
    assert!(desk.text.contains("expect mean of b.wounds == "), "{}", desk.text);
    assert_eq!(desk.codes(), Vec::<String>::new());
    let done = desk.run("Riveter: RivetGun");
    assert_eq!(done["fine"], true, "{done}\n{}", desk.text);
    desk.client.end();
}

#[test]
fn the_number_that_comes_out_is_accepted() {
    let mut desk = Desk::new("accept", &[("expect hand.wounds == 1", "expect hand.wounds == 4\n  expect hand.health == 3")]);
    desk.choose("hand.health ==", "Expect what comes out, instead of `3`");
    assert!(desk.text.contains("expect hand.health == 11"), "{}", desk.text);
    desk.choose("hand.wounds == 4", "Expect what comes out, instead of `4`");
    assert!(desk.text.contains("expect hand.wounds == 1\n"), "{}", desk.text);
    assert_eq!(desk.run("a foreman mends a riveter")["fine"], true);
    desk.client.end();
}

#[test]
fn tests_are_run_from_the_text_and_their_failure_stands_at_its_line() {
    let mut desk = Desk::new("run", &[("expect hand.wounds == 1", "expect hand.wounds == 2")]);
    let lenses = desk.lenses();
    let lens = lenses.iter().find(|l| l["command"]["command"] == "banneret.runTest").unwrap_or_else(|| panic!("{lenses:?}"));
    assert_eq!(lens["range"]["start"]["line"], place(&desk.text, "test \"a foreman", 0).0);
    let command = lens["command"].clone();
    let done = desk.client.ask("workspace/executeCommand", json!({ "command": command["command"], "arguments": command["arguments"] }));
    assert_eq!(done["fine"], false, "{done}");
    assert!(done["message"].as_str().unwrap().contains("expected 2\n     got 1"), "{done}");
    let found = desk.client.pull(&desk.path);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0]["code"], "test-failed");
    assert_eq!(found[0]["range"]["start"]["line"], place(&desk.text, "expect hand.wounds", 0).0);
    // a change of the text may be the cure: what was said is taken back until it is run again
    desk.text = desk.text.replace("expect hand.wounds == 2", "expect hand.wounds == 1");
    desk.client.set(&desk.path, &desk.text);
    assert_eq!(desk.codes(), Vec::<String>::new());
    assert_eq!(desk.run("a foreman mends a riveter")["fine"], true);
    assert_eq!(desk.codes(), Vec::<String>::new());
    let tests = desk.client.ask("banneret/tests", Value::Null);
    assert_eq!(tests[0]["words"], "a foreman mends a riveter", "{tests}");
    desk.client.end();
}

#[test]
fn cards_are_shown_from_the_text_where_the_editor_can() {
    let mut desk = Desk::new("show", &[]);
    let shows = desk.lenses().iter().filter(|l| l["command"]["command"] == "banneret.showCard").count();
    assert!(shows >= 5, "{shows}");
    desk.client.end();
}

#[test]
fn a_scenario_is_played_from_the_text_where_the_editor_can() {
    let root = house().join("content/worlds_collide");
    let missions = root.join("missions");
    let paths = std::fs::read_dir(&missions).unwrap().map(|e| e.unwrap().path()).filter(|p| p.extension().is_some_and(|e| e == "banner"));
    let paths: Vec<PathBuf> = paths.collect();
    for (can, wanted) in [(true, true), (false, false)] {
        let mut client = Client::start(&[&root], json!({ "experimental": { "banneret": { "play": can } } }));
        let mut played = Vec::new();
        for path in &paths {
            client.open(path);
            let lenses = client.ask("textDocument/codeLens", json!({ "textDocument": { "uri": uri(path) } }));
            let found = lenses.as_array().unwrap().iter().filter(|l| l["command"]["command"] == "banneret.play");
            played.extend(found.map(|l| l["command"]["arguments"][1].as_str().unwrap().to_owned()));
        }
        assert_eq!(!played.is_empty(), wanted, "{played:?}");
        client.end();
    }
}

#[test]
fn words_of_the_language_and_numbers_are_told() {
    let mut desk = Desk::new("hover", &[]);
    assert!(desk.hover("grant activated").contains("grant WHO"), "{}", desk.hover("grant activated"));
    assert!(desk.hover("until end of").contains("How long"));
    assert!(desk.hover("given Foreman").contains("starts with"));
    assert!(desk.hover("3+, cost").contains("4 of 6 on a d6 (67 %)"), "{}", desk.hover("3+, cost"));
    desk.client.end();
}

#[test]
fn a_message_leads_to_its_page() {
    let mut desk = Desk::new("page", &[("types: [Brass]", "types: [Pewter]")]);
    let found = desk.client.pull(&desk.path);
    let href = found[0]["codeDescription"]["href"].as_str().unwrap_or_else(|| panic!("{found:?}"));
    let page = std::fs::read_to_string(href.strip_prefix("file://").unwrap()).unwrap();
    assert!(page.starts_with("# unknown-member\n"), "{page}");
    desk.client.end();
}

#[test]
fn a_message_about_two_places_leads_to_both() {
    let mut desk = Desk::new("twice", &[("  points: 24\n", "  points: 24\n  points: 25\n")]);
    let found = desk.client.pull(&desk.path);
    let also = &found[0]["relatedInformation"][0];
    assert_eq!(also["location"]["uri"], uri(&desk.path), "{found:?}");
    assert_eq!(also["location"]["range"]["start"]["line"], place(&desk.text, "points: 24", 0).0, "{found:?}");
    desk.client.end();
}

#[test]
fn a_roster_tells_what_its_cards_come_to() {
    let mut desk = Desk::new("sum", &[]);
    let told = desk.hover("NightShift \"The");
    assert!(told.contains("*units* 5; in all points 141"), "{told}");
    let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 999, "character": 0 } });
    let hints = desk.client.ask("textDocument/inlayHint", json!({ "textDocument": { "uri": uri(&desk.path) }, "range": range }));
    assert!(hints.as_array().unwrap().iter().any(|h| h["label"] == "points 141 in all"), "{hints}");
    desk.client.end();
}

#[test]
fn a_roster_tells_what_it_has_too_much_or_lacks() {
    let mut desk = Desk::new("lacks", &[("units: [Foreman, 4 Riveter]", "units: [90 Riveter]")]);
    let found = desk.client.pull(&desk.path);
    let broken: Vec<&str> =
        found.iter().filter(|d| d["code"] == "limit-broken").map(|d| d["message"].as_str().unwrap().lines().next().unwrap()).collect();
    assert!(!broken.is_empty(), "{found:?}");
    let told = desk.hover("NightShift \"The");
    assert!(broken.iter().all(|line| told.contains(line)), "{broken:?}\n{told}");
    desk.client.end();
}

#[test]
fn what_a_card_says_becomes_a_template_and_back() {
    let mut desk = Desk::new("template", &[]);
    let before = desk.hover("Foreman \"The");
    desk.choose("Foreman \"The", "Make a template of `Foreman`");
    assert!(desk.text.contains("unit Foreman \"The Foreman\" of Soldermoor from ForemanBase { }\n"), "{}", desk.text);
    let template = "unit ForemanBase of Soldermoor template {\n  points: 45\n  base: 1s, health: 14, move: 6s\n";
    assert!(desk.text.contains(template), "{}", desk.text);
    assert_eq!(desk.codes(), Vec::<String>::new());
    // another card builds on it, and says something of its own in place of what is there
    let more = "unit Boss of Soldermoor from ForemanBase {\n  // older\n  health: 20\n  flavour: \"Boss.\"\n}\n\nroster";
    desk.text = desk.text.replacen("roster", more, 1);
    desk.client.set(&desk.path.clone(), &desk.text.clone());
    assert_eq!(desk.codes(), Vec::<String>::new());
    desk.choose("ForemanBase {\n  // older", "Write what `ForemanBase` says into the card");
    let boss = "unit Boss of Soldermoor {\n  points: 45\n  base: 1s";
    assert!(desk.text.contains(boss) && desk.text.contains("// older\n  health: 20"), "{}", desk.text);
    assert!(desk.text.contains(template), "somebody still builds on it: {}", desk.text);
    assert_eq!(desk.codes(), Vec::<String>::new());
    desk.choose("ForemanBase { }", "Write what `ForemanBase` says into the card");
    assert!(!desk.text.contains("ForemanBase"), "{}", desk.text);
    assert!(desk.text.contains("  base: 1s, health: 14, move: 6s\n  training: [Leadership], leadership: 1\n"), "{}", desk.text);
    assert_eq!(desk.hover("Foreman \"The"), before);
    assert_eq!(desk.codes(), Vec::<String>::new());
    desk.client.end();
}

#[test]
fn what_a_card_builds_on_is_written_into_it_and_stays() {
    let twice = "unit Riveter of Soldermoor {\n  ability Both { after strike by this { heal 1 to this } }\n";
    let own = "unit Hand of Soldermoor from Riveter { points: 25 }\n\nroster";
    let mut desk = Desk::new("left", &[("unit Riveter of Soldermoor {\n", twice), ("roster", own)]);
    assert_eq!(desk.codes(), Vec::<String>::new());
    // what it builds on is a card of its own: it stays
    desk.choose("Riveter { points", "Write what `Riveter` says into the card");
    assert!(desk.text.contains("unit Hand of Soldermoor {\n") && desk.text.contains("unit Riveter of Soldermoor {\n"), "{}", desk.text);
    assert_eq!(desk.codes(), Vec::<String>::new());
    assert!(!desk.offered("Riveter of").iter().any(|a| a["title"] == "Write what `Riveter` says into the card"));
    desk.client.end();
}

#[test]
fn the_number_of_a_keyword_is_renamed() {
    let keyword = "keyword Hasty(x) on Unit {\n  grant this { move +(x * 1s) }\n}\n\nunit Foreman";
    let mut desk = Desk::new("number", &[("unit Foreman", keyword), ("leadership: 1\n", "leadership: 1\n  keywords: [Hasty 2]\n")]);
    assert_eq!(desk.codes(), Vec::<String>::new());
    let (line, character) = place(&desk.text, "x * 1s", 0);
    let params =
        json!({ "textDocument": { "uri": uri(&desk.path) }, "position": { "line": line, "character": character }, "newName": "pace" });
    let edits = desk.client.ask("textDocument/rename", params)["documentChanges"][0]["edits"].clone();
    assert_eq!(edits.as_array().unwrap().len(), 2, "{edits}");
    assert!(edits.as_array().unwrap().iter().all(|e| e["newText"] == "pace"));
    desk.client.end();
}

#[test]
fn the_rules_of_an_ability_become_a_keyword_and_back() {
    let ability = "leadership: 1\n  ability Gruff {\n    before strike where target == this {\n      bonus -1\n    }\n  }\n";
    let mut desk = Desk::new("extract", &[("leadership: 1\n", ability)]);
    assert_eq!(desk.codes(), Vec::<String>::new());
    let before = desk.text.clone();
    desk.choose("Gruff", "Make a keyword of `Gruff`");
    assert!(desk.text.contains("  keywords: [Gruff]\n"), "{}", desk.text);
    assert!(desk.text.contains("keyword Gruff on Unit {\n  before strike where target == this {\n    bonus -1\n  }\n}\n"), "{}", desk.text);
    assert_eq!(desk.codes(), Vec::<String>::new());
    // nobody else has it: it goes when its rules stand in the card again
    desk.choose("Gruff]", "Write the rules of `Gruff` into the card");
    assert_eq!(desk.text, before);
    desk.client.end();
}

#[test]
fn words_are_written_down_and_made_again() {
    let mut desk = Desk::new("says", &[]);
    let before = desk.hover("Tighten \"");
    desk.choose("Tighten \"", "Write the words of `Tighten` by hand");
    assert!(desk.text.contains("    says \"One of your wounded units within 6s of this unit regains 4 health.\"\n  }\n"), "{}", desk.text);
    assert_eq!(desk.hover("Tighten \""), before, "nothing on the card differs");
    assert_eq!(desk.codes(), Vec::<String>::new());
    let whole = std::fs::read_to_string(&desk.path).unwrap();
    desk.choose("Tighten \"", "Let the words of `Tighten` be made from its rules");
    assert_eq!(desk.text, whole);
    desk.client.end();
}
