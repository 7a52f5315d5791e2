//! The rules of an ability become a keyword that others can have too, and back. What comes out is checked before it is offered as an edit.

use banneret_compiler::db::SourceFile;
use banneret_compiler::elaborate::Meaning;
use banneret_compiler::items::{DeclKind, Item, parse};
use banneret_compiler::names::short;
use banneret_compiler::signature::{KindInfo, kind_by_key};
use banneret_grammar::ast::{self, ExprKind, FieldRole, ItemKind, Line};
use banneret_grammar::span::Span;

use super::super::references::{Renaming, of_key};
use super::super::words;
use super::super::{Ide, sums};
use super::behind;

/// A part of a card that is nothing but rules: the item, the card, the part and its name.
pub fn of_rules<'a>(ide: Ide<'a>, file: SourceFile, offset: u32) -> Option<(Item<'a>, &'a ast::Card, &'a ast::Card, &'a ast::Word)> {
    let item = ide.item_at(file, offset)?;
    let ItemKind::Card(card) = &parse(ide.db, item).item.kind else { return None };
    let at = offset.checked_sub(item.start(ide.db))?;
    let part = card.block.as_ref()?.lines.iter().find_map(|line| match line {
        Line::Part(part) if part.name.as_ref().is_some_and(|name| name.span.start <= at && at <= name.span.end) => Some(part),
        _ => None,
    })?;
    let lines = &part.block.as_ref()?.lines;
    let is_rule = |line: &Line| matches!(line, Line::Grant { .. } | Line::Handler(_) | Line::Cannot { .. });
    let plain = part.title.is_none() && part.of.is_none() && part.from.is_none() && part.template.is_none();
    (plain && !lines.is_empty() && lines.iter().all(is_rule)).then_some(())?;
    Some((item, card, part, part.name.as_ref()?))
}

/// The edits that make a keyword of a part.
pub fn extracted(ide: Ide<'_>, file: SourceFile, offset: u32) -> Option<Vec<Renaming>> {
    let (item, card, part, name) = of_rules(ide, file, offset)?;
    let kind = sums::kind(ide, item, card)?;
    let (text, start) = (item.text(ide.db), item.start(ide.db));
    let block = indented(part.block.as_ref()?.span.of(text), indent(text, part.span.start), 0);
    let keyword = format!("keyword {} on {} {block}", name.text, kind.name);
    let mut edits = match listed(card, &sums::keywords(kind)?) {
        Some((_, entries, value)) => {
            let end = entries.last().map_or(value.start + 1, |last| last.value.span.end);
            let comma = if entries.is_empty() { "" } else { ", " };
            // the line it stands on goes too
            let before = text.get(..part.span.start as usize)?.trim_end().len() as u32;
            vec![(file, Span::new(end, end), format!("{comma}{}", name.text)), (file, Span::new(before, part.span.end), String::new())]
        }
        None => vec![(file, part.span, format!("{}: [{}]", sums::keywords(kind)?, name.text))],
    };
    for (_, span, _) in &mut edits {
        *span = span.shifted(start);
    }
    edits.push(behind(ide, file, offset, &keyword)?);
    Some(edits)
}

/// A keyword without a number in the list of a card: its key.
pub fn in_list(ide: Ide<'_>, file: SourceFile, offset: u32) -> Option<String> {
    let words::At { item, meaning: Meaning::Key(key), .. } = words::at(ide, file, offset)? else { return None };
    let found = words::declaration(ide, &key).filter(|f| f.kind == DeclKind::Keyword)?;
    let ItemKind::Keyword(keyword) = &parse(ide.db, found.item).item.kind else { return None };
    let remembers = keyword.block.lines.iter().any(|line| matches!(line, Line::State(_)));
    let is_card = matches!(parse(ide.db, item).item.kind, ItemKind::Card(_));
    (is_card && keyword.param.is_none() && !remembers).then(|| key.to_string())
}

