//! A game in progress: the machine asks; chance, agents and people answer; every answer is kept.

use banneret_players as agents;
use banneret_players::agent::Agent as Plays;
use banneret_runtime::fault::Fault;
use banneret_runtime::hosts::seeded::Generator;
use banneret_runtime::machine::{Machine, Step};
use banneret_runtime::question::{Answer, Ask, Question};
use banneret_runtime::value::Value;
use banneret_runtime::world::Outcome;

use super::setting::Setting;
use crate::args::Agent;
use crate::trouble::Trouble;

/// A game that was answered this often and has not ended does not end.
const MOST_ANSWERS: usize = 20_000;
/// So often an agent looks for an answer that is not refused.
const ATTEMPTS: u32 = 200;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Which seat, from 0.
    Won(usize),
    Drawn,
    /// The game was played to its end, and the rules name no winner.
    Undecided,
    Fault(Fault),
    /// No end after [`MOST_ANSWERS`].
    Endless,
    /// Nobody found an answer that is allowed.
    Stuck(String),
}

impl Ended {
    /// The last line of a game.
    pub fn words(&self) -> String {
        match self {
            Ended::Won(seat) => format!("Player {} wins.", seat + 1),
            Ended::Drawn => "A draw.".to_owned(),
            Ended::Undecided => "The game is over, and the rules name no winner.".to_owned(),
            Ended::Fault(fault) => format!("The game cannot go on: {fault}."),
            Ended::Endless => format!("The game has not ended after {MOST_ANSWERS} answers."),
            Ended::Stuck(question) => {
                format!("The game cannot go on: no allowed answer was found for {question}.")
            }
        }
    }

    pub fn is_regular(&self) -> bool {
        matches!(self, Ended::Won(_) | Ended::Drawn | Ended::Undecided)
    }
}

/// Where chance and agents take their numbers from. Apart from each other: what an agent thinks does not change what the dice show.
#[derive(Clone, Debug)]
pub struct Sources {
    chance: Generator,
    minds: Vec<Generator>,
}

impl Sources {
    fn new(seed: u64, seats: usize) -> Self {
        let mut mixed = Generator::new(seed);
        Self { chance: Generator::new(mixed.next_u64()), minds: (0..seats).map(|_| Generator::new(mixed.next_u64())).collect() }
    }
}

pub struct Table<'a> {
    pub setting: &'a Setting,
    pub machine: Machine,
    pub agents: Vec<Agent>,
    pub answers: Vec<Answer>,
    pub sources: Sources,
    pub seed: u64,
}

/// What comes next.
pub enum Next {
    /// Somebody at the terminal must answer.
    Person(Question),
    /// This was asked, and this is the answer to give with [`Table::give`].
    Answered(Question, Answer),
    Ended(Ended),
}

impl<'a> Table<'a> {
    pub fn new(setting: &'a Setting, agents: Vec<Agent>, seed: u64) -> Result<Self, Trouble> {
        Ok(Self { machine: started(setting)?, setting, sources: Sources::new(seed, agents.len()), agents, answers: Vec::new(), seed })
    }

    /// Runs to the next question and finds its answer, without giving it.
    pub fn next(&mut self) -> Next {
        let question = match self.machine.run(&self.setting.pack) {
            Step::Asked(question) => question,
            Step::Done(_) => return Next::Ended(self.result()),
            Step::Fault(fault) => return Next::Ended(Ended::Fault(fault)),
        };
        if self.answers.len() >= MOST_ANSWERS {
            return Next::Ended(Ended::Endless);
        }
        if let Some(answer) = self.sources.chance.answer(&question) {
            return Next::Answered(question, answer);
        }
        let seat = self.seat(&question);
        let agent = self.agents.get(seat).copied().unwrap_or(Agent::Plays(Plays::Random));
        let question = match agent {
            // Of places there are many and nobody counts them.
            Agent::Plays(Plays::Random) if asks_for_place(&question) => question,
            _ => self.machine.listed(&self.setting.pack).cloned().unwrap_or(question),
        };
        match agent {
            Agent::Person => Next::Person(question),
            Agent::Plays(agent) => match self.think(agent, seat, &question) {
                Some(answer) => Next::Answered(question, answer),
                None => Next::Ended(Ended::Stuck(self.words_of(&question))),
            },
        }
    }

