//! Diagnostics are those of `banneret check`, for texts that are not saved.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::client::{Client, house, uri};

const PULLS: &str = r#"{ "textDocument": { "diagnostic": {} }, "general": { "positionEncodings": ["utf-32"] } }"#;

fn pulls() -> Value {
    serde_json::from_str(PULLS).unwrap()
}

/// Everything the command finds in a folder, as it prints it.
pub fn command_says_of(folder: &Path) -> Vec<Value> {
    said(folder, ".")
}

fn said(here: &Path, what: &str) -> Vec<Value> {
    let run = Command::new(env!("CARGO_BIN_EXE_banneret"))
        .args(["check", "--message-format", "json", what])
        .current_dir(here)
        .env_remove("BANNERET_STDLIB")
        .output()
        .unwrap();
    String::from_utf8(run.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Code, start, end (counted from 0) and message of what the command says.
pub fn from_command(d: &Value) -> Value {
    // what stands nowhere in particular is shown at the top
    let n = |key: &str| d[key].as_i64().map_or(0, |n| n - 1);
    let mut message = d["message"].as_str().unwrap_or_else(|| panic!("{d}")).to_owned();
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

/// Title and edits of every repair the command offers in a file.
fn fixes_of_command(said: &[Value], path: &Path) -> Vec<Value> {
    let name = path.file_name().unwrap().to_str().unwrap();
    // inside of a project paths are not shortened
    let is_it = |d: &&Value| d["file"].as_str().is_some_and(|file| Path::new(file).file_name().is_some_and(|n| n == name));
    let fixes = said.iter().filter(is_it).flat_map(|d| d["fixes"].as_array().unwrap());
    let edit = |e: &Value| {
        let n = |key: &str| e[key].as_i64().unwrap() - 1;
        json!([n("line"), n("column"), n("end_line"), n("end_column"), e["text"]])
    };
    let mut out: Vec<Value> =
        fixes.map(|f| json!([f["title"], f["edits"].as_array().unwrap().iter().map(edit).collect::<Vec<_>>()])).collect();
    out.sort_by_key(Value::to_string);
    out
}

/// The same, asked for as code actions over the whole file.
fn fixes_of_server(client: &mut Client, path: &Path) -> Vec<Value> {
    let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9999, "character": 0 } });
    let context = json!({ "diagnostics": [], "only": ["quickfix"] });
    let actions =
        client.ask("textDocument/codeAction", json!({ "textDocument": { "uri": uri(path) }, "range": range, "context": context }));
    // where the manifest cannot be read nothing is compiled, and nothing offered
    let own = actions.as_array().into_iter().flatten().filter(|a| a["kind"] == "quickfix");
    let edit = |e: &Value| {
        let (start, end) = (&e["range"]["start"], &e["range"]["end"]);
        json!([start["line"], start["character"], end["line"], end["character"], e["newText"]])
    };
    let mut out: Vec<Value> = own
        .map(|a| json!([a["title"], a["edit"]["changes"][&uri(path)].as_array().unwrap().iter().map(edit).collect::<Vec<_>>()]))
        .collect();
    out.sort_by_key(Value::to_string);
    out
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
fn server_and_command_say_and_mend_the_same_of_every_seeded_mistake() {
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
    let (mut found, mut mended) = (0, 0);
    for (folder, files) in by_folder {
        let mut client = Client::start_in(&folder, &[], pulls(), json!(null));
        for path in files {
            client.open(&path);
            // what is wrong with the project comes first
            let manifest = folder.join("banneret.ron");
            let mut server = if manifest.is_file() { client.pull(&manifest) } else { Vec::new() };
            server.extend(client.pull(&path));
            let server: Vec<Value> = server.iter().map(from_server).collect();
            let said = said(&folder, path.file_name().unwrap().to_str().unwrap());
            let command: Vec<Value> = said.iter().map(from_command).collect();
            assert_eq!(server, command, "{}", path.display());
            found += server.len();
            let mends = fixes_of_command(&said, &path);
            assert_eq!(fixes_of_server(&mut client, &path), mends, "{}", path.display());
            mended += mends.len();
            client.close(&path);
        }
        client.end();
    }
    assert!(found > 100 && mended > 100, "{found} found, {mended} with a repair");
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
