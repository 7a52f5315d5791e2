//! `banneret.ron` in an editor: what is wrong with it as it stands there, what fits, what things mean.

use serde_json::{Value, json};

use crate::client::{Client, place, uri};
use crate::documents::Folder;

const UNIT: &str = "use flux\n\nunit Limpet of Verge { cost: 1, points: 14, power: 0, health: 3 }\n";
const MANIFEST: &str = "(\n    name: \"case\", version: \"0.1.0\",\n    rules: \"flux\",\n)\n";

fn start(name: &str) -> (Client, Folder, std::path::PathBuf) {
    let folder = Folder::new(name, &[("a.banner", UNIT), ("house/b.banner", "use flux\n"), ("banneret.ron", MANIFEST)]);
    let snippets = json!({ "textDocument": { "completion": { "completionItem": { "snippetSupport": true } }, "diagnostic": {} } });
    let mut client = Client::start(&[&folder.0], snippets);
    let path = folder.0.join("banneret.ron");
    client.open(&path);
    (client, folder, path)
}

fn codes(client: &mut Client, path: &std::path::Path) -> Vec<String> {
    client.pull(path).iter().map(|d| d["code"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn what_is_wrong_with_a_manifest_is_told_before_it_is_saved() {
    let (mut client, folder, path) = start("manifest-wrong");
    let unit = folder.0.join("a.banner");
    assert_eq!(codes(&mut client, &path), Vec::<String>::new());
    let wrong = MANIFEST.replace("rules:", "rulse:");
    client.set(&path, &wrong);
    let found = client.pull(&path);
    assert_eq!(found[0]["code"], "manifest-unknown-field", "{found:?}");
    let (line, character) = place(&wrong, "rulse", 0);
    assert_eq!(found[0]["range"]["start"], json!({ "line": line, "character": character }));
    // the cards are not full of mistakes because a word of the manifest is half written
    assert_eq!(codes(&mut client, &unit), Vec::<String>::new());
    client.set(&path, &MANIFEST.replace("\"flux\"", "\"fluxx\""));
    assert_eq!(codes(&mut client, &path), ["manifest-unknown-rules"]);
    client.set(&path, &MANIFEST.replace("    rules:", "    sources: [\"nowhere\"],\n    rules:"));
    assert!(codes(&mut client, &path).contains(&"manifest-missing-folder".to_owned()));
    // only what is in another folder is in the project now
    client.set(&path, &MANIFEST.replace("    rules:", "    sources: [\"house\"],\n    rules:"));
    assert_eq!(codes(&mut client, &path), Vec::<String>::new());
    let symbols = client.ask("workspace/symbol", json!({ "query": "Limpet" }));
    assert!(symbols.as_array().unwrap().is_empty(), "{symbols}");
    // and what the editor had is gone when it is closed
    client.close(&path);
    let symbols = client.ask("workspace/symbol", json!({ "query": "Limpet" }));
    assert_eq!(symbols.as_array().unwrap().len(), 1, "{symbols}");
    client.end();
}

#[test]
fn a_client_that_is_sent_mistakes_is_sent_those_of_the_manifest() {
    let folder = Folder::new("manifest-sent", &[("a.banner", UNIT), ("banneret.ron", MANIFEST)]);
    let mut client = Client::start(&[&folder.0], json!({}));
    let path = folder.0.join("banneret.ron");
    client.open(&path);
    client.set(&path, "(\n    name: \"case\"\n    version");
    let address = uri(&path);
    client.wait_for("the mistake", |c| c.published.get(&address).is_some_and(|p| p["diagnostics"][0]["code"] == "manifest-syntax"));
    client.set(&path, MANIFEST);
    client.wait_for("that it is taken back", |c| c.published.get(&address).is_some_and(|p| p["diagnostics"] == json!([])));
    client.end();
}

fn offered(client: &mut Client, path: &std::path::Path, text: &str) -> Vec<Value> {
    let at = place(text, "|", 0);
    let text = text.replace('|', "");
    client.set(path, &text);
    client.at("textDocument/completion", path, at)["items"].as_array().unwrap().clone()
}

#[test]
fn fields_and_values_of_a_manifest_are_offered() {
    let (mut client, _folder, path) = start("manifest-offers");
    let all = offered(&mut client, &path, "(\n    name: \"case\", version: \"0.1.0\",\n    |\n)\n");
    assert_eq!(all[0]["label"], "rules", "{all:?}");
    assert_eq!(all[0]["textEdit"]["newText"], "rules: \"${1:…}\",");
    assert!(!all.iter().any(|item| item["label"] == "name"));
    let all = offered(&mut client, &path, "(\n    name: \"case\", version: \"0.1.0\",\n    rules: |\n)\n");
    assert!(all.iter().any(|item| item["label"] == "worlds_collide" && item["textEdit"]["newText"] == "\"worlds_collide\""), "{all:?}");
    let all = offered(&mut client, &path, "(\n    name: \"case\", version: \"0.1.0\",\n    rules: \"wor|\"\n)\n");
    assert_eq!(all[0]["textEdit"]["newText"], "worlds_collide", "{all:?}");
    let all = offered(&mut client, &path, "(\n    name: \"case\", version: \"0.1.0\", rules: \"flux\",\n    sources: [\"|\"]\n)\n");
    assert!(all.iter().any(|item| item["label"] == "house"), "{all:?}");
    client.end();
}

#[test]
fn what_stands_in_a_manifest_is_told() {
    let (mut client, _folder, path) = start("manifest-told");
    let told = |client: &mut Client, piece: &str, into: usize| {
        client.at("textDocument/hover", &path, place(MANIFEST, piece, into))["contents"]["value"].as_str().unwrap_or_default().to_owned()
    };
    assert!(told(&mut client, "version:", 2).contains("version of the project"));
    let rules = told(&mut client, "flux", 1);
    assert!(rules.contains("a rule system, version"), "{rules}");
    client.end();
}
