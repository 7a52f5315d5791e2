//! Rolls inside one fragment: all its ways are followed to where it concerns itself with the rest of the world, with small states that say where it stands
//! and what it holds. Ways that come to the same are one from there on; only then is there a machine for each.

use rustc_hash::FxHashMap;

use super::graph::Edge;
use super::weight::Weight;
use super::{Explorer, outcomes, outgrown};
use crate::fault::{Bound, Fault, FaultKind};
use crate::machine::{Came, Local, Machine};
use crate::value::Dice;

/// The ways of a fragment that were met so far.
#[derive(Default)]
struct Fork {
    known: FxHashMap<Local, u32>,
    /// Those that come to another roll, and still have to be looked into.
    rolling: Vec<(u32, Local, Dice)>,
    leaving: Vec<Local>,
}

fn lost() -> Fault {
    Fault::new(FaultKind::BadPack, "a roll that belongs to no fragment")
}

impl Explorer<'_> {
    /// Goes on from a roll that has landed; the number of the state it comes to.
    fn follow(&mut self, work: &mut Machine, fork: &mut Fork) -> Result<u32, Fault> {
        let came = work.run_local(self.pack)?;
        let there = work.local(self.pack).ok_or_else(lost)?;
        if let Some(to) = fork.known.get(&there) {
            return Ok(*to);
        }
        let to = match came {
            Came::Roll(_) => self.graph.add(),
            Came::Away => u32::MAX - fork.leaving.len() as u32,
        };
        fork.known.insert(there.clone(), to);
        match came {
            Came::Roll(dice) => fork.rolling.push((to, there, dice)),
            Came::Away => fork.leaving.push(there),
        }
        Ok(to)
    }

    /// Every way the dice may fall that makes a difference.
    fn rolls(&self, work: &Machine, dice: Dice) -> Result<Vec<(Vec<i64>, Weight)>, Fault> {
        let ordered = dice.count > 1 && work.roll_is_ordered(self.pack);
        let sorts = if ordered { None } else { work.sorts_of_faces(self.pack, dice.sides) };
        outcomes::rolls(dice, ordered, sorts).map_err(|n| {
            let words = format!("a roll of {}d{} has {n} different outcomes, too many to try them all", dice.count, dice.sides);
            Fault { site: work.site(self.pack), ..Fault::new(FaultKind::Limit(Bound::Candidates), words) }
        })
    }

    /// The machine stands at a roll of these dice.
    pub(super) fn roll_out(&mut self, from: u32, machine: &Machine, dice: Dice) -> Result<(), Fault> {
        let mut work = machine.clone();
        work.forget_question();
        let first = work.local(self.pack).ok_or_else(lost)?;
        let mut fork = Fork { rolling: vec![(from, first, dice)], ..Fork::default() };
        // Where each roll leads. Ways out are counted down from the top until it is known what they come to.
        let mut led: Vec<(u32, usize)> = Vec::new();
        let mut ways: Vec<Edge> = Vec::new();
        while let Some((node, local, dice)) = fork.rolling.pop() {
            self.check_size(fork.rolling.len() + fork.leaving.len() + 1)?;
            work.put_local(&local);
            let counted = work.counted(self.pack, dice).and_then(|counted| Some((counted, outcomes::counts(dice, counted.hits)?)));
            if let Some((counted, all)) = counted {
                for (hits, weight) in all {
                    work.put_local(&local);
                    work.land_counted(self.pack, counted, hits);
                    ways.push((self.follow(&mut work, &mut fork)?, weight));
                }
            } else {
                for (faces, weight) in self.rolls(&work, dice)? {
                    work.put_local(&local);
                    work.land(self.pack, dice, &faces);
                    ways.push((self.follow(&mut work, &mut fork)?, weight));
                }
            }
            led.push((node, ways.len()));
        }
        let mut out = Vec::with_capacity(fork.leaving.len());
        for local in fork.leaving {
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
