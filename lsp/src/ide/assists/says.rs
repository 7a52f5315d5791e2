//! Words of a part that are made from its rules become words by hand, and back.

use banneret_compiler::db::SourceFile;
use banneret_compiler::elaborate::elaborate;
use banneret_compiler::hir;
use banneret_compiler::items::{Item, parse};
use banneret_compiler::words::{Lookup, card_texts};
use banneret_grammar::ast::{self, ItemKind, Line};
use banneret_grammar::span::Span;

use super::super::Ide;
use super::super::references::Renaming;
use super::super::tried::Tried;

/// The part whose name stands at an offset, and its words by hand if it has any.
pub fn part_at<'a>(ide: Ide<'a>, file: SourceFile, offset: u32) -> Option<(Item<'a>, &'a ast::Card, Option<Span>)> {
    let item = ide.item_at(file, offset)?;
    let ItemKind::Card(card) = &parse(ide.db, item).item.kind else { return None };
    let at = offset.checked_sub(item.start(ide.db))?;
    let part = card.block.as_ref()?.lines.iter().find_map(|line| match line {
        Line::Part(part) if part.name.as_ref().is_some_and(|name| name.span.start <= at && at <= name.span.end) => Some(part),
        _ => None,
    })?;
    let says = part.block.as_ref()?.lines.iter().find_map(|line| match line {
        Line::Says { of: None, span, .. } => Some(*span),
        _ => None,
    });
    Some((item, part, says))
}

/// Takes the words by hand away.
pub fn made(ide: Ide<'_>, file: SourceFile, offset: u32) -> Option<Vec<Renaming>> {
    let (item, _, says) = part_at(ide, file, offset)?;
    let (says, text) = (says?, item.text(ide.db));
    // with the empty space before it
    let start = text.get(..says.start as usize)?.trim_end().len() as u32;
    Some(vec![(file, Span::new(start, says.end).shifted(item.start(ide.db)), String::new())])
}

/// Writes the words down as they are: nothing on the card differs by it.
pub fn by_hand(ide: Ide<'_>, file: SourceFile, offset: u32, tried: &mut dyn FnMut() -> Option<Tried>) -> Option<Vec<Renaming>> {
    let (item, part, says) = part_at(ide, file, offset)?;
    let hir::Item::Card(card) = &elaborate(ide.db, ide.universe, item).hir else { return None };
    let key = format!("{}.{}", card.key, part.name.as_ref()?.text);
    let texts = card_texts(card, &Lookup { db: ide.db, universe: ide.universe });
    let (_, whole) = texts.into_iter().find(|(k, _)| *k == key).filter(|_| says.is_none())?;
    let text = item.text(ide.db);
    let block = part.block.as_ref()?.span;
    let inside = text.get(..block.end as usize - 1)?.trim_end().len() as u32;
    let line = text.get(..part.span.start as usize)?.rsplit('\n').next()?;
    let indent = " ".repeat(line.len() - line.trim_start_matches(' ').len());
    // what it costs and how likely it is stands before it
    let starts = std::iter::once(0).chain(whole.match_indices(": ").map(|(i, _)| i + 2));
    starts.map(|from| &whole[from..]).find_map(|words| {
        let words = words.replace('\\', "\\\\").replace('"', "\\\"").replace(['{', '}', '\n'], " ");
        let says = format!("\n{indent}  says \"{words}\"\n{indent}");
        let edits = vec![(file, Span::new(inside, block.end - 1).shifted(item.start(ide.db)), says)];
        let same = tried()?.text_with(ide, &edits, &key)? == whole;
        same.then_some(edits)
    })
}
