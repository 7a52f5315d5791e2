use serde_json::json;
use tower_lsp::ls_types::{CodeLens, CodeLensParams, Command};

use super::command::{ODDS, PLAY, RUN_TEST, SHOW_CARD};
use crate::ide::lenses::{Does, lenses};
use crate::server::view::View;

pub fn answer(view: &View, params: &CodeLensParams) -> Option<Vec<CodeLens>> {
    let uri = &params.text_document.uri;
    let page = view.page(uri).filter(|page| !page.of_library)?;
    let lines = page.lines();
    let config = &view.config.code_lens;
    let shown = lenses(page.ide, page.file).into_iter().filter(|lens| match lens.does {
        Does::Run(_) => config.tests,
        Does::Measure(_) => config.odds && view.config.odds.enabled,
        // only some clients can
        Does::Show => config.cards && view.shows_cards,
        Does::Play(_) => config.play && view.plays,
    });
    let lens = shown.map(|lens| {
        let range = lines.range(lens.at);
        let (title, command, arguments) = match lens.does {
            Does::Run(words) => ("Run this test", RUN_TEST, vec![json!(uri), json!(words)]),
            Does::Measure(key) => ("Odds", ODDS, vec![json!(uri), json!(key)]),
            Does::Play(name) => ("Play this", PLAY, vec![json!(uri), json!(name)]),
            Does::Show => ("Show the card", SHOW_CARD, vec![json!(uri), json!(range.start)]),
        };
        CodeLens { range, command: Some(Command { title: title.into(), command: command.into(), arguments: Some(arguments) }), data: None }
    });
    Some(lens.collect())
}
