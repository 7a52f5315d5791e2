//! Every command in the README and in the tutorial is run, in the order of the text, and prints what the text says it prints.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{Ended, Folder, copy_folder};

struct Block {
    words: Vec<String>,
    /// The line of the fence, from 1.
    line: usize,
    text: String,
}

fn blocks(page: &str) -> Vec<Block> {
    let mut out = Vec::new();
    let mut open: Option<Block> = None;
    for (i, line) in page.lines().enumerate() {
        match &mut open {
            None => {
                if let Some(info) = line.strip_prefix("```") {
                    open = Some(Block { words: info.split_whitespace().map(str::to_string).collect(), line: i + 1, text: String::new() });
                }
            }
            Some(_) if line == "```" => out.extend(open.take()),
            Some(block) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
        }
    }
    out
}

/// The words of a command line; quotes hold words together, `#` starts a comment.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for c in line.chars() {
        match (quote, c) {
            (Some(q), _) if c == q => quote = None,
            (None, '"' | '\'') => quote = Some(c),
            (None, '#') => break,
            (None, ' ') => words.push(String::new()),
            _ => words.last_mut().unwrap().push(c),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

fn house() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn page(path: &str) -> String {
    fs::read_to_string(house().join(path)).unwrap()
}

/// Someone who follows a page word by word, in a folder of their own.
struct Reader {
    folder: Folder,
    /// Where they are in it.
    at: PathBuf,
    /// Files as they were before something was written that is wrong on purpose.
    before: HashMap<PathBuf, Option<String>>,
    ran: usize,
}

impl Reader {
    fn new(folder: Folder) -> Self {
        Self { folder, at: PathBuf::new(), before: HashMap::new(), ran: 0 }
    }

    fn run(&mut self, args: &[String]) -> Ended {
        self.ran += 1;
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        self.folder.run_in(&self.at, &args)
    }

    /// Writes a file as a block asks for it.
    fn write(&mut self, options: &[&str], text: &str) {
        for (path, before) in self.before.drain() {
            match before {
                Some(text) => fs::write(path, text).unwrap(),
                None => fs::remove_file(path).unwrap(),
            }
        }
        let Some(name) = options.iter().find_map(|o| o.strip_prefix("file=")) else { return };
        let path = self.folder.path().join(&self.at).join(name);
        let before = fs::read_to_string(&path).ok();
        let text = match &before {
            Some(before) if options.contains(&"append") => format!("{before}\n{text}"),
            _ => text.to_owned(),
        };
        fs::write(&path, text).unwrap();
        if options.contains(&"error") || options.contains(&"unprintable") {
            self.before.insert(path, before);
        }
    }

    /// Runs the commands behind `$` in a block, and compares what they print with the lines below each.
    fn commands(&mut self, place: &str, text: &str) {
        for piece in text.split("$ ").skip(1) {
            let (line, shown) = piece.split_once('\n').unwrap_or((piece, ""));
            let words = words(line);
            match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
                ["cd", to] => self.at.push(to),
                ["banneret", ..] => {
                    let ended = self.run(&words[1..]);
                    let wrong = shown.contains("error[");
                    assert_eq!(ended.code, i32::from(wrong), "{place}: `{line}`: {ended:#?}");
                    printed(place, line, shown, &ended);
                }
                _ => panic!("{place}: nobody knows how to run `{line}`"),
            }
        }
    }
}

/// Every line that is shown is printed, in this order; a page may leave lines out, and end one with `…`.
fn printed(place: &str, command: &str, shown: &str, ended: &Ended) {
    let all = format!("{}{}", ended.out, ended.err);
    let mut lines = all.lines().map(str::trim);
    for wanted in shown.lines().map(str::trim).filter(|l| !l.is_empty() && *l != "…") {
        let start = wanted.strip_suffix('…').map(str::trim_end);
        let is = |line: &str| line == wanted || start.is_some_and(|start| line.starts_with(start));
        assert!(lines.any(is), "{place}: `{command}` does not print `{wanted}` there, but:\n{all}");
    }
}

/// A page from its first line to its last, in an empty folder.
fn followed(name: &str) -> Reader {
    let mut reader = Reader::new(Folder::new());
    for block in blocks(&page(name)) {
        let place = format!("{name}:{}", block.line);
        let words: Vec<&str> = block.words.iter().map(String::as_str).collect();
        match words.as_slice() {
            ["banner" | "markdown", options @ ..] => reader.write(options, &block.text),
            ["text"] => reader.commands(&place, &block.text),
            _ => panic!("{place}: nobody knows what to do with this block"),
        }
    }
    assert!(reader.ran >= 8, "only {} commands were found", reader.ran);
    reader
}

#[test]
fn the_tutorial_can_be_followed_from_an_empty_folder() {
    followed("docs/tutorial.md");
}

/// And `new --ruleset` gives what it ends with.
#[test]
fn the_guide_for_rule_systems_can_be_followed_from_an_empty_folder() {
    let reader = followed("docs/guide/rule_system.md");
    let given = Folder::new();
    given.run(&["new", "mudlarks", "--ruleset"]).is(0);
    for entry in fs::read_dir(given.path().join("mudlarks")).unwrap() {
        let name = entry.unwrap().file_name();
        let written = fs::read_to_string(reader.folder.path().join("mudlarks").join(&name)).unwrap();
        assert_eq!(given.read(&format!("mudlarks/{}", name.display())), written, "{}", name.display());
    }
}

#[test]
fn the_commands_of_the_readme_work() {
    let folder = Folder::new();
    copy_folder(&house().join("content"), &folder.path().join("content"));
    let mut reader = Reader::new(folder);
    let (mut main_job, mut tests) = (0, 0);
    for block in blocks(&page("README.md")).iter().filter(|b| b.words == ["sh"]) {
        for line in block.text.lines() {
            let words = words(line);
            match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
                [] => {}
                ["cargo", "run", "--release", "--", ..] => {
                    main_job += 1;
                    reader.run(&words[4..]).is(0);
                }
                ["banneret", ..] => {
                    reader.run(&words[1..]).is(0);
                }
                // This is how this test was started.
                ["cargo", "test", "--workspace"] => tests += 1,
                ["cargo", "install", "--locked", "--path", path] => {
                    let manifest = page(&format!("{path}/Cargo.toml"));
                    assert!(manifest.contains("name = \"banneret\"\n"), "{path} does not hold the command");
                }
                _ => panic!("README.md:{}: nobody knows how to run `{line}`", block.line),
            }
        }
    }
    assert_eq!((main_job, tests), (1, 1), "one command for the main job, one for the tests");
    assert!(reader.ran >= 3, "only {} commands were found", reader.ran);
}
