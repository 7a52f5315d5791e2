//! Chance from a seed, everything else from somebody else.

pub use crate::generator::Generator;
use crate::loaded::Loaded;
use crate::machine::{Machine, Step};

/// Runs on, answering chance from the generator, until something else is asked or all is done.
pub fn run_seeded(machine: &mut Machine, pack: &Loaded, generator: &mut Generator) -> Step {
    loop {
        let step = machine.run_seeded(pack, generator);
        let Step::Asked(question) = &step else {
            return step;
        };
        match generator.answer(question) {
            Some(answer) => {
                if machine.answer(pack, answer).is_err() {
                    return step;
                }
            }
            None => return step,
        }
    }
}
