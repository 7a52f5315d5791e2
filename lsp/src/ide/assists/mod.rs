//! Things an editor can write for somebody, besides repairs: what is named and not there yet, an entry of a roster, a test, the number that is measured.

mod create;
mod keywords;
mod roster;
mod says;
mod templates;
mod testing;

use banneret_compiler::db::SourceFile;
use banneret_compiler::diagnostic::Located;
use banneret_grammar::span::Span;

use super::Ide;
use super::references::Renaming;

pub use testing::{Around, Later, later, offered_later};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assist {
    pub title: String,
    pub edits: Vec<Renaming>,
    /// What it mends, by its place among what was found.
    pub mends: Option<usize>,
}

/// What can be written for somebody in a stretch of a file, given everything that was found in it.
pub fn assists(ide: Ide<'_>, file: SourceFile, range: Span, found: &[Located]) -> Vec<Assist> {
    let mut out = create::missing(ide, file, range, found);
    out.extend(roster::joined(ide, file, range.start));
    out
}

/// Where something new is put: behind the item at an offset, as a paragraph of its own.
fn behind(ide: Ide<'_>, file: SourceFile, offset: u32, text: &str) -> Option<Renaming> {
    let item = ide.item_at(file, offset)?;
    let end = item.start(ide.db) + item.text(ide.db).trim_end().len() as u32;
    Some((file, Span::new(end, end), format!("\n\n{}", text.trim_end())))
}
