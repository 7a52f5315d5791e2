//! Files with one mistake each, as designers make them: one message, at its place, with its code and the right advice.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use banneret_compiler::diagnostic::Located;
use banneret_compiler::manifest::Manifest;
use banneret_compiler::stdlib;
use banneret_tests::expectation::{Advice, Expectation, expectation};
use banneret_tests::files::{below, house, shown, text};
use banneret_tests::place::{first_changed_line, place};
use banneret_tests::workbench::{Workbench, one_line, place_of, repaired};

fn folder() -> PathBuf {
    house().join("tests/mistakes")
}

/// The areas whose mistakes are in a file alone; those of a whole project have a folder each, in `manifests`.
const AREAS: [&str; 9] = ["syntax", "names", "types", "ranges", "units", "tables", "triggers", "limits", "text"];

#[test]
fn each_mistake_gives_one_message_at_its_place() {
    let files: Vec<PathBuf> = AREAS.iter().flat_map(|area| below(&folder().join(area), ".banner")).collect();
    let half = files.len().div_ceil(2);
    let wrong: Vec<String> = std::thread::scope(|threads| {
        let parts: Vec<_> = files.chunks(half.max(1)).map(|part| threads.spawn(move || complaints(part))).collect();
        parts.into_iter().flat_map(|t| t.join().unwrap()).collect()
    });
    assert!(wrong.is_empty(), "{} of {} are not as expected\n\n{}", wrong.len(), files.len(), wrong.join("\n\n"));
}

fn complaints(files: &[PathBuf]) -> Vec<String> {
    let mut bench = Workbench::default();
    files.iter().filter_map(|path| complaint(&mut bench, path).map(|words| format!("{}: {words}", shown(path)))).collect()
}

/// What is not as the file says, if anything.
fn complaint(bench: &mut Workbench, path: &Path) -> Option<String> {
    let source = text(path);
    let Some(want) = expectation(&source) else {
        return Some("its expectation cannot be read".into());
    };
    let found = bench.check(&[("mistake.banner", &source)]).found;
    differs(&want, &found, &source).or_else(|| {
        let Some(Advice::Fix(line)) = &want.advice else {
            return None;
        };
        mends(bench, &found[0], &source, line, &mut |bench, after| bench.check(&[("mistake.banner", after)]).found)
    })
}

fn listing(found: &[Located], source: &str) -> String {
    let lines = found.iter().map(|f| {
        let d = &f.diagnostic;
        let fixes: Vec<_> =
            d.fixes.iter().map(|fix| first_changed_line(source, &repaired(source, fix)).unwrap_or("").to_string()).collect();
        format!("\n    {}\n        help: {:?} fixes: {fixes:?}", one_line(f, source), d.help)
    });
    lines.collect()
}

fn differs(want: &Expectation, found: &[Located], source: &str) -> Option<String> {
    let [only] = found else {
        return Some(format!("wanted one message, {} {}, but got {}:{}", want.place, want.code, found.len(), listing(found, source)));
    };
    if only.diagnostic.code != want.code.as_str() || place_of(only, source) != want.place {
        return Some(format!("wanted {} {}, but got{}", want.place, want.code, listing(found, source)));
    }
    match &want.advice {
        Some(Advice::Help(part)) if !only.diagnostic.help.as_ref().is_some_and(|help| help.contains(part)) => {
            Some(format!("wanted the help to say {part:?}, but got{}", listing(found, source)))
        }
        _ => None,
    }
}

type Again<'a> = &'a mut dyn FnMut(&mut Workbench, &str) -> Vec<Located>;

/// Makes the repair that leaves this line, and checks that nothing is wrong afterwards.
fn mends(bench: &mut Workbench, found: &Located, source: &str, line: &str, again: Again) -> Option<String> {
    let after =
        found.diagnostic.fixes.iter().map(|fix| repaired(source, fix)).find(|after| first_changed_line(source, after) == Some(line));
    let Some(after) = after else {
        return Some(format!("no repair gives {line:?}:{}", listing(std::slice::from_ref(found), source)));
    };
    let left = again(bench, &after);
    (!left.is_empty()).then(|| format!("after the repair there is still{}", listing(&left, &after)))
}

/// What is suggested can be written: after any repair, asked for or not, nothing is wrong that was not wrong before, and what it mends is right.
#[test]
fn every_repair_that_is_offered_mends() {
    let files: Vec<PathBuf> = AREAS.iter().flat_map(|area| below(&folder().join(area), ".banner")).collect();
    let half = files.len().div_ceil(2);
    let (made, wrong) = std::thread::scope(|threads| {
        let parts: Vec<_> = files.chunks(half.max(1)).map(|part| threads.spawn(move || repairs(part))).collect();
        let mut all = (0, Vec::new());
        for (made, wrong) in parts.into_iter().map(|t| t.join().unwrap()) {
            all.0 += made;
            all.1.extend(wrong);
        }
        all
    });
    assert!(wrong.is_empty(), "{} of {made} repairs mend nothing or break something\n\n{}", wrong.len(), wrong.join("\n\n"));
    assert!(made > 150, "only {made} repairs are offered");
}

