//! The text of the Banneret language: cutting a file into items, reading an item, and putting its white space in order.
//!
//! Reading never fails: it gives typed views and a list of what is wrong. Deliberately absent: names are not looked up, types are not
//! checked, nothing is read from disk, and nothing is remembered between calls that could change an answer. Spans count from the start of their item.

pub mod ast;
mod build;
pub mod code;
mod diagnose;
mod error;
pub mod format;
mod layout;
mod line;
mod nodes;
pub mod parse;
mod recover;
mod signs;
pub mod span;
pub mod split;
mod token;
pub mod tree;
pub mod words;

pub use code::Code;
pub use error::SyntaxError;
pub use format::{format, format_range};
pub use parse::{Parsed, parse_file, parse_item};
pub use split::{Chunk, ChunkKind, split};
pub use tree::{Tree, parse_tree};
