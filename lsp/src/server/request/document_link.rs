use tower_lsp::ls_types::{DocumentLink, DocumentLinkParams, Uri};

use crate::ide::around::{self, LinkTo};
use crate::server::view::View;

pub fn answer(view: &View, params: &DocumentLinkParams) -> Option<Vec<DocumentLink>> {
    let page = view.page(&params.text_document.uri)?;
    let lines = page.lines();
    let art = view.table.projects.get(page.project).map(|l| l.art.clone())?;
    let link = |link: around::Link| {
        let target = match &link.to {
            // one that is not there leads nowhere
            LinkTo::Picture(name) => Uri::from_file_path(art.file(name)?),
            LinkTo::Source(file) => view.uri(page.project, file.path(view.db())),
        };
        Some(DocumentLink { range: lines.range(link.span), target: Some(target?), tooltip: None, data: None })
    };
    Some(around::links(page.ide, page.file).into_iter().filter_map(link).collect())
}
