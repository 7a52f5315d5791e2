//! Projects on the disk: which ones some paths mean, which files they have, what is in them. The command and the language server read them
//! through this crate, so that both see the same.
//!
//! Deliberately absent: writing anything, watching for changes, and what the texts mean (that is `compiler/`).

mod error;
pub mod paths;
pub mod walk;
pub mod find;
pub mod library;
pub mod project;

pub use error::ReadError;
pub use find::{Target, find};
pub use project::Project;
