//! What is asked on the command line, as a test written into the project: a file that exists only while the command runs, so that the language itself says
//! what is wrong with it.

use std::path::PathBuf;

use banneret_compiler::api::Checked;
use banneret_compiler::diagnostic::Severity;
use banneret_compiler::stdlib;
use banneret_runtime::loaded::Loaded;
use banneret_runtime::pack::Test;

use crate::args::{Format, Odds};
use crate::commands::play::setting::loaded;
use crate::render;
use crate::report::Report;
use crate::session::Session;
use crate::sources::Project;
use crate::sources::project::SourceText;
use crate::terminal::{Out, Terminal};
use crate::trouble::Trouble;

/// The words of the test.
const WORDS: &str = "odds of the command line";
/// How its file is called in messages.
const FILE: &str = "command_line.banner";

/// A pack with a test in it, and what that test measures.
pub struct Inquiry {
    pub pack: Loaded,
    /// Its number in the pack.
    pub test: usize,
    /// In the order of the test's measures.
    pub measures: Vec<String>,
    /// The last measure is the condition that `--best` is about.
    pub has_goal: bool,
}

/// How a measure is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Number,
    Condition,
}

impl Inquiry {
    pub fn test(&self) -> Option<&Test> {
        self.pack.pack().tests.get(self.test)
    }

    /// Writes the test and compiles it. None: there are mistakes, and they have been printed.
    pub fn write(args: &Odds, session: &mut Session, terminal: &Terminal, out: &mut Out) -> Result<Option<Self>, Trouble> {
        let mut measures: Vec<String> = args.exprs.iter().chain(&args.measures).cloned().collect();
        measures.extend(args.best.clone());
        if measures.is_empty() {
            let help = "Say what to measure behind the path: `banneret odds PATH --do \"…\" \"b.wounds\"`.";
            return Err(Trouble::new("There is nothing to measure.").help(help));
        }
        let mut forms = vec![Form::Number; measures.len()];
        if args.best.is_some()
            && let Some(last) = forms.last_mut()
        {
            *last = Form::Condition;
        }
        let first = forms.clone();
        let mut checked = put(args, session, &measures, &forms);
        // Whatever is no number may be a condition.
        for (i, form) in forms.iter_mut().enumerate() {
            if *form == Form::Number && complains(&checked, session, i + 1) {
                *form = Form::Condition;
            }
        }
        if checked.has_errors() && forms != first {
            checked = put(args, session, &measures, &forms);
        }
        if checked.has_errors() {
            // It was wrong before: that is how it is shown.
            checked = put(args, session, &measures, &first);
            let mut report = Report::default();
            if let Some(open) = session.open.first() {
                report.add(&open.project, &checked.found, &checked.problems);
            }
            report.findings.retain(|f| f.severity == Severity::Error);
            render::findings(out, &report, Format::Full, terminal)?;
            return Ok(None);
        }
        let Some((_, pack)) = loaded(session, terminal, out)? else {
            return Ok(None);
        };
        let test = pack.pack().tests.iter().position(|t| pack.text(t.words) == WORDS);
        match test {
            Some(test) => Ok(Some(Self { pack, test, measures, has_goal: args.best.is_some() })),
            None => Err(Trouble::new("What was asked cannot be read as part of a test.").help("Look for a `}` too many.")),
        }
    }

    /// A test that stands in the project.
    pub fn find(words: &str, session: &Session, terminal: &Terminal, out: &mut Out) -> Result<Option<Self>, Trouble> {
        let Some((_, pack)) = loaded(session, terminal, out)? else {
            return Ok(None);
        };
        let wanted = words.to_lowercase();
        let of = |test: &Test| pack.text(test.words).to_lowercase();
        let holding: Vec<usize> =
            (0..).zip(&pack.pack().tests).filter(|(_, test)| test.exact && of(test).contains(&wanted)).map(|(i, _)| i).collect();
        let tests = &pack.pack().tests;
        let exactly = holding.iter().copied().find(|i| tests.get(*i).is_some_and(|t| of(t) == wanted));
        let test = match (exactly, &holding[..]) {
            (Some(one), _) | (None, &[one]) => one,
            (None, []) => {
                let help = "Only tests that ask for odds have any: those with `expect odds of`, `mean of` or `spread of`.";
                return Err(Trouble::new(format!("No test about odds has the words `{words}`.")).help(help));
            }
            (None, several) => {
                let names: Vec<String> =
                    several.iter().take(8).filter_map(|i| tests.get(*i)).map(|t| format!("\"{}\"", pack.text(t.words))).collect();
                return Err(
                    Trouble::new(format!("{} tests have these words.", several.len())).help(format!("Name one of {}.", names.join(", ")))
                );
            }
        };
        let sites = tests.get(test).map_or(&[][..], |t| &t.measures);
        let measures = sites.iter().map(|m| measured(pack.site_words(m.site))).collect();
        Ok(Some(Self { pack, test, measures, has_goal: false }))
    }
}

/// `b.wounds` of `expect mean of b.wounds == 2`.
fn measured(words: &str) -> String {
    let behind = words.split_once(" of ").map_or(words, |(_, behind)| behind);
    behind.rsplit_once(" == ").map_or(behind, |(what, _)| what).trim().to_owned()
}

