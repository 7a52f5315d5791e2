//! One file for each request: from positions to offsets, ask `ide`, and back.

use banneret_compiler::manifest::FILE_NAME;
use banneret_compiler::stdlib;
use banneret_projects::files;

use super::projects::Loaded;
use super::view::View;
use crate::ide::manifest::Around;

pub mod cards;
pub mod code_action;
pub mod code_lens;
pub mod colour;
pub mod command;
pub mod completion;
pub mod content;
pub mod definition;
pub mod diagnostic;
pub mod document_highlight;
pub mod document_link;
pub mod document_symbol;
pub mod folding_range;
pub mod formatting;
pub mod hierarchy;
pub mod hover;
pub mod implementation;
pub mod inlay_hint;
pub mod linked_editing;
pub mod odds;
pub mod on_type_formatting;
pub mod range_formatting;
pub mod references;
pub mod rename;
pub mod rename_files;
pub mod selection_range;
pub mod semantic_tokens;
pub mod signature_help;
pub mod tests;
pub mod type_definition;
pub mod workspace_symbol;

/// Answers about a manifest, with what is known around it.
fn around_manifest<T>(view: &View, loaded: &Loaded, answer: impl FnOnce(&Around<'_>) -> T) -> T {
    let root = &loaded.target.root;
    let named = |folder: &std::path::Path| -> Vec<(String, bool)> {
        let all = files::list(folder).unwrap_or_default().into_iter().filter(|path| files::is_folder(path));
        let named = all.filter_map(|path| Some((path.file_name()?.to_str()?.to_owned(), files::is_file(&path.join(FILE_NAME)))));
        named.filter(|(name, _)| !name.starts_with('.')).collect()
    };
    let sources = loaded.id.map(|id| view.workspace.universe(id).files(view.db()).iter());
    let own = sources.into_iter().flatten().flat_map(|file| stdlib::rulesets(file.text(view.db())));
    let own = own.map(|name| (name.to_owned(), None)).collect::<Vec<_>>();
    answer(&Around {
        rules: own.into_iter().chain(loaded.needed.rules.iter().cloned()).collect(),
        folders: &|| named(root).into_iter().map(|(name, _)| name).collect(),
        beside: &|| {
            let all = root.parent().map(named).unwrap_or_default().into_iter();
            all.filter(|(name, is_project)| *is_project && !root.ends_with(name)).map(|(name, _)| format!("../{name}")).collect()
        },
    })
}
