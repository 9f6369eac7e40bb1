//! Joints: what they hold, and what acts on the axes they leave.

use crate::body::BodyId;
use crate::error::{Error, at_least_zero, finite};
use crate::solver::LawKind;
use kempe_scalar::Vec2;
use kempe_solve::{Handle, Softness};

/// A handle of a joint.
pub type JointId = Handle<Joint>;

/// What a joint holds. Anchors and rails are in the axes of their body, from its origin.
///
/// Angles of B against A count from `angle`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JointKind {
    /// Everything.
    Weld {
        /// On A.
        anchor_a: Vec2,
        /// On B.
        anchor_b: Vec2,
        /// θ_B − θ_A, rad.
        angle: f64,
    },
    /// Two points together. Leaves the angle.
    Revolute {
        /// On A.
        anchor_a: Vec2,
        /// On B.
        anchor_b: Vec2,
        /// Where the angle counts from, rad.
        angle: f64,
    },
    /// A slider on a rail. Leaves the travel.
    Prismatic {
        /// On A.
        anchor_a: Vec2,
        /// On B.
        anchor_b: Vec2,
        /// The direction of the rail, in A; of any length.
        rail: Vec2,
        /// θ_B − θ_A, rad.
        angle: f64,
    },
    /// A point of B on a line of A. Leaves the travel, then the angle.
    Slot {
        /// On A.
        anchor_a: Vec2,
        /// On B.
        anchor_b: Vec2,
        /// The direction of the line, in A; of any length.
        rail: Vec2,
        /// Where the angle counts from, rad.
        angle: f64,
    },
    /// Nothing by itself. Leaves the length between two points.
    Distance {
        /// On A.
        anchor_a: Vec2,
        /// On B.
        anchor_b: Vec2,
    },
    /// Nothing by itself. Leaves ratio · θ_B − θ_A − angle.
    Angle {
        /// ρ.
        ratio: f64,
        /// Where it counts from, rad.
        angle: f64,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum KindTag {
    Weld,
    Revolute,
    Prismatic,
    Slot,
    Distance,
    Angle,
}

impl KindTag {
    /// (held rows, axes, numbers of its own)
    fn counts(self) -> (usize, usize, usize) {
        use crate::joints::{Angle, Distance, Equation, Prismatic, Revolute, Slot, Weld};
        fn of<E: Equation>() -> (usize, usize, usize) {
            (E::HOLD, E::AXES, E::PARAMETERS)
        }
        match self {
            Self::Weld => of::<Weld>(),
            Self::Revolute => of::<Revolute>(),
            Self::Prismatic => of::<Prismatic>(),
            Self::Slot => of::<Slot>(),
            Self::Distance => of::<Distance>(),
            Self::Angle => of::<Angle>(),
        }
    }

    pub(crate) fn hold(self) -> usize {
        self.counts().0
    }

    pub(crate) fn axes(self) -> usize {
        self.counts().1
    }

    pub(crate) fn parameters(self) -> usize {
        self.counts().2
    }

    /// The row that is an angle, if there is one.
    pub(crate) fn angle_row(self) -> Option<usize> {
        match self {
            Self::Weld | Self::Revolute | Self::Slot => Some(2),
            Self::Prismatic => Some(1),
            Self::Angle => Some(0),
            Self::Distance => None,
        }
    }
}

impl JointKind {
    pub(crate) fn tag(&self) -> KindTag {
        match self {
            Self::Weld { .. } => KindTag::Weld,
            Self::Revolute { .. } => KindTag::Revolute,
            Self::Prismatic { .. } => KindTag::Prismatic,
            Self::Slot { .. } => KindTag::Slot,
            Self::Distance { .. } => KindTag::Distance,
            Self::Angle { .. } => KindTag::Angle,
        }
    }

    /// (anchor on A, anchor on B, rail, reference angle, ratio)
    pub(crate) fn numbers(&self) -> (Vec2, Vec2, Vec2, f64, f64) {
        let (zero, x) = (Vec2::ZERO, Vec2::X);
        match *self {
            Self::Weld { anchor_a, anchor_b, angle }
            | Self::Revolute { anchor_a, anchor_b, angle } => (anchor_a, anchor_b, x, angle, 1.0),
            Self::Prismatic { anchor_a, anchor_b, rail, angle }
            | Self::Slot { anchor_a, anchor_b, rail, angle } => {
                (anchor_a, anchor_b, rail, angle, 1.0)
            }
            Self::Distance { anchor_a, anchor_b } => (anchor_a, anchor_b, x, 0.0, 1.0),
            Self::Angle { ratio, angle } => (zero, zero, x, angle, ratio),
        }
    }

    fn validate(&self) -> Result<(), Error> {
        let (a, b, rail, angle, ratio) = self.numbers();
        for (field, value) in [
            ("anchor_a.x", a.x),
            ("anchor_a.y", a.y),
            ("anchor_b.x", b.x),
            ("anchor_b.y", b.y),
            ("rail.x", rail.x),
            ("rail.y", rail.y),
            ("angle", angle),
            ("ratio", ratio),
        ] {
            finite(field, value)?;
        }
        let length = rail.length();
        let long = length > 1e-9 && length.is_finite();
        if long {
            Ok(())
        } else {
            Err(Error::Number { field: "rail", value: length, must_be: "a direction" })
        }
    }
}

/// The range of a force, N or N·m.
#[derive(Clone, Copy, Debug, PartialEq)]
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

    fn validate(&self) -> Result<(), Error> {
        let ordered = self.lower <= self.upper;
        if ordered {
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
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit {
    /// m or rad; −∞ for none.
    pub lower: f64,
    /// m or rad; ∞ for none. Equal to `lower`, the axis is held.
    pub upper: f64,
    /// How the stops yield.
    pub softness: Softness,
}

impl Limit {
    /// Hard stops.
    pub fn new(lower: f64, upper: f64) -> Self {
        Self { lower, upper, softness: Softness::Rigid }
    }

    fn validate(&self) -> Result<(), Error> {
        let ordered = self.lower <= self.upper;
        if !ordered || self.lower == f64::INFINITY || self.upper == f64::NEG_INFINITY {
            let must_be = "a number at most `limit.upper`";
            return Err(Error::Number { field: "limit.lower", value: self.lower, must_be });
        }
        Ok(self.softness.validate()?)
    }
}

/// What drives an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Motor {
    /// At a speed, m/s or rad/s.
    Velocity {
        /// The speed.
        speed: f64,
        /// What it may use for it.
        force: ForceRange,
    },
    /// To a position, by a spring.
    Position {
        /// m or rad.
        target: f64,
        /// The spring.
        softness: Softness,
        /// What it may use for it.
        force: ForceRange,
    },
}

/// A spring on an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring {
    /// Where it rests, m or rad.
    pub rest: f64,
    /// How stiff it is.
    pub softness: Softness,
    /// What it can do; a lower bound of 0 pushes only, an upper bound of 0 pulls only.
    pub force: ForceRange,
}

/// What acts on an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Axis {
    /// Bounds.
    pub limit: Option<Limit>,
    /// A drive.
    pub motor: Option<Motor>,
    /// A spring.
    pub spring: Option<Spring>,
    /// Dry friction, at most this many N or N·m.
    pub friction: Option<f64>,
}

