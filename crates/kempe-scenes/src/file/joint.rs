//! Joints of a scene file, and what acts on their axes.

use super::named::{Bodies, Named};
use super::number::{Curve, Law, Number, Point, Target, Values};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a joint holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Everything.
    Weld,
    /// Two points together. Leaves the angle.
    #[default]
    Revolute,
    /// A slider on a rail. Leaves the travel.
    Prismatic,
    /// A point of B on a line of A. Leaves the travel, then the angle.
    Slot,
    /// Nothing by itself. Leaves the length between two points.
    Distance,
    /// Nothing by itself. Leaves ratio · θ_B − θ_A − angle.
    Angle,
    /// Nothing by itself. Leaves |p₂ − p₁| + ratio · |p₄ − p₃|.
    Pulley,
    /// Nothing by itself. Leaves the travel along a direction of A, across it, and the angle.
    Generic,
    /// The same, with a point that is pulled.
    Drive,
    /// Nothing by itself. Leaves the length of a cable through points.
    Tendon,
    /// A point of B on a curve of A. Leaves the arc length, then the angle.
    Path,
    /// Nothing by itself. Leaves a sum over axes of other joints, which is held at 0 unless its axis
    /// says otherwise.
    Coupling,
    /// Nothing. Its bodies do not collide.
    Filter,
    /// What a program says.
    Text,
}

/// A joint. Which fields it can have depends on its kind.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Joint {
    /// What it is called by others.
    pub name: Option<String>,
    /// What it holds.
    pub kind: Kind,
    /// Its bodies by name: A, then B; of a program, by their names in it.
    pub bodies: Option<Bodies>,
    /// Where it is, as a point of the world: both anchors are there, and the angle counts from how
    /// the bodies stand.
    pub at: Option<Point>,
    /// Where its ends are, as points of the world, one for each body.
    pub points: Option<Vec<Point>>,
    /// On A, in its axes; (0, 0).
    pub anchor_a: Option<Point>,
    /// On B, in its axes; (0, 0).
    pub anchor_b: Option<Point>,
    /// On each of its bodies, in their axes.
    pub anchors: Option<Vec<Point>>,
    /// The direction of a rail in the axes of A, of any length; (1, 0).
    pub rail: Option<Point>,
    /// The direction of a rail in the world, instead of `rail`.
    pub direction: Option<Point>,
    /// Where the angle of B against A counts from, rad; 0.
    pub angle: Option<Number>,
    /// ρ of an angle or a pulley; 1.
    pub ratio: Option<Number>,
    /// Of the parts of a tendon; 1 each.
    pub ratios: Option<Vec<Number>>,
    /// What draws a drive.
    pub pull: Option<Box<Pull>>,
    /// The curve of a path, in the axes of A.
    pub path: Option<Box<Path>>,
    /// Whether the angle of a path is against its direction; false.
    pub follow: Option<bool>,
    /// Where the point is at first on a path, by arc length; where it is nearest.
    pub from: Option<Number>,
    /// Whether a path lets go at its end; false.
    pub leave: Option<bool>,
    /// The axes that a coupling is over.
    pub terms: Option<Vec<Term>>,
    /// What the sum of a coupling counts from; 0.
    pub constant: Option<Number>,
    /// Whether a coupling counts from where its joints stand, instead; false.
    pub as_it_stands: Option<bool>,
    /// The text of a joint program.
    pub program: Option<String>,
    /// The file that it is in, seen from the scene's.
    pub file: Option<String>,
    /// Parameters of a joint program.
    pub parameters: Option<Named<Values>>,
    /// Of the first axis: where it is held, as by hard stops.
    pub held: Option<Number>,
    /// Of the first axis: bounds.
    pub limit: Option<Box<Limit>>,
    /// Of the first axis: a drive.
    pub motor: Option<Box<Motor>>,
    /// Of the first axis: a spring.
    pub spring: Option<Box<Spring>>,
    /// Of the first axis: a force that is an expression in `q`, `speed` and `time`.
    pub law: Option<Law>,
    /// Of the first axis: dry friction, N or N·m.
    pub friction: Option<Number>,
    /// Of the first axis: a ratchet.
    pub ratchet: Option<Box<Ratchet>>,
    /// Everything on the axes, in their order, instead of the seven above.
    pub axes: Option<Vec<Axis>>,
    /// How the hold yields, and stops without a softness of their own; rigid.
    pub softness: Option<Box<Softness>>,
    /// The largest force of the hold, and of each stop, spring and motor, N; any.
    pub max_force: Option<Number>,
    /// The largest torque of what only turns bodies, N·m; any.
    pub max_torque: Option<Number>,
    /// When it breaks; never.
    pub breaking: Option<Box<Breaking>>,
    /// An event tells when the force passes this, N.
    pub threshold: Option<Number>,
    /// Whether its bodies collide with each other; false.
    pub collide_connected: Option<bool>,
    /// Whether a step starts with the impulses of the last one; true.
    pub warm_start: Option<bool>,
    /// Whether it takes part; true.
    pub enabled: Option<bool>,
    /// For the user; 0.
    pub user_data: Option<u64>,
}

