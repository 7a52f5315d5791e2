//! What can be written in `banneret.ron`, and what is told of it. The text may be half written: it is read sign by sign, as far as it goes.

use banneret_compiler::manifest::{FIELDS, FieldWord, NEED_FIELDS};
use banneret_compiler::stdlib;
use banneret_grammar::span::Span;

use super::complete::{Entry, EntryKind, Offer};
use super::outline;

/// Terms that others know.
const LICENCES: [&str; 5] = ["CC-BY-4.0", "CC-BY-SA-4.0", "CC0-1.0", "MIT", "Apache-2.0"];

/// What is known around a manifest.
pub struct Around<'a> {
    /// Names of rule systems besides those that come with Banneret, with their versions.
    pub rules: Vec<(String, Option<String>)>,
    /// The folders of the project.
    pub folders: &'a dyn Fn() -> Vec<String>,
    /// Folders beside the project that have a manifest.
    pub beside: &'a dyn Fn() -> Vec<String>,
}

/// What stands, or could stand, at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Spot {
    /// The fields around it, the outermost first. Of a value, its own is the last.
    inside: Vec<String>,
    is_value: bool,
    is_quoted: bool,
    is_listed: bool,
    /// The word or text there is, without its quotes.
    span: Span,
    /// The names that stand beside it.
    beside: Vec<String>,
}

/// A group or a list that is being read.
#[derive(Default)]
struct Group {
    inside: Vec<String>,
    names: Vec<String>,
    is_list: bool,
    field: Option<String>,
    /// Behind its colon.
    is_value: bool,
    /// The value was given.
    is_given: bool,
}

/// What a manifest says, as far as it can be read, and what stands at an offset of it.
#[derive(Default)]
struct Read {
    groups: Vec<Group>,
    /// Texts in quotes, with the fields that lead to them.
    texts: Vec<(Vec<String>, String)>,
    /// What stands at the offset, and in which group.
    spot: Option<(Spot, usize)>,
}

impl Read {
    /// The names in the group that a field leads to.
    fn names(&self, inside: &[&str]) -> Vec<String> {
        let groups = self.groups.iter().filter(|g| !g.is_list && g.inside.iter().map(String::as_str).eq(inside.iter().copied()));
        groups.flat_map(|g| g.names.iter().cloned()).collect()
    }

    fn text(&self, inside: &[&str]) -> Option<&str> {
        let found = self.texts.iter().find(|(at, _)| at.iter().map(String::as_str).eq(inside.iter().copied()));
        found.map(|(_, text)| text.as_str())
    }
}

fn read(text: &str, offset: u32) -> Read {
    let offset = (offset as usize).min(text.len());
    let mut out = Read::default();
    let mut open: Vec<usize> = Vec::new();
    let (mut at, mut gap) = (0, 0);
    while at < text.len() {
        let rest = &text[at..];
        let Some(c) = rest.chars().next() else { break };
        if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        }
        let comment =
            if rest.starts_with("//") { rest.find('\n') } else { rest.find("*/").map(|n| n + 2).filter(|_| rest.starts_with("/*")) };
        if rest.starts_with("//") || rest.starts_with("/*") {
            let end = at + comment.unwrap_or(rest.len());
            if at < offset && offset <= end {
                return out;
            }
            at = end;
            continue;
        }
        if gap <= offset && offset < at || offset == at && matches!(c, ')' | ']' | ',' | ':') {
            out.between(&open, offset);
        }
        let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '+');
        let end = match c {
            '"' => {
                let end = closing(rest).map_or_else(|| rest.find('\n').unwrap_or(rest.len()), |n| n + 1);
                let closed = closing(rest).is_some();
                let inner = (at + 1, at + end - usize::from(closed));
                out.value(&open, inner, inner.0 <= offset && offset <= inner.1, true, text);
                at + end
            }
            _ if is_word(c) => {
                let end = at + rest.find(|c| !is_word(c)).unwrap_or(rest.len());
                out.word(&open, (at, end), at <= offset && offset <= end, text);
                end
            }
            '(' | '[' => {
                let group = open.last().and_then(|g| out.groups.get_mut(*g)).map(|g| {
                    g.is_given = true;
                    g.inside.iter().chain(&g.field).cloned().collect()
                });
                open.push(out.groups.len());
                out.groups.push(Group { inside: group.unwrap_or_default(), is_list: c == '[', ..Group::default() });
                at + 1
            }
            ')' | ']' => {
                open.pop();
                at + 1
            }
            ':' | ',' => {
                if let Some(group) = open.last().and_then(|g| out.groups.get_mut(*g)) {
                    group.is_value = c == ':';
                    group.is_given = false;
                    if c == ',' && !group.is_list {
                        group.field = None;
                    }
                }
                at + 1
            }
            c => at + c.len_utf8(),
        };
        (at, gap) = (end, end);
    }
    if gap <= offset {
        out.between(&open, offset);
    }
    out
}

