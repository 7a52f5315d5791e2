//! How well a player stands, as the rules say it.

use super::Machine;
use crate::eval::Scratch;
use crate::ids::ObjId;
use crate::loaded::Loaded;
use crate::num;

impl Machine {
    /// The goals of the rule systems for this player, added up. None: the rules have none, or they cannot be worked out as things are.
    pub fn standing(&self, pack: &Loaded, player: ObjId) -> Option<i64> {
        if pack.goals.is_empty() {
            return None;
        }
        let mut s = Scratch::new(Vec::new(), self.limits, self.limits.steps);
        let view = self.view(pack, None, player);
        let mut sum = 0i64;
        for goal in &pack.goals {
            let value = view.eval(&mut s, *goal, &[]).ok()?;
            sum = sum.saturating_add(num::int(&value).ok()?);
        }
        Some(sum)
    }
}
