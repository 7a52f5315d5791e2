//! Which rules are in force, and through whom.

use std::sync::Arc;

use super::{Scratch, View};
use crate::fault::Res;
use crate::ids::*;
use crate::loaded::{Loaded, RuleRef};
use crate::machine::InForce;
use crate::pack::Rule;
use crate::value::Value;
use crate::world::NOBODY;

/// Through whom a rule is in force: `this`, and the part it stands in.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct Source {
    pub this: ObjId,
    pub part: ObjId,
    /// What the rules of a timed grant read from the statement that made it.
    pub caps: Option<Arc<[Value]>>,
}

impl Source {
    pub fn new(this: ObjId, part: ObjId) -> Source {
        Source { this, part, caps: None }
    }

    /// Orders holders by age; the same holder's sources stay in the order they were found.
    pub fn age(&self) -> (ObjId, ObjId) {
        (self.this, self.part)
    }
}

/// When the rules of an action have their turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Due {
    Before,
    Instead,
    AtEnd,
    After,
    /// State checks, which are the same for all actions.
    Check,
}

impl Due {
    pub fn rules(self, pack: &Loaded, action: ActionId) -> &[RuleRef] {
        let of_action = pack.rules_of_action(action);
        match self {
            Due::Before => &of_action.before,
            Due::Instead => &of_action.instead,
            Due::AtEnd => &of_action.at_end,
            Due::After => &of_action.after,
            Due::Check => &pack.state_checks,
        }
    }
}

impl<'a> View<'a> {
    /// The rules that have their turn, with everyone through whom they are in force.
    pub fn in_force(&self, s: &mut Scratch, action: ActionId, due: Due) -> Res<InForce> {
        if let Some(known) = self.known_in_force(s, action, due) {
            return Ok(known);
        }
        let mut found = Vec::new();
        let mut last: Option<(BundleId, Arc<[Source]>)> = None;
        for at in due.rules(self.pack, action) {
            // Rules of one bundle stand together: its holders are looked up once.
            if last.as_ref().is_none_or(|(bundle, _)| *bundle != at.bundle) {
                last = Some((at.bundle, self.sources(s, at.bundle)?));
            }
            if let Some((_, sources)) = &last {
                found.extend(sources.iter().map(|source| (*at, source.clone())));
            }
        }
        let found: InForce = found.into();
        self.remember_in_force(s, action, due, &found);
        Ok(found)
    }

    /// Everyone through whom the rules of a bundle are in force, oldest first. Rules of a whole ruleset have nobody.
    pub fn sources(&self, s: &mut Scratch, bundle: BundleId) -> Res<Arc<[Source]>> {
        if let Some(known) = self.known_holders(s, bundle) {
            return Ok(known);
        }
        let found: Arc<[Source]> = self.find_sources(s, bundle)?.into();
        self.remember_holders(s, bundle, &found);
        Ok(found)
    }

    fn find_sources(&self, s: &mut Scratch, bundle: BundleId) -> Res<Vec<Source>> {
        let mut found: Vec<Source> = Vec::new();
        if self.pack.global.get(bundle.index()).is_some_and(|g| *g) {
            found.push(Source::new(NOBODY, NOBODY));
        }
        for (id, object) in self.world.in_play() {
            if self.pack.printed_bundles(object.kind, object.card).contains(&bundle)
                && (!self.may_lose_keywords() || self.keeps_keyword(s, id, bundle)?)
            {
                found.push(self.source(id));
            }
        }
        // What is being found out does not count yet: a keyword that grants itself to its bearers grants it to those who have it otherwise.
        if !self.pack.givable.get(bundle.index()).is_some_and(|g| *g) || s.finding.contains(&bundle) {
            return Ok(found);
        }
        s.finding.push(bundle);
        let given = self.given_sources(s, bundle, &mut found);
        s.finding.pop();
        given?;
        found.sort_by_key(Source::age);
        let mut unique: Vec<Source> = Vec::with_capacity(found.len());
        for source in found {
            // Those of one holder stand together.
            let known = unique.iter().rev().take_while(|s| s.age() == source.age()).any(|s| *s == source);
            if !known {
                unique.push(source);
            }
        }
        Ok(unique)
    }

    fn source(&self, id: ObjId) -> Source {
        let (this, part) = self.world.this_and_part(id);
        Source::new(this, part)
    }

    /// As the holder of rules that read what was captured, if they do.
    fn source_with(&self, id: ObjId, bundle: BundleId, caps: &Option<Arc<[Value]>>) -> Source {
        let captures = self.pack.bundles.get(bundle.index());
        Source { caps: caps.clone().filter(|_| captures.is_some_and(|b| b.captures > 0)), ..self.source(id) }
    }

