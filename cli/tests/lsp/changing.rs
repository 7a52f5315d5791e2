//! Completion, moving about, renaming and mending.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

use crate::client::{Client, house, place, uri};

fn client() -> (Client, std::path::PathBuf) {
    let root = house().join("content/worlds_collide");
    let snippets = json!({ "textDocument": { "completion": { "completionItem": { "snippetSupport": true } }, "diagnostic": {} } });
    (Client::start(&[&root], snippets), root)
}

#[test]
fn completion_offers_skeletons_values_and_names_with_their_use() {
    let (mut client, root) = client();
    let path = root.join("missions/case.banner");
    client.open_text(&path, "use worlds_collide\n\nun");
    let list = client.at("textDocument/completion", &path, (2, 2));
    let unit = &list["items"][0];
    assert_eq!(unit["label"], "unit");
    assert!(unit["textEdit"]["newText"].as_str().unwrap().starts_with("unit ${1:Name} of ${2:Faction} {\n  points: ${3:"), "{unit}");
    // in a folder that does not use the pilgrims
    let text = "use worlds_collide\n\nroster R of KilnPilgrims {\n  units: [ClayB";
    client.set(&path, text);
    let list = client.at("textDocument/completion", &path, place(text, "ClayB", 5));
    let brother = &list["items"][0];
    assert_eq!(brother["label"], "ClayBrother");
    let import = brother["additionalTextEdits"][0]["newText"].as_str().unwrap_or_default();
    assert!(import.contains("use kiln") || list["items"][0]["additionalTextEdits"].is_null(), "{brother}");
    client.end();
}

#[test]
fn definitions_types_and_implementations_are_found() {
    let (mut client, root) = client();
    let units = root.join("kiln/units.banner");
    let text = client.open(&units);
    let go = |client: &mut Client, method: &str, piece: &str, into: usize| client.at(method, &units, place(&text, piece, into));
    // a card in another file
    let to = go(&mut client, "textDocument/definition", "of KilnPilgrims from Pilgrim", 5);
    assert_eq!(to["uri"], uri(&root.join("kiln/faction.banner")));
    // a field of the rule system, in a file that can be opened
    let to = go(&mut client, "textDocument/definition", "health: 16", 1);
    let library = Path::new(to["uri"].as_str().unwrap().strip_prefix("file://").unwrap()).to_owned();
    let line = to["range"]["start"]["line"].as_u64().unwrap() as usize;
    let declared = std::fs::read_to_string(&library).unwrap();
    assert!(declared.lines().nth(line).unwrap().contains("health: Int 1.."), "{to}");
    // there the server still answers
    client.open(&library);
    let hover = client.at("textDocument/hover", &library, (line as u32, 3));
    assert!(hover["contents"]["value"].as_str().unwrap().contains("health"), "{hover}");
    // the kind of a card
    let to = go(&mut client, "textDocument/typeDefinition", "unit MotherBisque", 7);
    assert!(to["uri"].as_str().unwrap().contains("stdlib/worlds_collide"), "{to}");
    // those that build on a template
    let all = go(&mut client, "textDocument/implementation", "unit Pilgrim", 6);
    assert!(all.as_array().unwrap().len() > 5, "{all}");
    client.end();
}

#[test]
fn references_reach_files_that_are_not_open() {
    let (mut client, root) = client();
    let units = root.join("kiln/units.banner");
    let text = client.open(&units);
    let (line, character) = place(&text, "unit MotherBisque", 7);
    let position = json!({ "line": line, "character": character });
    let params = |declaration: bool| json!({ "textDocument": { "uri": uri(&units) }, "position": position, "context": { "includeDeclaration": declaration } });
    let with = client.ask("textDocument/references", params(true));
    let without = client.ask("textDocument/references", params(false));
    assert_eq!(with.as_array().unwrap().len(), without.as_array().unwrap().len() + 1);
    let files: Vec<&str> = without.as_array().unwrap().iter().map(|l| l["uri"].as_str().unwrap()).collect();
    assert!(files.contains(&uri(&root.join("kiln/roster.banner")).as_str()), "{files:?}");
    assert!(files.contains(&uri(&root.join("kiln/tests.banner")).as_str()), "{files:?}");
    client.end();
}

