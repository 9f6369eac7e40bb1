//! Why a scene could not be run.

use kempe2d::{Error, ReferenceError};
use std::fmt;

/// Why a scene could not be run.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RunError {
    /// A number of the options.
    Number {
        /// Which.
        field: &'static str,
        /// Its value.
        value: f64,
        /// What it must be.
        must_be: &'static str,
    },
    /// There would be too many steps.
    TooLong {
        /// How many.
        steps: f64,
    },
    /// The world refused a step.
    World {
        /// When, s.
        time: f64,
        /// Why.
        error: Error,
    },
    /// The reference solver is not for this scene, or could not go on.
    Reference {
        /// How far it came, s.
        time: f64,
        /// Why.
        error: ReferenceError,
        /// The same with the names of the scene.
        text: String,
    },
    /// Whoever watched it ended it.
    Cancelled {
        /// When, s.
        time: f64,
    },
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number { field, value, must_be } => {
                write!(f, "the {field} is {value}; it must be {must_be}")
            }
            Self::TooLong { steps } => {
                let most = super::MOST_STEPS;
                write!(f, "the run would have {steps:.0} steps; it may have {most}")
            }
            Self::World { time, error } => write!(f, "at {time} s: {error}"),
            Self::Reference { time, text, .. } => {
                write!(f, "the reference solver came to {time:.6} s: {text}")
            }
            Self::Cancelled { time } => write!(f, "the run was ended at {time} s"),
        }
    }
}

impl std::error::Error for RunError {}
