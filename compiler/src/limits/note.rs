//! What a broken limit adds to its words: how much it is and how much it may be, and the smallest change that would do.

use banneret_grammar::span::Span;
use banneret_runtime::describe::written;
use banneret_runtime::pack::{Card, Notation, Pack};
use banneret_runtime::testing::LimitFailure;
use banneret_runtime::value::Value;
use banneret_runtime::world::World;

use crate::hir::{Block, Compare, EachOp, Expr, ExprKind, Item, Stmt, StmtKind, Through};
use crate::key::last_name;

/// A note and, where it is easy to say, help.
pub(crate) fn note(item: &Item, need: Span, pack: &Pack, failure: &LimitFailure) -> (Option<String>, Option<String>) {
    let (Some(sides), Some((cond, through))) = (&failure.sides, condition(item, need)) else { return (None, None) };
    let ExprKind::Compare(how, left, right) = &through.last().map_or(cond, |last| &last.body).kind else { return (None, None) };
    // `need 40 <= count(cards)` is about the count too
    let literal = |e: &Expr| matches!(e.kind, ExprKind::Int(_));
    let (how, of, sides) = match literal(left) && !literal(right) {
        true => (mirrored(*how), right, (&sides.1, &sides.0)),
        false => (*how, left, (&sides.0, &sides.1)),
    };
    (by_how_much(pack, how, sides, failure.shows), smallest_change(pack, how, of, through, sides, failure))
}

fn mirrored(how: Compare) -> Compare {
    match how {
        Compare::Lt => Compare::Gt,
        Compare::Le => Compare::Ge,
        Compare::Gt => Compare::Lt,
        Compare::Ge => Compare::Le,
        same => same,
    }
}

/// "It is 340; at most 300 is allowed, 40 too many."
fn by_how_much(pack: &Pack, how: Compare, (is, bound): (&Value, &Value), shows: Notation) -> Option<String> {
    let simple = |v: &Value| !matches!(v, Value::None | Value::Bool(_) | Value::List(_) | Value::Code(..) | Value::Rules(..));
    if !simple(is) || !simple(bound) {
        return None;
    }
    let world = World::default();
    let show = |v: &Value| written(pack, &world, v, shows);
    let apart = match (is, bound, shows) {
        (Value::Int(a), Value::Int(b), Notation::Plain | Notation::Length(_)) => Some(show(&Value::Int(a.abs_diff(*b).try_into().ok()?))),
        _ => None,
    };
    let much = matches!(shows, Notation::Length(_));
    let over = |words: [&str; 2]| apart.map(|by| format!(", {by} too {}", words[usize::from(much)])).unwrap_or_default();
    let (is, bound) = (show(is), show(bound));
    Some(match how {
        Compare::Le => format!("It is {is}; at most {bound} is allowed{}.", over(["many", "much"])),
        Compare::Ge => format!("It is {is}; at least {bound} is needed{}.", over(["few", "little"])),
        Compare::Lt => format!("It is {is}; it must be less than {bound}."),
        Compare::Gt => format!("It is {is}; it must be more than {bound}."),
        Compare::Eq => format!("It is {is}; it must be {bound}."),
        Compare::Ne => format!("It is {is}; it must be something else."),
    })
}

/// For a count or a sum over a list of the card.
fn smallest_change(
    pack: &Pack,
    how: Compare,
    of: &Expr,
    through: &[Through],
    sides: (&Value, &Value),
    failure: &LimitFailure,
) -> Option<String> {
    let (Value::Int(is), Value::Int(bound)) = sides else { return None };
    let ExprKind::Each { op: EachOp::Sum, list, lambda } = &of.kind else { return None };
    let ExprKind::Field { base, field, .. } = &list.kind else { return None };
    if !is_this(base, through) {
        return None;
    }
    let too_many = match how {
        Compare::Le => is.checked_sub(*bound)?,
        Compare::Lt => is.checked_sub(*bound)?.checked_add(1)?,
        Compare::Ge if lambda.body.kind == ExprKind::Int(1) => return Some(format!("Add {} more.", bound.checked_sub(*is)?)),
        _ => return None,
    };
    match &lambda.body.kind {
        ExprKind::Int(1) => Some(format!("Leave out {too_many} of them.")),
        ExprKind::Field { base, field: value, .. } if matches!(base.kind, ExprKind::Local(_)) => {
            let card = pack.cards.get(failure.card.index())?;
            let Value::List(entries) = printed(pack, card, field)? else { return None };
            let worth = |v: &Value| match v {
                Value::Card(id) => {
                    let entry = pack.cards.get(id.index())?;
                    match printed(pack, entry, value)? {
                        Value::Int(n) if *n >= too_many => Some((*n, entry)),
                        _ => None,
                    }
                }
                _ => None,
            };
            let one = entries.iter().filter_map(worth).min_by_key(|(n, _)| *n);
            let show = |n: i64| written(pack, &World::default(), &Value::Int(n), failure.shows);
            Some(match one {
                Some((n, entry)) => format!("Leaving out {} ({}) is enough.", pack.text(entry.name), show(n)),
                None => format!("Leave out several that come to {} or more.", show(too_many)),
            })
        }
        _ => None,
    }
}

/// Is it the card itself, by whatever name the terms know it?
fn is_this(e: &Expr, through: &[Through]) -> bool {
    match (&e.kind, through) {
        (ExprKind::This, []) => true,
        (ExprKind::Local(local), [outer @ .., term]) => term.params.iter().any(|(param, value)| param == local && is_this(value, outer)),
        _ => false,
    }
}

/// A printed value, by the key of its field.
fn printed<'p>(pack: &'p Pack, card: &'p Card, field: &str) -> Option<&'p Value> {
    let name = last_name(field);
    card.values.iter().find(|(id, _)| pack.field_name(*id) == name).map(|(_, value)| value)
}

/// As it is written, and the terms behind it.
type Condition<'a> = (&'a Expr, &'a [Through]);

/// The condition of the `need` that stands there.
fn condition(item: &Item, at: Span) -> Option<Condition<'_>> {
    match item {
        Item::Limit(limit) => in_block(&limit.body, at),
        Item::Kind(kind) => kind.limits.iter().find_map(|limit| in_block(&limit.body, at)),
        _ => None,
    }
}

fn in_block(block: &Block, at: Span) -> Option<Condition<'_>> {
    block.stmts.iter().find_map(|stmt| in_stmt(stmt, at))
}

fn in_stmt(stmt: &Stmt, at: Span) -> Option<Condition<'_>> {
    match &stmt.kind {
        StmtKind::Blame { cond, through, .. } if stmt.span == at => Some((cond, through)),
        StmtKind::If { arms, otherwise } | StmtKind::Table { rows: arms, otherwise, .. } => {
            arms.iter().map(|(_, block)| block).chain(otherwise).find_map(|block| in_block(block, at))
        }
        StmtKind::For { body, .. } | StmtKind::RepeatTimes { body, .. } | StmtKind::RepeatUntil { body, .. } => in_block(body, at),
        _ => None,
    }
}
