//! Joints that drive a body without holding it, and the one that does nothing.

use super::{Base, hertz, motor};
use crate::body::BodyId;
use crate::error::Error;
use crate::joint::{Axis, ForceRange, JointDef, JointKind, Pull, Spring};
use kempe_scalar::Vec2;

/// `value`, if it can be the most of a force.
pub(super) fn most(field: &'static str, value: f64) -> Result<f64, Error> {
    if value >= 0.0 {
        return Ok(value);
    }
    Err(Error::Number { field, value, must_be: "at least 0; infinity for any" })
}

/// B's whole pose driven against A, by a velocity and by a spring: `b2MotorJointDef`. Not Nape's
/// motor joint, which drives an angle: that is [`JointDef::angular_motor`].
///
/// Becomes [`JointKind::Drive`]: the linear part is a [`Pull`], the angular part is on axis 2. The
/// axes are those of A; Box2D's are the world's, which is the same while A does not turn. The angle
/// is unwrapped, so the spring leads back over all turns.
///
/// | Box2D | here |
/// |---|---|
/// | `linear_velocity`, `max_velocity_force` | [`Pull::velocity`], [`Pull::velocity_force`] |
/// | `linear_hertz`, `linear_damping_ratio`, `max_spring_force` | [`Pull::softness`], [`Pull::spring_force`] |
/// | `angular_velocity`, `max_velocity_torque` | [`Axis::motor`] of axis 2 |
/// | `angular_hertz`, `angular_damping_ratio`, `max_spring_torque` | [`Axis::spring`] of axis 2 |
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MotorJointDef {
    /// What every joint has. The springs bring the frames together.
    pub base: Base,
    /// m/s.
    pub linear_velocity: Vec2,
    /// N, as a vector.
    pub max_velocity_force: f64,
    /// rad/s.
    pub angular_velocity: f64,
    /// N·m.
    pub max_velocity_torque: f64,
    /// Of the linear spring, Hz; 0 for none.
    pub linear_hertz: f64,
    /// Of the linear spring, ζ.
    pub linear_damping_ratio: f64,
    /// N, as a vector.
    pub max_spring_force: f64,
    /// Of the angular spring, Hz; 0 for none.
    pub angular_hertz: f64,
    /// Of the angular spring, ζ.
    pub angular_damping_ratio: f64,
    /// N·m.
    pub max_spring_torque: f64,
}

impl MotorJointDef {
    /// With Box2D's defaults: no force at all.
    pub fn new(body_a: BodyId, body_b: BodyId) -> Self {
        Self {
            base: Base::new(body_a, body_b),
            linear_velocity: Vec2::ZERO,
            max_velocity_force: 0.0,
            angular_velocity: 0.0,
            max_velocity_torque: 0.0,
            linear_hertz: 0.0,
            linear_damping_ratio: 0.0,
            max_spring_force: 0.0,
            angular_hertz: 0.0,
            angular_damping_ratio: 0.0,
            max_spring_torque: 0.0,
        }
    }

    /// What it is here.
    ///
    /// # Errors
    /// If a number makes no sense.
    pub fn joint(&self) -> Result<JointDef, Error> {
        let linear = most("max_spring_force", self.max_spring_force)?;
        let angular = most("max_spring_torque", self.max_spring_torque)?;
        let torque = most("max_velocity_torque", self.max_velocity_torque)?;
        let pull = Pull {
            target: Vec2::ZERO,
            softness: hertz(self.linear_hertz, self.linear_damping_ratio),
            spring_force: linear,
            velocity: self.linear_velocity,
            velocity_force: most("max_velocity_force", self.max_velocity_force)?,
        };
        let mut turn = Axis::default();
        if torque > 0.0 {
            turn.motor = Some(motor(self.angular_velocity, torque));
        }
        if angular > 0.0 && self.angular_hertz != 0.0 {
            let softness = hertz(self.angular_hertz, self.angular_damping_ratio);
            let force = ForceRange::symmetric(angular);
            turn.spring = Some(Spring { rest: 0.0, softness, force });
        }
        let [anchor_a, anchor_b] = self.base.anchors();
        let (rail, angle) = (Vec2::X, self.base.angle());
        let pull = Box::new(pull);
        let kind = JointKind::Drive { anchor_a, anchor_b, rail, angle, pull };
        let mut joint = JointDef::new(kind, self.base.body_id_a, self.base.body_id_b);
        *joint.axis_mut(2) = turn;
        self.base.finish(joint)
    }
}

