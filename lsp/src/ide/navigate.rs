//! From a word to where it is declared, and to where its type is.

use banneret_compiler::db::SourceFile;
use banneret_compiler::elaborate::Meaning;
use banneret_compiler::items::DeclKind;
use banneret_compiler::names::{module_at, modules};
use banneret_compiler::signature::{find, kind_by_key};
use banneret_compiler::ty::Ty;
use banneret_grammar::ast::ItemKind;
use banneret_grammar::span::Span;

use super::words::{self, Parsed, parsed};
use super::{Ide, describe};

/// Where the word at an offset is declared; a `use` leads to the first file of its module.
pub fn definition(ide: Ide<'_>, file: SourceFile, offset: u32) -> Option<(SourceFile, Span)> {
    if let Some(module) = used_file(ide, file, offset) {
        return Some((module, Span::new(0, 0)));
    }
    let at = words::at(ide, file, offset)?;
    match &at.meaning {
        Meaning::Local(span) => Some((file, span.shifted(at.item.start(ide.db)))),
        Meaning::Key(key) => words::place(ide, key),
    }
}

/// The first file of the module that the `use` at an offset names.
pub fn used_file(ide: Ide<'_>, file: SourceFile, offset: u32) -> Option<SourceFile> {
    let item = ide.item_at(file, offset)?;
    let ItemKind::Use(u) = &banneret_compiler::items::parse(ide.db, item).item.kind else { return None };
    let span = u.path.iter().map(|w| w.span).reduce(Span::to)?.shifted(item.start(ide.db));
    if offset < span.start || span.end < offset {
        return None;
    }
    let path: Vec<&str> = u.path.iter().map(|w| &*w.text).collect();
    let module = module_at(ide.db, ide.universe, file.module(ide.db), &path.join("."))?;
    modules(ide.db, ide.universe).get(&module)?.first().copied()
}

/// Where the kind or enum of the word at an offset is declared.
pub fn type_definition(ide: Ide<'_>, file: SourceFile, offset: u32) -> Option<(SourceFile, Span)> {
    let at = words::at(ide, file, offset)?;
    let ty = match &at.meaning {
        Meaning::Local(_) => at.ty?,
        Meaning::Key(key) => type_of(ide, key)?,
    };
    words::place(ide, kind_of(&ty)?)
}

/// The type of what a key names.
pub fn type_of(ide: Ide<'_>, key: &str) -> Option<Ty> {
    match parsed(key) {
        Parsed::Whole(_) => {
            let found = words::declaration(ide, key)?;
            match found.kind {
                DeclKind::Card => {
                    let word = found.of.as_ref()?;
                    let kind = find(ide.db, ide.universe, &found.module, word, &[DeclKind::Word])?;
                    Some(Ty::Kind(banneret_compiler::signature::kind_info(ide.db, ide.universe, kind.item).key.clone()))
                }
                DeclKind::Kind => Some(Ty::Kind(found.key.clone())),
                DeclKind::Enum => Some(Ty::Enum(found.key.clone())),
                DeclKind::Define | DeclKind::Fact | DeclKind::Table | DeclKind::Action => {
                    let sig = describe::signature(ide, found);
                    Some(
                        sig.result
                            .clone()
                            .unwrap_or_else(|| banneret_compiler::elaborate::outline(ide.db, ide.universe, found.item).result.clone()),
                    )
                }
                _ => None,
            }
        }
        Parsed::OfEvent(action, name) => {
            let found = words::declaration(ide, action)?;
            let sig = describe::signature(ide, found);
            let param = sig.params.iter().find(|p| p.name == name).map(|p| p.ty.clone());
            let bound = || {
                banneret_compiler::elaborate::outline(ide.db, ide.universe, found.item)
                    .bound
                    .iter()
                    .find(|(n, _)| n == name)
                    .map(|(_, t)| t.clone())
            };
            param.or_else(bound)
        }
        Parsed::Inside(owner, name) => {
            let found = words::declaration(ide, owner)?;
            match found.kind {
                DeclKind::Kind => kind_by_key(ide.db, ide.universe, owner)?.field(name).map(|f| f.ty.clone()),
                DeclKind::Enum | DeclKind::Option => Some(Ty::Enum(found.key.clone())),
                DeclKind::Card => {
                    let ItemKind::Card(card) = &banneret_compiler::items::parse(ide.db, found.item).item.kind else { return None };
                    let word = &words::card_part(card, name)?.word.text;
                    let kind = find(ide.db, ide.universe, &found.module, word, &[DeclKind::Word])?;
                    Some(Ty::Kind(banneret_compiler::signature::kind_info(ide.db, ide.universe, kind.item).key.clone()))
                }
                _ => None,
            }
        }
    }
}

fn kind_of(ty: &Ty) -> Option<&str> {
    match ty {
        Ty::Kind(k) | Ty::Enum(k) | Ty::Pile(k) | Ty::Choice(k) | Ty::Table { of: k, .. } => (!k.is_empty()).then_some(k),
        Ty::Optional(t) | Ty::Set(t) | Ty::List(t) | Ty::Pair(t) => kind_of(t),
        _ => None,
    }
}