fn repairs(files: &[PathBuf]) -> (usize, Vec<String>) {
    let (mut made, mut wrong) = (0, Vec::new());
    let mut bench = Workbench::default();
    for path in files {
        let source = text(path);
        let found = bench.check(&[("mistake.banner", &source)]).found;
        for fix in found.iter().flat_map(|f| &f.diagnostic.fixes) {
            made += 1;
            let after = repaired(&source, fix);
            let left = bench.check(&[("mistake.banner", &after)]).found;
            if !left.is_empty() {
                wrong.push(format!("{}: after \"{}\" there is{}", shown(path), fix.title, listing(&left, &after)));
            }
        }
    }
    (made, wrong)
}

#[test]
fn mistakes_of_whole_projects() {
    let mut bench = Workbench::default();
    let mut wrong = Vec::new();
    for manifest in below(&folder().join("manifests"), "banneret.ron") {
        if let Some(words) = project_complaint(&mut bench, &manifest) {
            wrong.push(format!("{}: {words}", shown(&manifest)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// What is not as one file of a project's folder says, if anything.
fn project_complaint(bench: &mut Workbench, manifest: &Path) -> Option<String> {
    let folder = manifest.parent()?;
    let written = text(manifest);
    let sources: Vec<(String, String)> = below(folder, ".banner")
        .iter()
        .map(|path| (path.strip_prefix(folder).unwrap_or(path).to_string_lossy().replace('\\', "/"), text(path)))
        .collect();
    let known: Vec<(&str, Option<&str>)> =
        stdlib::libraries().iter().filter(|l| l.is_rule_system()).map(|l| (l.name, l.version())).collect();
    let problems = match Manifest::read(&written, "banneret.ron") {
        Err(problems) => problems,
        Ok(manifest) => manifest.check_rules(&known).into_iter().collect(),
    };
    if let Some(want) = expectation(&written) {
        let shown: Vec<String> = problems
            .iter()
            .map(|p| format!("{} {} {} help: {:?}", place(&written, p.span.unwrap_or_default().start), p.code, p.headline, p.help))
            .collect();
        let right = match &problems[..] {
            [only] => {
                place(&written, only.span.unwrap_or_default().start) == want.place
                    && only.code == want.code.as_str()
                    && match &want.advice {
                        Some(Advice::Help(part)) => only.help.as_ref().is_some_and(|h| h.contains(part)),
                        Some(Advice::Fix(_)) => false,
                        None => true,
                    }
            }
            _ => false,
        };
        return (!right).then(|| format!("wanted {want:?}, but got {shown:#?}"));
    }
    if !problems.is_empty() {
        return Some(format!("the manifest is wrong: {problems:?}"));
    }
    let Some((wrong, source, want)) = sources.iter().find_map(|(path, source)| Some((path, source, expectation(source)?))) else {
        return Some("nothing in it says what is wrong".into());
    };
    let files: Vec<(&str, &str)> = sources.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let found = bench.check(&files).found;
    if let Some(elsewhere) = found.iter().find(|f| f.file != *wrong) {
        return Some(format!("a message in {}: {}", elsewhere.file, elsewhere.diagnostic.headline));
    }
    differs(&want, &found, source).or_else(|| {
        let Some(Advice::Fix(line)) = &want.advice else {
            return None;
        };
        mends(bench, &found[0], source, line, &mut |bench, after| {
            let files: Vec<(&str, &str)> =
                sources.iter().map(|(path, text)| (path.as_str(), if path == wrong { after } else { text.as_str() })).collect();
            bench.check(&files).found
        })
    })
}

#[test]
fn there_are_enough_and_most_have_advice() {
    let mut all: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let paths = below(&folder(), ".banner").into_iter().chain(below(&folder(), "banneret.ron"));
    for path in paths {
        let Some(want) = expectation(&text(&path)) else {
            continue;
        };
        let inside = path.strip_prefix(folder()).unwrap().to_string_lossy().into_owned();
        let area = inside.split(['/', '\\']).next().unwrap_or_default().to_string();
        let count = all.entry(area).or_default();
        count.0 += 1;
        count.1 += usize::from(want.advice.is_some());
    }
    let (files, advised) = all.values().fold((0, 0), |(a, b), (c, d)| (a + c, b + d));
    println!("{files} mistakes, {advised} with advice: {all:?}");
    assert!(files >= 120, "only {files} mistakes: {all:?}");
    assert!(advised * 5 >= files * 4, "only {advised} of {files} have advice: {all:?}");
    for area in AREAS.iter().chain(&["manifests"]) {
        assert!(all.contains_key(*area), "there are no mistakes of {area}");
    }
}
