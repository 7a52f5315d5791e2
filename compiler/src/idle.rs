//! What is accepted and would do nothing: conditions that exclude themselves, rules that change nothing, values that nobody reads, and rules
//! that ask for what never is.

use banneret_runtime::pack::FieldRole;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::db::Universe;
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{
    self, Block, CardValue, Compare, Expr, ExprKind, Field, Key, Limit, Name, Region, RegionKind, Rule, RuleKind, Sides, Span, StmtKind,
    Target, Template, TextPart, When,
};
use crate::items::DeclKind;
use crate::key::last_name;
use crate::lower::{Seen, in_block, in_expr, in_rule};
use crate::names::{Wanted, short};
use crate::signature;
use crate::ty::Ty;

/// A constant that an action is given, or that a rule asks for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Given {
    Member(Name),
    Int(i64),
    Bool(bool),
    Unset,
    Anything,
}

/// What a field of a kind or keyword holds, if somebody has to read it so that it means something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holds {
    State,
    Effect,
    Rules,
    Choice,
}

/// What one item reads, sets and asks for.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Idle {
    /// It says how a game starts: what is never read in a game that can be played is a mistake, in a draft it is not there yet.
    starts: bool,
    reads: Vec<Key>,
    /// States that are given a value, and what cards write into fields that hold more than a value.
    sets: Vec<Key>,
    declares: Vec<(Key, Holds, Span)>,
    /// Fields of events: of which action, and which.
    event_reads: Vec<(Key, Name)>,
    /// The same, changed by a rule that answers one of these actions.
    event_sets: Vec<(Vec<Key>, Name, Span)>,
    /// What actions are given, by the position of the parameter; with none, nothing is known of any.
    passes: Vec<(Key, Option<usize>, Given)>,
    asks: Vec<Ask>,
}

/// A rule answers an action only if a parameter has this value.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Ask {
    action: Key,
    param: Name,
    position: usize,
    value: Given,
    span: Span,
}

impl Idle {
    pub fn of(db: &dyn salsa::Database, universe: Universe, item: &hir::Item) -> Self {
        let mut idle = Self { starts: matches!(item, hir::Item::Ruleset(ruleset) if ruleset.start.is_some()), ..Self::default() };
        idle.declare(item);
        // reads of a field by what is only written back into it
        let mut own: FxHashMap<Key, usize> = FxHashMap::default();
        let mut rules: Vec<Answers> = Vec::new();
        let mut event_reads: Vec<Name> = Vec::new();
        each_in_item(item, &mut |seen| match seen {
            Seen::Expr(e) => match &e.kind {
                ExprKind::Field { field, .. } => match own.get_mut(field).filter(|n| **n > 0) {
                    Some(n) => *n -= 1,
                    None => idle.reads.push(field.clone()),
                },
                ExprKind::Cost { resource, .. } => idle.reads.push(resource.clone()),
                ExprKind::EventField(name) => event_reads.push(name.clone()),
                ExprKind::ScopeField(action, name) | ExprKind::LogField { action, field: name, .. } => {
                    idle.event_reads.push((action.clone(), name.clone()));
                }
                ExprKind::Emit { action, args, each } => {
                    for (i, arg) in args.iter().enumerate() {
                        let given = arg.as_ref().filter(|_| *each != Some(i)).map_or(Given::Anything, given);
                        let given = if arg.is_none() { Given::Unset } else { given };
                        idle.passes.push((action.clone(), Some(i), given));
                    }
                }
                _ => {}
            },
            Seen::Assign(Target::Field { field, .. }, value, _) => {
                let mut n = 0;
                in_expr(value, &mut |seen| {
                    n += usize::from(matches!(seen, Seen::Expr(Expr { kind: ExprKind::Field { field: f, .. }, .. }) if f == field))
                });
                own.insert(field.clone(), n);
                idle.sets.push(field.clone());
            }
            Seen::Block(block) => {
                for stmt in &block.stmts {
                    if let StmtKind::Scope { action, .. } = &stmt.kind {
                        idle.passes.push((action.clone(), None, Given::Anything));
                    }
                }
            }
            Seen::Rule(rule) => rules.extend(Answers::of(rule)),
            _ => {}
        });
        // of an action, what its own body reads; of a rule, what it does not only write back
        if let hir::Item::Action(action) = item {
            let keys: Vec<Key> = std::iter::once(action).chain(&action.inner).map(|a| a.key.clone()).collect();
            event_reads.iter().for_each(|name| idle.event_reads.extend(keys.iter().map(|key| (key.clone(), name.clone()))));
        }
        for rule in rules {
            for name in rule.reads.iter().filter(|name| !rule.sets.iter().any(|(set, _)| set == *name)) {
                idle.event_reads.extend(rule.actions.iter().map(|key| (key.clone(), name.clone())));
            }
            idle.event_sets.extend(rule.sets.into_iter().map(|(name, span)| (rule.actions.clone(), name, span)));
            if let [action] = rule.actions.as_slice() {
                idle.asks.extend(rule.asks.into_iter().filter_map(|(param, value, span)| {
                    let position = position(db, universe, action, &param)?;
                    Some(Ask { action: action.clone(), param, position, value, span })
                }));
            }
        }
        if let hir::Item::Card(card) = item {
            idle.written(card);
        }
        idle.once_each();
        idle
    }

