//! Ways things may go, one at a time: chance from a seed, choices from the script. For what is too large for exact odds.

use super::scripted::{self, Said};
use super::seeded::Generator;
use crate::fault::{Fault, FaultKind};
use crate::ids::SiteId;
use crate::loaded::Loaded;
use crate::machine::{Handed, Machine, Step};
use crate::value::Value;

/// Goes one way after the other from the same start. What one found out about the world is handed on to the next.
pub struct Sampler<'p> {
    start: Machine,
    pack: &'p Loaded,
    handed: Handed,
}

impl<'p> Sampler<'p> {
    /// Of a machine that is started.
    pub fn new(machine: &Machine, pack: &'p Loaded) -> Sampler<'p> {
        let mut start = machine.clone();
        start.drop_trace();
        start.drop_notes();
        Sampler { start, pack, handed: Handed::default() }
    }

    /// Runs to the end and gives what was measured.
    pub fn sample(&mut self, generator: &mut Generator) -> Result<Vec<(SiteId, Value)>, Fault> {
        let mut machine = self.start.clone();
        machine.swap_handed(&mut self.handed);
        let ended = to_the_end(&mut machine, self.pack, generator);
        machine.swap_handed(&mut self.handed);
        ended?;
        Ok(machine.measured.into_iter().map(|(site, value)| (site, value.counted())).collect())
    }
}

fn to_the_end(machine: &mut Machine, pack: &Loaded, generator: &mut Generator) -> Result<(), Fault> {
    loop {
        let question = match machine.run_seeded(pack, generator) {
            Step::Asked(question) => question,
            Step::Fault(fault) => return Err(fault),
            Step::Done(_) => return Ok(()),
        };
        let answer = match generator.answer(&question) {
            Some(answer) => answer,
            None => match scripted::say(machine, pack, &question) {
                Said::Answer(answer) => answer,
                Said::Nothing => return Err(scripted::missing(machine, pack, &question)),
                Said::Wrong(fault) => return Err(fault),
            },
        };
        if let Err(bad) = machine.answer(pack, answer) {
            let words = format!("the answer to {} is refused: {bad}", question.describe(pack, &machine.world));
            return Err(Fault { site: question.site, ..Fault::new(FaultKind::Script, words) });
        }
    }
}
