//! What a host needs that looks at every way a game may go on, and nothing else does: this is all that exact odds know of the machine beside its
//! ordinary interface.
//!
//! * **Copy, compare, hash**: a [`Machine`](super::Machine) is plain data. `Clone`, `Eq` and `Hash` take it as a whole; bookkeeping that makes no difference to the
//!   game is left out.
//! * **What still matters**: [`Machine::forget_dead`](super::Machine::forget_dead) clears whatever is not read again, so that machines with the same future are equal.
//! * **Running on**: [`Machine::run_on`](super::Machine::run_on) goes to the next question, [`Machine::run_event`](super::Machine::run_event) no further than the end of the
//!   innermost event.
//! * **Handing on**: what one copy found out about the world, and its room, serves the next: [`Handed`].
//! * **Small states**: as long as one fragment only rolls, looks and changes its own event, two ways differ in a few words. [`Alone`] is a machine of which
//!   only that fragment is at work; a [`Packer`] keeps what it holds as plain numbers, [`mark`] hashes them, [`Came`] says where it came to. When a fragment is
//!   over, its [`Outcome`] reaches its caller by a [`WayUp`].
//! * **Which dice matter**: [`Sorts`] of faces that nothing tells apart; [`Filtered`] and [`Adds`] for handfuls that are only counted or added up.

pub use super::answers::rolled;
pub use super::filtered::Filtered;
pub use super::handed::Handed;
pub use super::local::{Alone, Came};
pub use super::packed::{Packed, Packer, mark};
pub use super::return_to_caller::{Outcome, WayUp};
pub use super::run::Ran;
pub use super::sorts::Sorts;
pub use super::summed::Adds;
