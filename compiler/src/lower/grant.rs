//! Timed grants: who and how much are fixed when the statement runs.

use banneret_grammar::span::Span;
use banneret_runtime::bytecode::Instr;
use banneret_runtime::ids::*;
use banneret_runtime::pack;

use super::body::{Body, Event};
use super::rules::{self, Around};
use crate::hir::{Expr, Grant, Lasts};

impl Body<'_> {
    /// Registers in a row: the modifiers' values, the keywords' numbers, the stored rules, what the duration needs, what the rules read from here.
    pub fn timed_grant(&mut self, grant: &Grant, span: Span) {
        let gives = &grant.gives;
        let of = grant.lasts.iter().filter_map(|lasts| match lasts {
            Lasts::Until { of, .. } => of.as_ref(),
            Lasts::Scopes { count, .. } => Some(count),
            _ => None,
        });
        let values: Vec<&Expr> = gives
            .mods
            .iter()
            .map(|modifier| &modifier.value)
            .chain(gives.keywords.iter().filter_map(|(_, number)| number.as_ref()))
            .chain(gives.rules.iter())
            .chain(of)
            .collect();
        for (local, value) in &grant.captures {
            let dst = self.local(*local);
            self.eval(value, dst);
        }
        let captures = self.captures(grant);
        let targets = self.value(&grant.targets);
        let n = values.len();
        let start = self.regs(n + captures.len());
        for (dst, value) in (start..).zip(values) {
            self.eval(value, dst);
        }
        for (dst, src) in (start.saturating_add(n as u16)..).zip(self.registers_of(&captures)) {
            self.emit(Instr::Move { dst, src });
        }
        let around = Around { holders: &[], captures: &captures };
        let bundles = if gives.own.is_empty() { Vec::new() } else { vec![rules::bundle(self.unit, "granted", 0, &gives.own, around)] };
        let lasts = grant.lasts.iter().map(|lasts| self.lasts(lasts, around)).collect();
        let spec = pack::Grant {
            mods: gives.mods.iter().map(|modifier| (self.unit.field(&modifier.field), modifier.op)).collect(),
            keywords: gives.keywords.iter().map(|(key, number)| (self.unit.keyword(key), number.is_some())).collect(),
            bundles,
            rules: gives.rules.len() as u16,
            captures: captures.len() as u16,
            lasts,
            site: self.unit.site(span, ""),
        };
        self.unit.grants.push(spec);
        let spec = GrantId(self.unit.grants.len() as u32 - 1);
        self.emit(Instr::Grant { spec, targets, start });
    }

    fn lasts(&mut self, lasts: &Lasts, around: Around) -> pack::Lasts {
        match lasts {
            Lasts::Until { at_end, next, scope, of } => {
                pack::Lasts::Until { at_end: *at_end, scope: self.unit.action(scope), skip_running: *next, of: of.is_some() }
            }
            Lasts::Scopes { scope, .. } => pack::Lasts::Scopes { scope: self.unit.action(scope) },
            Lasts::Event { action, guard } => {
                let event = || Event::Answered(vec![action.clone()]);
                pack::Lasts::Event {
                    action: self.unit.action(action),
                    guard: guard.as_ref().map(|guard| around.term(self.unit, "until", guard, event(), &[])),
                }
            }
            Lasts::While(cond) => pack::Lasts::While { cond: around.term(self.unit, "while", &cond.body, Event::None, &cond.params) },
        }
    }
}
