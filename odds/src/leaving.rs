//! Where the ways of a fragment come out: in its caller, where they go on as small states; at the end of all; or in the rest of the world, with a machine
//! for each.

use crate::Explorer;
use crate::rolling::{Fork, lost};
use banneret_runtime::fault::Fault;
use banneret_runtime::machine::explore::{Alone, Came, Outcome, Packer, WayUp};

impl<'p> Explorer<'p> {
    /// The state that each way out comes to.
    pub(crate) fn leave(&mut self, mut work: Alone<'p>, fork: &Fork) -> Result<Vec<u32>, Fault> {
        let mut out = vec![0; fork.leaving().len()];
        if out.is_empty() {
            work.swap_handed(&mut self.room.handed);
            work.retire(&mut self.room.handed);
            return Ok(out);
        }
        let way = work.way_up();
        let over = |work: &Alone<'p>, index: u32| work.is_over_at(fork.pc(index));
        work.swap_handed(&mut self.room.handed);
        let Some(way) = way.filter(|_| fork.leaving().iter().any(|index| over(&work, *index))) else {
            self.leave_for_good(work, fork, &mut out)?;
            return Ok(out);
        };
        // Those that are over go up together, after the others.
        for (index, to) in fork.leaving().iter().zip(&mut out) {
            if !over(&work, *index) {
                fork.put(*index, &mut work);
                *to = self.arrive(work.whole())?;
            }
        }
        if way == WayUp::End {
            for (index, to) in fork.leaving().iter().zip(&mut out) {
                if over(&work, *index) {
                    fork.put(*index, &mut work);
                    *to = self.end_of(&work);
                }
            }
            work.retire(&mut self.room.handed);
            return Ok(out);
        }
        work.swap_handed(&mut self.room.handed);
        let mut outcomes = Vec::with_capacity(out.len());
        for (i, index) in fork.leaving().iter().enumerate() {
            if over(&work, *index) {
                outcomes.push((i, fork.outcome(*index, &mut work)));
            }
        }
        self.go_on_above(work, way, outcomes, &mut out)?;
        Ok(out)
    }

    /// Each of the outcomes goes on in the caller; the state it comes to is noted at its place.
    fn go_on_above(&mut self, mut work: Alone<'p>, way: WayUp, outcomes: Vec<(usize, Outcome)>, out: &mut [u32]) -> Result<(), Fault> {
        if !work.return_to_caller(&mut self.room.handed) {
            return Err(lost());
        }
        let ends = work.way_up() == Some(WayUp::End);
        // Most questions are asked of a result, and that is all.
        if ends && let Some(sites) = work.only_measures(way, outcomes.iter().map(|(_, outcome)| outcome)) {
            for (i, outcome) in outcomes {
                work.measure(outcome, &sites);
                out[i] = self.end_of(&work);
                work.forget_measured();
            }
            work.swap_handed(&mut self.room.handed);
            work.retire(&mut self.room.handed);
            return Ok(());
        }
        let mut above = self.fresh_fork();
        let mut held = std::mem::take(&mut self.room.held);
        held.clear();
        let mut packer = Packer::default();
        work.pack(&mut packer, &mut held);
        let mut ways = Vec::new();
        let mut stands = true;
        for (i, outcome) in outcomes {
            if !stands {
                work.put(&packer, &held);
            }
            stands = false;
            work.take_outcome(way, outcome);
            match work.run()? {
                // What ends here needs no state.
                Came::Away if ends && work.is_over_at(work.pc()) => out[i] = self.end_of(&work),
                came => ways.push((i, self.come(&mut work, &mut above, came))),
            }
        }
        self.room.held = held;
        self.roll_all(&mut work, &mut above)?;
        let beyond = self.leave(work, &above)?;
        for (i, index) in ways {
            out[i] = above.came_to(index, &beyond);
        }
        self.lead_on(above, beyond)
    }

    /// All ways out concern more than the fragment.
    fn leave_for_good(&mut self, mut work: Alone<'p>, fork: &Fork, out: &mut [u32]) -> Result<(), Fault> {
        let (Some((last, others)), Some((to_last, to_others))) = (fork.leaving().split_last(), out.split_last_mut()) else { return Ok(()) };
        for (index, to) in others.iter().zip(to_others) {
            fork.put(*index, &mut work);
            *to = self.arrive(work.whole())?;
        }
        fork.put(*last, &mut work);
        work.put_away(&mut self.room.handed);
        *to_last = self.arrive(work.into_whole())?;
        Ok(())
    }

    /// The end of all, where it stands.
    fn end_of(&mut self, work: &Alone<'p>) -> u32 {
        let (node, new) = self.end(work.all_measured(), work.script());
        // What was laid out is looked at when all ways are known.
        if new && !work.script().is_empty() {
            self.last_end = Some(work.whole());
        }
        node
    }
}
