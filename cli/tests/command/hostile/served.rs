//! The same in the language server: it tells what is wrong with a hostile project, or that it is left, and ends in order.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;

use serde_json::{Value, json};

use super::{MOST_MEMORY, RULES, Watched, is_whole, long, many, project, watched};
use crate::support::Folder;

fn send(child: &mut Child, message: &Value) {
    let body = message.to_string();
    // who does not read any more has ended, which is seen
    let _ = write!(child.stdin.as_mut().unwrap(), "Content-Length: {}\r\n\r\n{body}", body.len());
}

fn ask(id: u64, method: &str, params: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

fn tell(method: &str, params: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "method": method, "params": params })
}

fn read(output: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if line.trim().is_empty() {
            break;
        }
        if let Some(n) = line.strip_prefix("Content-Length:") {
            length = n.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    output.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}

/// A session about a project: one of its files is opened, everything is asked that an editor asks at once.
pub fn is_served(what: &str, folder: &Folder) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_banneret"))
        .arg("lsp")
        .current_dir(folder.path())
        .env("RAYON_NUM_THREADS", "2")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(fs::File::create(folder.path().join("errors")).unwrap())
        .spawn()
        .unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let (heard, messages) = channel();
    std::thread::spawn(move || {
        while let Some(message) = read(&mut output) {
            let _ = heard.send(message);
        }
    });
    let root = format!("file://{}/demo", folder.path().display());
    let file = ["a.banner", "rules.banner"].into_iter().find(|name| folder.path().join("demo").join(name).is_file()).unwrap();
    let uri = format!("{root}/{file}");
    let text = String::from_utf8_lossy(&fs::read(folder.path().join("demo").join(file)).unwrap()).into_owned();
    let capabilities = json!({ "textDocument": { "diagnostic": {} } });
    send(&mut child, &ask(1, "initialize", &json!({ "processId": null, "rootUri": root, "capabilities": capabilities })));
    send(&mut child, &tell("initialized", &json!({})));
    let document = json!({ "uri": uri, "languageId": "banneret", "version": 1, "text": text });
    send(&mut child, &tell("textDocument/didOpen", &json!({ "textDocument": document })));
    let about = json!({ "textDocument": { "uri": uri }, "position": { "line": 0, "character": 3 } });
    let asked = [
        "workspace/diagnostic",
        "textDocument/diagnostic",
        "textDocument/documentSymbol",
        "textDocument/semanticTokens/full",
        "textDocument/hover",
        "textDocument/completion",
        "textDocument/codeLens",
        "banneret/cards",
    ];
    for (i, method) in asked.iter().enumerate() {
        let params = if i == 0 { json!({ "previousResultIds": [] }) } else { about.clone() };
        send(&mut child, &ask(2 + i as u64, method, &params));
    }
    let (mut answered, mut is_over) = (0, false);
    let Watched { status, memory, worked } = watched(&mut child, |child| {
        answered += messages.try_iter().filter(|message| message.get("method").is_none() && message["id"].is_u64()).count();
        if answered > asked.len() && !is_over {
            is_over = true;
            send(child, &ask(90, "shutdown", &Value::Null));
            send(child, &tell("exit", &Value::Null));
        }
    });
    let errors = folder.read("errors");
    if is_whole() {
        println!("served: {what}: {:.1} s, {} MB, {:?}", worked.as_secs_f32(), memory / 1_000_000, status.code());
    }
    assert!(memory <= MOST_MEMORY, "{what}: {} MB", memory / 1_000_000);
    assert!(status.code() == Some(0) && is_over && !errors.contains("panicked"), "{what}: {status}, {answered} answers: {errors}");
}

#[test]
fn hostile_texts_are_served() {
    let all: [(&str, String); 6] = [
        ("a chain of actions", many(30_000, |i| format!("action a{i} {{\n  a{}\n}}\n\n", i + 1))),
        ("names that nobody knows", many(30_000, |i| format!("unit N{i} {{\n  pionts{i}: Unknwon{i}\n}}\n\n"))),
        ("limits that count far", {
            let limits = many(400, |i| format!("limit \"l{i}\" on Unit {{\n  need count(0..99999) > 1 \"x\"\n}}\n\n"));
            limits + &many(400, |i| format!("unit L{i} {{\n  points: {i}\n}}\n\n"))
        }),
        ("open braces", long("{")),
        ("a line without an end", format!("define x = {}", long("1 + "))),
        ("braces in words", format!("unit Braces \"{}\" {{\n  points: 1\n}}\n", long("{points}"))),
    ];
    for (what, text) in all {
        is_served(what, &project().file("demo/a.banner", text));
    }
    // the server lives from many projects at once
    let mut folder = project();
    for i in 0..12 {
        folder = folder
            .file(&format!("demo/p{i}/banneret.ron"), crate::support::MANIFEST.replace("demo\"", &format!("p{i}\"")))
            .file(&format!("demo/p{i}/a.banner"), format!("{RULES}{}", many(3000, |n| format!("unit N{n} {{\n  pionts: 1\n}}\n\n"))));
    }
    is_served("many projects", &folder);
}
