use serde::{Deserialize, Serialize};
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::*;

use super::rename;
use crate::ide::actions::{self, Repair};
use crate::ide::assists::{self, Around, Later};
use crate::server::convert;
use crate::server::edits::{self, InFile};
use crate::server::position::{Encoding, Lines};
use crate::server::view::{Files, Page, View};

/// What is missing is written: one of the quick fixes.
const CREATE: &str = "quickfix.create";

/// What can be asked for.
pub fn kinds() -> Vec<CodeActionKind> {
    vec![CodeActionKind::QUICKFIX, CodeActionKind::REFACTOR_REWRITE, CodeActionKind::SOURCE_FIX_ALL]
}

/// Repairs of single mistakes, and what it takes to make all of them if that is wanted.
pub fn answer(view: &View, params: &CodeActionParams) -> Result<(CodeActionResponse, Option<MendAll>)> {
    let uri = &params.text_document.uri;
    let Some(page) = view.page(uri).filter(|p| !p.of_library) else { return Ok(Default::default()) };
    let lines = page.lines();
    let found = view.found(page.project, Files::One(page.file.path(view.db())))?;
    let wanted = |kind: &CodeActionKind| {
        let only = params.context.only.as_ref();
        only.is_none_or(|only| only.iter().any(|o| kind.as_str() == o.as_str() || kind.as_str().starts_with(&format!("{}.", o.as_str()))))
    };
    let mut out = Vec::new();
    for action in actions::actions(lines.span(params.range), &found).into_iter().filter(|_| wanted(&CodeActionKind::QUICKFIX)) {
        let mends = found.get(action.mends).map(|l| vec![convert::diagnostic(&l.diagnostic, uri, &lines)]);
        let edits = action.edits.iter().map(|(span, text)| convert::edit(&lines, *span, text)).collect();
        out.push(CodeActionOrCommand::CodeAction(CodeAction {
            title: action.title,
            is_preferred: action.safe.then_some(true),
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: mends,
            edit: Some(InFile::new(view, uri.clone()).edit(edits)),
            ..Default::default()
        }));
    }
    let range = lines.span(params.range);
    for assist in assists::assists(page.ide, page.file, range, &found) {
        let mends = assist.mends.and_then(|i| found.get(i));
        let kind = if mends.is_some() { CodeActionKind::from(CREATE) } else { CodeActionKind::REFACTOR_REWRITE };
        if wanted(&kind) {
            out.push(CodeActionOrCommand::CodeAction(CodeAction {
                title: assist.title,
                kind: Some(kind),
                diagnostics: mends.map(|l| vec![convert::diagnostic(&l.diagnostic, uri, &lines)]),
                edit: Some(edits::in_project(view, page.project, assist.edits)),
                ..Default::default()
            }));
        }
    }
    if wanted(&CodeActionKind::REFACTOR_REWRITE) {
        for (what, title) in assists::offered_later(page.ide, page.file, range.start) {
            let data = Data { uri: uri.clone(), later: Some((what, range.start)) };
            let kind = Some(CodeActionKind::REFACTOR_REWRITE);
            let offer = CodeAction { title, kind, data: serde_json::to_value(data).ok(), ..Default::default() };
            // who does not ask again is told at once, or not at all
            let whole = if view.resolves_actions { Some(offer) } else { worked_out(view, offer).ok() };
            out.extend(whole.map(CodeActionOrCommand::CodeAction));
        }
    }
    let all = wanted(&CodeActionKind::SOURCE_FIX_ALL).then(|| MendAll::new(view, &page, uri)).transpose()?.flatten();
    Ok((out, all))
}

/// What an action that was offered is about.
#[derive(Serialize, Deserialize)]
struct Data {
    uri: Uri,
    /// What is worked out, and where in the text. None: the repair of the whole file.
    later: Option<(Later, u32)>,
}

/// An action that was offered before: as it is now, or what it takes to mend a whole file.
pub fn offered(view: &View, action: CodeAction) -> Result<std::result::Result<CodeAction, MendAll>> {
    let data = data(&action)?;
    if data.later.is_some() {
        return worked_out(view, action).map(Ok);
    }
    let page = view.page(&data.uri).ok_or_else(Error::content_modified)?;
    MendAll::new(view, &page, &data.uri)?.map(Err).ok_or_else(Error::content_modified)
}

fn data(action: &CodeAction) -> Result<Data> {
    let data = action.data.as_ref().and_then(|data| serde_json::from_value(data.clone()).ok());
    data.ok_or_else(|| Error::invalid_params("This is no action of Banneret."))
}

fn worked_out(view: &View, action: CodeAction) -> Result<CodeAction> {
    let Data { uri, later } = data(&action)?;
    let page = view.page(&uri).ok_or_else(Error::content_modified)?;
    let (what, at) = later.ok_or_else(Error::content_modified)?;
    let around = Around { against: view.config.odds.against.as_deref(), tried: &mut || rename::tried(view, page.project) };
    let edits = assists::later(page.ide, page.file, at, what, around).map_err(Error::invalid_params)?;
    Ok(CodeAction { edit: Some(edits::in_project(view, page.project, edits)), ..action })
}

/// Every safe repair of a file. Finding them may take checks of the whole project, so that is done apart from the view.
pub struct MendAll {
    uri: Uri,
    file: InFile,
    text: String,
    encoding: Encoding,
    repair: Repair,
}

impl MendAll {
    fn new(view: &View, page: &Page<'_>, uri: &Uri) -> Result<Option<Self>> {
        let file = page.file.path(view.db()).to_owned();
        let Some((id, loaded)) = view.project(page.project) else { return Ok(None) };
        let Some(manifest) = loaded.manifest.clone() else { return Ok(None) };
        let found = view.found(page.project, Files::One(&file))?;
        let (db, root) = (view.db(), banneret_projects::paths::shown(&loaded.target.root));
        let sources = view.workspace.universe(id).files(db);
        let texts = sources.iter().map(|f| (f.path(db).to_owned(), f.text(db).to_string())).collect();
        let packages = loaded.needed.packages.clone();
        let repair = Repair { manifest, root, packages, texts, file, found };
        let all =
            Self { uri: uri.clone(), file: InFile::new(view, uri.clone()), text: page.text.to_owned(), encoding: view.encoding, repair };
        Ok(all.repair.is_possible().then_some(all))
    }

    /// As it is offered: what it does is worked out when it is chosen.
    pub fn offer(&self) -> CodeAction {
        CodeAction {
            title: "Mend everything that can be mended safely".to_owned(),
            kind: Some(CodeActionKind::SOURCE_FIX_ALL),
            data: serde_json::to_value(Data { uri: self.uri.clone(), later: None }).ok(),
            ..Default::default()
        }
    }

    /// Works out what it does.
    pub fn done(self) -> CodeAction {
        let offer = self.offer();
        let lines = Lines::new(&self.text, self.encoding);
        let workspace = banneret_projects::library::workspace().unwrap_or_default();
        let edits = self.repair.edits(workspace).iter().map(|(span, text)| convert::edit(&lines, *span, text)).collect();
        CodeAction { edit: Some(self.file.edit(edits)), ..offer }
    }
}
