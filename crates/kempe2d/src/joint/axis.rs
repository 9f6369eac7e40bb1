//! What acts on an axis: a limit, a motor, a spring, a force law, friction, a ratchet.

use crate::error::{Error, at_least_zero, finite};
use crate::expression::Target;
use crate::law::ForceLaw;
use kempe_solve::Softness;
use serde::{Deserialize, Serialize};

/// The range of a force, N or N·m.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ForceRange {
    /// The largest force that lowers the coordinate, negative or 0.
    pub lower: f64,
    /// The largest force that raises it.
    pub upper: f64,
}

impl Default for ForceRange {
    /// Any force.
    fn default() -> Self {
        Self { lower: f64::NEG_INFINITY, upper: f64::INFINITY }
    }
}

impl ForceRange {
    /// As much either way.
    pub fn symmetric(force: f64) -> Self {
        Self { lower: -force, upper: force }
    }

    /// Raises the coordinate only.
    pub fn raise() -> Self {
        Self { lower: 0.0, upper: f64::INFINITY }
    }

    /// Lowers the coordinate only.
    pub fn lower() -> Self {
        Self { lower: f64::NEG_INFINITY, upper: 0.0 }
    }

    /// The same, at most so much either way.
    #[must_use]
    pub(crate) fn within(self, most: f64) -> Self {
        Self { lower: self.lower.max(-most), upper: self.upper.min(most) }
    }

    fn validate(&self) -> Result<(), Error> {
        let ordered = self.lower <= self.upper;
        if ordered && self.lower < f64::INFINITY && self.upper > f64::NEG_INFINITY {
            return Ok(());
        }
        Err(Error::Number {
            field: "force.lower",
            value: self.lower,
            must_be: "at most `force.upper`",
        })
    }
}

/// Bounds of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Limit {
    /// m or rad; −∞ for none.
    pub lower: f64,
    /// m or rad; ∞ for none. Equal to `lower`, the axis is held.
    pub upper: f64,
    /// How the stops yield; rigid ones (the default) yield as [`JointDef::softness`](crate::JointDef::softness)
    /// of their joint says.
    pub softness: Softness,
    /// How much of the speed comes back from a stop, 0 to 1.
    pub restitution: f64,
    /// What the stops can resist, N or N·m; any force by default. Pushed harder, the axis slips through them.
    /// [`JointDef::max_force`](crate::JointDef::max_force) and `max_torque` bound it too.
    pub force: f64,
}

impl Limit {
    /// Hard stops without rebound.
    pub fn new(lower: f64, upper: f64) -> Self {
        let (softness, force) = (Softness::Rigid, f64::INFINITY);
        Self { lower, upper, softness, restitution: 0.0, force }
    }

    fn validate(&self) -> Result<(), Error> {
        let ordered = self.lower <= self.upper;
        if !ordered || self.lower == f64::INFINITY || self.upper == f64::NEG_INFINITY {
            let must_be = "a number at most `limit.upper`";
            return Err(Error::Number { field: "limit.lower", value: self.lower, must_be });
        }
        if !(0.0..=1.0).contains(&self.restitution) {
            let (value, must_be) = (self.restitution, "from 0 to 1");
            return Err(Error::Number { field: "limit.restitution", value, must_be });
        }
        super::breaking::positive_or_infinite("limit.force", self.force)?;
        Ok(self.softness.validate()?)
    }
}

/// What drives an axis. Targets are constants or expressions in `time`, the world's clock.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Motor {
    /// At a speed, m/s or rad/s.
    Velocity {
        /// The speed.
        speed: Target,
        /// What it may use for it.
        force: ForceRange,
    },
    /// To a position, by a spring; a position that moves is followed without lag.
    Position {
        /// m or rad.
        target: Target,
        /// The spring.
        softness: Softness,
        /// What it may use for it.
        force: ForceRange,
    },
    /// To a position and at a speed: k (target − q) + c (speed − q̇).
    Both {
        /// m or rad.
        target: Target,
        /// m/s or rad/s.
        speed: Target,
        /// The spring and the damper.
        softness: Softness,
        /// What it may use for it.
        force: ForceRange,
    },
    /// With a force, N or N·m.
    Force {
        /// The force, whatever the axis does.
        force: Target,
    },
}

