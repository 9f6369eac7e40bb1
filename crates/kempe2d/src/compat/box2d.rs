//! The joints of Box2D 3.2, and in [`v2`] those that version 3 no longer has.
//!
//! A definition has Box2D's fields and defaults; `joint` makes a [`JointDef`] of it, or says which
//! field makes no sense.
//!
//! ```
//! use kempe2d::compat::box2d::RevoluteJointDef;
//! use kempe2d::{BodyDef, World};
//!
//! let mut world = World::default();
//! let (wall, door) = (world.ground()?, world.add_body(&BodyDef::dynamic())?);
//! let hinge = RevoluteJointDef {
//!     enable_motor: true,
//!     motor_speed: 2.0,
//!     max_motor_torque: 10.0,
//!     ..RevoluteJointDef::new(wall, door)
//! };
//! world.add_joint(&hinge.joint()?)?;
//! # Ok::<(), kempe2d::Error>(())
//! ```
//!
//! The same: frames from the origins of the bodies; coordinates and speeds of B relative to A, with
//! their signs; springs by hertz and damping ratio; motors with a largest force.
//!
//! Better: limits and targets of any number of turns, where Box2D has ±0.99 π; positions in f64;
//! limits that yield ([`Limit::softness`]) and rebound; friction, force laws and servos on every
//! axis; rigid rows that are solved as a whole where that is worth it ([`Direct`](crate::Direct)).
//!
//! Different: an infinite number is infinite here, not `FLT_MAX` or `B2_HUGE`. `enable_spring` with
//! 0 hertz is no spring, on every joint; Box2D's prismatic, revolute and wheel joints damp with all
//! their might then.
//!
//! Beware: a [`MotorJointDef`] drives the whole pose, and Nape's motor joint an angle only. Damping
//! is a ratio here and in Nape, N·s/m in Chipmunk and in Rapier's springs, 1/s in Rapier's motors.

mod drives;
mod hinges;
mod sliders;
pub mod v2;

pub use drives::{FilterJointDef, MotorJointDef, MoverJointDef, PogoJointDef};
pub use hinges::{RevoluteJointDef, WeldJointDef, WheelJointDef};
pub use sliders::{DistanceJointDef, PrismaticJointDef};

use crate::body::BodyId;
use crate::error::{Error, at_least_zero, finite};
use crate::joint::{Break, ForceRange, JointDef, Limit, Motor, OnBreak, Spring};
use kempe_scalar::{Vec2, precise};
use kempe_solve::Softness;

/// A frame on a body: Box2D's `b2Transform`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Frame {
    /// From the origin of the body, in its axes.
    pub p: Vec2,
    /// Its angle, rad.
    pub q: f64,
}

impl Frame {
    /// At a point, in the axes of the body.
    pub fn at(p: Vec2) -> Self {
        Self { p, q: 0.0 }
    }

    /// The direction of its x axis, in the axes of the body.
    fn x_axis(&self) -> Vec2 {
        let (sin, cos) = precise::sin_cos(self.q);
        Vec2::new(cos, sin)
    }
}

/// What every joint has: `b2JointDef`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Base {
    /// For the user.
    pub user_data: u64,
    /// The body that the joint is seen from.
    pub body_id_a: BodyId,
    /// The one that moves against it.
    pub body_id_b: BodyId,
    /// On A.
    pub local_frame_a: Frame,
    /// On B.
    pub local_frame_b: Frame,
    /// N: a joint event tells of more. Here it is [`Event::Broke`](crate::Event::Broke) with
    /// [`OnBreak::Event`], once each time that the force rises above; Box2D tells it every step.
    pub force_threshold: f64,
    /// N·m: the same of a torque about B's anchor.
    pub torque_threshold: f64,
    /// Hz: how fast an error of the rigid rows is removed. With 60 and 2, or 0, they are
    /// [`Softness::Rigid`]; otherwise [`Softness::ErrorBias`] with the same rate ω / 2ζ.
    pub constraint_hertz: f64,
    /// ζ of the same.
    pub constraint_damping_ratio: f64,
    /// Of no effect: [`DrawOptions::size`](crate::DrawOptions::size) is for all joints.
    pub draw_scale: f64,
    /// Whether A and B collide.
    pub collide_connected: bool,
}

impl Base {
    /// Between two bodies, with Box2D's defaults.
    pub fn new(body_a: BodyId, body_b: BodyId) -> Self {
        Self {
            user_data: 0,
            body_id_a: body_a,
            body_id_b: body_b,
            local_frame_a: Frame::default(),
            local_frame_b: Frame::default(),
            force_threshold: f64::INFINITY,
            torque_threshold: f64::INFINITY,
            constraint_hertz: 60.0,
            constraint_damping_ratio: 2.0,
            draw_scale: 1.0,
            collide_connected: false,
        }
    }

    fn anchors(&self) -> [Vec2; 2] {
        [self.local_frame_a.p, self.local_frame_b.p]
    }

    /// θ_B − θ_A when the frames have one direction.
    fn angle(&self) -> f64 {
        self.local_frame_a.q - self.local_frame_b.q
    }

    /// What rigid rows and limits are made of.
    fn constraint(&self) -> Softness {
        let (hertz, ratio) = (self.constraint_hertz, self.constraint_damping_ratio);
        if hertz == 0.0 || (hertz == 60.0 && ratio == 2.0) {
            return Softness::Rigid;
        }
        let remaining = precise::exp(-std::f64::consts::PI * hertz / ratio);
        Softness::ErrorBias { remaining, max_bias: f64::INFINITY }
    }

    fn limit(&self, lower: f64, upper: f64) -> Limit {
        Limit { softness: self.constraint(), ..Limit::new(lower, upper) }
    }

    /// The joint with everything that all have in common, tested.
    fn finish(&self, mut joint: JointDef) -> Result<JointDef, Error> {
        for (field, value) in
            [("local_frame_a.q", self.local_frame_a.q), ("local_frame_b.q", self.local_frame_b.q)]
        {
            finite(field, value)?;
        }
        at_least_zero("constraint_hertz", self.constraint_hertz)?;
        at_least_zero("constraint_damping_ratio", self.constraint_damping_ratio)?;
        let (force, torque) = (self.force_threshold, self.torque_threshold);
        if force != f64::INFINITY || torque != f64::INFINITY {
            joint.breaking =
                Some(Break { force, torque, then: OnBreak::Event, ..Break::default() });
        }
        joint.collide_connected = self.collide_connected;
        joint.user_data = self.user_data;
        joint.validate()?;
        Ok(joint)
    }
}

fn hertz(hertz: f64, damping_ratio: f64) -> Softness {
    Softness::Hertz { hertz, damping_ratio }
}

/// A spring, unless it has no frequency.
fn spring(rest: f64, frequency: f64, damping_ratio: f64) -> Option<Spring> {
    (frequency != 0.0).then(|| Spring::new(rest, hertz(frequency, damping_ratio)))
}

fn motor(speed: f64, most: f64) -> Motor {
    Motor::Velocity { speed: speed.into(), force: ForceRange::symmetric(most) }
}
