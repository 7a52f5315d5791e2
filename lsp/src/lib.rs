//! The language server: what an editor asks while someone writes.
//!
//! `ide` answers in plain data (offsets and labels) and knows nothing of the protocol; `server` is the only place that does. Deliberately
//! absent: a second way to check or to read projects (`banneret check` and this call the same things), and editors' own set-up.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

pub mod ide;
pub mod server;

pub use server::{Budget, Ended, run, serve, sift};
