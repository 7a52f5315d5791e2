//! Rules with one part changed: everything that the machine code depends on, a point at a time.
//!
//! The words of a rule have to change with each of them; a point that leaves them as they were is unsaid. The matches below name every construct
//! of the language, so that a new one does not compile before somebody has said how it can be changed.

use banneret_grammar::span::Span;
use smol_str::SmolStr;

use super::meaning::past_of;
use crate::hir::{
    Block, CardValue, Choose, ChooseMode, Compare, EachOp, Expr, ExprKind, Fun, Gives, Grant, Key, Lambda, Lasts, Local, ModOp, Name,
    Rounding, Rule, RuleKind, Stmt, StmtKind, Target, When,
};
use crate::ty::Ty;

/// What stands for "something else": no text of a rule system has it.
const OTHER: &str = "\u{a4}";

/// Goes through a rule, counts the points that could be changed, and changes one.
pub(super) struct Point<'a> {
    left: usize,
    line: Span,
    changed: Option<Span>,
    /// Things that can be spoken of here, by the names of the rule.
    scope: Vec<Named>,
    /// All of them that the rule speaks of anywhere, with their types.
    named: Vec<(Named, Ty)>,
    /// Names for what has a name already.
    aliases: Vec<(Named, Named)>,
    /// What an event speaks of, by its action.
    params: &'a dyn Fn(&Key) -> Vec<(Name, Ty)>,
}

/// A name within a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Named {
    Local(Local),
    Field(Name),
}

impl Named {
    fn of(kind: &ExprKind) -> Option<Self> {
        match kind {
            ExprKind::Local(local) => Some(Self::Local(*local)),
            ExprKind::EventField(name) => Some(Self::Field(name.clone())),
            _ => None,
        }
    }

    fn kind(&self) -> ExprKind {
        match self {
            Self::Local(local) => ExprKind::Local(*local),
            Self::Field(name) => ExprKind::EventField(name.clone()),
        }
    }
}

impl<'a> Point<'a> {
    /// The point with this number, from 0.
    pub fn number(n: usize, line: Span, params: &'a dyn Fn(&Key) -> Vec<(Name, Ty)>) -> Self {
        Self { left: n, line, changed: None, scope: Vec::new(), named: Vec::new(), aliases: Vec::new(), params }
    }

    /// Where the part is written that was changed; None if there are not so many.
    pub fn changed(&self) -> Option<Span> {
        self.changed
    }

    /// Is this the point? What has no place of its own stands at its line.
    fn here(&mut self, span: Span) -> bool {
        if self.changed.is_some() {
            return false;
        }
        if self.left > 0 {
            self.left -= 1;
            return false;
        }
        self.changed = Some(if span.end > span.start { span } else { self.line });
        true
    }

    fn key(&mut self, key: &mut Key, span: Span) {
        if self.here(span) {
            *key = OTHER.into();
        }
    }

    fn name(&mut self, name: &mut Name, span: Span) {
        if self.here(span) {
            *name = OTHER.into();
        }
    }

    fn flag(&mut self, flag: &mut bool, span: Span) {
        if self.here(span) {
            *flag = !*flag;
        }
    }

    fn gone<T>(&mut self, part: &mut Option<T>, span: Span) {
        if part.is_some() && self.here(span) {
            *part = None;
        }
    }