    fn written(&mut self, card: &hir::Card) {
        let is_deed = |value: &CardValue| !matches!(value, CardValue::Value(_));
        self.sets.extend(card.values.iter().filter(|(_, value)| is_deed(value)).map(|(field, _)| field.clone()));
        card.parts.iter().for_each(|part| self.written(part));
        card.rows.iter().for_each(|(_, _, row)| self.written(row));
    }

    fn declare(&mut self, item: &hir::Item) {
        let fields = match item {
            hir::Item::Kind(kind) => &kind.fields,
            hir::Item::Keyword(keyword) => &keyword.state,
            _ => return,
        };
        for field in fields {
            let bare = match &field.ty {
                Ty::Optional(inner) => inner,
                ty => ty,
            };
            let holds = match (bare, field.role) {
                (_, FieldRole::State) => Holds::State,
                (Ty::Effect(_), _) => Holds::Effect,
                (Ty::Rules, _) => Holds::Rules,
                (Ty::Choice(_), _) => Holds::Choice,
                _ => continue,
            };
            self.declares.push((field.key.clone(), holds, field.span));
        }
    }

    /// What all items of a file read, set and ask for, each with where it starts: places count from the start of the file.
    pub fn of_file<'a>(all: impl Iterator<Item = (&'a Self, u32)>) -> Self {
        let mut out = Self::default();
        for (idle, start) in all.filter(|(idle, _)| !idle.is_empty()) {
            out.starts |= idle.starts;
            out.reads.extend(idle.reads.iter().cloned());
            out.sets.extend(idle.sets.iter().cloned());
            out.declares.extend(idle.declares.iter().map(|(key, holds, span)| (key.clone(), *holds, span.shifted(start))));
            out.event_reads.extend(idle.event_reads.iter().cloned());
            out.event_sets.extend(idle.event_sets.iter().map(|(keys, name, span)| (keys.clone(), name.clone(), span.shifted(start))));
            out.passes.extend(idle.passes.iter().cloned());
            out.asks.extend(idle.asks.iter().map(|ask| Ask { span: ask.span.shifted(start), ..ask.clone() }));
        }
        out.once_each();
        out
    }

    /// The cards of a file read and set much the same.
    fn once_each(&mut self) {
        for keys in [&mut self.reads, &mut self.sets] {
            sorted(keys);
        }
        sorted(&mut self.event_reads);
        sorted(&mut self.passes);
    }

    fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Each once, and without room for more.
fn sorted<T: Ord>(list: &mut Vec<T>) {
    list.sort_unstable();
    list.dedup();
    list.shrink_to_fit();
}

