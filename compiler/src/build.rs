//! From checked items to a linked pack, and the limits that run on it.

use banneret_grammar::ast;
use banneret_grammar::span::Span;
use banneret_runtime::value::Value;
use smol_str::SmolStr;

use crate::api::located;
use crate::check::analysis;
use crate::db::{SourceFile, Universe};
use crate::diagnostic::{Diagnostic, Located};
use crate::elaborate::{elaborate, elaborate_now};
use crate::hir;
use crate::items::{Item, is_card, items, parse, parse_now};
use crate::link::{self, LinkInput, Linked};
use crate::lower::{Lowered, lower_item};
use crate::names::{ModuleName, visible};

/// The item's own bytecode, symbolic.
#[salsa::tracked]
pub fn lowered<'db>(db: &'db dyn salsa::Database, universe: Universe, item: Item<'db>) -> Lowered {
    if is_card(db, item) {
        return lower_item(&elaborate_now(db, universe, item, &parse_now(db, item)).hir);
    }
    let hir = &elaborate(db, universe, item).hir;
    if let hir::Item::Ruleset(ruleset) = hir {
        // options have the values the project gives them
        let mut ruleset = ruleset.clone();
        for (key, value) in settings(db, universe) {
            if let Some((_, old)) = ruleset.options.iter_mut().find(|(k, _)| k == key) {
                *old = value.clone();
            }
        }
        return lower_item(&hir::Item::Ruleset(ruleset));
    }
    lower_item(hir)
}

/// Files whose items are part of the project: its own, and those of every library it reaches.
pub fn reachable_files(db: &dyn salsa::Database, universe: Universe) -> Vec<SourceFile> {
    let mut modules: Vec<SmolStr> = Vec::new();
    for file in universe.files(db) {
        for module in visible(db, universe, ModuleName::new(db, file.module(db).clone())) {
            if !modules.contains(module) {
                modules.push(module.clone());
            }
        }
    }
    let mut out = universe.files(db).clone();
    out.extend(universe.library(db).iter().filter(|f| modules.contains(f.module(db))));
    out
}

#[salsa::tracked(returns(deref))]
pub fn line_starts(db: &dyn salsa::Database, file: SourceFile) -> Vec<u32> {
    let text = file.text(db);
    std::iter::once(0).chain(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32 + 1)).collect()
}

/// What is linked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A whole pack.
    Pack,
    /// Only what limits can see: no effects of cards, no words, no tests.
    Limits,
}

/// Links everything. Errors are what the checks of single items could not see.
pub fn link(db: &dyn salsa::Database, universe: Universe, purpose: Purpose) -> Result<Linked, Vec<Located>> {
    let files = reachable_files(db, universe);
    let mut parts = Vec::new();
    let mut wrong = Vec::new();
    for file in &files {
        for item in items(db, *file) {
            let lowered = match (purpose, &analysis(db, universe, *item).for_limits) {
                (Purpose::Limits, Some(card)) => card,
                (Purpose::Limits, None) if item.header(db).starts_with("test ") => continue,
                _ => lowered(db, universe, *item),
            };
            for (span, words) in &lowered.problems {
                wrong.push(located(file.path(db), item.start(db), Diagnostic::error("cannot-build", *span, words.clone())));
            }
            parts.push(LinkInput { file: file.path(db), item_start: item.start(db), line_starts: line_starts(db, *file), lowered });
        }
    }
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let project = link::Project {
        name: universe.name(db).clone(),
        version: universe.version(db).clone(),
        texts: match purpose {
            Purpose::Pack => crate::show::texts(db, universe, &files),
            Purpose::Limits => std::collections::BTreeMap::new(),
        },
        lengths: crate::signature::base_signs(db, universe).iter().map(|(name, sign)| (name.to_string(), sign.to_string())).collect(),
        ..link::Project::default()
    };
    link::link(&project, &parts).map_err(|problems| {
        problems.into_iter().map(|p| Located { file: p.file, diagnostic: Diagnostic::error("cannot-build", p.span, p.words) }).collect()
    })
}

/// Options as the project's `use … with` items set them.
#[salsa::tracked(returns(deref))]
pub(crate) fn settings(db: &dyn salsa::Database, universe: Universe) -> Vec<(SmolStr, crate::hir::Expr)> {
    let mut out: Vec<(SmolStr, crate::hir::Expr)> = Vec::new();
    for file in universe.files(db) {
        for item in items(db, *file).iter().filter(|i| i.header(db).starts_with("use ")) {
            for (key, value) in &elaborate(db, universe, *item).settings {
                if !out.iter().any(|(k, _)| k == key) {
                    out.push((key.clone(), value.clone()));
                }
            }
        }
    }
    out
}

