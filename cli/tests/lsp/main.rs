//! Sessions with the built server over standard input and output, on the repository's own content.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod client;

mod announced;
mod assists;
mod changing;
mod diagnostics;
mod documents;
mod hierarchy;
mod layout;
mod manifest;
mod manners;
mod modules;
mod odds;
mod packages;
mod seeing;
mod start;
mod typing;
mod wire;
