//! Layers: files of a project that change a package it builds on, for errata and rules of the house.
//!
//! `changes: (PACKAGE: "FOLDER")` in a manifest makes the files of that folder part of the package, for this project alone. A definition there
//! takes the place of the one with the same word and name; the old one is blanked out in its file, so that everything else stays at its place.
//! A change says why in its `///`, and one that changes nothing is an error.

use banneret_grammar::span::Span;
use banneret_grammar::{ChunkKind, split};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use crate::diagnostic::{Diagnostic, Located};
use crate::manifest::nearest;

/// What a folder of a project changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    /// What the project calls the package.
    pub package: String,
    pub module: SmolStr,
    /// Below the project, without slashes around it.
    pub folder: String,
}

/// One change, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub package: String,
    pub file: String,
    pub line: u32,
    /// `action soak`
    pub what: String,
    pub why: String,
    /// It takes the place of something.
    pub replaces: bool,
}

/// A definition in a text.
struct Part<'a> {
    text: &'a str,
    /// With its `///`.
    from: usize,
    start: u32,
    end: usize,
    doc: Option<&'a str>,
    name: Option<String>,
}

fn parts(text: &str) -> Vec<Part<'_>> {
    let items = split(text).into_iter().filter(|chunk| chunk.kind == ChunkKind::Item);
    let part = |chunk: banneret_grammar::Chunk| {
        let inside = chunk.text(text);
        let doc = chunk.doc.and_then(|(from, to)| text.get(from as usize..to as usize));
        let from = chunk.doc.map_or(chunk.start, |(from, _)| from) as usize;
        Part { text: inside, from, start: chunk.start, end: chunk.end as usize, doc, name: name(inside) }
    };
    items.map(part).collect()
}

/// The word and the name that make a definition the same as another; None for what acts without a name or cannot be replaced.
fn name(text: &str) -> Option<String> {
    let head = text.split(['{', '\n']).next().unwrap_or_default().trim();
    let (word, rest) = head.split_once(char::is_whitespace)?;
    let rest = rest.trim_start();
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    match word {
        "use" | "test" | "at" | "before" | "after" | "instead" | "cannot" | "grant" => None,
        "enum" if rest.contains(" also") => None,
        "limit" => rest.strip_prefix('"').and_then(|words| words.split_once('"')).map(|(words, _)| format!("limit \"{words}\"")),
        // a face is named for each kind
        "face" => Some(format!("face {rest}")),
        _ => {
            let name: String = rest.chars().take_while(|c| is_letter(*c)).collect();
            (!name.is_empty()).then(|| format!("{word} {name}"))
        }
    }
}

/// The names of the definitions in some texts.
pub fn names<'a>(texts: impl Iterator<Item = &'a str>) -> FxHashSet<String> {
    texts.flat_map(|text| parts(text).into_iter().filter_map(|part| part.name)).collect()
}

