//! What can be asked about a place in a text: plain data in, plain data out. Offsets are bytes of the file.

pub mod actions;
pub mod around;
pub mod assists;
pub mod colours;
pub mod complete;
pub mod describe;
pub mod folding;
pub mod formatting;
pub mod hierarchy;
pub mod hints;
pub mod hover;
pub mod language;
pub mod lenses;
pub mod manifest;
pub mod modules;
pub mod navigate;
pub mod odds;
pub mod outline;
pub mod references;
pub mod signature_help;
pub mod sums;
pub mod tokens;
pub mod tried;
pub mod words;

use banneret_compiler::db::{Db, SourceFile, Universe};
use banneret_compiler::items::{Item, items};

/// The compiler's database, seen from one project.
#[derive(Clone, Copy)]
pub struct Ide<'a> {
    pub db: &'a Db,
    pub universe: Universe,
}

impl<'a> Ide<'a> {
    /// The item an offset lies in or directly behind.
    pub fn item_at(&self, file: SourceFile, offset: u32) -> Option<Item<'a>> {
        let all = items(self.db, file);
        let next = all.partition_point(|i| i.start(self.db) <= offset);
        let item = *all.get(next.checked_sub(1)?)?;
        let end = item.start(self.db) as usize + item.text(self.db).len();
        (offset as usize <= end).then_some(item)
    }
}