/// Makes the edits of an answer in texts from the disk and hands them to the server.
fn make(client: &mut Client, edit: &Value) -> usize {
    let changes: BTreeMap<String, Vec<Value>> = serde_json::from_value(edit["changes"].clone()).unwrap();
    for (file, edits) in &changes {
        let path = Path::new(file.strip_prefix("file://").unwrap()).to_owned();
        let mut text = std::fs::read_to_string(&path).unwrap();
        let offset = |text: &str, p: &Value| {
            let start: usize = text.split_inclusive('\n').take(p["line"].as_u64().unwrap() as usize).map(str::len).sum();
            let line = &text[start..];
            let units = p["character"].as_u64().unwrap() as usize;
            let column: usize = line.char_indices().map(|(i, _)| i).find(|i| line[..*i].encode_utf16().count() == units).unwrap();
            start + column
        };
        let mut placed: Vec<(usize, usize, &str)> = edits
            .iter()
            .map(|e| (offset(&text, &e["range"]["start"]), offset(&text, &e["range"]["end"]), e["newText"].as_str().unwrap()))
            .collect();
        placed.sort_unstable();
        for (from, to, new) in placed.into_iter().rev() {
            text.replace_range(from..to, new);
        }
        client.open_text(&path, &text);
    }
    changes.len()
}

#[test]
fn renaming_changes_every_file_and_breaks_nothing() {
    for (file, piece, into, new, files) in [
        ("kiln/units.banner", "unit MotherBisque", 7, "FatherBisque", 3),
        ("kiln/faction.banner", "also { Clay", 8, "Mud", 2),
        ("kiln/units.banner", "ability GoldMend", 10, "GoldSeam", 2),
        ("kiln/tokens.banner", "action puff", 8, "billow", 2),
    ] {
        let (mut client, root) = client();
        let path = root.join(file);
        let text = std::fs::read_to_string(&path).unwrap();
        let at = place(&text, piece, into);
        let prepared = client.at("textDocument/prepareRename", &path, at);
        assert!(prepared["placeholder"].as_str().is_some(), "{prepared}");
        let position = json!({ "line": at.0, "character": at.1 });
        let edit =
            client.ask("textDocument/rename", json!({ "textDocument": { "uri": uri(&path) }, "position": position, "newName": new }));
        assert!(make(&mut client, &edit) >= files, "{piece}: {edit}");
        let report = client.ask("workspace/diagnostic", json!({ "previousResultIds": [] }));
        let wrong: Vec<&Value> = report["items"].as_array().unwrap().iter().flat_map(|i| i["items"].as_array().unwrap()).collect();
        assert!(wrong.is_empty(), "{piece} \u{2192} {new}: {wrong:?}");
        client.end();
    }
}

#[test]
fn what_cannot_be_renamed_says_why() {
    let (mut client, root) = client();
    let path = root.join("kiln/units.banner");
    let text = client.open(&path);
    let (line, character) = place(&text, "health: 16", 1);
    let at = json!({ "textDocument": { "uri": uri(&path) }, "position": { "line": line, "character": character } });
    let id = client.send("textDocument/prepareRename", at);
    assert!(client.answer(id)["error"]["message"].as_str().unwrap().contains("rule system"));
    let (line, character) = place(&text, "unit MotherBisque", 7);
    for (new, why) in [("if", "word of the language"), ("two words", "letters")] {
        let params = json!({ "textDocument": { "uri": uri(&path) }, "position": { "line": line, "character": character }, "newName": new });
        let id = client.send("textDocument/rename", params);
        assert!(client.answer(id)["error"]["message"].as_str().unwrap().contains(why), "{new}");
    }
    client.end();
}

