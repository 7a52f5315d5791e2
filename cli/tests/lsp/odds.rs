//! What is shown beside a card and what the command says are one: every weapon, ability, spell and power of the content.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::client::{Client, house, place, uri};

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for path in std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()) {
        if path.is_dir() {
            out.extend(sources(&path));
        } else if path.extension().is_some_and(|e| e == "banner") {
            out.push(path);
        }
    }
    out.sort();
    out
}

fn command_says(project: &Path) -> BTreeMap<String, Value> {
    let run = Command::new(env!("CARGO_BIN_EXE_banneret"))
        .arg("odds")
        .arg(project)
        .args(["--of", "all", "--json", "--states", "20000"])
        .output()
        .unwrap();
    assert!(run.status.success(), "{run:?}");
    let lines = String::from_utf8(run.stdout).unwrap();
    lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()).map(|v| (v["of"].as_str().unwrap().to_owned(), v)).collect()
}

/// `Card` and `Card.Part`, with where their names stand.
fn named(symbols: &Value, before: &str, out: &mut Vec<(String, Value)>) {
    for symbol in symbols.as_array().into_iter().flatten() {
        let name = format!("{before}{}", symbol["name"].as_str().unwrap());
        out.push((name.clone(), symbol["selectionRange"]["start"].clone()));
        named(&symbol["children"], &format!("{name}."), out);
    }
}

#[test]
fn hover_lens_and_command_agree_on_everything_in_the_content() {
    let capabilities = json!({ "textDocument": { "diagnostic": {}, "documentSymbol": { "hierarchicalDocumentSymbolSupport": true } } });
    let (mut seen, mut with_odds) = (0, 0);
    for project in ["worlds_collide", "one_card", "affinity", "flux", "focal_point"] {
        let root = house().join("content").join(project);
        let mut command = command_says(&root);
        let mut client = Client::start(&[&root], capabilities.clone());
        for path in sources(&root) {
            client.open(&path);
            let symbols = client.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": uri(&path) } }));
            let mut all = Vec::new();
            named(&symbols, "", &mut all);
            let lenses = client.ask("textDocument/codeLens", json!({ "textDocument": { "uri": uri(&path) } }));
            for (name, position) in all {
                let Some(said) = command.remove(&name) else { continue };
                let hover = client.ask("textDocument/hover", json!({ "textDocument": { "uri": uri(&path) }, "position": position }));
                let hover = hover["contents"]["value"].as_str().unwrap_or_default();
                seen += 1;
                let wanted = match said["none"].as_str() {
                    Some(why) => why.to_owned(),
                    None => {
                        with_odds += 1;
                        let told: Vec<&str> = said["odds"].as_array().unwrap().iter().map(|t| t.as_str().unwrap()).collect();
                        let (what, against) = (said["measured"].as_str().unwrap(), said["against"].as_str().unwrap());
                        format!("{what} Against {against}, exactly: {}.", told.join("; "))
                    }
                };
                // the lens above it does what it says
                let above = |lens: &&Value| lens["range"]["start"] == position && lens["command"]["command"] == "banneret.odds";
                let lens = lenses.as_array().unwrap().iter().find(above).unwrap_or_else(|| panic!("{name} has no lens"));
                let done = json!({ "command": "banneret.odds", "arguments": lens["command"]["arguments"] });
                let done = client.ask("workspace/executeCommand", done);
                assert_eq!(done["message"].as_str().unwrap(), wanted, "{name}");
                assert_eq!(done["fine"], said["none"].is_null(), "{name}: {done}");
                assert!(hover.ends_with(&wanted), "{name}: the command says\n{wanted}\nthe editor\n{hover}");
            }
        }
        assert!(command.is_empty(), "the editor shows nothing for {:?}", command.keys().collect::<Vec<_>>());
        client.end();
    }
    assert!(seen > 100 && with_odds > 50, "{seen} things, {with_odds} with odds");
}

/// Two attacks of damage 7 against a defense of 1, each hitting on 4 and more: that is 6, whatever else a weapon has.
#[test]
fn all_attacks_of_a_weapon_are_measured() {
    let said = command_says(&house().join("content/worlds_collide"));
    let maul = &said["ClayBrother.Maul"];
    assert_eq!(maul["odds"][0], "wounds of the target: 6 on average", "{maul}");
}

#[test]
fn odds_are_told_with_what_they_were_before_the_last_edit() {
    let root = house().join("content/worlds_collide");
    let path = root.join("kiln/units.banner");
    let mut client = Client::start(&[&root], json!({ "textDocument": { "diagnostic": {} } }));
    let text = client.open(&path);
    let told = |client: &mut Client, text: &str| {
        let hover = client.at("textDocument/hover", &path, place(text, "weapon Maul", 8));
        hover["contents"]["value"].as_str().unwrap().lines().last().unwrap().to_owned()
    };
    let first = told(&mut client, &text);
    assert!(first.contains("exactly: wounds of the target: 6 on average"), "{first}");
    let at = place(&text, "attacks: 2, damage: 4, effective", 9);
    let end = json!({ "line": at.0, "character": at.1 + 1 });
    client.change(&path, json!([{ "range": { "start": { "line": at.0, "character": at.1 }, "end": end }, "text": "4" }]));
    let more = text.replace("attacks: 2, damage: 4, effective", "attacks: 4, damage: 4, effective");
    let after = told(&mut client, &more);
    assert!(after.contains(". Before the last edit: wounds of the target: 6 on average"), "{after}");
    assert!(!after.contains("exactly: wounds of the target: 6 on average"), "{after}");
    // the lens says the same
    let lenses = client.ask("textDocument/codeLens", json!({ "textDocument": { "uri": uri(&path) } }));
    let is_maul = |lens: &&Value| lens["command"]["arguments"][1].as_str().is_some_and(|key| key.ends_with("ClayBrother.Maul"));
    let lens = lenses.as_array().unwrap().iter().find(is_maul).unwrap().clone();
    let done = client.ask("workspace/executeCommand", json!({ "command": "banneret.odds", "arguments": lens["command"]["arguments"] }));
    assert_eq!(done["message"].as_str().unwrap(), after);
    // an edit of another card is not about it
    let other = more.replace("health: 16", "health: 17");
    let at = place(&more, "health: 16", 8);
    let range = json!({ "start": { "line": at.0, "character": at.1 }, "end": { "line": at.0, "character": at.1 + 2 } });
    client.open_text(&root.join("kiln/other.banner"), "use worlds_collide\n");
    client.change(&root.join("kiln/other.banner"), json!([{ "text": "use worlds_collide\n\n" }]));
    client.change(&path, json!([{ "range": range, "text": "17" }]));
    let last = told(&mut client, &other);
    assert!(!last.contains("Before the last edit"), "{last}");
    client.end();
}