fn complains(checked: &Checked, session: &Session, measure: usize) -> bool {
    let Some(file) = session.open.first().and_then(|open| open.project.files.last()) else {
        return false;
    };
    let Some((start, end)) = line_of(&file.text, measure) else {
        return false;
    };
    checked
        .found
        .iter()
        .any(|l| l.file == file.shown && (l.diagnostic.span.start as usize) >= start && (l.diagnostic.span.start as usize) < end)
}

/// Where the line of the n-th measure is, from 1.
fn line_of(text: &str, measure: usize) -> Option<(usize, usize)> {
    let mark = format!("// measure {measure}\n");
    let start = text.find(&mark)? + mark.len();
    let next = text.get(start..)?.find("  // measure ").or_else(|| text.get(start..)?.rfind('}'))?;
    Some((start, start + next))
}

/// Puts the test into the project and checks everything.
fn put(args: &Odds, session: &mut Session, measures: &[String], forms: &[Form]) -> Checked {
    let Some((open, id)) = session.open.first_mut().and_then(|open| open.id.map(|id| (open, id))) else {
        // Nothing can be compiled, and what is wrong is said when everything is checked.
        return Checked::default();
    };
    let project = &mut open.project;
    // Nothing that is wrong shall be hidden because it stands in another file.
    project.target.only.clear();
    let shown = match project.root.as_str() {
        "" | "." => FILE.to_owned(),
        root => format!("{}/{FILE}", root.trim_end_matches('/')),
    };
    project.files.retain(|file| file.shown != shown);
    let text = written(args, &uses(project), measures, forms);
    project.files.push(SourceText { path: PathBuf::from(&shown), shown: shown.clone(), text: text.clone(), not_utf8: None });
    session.workspace.set_text(id, &shown, Some(text));
    session.workspace.check(id)
}

/// The rule system, if it comes with Banneret, and every folder of the project, so that all of its cards can be named.
fn uses(project: &Project) -> Vec<String> {
    let manifest = project.manifest.as_ref();
    let mut all: Vec<String> = manifest.map(|m| m.rules.clone()).filter(|rules| stdlib::library(rules).is_some()).into_iter().collect();
    let slashed = |path: &str| path.replace('\\', "/");
    let root = slashed(&project.root);
    let sources: Vec<&str> =
        manifest.map_or(&[][..], |m| &m.sources).iter().map(|s| s.trim_start_matches("./").trim_matches('/')).collect();
    let changes = manifest.map_or(&[][..], |m| &m.changes);
    for file in &project.files {
        let path = slashed(&file.shown);
        let below = path.strip_prefix(root.trim_end_matches('/')).unwrap_or(&path).trim_start_matches('/');
        let inner = sources.iter().filter(|s| !s.is_empty() && **s != ".").find_map(|s| below.strip_prefix(s)?.strip_prefix('/'));
        // what changes a package belongs to it
        let is_change = |folder: &str| below.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
        if changes.iter().any(|change| is_change(&change.folder)) {
            continue;
        }
        if let Some((folder, _)) = inner.unwrap_or(below).rsplit_once('/') {
            let module = folder.replace('/', ".");
            if !all.contains(&module) {
                all.push(module);
            }
        }
    }
    all
}

fn written(args: &Odds, uses: &[String], measures: &[String], forms: &[Form]) -> String {
    let mut text = String::new();
    for module in uses {
        text.push_str(&format!("use {module}\n"));
    }
    let with = match args.with.is_empty() {
        true => String::new(),
        false => format!(" with {}", args.with.join(", ")),
    };
    text.push_str(&format!("\ntest \"{WORDS}\"{with} {{\n"));
    for given in &args.given {
        text.push_str(&format!("  given {given}\n"));
    }
    for answers in &args.answers {
        text.push_str(&format!("  answers {answers}\n"));
    }
    for deed in &args.deeds {
        text.push_str(&format!("  {}\n", statement(deed)));
    }
    for (i, (measure, form)) in measures.iter().zip(forms).enumerate() {
        text.push_str(&format!("  // measure {}\n", i + 1));
        text.push_str(&match form {
            Form::Number => format!("  expect spread of {measure} == []\n"),
            Form::Condition => format!("  expect odds of ({measure}) == 1\n"),
        });
    }
    text.push_str("}\n");
    text
}

/// `do` before a sentence; a line that sets or grants something stays as it is.
fn statement(deed: &str) -> String {
    let first = deed.split_whitespace().next().unwrap_or_default();
    let plain = ["do", "let", "grant", "for", "if", "repeat", "together", "may", "choose", "pay"].contains(&first);
    let sets = [" = ", " += ", " -= "].iter().any(|op| deed.contains(op));
    match plain || sets {
        true => deed.to_owned(),
        false => format!("do {deed}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_test_measures_is_found() {
        assert_eq!(measured("expect mean of b.wounds == 2"), "b.wounds");
        assert_eq!(measured("expect odds of (b.wounds == 0) == 1/4"), "(b.wounds == 0)");
    }

    #[test]
    fn sentences_are_done() {
        assert_eq!(statement("strike b by a"), "do strike b by a");
        assert_eq!(statement("b.wounds = 2"), "b.wounds = 2");
        assert_eq!(statement("grant b { x +1 } for the game"), "grant b { x +1 } for the game");
    }
}
