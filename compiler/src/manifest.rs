//! `banneret.ron`, the file that makes a folder a project: what it is called, which rules it is for, where its sources are.
//!
//! Only the text is read here. Whether its folders exist is for whoever reads files.

mod fields;
mod needs;

use banneret_grammar::span::Span;

use self::fields::{Field, Value};
pub use self::needs::{Changes, NEED_FIELDS, Need, Origin, with_need};
use crate::diagnostic::{Code, ProjectProblem};

/// The name of the file.
pub const FILE_NAME: &str = "banneret.ron";

/// A field: what it is called, what may stand there, and what it means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldWord {
    pub name: &'static str,
    /// A value as it is written.
    pub example: &'static str,
    pub means: &'static str,
    pub required: bool,
}

const fn field(name: &'static str, example: &'static str, means: &'static str) -> FieldWord {
    FieldWord { name, example, means, required: false }
}

const fn required(name: &'static str, example: &'static str, means: &'static str) -> FieldWord {
    FieldWord { name, example, means, required: true }
}

/// The fields of a manifest: messages and editors read them here.
pub const FIELDS: [FieldWord; 10] = [
    required("name", "\"my_faction\"", "What the project is called. Packs and prints are named after it."),
    required("version", "\"0.1.0\"", "The version of the project: up to three numbers with dots between them."),
    required("rules", "\"…\"", "The rule system the project is for: one that comes with Banneret, one of a package, or one of its own."),
    field("rules_version", "\"1.0\"", "The version of the rules that the project was written for. With others it is refused."),
    field("licence", "\"CC-BY-4.0\"", "Under which terms others may use the project."),
    field("needs", "(NAME: (path: \"../FOLDER\"))", "The packages the project builds on, each by the name that `use` calls it here."),
    field("changes", "(PACKAGE: \"FOLDER\")", "Folders whose definitions stand in place of those of a package: rules of the house."),
    field("sources", "[\".\"]", "The folders with the `.banner` files. Without it, the folder of the manifest."),
    field("cards", "\"cards\"", "The folder that cards are printed to."),
    field("art", "\"art\"", "The folder that pictures come from."),
];

fn known() -> Vec<&'static str> {
    FIELDS.iter().map(|field| field.name).collect()
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Manifest {
    pub name: String,
    pub version: String,
    /// The rule system; empty for files that are checked without a project.
    pub rules: String,
    pub rules_version: Option<String>,
    /// The packages it builds on, in the order they are written.
    pub needs: Vec<Need>,
    /// The folders whose definitions change packages.
    pub changes: Vec<Changes>,
    /// Under which terms others may use it.
    pub licence: Option<String>,
    /// Folders, relative to the manifest. Never empty.
    pub sources: Vec<String>,
    /// Where cards are printed to.
    pub cards: String,
    /// Where pictures come from.
    pub art: String,
    pub at: Places,
}

/// Where the manifest is and where its values stand in it, for messages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Places {
    /// The path as shown to people; empty without a manifest.
    pub path: String,
    pub rules: Option<Span>,
    pub rules_version: Option<Span>,
    /// One for each folder of `sources`, if they are written.
    pub sources: Vec<Span>,
    pub cards: Option<Span>,
    pub art: Option<Span>,
}

impl Manifest {
    /// The manifest, or the first thing that is wrong with it.
    pub fn parse(text: &str, path: &str) -> Result<Manifest, ProjectProblem> {
        Self::read(text, path).map_err(|mut problems| problems.swap_remove(0))
    }

