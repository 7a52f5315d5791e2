//! Release notes tell every change, and no other. Real content and real rules are changed in one place at a time, in every way that is listed
//! in [`made`]; what is told must be what was done. What only lays a file out in another way must not be told at all.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::{BTreeMap, BTreeSet};

use banneret_compiler::api::{ProjectId, Workspace};
use banneret_compiler::facts::{Change, Changed, Facts, NAME_IN_SOURCES, compared};
use banneret_compiler::manifest::Manifest;
use banneret_tests::files::{below, house};

type Files = Vec<(String, String)>;

/// What must be told of a change.
#[derive(Clone, Debug, PartialEq)]
enum Told {
    /// A value of the card, or of one of its parts; or its words, in which it stands.
    Value(String),
    /// Anything about the card.
    Anything,
    New,
    Gone,
    /// Of the rule that is called so.
    Rule,
}

/// A change made on purpose: the sort of it, the files it changes, the card or rule it is about, and what must be told.
struct Made {
    sort: &'static str,
    files: Vec<(usize, String)>,
    of: String,
    told: Told,
}

/// A line at the left edge with all that belongs to it, and where it stands.
struct Block<'a> {
    start: usize,
    text: &'a str,
}

impl<'a> Block<'a> {
    fn first(&self) -> &'a str {
        self.text.lines().next().unwrap()
    }

    fn word(&self, n: usize) -> String {
        self.first().split(|c: char| !c.is_alphanumeric() && c != '_').filter(|w| !w.is_empty()).nth(n).unwrap_or_default().to_owned()
    }

    /// The lines with where they start in the file.
    fn lines(&self) -> impl Iterator<Item = (usize, &'a str)> {
        let mut at = self.start;
        self.text.split_inclusive('\n').map(move |line| {
            at += line.len();
            (at - line.len(), line)
        })
    }
}

fn blocks(text: &str) -> Vec<Block<'_>> {
    let (mut starts, mut at) = (Vec::new(), 0);
    for line in text.split_inclusive('\n') {
        if line.starts_with(|c: char| c.is_ascii_lowercase()) {
            starts.push(at);
        }
        at += line.len();
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts.iter().zip(ends).map(|(start, end)| Block { start: *start, text: &text[*start..end] }).collect()
}

fn spliced(text: &str, at: usize, length: usize, by: &str) -> String {
    format!("{}{by}{}", &text[..at], &text[at + length..])
}

/// How often a word stands in the files.
fn uses(files: &Files, word: &str) -> usize {
    let is_it = |w: &&str| *w == word;
    files.iter().map(|(_, text)| text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(is_it).count()).sum()
}

/// With a word, wherever it stands outside of texts, replaced.
fn reworded(text: &str, word: &str, by: &str) -> String {
    let (mut out, mut quoted, mut at) = (String::new(), false, 0);
    while let Some(c) = text[at..].chars().next() {
        let before = text[..at].chars().next_back();
        let is_inside = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        // an inch mark behind a digit opens no text
        if c == '"' && (quoted || !before.is_some_and(|c| c.is_ascii_digit())) {
            quoted = !quoted;
        } else if !quoted && text[at..].starts_with(word) && !is_inside(before) && !is_inside(text[at + word.len()..].chars().next()) {
            out.push_str(by);
            at += word.len();
            continue;
        }
        out.push(c);
        at += c.len_utf8();
    }
    out
}

