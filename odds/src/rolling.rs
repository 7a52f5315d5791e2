//! Rolls inside one fragment: all its ways are followed to where it concerns itself with the rest of the world, with small states that say where it stands
//! and what it holds. Ways that come to the same are one from there on; only then is there a machine for each.

use crate::graph::Edge;
use crate::landed::Landed;
use crate::marks::Marks;
use crate::tables::Outcomes;
use crate::weight::Weight;
use crate::{Explorer, outgrown};
use banneret_runtime::fault::{Bound, Fault, FaultKind};
use banneret_runtime::ids::Pc;
use banneret_runtime::machine::Machine;
use banneret_runtime::machine::explore::{Alone, Came, Outcome, Packed, Packer, mark};
use banneret_runtime::value::{Dice, Value};

/// The ways of a fragment that were met so far. The lists are used again for the next fragment.
#[derive(Default)]
pub(crate) struct Fork {
    packer: Packer,
    /// Where it stands and what it holds on each way, one behind the other.
    pub(crate) held: Vec<Packed>,
    pub(crate) met: Vec<Met>,
    pub(crate) marks: Marks,
    landed: Landed,
    /// Those that come to another roll: their state, and which they are. Those that came first are looked into first: round after round of a loop, so that
    /// states mostly lead to later ones, and are in order already when they are solved.
    pub(crate) rolling: Vec<(u32, u32, Dice)>,
    /// How many of them were looked into.
    pub(crate) rolled: usize,
    pub(crate) leaving: Vec<u32>,
    pub(crate) ways: Vec<Edge>,
    /// Which state leads on, and where its ways end in the list.
    pub(crate) led: Vec<(u32, usize)>,
}

#[derive(Clone, Copy)]
pub(crate) struct Met {
    /// Where in the list of what is held.
    pub from: u32,
    pub until: u32,
    pub to: u32,
    /// Where it stands in the list of ways, if the last state that was tried leads here.
    pub way: u32,
}

impl Fork {
    /// How much there is room for.
    pub fn room(&self) -> usize {
        self.held.capacity().max(self.ways.capacity()).max(self.met.capacity()).max(self.landed.room())
    }

    pub fn clear(&mut self) {
        self.packer.clear();
        self.held.clear();
        self.met.clear();
        self.marks.clear();
        self.landed.clear();
        self.rolling.clear();
        self.rolled = 0;
        self.leaving.clear();
        self.ways.clear();
        self.led.clear();
    }

    pub fn put(&self, index: u32, work: &mut Alone<'_>) {
        work.put(&self.packer, self.held_by(index));
    }

    fn held_by(&self, index: u32) -> &[Packed] {
        self.met.get(index as usize).and_then(|met| self.held.get(met.from as usize..met.until as usize)).unwrap_or_default()
    }

    /// Ways that come to something which concerns more than the fragment.
    pub fn leaving(&self) -> &[u32] {
        &self.leaving
    }

    /// What reaches the caller where a way is over.
    pub fn outcome(&self, index: u32, work: &mut Alone<'_>) -> Outcome {
        work.outcome(&self.packer, self.held_by(index))
    }

    pub fn pc(&self, index: u32) -> Pc {
        self.held_by(index).first().map_or(0, |pc| *pc as Pc)
    }

    /// The state that a way comes to, now that it is known where the ways out come to.
    pub fn came_to(&self, index: u32, out: &[u32]) -> u32 {
        self.met.get(index as usize).map_or(0, |met| came_out(met.to, out))
    }

    /// Which way that is, by where it stands and what it holds, and whether it is new.
    fn meet(&mut self, work: &mut Alone<'_>) -> (u32, bool) {
        let from = self.held.len();
        work.pack(&mut self.packer, &mut self.held);
        self.meet_held(from)
    }

    /// The same of what it holds from there on.
    #[inline(always)]
    fn meet_held(&mut self, from: usize) -> (u32, bool) {
        let (known, new) = self.held.split_at(from);
        let met = &self.met;
        let same = |i: u32| met.get(i as usize).is_some_and(|met| known.get(met.from as usize..met.until as usize) == Some(new));
        match self.marks.find(mark(new), same) {
            Ok(known) => {
                self.held.truncate(from);
                (known, false)
            }
            Err(index) => {
                self.met.push(Met { from: from as u32, until: self.held.len() as u32, to: 0, way: u32::MAX });
                (index, true)
            }
        }
    }

