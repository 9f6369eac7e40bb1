//! What can go wrong.

use std::fmt;

/// Why there is no figure.
#[derive(Debug)]
pub enum Failure {
    /// An argument that makes no sense.
    Usage(String),
    /// A joint that an engine does not have.
    Lacks {
        /// Its kind.
        kind: String,
    },
    /// A body whose shapes cannot give its mass.
    Mass {
        /// kg.
        mass: f64,
    },
    /// Kempe refused something.
    Kempe(kempe2d::Error),
    /// A scene could not be built.
    Scene(kempe_scenes::Error),
    /// Box2D refused something.
    Box2d(boxdd::Error),
    /// Something else.
    Other(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(text) | Self::Other(text) => f.write_str(text),
            Self::Lacks { kind } => write!(f, "not every engine has such a joint: {kind}"),
            Self::Mass { mass } => {
                write!(f, "the shapes of a body of {mass} kg have another centre or inertia")
            }
            Self::Kempe(error) => write!(f, "Kempe: {error}"),
            Self::Scene(error) => write!(f, "scene: {error}"),
            Self::Box2d(error) => write!(f, "Box2D: {error}"),
        }
    }
}

impl std::error::Error for Failure {}

impl From<kempe2d::Error> for Failure {
    fn from(error: kempe2d::Error) -> Self {
        Self::Kempe(error)
    }
}

impl From<kempe_scenes::Error> for Failure {
    fn from(error: kempe_scenes::Error) -> Self {
        Self::Scene(error)
    }
}

impl From<boxdd::Error> for Failure {
    fn from(error: boxdd::Error) -> Self {
        Self::Box2d(error)
    }
}
