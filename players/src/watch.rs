//! What looks absurd in a game: moves that go nowhere, and rounds in which everybody only passes.

use banneret_runtime::ids::ObjId;
use banneret_runtime::loaded::Loaded;
use banneret_runtime::machine::{Machine, Note, Noted};
use banneret_runtime::question::{Answer, Ask, Question};
use banneret_runtime::value::{Place, Value};

use crate::passes::Passes;

#[derive(Clone, Debug, Default)]
pub struct Watch {
    /// Answers that named a place, and those of them after which nobody stood elsewhere.
    pub moves: u64,
    pub nowhere: u64,
    /// Rounds in which somebody had a choice, and those in which all of them passed every time. A round is a phase of the phase that plays the game.
    pub rounds: u64,
    pub idle: u64,
    decisions: u64,
    passes: u64,
    pending: Option<Vec<(ObjId, Place)>>,
}

impl Watch {
    /// Before an answer is given.
    pub fn answering(&mut self, machine: &Machine, passes: &Passes, question: &Question, answer: &Answer) {
        let has_choice = match &question.ask {
            Ask::Choice { options, .. } => options.len() > 1,
            Ask::Menu { labels } => labels.len() > 1,
            Ask::YesNo => true,
            _ => false,
        };
        if has_choice {
            self.decisions += 1;
            self.passes += u64::from(passes.is_pass(question, answer));
        }
        if let Some(place) = chosen_place(question, answer) {
            let before = places(machine);
            self.moves += 1;
            let own = |id: &ObjId| machine.world.get(*id).is_some_and(|object| object.controller == question.who);
            // Only where somebody of one's own stands already can a move lead nowhere.
            self.pending = before.iter().any(|(id, at)| *at == place && own(id)).then_some(before);
        }
    }

    /// When the machine asks the next question, or is done.
    pub fn came(&mut self, machine: &Machine, notes: &[Note], pack: &Loaded) {
        if let Some(before) = self.pending.take() {
            self.nowhere += u64::from(before == places(machine));
        }
        for note in notes {
            if let Noted::Event { action, .. } = &note.what
                && note.level == 1
                && pack.actions.get(action.index()).is_some_and(|action| action.is_phase)
            {
                self.close_round();
            }
        }
    }

    /// The game is over.
    pub fn close_round(&mut self) {
        if self.decisions > 0 {
            self.rounds += 1;
            self.idle += u64::from(self.passes == self.decisions);
        }
        (self.decisions, self.passes) = (0, 0);
    }

    pub fn add(&mut self, other: &Watch) {
        self.moves += other.moves;
        self.nowhere += other.nowhere;
        self.rounds += other.rounds;
        self.idle += other.idle;
    }
}

fn places(machine: &Machine) -> Vec<(ObjId, Place)> {
    machine.world.in_play().filter_map(|(id, object)| Some((id, object.place?))).collect()
}

fn chosen_place(question: &Question, answer: &Answer) -> Option<Place> {
    let place = |value: &Value| match value {
        Value::Place(place) => Some(*place),
        _ => None,
    };
    match (&question.ask, answer) {
        (Ask::Choice { .. }, Answer::Value(value)) => place(value),
        (Ask::Choice { options, .. }, Answer::Picks(picks)) => place(options.get(*picks.first()? as usize)?),
        _ => None,
    }
}
