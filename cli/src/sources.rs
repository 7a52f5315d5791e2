//! From what was written on the command line to the texts of projects: which projects are meant, which files they have, what is in them.

pub mod find;
pub mod library;
pub mod paths;
pub mod project;
pub mod walk;

pub use find::{Target, find};
pub use project::Project;
