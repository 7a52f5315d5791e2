//! Players without a person: one that does anything, one that looks a little ahead. Neither knows the game.

mod greedy;
mod random;
mod standing;

pub use greedy::{Foresight, greedy_answer};
pub use random::{play_at_random, random_answer};
