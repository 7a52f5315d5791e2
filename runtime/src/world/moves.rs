//! Moving things: between piles, the table and out of the game.

use std::sync::Arc;

use super::{NOBODY, Object, Pile, World};
use crate::ids::*;
use crate::value::Place;

impl World {
    pub(super) fn pile_mut(&mut self, key: (ObjId, FieldId)) -> &mut Pile {
        self.touch();
        let piles = Arc::make_mut(&mut self.piles);
        let i = match piles.binary_search_by_key(&key, |(k, _)| *k) {
            Ok(i) => i,
            Err(i) => {
                piles.insert(i, (key, Arc::default()));
                i
            }
        };
        Arc::make_mut(&mut piles[i].1)
    }

    fn drop_empty_pile(&mut self, key: (ObjId, FieldId)) {
        if let Ok(i) = self.piles.binary_search_by_key(&key, |(k, _)| *k)
            && self.piles[i].1.is_empty()
        {
            Arc::make_mut(&mut self.piles).remove(i);
        }
    }

    fn leave_pile(&mut self, id: ObjId) {
        if let Some(key) = self.get(id).and_then(|o| o.pile) {
            if let Some(object) = self.object_mut(id) {
                object.pile = None;
            }
            self.pile_mut(key).remove(id);
            self.drop_empty_pile(key);
        }
    }

    /// Parts are in play while their holder is. What leaves play loses what was granted to it.
    pub(crate) fn set_in_play(&mut self, id: ObjId, in_play: bool) {
        let mut todo = vec![id];
        while let Some(id) = todo.pop() {
            let Some(object) = self.object_mut(id) else {
                continue;
            };
            let was = object.in_play;
            object.in_play = in_play;
            if !in_play {
                object.place = None;
            }
            todo.extend(object.parts.iter().copied());
            if was && !in_play {
                self.drop_grants_on(id);
            }
        }
        self.facts.clear();
    }

    pub(crate) fn drop_grants_on(&mut self, id: ObjId) {
        self.touch();
        for grant in &mut self.timed {
            if grant.targets.contains(&id) {
                Arc::make_mut(grant).targets.retain(|t| *t != id);
            }
        }
        self.timed.retain(|grant| !grant.targets.is_empty());
    }

    pub(crate) fn put_on_pile(&mut self, id: ObjId, key: (ObjId, FieldId), shuffled_in: bool) {
        self.leave_pile(id);
        self.set_in_play(id, false);
        if let Some(object) = self.object_mut(id) {
            object.pile = Some(key);
        }
        let pile = self.pile_mut(key);
        pile.put_on_top(id);
        if shuffled_in {
            pile.shuffle();
        }
    }

    pub(crate) fn put_in_play(&mut self, id: ObjId) {
        self.leave_pile(id);
        if !self.get(id).is_some_and(|o| o.in_play) {
            self.set_in_play(id, true);
        }
    }

    pub(crate) fn put_at(&mut self, id: ObjId, place: Place) {
        self.put_in_play(id);
        self.set_place(id, place);
        if !self.facts.is_empty() {
            self.touch();
            self.facts.clear();
        }
    }

    /// Takes a part away from whoever holds it.
    fn leave_holder(&mut self, id: ObjId) {
        let holder = self.get(id).map_or(NOBODY, |o| o.holder);
        if let Some(object) = self.object_mut(holder) {
            object.parts.retain(|p| *p != id);
        }
    }

    pub(crate) fn attach(&mut self, part: ObjId, holder: ObjId, controller: ObjId) {
        self.leave_pile(part);
        self.leave_holder(part);
        let in_play = self.get(holder).is_some_and(|o| o.in_play);
        if let Some(object) = self.object_mut(holder) {
            object.parts.push(part);
        }
        if let Some(object) = self.object_mut(part) {
            object.holder = holder;
            object.controller = controller;
        }
        self.set_in_play(part, in_play);
        self.touch();
    }

    pub(crate) fn remove(&mut self, id: ObjId) {
        self.leave_pile(id);
        self.leave_holder(id);
        self.set_in_play(id, false);
        let mut todo = vec![id];
        while let Some(id) = todo.pop() {
            if let Some(object) = self.object_mut(id) {
                object.gone = true;
                todo.extend(object.parts.iter().copied());
            }
        }
    }

    pub(crate) fn shuffle(&mut self, key: (ObjId, FieldId)) {
        if self.pile(key).is_some() {
            self.pile_mut(key).shuffle();
        }
    }

    pub(crate) fn reveal_top(&mut self, key: (ObjId, FieldId), card: ObjId) {
        if self.pile(key).is_some() {
            self.pile_mut(key).reveal(card);
        }
    }

    /// Cards of the shuffled rest of a pile that nobody can tell apart, each kind once with its number.
    pub(crate) fn draws(&self, key: (ObjId, FieldId)) -> Vec<(ObjId, u32)> {
        let mut groups: Vec<(ObjId, u32)> = Vec::new();
        let Some(pile) = self.pile(key) else {
            return groups;
        };
        for id in &pile.rest {
            let same = |other: ObjId| match (self.get(other), self.get(*id)) {
                (Some(a), Some(b)) => alike(a, b),
                _ => false,
            };
            match groups.iter_mut().find(|(first, _)| same(*first)) {
                Some((_, n)) => *n += 1,
                None => groups.push((*id, 1)),
            }
        }
        groups
    }
}

fn alike(a: &Object, b: &Object) -> bool {
    a.card == b.card && a.kind == b.kind && a.owner == b.owner && a.controller == b.controller && a.state == b.state && a.holder == NOBODY
}