/// Where the quotes of a text end.
fn closing(rest: &str) -> Option<usize> {
    let mut escaped = false;
    for (i, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return Some(i),
            '\n' => return None,
            _ => {}
        }
    }
    None
}

impl Read {
    /// The cursor stands between two signs.
    fn between(&mut self, open: &[usize], offset: usize) {
        let Some((at, group)) = open.last().and_then(|at| Some((*at, self.groups.get(*at)?))) else { return };
        let is_value = group.is_value || group.is_list;
        if self.spot.is_some() || group.is_given || !is_value && group.field.is_some() {
            return;
        }
        self.found(at, is_value, false, (offset, offset));
    }

    fn found(&mut self, at: usize, is_value: bool, is_quoted: bool, (from, to): (usize, usize)) {
        let Some(group) = self.groups.get(at) else { return };
        let own = group.field.iter().filter(|_| is_value && !group.is_list);
        let spot = Spot {
            inside: group.inside.iter().chain(own).cloned().collect(),
            is_value,
            is_quoted,
            is_listed: group.is_list,
            span: Span::new(from as u32, to as u32),
            beside: Vec::new(),
        };
        self.spot = Some((spot, at));
    }

    fn value(&mut self, open: &[usize], (from, to): (usize, usize), is_here: bool, is_quoted: bool, text: &str) {
        let Some((at, group)) = open.last().and_then(|at| Some((*at, self.groups.get_mut(*at)?))) else { return };
        group.is_given = true;
        let inside = group.inside.iter().chain(group.field.iter().filter(|_| !group.is_list)).cloned().collect();
        self.texts.push((inside, text.get(from..to).unwrap_or_default().to_owned()));
        if is_here {
            self.found(at, true, is_quoted, (from, to));
        }
    }

    fn word(&mut self, open: &[usize], (from, to): (usize, usize), is_here: bool, text: &str) {
        let Some((at, group)) = open.last().and_then(|at| Some((*at, self.groups.get_mut(*at)?))) else { return };
        if group.is_value || group.is_list {
            return self.value(open, (from, to), is_here, false, text);
        }
        let name = text.get(from..to).unwrap_or_default().to_owned();
        group.field = Some(name.clone());
        // what is being written is not written yet
        if !is_here {
            group.names.push(name);
        } else {
            self.found(at, false, false, (from, to));
        }
    }
}

/// What stands at an offset, with everything else that the manifest says.
fn spot(text: &str, offset: u32) -> (Option<Spot>, Read) {
    let mut read = read(text, offset);
    let spot = read.spot.take().map(|(spot, at)| {
        let beside = read.groups.get(at).map(|group| group.names.clone()).unwrap_or_default();
        Spot { beside, ..spot }
    });
    (spot, read)
}

/// The fields that may stand in a group.
fn fields(inside: &[String]) -> &'static [FieldWord] {
    match inside {
        [] => &FIELDS,
        [needs, _] if needs == "needs" => &NEED_FIELDS,
        _ => &[],
    }
}

/// What could be written at an offset.
pub fn complete(text: &str, offset: u32, around: &Around<'_>) -> Offer {
    let (Some(spot), read) = spot(text, offset) else { return Offer::default() };
    let mut entries = if spot.is_value { values(&spot, &read, around) } else { names(&spot, &read) };
    let typed = text.get(spot.span.start as usize..offset as usize).unwrap_or("");
    entries.retain(|entry| outline::matches(typed, &entry.label));
    entries.sort_by_key(|entry| !entry.label.starts_with(typed));
    // where a value stands already, only the name is written
    let rest = text.get(spot.span.end as usize..).unwrap_or("").trim_start_matches(' ');
    if !spot.is_value && rest.starts_with(':') {
        entries.iter_mut().for_each(|entry| entry.insert.clone_from(&entry.label));
    }
    Offer { entries, replaces: spot.span, cut: false }
}

