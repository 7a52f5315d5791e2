//! Whole files typed letter by letter, with an editor that shows what is offered and takes it as VS Code does by default: the first offer is selected, and
//! Enter and Tab take it. What a person types is what stands there at the end.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::client::{Client, house, uri};

/// How a client shows and takes offers.
#[derive(Clone, Copy)]
struct Manner {
    snippets: bool,
    /// A letter beside the right one is hit first, and taken back.
    mistakes: bool,
}

struct Editor {
    client: Client,
    path: PathBuf,
    text: String,
    triggers: Vec<String>,
    /// What is offered just now, the selected one first.
    offered: Vec<Value>,
    /// What was taken though nobody asked for it.
    taken: Vec<String>,
}

impl Editor {
    fn open(path: &Path, manner: Manner) -> Self {
        let item = json!({ "snippetSupport": manner.snippets, "insertReplaceSupport": true });
        let capabilities =
            json!({ "textDocument": { "completion": { "completionItem": item, "contextSupport": true }, "diagnostic": {} } });
        let mut client = Client::start(&[path.parent().unwrap()], capabilities);
        client.open_text(path, "");
        let triggers = client.capabilities["completionProvider"]["triggerCharacters"].clone();
        let triggers = serde_json::from_value(triggers).unwrap();
        Self { client, path: path.to_owned(), text: String::new(), triggers, offered: Vec::new(), taken: Vec::new() }
    }

    /// Everything is typed at the end of the text.
    fn place(&self) -> Value {
        let line = self.text.matches('\n').count();
        let start = self.text.rfind('\n').map_or(0, |i| i + 1);
        json!({ "line": line, "character": self.text[start..].encode_utf16().count() })
    }

    fn insert(&mut self, piece: &str) {
        let at = self.place();
        self.client.change(&self.path, json!([{ "range": { "start": at, "end": at }, "text": piece }]));
        self.text.push_str(piece);
    }

    fn key(&mut self, key: char) {
        if (key == '\n' || key == '\t') && !self.offered.is_empty() {
            let item = self.offered.remove(0);
            let line = self.text.lines().last().unwrap_or_default().to_owned();
            self.taken.push(format!("{line:?} became {}", item["textEdit"]["newText"]));
            self.take(&item);
            return;
        }
        let (was_open, word) = (!self.offered.is_empty(), key.is_alphanumeric() || key == '_');
        self.insert(&key.to_string());
        let old = std::mem::take(&mut self.offered);
        let kind = match key {
            _ if self.triggers.contains(&key.to_string()) => 2,
            _ if word && was_open => 3,
            _ if word => 1,
            // what is offered stays as long as it fits all that was typed since
            _ if old.iter().any(|item| self.fits(item)) => 3,
            _ => return,
        };
        self.ask(kind, key);
    }

    /// Takes the last letter back.
    fn back(&mut self) {
        let end = self.place();
        let gone = self.text.pop().unwrap();
        let was_open = !self.offered.is_empty();
        let start = self.place();
        self.client.change(&self.path, json!([{ "range": { "start": start, "end": end }, "text": "" }]));
        self.offered.clear();
        if was_open && self.text.ends_with(|c: char| c.is_alphanumeric()) {
            self.ask(3, gone);
        }
    }

    fn ask(&mut self, kind: u32, key: char) {
        let mut context = json!({ "triggerKind": kind });
        if kind == 2 {
            context["triggerCharacter"] = json!(key.to_string());
        }
        let document = json!({ "uri": uri(&self.path) });
        let list =
            self.client.ask("textDocument/completion", json!({ "textDocument": document, "position": self.place(), "context": context }));
        let items = list["items"].as_array().cloned().unwrap_or_default();
        self.offered = items.into_iter().filter(|item| self.fits(item)).collect();
    }