/// What all items of a project and its libraries read and pass on.
#[derive(Default)]
pub(crate) struct Known<'a> {
    starts: bool,
    reads: FxHashSet<&'a Key>,
    sets: FxHashSet<&'a Key>,
    event_reads: FxHashSet<(&'a Key, &'a Name)>,
    event_sets: FxHashSet<(&'a Key, &'a Name)>,
    passes: FxHashMap<&'a Key, FxHashSet<(Option<usize>, &'a Given)>>,
}

impl<'a> Known<'a> {
    pub fn of(all: impl Iterator<Item = &'a Idle>) -> Self {
        let mut out = Self::default();
        for idle in all.filter(|idle| !idle.is_empty()) {
            out.starts |= idle.starts;
            out.reads.extend(&idle.reads);
            out.sets.extend(&idle.sets);
            out.event_reads.extend(idle.event_reads.iter().map(|(action, name)| (action, name)));
            for (actions, name, _) in &idle.event_sets {
                out.event_sets.extend(actions.iter().map(|action| (action, name)));
            }
            for (action, position, given) in &idle.passes {
                out.passes.entry(action).or_default().insert((*position, given));
            }
        }
        out
    }

    /// Whether there is a game that can be played.
    pub fn is_played(&self) -> bool {
        self.starts
    }

    /// What an item declares, changes or asks for in vain.
    pub fn in_vain(&self, idle: &Idle) -> Vec<Diagnostic> {
        let mut out = Vec::new();
        if !self.is_played() {
            return out;
        }
        for (key, holds, span) in &idle.declares {
            let name = last_name(key);
            if !self.sets.contains(key) || self.reads.contains(key) || BUILT_IN.contains(&name) {
                continue;
            }
            let (words, help) = match holds {
                Holds::State => {
                    (format!("Nothing reads `{name}`: whatever it is set to changes nothing."), "Read it in a rule, or remove it.")
                }
                Holds::Effect => {
                    (format!("Nothing carries out `{name}`: what cards write there never happens."), "Write `do x.NAME` where it happens.")
                }
                Holds::Rules => (
                    format!("Nothing puts `{name}` in force: rules that cards write there never act."),
                    "Write `grant x { x.NAME }` where they act.",
                ),
                Holds::Choice => (
                    format!("Nothing chooses from `{name}`: what cards write there is never asked."),
                    "Write `choose t from x.NAME` where it is asked.",
                ),
            };
            out.push(Diagnostic::warning(Code::NeverRead, *span, words).help(help.replace("NAME", name)));
        }
        for (actions, name, span) in &idle.event_sets {
            if !actions.is_empty() && !actions.iter().any(|action| self.event_reads.contains(&(action, name))) {
                let words = format!("Nothing reads `{name}` of `{}`: to change it changes nothing.", short(&actions[0]));
                out.push(Diagnostic::warning(Code::NeverRead, *span, words).help("Change what the action works with."));
            }
        }
        for ask in &idle.asks {
            let Some(passes) = self.passes.get(&ask.action) else { continue };
            let at = Some(ask.position);
            let is_given = [(None, &Given::Anything), (at, &Given::Anything), (at, &ask.value)].iter().any(|given| passes.contains(given));
            if !is_given && !self.event_sets.contains(&(&ask.action, &ask.param)) {
                let shown = match &ask.value {
                    Given::Member(name) => name.to_string(),
                    Given::Int(n) => n.to_string(),
                    Given::Bool(b) => b.to_string(),
                    Given::Unset | Given::Anything => "this".to_owned(),
                };
                let words =
                    format!("`{}` never happens with {shown} as its `{}`, so this rule never applies.", short(&ask.action), ask.param);
                out.push(Diagnostic::warning(Code::NeverHappens, ask.span, words).help("Ask for a value that some rule or card gives it."));
            }
        }
        out
    }
}

/// States that the machine itself looks at.
const BUILT_IN: &[&str] = &["base", "corners", "facing", "links", "place"];

