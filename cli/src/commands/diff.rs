//! `banneret diff`: what changed between two versions of a project, for those who play it.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};

use banneret_compiler::diagnostic::Severity;
use banneret_compiler::facts::{Change, Changed, Facts, compared, title};
use banneret_lsp::ide::Ide;
use banneret_lsp::ide::odds::{candidates, odds};
use serde_json::json;
use similar::{ChangeTag, TextDiff};

use super::packages::{CLONE, NO_PROTOCOL, clone, harmless_git};
use crate::Outcome;
use crate::args::{Diff, Format};
use crate::render;
use crate::session::Session;
use crate::sources::find;
use crate::sources::paths::{absolute, shown};
use crate::terminal::{Out, Terminal};
use crate::trouble::Trouble;

/// How many states the odds of one thing may need.
const STATES: usize = 200_000;

pub fn run(args: &Diff, terminal: &Terminal, out: &mut Out) -> Result<Outcome, Trouble> {
    // dropped last: the folder of the clone goes with it
    let mut fetched = None;
    let (old, new) = match (&args.since, &args.new) {
        (Some(tag), _) => {
            let (folder, old) = at_tag(&args.old, tag)?;
            fetched = Some(folder);
            (old, args.old.clone())
        }
        (None, Some(new)) => (args.old.clone(), new.clone()),
        (None, None) => return Err(Trouble::new("It is not said what to compare with.").help("Name a second project, or --since TAG.")),
    };
    let (before, after) = (Session::new(&find(&[old])?)?, Session::new(&find(&[new])?)?);
    for session in [&before, &after] {
        let mut report = session.check();
        report.findings.retain(|f| f.severity == Severity::Error);
        if !report.findings.is_empty() {
            // what is wrong has no meaning that could be compared
            render::findings(out, &report, Format::Full, terminal)?;
            return Ok(Outcome::Found);
        }
    }
    let told = compared(&only(&before)?, &only(&after)?);
    let odds = if args.no_odds { Vec::new() } else { odds_changed(&before, &after, &told) };
    let all = with_odds(told, odds);
    drop(fetched);
    let (was, is) = (only(&before)?, only(&after)?);
    let heading = format!("{} {} \u{2192} {}", is.name, was.version, is.version);
    if args.json {
        print_json(&all, out)?;
    } else if all.is_empty() {
        writeln!(out, "{heading}: nothing changed.")?;
    } else {
        print_text(&heading, &all, args.markdown, out)?;
    }
    Ok(if all.is_empty() { Outcome::Fine } else { Outcome::Found })
}

/// The one project of a session.
pub fn only(session: &Session) -> Result<Facts, Trouble> {
    match session.open.as_slice() {
        [open] => open.id.map(|id| session.workspace.facts(id)),
        _ => None,
    }
    .ok_or_else(|| Trouble::new("One project can be compared with one other.").help("Name the folder of a single project."))
}

/// A project as its repository has it at a tag.
pub fn at_tag(project: &Path, tag: &str) -> Result<(tempfile::TempDir, PathBuf), Trouble> {
    let folder = absolute(project);
    let asked = harmless_git(NO_PROTOCOL).args(["rev-parse", "--show-toplevel"]).current_dir(&folder).output();
    let top = asked.ok().filter(|done| done.status.success()).map(|done| String::from_utf8_lossy(&done.stdout).trim().to_owned());
    let Some(top) = top else {
        return Err(Trouble::new(format!("`{}` is not in a repository of git.", shown(&folder))).help("Name an older copy of it instead."));
    };
    let below = folder.strip_prefix(&top).map(Path::to_owned).unwrap_or_default();
    let (fetched, _) = clone(&format!("file://{top}"), tag, &shown(&folder))?;
    let old = fetched.path().join(CLONE).join(below);
    Ok((fetched, old))
}

fn lines_changed(was: &[String], is: &[String]) -> Vec<String> {
    let (was, is) = (was.join("\n"), is.join("\n"));
    let diff = TextDiff::from_lines(&was, &is);
    let changed = diff.iter_all_changes().filter_map(|change| match change.tag() {
        ChangeTag::Delete => Some(format!("- {}", change.value().trim_end())),
        ChangeTag::Insert => Some(format!("+ {}", change.value().trim_end())),
        ChangeTag::Equal => None,
    });
    changed.collect()
}

