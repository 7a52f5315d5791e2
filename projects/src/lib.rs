//! Projects on the disk: which ones some paths mean, which files they have, what is in them. The command and the language server read them
//! through this crate, so that both see the same.
//!
//! Deliberately absent: watching for changes, what the texts mean (that is `compiler/`) and how a card looks (`cards/`).

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod error;
pub mod files;
pub mod process;
pub mod paths;
pub mod walk;
pub mod find;
pub mod library;
pub mod packages;
pub mod project;
pub mod art;
pub mod catalogue;
pub mod prints;

pub use art::Art;
pub use error::ReadError;
pub use find::{Target, find};
pub use prints::PrintCheck;
pub use project::Project;
