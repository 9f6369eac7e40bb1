//! Chipmunk2D's constraints.
//!
//! ```
//! use kempe2d::compat::chipmunk::{self, Options};
//! use kempe2d::{BodyDef, Vec2, World};
//!
//! let mut world = World::default();
//! let ground = world.ground()?; // cpSpaceGetStaticBody
//! let wheel = world.add_body(&BodyDef { position: Vec2::new(2.0, 0.0), ..BodyDef::dynamic() })?;
//! let axle = chipmunk::pivot_joint(&world, ground, wheel, Vec2::new(2.0, 0.0))?;
//! let motor = chipmunk::simple_motor(ground, wheel, 3.0);
//! world.add_joint(&axle)?;
//! world.add_joint(&Options { max_force: 100.0, ..Options::default() }.apply(motor))?;
//! for _ in 0..60 {
//!     world.step(1.0 / 60.0)?;
//! }
//! // Their rate is of the first body against the second.
//! assert!((world[wheel].angular_velocity() + 3.0).abs() < 1e-3);
//! # Ok::<(), kempe2d::Error>(())
//! ```
//!
//! Anchors are in the axes of their body, from its origin, as there. Bad numbers are found by
//! [`World::add_joint`].
//!
//! What is different on purpose:
//!
//! - Rigid constraints are held by this engine's own means, unless [`Options`] ask for an error bias:
//!   errors go faster, and nothing is added to the energy on the way.
//! - A groove holds its pin with one row across it, so that nothing is left of the speed there.
//! - Springs are implicit: stiff ones do not explode. It damps a little, less in shorter sub-steps.
//! - A rotary limit holds with any error bias; there it lets go where the bias is 0.

use crate::body::BodyId;
use crate::error::Error;
use crate::joint::{Axis, ForceRange, JointDef, JointKind, Motor, Spring};
use crate::law::ForceLaw;
use crate::world::World;
use kempe_scalar::Vec2;
use kempe_solve::Softness;

/// Chipmunk's `errorBias`, 0.9⁶⁰: a tenth of an error goes in each step of a sixtieth of a second.
pub const ERROR_BIAS: f64 = 0.001_797_010_299_914_434;

/// What every `cpConstraint` has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// `maxForce`, N or N·m; ∞.
    pub max_force: f64,
    /// `errorBias`: the fraction of an error that is left after one second. With none, which is the
    /// default, the joint is as rigid as this engine makes it; `Some(ERROR_BIAS)` is Chipmunk's
    /// default to the letter.
    pub error_bias: Option<f64>,
    /// `maxBias`: the largest speed at which an error goes, m/s or rad/s; ∞. A smaller one brings
    /// [`ERROR_BIAS`] with it where there is no other.
    pub max_bias: f64,
    /// `collideBodies`; true.
    pub collide_bodies: bool,
}

impl Default for Options {
    /// Chipmunk's, but for the error bias.
    fn default() -> Self {
        Self {
            max_force: f64::INFINITY,
            error_bias: None,
            max_bias: f64::INFINITY,
            collide_bodies: true,
        }
    }
}

impl Options {
    /// The joint with these options.
    ///
    /// | option | becomes |
    /// |---|---|
    /// | `max_force` | `max_force` and `max_torque` of what is held, `Limit::force`, the force range of motors and springs |
    /// | `error_bias`, `max_bias` | [`Softness::ErrorBias`] of what is held and of limits |
    /// | `collide_bodies` | `collide_connected` |
    ///
    /// The force of a gear is, as there, the torque on the second body. Chipmunk's springs take no
    /// notice of `maxForce`; these do. Ratchets have no largest force here, and no error bias.
    ///
    /// With an error bias and a largest force a joint gives its bodies the speed at which the error
    /// goes, as there: the way to drag a body after a pointer, or to keep it on a control body.
    #[must_use]
    pub fn apply(&self, mut def: JointDef) -> JointDef {
        let softness = match (self.error_bias, self.max_bias) {
            (None, f64::INFINITY) => Softness::Rigid,
            (remaining, max_bias) => {
                let remaining = remaining.unwrap_or(ERROR_BIAS);
                Softness::ErrorBias { remaining, max_bias }
            }
        };
        let force = ForceRange::symmetric(self.max_force);
        def.softness = softness;
        def.max_force = self.max_force;
        def.max_torque = match def.kind {
            JointKind::Angle { ratio, .. } if ratio != 0.0 => self.max_force / ratio.abs(),
            _ => self.max_force,
        };
        def.collide_connected = self.collide_bodies;
        for axis in &mut def.axes {
            // An axis that is held goes with the hold.
            if let Some(limit) = axis.limit.as_mut().filter(|limit| limit.lower != limit.upper) {
                limit.softness = softness;
                limit.force = self.max_force;
            }
            if let Some(spring) = &mut axis.spring {
                spring.force = force;
            }
            if let Some(Motor::Velocity { force: most, .. }) = &mut axis.motor {
                *most = force;
            }
        }
        def.without_unused()
    }
}

/// With Chipmunk's defaults.
fn usual(def: JointDef) -> JointDef {
    Options::default().apply(def)
}

/// `cpPinJoint`: a rod, as long as its anchors are apart now; |p_B − p_A| = length.
///
/// Elsewhere a pin is a pivot; that is [`pivot_joint`].
///
/// # Errors
/// If a handle finds nothing.
pub fn pin_joint(
    world: &World,
    a: BodyId,
    b: BodyId,
    anchor_a: Vec2,
    anchor_b: Vec2,
) -> Result<JointDef, Error> {
    let point = |id: BodyId, anchor: Vec2| match world.try_body(id) {
        Ok(body) => Ok(body.world_point(anchor)),
        Err(reason) => Err(Error::Handle { what: "body", reason }),
    };
    let length = (point(b, anchor_b)? - point(a, anchor_a)?).length();
    Ok(usual(JointDef::rod(a, b, [anchor_a, anchor_b], length)))
}

