//! Many requests at once, edits between them, several roots, files that change on the disk.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::client::{Client, house, place, uri};
use crate::diagnostics::{command_says_of, from_command, from_server};

fn pulls() -> Value {
    json!({ "textDocument": { "diagnostic": {} }, "general": { "positionEncodings": ["utf-16"] } })
}

/// The command counts letters, so a client that compares with it does.
fn counts_letters() -> Value {
    json!({ "textDocument": { "diagnostic": {} }, "general": { "positionEncodings": ["utf-32"] } })
}

/// A folder that goes away by itself.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("banneret-lsp-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path.canonicalize().unwrap())
    }

    pub fn file(&self, path: &str, text: &str) -> PathBuf {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    fn copy_of(name: &str, from: &Path) -> Self {
        let folder = Self::new(name);
        for path in below(from) {
            let to = folder.0.join(path.strip_prefix(from).unwrap());
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            fs::copy(&path, to).unwrap();
        }
        folder
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn below(folder: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            out.extend(below(&path));
        } else {
            out.push(path);
        }
    }
    out.sort();
    out
}

const RULES: &str = "ruleset demo \"Demo\" { version: \"1.0\" }\n\nkind Unit (units) is card {\n  points: Int 1..\n}\n";

fn manifest(name: &str) -> String {
    format!("(\n    name: \"{name}\", version: \"0.1.0\",\n    rules: \"demo\",\n)\n")
}

#[test]
fn more_slow_requests_than_run_at_once_and_edits_between() {
    let root = house().join("content");
    let mut client = Client::start(&[&root], pulls());
    let path = root.join("worlds_collide/kiln/units.banner");
    let text = client.open(&path);
    let (line, character) = place(&text, "of KilnPilgrims", 5);
    let position = json!({ "line": line, "character": character });
    let mut waiting = Vec::new();
    for round in 0..12 {
        // references and a check of everything, far more of them than the server runs at once
        for _ in 0..10 {
            let context = json!({ "includeDeclaration": true });
            waiting.push(client.send(
                "textDocument/references",
                json!({ "textDocument": { "uri": uri(&path) }, "position": position, "context": context }),
            ));
            waiting.push(client.send("workspace/diagnostic", json!({ "previousResultIds": [] })));
        }
        client.set(&path, &format!("{text}\n// {round}\n"));
    }
    assert!(waiting.len() > 200);
    let mut answered = 0;
    for id in waiting {
        let answer = client.answer(id);
        match answer["error"]["code"].as_i64() {
            None => answered += 1,
            Some(-32801 | -32802) => {}
            Some(_) => panic!("{answer}"),
        }
    }
    // and it is alive, with the last text
    client.set(&path, &text.replace("health: 16", "health: 0"));
    assert_eq!(client.pull(&path)[0]["code"], "out-of-range");
    println!("{answered} of 240 answered, the rest overtaken by edits");
    client.end();
}

#[test]
fn a_request_can_be_cancelled() {
    let root = house().join("content");
    let mut client = Client::start(&[&root], pulls());
    let ids: Vec<i64> = (0..20).map(|_| client.send("workspace/diagnostic", json!({ "previousResultIds": [] }))).collect();
    for id in &ids {
        client.tell("$/cancelRequest", json!({ "id": id }));
    }
    for id in ids {
        let answer = client.answer(id);
        assert!(answer["error"]["code"] == -32800 || answer["result"].is_object(), "{answer}");
    }
    client.end();
}

