//! Diagnostics are those of `banneret check`, for texts that are not saved.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::client::{Client, house, uri};

const PULLS: &str = r#"{ "textDocument": { "diagnostic": {} }, "general": { "positionEncodings": ["utf-32"] } }"#;

fn pulls() -> Value {
    serde_json::from_str(PULLS).unwrap()
}

/// What the command says about a file: code, start, end (counted from 0) and message.
pub fn command_says(path: &Path) -> Vec<Value> {
    let here = path.parent().unwrap();
    let run = Command::new(env!("CARGO_BIN_EXE_banneret"))
        .args(["check", "--message-format", "json"])
        .arg(path.file_name().unwrap())
        .current_dir(here)
        .env_remove("BANNERET_STDLIB")
        .output()
        .unwrap();
    String::from_utf8(run.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .map(|d: Value| from_command(&d))
        .collect()
}

fn from_command(d: &Value) -> Value {
    let n = |key: &str| d[key].as_i64().unwrap() - 1;
    let mut message = d["message"].as_str().unwrap().to_owned();
    let notes = d["notes"].as_array().unwrap().iter().filter_map(Value::as_str);
    for line in notes.chain(d["help"].as_str()) {
        message.push('\n');
        message.push_str(line);
    }
    json!([d["code"], n("line"), n("column"), n("end_line"), n("end_column"), d["severity"], message])
}

pub fn from_server(d: &Value) -> Value {
    let (start, end) = (&d["range"]["start"], &d["range"]["end"]);
    let severity = if d["severity"] == 1 { "error" } else { "warning" };
    json!([d["code"], start["line"], start["character"], end["line"], end["character"], severity, d["message"]])
}

fn below(folder: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            out.extend(below(&path));
        } else if path.extension().is_some_and(|e| e == "banner") {
            out.push(path);
        }
    }
    out.sort();
    out
}

#[test]
fn server_and_command_say_the_same_of_every_seeded_mistake() {
    let all = below(&house().join("tests/mistakes"));
    assert!(all.len() > 100, "{}", all.len());
    // where the command runs is where paths in messages are shown from
    let mut by_folder: Vec<(PathBuf, Vec<PathBuf>)> = Vec::new();
    for path in all {
        let folder = path.parent().unwrap().to_owned();
        match by_folder.last_mut().filter(|(f, _)| *f == folder) {
            Some((_, files)) => files.push(path),
            None => by_folder.push((folder, vec![path])),
        }
    }
    let mut found = 0;
    for (folder, files) in by_folder {
        let mut client = Client::start_in(&folder, &[], pulls(), json!(null));
        for path in files {
            client.open(&path);
            // what is wrong with the project comes first
            let manifest = folder.join("banneret.ron");
            let mut server = if manifest.is_file() { client.pull(&manifest) } else { Vec::new() };
            server.extend(client.pull(&path));
            let server: Vec<Value> = server.iter().map(from_server).collect();
            let command = command_says(&path);
            assert_eq!(server, command, "{}", path.display());
            found += server.len();
            client.close(&path);
        }
        client.end();
    }
    assert!(found > 100, "{found}");
}

#[test]
fn the_whole_workspace_is_checked_though_nothing_is_open() {
    let root = house().join("content");
    let mut client = Client::start(&[&root], pulls());
    let broken = root.join("worlds_collide/kiln/faction.banner");
    let text = client.open(&broken);
    client.set(&broken, &text.replace("Clay, Ember }", "Clay }"));
    let report = client.ask("workspace/diagnostic", json!({ "previousResultIds": [] }));
    let items = report["items"].as_array().unwrap();
    assert!(items.len() > 20, "every file of every project: {}", items.len());
    let wrong: Vec<&Value> = items.iter().filter(|i| !i["items"].as_array().unwrap().is_empty()).collect();
    // files that are not open are wrong too now
    assert!(wrong.iter().any(|i| i["uri"] == uri(&root.join("worlds_collide/kiln/units.banner"))), "{wrong:?}");
    let previous: Vec<Value> = items.iter().map(|i| json!({ "uri": i["uri"], "value": i["resultId"] })).collect();
    let again = client.ask("workspace/diagnostic", json!({ "previousResultIds": previous }));
    assert!(again["items"].as_array().unwrap().iter().all(|i| i["kind"] == "unchanged"), "{again}");
    client.close(&broken);
    let after = client.ask("workspace/diagnostic", json!({ "previousResultIds": [] }));
    let left: Vec<&Value> = after["items"].as_array().unwrap().iter().filter(|i| !i["items"].as_array().unwrap().is_empty()).collect();
    assert!(left.is_empty(), "closed without saving: {left:?}");
    client.end();
}

#[test]
fn clients_that_do_not_pull_are_sent_diagnostics() {
    let root = house().join("content/worlds_collide");
    let path = root.join("kiln/tactics.banner");
    let mut client = Client::start(&[&root], json!({}));
    let text = client.open(&path);
    client.set(&path, &text.replace("knack: 5+", "knack: 9+"));
    let key = uri(&path);
    client.wait_for("the mistake", |c| c.published.get(&key).is_some_and(|p| !p["diagnostics"].as_array().unwrap().is_empty()));
    assert_eq!(client.published[&key]["diagnostics"][0]["code"], "impossible-roll");
    assert_eq!(client.published[&key]["version"], 2);
    client.set(&path, &text);
    client.wait_for("that it is mended", |c| c.published[&key]["diagnostics"].as_array().unwrap().is_empty());
    client.end();
}