    pub fn rule(&mut self, rule: &mut Rule) {
        self.line = rule.span;
        let span = rule.span;
        match &mut rule.kind {
            RuleKind::Handler { when, actions, guard, once, body, matches } => {
                if self.here(span) {
                    *when = match when {
                        When::Before => When::After,
                        When::After | When::Instead => When::Before,
                        When::AtStart => When::AtEnd,
                        When::AtEnd => When::AtStart,
                    };
                }
                self.actions(actions, span);
                self.gone(once, span);
                let outer = self.event_scope(actions, matches);
                self.pattern(matches, guard);
                self.block(body);
                self.scope = outer;
            }
            RuleKind::Grant { who, set, kind: _, it: _, giver: _, gives, cond } => {
                // `who` is `set` again, as a question; without it `set` is `this` itself.
                if who.is_some() {
                    self.expr(set);
                }
                self.gives(gives, span);
                if let Some(cond) = cond {
                    self.expr(cond);
                }
            }
            RuleKind::Cannot { actions, choose, must, guard, matches } => {
                self.actions(actions, span);
                // Of "cannot charge" the receiver is the only one that is spoken of, and nobody wrote the condition.
                let bare = matches.is_empty() && guard.as_ref().is_some_and(super::meaning::is_receiver);
                let outer = self.event_scope(if bare { &[] } else { actions.as_slice() }, matches);
                if let Some(choose) = choose {
                    self.lambda(choose);
                    self.flag(must, span);
                }
                self.pattern(matches, guard);
                self.scope = outer;
            }
        }
    }

    /// Within a rule its own event is spoken of, not that of the rule around it, which is given back.
    fn event_scope(&mut self, actions: &[Key], matches: &[(Name, Expr)]) -> Vec<Named> {
        let outer = std::mem::take(&mut self.scope);
        self.scope.extend(outer.iter().filter(|named| matches!(named, Named::Local(_))).cloned());
        self.scope.extend(matches.iter().map(|(name, _)| Named::Field(name.clone())));
        // Also of those that nobody asked about: "that unit" is the one that struck, or the one that was struck.
        let params = actions.first().map(|action| (self.params)(action)).unwrap_or_default();
        for (name, ty) in params {
            let named = Named::Field(name);
            if !self.scope.contains(&named) {
                self.scope.push(named.clone());
            }
            if !self.named.iter().any(|(has, _)| *has == named) {
                self.named.push((named, ty));
            }
        }
        outer
    }

    /// What the pattern matches stands in the guard once more; there only the rest of it counts.
    fn pattern(&mut self, matches: &mut [(Name, Expr)], guard: &mut Option<Expr>) {
        for (_, want) in matches.iter_mut() {
            self.expr(want);
        }
        if let Some(guard) = guard {
            let written: Vec<Span> = matches.iter().map(|(_, want)| want.span).collect();
            self.beyond(guard, &written);
        }
    }

    fn beyond(&mut self, guard: &mut Expr, written: &[Span]) {
        if written.iter().any(|span| span.start <= guard.span.start && guard.span.end <= span.end) {
            return;
        }
        match &mut guard.kind {
            ExprKind::And(a, b) => {
                self.beyond(a, written);
                self.beyond(b, written);
            }
            _ => self.expr(guard),
        }
    }

    fn actions(&mut self, actions: &mut [Key], span: Span) {
        for action in actions {
            self.key(action, span);
        }
    }

    /// What a field of a card holds.
    pub fn stored(&mut self, value: &mut CardValue) {
        match value {
            CardValue::Effect { params: _, body } => self.block(body),
            CardValue::Rules(rules) => rules.iter_mut().for_each(|rule| self.rule(rule)),
            // Printed where the face puts it.
            CardValue::Value(_) | CardValue::Choice { .. } => {}
        }
    }

    fn block(&mut self, block: &mut Block) {
        let outer = self.scope.len();
        for stmt in &mut block.stmts {
            self.stmt(stmt);
        }
        self.scope.truncate(outer);
    }

    /// A block in which something more has a name.
    fn block_over(&mut self, local: Local, body: &mut Block) {
        self.scope.push(Named::Local(local));
        self.block(body);
        self.scope.pop();
    }

    fn lambda(&mut self, lambda: &mut Lambda) {
        let outer = self.scope.len();
        self.scope.extend(lambda.params.iter().map(|param| Named::Local(*param)));
        self.expr(&mut lambda.body);
        self.scope.truncate(outer);
    }

    fn first_name(&self, named: &Named) -> Named {
        self.aliases.iter().find(|(alias, _)| alias == named).map_or_else(|| named.clone(), |(_, first)| first.clone())
    }

