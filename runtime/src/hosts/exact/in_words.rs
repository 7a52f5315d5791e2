//! Single dice of which nothing matters but how one comparison turns out, with nothing but numbers and conditions up to where they lead: no value is unpacked.
//! These are most of what small questions are made of, so all of it stands in one loop.

use super::rolling::{Fork, Met};
use super::weight::Weight;
use super::{Explorer, outgrown};
use crate::fault::Fault;
use crate::machine::Alone;
use crate::value::Dice;

impl<'p> Explorer<'p> {
    /// As long as such dice are next. Where words do not lead, the die is left to those who know values, and so is the rest of the fragment.
    #[inline(never)]
    pub(super) fn try_words(&mut self, work: &mut Alone<'p>, fork: &mut Fork) -> Result<(), Fault> {
        let (steps, most_states, graph) = (work.steps_at_most(), self.most_states, &mut self.room.graph);
        let Fork { held, met, marks, words, rolling, rolled, leaving, ways, led, .. } = fork;
        let Some(wording) = work.in_words(words) else {
            words.off = true;
            return Ok(());
        };
        while let Some((node, index, Dice { count: 1, sides, plus: 0 })) = rolling.get(*rolled).copied()
            && let Some(Met { from, until, .. }) = met.get(index as usize).copied()
            && let Some(roll) = held.get(from as usize).and_then(|pc| wording.roll_at(*pc))
            && graph.len() <= most_states
        {
            let start = ways.len();
            let place = from as usize + 1..until as usize;
            if !roll.put(&mut words.all, held.get(place.clone()).unwrap_or_default()) {
                break;
            }
            let asked;
            let sorts = match roll.usual(sides) {
                Some(usual) => usual,
                None => match roll.sorts(&words.all, sides) {
                    Some(sorts) => {
                        asked = sorts;
                        &asked
                    }
                    None => break,
                },
            };
            let mut first = None;
            for landing in &sorts.each {
                if landing.parts == 0 {
                    continue;
                }
                if first.is_some() {
                    roll.put(&mut words.all, held.get(place.clone()).unwrap_or_default());
                }
                landing.put(&mut words.all);
                let stop = wording.run(&mut words.all, landing.pc, steps, landing.spent);
                let Some((stop, mark)) = stop.and_then(|stop| Some((stop, stop.mark(&mut words.all)?))) else {
                    // Nothing was tried: the other way of the same die is forgotten, and found again.
                    ways.truncate(start);
                    if let Some(met) = first.and_then(|way: u32| met.get_mut(way as usize)) {
                        met.way = u32::MAX;
                    }
                    words.off = true;
                    return Ok(());
                };
                let chance = Weight::new(landing.parts.into(), sorts.whole.into());
                let at = |i: u32| met.get(i as usize).and_then(|met| held.get(met.from as usize..met.until as usize));
                match marks.find(mark, |i| at(i).is_some_and(|known| stop.is_at(&words.all, known))) {
                    Ok(way) => {
                        let Some(met) = met.get_mut(way as usize) else { continue };
                        // Only one other way of this die can lead there too.
                        if first == Some(way)
                            && let Some((_, sum)) = ways.last_mut()
                        {
                            *sum = sum.plus(chance).map_err(|_| outgrown())?;
                        } else {
                            met.way = ways.len() as u32;
                            ways.push((met.to, chance));
                        }
                        first = Some(way);
                    }
                    Err(way) => {
                        let to = match stop.die {
                            Some((dice, ..)) => {
                                let node = graph.add();
                                rolling.push((node, way, dice));
                                node
                            }
                            None => {
                                leaving.push(way);
                                u32::MAX - (leaving.len() as u32 - 1)
                            }
                        };
                        let from = held.len() as u32;
                        stop.hold(&words.all, held);
                        met.push(Met { from, until: held.len() as u32, to, way: ways.len() as u32 });
                        ways.push((to, chance));
                        first = Some(way);
                    }
                }
            }
            *rolled += 1;
            led.push((node, ways.len()));
        }
        Ok(())
    }
}
