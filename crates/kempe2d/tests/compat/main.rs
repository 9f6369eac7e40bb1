//! The joints of other engines do what they do there.

mod box2d;
mod rapier;
mod stage;
