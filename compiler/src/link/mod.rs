//! Joins lowered items into one pack.
//!
//! The only place that knows every item at once, so it does as little as possible: number the names, move the symbolic ids to those numbers, and
//! work out what kinds take over from each other. Everything with a name is sorted by it and everything else by where it stands, so the same
//! sources give the same bytes in whatever order they come. Deliberately absent: types and checks; a name that is missing here is a mistake of the
//! compiler, not of the author.

mod names;
mod tables;
mod reloc;
mod kinds;
mod handlers;
mod log;
mod start;
mod assemble;

use std::collections::BTreeMap;

use banneret_grammar::span::Span;
use banneret_runtime::ids::{CardId, SiteId};
use banneret_runtime::pack::Pack;
use banneret_runtime::table::Board;

use crate::hir::Key;
use crate::lower::Lowered;

/// An item and where it stands.
#[derive(Clone, Copy, Debug)]
pub struct LinkInput<'a> {
    /// As it is shown to people.
    pub file: &'a str,
    /// Below its project's folder: what stands in the pack.
    pub below: &'a str,
    /// Byte offset of the item in the file.
    pub item_start: u32,
    /// Byte offsets of the starts of the file's lines; the first is 0.
    pub line_starts: &'a [u32],
    pub lowered: &'a Lowered,
}

/// What the manifest and the text generator add.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Project {
    pub name: String,
    pub version: String,
    /// Names and versions of the rule systems in use; if empty, those the sources declare.
    pub rulesets: Vec<(String, String)>,
    /// The phase that plays a game; if None, the one a rule system names.
    pub start: Option<Key>,
    /// Rules text of cards. A card without an entry has the text its author wrote, or none.
    pub texts: BTreeMap<Key, String>,
    /// How its rules measure.
    pub board: Board,
    /// Base lengths and their signs.
    pub lengths: Vec<(String, String)>,
}

/// A pack, and where its things come from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Linked {
    pub pack: Pack,
    pub spans: Spans,
    /// The key of each card, kind and field, by its number.
    pub cards: Vec<Key>,
    pub kinds: Vec<Key>,
    pub fields: Vec<Key>,
}

/// Where sites and cards stand in the sources.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spans {
    files: Vec<String>,
    sites: Vec<Place>,
    cards: Vec<Place>,
}

/// A span of one of the files. There is one for nearly every instruction, so they are small.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Place {
    file: u32,
    start: u32,
    end: u32,
}

/// A range of bytes of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceSpan {
    pub file: String,
    pub start: u32,
    pub end: u32,
}

impl Spans {
    pub fn site(&self, id: SiteId) -> Option<SourceSpan> {
        self.source(self.sites.get(id.index())?)
    }

    pub fn card(&self, id: CardId) -> Option<SourceSpan> {
        self.source(self.cards.get(id.index())?)
    }

    /// The file a card stands in.
    pub fn file_of_card(&self, id: CardId) -> Option<&str> {
        let place = self.cards.get(id.index())?;
        self.files.get(place.file as usize).map(String::as_str)
    }

    fn source(&self, place: &Place) -> Option<SourceSpan> {
        let file = self.files.get(place.file as usize)?.clone();
        Some(SourceSpan { file, start: place.start, end: place.end })
    }
}

/// Something that does not fit together. The span is in bytes of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkProblem {
    pub file: String,
    pub span: Span,
    pub words: String,
}

/// Links the items of a project.
pub fn link(project: &Project, parts: &[LinkInput]) -> Result<Linked, Vec<LinkProblem>> {
    let mut parts = parts.to_vec();
    parts.sort_by_key(|part| (part.below, part.item_start));
    assemble::assemble(project, &parts)
}
