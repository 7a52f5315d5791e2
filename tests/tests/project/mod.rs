//! A project made in code: checked, built, and its tests run.

#![allow(dead_code)]

use banneret_compiler::api::{BuildError, Stage, Workspace};
use banneret_compiler::diagnostic::Severity;
use banneret_compiler::manifest::Manifest;
use banneret_runtime::loaded::Loaded;
use banneret_runtime::testing::{TestOutcome, run_test};

pub type Files = Vec<(String, String)>;

/// One message, without its place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Said {
    pub severity: &'static str,
    pub code: String,
    pub headline: String,
    pub file: String,
    pub line: usize,
}

impl std::fmt::Display for Said {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}: {}[{}]: {}", self.file, self.line, self.severity, self.code, self.headline)
    }
}

/// What came of a project.
#[derive(Default)]
pub struct Outcome {
    pub said: Vec<Said>,
    pub passed: usize,
    pub cards: usize,
}

impl Outcome {
    pub fn codes(&self) -> Vec<String> {
        let mut codes: Vec<String> = self.said.iter().map(|s| s.code.clone()).collect();
        codes.sort();
        codes.dedup();
        codes
    }

    /// Nothing to say against it.
    pub fn complaints(&self) -> Vec<String> {
        self.said.iter().map(Said::to_string).collect()
    }

    fn fails(&mut self, code: &str, headline: String) {
        self.said.push(Said { severity: "error", code: code.to_string(), headline, file: String::new(), line: 0 });
    }
}

/// Projects over one workspace, so that the rule systems are read once.
#[derive(Default)]
pub struct Bench {
    workspace: Workspace,
}

impl Bench {
    pub fn run(&mut self, files: &Files) -> Outcome {
        let project = self.workspace.open(Manifest::loose("example"), String::new(), files.clone());
        let checked = self.workspace.check(project);
        let mut out = Outcome { cards: checked.cards, ..Outcome::default() };
        for found in &checked.found {
            let text = files.iter().find(|(path, _)| *path == found.file).map_or("", |(_, text)| text);
            let start = (found.diagnostic.span.start as usize).min(text.len());
            out.said.push(Said {
                severity: match found.diagnostic.severity {
                    Severity::Error => "error",
                    Severity::Warning => "warning",
                },
                code: found.diagnostic.code.to_string(),
                headline: found.diagnostic.headline.clone(),
                file: found.file.clone(),
                line: text.as_bytes()[..start].iter().filter(|b| **b == b'\n').count() + 1,
            });
        }
        if checked.has_errors() {
            return out;
        }
        match self.workspace.build(project) {
            Ok(pack) => match Loaded::new(pack) {
                Ok(pack) => {
                    for test in &pack.tests {
                        match run_test(&pack, test, banneret_odds::judge) {
                            TestOutcome::Passed { .. } => out.passed += 1,
                            TestOutcome::Failed(why) => {
                                let words = pack.strings.get(test.words.0 as usize).map_or("", String::as_str);
                                out.fails("test-failed", format!("The test \"{words}\" failed: {}", why.words));
                            }
                        }
                    }
                }
                Err(refused) => out.fails("cannot-build", format!("the pack is refused: {refused:?}")),
            },
            Err(BuildError::Internal(words)) => out.fails("cannot-build", words),
            Err(BuildError::Found(found)) => {
                for located in found.found {
                    out.fails(located.diagnostic.code.as_str(), located.diagnostic.headline);
                }
            }
        }
        out
    }
}

impl Bench {
    /// The words on a card.
    pub fn words(&mut self, files: &Files, card: &str) -> Option<String> {
        let project = self.workspace.open(Manifest::loose("example"), String::new(), files.clone());
        self.workspace.show(project, card, Stage::Text)
    }
}
