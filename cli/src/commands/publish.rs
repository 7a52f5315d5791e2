//! `banneret publish --dry-run`: says whether a package is whole, so that others can build on it. Nothing is sent anywhere.

use std::io::Write;
use std::path::Path;

use banneret_compiler::facts::{Change, Changed, NAME_IN_SOURCES, compared};
use banneret_compiler::manifest::FILE_NAME;

use super::packages::{NO_PROTOCOL, harmless_git};
use super::{diff, test};
use crate::Outcome;
use crate::args::{Format, Publish};
use crate::commands::play::setting::one_project;
use crate::render;
use crate::report::{Report, counted};
use crate::session::{Open, Session};
use crate::sources::files;
use crate::terminal::{Out, Terminal};
use crate::trouble::Trouble;

/// What a licence may be called, with any ending.
const LICENCES: [&str; 4] = ["LICENSE", "LICENCE", "COPYING", "UNLICENSE"];

/// One thing that was looked at.
struct Found {
    is_fine: bool,
    words: String,
}

fn fine(words: impl Into<String>) -> Found {
    Found { is_fine: true, words: words.into() }
}

fn lacking(words: impl Into<String>) -> Found {
    Found { is_fine: false, words: words.into() }
}

pub fn run(args: &Publish, terminal: &Terminal, out: &mut Out) -> Result<Outcome, Trouble> {
    if !args.dry_run {
        return Err(Trouble::new("A package is published by pushing a tag of its repository; there is nothing to send it to.")
            .help("`banneret publish --dry-run` says whether it is whole."));
    }
    let session = one_project(&args.path)?;
    let mut report = Report::default();
    let Some(open) = session.open.first() else { return Err(Trouble::new("There is no project here.")) };
    session.check_one(open, &mut report);
    let Some((manifest, id)) = open.project.manifest.as_ref().zip(open.id).filter(|_| report.errors() == 0) else {
        render::print(out, &report, Format::Full, terminal)?;
        writeln!(out, "lacking  mistakes: they come first")?;
        return Ok(Outcome::Found);
    };
    if manifest.rules.is_empty() {
        return Err(
            Trouble::new("A single file is no package.").help(format!("A package has a `{FILE_NAME}`: `banneret new NAME` makes one."))
        );
    }
    let mut found = vec![fine(format!("no mistakes in {}", counted(report.cards, "card", "cards"))), licence(open)];
    let tested = test::tested(&session, open, id)?;
    found.push(match (tested.passed, tested.failed) {
        (0, 0) => lacking("no tests: write what others may rely on"),
        (passed, 0) => fine(counted(passed, "test passes", "tests pass")),
        (_, failed) => lacking(format!("{}: see `banneret test`", counted(failed, "test fails", "tests fail"))),
    });
    found.push(match tested.uncovered {
        None if open.project.files.iter().any(|file| !banneret_compiler::stdlib::rulesets(&file.text).is_empty()) => {
            lacking("no rulebook: number the rules in a file `RULES.md`")
        }
        None => fine("no rules of its own, so no rulebook"),
        Some(0) => fine("every rule of the rulebook is covered by a test"),
        Some(n) => lacking(format!("{} of the rulebook without a test: see `banneret test --coverage`", counted(n, "rule", "rules"))),
    });
    if !session.workspace.changes(id).is_empty() {
        found.push(lacking("it changes rules of others: it can be played, and nobody can build on it"));
    }
    found.push(since_last_tag(&session, &args.path, &manifest.version, out)?);
    let is_whole = found.iter().all(|one| one.is_fine);
    for one in &found {
        writeln!(out, "{}  {}", if one.is_fine { "fine   " } else { "lacking" }, one.words)?;
    }
    let name = &manifest.name;
    match is_whole {
        true => {
            writeln!(out, "{name} {} is whole. Publish it with a tag: git tag v{} && git push --tags", manifest.version, manifest.version)?
        }
        false => writeln!(out, "{name} {} is not whole yet.", manifest.version)?,
    }
    Ok(if is_whole { Outcome::Fine } else { Outcome::Found })
}

