//! Documents by their address: what is on the disk, what was never saved, what only looks like a file; and that what was said is taken back.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::client::{Client, house, place, uri};

/// A project on the disk that goes when it is dropped.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str, files: &[(&str, &str)]) -> Self {
        Self::of("flux", name, files)
    }

    pub fn of(rules: &str, name: &str, files: &[(&str, &str)]) -> Self {
        let folder = std::env::temp_dir().join(format!("banneret-documents-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        let all = Self(folder);
        all.write("banneret.ron", &format!("(name: \"case\", version: \"0.1.0\", rules: \"{rules}\")\n"));
        for (file, text) in files {
            all.write(file, text);
        }
        all
    }

    fn write(&self, file: &str, text: &str) -> PathBuf {
        let path = self.0.join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const GOOD: &str = "use flux\n\nunit Limpet of Verge { cost: 1, points: 14, power: 0, health: 3 }\n";
const BAD: &str = "use flux\n\nunit Whelk of Nowhere { cost: 1, points: 14, power: 0, health: 3 }\n";

fn said(client: &Client, address: &str) -> usize {
    client.published.get(address).map_or(0, |p| p["diagnostics"].as_array().unwrap().len())
}

fn open(client: &mut Client, address: &str, text: &str) {
    let document = json!({ "uri": address, "languageId": "banneret", "version": 1, "text": text });
    client.tell("textDocument/didOpen", json!({ "textDocument": document }));
}

#[test]
fn an_old_version_that_is_looked_at_is_not_the_file() {
    let root = house().join("content/worlds_collide");
    let mut client = Client::start(&[&root], json!({ "textDocument": { "diagnostic": {} } }));
    let path = root.join("kiln/faction.banner");
    for scheme in ["git", "gitlens", "fugitive", "diffview"] {
        open(&mut client, &format!("{scheme}://{}?ref=HEAD", path.display()), "use worlds_collide\n");
    }
    let report = client.ask("workspace/diagnostic", json!({ "previousResultIds": [] }));
    let wrong: Vec<&Value> = report["items"].as_array().unwrap().iter().flat_map(|i| i["items"].as_array().unwrap()).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    client.end();
}

#[test]
fn a_text_that_was_never_saved_is_checked_and_forgotten() {
    let mut client = Client::start(&[], json!({}));
    let address = "untitled:Untitled-1";
    open(&mut client, address, BAD);
    client.wait_for("the mistake", |c| said(c, address) == 1);
    let position = json!({ "line": 2, "character": 24 });
    let list = client.ask("textDocument/completion", json!({ "textDocument": { "uri": address }, "position": position }));
    assert!(list["items"].as_array().unwrap().iter().any(|i| i["label"] == "keywords"), "{list}");
    client.tell("textDocument/didClose", json!({ "textDocument": { "uri": address } }));
    client.wait_for("that it is taken back", |c| said(c, address) == 0);
    // the same for a file that never came to the disk
    let path = std::env::temp_dir().join("banneret-documents-no-such-folder/x.banner");
    client.open_text(&path, BAD);
    client.wait_for("the mistake", |c| said(c, &uri(&path)) == 1);
    client.close(&path);
    client.wait_for("that it is taken back", |c| said(c, &uri(&path)) == 0);
    client.end();
}

#[test]
fn files_and_folders_that_come_and_go_are_noticed_without_the_editor() {
    let folder = Folder::new("watched", &[("a.banner", GOOD), ("b.banner", BAD), ("more/c.banner", BAD)]);
    let mut client = Client::start(&[&folder.0], json!({}));
    let address = |file: &str| uri(&folder.0.join(file));
    client.wait_for("the mistakes", |c| said(c, &address("b.banner")) == 1 && said(c, &address("more/c.banner")) == 1);
    std::fs::remove_file(folder.0.join("b.banner")).unwrap();
    client.wait_for("that a file is gone", |c| said(c, &address("b.banner")) == 0);
    std::fs::remove_dir_all(folder.0.join("more")).unwrap();
    client.wait_for("that a folder is gone", |c| said(c, &address("more/c.banner")) == 0);
    folder.write("late/d.banner", BAD);
    client.wait_for("that a file came", |c| said(c, &address("late/d.banner")) == 1);
    folder.write("late/d.banner", GOOD);
    client.wait_for("that it is mended", |c| said(c, &address("late/d.banner")) == 0);
    client.end();
}

#[test]
fn a_client_that_asks_is_told_that_a_file_is_gone() {
    let folder = Folder::new("pulled", &[("a.banner", GOOD), ("b.banner", BAD)]);
    let mut client = Client::start(&[&folder.0], json!({ "textDocument": { "diagnostic": {} } }));
    let report = client.ask("workspace/diagnostic", json!({ "previousResultIds": [] }));
    let items = report["items"].as_array().unwrap();
    let previous: Vec<Value> = items.iter().map(|i| json!({ "uri": i["uri"], "value": i["resultId"] })).collect();
    let b = folder.0.join("b.banner");
    std::fs::remove_file(&b).unwrap();
    client.tell("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": uri(&b), "type": 3 }] }));
    let again = client.ask("workspace/diagnostic", json!({ "previousResultIds": previous }));
    let of_b = again["items"].as_array().unwrap().iter().find(|i| i["uri"] == uri(&b)).unwrap_or_else(|| panic!("{again}"));
    assert_eq!(of_b["items"], json!([]));
    client.end();
}

