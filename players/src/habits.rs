//! What answers were good for, wherever they were given: a playout below the tree prefers what did well in others (move averages).
//!
//! "Attack" is mostly better than "done", this weapon than that one. What was said is remembered, not the state it was said in.

use banneret_runtime::ids::{ObjId, SiteId};
use rustc_hash::FxHashMap;

use crate::options::Said;

/// Who said what, and where in the rules it was asked.
type Key = (ObjId, Option<SiteId>, Said);

#[derive(Debug, Default)]
pub(crate) struct Habits {
    of: FxHashMap<Key, Average>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Average {
    count: f64,
    sum: f64,
}

impl Habits {
    pub fn learn(&mut self, who: ObjId, site: Option<SiteId>, said: Said, result: f64) {
        let average = self.of.entry((who, site, said)).or_default();
        average.count += 1.0;
        average.sum += result;
    }

    /// None: nobody has said that yet.
    pub fn mean(&self, who: ObjId, site: Option<SiteId>, said: &Said) -> Option<f64> {
        // The key is only borrowed where that costs nothing: what is said is short.
        let average = self.of.get(&(who, site, said.clone()))?;
        Some(average.sum / average.count.max(1.0))
    }
}