#[test]
fn several_roots_come_and_go() {
    let folder = Folder::new("roots");
    for name in ["one", "two"] {
        folder.file(&format!("{name}/banneret.ron"), &manifest(name));
        folder.file(&format!("{name}/rules.banner"), RULES);
        folder.file(&format!("{name}/cards.banner"), "unit Same { points: 0 }\n");
    }
    let (one, two) = (folder.0.join("one"), folder.0.join("two"));
    let mut client = Client::start(&[&one], pulls());
    let wrong = |client: &mut Client| {
        let report = client.ask("workspace/diagnostic", json!({ "previousResultIds": [] }));
        let items = report["items"].as_array().unwrap();
        let wrong = items.iter().filter(|i| !i["items"].as_array().unwrap().is_empty()).map(|i| i["uri"].as_str().unwrap().to_owned());
        wrong.collect::<Vec<_>>()
    };
    assert_eq!(wrong(&mut client), [uri(&one.join("cards.banner"))]);
    let as_folder = |path: &Path| json!({ "uri": uri(path), "name": "x" });
    client.tell("workspace/didChangeWorkspaceFolders", json!({ "event": { "added": [as_folder(&two)], "removed": [] } }));
    assert_eq!(wrong(&mut client), [uri(&one.join("cards.banner")), uri(&two.join("cards.banner"))]);
    client.tell("workspace/didChangeWorkspaceFolders", json!({ "event": { "added": [], "removed": [as_folder(&one)] } }));
    assert_eq!(wrong(&mut client), [uri(&two.join("cards.banner"))]);
    client.end();
}

#[test]
fn what_was_to_be_sent_is_sent_though_edits_of_another_project_come_in_between() {
    let folder = Folder::new("overtaken");
    for name in ["one", "two"] {
        folder.file(&format!("{name}/banneret.ron"), &manifest(name));
        folder.file(&format!("{name}/rules.banner"), RULES);
        folder.file(&format!("{name}/cards.banner"), "unit Same { points: 0 }\n");
    }
    let (one, two) = (folder.0.join("one/cards.banner"), folder.0.join("two/cards.banner"));
    let mut client = Client::start(&[&folder.0], json!({}));
    client.open(&one);
    for n in 1..200 {
        client.set(&one, &format!("unit Same {{ points: {n} }}\n"));
        // about when a check starts
        std::thread::sleep(std::time::Duration::from_millis(n % 40));
    }
    let key = uri(&two);
    client.wait_for("the mistake of the other project", |c| {
        c.published.get(&key).is_some_and(|p| p["diagnostics"][0]["code"] == "out-of-range")
    });
    client.end();
}

#[test]
fn what_changes_on_the_disk_is_seen() {
    let folder = Folder::new("watched");
    let manifest_file = folder.file("banneret.ron", &manifest("demo"));
    folder.file("rules.banner", RULES);
    let cards = folder.file("cards.banner", "unit A { points: 1 }\n");
    let mut client = Client::start(&[&folder.0], pulls());
    assert!(client.pull(&cards).is_empty());
    let changed = |client: &mut Client, path: &Path, kind: u32| {
        client.tell("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": uri(path), "type": kind }] }));
    };
    // a file that is not open
    fs::write(&cards, "unit A { points: 0 }\n").unwrap();
    changed(&mut client, &cards, 2);
    assert_eq!(client.pull(&cards)[0]["code"], "out-of-range");
    // one that is open is what the editor says
    client.open_text(&cards, "unit A { points: 7 }\n");
    changed(&mut client, &cards, 2);
    assert!(client.pull(&cards).is_empty());
    // a new one, and one that is gone
    let more = folder.file("more.banner", "unit A { points: 2 }\n");
    changed(&mut client, &more, 1);
    assert_eq!(client.pull(&more)[0]["code"], "duplicate-name");
    fs::remove_file(&more).unwrap();
    changed(&mut client, &more, 3);
    assert!(client.pull(&cards).is_empty());
    // the manifest
    fs::write(&manifest_file, manifest("demo").replace("rules:", "rulez:")).unwrap();
    changed(&mut client, &manifest_file, 2);
    assert_eq!(client.pull(&manifest_file)[0]["code"], "manifest-unknown-field");
    fs::write(&manifest_file, manifest("demo")).unwrap();
    changed(&mut client, &manifest_file, 2);
    assert!(client.pull(&manifest_file).is_empty() && client.pull(&cards).is_empty());
    // pictures
    fs::write(&manifest_file, manifest("demo").replace(")\n", "    art: \"art\",\n)\n")).unwrap();
    changed(&mut client, &manifest_file, 2);
    assert_eq!(client.pull(&manifest_file)[0]["code"], "manifest-missing-folder");
    let picture = folder.file("art/a.png", "");
    changed(&mut client, &picture, 1);
    assert!(client.pull(&manifest_file).is_empty());
    client.end();
}

