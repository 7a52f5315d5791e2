//! What a player does not see, dealt anew: a world that is as likely for them as the one there is.

use super::World;
use crate::generator::Generator;
use crate::ids::*;

impl World {
    /// Deals the hidden piles of everybody but `player` anew: each of these cards may as well be among the shuffled ones of its player, which are as
    /// many afterwards as before. What was seen on its way into a hidden pile is forgotten.
    pub fn redeal(&mut self, hidden: &[FieldId], player: ObjId, luck: &mut Generator) {
        for other in self.players.iter().copied().filter(|other| *other != player).collect::<Vec<_>>() {
            self.redeal_of(hidden, other, luck);
        }
    }

    fn redeal_of(&mut self, hidden: &[FieldId], of: ObjId, luck: &mut Generator) {
        let keys: Vec<(ObjId, FieldId)> = self.piles.iter().map(|(key, _)| *key).filter(|(owner, _)| *owner == of).collect();
        let is_hidden = |key: &(ObjId, FieldId)| hidden.contains(&key.1);
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
            after.redeal(&[FieldId(1)], me, &mut Generator::new(seed));
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
}