fn names(spot: &Spot, read: &Read) -> Vec<Entry> {
    let inside: Vec<&str> = spot.inside.iter().map(String::as_str).collect();
    let fields = fields(&spot.inside).iter().filter(|field| !spot.beside.iter().any(|name| name == field.name));
    let mut out: Vec<Entry> = fields
        .map(|field| {
            let stop = match field.example.strip_prefix('"').and_then(|e| e.strip_suffix('"')) {
                Some(text) => format!("\"${{1:{text}}}\""),
                None => format!("${{1:{}}}", super::complete::escaped(field.example)),
            };
            let tier = u32::from(!field.required);
            let detail = if field.required { "a manifest must say it" } else { "" };
            Entry::new(field.name, EntryKind::Field, tier).insert(format!("{}: {stop},", field.name)).detail(detail).doc(Some(field.means))
        })
        .collect();
    if inside == ["changes"] {
        let packages = read.names(&["needs"]).into_iter().filter(|name| !spot.beside.contains(name));
        out.extend(packages.map(|name| Entry::new(&name, EntryKind::Module, 0).insert(format!("{name}: \"${{1:house}}\","))));
    }
    out.sort_by_key(|entry| entry.tier);
    out
}

fn values(spot: &Spot, read: &Read, around: &Around<'_>) -> Vec<Entry> {
    let inside: Vec<&str> = spot.inside.iter().map(String::as_str).collect();
    let plain = |words: Vec<String>, kind: EntryKind| words.into_iter().map(|word| Entry::new(word, kind, 0)).collect::<Vec<_>>();
    let folders = |more: &[&str]| plain(more.iter().map(|f| (*f).to_owned()).chain((around.folders)()).collect(), EntryKind::File);
    let mut out = match inside.as_slice() {
        ["rules"] => {
            let own = around.rules.iter().map(|(name, version)| (name.clone(), version.clone()));
            let built = stdlib::libraries().into_iter().filter(|l| l.is_rule_system());
            let built = built.map(|l| (l.name.to_owned(), l.version().map(str::to_owned)));
            let all = own.chain(built).map(|(name, version)| {
                Entry::new(name, EntryKind::Module, 0).detail(version.map(|v| format!("version {v}")).unwrap_or_default())
            });
            all.collect()
        }
        ["rules_version"] => {
            read.text(&["rules"]).and_then(|rules| version(rules, around)).map(|v| Entry::new(v, EntryKind::Value, 0)).into_iter().collect()
        }
        ["version"] => vec![Entry::new("0.1.0", EntryKind::Value, 0)],
        ["licence"] => plain(LICENCES.map(str::to_owned).to_vec(), EntryKind::Value),
        ["sources"] => folders(&["."]),
        ["cards"] => folders(&["cards"]),
        ["art"] => folders(&["art"]),
        ["changes", _] => folders(&[]),
        ["needs", _, "path"] => plain((around.beside)(), EntryKind::File),
        _ => Vec::new(),
    };
    let mut seen = std::collections::BTreeSet::new();
    out.retain(|entry| seen.insert(entry.label.clone()));
    let listed = inside == ["sources"] && !spot.is_listed && !spot.is_quoted;
    for entry in out.iter_mut().filter(|_| !spot.is_quoted) {
        entry.insert = if listed { format!("[\"{}\"]", entry.label) } else { format!("\"{}\"", entry.label) };
    }
    out
}

/// The version of a rule system.
fn version(rules: &str, around: &Around<'_>) -> Option<String> {
    let own = around.rules.iter().find(|(name, _)| name == rules).and_then(|(_, version)| version.clone());
    own.or_else(|| stdlib::library(rules).and_then(|l| l.version().map(str::to_owned)))
}

/// What is told of the word at an offset.
pub fn hover(text: &str, offset: u32, around: &Around<'_>) -> Option<(Span, String)> {
    let (spot, read) = spot(text, offset);
    let spot = spot.filter(|spot| spot.span.start < spot.span.end)?;
    let word = spot.span.of(text);
    let told = |field: &FieldWord| {
        let required = if field.required { " A manifest must say it." } else { "" };
        format!("```ron\n{}: {}\n```\n\n{}{required}", field.name, field.example, field.means)
    };
    let find = |inside: &[String], name: &str| fields(inside).iter().find(|field| field.name == name).map(told);
    let markdown = if !spot.is_value {
        find(&spot.inside, word).or_else(|| package(&spot.inside, word, &read))?
    } else {
        let (name, inside) = spot.inside.split_last()?;
        let means = find(inside, name).or_else(|| find(&[], inside.first()?))?;
        let rules = (spot.inside == ["rules"]).then(|| rule_system(word, around)).flatten();
        rules.map_or(means.clone(), |rules| format!("{rules}\n\n{means}"))
    };
    Some((spot.span, markdown))
}

