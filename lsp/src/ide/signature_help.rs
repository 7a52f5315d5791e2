//! How the thing that is being called is called, and which part of it is being written.

use banneret_compiler::db::SourceFile;
use banneret_compiler::elaborate::probed;
use banneret_compiler::items::{DeclKind, items};
use banneret_compiler::language::FUNCTIONS;
use banneret_compiler::signature::{by_key, find};
use banneret_grammar::span::Span;

use super::complete::{first_marked, word_span};
use super::{Ide, describe};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Help {
    pub label: String,
    pub doc: Option<String>,
    /// The parts of the label that are parameters.
    pub params: Vec<(Span, String)>,
    pub active: Option<usize>,
}

pub fn help(ide: Ide<'_>, file: SourceFile, offset: u32) -> Option<Help> {
    let text: &str = file.text(ide.db);
    let before = text.get(..offset as usize)?;
    let line = before.get(before.rfind('\n').map_or(0, |i| i + 1)..)?;
    call(ide, file, line).or_else(|| sentence(ide, file, text, offset, line))
}

/// `f(a, …`
fn call(ide: Ide<'_>, file: SourceFile, line: &str) -> Option<Help> {
    let (mut depth, mut commas) = (0, 0);
    let mut open = None;
    for (i, c) in line.char_indices().rev() {
        match c {
            ')' | ']' => depth += 1,
            '(' if depth == 0 => {
                open = Some(i);
                break;
            }
            '(' | '[' => depth -= 1,
            ',' if depth == 0 => commas += 1,
            '{' | '}' => break,
            _ => {}
        }
    }
    let head = line.get(..open?)?;
    let name = word_span(head, head.len() as u32).of(head);
    if name.is_empty() {
        return None;
    }
    let found = find(ide.db, ide.universe, file.module(ide.db), name, &[DeclKind::Define, DeclKind::Table, DeclKind::Fact]);
    if let Some(found) = found {
        let sig = describe::signature(ide, found);
        let mut label = format!("{name}(");
        let mut params = Vec::new();
        for (i, p) in sig.params.iter().enumerate() {
            if i > 0 {
                label.push_str(", ");
            }
            let start = label.len();
            label.push_str(&format!("{}: {}", p.name, describe::ty(&p.ty)));
            params.push((Span::new(start as u32, label.len() as u32), String::new()));
        }
        label.push(')');
        let active = (commas < params.len()).then_some(commas);
        return Some(Help { label, doc: describe::doc(ide, found.item), params, active });
    }
    let (_, shape) = FUNCTIONS.iter().find(|(f, _)| *f == name)?;
    let mut params = Vec::new();
    let mut at = shape.find('(')? + 1;
    for arg in shape.get(at..)?.trim_end_matches(')').split(", ") {
        params.push((Span::new(at as u32, (at + arg.len()) as u32), String::new()));
        at += arg.len() + 2;
    }
    let active = (commas < params.len()).then_some(commas);
    Some(Help { label: (*shape).to_owned(), doc: None, params, active })
}

/// `deal 3 to …`
fn sentence(ide: Ide<'_>, file: SourceFile, text: &str, offset: u32, line: &str) -> Option<Help> {
    let marked = first_marked(text, offset)?;
    let all = items(ide.db, file);
    let item = all.iter().find(|i| i.start(ide.db) == marked.start).or(all.first())?;
    let probe = probed(ide.db, ide.universe, *item, &marked.parsed)?;
    let action = probe.scene.calling?;
    let found = by_key(ide.db, ide.universe, &action, &[DeclKind::Action, DeclKind::Phase])?;
    let sig = describe::signature(ide, found);
    let mut label = sig.name.to_string();
    let mut params = Vec::new();
    for p in &sig.params {
        label.push(' ');
        let start = label.len();
        if let Some(prep) = &p.prep {
            label.push_str(prep);
            label.push(' ');
        }
        label.push_str(&p.name.to_uppercase());
        params.push((Span::new(start as u32, label.len() as u32), format!("{}: {}", p.name, describe::ty(&p.ty))));
    }
    // the last preposition said is what is being filled in
    let said = line.rsplit_once(sig.name.as_str()).map_or("", |(_, rest)| rest);
    let last = said.split_whitespace().rev().find_map(|w| sig.params.iter().position(|p| p.prep.as_deref() == Some(w)));
    let active = last.or_else(|| sig.params.iter().position(|p| p.prep.is_none()));
    Some(Help { label, doc: describe::doc(ide, found.item), params, active })
}
