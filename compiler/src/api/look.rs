//! What an editor asks a workspace for, besides what the command does.

use super::{ProjectId, Workspace};
use crate::db::SourceFile;

impl Workspace {
    /// A file that a project can see, by its path: one of its own, or one of the library.
    pub fn file(&self, project: ProjectId, path: &str) -> Option<SourceFile> {
        let universe = self.universe(project);
        let mut all = universe.files(&self.db).iter().chain(universe.library(&self.db));
        all.find(|f| f.path(&self.db) == path).copied()
    }
}
