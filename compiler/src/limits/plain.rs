//! A card as limits see it: its values and parts; that there are effects and rules, but not what they do. This much is kept of every card, so it is
//! small.

use banneret_grammar::span::Span;
use smol_str::SmolStr;

use crate::hir::{Block, Card, CardValue, Expr, ExprKind, Key, Name, Rule, RuleKind};
use crate::ty::Ty;

/// What is kept of a card for limits. Nearly all are plain.
#[allow(clippy::large_enum_variant)]
#[derive(Debug, PartialEq, Eq)]
pub enum Printed {
    Plain(PlainCard),
    Other(Box<Card>),
}

impl Printed {
    pub fn of(card: &Card) -> Self {
        match PlainCard::of(card) {
            Some(card) => Self::Plain(card),
            None => Self::Other(Box::new(bare(card.clone()))),
        }
    }

    pub fn key(&self) -> &Key {
        match self {
            Self::Plain(card) => &card.key,
            Self::Other(card) => &card.key,
        }
    }

    /// To be lowered.
    pub fn card(&self) -> Card {
        match self {
            Self::Plain(card) => card.card(),
            Self::Other(card) => (**card).clone(),
        }
    }
}

/// A card that holds only what is certainly known before a game starts, so that nothing can go wrong when it is lowered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlainCard {
    pub key: Key,
    pub name: Name,
    title: SmolStr,
    pub kind: Key,
    pub values: Box<[(Key, PlainValue)]>,
    pub keywords: Box<[(Key, i64)]>,
    pub parts: Box<[PlainCard]>,
    rules: Box<[Span]>,
    once: Option<Key>,
    pub template: bool,
    says: Option<SmolStr>,
    span: Span,
    name_span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlainValue {
    None,
    Bool(bool),
    Int(i64),
    /// Count, sides, and what is added.
    Dice(Box<[i64; 3]>),
    Text(SmolStr),
    /// Key of the enum, name of the member.
    Member(Box<(Key, Name)>),
    Keyword(Key),
    Card(Key),
    List(Box<[PlainValue]>),
    Pair(Box<[PlainValue; 2]>),
    /// An amount and its resource.
    Cost(Box<(i64, Key)>),
    /// An effect or a choice, whatever it does.
    Code,
    /// Where the rules stand.
    Rules(Box<[Span]>),
}

impl PlainCard {
    /// None if there is more to the card.
    pub fn of(card: &Card) -> Option<Self> {
        if !card.rows.is_empty() || !card.values_of.is_empty() || card.of.is_some() {
            return None;
        }
        let values = card.values.iter().map(|(field, value)| Some((field.clone(), PlainValue::of(value)?)));
        Some(Self {
            key: card.key.clone(),
            name: card.name.clone(),
            title: card.title.clone(),
            kind: card.kind.clone(),
            values: values.collect::<Option<_>>()?,
            keywords: card.keywords.as_slice().into(),
            parts: card.parts.iter().map(Self::of).collect::<Option<_>>()?,
            rules: places(&card.rules)?,
            once: card.once.clone(),
            template: card.template,
            says: card.says.clone(),
            span: card.span,
            name_span: card.name_span,
        })
    }

    /// To be lowered.
    pub fn card(&self) -> Card {
        Card {
            key: self.key.clone(),
            name: self.name.clone(),
            title: self.title.clone(),
            kind: self.kind.clone(),
            values: self.values.iter().map(|(field, value)| (field.clone(), value.value())).collect(),
            values_of: Vec::new(),
            of: None,
            keywords: self.keywords.to_vec(),
            rules: rules_at(&self.rules),
            parts: self.parts.iter().map(Self::card).collect(),
            once: self.once.clone(),
            rows: Vec::new(),
            template: self.template,
            says: self.says.clone(),
            flavour: None,
            todos: Vec::new(),
            span: self.span,
            name_span: self.name_span,
        }
    }
}

impl PlainValue {
    /// None if it is not certainly known before a game starts.
    pub fn of(value: &CardValue) -> Option<Self> {
        match value {
            CardValue::Value(value) => Self::constant(value),
            CardValue::Effect { .. } | CardValue::Choice { .. } => Some(Self::Code),
            CardValue::Rules(rules) => Some(Self::Rules(places(rules)?)),
        }
    }

