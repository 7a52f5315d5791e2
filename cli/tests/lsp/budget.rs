//! What the server may cost: a project that takes too much is stopped, told and left, and the others are served on.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::client::{Client, place, uri};
use crate::manners::Folder;

const PULLS: &str = r#"{ "textDocument": { "diagnostic": {} } }"#;
const MANIFEST: &str = "(\n    name: \"NAME\", version: \"0.1.0\",\n    rules: \"demo\",\n)\n";
const RULES: &str = "ruleset demo \"Demo\" { version: \"1.0\" }\n\nkind Unit (units) is card {\n  points: Int 0.. = 0\n}\n\n";
const CARD: &str = "unit Reaver {\n  points: 3\n}\n";

/// A project that is fine beside one that is made to hurt.
fn beside(name: &str, text: &str) -> Folder {
    let folder = Folder::new(name);
    for (project, text) in [("good", CARD), ("poison", text)] {
        folder.file(&format!("{project}/banneret.ron"), &MANIFEST.replace("NAME", project));
        folder.file(&format!("{project}/a.banner"), &format!("{RULES}{text}"));
    }
    folder
}

fn server(folder: &Folder, budget: &[&str], capabilities: &str) -> Client {
    let roots = [folder.0.join("good"), folder.0.join("poison")];
    let roots: Vec<&Path> = roots.iter().map(|root| root.as_path()).collect();
    Client::start_within(budget, &folder.0, &roots, serde_json::from_str(capabilities).unwrap(), json!(null))
}

/// What was said to the person.
fn told(client: &Client) -> Vec<&str> {
    let said = client.heard.iter().filter(|message| message["method"] == "window/showMessage");
    said.filter_map(|message| message["params"]["message"].as_str()).collect()
}

fn codes(found: &[Value]) -> Vec<&str> {
    found.iter().filter_map(|d| d["code"].as_str()).collect()
}

/// Every limit looks far, at every card in another way: more work than limits may take together, and seconds until that is known.
fn limits_that_look_far() -> String {
    let limits = (0..80).map(|i| {
        format!("limit \"l{i}\" on Unit {{\n  need count((0..99999) where it * it mod 7 > this.points mod 3 - {i}) > 1 \"x\"\n}}\n\n")
    });
    limits.chain((0..80).map(|i| format!("unit L{i} {{\n  points: {i}\n}}\n\n"))).collect()
}

fn is_served(folder: &Folder, client: &mut Client) {
    let good = folder.0.join("good/a.banner");
    let text = fs::read_to_string(&good).unwrap();
    assert!(client.pull(&good).is_empty());
    let hover = client.at("textDocument/hover", &good, place(&text, "unit Reaver", 6));
    assert!(hover["contents"]["value"].as_str().is_some_and(|words| words.contains("Reaver")), "{hover}");
    client.set(&good, &text.replace("points: 3", "points: -3"));
    assert_eq!(codes(&client.pull(&good)), ["out-of-range"]);
    client.set(&good, &text);
}

#[test]
fn a_project_that_takes_too_long_is_left_and_looked_at_again_when_it_is_saved() {
    let folder = beside("budget-time", &limits_that_look_far());
    let mut client = server(&folder, &["--most-seconds", "1"], PULLS);
    let (poison, manifest) = (folder.0.join("poison/a.banner"), folder.0.join("poison/banneret.ron"));
    client.open(&poison);
    client.open(&folder.0.join("good/a.banner"));
    let id = client.send("textDocument/diagnostic", json!({ "textDocument": { "uri": uri(&poison) } }));
    let answer = client.answer(id);
    assert_eq!(answer["error"]["code"], -32803, "{answer}");
    client.wait_for("the person is told", |client| !told(client).is_empty());
    let words = told(&client).join("\n");
    for wanted in ["project `poison` took more than 1 second", "left until one of its files is saved", "--most-seconds 4"] {
        assert!(words.contains(wanted), "{words}");
    }
    let found = client.pull(&manifest);
    assert_eq!(codes(&found), ["project-left"], "{found:?}");
    assert!(client.pull(&poison).is_empty());
    is_served(&folder, &mut client);
    // mended and saved, it is looked at again
    let mended = format!("{RULES}{}", CARD.replace("3", "-1"));
    fs::write(&poison, &mended).unwrap();
    client.set(&poison, &mended);
    client.tell("textDocument/didSave", json!({ "textDocument": { "uri": uri(&poison) } }));
    assert_eq!(codes(&client.pull(&poison)), ["out-of-range"]);
    assert!(client.pull(&manifest).is_empty());
    client.end();
}

