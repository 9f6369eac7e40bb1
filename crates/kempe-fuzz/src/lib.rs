//! Random programs for `kempe-equation`, and what must hold of every one of them.
//!
//! Whatever text comes in, reading it gives a program or errors, never a panic, soon and in little
//! memory; and a program gives finite numbers or a typed error at any state. [`run`] asks this of
//! one text. It is the entry point of the run on stable Rust (`examples/fuzz.rs`), of the bounded
//! run in the tests, and of libFuzzer (`/fuzz`).
//!
//! The texts are well-typed programs ([`generate`]), programs with mistakes ([`mutate`]), and
//! bytes in the alphabet of the language. Each is a function of one number, so that a failure is
//! found again from what the runner prints.
//!
//! ```
//! let source = kempe_fuzz::generate::program(7);
//! assert_eq!(kempe_fuzz::run(source.as_bytes()), kempe_fuzz::Outcome::Parsed);
//! assert_eq!(kempe_fuzz::run(b"constraint"), kempe_fuzz::Outcome::Rejected);
//! ```

pub mod entry;
pub mod generate;
pub mod mutate;
mod random;
pub mod runner;
pub mod watch;

pub use entry::{Outcome, run};
pub use random::Random;
