//! Changes every line of a rule system, one small change at a time, and runs its tests and those of what it refuses: what no test notices is listed.
//!
//! `cargo run --release -p banneret-tests --example mutate -- SYSTEM… [--every N] [--again FILE]`; without a system all of them. `--again` looks at
//! those alone that an earlier run, whose output is in FILE, left alive. Survivors that are known, with the reason
//! for each, stand in `tests/survivors.md`; others make it fail, and so does a system of whose mutants fewer than 95 in 100 are killed.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::fs;

use banneret_compiler::api::{ProjectId, Workspace};
use banneret_compiler::manifest::Manifest;
use banneret_runtime::loaded::Loaded;
use banneret_runtime::pack::Pack;
use banneret_runtime::testing::{TestOutcome, run_test};
use banneret_tests::files::{below, house};

/// What is written otherwise: a comparison, an owner, a sign.
const SWAPS: &[(&str, &str, &str)] = &[
    (" == ", " != ", "comparison"),
    (" != ", " == ", "comparison"),
    (" >= ", " > ", "comparison"),
    (" <= ", " < ", "comparison"),
    (" > ", " >= ", "comparison"),
    (" < ", " <= ", "comparison"),
    (" and ", " or ", "condition"),
    (" or ", " and ", "condition"),
    ("not ", "", "condition"),
    ("any ", "no ", "condition"),
    ("no ", "any ", "condition"),
    (" + ", " - ", "sign"),
    (" - ", " + ", "sign"),
    (" += ", " -= ", "sign"),
    (" -= ", " += ", "sign"),
    ("your ", "enemy ", "owner"),
    ("enemy ", "your ", "owner"),
    (" of p ", " of opponent_of(p) ", "owner"),
    (" by opponent", " by you", "owner"),
    ("first(players)", "last(players)", "owner"),
    ("last(players)", "first(players)", "owner"),
    ("hostile(", "not hostile(", "owner"),
    ("min(", "max(", "bound"),
    ("max(", "min(", "bound"),
    ("true", "false", "value"),
    ("false", "true", "value"),
];

const ALL: [&str; 5] = ["affinity", "one_card", "flux", "worlds_collide", "focal_point"];

struct Mutant {
    file: usize,
    line: usize,
    class: &'static str,
    is: String,
    text: String,
}

/// Lines that say nothing to the machine.
fn is_prose(line: &str) -> bool {
    let bare = line.trim();
    bare.is_empty() || bare.starts_with("//") || bare.starts_with("says ") || bare.starts_with('}') || bare.starts_with("version:")
}

fn mutants(files: &[(String, String)]) -> Vec<Mutant> {
    let mut out = Vec::new();
    for (file, (path, text)) in files.iter().enumerate() {
        let name = path.rsplit('/').next().unwrap_or(path);
        // faces are looked at, not played
        if name.starts_with("tests") || name.contains("faces") {
            continue;
        }
        let lines: Vec<&str> = text.lines().collect();
        for (n, line) in lines.iter().enumerate().filter(|(_, line)| !is_prose(line)) {
            let mut push = |class, is: Option<String>| {
                let changed: Vec<&str> =
                    lines.iter().enumerate().filter_map(|(i, l)| if i == n { is.as_deref() } else { Some(*l) }).collect();
                let text = changed.join("\n") + "\n";
                out.push(Mutant { file, line: n + 1, class, is: is.map(|is| is.trim().to_string()).unwrap_or_default(), text });
            };
            let count = |c: char| line.matches(c).count();
            if count('{') == count('}') && count('(') == count(')') && line.starts_with(' ') {
                push("dropped", None);
            }
            // words in quotes are for people
            let code = |at: usize| line[..at].matches('"').count().is_multiple_of(2);
            for (was, is, class) in SWAPS {
                for (at, _) in line.match_indices(was).filter(|(at, _)| code(*at)) {
                    let begins = was.starts_with(' ') || !line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
                    if begins {
                        push(class, Some(format!("{}{is}{}", &line[..at], &line[at + was.len()..])));
                    }
                }
            }
            for (at, c) in line.char_indices().filter(|(at, _)| code(*at)) {
                let alone = !line[..at].ends_with(|b: char| b.is_alphanumeric() || b == '_' || b == '.' || b == '-');
                let comment = line[..at].contains("//") || line[..at].contains(" covers ");
                if c.is_ascii_digit() && alone && !comment {
                    let end = line[at..].find(|b: char| !b.is_ascii_digit()).map_or(line.len(), |len| at + len);
                    let number: u64 = line[at..end].parse().unwrap_or(0);
                    push("number", Some(format!("{}{}{}", &line[..at], number + 1, &line[end..])));
                }
            }
        }
    }
    out
}

/// What the machine runs, without where it was written.
fn bare(mut pack: Pack) -> Pack {
    pack.sites.clear();
    pack.fragments.iter_mut().for_each(|fragment| fragment.sites.clear());
    pack
}

/// Whether some test fails. The last one that did is tried first: mutants of one line fall to one test.
fn is_killed(pack: &Loaded, last: &mut usize) -> bool {
    let tests = &pack.pack().tests;
    let order = std::iter::once(*last).filter(|i| *i < tests.len()).chain(0..tests.len());
    for i in order {
        if matches!(run_test(pack, &tests[i], banneret_odds::judge), TestOutcome::Failed(_)) {
            *last = i;
            return true;
        }
    }
    false
}