    /// From the state whose ways start there it comes to this one with that chance.
    #[inline(always)]
    fn lead(&mut self, start: usize, index: u32, chance: Weight) -> Result<(), Fault> {
        let Some(met) = self.met.get_mut(index as usize) else { return Ok(()) };
        match self.ways.get_mut(met.way as usize) {
            Some((_, sum)) if met.way as usize >= start => *sum = sum.plus(chance).map_err(|_| outgrown())?,
            _ => {
                met.way = self.ways.len() as u32;
                self.ways.push((met.to, chance));
            }
        }
        Ok(())
    }
}

pub(crate) fn lost() -> Fault {
    Fault::new(FaultKind::BadPack, "a roll that belongs to no fragment")
}

impl<'p> Explorer<'p> {
    /// Goes on from a roll that has landed; which way that is.
    fn follow(&mut self, work: &mut Alone<'p>, fork: &mut Fork) -> Result<u32, Fault> {
        let came = work.run()?;
        Ok(self.come(work, fork, came))
    }

    /// Which way that is, by where it came to. Ways out are counted down from the top until it is known what they come to.
    pub(crate) fn come(&mut self, work: &mut Alone<'p>, fork: &mut Fork, came: Came) -> u32 {
        let met = fork.meet(work);
        self.come_to(fork, met, came)
    }