    /// Another thing of the same type in its place: no two are spoken of in the same words.
    fn reference(&mut self, expr: &mut Expr) {
        let Some(named) = Named::of(&expr.kind) else { return };
        if !self.named.iter().any(|(has, _)| *has == named) {
            self.named.push((named.clone(), expr.ty.clone()));
        }
        for other in self.scope.clone() {
            let alike = self.named.iter().any(|(has, ty)| *has == other && *ty == expr.ty);
            if self.first_name(&other) != self.first_name(&named) && alike && is_thing(&expr.ty) && self.here(expr.span) {
                expr.kind = other.kind();
            }
        }
    }

    fn some(&mut self, expr: &mut Option<Expr>) {
        if let Some(expr) = expr {
            self.expr(expr);
        }
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        self.line = stmt.span;
        let span = stmt.span;
        match &mut stmt.kind {
            StmtKind::Let(local, value) => {
                if let Some(first) = Named::of(&value.kind) {
                    self.aliases.push((Named::Local(*local), self.first_name(&first)));
                }
                self.expr(value);
            }
            StmtKind::LetField(_, value) => self.expr(value),
            StmtKind::Assign { target, value } => {
                self.target(target, span);
                self.expr(value);
            }
            StmtKind::If { arms, otherwise } => {
                let unsaid = super::meaning::is_skipped_if_unset(arms, otherwise.as_ref(), span);
                for (cond, block) in arms.iter_mut() {
                    if !unsaid {
                        self.expr(cond);
                    }
                    self.block(block);
                }
                self.otherwise(otherwise);
            }
            StmtKind::Table { subject, rows, otherwise } => {
                if let Some((_, subject)) = subject {
                    self.expr(subject);
                }
                for (cond, block) in rows {
                    self.expr(cond);
                    self.block(block);
                }
                self.otherwise(otherwise);
            }
            StmtKind::For { local, set, body } => {
                self.expr(set);
                self.block_over(*local, body);
            }
            StmtKind::RepeatTimes { count, body } => {
                self.expr(count);
                self.block(body);
            }
            StmtKind::RepeatUntil { cond, body } => {
                self.expr(cond);
                self.block(body);
            }
            StmtKind::Repeat { body } => self.block(body),
            StmtKind::Need(cond) => self.expr(cond),
            StmtKind::Choose(choose) => self.choose(choose, span),
            StmtKind::Menu { by, lines } => {
                self.some(by);
                for line in lines {
                    self.line = line.span;
                    self.block(&mut line.body);
                }
            }
            StmtKind::May { label: _, by, head: _, body } => {
                self.some(by);
                self.block(body);
            }
            StmtKind::Pay { who, cost } => {
                self.expr(who);
                self.expr(cost);
            }
            StmtKind::PayCards { cards, pile } => {
                self.expr(cards);
                self.expr(pile);
            }
            StmtKind::Expr(expr) => self.expr(expr),
            StmtKind::Alternate { local, starting, until_all_pass, body } => {
                self.some(starting);
                self.flag(until_all_pass, span);
                self.block_over(*local, body);
            }
            StmtKind::Together(body) => self.block(body),
            StmtKind::Scope { action, args, body } => {
                self.key(action, span);
                args.iter_mut().for_each(|arg| self.expr(arg));
                self.block(body);
            }
            StmtKind::Grant(grant) => self.grant(grant, span),
            StmtKind::EventMod { field, op, value } => {
                self.name(field, span);
                self.mod_op(op, span);
                self.expr(value);
            }
            StmtKind::Pass | StmtKind::Proceed | StmtKind::Todo(_) => {}
            // Lines of limits and tests: no card has them.
            StmtKind::Blame { .. }
            | StmtKind::Given { .. }
            | StmtKind::GivenFact { .. }
            | StmtKind::Dice(_)
            | StmtKind::Answers(_)
            | StmtKind::Expect { .. }
            | StmtKind::ExpectIllegal { .. }
            | StmtKind::Refused { .. }
            | StmtKind::Measure { .. } => {}
        }
    }

