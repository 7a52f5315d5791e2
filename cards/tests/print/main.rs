//! What is printed, and what is refused.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod agreement;
mod faces;
mod golden;
mod hostile;
mod paper;
mod support;
mod violations;