    /// The manifest, or everything that is wrong with it: at least one problem, in the order of the text.
    pub fn read(text: &str, path: &str) -> Result<Manifest, Vec<ProjectProblem>> {
        let (fields, end) =
            fields::read(text).map_err(|broken| vec![problem(Code::ManifestSyntax, path, broken.span, broken.headline, broken.help)])?;
        let mut reading = Reading { path, problems: Vec::new() };
        reading.names(&fields);
        for FieldWord { name, example, .. } in FIELDS.iter().filter(|field| field.required) {
            if !fields.iter().any(|f| f.name == *name) && !reading.misspelt(name) {
                reading.missing(name, example, end);
            }
        }
        let of = |name: &str| fields.iter().find(|f| f.name == name);
        let span = |name: &str| of(name).map(|f| f.span);
        let name = reading.text(of("name"));
        let version = reading.text(of("version"));
        let rules = reading.text(of("rules"));
        let rules_version = reading.text(of("rules_version"));
        let needs = reading.needs(of("needs"));
        let changes = reading.changes(of("changes"), &needs);
        let licence = reading.text(of("licence"));
        let (sources, source_spans) = reading.folders(of("sources")).into_iter().unzip();
        let cards = reading.text(of("cards"));
        let art = reading.text(of("art"));
        reading.project_name(of("name"), name.as_deref());
        reading.version(of("version"), version.as_deref());
        reading.version(of("rules_version"), rules_version.as_deref());

        let mut problems = reading.problems;
        if let (true, Some(name), Some(version), Some(rules)) = (problems.is_empty(), name, version, rules) {
            let at = Places {
                path: path.to_owned(),
                rules: span("rules"),
                rules_version: span("rules_version"),
                sources: source_spans,
                cards: span("cards"),
                art: span("art"),
            };
            let plain = Manifest::loose(&name);
            return Ok(Manifest {
                version,
                rules,
                rules_version,
                needs,
                changes,
                licence,
                sources: if at.sources.is_empty() { plain.sources.clone() } else { sources },
                cards: cards.unwrap_or_else(|| plain.cards.clone()),
                art: art.unwrap_or_else(|| plain.art.clone()),
                at,
                ..plain
            });
        }
        problems.sort_by_key(|p| p.span);
        Err(problems)
    }

    /// What stands in for a manifest when files are checked without a project.
    pub fn loose(name: &str) -> Manifest {
        Manifest {
            name: name.to_owned(),
            version: "0.0.0".to_owned(),
            rules: String::new(),
            rules_version: None,
            needs: Vec::new(),
            changes: Vec::new(),
            licence: None,
            sources: vec![".".to_owned()],
            cards: "cards".to_owned(),
            art: "art".to_owned(),
            at: Places::default(),
        }
    }

    /// Is its rule system one of those there are? `known` holds names with their versions, where they state one.
    pub fn check_rules(&self, known: &[(&str, Option<&str>)]) -> Option<ProjectProblem> {
        if self.rules.is_empty() {
            return None;
        }
        let at = |span: Option<Span>| span.unwrap_or_default();
        let Some((_, version)) = known.iter().find(|(name, _)| *name == self.rules) else {
            let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
            let help = match (nearest(&self.rules, &names), names.is_empty()) {
                (Some(near), _) => format!("Did you mean `{near}`? Write `rules: \"{near}\"`."),
                (None, false) => format!("The rule systems are {}.", listed(&names)),
                (None, true) => "No rule system is installed; a project may declare its own with `ruleset`.".to_owned(),
            };
            let elsewhere =
                format!(" To build on rules of somebody else, name where they are: `needs: ({}: (path: \"../FOLDER\"))`.", self.rules);
            let help = if help.starts_with("Did you mean") { help } else { help + &elsewhere };
            let headline = format!("There is no rule system called `{}`.", self.rules);
            return Some(problem(Code::ManifestUnknownRules, &self.at.path, at(self.at.rules), headline, help));
        };
        match (&self.rules_version, version) {
            (Some(wanted), Some(have)) if !same_version(wanted, have) => Some(problem(
                Code::ManifestBadVersion,
                &self.at.path,
                at(self.at.rules_version),
                format!("The rules `{}` are here in version {have}, not {wanted}.", self.rules),
                format!("Write `rules_version: \"{have}\"`, or take the rules in version {wanted}."),
            )),
            _ => None,
        }
    }
}

/// `1.9` and `1.9.0` are the same version.
pub fn same_version(a: &str, b: &str) -> bool {
    fn short(v: &str) -> &str {
        v.strip_suffix(".0").map_or(v, short)
    }
    short(a) == short(b)
}

/// One to three numbers with dots between them; a word may follow a `-`.
fn is_version(text: &str) -> bool {
    let (numbers, word) = text.split_once('-').map_or((text, None), |(n, w)| (n, Some(w)));
    let parts: Vec<&str> = numbers.split('.').collect();
    let number = |p: &&str| !p.is_empty() && p.len() <= 9 && p.bytes().all(|b| b.is_ascii_digit());
    let plain = |w: &str| !w.is_empty() && w.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'.' || b == b'-');
    parts.len() <= 3 && parts.iter().all(number) && word.is_none_or(plain)
}

/// The name most like what was written, if any is alike enough to be meant.
pub fn nearest<'a>(written: &str, names: &[&'a str]) -> Option<&'a str> {
    names
        .iter()
        .map(|name| (strsim::damerau_levenshtein(&written.to_lowercase(), &name.to_lowercase()), *name))
        .min()
        .filter(|(distance, name)| *distance <= 1 + name.chars().count().max(written.chars().count()) / 4)
        .map(|(_, name)| name)
}

