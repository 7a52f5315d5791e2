//! The language server on a large project: what an author waits for, through the protocol.
//!
//! The server is the command `banneret` beside this program, or the one that `BANNERET` names.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::cards;
use crate::table::Table;

const CARDS: usize = 30_000;
const ROUNDS: usize = 100;
/// Every so many cards have the keyword that is renamed: 2,000 of them.
const EVERY: usize = 15;

pub fn run(table: &mut Table) {
    if let Err(why) = measured(table) {
        eprintln!("the language server was not measured: {why}");
    }
}

fn measured(table: &mut Table) -> Result<(), String> {
    let cards = std::env::var("BANNERET_BENCH_CARDS").ok().and_then(|n| n.parse().ok()).unwrap_or(CARDS);
    let folder = std::env::temp_dir().join(format!("banneret-bench-{}", std::process::id()));
    let out = session(table, &folder, cards);
    let _ = std::fs::remove_dir_all(&folder);
    out
}

fn session(table: &mut Table, folder: &Path, cards: usize) -> Result<(), String> {
    let files = write(folder, cards)?;
    let file = files.get(1).ok_or("no cards")?.clone();
    let mut server = Server::start(folder)?;
    let uri = format!("file://{}", file.display());
    let text = std::fs::read_to_string(&file).map_err(|e| e.to_string())?;
    server.tell("textDocument/didOpen", json!({ "textDocument": { "uri": uri, "languageId": "banneret", "version": 1, "text": text } }))?;
    let document = json!({ "uri": uri });
    let start = Instant::now();
    server.ask("textDocument/diagnostic", json!({ "textDocument": document }))?;
    let cold = start.elapsed();
    table.row("editor, from an empty server to the mistakes of one file", ms(cold), "", String::new());
    let line = line_of(&text, "  points: ");
    let word = json!({ "line": line, "character": 3 });
    let below = json!({ "line": line + 1, "character": 2 });
    // every card is laid out for the first time; meanwhile somebody works
    let (start, mut meanwhile) = (Instant::now(), Vec::new());
    let everything = server.send("workspace/diagnostic", json!({ "previousResultIds": [] }))?;
    while !server.has_answer(everything) {
        for (method, at) in [("textDocument/hover", &word), ("textDocument/completion", &below)] {
            let start = Instant::now();
            server.ask(method, json!({ "textDocument": document, "position": at }))?;
            meanwhile.push(start.elapsed());
        }
    }
    let report = server.answer(everything)?;
    let laid_out = start.elapsed();
    let wrong = report["items"].as_array().map_or(0, |i| i.iter().filter(|i| i["items"].as_array().is_some_and(|d| !d.is_empty())).count());
    if wrong > 0 {
        eprintln!("{wrong} files of the benchmark have mistakes");
    }
    let ratio = format!("{:.1}", laid_out.as_secs_f64() / cold.as_secs_f64().max(1e-9));
    table.row("editor, all cards laid out for the first time", ms(laid_out), &format!("the cold check, {}", ms(cold)), ratio);
    row(table, "completion and hover meanwhile", &mut meanwhile, cold);
    let card = json!({ "line": line_of(&text, "unit "), "character": 7 });
    let weapon = json!({ "line": line_of(&text, "  weapon "), "character": 10 });
    let (mut keystroke, mut complete, mut hover, mut odds) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        // a digit is typed behind the points and taken away again
        let at = json!({ "line": line, "character": 10 });
        let change = match round % 2 {
            0 => json!({ "range": { "start": at, "end": at }, "text": "1" }),
            _ => json!({ "range": { "start": at, "end": { "line": line, "character": 11 } }, "text": "" }),
        };
        let start = Instant::now();
        server
            .tell("textDocument/didChange", json!({ "textDocument": { "uri": uri, "version": round + 2 }, "contentChanges": [change] }))?;
        server.ask("textDocument/diagnostic", json!({ "textDocument": document }))?;
        keystroke.push(start.elapsed());
        let start = Instant::now();
        server.ask("textDocument/completion", json!({ "textDocument": document, "position": below }))?;
        complete.push(start.elapsed());
        for at in [&word, &card] {
            let start = Instant::now();
            server.ask("textDocument/hover", json!({ "textDocument": document, "position": at }))?;
            hover.push(start.elapsed());
        }
        let start = Instant::now();
        server.ask("textDocument/hover", json!({ "textDocument": document, "position": weapon }))?;
        odds.push(start.elapsed());
    }
    row(table, "keystroke to diagnostics", &mut keystroke, cold);
    row(table, "completion after a keystroke", &mut complete, cold);
    row(table, "hover after a keystroke", &mut hover, cold);
    row(table, "hover over a weapon, with its exact odds, after a keystroke", &mut odds, cold);
    let keyword = format!("file://{}", files.first().ok_or("no files")?.display());
    let declared = std::fs::read_to_string(&files[0]).map_err(|e| e.to_string())?;
    let at = json!({ "textDocument": { "uri": keyword }, "position": { "line": line_of(&declared, "keyword Stalwart"), "character": 10 } });
    let (mut references, mut rename) = (Vec::new(), Vec::new());
    let mut uses = 0;
    for _ in 0..ROUNDS / 5 {
        let mut params = at.clone();
        params["context"] = json!({ "includeDeclaration": false });
        let start = Instant::now();
        uses = server.ask("textDocument/references", params)?.as_array().map_or(0, Vec::len);
        references.push(start.elapsed());
        let mut params = at.clone();
        params["newName"] = json!("Steadfast");
        let start = Instant::now();
        server.ask("textDocument/rename", params)?;
        rename.push(start.elapsed());
    }
    row(table, &format!("references to a keyword used {uses} times"), &mut references, cold);
    row(table, &format!("rename of a keyword used {uses} times"), &mut rename, cold);
    Ok(())
}

