//! How the check grows with everything that a person can write much of: each shape with 1,000 and with 4,000 of it, each in a process of its own,
//! so that memory can be told apart.

use std::fmt::Write;
use std::process::Command;
use std::time::Duration;

use banneret_compiler::api::Workspace;
use banneret_compiler::manifest::Manifest;

use crate::checking::peak_memory;
use crate::table::Table;

/// Says which shape a process is for: its name and how many of it.
const ASKED: &str = "BANNERET_GROWTH";
const SIZES: [usize; 2] = [1_000, 4_000];
/// So much may four times as many cost.
const BOUND: f64 = 5.0;

type Files = Vec<(String, String)>;

/// A project of a size.
type Shape = fn(usize) -> Files;

/// What is written much of, and how it is written.
const SHAPES: &[(&str, Shape)] = &[
    ("cards", |n| one_file(n, "", |i| format!("unit A{i} {{ health: {} }}\n", i + 1))),
    ("files", |n| {
        (0..n).map(|i| (format!("f{i}.banner"), format!("{}unit A{i} {{ health: 1 }}\n", if i == 0 { UNIT } else { "" }))).collect()
    }),
    ("folders in folders", folders),
    ("kinds that extend the last", |n| one_file(n, "", |i| format!("kind K{i} is {} {{ f{i}: Int = 0 }}\n", before("K", i, "Unit")))),
    ("kinds beside each other", |n| one_file(n, "", |i| format!("kind K{i} is Unit {{ f{i}: Int = 0 }}\n"))),
    ("cards from the last", |n| one_file(n, "", |i| format!("unit A{i}{} {{ health: {} }}\n", from_last(i), i + 1))),
    ("cards from the last, with a part each", |n| {
        one_file(n, "", |i| format!("unit A{i}{} {{\n  health: {}\n  skill S{i} {{ power: 2 }}\n}}\n", from_last(i), i + 1))
    }),
    ("cards from one", |n| one_file(n, "unit A { health: 1 }\n", |i| format!("unit A{i} from A {{ health: {} }}\n", i + 2))),
    ("unknown names, and a lost definition", |n| one_file(n, LOST, |i| format!("unit A{i} {{ health: name{i} }}\n"))),
    ("unknown names in one item", |n| {
        let lines = (0..n).fold(String::new(), |mut text, i| {
            let _ = writeln!(text, "  hurt name{i} to u");
            text
        });
        one_file(0, &format!("{LOST}{HURT}action many on u: Unit {{\n{lines}}}\n"), |_| String::new())
    }),
    ("rows that overlap", |n| table(n, |i| format!("{i}..{}", i + 50))),
    ("rows beside each other", |n| table(n, |i| i.to_string())),
    ("lists of lists", |n| one_file(0, &format!("kind Deep is card {{ deep: {}Int }}\n", "List of ".repeat(n)), |_| String::new())),
    ("statements", |n| {
        let lines = "  hurt 1 to u\n".repeat(n);
        one_file(0, &format!("{HURT}action many on u: Unit {{\n{lines}}}\n"), |_| String::new())
    }),
    ("definitions", |n| one_file(n, "", |i| format!("define d{i}: Int = {}\n", before("d", i, "1")))),
    ("enum members", |n| {
        let members: Vec<String> = (0..n).map(|i| format!("M{i}")).collect();
        one_file(0, &format!("enum Many {{ {} }}\n", members.join(", ")), |_| String::new())
    }),
];

const UNIT: &str = "ruleset tiny \"Tiny\" { version: \"1.0\" }\n\nkind Unit (units) is card {\n  health: Int 1..\n  parts: [Skill]\n  state wounds: Int 0.. = 0\n}\n\nkind Skill (skills) is part { power: Int 1.. = 1 }\n\n";
const HURT: &str = "action hurt(amount: Int) to target: Unit { target.wounds += amount }\n\n";
const LOST: &str = "define lost(x: Int = x\n\n";

