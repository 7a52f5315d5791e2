//! What can be done about what is wrong: the repairs that diagnostics carry, and all safe ones at once.

use banneret_compiler::db::SourceFile;
use banneret_compiler::diagnostic::Located;
use banneret_compiler::fixes;
use banneret_grammar::span::Span;

use super::{Ide, formatting};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    pub title: String,
    pub edits: Vec<(Span, String)>,
    pub kind: ActionKind,
    /// What it mends, by its place among what was found.
    pub mends: Option<usize>,
    /// Safe to do without looking.
    pub safe: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionKind {
    Quickfix,
    FixAll,
}

/// What can be done in a stretch of a file, given everything that was found in it.
pub fn actions(ide: Ide<'_>, file: SourceFile, range: Span, found: &[&Located]) -> Vec<Action> {
    let text: &str = file.text(ide.db);
    let mut out = Vec::new();
    for (i, located) in found.iter().enumerate() {
        let d = &located.diagnostic;
        if d.span.start > range.end || d.span.end < range.start {
            continue;
        }
        for fix in &d.fixes {
            let edits = fix.edits.clone();
            out.push(Action { title: fix.title.clone(), edits, kind: ActionKind::Quickfix, mends: Some(i), safe: fix.safe });
        }
    }
    let safe: Vec<_> = found.iter().filter_map(|l| fixes::choice(&l.diagnostic, false)).collect();
    let (mended, titles) = fixes::apply(text, &safe);
    if !titles.is_empty() {
        let edits = formatting::between(text, &mended, 0);
        let title = "Mend everything that can be mended safely".to_owned();
        out.push(Action { title, edits, kind: ActionKind::FixAll, mends: None, safe: true });
    }
    out
}
