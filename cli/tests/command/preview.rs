//! `banneret preview`: the page on loopback.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::support::Folder;

struct Page {
    child: Child,
    port: u16,
}

impl Page {
    fn open(project: &Path) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_banneret"))
            .args(["preview", "--port", "0"])
            .arg(project)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let port = line.split("127.0.0.1:").nth(1).unwrap().split('/').next().unwrap().parse().unwrap();
        Self { child, port }
    }

    fn get(&self, path: &str, host: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
    }

    fn own(&self, path: &str) -> (u16, String) {
        self.get(path, &format!("127.0.0.1:{}", self.port))
    }

    /// The first state behind a version, whenever that comes.
    fn behind(&self, version: u64) -> Value {
        loop {
            let (status, body) = self.own(&format!("/state?since={version}"));
            if status == 200 {
                return serde_json::from_str(&body).unwrap();
            }
        }
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const GOOD: &str = "use flux\n\nunit Limpet of Verge { cost: 1, points: 14, power: 0, health: 3 }\n\nunit Whelk of Verge { cost: 2, points: 20, power: 2, health: 2 }\n";

fn card<'a>(state: &'a Value, name: &str) -> &'a Value {
    state["cards"].as_array().unwrap().iter().find(|c| c["name"] == name).unwrap_or_else(|| panic!("no {name}: {state}"))
}

#[test]
fn cards_change_as_files_are_saved_and_one_bad_card_hides_no_other() {
    let folder = Folder::new().file("banneret.ron", "(name: \"pool\", version: \"0.1.0\", rules: \"flux\")\n").file("a.banner", GOOD);
    let file = folder.path().join("a.banner");
    let page = Page::open(folder.path());
    let first = page.behind(0);
    assert_eq!(first["cards"].as_array().unwrap().len(), 2, "{first}");
    let stats = card(&first, "Limpet")["stats"].as_array().unwrap();
    assert!(stats.contains(&serde_json::json!(["points", "14"])), "numbers that no face labels: {stats:?}");
    let src = card(&first, "Limpet")["sides"][0]["src"].as_str().unwrap().to_owned();
    assert!(page.own(&src).1.starts_with("<svg"));
    // another number is another picture
    std::fs::write(&file, GOOD.replace("health: 3", "health: 5")).unwrap();
    let second = page.behind(1);
    assert_ne!(card(&second, "Limpet")["sides"][0]["src"], src.as_str());
    assert_eq!(card(&second, "Whelk"), card(&first, "Whelk"));
    // what does not fit is said, and shown all the same
    let long: String = (0..40).map(|i| format!("  after deal to this where amount > {i} {{ draw {} by you }}\n", i + 1)).collect();
    std::fs::write(&file, GOOD.replace("power: 2, health: 2 }", &format!("power: 2, health: 2\n{long}}}"))).unwrap();
    let third = page.behind(second["version"].as_u64().unwrap());
    assert!(card(&third, "Whelk")["sides"][0]["over"]["lines"].as_u64().unwrap() > 0, "{third}");
    // a mistake in one card
    std::fs::write(&file, GOOD.replace("unit Whelk of Verge", "unit Whelk of Nowhere")).unwrap();
    let fourth = page.behind(third["version"].as_u64().unwrap());
    let found = fourth["findings"].as_array().unwrap();
    assert!(found.iter().any(|f| f["line"] == 5), "{fourth}");
    assert!(found.iter().all(|f| f["file"].as_str().unwrap().starts_with(char::is_alphabetic)), "below the project: {fourth}");
    card(&fourth, "Limpet");
}

#[test]
fn nobody_else_is_answered() {
    let folder = Folder::new().file("a.banner", GOOD);
    let page = Page::open(folder.path());
    assert_eq!(page.own("/").0, 200);
    assert_eq!(page.get("/state", "evil.example").0, 403);
    assert_eq!(page.own("/side/../../a.banner").0, 404);
    assert_eq!(page.own("/nothing").0, 404);
    // a page of somebody else that the same browser shows
    let own = format!("127.0.0.1:{}", page.port);
    assert_eq!(page.get("/odds", &format!("{own}\r\nSec-Fetch-Site: cross-site")).0, 403);
    assert_eq!(page.get("/state", &format!("{own}\r\nSec-Fetch-Site: same-origin")).0, 200);
    let mut stream = TcpStream::connect(("127.0.0.1", page.port)).unwrap();
    write!(stream, "POST / HTTP/1.1\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 400"), "{answer}");
}

/// Whatever is sent, the page is there for the next who asks.
#[test]
fn odd_questions_harm_nobody() {
    let folder = Folder::new().file("a.banner", GOOD);
    let page = Page::open(folder.path());
    let long = vec![b'x'; 1 << 20];
    let host = format!("Host: 127.0.0.1:{}\r\n", page.port);
    let odd: [Vec<u8>; 12] = [
        Vec::new(),
        b"\r\n\r\n".to_vec(),
        b"GET".to_vec(),
        b"GET / HTTP/1.1\r\n\r\n".to_vec(),
        vec![0xff; 5000],
        vec![0; 5000],
        [b"GET /", &long[..]].concat(),
        [&b"GET / HTTP/1.1\r\n"[..], &b"X: y\r\n".repeat(100_000)].concat(),
        format!("GET /side/%00%ff%2e%2e%2f.svg HTTP/1.1\r\n{host}\r\n").into_bytes(),
        format!("GET /state?since=-1&since=99999999999999999999 HTTP/1.1\r\n{host}\r\n").into_bytes(),
        format!("GET /odds?of=%zz&against=%f0%28&of= HTTP/1.1\r\n{host}\r\n").into_bytes(),
        format!("GET /odds?of={}&against=Nobody HTTP/1.1\r\n{host}\r\n", "%41".repeat(3000)).into_bytes(),
    ];
    for bytes in &odd {
        let mut stream = TcpStream::connect(("127.0.0.1", page.port)).unwrap();
        // it may be refused before all of it was read
        let _ = stream.write_all(bytes);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        assert!(!String::from_utf8_lossy(&answer).contains("use flux"), "no file is given away: {answer:?}");
        assert_eq!(page.own("/").0, 200);
    }
    // more who say nothing than are listened to: others are told so, and answered when they are gone
    let silent: Vec<TcpStream> = (0..80).filter_map(|_| TcpStream::connect(("127.0.0.1", page.port)).ok()).collect();
    drop(silent);
    while page.own("/").0 == 503 {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert_eq!(page.own("/").0, 200);
}
