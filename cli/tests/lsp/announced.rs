//! Everything the server says it can do is done once: a new capability needs a line here.

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::client::{Client, house, place, uri};

/// A session on a file of the repository's own content.
struct Session {
    client: Client,
    root: PathBuf,
    path: PathBuf,
    text: String,
}

impl Session {
    fn start() -> Self {
        let root = house().join("content/worlds_collide");
        let resolves = json!({ "textDocument": { "diagnostic": {}, "codeAction": { "resolveSupport": { "properties": ["edit"] } } } });
        let mut client = Client::start(&[&root], resolves);
        let path = root.join("kiln/units.banner");
        let text = client.open(&path);
        Self { client, root, path, text }
    }

    fn position(&self, piece: &str, into: usize) -> Value {
        let (line, character) = place(&self.text, piece, into);
        json!({ "line": line, "character": character })
    }

    /// Asks about the document, with what else the request takes.
    fn ask(&mut self, method: &str, more: Value) -> Value {
        let mut params = json!({ "textDocument": { "uri": uri(&self.path) } });
        for (key, value) in more.as_object().unwrap() {
            params[key] = value.clone();
        }
        self.client.ask(&format!("textDocument/{method}"), params)
    }

    /// Asks about a place in the document.
    fn at(&mut self, method: &str, piece: &str, into: usize) -> Value {
        let position = self.position(piece, into);
        self.ask(method, json!({ "position": position }))
    }

    fn everywhere(&self) -> Value {
        json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 40, "character": 0 } })
    }

    /// The repairs of a text with a mistake in it.
    fn mends(&mut self, only: &str) -> Vec<Value> {
        let broken = self.text.replace("health: 16", "helath: 16");
        self.client.set(&self.path, &broken);
        let found = self.ask("codeAction", json!({ "range": self.everywhere(), "context": { "diagnostics": [], "only": [only] } }));
        found.as_array().unwrap().clone()
    }
}