    /// What was captured around a continuous grant, and behind it who gives, if the rules it gives name that.
    fn handed_on(&self, bundle: BundleId, giver: &Source) -> Option<Arc<[Value]>> {
        let captured = giver.caps.as_deref().unwrap_or_default();
        let wanted = self.pack.bundles.get(bundle.index()).map_or(0, |b| b.captures as usize);
        if wanted != captured.len() + 1 {
            return giver.caps.clone();
        }
        let who = if giver.part == NOBODY { giver.this } else { giver.part };
        Some(captured.iter().cloned().chain([Value::Obj(who)]).collect())
    }

    fn given_sources(&self, s: &mut Scratch, bundle: BundleId, found: &mut Vec<Source>) -> Res<()> {
        let gives = |keyword: KeywordId| self.pack.keywords.get(keyword.index()).is_some_and(|k| k.bundle == bundle);
        for timed in &self.world.timed {
            let by_keyword = timed.keywords.iter().any(|(k, _)| gives(*k));
            let stored = timed.bundles.iter().find(|(b, _)| *b == bundle);
            if !by_keyword && stored.is_none() {
                continue;
            }
            for it in &timed.targets {
                if !self.world.get(*it).is_some_and(|o| o.in_play) || !self.timed_holds(s, timed, *it)? {
                    continue;
                }
                found.push(match stored {
                    Some((_, Some((this, part)))) => Source::new(*this, *part),
                    _ => self.source_with(*it, bundle, &timed.caps),
                });
            }
        }
        let givers = self.pack.givers.get(bundle.index()).map_or(&[][..], |g| g);
        for at in givers {
            let (_, rule) = self.pack.rule(*at)?;
            let Rule::Grant { kind, keywords, bundles, rules, .. } = rule else {
                continue;
            };
            let sure = bundles.contains(&bundle) || keywords.iter().any(|(k, _)| gives(*k));
            for (it, object) in self.world.in_play() {
                if !self.pack.is_kind(object.kind, *kind) {
                    continue;
                }
                self.each_granting(s, *at, it, &mut |view, s, source| {
                    if sure {
                        found.push(view.source_with(it, bundle, &self.handed_on(bundle, source)));
                    }
                    for frag in rules {
                        let given = view.eval_for(s, *frag, source, &[Value::Obj(it)])?;
                        let several = if let Value::List(items) = &given { &items[..] } else { std::slice::from_ref(&given) };
                        for one in several {
                            if let Value::Rules(b, this, part) = one
                                && *b == bundle
                            {
                                found.push(if *this == NOBODY { view.source(it) } else { Source::new(*this, *part) });
                            }
                        }
                    }
                    Ok(())
                })?;
            }
        }
        Ok(())
    }

    /// Calls `then` for everyone through whom the grant applies to `it`.
    pub fn each_granting(
        &self,
        s: &mut Scratch,
        at: RuleRef,
        it: ObjId,
        then: &mut dyn FnMut(&View<'a>, &mut Scratch, &Source) -> Res<()>,
    ) -> Res<()> {
        let (_, rule) = self.pack.rule(at)?;
        let Rule::Grant { who, cond, .. } = rule else {
            return Ok(());
        };
        // A rule that only cards carry, and that speaks of its own holder, needs no list of all holders.
        let anybody = |known: &[bool]| known.get(at.bundle.index()).is_some_and(|k| *k);
        if who.is_none()
            && !anybody(&self.pack.givable)
            && !anybody(&self.pack.global)
            && !self.may_lose_keywords()
            && let Some(object) = self.world.get(it).filter(|o| o.in_play && o.parts.is_empty())
        {
            let source = self.source(it);
            let view = self.seen_by(source.this);
            let carries = source.this == it && self.pack.printed_bundles(object.kind, object.card).contains(&at.bundle);
            let holds = match cond {
                Some(frag) if carries => view.is_true_for(s, *frag, &source, &[Value::Obj(it)])?,
                _ => carries,
            };
            return if holds { then(&view, s, &source) } else { Ok(()) };
        }
        self.each_of_many(s, at, it, then)
    }

    fn each_of_many(
        &self,
        s: &mut Scratch,
        at: RuleRef,
        it: ObjId,
        then: &mut dyn FnMut(&View<'a>, &mut Scratch, &Source) -> Res<()>,
    ) -> Res<()> {
        let (_, rule) = self.pack.rule(at)?;
        let Rule::Grant { who, cond, .. } = rule else {
            return Ok(());
        };
        for source in self.sources(s, at.bundle)?.iter() {
            let view = self.seen_by(source.this);
            let it_too = [Value::Obj(it)];
            let applies = match who {
                Some(frag) => view.is_true_for(s, *frag, source, &it_too)?,
                None => source.this == it,
            };
            let holds = match cond {
                Some(frag) if applies => view.is_true_for(s, *frag, source, &it_too)?,
                _ => applies,
            };
            if holds {
                then(&view, s, source)?;
            }
        }
        Ok(())
    }
}
