//! Rolls inside one fragment: all its ways are followed to where it concerns itself with the rest of the world, with small states that say where it stands
//! and what it holds. Ways that come to the same are one from there on; only then is there a machine for each.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};

use super::graph::Edge;
use super::{Explorer, outgrown};
use crate::fault::{Bound, Fault, FaultKind};
use crate::ids::Pc;
use crate::machine::{Alone, Came, Machine};
use crate::value::{Dice, Value};

/// The ways of a fragment that were met so far. The lists are used again for the next fragment.
#[derive(Default)]
pub(super) struct Fork {
    /// What is held on each way, one behind the other.
    held: Vec<Value>,
    met: Vec<Met>,
    /// The last one that was met with each mark.
    marked: FxHashMap<u64, u32>,
    /// Those that come to another roll, and still have to be looked into: their state, and which they are.
    rolling: Vec<(u32, u32, Dice)>,
    leaving: Vec<u32>,
    ways: Vec<Edge>,
    /// Which state leads on, and where its ways end in the list.
    led: Vec<(u32, usize)>,
}

#[derive(Clone, Copy)]
struct Met {
    pc: Pc,
    /// Where in the list of what is held.
    from: u32,
    until: u32,
    to: u32,
    /// The one before it that has the same mark.
    before: Option<u32>,
}

/// The same wherever the fragment stands at the same place and holds the same.
fn mark(pc: Pc, held: &[Value]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u32(pc);
    // Most values are numbers or nothing, and need no ceremony.
    held.iter().for_each(|value| match value {
        Value::None => hasher.write_u8(0),
        Value::Int(n) => hasher.write_i64(*n),
        other => other.hash(&mut hasher),
    });
    hasher.finish()
}

impl Fork {
    fn clear(&mut self) {
        self.held.clear();
        self.met.clear();
        self.marked.clear();
        self.rolling.clear();
        self.leaving.clear();
        self.ways.clear();
        self.led.clear();
    }

    fn put(&self, index: u32, work: &mut Alone<'_>) {
        if let Some(met) = self.met.get(index as usize) {
            work.put(met.pc, self.held.get(met.from as usize..met.until as usize).unwrap_or_default());
        }
    }

    /// Where it stands and what it holds is noted, unless that is known already: then it is the state that leads to.
    fn meet(&mut self, work: &Alone<'_>) -> Option<u32> {
        let (pc, from) = (work.pc(), self.held.len());
        work.hold(&mut self.held);
        let (known, new) = self.held.split_at(from);
        let mark = mark(pc, new);
        let before = self.marked.get(&mark).copied();
        let mut next = before;
        while let Some(met) = next.and_then(|i| self.met.get(i as usize)) {
            if met.pc == pc && known.get(met.from as usize..met.until as usize) == Some(new) {
                let to = met.to;
                self.held.truncate(from);
                return Some(to);
            }
            next = met.before;
        }
        self.marked.insert(mark, self.met.len() as u32);
        self.met.push(Met { pc, from: from as u32, until: self.held.len() as u32, to: 0, before });
        None
    }
}

fn lost() -> Fault {
    Fault::new(FaultKind::BadPack, "a roll that belongs to no fragment")
}

impl Explorer<'_> {
    /// Goes on from a roll that has landed; the number of the state it comes to. Ways out are counted down from the top until it is known what they come to.
    fn follow(&mut self, work: &mut Alone<'_>, fork: &mut Fork) -> Result<u32, Fault> {
        let came = work.run()?;
        if let Some(known) = fork.meet(work) {
            return Ok(known);
        }
        let index = fork.met.len() as u32 - 1;
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
        if let Some(met) = fork.met.last_mut() {
            met.to = to;
        }
        Ok(to)
    }

    /// Every way the dice may fall that makes a difference is tried from here.
    fn try_all(&mut self, work: &mut Alone<'_>, fork: &mut Fork, index: u32, dice: Dice) -> Result<(), Fault> {
        fork.put(index, work);
        let counted = work.counted(dice).and_then(|counted| Some((counted, self.tables.counts(dice, counted.hits)?)));
        if let Some((counted, all)) = counted {
            for (hits, weight) in all.iter() {
                fork.put(index, work);
                work.land_counted(counted, hits.clone());
                let to = self.follow(work, fork)?;
                fork.ways.push((to, *weight));
            }
            return Ok(());
        }
        let ordered = dice.count > 1 && work.roll_is_ordered();
        let sorts = if ordered { None } else { work.sorts_of_faces(dice.sides) };
        let all = self.tables.rolls(dice, ordered, sorts).map_err(|n| {
            let words = format!("a roll of {}d{} has {n} different outcomes, too many to try them all", dice.count, dice.sides);
            Fault { site: work.site(), ..Fault::new(FaultKind::Limit(Bound::Candidates), words) }
        })?;
        for (rolled, weight) in all.iter() {
            fork.put(index, work);
            work.land(rolled.clone());
            let to = self.follow(work, fork)?;
            fork.ways.push((to, *weight));
        }
        Ok(())
    }

    /// The machine stands at a roll of these dice.
    pub(super) fn roll_out(&mut self, from: u32, machine: &Machine, dice: Dice) -> Result<(), Fault> {
        let mut work = Alone::new(machine.clone(), self.pack).ok_or_else(lost)?;
        let mut fork = std::mem::take(&mut self.fork);
        fork.clear();
        fork.meet(&work);
        if let Some(start) = fork.met.first_mut() {
            start.to = from;
        }
        fork.rolling.push((from, 0, dice));
        while let Some((node, index, dice)) = fork.rolling.pop() {
            self.check_size(fork.rolling.len() + fork.leaving.len() + 1)?;
            self.try_all(&mut work, &mut fork, index, dice)?;
            fork.led.push((node, fork.ways.len()));
        }
        let mut out = Vec::with_capacity(fork.leaving.len());
        if let Some((last, others)) = fork.leaving.split_last() {
            for index in others {
                fork.put(*index, &mut work);
                out.push(self.arrive(work.whole())?);
            }
            fork.put(*last, &mut work);
            out.push(self.arrive(work.into_whole())?);
        }
        for (to, _) in &mut fork.ways {
            if let Some(there) = out.get((u32::MAX - *to) as usize) {
                *to = *there;
            }
        }
        let mut start = 0;
        for (node, end) in &fork.led {
            self.graph.lead(*node, &fork.ways[start..*end]).map_err(|_| outgrown())?;
            start = *end;
        }
        self.fork = fork;
        Ok(())
    }
}
