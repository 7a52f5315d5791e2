//! What can be done about what is wrong: the repairs that diagnostics carry, all safe ones at once, the missing fields of a card.

use banneret_compiler::db::SourceFile;
use banneret_compiler::diagnostic::Located;
use banneret_compiler::fixes;
use banneret_compiler::items::{DeclKind, is_card, parse};
use banneret_compiler::signature::{find, kind_info};
use banneret_grammar::ast::{self, FieldRole, ItemKind, Line};
use banneret_grammar::span::Span;

use super::complete::missing_fields;
use super::{Ide, formatting};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    pub title: String,
    pub edits: Vec<(Span, String)>,
    pub kind: ActionKind,
    /// What it mends, by its place among what was found.
    pub mends: Option<usize>,
    /// Safe to do without looking.
    pub safe: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionKind {
    Quickfix,
    FixAll,
}

/// What can be done in a stretch of a file, given everything that was found in it.
pub fn actions(ide: Ide<'_>, file: SourceFile, range: Span, found: &[&Located]) -> Vec<Action> {
    let text: &str = file.text(ide.db);
    let mut out = Vec::new();
    for (i, located) in found.iter().enumerate() {
        let d = &located.diagnostic;
        if d.span.start > range.end || d.span.end < range.start {
            continue;
        }
        for fix in &d.fixes {
            let edits = fix.edits.clone();
            out.push(Action { title: fix.title.clone(), edits, kind: ActionKind::Quickfix, mends: Some(i), safe: fix.safe });
        }
    }
    let missing = found.iter().filter(|l| l.diagnostic.code == "missing-field");
    let lacks = missing.filter_map(|l| ide.item_at(file, l.diagnostic.span.start)).any(|item| ide.item_at(file, range.start) == Some(item));
    if let Some(action) = add_missing(ide, file, range.start).filter(|_| lacks) {
        let touches = |l: &&Located| l.diagnostic.span.start <= range.end && l.diagnostic.span.end >= range.start;
        let mends = found.iter().position(|l| l.diagnostic.code == "missing-field" && touches(l));
        out.push(Action { mends, ..action });
    }
    let safe: Vec<_> = found.iter().filter_map(|l| fixes::choice(&l.diagnostic, false)).collect();
    let (mended, titles) = fixes::apply(text, &safe);
    if !titles.is_empty() {
        let edits = formatting::between(text, &mended, 0);
        let title = "Mend everything that can be mended safely".to_owned();
        out.push(Action { title, edits, kind: ActionKind::FixAll, mends: None, safe: true });
    }
    out
}

/// The fields that the card at an offset must have and has not.
fn add_missing(ide: Ide<'_>, file: SourceFile, offset: u32) -> Option<Action> {
    let item = ide.item_at(file, offset)?;
    if !is_card(ide.db, item) {
        return None;
    }
    let start = item.start(ide.db);
    let ItemKind::Card(card) = &parse(ide.db, item).item.kind else { return None };
    let card = innermost(card, offset - start);
    // what it builds on may give them
    if card.from.is_some() || card.template.is_some() {
        return None;
    }
    let block = card.block.as_ref()?;
    let found = find(ide.db, ide.universe, file.module(ide.db), &card.word.text, &[DeclKind::Word])?;
    let info = kind_info(ide.db, ide.universe, found.item);
    let said = |name: &str| {
        block.lines.iter().any(|l| match l {
            Line::Field { name: n, .. } => *n.text == *name,
            Line::Part(p) => p.name.is_none() && *p.word.text == *name,
            _ => false,
        })
    };
    let missing: Vec<&str> =
        info.fields.iter().filter(|f| f.role == FieldRole::Plain && !f.has_default && !said(&f.name)).map(|f| f.name.as_str()).collect();
    let lines = missing_fields(ide, file, info, &missing);
    if lines.is_empty() {
        return None;
    }
    let text = item.text(ide.db);
    let indent: String = text[..card.span.start as usize].chars().rev().take_while(|c| *c == ' ').collect();
    let one_line = !block.span.of(text).contains('\n');
    let at = start + block.span.start + 1;
    let written = if one_line {
        let rest = block.span.of(text).trim_matches(['{', '}']).trim();
        let join = if rest.is_empty() { " " } else { "," };
        format!(" {}{join}", lines.join(", "))
    } else {
        lines.iter().map(|l| format!("\n{indent}  {l}")).collect()
    };
    let title = if missing.len() == 1 { format!("Add the missing field `{}`", missing[0]) } else { "Add the missing fields".to_owned() };
    Some(Action { title, edits: vec![(Span::new(at, at), written)], kind: ActionKind::Quickfix, mends: None, safe: false })
}

fn innermost(card: &ast::Card, at: u32) -> &ast::Card {
    let lines = card.block.as_ref().map(|b| b.lines.as_slice()).unwrap_or_default();
    let inside = lines.iter().find_map(|l| match l {
        Line::Part(p) if p.name.is_some() && p.span.start <= at && at < p.span.end => Some(p),
        _ => None,
    });
    inside.map_or(card, |part| innermost(part, at))
}
