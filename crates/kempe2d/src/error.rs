//! One error for every bad argument: which field, which value, which handle.

use kempe_equation::InstanceError;
use kempe_solve::{PoolError, SoftnessError};
use std::fmt;

/// Why a call was refused. The world is as it was before.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// A number that the field cannot have.
    Number {
        /// The field.
        field: &'static str,
        /// Its value.
        value: f64,
        /// What it must be.
        must_be: &'static str,
    },
    /// A handle that finds nothing.
    Handle {
        /// What it should have been a handle of.
        what: &'static str,
        /// Why it finds nothing.
        reason: PoolError,
    },
    /// A joint between a body and itself.
    SameBody,
    /// Something on an axis that the joint does not have.
    NoSuchAxis {
        /// Which axis, from 0.
        axis: usize,
        /// How many it has.
        axes: usize,
    },
    /// A setting of a joint that nothing in it goes by.
    Unused {
        /// The field of [`JointDef`](crate::JointDef).
        field: &'static str,
        /// The kind of the joint.
        kind: String,
        /// What it would be for.
        reason: &'static str,
    },
    /// A joint with too few bodies, or too many.
    BodyCount {
        /// How many its kind has.
        wanted: usize,
        /// How many there were.
        given: usize,
    },
    /// An expression that is none.
    Expression {
        /// As it was written.
        source: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A program that is none.
    Program {
        /// Its mistakes.
        reason: Vec<String>,
    },
    /// A joint from text that refuses a name, a value or the present state.
    Joint(InstanceError),
    /// A coupling of a coupling.
    Coupled,
    /// Something asked of a coupling, and it is another joint.
    NotCoupling,
    /// Something asked of a joint from text, and it is another.
    NotText,
    /// A user joint that refuses its parameters.
    User {
        /// The joint.
        name: String,
        /// What it says.
        reason: String,
    },
    /// A user joint or force law that the registry does not know.
    Unknown {
        /// What it is.
        what: &'static str,
        /// Its name.
        name: String,
    },
    /// Threads that the system does not give.
    Threads {
        /// What it says.
        reason: String,
    },
    /// Bytes that are no snapshot of a world.
    Snapshot {
        /// What is wrong with them.
        reason: String,
    },
    /// A shape that encloses no area, or not one area.
    Shape {
        /// What is wrong with it.
        reason: &'static str,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number { field, value, must_be } => {
                write!(f, "`{field}` is {value}; it must be {must_be}")
            }
            Self::Handle { what, reason } => write!(f, "no such {what}: {reason}"),
            Self::SameBody => f.write_str("a joint needs two different bodies"),
            Self::NoSuchAxis { axis, axes } => {
                write!(f, "the joint leaves {axes} axes; there is none of number {axis}")
            }
            Self::Unused { field, kind, reason } => {
                write!(f, "`{field}` does nothing in this joint ({kind}): {reason}")
            }
            Self::BodyCount { wanted, given } => {
                write!(f, "the joint has {wanted} bodies; {given} were given")
            }
            Self::Expression { source, reason } => write!(f, "the expression `{source}`: {reason}"),
            Self::Program { reason } => write!(f, "not a program: {}", reason.join("; ")),
            Self::Joint(error) => error.fmt(f),
            Self::Coupled => f.write_str("a coupling cannot refer to another coupling"),
            Self::NotCoupling => f.write_str("the joint is not a coupling"),
            Self::NotText => f.write_str("the joint is not one from text"),
            Self::User { name, reason } => write!(f, "the user joint `{name}`: {reason}"),
            Self::Unknown { what, name } => {
                write!(f, "the registry knows no {what} called `{name}`")
            }
            Self::Threads { reason } => write!(f, "no threads: {reason}"),
            Self::Snapshot { reason } => write!(f, "not a snapshot: {reason}"),
            Self::Shape { reason } => write!(f, "not a shape: {reason}"),
        }
    }
}

impl std::error::Error for Error {}

impl From<InstanceError> for Error {
    fn from(error: InstanceError) -> Self {
        Self::Joint(error)
    }
}

impl From<SoftnessError> for Error {
    fn from(error: SoftnessError) -> Self {
        Self::Number { field: error.field, value: error.value, must_be: "finite and at least 0" }
    }
}

/// `value`, if it is finite.
pub(crate) fn finite(field: &'static str, value: f64) -> Result<f64, Error> {
    if value.is_finite() {
        Ok(value)
    } else {
        Err(Error::Number { field, value, must_be: "finite" })
    }
}

/// `value`, if it is finite and at least 0.
pub(crate) fn at_least_zero(field: &'static str, value: f64) -> Result<f64, Error> {
    if value.is_finite() && value >= 0.0 {
        return Ok(value);
    }
    Err(Error::Number { field, value, must_be: "finite and at least 0" })
}

/// `value`, if it is finite and above 0.
pub(crate) fn positive(field: &'static str, value: f64) -> Result<f64, Error> {
    if value.is_finite() && value > 0.0 {
        return Ok(value);
    }
    Err(Error::Number { field, value, must_be: "finite and above 0" })
}
