//! A file or folder that cannot be read, in words for the one who named it.

use std::fmt;
use std::io;
use std::path::Path;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    pub headline: String,
    pub help: Option<String>,
}

impl ReadError {
    pub fn new(headline: impl Into<String>) -> Self {
        Self { headline: headline.into(), help: None }
    }

    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Something could not be done with a file or folder.
    pub fn file(doing: &str, path: &Path, error: &io::Error) -> Self {
        crate::files::refused(doing, path, error)
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.headline)
    }
}

impl std::error::Error for ReadError {}
