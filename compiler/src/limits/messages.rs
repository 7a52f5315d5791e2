//! A broken limit, told at what it blames.

use banneret_grammar::ast;
use banneret_grammar::span::Span;
use banneret_runtime::pack::Pack;
use banneret_runtime::testing::LimitFailure;
use banneret_runtime::value::Value;

use crate::api::located;
use crate::db::Universe;
use crate::diagnostic::{Diagnostic, Located};
use crate::elaborate::elaborate;
use crate::hir::Key;
use crate::items::{Item, items, parse};
use crate::key::last_name;
use crate::link::Spans;

use super::inline::with_comparisons;

/// What was judged, and where it comes from.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    pub pack: &'a Pack,
    pub spans: &'a Spans,
    pub cards: &'a [Key],
}

pub(super) fn told(db: &dyn salsa::Database, universe: Universe, context: Context, failure: &LimitFailure) -> Option<Located> {
    let at = context.spans.card(failure.card)?;
    let file = universe.files(db).iter().find(|f| f.path(db) == at.file)?;
    let item = items(db, *file).iter().rev().find(|i| i.start(db) <= at.start)?;
    let ast::ItemKind::Card(card) = &parse(db, *item).item.kind else { return None };
    let start = item.start(db);
    let card = nested(card, at.start - start).unwrap_or(card);
    let blamed = blamed_spans(db, universe, context, failure, card);
    let name = card.name.as_ref().map_or(card.word.span, |n| n.span);
    let mut spans = blamed.into_iter();
    let first = spans.next().unwrap_or(name);
    let covers: Vec<&str> = context
        .pack
        .limits
        .get(failure.limit)
        .into_iter()
        .flat_map(|l| &l.covers)
        .filter_map(|id| context.pack.strings.get(id.index()))
        .map(String::as_str)
        .collect();
    let mut d = Diagnostic::error("limit-broken", first, sentence(&failure.words)).breaks(&covers);
    for span in spans {
        d = d.also(span, "this too");
    }
    if let Some((item, need)) = need_of(db, universe, context, failure) {
        let law = with_comparisons(db, universe, &elaborate(db, universe, item).hir);
        let (note, help) = super::note::note(&law, need, context.pack, failure);
        d.notes.extend(note);
        d.help = d.help.or(help);
    }
    if failure.fault.is_some() {
        d.code = crate::diagnostic::Code::LimitUnclear;
        d = d.note("This limit could not be worked out for this card.");
    }
    if failure.warn {
        d.severity = crate::diagnostic::Severity::Warning;
    }
    Some(located(file.path(db), start, d))
}

/// The places in the card that the limit's `blame` means: a field it names, or the entries of its lists that are the blamed cards.
fn blamed_spans(db: &dyn salsa::Database, universe: Universe, context: Context, failure: &LimitFailure, card: &ast::Card) -> Vec<Span> {
    let lines = card.block.as_ref().map(|b| b.lines.as_slice()).unwrap_or_default();
    let names: Vec<&str> = failure
        .blame
        .iter()
        .filter_map(|v| match v {
            Value::Card(id) => context.cards.get(id.index()).map(|k| crate::names::short(k)),
            _ => None,
        })
        .collect();
    let mut out = Vec::new();
    let field = blamed_field(db, universe, context, failure);
    // a field as a whole is underlined once, not entry by entry
    if let Some(Blamed { field, whole: true }) = &field
        && let Some(span) = value_of(lines, field)
    {
        return vec![span];
    }
    let field = field.map(|blamed| blamed.field);
    for line in lines {
        match line {
            ast::Line::Field { value, .. } => entries(value, &names, &mut out),
            ast::Line::Part(p) => {
                if let Some(n) = &p.name
                    && names.iter().any(|b| last_name(b) == &*n.text)
                {
                    // the limit may be about a field of the part
                    let inside = p.block.as_ref().map(|b| b.lines.as_slice()).unwrap_or_default();
                    out.push(field.as_deref().and_then(|f| value_of(inside, f)).unwrap_or(n.span));
                }
            }
            _ => {}
        }
    }
    if out.is_empty() {
        out.extend(field.and_then(|f| value_of(lines, &f)));
    }
    out
}

/// Where the value of a field is written.
fn value_of(lines: &[ast::Line], field: &str) -> Option<Span> {
    lines.iter().find_map(|line| match line {
        ast::Line::Field { name, value, .. } if *name.text == *field => Some(value.span),
        _ => None,
    })
}