    fn constant(value: &Expr) -> Option<Self> {
        Some(match &value.kind {
            ExprKind::None => Self::None,
            ExprKind::Bool(is) => Self::Bool(*is),
            ExprKind::Int(number) => Self::Int(*number),
            // more of them than a die can have is told where it is lowered
            ExprKind::Dice { count, sides, plus } if [count, sides, plus].iter().all(|n| (0..1000).contains(*n)) => {
                Self::Dice(Box::new([*count, *sides, *plus]))
            }
            ExprKind::Text(text) => Self::Text(text.clone()),
            ExprKind::Member(of, name) => Self::Member(Box::new((of.clone(), name.clone()))),
            ExprKind::Keyword(key) => Self::Keyword(key.clone()),
            ExprKind::Card(key) => Self::Card(key.clone()),
            ExprKind::List(list) => Self::List(list.iter().map(Self::constant).collect::<Option<_>>()?),
            ExprKind::Pair(a, b) => Self::Pair(Box::new([Self::constant(a)?, Self::constant(b)?])),
            ExprKind::Cost { amount, resource } => match amount.kind {
                ExprKind::Int(amount) => Self::Cost(Box::new((amount, resource.clone()))),
                _ => return None,
            },
            _ => return None,
        })
    }

    /// To be lowered.
    pub fn value(&self) -> CardValue {
        match self {
            Self::Code => code(),
            Self::Rules(places) => CardValue::Rules(rules_at(places)),
            constant => CardValue::Value(constant.expr()),
        }
    }

    fn expr(&self) -> Expr {
        let kind = match self {
            Self::None | Self::Code | Self::Rules(_) => ExprKind::None,
            Self::Bool(is) => ExprKind::Bool(*is),
            Self::Int(number) => ExprKind::Int(*number),
            Self::Dice(dice) => ExprKind::Dice { count: dice[0], sides: dice[1], plus: dice[2] },
            Self::Text(text) => ExprKind::Text(text.clone()),
            Self::Member(member) => ExprKind::Member(member.0.clone(), member.1.clone()),
            Self::Keyword(key) => ExprKind::Keyword(key.clone()),
            Self::Card(key) => ExprKind::Card(key.clone()),
            Self::List(list) => ExprKind::List(list.iter().map(Self::expr).collect()),
            Self::Pair(halves) => ExprKind::Pair(Box::new(halves[0].expr()), Box::new(halves[1].expr())),
            Self::Cost(cost) => ExprKind::Cost { amount: Box::new(Self::Int(cost.0).expr()), resource: cost.1.clone() },
        };
        // lowering asks neither for the type of a constant nor for its place
        Expr { kind, ty: Ty::Error, span: Span::default() }
    }
}

/// Where rules stand. None if one of them stands in another card.
fn places(rules: &[Rule]) -> Option<Box<[Span]>> {
    rules.iter().map(|rule| rule.of.is_none().then_some(rule.span)).collect()
}

fn rules_at(places: &[Span]) -> Vec<Rule> {
    places.iter().map(|span| Rule { kind: some_rule(), span: *span, of: None }).collect()
}

fn some_rule() -> RuleKind {
    RuleKind::Cannot { actions: Vec::new(), choose: None, must: false, guard: None, matches: Vec::new() }
}

fn code() -> CardValue {
    CardValue::Effect { params: Vec::new(), body: Block::default() }
}

/// Leaves out what limits cannot see.
fn bare(mut card: Card) -> Card {
    for (_, value) in &mut card.values {
        match value {
            CardValue::Value(_) => {}
            CardValue::Effect { .. } | CardValue::Choice { .. } => *value = code(),
            CardValue::Rules(rules) => rules.iter_mut().for_each(|rule| rule.kind = some_rule()),
        }
    }
    card.rules.iter_mut().for_each(|rule| rule.kind = some_rule());
    card.parts = card.parts.into_iter().map(bare).collect();
    card.rows = card.rows.into_iter().map(|(low, high, row)| (low, high, bare(row))).collect();
    (card.flavour, card.todos) = (None, Vec::new());
    card
}
