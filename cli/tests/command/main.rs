//! Runs the built command on folders made for the purpose. Nothing here depends on time or on the machine.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod hostile;
mod strangers;
mod support;

mod boards;
mod build;
mod diff;
mod documents;
mod drafts;
mod explain;
mod fix;
mod fmt;
mod formats;
mod game;
mod inputs;
mod logs;
mod manifest;
mod misc;
mod new;
mod odds;
mod packages;
mod pages;
mod play;
mod preview;
mod show;
mod test;
mod verify;
mod told;
mod watch;
mod wishes;
