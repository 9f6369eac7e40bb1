//! Joints at a point: a pin, a weld, a wheel.

use super::{Base, hertz, motor, spring};
use crate::body::BodyId;
use crate::error::{Error, at_least_zero};
use crate::joint::{Axis, JointDef, JointKind, Limit, Spring};
use kempe_solve::Softness;

/// A pin through two bodies: `b2RevoluteJointDef`.
///
/// Becomes [`JointKind::Revolute`]; its axis is the angle of frame B against frame A, unwrapped.
/// Limits and target may be anything, where Box2D stops at ±0.99 π.
///
/// | Box2D | here |
/// |---|---|
/// | `enable_spring`, `hertz`, `damping_ratio`, `target_angle` | [`Axis::spring`] |
/// | `enable_limit`, `lower_angle`, `upper_angle` | [`Axis::limit`] |
/// | `enable_motor`, `motor_speed`, `max_motor_torque` | [`Axis::motor`], positive turns B counter-clockwise |
/// | `b2RevoluteJoint_GetAngle`, `GetMotorTorque` | [`World::joint_coordinate`](crate::World::joint_coordinate), [`joint_axis_force`](crate::World::joint_axis_force) |
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RevoluteJointDef {
    /// What every joint has.
    pub base: Base,
    /// Where the spring rests, rad.
    pub target_angle: f64,
    /// Whether there is a spring on the angle.
    pub enable_spring: bool,
    /// Of the spring, Hz; 0 for none.
    pub hertz: f64,
    /// Of the spring, ζ.
    pub damping_ratio: f64,
    /// Whether the angle has bounds.
    pub enable_limit: bool,
    /// rad.
    pub lower_angle: f64,
    /// rad.
    pub upper_angle: f64,
    /// Whether there is a motor.
    pub enable_motor: bool,
    /// N·m.
    pub max_motor_torque: f64,
    /// rad/s.
    pub motor_speed: f64,
}

impl RevoluteJointDef {
    /// With Box2D's defaults: turns freely.
    pub fn new(body_a: BodyId, body_b: BodyId) -> Self {
        Self {
            base: Base::new(body_a, body_b),
            target_angle: 0.0,
            enable_spring: false,
            hertz: 0.0,
            damping_ratio: 0.0,
            enable_limit: false,
            lower_angle: 0.0,
            upper_angle: 0.0,
            enable_motor: false,
            max_motor_torque: 0.0,
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
            axis.spring = spring(self.target_angle, self.hertz, self.damping_ratio);
        }
        let (lower, upper) = (self.lower_angle, self.upper_angle);
        axis.limit = self.enable_limit.then(|| self.base.limit(lower, upper));
        axis.motor = self.enable_motor.then(|| motor(self.motor_speed, self.max_motor_torque));
        let joint = pin(&self.base).with_softness(self.base.constraint());
        self.base.finish(joint.with_axis(axis))
    }
}

fn pin(base: &Base) -> JointDef {
    let [anchor_a, anchor_b] = base.anchors();
    let kind = JointKind::Revolute { anchor_a, anchor_b, angle: base.angle() };
    JointDef::new(kind, base.body_id_a, base.body_id_b)
}

/// Everything held, rigidly or by springs: `b2WeldJointDef`.
///
/// Rigid it is [`JointKind::Weld`]. With a spring it is [`JointKind::Revolute`], as Box2D solves it:
/// `linear_hertz` is the softness of the point, and the angle is an axis that a spring of
/// `angular_hertz` holds, or equal limits if that is 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WeldJointDef {
    /// What every joint has.
    pub base: Base,
    /// Of the point, Hz; 0 is rigid.
    pub linear_hertz: f64,
    /// Of the angle, Hz; 0 is rigid.
    pub angular_hertz: f64,
    /// Of the point, ζ.
    pub linear_damping_ratio: f64,
    /// Of the angle, ζ.
    pub angular_damping_ratio: f64,
}

impl WeldJointDef {
    /// With Box2D's defaults: rigid.
    pub fn new(body_a: BodyId, body_b: BodyId) -> Self {
        Self {
            base: Base::new(body_a, body_b),
            linear_hertz: 0.0,
            angular_hertz: 0.0,
            linear_damping_ratio: 0.0,
            angular_damping_ratio: 0.0,
        }
    }

