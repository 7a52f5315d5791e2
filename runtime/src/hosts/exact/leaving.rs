//! Where the ways of a fragment come out: in its caller, where they go on as small states; at the end of all; or in the rest of the world, with a machine
//! for each.

use super::Explorer;
use super::rolling::{Fork, lost};
use crate::fault::Fault;
use crate::machine::{Alone, Came, Packer, WayUp};

/// What a way out came to in the caller.
enum To {
    End(u32),
    Way(u32),
}

impl<'p> Explorer<'p> {
    /// The state that each way out comes to.
    pub(super) fn leave(&mut self, mut work: Alone<'p>, fork: &Fork) -> Result<Vec<u32>, Fault> {
        let way = work.way_up();
        // Those that are over go up together, after the others; by their place among all ways out.
        let each = fork.leaving().iter().copied().enumerate();
        let (over, others): (Vec<(usize, u32)>, Vec<(usize, u32)>) =
            each.partition(|(_, index)| way.is_some() && work.is_over_at(fork.pc(*index)));
        let mut out = vec![0; fork.leaving().len()];
        work.swap_handed(&mut self.room.handed);
        let (Some(way), false) = (way, over.is_empty()) else {
            self.leave_for_good(work, fork, &mut out)?;
            return Ok(out);
        };
        for (i, index) in others {
            fork.put(index, &mut work);
            out[i] = self.arrive(work.whole())?;
        }
        if way == WayUp::End {
            for (i, index) in over {
                fork.put(index, &mut work);
                out[i] = self.end_of(&work);
            }
            work.put_away(&mut self.room.handed);
            return Ok(out);
        }
        work.swap_handed(&mut self.room.handed);
        let outcomes: Vec<_> = over
            .iter()
            .map(|(_, index)| {
                fork.put(*index, &mut work);
                work.outcome()
            })
            .collect();
        if !work.climb() {
            return Err(lost());
        }
        let mut above = self.fresh_fork();
        let ends = work.way_up() == Some(WayUp::End);
        let (mut packer, mut held) = (Packer::default(), Vec::new());
        work.pack(&mut packer, &mut held);
        let mut came = Vec::with_capacity(outcomes.len());
        for outcome in outcomes {
            work.put(&packer, &held);
            work.take_outcome(way, outcome);
            let stop = work.run()?;
            // What ends here needs no state.
            came.push(match stop {
                Came::Away if ends && work.is_over_at(work.pc()) => To::End(self.end_of(&work)),
                stop => To::Way(self.come(&mut work, &mut above, stop)),
            });
        }
        self.roll_all(&mut work, &mut above)?;
        let beyond = self.leave(work, &above)?;
        for ((i, _), to) in over.into_iter().zip(came) {
            out[i] = match to {
                To::End(node) => node,
                To::Way(index) => above.came_to(index, &beyond),
            };
        }
        self.lead_on(above, beyond)?;
        Ok(out)
    }

    /// All ways out concern more than the fragment.
    fn leave_for_good(&mut self, mut work: Alone<'p>, fork: &Fork, out: &mut [u32]) -> Result<(), Fault> {
        let (Some((last, others)), Some((to_last, to_others))) = (fork.leaving().split_last(), out.split_last_mut()) else {
            work.put_away(&mut self.room.handed);
            return Ok(());
        };
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