impl Motor {
    /// At a speed, with any force.
    pub fn at(speed: impl Into<Target>) -> Self {
        Self::Velocity { speed: speed.into(), force: ForceRange::default() }
    }

    fn validate(&self) -> Result<(), Error> {
        match self {
            Self::Velocity { speed, force } => {
                speed.validate("motor.speed")?;
                force.validate()
            }
            Self::Position { target, softness, force } => {
                target.validate("motor.target")?;
                softness.validate()?;
                force.validate()
            }
            Self::Both { target, speed, softness, force } => {
                target.validate("motor.target")?;
                speed.validate("motor.speed")?;
                softness.validate()?;
                force.validate()
            }
            Self::Force { force } => force.validate("motor.force"),
        }
    }
}

/// A spring on an axis.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spring {
    /// Where it rests, m or rad.
    pub rest: f64,
    /// How stiff it is.
    pub softness: Softness,
    /// What it can do; a lower bound of 0 pushes only, an upper bound of 0 pulls only.
    pub force: ForceRange,
}

impl Spring {
    /// A spring that pulls and pushes.
    pub fn new(rest: f64, softness: Softness) -> Self {
        Self { rest, softness, force: ForceRange::default() }
    }
}

/// Teeth that let the coordinate pass one way only.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ratchet {
    /// From tooth to tooth; a negative one lets the coordinate fall.
    pub step: f64,
    /// Where one of the teeth is.
    pub phase: f64,
}

/// What acts on an axis.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Axis {
    /// Bounds.
    pub limit: Option<Limit>,
    /// A drive.
    pub motor: Option<Motor>,
    /// A spring.
    pub spring: Option<Spring>,
    /// A force that is a function of coordinate, speed and time.
    pub law: Option<ForceLaw>,
    /// Dry friction, at most this many N or N·m.
    pub friction: Option<f64>,
    /// A ratchet. It has the place of a limit; an axis has one or the other.
    pub ratchet: Option<Ratchet>,
}

impl Axis {
    /// With bounds.
    pub fn limited(lower: f64, upper: f64) -> Self {
        Self { limit: Some(Limit::new(lower, upper)), ..Self::default() }
    }

    /// Held at a value.
    pub fn held(at: f64) -> Self {
        Self::limited(at, at)
    }

    /// With a drive.
    pub fn driven(motor: Motor) -> Self {
        Self { motor: Some(motor), ..Self::default() }
    }

    /// With a spring.
    pub fn sprung(rest: f64, softness: Softness) -> Self {
        Self { spring: Some(Spring::new(rest, softness)), ..Self::default() }
    }

    pub(crate) fn validate(&self) -> Result<(), Error> {
        if let Some(limit) = &self.limit {
            limit.validate()?;
        }
        if let Some(motor) = &self.motor {
            motor.validate()?;
        }
        if let Some(spring) = &self.spring {
            finite("spring.rest", spring.rest)?;
            spring.softness.validate()?;
            spring.force.validate()?;
        }
        if let Some(friction) = self.friction {
            at_least_zero("friction", friction)?;
        }
        if let Some(Ratchet { step, phase }) = self.ratchet {
            finite("ratchet.phase", phase)?;
            if !step.is_finite() || step.abs() < 1e-9 {
                let must_be = "finite and not 0";
                return Err(Error::Number { field: "ratchet.step", value: step, must_be });
            }
            if let Some(limit) = &self.limit {
                let must_be = "absent where there is a ratchet";
                return Err(Error::Number { field: "limit", value: limit.lower, must_be });
            }
        }
        Ok(())
    }
}