fn position(db: &dyn salsa::Database, universe: Universe, action: &Key, param: &str) -> Option<usize> {
    let found = signature::by_key(db, universe, action, &[DeclKind::Action, DeclKind::Phase])?;
    let name = smol_str::SmolStr::new(short(&found.key));
    let sig = signature::call_sig(db, universe, found.item, Wanted::new(db, found.module.clone(), name));
    let at = sig.params.iter().position(|p| p.name == param)?;
    // what has a default may be anything when it is left out
    (!sig.params[at].optional || matches!(sig.params[at].ty, Ty::Optional(_))).then_some(at)
}

fn given(e: &Expr) -> Given {
    match &e.kind {
        ExprKind::Member(_, name) => Given::Member(name.clone()),
        ExprKind::Int(n) => Given::Int(*n),
        ExprKind::Bool(b) => Given::Bool(*b),
        ExprKind::None => Given::Unset,
        _ => Given::Anything,
    }
}

/// What a rule that answers events reads and changes of them.
struct Answers {
    actions: Vec<Key>,
    reads: Vec<Name>,
    sets: Vec<(Name, Span)>,
    asks: Vec<(Name, Given, Span)>,
}

impl Answers {
    fn of(rule: &Rule) -> Option<Self> {
        let (actions, guard, body) = match &rule.kind {
            RuleKind::Handler { actions, guard, body, .. } => (actions, guard, Some(body)),
            RuleKind::Cannot { actions, guard, .. } => (actions, guard, None),
            RuleKind::Grant { .. } => return None,
        };
        let (mut reads, mut sets, mut asks) = (Vec::new(), Vec::new(), Vec::new());
        let changes = matches!(&rule.kind, RuleKind::Handler { when: When::Before | When::Instead, .. });
        let mut note = |seen: Seen| match seen {
            Seen::Expr(Expr { kind: ExprKind::EventField(name), .. }) => reads.push(name.clone()),
            // a rule that comes too late is told as such
            Seen::Set(Target::EventField(name), span) | Seen::Modify(name, span) if changes => sets.push((name.clone(), span)),
            _ => {}
        };
        guard.iter().for_each(|guard| in_expr(guard, &mut note));
        body.iter().for_each(|body| in_block(body, &mut note));
        let mut parts = Vec::new();
        guard.iter().for_each(|guard| conjuncts(guard, &mut parts));
        for part in parts {
            if let ExprKind::Compare(Compare::Eq, a, b) = &part.kind {
                for (field, value) in [(a, b), (b, a)] {
                    let value = given(value);
                    if let ExprKind::EventField(name) = &field.kind
                        && !matches!(value, Given::Anything | Given::Unset)
                    {
                        asks.push((name.clone(), value, part.span));
                    }
                }
            }
        }
        Some(Self { actions: actions.clone(), reads, sets, asks })
    }
}

// ---- what shows in an item alone

/// Conditions and statements of an item that exclude themselves or change nothing.
pub(crate) fn found(item: &hir::Item) -> Vec<Diagnostic> {
    let mut out: Vec<Diagnostic> = Vec::new();
    if matches!(item, hir::Item::Test(_)) {
        return out;
    }
    each_in_item(item, &mut |seen| match seen {
        Seen::Expr(e) if matches!(e.kind, ExprKind::And(..)) => out.extend(excluded(e)),
        Seen::Assign(target, value, span) if is_target(value, target) => {
            out.push(
                Diagnostic::warning(Code::ChangesNothing, span, "This sets something to what it is already.")
                    .help("Write what it becomes, or remove it."),
            );
        }
        Seen::Rule(rule) => out.extend(only_proceeds(rule)),
        Seen::Block(block) => in_vain(block, &mut out),
        _ => {}
    });
    // a condition in a condition is met twice
    let mut told = FxHashSet::default();
    out.retain(|d| told.insert((d.span.start, d.span.end)));
    out
}

/// `instead of X { proceed }`
fn only_proceeds(rule: &Rule) -> Option<Diagnostic> {
    let RuleKind::Handler { when: When::Instead, once: None, body, .. } = &rule.kind else { return None };
    let [only] = body.stmts.as_slice() else { return None };
    (only.kind == StmtKind::Proceed).then(|| {
        Diagnostic::warning(Code::DoesNothing, only.span, "This rule carries out what it replaces, and nothing else.")
            .help("Write what happens instead, or remove the rule.")
    })
}