fn renamed(client: &mut Client, path: &Path, text: &str, piece: &str, new: &str) -> Value {
    let (line, character) = place(text, piece, 1);
    let position = json!({ "line": line, "character": character });
    let params = json!({ "textDocument": { "uri": uri(path) }, "position": position, "newName": new });
    let id = client.send("textDocument/rename", params);
    client.answer(id)
}

#[test]
fn a_name_that_is_taken_is_refused_and_edits_say_of_which_version_they_are() {
    let text = "use flux\n\nunit Limpet of Verge { cost: 1, points: 14, power: 0, health: 3 }\nunit Whelk of Verge { cost: 1, points: 14, power: 0, health: 3 }\n\n\
                test \"t\" {\n  given Limpet as one, Whelk as two\n  expect one.health == 3\n  expect two.health == 3\n}\n";
    let folder = Folder::new("renamed", &[("a.banner", text)]);
    let path = folder.0.join("a.banner");
    let versions = json!({ "workspace": { "workspaceEdit": { "documentChanges": true } }, "textDocument": { "diagnostic": {} } });
    let mut client = Client::start(&[&folder.0], versions);
    client.open(&path);
    for (piece, new) in [("Limpet of", "Whelk"), ("one, Whelk", "two"), ("Limpet of", "if"), ("Limpet of", "Recruit Two")] {
        let answer = renamed(&mut client, &path, text, piece, new);
        assert!(answer["error"]["message"].is_string(), "{piece} as {new}: {answer}");
    }
    let answer = renamed(&mut client, &path, text, "Limpet of", "Barnacle");
    let change = &answer["result"]["documentChanges"][0];
    assert_eq!(change["textDocument"]["version"], 1, "{answer}");
    assert_eq!(change["edits"].as_array().unwrap().len(), 2, "{answer}");
    client.end();
}

#[test]
fn the_library_is_read_only_and_as_the_command_has_it() {
    let root = house().join("content/worlds_collide");
    let mut client = Client::start(&[&root], json!({ "textDocument": { "diagnostic": {} } }));
    let units = root.join("kiln/units.banner");
    let text = client.open(&units);
    let to = client.at("textDocument/definition", &units, place(&text, "health: 16", 1));
    let library = PathBuf::from(to["uri"].as_str().unwrap().strip_prefix("file://").unwrap());
    assert!(std::fs::metadata(&library).unwrap().permissions().readonly(), "{to}");
    let own = std::fs::read_to_string(&library).unwrap();
    // somebody changes it all the same
    std::fs::remove_file(&library).unwrap();
    std::fs::write(&library, format!("// a line more\n{own}")).unwrap();
    let again = client.at("textDocument/definition", &units, place(&text, "health: 16", 1));
    assert_eq!(again, to);
    assert_eq!(std::fs::read_to_string(&library).unwrap(), own);
    client.end();
}

/// An editor that can ask for texts has the library under an address of its own: there is no file that could be changed.
#[test]
fn the_library_has_a_scheme_of_its_own_where_the_editor_can_ask_for_it() {
    let root = house().join("content/worlds_collide");
    let asks = json!({ "textDocument": { "diagnostic": {} }, "experimental": { "banneret": { "library": true } } });
    let mut client = Client::start(&[&root], asks);
    let units = root.join("kiln/units.banner");
    let text = client.open(&units);
    let to = client.at("textDocument/definition", &units, place(&text, "health: 16", 1));
    let address = to["uri"].as_str().unwrap().to_owned();
    assert!(address.starts_with("banneret://library/worlds_collide/"), "{to}");
    let content = client.ask("workspace/textDocumentContent", json!({ "uri": address }));
    let library = content["text"].as_str().unwrap().to_owned();
    let line = to["range"]["start"]["line"].as_u64().unwrap() as usize;
    assert!(library.lines().nth(line).unwrap().contains("health: Int 1.."), "{to}");
    // there the server answers, and what an editor says is in it changes nothing
    open(&mut client, &address, "unit Nobody { }\n");
    let position = to["range"]["start"].clone();
    let hover = client.ask("textDocument/hover", json!({ "textDocument": { "uri": address }, "position": position }));
    assert!(hover["contents"]["value"].as_str().unwrap().contains("health"), "{hover}");
    assert!(client.pull(&units).is_empty());
    let rename =
        client.send("textDocument/rename", json!({ "textDocument": { "uri": address }, "position": position, "newName": "vigour" }));
    assert!(client.answer(rename)["error"]["message"].as_str().unwrap().contains("rule system"));
    for other in ["banneret://library/no_such.banner", "banneret://library/../../etc/passwd", "file:///etc/passwd"] {
        let asked = client.send("workspace/textDocumentContent", json!({ "uri": other }));
        assert!(client.answer(asked)["error"]["message"].is_string(), "{other}");
    }
    client.end();
}
