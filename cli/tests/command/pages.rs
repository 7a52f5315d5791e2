//! Every error page keeps its word: the wrong example gives its code, the right one gives no error and not the code.

use std::path::{Path, PathBuf};

use banneret_compiler::diagnostic::Code;

use crate::support::Folder;

/// The example below a heading, as files; None where the fence is not to be checked.
fn example(page: &str, heading: &str) -> Option<Vec<(String, String)>> {
    let (_, section) = page.split_once(&format!("\n## {heading}\n"))?;
    let (_, fenced) = section.split_once("```banner\n")?;
    let (text, _) = fenced.split_once("\n```")?;
    let mut files = vec![("example.banner".to_owned(), String::new())];
    for line in text.lines() {
        match line.strip_prefix("// file: ") {
            Some(name) => files.push((name.trim().to_owned(), String::new())),
            None => {
                let last = files.last_mut()?;
                last.1.push_str(line);
                last.1.push('\n');
            }
        }
    }
    files.retain(|(_, text)| !text.trim().is_empty());
    Some(files)
}

/// Code and severity of everything found.
fn found(files: &[(String, String)]) -> Vec<(String, String)> {
    let folder = files.iter().fold(Folder::new(), |folder, (name, text)| folder.file(name, text));
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    folder.json(&[]).iter().map(|o| (text(&o["code"]), text(&o["severity"]))).collect()
}

#[test]
fn examples_do_what_their_pages_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/diagnostics");
    let mut wrong = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let code = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let page = std::fs::read_to_string(&path).unwrap();
        if code == "README" || page.contains("\n```text\n") {
            continue;
        }
        let (Some(bad), Some(good)) = (example(&page, "Wrong"), example(&page, "Right")) else {
            wrong.push(format!("{code}: it has no two examples"));
            continue;
        };
        let (found, left) = (found(&bad), found(&good));
        if !found.iter().any(|(c, _)| *c == code) {
            wrong.push(format!("{code}: the wrong example gives {found:?}"));
        }
        // A small example may well hold something that nothing uses.
        if left.iter().any(|(c, severity)| *c == code || severity == "error") {
            wrong.push(format!("{code}: the right example gives {left:?}"));
        }
    }
    wrong.sort();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Codes in a Rust source: what stands in quotes right behind the call that makes a message.
fn codes_in(source: &str) -> Vec<String> {
    let makers = ["Diagnostic::error(", "Diagnostic::warning(", "SyntaxError::new("];
    let rests = makers.iter().flat_map(|maker| source.split(maker).skip(1));
    let quoted = rests.filter_map(|rest| rest.trim_start().strip_prefix('"')?.split_once('"'));
    quoted.map(|(code, _)| code.to_owned()).collect()
}

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn every_code_has_a_page() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let without: Vec<&Code> = Code::ALL.iter().filter(|code| !root.join(format!("docs/diagnostics/{code}.md")).is_file()).collect();
    assert!(without.is_empty(), "no page for {without:?}");
}

/// Where a message is made its code may be written as its name.
#[test]
fn every_name_of_a_code_is_one() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for part in ["grammar/src", "compiler/src", "cards/src", "cli/src"] {
        rust_files(&root.join(part), &mut files);
    }
    let all = files.iter().flat_map(|path| codes_in(&std::fs::read_to_string(path).unwrap()));
    let mut unknown: Vec<String> = all.filter(|code| Code::named(code).is_none()).collect();
    unknown.sort();
    unknown.dedup();
    assert!(unknown.is_empty(), "add to grammar/src/code.rs: {unknown:?}");
}
