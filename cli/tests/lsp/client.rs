//! A client that speaks to the built command over its standard input and output.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Far more than anything takes: only a server that hangs reaches it.
const PATIENCE: Duration = Duration::from_secs(120);

pub struct Client {
    child: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    next: i64,
    versions: BTreeMap<String, i64>,
    /// The last diagnostics that were sent for each file.
    pub published: BTreeMap<String, Value>,
    /// Notifications other than diagnostics, and requests of the server, by method.
    pub heard: Vec<Value>,
    answers: BTreeMap<i64, Value>,
    /// What the server said it can do.
    pub capabilities: Value,
}

/// The repository.
pub fn house() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

pub fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

impl Client {
    /// A server whose client can do what is said, over some roots.
    pub fn start(roots: &[&Path], capabilities: Value) -> Self {
        Self::start_with(roots, capabilities, json!(null))
    }

    pub fn start_with(roots: &[&Path], capabilities: Value, options: Value) -> Self {
        let here = roots.first().map_or_else(house, |r| r.to_path_buf());
        Self::start_in(&here, roots, capabilities, options)
    }

    pub fn start_in(here: &Path, roots: &[&Path], capabilities: Value, options: Value) -> Self {
        Self::start_within(&[], here, roots, capabilities, options)
    }

    /// With a budget: `--most-seconds` and `--most-memory`.
    pub fn start_within(budget: &[&str], here: &Path, roots: &[&Path], capabilities: Value, options: Value) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_banneret"))
            .arg("lsp")
            .args(budget)
            .current_dir(here)
            .env_remove("BANNERET_STDLIB")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take().unwrap();
        let output = child.stdout.take().unwrap();
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Some(message) = read(&mut output) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let mut client = Self {
            child,
            input,
            messages,
            next: 0,
            versions: BTreeMap::new(),
            published: BTreeMap::new(),
            heard: Vec::new(),
            answers: BTreeMap::new(),
            capabilities: Value::Null,
        };
        let folders: Vec<Value> = roots.iter().map(|r| json!({ "uri": uri(r), "name": r.file_name().unwrap().to_str() })).collect();
        let params = json!({ "processId": null, "rootUri": null, "capabilities": capabilities, "workspaceFolders": folders, "initializationOptions": options });
        let answer = client.ask("initialize", params);
        client.capabilities = answer["capabilities"].clone();
        client.tell("initialized", json!({}));
        client
    }

    pub fn tell(&mut self, method: &str, params: Value) {
        self.write(json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Sends a request and does not wait for its answer.
    pub fn send(&mut self, method: &str, params: Value) -> i64 {
        self.next += 1;
        let id = self.next;
        let message = match params {
            Value::Null => json!({ "jsonrpc": "2.0", "id": id, "method": method }),
            params => json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }),
        };
        self.write(message);
        id
    }

    /// The whole answer to a request: with `result` or `error`.
    pub fn answer(&mut self, id: i64) -> Value {
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(answer) = self.answers.remove(&id) {
                return answer;
            }
            assert!(self.hear(end.saturating_duration_since(Instant::now())), "no answer to request {id}");
        }
    }

    /// Asks and gives the result; a request that an edit overtook is asked again.
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        loop {
            let id = self.send(method, params.clone());
            let answer = self.answer(id);
            match answer["error"]["code"].as_i64() {
                None => return answer["result"].clone(),
                Some(-32801 | -32802) => {}
                Some(_) => panic!("{method}: {}", answer["error"]),
            }
        }
    }

    /// Takes one message in; false if none comes in time.
    fn hear(&mut self, wait: Duration) -> bool {
        let message = match self.messages.recv_timeout(wait) {
            Ok(message) => message,
            Err(RecvTimeoutError::Timeout) => return false,
            Err(RecvTimeoutError::Disconnected) => panic!("the server ended: {:?}", self.child.try_wait()),
        };
        match (message["method"].as_str(), message["id"].as_i64()) {
            (None, Some(id)) => {
                self.answers.insert(id, message);
            }
            (Some("textDocument/publishDiagnostics"), _) => {
                let params = &message["params"];
                self.published.insert(params["uri"].as_str().unwrap().to_owned(), params.clone());
            }
            (Some(_), Some(id)) => {
                self.heard.push(message);
                self.write(json!({ "jsonrpc": "2.0", "id": id, "result": null }));
            }
            _ => self.heard.push(message),
        }
        true
    }

    /// Listens until something is true.
    pub fn wait_for(&mut self, what: &str, mut done: impl FnMut(&Self) -> bool) {
        let end = Instant::now() + PATIENCE;
        while !done(self) {
            assert!(self.hear(end.saturating_duration_since(Instant::now())), "never happened: {what}");
        }
    }

    pub fn open(&mut self, path: &Path) -> String {
        let text = std::fs::read_to_string(path).unwrap();
        self.open_text(path, &text);
        text
    }

    pub fn open_text(&mut self, path: &Path, text: &str) {
        let uri = uri(path);
        self.versions.insert(uri.clone(), 1);
        self.tell("textDocument/didOpen", json!({ "textDocument": { "uri": uri, "languageId": "banneret", "version": 1, "text": text } }));
    }

    /// Replaces a whole text.
    pub fn set(&mut self, path: &Path, text: &str) {
        self.change(path, json!([{ "text": text }]));
    }

    pub fn change(&mut self, path: &Path, changes: Value) {
        let uri = uri(path);
        let version = self.versions.get_mut(&uri).unwrap();
        *version += 1;
        let document = json!({ "uri": uri, "version": *version });
        self.tell("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    }

    pub fn close(&mut self, path: &Path) {
        self.tell("textDocument/didClose", json!({ "textDocument": { "uri": uri(path) } }));
    }

    /// The diagnostics of a file, pulled.
    pub fn pull(&mut self, path: &Path) -> Vec<Value> {
        let report = self.ask("textDocument/diagnostic", json!({ "textDocument": { "uri": uri(path) } }));
        report["items"].as_array().unwrap_or_else(|| panic!("{report}")).clone()
    }

    /// Asks about a place in a document.
    pub fn at(&mut self, method: &str, path: &Path, (line, character): (u32, u32)) -> Value {
        let position = json!({ "line": line, "character": character });
        self.ask(method, json!({ "textDocument": { "uri": uri(path) }, "position": position }))
    }

    fn write(&mut self, message: Value) {
        let body = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        self.input.flush().unwrap();
    }

    /// Ends the server as the protocol wants it, and says how it ended.
    pub fn end(mut self) {
        let id = self.send("shutdown", Value::Null);
        self.answer(id);
        self.write(json!({ "jsonrpc": "2.0", "method": "exit" }));
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                assert!(status.success(), "{status}");
                return;
            }
            assert!(Instant::now() < end, "the server does not end");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub fn read(output: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim();
        if line.is_empty() {
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

/// Where a piece of text stands: line and UTF-16 column of the place `into` bytes behind its start.
pub fn place(text: &str, piece: &str, into: usize) -> (u32, u32) {
    let at = text.find(piece).unwrap_or_else(|| panic!("no {piece:?}")) + into;
    let line = text[..at].matches('\n').count();
    let start = text[..at].rfind('\n').map_or(0, |i| i + 1);
    (line as u32, text[start..at].encode_utf16().count() as u32)
}
