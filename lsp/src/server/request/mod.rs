//! One file for each request: from positions to offsets, ask `ide`, and back.

pub mod completion;
pub mod diagnostic;
pub mod document_symbol;
pub mod folding_range;
pub mod formatting;
pub mod range_formatting;
