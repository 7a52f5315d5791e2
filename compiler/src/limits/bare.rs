//! A card as limits see it: its values and parts; that there are effects and rules, but not what they do. This much is kept of every card.

use crate::hir::{Block, Card, CardValue, Expr, ExprKind, Rule, RuleKind};

/// Leaves out what limits cannot see.
pub(crate) fn bare(mut card: Card) -> Card {
    for (_, value) in &mut card.values {
        match value {
            CardValue::Value(_) => {}
            CardValue::Effect { .. } | CardValue::Choice { .. } => {
                *value = CardValue::Effect { params: Vec::new(), body: Block::default() };
            }
            CardValue::Rules(rules) => rules.iter_mut().for_each(without_body),
        }
    }
    card.rules.iter_mut().for_each(without_body);
    card.parts = card.parts.into_iter().map(bare).collect();
    card.rows = card.rows.into_iter().map(|(low, high, row)| (low, high, bare(row))).collect();
    (card.flavour, card.todos) = (None, Vec::new());
    card
}

fn without_body(rule: &mut Rule) {
    rule.kind = RuleKind::Cannot { actions: Vec::new(), choose: None, guard: None, matches: Vec::new() };
}

/// Whether everything in the card is certainly known before a game starts, so that nothing can go wrong when it is lowered.
pub(crate) fn is_plain(card: &Card) -> bool {
    let values = card.values.iter().all(|(_, value)| match value {
        CardValue::Value(value) => is_constant(value),
        CardValue::Effect { .. } | CardValue::Choice { .. } | CardValue::Rules(_) => true,
    });
    values && card.rows.is_empty() && card.parts.iter().all(is_plain)
}

fn is_constant(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::None | ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::Text(_) => true,
        ExprKind::Member(..) | ExprKind::Keyword(_) | ExprKind::Card(_) => true,
        ExprKind::List(list) => list.iter().all(is_constant),
        ExprKind::Pair(a, b) => is_constant(a) && is_constant(b),
        ExprKind::Cost { amount, .. } => matches!(amount.kind, ExprKind::Int(_)),
        _ => false,
    }
}
