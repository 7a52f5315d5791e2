//! A game as the list of its answers.

use serde::{Deserialize, Serialize};

use crate::loaded::Loaded;
use crate::machine::{Machine, Step};
use crate::question::{Answer, BadAnswer};

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recording {
    pub answers: Vec<Answer>,
}

impl Recording {
    /// Answers the machine and keeps the answer. A refused one is not kept.
    pub fn answer(&mut self, machine: &mut Machine, pack: &Loaded, answer: Answer) -> Result<(), BadAnswer> {
        machine.answer(pack, answer.clone())?;
        self.answers.push(answer);
        Ok(())
    }
}

/// Why a recording does not belong to this game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strayed {
    /// Which answer, from 0.
    pub at: usize,
    pub words: String,
}

/// Plays a recording from a machine that is set up as the recorded one was. Gives what comes after its last answer.
pub fn replay(machine: &mut Machine, pack: &Loaded, recording: &Recording) -> Result<Step, Strayed> {
    for (at, answer) in recording.answers.iter().enumerate() {
        match machine.run(pack) {
            Step::Asked(_) => {}
            Step::Done(_) => {
                return Err(Strayed { at, words: "the game is over, but the recording goes on".to_owned() });
            }
            Step::Fault(fault) => {
                return Err(Strayed { at, words: fault.words });
            }
        }
        if let Err(bad) = machine.answer(pack, answer.clone()) {
            return Err(Strayed { at, words: bad.0 });
        }
    }
    Ok(machine.run(pack))
}