/// A card that shows a picture.
const PICTURED: &str = "kind Unit (units) is card {\n  points: Int 1..\n  picture: Picture\n}\n\nface front of Unit {\n  size: poker\n  title \"{name}\"\n  picture picture own\n}\n";

/// A project of two cards, of which one has its picture.
fn pictured(name: &str) -> (Folder, PathBuf) {
    let folder = Folder::new(name);
    folder.file("banneret.ron", &manifest("demo"));
    folder.file("rules.banner", &RULES.replace("kind Unit (units) is card {\n  points: Int 1..\n}\n", PICTURED));
    let cards = folder.file("cards.banner", "unit A { points: 1, picture: \"a.svg\" }\nunit B { points: 1, picture: \"b.svg\" }\n");
    folder.file("a.svg", &drawing("red"));
    (folder, cards)
}

fn drawing(colour: &str) -> String {
    format!("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><rect width='9' height='9' fill='{colour}'/></svg>")
}

/// A picture is missing until something is saved: what was said before. Not every editor tells when pictures change.
pub fn picture_that_comes_before_a_save() -> Vec<Value> {
    let (folder, cards) = pictured("saved");
    let mut client = Client::start(&[&folder.0], pulls());
    client.open(&cards);
    let before = client.pull(&cards);
    folder.file("b.svg", &drawing("blue"));
    assert_eq!(client.pull(&cards), before, "nobody told");
    client.tell("textDocument/didSave", json!({ "textDocument": { "uri": uri(&cards) } }));
    assert!(client.pull(&cards).is_empty());
    client.end();
    before
}

#[test]
fn pictures_are_read_again_when_they_change() {
    let (folder, cards) = pictured("pictures");
    let red = folder.0.join("a.svg");
    let mut client = Client::start(&[&folder.0], pulls());
    let codes = |client: &mut Client| client.pull(&cards).iter().map(|d| d["code"].as_str().unwrap().to_owned()).collect::<Vec<_>>();
    let changed = |client: &mut Client, path: &Path, kind: u32| {
        client.tell("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": uri(path), "type": kind }] }));
    };
    assert_eq!(codes(&mut client), ["missing-picture"]);
    let blue = folder.file("b.svg", &drawing("red"));
    changed(&mut client, &blue, 1);
    assert_eq!(codes(&mut client), ["shared-picture"]);
    fs::write(&blue, drawing("blue")).unwrap();
    changed(&mut client, &blue, 2);
    assert!(codes(&mut client).is_empty());
    fs::write(&red, "no picture").unwrap();
    changed(&mut client, &red, 2);
    assert_eq!(codes(&mut client), ["unreadable-picture"]);
    fs::remove_file(&red).unwrap();
    changed(&mut client, &red, 3);
    assert_eq!(codes(&mut client), ["missing-picture"]);
    client.end();
}

/// Numbers that are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n.max(1)
    }
}

fn boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn position(text: &str, at: usize) -> Value {
    let line = text[..at].matches('\n').count();
    let start = text[..at].rfind('\n').map_or(0, |i| i + 1);
    json!({ "line": line, "character": text[start..at].chars().count() })
}

