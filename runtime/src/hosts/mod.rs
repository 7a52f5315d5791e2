//! Hosts: who answers when the machine asks. They share nothing but the machine's own interface; an app can bring its own.

pub mod replay;
pub mod sampled;
pub mod scripted;
pub mod seeded;
