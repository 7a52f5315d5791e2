//! The end-to-end suites, in one program.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod broken_texts;
mod edits;
mod formatting;
mod house;
mod illegal;
mod misspellings;
mod mistakes;
mod programs;
