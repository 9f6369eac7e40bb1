//! Rapier's joints by their names.

use super::{GenericJoint, JointAxesMask, JointAxis, MotorModel, Pose, SpringCoefficients};
use crate::body::BodyId;
use crate::error::Error;
use crate::joint::JointDef;
use kempe_scalar::{Vec2, precise};

/// What all of them have.
macro_rules! common {
    ($name:ident) => {
        impl $name {
            /// The same with its point on body 1, from the body's origin.
            #[must_use]
            pub fn local_anchor1(mut self, anchor: Vec2) -> Self {
                self.data.local_frame1.translation = anchor;
                self
            }

            /// The same with its point on body 2, from the body's origin.
            #[must_use]
            pub fn local_anchor2(mut self, anchor: Vec2) -> Self {
                self.data.local_frame2.translation = anchor;
                self
            }

            /// The same with bodies that collide, or do not.
            #[must_use]
            pub fn contacts_enabled(mut self, enabled: bool) -> Self {
                self.data.contacts_enabled = enabled;
                self
            }

            /// The same with locked axes and limits that yield so.
            #[must_use]
            pub fn softness(mut self, softness: SpringCoefficients) -> Self {
                self.data.softness = softness;
                self
            }

            /// What it is here, between two bodies.
            ///
            /// # Errors
            /// If a number makes no sense.
            pub fn joint(&self, body1: BodyId, body2: BodyId) -> Result<JointDef, Error> {
                self.data.joint(body1, body2)
            }
        }

        impl From<$name> for GenericJoint {
            fn from(joint: $name) -> Self {
                joint.data
            }
        }
    };
}

/// What those with a free axis have.
macro_rules! driven {
    ($name:ident, $axis:ident) => {
        impl $name {
            /// The same with a motor that reaches for a velocity; the factor is its damping, 1/s
            /// unless it is force-based.
            #[must_use]
            pub fn motor_velocity(mut self, target_vel: f64, factor: f64) -> Self {
                self.data = self.data.motor_velocity(JointAxis::$axis, target_vel, factor);
                self
            }

            /// The same with a motor that reaches for a position.
            #[must_use]
            pub fn motor_position(mut self, target_pos: f64, stiffness: f64, damping: f64) -> Self {
                let axis = JointAxis::$axis;
                self.data = self.data.motor_position(axis, target_pos, stiffness, damping);
                self
            }

            /// The same with a motor that reaches for both: Rapier's `set_motor`.
            #[must_use]
            pub fn motor(
                mut self,
                target_pos: f64,
                target_vel: f64,
                stiffness: f64,
                damping: f64,
            ) -> Self {
                let axis = JointAxis::$axis;
                self.data = self.data.motor(axis, target_pos, target_vel, stiffness, damping);
                self
            }

            /// The same with another meaning of the motor's numbers.
            #[must_use]
            pub fn motor_model(mut self, model: MotorModel) -> Self {
                self.data = self.data.motor_model(JointAxis::$axis, model);
                self
            }

            /// The same with the most that the motor may use, N or N·m.
            #[must_use]
            pub fn motor_max_force(mut self, max_force: f64) -> Self {
                self.data = self.data.motor_max_force(JointAxis::$axis, max_force);
                self
            }
        }
    };
}

/// What those with a free axis that Rapier limits have.
macro_rules! limited {
    ($name:ident, $axis:ident) => {
        impl $name {
            /// The same with these bounds, m or rad.
            #[must_use]
            pub fn limits(mut self, limits: [f64; 2]) -> Self {
                self.data = self.data.limits(JointAxis::$axis, limits);
                self
            }
        }
    };
}

/// What those along a direction have.
macro_rules! aligned {
    ($name:ident) => {
        impl $name {
            /// The same along another direction of body 1; of any length but 0.
            #[must_use]
            pub fn local_axis1(mut self, axis: Vec2) -> Self {
                self.data.local_frame1.rotation = direction(axis);
                self
            }

            /// The same with another direction of body 2, which its angle counts from.
            #[must_use]
            pub fn local_axis2(mut self, axis: Vec2) -> Self {
                self.data.local_frame2.rotation = direction(axis);
                self
            }
        }
    };
}

/// The angle of a direction; one of length 0 has none and is refused later.
fn direction(axis: Vec2) -> f64 {
    match axis.length() {
        0.0 => f64::NAN,
        _ => precise::atan2(axis.y, axis.x),
    }
}

/// Frames whose x axes are a direction.
fn along(locked_axes: JointAxesMask, axis: Vec2) -> GenericJoint {
    let frame = Pose { translation: Vec2::ZERO, rotation: direction(axis) };
    GenericJoint { local_frame1: frame, local_frame2: frame, ..GenericJoint::new(locked_axes) }
}

