//! Rolls inside one fragment: all its ways are followed to where it concerns itself with the rest of the world, with small states that say where it stands
//! and what it holds. Ways that come to the same are one from there on; only then is there a machine for each.

use rustc_hash::FxHashMap;

use super::graph::Edge;
use super::{Explorer, outcomes, outgrown};
use crate::fault::{Bound, Fault, FaultKind};
use crate::machine::{Came, Local, Machine};
use crate::value::Dice;

impl Explorer<'_> {
    /// The machine stands at a roll of these dice.
    pub(super) fn roll_out(&mut self, from: u32, machine: &Machine, dice: Dice) -> Result<(), Fault> {
        let mut work = machine.clone();
        work.forget_question();
        let lost = || Fault::new(FaultKind::BadPack, "a roll that belongs to no fragment");
        let first = work.local(self.pack).ok_or_else(lost)?;
        let mut known: FxHashMap<Local, u32> = FxHashMap::default();
        let mut rolling: Vec<(u32, Local, Dice)> = vec![(from, first, dice)];
        let mut leaving: Vec<Local> = Vec::new();
        // Where each roll leads. Ways out are counted down from the top until it is known what they come to.
        let mut led: Vec<(u32, usize)> = Vec::new();
        let mut ways: Vec<Edge> = Vec::new();
        while let Some((node, local, dice)) = rolling.pop() {
            self.check_size(rolling.len() + leaving.len() + 1)?;
            work.put_local(&local);
            let ordered = dice.count > 1 && work.roll_is_ordered(self.pack);
            let sorts = if ordered { None } else { work.sorts_of_faces(self.pack, dice.sides) };
            let site = work.site(self.pack);
            let all = outcomes::rolls(dice, ordered, sorts).map_err(|n| {
                let words = format!("a roll of {}d{} has {n} different outcomes, too many to try them all", dice.count, dice.sides);
                Fault { site, ..Fault::new(FaultKind::Limit(Bound::Candidates), words) }
            })?;
            for (faces, weight) in all {
                work.put_local(&local);
                work.land(self.pack, dice, &faces);
                let came = work.run_local(self.pack)?;
                let there = work.local(self.pack).ok_or_else(lost)?;
                let to = match known.get(&there) {
                    Some(to) => *to,
                    None => {
                        let to = match came {
                            Came::Roll(_) => self.graph.add(),
                            Came::Away => u32::MAX - leaving.len() as u32,
                        };
                        known.insert(there.clone(), to);
                        match came {
                            Came::Roll(dice) => rolling.push((to, there, dice)),
                            Came::Away => leaving.push(there),
                        }
                        to
                    }
                };
                ways.push((to, weight));
            }
            led.push((node, ways.len()));
        }
        let mut out = Vec::with_capacity(leaving.len());
        for local in leaving {
            work.put_local(&local);
            out.push(self.arrive(work.clone())?);
        }
        for (to, _) in &mut ways {
            if let Some(there) = out.get((u32::MAX - *to) as usize) {
                *to = *there;
            }
        }
        let mut start = 0;
        for (node, end) in led {
            self.graph.lead(node, &ways[start..end]).map_err(|_| outgrown())?;
            start = end;
        }
        Ok(())
    }
}
