//! The kinds of joint, each an equation of its own.

use super::cables::validate_tendon;
use super::coupling::Term;
use super::drives::Pull;
use crate::error::{Error, finite};
use crate::path::Path;
use crate::text::TextJoint;
use crate::user::UserJoint;
use kempe_scalar::Vec2;
use serde::{Deserialize, Serialize};

/// What a joint holds. Anchors and rails are in the axes of their body, from its origin.
///
/// Angles of B against A count from `angle`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
    /// Nothing by itself. Leaves |p₂ − p₁| + ratio · |p₄ − p₃|, the points on four bodies of which
    /// some may be the same: the first must not be the second, nor the third the fourth.
    Pulley {
        /// On each of the four bodies.
        anchors: [Vec2; 4],
        /// ρ.
        ratio: f64,
    },
    /// Nothing by itself. Leaves the travel along a direction of A, the travel across it, and the
    /// angle, each to be free, limited or held.
    Generic {
        /// On A.
        anchor_a: Vec2,
        /// On B.
        anchor_b: Vec2,
        /// The direction of the first axis, in A; of any length.
        rail: Vec2,
        /// Where the angle counts from, rad.
        angle: f64,
    },
    /// A [`Generic`](Self::Generic) joint that also draws B's anchor, as a point: to a place and at a
    /// velocity, each with a force of limited length.
    Drive {
        /// On A.
        anchor_a: Vec2,
        /// On B.
        anchor_b: Vec2,
        /// The direction of the first axis, in A; of any length.
        rail: Vec2,
        /// Where the angle counts from, rad.
        angle: f64,
        /// What draws it.
        pull: Box<Pull>,
    },
    /// Nothing by itself. Leaves Σ ratio · length over a cable through points of any bodies: a body
    /// for each point, and a ratio for each part between two points. A part of ratio 0 is a gap.
    Tendon {
        /// On each of the bodies.
        anchors: Vec<Vec2>,
        /// One less than the points, none negative.
        ratios: Vec<f64>,
    },
    /// A point of B on a curve of A. Leaves the arc length of its place, which goes on counting round
    /// a closed curve, then the angle. The place is followed from step to step: where branches meet,
    /// it stays on its own.
    Path {
        /// The curve, in the axes of A.
        path: Path,
        /// On B.
        anchor: Vec2,
        /// Where the angle counts from, rad.
        angle: f64,
        /// Whether the angle is against the curve's direction, instead of A.
        follow: bool,
        /// Where the point is at first, by arc length; without it, where the curve is nearest.
        from: Option<f64>,
        /// Whether the joint lets go at the end of an open curve: it is then disabled, with an event.
        /// Otherwise the curve goes on straight.
        leave: bool,
    },
    /// Nothing by itself. Leaves Σ f(q) − constant over axes of other joints, whose bodies it has.
    Coupling {
        /// The axes, and how they count.
        terms: Vec<Term>,
        /// What the sum counts from.
        constant: f64,
    },
    /// Nothing. Its bodies do not collide with each other, unless `collide_connected` says so.
    Filter,
    /// What a program says.
    Text(TextJoint),
    /// What a type of the user says.
    User(UserJoint),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum KindTag {
    Weld,
    Revolute,
    Prismatic,
    Slot,
    Distance,
    Angle,
    /// Drives too.
    Generic,
    /// A program of the solver, its held rows, all its rows, whether they are those of a point, which counts
    /// from nothing, and which is an angle.
    Text {
        program: u16,
        hold: u8,
        rows: u8,
        point: bool,
        still: bool,
        angle: Option<u8>,
    },
    /// A type of the user, by its place among those of the solver: its numbers, and the same.
    User {
        index: u16,
        hold: u8,
        rows: u8,
        columns: u8,
        point: bool,
        still: bool,
        angle: Option<u8>,
    },
}

impl KindTag {
    /// (held rows, axes, numbers of its own)
    fn counts(self) -> (usize, usize, usize) {
        use crate::joints::{Angle, Distance, Equation, Generic, Prismatic, Revolute, Slot, Weld};
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
            Self::Generic => of::<Generic>(),
            // A number says whether a lane is left out.
            Self::Text { hold, rows, .. } => (hold.into(), usize::from(rows - hold), 1),
            Self::User { hold, rows, columns, .. } => {
                (hold.into(), usize::from(rows - hold), 1 + usize::from(columns))
            }
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

    /// Whether its first rows are x and y of a point, and its third the angle.
    pub(crate) fn is_point(self) -> bool {
        match self {
            Self::Text { point, .. } | Self::User { point, .. } => point,
            _ => matches!(self, Self::Weld | Self::Revolute),
        }
    }

    /// Whether the first two rows of a point count from nothing.
    pub(crate) fn is_still(self) -> bool {
        match self {
            Self::Text { still, .. } | Self::User { still, .. } => still,
            _ => self.is_point(),
        }
    }

    /// The row that is an angle, if there is one.
    pub(crate) fn angle_row(self) -> Option<usize> {
        match self {
            Self::Weld | Self::Revolute | Self::Slot | Self::Generic => Some(2),
            Self::Prismatic => Some(1),
            Self::Angle => Some(0),
            Self::Distance => None,
            Self::Text { angle, .. } | Self::User { angle, .. } => angle.map(usize::from),
        }
    }
}

/// The numbers of a joint that has lanes of its own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Numbers {
    pub anchor_a: Vec2,
    pub anchor_b: Vec2,
    pub rail: Vec2,
    /// Where the angle counts from.
    pub angle: f64,
    pub ratio: f64,
}

