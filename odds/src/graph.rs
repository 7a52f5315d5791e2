//! The states that were met and where they lead.

use rustc_hash::FxHashMap;

use crate::weight::{Outgrown, Weight};

pub(crate) type Edge = (u32, Weight);

/// All edges in one list; those of a state stand together.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    spans: Vec<(u32, u32)>,
    edges: Vec<Edge>,
    /// Some state leads to itself or to an earlier one.
    pub turns_back: bool,
}

impl Graph {
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    pub fn clear(&mut self) {
        self.spans.clear();
        self.edges.clear();
        self.turns_back = false;
    }

    /// Does every state lead to later ones only?
    pub fn is_in_order(&self) -> bool {
        !self.turns_back
    }

    /// For how many states and ways there is room.
    pub fn room(&self) -> usize {
        self.spans.capacity().max(self.edges.capacity())
    }

    /// A state that leads nowhere yet.
    #[inline(always)]
    pub fn add(&mut self) -> u32 {
        self.spans.push((0, 0));
        self.spans.len() as u32 - 1
    }

    /// Where each state leads.
    pub fn all(&self) -> impl Iterator<Item = &[Edge]> {
        self.spans.iter().map(|(from, to)| self.edges.get(*from as usize..*to as usize).unwrap_or_default())
    }

    pub fn of(&self, node: u32) -> &[Edge] {
        let (from, to) = self.spans.get(node as usize).copied().unwrap_or_default();
        self.edges.get(from as usize..to as usize).unwrap_or_default()
    }

    /// Counts the ways that lead to each state.
    pub fn count_leading(&self, leading: &mut [u32]) {
        for (to, _) in self.all().flatten() {
            if let Some(n) = leading.get_mut(*to as usize) {
                *n += 1;
            }
        }
    }

    /// From here on states lead there, each to a different one each way: which they are, and where the ways of each end in the list. Whoever does this has
    /// seen whether some turn back.
    pub fn lead_apart(&mut self, states: &[(u32, usize)], ways: &mut Vec<Edge>) {
        let before = self.edges.len();
        if before == 0 {
            std::mem::swap(&mut self.edges, ways);
        } else {
            self.edges.extend_from_slice(ways);
        }
        let mut start = before;
        for (node, end) in states {
            let end = before + *end;
            if let Some(span) = self.spans.get_mut(*node as usize) {
                *span = (start as u32, end as u32);
            }
            start = end;
        }
    }

    /// From here on it leads there; several ways to one state are added up.
    pub fn lead(&mut self, node: u32, ways: &[Edge]) -> Result<(), Outgrown> {
        let from = self.edges.len();
        // A few are looked through; many are looked up.
        let mut at: FxHashMap<u32, usize> = FxHashMap::default();
        for (to, weight) in ways {
            self.turns_back |= *to <= node;
            let known = match ways.len() {
                ..=32 => self.edges[from..].iter().position(|(t, _)| t == to).map(|i| from + i),
                _ => at.get(to).copied(),
            };
            match known {
                Some(i) => self.edges[i].1 = self.edges[i].1.plus(*weight)?,
                None => {
                    if ways.len() > 32 {
                        at.insert(*to, self.edges.len());
                    }
                    self.edges.push((*to, *weight));
                }
            }
        }
        if let Some(span) = self.spans.get_mut(node as usize) {
            *span = (from as u32, self.edges.len() as u32);
        }
        Ok(())
    }
}