fn one_file(n: usize, first: &str, each: impl Fn(usize) -> String) -> Files {
    let mut text = format!("{UNIT}{first}");
    (0..n).for_each(|i| text.push_str(&each(i)));
    vec![("all.banner".to_string(), text)]
}

fn table(n: usize, key: impl Fn(usize) -> String) -> Files {
    let rows = (0..n).fold(String::new(), |mut text, i| {
        let _ = writeln!(text, "  {} -> {i}", key(i));
        text
    });
    one_file(0, &format!("table t(n: Int): Int {{\n{rows}  else -> 0\n}}\n"), |_| String::new())
}

/// A file in each folder, and folders at most as deep as a disk takes them: a chain of a hundred, again and again.
fn folders(n: usize) -> Files {
    let mut files = vec![("all.banner".to_string(), UNIT.to_string())];
    for i in 0..n {
        let deep: Vec<String> = (0..=i % 100).map(|level| format!("d{level}")).collect();
        files.push((format!("c{}/{}/f.banner", i / 100, deep.join("/")), format!("define d{i}: Int = 1\n")));
    }
    files
}

fn before(word: &str, i: usize, first: &str) -> String {
    if i == 0 { first.to_string() } else { format!("{word}{}", i - 1) }
}

fn from_last(i: usize) -> String {
    if i == 0 { String::new() } else { format!(" from A{}", i - 1) }
}

/// What one process measured.
struct Measured {
    work: Duration,
    bytes: f64,
}

pub fn run(table: &mut Table) {
    for (name, _) in SHAPES {
        let [Some(small), Some(large)] = SIZES.map(|size| asked(name, size)) else {
            eprintln!("{name} could not be measured");
            continue;
        };
        let grows = |large: f64, small: f64| format!("{:.1}", large / small.max(1e-9));
        let ms = |d: Duration| format!("{:.0} ms", d.as_secs_f64() * 1e3);
        let time = grows(large.work.as_secs_f64(), small.work.as_secs_f64());
        table.row(&format!("4,000 {name}"), ms(large.work), &format!("1,000 of them: {}; bound {BOUND} times", ms(small.work)), time);
        let mb = |bytes: f64| format!("{:.0} MB", bytes / 1e6);
        table.row("the same, memory", mb(large.bytes), &format!("1,000 of them: {}", mb(small.bytes)), grows(large.bytes, small.bytes));
    }
}

/// Measures one shape in a process of its own.
fn asked(name: &str, size: usize) -> Option<Measured> {
    let output = Command::new(std::env::current_exe().ok()?).env(ASKED, format!("{size} {name}")).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let (micros, bytes) = text.trim().split_once(' ')?;
    Some(Measured { work: Duration::from_micros(micros.parse().ok()?), bytes: bytes.parse().ok()? })
}

/// What the threads of this process have computed so far, to the nanosecond (Linux; zero elsewhere).
fn work() -> Duration {
    let threads = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let of = |thread: std::fs::DirEntry| {
        let stat = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
        stat.split_whitespace().next()?.parse::<u64>().ok()
    };
    Duration::from_nanos(threads.filter_map(of).sum())
}

/// If this process was started to measure one shape: does that, and says so.
pub fn measured() -> bool {
    let Ok(asked) = std::env::var(ASKED) else { return false };
    let Some((size, name)) = asked.split_once(' ') else { return false };
    let (Ok(size), Some((_, write))) = (size.parse(), SHAPES.iter().find(|(has, _)| *has == name)) else { return false };
    let mut workspace = Workspace::new();
    // the library is read before the clock starts
    let empty = workspace.open(Manifest::loose("bench"), String::new(), Vec::new());
    workspace.check(empty);
    let files = write(size);
    let (before, at_rest) = (work(), peak_memory());
    let project = workspace.open(Manifest::loose("bench"), String::new(), files);
    let checked = workspace.check(project);
    let work = work() - before;
    if let Some(first) = checked.found.first() {
        eprintln!("{name}: {} findings, the first: {}", checked.found.len(), first.diagnostic.headline);
    }
    println!("{} {}", work.as_micros(), peak_memory().saturating_sub(at_rest));
    true
}
