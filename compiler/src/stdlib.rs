//! The files of `stdlib/`, which travel inside the binary.
//!
//! This module knows names and texts only; what is in them is for the rest of the compiler. A *library* is a folder of the standard library,
//! a *rule system* is a library that declares a `ruleset`.

/// Path below `stdlib/` (with `/`) and text, sorted by path.
static FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/stdlib.rs"));

/// Every file: `("skirmish/units.banner", "…")`.
pub fn files() -> &'static [(&'static str, &'static str)] {
    FILES
}

/// One folder of the standard library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Library {
    pub name: &'static str,
    /// Sorted; the paths start with the library's name.
    files: &'static [(&'static str, &'static str)],
}

/// Every library, sorted by name. Files directly in `stdlib/` belong to none.
pub fn libraries() -> Vec<Library> {
    let mut found: Vec<Library> = FILES
        .iter()
        .filter_map(|(path, _)| path.split_once('/').map(|(name, _)| name))
        .collect::<std::collections::BTreeSet<_>>()
        .into_iter()
        .filter_map(library)
        .collect();
    found.sort_by_key(|l| l.name);
    found
}

/// The library with this name.
pub fn library(name: &str) -> Option<Library> {
    let inside = |path: &str| path.strip_prefix(name).is_some_and(|rest| rest.starts_with('/'));
    let first = FILES.iter().position(|(path, _)| inside(path))?;
    let length = FILES.iter().skip(first).take_while(|(path, _)| inside(path)).count();
    let files = FILES.get(first..first + length)?;
    let name = files.first().and_then(|(path, _)| path.split_once('/')).map(|(name, _)| name)?;
    Some(Library { name, files })
}

/// The names of the libraries that declare a `ruleset`: what a manifest may name as its `rules`.
pub fn rule_systems() -> Vec<&'static str> {
    libraries().iter().filter(|l| l.is_rule_system()).map(|l| l.name).collect()
}

impl Library {
    /// Everything in it, with paths below `stdlib/`.
    pub fn files(&self) -> &'static [(&'static str, &'static str)] {
        self.files
    }

    /// Its Banneret sources, with paths below `stdlib/`.
    pub fn sources(&self) -> impl Iterator<Item = (&'static str, &'static str)> + use<> {
        self.files.iter().copied().filter(|(path, _)| path.ends_with(".banner"))
    }

    /// A file by its path inside the library: `RULES.md`, `starter.banner.txt`.
    pub fn file(&self, path: &str) -> Option<&'static str> {
        let rest = |full: &'static str| full.strip_prefix(self.name).and_then(|r| r.strip_prefix('/'));
        self.files.iter().find(|(full, _)| rest(full) == Some(path)).map(|(_, text)| *text)
    }

    pub fn is_rule_system(&self) -> bool {
        self.sources().any(|(_, text)| !rulesets(text).is_empty())
    }

    /// The version its ruleset declares.
    pub fn version(&self) -> Option<&'static str> {
        self.sources().find_map(|(_, text)| ruleset_version(text))
    }
}

/// The names in the `ruleset NAME` lines of a text. Reads lines, not items: good enough to suggest names before anything is compiled.
pub fn rulesets(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| line.strip_prefix("ruleset ")).filter_map(|rest| rest.split_whitespace().next()).collect()
}

/// The `version: "…"` of the first ruleset in a text, read in the same simple way.
fn ruleset_version(text: &str) -> Option<&str> {
    let mut lines = text.lines().skip_while(|line| !line.starts_with("ruleset "));
    lines.next()?;
    lines
        .take_while(|line| !line.starts_with('}'))
        .find_map(|line| line.trim_start().strip_prefix("version:"))
        .and_then(|rest| rest.trim_start().strip_prefix('"'))
        .and_then(|rest| rest.split_once('"'))
        .map(|(version, _)| version)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ruleset_is_found_by_its_line() {
        let text = "// ruleset no\nruleset skirmish \"Skirmish\" {\n  version: \"1.0\"\n}\n";
        assert_eq!(rulesets(text), ["skirmish"]);
        assert_eq!(ruleset_version(text), Some("1.0"));
        assert_eq!(ruleset_version("ruleset a {\n}\nversion: \"2\"\n"), None);
    }

    #[test]
    fn the_table_is_sorted_and_every_library_is_found_again() {
        assert!(files().windows(2).all(|pair| pair[0].0 < pair[1].0));
        for each in libraries() {
            assert_eq!(library(each.name), Some(each));
            assert!(each.files().iter().all(|(path, _)| path.starts_with(each.name)));
        }
        assert_eq!(library("no such library"), None);
    }
}
