//! The machine: runs fragments until it must ask, is done, or cannot go on. All of it is plain data, so that a host may copy it, compare it,
//! try something on the copy and throw it away.

mod acts;
mod answers;
mod batch;
mod calls;
mod choose;
mod durations;
mod emit;
pub mod explore;
mod filtered;
mod frame;
mod goals;
mod grants;
mod handed;
mod heads;
mod in_place;
mod local;
mod menus;
mod normal;
mod notes;
mod packed;
mod probe;
mod return_to_caller;
mod run;
mod setup;
mod slots;
mod sorts;
mod spare;
mod summed;
mod triggers;
mod validate;

use std::hash::{Hash, Hasher};

use serde::{Deserialize, Serialize};

pub(crate) use frame::InForce;
pub use frame::{Batch, EventInstance, Frame, Task};
pub(crate) use handed::Handed;
pub use notes::{Note, Noted};
pub use setup::SetupError;

use crate::eval::Derived;
use crate::fault::Fault;
use crate::ids::*;
use crate::limits::Limits;
use crate::loaded::Loaded;
use crate::pack::Notation;
use crate::question::Question;
use crate::script::Script;
use crate::value::Value;
use crate::world::World;
use answers::Pending;
use probe::Probing;
use spare::Spare;

/// What a run came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Answer with `Machine::answer`, then run again.
    Asked(Question),
    /// The result of what was run.
    Done(Value),
    Fault(Fault),
}

/// A `need` of a limit that is not met.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Blamed {
    pub site: SiteId,
    pub blame: Value,
    /// The two sides of a comparison; both None if nothing is compared.
    pub sides: (Value, Value),
    pub words: Value,
    pub shows: Notation,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    pub world: World,
    pub script: Script,
    pub limits: Limits,
    /// Values of `Measure`, in order.
    pub measured: Vec<(SiteId, Value)>,
    /// Failures of limits.
    pub blamed: Vec<Blamed>,
    /// A game ends at once when somebody has won; a test goes on with its next statement, to look at it.
    pub stop_when_won: bool,
    /// How many events were running when the game was decided, until a test has gone on with its next statement.
    decided: Option<u32>,
    stack: Vec<Task>,
    events: Vec<EventInstance>,
    registers: Vec<Value>,
    pending: Option<Pending>,
    result: Value,
    /// State checks are running: events inside them leave the checking to them.
    checking: bool,
    /// Something was changed since this was last cleared.
    acted: bool,
    probing: Option<Probing>,
    apart: Apart,
}

/// Bookkeeping that makes no difference to the game: two machines that differ only here are equal.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Apart {
    /// What is left of the steps and events until the next answer, which brings new ones: not worth saving.
    #[serde(skip)]
    fuel: u64,
    #[serde(skip)]
    events_left: u32,
    /// Lines of what happened, if anyone wants to know.
    trace: Option<Vec<String>>,
    #[serde(skip)]
    notes: Option<Vec<Note>>,
    #[serde(skip)]
    derived: Kept,
    #[serde(skip)]
    spare: Spare,
    /// Where and why the last call was illegal.
    #[serde(skip)]
    refused: Option<(Option<SiteId>, &'static str)>,
    #[serde(skip)]
    pause: Pause,
    /// Options are not listed before somebody asks for them: see [`Machine::set_lazy_options`].
    #[serde(skip)]
    lazy_options: bool,
    /// An option that was found to be allowed since the question was asked.
    #[serde(skip)]
    found_allowed: Option<Value>,
}

/// Where a run is to pause: as soon as the stack is no higher. That is for one run of one machine; copies know nothing of it.
#[derive(Debug, Default)]
struct Pause(Option<u32>);

impl Clone for Pause {
    fn clone(&self) -> Pause {
        Pause(None)
    }
}

/// What copies of a machine that are tried one after the other tell each other.
#[derive(Debug, Default)]
pub struct Known(Derived);

/// What is known about the world, from one run to the next. Copies of a machine are short-lived: they find it out anew.
#[derive(Debug, Default)]
struct Kept(Derived);

impl Clone for Kept {
    fn clone(&self) -> Kept {
        Kept::default()
    }
}

impl PartialEq for Apart {
    fn eq(&self, _: &Apart) -> bool {
        true
    }
}

impl Eq for Apart {}

/// Only what differs between machines that came of one another; whether they are equal is settled by comparing them.
impl Hash for Machine {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.world.hash(state);
        self.stack.hash(state);
        self.registers.hash(state);
        self.measured.hash(state);
        for event in &self.events {
            event.values.hash(state);
        }
    }
}

impl Machine {
    pub fn events(&self) -> &[EventInstance] {
        &self.events
    }

    /// The question that waits for an answer.
    pub fn question(&self) -> Option<&Question> {
        self.pending.as_ref().map(|p| &p.question)
    }

    /// Could it have been saved by a machine with this pack? Err: what it speaks of that cannot be.
    pub(crate) fn validate(&self, pack: &Loaded) -> Result<(), &'static str> {
        validate::check(self, pack)
    }

    /// From now on, keep a line for each event.
    pub fn keep_trace(&mut self) {
        self.apart.trace = Some(Vec::new());
    }

    pub fn trace(&self) -> &[String] {
        self.apart.trace.as_deref().unwrap_or(&[])
    }

    pub fn drop_trace(&mut self) {
        self.apart.trace = None;
    }

    /// Tells another machine that came of the same one what this one has found out.
    pub fn hand_on(&mut self, known: &mut Known) {
        known.0 = std::mem::take(&mut self.apart.derived.0).handed_on();
    }

    /// Is told what another machine has found out.
    pub fn learn(&mut self, known: &mut Known) {
        self.apart.derived.0 = std::mem::take(&mut known.0);
    }

    /// With all the steps there are between two answers.
    pub(crate) fn rested(mut self) -> Machine {
        self.refuel();
        self
    }

    /// Work since the last answer.
    pub(crate) fn spent(&self) -> u64 {
        self.limits.steps.saturating_sub(self.apart.fuel)
    }

    fn refuel(&mut self) {
        self.apart.fuel = self.limits.steps;
        self.apart.events_left = self.limits.events;
    }
}