    /// Whether an offer has what was typed where it would stand.
    fn fits(&self, item: &Value) -> bool {
        let from = item["textEdit"]["range"]["start"]["character"].as_u64().unwrap_or_default() as usize;
        let typed: String = self.text.rsplit('\n').next().unwrap_or_default().chars().skip(from).collect();
        letters_in_order(&typed, item["filterText"].as_str().unwrap_or_default())
    }

    fn word(&self) -> String {
        let start = self
            .text
            .rfind(|c: char| !c.is_alphanumeric() && c != '_')
            .map_or(0, |i| i + self.text[i..].chars().next().unwrap().len_utf8());
        self.text[start..].to_owned()
    }

    /// An offer is written in place of the word, as it stands: that it is wrong shows at the end.
    fn take(&mut self, item: &Value) {
        self.offered.clear();
        let word = self.word();
        for _ in word.chars() {
            self.back();
        }
        self.insert(item["textEdit"]["newText"].as_str().unwrap_or_default());
    }
}

fn letters_in_order(typed: &str, label: &str) -> bool {
    let mut rest = label.chars().flat_map(char::to_lowercase);
    typed.chars().flat_map(char::to_lowercase).all(|c| rest.any(|l| l == c))
}

fn typed(path: &Path, text: &str, manner: Manner) -> (String, Vec<String>) {
    let folder = std::env::temp_dir().join(format!("banneret-typing-{}-{}-{}", std::process::id(), manner.snippets, manner.mistakes));
    std::fs::create_dir_all(&folder).unwrap();
    let mut editor = Editor::open(&folder.join(path.file_name().unwrap()), manner);
    for (i, key) in text.chars().enumerate() {
        if manner.mistakes && i % 7 == 3 && key.is_alphabetic() {
            editor.key('x');
            editor.back();
        }
        editor.key(key);
    }
    let wrong: Vec<Value> = editor.client.pull(&editor.path).into_iter().filter(|d| d["code"] != "missing-picture").collect();
    let (out, mut taken) = (editor.text.clone(), std::mem::take(&mut editor.taken));
    editor.client.end();
    std::fs::remove_dir_all(&folder).unwrap();
    if taken.is_empty() {
        taken.extend(wrong.iter().map(|d| format!("{}: {d}", path.display())));
    }
    (out, taken)
}

fn cases() -> Vec<(PathBuf, String)> {
    let folder = house().join("editors/typing/cases");
    let mut all: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).filter(|p| p.extension().is_some_and(|e| e == "banner")).collect();
    all.sort();
    all.into_iter().map(|path| (path.clone(), std::fs::read_to_string(path).unwrap())).collect()
}

fn all_as_typed(manner: Manner) {
    let mut changed = Vec::new();
    for (path, text) in cases() {
        let (out, taken) = typed(&path, &text, manner);
        if out != text || !taken.is_empty() {
            changed.push(format!("{}:\n  {}", path.display(), taken.join("\n  ")));
        }
    }
    assert!(changed.is_empty(), "{}", changed.join("\n"));
}

#[test]
fn the_cases_are_ten_cards_three_tests_and_two_rosters_at_least() {
    let count =
        |is: &dyn Fn(&str) -> bool| cases().iter().flat_map(|(_, text)| text.lines()).filter(|l| l.ends_with(['{', '}']) && is(l)).count();
    let starts =
        |words: &'static [&'static str]| move |line: &str| words.iter().any(|w| line.strip_prefix(w).is_some_and(|r| r.starts_with(' ')));
    assert!(count(&starts(&["unit", "mini", "spell", "tactic", "faction", "environment", "collection"])) >= 10);
    assert!(count(&starts(&["test"])) >= 3);
    assert!(count(&starts(&["roster"])) >= 2);
}

#[test]
fn what_is_typed_stands_there_letter_for_letter() {
    all_as_typed(Manner { snippets: true, mistakes: false });
}

#[test]
fn what_is_typed_with_slips_and_without_snippets_stands_there_too() {
    all_as_typed(Manner { snippets: false, mistakes: true });
}
