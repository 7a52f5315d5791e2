//! Every example in the documentation is compiled, and its tests are run.
//!
//! In `docs/reference`, `docs/guide` and `docs/tutorial.md` a fence says what is done with its block:
//!
//! | fence | |
//! |---|---|
//! | `banner preamble` | stands before every later example of its page |
//! | `banner` | is fine, with the preamble before it; its tests pass |
//! | `banner alone` | the same, without the preamble |
//! | `banner error CODE` | gives exactly this code |
//! | `banner-error` | gives an error, the one in the `text` block below it |
//! | `banner file=NAME [append]` | a file of the page's project, which is fine after every such block |
//! | `banner file=NAME [append] error CODE` | tried and thrown away again |
//! | `banner file=NAME [append] unprintable` | only the command finds it wrong, which lays cards out: not looked at here, and neither is the `text` below it |
//! | `text` behind one that is wrong | its lines `error[code]: …` are really said |
//! | `text` that starts with `$ banneret check`, `test` or `show` | is really printed for the page's project |
//! | anything else | is not looked at |

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod project;

use std::fs;
use std::path::PathBuf;

use banneret_compiler::language::{FACE_SETTINGS, FUNCTIONS, REGIONS};
use banneret_tests::files::{below, house};
use project::{Bench, Files, Outcome};

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
            Some(block) if line == "```" => {
                let _ = block;
                out.extend(open.take());
            }
            Some(block) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
        }
    }
    assert!(open.is_none(), "a fence is not closed");
    out
}

#[derive(Default)]
struct Page {
    preamble: String,
    files: Files,
    /// What was said of the last block that is wrong on purpose.
    wrong: Option<Outcome>,
    /// The last block was one that cannot be judged here.
    passed_over: bool,
    complaints: Vec<String>,
    examples: usize,
    tests: usize,
}

impl Page {
    fn read(&mut self, bench: &mut Bench, shown: &str, block: &Block) {
        let words: Vec<&str> = block.words.iter().map(String::as_str).collect();
        let at = format!("{shown}:{}", block.line);
        let wrong = self.wrong.take();
        let passed_over = std::mem::take(&mut self.passed_over);
        match words.as_slice() {
            ["text", ..] if passed_over => {}
            ["banner", options @ ..] if options.contains(&"unprintable") => self.passed_over = true,
            ["text", ..] => {
                if let Some(outcome) = wrong {
                    self.really_said(&at, &block.text, &outcome);
                } else {
                    self.really_printed(bench, &at, &block.text);
                }
            }
            ["banner-error", ..] => {
                let outcome = bench.run(&self.example(block));
                self.examples += 1;
                if !outcome.said.iter().any(|s| s.severity == "error") {
                    self.complaints.push(format!("{at}: an error is promised, but nothing is wrong"));
                }
                self.wrong = Some(outcome);
            }
            ["banner", options @ ..] => self.banner(bench, &at, options, block),
            _ => {}
        }
    }

    fn banner(&mut self, bench: &mut Bench, at: &str, options: &[&str], block: &Block) {
        self.examples += 1;
        let file = options.iter().find_map(|o| o.strip_prefix("file="));
        let files = match file {
            Some(name) => self.with_file(name, options.contains(&"append"), &block.text),
            None if options.contains(&"preamble") => {
                self.preamble.clone_from(&block.text);
                vec![("example.banner".to_string(), block.text.clone())]
            }
            None if options.contains(&"alone") => vec![("example.banner".to_string(), block.text.clone())],
            None => self.example(block),
        };
        let outcome = bench.run(&files);
        if let Some(i) = options.iter().position(|o| *o == "error") {
            let mut wanted: Vec<String> = options[i + 1..].iter().map(|s| (*s).to_string()).collect();
            wanted.sort();
            if outcome.codes() != wanted {
                self.complaints.push(format!("{at}: promised {wanted:?}, but: {:#?}", outcome.complaints()));
            }
            self.wrong = Some(outcome);
            return;
        }
        let complaints = outcome.complaints();
        if !complaints.is_empty() {
            self.complaints.push(format!("{at}: {complaints:#?}"));
        }
        if file.is_some() {
            self.files = files;
        }
        self.tests += outcome.passed;
    }

    fn example(&self, block: &Block) -> Files {
        vec![("example.banner".to_string(), format!("{}\n{}", self.preamble, block.text))]
    }

    fn with_file(&self, name: &str, append: bool, text: &str) -> Files {
        let mut files = self.files.clone();
        match files.iter_mut().find(|(n, _)| n == name) {
            Some((_, old)) if append => *old = format!("{old}\n{text}"),
            Some((_, old)) => *old = text.to_string(),
            None => files.push((name.to_string(), text.to_string())),
        }
        files
    }