/// Every change that is made to content: of numbers, names, texts, keywords, parts, lines of rules and whole cards.
fn made(files: &Files, facts: &Facts) -> Vec<Made> {
    let mut out = Vec::new();
    for (file, (_, text)) in files.iter().enumerate() {
        for block in blocks(text) {
            let of = block.word(1);
            let mut push = |sort, text: String, of: &str, told| out.push(Made { sort, files: vec![(file, text)], of: of.to_owned(), told });
            let Some(card) = facts.cards.get(&of).filter(|_| block.word(0) != "test") else { continue };
            // the whole card
            if uses(files, &of) == 1 {
                push("card left out", spliced(text, block.start, block.text.len(), ""), &of, Told::Gone);
            }
            let head = block.start + block.first().find(&of).unwrap();
            let copy = spliced(block.text, head - block.start, of.len(), &format!("{of}Again"));
            let copy = copy.replacen(&format!("\"{}\"", card.title), &format!("\"{} Again\"", card.title), 1);
            push("card added", format!("{text}\n{copy}"), &format!("{of}Again"), Told::New);
            let quoted = format!("\"{}\"", card.title);
            if block.first().contains(&quoted) {
                let at = block.start + block.first().find(&quoted).unwrap();
                let other = format!("\"{} the Second\"", card.title);
                push("card with another title", spliced(text, at, quoted.len(), &other), &of, Told::Value("name".to_owned()));
                // a part that is called like a card would get the other name too
                if !facts.cards.keys().any(|path| path.ends_with(&format!(".{of}"))) {
                    let all = files.iter().enumerate().map(|(i, (_, text))| (i, reworded(text, &of, &format!("{of}Anew")))).collect();
                    let told = Told::Value(NAME_IN_SOURCES.to_owned());
                    out.push(Made { sort: "card with another name in the files", files: all, of: format!("{of}Anew"), told });
                }
            }
            for (at, line) in block.lines() {
                of_line(&mut out, file, text, &of, (at, line));
            }
        }
    }
    out
}

fn of_line(out: &mut Vec<Made>, file: usize, text: &str, of: &str, (start, line): (usize, &str)) {
    let mut push = |sort, text, told| out.push(Made { sort, files: vec![(file, text)], of: of.to_owned(), told });
    let code = line.split("//").next().unwrap();
    for (at, _) in code.match_indices(": ") {
        let name = code[..at].rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap().replace('_', " ");
        let (place, rest) = (start + at + 2, &code[at + 2..]);
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        if digits > 0 && !code[..at].contains('"') {
            let number: i64 = rest[..digits].parse().unwrap();
            let sort = if name == "points" { "points" } else { "number" };
            push(sort, spliced(text, place, digits, &(number + 1).to_string()), Told::Value(name));
        } else if name == "flavour" && rest.starts_with('"') {
            push("flavour", spliced(text, place + 1, 0, "Truly: "), Told::Value(name));
        } else if let Some(list) = rest.strip_prefix('[').and_then(|list| list.split(']').next())
            && name == "keywords"
        {
            push(
                "keyword left out",
                spliced(text, place + 1, list.len(), list.split_once(", ").map_or("", |(_, more)| more)),
                Told::Value(name),
            );
        }
    }
    let is_one_line = line.starts_with("  ") && line.matches('{').count() == line.matches('}').count();
    let words: Vec<&str> = code.split_whitespace().collect();
    let is_rule = ["after ", "before ", "grant ", "at ", "instead ", "cannot "].iter().any(|word| code.trim_start().starts_with(word));
    if is_one_line && is_rule {
        push("rule left out", spliced(text, start, line.len(), ""), Told::Anything);
    }
    // numbers in what rules do: of dice, of amounts, of distances
    let is_effect = is_rule
        || ["deal ", "heal ", "lose ", "gain ", "draw ", "effect ", "active ", "penalty ", "roll "].iter().any(|w| code.contains(w));
    if is_effect && !code.contains('"') && !code.contains(": ") {
        for (at, _) in code.match_indices(|c: char| c.is_ascii_digit()) {
            let around = (code[..at].chars().next_back(), code[at + 1..].chars().next());
            let stands_alone = around.0.is_some_and(|c| " (+-".contains(c)) && around.1.is_none_or(|c| " )}s\n".contains(c));
            let number = code[at..at + 1].parse::<i64>().unwrap();
            if stands_alone && number < 9 {
                push("number in a rule", spliced(text, start + at, 1, &(number + 1).to_string()), Told::Anything);
            }
        }
    }
    if let [_, name, "{", ..] = words.as_slice()
        && is_one_line
        && words[0].chars().all(char::is_lowercase)
        && name.starts_with(char::is_uppercase)
    {
        let of_part = format!("{of}.{name}");
        let copy = line.replacen(name, &format!("{name}Too"), 1);
        out.push(Made {
            sort: "part left out",
            files: vec![(file, spliced(text, start, line.len(), ""))],
            of: of_part.clone(),
            told: Told::Gone,
        });
        out.push(Made {
            sort: "part added",
            files: vec![(file, spliced(text, start, 0, &copy))],
            of: format!("{of_part}Too"),
            told: Told::New,
        });
    } else if code.trim_start().starts_with("says \"") {
        let at = start + line.find('"').unwrap() + 1;
        push("own words", spliced(text, at, 0, "Now: "), Told::Value("rules".to_owned()));
    }
}

