//! What an editor sends: the bytes of the wire, and whole sessions of the server.

use std::io::Cursor;

use banneret_runtime::hosts::seeded::Generator;
use serde_json::{Value, json};

use crate::{Target, changes, kept, one_of, texts};

const TEXT: &str = "file:///nowhere/fuzz.banner";

/// Questions about a place in a text.
const AT_A_PLACE: [&str; 12] = [
    "textDocument/hover",
    "textDocument/completion",
    "textDocument/definition",
    "textDocument/typeDefinition",
    "textDocument/implementation",
    "textDocument/references",
    "textDocument/documentHighlight",
    "textDocument/signatureHelp",
    "textDocument/prepareRename",
    "textDocument/rename",
    "banneret/cards",
    "textDocument/selectionRange",
];

/// Questions about all of it, or a piece.
const ABOUT_A_TEXT: [&str; 10] = [
    "textDocument/documentSymbol",
    "textDocument/foldingRange",
    "textDocument/semanticTokens/full",
    "textDocument/semanticTokens/range",
    "textDocument/formatting",
    "textDocument/rangeFormatting",
    "textDocument/codeAction",
    "textDocument/inlayHint",
    "textDocument/diagnostic",
    "textDocument/documentLink",
];

/// No paths: what is named is read, and this machine is no place to look around in.
fn strange(generator: &mut Generator) -> Value {
    match generator.below(12) {
        0 => Value::Null,
        1 => json!(true),
        2 => json!(-1),
        3 => json!(u64::MAX),
        4 => json!(4_294_967_295_u64),
        5 => json!(1.5),
        6 => json!([]),
        7 => json!({}),
        8 => json!("x".repeat(generator.below(300) as usize)),
        9 => json!("\u{0}\u{202e}é🂡"),
        10 => (0..generator.below(100)).fold(json!(0), |inner, _| json!([inner])),
        _ => json!(generator.below(1000)),
    }
}

/// Puts something strange somewhere into a value, or takes something out.
fn twist(value: &mut Value, generator: &mut Generator) {
    let goes_in = generator.below(5) > 0;
    match value {
        Value::Object(map) if goes_in && !map.is_empty() => {
            let keys: Vec<String> = map.keys().cloned().collect();
            let Some(key) = one_of(&keys, generator) else { return };
            if generator.below(8) == 0 {
                map.remove(key);
            } else if let Some(inner) = map.get_mut(key) {
                twist(inner, generator);
            }
        }
        Value::Array(list) if goes_in && !list.is_empty() => {
            let at = generator.below(list.len() as u64) as usize;
            if let Some(inner) = list.get_mut(at) {
                twist(inner, generator);
            }
        }
        other => *other = strange(generator),
    }
}

fn framed(message: &Value) -> Vec<u8> {
    let body = message.to_string();
    format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

fn place(generator: &mut Generator) -> Value {
    json!({ "line": generator.below(90), "character": generator.below(50) })
}

fn range(generator: &mut Generator) -> Value {
    json!({ "start": place(generator), "end": place(generator) })
}

fn initialize(generator: &mut Generator) -> Value {
    let encoding = ["utf-8", "utf-16", "utf-32"][generator.below(3) as usize];
    let pulls = generator.below(2) == 0;
    let text = if pulls { json!({ "diagnostic": {} }) } else { json!({}) };
    let capabilities = json!({ "general": { "positionEncodings": [encoding] }, "textDocument": text });
    json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": { "processId": null, "capabilities": capabilities } })
}

fn open(text: &str) -> Value {
    let document = json!({ "uri": TEXT, "languageId": "banneret", "version": 1, "text": text });
    json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": { "textDocument": document } })
}

/// Something that an editor says while somebody writes.
fn message(id: u64, generator: &mut Generator) -> Value {
    let document = json!({ "uri": TEXT });
    let (method, params) = match generator.below(10) {
        0..=3 => {
            let method = one_of(&AT_A_PLACE, generator).copied().unwrap_or_default();
            let place = place(generator);
            (
                method,
                json!({ "textDocument": document, "position": place, "positions": [place], "newName": "Other", "context": { "includeDeclaration": true } }),
            )
        }
        4..=6 => {
            let method = one_of(&ABOUT_A_TEXT, generator).copied().unwrap_or_default();
            let options = json!({ "tabSize": 2, "insertSpaces": true });
            (method, json!({ "textDocument": document, "range": range(generator), "options": options, "context": { "diagnostics": [] } }))
        }
        7 => ("workspace/symbol", json!({ "query": "a" })),
        _ => {
            let new = ["", "{", "}", "\n", "unit X {\n  points: 1\n}\n", "\u{1f0a1}", "\"", "// "][generator.below(8) as usize];
            let changed = json!({ "range": range(generator), "text": new });
            let document = json!({ "uri": TEXT, "version": id + 1 });
            let params = json!({ "textDocument": document, "contentChanges": [changed] });
            return json!({ "jsonrpc": "2.0", "method": "textDocument/didChange", "params": params });
        }
    };
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

/// The bytes alone: heads, lengths, messages that are none.
pub fn wire() -> Target {
    let change = |seeds: &[Vec<u8>], generator: &mut Generator| {
        let mut stream = Vec::new();
        for id in 0..=generator.below(3) {
            let mut message = message(id, generator);
            if generator.below(2) == 0 {
                twist(&mut message, generator);
            }
            stream.extend(framed(&message));
        }
        if generator.below(4) > 0 { changes::bytes(&stream, 0, seeds, generator) } else { stream }
    };
    let run = |input: &[u8]| {
        let (handed_on, refused, _) = banneret_lsp::sift(Cursor::new(input));
        // every one takes some bytes: what is answered for ever would never end
        assert!(handed_on + refused <= input.len() + 1, "more messages than bytes");
    };
    Target { name: "wire", seeds: kept("wire"), change: Box::new(change), run: Box::new(run), at_most: 500_000 }
}

/// Whole sessions: a text is opened, asked about and changed.
pub fn server() -> Target {
    let games = texts::games();
    let change = move |_: &[Vec<u8>], generator: &mut Generator| {
        let from = one_of(&games, generator).map(|game| String::from_utf8_lossy(game).into_owned()).unwrap_or_default();
        let text = if generator.below(2) == 0 { changes::text(&from, &[], &games, generator) } else { from };
        let mut messages = vec![initialize(generator), json!({ "jsonrpc": "2.0", "method": "initialized", "params": {} }), open(&text)];
        messages.extend((1..4 + generator.below(12)).map(|id| message(id, generator)));
        messages.push(json!({ "jsonrpc": "2.0", "id": 999, "method": "shutdown" }));
        messages.push(json!({ "jsonrpc": "2.0", "method": "exit" }));
        for message in &mut messages {
            if generator.below(12) == 0 {
                twist(message, generator);
            }
        }
        if generator.below(12) == 0 {
            let at = generator.below(messages.len() as u64) as usize;
            messages.swap(at, 0);
        }
        messages.iter().flat_map(framed).collect()
    };
    let run = |input: &[u8]| {
        let input = input.to_vec();
        let _ = banneret_lsp::serve(move || Cursor::new(input), tokio::io::sink(), banneret_lsp::Budget::default());
    };
    Target { name: "server", seeds: kept("server"), change: Box::new(change), run: Box::new(run), at_most: 100 }
}
