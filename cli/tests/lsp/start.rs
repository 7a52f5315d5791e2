//! The beginning and the end of a session.

use serde_json::json;

use crate::client::{Client, house, uri};

#[test]
fn positions_are_counted_as_the_client_wants() {
    let path = house().join("content/worlds_collide/kiln/no_such_file.banner");
    let text = "// 🎲🎲\nuse worlds_collide\nuse common // é🎲\nunit X of Nobody { }\n";
    for (encodings, chosen, width) in
        [(json!(["utf-8", "utf-16"]), "utf-8", 4), (json!(["utf-16"]), "utf-16", 2), (json!(["utf-32"]), "utf-32", 1)]
    {
        let mut client =
            Client::start(&[&house().join("content/worlds_collide")], json!({ "general": { "positionEncodings": encodings } }));
        assert_eq!(client.capabilities["positionEncoding"], chosen);
        client.open_text(&path, text);
        // an edit behind two signs that are counted differently
        let at = 3 + 2 * width;
        let range = json!({ "start": { "line": 0, "character": at }, "end": { "line": 0, "character": at } });
        client.change(&path, json!([{ "range": range, "text": "!\nunit Y of Nobody { }\n//" }]));
        let symbols = client.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": uri(&path) } }));
        let names: Vec<&str> = symbols.as_array().unwrap().iter().map(|s| s["name"].as_str().unwrap()).collect();
        assert_eq!(names, ["Y", "worlds_collide", "common", "X"], "{chosen}");
        client.end();
    }
}

#[test]
fn a_client_that_says_nothing_is_served_too() {
    let mut client = Client::start(&[], json!({}));
    let path = house().join("content/flux/duels/nowhere.banner");
    client.open_text(&path, "use flux\n\nunknown_word X { }\n");
    client.wait_for("diagnostics", |c| c.published.contains_key(&uri(&path)));
    assert_eq!(client.published[&uri(&path)]["diagnostics"][0]["code"], "unknown-item");
    assert_eq!(client.published[&uri(&path)]["version"], 1);
    client.end();
}

#[test]
fn nonsense_is_answered_with_an_error() {
    let mut client = Client::start(&[], json!({}));
    let id = client.send("no/such/method", json!({}));
    assert_eq!(client.answer(id)["error"]["code"], -32601);
    let id = client.send("textDocument/formatting", json!({ "textDocument": 3 }));
    assert_eq!(client.answer(id)["error"]["code"], -32602);
    // a file nobody knows, and one that is no file
    for nowhere in ["file:///no/such/file.banner", "untitled:Untitled-1"] {
        let id = client.send("textDocument/foldingRange", json!({ "textDocument": { "uri": nowhere } }));
        assert!(client.answer(id)["result"].is_null());
    }
    client.tell("textDocument/didChange", json!({ "textDocument": { "uri": "file:///x.banner", "version": 3 }, "contentChanges": [] }));
    client.end();
}

#[test]
fn progress_watching_and_settings_are_asked_for() {
    let root = house().join("content");
    let capabilities = json!({
        "window": { "workDoneProgress": true },
        "workspace": { "didChangeWatchedFiles": { "dynamicRegistration": true }, "configuration": true },
    });
    let mut client = Client::start(&[&root], capabilities);
    let heard = |c: &Client, method: &str| c.heard.iter().any(|m| m["method"] == method);
    client.wait_for("the end of the progress", |c| c.heard.iter().any(|m| m["params"]["value"]["kind"] == "end"));
    client.wait_for("a request to watch", |c| heard(c, "client/registerCapability"));
    client.wait_for("a request for settings", |c| heard(c, "workspace/configuration"));
    let titles: Vec<&str> = client.heard.iter().filter_map(|m| m["params"]["value"]["message"].as_str()).collect();
    assert_eq!(titles.len(), 5, "one step for each project: {titles:?}");
    let watch = client.heard.iter().find(|m| m["method"] == "client/registerCapability").unwrap();
    let globs = watch["params"]["registrations"][0]["registerOptions"]["watchers"].to_string();
    assert!(globs.contains("**/*.banner") && globs.contains("**/banneret.ron") && globs.contains("png"), "{globs}");
    client.end();
}