    /// What a page says that a command prints about its project is what there is.
    fn really_printed(&mut self, bench: &mut Bench, at: &str, text: &str) {
        let Some((command, shown)) = text.split_once('\n') else { return };
        let words: Vec<&str> = command.split_whitespace().collect();
        let there = match words.as_slice() {
            ["$", "banneret", "show", card, "--stage", "text"] => bench.words(&self.files, card).unwrap_or_default(),
            ["$", "banneret", "check"] => {
                let cards = bench.run(&self.files).cards;
                format!("Everything is fine: {cards} cards in {} files.", self.files.len())
            }
            ["$", "banneret", "test"] => format!("{} passed, 0 failed", bench.run(&self.files).passed),
            _ => return,
        };
        if there.trim() != shown.trim() {
            self.complaints.push(format!("{at}: `{command}` prints\n{there}"));
        }
    }

    /// The messages a page shows are those there are.
    fn really_said(&mut self, at: &str, text: &str, outcome: &Outcome) {
        for line in text.lines() {
            let Some(start) = ["error[", "warning["].iter().find_map(|s| line.find(s)) else { continue };
            let shown = line[start..].trim_end();
            let said = outcome.said.iter().any(|s| format!("{}[{}]: {}", s.severity, s.code, s.headline) == shown);
            if !said {
                let all: Vec<String> = outcome.said.iter().map(ToString::to_string).collect();
                self.complaints.push(format!("{at}: nobody says `{shown}`, but: {all:#?}"));
            }
        }
    }
}

/// Reads the pages; gives how many examples and tests there were.
fn all_fine(pages: &[PathBuf]) -> (usize, usize) {
    let mut bench = Bench::default();
    let mut complaints = Vec::new();
    let (mut examples, mut tests) = (0, 0);
    for path in pages {
        let text = fs::read_to_string(path).unwrap();
        let shown = path.strip_prefix(house()).unwrap_or(path).to_string_lossy().into_owned();
        let mut page = Page::default();
        for block in blocks(&text) {
            page.read(&mut bench, &shown, &block);
        }
        complaints.append(&mut page.complaints);
        examples += page.examples;
        tests += page.tests;
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    (examples, tests)
}

#[test]
fn examples_of_the_reference_compile() {
    let (examples, tests) = all_fine(&below(&house().join("docs/reference"), ".md"));
    assert!(examples >= 150, "only {examples} examples were found");
    assert!(tests >= 80, "only {tests} tests were found");
}

#[test]
fn examples_of_the_guides_compile() {
    let (examples, _) = all_fine(&below(&house().join("docs/guide"), ".md"));
    assert!(examples >= 15, "only {examples} examples were found");
}

/// The project that the tutorial ends with is the one it builds on its way.
#[test]
fn the_tutorial_ends_with_a_legal_tested_faction() {
    let (examples, tests) = all_fine(&[house().join("docs/tutorial.md")]);
    assert!(examples >= 15, "only {examples} examples were found");
    assert!(tests >= 6, "only {tests} tests were found");
}

/// The reference says something about every word there is.
#[test]
fn the_reference_names_every_function_and_verb() {
    let mut all = String::new();
    for path in below(&house().join("docs/reference"), ".md") {
        all.push_str(&fs::read_to_string(path).unwrap());
    }
    let prelude = fs::read_to_string(house().join("stdlib/prelude/prelude.banner")).unwrap();
    let verbs = prelude
        .lines()
        .filter_map(|l| l.strip_prefix("action "))
        .filter_map(|l| l.split(|c: char| !c.is_alphanumeric() && c != '_').next());
    let missing: Vec<&str> = verbs.filter(|v| !all.contains(&format!("`{v}"))).collect();
    assert!(missing.is_empty(), "verbs without a word in the reference: {missing:?}");
    let missing: Vec<&str> = FUNCTIONS.iter().map(|(f, _)| *f).filter(|f| !all.contains(&format!("`{f}("))).collect();
    assert!(missing.is_empty(), "functions without a word in the reference: {missing:?}");
    let regions = REGIONS.iter().map(|region| region.word).filter(|word| !all.contains(&format!("`{word}")));
    let settings = FACE_SETTINGS.iter().map(|setting| setting.word).filter(|word| !all.contains(&format!("`{word}`")));
    let missing: Vec<&str> = regions.chain(settings).collect();
    assert!(missing.is_empty(), "regions and settings of faces without a word in the reference: {missing:?}");
}

/// The card in the README is one of those that are shipped.
#[test]
fn the_card_in_the_readme_is_in_the_content() {
    let readme = fs::read_to_string(house().join("README.md")).unwrap();
    let shown: Vec<Block> = blocks(&readme).into_iter().filter(|b| b.words == ["banner"]).collect();
    assert!(!shown.is_empty(), "the README shows no card");
    let content: Vec<String> = below(&house().join("content"), ".banner").iter().map(|p| fs::read_to_string(p).unwrap()).collect();
    for block in shown {
        assert!(content.iter().any(|text| text.contains(&block.text)), "README.md:{}: no such card is in content", block.line);
    }
}
