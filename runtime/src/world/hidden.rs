//! What a player does not see, dealt anew: a world that is as likely for them as the one there is.

use super::World;
use crate::generator::Generator;
use crate::ids::*;
use crate::pack::Hidden;
use crate::value::Value;

impl World {
    /// Whether a player may look at a pile or a state: it is not hidden, or it is theirs.
    pub fn shows(&self, hidden: &[Hidden], of: ObjId, field: FieldId, player: ObjId) -> bool {
        let is_theirs = || of == player || self.get(of).is_some_and(|object| object.controller == player);
        hidden.iter().all(|hidden| hidden.field != field) || is_theirs()
    }

    /// Deals the hidden piles of everybody but `player` anew: each of these cards may as well be among the shuffled ones of its player, which are as
    /// many afterwards as before. What was seen on its way into a hidden pile is forgotten. Hidden states of what others control are anything they may be.
    pub fn redeal(&mut self, hidden: &[Hidden], player: ObjId, luck: &mut Generator) {
        for other in self.players.iter().copied().filter(|other| *other != player).collect::<Vec<_>>() {
            self.redeal_of(hidden, other, luck);
        }
        for of in self.ids().collect::<Vec<_>>() {
            for Hidden { field, values } in hidden.iter().filter(|hidden| !hidden.values.is_empty()) {
                let seen = self.shows(hidden, of, *field, player);
                let Some(was) = self.get(of).and_then(|object| object.state(*field)).filter(|_| !seen).cloned() else { continue };
                let mut any = || values.get(luck.below(values.len() as u64) as usize).cloned().unwrap_or(Value::None);
                // How many there are is seen, and whether there is one.
                let is = match was {
                    Value::None => Value::None,
                    Value::List(items) => Value::List(items.iter().map(|_| any()).collect()),
                    _ => any(),
                };
                if let Some(object) = self.object_mut(of) {
                    object.set_state(*field, is);
                }
            }
        }
    }

    fn redeal_of(&mut self, hidden: &[Hidden], of: ObjId, luck: &mut Generator) {
        let keys: Vec<(ObjId, FieldId)> = self.piles.iter().map(|(key, _)| *key).filter(|(owner, _)| *owner == of).collect();
        let is_hidden = |key: &(ObjId, FieldId)| hidden.iter().any(|hidden| hidden.field == key.1);
        let mut cards: Vec<ObjId> = Vec::new();
        for key in &keys {
            let Some(pile) = self.pile(*key) else { continue };
            cards.extend(&pile.rest);
            if is_hidden(key) {
                cards.extend(&pile.known);
            }
        }
        // The same cards in whatever order they came: who looks does not learn from it.
        cards.sort_unstable();
        for i in (1..cards.len()).rev() {
            cards.swap(i, luck.below(i as u64 + 1) as usize);
        }
        for key in keys {
            let Some(pile) = self.pile(key) else { continue };
            let (known, rest) = (if is_hidden(&key) { pile.known.len() } else { 0 }, pile.rest.len());
            let dealt = cards.split_off(cards.len().saturating_sub(known + rest));
            for card in &dealt {
                if let Some(object) = self.object_mut(*card) {
                    object.pile = Some(key);
                }
            }
            let (first, last) = dealt.split_at(known.min(dealt.len()));
            let pile = self.pile_mut(key);
            if is_hidden(&key) {
                pile.known = first.to_vec();
            }
            pile.rest = last.to_vec();
            pile.rest.sort_unstable();
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::world::Object;

    /// Two players with three cards in the hand (pile 1) and four in the deck (pile 2) each, and one on a discard pile (3).
    fn world() -> World {
        let mut world = World::new(Vec::new());
        let players = [0, 1].map(|_| world.add(Object::new(KindId(0), None)));
        world.players = std::sync::Arc::new(players.to_vec());
        for player in players {
            for (field, count) in [(1, 3), (2, 4), (3, 1)] {
                for _ in 0..count {
                    let card = world.add(Object { owner: player, controller: player, ..Object::new(KindId(0), None) });
                    world.put_on_pile(card, (player, FieldId(field)), field == 2);
                }
            }
        }
        world
    }

    #[test]
    fn what_is_seen_stays_and_the_rest_is_dealt() {
        let before = world();
        let [me, other] = [before.players[0], before.players[1]];
        let mut hands = Vec::new();
        for seed in 0..40 {
            let mut after = before.clone();
            after.redeal(&[Hidden { field: FieldId(1), values: Vec::new() }], me, &mut Generator::new(seed));
            for field in 1..=3 {
                assert_eq!(after.pile((me, FieldId(field))), before.pile((me, FieldId(field))));
                let (was, is) = (before.pile((other, FieldId(field))).unwrap(), after.pile((other, FieldId(field))).unwrap());
                assert_eq!((was.known.len(), was.rest.len()), (is.known.len(), is.rest.len()));
                assert!(is.cards().all(|card| after.get(card).unwrap().pile == Some((other, FieldId(field)))));
            }
            assert_eq!(after.pile((other, FieldId(3))), before.pile((other, FieldId(3))));
            let all = |world: &World| {
                let mut cards: Vec<ObjId> = [1, 2].iter().flat_map(|f| world.pile((other, FieldId(*f))).unwrap().cards()).collect();
                cards.sort_unstable();
                cards
            };
            assert_eq!(all(&after), all(&before));
            let mut hand = after.pile((other, FieldId(1))).unwrap().known.clone();
            hand.sort_unstable();
            hands.push(hand);
        }
        hands.sort();
        hands.dedup();
        assert!(hands.len() > 10, "there are 35 hands, and only {} were dealt", hands.len());
    }

    #[test]
    fn hidden_states_of_others_are_anything_they_may_be() {
        let mut before = world();
        let [me, other] = [before.players[0], before.players[1]];
        let order = FieldId(7);
        let [mine, theirs] =
            [me, other].map(|player| before.add(Object { controller: player, in_play: true, ..Object::new(KindId(0), None) }));
        for thing in [mine, theirs] {
            before.object_mut(thing).unwrap().set_state(order, Value::List([1, 2].map(Value::Int).into()));
        }
        before.object_mut(other).unwrap().set_state(order, Value::None);
        let hidden = [Hidden { field: order, values: (1..=4).map(Value::Int).collect() }];
        assert!(before.shows(&hidden, mine, order, me) && !before.shows(&hidden, theirs, order, me));
        let mut seen = Vec::new();
        for seed in 0..60 {
            let mut after = before.clone();
            after.redeal(&hidden, me, &mut Generator::new(seed));
            assert_eq!(after.get(mine), before.get(mine));
            assert_eq!(after.get(other).unwrap().state(order), Some(&Value::None));
            let Some(Value::List(items)) = after.get(theirs).unwrap().state(order).cloned() else { panic!("no list") };
            assert_eq!(items.len(), 2);
            seen.push(items.to_vec());
        }
        seen.sort_by_key(|items| format!("{items:?}"));
        seen.dedup();
        assert!(seen.len() > 8, "of 16 ways only {} came", seen.len());
    }
}
