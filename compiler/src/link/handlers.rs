//! Rules that answer several actions.
//!
//! A field the actions share may stand at different places in their events. Code has places, not names, so such a rule becomes one rule for each
//! layout, with its code moved to that layout.

use banneret_runtime::ids::*;
use banneret_runtime::pack::{Bundle, Fragment, Rule};

use super::LinkInput;
use super::names::Names;
use super::reloc::{Reloc, position};
use super::tables::Problems;
use crate::hir::Key;
use crate::lower::FragRef;

pub(super) struct Split<'a> {
    pub item: usize,
    pub part: &'a LinkInput<'a>,
    pub names: &'a Names,
    pub reloc: &'a Reloc,
}

impl Split<'_> {
    /// The bundle with the numbers of the pack. Fragments made on the way are added to `fragments`.
    pub fn bundle(&self, bundle: &Bundle, fragments: &mut Vec<Fragment>, problems: &mut Problems) -> Bundle {
        let mut moved = self.reloc.moved(&Bundle { rules: Vec::new(), ..bundle.clone() });
        for rule in &bundle.rules {
            let (Rule::Handler { actions, .. } | Rule::Cannot { actions, .. }) = rule else {
                moved.rules.push(self.reloc.moved(rule));
                continue;
            };
            if actions.len() < 2 {
                moved.rules.push(self.reloc.moved(rule));
                continue;
            }
            for (n, (layout, group)) in self.groups(actions, problems).into_iter().enumerate() {
                let mut one = self.reloc.moved(&self.for_actions(rule, &group));
                if n > 0 {
                    self.copy_code(rule, &mut one, layout, fragments);
                }
                moved.rules.push(one);
            }
        }
        moved
    }

    /// Actions with the same layout of what is read, in order of the first of each.
    fn groups(&self, actions: &[ActionId], problems: &mut Problems) -> Vec<(Vec<u16>, Vec<ActionId>)> {
        let symbols = &self.part.lowered.symbols;
        let key = |id: &ActionId| symbols.actions.get(id.index()).cloned().unwrap_or_default();
        let keys: Vec<Key> = actions.iter().map(key).collect();
        let mut groups: Vec<(Vec<u16>, Vec<ActionId>)> = Vec::new();
        for (action, key) in actions.iter().zip(&keys) {
            let mut layout = self.reloc.events.clone();
            for (at, field) in layout.iter_mut().zip(&symbols.event_fields) {
                if field.actions == keys {
                    *at = position(self.names, key, field).unwrap_or_else(|| {
                        problems.at_item(self.item, format!("`{key}` has no field `{}`", field.name));
                        u16::MAX
                    });
                }
            }
            match groups.iter_mut().find(|(has, _)| *has == layout) {
                Some((_, group)) => group.push(*action),
                None => groups.push((layout, vec![*action])),
            }
        }
        groups
    }

    fn for_actions(&self, rule: &Rule, group: &[ActionId]) -> Rule {
        let mut rule = rule.clone();
        if let Rule::Handler { actions, .. } | Rule::Cannot { actions, .. } = &mut rule {
            *actions = group.to_vec();
        }
        rule
    }

    /// Gives the rule copies of its guard and body for another layout.
    fn copy_code(&self, from: &Rule, to: &mut Rule, layout: Vec<u16>, fragments: &mut Vec<Fragment>) {
        let reloc = Reloc { events: layout, ..self.reloc.clone() };
        let mut copy = |local: FragId| {
            let own = match self.part.lowered.symbols.frags.get(local.index()) {
                Some(FragRef::Own(own)) => self.part.lowered.fragments.get(*own as usize),
                _ => None,
            };
            own.map(|fragment| {
                fragments.push(reloc.moved(fragment));
                FragId(fragments.len() as u32 - 1)
            })
        };
        match (from, to) {
            (Rule::Handler { guard, body, .. }, Rule::Handler { guard: new_guard, body: new_body, .. }) => {
                if let Some(copied) = guard.and_then(&mut copy) {
                    *new_guard = Some(copied);
                }
                if let Some(copied) = copy(*body) {
                    *new_body = copied;
                }
            }
            (Rule::Cannot { guard: Some(guard), .. }, Rule::Cannot { guard: new_guard, .. }) => {
                if let Some(copied) = copy(*guard) {
                    *new_guard = Some(copied);
                }
            }
            _ => {}
        }
    }
}
