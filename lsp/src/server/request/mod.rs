//! One file for each request: from positions to offsets, ask `ide`, and back.

pub mod cards;
pub mod code_action;
pub mod code_lens;
pub mod colour;
pub mod command;
pub mod completion;
pub mod definition;
pub mod diagnostic;
pub mod document_highlight;
pub mod document_link;
pub mod document_symbol;
pub mod folding_range;
pub mod formatting;
pub mod hover;
pub mod implementation;
pub mod inlay_hint;
pub mod range_formatting;
pub mod references;
pub mod rename;
pub mod rename_files;
pub mod selection_range;
pub mod semantic_tokens;
pub mod signature_help;
pub mod tests;
pub mod type_definition;
pub mod workspace_symbol;
