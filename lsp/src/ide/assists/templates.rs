//! What a card says becomes a template that others can build on, and back. What comes out is checked before it is offered as an edit.

use banneret_compiler::db::SourceFile;
use banneret_compiler::items::{DeclKind, Item, parse};
use banneret_compiler::names::{Found, key_of};
use banneret_compiler::signature::find;
use banneret_grammar::ast::{self, ItemKind, Line};
use banneret_grammar::span::Span;

use super::super::Ide;
use super::super::references::{Renaming, of_key};
use super::{behind, keywords};

/// A card, and the text it stands in.
struct Written<'a> {
    item: Item<'a>,
    card: &'a ast::Card,
    text: &'a str,
}

/// One line of a block with what stands before it: comments, and whether it starts on a line of its own.
struct Piece<'a> {
    line: &'a Line,
    span: Span,
    comment: &'a str,
    breaks: bool,
}

fn written<'a>(ide: Ide<'a>, item: Item<'a>) -> Option<Written<'a>> {
    let ItemKind::Card(card) = &parse(ide.db, item).item.kind else { return None };
    Some(Written { item, card, text: item.text(ide.db) })
}

impl<'a> Written<'a> {
    fn pieces(&self) -> Vec<Piece<'a>> {
        let Some(block) = &self.card.block else { return Vec::new() };
        let mut end = block.span.start + 1;
        let pieces = block.lines.iter().map(|line| {
            let span = line.span();
            let gap = self.text.get(end as usize..span.start as usize).unwrap_or("");
            end = span.end;
            Piece { line, span, comment: gap.trim_matches(|c: char| c == ',' || c.is_whitespace()), breaks: gap.contains('\n') }
        });
        pieces.collect()
    }

    /// What stands behind the last line: comments, if anything.
    fn rest(&self) -> &'a str {
        let Some(block) = &self.card.block else { return "" };
        let end = block.lines.last().map_or(block.span.start + 1, |line| line.span().end);
        self.text.get(end as usize..block.span.end as usize - 1).unwrap_or("").trim_matches(|c: char| c == ',' || c.is_whitespace())
    }

    /// Where the names in its head end: behind them comes what it builds on.
    fn head(&self) -> u32 {
        let card = self.card;
        let ends = [card.name.as_ref().map(|w| w.span.end), card.title.as_ref().map(|t| t.span.end), card.of.as_ref().map(|w| w.span.end)];
        ends.into_iter().flatten().max().unwrap_or(card.word.span.end)
    }

    /// Where its block is, or would be.
    fn block(&self) -> Span {
        let end = self.text.trim_end().len() as u32;
        self.card.block.as_ref().map_or(Span::new(end, end), |block| block.span)
    }
}