fn listed(names: &[&str]) -> String {
    names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ")
}

fn problem(code: Code, path: &str, span: Span, headline: String, help: String) -> ProjectProblem {
    ProjectProblem { code, headline, file: Some(path.to_owned()), span: Some(span), help: Some(help) }
}

/// Gathers what is wrong while the fields are taken out.
struct Reading<'a> {
    path: &'a str,
    problems: Vec<ProjectProblem>,
}

impl Reading<'_> {
    fn report(&mut self, code: Code, span: Span, headline: String, help: String) {
        self.problems.push(problem(code, self.path, span, headline, help));
    }

    /// Unknown and repeated fields.
    fn names(&mut self, fields: &[Field]) {
        for (i, field) in fields.iter().enumerate() {
            let name = &field.name;
            let known = known();
            if !known.contains(&name.as_str()) {
                let help = match nearest(name, &known) {
                    Some(near) => format!("Did you mean `{near}`? Write `{near}: …`."),
                    None => format!("The fields are {}.", listed(&known)),
                };
                let headline = format!("A manifest has no field `{name}`.");
                self.report(Code::ManifestUnknownField, field.name_span, headline, help);
            } else if fields.iter().take(i).any(|earlier| earlier.name == *name) {
                self.report(
                    Code::ManifestSyntax,
                    field.name_span,
                    format!("`{name}` is written twice."),
                    "Remove one of the two.".to_owned(),
                );
            }
        }
    }

    /// A field that is only misspelt is not missing as well.
    fn misspelt(&self, name: &str) -> bool {
        let meant = format!("Did you mean `{name}`?");
        self.problems.iter().any(|p| p.help.as_deref().is_some_and(|help| help.starts_with(&meant)))
    }

    fn missing(&mut self, name: &str, example: &str, end: Span) {
        self.report(
            Code::ManifestMissingField,
            end,
            format!("The manifest does not say its `{name}`."),
            format!("Add `{name}: {example},` before the `)`."),
        );
    }

    fn text(&mut self, field: Option<&Field>) -> Option<String> {
        let field = field?;
        match &field.value {
            Value::Text(text) => Some(text.clone()),
            other => {
                let (name, called) = (&field.name, other.called());
                let example = match other {
                    Value::Bare(written, _) => written,
                    _ => "…",
                };
                self.report(
                    Code::ManifestWrongType,
                    field.span,
                    format!("`{name}` is text in quotes, and this is {called}."),
                    format!("Write `{name}: \"{example}\"`."),
                );
                None
            }
        }
    }

    /// The folders, each with its place. One in quotes is as good as a list of one.
    fn folders(&mut self, field: Option<&Field>) -> Vec<(String, Span)> {
        let Some(field) = field else {
            return Vec::new();
        };
        let mut wrong = |span, called| {
            self.report(
                Code::ManifestWrongType,
                span,
                format!("`{}` is a list of folders, and this is {called}.", field.name),
                format!("Write `{}: [\".\"]`, with each folder in quotes.", field.name),
            );
        };
        match &field.value {
            Value::Text(text) => vec![(text.clone(), field.span)],
            Value::List(values) if values.is_empty() => {
                wrong(field.span, "a list without any");
                Vec::new()
            }
            Value::List(values) => {
                let mut folders = Vec::new();
                for (value, span) in values {
                    match value {
                        Value::Text(text) => folders.push((text.clone(), *span)),
                        other => wrong(*span, other.called()),
                    }
                }
                folders
            }
            other => {
                wrong(field.span, other.called());
                Vec::new()
            }
        }
    }

    /// The name becomes a file's name.
    fn project_name(&mut self, field: Option<&Field>, name: Option<&str>) {
        let (Some(field), Some(name)) = (field, name) else {
            return;
        };
        let plain = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        if name.is_empty() || !name.chars().all(plain) {
            self.report(
                Code::ManifestWrongType,
                field.span,
                "A project's name is made of letters, digits, `_` and `-`.".to_owned(),
                "Write it like `name: \"my_faction\"`.".to_owned(),
            );
        }
    }

    fn version(&mut self, field: Option<&Field>, version: Option<&str>) {
        let (Some(field), Some(version)) = (field, version) else {
            return;
        };
        if !is_version(version) {
            self.report(
                Code::ManifestBadVersion,
                field.span,
                format!("`{version}` is not a version."),
                format!("Write up to three numbers with dots, like `{}: \"0.1.0\"`.", field.name),
            );
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