/// A number in a rule of a system, one higher; a limit, an action, a phase, a keyword, a definition.
fn made_of_rules(files: &Files) -> Vec<Made> {
    let mut out = Vec::new();
    for (file, (path, text)) in files.iter().enumerate() {
        for block in blocks(text) {
            let (word, name) = (block.word(0), block.word(1));
            let sort = match word.as_str() {
                "action" | "phase" | "keyword" | "define" => "rule of a system",
                "kind" => "kind or limit of a system",
                "test" => "test",
                _ => continue,
            };
            let of = if word == "test" { block.first().split('{').next().unwrap().trim().to_owned() } else { format!("{word} {name}") };
            for (start, line) in block.lines().skip(1) {
                let code = line.split("//").next().unwrap();
                if code.contains('"') || path.contains("face") {
                    continue;
                }
                let number = code.match_indices(|c: char| c.is_ascii_digit()).find(|(at, _)| {
                    let around = (code[..*at].chars().next_back(), code[at + 1..].chars().next());
                    around.0.is_some_and(|c| " (+-".contains(c)) && around.1.is_none_or(|c| " )}s\n".contains(c))
                });
                if let Some((at, digit)) = number {
                    let higher = (digit.parse::<i64>().unwrap() + 1).to_string();
                    out.push(Made { sort, files: vec![(file, spliced(text, start + at, 1, &higher))], of: of.clone(), told: Told::Rule });
                }
            }
        }
    }
    out
}

struct Desk {
    workspace: Workspace,
    project: ProjectId,
    files: Files,
}

impl Desk {
    fn open(folder: &str, rules: &str) -> Desk {
        let root = house().join(folder);
        let read = |path: std::path::PathBuf| {
            (format!("p/{}", path.strip_prefix(&root).unwrap().display()), std::fs::read_to_string(&path).unwrap())
        };
        let files: Files = below(&root, ".banner").into_iter().map(read).collect();
        let mut workspace = Workspace::new();
        let name = if folder.starts_with("stdlib") { rules } else { "p" };
        let project = workspace.open(Manifest { rules: rules.to_owned(), ..Manifest::loose(name) }, "p".to_owned(), files.clone());
        Desk { workspace, project, files }
    }

    fn facts(&self) -> Facts {
        self.workspace.facts(self.project)
    }

    /// What it says with some files changed; then they are as they were.
    fn with(&mut self, changed: &[(usize, String)]) -> Facts {
        for (file, text) in changed {
            self.workspace.set_text(self.project, &self.files[*file].0, Some(text.clone()));
        }
        let facts = self.facts();
        for (file, _) in changed {
            let (path, text) = &self.files[*file];
            self.workspace.set_text(self.project, path, Some(text.clone()));
        }
        facts
    }
}

const CONTENT: [&str; 5] = ["one_card", "worlds_collide", "flux", "focal_point", "affinity"];

/// Whether what is told is what was done, and nothing else.
fn is_right(change: &Made, told: &[Changed], files: &Files, before: &Facts, after: &Facts) -> bool {
    if change.told == Told::Rule {
        return told.iter().filter(|c| c.group != "Cards").map(|c| c.title.as_str()).eq([change.of.as_str()]);
    }
    let of = |path: &str| after.cards.get(path).or_else(|| before.cards.get(path)).map(|card| card.title.clone());
    let card = change.of.split('.').next().unwrap();
    let Some(card_title) = of(card) else { return false };
    let whole = if change.of == card { card_title.clone() } else { format!("{card_title}, {}", of(&change.of).unwrap_or_default()) };
    let is_own = |changed: &Changed| changed.title == card_title || changed.title.starts_with(&format!("{card_title}, "));
    let (own, other): (Vec<&Changed>, Vec<&Changed>) = told.iter().filter(|c| c.group == "Cards").partition(|c| is_own(c));
    let all = || own.iter().flat_map(|c| &c.changes);
    let is_named = match &change.told {
        Told::Value(what) => all().any(|c| match c {
            Change::Value { what: told, .. } => told == what || (told == "rules" && what != "name" && what != NAME_IN_SOURCES),
            Change::Rewritten { .. } => what != "name" && what != NAME_IN_SOURCES && what != "flavour",
            _ => false,
        }),
        Told::Anything => !own.is_empty(),
        Told::New => own.iter().any(|c| c.title == whole && c.changes == [Change::New]),
        Told::Gone => own.iter().any(|c| c.title == whole && c.changes == [Change::Gone]),
        Told::Rule => false,
    };
    // who is put on with a new name speaks of it in rules and tests; a part that comes or goes may be spoken of by its card
    let rules_are_silent = matches!(&change.told, Told::Value(what) if what == NAME_IN_SOURCES) || told.iter().all(|c| c.group == "Cards");
    let is_alone = match &change.told {
        Told::New | Told::Gone if !change.of.contains('.') => own.len() == 1,
        Told::Value(what) if what == "name" || what == NAME_IN_SOURCES || what == "flavour" => {
            all().filter(|c| !matches!(c, Change::Value { what, .. } if what == "rules")).count() >= 1
        }
        _ => true,
    };
    is_named && is_alone && rules_are_silent && other.iter().all(|c| follows(files, c, before, card, &card_title))
}

