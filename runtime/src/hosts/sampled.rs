//! One way things may go: chance from a seed, choices from the script. For what is too large for exact odds.

use super::exact::as_number;
use super::scripted::{self, Said};
use super::seeded::Generator;
use crate::fault::{Fault, FaultKind};
use crate::ids::SiteId;
use crate::loaded::Loaded;
use crate::machine::{Machine, Step};
use crate::value::Value;

/// Runs a started machine to its end and gives what was measured.
pub fn sample(machine: &Machine, pack: &Loaded, generator: &mut Generator) -> Result<Vec<(SiteId, Value)>, Fault> {
    let mut machine = machine.clone();
    machine.drop_trace();
    machine.drop_notes();
    loop {
        let question = match machine.run_seeded(pack, generator) {
            Step::Asked(question) => question,
            Step::Fault(fault) => return Err(fault),
            Step::Done(_) => return Ok(machine.measured.into_iter().map(|(site, value)| (site, as_number(value))).collect()),
        };
        let answer = match generator.answer(&question) {
            Some(answer) => answer,
            None => match scripted::say(&mut machine, pack, &question) {
                Said::Answer(answer) => answer,
                Said::Nothing => return Err(scripted::missing(&question)),
                Said::Wrong(fault) => return Err(fault),
            },
        };
        if let Err(bad) = machine.answer(pack, answer) {
            let words = format!("the answer to {} is refused: {bad}", question.describe());
            return Err(Fault { site: question.site, ..Fault::new(FaultKind::Script, words) });
        }
    }
}
