//! How a scene runs.

use super::error::RunError;
use crate::file::{Loaded, Solver};
use kempe2d::Method;

/// A run has at most this many steps.
pub const MOST_STEPS: u64 = 1_000_000_000;

/// Which moments are kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Frames {
    /// So many in a second, at the steps that are nearest after.
    PerSecond(f64),
    /// After every so many steps.
    Every(u64),
}

/// How a scene runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// What steps.
    pub solver: Solver,
    /// How the reference solver does.
    pub method: Method,
    /// s.
    pub duration: f64,
    /// The length of a step, s; the last one is shorter if it must.
    pub step: f64,
    /// Which moments are kept, the first and the last always. Of very large worlds and very long
    /// runs it is fewer: [`MOST_NUMBERS`](super::MOST_NUMBERS).
    pub frames: Frames,
    /// Whether joints are kept in every frame; if it is left open, up to 2000 are.
    pub joints: Option<bool>,
}

impl Options {
    /// As the scene has it, with 60 frames in a second.
    pub fn of(loaded: &Loaded) -> Self {
        let crate::file::Plan { duration, step, solver, method } = loaded.plan;
        Self { solver, method, duration, step, frames: Frames::PerSecond(60.0), joints: None }
    }

    pub(super) fn grid(&self) -> Result<Grid, RunError> {
        let positive = |field, value: f64| match value {
            value if value.is_finite() && value > 0.0 => Ok(value),
            value => Err(RunError::Number { field, value, must_be: "finite and above 0" }),
        };
        let (duration, step) = (positive("duration", self.duration)?, positive("step", self.step)?);
        match self.frames {
            Frames::PerSecond(rate) => positive("frames a second", rate)?,
            Frames::Every(0) => positive("steps from frame to frame", 0.0)?,
            Frames::Every(_) => 1.0,
        };
        let count = (duration / step - 1e-9).ceil().max(1.0);
        if count > MOST_STEPS as f64 {
            return Err(RunError::TooLong { steps: count });
        }
        let steps = count as u64;
        let rest = duration - (steps - 1) as f64 * step;
        // A rest that is all but a step is one.
        let last = if (rest - step).abs() < 1e-6 * step { step } else { rest };
        Ok(Grid { steps, step, duration, last })
    }
}

/// The steps of a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid {
    pub steps: u64,
    pub step: f64,
    pub duration: f64,
    /// The length of the last one.
    last: f64,
}

impl Grid {
    /// How long a step is, from the first, 1, to the last.
    pub fn length(&self, step: u64) -> f64 {
        // The world refuses what is shorter.
        if step == self.steps { self.last.max(1e-9) } else { self.step }
    }

    /// When a step ends; that before the first at 0.
    pub fn end(&self, step: u64) -> f64 {
        if step >= self.steps { self.duration } else { step as f64 * self.step }
    }

    /// Which part is done after a step.
    pub fn done(&self, step: u64) -> f64 {
        step as f64 / self.steps as f64
    }
}