    fn otherwise(&mut self, otherwise: &mut Option<Block>) {
        if let Some(block) = otherwise {
            self.block(block);
        }
    }

    fn target(&mut self, target: &mut Target, span: Span) {
        match target {
            Target::Local(_) => {}
            Target::EventField(name) => self.name(name, span),
            Target::Field { base, field } => {
                self.key(field, span);
                self.expr(base);
            }
        }
    }

    fn choose(&mut self, choose: &mut Choose, span: Span) {
        if self.here(span) {
            choose.mode = match choose.mode {
                ChooseMode::One | ChooseMode::UpTo => ChooseMode::Any,
                ChooseMode::Exactly => ChooseMode::UpTo,
                ChooseMode::Any => ChooseMode::One,
            };
        }
        self.some(&mut choose.count);
        self.expr(&mut choose.from);
        self.some(&mut choose.by);
        self.gone(&mut choose.each_once, span);
        if let Some(such_that) = &mut choose.such_that {
            self.lambda(such_that);
        }
        match &choose.into {
            Target::Local(local) => self.scope.push(Named::Local(*local)),
            Target::EventField(name) => self.scope.push(Named::Field(name.clone())),
            Target::Field { .. } => {}
        }
    }

    fn grant(&mut self, grant: &mut Grant, span: Span) {
        self.expr(&mut grant.targets);
        self.gives(&mut grant.gives, span);
        grant.lasts.iter_mut().for_each(|lasts| match lasts {
            Lasts::Until { at_end, next, scope, of } => {
                self.flag(at_end, span);
                self.flag(next, span);
                self.key(scope, span);
                self.some(of);
            }
            Lasts::Scopes { count, scope } => {
                self.expr(count);
                self.key(scope, span);
            }
            Lasts::Event { action, guard } => {
                self.key(action, span);
                self.some(guard);
            }
            Lasts::While(lambda) => self.lambda(lambda),
        });
    }

    fn gives(&mut self, gives: &mut Gives, span: Span) {
        for modifier in &mut gives.mods {
            self.key(&mut modifier.field, modifier.span);
            self.mod_op(&mut modifier.op, modifier.span);
            self.expr(&mut modifier.value);
        }
        for (keyword, number) in &mut gives.keywords {
            self.key(keyword, span);
            self.some(number);
        }
        gives.rules.iter_mut().for_each(|rules| self.expr(rules));
        gives.own.iter_mut().for_each(|rule| self.rule(rule));
    }

    fn mod_op(&mut self, op: &mut ModOp, span: Span) {
        if self.here(span) {
            *op = match op {
                ModOp::Set | ModOp::Mul | ModOp::AtLeast | ModOp::AtMost => ModOp::Add,
                ModOp::Add => ModOp::Set,
                ModOp::Div | ModOp::DivUp | ModOp::DivNearest => ModOp::DivDown,
                ModOp::DivDown => ModOp::DivUp,
            };
        }
    }

    fn both(&mut self, a: &mut Expr, b: &mut Expr) {
        self.expr(a);
        self.expr(b);
    }