const PIECES: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    "(",
    "\"",
    "\n",
    "  ",
    ".",
    ": ",
    "// ",
    "é🎲",
    "unit New of KilnPilgrims {\n  points: 3\n",
    "after destroy units ",
    "deal 2 to ",
    "weapon ",
    "0",
    "grant this { move +1s }",
    "use common\n",
    "enum Training also { Mud }\n",
    "\nunit ",
    "keyword X(x) on Unit { }\n",
];

/// File, place, severity and words of everything `banneret check` finds in a folder.
fn of_command(folder: &Path) -> Vec<Value> {
    let place = |d: &Value| folder.join(d["file"].as_str().unwrap());
    let mut out: Vec<Value> = command_says_of(folder).iter().map(|d| json!([uri(&place(d)), from_command(d)])).collect();
    out.sort_by_key(Value::to_string);
    out
}

/// The same of a report of the server.
fn of_server(report: &[Value]) -> Vec<Value> {
    let of_file = |i: &Value| i[1].as_array().unwrap().iter().map(|d| json!([i[0], from_server(d)])).collect::<Vec<_>>();
    let mut out: Vec<Value> = report.iter().flat_map(of_file).collect();
    out.sort_by_key(Value::to_string);
    out
}

/// Everything the server finds: file and diagnostics.
fn report(client: &mut Client) -> Vec<Value> {
    let report = client.ask("workspace/diagnostic", json!({ "previousResultIds": [] }));
    report["items"].as_array().unwrap().iter().map(|i| json!([i["uri"], i["items"]])).collect()
}

/// Random edits with requests in flight; whenever there is a pause the diagnostics are those of a fresh check of the same texts.
#[test]
fn random_edits_leave_the_server_where_a_fresh_check_would_be() {
    let source = house().join("content/worlds_collide");
    let folder = Folder::copy_of("fuzz", &source);
    let steps: usize = std::env::var("BANNERET_LSP_FUZZ_STEPS").ok().and_then(|n| n.parse().ok()).unwrap_or(240);
    let mut numbers = Numbers(2026);
    let mut client = Client::start(&[&folder.0], counts_letters());
    let files = ["kiln/units.banner", "kiln/faction.banner", "common/words.banner", "kiln/tokens.banner"].map(|f| folder.0.join(f));
    let files: Vec<PathBuf> = files.into_iter().filter(|f| f.is_file()).collect();
    assert!(files.len() >= 3);
    let mut texts: Vec<String> = files.iter().map(|f| client.open(f)).collect();
    let originals = texts.clone();
    let mut undo: Vec<Vec<String>> = texts.iter().map(|t| vec![t.clone()]).collect();
    let mut waiting = Vec::new();
    for step in 0..steps {
        let i = numbers.below(files.len());
        let before = texts[i].clone();
        let at = boundary(&before, numbers.below(before.len() + 1));
        let end = boundary(&before, (at + numbers.below(12)).min(before.len()));
        match numbers.below(10) {
            // back to an earlier text, sent whole
            0 => {
                texts[i] = undo[i].pop().unwrap_or_else(|| originals[i].clone());
                client.set(&files[i], &texts[i]);
            }
            kind => {
                let (from, to, new) = match kind {
                    1..=3 => (at, end, String::new()),
                    4 => {
                        let start = boundary(&before, numbers.below(before.len() + 1));
                        let stop = boundary(&before, (start + numbers.below(200)).min(before.len()));
                        (at, at, before[start..stop].to_owned())
                    }
                    _ => (at, at, PIECES[numbers.below(PIECES.len())].to_owned()),
                };
                undo[i].push(before.clone());
                let range = json!({ "start": position(&before, from), "end": position(&before, to) });
                texts[i].replace_range(from..to, &new);
                client.change(&files[i], json!([{ "range": range, "text": new }]));
            }
        }
        let at = boundary(&texts[i], numbers.below(texts[i].len() + 1));
        let params = json!({ "textDocument": { "uri": uri(&files[i]) }, "position": position(&texts[i], at) });
        for method in ["completion", "hover", "signatureHelp", "documentHighlight", "definition"] {
            waiting.push(client.send(&format!("textDocument/{method}"), params.clone()));
        }
        let document = json!({ "textDocument": { "uri": uri(&files[i]) } });
        waiting.push(client.send("textDocument/semanticTokens/full", document.clone()));
        waiting.push(client.send("textDocument/documentSymbol", document));
        if step % 40 != 39 {
            continue;
        }
        // a pause: everything is answered, and the same as anew
        for id in waiting.drain(..) {
            let answer = client.answer(id);
            assert!(matches!(answer["error"]["code"].as_i64(), None | Some(-32801 | -32802)), "step {step}: {answer}");
        }
        for (file, text) in files.iter().zip(&texts) {
            fs::write(file, text).unwrap();
        }
        let mut fresh = Client::start(&[&folder.0], counts_letters());
        let (here, anew) = (report(&mut client), report(&mut fresh));
        assert_eq!(here, anew, "step {step}");
        fresh.end();
        let (server, command) = (of_server(&here), of_command(&folder.0));
        assert_eq!(server, command, "step {step}: what `banneret check` finds");
        // back to something that can be read, so that not everything stays broken
        for (i, file) in files.iter().enumerate() {
            texts[i].clone_from(&originals[i]);
            client.set(file, &texts[i]);
        }
    }
    client.end();
}