/// Runs the limits and tells each failure at what it blames.
pub fn limits(db: &dyn salsa::Database, universe: Universe, linked: &Linked) -> Vec<Located> {
    let loaded = match banneret_runtime::loaded::Loaded::new(linked.pack.clone()) {
        Ok(loaded) => loaded,
        Err(refused) => {
            return vec![Located {
                file: universe.files(db).first().map_or_else(String::new, |f| f.path(db).to_string()),
                diagnostic: Diagnostic::error("cannot-build", Span::default(), format!("The pack was refused: {refused}")),
            }];
        }
    };
    let mut out = Vec::new();
    for failure in banneret_runtime::testing::run_limits(&loaded) {
        out.extend(told(db, universe, linked, &failure));
    }
    out
}

fn told(
    db: &dyn salsa::Database,
    universe: Universe,
    linked: &Linked,
    failure: &banneret_runtime::testing::LimitFailure,
) -> Option<Located> {
    let at = linked.spans.card(failure.card)?;
    let file = universe.files(db).iter().find(|f| f.path(db) == at.file)?;
    let item = items(db, *file).iter().rev().find(|i| i.start(db) <= at.start)?;
    let ast::ItemKind::Card(card) = &parse(db, *item).item.kind else { return None };
    let start = item.start(db);
    let card = nested(card, at.start - start).unwrap_or(card);
    let blamed = blamed_spans(db, universe, linked, failure, card);
    let name = card.name.as_ref().map_or(card.word.span, |n| n.span);
    let mut spans = blamed.into_iter();
    let first = spans.next().unwrap_or(name);
    let covers: Vec<&str> = linked
        .pack
        .limits
        .get(failure.limit)
        .into_iter()
        .flat_map(|l| &l.covers)
        .filter_map(|id| linked.pack.strings.get(id.index()))
        .map(String::as_str)
        .collect();
    let covers = if covers.is_empty() { String::new() } else { format!(" ({})", covers.join(", ")) };
    let mut d = Diagnostic::error("limit-broken", first, format!("{}{covers}", sentence(&failure.words)));
    for span in spans {
        d = d.also(span, "this too");
    }
    if let Some((item, need)) = need_of(db, universe, linked, failure) {
        let (note, help) = crate::limit_note::note(&elaborate(db, universe, item).hir, need, &linked.pack, failure);
        d.notes.extend(note);
        d.help = d.help.or(help);
    }
    if failure.fault.is_some() {
        d.code = "limit-unclear";
        d = d.note("This limit could not be worked out for this card.");
    }
    if failure.warn {
        d.severity = crate::diagnostic::Severity::Warning;
    }
    Some(located(file.path(db), start, d))
}

/// The places in the card that the limit's `blame` means: a field it names, or the entries of its lists that are the blamed cards.
fn blamed_spans(
    db: &dyn salsa::Database,
    universe: Universe,
    linked: &Linked,
    failure: &banneret_runtime::testing::LimitFailure,
    card: &ast::Card,
) -> Vec<Span> {
    let lines = card.block.as_ref().map(|b| b.lines.as_slice()).unwrap_or_default();
    let names: Vec<&str> = failure
        .blame
        .iter()
        .filter_map(|v| match v {
            Value::Card(id) => linked.cards.get(id.index()).map(|k| crate::names::short(k)),
            _ => None,
        })
        .collect();
    let mut out = Vec::new();
    let field = blamed_field(db, universe, linked, failure);
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
                    && names.iter().any(|b| b.rsplit('.').next() == Some(&*n.text))
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
fn need_of<'db>(
    db: &'db dyn salsa::Database,
    universe: Universe,
    linked: &Linked,
    failure: &banneret_runtime::testing::LimitFailure,
) -> Option<(Item<'db>, Span)> {
    let site = linked.spans.site(failure.site?)?;
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
fn blamed_field(
    db: &dyn salsa::Database,
    universe: Universe,
    linked: &Linked,
    failure: &banneret_runtime::testing::LimitFailure,
) -> Option<Blamed> {
    let (item, need) = need_of(db, universe, linked, failure)?;
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
