//! What the end-to-end suites share: finding files, counting lines and columns, reading what a file expects of its check.
//!
//! The suites themselves are in `suite/`; what they read is in `mistakes/` and `illegal/`. Deliberately absent: anything a tool would need.

pub mod expectation;
pub mod files;
pub mod mutants;
pub mod place;
pub mod workbench;