fn row(table: &mut Table, what: &str, times: &mut [Duration], cold: Duration) {
    times.sort_unstable();
    let at = |percent: usize| times.get((times.len() * percent / 100).min(times.len().saturating_sub(1))).copied().unwrap_or_default();
    let (half, most) = (at(50), at(99));
    let ratio = format!("{:.4}", most.as_secs_f64() / cold.as_secs_f64().max(1e-9));
    table.row(
        &format!("editor, {what}, 50th / 99th percentile"),
        format!("{} / {}", ms(half), ms(most)),
        &format!("99th: the cold check, {}", ms(cold)),
        ratio,
    );
}

fn ms(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1e3)
}

fn line_of(text: &str, piece: &str) -> usize {
    text.lines().position(|l| l.starts_with(piece)).unwrap_or(0)
}

/// The project on the disk: its files, the one with the keyword first.
fn write(folder: &Path, cards: usize) -> Result<Vec<PathBuf>, String> {
    let put = |path: &Path, text: &str| {
        let parent = path.parent().unwrap_or(path);
        std::fs::create_dir_all(parent).and_then(|()| std::fs::write(path, text)).map_err(|e| e.to_string())
    };
    put(&folder.join("banneret.ron"), r#"(name: "bench", version: "0.1.0", rules: "worlds_collide")"#)?;
    let mut out = Vec::new();
    let mut seen = 0;
    for (path, mut text) in cards::project(cards) {
        if out.is_empty() {
            text.push_str("\nkeyword Stalwart on Unit {\n  grant this { defense +1 }\n}\n");
        }
        let mut lines = String::with_capacity(text.len() + 1000);
        for line in text.lines() {
            lines.push_str(line);
            lines.push('\n');
            if line.starts_with("unit ") {
                if seen % EVERY == 0 {
                    lines.push_str("  keywords: [Stalwart]\n");
                }
                seen += 1;
            }
        }
        let path = folder.join(path.trim_start_matches("bench/"));
        put(&path, &lines)?;
        out.push(path);
    }
    Ok(out)
}

struct Server {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    next: i64,
    /// Those that came and were not asked for yet.
    answers: HashMap<i64, Value>,
}

impl Server {
    fn start(root: &Path) -> Result<Self, String> {
        let beside = || std::env::current_exe().ok().and_then(|p| Some(p.parent()?.join("banneret")));
        let command = std::env::var_os("BANNERET").map(PathBuf::from).or_else(beside).ok_or("no command")?;
        let mut child = Command::new(&command)
            .arg("lsp")
            .current_dir(root)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|e| format!("{}: {e} (build it first, or name it with BANNERET)", command.display()))?;
        let input = child.stdin.take().ok_or("no input")?;
        let output = BufReader::new(child.stdout.take().ok_or("no output")?);
        let mut server = Self { child, input, output, next: 0, answers: HashMap::new() };
        let folders = json!([{ "uri": format!("file://{}", root.display()), "name": "bench" }]);
        let capabilities = json!({ "textDocument": { "diagnostic": {} } });
        server
            .ask("initialize", json!({ "processId": null, "rootUri": null, "capabilities": capabilities, "workspaceFolders": folders }))?;
        server.tell("initialized", json!({}))?;
        Ok(server)
    }

    fn tell(&mut self, method: &str, params: Value) -> Result<(), String> {
        self.write(&json!({ "jsonrpc": "2.0", "method": method, "params": params }))
    }

    fn ask(&mut self, method: &str, params: Value) -> Result<Value, String> {
        let id = self.send(method, params)?;
        self.answer(id)
    }

    /// Asks without waiting.
    fn send(&mut self, method: &str, params: Value) -> Result<i64, String> {
        self.next += 1;
        self.write(&json!({ "jsonrpc": "2.0", "id": self.next, "method": method, "params": params }))?;
        Ok(self.next)
    }

    /// Whether an answer came while others were waited for.
    fn has_answer(&self, id: i64) -> bool {
        self.answers.contains_key(&id)
    }

    fn answer(&mut self, id: i64) -> Result<Value, String> {
        loop {
            if let Some(mut message) = self.answers.remove(&id) {
                return match message.get("error") {
                    Some(error) => Err(error.to_string()),
                    None => Ok(message["result"].take()),
                };
            }
            let message = self.read()?;
            if let (Some(id), None) = (message["id"].as_i64(), message.get("method")) {
                self.answers.insert(id, message);
            }
        }
    }

    fn write(&mut self, message: &Value) -> Result<(), String> {
        let body = message.to_string();
        let sent = write!(self.input, "Content-Length: {}\r\n\r\n{body}", body.len()).and_then(|()| self.input.flush());
        sent.map_err(|e| e.to_string())
    }

    fn read(&mut self) -> Result<Value, String> {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line).map_err(|e| e.to_string())? == 0 {
                return Err("the server ended".into());
            }
            match line.trim().strip_prefix("Content-Length:") {
                Some(n) => length = n.trim().parse().map_err(|_| "a bad header")?,
                None if line.trim().is_empty() => break,
                None => {}
            }
        }
        let mut body = vec![0; length];
        std::io::Read::read_exact(&mut self.output, &mut body).map_err(|e| e.to_string())?;
        serde_json::from_slice(&body).map_err(|e| e.to_string())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
