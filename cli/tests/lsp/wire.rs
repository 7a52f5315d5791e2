//! What a client can do wrong on the wire: nothing of it ends the server but what cannot be waited for.

use std::io::{BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::read;

/// Far more than anything takes.
const PATIENCE: Duration = Duration::from_secs(120);

struct Wire {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Wire {
    fn new() -> Self {
        let mut child =
            Command::new(env!("CARGO_BIN_EXE_banneret")).arg("lsp").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        Self { child, input, output }
    }

    fn ready() -> Self {
        let mut wire = Self::new();
        wire.initialize(json!(null));
        wire
    }

    fn initialize(&mut self, process: Value) {
        self.say(&json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "processId": process, "capabilities": {} } }));
        assert!(self.answer(1)["result"]["capabilities"].is_object());
        self.say(&json!({ "jsonrpc": "2.0", "method": "initialized", "params": {} }));
    }

    fn bytes(&mut self, bytes: &[u8]) {
        // the server may have ended already
        let _ = self.input.as_mut().unwrap().write_all(bytes);
        let _ = self.input.as_mut().unwrap().flush();
    }

    fn say(&mut self, message: &Value) {
        self.framed(message.to_string().as_bytes());
    }

    fn framed(&mut self, body: &[u8]) {
        self.bytes(&[format!("Content-Length: {}\r\n\r\n", body.len()).as_bytes(), body].concat());
    }

    /// The next message that is an answer.
    fn heard(&mut self) -> Value {
        loop {
            let message = read(&mut self.output).expect("the server ended");
            if message.get("method").is_none() {
                return message;
            }
        }
    }

    fn answer(&mut self, id: i64) -> Value {
        loop {
            let message = self.heard();
            if message["id"] == id {
                return message;
            }
        }
    }

    fn is_alive(&mut self, id: i64) {
        self.say(&json!({ "jsonrpc": "2.0", "id": id, "method": "workspace/symbol", "params": { "query": "nothing" } }));
        assert!(self.answer(id).get("result").is_some());
    }

    fn code(mut self) -> i32 {
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code().expect("it was not killed");
            }
            assert!(Instant::now() < end, "the server does not end");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn messages_that_cannot_be_read_are_answered_and_the_next_one_is_read() {
    let mut wire = Wire::ready();
    let deep = [b"[".repeat(100_000), b"]".repeat(100_000)].concat();
    let bad: [&[u8]; 9] = [
        b"{",
        b"",
        b"null",
        b"[]",
        b"\xff\xfe",
        b"{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"x\"}",
        b"{\"jsonrpc\":\"1.0\"}",
        b"\"text\"",
        &deep,
    ];
    for (n, body) in bad.into_iter().enumerate() {
        wire.framed(body);
        let answer = wire.heard();
        assert!(answer["id"].is_null() && answer["error"]["code"].as_i64().is_some_and(|code| code <= -32600), "{n}: {answer}");
    }
    for head in ["nonsense\r\n\r\n", "Content-Length: many\r\n\r\n", "Content-Length: -1\r\n\r\n", "Content-Type: x\r\n\r\n"] {
        wire.bytes(head.as_bytes());
        assert_eq!(wire.heard()["error"]["code"], -32700, "{head:?}");
    }
    // what it was about is known, though not what it wants
    wire.framed(b"{\"jsonrpc\":\"2.0\",\"id\":77,\"method\":5}");
    assert_eq!(wire.heard()["id"], 77);
    wire.is_alive(9);
}

#[test]
fn documents_before_the_greeting_are_not_looked_at() {
    let mut wire = Wire::new();
    let open = json!({ "uri": "file:///nowhere/a.banner", "languageId": "banneret", "version": 1, "text": "enum Reach { near, far }\n" });
    wire.say(&json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": { "textDocument": &open } }));
    wire.say(&json!({ "jsonrpc": "2.0", "id": 5, "method": "workspace/symbol", "params": { "query": "" } }));
    assert_eq!(wire.answer(5)["error"]["code"], -32002);
    wire.initialize(json!(null));
    let asked = |id: i64| json!({ "jsonrpc": "2.0", "id": id, "method": "textDocument/documentSymbol", "params": { "textDocument": { "uri": "file:///nowhere/a.banner" } } });
    let is_empty = |answer: &Value| answer["result"].as_array().is_none_or(Vec::is_empty);
    wire.say(&asked(6));
    assert!(is_empty(&wire.answer(6)), "it was never opened");
    wire.say(&json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": { "textDocument": open } }));
    wire.say(&asked(7));
    assert!(!is_empty(&wire.answer(7)));
}

#[test]
fn a_client_that_does_not_wait_for_the_greeting_is_served() {
    // whether the text comes before the greeting is read is a matter of luck
    for _ in 0..10 {
        let mut wire = Wire::new();
        let open =
            json!({ "uri": "file:///nowhere/a.banner", "languageId": "banneret", "version": 1, "text": "enum Reach { near, far }\n" });
        wire.say(&json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "processId": null, "capabilities": {} } }));
        wire.say(&json!({ "jsonrpc": "2.0", "method": "initialized", "params": {} }));
        wire.say(&json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": { "textDocument": open } }));
        wire.answer(1);
        wire.say(&json!({ "jsonrpc": "2.0", "id": 7, "method": "textDocument/documentSymbol", "params": { "textDocument": { "uri": "file:///nowhere/a.banner" } } }));
        assert_eq!(wire.answer(7)["result"].as_array().map(Vec::len), Some(1));
    }
}

