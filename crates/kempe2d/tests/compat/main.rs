//! Constructors of other engines, against the equations of those engines.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

mod box2d;
mod chipmunk;
mod chipmunk_motion;
mod nape;
mod nape_options;
mod one_step;
mod rapier;
mod stage;
mod tables;