    fn expr(&mut self, expr: &mut Expr) {
        let span = expr.span;
        // Yes or no.
        let asks = matches!(expr.ty, Ty::Bool)
            && matches!(
                expr.kind,
                ExprKind::Contains(..)
                    | ExprKind::IsKind { .. }
                    | ExprKind::HasKeyword { .. }
                    | ExprKind::Call { .. }
                    | ExprKind::Fact { .. }
                    | ExprKind::Fun(..)
                    | ExprKind::Field { .. }
                    | ExprKind::Local(_)
                    | ExprKind::EventField(_)
                    | ExprKind::Each { .. }
            );
        if asks && self.here(span) {
            let inner = std::mem::replace(&mut expr.kind, ExprKind::None);
            expr.kind = ExprKind::Not(Box::new(Expr { kind: inner, ty: expr.ty.clone(), span }));
            return;
        }
        self.reference(expr);
        match &mut expr.kind {
            // What is unset has nothing to say; what is wrong is told elsewhere.
            ExprKind::None | ExprKind::Error => {}
            ExprKind::Bool(value) => self.flag(value, span),
            ExprKind::Int(_)
            | ExprKind::Ratio(..)
            | ExprKind::Text(_)
            | ExprKind::Dice { .. }
            | ExprKind::Member(..)
            | ExprKind::Keyword(_)
            | ExprKind::Card(_)
            | ExprKind::InPlay
            | ExprKind::Local(_)
            | ExprKind::EventField(_)
            | ExprKind::This
            | ExprKind::Part
            | ExprKind::You
            | ExprKind::Players
            | ExprKind::Game(_)
            | ExprKind::Option(_)
            | ExprKind::ScopeField(..)
            | ExprKind::AllOf(_) => {
                if self.here(span) {
                    expr.kind = ExprKind::Text(SmolStr::new(OTHER));
                }
            }
            ExprKind::Opponent(inner) | ExprKind::Not(inner) | ExprKind::Neg(inner) | ExprKind::Top(inner) => {
                if self.here(span) {
                    expr.kind = std::mem::replace(&mut inner.kind, ExprKind::None);
                } else {
                    self.expr(inner);
                }
            }
            // Dice where a number is wanted are rolled.
            ExprKind::Roll(dice) => self.expr(dice),
            ExprKind::Field { base, field: key, raw: _ }
            | ExprKind::Parts { base, kind: key }
            | ExprKind::IsKind { base, kind: key }
            | ExprKind::HasKeyword { base, keyword: key }
            | ExprKind::KeywordNumber { base, keyword: key }
            | ExprKind::Cost { amount: base, resource: key } => {
                self.key(key, span);
                self.expr(base);
            }
            ExprKind::PartNamed { base, name } => {
                self.name(name, span);
                self.expr(base);
            }
            // Which event it is follows from the question about the past.
            ExprKind::LogField { event: _, action: _, field } => self.name(field, span),
            ExprKind::And(..) | ExprKind::Or(..) | ExprKind::Add(..) | ExprKind::Sub(..) | ExprKind::Mul(..) | ExprKind::Mod(..) => {
                self.operator(expr)
            }
            ExprKind::OrElse(a, b) => self.both(a, b),
            ExprKind::Pair(a, b) => self.both(a, b),
            ExprKind::Div(a, b, how) => {
                if self.here(span) {
                    *how = if *how == Rounding::Down { Rounding::Up } else { Rounding::Down };
                }
                self.both(a, b);
            }
            ExprKind::Compare(how, a, b) => {
                if self.here(span) {
                    *how = match how {
                        Compare::Eq => Compare::Ne,
                        Compare::Ne => Compare::Eq,
                        Compare::Lt => Compare::Le,
                        Compare::Le => Compare::Lt,
                        Compare::Gt => Compare::Ge,
                        Compare::Ge => Compare::Gt,
                    };
                }
                // What is compared with a card as printed can only be meant as printed.
                match (&mut a.kind, &mut b.kind) {
                    (ExprKind::Fun(Fun::PrintedCard, of), ExprKind::Card(_)) => {
                        of.iter_mut().for_each(|of| self.expr(of));
                        self.expr(b);
                    }
                    (ExprKind::Card(_), ExprKind::Fun(Fun::PrintedCard, of)) => {
                        of.iter_mut().for_each(|of| self.expr(of));
                        self.expr(a);
                    }
                    _ => self.both(a, b),
                }
            }
            ExprKind::Contains(a, b) => self.both(a, b),
            ExprKind::If { arms, otherwise } => {
                arms.iter_mut().for_each(|(cond, value)| self.both(cond, value));
                self.expr(otherwise);
            }
            ExprKind::Table { subject, rows, otherwise } => {
                if let Some((_, subject)) = subject {
                    self.expr(subject);
                }
                rows.iter_mut().for_each(|(cond, value)| self.both(cond, value));
                if let Some(otherwise) = otherwise {
                    self.expr(otherwise);
                }
            }
            ExprKind::List(items) => items.iter_mut().for_each(|item| self.expr(item)),
            ExprKind::Each { op, list, lambda } => {
                // Events of the past are asked for, not about.
                let fixed = *op == EachOp::Filter || *op == EachOp::Any && past_of(list).is_some();
                if !fixed && self.here(span) {
                    *op = match op {
                        EachOp::MaxOf => EachOp::MinOf,
                        EachOp::Highest => EachOp::Lowest,
                        EachOp::Lowest => EachOp::Highest,
                        EachOp::Any => EachOp::All,
                        EachOp::All => EachOp::Any,
                        EachOp::Sum | EachOp::MinOf => EachOp::MaxOf,
                        EachOp::Map | EachOp::SortBy | EachOp::DistinctBy | EachOp::Connected | EachOp::Filter => EachOp::Sum,
                    };
                }
                self.expr(list);
                if !fixed || *op == EachOp::Filter {
                    self.lambda(lambda);
                }
            }
            ExprKind::Fun(fun, args) => {
                // What a roll comes to is the roll, and a thing stands for its place.
                if !matches!(fun, Fun::Total | Fun::PlaceOf) && self.here(span) {
                    let first = args.first_mut().map(|first| std::mem::replace(&mut first.kind, ExprKind::None));
                    expr.kind = first.unwrap_or(ExprKind::Text(SmolStr::new(OTHER)));
                    return;
                }
                args.iter_mut().for_each(|arg| self.expr(arg));
            }
            ExprKind::Call { define: key, args } | ExprKind::Fact { fact: key, args } => {
                self.key(key, span);
                args.iter_mut().for_each(|arg| self.expr(arg));
            }
            ExprKind::Emit { action, args, each } => {
                self.key(action, span);
                self.gone(each, span);
                args.iter_mut().for_each(|arg| self.some(arg));
            }
            ExprKind::Code { code, args } => {
                self.expr(code);
                args.iter_mut().for_each(|arg| self.expr(arg));
            }
            ExprKind::Past { actions, scope, filter } => {
                self.actions(actions, span);
                self.gone(scope, span);
                if let Some(filter) = filter {
                    self.lambda(filter);
                }
            }
        }
    }