/// What is put into the texts of cards: too long, too wide, without letters to print it, other cards' pictures and none at all.
const WORDS: &[&str] = &[
    " and then again, as slowly as the river goes, with all that was ever carried down to the sea and all that was not",
    "Unpronounceableunbreakableunbelievableunbearableunreadableness",
    " \u{12000}",
    "x",
    " of",
];

/// Random edits of what cards print, which leave texts that mean something: then the check lays cards out, and says what a fresh one says.
#[test]
fn random_words_on_cards_are_laid_out_as_a_fresh_check_would() {
    let folder = Folder::copy_of("print", &house().join("content/worlds_collide"));
    let path = folder.0.join("kiln/units.banner");
    let mut client = Client::start(&[&folder.0], counts_letters());
    let original = client.open(&path);
    let (mut text, mut numbers, mut codes) = (original.clone(), Numbers(23), BTreeSet::new());
    for step in 0..24 {
        // the end of a text in quotes: a title, a picture, or what is told of a card
        let ends: Vec<usize> = text.match_indices('"').map(|(at, _)| at).skip(1).step_by(2).collect();
        let at = ends[numbers.below(ends.len())];
        let start = text[..at].rfind('"').unwrap() + 1;
        let other = ends[numbers.below(ends.len())];
        let (from, new) = match numbers.below(4) {
            // the text of another place: the same picture twice, or no picture
            0 => (start, text[text[..other].rfind('"').unwrap() + 1..other].to_owned()),
            1 => (at, WORDS[0].repeat(8)),
            _ => (at, WORDS[numbers.below(WORDS.len())].to_owned()),
        };
        let range = json!({ "start": position(&text, from), "end": position(&text, at) });
        text.replace_range(from..at, &new);
        client.change(&path, json!([{ "range": range, "text": new }]));
        if step % 4 != 3 {
            // in flight when the next edit comes
            client.send("workspace/diagnostic", json!({ "previousResultIds": [] }));
            continue;
        }
        fs::write(&path, &text).unwrap();
        let (server, command) = (of_server(&report(&mut client)), of_command(&folder.0));
        assert_eq!(server, command, "step {step}");
        codes.extend(command.iter().map(|d| d[1][0].as_str().unwrap().to_owned()));
        if step % 8 == 7 {
            text.clone_from(&original);
            client.set(&path, &text);
        }
    }
    let print = ["card-too-full", "missing-picture", "shared-picture", "unprintable-letter", "word-too-wide"];
    let seen = print.iter().filter(|code| codes.contains(**code)).count();
    assert!(seen >= 4, "{codes:?}");
    client.end();
}