/// What is said of cards that the rules forbid, in the order of the files in `illegal/`. Nothing is said of a card that an option allows.
fn refusals(workspace: &mut Workspace, project: ProjectId, root: &str, cases: &[String]) -> Vec<Vec<String>> {
    let path = format!("{root}/illegal/case.banner");
    let mut out = Vec::new();
    for case in cases {
        workspace.set_text(project, &path, Some(case.clone()));
        let found = workspace.check(project).found;
        let mut said: Vec<String> = found.iter().map(|f| format!("{} {} {}", f.file, f.diagnostic.code, f.diagnostic.headline)).collect();
        said.sort();
        out.push(said);
    }
    workspace.set_text(project, &path, None);
    out
}

/// Survivors with a reason: those that are equal to what they were made from, and the others.
#[derive(Default)]
struct Known {
    equal: Vec<String>,
    others: Vec<String>,
}

impl Known {
    /// `- FILE: CLASS: WAS to IS`, perhaps with more about it behind `: `, below lines that say what all of them have in common.
    fn read(page: &str) -> Self {
        let (mut known, mut is_equal) = (Self::default(), false);
        for line in page.lines() {
            match line.strip_prefix("- ") {
                Some(told) => {
                    let told = told.rfind("`: ").map_or(told, |end| &told[..=end]).to_string();
                    if is_equal { known.equal.push(told) } else { known.others.push(told) }
                }
                None if !line.is_empty() => is_equal = line.starts_with("These change nothing"),
                None => {}
            }
        }
        known
    }
}

fn system(name: &str, every: usize, again: Option<&str>, known: &Known) -> bool {
    let folder = house().join("stdlib").join(name);
    let mut paths = below(&folder, ".banner");
    paths.sort();
    let root = format!("stdlib/{name}");
    let files: Vec<(String, String)> = paths
        .iter()
        .map(|path| (format!("{root}/{}", path.file_name().unwrap().to_string_lossy()), fs::read_to_string(path).unwrap()))
        .collect();
    let mut workspace = Workspace::new();
    let project: ProjectId = workspace.open(Manifest::loose(name), root.clone(), files.clone());
    let mut illegal = below(&house().join("tests/illegal").join(name), ".banner");
    illegal.sort();
    let cases: Vec<String> = illegal.iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    let refused = refusals(&mut workspace, project, &root, &cases);
    for (case, said) in illegal.iter().zip(&refused) {
        let expected = fs::read_to_string(case.with_extension("expect")).unwrap();
        // what does not fit on paper is not looked at here
        let is_allowed = expected.lines().all(|line| line.contains("[card-too-full]"));
        assert_eq!(said.is_empty(), is_allowed, "{}: {said:?}", case.display());
    }
    let whole = workspace.build(project).expect("the system itself is fine");
    let whole = bare(whole);
    let (mut compiled, mut killed, mut same, mut last) = (0, 0, 0, 0);
    let mut unknown = Vec::new();
    for mutant in mutants(&files).into_iter().step_by(every) {
        let (path, text) = &files[mutant.file];
        let was = text.lines().nth(mutant.line - 1).unwrap_or_default().trim().to_string();
        let file = path.rsplit('/').next().unwrap_or(path);
        let told = format!("{name}/{file}: {}: `{was}` to `{}`", mutant.class, mutant.is);
        if again.is_some_and(|earlier| !earlier.lines().any(|line| line.ends_with(&told))) {
            continue;
        }
        workspace.set_text(project, path, Some(mutant.text));
        if let Ok(pack) = workspace.build(project)
            && bare(pack.clone()) != whole
            && let Ok(pack) = Loaded::new(pack)
        {
            compiled += 1;
            if is_killed(&pack, &mut last) || refusals(&mut workspace, project, &root, &cases) != refused {
                killed += 1;
            } else {
                if known.equal.contains(&told) {
                    same += 1;
                } else if !known.others.contains(&told) {
                    println!("{}:{}: {told}", path, mutant.line);
                    unknown.push(told);
                }
            }
        }
        workspace.set_text(project, path, Some(text.clone()));
    }
    let other = compiled - same;
    println!(
        "{name}: {killed} of {other} mutants killed ({} %), {same} more change nothing, {} survivors without a reason",
        killed * 100 / other.max(1),
        unknown.len()
    );
    killed * 100 >= other * 95 && unknown.is_empty()
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let every = args.iter().position(|a| a == "--every").and_then(|i| args.get(i + 1)?.parse().ok()).unwrap_or(1);
    let again = args.iter().position(|a| a == "--again").and_then(|i| args.get(i + 1)).map(|path| fs::read_to_string(path).unwrap());
    let named: Vec<&str> = args.iter().map(String::as_str).filter(|a| ALL.contains(a)).collect();
    let known = Known::read(&fs::read_to_string(house().join("tests/survivors.md")).unwrap_or_default());
    let mut fine = true;
    for name in if named.is_empty() { ALL.to_vec() } else { named } {
        fine &= system(name, every, again.as_deref(), &known);
    }
    std::process::exit(i32::from(!fine));
}
