//! Players without a person: one that does anything, one that looks a little ahead, one that searches; and what can be said about many games of theirs.
//!
//! They know nothing of a particular game: they copy the machine, answer it, and look at how well they stand by the goals that the rules declare.

pub mod agent;
mod greedy;
mod habits;
mod options;
pub mod passes;
mod random;
pub mod search;
mod standing;
pub mod statistics;
mod tree;
mod unseen;
pub mod uses;
pub mod watch;

pub use greedy::{Foresight, greedy_answer};
pub use random::{answer_somehow, one_option, play_at_random, random_answer};
pub use standing::{WON, boldest, worth};
