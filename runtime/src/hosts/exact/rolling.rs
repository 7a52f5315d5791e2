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
    met: Vec<Met>,
    /// The last one that was met with each mark.
    marked: FxHashMap<u64, usize>,
    /// Those that come to another roll, and still have to be looked into: their state, and which they are.
    rolling: Vec<(u32, usize, Dice)>,
    leaving: Vec<usize>,
}

struct Met {
    local: Local,
    to: u32,
    /// The one before it that has the same mark.
    before: Option<usize>,
}

fn lost() -> Fault {
    Fault::new(FaultKind::BadPack, "a roll that belongs to no fragment")
}

impl Explorer<'_> {
    /// Goes on from a roll that has landed; the number of the state it comes to.
    fn follow(&mut self, work: &mut Machine, fork: &mut Fork) -> Result<u32, Fault> {
        let came = work.run_local(self.pack)?;
        let mark = work.local_mark(self.pack).ok_or_else(lost)?;
        let before = fork.marked.get(&mark).copied();
        let mut next = before;
        while let Some(met) = next.and_then(|i| fork.met.get(i)) {
            if work.is_at(self.pack, &met.local) {
                return Ok(met.to);
            }
            next = met.before;
        }
        let index = fork.met.len();
        let to = match came {
            Came::Roll(dice) => {
                let node = self.graph.add();
                fork.rolling.push((node, index, dice));
                node
            }
            Came::Away => {
                fork.leaving.push(index);
                u32::MAX - (fork.leaving.len() as u32 - 1)
            }
        };
        fork.met.push(Met { local: work.local(self.pack).ok_or_else(lost)?, to, before });
        fork.marked.insert(mark, index);
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
        let start = Met { local: first, to: from, before: None };
        let mut fork = Fork { met: vec![start], rolling: vec![(from, 0, dice)], ..Fork::default() };
        // Where each roll leads. Ways out are counted down from the top until it is known what they come to.
        let mut led: Vec<(u32, usize)> = Vec::new();
        let mut ways: Vec<Edge> = Vec::new();
        while let Some((node, index, dice)) = fork.rolling.pop() {
            self.check_size(fork.rolling.len() + fork.leaving.len() + 1)?;
            work.put_local(&fork.met[index].local);
            let counted = work.counted(self.pack, dice).and_then(|counted| Some((counted, outcomes::counts(dice, counted.hits)?)));
            if let Some((counted, all)) = counted {
                for (hits, weight) in all {
                    work.put_local(&fork.met[index].local);
                    work.land_counted(self.pack, counted, hits);
                    ways.push((self.follow(&mut work, &mut fork)?, weight));
                }
            } else {
                for (faces, weight) in self.rolls(&work, dice)? {
                    work.put_local(&fork.met[index].local);
                    work.land(self.pack, dice, &faces);
                    ways.push((self.follow(&mut work, &mut fork)?, weight));
                }
            }
            led.push((node, ways.len()));
        }
        let mut out = Vec::with_capacity(fork.leaving.len());
        for index in fork.leaving {
            work.put_local(&fork.met[index].local);
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
