//! When a joint breaks, and what happens then.

use crate::error::{Error, at_least_zero};
use serde::{Deserialize, Serialize};

/// What happens to a joint that breaks. There is an event in any case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum OnBreak {
    /// Nothing else: the joint goes on, and says it again when it was below and is above once more.
    Event,
    /// It is disabled.
    Disable,
    /// It is removed.
    #[default]
    Remove,
}

/// When a joint breaks. The test comes after the last sub-step, on the impulses of the whole step
/// divided by its length, so that no single sub-step breaks anything.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Break {
    /// N: above this force on any of its bodies.
    pub force: f64,
    /// N·m: above this torque on B, about its anchor.
    pub torque: f64,
    /// m or rad: above this error of a held row (of a point, its distance), or so far past a limit.
    pub error: f64,
    /// Force and torque pass a low-pass filter of this time constant first, s; 0 for none.
    pub filter: f64,
    /// What happens then.
    pub then: OnBreak,
}

impl Default for Break {
    /// Never.
    fn default() -> Self {
        Self {
            force: f64::INFINITY,
            torque: f64::INFINITY,
            error: f64::INFINITY,
            filter: 0.0,
            then: OnBreak::default(),
        }
    }
}

impl Break {
    /// Above a force, N.
    pub fn at_force(force: f64) -> Self {
        Self { force, ..Self::default() }
    }

    /// Above a torque, N·m.
    pub fn at_torque(torque: f64) -> Self {
        Self { torque, ..Self::default() }
    }

    /// Above an error, m or rad.
    pub fn at_error(error: f64) -> Self {
        Self { error, ..Self::default() }
    }

    pub(crate) fn validate(&self) -> Result<(), Error> {
        for (field, value) in [
            ("breaking.force", self.force),
            ("breaking.torque", self.torque),
            ("breaking.error", self.error),
        ] {
            positive_or_infinite(field, value)?;
        }
        at_least_zero("breaking.filter", self.filter)?;
        Ok(())
    }
}

pub(crate) fn positive_or_infinite(field: &'static str, value: f64) -> Result<(), Error> {
    if value >= 0.0 {
        return Ok(());
    }
    Err(Error::Number { field, value, must_be: "at least 0; infinity for none" })
}