/// The text without the definitions of these names. None if it has none of them.
pub fn without(text: &str, replaced: &FxHashSet<String>) -> Option<String> {
    let gone: Vec<(usize, usize)> = parts(text)
        .iter()
        .filter(|part| part.name.as_ref().is_some_and(|name| replaced.contains(name)))
        .map(|part| (part.from, part.end))
        .collect();
    if gone.is_empty() {
        return None;
    }
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    for (from, to) in gone {
        out.push_str(text.get(at..from).unwrap_or_default());
        // as many bytes as before, so that nothing else moves
        for c in text.get(from.max(at)..to).unwrap_or_default().chars() {
            if c == '\n' { out.push(c) } else { out.extend(std::iter::repeat_n(' ', c.len_utf8())) }
        }
        at = to;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    Some(out)
}

/// For so many names that are not there another is looked for.
const MOST_SUGGESTED: usize = 100;

/// What is wrong with the changes of one layer. `before` are the texts of the package, `after` the files of the layer.
pub fn mistakes(layer: &Layer, before: &[&str], after: &[(&str, &str)]) -> Vec<Located> {
    let old: Vec<Part> = before.iter().flat_map(|text| parts(text)).collect();
    let new: Vec<(&str, Part)> = after.iter().flat_map(|(file, text)| parts(text).into_iter().map(move |part| (*file, part))).collect();
    let package = &layer.package;
    let mut by_name: FxHashMap<&str, &Part> = FxHashMap::default();
    for part in &old {
        if let Some(name) = &part.name {
            by_name.entry(name).or_insert(part);
        }
    }
    let names: Vec<&str> = old.iter().filter_map(|old| old.name.as_deref()).collect();
    // in how many definitions a word stands
    let mut uses: FxHashMap<&str, usize> = FxHashMap::default();
    for (_, part) in &new {
        let inside: FxHashSet<&str> = words(part.text).collect();
        inside.into_iter().for_each(|word| *uses.entry(word).or_default() += 1);
    }
    let (mut found, mut suggested) = (Vec::new(), 0);
    for (file, part) in &new {
        if part.text.starts_with("use ") || part.text.starts_with("test ") {
            continue;
        }
        let head = part.text.split(['{', '\n']).next().unwrap_or_default().trim_end();
        let span = Span::new(part.start, part.start + head.len() as u32);
        let mut tell = |d: Diagnostic| found.push(Located { file: (*file).to_owned(), diagnostic: d });
        if part.doc.is_none_or(|doc| reason(doc).is_empty()) {
            tell(
                Diagnostic::error("change-without-reason", span, format!("This change of `{package}` does not say why."))
                    .help("Write the reason above it, behind `///`."),
            );
        }
        let Some(name) = &part.name else { continue };
        if let Some(same) = by_name.get(name.as_str()) {
            if same.text.split_whitespace().eq(part.text.split_whitespace()) {
                tell(
                    Diagnostic::error("idle-change", span, format!("`{package}` says the same: this changes nothing."))
                        .help("Take it out, or change something in it."),
                );
            }
            continue;
        }
        let own = name.rsplit_once(' ').map_or(name.as_str(), |(_, own)| own);
        let is_here = words(part.text).any(|word| word == own);
        if uses.get(own).copied().unwrap_or_default() <= usize::from(is_here) {
            suggested += 1;
            // comparing every name with every other takes minutes
            let near = if suggested <= MOST_SUGGESTED { nearest(name, &names) } else { None };
            let help = match near {
                Some(near) => format!("Did you mean `{near}`?"),
                None => format!("What is new belongs into a file outside of `{}`; here stands what changes `{package}`.", layer.folder),
            };
            let headline = format!("`{package}` has no `{name}` that this could change, and no other change uses it.");
            tell(Diagnostic::error("idle-change", span, headline).help(help));
        }
    }
    found
}

/// What one layer changes, in the order of its files.
pub fn changes(layer: &Layer, before: &[&str], after: &[(&str, &str)]) -> Vec<Change> {
    let old = names(before.iter().copied());
    let mut out = Vec::new();
    for (file, text) in after {
        for part in parts(text).into_iter().filter(|part| !part.text.starts_with("use ") && !part.text.starts_with("test ")) {
            let what = part.name.clone().unwrap_or_else(|| part.text.split(['{', '\n']).next().unwrap_or_default().trim().to_owned());
            let line = text.get(..part.start as usize).unwrap_or_default().matches('\n').count() as u32 + 1;
            let why = part.doc.map(reason).unwrap_or_default();
            let replaces = old.contains(&what);
            out.push(Change { package: layer.package.clone(), file: (*file).to_owned(), line, what, why, replaces });
        }
    }
    out
}

/// The words of `///` lines.
fn reason(doc: &str) -> String {
    doc.lines().map(|line| line.trim().trim_start_matches('/').trim()).collect::<Vec<_>>().join(" ").trim().to_owned()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_replaced_leaves_everything_else_where_it_is() {
        let text = "/// One.\naction a(x: Int) { says \"ä\" }\n\naction b { }\n";
        let named = |name: &str| FxHashSet::from_iter([name.to_owned()]);
        let left = without(text, &named("action a"));
        assert!(
            left.is_some_and(|left| left.len() == text.len() && left.find("action b") == text.find("action b") && !left.contains("One"))
        );
        assert_eq!(without(text, &named("action c")), None);
    }

    #[test]
    fn definitions_have_names() {
        let name = |text: &str| name(text).unwrap_or_default();
        assert_eq!(name("action soak(b: Boat) with n: Int { }"), "action soak");
        assert_eq!(name("limit \"a b\" on C { }"), "limit \"a b\"");
        assert_eq!(name("face front of Boat {"), "face front of Boat");
        assert_eq!(name("boat Cockle \"The Cockle\" { }"), "boat Cockle");
        assert_eq!(name("at end of any event { }"), "");
    }
}
