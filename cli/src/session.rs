//! Projects, read and opened in one workspace, and kept up to date with their files.

use std::sync::Arc;

use banneret_compiler::api::Language;
use banneret_compiler::api::{PrintedFile, ProjectId, Workspace};
use banneret_compiler::diagnostic::Located;

use crate::report::Report;
use crate::sources::library::workspace;
use crate::sources::{Art, PrintCheck, Project, Target, catalogue};
use crate::terminal::Progress;
use crate::trouble::Trouble;

pub struct Session {
    pub workspace: Workspace,
    pub open: Vec<Open>,
}

pub struct Open {
    pub project: Project,
    /// None if its manifest cannot be read: there is nothing to compile then.
    pub id: Option<ProjectId>,
    /// Knows the cards that were laid out before.
    prints: PrintCheck,
    art: Arc<Art>,
}

/// What is wrong with a project that is not finished.
#[derive(Default)]
pub struct Draft {
    /// Of what its cards and rules mean.
    pub meaning: Vec<Located>,
    /// Of how its cards print.
    pub print: Vec<Located>,
    /// The project itself cannot be read as it is.
    pub is_blocked: bool,
}

impl Session {
    pub fn new(targets: &[Target]) -> Result<Self, Trouble> {
        let mut session = Session { workspace: workspace()?, open: Vec::new() };
        for target in targets {
            let project = Project::read(target)?;
            session.open_project(project);
        }
        Ok(session)
    }

    /// All cards speak this language from now on.
    pub fn speak(&mut self, language: Option<Language>) -> Result<(), Trouble> {
        let Some(language) = language else { return Ok(()) };
        for open in &self.open {
            if let Some(id) = open.id {
                self.workspace.set_speech(id, Some(catalogue::speech(&open.project, language)?));
            }
        }
        Ok(())
    }

    fn open_project(&mut self, project: Project) {
        let id = project
            .manifest
            .clone()
            .map(|manifest| self.workspace.open_with(manifest, project.root.clone(), project.texts(), &project.needed.packages));
        crate::budget::read(project.files.iter().map(|file| file.text.len()).sum());
        let art = Arc::new(Art::of(&project));
        self.open.push(Open { project, id, prints: PrintCheck::default(), art });
    }

    /// Checks every project.
    pub fn check(&self) -> Report {
        let mut report = Report::default();
        let mut progress = Progress::new("Checking", self.open.len());
        for open in &self.open {
            progress.step(&open.project.name());
            self.check_one(open, &mut report);
        }
        report
    }

    pub fn check_one(&self, open: &Open, report: &mut Report) {
        crate::budget::doing(format!("checking `{}`", open.project.name()));
        let Some(id) = open.id else {
            report.add(&open.project, &[], &[]);
            return;
        };
        let mut checked = self.workspace.check(id);
        if !checked.has_errors() {
            // only what means something can be printed
            let files = self.workspace.printed_by_file(id);
            let wrong = open.prints.check(&files, &open.art, &|| false).unwrap_or_default();
            checked.found.extend(self.workspace.at_colours(id, wrong));
        }
        report.add(&open.project, &checked.found, &checked.problems);
        report.cards += checked.cards;
        report.todos += checked.todos;
    }

    /// Checks a project whose cards are printed or played as far as they are finished.
    pub fn draft(&self, open: &Open, report: &mut Report) -> Draft {
        crate::budget::doing(format!("checking `{}`", open.project.name()));
        let mut draft = Draft::default();
        let Some(id) = open.id else {
            report.add(&open.project, &[], &[]);
            return draft;
        };
        let checked = self.workspace.check(id);
        draft.is_blocked = !checked.problems.is_empty() || !open.project.problems.is_empty();
        draft.meaning = checked.found;
        // of a card that has other mistakes nobody wants to know how it would print
        if let Some((cards, _)) = self.workspace.printed_without(id, &draft.meaning) {
            let mut files: Vec<PrintedFile> = Vec::new();
            for card in cards {
                match files.last_mut().filter(|file| file.file == card.file) {
                    Some(file) => file.cards.push(card),
                    None => files.push(PrintedFile { file: card.file.clone(), cards: vec![card] }),
                }
            }
            let files: Vec<Arc<PrintedFile>> = files.into_iter().map(Arc::new).collect();
            let wrong = open.prints.check(&files, &open.art, &|| false).unwrap_or_default();
            draft.print = self.workspace.at_colours(id, wrong);
        }
        let found: Vec<Located> = draft.meaning.iter().chain(&draft.print).cloned().collect();
        report.add(&open.project, &found, &checked.problems);
        report.cards += checked.cards;
        report.todos += checked.todos;
        draft
    }