    /// What it is here.
    ///
    /// # Errors
    /// If a number makes no sense.
    pub fn joint(&self) -> Result<JointDef, Error> {
        at_least_zero("linear_hertz", self.linear_hertz)?;
        at_least_zero("angular_hertz", self.angular_hertz)?;
        at_least_zero("linear_damping_ratio", self.linear_damping_ratio)?;
        at_least_zero("angular_damping_ratio", self.angular_damping_ratio)?;
        let base = &self.base;
        if self.linear_hertz == 0.0 && self.angular_hertz == 0.0 {
            let weld = JointDef::weld(base.body_id_a, base.body_id_b, base.anchors(), base.angle());
            return base.finish(weld.with_softness(base.constraint()));
        }
        let point = match self.linear_hertz {
            0.0 => base.constraint(),
            frequency => hertz(frequency, self.linear_damping_ratio),
        };
        let axis = match self.angular_hertz {
            0.0 => {
                // A rigid limit would be held with the point, as softly.
                let softness = match base.constraint() {
                    Softness::Rigid => Softness::Compliance { compliance: 0.0, damping: 0.0 },
                    other => other,
                };
                let limit = Limit { softness, ..Limit::new(0.0, 0.0) };
                Axis { limit: Some(limit), ..Axis::default() }
            }
            frequency => {
                let spring = Spring::new(0.0, hertz(frequency, self.angular_damping_ratio));
                Axis { spring: Some(spring), ..Axis::default() }
            }
        };
        base.finish(pin(base).with_softness(point).with_axis(axis))
    }
}

/// A wheel on a suspension along the x axis of frame A: `b2WheelJointDef`.
///
/// Becomes [`JointKind::Slot`]. Its first axis is the travel, with spring and limit; the second the
/// angle, with the motor. Both may have more here.
///
/// | Box2D | here |
/// |---|---|
/// | `enable_spring`, `hertz`, `damping_ratio` | [`Axis::spring`] of axis 0, at rest where the frames meet |
/// | `enable_limit`, `lower_translation`, `upper_translation` | [`Axis::limit`] of axis 0 |
/// | `enable_motor`, `motor_speed`, `max_motor_torque` | [`Axis::motor`] of axis 1 |
/// | `b2WheelJoint_GetMotorTorque` | [`World::joint_axis_force`](crate::World::joint_axis_force) of axis 1 |
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WheelJointDef {
    /// What every joint has.
    pub base: Base,
    /// Whether there is a spring along the line.
    pub enable_spring: bool,
    /// Of the spring, Hz; 0 for none.
    pub hertz: f64,
    /// Of the spring, ζ.
    pub damping_ratio: f64,
    /// Whether the travel has bounds.
    pub enable_limit: bool,
    /// m.
    pub lower_translation: f64,
    /// m.
    pub upper_translation: f64,
    /// Whether a motor turns the wheel.
    pub enable_motor: bool,
    /// N·m.
    pub max_motor_torque: f64,
    /// rad/s.
    pub motor_speed: f64,
}

impl WheelJointDef {
    /// With Box2D's defaults: a spring of 1 Hz, ζ = 0.7.
    pub fn new(body_a: BodyId, body_b: BodyId) -> Self {
        Self {
            base: Base::new(body_a, body_b),
            enable_spring: true,
            hertz: 1.0,
            damping_ratio: 0.7,
            enable_limit: false,
            lower_translation: 0.0,
            upper_translation: 0.0,
            enable_motor: false,
            max_motor_torque: 0.0,
            motor_speed: 0.0,
        }
    }

    /// What it is here.
    ///
    /// # Errors
    /// If a number makes no sense.
    pub fn joint(&self) -> Result<JointDef, Error> {
        let (mut travel, mut turn) = (Axis::default(), Axis::default());
        if self.enable_spring {
            travel.spring = spring(0.0, self.hertz, self.damping_ratio);
        }
        let (lower, upper) = (self.lower_translation, self.upper_translation);
        travel.limit = self.enable_limit.then(|| self.base.limit(lower, upper));
        turn.motor = self.enable_motor.then(|| motor(self.motor_speed, self.max_motor_torque));
        let [anchor_a, anchor_b] = self.base.anchors();
        let (rail, angle) = (self.base.local_frame_a.x_axis(), self.base.angle());
        let kind = JointKind::Slot { anchor_a, anchor_b, rail, angle };
        let Base { body_id_a: a, body_id_b: b, .. } = self.base;
        let joint = JointDef::new(kind, a, b).with_softness(self.base.constraint());
        self.base.finish(joint.with_axis(travel).with_second_axis(turn))
    }
}
