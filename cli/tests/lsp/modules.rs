//! Giving a module another name from a `use`: its folder moves, every `use` follows, and what would break is refused.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::client::{Client, place, uri};
use crate::documents::Folder;
use crate::packages::packages;

const RULES: &str = "use flux\n\nunit Whelk of Verge { cost: 1, points: 14, power: 0, health: 3 }\n";
const UNIT: &str = "use flux\nuse clan.words\nuse clan\n\nunit Limpet of Verge { cost: 1, points: 14, power: 0, health: 3 }\n";
const OTHER: &str = "use flux\nuse clan.words\n";

fn client(root: &Path) -> Client {
    let edits = json!({ "documentChanges": true, "resourceOperations": ["create", "rename", "delete"] });
    Client::start(&[root], json!({ "textDocument": { "diagnostic": {} }, "workspace": { "workspaceEdit": edits } }))
}

fn folder(name: &str) -> Folder {
    Folder::new(name, &[("a.banner", UNIT), ("clan/c.banner", OTHER), ("clan/words/w.banner", RULES), ("herd/h.banner", "use flux\n")])
}

fn rename(client: &mut Client, path: &Path, (line, character): (u32, u32), new: &str) -> Value {
    let at = json!({ "line": line, "character": character });
    let asked = client.send("textDocument/rename", json!({ "textDocument": { "uri": uri(path) }, "position": at, "newName": new }));
    client.answer(asked)
}

/// Does what an answer says, on the disk: edits of texts, then the folder.
fn make(edit: &Value) {
    for change in edit["documentChanges"].as_array().unwrap() {
        let path = |uri: &Value| PathBuf::from(uri.as_str().unwrap().strip_prefix("file://").unwrap());
        if change["kind"] == "rename" {
            std::fs::rename(path(&change["oldUri"]), path(&change["newUri"])).unwrap();
            continue;
        }
        let path = path(&change["textDocument"]["uri"]);
        let text = std::fs::read_to_string(&path).unwrap();
        let mut lines: BTreeMap<usize, String> = text.lines().map(str::to_owned).enumerate().collect();
        for edit in change["edits"].as_array().unwrap() {
            let at = |end: &str, what: &str| edit["range"][end][what].as_u64().unwrap() as usize;
            let line = lines.get_mut(&at("start", "line")).unwrap();
            line.replace_range(at("start", "character")..at("end", "character"), edit["newText"].as_str().unwrap());
        }
        std::fs::write(&path, lines.into_values().map(|line| line + "\n").collect::<String>()).unwrap();
    }
}

#[test]
fn a_module_is_renamed_with_its_folder_and_every_use() {
    let folder = folder("modules");
    let path = folder.0.join("a.banner");
    let mut client = client(&folder.0);
    client.open(&path);
    // the folder below: only the last word is it
    let prepared = client.at("textDocument/prepareRename", &path, place(UNIT, "words", 1));
    assert_eq!(prepared["placeholder"], "words", "{prepared}");
    let edit = rename(&mut client, &path, place(UNIT, "words", 1), "terms")["result"].clone();
    let last = edit["documentChanges"].as_array().unwrap().last().unwrap();
    assert_eq!(last["oldUri"], uri(&folder.0.join("clan/words")), "{edit}");
    assert_eq!(last["newUri"], uri(&folder.0.join("clan/terms")));
    assert_eq!(edit["documentChanges"][0]["textDocument"]["version"], 1, "{edit}");
    // the folder above: both
    let edit = rename(&mut client, &path, place(UNIT, "clan.words", 1), "band")["result"].clone();
    make(&edit);
    client.end();
    let text = |file: &str| std::fs::read_to_string(folder.0.join(file)).unwrap();
    assert!(text("a.banner").starts_with("use flux\nuse band.words\nuse band\n"), "{}", text("a.banner"));
    assert_eq!(text("band/c.banner"), "use flux\nuse band.words\n");
    assert_eq!(text("band/words/w.banner"), RULES);
    assert!(!folder.0.join("clan").exists());
    let run = std::process::Command::new(env!("CARGO_BIN_EXE_banneret")).arg("check").arg(&folder.0).output().unwrap();
    assert!(run.status.success(), "{run:?}");
}

#[test]
fn a_module_is_not_given_a_name_that_is_taken_or_none_at_all() {
    let folder = folder("modules-taken");
    let path = folder.0.join("a.banner");
    let mut client = client(&folder.0);
    client.open(&path);
    // a folder of that name is there; a word of the language; not a name; another module would hide the rules
    for (new, why) in
        [("herd", "beside it already"), ("if", "word of the language"), ("two words", "letters"), ("flux", "cannot be called")]
    {
        let answer = rename(&mut client, &path, place(UNIT, "clan.words", 1), new);
        let told = answer["error"]["message"].as_str().unwrap_or_else(|| panic!("{new}: {answer}"));
        assert!(told.contains(why), "{new}: {told}");
    }
    // what comes with Banneret stays
    let asked = client.send("textDocument/prepareRename", {
        let (line, character) = place(UNIT, "flux", 1);
        json!({ "textDocument": { "uri": uri(&path) }, "position": { "line": line, "character": character } })
    });
    assert!(client.answer(asked)["error"]["message"].is_string());
    client.end();
    // a folder that the manifest names
    let manifest = "(name: \"case\", version: \"0.1.0\", rules: \"flux\", art: \"clan/art\")\n";
    std::fs::create_dir_all(folder.0.join("clan/art")).unwrap();
    std::fs::write(folder.0.join("banneret.ron"), manifest).unwrap();
    let mut client = self::client(&folder.0);
    client.open(&path);
    let answer = rename(&mut client, &path, place(UNIT, "clan.words", 1), "band");
    assert!(answer["error"]["message"].as_str().unwrap().contains("`art`"), "{answer}");
    client.end();
}

#[test]
fn names_are_changed_in_projects_that_build_on_packages() {
    let folder = packages("package-rename");
    let boats = folder.0.join("reefers/boats.banner");
    let mut client = client(&folder.0.join("reefers"));
    let text = client.open(&boats);
    let answer = rename(&mut client, &boats, place(&text, "Cockle", 1), "Whelk");
    assert!(answer["result"]["documentChanges"].is_array(), "{answer}");
    client.end();
}
