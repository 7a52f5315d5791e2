//! The machine that runs Banneret packs.
//!
//! It stands alone: a game, a table app or a server can embed it with a pack and nothing else of ours. It never rolls, never chooses, never
//! looks at the table: it asks, and a host answers. Deliberately absent: source text, names that need resolving, input and output.

pub mod bytecode;
pub mod ids;
mod nesting;
pub mod pack;
pub mod pack_form;
pub mod value;

pub mod fault;
mod flow;
pub mod limits;
pub mod loaded;
mod operands;
mod stable;
mod code;
pub mod verify;

mod circles;
pub mod describe;
mod eval;
mod generator;
pub mod machine;
mod num;
pub mod question;
pub mod script;
pub mod table;
pub mod world;

pub mod hosts;
mod save;
pub mod testing;