    /// Puts a new text in place of a file's; the file itself is not written.
    pub fn set_text(&mut self, project: usize, file: usize, text: String) {
        let Some(open) = self.open.get_mut(project) else {
            return;
        };
        let Some(source) = open.project.files.get_mut(file) else {
            return;
        };
        source.text.clone_from(&text);
        if let Some(id) = open.id {
            self.workspace.set_text(id, &source.shown, Some(text));
        }
    }

    /// Reads everything again and hands the compiler what changed. Says whether anything did.
    pub fn refresh(&mut self, targets: &[Target]) -> Result<bool, Trouble> {
        let projects: Vec<Project> = targets.iter().map(Project::read).collect::<Result<_, _>>()?;
        let mut changed = self.open.len() != projects.len();
        let mut before = std::mem::take(&mut self.open);
        for project in projects {
            let known = before.iter().position(|open| open.project.target == project.target);
            let Some(known) = known.map(|i| before.swap_remove(i)) else {
                changed = true;
                self.open_project(project);
                continue;
            };
            // A changed manifest or package may change everything: it is opened anew.
            let same_manifest = known.project.manifest == project.manifest
                && known.project.manifest_text == project.manifest_text
                && known.project.needed == project.needed;
            let Some(id) = known.id.filter(|_| same_manifest) else {
                changed |= !same_manifest;
                self.open_project(project);
                continue;
            };
            changed |= known.project.problems != project.problems;
            for (path, text) in changes(&known.project, &project) {
                changed = true;
                self.workspace.set_text(id, &path, text);
            }
            let art = known.art.looked_at_again().map(Arc::new);
            changed |= art.is_some();
            self.open.push(Open { project, art: art.unwrap_or(known.art), id: known.id, prints: known.prints });
        }
        Ok(changed)
    }
}

/// Which files are new or different, and which are gone (None).
fn changes(before: &Project, after: &Project) -> Vec<(String, Option<String>)> {
    let mut found = Vec::new();
    for file in &after.files {
        if before.files.iter().all(|old| old.shown != file.shown || old.text != file.text) {
            found.push((file.shown.clone(), Some(file.text.clone())));
        }
    }
    for file in &before.files {
        if after.files.iter().all(|new| new.shown != file.shown) {
            found.push((file.shown.clone(), None));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::find::Kind;
    use crate::sources::project::SourceText;

    fn project(files: &[(&str, &str)]) -> Project {
        let file = |(path, text): &(&str, &str)| SourceText {
            path: path.into(),
            shown: (*path).to_owned(),
            text: (*text).to_owned(),
            not_utf8: None,
        };
        Project {
            target: Target { root: "/p".into(), kind: Kind::Folder, only: Vec::new() },
            root: "p".to_owned(),
            manifest: None,
            manifest_text: None,
            files: files.iter().map(file).collect(),
            needed: Default::default(),
            problems: Vec::new(),
        }
    }

    #[test]
    fn only_what_changed_is_handed_on() {
        let before = project(&[("a", "1"), ("b", "2"), ("c", "3")]);
        let after = project(&[("a", "1"), ("b", "9"), ("d", "4")]);
        let text = |s: &str| Some(s.to_owned());
        let expected = [("b", text("9")), ("d", text("4")), ("c", None)];
        let expected: Vec<_> = expected.into_iter().map(|(p, t)| (p.to_owned(), t)).collect();
        assert_eq!(changes(&before, &after), expected);
        assert!(changes(&before, &before).is_empty());
    }
}
