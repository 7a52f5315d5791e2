//! What the cards in the lists of a card come to: a roster's points, a deck's cards.

use banneret_compiler::items::{DeclKind, Item, parse};
use banneret_compiler::signature::{FieldInfo, KindInfo, find, kind_info};
use banneret_compiler::ty::Ty;
use banneret_grammar::ast::{self, ExprKind, FieldRole, ItemKind, Line, Number};
use banneret_grammar::span::Span;
use smol_str::SmolStr;

use super::Ide;

/// How far cards that build on others are followed.
const DEEP: usize = 8;
/// Longer lists take longer than one waits for a hint.
const MOST: usize = 300;

/// One list of a card: what it is called, where it stands in the item, how many are in it, and the sums of the numbers that each of them says.
pub struct Sum {
    pub field: SmolStr,
    pub at: Span,
    pub count: i64,
    pub sums: Vec<(SmolStr, i64)>,
}

pub fn sums(ide: Ide<'_>, item: Item<'_>, card: &ast::Card) -> Vec<Sum> {
    let mut out = Vec::new();
    let Some(kind) = kind(ide, item, card) else { return out };
    for line in card.block.as_ref().map(|b| b.lines.as_slice()).unwrap_or_default() {
        let Line::Field { name, value, .. } = line else { continue };
        let is_list = kind.field(&name.text).is_some_and(|f| matches!(&f.ty, Ty::List(t) if matches!(**t, Ty::Kind(_))));
        let ExprKind::List(entries) = &value.kind else { continue };
        let counted = entries.iter().map(|entry| counted(&entry.value)).collect::<Option<Vec<(i64, &str)>>>();
        let Some(counted) = counted.filter(|all| is_list && !all.is_empty() && all.len() <= MOST) else { continue };
        let module = item.file(ide.db).module(ide.db);
        let cards =
            counted.iter().map(|(n, name)| find(ide.db, ide.universe, module, name, &[DeclKind::Card]).map(|found| (*n, found.item)));
        let Some(cards) = cards.collect::<Option<Vec<(i64, Item<'_>)>>>() else { continue };
        let fields = cards.first().map(|(_, item)| fields(ide, *item, |_| true)).unwrap_or_default();
        let sum =
            |field: &SmolStr| cards.iter().try_fold(0i64, |sum, (n, item)| sum.checked_add(n.checked_mul(said(ide, *item, field, 0)?)?));
        let sums = fields.iter().filter_map(|field| Some((field.clone(), sum(field)?))).collect();
        out.push(Sum { field: SmolStr::new(&name.text), at: value.span, count: counted.iter().map(|(n, _)| n).sum(), sums });
    }
    out
}

/// The kind of a card.
pub fn kind<'a>(ide: Ide<'a>, item: Item<'_>, card: &ast::Card) -> Option<&'a KindInfo> {
    let found = find(ide.db, ide.universe, item.file(ide.db).module(ide.db), &card.word.text, &[DeclKind::Word])?;
    Some(kind_info(ide.db, ide.universe, found.item))
}

/// The field of a kind that lists keywords.
pub fn keywords(kind: &KindInfo) -> Option<String> {
    let of_keywords = |ty: &Ty| matches!(ty, Ty::Set(t) | Ty::List(t) if **t == Ty::Keyword);
    kind.fields.iter().find(|f| of_keywords(&f.ty)).map(|f| f.name.to_string())
}

/// The whole numbers that a card must say, from it or the cards it builds on.
pub fn numbers(ide: Ide<'_>, item: Item<'_>) -> Vec<(String, i64)> {
    let fields = fields(ide, item, |f| !f.has_default).into_iter();
    fields.filter_map(|field| said(ide, item, &field, 0).map(|n| (field.to_string(), n))).collect()
}

/// The fields of a card that are whole numbers and stay as they are.
fn fields(ide: Ide<'_>, item: Item<'_>, wanted: fn(&FieldInfo) -> bool) -> Vec<SmolStr> {
    let ItemKind::Card(card) = &parse(ide.db, item).item.kind else { return Vec::new() };
    let Some(kind) = kind(ide, item, card) else { return Vec::new() };
    let numbers = kind.fields.iter().filter(|f| f.role == FieldRole::Plain && matches!(f.ty, Ty::Int(_)) && wanted(f));
    numbers.map(|f| f.name.clone()).collect()
}

/// `4 Riveter` or `Riveter`
fn counted(value: &ast::Expr) -> Option<(i64, &str)> {
    match &value.kind {
        ExprKind::Name(name) => Some((1, name)),
        ExprKind::Run { head, arg } => match (&head.kind, &arg.kind) {
            (ExprKind::Number(Number::Int(n)), ExprKind::Name(name)) => Some((*n, name)),
            _ => None,
        },
        _ => None,
    }
}

/// A number that a card says, or the card it builds on.
fn said(ide: Ide<'_>, item: Item<'_>, field: &str, depth: usize) -> Option<i64> {
    let ItemKind::Card(card) = &parse(ide.db, item).item.kind else { return None };
    let lines = card.block.as_ref().map(|b| b.lines.as_slice()).unwrap_or_default();
    let own = lines.iter().find_map(|line| match line {
        Line::Field { name, value, .. } if *name.text == *field => Some(value),
        _ => None,
    });
    match own.map(|value| &value.kind) {
        Some(ExprKind::Number(Number::Int(n))) => Some(*n),
        Some(_) => None,
        None if depth < DEEP => {
            let base = find(ide.db, ide.universe, item.file(ide.db).module(ide.db), &card.from.as_ref()?.text, &[DeclKind::Card])?;
            said(ide, base.item, field, depth + 1)
        }
        None => None,
    }
}