/// A package, by what the project calls it.
fn package(inside: &[String], name: &str, read: &Read) -> Option<String> {
    let inside = inside.iter().map(String::as_str).collect::<Vec<_>>();
    matches!(inside.as_slice(), ["needs" | "changes"]).then(|| {
        let said = ["path", "git"].iter().find_map(|field| Some(format!("{field} `{}`", read.text(&["needs", name, field])?)));
        format!("**{name}** \u{2013} a package: {}.", said.unwrap_or_else(|| "it comes with Banneret".to_owned()))
    })
}

/// What is known of a rule system.
fn rule_system(name: &str, around: &Around<'_>) -> Option<String> {
    let library = stdlib::library(name).filter(|l| l.is_rule_system());
    let is_known = library.is_some() || around.rules.iter().any(|(own, _)| own == name);
    let title = library.and_then(|l| l.sources().find_map(|(_, text)| title(text, name)));
    let version = version(name, around).map(|v| format!(", version {v}")).unwrap_or_default();
    is_known.then(|| format!("**{}** \u{2013} a rule system{version}", title.unwrap_or_else(|| name.to_owned())))
}

/// The printed name of a ruleset.
fn title(text: &str, name: &str) -> Option<String> {
    let line = text.lines().find(|line| line.strip_prefix("ruleset ").is_some_and(|rest| rest.split_whitespace().next() == Some(name)))?;
    Some(line.split('"').nth(1)?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> (Offer, String) {
        let offset = text.find('|').unwrap() as u32;
        let text = text.replace('|', "");
        let around = Around {
            rules: vec![("pond".into(), Some("2.0".into()))],
            folders: &|| vec!["house".into()],
            beside: &|| vec!["../reef".into()],
        };
        (complete(&text, offset, &around), text)
    }

    fn labels(text: &str) -> Vec<String> {
        at(text).0.entries.into_iter().map(|entry| entry.label).collect()
    }

    #[test]
    fn fields_that_are_not_there_are_offered_the_required_first() {
        assert_eq!(labels("(\n  |\n)")[..3], ["name", "version", "rules"]);
        assert_eq!(labels("(name: \"a\", |")[..2], ["version", "rules"]);
        assert!(!labels("(|, name: \"a\")").contains(&"name".to_owned()));
        assert_eq!(labels("(name: \"a\", ru|"), ["rules", "rules_version"]);
        assert_eq!(labels("(needs: (reef: (path: \"../reef\", |)))"), ["git", "tag", "version"]);
        assert_eq!(labels("(needs: (reef: (path: \"../reef\")), changes: (|))"), ["reef"]);
        assert!(labels("(name |").is_empty() && labels("(name: \"a\" |").is_empty() && labels("// |\n(").is_empty());
    }

    #[test]
    fn values_are_offered_with_their_quotes_or_inside_them() {
        let (offer, text) = at("(rules: |");
        let pond = offer.entries.iter().find(|e| e.label == "pond").unwrap();
        assert_eq!((pond.plain().as_str(), offer.replaces.of(&text)), ("\"pond\"", ""));
        let (offer, text) = at("(rules: \"po|nt\")");
        assert_eq!((offer.entries[0].plain().as_str(), offer.replaces.of(&text)), ("pond", "pont"));
        assert_eq!(labels("(rules: \"pond\", rules_version: |)"), ["2.0"]);
        assert_eq!(labels("(sources: [\".\", \"|\"])"), [".", "house"]);
        assert_eq!(labels("(needs: (reef: (path: |)))"), ["../reef"]);
        assert_eq!(at("(|: \"a\")").0.entries[0].plain(), "name");
    }

    #[test]
    fn every_field_is_told() {
        let around = Around { rules: vec![("pond".into(), Some("2.0".into()))], folders: &Vec::new, beside: &Vec::new };
        for field in FIELDS {
            let text = format!("({}: {})", field.name, field.example);
            assert!(hover(&text, 2, &around).unwrap().1.contains(field.means), "{text}");
        }
        let told = hover("(rules: \"pond\")", 10, &around).unwrap().1;
        assert!(told.starts_with("**pond** \u{2013} a rule system, version 2.0"), "{told}");
    }
}
