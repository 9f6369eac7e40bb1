//! What must hold when a scene runs.

use super::model::Solver;
use super::number::Number;
use kempe2d::JointId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One thing that must hold. It is about a `probe`, a `joint`, or the `separation` of all joints.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Expectation {
    /// The probe that it is about.
    pub probe: Option<String>,
    /// With `is`: at which time, s; the end of the run.
    pub at: Option<Number>,
    /// What the probe is then.
    pub is: Option<Number>,
    /// With `is`: how far it may be off; 0.
    pub within: Option<Number>,
    /// The probe is never below this.
    pub min: Option<Number>,
    /// The probe is never above this.
    pub max: Option<Number>,
    /// The probe is never further than this from what it is at the start.
    pub drift: Option<Number>,
    /// The joint that it is about.
    pub joint: Option<String>,
    /// Whether the joint must break (true) or must not (false).
    pub breaks: Option<bool>,
    /// The joint, or without one every joint, is never open by more than this, m or rad.
    pub separation: Option<Number>,
    /// Only for this solver; both.
    pub solver: Option<Solver>,
}

/// What is checked, found in a world.
#[derive(Clone, Debug, PartialEq)]
pub enum Check {
    /// The value of a probe at a time.
    Value {
        /// Its place among the probes.
        probe: usize,
        /// s; none for the end of the run.
        at: Option<f64>,
        /// What it must be.
        is: f64,
        /// How far it may be off.
        within: f64,
    },
    /// A probe stays in a range.
    Range {
        /// Its place among the probes.
        probe: usize,
        /// At least.
        min: f64,
        /// At most.
        max: f64,
    },
    /// A probe stays near its first value.
    Drift {
        /// Its place among the probes.
        probe: usize,
        /// How near.
        most: f64,
    },
    /// A joint, or each, is never open by more than this.
    Separation {
        /// Which; none for each.
        joint: Option<JointId>,
        /// m or rad.
        most: f64,
    },
    /// A joint breaks, or does not.
    Breaks {
        /// Which.
        joint: JointId,
        /// Whether it must.
        must: bool,
    },
}

/// An expectation that is ready to be checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Expected {
    /// In words, for a report.
    pub text: String,
    /// What is checked.
    pub check: Check,
    /// Only for this solver.
    pub solver: Option<Solver>,
}
