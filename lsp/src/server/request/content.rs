//! `workspace/textDocumentContent`: the texts of the library, which are on no disk.

use banneret_projects::library::library_text;
use serde::{Deserialize, Serialize};
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::Uri;

use crate::server::{address, library};

#[derive(Debug, Deserialize)]
pub struct ContentParams {
    uri: Uri,
}

#[derive(Debug, Serialize)]
pub struct Content {
    text: String,
}

pub fn answer(params: &ContentParams) -> Result<Content> {
    let shown = address::path(&params.uri).and_then(|path| library::shown(&path));
    let text = shown.and_then(|shown| library_text(&shown));
    text.map(|text| Content { text }).ok_or_else(|| Error::invalid_params("There is no such file in the library."))
}