/// A character that is moved at a velocity, with forces of its own for x and y: `b2MoverJointDef`.
///
/// Becomes [`JointKind::Generic`] with motors on axes 0 and 1, like [`JointDef::mover`]. Box2D moves
/// the centre of mass; here it is the position of frame B, so put that there if it is not the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoverJointDef {
    /// What every joint has.
    pub base: Base,
    /// m/s, in the axes of A.
    pub linear_velocity: Vec2,
    /// N along x and along y.
    pub max_velocity_force: Vec2,
}

impl MoverJointDef {
    /// With Box2D's defaults: no force at all.
    pub fn new(body_a: BodyId, body_b: BodyId) -> Self {
        Self {
            base: Base::new(body_a, body_b),
            linear_velocity: Vec2::ZERO,
            max_velocity_force: Vec2::ZERO,
        }
    }

    /// What it is here.
    ///
    /// # Errors
    /// If a number makes no sense.
    pub fn joint(&self) -> Result<JointDef, Error> {
        let (velocity, force) = (self.linear_velocity, self.max_velocity_force);
        let x = motor(velocity.x, most("max_velocity_force.x", force.x)?);
        let y = motor(velocity.y, most("max_velocity_force.y", force.y)?);
        let axes = [Axis::driven(x), Axis::driven(y), Axis::default()];
        let Base { body_id_a: a, body_id_b: b, .. } = self.base;
        self.base.finish(JointDef::generic(a, b, self.base.anchors(), axes))
    }
}

/// A leg that holds a character above the ground: `b2PogoJointDef`.
///
/// Becomes [`JointDef::pogo`] along `normal`. Two things are simpler here: the length is measured
/// along the normal as well, where Box2D measures along the y axis of frame B; and it is a spring,
/// which gives way by g / ω² under the weight, where Box2D's reaches for its length with whatever
/// force it has. `impulse` and `velocity`, which carry its state from one joint to the next, have no
/// place: a joint that moves to another body with [`World::set_joint`](crate::World::set_joint) is
/// the same joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PogoJointDef {
    /// What every joint has. Of the frames, the positions.
    pub base: Base,
    /// The direction of the force on B, in the axes of A.
    pub normal: Vec2,
    /// Of the spring, Hz; 0 for none.
    pub hertz: f64,
    /// Of the spring, ζ.
    pub damping_ratio: f64,
    /// m.
    pub rest_length: f64,
    /// N: the most that it pulls B down.
    pub max_tension_force: f64,
    /// N: the most that it pushes B up.
    pub max_compression_force: f64,
}

impl PogoJointDef {
    /// Upwards, with no force at all.
    pub fn new(body_a: BodyId, body_b: BodyId) -> Self {
        Self {
            base: Base::new(body_a, body_b),
            normal: Vec2::Y,
            hertz: 0.0,
            damping_ratio: 0.0,
            rest_length: 0.0,
            max_tension_force: 0.0,
            max_compression_force: 0.0,
        }
    }

    /// What it is here.
    ///
    /// # Errors
    /// If a number makes no sense.
    pub fn joint(&self) -> Result<JointDef, Error> {
        let tension = most("max_tension_force", self.max_tension_force)?;
        let compression = most("max_compression_force", self.max_compression_force)?;
        let softness = hertz(self.hertz, self.damping_ratio);
        let Base { body_id_a: a, body_id_b: b, .. } = self.base;
        let (anchors, rest) = (self.base.anchors(), self.rest_length);
        let joint =
            JointDef::pogo(a, b, anchors, self.normal, rest, softness, tension, compression);
        self.base.finish(joint)
    }
}

/// Two bodies that do not collide: `b2FilterJointDef`. Becomes [`JointDef::filter`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FilterJointDef {
    /// What every joint has; here the bodies and `user_data` count.
    pub base: Base,
}

impl FilterJointDef {
    /// Between two bodies.
    pub fn new(body_a: BodyId, body_b: BodyId) -> Self {
        Self { base: Base::new(body_a, body_b) }
    }

    /// What it is here.
    ///
    /// # Errors
    /// If a number makes no sense.
    pub fn joint(&self) -> Result<JointDef, Error> {
        self.base.finish(JointDef::filter(self.base.body_id_a, self.base.body_id_b))
    }
}
