//! What an event goes through, straight down the page.

use banneret_runtime::ids::*;
use banneret_runtime::pack::{Rule, When};
use banneret_runtime::value::Value;

use super::numbers::{modified, truth};
use super::{End, Event, NOBODY, Plain, Rulesake, or_none};

impl Plain<'_> {
    /// None: it was illegal, and nothing has happened.
    pub(super) fn emit(&mut self, action: ActionId, args: Vec<Value>, inherited: ObjId) -> Option<Value> {
        let described = &self.pack.actions[action.index()];
        let mut values = args;
        values.resize(described.fields.len(), Value::None);
        let you = match described.by.map(|by| &values[by as usize]) {
            Some(Value::Obj(id)) => self.thing(*id).controller,
            _ => inherited,
        };
        let body = described.body.expect("a body");
        let index = self.events.len();
        let event = Event { action, values, you, mods: Vec::new(), replaced: Vec::new(), body: None, carried: false, result: Value::None };
        self.events.push(event);
        if self.forbidden(index) {
            self.events.pop();
            return None;
        }
        match self.steps(self.frame(body, &[], Some(index), you, NOBODY, 0)) {
            (End::Head, frame) => self.events[index].body = Some(frame),
            (End::Illegal, _) => {
                self.events.pop();
                return None;
            }
            (End::Value(_), _) => panic!("a body without a head"),
        }
        if self.forbidden(index) {
            self.events.pop();
            return None;
        }
        let before = self.due(index, |when| matches!(when, When::Before | When::AtStart));
        let in_force = self.in_force(index, |when| when == When::After);
        for rule in before {
            self.run_rule(rule, index);
        }
        let mods = std::mem::take(&mut self.events[index].mods);
        for field in 0..self.events[index].values.len() {
            let of_field: Vec<_> = mods.iter().filter(|m| m.0 as usize == field).map(|m| (m.1, m.2, m.3.clone())).collect();
            let value = self.events[index].values[field].clone();
            self.events[index].values[field] = modified(value, &of_field);
        }
        self.resolve(index);
        if self.events[index].carried {
            for rule in self.due(index, |when| when == When::AtEnd) {
                self.run_rule(rule, index);
            }
        }
        self.checks(index);
        if self.events[index].carried {
            let mut after = self.in_force(index, |when| when == When::After);
            let missing: Vec<Rulesake> = in_force.into_iter().filter(|r| !after.contains(r)).collect();
            after.extend(missing);
            after.retain(|rule| self.guarded(*rule, index));
            self.put_in_order(&mut after, index);
            for rule in after {
                self.run_rule(rule, index);
            }
        }
        self.events.pop().map(|event| event.result)
    }

    /// `instead` rules that have not had their turn, and then the body.
    pub(super) fn resolve(&mut self, index: usize) {
        let replaced = self.events[index].replaced.clone();
        let next = self.due(index, |when| when == When::Instead).into_iter().find(|rule| !replaced.contains(rule));
        match next {
            Some(rule) => {
                self.events[index].replaced.push(rule);
                self.run_rule(rule, index);
            }
            None => {
                self.events[index].carried = true;
                let body = self.events[index].body.clone().expect("a body");
                match self.steps(body).0 {
                    End::Value(value) => self.events[index].result = value,
                    End::Illegal => {}
                    End::Head => panic!("two heads"),
                }
            }
        }
    }

    /// Rules at the end of any event, until they change nothing more.
    fn checks(&mut self, index: usize) {
        if self.checking {
            return;
        }
        for _ in 0..100 {
            let mut due: Vec<Rulesake> = Vec::new();
            for (bundle, n, rule) in self.rules() {
                if matches!(rule, Rule::Handler { when: When::AtEnd, actions, .. } if actions.is_empty()) {
                    due.extend(self.holders(bundle, &mut Vec::new()).into_iter().map(|this| (bundle, n, this)));
                }
            }
            due.retain(|rule| self.guarded(*rule, index));
            self.put_in_order(&mut due, index);
            if due.is_empty() {
                return;
            }
            let before = self.things.clone();
            self.checking = true;
            for rule in due {
                if self.guarded(rule, index) {
                    self.run_rule(rule, index);
                }
            }
            self.checking = false;
            if self.things == before {
                return;
            }
        }
        panic!("state checks without end");
    }

    fn rules(&self) -> Vec<(BundleId, usize, &Rule)> {
        let bundles = (0u32..).map(BundleId).zip(&self.pack.bundles);
        bundles.flat_map(|(id, bundle)| bundle.rules.iter().enumerate().map(move |(n, rule)| (id, n, rule))).collect()
    }

    fn forbidden(&self, index: usize) -> bool {
        let action = self.events[index].action;
        self.rules().into_iter().any(|(bundle, n, rule)| {
            matches!(rule, Rule::Cannot { actions, .. } if actions.contains(&action))
                && self.holders(bundle, &mut Vec::new()).into_iter().any(|this| self.guarded((bundle, n, this), index))
        })
    }

    /// Rules that speak of the event, through everybody who has them.
    fn in_force(&self, index: usize, wanted: impl Fn(When) -> bool) -> Vec<Rulesake> {
        let action = self.events[index].action;
        let mut found = Vec::new();
        for (bundle, n, rule) in self.rules() {
            if let Rule::Handler { when, actions, once, .. } = rule
                && wanted(*when)
                && (actions.contains(&action) || (actions.is_empty() && *when != When::AtEnd))
            {
                assert!(once.is_none(), "`once per` is not known here");
                found.extend(self.holders(bundle, &mut Vec::new()).into_iter().map(|this| (bundle, n, this)));
            }
        }
        found
    }

    fn due(&self, index: usize, wanted: impl Fn(When) -> bool) -> Vec<Rulesake> {
        let mut found = self.in_force(index, wanted);
        found.retain(|rule| self.guarded(*rule, index));
        self.put_in_order(&mut found, index);
        found
    }

    fn guarded(&self, (bundle, n, this): Rulesake, index: usize) -> bool {
        let guard = match &self.pack.bundles[bundle.index()].rules[n] {
            Rule::Handler { guard, .. } | Rule::Cannot { guard, .. } => *guard,
            Rule::Grant { .. } => return false,
        };
        let you = self.side(this, self.events[index].you);
        guard.is_none_or(|frag| truth(&self.term(frag, &[or_none(this), Value::None], Some(index), you)))
    }

    fn run_rule(&mut self, (bundle, n, this): Rulesake, index: usize) {
        let bundle = &self.pack.bundles[bundle.index()];
        let Rule::Handler { when, body, .. } = bundle.rules[n] else { return };
        let you = self.side(this, self.events[index].you);
        let frame = self.frame(body, &[or_none(this), Value::None], Some(index), you, this, bundle.rank);
        let ended = self.steps(frame).0;
        // what replaces an event gives its result
        if let (When::Instead, End::Value(value)) = (when, ended)
            && value != Value::None
        {
            self.events[index].result = value;
        }
    }

    /// Of the whole game, of the one whose event it is, of the other; then by age.
    fn put_in_order(&self, rules: &mut [Rulesake], index: usize) {
        let active = self.events[index].you;
        rules.sort_by_key(|(bundle, n, this)| {
            let turn = match self.side(*this, NOBODY) {
                NOBODY => 0,
                side if side == active => 1,
                _ => 2,
            };
            (turn, *this, *bundle, *n)
        });
    }
}