/// Does what a capability promises; gives what came of it. None: nobody has written here how to.
fn done(s: &mut Session, capability: &str) -> Option<Value> {
    const CARD: &str = "unit MotherBisque";
    const USE: &str = "of KilnPilgrims from Pilgrim";
    Some(match capability {
        "positionEncoding" => {
            // the one behind a letter that takes two places
            s.client.set(&s.path, &format!("/// \u{1f3b2}\n{}", s.text));
            s.client.change(
                &s.path,
                json!([{ "range": { "start": { "line": 0, "character": 6 }, "end": { "line": 0, "character": 6 } }, "text": "!" }]),
            );
            s.ask("formatting", json!({ "options": { "tabSize": 2, "insertSpaces": true } }));
            s.client.capabilities["positionEncoding"].clone()
        }
        "textDocumentSync.openClose" => {
            s.client.open_text(&s.root.join("kiln/more.banner"), "unit More { }\n");
            let there = s.client.pull(&s.root.join("kiln/more.banner"));
            s.client.close(&s.root.join("kiln/more.banner"));
            assert!(s.client.pull(&s.path).is_empty(), "it is gone again");
            json!(there)
        }
        "textDocumentSync.change" => {
            let at = s.position("health: 16", 8);
            s.client.change(&s.path, json!([{ "range": { "start": at, "end": at }, "text": "x" }]));
            json!(s.client.pull(&s.path))
        }
        "textDocumentSync.save" => json!(crate::manners::picture_that_comes_before_a_save()),
        "diagnosticProvider.identifier" | "diagnosticProvider.interFileDependencies" => {
            let factions = s.root.join("kiln/faction.banner");
            let text = s.client.open(&factions);
            s.client.set(&factions, &text.replace("faction KilnPilgrims", "faction Others"));
            let found = s.client.pull(&s.path);
            s.client.close(&factions);
            json!(found)
        }
        "diagnosticProvider.workspaceDiagnostics" => {
            s.client.ask("workspace/diagnostic", json!({ "previousResultIds": [] }))["items"].clone()
        }
        "completionProvider.triggerCharacters" => s.at("completion", "health: 16", 8)["items"].clone(),
        "hoverProvider" => s.at("hover", CARD, 7)["contents"]["value"].clone(),
        "signatureHelpProvider.triggerCharacters" => {
            let text = "use worlds_collide\n\ntactic X of KilnPilgrims {\n  knack: 4+\n  effect { heal  }\n}\n";
            s.client.set(&s.path, text);
            s.ask("signatureHelp", json!({ "position": { "line": 4, "character": 16 } }))["signatures"].clone()
        }
        "inlayHintProvider" => s.ask("inlayHint", json!({ "range": s.everywhere() })),
        "semanticTokensProvider.full" | "semanticTokensProvider.legend" => s.ask("semanticTokens/full", json!({}))["data"].clone(),
        "semanticTokensProvider.range" => s.ask("semanticTokens/range", json!({ "range": s.everywhere() }))["data"].clone(),
        "workspaceSymbolProvider" => s.client.ask("workspace/symbol", json!({ "query": "Bisque" })),
        "selectionRangeProvider" => s.ask("selectionRange", json!({ "positions": [s.position(CARD, 7)] })),
        "documentHighlightProvider" => s.at("documentHighlight", CARD, 7),
        "documentLinkProvider.resolveProvider" => s.ask("documentLink", json!({})),
        "definitionProvider" => s.at("definition", USE, 5)["uri"].clone(),
        "typeDefinitionProvider" => s.at("typeDefinition", CARD, 7)["uri"].clone(),
        "implementationProvider" => s.at("implementation", "unit Pilgrim", 6),
        "referencesProvider" => s.ask("references", json!({ "position": s.position(CARD, 7), "context": { "includeDeclaration": false } })),
        "renameProvider.prepareProvider" => {
            let prepared = s.at("prepareRename", CARD, 7);
            assert_eq!(prepared["placeholder"], "MotherBisque");
            s.ask("rename", json!({ "position": s.position(CARD, 7), "newName": "FatherBisque" }))["changes"].clone()
        }
        "codeActionProvider.codeActionKinds" => json!(s.mends("quickfix")),
        "codeActionProvider.resolveProvider" => {
            let offered = s.mends("source.fixAll");
            assert!(offered[0]["edit"].is_null(), "worked out when it is chosen: {offered:?}");
            s.client.ask("codeAction/resolve", offered[0].clone())["edit"]["changes"][uri(&s.path)].clone()
        }
        "callHierarchyProvider" => {
            let start = s.at("prepareCallHierarchy", CARD, 7);
            s.client.ask("callHierarchy/incomingCalls", json!({ "item": start[0] }))
        }
        "linkedEditingRangeProvider" => {
            let text = "use worlds_collide\n\nkeyword Hasty(x) on Unit {\n  grant this { move +(x * 1s) }\n}\n";
            s.client.set(&s.path, text);
            s.ask("linkedEditingRange", json!({ "position": { "line": 2, "character": 14 } }))["ranges"].clone()
        }
        "documentOnTypeFormattingProvider.firstTriggerCharacter" => {
            s.client.set(&s.path, "use worlds_collide\n\nkeyword Hasty on Unit {\n  grant this { move +1s }\n      }\n");
            let options = json!({ "tabSize": 2, "insertSpaces": true });
            s.ask("onTypeFormatting", json!({ "position": { "line": 4, "character": 7 }, "ch": "}", "options": options }))
        }
        "documentFormattingProvider" | "documentRangeFormattingProvider" => {
            let crooked = s.text.replace("  points: ", "     points:   ");
            s.client.set(&s.path, &crooked);
            let options = json!({ "tabSize": 2, "insertSpaces": true });
            match capability {
                "documentFormattingProvider" => s.ask("formatting", json!({ "options": options })),
                _ => s.ask("rangeFormatting", json!({ "options": options, "range": s.everywhere() })),
            }
        }
        "colorProvider" => {
            let factions = s.root.join("kiln/faction.banner");
            s.client.open(&factions);
            let colours = s.client.ask("textDocument/documentColor", json!({ "textDocument": { "uri": uri(&factions) } }));
            s.client.close(&factions);
            let picked = json!({ "textDocument": { "uri": uri(&factions) }, "color": { "red": 1.0, "green": 0.0, "blue": 0.5, "alpha": 1.0 }, "range": s.everywhere() });
            assert_eq!(s.client.ask("textDocument/colorPresentation", picked)[0]["label"], "#ff0080");
            colours
        }
        "workspace.fileOperations" => {
            let (old, new) = (s.root.join("kiln"), s.root.join("oven"));
            let params = json!({ "files": [{ "oldUri": uri(&old), "newUri": uri(&new) }] });
            let edit = s.client.ask("workspace/willRenameFiles", params);
            let texts: Vec<&Value> =
                edit["changes"].as_object().unwrap().values().flat_map(|v| v.as_array().unwrap()).map(|e| &e["newText"]).collect();
            assert!(!texts.is_empty() && texts.iter().all(|t| **t == "oven"), "{edit}");
            edit
        }
        "codeLensProvider.resolveProvider" => s.ask("codeLens", json!({})),
        "executeCommandProvider.commands" => {
            let lenses = s.ask("codeLens", json!({}));
            let lens = lenses.as_array().unwrap().iter().find(|l| l["command"]["command"] == "banneret.odds").unwrap().clone();
            let params = json!({ "command": "banneret.odds", "arguments": lens["command"]["arguments"] });
            s.client.ask("workspace/executeCommand", params)["message"].clone()
        }
        "documentSymbolProvider" => s.ask("documentSymbol", json!({})),
        "foldingRangeProvider" => s.ask("foldingRange", json!({})),
        "workspace.workspaceFolders.supported" | "workspace.workspaceFolders.changeNotifications" => {
            let other = house().join("content/flux");
            let folder = json!({ "uri": uri(&other), "name": "flux" });
            s.client.tell("workspace/didChangeWorkspaceFolders", json!({ "event": { "added": [folder], "removed": [] } }));
            s.client.ask("workspace/symbol", json!({ "query": "OnsaVerrick" }))
        }
        _ => return None,
    })
}

/// The capabilities in an answer, each by its path. What is not offered does not count.
fn announced(at: &str, value: &Value, out: &mut BTreeSet<String>) {
    let is_group = ["textDocumentSync", "workspace"].contains(&at) || at.ends_with("Provider") || at.ends_with("workspaceFolders");
    match value {
        Value::Object(inner) if is_group || at.is_empty() => {
            for (key, value) in inner {
                let below = if at.is_empty() { key.clone() } else { format!("{at}.{key}") };
                announced(&below, value, out);
            }
        }
        Value::Null => {}
        _ => {
            out.insert(at.to_owned());
        }
    }
}

#[test]
fn everything_the_server_announces_is_done_in_a_session() {
    let mut all = BTreeSet::new();
    let mut session = Session::start();
    announced("", &session.client.capabilities, &mut all);
    assert!(all.len() > 25, "{all:?}");
    for capability in all {
        // each on a text that nothing has changed
        session.client.set(&session.path, &session.text);
        let came = done(&mut session, &capability).unwrap_or_else(|| panic!("no session does `{capability}`"));
        let is_something = match &came {
            Value::Array(list) => !list.is_empty(),
            Value::Object(map) => !map.is_empty(),
            Value::String(text) => !text.is_empty(),
            _ => false,
        };
        assert!(is_something, "{capability}: {came}");
    }
    session.client.end();
}