    fn seat(&self, question: &Question) -> usize {
        let players = &self.machine.world.players;
        players.iter().position(|p| *p == question.who).unwrap_or_default()
    }

    pub fn words_of(&self, question: &Question) -> String {
        question.describe(&self.setting.pack, &self.machine.world)
    }

    /// An answer the machine takes. Only where not every answer is allowed does it have to be asked.
    fn think(&mut self, agent: Plays, seat: usize, question: &Question) -> Option<Answer> {
        let pack = &self.setting.pack;
        let mind = self.sources.minds.get_mut(seat)?;
        for attempt in 0..ATTEMPTS {
            let answer = match attempt {
                0 => agent.answer(&self.machine, pack, mind, question),
                _ => agents::random_answer(&self.machine, pack, mind, question, attempt),
            };
            if !may_be_refused(question) || self.machine.allows(pack, &answer) {
                return Some(answer);
            }
        }
        // Hardly any option may be chosen: among those that may.
        let listed = self.machine.listed(pack).filter(|listed| *listed != question)?.clone();
        Some(agents::random_answer(&self.machine, pack, mind, &listed, 0))
    }

    /// Gives an answer and keeps it. Err: why it is refused.
    pub fn give(&mut self, answer: Answer) -> Result<(), String> {
        match self.machine.answer(&self.setting.pack, answer.clone()) {
            Ok(()) => {
                self.answers.push(answer);
                Ok(())
            }
            Err(bad) => Err(bad.0),
        }
    }

    fn result(&self) -> Ended {
        let players = &self.machine.world.players;
        match self.machine.world.outcome {
            Some(Outcome::Won(winner)) => match players.iter().position(|p| *p == winner) {
                Some(seat) => Ended::Won(seat),
                None => Ended::Undecided,
            },
            Some(Outcome::Drawn) => Ended::Drawn,
            None => Ended::Undecided,
        }
    }

    /// Gives the answers of a game that was put away. Chance goes on as if it had not been; who plays without a person thinks anew.
    pub fn resume(&mut self, answers: &[Answer]) -> Result<(), Trouble> {
        let changed = |why: String| {
            Trouble::new(format!("The game cannot go on where it was put away: {why}."))
                .help("Rules or cards have changed since it was saved.")
        };
        for answer in answers {
            match self.machine.run(&self.setting.pack) {
                Step::Asked(question) => {
                    self.sources.chance.answer(&question);
                }
                _ => return Err(changed("it is over already".to_owned())),
            }
            self.give(answer.clone()).map_err(changed)?;
        }
        let mut mixed = Generator::new(self.seed ^ (answers.len() as u64 + 1));
        self.sources.minds.iter_mut().for_each(|mind| *mind = Generator::new(mixed.next_u64()));
        Ok(())
    }

    /// Starts again and gives the first `count` answers once more.
    pub fn rewind(&mut self, count: usize, sources: Sources) -> Result<(), Trouble> {
        let pack = &self.setting.pack;
        let mut machine = started(self.setting)?;
        self.answers.truncate(count);
        for answer in &self.answers {
            machine.run(pack);
            if let Err(bad) = machine.answer(pack, answer.clone()) {
                return Err(Trouble::new(format!("Going back failed: {bad}.")));
            }
        }
        // What happened up to here has been told.
        machine.run(pack);
        self.machine = machine;
        self.sources = sources;
        Ok(())
    }
}

fn asks_for_place(question: &Question) -> bool {
    matches!(&question.ask, Ask::Choice { options, .. } if matches!(options.first(), Some(Value::Place(_))))
}

/// Who answers at random needs no list of all options.
fn started(setting: &Setting) -> Result<Machine, Trouble> {
    let mut machine = setting.start()?;
    machine.set_lazy_options(true);
    Ok(machine)
}

/// An agent answers with what is offered. That is refused only where sets of options must go together, or where the table is asked about.
fn may_be_refused(question: &Question) -> bool {
    matches!(question.ask, Ask::Choice { checked: true, .. } | Ask::Fact { .. })
}
