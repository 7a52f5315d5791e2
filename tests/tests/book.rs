//! The documentation as a book: every page is in its table of contents, and every link leads somewhere. So nothing but these tests is needed to know that the
//! book builds.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use banneret_tests::files::{below, house, shown, text};

/// Folders of which every page stands in the table of contents, by its name; the list can be written by the test.
const LISTED: [&str; 2] = ["decisions", "diagnostics"];

struct Link {
    words: String,
    target: String,
}

/// What a page says besides its examples: lines within fences are empty, what stands in backquotes is left out.
fn prose(page: &str) -> Vec<String> {
    let mut fenced = false;
    let line = |line: &str| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        if fenced || fence { String::new() } else { line.split('`').step_by(2).collect::<Vec<_>>().join("`") }
    };
    page.lines().map(line).collect()
}

fn links(page: &str) -> Vec<Link> {
    let mut found = Vec::new();
    for line in prose(page) {
        for (at, _) in line.match_indices("](") {
            let Some((target, _)) = line[at + 2..].split_once(')') else { continue };
            let words = line[..at].rsplit_once('[').map_or("", |(_, words)| words);
            found.push(Link { words: words.to_owned(), target: target.to_owned() });
        }
    }
    found
}

/// The end of a link to a heading: small letters, no signs, `-` for spaces.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().to_lowercase();
    kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_')).map(|c| if c == ' ' { '-' } else { c }).collect()
}

fn has_heading(page: &str, wanted: &str) -> bool {
    let mut fenced = false;
    page.lines().any(|line| {
        fenced ^= line.starts_with("```");
        !fenced && line.starts_with('#') && anchor(line.trim_start_matches('#')) == wanted
    })
}

/// A path without `..`, so that it can be compared.
fn plain(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(out.pop()),
            Component::CurDir => {}
            other => out.push(other),
        }
    }
    out
}

/// Why a link of a page leads nowhere.
fn dead(page: &Path, link: &Link) -> Option<String> {
    if link.target.contains("://") || link.target.starts_with("mailto:") {
        return None;
    }
    let (file, heading) = link.target.split_once('#').map_or((link.target.as_str(), None), |(f, h)| (f, Some(h)));
    let there = if file.is_empty() { page.to_owned() } else { plain(&page.parent().unwrap().join(file)) };
    let docs = house().join("docs");
    let complaint = if page.starts_with(&docs) && !there.starts_with(&docs) {
        "leads out of the book"
    } else if page.starts_with(&docs) && there.is_dir() {
        "leads to a folder, which a book does not have"
    } else if !there.exists() {
        "leads nowhere"
    } else if heading.is_some_and(|h| !has_heading(&text(&there), h)) {
        "leads to a heading that is not there"
    } else {
        return None;
    };
    Some(format!("{}: `{}` {complaint}", shown(page), link.target))
}

#[test]
fn links_lead_somewhere() {
    let mut pages = below(&house().join("docs"), ".md");
    pages.extend(["README.md", "CHANGELOG.md", "editors/vscode/README.md"].map(|name| house().join(name)));
    let mut count = 0;
    let mut wrong = Vec::new();
    for page in &pages {
        let links = links(&text(page));
        count += links.len();
        wrong.extend(links.iter().filter_map(|link| dead(page, link)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 250, "only {count} links were found");
}

#[test]
fn links_that_lead_nowhere_are_found() {
    let page = house().join("docs/tutorial.md");
    let dead_ones = |said: &str| links(said).iter().filter_map(|link| dead(&page, link)).count();
    assert_eq!(
        dead_ones("[a](limits.md), [b](reference/README.md), [c](README.md#install) and `[d](nowhere.md)`\n```\n[e](no.md)\n```\n"),
        0
    );
    assert_eq!(dead_ones("[a](limit.md), [b](reference), [c](README.md#instal), [d](../README.md)\n"), 4);
}

/// The lines that list the pages of a folder.
fn listing(folder: &str) -> String {
    let mut lines = String::new();
    for page in below(&house().join("docs").join(folder), ".md").iter().filter(|p| !p.ends_with("README.md")) {
        let text = text(page);
        let title = text.lines().next().unwrap_or_default().trim_start_matches('#').trim().to_owned();
        let name = page.file_name().unwrap().to_string_lossy();
        lines.push_str(&format!("  - [{title}]({folder}/{name})\n"));
    }
    lines
}

/// The contents with the pages of these folders listed anew.
fn with_listings(contents: &str) -> String {
    let mut out = String::new();
    for line in contents.split_inclusive('\n') {
        if LISTED.iter().any(|folder| line.starts_with("  - ") && line.contains(&format!("]({folder}/"))) {
            continue;
        }
        out.push_str(line);
        for folder in LISTED.iter().filter(|folder| line.contains(&format!("]({folder}/README.md)"))) {
            out.push_str(&listing(folder));
        }
    }
    out
}

#[test]
fn every_page_is_in_the_contents() {
    let path = house().join("docs/SUMMARY.md");
    let contents = text(&path);
    if std::env::var_os("BANNERET_WRITE").is_some() {
        fs::write(&path, with_listings(&contents)).unwrap();
        return;
    }
    let again = "Run: BANNERET_WRITE=1 cargo test -p banneret-tests --test book";
    assert!(contents == with_listings(&contents), "docs/SUMMARY.md does not list the pages of {LISTED:?} as they are. {again}");
    let listed: Vec<String> = links(&contents).into_iter().map(|link| link.target).collect();
    let once: BTreeSet<&String> = listed.iter().collect();
    assert_eq!(listed.len(), once.len(), "a page is listed twice");
    let docs = house().join("docs");
    for page in below(&docs, ".md").iter().filter(|p| !p.ends_with("SUMMARY.md")) {
        let name = page.strip_prefix(&docs).unwrap().to_string_lossy().replace('\\', "/");
        assert!(once.contains(&name), "docs/{name} is not in docs/SUMMARY.md");
    }
}

/// A book without its titles would look odd, and a page without one has no name in the list.
#[test]
fn every_page_has_a_title_and_every_link_has_words() {
    for page in below(&house().join("docs"), ".md") {
        let said = text(&page);
        assert!(said.starts_with("# "), "{} does not start with its title", shown(&page));
        for link in links(&said) {
            assert!(
                !link.words.trim().is_empty() || link.target.ends_with(".png"),
                "{}: a link to {} without words",
                shown(&page),
                link.target
            );
        }
    }
}