/// Who is sent diagnostics is told in the same way.
#[test]
fn a_check_that_nobody_asked_for_is_stopped_too() {
    let folder = beside("budget-push", &limits_that_look_far());
    let mut client = server(&folder, &["--most-seconds", "1"], "{}");
    client.open(&folder.0.join("poison/a.banner"));
    let manifest = uri(&folder.0.join("poison/banneret.ron"));
    client.wait_for("the manifest says it", |client| {
        client.published.get(&manifest).is_some_and(|sent| sent["diagnostics"][0]["code"] == "project-left")
    });
    assert!(told(&client).iter().any(|words| words.contains("took more than 1 second")));
    client.end();
}

#[test]
fn a_project_that_takes_too_much_memory_is_left_and_what_it_took_given_back() {
    let cards: String = (0..16_000).map(|i| format!("unit N{i} {{\n  pionts{i}: Unknwon{i}\n}}\n\n")).collect();
    let folder = beside("budget-memory", &cards);
    let mut client = server(&folder, &["--most-memory", "100"], PULLS);
    client.open(&folder.0.join("good/a.banner"));
    let poison = folder.0.join("poison/a.banner");
    let id = client.send("textDocument/diagnostic", json!({ "textDocument": { "uri": uri(&poison) } }));
    let answer = client.answer(id);
    assert_eq!(answer["error"]["code"], -32803, "{answer}");
    client.wait_for("the person is told", |client| told(client).iter().any(|words| words.contains("100 MB of memory")));
    assert_eq!(codes(&client.pull(&folder.0.join("poison/banneret.ron"))), ["project-left"]);
    is_served(&folder, &mut client);
    client.end();
}

/// Five thousand places, each of which leads to a hundred others: that takes minutes, and keeps nobody from typing.
#[test]
fn an_edit_does_not_wait_for_odds() {
    let folder = beside(
        "budget-odds",
        "action wander(w: Walker) {\n  repeat until w.at == 4999 {\n    w.at = (w.at * 7 + roll d100) mod 5003\n  }\n}\n\nkind Walker (walkers) is card {\n  state at: Int 0.. = 0\n}\n\nwalker Snail { }\n\ntest \"a long way\" {\n  given Snail as s\n  do wander s\n  expect odds of (s.at == 4999) == 1\n}\n\nunit Reaver {\n  points: 3\n}\n",
    );
    let mut client = server(&folder, &[], PULLS);
    let poison = folder.0.join("poison/a.banner");
    let text = client.open(&poison);
    let found = client.pull(&poison);
    assert!(found.is_empty(), "{found:?}");
    let id = client.send("workspace/executeCommand", json!({ "command": "banneret.runTest", "arguments": [uri(&poison), "a long way"] }));
    std::thread::sleep(std::time::Duration::from_millis(1500));
    let since = std::time::Instant::now();
    client.set(&poison, &text.replace("points: 3\n}", "points: -3\n}"));
    let found = client.pull(&poison);
    assert_eq!(codes(&found), ["out-of-range"], "{found:?}");
    assert!(since.elapsed().as_secs() < 60, "the edit waited for {:?}", since.elapsed());
    let answer = client.answer(id);
    assert_eq!(answer["error"]["code"], -32801, "overtaken by the edit: {answer}");
    client.end();
}