#[test]
fn mistakes_are_mended_one_by_one_or_all_at_once() {
    let (mut client, root) = client();
    let path = root.join("kiln/case.banner");
    let text = "tactic X of KilnPligrims {\n  kncak: 4+\n  effcet { heal 3 to activated }\n}\n\nunit Bare of KilnPilgrims { }\n";
    client.open_text(&path, text);
    let all = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 4, "character": 0 } });
    let ask = |client: &mut Client, range: &Value, only: Value| {
        let context = if only.is_null() { json!({ "diagnostics": [] }) } else { json!({ "diagnostics": [], "only": only }) };
        client.ask("textDocument/codeAction", json!({ "textDocument": { "uri": uri(&path) }, "range": range, "context": context }))
    };
    let fixes = ask(&mut client, &all, json!(["quickfix"]));
    let (repairs, others): (Vec<&Value>, Vec<&Value>) = fixes.as_array().unwrap().iter().partition(|a| a["kind"] == "quickfix");
    let titles = |all: &[&Value]| all.iter().map(|a| a["title"].as_str().unwrap().to_owned()).collect::<Vec<_>>();
    assert_eq!(titles(&repairs), ["Write `KilnPilgrims`", "Write `knack`", "Write `effect`"]);
    // perhaps it is no slip
    assert_eq!(titles(&others), ["Write the faction `KilnPligrims`"]);
    assert!(repairs.iter().all(|a| a["diagnostics"][0]["code"].is_string() && a["isPreferred"] == true), "{fixes}");
    let fix_all = ask(&mut client, &all, json!(["source.fixAll"]));
    let edits = fix_all[0]["edit"]["changes"][&uri(&path)].as_array().unwrap().clone();
    let changes: Vec<Value> = edits.iter().rev().map(|e| json!({ "range": e["range"], "text": e["newText"] })).collect();
    client.change(&path, json!(changes));
    let left: Vec<Value> = client.pull(&path).iter().map(|d| d["code"].clone()).collect();
    assert!(left.iter().all(|c| c == "missing-field") && !left.is_empty(), "{left:?}");
    // the card that says nothing
    let bare = json!({ "start": { "line": 5, "character": 6 }, "end": { "line": 5, "character": 6 } });
    let missing = ask(&mut client, &bare, Value::Null);
    let add = missing.as_array().unwrap().iter().find(|a| a["title"] == "Add the missing fields").unwrap_or_else(|| panic!("{missing}"));
    let edit = &add["edit"]["changes"][&uri(&path)][0];
    client.change(&path, json!([{ "range": edit["range"], "text": edit["newText"] }]));
    let left = client.pull(&path);
    assert!(left.is_empty(), "{left:?}");
    client.end();
}

#[test]
fn all_is_mended_until_nothing_is_left_as_the_command_does_it() {
    // the word for the card is wrong: only when that is mended can its lines be looked at
    let text = "use worlds_collide\n\ntcatic X of KilnPligrims {\n  kncak: 4+\n  effcet { heal 3 to activated }\n}\n";
    let folder = std::env::temp_dir().join(format!("banneret-lsp-rounds-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("banneret.ron"), "(name: \"case\", version: \"0.1.0\", rules: \"worlds_collide\")\n").unwrap();
    std::fs::write(folder.join("faction.banner"), "use worlds_collide\n\nfaction KilnPilgrims { }\n").unwrap();
    let path = folder.join("case.banner");
    std::fs::write(&path, text).unwrap();
    let mut client = Client::start(&[&folder], json!({ "textDocument": { "diagnostic": {} } }));
    client.open(&path);
    let all = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9, "character": 0 } });
    let context = json!({ "diagnostics": [], "only": ["source"] });
    let offered = client.ask("textDocument/codeAction", json!({ "textDocument": { "uri": uri(&path) }, "range": all, "context": context }));
    let edits = offered[0]["edit"]["changes"][&uri(&path)].as_array().unwrap_or_else(|| panic!("{offered}")).clone();
    let changes: Vec<Value> = edits.iter().rev().map(|e| json!({ "range": e["range"], "text": e["newText"] })).collect();
    client.change(&path, json!(changes));
    let left: Vec<Value> = client.pull(&path).iter().filter(|d| d["severity"] == 1).map(|d| d["code"].clone()).collect();
    client.end();
    let run = std::process::Command::new(env!("CARGO_BIN_EXE_banneret")).args(["check", "--fix"]).arg(&folder).output().unwrap();
    let mended = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(mended.contains("tactic X of KilnPilgrims {\n  knack: 4+\n  effect { heal 3 to activated }"), "{mended}\n{run:?}");
    // the same edits, made by hand
    let mut by_hand: Vec<String> = text.lines().map(str::to_owned).collect();
    for edit in edits.iter().rev() {
        let (from, to) =
            (edit["range"]["start"]["line"].as_u64().unwrap() as usize, edit["range"]["end"]["line"].as_u64().unwrap() as usize);
        by_hand.splice(from..to, edit["newText"].as_str().unwrap().lines().map(str::to_owned));
    }
    assert_eq!(by_hand.join("\n"), mended.trim_end(), "what the command writes");
    assert!(left.is_empty(), "{left:?}");
}
