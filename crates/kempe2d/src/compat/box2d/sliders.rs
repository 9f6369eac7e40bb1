//! Joints with a coordinate in metres.

use super::{Base, motor, spring};
use crate::body::BodyId;
use crate::error::{Error, at_least_zero, positive};
use crate::joint::{Axis, ForceRange, JointDef, JointKind};

/// Two points a length apart: `b2DistanceJointDef`.
///
/// Becomes [`JointKind::Distance`]. Without a spring it is a rod that overrides limit and motor, as
/// in Box2D, and also with one if the limits are equal.
///
/// | Box2D | here |
/// |---|---|
/// | `enable_spring`, `hertz`, `damping_ratio`, `length` | [`Axis::spring`] |
/// | `lower_spring_force`, `upper_spring_force` | [`Spring::force`](crate::Spring::force), same signs: negative pulls |
/// | `enable_limit`, `min_length`, `max_length` | [`Axis::limit`] |
/// | `enable_motor`, `motor_speed`, `max_motor_force` | [`Axis::motor`], positive lengthens |
/// | `b2DistanceJoint_GetCurrentLength` | [`World::joint_coordinate`](crate::World::joint_coordinate) |
/// | `b2DistanceJoint_GetMotorForce` | [`World::joint_axis_force`](crate::World::joint_axis_force) |
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DistanceJointDef {
    /// What every joint has. Of the frames, the positions.
    pub base: Base,
    /// The rest length, m; above 0.
    pub length: f64,
    /// Whether it is a spring; else it is rigid, whatever limit and motor say.
    pub enable_spring: bool,
    /// N: the most that it pulls, negative.
    pub lower_spring_force: f64,
    /// N: the most that it pushes.
    pub upper_spring_force: f64,
    /// Of the spring, Hz; 0 for none.
    pub hertz: f64,
    /// Of the spring, ζ.
    pub damping_ratio: f64,
    /// Whether the length has bounds.
    pub enable_limit: bool,
    /// The least length, m.
    pub min_length: f64,
    /// The greatest length, m.
    pub max_length: f64,
    /// Whether there is a motor.
    pub enable_motor: bool,
    /// N.
    pub max_motor_force: f64,
    /// m/s.
    pub motor_speed: f64,
}

impl DistanceJointDef {
    /// With Box2D's defaults: a rod of 1 m.
    pub fn new(body_a: BodyId, body_b: BodyId) -> Self {
        Self {
            base: Base::new(body_a, body_b),
            length: 1.0,
            enable_spring: false,
            lower_spring_force: f64::NEG_INFINITY,
            upper_spring_force: f64::INFINITY,
            hertz: 0.0,
            damping_ratio: 0.0,
            enable_limit: false,
            min_length: 0.0,
            max_length: f64::INFINITY,
            enable_motor: false,
            max_motor_force: 0.0,
            motor_speed: 0.0,
        }
    }

    /// What it is here.
    ///
    /// # Errors
    /// If a number makes no sense.
    pub fn joint(&self) -> Result<JointDef, Error> {
        positive("length", self.length)?;
        let (lower, upper) = (self.min_length, self.max_length);
        if self.enable_limit {
            at_least_zero("min_length", lower)?;
            if upper.is_nan() || lower > upper {
                let must_be = "at most `max_length`";
                return Err(Error::Number { field: "min_length", value: lower, must_be });
            }
        }
        let mut axis = Axis::default();
        if self.enable_spring && (!self.enable_limit || lower < upper) {
            axis.spring = spring(self.length, self.hertz, self.damping_ratio);
            if let Some(spring) = &mut axis.spring {
                let (lower, upper) = (self.lower_spring_force, self.upper_spring_force);
                spring.force = ForceRange { lower, upper };
            }
            axis.limit = self.enable_limit.then(|| self.base.limit(lower, upper));
            axis.motor = self.enable_motor.then(|| motor(self.motor_speed, self.max_motor_force));
        } else {
            axis.limit = Some(self.base.limit(self.length, self.length));
        }
        let [anchor_a, anchor_b] = self.base.anchors();
        let kind = JointKind::Distance { anchor_a, anchor_b };
        let Base { body_id_a: a, body_id_b: b, .. } = self.base;
        self.base.finish(JointDef::new(kind, a, b).with_axis(axis))
    }
}

/// A slider that does not turn: `b2PrismaticJointDef`. B moves along the x axis of frame A.
///
/// Becomes [`JointKind::Prismatic`]; its axis is the travel of the frames' origins.
///
/// | Box2D | here |
/// |---|---|
/// | `enable_spring`, `hertz`, `damping_ratio`, `target_translation` | [`Axis::spring`] |
/// | `enable_limit`, `lower_translation`, `upper_translation` | [`Axis::limit`] |
/// | `enable_motor`, `motor_speed`, `max_motor_force` | [`Axis::motor`] |
/// | `b2PrismaticJoint_GetTranslation`, `GetSpeed` | [`World::joint_coordinate`](crate::World::joint_coordinate), [`joint_speed`](crate::World::joint_speed) |
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrismaticJointDef {
    /// What every joint has.
    pub base: Base,
    /// Whether there is a spring along the rail.
    pub enable_spring: bool,
    /// Of the spring, Hz; 0 for none.
    pub hertz: f64,
    /// Of the spring, ζ.
    pub damping_ratio: f64,
    /// Where the spring rests, m.
    pub target_translation: f64,
    /// Whether the travel has bounds.
    pub enable_limit: bool,
    /// m.
    pub lower_translation: f64,
    /// m.
    pub upper_translation: f64,
    /// Whether there is a motor.
    pub enable_motor: bool,
    /// N.
    pub max_motor_force: f64,
    /// m/s.
    pub motor_speed: f64,
}

impl PrismaticJointDef {
    /// With Box2D's defaults: free along the rail.
    pub fn new(body_a: BodyId, body_b: BodyId) -> Self {
        Self {
            base: Base::new(body_a, body_b),
            enable_spring: false,
            hertz: 0.0,
            damping_ratio: 0.0,
            target_translation: 0.0,
            enable_limit: false,
            lower_translation: 0.0,
            upper_translation: 0.0,
            enable_motor: false,
            max_motor_force: 0.0,
            motor_speed: 0.0,
        }
    }

    /// What it is here.
    ///
    /// # Errors
    /// If a number makes no sense.
    pub fn joint(&self) -> Result<JointDef, Error> {
        let mut axis = Axis::default();
        if self.enable_spring {
            axis.spring = spring(self.target_translation, self.hertz, self.damping_ratio);
        }
        let (lower, upper) = (self.lower_translation, self.upper_translation);
        axis.limit = self.enable_limit.then(|| self.base.limit(lower, upper));
        axis.motor = self.enable_motor.then(|| motor(self.motor_speed, self.max_motor_force));
        let [anchor_a, anchor_b] = self.base.anchors();
        let (rail, angle) = (self.base.local_frame_a.x_axis(), self.base.angle());
        let kind = JointKind::Prismatic { anchor_a, anchor_b, rail, angle };
        let Base { body_id_a: a, body_id_b: b, .. } = self.base;
        let joint = JointDef::new(kind, a, b).with_softness(self.base.constraint());
        self.base.finish(joint.with_axis(axis))
    }
}