fn licence(open: &Open) -> Found {
    if let Some(licence) = open.project.manifest.as_ref().and_then(|manifest| manifest.licence.as_deref()).filter(|l| !l.trim().is_empty())
    {
        return fine(format!("licence: {licence}"));
    }
    let entries = files::list(&open.project.target.root).unwrap_or_default();
    let is_licence = |name: &str| LICENCES.iter().any(|known| name.to_uppercase().starts_with(known));
    match entries.iter().filter_map(|path| path.file_name()?.to_str()).find(|name| is_licence(name)) {
        Some(name) => fine(format!("licence: in {name}")),
        None => lacking("no licence: nobody may use it. Write `licence: \"CC-BY-4.0\"` into the manifest, or a file LICENSE"),
    }
}

/// What changed since the last tag, and whether the version says so.
fn since_last_tag(session: &Session, path: &Path, version: &str, out: &mut Out) -> Result<Found, Trouble> {
    let Some(tag) = last_tag(path) else {
        return Ok(fine(format!("no tag yet: {version} is the first version")));
    };
    let (folder, old) = diff::at_tag(path, &tag)?;
    let before = one_project(&old);
    let Ok(before) = before else {
        return Ok(fine(format!("it was not there yet at {tag}: {version} is the first version")));
    };
    let (was, is) = (diff::only(&before)?, diff::only(session)?);
    drop(folder);
    let all = compared(&was, &is);
    if all.is_empty() {
        return Ok(fine(format!("nothing changed since {tag}")));
    }
    diff::print_text(&format!("Since {tag}"), &all, false, out)?;
    writeln!(out)?;
    let wanted = wanted(&was.version, &all);
    let told = format!("{} since {tag}", counted(all.len(), "thing changed", "things changed"));
    Ok(match numbers(version) >= numbers(&wanted) {
        true => fine(format!("{told}, and version {version} says so")),
        false => lacking(format!("{told}, and version {version} does not say so: it should be {wanted} or higher")),
    })
}

fn last_tag(path: &Path) -> Option<String> {
    let folder = crate::sources::paths::absolute(path);
    let asked = harmless_git(NO_PROTOCOL).args(["describe", "--tags", "--abbrev=0"]).current_dir(folder).output().ok()?;
    asked.status.success().then(|| String::from_utf8_lossy(&asked.stdout).trim().to_owned()).filter(|tag| !tag.is_empty())
}

/// The least version that tells what changed: something is gone, something is new or rules are other than they were, or numbers and words only.
fn wanted(was: &str, all: &[Changed]) -> String {
    let [first, second, third] = numbers(was);
    let counts = || all.iter().filter(|changed| changed.group != "Tests");
    // whoever names it in a file has to name it in another way
    let is_lost =
        |change: &Change| matches!(change, Change::Gone) || matches!(change, Change::Value { what, .. } if what == NAME_IN_SOURCES);
    let is_gone = counts().any(|changed| changed.changes.iter().any(is_lost));
    let is_more = counts().any(|changed| changed.group == "Rules" || changed.changes.contains(&Change::New));
    match (is_gone, is_more, first) {
        (true, _, 1..) => format!("{}.0.0", first + 1),
        (true, _, 0) | (false, true, _) => format!("{first}.{}.0", second + 1),
        (false, false, _) => format!("{first}.{second}.{}", third + 1),
    }
}

fn numbers(version: &str) -> [u32; 3] {
    let plain = version.split('-').next().unwrap_or_default();
    let mut parts = plain.split('.').map(|part| part.parse().unwrap_or(0));
    [(); 3].map(|()| parts.next().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_say_what_changed() {
        let one = |group, change| [Changed { group, title: "X".to_owned(), changes: vec![change] }];
        let value = || Change::Value { what: "points".to_owned(), before: "1".to_owned(), after: "2".to_owned() };
        assert_eq!(wanted("1.2.3", &one("Cards", value())), "1.2.4");
        assert_eq!(wanted("1.2", &one("Cards", Change::New)), "1.3.0");
        assert_eq!(wanted("1.2.3", &one("Cards", Change::Gone)), "2.0.0");
        assert_eq!(wanted("0.2.3", &one("Rules", Change::Gone)), "0.3.0");
        assert_eq!(wanted("1.2.3", &one("Tests", Change::Gone)), "1.2.4");
        assert!(numbers("1.10") > numbers("1.9.9"));
    }
}