/// `cpSlideJoint`: min ≤ |p_B − p_A| ≤ max, and free between.
///
/// Not a slider on a rail; that is [`JointDef::prismatic`].
pub fn slide_joint(
    a: BodyId,
    b: BodyId,
    anchor_a: Vec2,
    anchor_b: Vec2,
    min: f64,
    max: f64,
) -> JointDef {
    usual(JointDef::range(a, b, [anchor_a, anchor_b], min, max))
}

/// `cpPivotJoint`: both bodies pinned together at a point of the world.
///
/// # Errors
/// If a handle finds nothing or the point is not finite.
pub fn pivot_joint(world: &World, a: BodyId, b: BodyId, pivot: Vec2) -> Result<JointDef, Error> {
    Ok(usual(world.revolute_at(a, b, pivot)?))
}

/// `cpPivotJointNew2`: p_B − p_A = 0, at an anchor on each body.
pub fn pivot_joint2(a: BodyId, b: BodyId, anchor_a: Vec2, anchor_b: Vec2) -> JointDef {
    usual(JointDef::revolute(a, b, [anchor_a, anchor_b]))
}

/// `cpGrooveJoint`: a pin of the second body in a groove of the first, from one point of it to
/// another: n · (p_B − g) = 0, 0 ≤ t · (p_B − g) ≤ length.
pub fn groove_joint(
    a: BodyId,
    b: BodyId,
    groove_a: Vec2,
    groove_b: Vec2,
    anchor_b: Vec2,
) -> JointDef {
    usual(JointDef::groove(a, b, [groove_a, groove_b], anchor_b))
}

/// `cpDampedSpring`: F = −stiffness · (|p_B − p_A| − rest_length) − damping · its speed, N/m and
/// N·s/m.
///
/// `damping` is not a ratio.
pub fn damped_spring(
    a: BodyId,
    b: BodyId,
    anchor_a: Vec2,
    anchor_b: Vec2,
    rest_length: f64,
    stiffness: f64,
    damping: f64,
) -> JointDef {
    let softness = Softness::Stiffness { stiffness, damping };
    usual(JointDef::spring(a, b, [anchor_a, anchor_b], rest_length, softness))
}

/// A damper beside a law, if there is one.
fn with_law(mut def: JointDef, damping: f64, law: ForceLaw) -> JointDef {
    let softness = Softness::Stiffness { stiffness: 0.0, damping };
    let spring = (damping != 0.0).then(|| Spring::new(0.0, softness));
    *def.axis_mut(0) = Axis { spring, law: Some(law), ..Axis::default() };
    usual(def)
}

/// `cpDampedSpring` with a `springForceFunc`: `force` is a function of the distance, positive where
/// it pushes apart, as there. It may have the speed and the time in it too.
///
/// [`Options`] bound the damper and not the law.
pub fn damped_spring_with(
    a: BodyId,
    b: BodyId,
    anchor_a: Vec2,
    anchor_b: Vec2,
    damping: f64,
    force: ForceLaw,
) -> JointDef {
    let def = JointDef::new(JointKind::Distance { anchor_a, anchor_b }, a, b);
    with_law(def, damping, force)
}

/// `cpDampedRotarySpring`: a torque of stiffness · ((θ_A − θ_B) − rest_angle) on the second body, and
/// a damper beside it; N·m/rad and N·m·s/rad.
///
/// Their angle is of the first body against the second, here it is θ_B − θ_A: the rest angle is
/// negated.
pub fn damped_rotary_spring(
    a: BodyId,
    b: BodyId,
    rest_angle: f64,
    stiffness: f64,
    damping: f64,
) -> JointDef {
    let softness = Softness::Stiffness { stiffness, damping };
    usual(JointDef::angular_spring(a, b, -rest_angle, softness))
}

/// `cpDampedRotarySpring` with a `springTorqueFunc`: the torque on the second body, as there, but as
/// a function of q = θ_B − θ_A, which is their relative angle negated.
///
/// [`Options`] bound the damper and not the law.
pub fn damped_rotary_spring_with(a: BodyId, b: BodyId, damping: f64, torque: ForceLaw) -> JointDef {
    let def = JointDef::new(JointKind::Angle { ratio: 1.0, angle: 0.0 }, a, b);
    with_law(def, damping, torque)
}

/// `cpRotaryLimitJoint`: min ≤ θ_B − θ_A ≤ max, over any number of turns.
pub fn rotary_limit_joint(a: BodyId, b: BodyId, min: f64, max: f64) -> JointDef {
    usual(JointDef::angle_range(a, b, 1.0, min, max))
}

/// `cpRatchetJoint`: θ_B − θ_A passes a tooth at every phase + k · ratchet and does not come back; a
/// negative ratchet lets it fall.
///
/// Their `angle`, the tooth that it stands at, is kept by the world.
pub fn ratchet_joint(a: BodyId, b: BodyId, phase: f64, ratchet: f64) -> JointDef {
    usual(JointDef::ratchet(a, b, phase, ratchet))
}

/// `cpGearJoint`: ratio · θ_B − θ_A = phase.
pub fn gear_joint(a: BodyId, b: BodyId, phase: f64, ratio: f64) -> JointDef {
    usual(JointDef::gear(a, b, ratio, phase))
}

/// `cpSimpleMotor`: ω_A − ω_B = rate.
///
/// The rate is of the first body against the second, here speeds are of B against A: it is negated.
pub fn simple_motor(a: BodyId, b: BodyId, rate: f64) -> JointDef {
    usual(JointDef::angular_motor(a, b, -rate, f64::INFINITY))
}