/// The odds that are other than they were: of cards that changed, or of all if rules did. By the title of the card or part.
fn odds_changed(before: &Session, after: &Session, told: &[Changed]) -> Vec<(String, Change)> {
    let (Ok(was), Ok(is)) = (only(before), only(after)) else { return Vec::new() };
    let rules_changed = told.iter().any(|changed| changed.group == "Rules") || was.rules.is_empty() != is.rules.is_empty();
    let touched: BTreeSet<&str> = told.iter().filter(|changed| changed.group == "Cards").map(|changed| changed.title.as_str()).collect();
    let measure = |session: &Session, wanted: &dyn Fn(&str) -> bool| -> BTreeMap<String, String> {
        let Some(id) = session.open.first().and_then(|open| open.id) else { return BTreeMap::new() };
        let ide = Ide { db: session.workspace.db(), universe: session.workspace.universe(id) };
        let all = candidates(ide).into_iter().filter(|(name, _)| wanted(name));
        let found = all.filter_map(|(name, key)| match odds(ide, &key, None, STATES) {
            Some(Ok(odds)) => Some((name, odds.sentence())),
            _ => None,
        });
        found.collect()
    };
    let wanted = |name: &str| {
        let card = name.split('.').next().unwrap_or(name);
        rules_changed
            || touched
                .iter()
                .any(|changed| *changed == title(card, &was, &is) || changed.starts_with(&format!("{}, ", title(card, &was, &is))))
    };
    let (old, new) = (measure(before, &wanted), measure(after, &wanted));
    let differ = new.iter().filter_map(|(name, now)| old.get(name).filter(|then| *then != now).map(|then| (name, then, now)));
    differ.map(|(name, then, now)| (title(name, &was, &is), Change::Odds { before: then.clone(), after: now.clone() })).collect()
}

fn with_odds(mut told: Vec<Changed>, odds: Vec<(String, Change)>) -> Vec<Changed> {
    for (title, change) in odds {
        match told.iter_mut().find(|changed| changed.group == "Cards" && changed.title == title) {
            Some(changed) => changed.changes.push(change),
            None => told.push(Changed { group: "Cards", title, changes: vec![change] }),
        }
    }
    let rank = |group: &str| ["Cards", "Rules", "Tests"].iter().position(|known| *known == group);
    told.sort_by(|a, b| (rank(a.group), &a.title).cmp(&(rank(b.group), &b.title)));
    told
}

pub fn print_text(heading: &str, all: &[Changed], markdown: bool, out: &mut Out) -> Result<(), Trouble> {
    match markdown {
        true => writeln!(out, "# {heading}")?,
        false => writeln!(out, "{heading}")?,
    }
    let mut group = "";
    for changed in all {
        if changed.group != group {
            group = changed.group;
            match markdown {
                true => writeln!(out, "\n## {group}\n")?,
                false => writeln!(out, "\n{group}")?,
            }
        }
        let (start, bold) = if markdown { ("* ", "**") } else { ("  ", "") };
        let short: Vec<String> = changed.changes.iter().filter_map(in_short).collect();
        writeln!(out, "{start}{bold}{}{bold}: {}", changed.title, if short.is_empty() { "changed".to_owned() } else { short.join("; ") })?;
        for line in changed.changes.iter().flat_map(|change| at_length(change, markdown)) {
            writeln!(out, "    {line}")?;
        }
    }
    Ok(())
}

/// What fits behind the name.
fn in_short(change: &Change) -> Option<String> {
    let or_none = |value: &str| if value.is_empty() { "none".to_owned() } else { value.to_owned() };
    Some(match change {
        Change::New => "new".to_owned(),
        Change::Gone => "gone".to_owned(),
        Change::Value { what, before, after } if !is_long(what) => format!("{what} {} \u{2192} {}", or_none(before), or_none(after)),
        Change::Rewritten { .. } => "rewritten".to_owned(),
        Change::Value { .. } | Change::Odds { .. } => return None,
    })
}

fn is_long(what: &str) -> bool {
    matches!(what, "rules" | "flavour")
}

/// What stands below it.
fn at_length(change: &Change, markdown: bool) -> Vec<String> {
    let or_none = |value: &str| if value.is_empty() { "(none)".to_owned() } else { value.replace('\n', " ") };
    match change {
        Change::Value { what, before, after } if is_long(what) => {
            vec![format!("{what} were: {}", or_none(before)), format!("{what} are:  {}", or_none(after))]
        }
        Change::Odds { before, after } => vec![format!("odds were: {before}"), format!("odds are:  {after}")],
        Change::Rewritten { before, after } => {
            let lines = lines_changed(before, after).into_iter();
            lines.map(|line| if markdown { format!("`{line}`") } else { line }).collect()
        }
        Change::New | Change::Gone | Change::Value { .. } => Vec::new(),
    }
}

fn print_json(all: &[Changed], out: &mut Out) -> Result<(), Trouble> {
    for changed in all {
        for change in &changed.changes {
            let (group, title) = (changed.group.to_lowercase(), &changed.title);
            let line = match change {
                Change::New => json!({ "group": group, "of": title, "change": "new" }),
                Change::Gone => json!({ "group": group, "of": title, "change": "gone" }),
                Change::Value { what, before, after } => {
                    json!({ "group": group, "of": title, "change": "value", "what": what, "before": before, "after": after })
                }
                Change::Odds { before, after } => {
                    json!({ "group": group, "of": title, "change": "odds", "before": before, "after": after })
                }
                Change::Rewritten { before, after } => {
                    json!({ "group": group, "of": title, "change": "rewritten", "lines": lines_changed(before, after) })
                }
            };
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}