    /// Another operator in its place.
    fn operator(&mut self, expr: &mut Expr) {
        let here = self.here(expr.span);
        let kind = std::mem::replace(&mut expr.kind, ExprKind::None);
        expr.kind = match kind {
            ExprKind::And(a, b) if here => ExprKind::Or(a, b),
            ExprKind::Or(a, b) if here => ExprKind::And(a, b),
            ExprKind::Add(a, b) if here => ExprKind::Sub(a, b),
            ExprKind::Sub(a, b) | ExprKind::Mul(a, b) | ExprKind::Mod(a, b) if here => ExprKind::Add(a, b),
            kind => kind,
        };
        if let ExprKind::And(a, b)
        | ExprKind::Or(a, b)
        | ExprKind::Add(a, b)
        | ExprKind::Sub(a, b)
        | ExprKind::Mul(a, b)
        | ExprKind::Mod(a, b) = &mut expr.kind
        {
            self.both(a, b);
        }
    }
}

/// Does a statement speak of a local?
pub(super) fn names(stmt: &Stmt, local: Local) -> bool {
    let none = |_: &Key| Vec::new();
    let mut all = Point::number(usize::MAX, stmt.span, &none);
    all.stmt(&mut stmt.clone());
    all.named.iter().any(|(named, _)| *named == Named::Local(local))
}

/// Something on the table, or a player.
fn is_thing(ty: &Ty) -> bool {
    match ty {
        Ty::Kind(_) | Ty::Thing => true,
        Ty::Optional(inner) => is_thing(inner),
        _ => false,
    }
}