/// The part (or row) of a card that starts at an offset.
fn nested(card: &ast::Card, offset: u32) -> Option<&ast::Card> {
    let lines = card.block.as_ref()?.lines.iter();
    let parts = lines.filter_map(|l| match l {
        ast::Line::Part(p) | ast::Line::Entry { card: p, .. } => Some(p),
        _ => None,
    });
    for part in parts {
        if part.span.start <= offset && offset < part.span.end {
            return nested(part, offset).or(Some(part));
        }
    }
    None
}

fn entries(value: &ast::Expr, names: &[&str], out: &mut Vec<Span>) {
    match &value.kind {
        ast::ExprKind::List(list) => list.iter().for_each(|e| entries(&e.value, names, out)),
        ast::ExprKind::Run { arg, .. } => {
            if let ast::ExprKind::Name(n) = &arg.kind
                && names.contains(&&**n)
            {
                out.push(value.span);
            }
        }
        ast::ExprKind::Name(n) if names.contains(&&**n) => out.push(value.span),
        _ => {}
    }
}

/// The item a failed `need` stands in, and where in it.
fn need_of<'db>(db: &'db dyn salsa::Database, universe: Universe, context: Context, failure: &LimitFailure) -> Option<(Item<'db>, Span)> {
    let site = context.spans.site(failure.site?)?;
    let file = universe.files(db).iter().chain(universe.library(db)).find(|f| f.path(db) == site.file)?;
    let item = items(db, *file).iter().rev().find(|i| i.start(db) <= site.start)?;
    Some((*item, Span::new(site.start - item.start(db), site.end - item.start(db))))
}

/// The field a `need` blames, and whether as a whole: by nothing but its name.
struct Blamed {
    field: String,
    whole: bool,
}

/// The field a `need … blame FIELD` names, if it is one word.
fn blamed_field(db: &dyn salsa::Database, universe: Universe, context: Context, failure: &LimitFailure) -> Option<Blamed> {
    let (item, need) = need_of(db, universe, context, failure)?;
    let blocks: Vec<&[ast::Line]> = match &parse(db, item).item.kind {
        ast::ItemKind::Limit(l) => vec![&l.block.lines],
        ast::ItemKind::Kind(k) => vec![&k.lines],
        _ => return None,
    };
    blocks.into_iter().find_map(|lines| find_blame(lines, need))
}

fn find_blame(lines: &[ast::Line], at: Span) -> Option<Blamed> {
    for line in lines {
        if let ast::Line::Need { cond, blame, span, .. } = line
            && (*span == at || span.start <= at.start && at.end <= span.end)
        {
            let named = match blame {
                Some(e) => e,
                // without `blame`, the first word of the condition
                None => cond,
            };
            let mut e = named;
            let whole = matches!(&e.kind, ast::ExprKind::Name(_) if blame.is_some());
            loop {
                match &e.kind {
                    ast::ExprKind::Name(n) => return Some(Blamed { field: n.to_string(), whole }),
                    ast::ExprKind::Call { args, .. } => e = args.first()?,
                    ast::ExprKind::Where { what, .. } | ast::ExprKind::Of { what, .. } => e = what,
                    ast::ExprKind::Field { base, name } if matches!(&base.kind, ast::ExprKind::Name(n) if &**n == "this") => {
                        return Some(Blamed { field: name.text.to_string(), whole: blame.is_some() && e.span == named.span });
                    }
                    ast::ExprKind::Field { base, .. } => e = base,
                    ast::ExprKind::Paren(inner) => e = inner.first()?,
                    ast::ExprKind::Binary { left, .. } => e = left,
                    ast::ExprKind::Run { arg, .. } => e = arg,
                    _ => return None,
                }
            }
        }
        for block in crate::items::blocks_of(line) {
            if let Some(found) = find_blame(&block.lines, at) {
                return Some(found);
            }
        }
    }
    None
}

/// Limit words as a sentence.
fn sentence(words: &str) -> String {
    let mut chars = words.chars();
    let mut out: String = chars.next().map(|c| c.to_uppercase().collect::<String>()).unwrap_or_default();
    out.push_str(chars.as_str());
    if !out.ends_with(['.', '!', '?']) {
        out.push('.');
    }
    out
}
