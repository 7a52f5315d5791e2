//! The tests of one pack, run on all cores.

use std::collections::{BTreeSet, HashMap};

use banneret_compiler::diagnostic::Diagnostic;
use banneret_compiler::measure::failed;
use banneret_grammar::span::Span;
use banneret_runtime::ids::{SiteId, StrId};
use banneret_runtime::loaded::Loaded;
use banneret_runtime::pack::Test;
use banneret_runtime::testing::{TestFailure, TestOutcome, run_test};
use rayon::prelude::*;

use super::rulebooks::Rulebook;
use super::story;
use crate::report::{Finding, of_source};

pub struct Suite {
    pub name: String,
    pub pack: Loaded,
    pub books: Vec<Rulebook>,
    /// The files of the project: below its folder, and as they are shown.
    pub files: HashMap<String, String>,
    /// Tests that cannot be run because of mistakes in what they are about.
    pub left_out: usize,
}

pub struct Ran {
    pub passed: usize,
    /// In the order of the tests.
    pub failures: Vec<Finding>,
}

impl Suite {
    /// Runs the tests whose words or covered rules contain the filter.
    pub fn run(&self, filter: Option<&str>) -> Ran {
        crate::budget::doing(format!("testing `{}`", self.name));
        let filter = filter.map(str::to_lowercase);
        let holds = |id: StrId| {
            let text = self.text(id).to_lowercase();
            filter.as_ref().is_none_or(|f| text.contains(f))
        };
        let wanted = |test: &&Test| holds(test.words) || test.covers.iter().any(|id| holds(*id));
        let chosen: Vec<&Test> = self.pack.pack().tests.iter().filter(wanted).collect();
        let failures: Vec<Finding> = chosen.par_iter().filter_map(|test| self.run_one(test)).collect();
        Ran { passed: chosen.len() - failures.len(), failures }
    }

    fn run_one(&self, test: &Test) -> Option<Finding> {
        match run_test(&self.pack, test, banneret_odds::judge) {
            TestOutcome::Passed { .. } => None,
            TestOutcome::Failed(mut failure) => {
                // Whoever asks for odds looks at all ways at once: there is no story.
                let story = if test.exact { Vec::new() } else { story::told(&self.pack, test) };
                if !story.is_empty() {
                    failure.trace = story;
                }
                Some(self.finding(test, *failure))
            }
        }
    }

    /// A failed test as a mistake where it happened.
    fn finding(&self, test: &Test, failure: TestFailure) -> Finding {
        let place = |id: SiteId| self.pack.pack().sites.get(id.index());
        let at = failure.site.and_then(place).or_else(|| place(test.site));
        let (file, span) =
            at.map_or((String::new(), Span::default()), |site| (self.file(site.file).to_owned(), Span::new(site.start, site.end)));
        let (headline, notes) = failed(self.text(test.words), &failure);
        let mut diagnostic = Diagnostic::error("test-failed", span, headline);
        // Inside of a rule it is not seen which line of which file the test is.
        if let Some(start) = place(test.site).filter(|start| Some(start.file) != at.map(|a| a.file)) {
            diagnostic = diagnostic.note(format!("the test is at {}:{}", self.file(start.file), start.line));
        }
        diagnostic.notes.extend(notes);
        of_source(file, diagnostic)
    }

    /// Packs know files by their places below the project's folder.
    fn file(&self, id: StrId) -> &str {
        let below = self.text(id);
        self.files.get(below).map_or(below, String::as_str)
    }

    fn text(&self, id: StrId) -> &str {
        self.pack.pack().strings.get(id.index()).map_or("", String::as_str)
    }

    /// Every rule that some test covers.
    pub fn covered(&self) -> BTreeSet<String> {
        let tests = &self.pack.pack().tests;
        tests.iter().flat_map(|test| &test.covers).map(|id| self.text(*id).to_owned()).collect()
    }
}