/// Whether the card that changed too takes something over from the changed card, or speaks of it.
fn follows(files: &Files, changed: &Changed, before: &Facts, card: &str, card_title: &str) -> bool {
    let title = changed.title.split(", ").next().unwrap();
    let names: Vec<&String> =
        before.cards.iter().filter(|(path, c)| c.title == title && !path.contains('.')).map(|(path, _)| path).collect();
    let plain = card.trim_end_matches("Anew");
    let old = before.cards.get(plain).map_or("", |card| card.title.as_str());
    if changed
        .changes
        .iter()
        .all(|c| matches!(c, Change::Value { before, after, .. } if before.contains(old) && after.contains(card_title)))
    {
        return true;
    }
    let says = |text: &str| text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|w| w == plain) || text.contains(card_title);
    files.iter().flat_map(|(_, text)| blocks(text)).any(|block| names.iter().any(|name| block.word(1) == **name) && says(block.text))
}

#[test]
fn every_change_is_told_and_no_other() {
    let (mut sorts, mut wrong) = (BTreeMap::<&str, usize>::new(), Vec::new());
    let content = CONTENT.map(|rules| (format!("content/{rules}"), rules, false));
    let systems = ["one_card", "flux", "focal_point"].map(|rules| (format!("stdlib/{rules}"), rules, true));
    for (folder, rules, is_system) in content.into_iter().chain(systems) {
        let mut desk = Desk::open(&folder, rules);
        let before = desk.facts();
        assert!(compared(&before, &before).is_empty());
        let all = if is_system { made_of_rules(&desk.files) } else { made(&desk.files, &before) };
        // of each sort so many, evenly over the files; all of them (BANNERET_ALL=1) take minutes
        let mut of_sort: BTreeMap<&str, Vec<Made>> = BTreeMap::new();
        all.into_iter().for_each(|change| of_sort.entry(change.sort).or_default().push(change));
        let most = if std::env::var_os("BANNERET_ALL").is_some() { usize::MAX } else { 6 };
        let some = of_sort.into_values().flat_map(|all| {
            let step = all.len().div_ceil(most).max(1);
            all.into_iter().step_by(step)
        });
        for change in some {
            let after = desk.with(&change.files);
            let told = compared(&before, &after);
            *sorts.entry(change.sort).or_default() += 1;
            if !is_right(&change, &told, &desk.files, &before, &after) {
                wrong.push(format!("{folder}: {}: {} {:?}: {told:?}", change.sort, change.of, change.told));
            }
            // the other way round the same things are told
            let titles = |told: &[Changed]| told.iter().map(|c| c.title.clone()).collect::<BTreeSet<_>>();
            let back = compared(&after, &before);
            if back.len() != told.len() || (change.sort != "card with another title" && titles(&back) != titles(&told)) {
                wrong.push(format!("{folder}: {}: {}: not the same backwards: {back:?}", change.sort, change.of));
            }
        }
        assert_eq!(compared(&before, &desk.facts()), [], "put back, nothing is left");
    }
    let made: usize = sorts.values().sum();
    assert!(wrong.is_empty(), "{} of {made}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(made >= 200 && sorts.len() >= 15, "{made}: {sorts:?}");
}

/// Two changes in one card: neither hides the other.
#[test]
fn no_change_hides_another() {
    let rules = "ruleset small \"Small\" { version: \"1.0\" }\n\nkind Unit (units) is card {\n  health: Int 1..\n  state hurt: Int 0.. = 0\n}\n\naction harm(u: Unit) with n: Int {\n  says \"{u} takes {n}\"\n  u.hurt += n\n}\n";
    let card = "unit A {\n  health: 2\n  says \"Strikes back.\"\n  after harm this { this.hurt += 1 }\n}\n";
    let facts = |card: &str| {
        let mut workspace = Workspace::new();
        let files = vec![("a.banner".to_owned(), format!("{rules}\n{card}"))];
        let project = workspace.open(Manifest::loose("small"), String::new(), files);
        workspace.facts(project)
    };
    let told = |new: String| compared(&facts(card), &facts(&new)).into_iter().flat_map(|c| c.changes).collect::<Vec<_>>();
    let both = told(card.replace("health: 2", "health: 3").replace("+= 1", "+= 2"));
    assert!(matches!(both.as_slice(), [Change::Value { .. }, Change::Rewritten { .. }]), "{both:?}");
    let words = told(card.replace("Strikes", "Hits").replace("+= 1", "+= 2"));
    assert!(matches!(words.as_slice(), [Change::Value { .. }, Change::Rewritten { .. }]), "{words:?}");
    assert_eq!(told(card.replace("  health: 2\n", "").replace("}\n}", "}\n  health: 2\n}")), [], "the order of fields and rules");
}

/// Comments, other indents, items and files in another order, fields in other lines: of all content.
#[test]
fn layout_is_no_change() {
    for rules in CONTENT {
        let mut desk = Desk::open(&format!("content/{rules}"), rules);
        let before = desk.facts();
        let mut all = Vec::new();
        for (file, (_, text)) in desk.files.iter().enumerate() {
            let start = blocks(text).iter().find(|b| b.word(0) != "use").map_or(0, |b| b.start);
            let turned: String = blocks(&text[start..]).iter().rev().map(|b| format!("// moved\n{}\n", b.text.trim_end())).collect();
            let relaid = |line: &str| {
                let is_plain = line.starts_with("  ") && line.contains(": ") && !line.contains(['[', '{', '"', '(', '/']);
                let fields: Vec<&str> = line.trim().split(", ").collect();
                if is_plain { format!("      {}  // so\n", fields.join("\n   ")) } else { format!("{line}\n") }
            };
            all.push((file, format!("// by somebody\n{}{}", &text[..start], turned.lines().map(relaid).collect::<String>())));
        }
        let told = compared(&before, &desk.with(&all));
        assert_eq!(told, [], "{rules}: {told:?}");
        // everything in one folder from one file into another
        let (path, text) = desk.files[0].clone();
        desk.workspace.set_text(desk.project, &path, None);
        desk.workspace.set_text(desk.project, &path.replace(".banner", "_moved.banner"), Some(text));
        let told = compared(&before, &desk.facts());
        assert_eq!(told, [], "{rules}: {told:?}");
    }
}

#[test]
fn what_is_only_laid_out_in_another_way_is_no_change() {
    let text = "ruleset small \"Small\" { version: \"1.0\" }\n\nkind Unit (units) is card {\n  health: Int 1..\n}\n\nunit A { health: 2 }\nunit B { health: 3 }\n";
    let other = "// by somebody\nruleset small \"Small\" { version: \"1.0\" }\n\n/// What fights.\nkind Unit (units) is card {\n    health: Int 1..  // at least one\n}\n\nunit B { health: 3 }\n\nunit A {\n  health: 2\n}\n";
    let facts = |text: &str| {
        let mut workspace = Workspace::new();
        let project = workspace.open(Manifest::loose("small"), String::new(), vec![("a.banner".to_owned(), text.to_owned())]);
        workspace.facts(project)
    };
    let told = compared(&facts(text), &facts(other));
    assert_eq!(told, [], "{told:?}");
    let told = compared(&facts(text), &facts(&text.replace("health: Int 1..", "health: Int 2..")));
    assert!(matches!(told.as_slice(), [Changed { group: "Rules", .. }]), "{told:?}");
}
