//! What a rule system refuses: each file of `illegal/SYSTEM/` gives exactly the messages written in the `.expect` file beside it, and these name the
//! numbered rules of the rulebook `stdlib/SYSTEM/RULES.md`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use banneret_tests::files::{below, house, shown, text};
use banneret_tests::workbench::{Workbench, one_line};

/// Messages about something the rulebook has no place for at all: no field, part or keyword that could name a rule.
const NAMELESS: &[&str] = &["unknown-field", "wrong-part", "wrong-keyword", "missing-number"];

fn files() -> Vec<PathBuf> {
    below(&house().join("tests/illegal"), ".banner")
}

fn expected(path: &Path) -> Vec<String> {
    text(&path.with_extension("expect")).lines().map(|l| l.trim_end().to_string()).filter(|l| !l.is_empty()).collect()
}

#[test]
fn illegal_cards_are_refused_in_the_words_of_their_rules() {
    let files = files();
    let half = files.len().div_ceil(2).max(1);
    let wrong: Vec<String> = std::thread::scope(|threads| {
        let parts: Vec<_> = files.chunks(half).map(|part| threads.spawn(|| complaints(part))).collect();
        parts.into_iter().flat_map(|t| t.join().unwrap()).collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

fn complaints(files: &[PathBuf]) -> Vec<String> {
    let mut bench = Workbench::default();
    files.iter().filter_map(|path| complaint(&mut bench, path)).collect()
}

/// With `BANNERET_WRITE` set, the files are written anew: read what changed before you keep it.
fn complaint(bench: &mut Workbench, path: &Path) -> Option<String> {
    let source = text(path);
    let found = bench.check_and_lay_out(&[("illegal.banner", &source)]);
    let got: Vec<String> = found.iter().map(|f| one_line(f, &source)).collect();
    let expect = path.with_extension("expect");
    if std::env::var_os("BANNERET_WRITE").is_some() {
        let lines: String = got.iter().map(|line| format!("{line}\n")).collect();
        std::fs::write(&expect, lines).unwrap();
    }
    if !expect.is_file() {
        return Some(format!("{} has no .expect file", shown(path)));
    }
    let want = expected(path);
    (got != want).then(|| format!("{}\n  wanted\n    {}\n  but got\n    {}", shown(path), want.join("\n    "), got.join("\n    ")))
}

/// The rule that a file is named after is in its messages.
#[test]
fn messages_name_the_rule_that_is_broken() {
    let mut silent = Vec::new();
    for path in files() {
        let messages = expected(&path);
        let id = path.file_name().map(|n| n.to_string_lossy().split('-').take(2).collect::<Vec<_>>().join("-")).unwrap_or_default();
        let names = |line: &String| ids(line).contains(&id) || NAMELESS.iter().any(|code| line.contains(&format!("[{code}]")));
        // A file without messages shows that an option allows what is refused elsewhere.
        if !messages.is_empty() && !messages.iter().any(names) {
            silent.push(format!("{}\n  {}", shown(&path), messages.join("\n  ")));
        }
    }
    assert!(silent.is_empty(), "{}", silent.join("\n"));
}

/// Every `[limit]` of every rulebook is broken by a file, or it is a limit on what players do, which no file can break: those are listed in
/// `illegal/limits-of-play.md`, and a test of the rule system has to cover them.
#[test]
fn every_limit_of_every_rulebook_is_broken_once() {
    let house = house();
    let told: BTreeSet<String> = files().iter().flat_map(|path| expected(path)).flat_map(|line| ids(&line)).collect();
    let of_play: BTreeSet<String> = rules_of(&text(&house.join("tests/illegal/limits-of-play.md"))).map(|(id, _)| id).collect();
    let mut limits = BTreeSet::new();
    let mut wrong = Vec::new();
    for book in below(&house.join("stdlib"), "RULES.md") {
        let folder = book.parent().unwrap_or(&book);
        let tests: String = below(folder, ".banner").iter().map(|path| text(path)).collect();
        let tested: BTreeSet<String> = tests.lines().filter(|l| l.starts_with("test ")).flat_map(covered).collect();
        for (id, words) in rules_of(&text(&book)).filter(|(_, words)| words.starts_with("[limit]")) {
            match (told.contains(&id), of_play.contains(&id)) {
                (true, true) => wrong.push(format!("{id} is a limit of play, yet a file breaks it")),
                (false, false) => wrong.push(format!("no file of tests/illegal breaks {id} {words}")),
                (false, true) if !tested.contains(&id) => wrong.push(format!("no test covers {id} {words}")),
                _ => {}
            }
            limits.insert(id);
        }
    }
    assert!(limits.len() > 30, "only {} limits were found", limits.len());
    wrong.extend(of_play.difference(&limits).map(|id| format!("{id} is no limit of a rulebook")));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The lines `- AB-001 …` of a rulebook: number and words.
fn rules_of(book: &str) -> impl Iterator<Item = (String, &str)> {
    book.lines()
        .filter_map(|line| line.strip_prefix("- ")?.split_once(' '))
        .filter(|(id, _)| is_id(id))
        .map(|(id, words)| (id.to_string(), words))
}

/// The rules a message ends with: `… (AB-001, AB-R02)`.
fn ids(message: &str) -> Vec<String> {
    let last = message.strip_suffix(')').and_then(|m| m.rsplit_once(" (")).map_or("", |(_, ids)| ids);
    last.split(", ").filter(|id| is_id(id)).map(str::to_string).collect()
}

/// The rules behind `covers` in the first line of a test.
fn covered(line: &str) -> Vec<String> {
    let after = line.split_once("\" covers ").map_or("", |(_, after)| after);
    after.split([' ', ',', '{']).take_while(|word| is_id(word) || word.is_empty()).filter(|w| is_id(w)).map(str::to_string).collect()
}

fn is_id(word: &str) -> bool {
    let Some((book, number)) = word.split_once('-') else { return false };
    let number = number.strip_prefix('R').unwrap_or(number);
    let digits = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    !book.is_empty() && book.bytes().all(|b| b.is_ascii_uppercase()) && digits
}
