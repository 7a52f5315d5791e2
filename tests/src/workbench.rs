//! One project that is checked again and again with other files, as an editor would.

use std::sync::Arc;

use banneret_cards::Checker;
use banneret_cards::picture::{Picture, Pictures, Unreadable};
use banneret_compiler::api::{Checked, ProjectId, Workspace};
use banneret_compiler::diagnostic::{Fix, Located, Severity};
use banneret_compiler::manifest::Manifest;

use crate::place::{Place, place};

pub struct Workbench {
    workspace: Workspace,
    project: ProjectId,
    open: Vec<String>,
}

impl Default for Workbench {
    fn default() -> Self {
        let mut workspace = Workspace::new();
        let project = workspace.open(Manifest::loose("bench"), String::new(), Vec::new());
        Self { workspace, project, open: Vec::new() }
    }
}

impl Workbench {
    /// Everything found in a project of just these files.
    pub fn check(&mut self, files: &[(&str, &str)]) -> Checked {
        let gone: Vec<String> = self.open.iter().filter(|open| !files.iter().any(|(path, _)| path == open)).cloned().collect();
        for path in gone {
            self.workspace.set_text(self.project, &path, None);
        }
        for (path, text) in files {
            self.workspace.set_text(self.project, path, Some((*text).to_string()));
        }
        self.open = files.iter().map(|(path, _)| (*path).to_string()).collect();
        self.workspace.check(self.project)
    }

    /// The machine code of the files that were checked last; nothing if there are mistakes in them.
    pub fn code(&self) -> Option<Vec<u8>> {
        self.workspace.build(self.project).ok()?.to_bytes().ok()
    }

    /// The same, and what does not fit on the cards. As the command does it, cards are laid out only if nothing else is wrong.
    pub fn check_and_lay_out(&mut self, files: &[(&str, &str)]) -> Vec<Located> {
        let checked = self.check(files);
        let errors = checked.has_errors();
        let mut found = checked.found;
        if !errors {
            found.extend(Checker::default().check(&self.workspace.printed(self.project), &EveryPicture));
        }
        found
    }
}

/// Every picture is there, and no two are the same.
pub struct EveryPicture;

impl Pictures for EveryPicture {
    fn picture(&self, path: &str) -> Result<Arc<Picture>, Unreadable> {
        let apart: u32 = path.bytes().fold(7, |sum, byte| (sum * 31 + u32::from(byte)) % 9973);
        let drawing =
            format!("<svg xmlns='http://www.w3.org/2000/svg' width='63' height='88'><rect x='0.{apart:04}' width='63' height='88'/></svg>");
        Picture::read(drawing.as_bytes()).map(Arc::new)
    }
}

/// Where the message is in the text of its file.
pub fn place_of(found: &Located, text: &str) -> Place {
    place(text, found.diagnostic.span.start)
}

/// `LINE:COL: severity[code]: headline`
pub fn one_line(found: &Located, text: &str) -> String {
    let d = &found.diagnostic;
    let severity = match d.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    format!("{}: {severity}[{}]: {}", place_of(found, text), d.code, d.headline)
}

/// The text with a repair made; edits may stand in any order.
pub fn repaired(text: &str, fix: &Fix) -> String {
    let mut edits: Vec<_> = fix.edits.iter().collect();
    edits.sort_by_key(|(span, _)| std::cmp::Reverse((span.start, span.end)));
    let mut out = text.to_string();
    for (span, new) in edits {
        out.replace_range(span.start as usize..span.end as usize, new);
    }
    out
}
