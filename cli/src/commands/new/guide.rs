//! The game that the guide for rule systems builds, as `new --ruleset` gives it: taken from the guide's own text, so that there is one of it.

/// The page; a test follows it word by word.
const GUIDE: &str = include_str!("../../../../docs/guide/rule_system.md");
/// What the game and its main file are called there.
const NAME: &str = "mudlarks";
const TITLE: &str = "Mudlarks";

/// The files that are there when the guide ends, under another name.
pub fn files(name: &str, title: &str) -> Vec<(String, String)> {
    let mut files: Vec<(String, String)> = Vec::new();
    for (fence, text) in blocks(GUIDE) {
        let options: Vec<&str> = fence.split_whitespace().collect();
        let Some(file) = options.iter().find_map(|option| option.strip_prefix("file=")) else { continue };
        // what is wrong on purpose is thrown away again
        if options.contains(&"error") {
            continue;
        }
        match files.iter_mut().find(|(known, _)| known == file) {
            Some((_, before)) if options.contains(&"append") => *before = format!("{before}\n{text}"),
            Some((_, before)) => *before = text,
            None => files.push((file.to_owned(), text)),
        }
    }
    for (file, text) in &mut files {
        *file = file.replace(NAME, name);
        *text = text.replace(&format!("ruleset {NAME} \"{TITLE}\""), &format!("ruleset {name} \"{title}\""));
        *text = text.replace(&format!("# {TITLE}\n"), &format!("# {title}\n"));
    }
    files
}

/// The fences of a page with what is between them.
fn blocks(page: &str) -> Vec<(&str, String)> {
    let mut out = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(fence) = line.strip_prefix("```") {
            let text = lines.by_ref().take_while(|line| *line != "```").map(|line| format!("{line}\n")).collect();
            out.push((fence, text));
        }
    }
    out
}