/// Loops over nothing, and values that the next line replaces.
fn in_vain(block: &Block, out: &mut Vec<Diagnostic>) {
    for stmt in &block.stmts {
        if let StmtKind::For { set: Expr { kind: ExprKind::List(list), span, .. }, .. } = &stmt.kind
            && list.is_empty()
        {
            out.push(
                Diagnostic::warning(Code::DoesNothing, *span, "There is nothing in this list, so nothing happens.")
                    .help("Write what it goes through."),
            );
        }
    }
    for pair in block.stmts.windows(2) {
        let [first, second] = pair else { continue };
        let (StmtKind::Assign { target, value: before }, StmtKind::Assign { target: again, value }) = (&first.kind, &second.kind) else {
            continue;
        };
        let mut acts = false;
        in_expr(before, &mut |seen| {
            acts |= matches!(seen, Seen::Expr(Expr { kind: ExprKind::Emit { .. } | ExprKind::Code { .. } | ExprKind::Roll(_), .. }))
        });
        let mut reads = false;
        in_expr(value, &mut |seen| {
            if let Seen::Expr(e) = seen {
                reads |= is_target(e, target) || !is_plain(e);
            }
        });
        if same_target(target, again) && !reads && !acts {
            out.push(
                Diagnostic::warning(Code::ChangesNothing, first.span, "The next line sets the same to something else.")
                    .help("Remove one of the two, or name what the other was meant for."),
            );
        }
    }
}

/// Whether nothing else may be read by this than what it names.
fn is_plain(e: &Expr) -> bool {
    !matches!(e.kind, ExprKind::Call { .. } | ExprKind::Emit { .. } | ExprKind::Code { .. } | ExprKind::Each { .. } | ExprKind::AllOf(_))
}

fn same_target(a: &Target, b: &Target) -> bool {
    match (a, b) {
        (Target::Local(a), Target::Local(b)) => a == b,
        (Target::EventField(a), Target::EventField(b)) => a == b,
        (Target::Field { base: a, field: f }, Target::Field { base: b, field: g }) => f == g && same(a, b),
        _ => false,
    }
}

fn is_target(e: &Expr, target: &Target) -> bool {
    match (&e.kind, target) {
        (ExprKind::Local(a), Target::Local(b)) => a == b,
        (ExprKind::EventField(a), Target::EventField(b)) => a == b,
        (ExprKind::Field { base, field, .. }, Target::Field { base: of, field: set }) => field == set && same(base, of),
        _ => false,
    }
}

fn conjuncts<'e>(e: &'e Expr, out: &mut Vec<&'e Expr>) {
    match &e.kind {
        ExprKind::And(a, b) => {
            conjuncts(a, out);
            conjuncts(b, out);
        }
        _ => out.push(e),
    }
}

/// What a condition says of something.
enum Says {
    Is(bool),
    Equal(Given),
    /// From, to.
    Within(i64, i64),
}

/// A condition that can never be true because one part of it excludes another.
fn excluded(e: &Expr) -> Option<Diagnostic> {
    let mut parts = Vec::new();
    conjuncts(e, &mut parts);
    let said: Vec<(&Expr, Says, Span)> = parts.iter().map(|part| says(part)).collect();
    for (i, (subject, one, _)) in said.iter().enumerate() {
        for (other, two, span) in &said[i + 1..] {
            let apart = match (one, two) {
                (Says::Is(a), Says::Is(b)) => a != b,
                (Says::Equal(a), Says::Equal(b)) => a != b,
                (Says::Within(a, b), Says::Within(c, d)) => b < c || d < a,
                _ => false,
            };
            if apart && same(subject, other) {
                return Some(
                    Diagnostic::warning(Code::NeverTrue, *span, "This excludes what stands before it, so both are never true.")
                        .help("Write `or` if one of them is enough."),
                );
            }
        }
    }
    None
}

