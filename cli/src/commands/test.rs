//! `banneret test`: runs the tests that are written in the sources.

mod coverage;
mod rulebooks;
mod story;
mod suite;

use std::io::Write;

use banneret_compiler::api::{BuildError, ProjectId};
use banneret_compiler::stdlib::{self, Library};
use banneret_runtime::loaded::Loaded;
use banneret_runtime::pack::{FORMAT, Pack};

use self::suite::Suite;
use crate::args::{Format, Test};
use crate::report::Report;
use crate::session::{Open, Session};
use crate::sources::{Project, find};
use crate::terminal::{Out, Progress, Terminal};
use crate::trouble::Trouble;
use crate::{Outcome, render};

pub fn run(args: &Test, terminal: &Terminal, out: &mut Out) -> Result<Outcome, Trouble> {
    let format = args.format.message_format;
    let mut report = Report::default();
    let suites = match args.library.is_empty() {
        true => of_projects(args, &mut report)?,
        false => of_libraries(&args.library, &mut report)?,
    };
    let mut progress = Progress::new("Testing", suites.len());
    let (mut passed, mut failed) = (0, 0);
    let left_out: usize = suites.iter().map(|suite| suite.left_out).sum();
    for suite in &suites {
        progress.step(&suite.name);
        let ran = suite.run(args.filter.as_deref());
        passed += ran.passed;
        failed += ran.failures.len();
        ran.failures.into_iter().for_each(|failure| report.find(failure));
    }
    drop(progress);
    render::findings(out, &report, format, terminal)?;
    if let Some(filter) = args.filter.as_deref().filter(|_| passed + failed == 0) {
        let _ = writeln!(std::io::stderr(), "No test has `{filter}` in its words or in the rules it covers.");
    }
    let complete = !args.coverage || coverage::is_complete(&suites);
    if render::for_people(format) {
        if args.coverage {
            coverage::print(&suites, terminal, out)?;
        }
        writeln!(out, "{}", counts(passed, failed, left_out))?;
    } else {
        match format {
            Format::Json if args.coverage => coverage::print_json(&suites, out)?,
            // The others have no place for it.
            _ if args.coverage => coverage::print(&suites, terminal, &mut std::io::stderr())?,
            _ => {}
        }
        out.flush()?;
        let _ = writeln!(std::io::stderr(), "{}", counts(passed, failed, left_out));
    }
    Ok(if report.errors() > 0 || !complete { Outcome::Found } else { Outcome::Fine })
}

/// What came of the tests of a project.
#[derive(Default)]
pub struct Tested {
    pub passed: usize,
    pub failed: usize,
    /// Rules of its rulebooks that no test covers, or that tests name and the rulebooks do not have; None if there is no rulebook.
    pub uncovered: Option<usize>,
}

/// Runs the tests of a project without mistakes.
pub fn tested(session: &Session, open: &Open, id: ProjectId) -> Result<Tested, Trouble> {
    let books = rulebooks::of_project(&open.project)?;
    let Some(suite) = suite(session, id, &open.project, books, &mut Report::default())? else { return Ok(Tested::default()) };
    let ran = suite.run(None);
    let uncovered = (!suite.books.is_empty()).then(|| coverage::open_rules(&suite));
    Ok(Tested { passed: ran.passed, failed: ran.failures.len(), uncovered })
}

fn counts(passed: usize, failed: usize, left_out: usize) -> String {
    let more = if left_out > 0 { format!(", {left_out} not run because of mistakes") } else { String::new() };
    format!("{passed} passed, {failed} failed{more}")
}

/// What is wrong with the projects goes into the report; of those with errors the tests are run that have nothing to do with them.
fn of_projects(args: &Test, report: &mut Report) -> Result<Vec<Suite>, Trouble> {
    let session = Session::new(&find(&args.paths.paths)?)?;
    let mut suites = Vec::new();
    for open in &session.open {
        let before = report.errors();
        session.check_one(open, report);
        let Some(id) = open.id else {
            continue;
        };
        let books = rulebooks::of_project(&open.project)?;
        suites.extend(match report.errors() == before {
            true => suite(&session, id, &open.project, books, report)?,
            false => sound_suite(&session, id, &open.project, books),
        });
    }
    Ok(suites)
}

fn of_libraries(names: &[String], report: &mut Report) -> Result<Vec<Suite>, Trouble> {
    let mut session = Session::new(&[])?;
    let mut suites = Vec::new();
    for library in chosen(names)? {
        let Some(id) = session.workspace.open_library(library.name) else {
            continue;
        };
        let project = Project::of_library(&library);
        let checked = session.workspace.check(id);
        let before = report.errors();
        report.add(&project, &checked.found, &checked.problems);
        if report.errors() == before {
            suites.extend(suite(&session, id, &project, rulebooks::of_library(&library), report)?);
        }
    }
    Ok(suites)
}

fn chosen(names: &[String]) -> Result<Vec<Library>, Trouble> {
    let systems = stdlib::rule_systems();
    if names.iter().any(|name| name == "all") {
        return Ok(stdlib::libraries());
    }
    let unknown = |name: &str| {
        let help = match banneret_compiler::manifest::nearest(name, &systems) {
            Some(near) => format!("Did you mean `{near}`?"),
            None => format!("There are {}.", systems.join(", ")),
        };
        Trouble::new(format!("No rule system called `{name}` comes with Banneret.")).help(help)
    };
    names.iter().map(|name| stdlib::library(name).ok_or_else(|| unknown(name))).collect()
}

fn suite(
    session: &Session,
    id: ProjectId,
    project: &Project,
    books: Vec<rulebooks::Rulebook>,
    report: &mut Report,
) -> Result<Option<Suite>, Trouble> {
    let name = project.name();
    match session.workspace.build(id) {
        // The machine looks at every pack before it runs it.
        Ok(pack) => match Loaded::new(pack) {
            Ok(pack) => Ok(Some(Suite { name, pack, books, files: session.workspace.files_below(id), left_out: 0 })),
            Err(refused) => Err(super::build::internal(&name, &refused.to_string())),
        },
        Err(BuildError::Found(checked)) => {
            report.add(project, &checked.found, &checked.problems);
            Ok(None)
        }
        Err(BuildError::Internal(words)) => Err(super::build::internal(&name, &words)),
    }
}

/// The tests of a project with mistakes that do without what is wrong.
fn sound_suite(session: &Session, id: ProjectId, project: &Project, books: Vec<rulebooks::Rulebook>) -> Option<Suite> {
    let written = session.workspace.count_tests(id);
    let pack = session.workspace.build_error_free(id).and_then(|pack| Loaded::new(pack).ok());
    let pack = pack.or_else(|| Loaded::new(Pack { format: FORMAT, ..Pack::default() }).ok())?;
    let left_out = written.saturating_sub(pack.pack().tests.len());
    Some(Suite { name: project.name(), pack, books, files: session.workspace.files_below(id), left_out })
}
