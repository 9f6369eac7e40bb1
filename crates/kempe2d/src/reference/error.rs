//! Why the reference solver could not step.

use crate::error::Error;
use crate::joint::JointId;
use kempe_solve::sparse::SparseError;
use std::fmt;

/// Why the reference solver could not step. The world is as it was.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ReferenceError {
    /// An argument.
    Argument(Error),
    /// Newton's method found no solution, however short the step.
    NotConverged {
        /// When.
        time: f64,
        /// The joint that is furthest open.
        joint: Option<JointId>,
    },
    /// The energy grew beyond all measure: the method cannot follow this motion in such steps.
    Diverged {
        /// When.
        time: f64,
    },
    /// A mechanism that nothing drives has more energy than it had, however short the step.
    Gained {
        /// When.
        time: f64,
        /// How much more, J.
        energy: f64,
    },
    /// As many steps as were allowed did not reach the end: the tolerance asks for more of this method.
    Steps {
        /// How far they reached, s.
        time: f64,
        /// How many were tried.
        most: u64,
    },
    /// These joints contradict each other, in where bodies should be or in how they should move.
    Contradiction {
        /// Which.
        joints: Vec<JointId>,
    },
    /// The equations of a joint have no value where it is.
    NoValue {
        /// Which.
        joint: JointId,
    },
    /// The method is for what loses no energy, and this joint does.
    Loses {
        /// Which.
        joint: JointId,
        /// By what.
        by: &'static str,
    },
    /// The joint clamps its impulses by a rule of its own, which is for steps in real time.
    Clamps {
        /// Which.
        joint: JointId,
    },
    /// The same of a body that is damped.
    Damped {
        /// Which.
        body: crate::BodyId,
    },
    /// The linear algebra failed.
    Linear {
        /// How.
        reason: String,
    },
}

impl fmt::Display for ReferenceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Argument(error) => error.fmt(f),
            Self::NotConverged { time, joint: Some(joint) } => {
                write!(f, "no solution at {time} s; joint {joint:?} is furthest open")
            }
            Self::NotConverged { time, joint: None } => write!(f, "no solution at {time} s"),
            Self::Diverged { time } => {
                write!(f, "the energy has grown beyond all measure at {time} s; take shorter steps")
            }
            Self::Gained { time, energy } => {
                write!(f, "{energy:.3e} J more at {time} s than forces gave; take shorter steps")
            }
            Self::Steps { time, most } => {
                write!(f, "{most} steps reached {time} s; allow more of them, or a larger error")
            }
            Self::Contradiction { joints } => {
                write!(f, "joints {joints:?} contradict each other")
            }
            Self::NoValue { joint } => write!(
                f,
                "the equations of joint {joint:?}, or an expression on its axes, have no value"
            ),
            Self::Loses { joint, by } => {
                write!(f, "joint {joint:?} loses energy by {by}; RATTLE is for what loses none")
            }
            Self::Clamps { joint } => write!(
                f,
                "joint {joint:?} clamps its impulses by a rule of its own, which is for real time"
            ),
            Self::Damped { body } => {
                write!(f, "body {body:?} is damped; RATTLE is for what loses no energy")
            }
            Self::Linear { reason } => f.write_str(reason),
        }
    }
}

impl std::error::Error for ReferenceError {}

impl From<Error> for ReferenceError {
    fn from(error: Error) -> Self {
        Self::Argument(error)
    }
}

impl From<SparseError> for ReferenceError {
    fn from(error: SparseError) -> Self {
        Self::Linear { reason: error.to_string() }
    }
}