    #[inline(always)]
    fn come_to(&mut self, fork: &mut Fork, met: (u32, bool), came: Came) -> u32 {
        let (index, new) = met;
        if !new {
            return index;
        }
        let to = match came {
            Came::Roll(dice) => {
                let node = self.room.graph.add();
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
        index
    }

    /// Every way the dice may fall that makes a difference.
    fn outcomes(&mut self, work: &Alone<'p>, dice: Dice, ordered: bool) -> Result<Outcomes, Fault> {
        let mut compared = std::mem::take(&mut self.room.tables.asked);
        (compared.place, compared.dice) = (work.place(), dice);
        compared.with.clear();
        let lately = !ordered && work.compared_with(&mut compared.with);
        if lately && let Some(known) = self.room.tables.lately(&compared) {
            self.room.tables.asked = compared;
            return Ok(known);
        }
        let sorts = if ordered { None } else { work.sorts_of_faces(dice.sides) };
        let found = self.room.tables.rolls(dice, ordered, sorts).map_err(|n| {
            let words = format!("a roll of {}d{} has {n} different outcomes, too many to try them all", dice.count, dice.sides);
            Fault { site: work.site(), ..Fault::new(FaultKind::Limit(Bound::Candidates), words) }
        })?;
        if lately {
            self.room.tables.keep_lately(compared, &found);
        }
        Ok(found)
    }

    /// Each of them is tried from here.
    fn try_all(&mut self, work: &mut Alone<'p>, fork: &mut Fork, index: u32, dice: Dice) -> Result<(), Fault> {
        let start = fork.ways.len();
        fork.put(index, work);
        if let Some(filtered) = work.filtered(dice)
            && let Some(all) = self.room.tables.counts(dice, filtered.hits)
        {
            return self.try_each(work, fork, index, &all, |work, hits| work.land_filtered(filtered, hits));
        }
        if (dice.count, dice.plus) == (1, 0)
            && let Some([one, other]) = work.two_sorts(dice.sides)
        {
            let common = crate::weight::gcd(one.1.into(), dice.sides.into()).max(1) as u32;
            let each = |(face, many): (i64, u32)| (Value::Int(face), Weight::new((many / common).into(), (dice.sides / common).into()));
            let both = [each(one), each(other)];
            let all = if other.1 == 0 { &both[..1] } else { &both };
            return self.try_each(work, fork, index, all, |work, face| work.land(face.clone()));
        }
        let ordered = dice.count > 1 && work.roll_is_ordered();
        let all = self.outcomes(work, dice, ordered)?;
        let mut adds = if ordered { None } else { work.adds(dice, |work| fork.put(index, work)) };
        for (i, (rolled, weight)) in all.iter().enumerate() {
            if i > 0 {
                fork.put(index, work);
            }
            if !adds.as_mut().is_some_and(|adds| work.land_summed(adds, rolled)) {
                work.land(rolled.clone());
            }
            let way = self.follow(work, fork)?;
            fork.lead(start, way, *weight)?;
        }
        Ok(())
    }

    /// Of the roll nothing matters but which of these it is.
    fn try_each(
        &mut self,
        work: &mut Alone<'p>,
        fork: &mut Fork,
        index: u32,
        all: &[(Value, Weight)],
        land: impl Fn(&mut Alone<'p>, &Value),
    ) -> Result<(), Fault> {
        let start = fork.ways.len();
        let met = fork.met.get(index as usize).and_then(|met| fork.held.get(met.from as usize..met.until as usize)).unwrap_or_default();
        let merges = fork.landed.stand(|words| work.outlives_roll(met, words));
        // The first time it still stands there.
        let mut stands = true;
        for (hits, weight) in all {
            let known = if merges { fork.landed.find(fork.packer.pack(hits)) } else { None };
            let way = match known {
                Some(way) => way,
                None => {
                    if !stands {
                        fork.put(index, work);
                    }
                    stands = false;
                    land(work, hits);
                    let way = self.follow(work, fork)?;
                    if merges {
                        fork.landed.settle(way);
                    }
                    way
                }
            };
            fork.lead(start, way, *weight)?;
        }
        Ok(())
    }

    /// The machine stands at a roll of these dice.
    pub(crate) fn roll_out(&mut self, from: u32, machine: Box<Machine>, dice: Dice) -> Result<(), Fault> {
        let mut work = Alone::new(machine, self.pack, &mut self.room.handed).ok_or_else(lost)?;
        let mut fork = self.fresh_fork();
        fork.meet(&mut work);
        if let Some(start) = fork.met.first_mut() {
            start.to = from;
        }
        fork.rolling.push((from, 0, dice));
        self.roll_all(&mut work, &mut fork)?;
        let mut out = self.leave(work, &fork)?;
        out.push(from);
        self.lead_on(fork, out)
    }

    pub(crate) fn fresh_fork(&mut self) -> Box<Fork> {
        let mut fork = self.room.forks.pop().unwrap_or_default();
        fork.clear();
        fork
    }

    /// Until no way of the fragment waits for a roll.
    pub(crate) fn roll_all(&mut self, work: &mut Alone<'p>, fork: &mut Fork) -> Result<(), Fault> {
        loop {
            let Some((node, index, dice)) = fork.rolling.get(fork.rolled).copied() else { return Ok(()) };
            self.check_size(fork.rolling.len() - fork.rolled + fork.leaving.len())?;
            fork.rolled += 1;
            self.try_all(work, fork, index, dice)?;
            fork.led.push((node, fork.ways.len()));
        }
    }

    /// It has turned out where its ways come out, and the states of the fragment lead there.
    pub(crate) fn lead_on(&mut self, mut fork: Box<Fork>, mut out: Vec<u32>) -> Result<(), Fault> {
        let (mut start, mut turns_back) = (0, false);
        for (node, end) in &fork.led {
            for (to, _) in fork.ways.get_mut(start..*end).unwrap_or_default() {
                *to = came_out(*to, &out);
                turns_back |= *to <= *node;
            }
            start = *end;
        }
        self.room.graph.turns_back |= turns_back;
        // Ways that differ inside the fragment may come to the same outside of it.
        out.sort_unstable();
        if out.windows(2).all(|two| two[0] != two[1]) {
            let Fork { led, ways, .. } = &mut *fork;
            self.room.graph.lead_apart(led, ways);
        } else {
            start = 0;
            for (node, end) in &fork.led {
                self.room.graph.lead(*node, fork.ways.get(start..*end).unwrap_or_default()).map_err(|_| outgrown())?;
                start = *end;
            }
        }
        self.room.forks.push(fork);
        Ok(())
    }
}

/// Where it leads, now that it is known where the ways out come to.
fn came_out(to: u32, out: &[u32]) -> u32 {
    out.get((u32::MAX - to) as usize).copied().unwrap_or(to)
}
