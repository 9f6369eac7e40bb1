//! Smaller worlds that still fail.

use super::class::Class;
use super::maker::Sample;
use super::run::{Outcome, run};
use super::solver::Solver;
use crate::error::Error;

/// Leaves out bodies and joints of a world as long as what is left still fails, that is, gains more than a
/// hundredth, is not finite, has no solution or gapes more than it must. A crowd stays as it is.
///
/// # Errors
/// If a world cannot be stepped.
pub fn shrink(
    class: &Class,
    sample: &Sample,
    solver: &Solver,
    seconds: f64,
) -> Result<Sample, Error> {
    let mut sample = sample.clone();
    let fails = |sample: &Sample| -> Result<bool, Error> {
        let found = run(class, sample, solver, seconds)?;
        Ok(found.iter().any(|outcome| is_bad(class, outcome)))
    };
    if sample.mechanisms.len() != 1 || !fails(&sample)? {
        return Ok(sample);
    }
    loop {
        let mut smaller = false;
        // Bodies first: their joints go with them.
        for id in sample.mechanisms[0].bodies.clone() {
            let mut less = sample.clone();
            less.world.remove_body(id)?;
            less.mechanisms[0].bodies.retain(|body| *body != id);
            let world = &less.world;
            less.mechanisms[0].joints.retain(|joint| world.joint(*joint).is_some());
            if !less.mechanisms[0].bodies.is_empty() && fails(&less)? {
                (sample, smaller) = (less, true);
            }
        }
        for id in sample.mechanisms[0].joints.clone() {
            let mut less = sample.clone();
            // A coupling may have gone with another joint.
            if less.world.remove_joint(id).is_err() {
                continue;
            }
            let world = &less.world;
            less.mechanisms[0].joints.retain(|joint| world.joint(*joint).is_some());
            if fails(&less)? {
                (sample, smaller) = (less, true);
            }
        }
        if !smaller {
            return Ok(sample);
        }
    }
}

/// Whether something is not as it must be.
fn is_bad(class: &Class, outcome: &Outcome) -> bool {
    outcome.gain > class.most_gain()
        || outcome.not_finite
        || outcome.failed.is_some()
        || class.gap.is_some_and(|gap| outcome.gap > gap)
}