/// The edits that write the rules of a keyword into the card, one way for each kind of part that could hold them.
pub fn inlined(ide: Ide<'_>, file: SourceFile, offset: u32) -> Vec<Vec<Renaming>> {
    let ways = || -> Option<Vec<Vec<Renaming>>> {
        let key = in_list(ide, file, offset)?;
        let found = words::declaration(ide, &key)?;
        let ItemKind::Keyword(keyword) = &parse(ide.db, found.item).item.kind else { return None };
        let item = ide.item_at(file, offset)?;
        let ItemKind::Card(card) = &parse(ide.db, item).item.kind else { return None };
        let kind = sums::kind(ide, item, card)?;
        let (line, entries, value) = listed(card, &sums::keywords(kind)?)?;
        let at = offset.checked_sub(item.start(ide.db))?;
        let i = entries.iter().position(|e| e.value.span.start <= at && at <= e.value.span.end)?;
        let (text, start) = (item.text(ide.db), item.start(ide.db));
        let depth = indent(text, line.start);
        let block = indented(keyword.block.span.of(found.item.text(ide.db)), 0, depth);
        // nobody else has it: then it goes
        let others = of_key(ide, &key).iter().filter(|site| !site.is_declaration).count() > 1;
        let left = if others { None } else { removed(ide, found.item) };
        let parts = kind.parts.iter().filter_map(|part| kind_by_key(ide.db, ide.universe, part));
        let free = parts.filter(|part| !part.fields.iter().any(|f| f.role == FieldRole::Plain && !f.has_default));
        let written = |part: &KindInfo| {
            let rules = format!("{} {} {block}", part.word, short(&key));
            if entries.len() == 1 {
                return Some(std::iter::once((file, line.shifted(start), rules)).chain(left.clone()).collect());
            }
            let gone = match i {
                0 => Span::new(entries.first()?.value.span.start, entries.get(1)?.value.span.start),
                i => Span::new(entries.get(i - 1)?.value.span.end, entries.get(i)?.value.span.end),
            };
            let end = Span::new(value.end, value.end);
            let own = [(file, gone.shifted(start), String::new()), (file, end.shifted(start), format!("\n{}{rules}", " ".repeat(depth)))];
            Some(own.into_iter().chain(left.clone()).collect())
        };
        Some(free.filter_map(written).collect())
    };
    ways().unwrap_or_default()
}

/// The edit that takes an item of the project away, with its documentation and the empty lines before it.
pub(super) fn removed(ide: Ide<'_>, item: Item<'_>) -> Option<Renaming> {
    let file = item.file(ide.db);
    if !ide.universe.files(ide.db).contains(&file) {
        return None;
    }
    let end = item.start(ide.db) + item.text(ide.db).trim_end().len() as u32;
    let mut before = file.text(ide.db).get(..item.start(ide.db) as usize)?;
    while let Some((rest, _)) = before.trim_end().rsplit_once('\n').filter(|(_, line)| line.trim_start().starts_with("///")) {
        before = rest;
    }
    Some((file, Span::new(before.trim_end().len() as u32, end), String::new()))
}

/// A list that a card writes: its whole line, its entries, and from `[` to `]`.
fn listed<'c>(card: &'c ast::Card, field: &str) -> Option<(Span, &'c [ast::ListEntry], Span)> {
    card.block.as_ref()?.lines.iter().find_map(|line| match line {
        Line::Field { name, value, span, .. } if *name.text == *field => match &value.kind {
            ExprKind::List(entries) => Some((*span, entries.as_slice(), value.span)),
            _ => None,
        },
        _ => None,
    })
}

/// How far the line of a place is moved inwards.
fn indent(text: &str, at: u32) -> usize {
    let before = text.get(..at as usize).unwrap_or("");
    let line = text.get(before.rfind('\n').map_or(0, |i| i + 1)..).unwrap_or("");
    line.len() - line.trim_start_matches(' ').len()
}

/// A block whose lines stand further in or out.
fn indented(block: &str, from: usize, to: usize) -> String {
    let lines = block.split('\n').enumerate().map(|(i, line)| match i {
        0 => line.to_owned(),
        _ => {
            let own = line.len() - line.trim_start_matches(' ').len();
            format!("{}{}", " ".repeat(own.saturating_sub(from) + to), line.trim_start_matches(' '))
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}
