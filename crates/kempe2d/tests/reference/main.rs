//! The reference solver against closed forms and published solutions.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

mod adaptive;
mod events;
mod orders;
mod own;
mod random;
mod redundant;
mod yields;
