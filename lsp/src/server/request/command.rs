//! Commands: a test is run, odds are measured. What comes of it is answered, and told to the person.

use banneret_compiler::api::located;
use banneret_compiler::diagnostic::Diagnostic;
use banneret_compiler::measure::{failed, run};
use serde::Serialize;
use serde_json::Value;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::{ExecuteCommandParams, Range, Uri};

use super::odds;
use crate::ide::lenses::tests;
use crate::server::view::View;

pub const RUN_TEST: &str = "banneret.runTest";
pub const ODDS: &str = "banneret.odds";
/// Done by the client, if it can.
pub const SHOW_CARD: &str = "banneret.showCard";
pub const PLAY: &str = "banneret.play";

/// What the server does itself.
pub fn all() -> Vec<String> {
    [RUN_TEST, ODDS].map(String::from).to_vec()
}

/// What came of a command.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Done {
    /// For the person.
    pub message: String,
    /// The test passed, or there are odds.
    pub fine: bool,
    /// Where the test failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<Range>,
    /// What is told of one project differs now.
    #[serde(skip)]
    pub touched: Option<usize>,
}

pub fn answer(view: &View, params: &ExecuteCommandParams) -> Result<Done> {
    let wanted = || Error::invalid_params("A command of Banneret wants an address and a name.");
    let [uri, name] = params.arguments.as_slice() else { return Err(wanted()) };
    let uri: Uri = serde_json::from_value(uri.clone()).map_err(|_| wanted())?;
    let Value::String(name) = name else { return Err(wanted()) };
    match params.command.as_str() {
        RUN_TEST => test(view, &uri, name),
        ODDS => measured(view, &uri, name),
        other => Err(Error::invalid_params(format!("There is no command `{other}`."))),
    }
}

fn measured(view: &View, uri: &Uri, key: &str) -> Result<Done> {
    let page = view.page(uri).ok_or_else(|| Error::invalid_params("This text is unknown."))?;
    let none = || ("No rule system says what using this means.".to_owned(), false);
    let (message, fine) = odds::told(view, &page, key, odds::Asked::ByLens).unwrap_or_else(none);
    Ok(Done { message, fine, range: None, touched: None })
}

pub fn test(view: &View, uri: &Uri, words: &str) -> Result<Done> {
    let page = view.page(uri).ok_or_else(|| Error::invalid_params("This text is unknown."))?;
    let found = tests(page.ide, page.file).into_iter().find(|(w, ..)| w == words);
    let (_, _, item) = found.ok_or_else(|| Error::invalid_params(format!("There is no test \"{words}\" here.")))?;
    let came = run(view.db(), page.ide.universe, item, item.text(view.db()));
    let touched = Some(page.project);
    let (name, start) = (page.file.path(view.db()), item.start(view.db()));
    Ok(match came {
        Err(why) => Done { message: format!("The test \"{words}\" cannot be run: {why}"), fine: false, range: None, touched: None },
        Ok(None) => {
            view.test_passed(page.project, name, words);
            Done { message: format!("The test \"{words}\" passed."), fine: true, range: None, touched }
        }
        Ok(Some((span, failure))) => {
            let (headline, notes) = failed(words, &failure);
            let mut diagnostic = Diagnostic::error("test-failed", span, headline);
            diagnostic.notes = notes;
            let message = std::iter::once(&diagnostic.headline).chain(&diagnostic.notes).cloned().collect::<Vec<_>>().join("\n");
            let failure = located(name, start, diagnostic);
            let range = Some(page.lines().range(failure.diagnostic.span));
            view.test_failed(page.project, words, failure);
            Done { message, fine: false, range, touched }
        }
    })
}
