//! The words change when the rule does: rules of the shipped content and of the hard constructs are changed one at a time, and a change that
//! alters the machine code has to alter the words.
//!
//! A sample runs with all tests. All of them: `WORDS_MUTANTS=all cargo test -p banneret-tests --test words_mutation -- --nocapture`.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod project;

use std::fs;
use std::path::{Path, PathBuf};

use banneret_compiler::api::{ProjectId, Stage, Workspace};
use banneret_compiler::diagnostic::Severity;
use banneret_compiler::manifest::Manifest;
use banneret_tests::files::{below, house};
use banneret_tests::mutants::mutants;
use project::Files;

/// How many mutants of a project the bounded run looks at.
const SAMPLE: usize = 40;

/// Changes that are known to be silent, with the reason. Nothing may be added here without one.
const KNOWN: &[&str] = &[
    // A value is said where it is used, not where it is worked out.
    "flux/brasswrit/spells.banner:31: swap two lines",
];

fn files_of(folder: &Path) -> Files {
    let paths = below(folder, ".banner").into_iter();
    let wanted = paths.filter(|path| !path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("error-")));
    wanted
        .map(|path| (path.strip_prefix(folder).unwrap().to_string_lossy().replace('\\', "/"), fs::read_to_string(&path).unwrap()))
        .collect()
}

fn projects() -> Vec<PathBuf> {
    let folders = |path: &str| {
        let mut found: Vec<PathBuf> =
            fs::read_dir(house().join(path)).unwrap().flatten().map(|e| e.path()).filter(|p| p.is_dir()).collect();
        found.sort();
        found
    };
    [folders("content"), folders("tests/hard")].concat()
}

fn errors(workspace: &Workspace, project: ProjectId) -> usize {
    workspace.check(project).found.iter().filter(|found| found.diagnostic.severity == Severity::Error).count()
}

/// What the machine runs, without where it was written.
fn code(workspace: &Workspace, project: ProjectId) -> Option<String> {
    let mut pack = workspace.build(project).ok()?;
    pack.sites.clear();
    Some(format!("{pack:?}"))
}

/// The words of all cards and keywords.
fn all_words(workspace: &Workspace, project: ProjectId, files: &Files) -> Vec<(String, String)> {
    let mut out: Vec<(String, String)> = workspace.texts(project).into_iter().map(|(key, words)| (key.to_string(), words)).collect();
    for line in files.iter().flat_map(|(_, text)| text.lines()) {
        let Some(rest) = line.strip_prefix("keyword ") else { continue };
        let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        let words = workspace.show(project, &name, Stage::Text).unwrap_or_default();
        out.push((name, words));
    }
    out
}

/// Words by hand hide what would be made: they go wherever the rest can do without.
fn without_says(workspace: &mut Workspace, project: ProjectId, files: &mut Files) {
    let before = errors(workspace, project);
    for (path, text) in files.iter_mut() {
        for n in (0..text.lines().count()).rev() {
            let mut lines: Vec<&str> = text.lines().collect();
            let is_card = lines[..n]
                .iter()
                .rev()
                .find(|line| line.starts_with(char::is_alphabetic))
                .is_some_and(|line| !["action", "phase", "define"].contains(&line.split(' ').next().unwrap_or_default()));
            if !is_card || !lines[n].trim_start().starts_with("says \"") {
                continue;
            }
            lines.remove(n);
            let shorter = lines.join("\n") + "\n";
            workspace.set_text(project, path, Some(shorter.clone()));
            if errors(workspace, project) > before {
                workspace.set_text(project, path, Some(text.clone()));
            } else {
                *text = shorter;
            }
        }
    }
}

#[test]
fn other_rules_have_other_words() {
    let all = std::env::var("WORDS_MUTANTS").is_ok_and(|which| which == "all");
    let mut workspace = Workspace::new();
    let (mut silent, mut looked) = (Vec::new(), 0);
    for folder in projects() {
        let mut files = files_of(&folder);
        let project = workspace.open(Manifest::loose("mutants"), String::new(), files.clone());
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        assert_eq!(errors(&workspace, project), 0, "{name} is not right to begin with");
        without_says(&mut workspace, project, &mut files);
        let words = all_words(&workspace, project, &files);
        let original = code(&workspace, project);
        let made: Vec<(String, banneret_tests::mutants::Mutant)> = files
            .iter()
            .filter(|(path, _)| !path.rsplit('/').next().is_some_and(|name| name.starts_with("tests")))
            .flat_map(|(path, text)| mutants(text).into_iter().map(|mutant| (path.clone(), mutant)))
            .collect();
        // Spread over the whole project; what does not compile makes room for the next.
        let step = if all { 1 } else { made.len().div_ceil(SAMPLE).max(1) };
        let spread = (0..step).flat_map(|from| made.iter().skip(from).step_by(step));
        let (mut tried, before) = (0, looked);
        for (path, mutant) in spread {
            tried += 1;
            if !all && (looked - before >= SAMPLE || tried > 3 * SAMPLE) {
                break;
            }
            workspace.set_text(project, path, Some(mutant.text.clone()));
            let meant = errors(&workspace, project) == 0;
            looked += usize::from(meant);
            if meant && all_words(&workspace, project, &files) == words && code(&workspace, project) != original {
                silent.push(format!("{name}/{path}:{}: {}: `{}` -> `{}`", mutant.line, mutant.class, mutant.was, mutant.is));
            }
            let text = files.iter().find(|(has, _)| has == path).map(|(_, text)| text.clone());
            workspace.set_text(project, path, text);
        }
    }
    silent.retain(|one: &String| !KNOWN.iter().any(|known| one.starts_with(known)));
    println!("{looked} mutants, {} silent", silent.len());
    assert!(looked > 200, "only {looked} mutants could be read");
    assert!(silent.is_empty(), "{} of {looked} changes of rules leave the words as they were:\n{}", silent.len(), silent.join("\n"));
}