impl Axis {
    fn validate(&self) -> Result<(), Error> {
        if let Some(limit) = &self.limit {
            limit.validate()?;
        }
        match &self.motor {
            Some(Motor::Velocity { speed, force }) => {
                finite("motor.speed", *speed)?;
                force.validate()?;
            }
            Some(Motor::Position { target, softness, force }) => {
                finite("motor.target", *target)?;
                softness.validate()?;
                force.validate()?;
            }
            None => {}
        }
        if let Some(spring) = &self.spring {
            finite("spring.rest", spring.rest)?;
            spring.softness.validate()?;
            spring.force.validate()?;
        }
        if let Some(friction) = self.friction {
            at_least_zero("friction", friction)?;
        }
        Ok(())
    }
}

/// What a joint is made with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointDef {
    /// The body that the joint is seen from.
    pub a: BodyId,
    /// The body that moves against it: q and its speed are of B relative to A.
    pub b: BodyId,
    /// What is held.
    pub kind: JointKind,
    /// What acts on the axes that it leaves, in their order.
    pub axes: [Axis; 2],
    /// How the hold yields.
    pub softness: Softness,
    /// Whether it takes part.
    pub enabled: bool,
    /// For the user.
    pub user_data: u64,
}

impl JointDef {
    /// A rigid joint with free axes.
    pub fn new(kind: JointKind, a: BodyId, b: BodyId) -> Self {
        Self {
            a,
            b,
            kind,
            axes: [Axis::default(); 2],
            softness: Softness::Rigid,
            enabled: true,
            user_data: 0,
        }
    }

    /// The same with this on the first axis.
    #[must_use]
    pub fn with_axis(mut self, axis: Axis) -> Self {
        self.axes[0] = axis;
        self
    }

    /// The same with this limit on the first axis.
    #[must_use]
    pub fn with_limit(mut self, lower: f64, upper: f64) -> Self {
        self.axes[0].limit = Some(Limit::new(lower, upper));
        self
    }

    pub(crate) fn validate(&self) -> Result<(), Error> {
        if self.a == self.b {
            return Err(Error::SameBody);
        }
        self.kind.validate()?;
        self.softness.validate()?;
        for axis in &self.axes {
            axis.validate()?;
        }
        let axes = self.kind.tag().axes();
        match (axes..self.axes.len()).find(|axis| self.axes[*axis] != Axis::default()) {
            Some(axis) => Err(Error::NoSuchAxis { axis, axes }),
            None => Ok(()),
        }
    }
}

/// A joint of a world.
#[derive(Clone, Debug)]
pub struct Joint {
    pub(crate) def: JointDef,
    /// Impulses per sub-step that the next step starts from: of the rows as held, and of the laws
    /// by axis.
    pub(crate) hold: [f32; 3],
    pub(crate) laws: [[[f32; 2]; LawKind::COUNT]; 2],
    /// The direction that a length last had.
    pub(crate) remembered: [f32; 2],
}

impl Joint {
    pub(crate) fn new(def: JointDef) -> Self {
        Self { def, hold: [0.0; 3], laws: [[[0.0; 2]; LawKind::COUNT]; 2], remembered: [0.0; 2] }
    }

    /// What it was made with, as changed since.
    pub fn def(&self) -> &JointDef {
        &self.def
    }
}
