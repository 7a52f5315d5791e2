//! What can be done about what is wrong: the repairs that diagnostics carry, and all safe ones at once.

use banneret_compiler::api::{Packages, Workspace};
use banneret_compiler::diagnostic::Located;
use banneret_compiler::fixes;
use banneret_compiler::manifest::Manifest;
use banneret_grammar::span::Span;

use super::formatting;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    pub title: String,
    pub edits: Vec<(Span, String)>,
    /// What it mends, by its place among what was found.
    pub mends: usize,
    /// Safe to do without looking.
    pub safe: bool,
}

/// What can be done in a stretch of a file, given everything that was found in it.
pub fn actions(range: Span, found: &[Located]) -> Vec<Action> {
    let mut out = Vec::new();
    for (mends, located) in found.iter().enumerate() {
        let d = &located.diagnostic;
        if d.span.start > range.end || d.span.end < range.start {
            continue;
        }
        for fix in &d.fixes {
            out.push(Action { title: fix.title.clone(), edits: fix.edits.clone(), mends, safe: fix.safe });
        }
    }
    out
}

/// A project whose file is to be mended: all that is needed, so that nobody has to wait until that is done.
pub struct Repair {
    pub manifest: Manifest,
    pub root: String,
    pub packages: Packages,
    pub texts: Vec<(String, String)>,
    /// The file that is mended.
    pub file: String,
    /// What was found in it.
    pub found: Vec<Located>,
}

impl Repair {
    /// Whether there is anything to do.
    pub fn is_possible(&self) -> bool {
        self.found.iter().any(|l| fixes::choice(&l.diagnostic, false).is_some())
    }

    /// Makes every safe repair, then those that became possible, and so on, in a workspace of its own.
    pub fn edits(self, mut workspace: Workspace) -> Vec<(Span, String)> {
        let Some((_, original)) = self.texts.iter().find(|(name, _)| *name == self.file) else { return Vec::new() };
        let (original, mut text) = (original.clone(), original.clone());
        let (mut found, mut project) = (self.found, None);
        for _ in 0..fixes::ROUNDS {
            let safe: Vec<_> = found.iter().filter_map(|l| fixes::choice(&l.diagnostic, false)).collect();
            let (mended, titles) = fixes::apply(&text, &safe);
            if titles.is_empty() {
                break;
            }
            text = mended;
            let project = *project
                .get_or_insert_with(|| workspace.open_with(self.manifest.clone(), self.root.clone(), self.texts.clone(), &self.packages));
            workspace.set_text(project, &self.file, Some(text.clone()));
            found = workspace.check(project).found;
            found.retain(|l| l.file == self.file);
        }
        formatting::between(&original, &text, 0)
    }
}