/// What acts on an axis.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Axis {
    /// Where it is held, as by hard stops.
    pub held: Option<Number>,
    /// Bounds.
    pub limit: Option<Box<Limit>>,
    /// A drive.
    pub motor: Option<Box<Motor>>,
    /// A spring.
    pub spring: Option<Box<Spring>>,
    /// A force that is an expression in `q`, `speed` and `time`.
    pub law: Option<Law>,
    /// Dry friction, N or N·m.
    pub friction: Option<Number>,
    /// A ratchet.
    pub ratchet: Option<Box<Ratchet>>,
}

/// Bounds of an axis.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Limit {
    /// m or rad; none.
    pub lower: Option<Number>,
    /// m or rad; none.
    pub upper: Option<Number>,
    /// How the stops yield; as the joint.
    pub softness: Option<Box<Softness>>,
    /// How much of the speed comes back from a stop, 0 to 1; 0.
    pub restitution: Option<Number>,
    /// What the stops can resist, N or N·m; anything.
    pub force: Option<Number>,
}

/// Declares a struct that has the fields of a softness behind its own.
macro_rules! soft {
    ($(#[$about:meta])* pub struct $name:ident { $($(#[$field_about:meta])* pub $field:ident: $type:ty,)* }) => {
        $(#[$about])*
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            $($(#[$field_about])* pub $field: $type,)*
            /// A spring of this frequency for the mass that it moves, Hz.
            pub hertz: Option<Number>,
            /// With `hertz`: 1 is critical; 0.
            pub damping_ratio: Option<Number>,
            /// A spring of N/m or N·m/rad.
            pub stiffness: Option<Number>,
            /// With `stiffness` or `compliance`: N·s/m or N·m·s/rad; 0.
            pub damping: Option<Number>,
            /// A spring by its stiffness per mass that it moves, 1/s².
            pub stiffness_per_mass: Option<Number>,
            /// With `stiffness_per_mass`: 1/s; 0.
            pub damping_per_mass: Option<Number>,
            /// The inverse of a stiffness, m/N; 0 is rigid.
            pub compliance: Option<Number>,
            /// Rigid, with the error removed at a rate: the fraction that is left after a second.
            pub remaining: Option<Number>,
            /// With `remaining`: the largest speed at which it is removed; any.
            pub max_bias: Option<Number>,
        }

        impl $name {
            /// Its softness, or what is wrong with it.
            pub(super) fn softness(&self) -> Result<kempe2d::Softness, String> {
                super::axis::softness(&super::axis::Given {
                    hertz: self.hertz.as_ref(),
                    damping_ratio: self.damping_ratio.as_ref(),
                    stiffness: self.stiffness.as_ref(),
                    damping: self.damping.as_ref(),
                    stiffness_per_mass: self.stiffness_per_mass.as_ref(),
                    damping_per_mass: self.damping_per_mass.as_ref(),
                    compliance: self.compliance.as_ref(),
                    remaining: self.remaining.as_ref(),
                    max_bias: self.max_bias.as_ref(),
                })
            }

            /// The same with the numbers of a softness.
            pub(super) fn softened(mut self, softness: kempe2d::Softness) -> Self {
                let some = |value: f64| Some(Number::Value(value));
                // What is 0 is absent, but for its sign.
                let other = |value: f64, absent: f64| {
                    (value.to_bits() != absent.to_bits()).then_some(Number::Value(value))
                };
                match softness {
                    kempe2d::Softness::Rigid => {}
                    kempe2d::Softness::Hertz { hertz, damping_ratio } => {
                        self.hertz = some(hertz);
                        self.damping_ratio = other(damping_ratio, 0.0);
                    }
                    kempe2d::Softness::Stiffness { stiffness, damping } => {
                        self.stiffness = some(stiffness);
                        self.damping = other(damping, 0.0);
                    }
                    kempe2d::Softness::MassNormalized { stiffness, damping } => {
                        self.stiffness_per_mass = some(stiffness);
                        self.damping_per_mass = other(damping, 0.0);
                    }
                    kempe2d::Softness::Compliance { compliance, damping } => {
                        self.compliance = some(compliance);
                        self.damping = other(damping, 0.0);
                    }
                    kempe2d::Softness::ErrorBias { remaining, max_bias } => {
                        self.remaining = some(remaining);
                        self.max_bias = other(max_bias, f64::INFINITY);
                    }
                }
                self
            }
        }
    };
}

soft! {
    /// How a hold or a stop yields: by `hertz`, `stiffness`, `stiffness_per_mass`, `compliance` or
    /// `remaining`, one of them; without, it is rigid.
    pub struct Softness {}
}

soft! {
    /// A drive: at a `speed`, to a `target` by a spring, both, or with a `force`.
    pub struct Motor {
        /// m/s or rad/s.
        pub speed: Option<Target>,
        /// m or rad.
        pub target: Option<Target>,
        /// N or N·m, whatever the axis does.
        pub force: Option<Target>,
        /// The largest force that raises the coordinate, and, without `min_force`, the largest that
        /// lowers it; any.
        pub max_force: Option<Number>,
        /// The largest force that lowers the coordinate, negative or 0.
        pub min_force: Option<Number>,
    }
}

soft! {
    /// A spring on an axis.
    pub struct Spring {
        /// Where it rests, m or rad; 0.
        pub rest: Option<Number>,
        /// The largest force that raises the coordinate, and, without `min_force`, the largest that
        /// lowers it; any.
        pub max_force: Option<Number>,
        /// The largest force that lowers the coordinate, negative or 0.
        pub min_force: Option<Number>,
    }
}

soft! {
    /// What draws the point of a drive, in the frame of its axes on A.
    pub struct Pull {
        /// Where the spring rests, m; (0, 0).
        pub target: Option<Point>,
        /// The largest force of the spring, N; 0.
        pub spring_force: Option<Number>,
        /// The velocity that the motor reaches for, m/s; (0, 0).
        pub velocity: Option<Point>,
        /// The largest force of the motor, N; 0.
        pub velocity_force: Option<Number>,
    }
}

/// Teeth that let the coordinate pass one way only.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ratchet {
    /// From tooth to tooth; a negative one lets the coordinate fall.
    pub step: Number,
    /// Where one of the teeth is; 0.
    pub phase: Option<Number>,
}

/// The curve of a path.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Path {
    /// What it goes through.
    pub points: Vec<Point>,
    /// Whether it goes from the last back to the first; false.
    pub closed: Option<bool>,
    /// Whether it is a spline; false.
    pub smooth: Option<bool>,
}

/// An axis in a coupling.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Term {
    /// Of which joint.
    pub joint: String,
    /// Which of its axes; 0.
    pub axis: Option<usize>,
    /// It counts by this factor; 1.
    pub ratio: Option<Number>,
    /// Or by a polynomial, c₀ + c₁ q + … + c₄ q⁴.
    pub polynomial: Option<Vec<Number>>,
    /// Or by an expression in `q` and `time`.
    pub curve: Option<Curve>,
}

/// What happens to a joint that breaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Then {
    /// It is removed.
    #[default]
    Remove,
    /// It is disabled.
    Disable,
    /// Nothing but an event.
    Event,
}

/// When a joint breaks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Breaking {
    /// Above this force, N; never.
    pub force: Option<Number>,
    /// Above this torque, N·m; never.
    pub torque: Option<Number>,
    /// Above this error, m or rad; never.
    pub error: Option<Number>,
    /// Force and torque pass a low-pass filter of this time constant, s; 0.
    pub filter: Option<Number>,
    /// What happens then; remove.
    pub then: Option<Then>,
}