fn says(e: &Expr) -> (&Expr, Says, Span) {
    match &e.kind {
        ExprKind::Not(inner) => {
            let (subject, said, _) = says(inner);
            match said {
                Says::Is(is) => (subject, Says::Is(!is), e.span),
                _ => (e, Says::Is(true), e.span),
            }
        }
        ExprKind::Compare(op, a, b) => {
            let (subject, number, op) = match (&a.kind, &b.kind) {
                (_, ExprKind::Int(n)) => (a, Some(*n), *op),
                (ExprKind::Int(n), _) => (b, Some(*n), flipped(*op)),
                (_, ExprKind::Member(..) | ExprKind::Card(_)) => (a, None, *op),
                (ExprKind::Member(..) | ExprKind::Card(_), _) => (b, None, *op),
                _ => return (e, Says::Is(true), e.span),
            };
            let said = match (number, op) {
                (Some(n), Compare::Eq) => Says::Within(n, n),
                (Some(n), Compare::Lt) => Says::Within(i64::MIN, n.saturating_sub(1)),
                (Some(n), Compare::Le) => Says::Within(i64::MIN, n),
                (Some(n), Compare::Gt) => Says::Within(n.saturating_add(1), i64::MAX),
                (Some(n), Compare::Ge) => Says::Within(n, i64::MAX),
                (None, Compare::Eq) => match (given(a), given(b)) {
                    (member @ Given::Member(_), _) | (_, member @ Given::Member(_)) => Says::Equal(member),
                    _ => return (e, Says::Is(true), e.span),
                },
                _ => return (e, Says::Is(true), e.span),
            };
            (subject, said, e.span)
        }
        _ => (e, Says::Is(true), e.span),
    }
}

fn flipped(op: Compare) -> Compare {
    match op {
        Compare::Lt => Compare::Gt,
        Compare::Le => Compare::Ge,
        Compare::Gt => Compare::Lt,
        Compare::Ge => Compare::Le,
        same => same,
    }
}

/// Whether two values are surely the same, wherever they are written.
fn same(a: &Expr, b: &Expr) -> bool {
    use ExprKind::*;
    let all = |a: &[Expr], b: &[Expr]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b));
    match (&a.kind, &b.kind) {
        (Field { base: a, field: f, raw: r }, Field { base: b, field: g, raw: s }) => f == g && r == s && same(a, b),
        (HasKeyword { base: a, keyword: k }, HasKeyword { base: b, keyword: l }) => k == l && same(a, b),
        (KeywordNumber { base: a, keyword: k }, KeywordNumber { base: b, keyword: l }) => k == l && same(a, b),
        (IsKind { base: a, kind: k }, IsKind { base: b, kind: l }) => k == l && same(a, b),
        (PartNamed { base: a, name: n }, PartNamed { base: b, name: m }) => n == m && same(a, b),
        (Call { define: d, args: a }, Call { define: e, args: b }) => d == e && all(a, b),
        (Compare(o, a, b), Compare(p, c, d)) => o == p && same(a, c) && same(b, d),
        (Opponent(a), Opponent(b)) | (Not(a), Not(b)) => same(a, b),
        (Local(a), Local(b)) => a == b,
        (EventField(a), EventField(b)) => a == b,
        (
            None | Bool(_) | Int(_) | Member(..) | Card(_) | This | Part | You | Game(_) | Option(_) | ScopeField(..) | Keyword(_),
            None | Bool(_) | Int(_) | Member(..) | Card(_) | This | Part | You | Game(_) | Option(_) | ScopeField(..) | Keyword(_),
        ) => a.kind == b.kind,
        _ => false,
    }
}

// ---- everything in an item

