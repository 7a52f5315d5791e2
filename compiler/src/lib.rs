//! From source text to a pack: names, types, checks, limits, lowering, rules text, diagnostics, as incremental queries.
//!
//! Deliberately absent: reading files and writing output (the command and the editor do that), and anything about a particular game (rule
//! systems are Banneret, in `stdlib/`).

pub mod diagnostic;
pub mod fixes;
mod follow;
pub mod manifest;
pub mod stdlib;
pub mod db;
pub mod items;
pub mod key;
pub mod names;
pub mod ty;
pub mod language;
pub mod resolve_type;
pub mod chains;
pub mod signature;
mod suggest;
pub mod hir;
mod idle;
pub mod elaborate;
mod endless;
pub mod check;
pub mod lower;
pub mod layers;
pub mod link;
pub mod words;
pub mod build;
pub mod printed;
pub mod limits;
mod report;
pub mod measure;
mod listing;
mod reading;
pub mod facts;
pub mod recipes;
mod show;
pub mod api;
