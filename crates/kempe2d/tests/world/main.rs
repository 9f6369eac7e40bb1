//! Calls on a world, its snapshots and its drawings: one program, so that it is linked once.

mod arguments;
mod drawing;
mod drawing_general;
mod regressions;
mod same_motion;
mod seen;
mod snapshots;
mod tiles;