/// A block of lines, with comments before them and several on a line where they were.
fn block(pieces: &[(&Piece<'_>, &str)], rest: &str) -> String {
    let mut out = String::from("{");
    let mut before: Option<(u32, &str)> = None;
    for (piece, text) in pieces {
        let joined = |(end, of): (u32, &str)| std::ptr::eq(of, *text) && piece.span.start.checked_sub(end).is_some_and(|gap| gap <= 2);
        let goes_on = !piece.breaks && piece.comment.is_empty() && before.is_some_and(joined);
        if goes_on {
            out.push_str(", ");
        } else {
            out.push_str("\n  ");
        }
        if !piece.comment.is_empty() {
            out.push_str(piece.comment);
            out.push_str("\n  ");
        }
        out.push_str(piece.span.of(text));
        before = Some((piece.span.end, *text));
    }
    if !rest.is_empty() {
        out.push_str("\n  ");
        out.push_str(rest);
    }
    out.push_str(if pieces.is_empty() && rest.is_empty() { " }" } else { "\n}" });
    out
}

/// What a template can say for the cards that build on it.
fn is_shared(line: &Line) -> bool {
    match line {
        Line::Field { name, .. } => *name.text != *"flavour",
        Line::Says { .. } | Line::Todo { .. } => false,
        _ => true,
    }
}

fn field(line: &Line) -> Option<&str> {
    match line {
        Line::Field { name, .. } => Some(&name.text),
        _ => None,
    }
}

/// The name of a part, or its word if it has none, as `effect`.
fn part(line: &Line) -> Option<&str> {
    match line {
        Line::Part(part) | Line::Entry { card: part, .. } => Some(part.name.as_ref().map_or(&*part.word.text, |name| &*name.text)),
        _ => None,
    }
}

/// The card whose name stands at an offset, if a template can be made of it: its key and its name.
pub fn of_card(ide: Ide<'_>, file: SourceFile, offset: u32) -> Option<(String, String)> {
    let item = ide.item_at(file, offset)?;
    let own = written(ide, item)?;
    let name = own.card.name.as_ref()?;
    let at = offset.checked_sub(item.start(ide.db))?;
    let plain = own.card.template.is_none() && own.card.from.is_none() && own.card.block.is_some();
    let here = name.span.start <= at && at <= name.span.end;
    (plain && here && own.pieces().iter().any(|p| is_shared(p.line)))
        .then(|| (key_of(file.module(ide.db), &name.text).to_string(), name.text.to_string()))
}

/// The edits that make a template of what a card says..
pub fn extracted(ide: Ide<'_>, file: SourceFile, offset: u32) -> Option<Vec<Renaming>> {
    let (_, name) = of_card(ide, file, offset)?;
    let own = written(ide, ide.item_at(file, offset)?)?;
    let start = own.item.start(ide.db);
    let free = |name: &str| find(ide.db, ide.universe, file.module(ide.db), name, &[DeclKind::Card]).is_none();
    let base = std::iter::once(format!("{name}Base")).chain((2..100).map(|n| format!("{name}Base{n}"))).find(|name| free(name))?;
    let pieces = own.pieces();
    let (shared, kept): (Vec<&Piece<'_>>, Vec<&Piece<'_>>) = pieces.iter().partition(|piece| is_shared(piece.line));
    let with = |pieces: Vec<&'_ Piece<'_>>, rest: &str| block(&pieces.into_iter().map(|p| (p, own.text)).collect::<Vec<_>>(), rest);
    let of = own.card.of.as_ref().map(|of| format!(" of {}", of.text)).unwrap_or_default();
    let template = format!("{} {base}{of} template {}", own.card.word.text, with(shared, ""));
    let head = Span::new(own.head(), own.head());
    Some(vec![
        (file, head.shifted(start), format!(" from {base}")),
        (file, own.block().shifted(start), with(kept, own.rest())),
        behind(ide, file, offset, &template)?,
    ])
}

/// The card that builds on what stands at an offset: its key, and what it builds on.
pub fn base_at<'a>(ide: Ide<'a>, file: SourceFile, offset: u32) -> Option<(String, &'a Found<'a>)> {
    let item = ide.item_at(file, offset)?;
    let own = written(ide, item)?;
    let (name, from) = (own.card.name.as_ref()?, own.card.from.as_ref()?);
    let at = offset.checked_sub(item.start(ide.db))?;
    let here = from.span.start <= at && at <= from.span.end;
    let found = find(ide.db, ide.universe, file.module(ide.db), &from.text, &[DeclKind::Card]).filter(|_| here)?;
    Some((key_of(file.module(ide.db), &name.text).to_string(), found))
}

/// The edits that write into a card what it builds on: with the words of the other card, and without them where it has rules of its own.
pub fn inlined(ide: Ide<'_>, file: SourceFile, offset: u32) -> Vec<Vec<Renaming>> {
    [true, false].into_iter().filter_map(|says| one_way(ide, file, offset, says)).collect()
}

fn one_way(ide: Ide<'_>, file: SourceFile, offset: u32, says: bool) -> Option<Vec<Renaming>> {
    let (_, found) = base_at(ide, file, offset)?;
    let own = written(ide, ide.item_at(file, offset)?)?;
    let base = written(ide, found.item)?;
    let (start, from) = (own.item.start(ide.db), own.card.from.as_ref()?);
    let (mine, theirs) = (own.pieces(), base.pieces());
    let mut lines: Vec<(&Piece<'_>, &str)> = Vec::new();
    let mut used: Vec<bool> = vec![false; mine.len()];
    for piece in &theirs {
        let same = |p: &Piece<'_>| {
            field(piece.line).is_some_and(|f| field(p.line) == Some(f)) || part(piece.line).is_some_and(|n| part(p.line) == Some(n))
        };
        let again = mine.iter().position(same);
        match (piece.line, again) {
            // what is given again stands in its place
            (_, Some(at)) => {
                used[at] = true;
                lines.push((mine.get(at)?, own.text));
            }
            (Line::Says { of: None, .. }, None) if !says || mine.iter().any(|p| matches!(p.line, Line::Says { of: None, .. })) => {}
            (line, None) if field(line) != Some("flavour") => lines.push((piece, base.text)),
            _ => {}
        }
    }
    lines.extend(mine.iter().zip(&used).filter(|(_, used)| !**used).map(|(piece, _)| (piece, own.text)));
    let mut head = String::new();
    if let (None, Some(of)) = (&own.card.of, &base.card.of) {
        head.push_str(&format!(" of {}", of.text));
    }
    if let Some(further) = &base.card.from {
        head.push_str(&format!(" from {}", further.text));
    }
    let replaced = Span::new(own.head(), from.span.end);
    let body = block(&lines, own.rest());
    let body = if own.card.block.is_some() { body } else { format!(" {body}") };
    let mut edits = vec![(file, replaced.shifted(start), head), (file, own.block().shifted(start), body)];
    // a template that nobody else builds on goes
    let others = of_key(ide, &found.key).iter().filter(|site| !site.is_declaration).count() > 1;
    if base.card.template.is_some() && !others {
        edits.extend(keywords::removed(ide, found.item));
    }
    Some(edits)
}