pub(crate) fn each_in_item(item: &hir::Item, f: &mut impl FnMut(Seen)) {
    match item {
        hir::Item::Define(define) => {
            in_expr(&define.body, f);
        }
        hir::Item::Fact(fact) => fact.default.iter().for_each(|e| in_expr(e, f)),
        hir::Item::Action(action) => each_in_action(action, f),
        hir::Item::Keyword(keyword) => {
            keyword.state.iter().for_each(|field| each_in_field(field, f));
            keyword.rules.iter().for_each(|rule| in_rule(rule, f));
        }
        hir::Item::Kind(kind) => {
            kind.fields.iter().for_each(|field| each_in_field(field, f));
            kind.rules.iter().for_each(|rule| in_rule(rule, f));
            kind.limits.iter().for_each(|limit| each_in_limit(limit, f));
        }
        hir::Item::Card(card) => each_in_card(card, f),
        hir::Item::Limit(limit) => each_in_limit(limit, f),
        hir::Item::Test(test) => {
            in_block(&test.body, f);
            test.inner.iter().for_each(|action| each_in_action(action, f));
        }
        hir::Item::Rules(rules) => rules.iter().for_each(|rule| in_rule(rule, f)),
        hir::Item::Ruleset(ruleset) => {
            ruleset.goal.iter().for_each(|goal| in_expr(goal, f));
            ruleset.options.iter().for_each(|(_, value)| in_expr(value, f));
        }
        hir::Item::Face(face) => face.regions.iter().for_each(|region| each_in_region(region, f)),
        hir::Item::Enum(_) | hir::Item::Nothing => {}
    }
}

fn each_in_action(action: &hir::Action, f: &mut impl FnMut(Seen)) {
    action.params.iter().filter_map(|param| param.default.as_ref()).for_each(|e| in_expr(e, f));
    action.body.iter().for_each(|body| in_block(body, f));
    action.inner.iter().for_each(|inner| each_in_action(inner, f));
}

fn each_in_field(field: &Field, f: &mut impl FnMut(Seen)) {
    [&field.default, &field.low, &field.high].into_iter().flatten().for_each(|e| in_expr(e, f));
}

fn each_in_limit(limit: &Limit, f: &mut impl FnMut(Seen)) {
    in_block(&limit.body, f);
}

pub(crate) fn each_in_card(card: &hir::Card, f: &mut impl FnMut(Seen)) {
    for (_, value) in &card.values {
        match value {
            CardValue::Value(e) | CardValue::Choice { set: e, .. } => in_expr(e, f),
            CardValue::Effect { body, .. } => in_block(body, f),
            CardValue::Rules(rules) => rules.iter().for_each(|rule| in_rule(rule, f)),
        }
    }
    card.rules.iter().for_each(|rule| in_rule(rule, f));
    card.parts.iter().for_each(|part| each_in_card(part, f));
    card.rows.iter().for_each(|(_, _, row)| each_in_card(row, f));
}

fn each_in_region(region: &Region, f: &mut impl FnMut(Seen)) {
    region.only.iter().for_each(|only| in_expr(&only.of, f));
    match &region.kind {
        RegionKind::Title(sides) | RegionKind::Subtitle(sides) | RegionKind::Footer(sides) => each_in_sides(sides, f),
        RegionKind::Row(texts) | RegionKind::Stats(texts) => texts.iter().for_each(|text| each_in_template(text, f)),
        RegionKind::Each { list, texts, .. } => {
            in_expr(list, f);
            texts.iter().for_each(|text| each_in_template(text, f));
        }
        RegionKind::Table(of) => of.iter().for_each(|e| in_expr(e, f)),
        RegionKind::Picture { field, .. } => in_expr(field, f),
        RegionKind::Rules | RegionKind::Reminders | RegionKind::Flavour | RegionKind::Line => {}
    }
}

fn each_in_sides(sides: &Sides, f: &mut impl FnMut(Seen)) {
    each_in_template(&sides.left, f);
    sides.right.iter().for_each(|right| each_in_template(right, f));
}

fn each_in_template(template: &Template, f: &mut impl FnMut(Seen)) {
    for part in &template.parts {
        match part {
            TextPart::Text(_) => {}
            TextPart::Value(e) | TextPart::Plural(e, ..) | TextPart::Article(e) => in_expr(e, f),
        }
    }
}
