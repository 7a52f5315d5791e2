//! Writes what is named and declared nowhere: a card, a keyword, a value of an enum.

use banneret_compiler::db::SourceFile;
use banneret_compiler::diagnostic::{Located, Missing};
use banneret_compiler::items::{DeclKind, items, parse};
use banneret_compiler::names::short;
use banneret_compiler::signature::{find, kind_by_key, kind_info};
use banneret_compiler::ty::Ty;
use banneret_grammar::ast::ItemKind;
use banneret_grammar::span::Span;

use super::super::{Ide, complete};
use super::{Assist, behind};
use crate::ide::references::Renaming;

pub fn missing(ide: Ide<'_>, file: SourceFile, range: Span, found: &[Located]) -> Vec<Assist> {
    let mut out: Vec<Assist> = Vec::new();
    for (mends, located) in found.iter().enumerate() {
        let d = &located.diagnostic;
        if d.span.start > range.end || d.span.end < range.start {
            continue;
        }
        let Some(what) = &d.missing else { continue };
        let name = d.span.of(file.text(ide.db));
        let is_name = name.starts_with(char::is_uppercase) && name.chars().all(|c| c.is_alphanumeric() || c == '_');
        if let Missing::Member(key) = what
            && let Some(edit) = is_name.then(|| member(ide, file, short(key), name)).flatten()
        {
            out.push(Assist { title: format!("Add `{name}` to {}", short(key)), edits: vec![edit], mends: Some(mends) });
            continue;
        }
        let Some((title, text)) = is_name.then(|| written(ide, file, d.span.start, name, what)).flatten() else { continue };
        if let Some(edit) = behind(ide, file, d.span.start, &text)
            && !out.iter().any(|a| a.title == title)
        {
            out.push(Assist { title, edits: vec![edit], mends: Some(mends) });
        }
    }
    out
}

/// A value more where the same file adds to the enum already.
fn member(ide: Ide<'_>, file: SourceFile, of: &str, name: &str) -> Option<Renaming> {
    items(ide.db, file).iter().find_map(|item| match &parse(ide.db, *item).item.kind {
        ItemKind::Enum(e) if *e.name.text == *of => {
            let last = e.members.last()?;
            let end = last.label.as_ref().map_or(last.name.span.end, |label| label.span.end) + item.start(ide.db);
            Some((file, Span::new(end, end), format!(", {name}")))
        }
        _ => None,
    })
}

/// What is offered, and what is written.
fn written(ide: Ide<'_>, file: SourceFile, at: u32, name: &str, what: &Missing) -> Option<(String, String)> {
    match what {
        Missing::Member(key) => {
            let of = short(key);
            Some((format!("Add `{name}` to {of}"), format!("enum {of} also {{ {name} }}")))
        }
        Missing::Keyword => {
            let on = holder(ide, file, at)?;
            Some((format!("Write the keyword `{name}`"), format!("keyword {name} on {on} {{\n  todo \"what {name} does\"\n}}")))
        }
        Missing::Card(kind) => {
            let info = kind_by_key(ide.db, ide.universe, kind).filter(|info| !info.word.is_empty() && !info.roles.part)?;
            let word = &info.word;
            Some((format!("Write the {word} `{name}`"), complete::card_called(ide, file, info, name, same_of(ide, file, at, info))))
        }
    }
}

/// The kind of the card that a place is in.
fn holder(ide: Ide<'_>, file: SourceFile, at: u32) -> Option<String> {
    let item = ide.item_at(file, at)?;
    let ItemKind::Card(card) = &parse(ide.db, item).item.kind else { return None };
    let inside = at - item.start(ide.db);
    let parts = card.block.iter().flat_map(|b| &b.lines).filter_map(|line| match line {
        banneret_grammar::ast::Line::Part(part) => Some(part),
        _ => None,
    });
    let word =
        parts.into_iter().find(|p| p.name.is_some() && p.span.start <= inside && inside <= p.span.end).map_or(&card.word, |p| &p.word);
    let found = find(ide.db, ide.universe, file.module(ide.db), &word.text, &[DeclKind::Word])?;
    Some(kind_info(ide.db, ide.universe, found.item).name.to_string())
}

/// The `of` of the card that names another one, if that takes the same.
fn same_of(ide: Ide<'_>, file: SourceFile, at: u32, info: &banneret_compiler::signature::KindInfo) -> Option<String> {
    let ItemKind::Card(card) = &parse(ide.db, ide.item_at(file, at)?).item.kind else { return None };
    let own = find(ide.db, ide.universe, file.module(ide.db), &card.word.text, &[DeclKind::Word])?;
    let own = kind_info(ide.db, ide.universe, own.item).of_field()?;
    let (Ty::Kind(a), Ty::Kind(b)) = (&own.ty, &info.of_field()?.ty) else { return None };
    card.of.as_ref().filter(|_| a == b).map(|of| of.text.to_string())
}