#[test]
fn how_the_server_ends_tells_whether_that_was_in_order() {
    let mut wire = Wire::ready();
    wire.say(&json!({ "jsonrpc": "2.0", "method": "exit" }));
    assert_eq!(wire.code(), 1, "without a shutdown");
    let mut wire = Wire::ready();
    wire.say(&json!({ "jsonrpc": "2.0", "id": 2, "method": "shutdown" }));
    wire.answer(2);
    wire.say(&json!({ "jsonrpc": "2.0", "method": "exit" }));
    assert_eq!(wire.code(), 0);
    let mut wire = Wire::ready();
    wire.input = None;
    assert_eq!(wire.code(), 0, "the client closed the input");
    let mut wire = Wire::ready();
    wire.bytes(b"Content-Length: 50\r\n\r\n{\"half");
    wire.input = None;
    assert_eq!(wire.code(), 1, "within a message");
}

#[test]
fn an_absurd_length_is_not_waited_for() {
    let mut wire = Wire::ready();
    wire.bytes(b"Content-Length: 9999999999999\r\n\r\n");
    assert!(wire.heard()["error"]["message"].as_str().unwrap().contains("64 MB"));
    assert_eq!(wire.code(), 1);
}

#[test]
fn thousands_of_cancellations_and_strange_notices_do_no_harm() {
    let mut wire = Wire::ready();
    for n in 0..5000 {
        wire.say(&json!({ "jsonrpc": "2.0", "method": "$/cancelRequest", "params": { "id": n } }));
        wire.say(&json!({ "jsonrpc": "2.0", "method": "$/nobody", "params": [n] }));
        wire.say(&json!({ "jsonrpc": "2.0", "id": format!("never-{n}"), "result": null }));
    }
    wire.is_alive(99_999);
}

#[test]
fn a_text_that_is_too_large_is_left_alone() {
    let mut wire = Wire::ready();
    let text = "// ".to_owned() + &"x".repeat(17 << 20);
    let open = json!({ "uri": "file:///nowhere/a.banner", "languageId": "banneret", "version": 1, "text": text });
    wire.say(&json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": { "textDocument": open } }));
    wire.is_alive(3);
}

#[cfg(target_os = "linux")]
#[test]
fn a_server_whose_client_is_gone_ends() {
    let mut client = Command::new("true").spawn().unwrap();
    client.wait().unwrap();
    let mut wire = Wire::new();
    wire.initialize(json!(client.id()));
    assert_eq!(wire.code(), 1);
}

/// Pipes never end and devices have no size: neither is opened.
#[cfg(target_os = "linux")]
#[test]
fn pipes_and_devices_in_a_project_are_not_waited_for() {
    use std::os::unix::fs::symlink;
    let root = std::env::temp_dir().join(format!("banneret-wire-{}", std::process::id()));
    let project = root.join("demo");
    std::fs::create_dir_all(&project).unwrap();
    std::fs::write(project.join("banneret.ron"), "(name: \"demo\", version: \"0.1.0\", rules: \"flux\")\n").unwrap();
    assert!(Command::new("mkfifo").arg(project.join("pipe.banner")).status().unwrap().success());
    symlink("/dev/zero", project.join("zero.banner")).unwrap();
    symlink("/dev/zero", project.join("RULES.md")).unwrap();
    symlink("/", project.join("everything")).unwrap();
    let other = root.join("other");
    std::fs::create_dir_all(&other).unwrap();
    symlink("/dev/zero", other.join("banneret.ron")).unwrap();
    let mut wire = Wire::new();
    let roots = json!([{ "uri": format!("file://{}", root.display()), "name": "all" }]);
    let params = json!({ "processId": null, "capabilities": {}, "workspaceFolders": roots });
    wire.say(&json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params }));
    wire.answer(1);
    wire.say(&json!({ "jsonrpc": "2.0", "method": "initialized", "params": {} }));
    for (n, name) in ["pipe.banner", "zero.banner", "everything/x.banner"].iter().enumerate() {
        let uri = format!("file://{}/{name}", project.display());
        let open = json!({ "uri": uri, "languageId": "banneret", "version": 1, "text": "enum Reach { near, far }\n" });
        wire.say(&json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": { "textDocument": open } }));
        wire.say(&json!({ "jsonrpc": "2.0", "method": "textDocument/didClose", "params": { "textDocument": { "uri": uri } } }));
        wire.is_alive(10 + n as i64);
    }
    std::fs::remove_dir_all(&root).unwrap();
}
