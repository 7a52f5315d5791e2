//! Larger and larger stretches around a place, and files a text points at.

use banneret_compiler::db::SourceFile;
use banneret_compiler::items::{items, parse};
use banneret_grammar::ast::{ExprKind, ItemKind, Line};
use banneret_grammar::parse_tree;
use banneret_grammar::span::Span;

use super::{Ide, navigate};

/// The stretches around an offset, innermost first: word, value, line, block, item, file.
pub fn stretches(ide: Ide<'_>, file: SourceFile, offset: u32) -> Vec<Span> {
    let text: &str = file.text(ide.db);
    let mut out: Vec<Span> = vec![Span::new(0, text.len() as u32)];
    if let Some(item) = ide.item_at(file, offset) {
        let (start, inside) = (item.start(ide.db), item.text(ide.db));
        out.push(Span::new(start, start + inside.len() as u32));
        let tree = parse_tree(inside);
        // a cursor behind the last letter of something is still at it
        let at = (offset - start).min((inside.len() as u32).saturating_sub(1));
        for node in tree.path_at(at) {
            if let Some(node) = tree.nodes.get(node as usize) {
                out.push(node.span.shifted(start));
            }
        }
    }
    let word = super::complete::word_span(text, offset);
    if word.start < word.end {
        out.push(word);
    }
    let mut nested: Vec<Span> = Vec::new();
    for span in out {
        let inner = nested.last().is_none_or(|outer| outer.start <= span.start && span.end <= outer.end && *outer != span);
        if inner && span.start <= offset && offset <= span.end {
            nested.push(span);
        }
    }
    nested.reverse();
    nested
}

/// A place in a text that leads to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    pub span: Span,
    pub to: LinkTo,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkTo {
    /// A picture, by its name below the project's folder for them.
    Picture(String),
    /// A file of a module.
    Source(SourceFile),
}

pub fn links(ide: Ide<'_>, file: SourceFile) -> Vec<Link> {
    let mut out = Vec::new();
    for item in items(ide.db, file) {
        let start = item.start(ide.db);
        match &parse(ide.db, *item).item.kind {
            ItemKind::Use(u) => {
                let Some(span) = u.path.iter().map(|w| w.span).reduce(Span::to) else { continue };
                if let Some(to) = navigate::used_file(ide, file, span.start + start) {
                    out.push(Link { span: span.shifted(start), to: LinkTo::Source(to) });
                }
            }
            ItemKind::Card(card) => {
                for line in card.block.as_ref().map(|b| b.lines.as_slice()).unwrap_or_default() {
                    if let Line::Field { value, .. } = line
                        && let ExprKind::Str(s) = &value.kind
                        && banneret_projects::art::is_picture(&s.text)
                    {
                        let inner = Span::new(s.span.start + 1, s.span.end.saturating_sub(1));
                        out.push(Link { span: inner.shifted(start), to: LinkTo::Picture(s.text.to_string()) });
                    }
                }
            }
            _ => {}
        }
    }
    out
}