impl JointKind {
    /// The kind of lanes, unless it is a general joint.
    pub(crate) fn tag(&self) -> Option<KindTag> {
        Some(match self {
            Self::Weld { .. } => KindTag::Weld,
            Self::Revolute { .. } => KindTag::Revolute,
            Self::Prismatic { .. } => KindTag::Prismatic,
            Self::Slot { .. } => KindTag::Slot,
            Self::Distance { .. } => KindTag::Distance,
            Self::Angle { .. } => KindTag::Angle,
            Self::Generic { .. } | Self::Drive { .. } => KindTag::Generic,
            _ => return None,
        })
    }

    /// The name of the kind.
    pub fn name(&self) -> &str {
        match self {
            Self::Weld { .. } => "weld",
            Self::Revolute { .. } => "revolute",
            Self::Prismatic { .. } => "prismatic",
            Self::Slot { .. } => "slot",
            Self::Distance { .. } => "distance",
            Self::Angle { .. } => "angle",
            Self::Generic { .. } => "generic",
            Self::Drive { .. } => "drive",
            Self::Tendon { .. } => "tendon",
            Self::Path { .. } => "path",
            Self::Coupling { .. } => "coupling",
            Self::Filter => "filter",
            Self::Pulley { .. } => "pulley",
            Self::Text(_) => "text",
            Self::User(user) => user.name(),
        }
    }

    /// How many bodies it has.
    pub fn body_count(&self) -> usize {
        match self {
            Self::Pulley { .. } => 4,
            Self::Tendon { anchors, .. } => anchors.len(),
            // At least.
            Self::Coupling { terms, .. } => terms.len(),
            Self::Text(text) => text.program().bodies().len(),
            Self::User(user) => user.counts().bodies,
            _ => 2,
        }
    }

    /// How many rows it holds.
    pub fn hold_count(&self) -> usize {
        match self {
            Self::Path { .. } => 1,
            Self::Text(text) => text.program().row_count(),
            Self::User(user) => user.counts().hold + user.counts().velocity,
            _ => self.tag().map_or(0, KindTag::hold),
        }
    }

    /// How many axes it leaves.
    pub fn axis_count(&self) -> usize {
        match self {
            Self::Pulley { .. } | Self::Tendon { .. } | Self::Coupling { .. } => 1,
            Self::Path { .. } => 2,
            Self::Text(text) => text.program().axes().count(),
            Self::User(user) => user.counts().axes,
            _ => self.tag().map_or(0, KindTag::axes),
        }
    }

    /// Whether the first axis is a length that a rope can have.
    pub(crate) fn is_rope(&self) -> bool {
        matches!(self, Self::Distance { .. } | Self::Pulley { .. } | Self::Tendon { .. })
    }

    /// Whether a row, counted from the held ones on, is a length: it cannot be negative, and a lower bound at 0
    /// or below is none. What would lead through 0 turns round in its direction instead; a stop there would
    /// be a wall that a body hits wherever a sub-step brings it near the anchor.
    pub(crate) fn is_length(&self, row: usize) -> bool {
        match self {
            Self::Text(text) => text.instance.compiled().is_length(row),
            _ => self.is_rope() && row == 0,
        }
    }

    pub(crate) fn numbers(&self) -> Numbers {
        let still = Numbers {
            anchor_a: Vec2::ZERO,
            anchor_b: Vec2::ZERO,
            rail: Vec2::X,
            angle: 0.0,
            ratio: 1.0,
        };
        match *self {
            Self::Weld { anchor_a, anchor_b, angle }
            | Self::Revolute { anchor_a, anchor_b, angle } => {
                Numbers { anchor_a, anchor_b, angle, ..still }
            }
            Self::Prismatic { anchor_a, anchor_b, rail, angle }
            | Self::Slot { anchor_a, anchor_b, rail, angle }
            | Self::Generic { anchor_a, anchor_b, rail, angle }
            | Self::Drive { anchor_a, anchor_b, rail, angle, .. } => {
                Numbers { anchor_a, anchor_b, rail, angle, ..still }
            }
            Self::Distance { anchor_a, anchor_b } => Numbers { anchor_a, anchor_b, ..still },
            Self::Angle { ratio, angle } => Numbers { ratio, angle, ..still },
            Self::Pulley { anchors, ratio } => {
                Numbers { anchor_a: anchors[0], anchor_b: anchors[1], ratio, ..still }
            }
            _ => still,
        }
    }

    pub(crate) fn validate(&self) -> Result<(), Error> {
        match self {
            Self::Text(text) => return text.validate(),
            Self::User(user) => return user.validate(),
            Self::Pulley { anchors, ratio } => {
                for anchor in &anchors[2..] {
                    finite("anchors.x", anchor.x)?;
                    finite("anchors.y", anchor.y)?;
                }
                crate::error::positive("ratio", *ratio)?;
            }
            Self::Drive { pull, .. } => pull.validate()?,
            Self::Tendon { anchors, ratios } => validate_tendon(anchors, ratios)?,
            Self::Path { anchor, angle, from, .. } => {
                finite("anchor.x", anchor.x)?;
                finite("anchor.y", anchor.y)?;
                finite("angle", *angle)?;
                finite("from", from.unwrap_or(0.0))?;
            }
            Self::Coupling { terms, constant } => {
                finite("constant", *constant)?;
                terms.iter().try_for_each(Term::validate)?;
            }
            _ => {}
        }
        let Numbers { anchor_a: a, anchor_b: b, rail, angle, ratio } = self.numbers();
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