/// The distance of two points and nothing else.
fn length() -> GenericJoint {
    GenericJoint { coupled_axes: JointAxesMask::LIN_AXES, ..GenericJoint::default() }
}

/// Everything locked. Becomes [`JointKind::Weld`](crate::JointKind::Weld).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FixedJoint {
    /// All of it.
    pub data: GenericJoint,
}

impl Default for FixedJoint {
    fn default() -> Self {
        Self { data: GenericJoint::new(JointAxesMask::LOCKED_FIXED_AXES) }
    }
}

impl FixedJoint {
    /// The origins together, in one direction.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same with its frame on body 1.
    #[must_use]
    pub fn local_frame1(mut self, frame: Pose) -> Self {
        self.data.local_frame1 = frame;
        self
    }

    /// The same with its frame on body 2.
    #[must_use]
    pub fn local_frame2(mut self, frame: Pose) -> Self {
        self.data.local_frame2 = frame;
        self
    }
}

common!(FixedJoint);

/// A pin. Becomes [`JointKind::Revolute`](crate::JointKind::Revolute); the angle counts from where
/// the bodies have one rotation and is unwrapped, so that limits may be of any number of turns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RevoluteJoint {
    /// All of it.
    pub data: GenericJoint,
}

impl Default for RevoluteJoint {
    fn default() -> Self {
        Self { data: GenericJoint::new(JointAxesMask::LOCKED_REVOLUTE_AXES) }
    }
}

impl RevoluteJoint {
    /// The origins together.
    pub fn new() -> Self {
        Self::default()
    }
}

common!(RevoluteJoint);
driven!(RevoluteJoint, AngX);
limited!(RevoluteJoint, AngX);

/// A slider. Becomes [`JointKind::Prismatic`](crate::JointKind::Prismatic).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrismaticJoint {
    /// All of it.
    pub data: GenericJoint,
}

impl PrismaticJoint {
    /// Along a direction that is the same in the axes of both bodies.
    pub fn new(axis: Vec2) -> Self {
        Self { data: along(JointAxesMask::LOCKED_PRISMATIC_AXES, axis) }
    }
}

common!(PrismaticJoint);
driven!(PrismaticJoint, LinX);
limited!(PrismaticJoint, LinX);
aligned!(PrismaticJoint);

/// A pin in a slot of body 1. Becomes [`JointKind::Slot`](crate::JointKind::Slot), whose second axis,
/// the angle, may have a motor and more here. False friend: Chipmunk's pin joint is a rod.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PinSlotJoint {
    /// All of it.
    pub data: GenericJoint,
}

impl PinSlotJoint {
    /// Along a direction that is the same in the axes of both bodies.
    pub fn new(axis: Vec2) -> Self {
        Self { data: along(JointAxesMask::LOCKED_PIN_SLOT_AXES, axis) }
    }
}

common!(PinSlotJoint);
driven!(PinSlotJoint, LinX);
limited!(PinSlotJoint, LinX);
aligned!(PinSlotJoint);

/// Two points at most a distance apart. Becomes [`JointKind::Distance`](crate::JointKind::Distance)
/// with an upper limit; the motor is a winch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RopeJoint {
    /// All of it.
    pub data: GenericJoint,
}

impl RopeJoint {
    /// At most `max_dist` m long, above 0.
    pub fn new(max_dist: f64) -> Self {
        Self { data: length() }.max_distance(max_dist)
    }

    /// The same with another length.
    #[must_use]
    pub fn max_distance(mut self, max_dist: f64) -> Self {
        self.data = self.data.limits(JointAxis::LinX, [f64::NEG_INFINITY, max_dist]);
        self
    }
}

common!(RopeJoint);
driven!(RopeJoint, LinX);

/// A spring and a damper between two points. Becomes
/// [`JointKind::Distance`](crate::JointKind::Distance) with a motor to the rest length.
///
/// Its numbers are N/m and N·s/m: it is force-based, unlike the motors. False friend: Box2D's and
/// Nape's damping is a ratio.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringJoint {
    /// All of it.
    pub data: GenericJoint,
}

impl SpringJoint {
    /// Of a rest length, m, a stiffness, N/m, and a damping, N·s/m.
    pub fn new(rest_length: f64, stiffness: f64, damping: f64) -> Self {
        let data = length().motor_position(JointAxis::LinX, rest_length, stiffness, damping);
        Self { data }.spring_model(MotorModel::ForceBased)
    }

    /// The same with another meaning of its numbers.
    #[must_use]
    pub fn spring_model(mut self, model: MotorModel) -> Self {
        self.data = self.data.motor_model(JointAxis::LinX, model);
        self
    }
}

common!(SpringJoint);
