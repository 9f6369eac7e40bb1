//! Nape's constraints.
//!
//! ```
//! use kempe2d::compat::nape::{self, Options};
//! use kempe2d::{BodyDef, Vec2, World};
//!
//! let mut world = World::default();
//! let ground = world.ground()?; // space.world
//! let bob = world.add_body(&BodyDef { position: Vec2::new(0.0, -2.0), ..BodyDef::dynamic() })?;
//! let rope = nape::distance_joint(ground, bob, Vec2::ZERO, Vec2::ZERO, 0.0, 2.0);
//! let rope = Options { break_under_force: true, max_force: 5.0, ..Options::default() }.apply(rope);
//! let id = world.add_joint(&rope)?;
//! for _ in 0..60 {
//!     world.step(1.0 / 60.0)?;
//! }
//! assert!(world.joint(id).is_none(), "1 kg weighs more than 5 N");
//! # Ok::<(), kempe2d::Error>(())
//! ```
//!
//! Anchors are in the axes of their body. Nape counts in pixels, with y down and the angle going with
//! it; the equations are the same whatever the axes. Bad numbers are found by
//! [`World::add_joint`](crate::World::add_joint).
//!
//! What is different on purpose:
//!
//! - Breaking looks at the force of a whole step, not at what an iteration happens to pass through.
//! - A stiff joint's errors go with the step, not in a pass over positions afterwards.
//! - A line joint whose ends are the same holds both ways.
//! - Distances and pulleys remember their direction where their length is 0.

use crate::body::BodyId;
use crate::joint::{Axis, Break, ForceRange, JointDef, JointKind, Motor, OnBreak};
use kempe_scalar::Vec2;
use kempe_solve::Softness;

/// What every `Constraint` has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// `stiff`; true.
    pub stiff: bool,
    /// `frequency` of a joint that is not stiff, Hz; 10.
    pub frequency: f64,
    /// `damping` of a joint that is not stiff, a ratio: 1 is critical; 1.
    pub damping: f64,
    /// `maxForce`, N or N·m; ∞.
    pub max_force: f64,
    /// `maxError`, m or rad; ∞. It matters with `break_under_error`.
    pub max_error: f64,
    /// `breakUnderForce`: whether it breaks above `max_force`; false.
    pub break_under_force: bool,
    /// `breakUnderError`: whether it breaks above `max_error`; false.
    pub break_under_error: bool,
    /// `removeOnBreak`: whether one that breaks is removed, or disabled; true.
    pub remove_on_break: bool,
    /// `ignore`: whether its bodies do not collide with each other; false.
    pub ignore: bool,
    /// `active`; true.
    pub active: bool,
}

impl Default for Options {
    /// Nape's.
    fn default() -> Self {
        Self {
            stiff: true,
            frequency: 10.0,
            damping: 1.0,
            max_force: f64::INFINITY,
            max_error: f64::INFINITY,
            break_under_force: false,
            break_under_error: false,
            remove_on_break: true,
            ignore: false,
            active: true,
        }
    }
}

impl Options {
    /// The joint with these options.
    ///
    /// | option | becomes |
    /// |---|---|
    /// | `stiff`, `frequency`, `damping` | [`Softness`] of what is held and of limits |
    /// | `max_force` | of a motor its force range; of a soft joint `max_force`, `max_torque` and `Limit::force` |
    /// | `break_under_force` | [`Break`] above `max_force`, which then bounds nothing |
    /// | `break_under_error` | [`Break`] above `max_error` |
    /// | `remove_on_break` | [`OnBreak::Remove`] or [`OnBreak::Disable`] |
    /// | `ignore` | `collide_connected`, the other way round |
    /// | `active` | `enabled` |
    ///
    /// As there, `max_force` does nothing on a stiff joint that is no motor. A weld has it as a force
    /// and as a torque, not as one norm of both; a soft range (unequal ends) as the force of its
    /// limit. `max_error` does not slow a soft joint down.
    #[must_use]
    pub fn apply(&self, mut def: JointDef) -> JointDef {
        let softness = match self.stiff {
            true => Softness::Rigid,
            false => Softness::Hertz { hertz: self.frequency, damping_ratio: self.damping },
        };
        let most = if self.break_under_force { f64::INFINITY } else { self.max_force };
        let held = if self.stiff { f64::INFINITY } else { most };
        def.softness = softness;
        def.max_force = held;
        def.max_torque = held;
        for axis in &mut def.axes {
            // An axis that is held goes with the hold.
            if let Some(limit) = axis.limit.as_mut().filter(|limit| limit.lower != limit.upper) {
                limit.softness = softness;
                limit.force = held;
            }
            if let Some(Motor::Velocity { force, .. }) = &mut axis.motor {
                *force = ForceRange::symmetric(most);
            }
        }
        def.breaking = self.breaking(&def.kind);
        def.collide_connected = !self.ignore;
        def.enabled = self.active;
        def.without_unused()
    }

    /// When it breaks. Theirs is a bound of the impulse of the row; the joint sees it on its bodies,
    /// times the ratio where there is one.
    fn breaking(&self, kind: &JointKind) -> Option<Break> {
        let of = |asked: bool, most: f64| if asked { most } else { f64::INFINITY };
        let force = of(self.break_under_force, self.max_force);
        let on_body = match *kind {
            JointKind::Pulley { ratio, .. } => ratio.max(1.0),
            JointKind::Angle { ratio, .. } if ratio != 0.0 => ratio.abs(),
            _ => 1.0,
        };
        let then = if self.remove_on_break { OnBreak::Remove } else { OnBreak::Disable };
        (self.break_under_force || self.break_under_error).then(|| Break {
            force: force * on_body,
            torque: force * on_body,
            error: of(self.break_under_error, self.max_error),
            filter: 0.0,
            then,
        })
    }
}

/// With Nape's defaults.
fn usual(def: JointDef) -> JointDef {
    Options::default().apply(def)
}

/// `PivotJoint`: p₂ − p₁ = 0.
pub fn pivot_joint(body1: BodyId, body2: BodyId, anchor1: Vec2, anchor2: Vec2) -> JointDef {
    usual(JointDef::revolute(body1, body2, [anchor1, anchor2]))
}

/// `WeldJoint`: p₂ − p₁ = 0 and θ₂ − θ₁ = phase; theirs is 0 by default.
pub fn weld_joint(
    body1: BodyId,
    body2: BodyId,
    anchor1: Vec2,
    anchor2: Vec2,
    phase: f64,
) -> JointDef {
    usual(JointDef::weld(body1, body2, [anchor1, anchor2], phase))
}

/// `DistanceJoint`: joint_min ≤ |p₂ − p₁| ≤ joint_max.
pub fn distance_joint(
    body1: BodyId,
    body2: BodyId,
    anchor1: Vec2,
    anchor2: Vec2,
    joint_min: f64,
    joint_max: f64,
) -> JointDef {
    usual(JointDef::range(body1, body2, [anchor1, anchor2], joint_min, joint_max))
}

/// `LineJoint`: with n the direction, of the first body: n × (p₂ − p₁) = 0 and
/// joint_min ≤ n · (p₂ − p₁) ≤ joint_max; ends may be infinite.
pub fn line_joint(
    body1: BodyId,
    body2: BodyId,
    anchor1: Vec2,
    anchor2: Vec2,
    direction: Vec2,
    joint_min: f64,
    joint_max: f64,
) -> JointDef {
    let slot = JointDef::slot(body1, body2, [anchor1, anchor2], direction);
    usual(slot.with_limit(joint_min, joint_max))
}

/// `AngleJoint`: joint_min ≤ ratio · θ₂ − θ₁ ≤ joint_max; their ratio is 1 by default.
pub fn angle_joint(
    body1: BodyId,
    body2: BodyId,
    joint_min: f64,
    joint_max: f64,
    ratio: f64,
) -> JointDef {
    usual(JointDef::angle_range(body1, body2, ratio, joint_min, joint_max))
}

/// `MotorJoint`: ratio · ω₂ − ω₁ = rate; theirs are 1 and 0 by default.
///
/// Turns only; elsewhere a motor joint drives a whole pose. The rate has the other sign than
/// Chipmunk's.
pub fn motor_joint(body1: BodyId, body2: BodyId, rate: f64, ratio: f64) -> JointDef {
    let def = JointDef::new(JointKind::Angle { ratio, angle: 0.0 }, body1, body2);
    usual(def.with_axis(Axis::driven(Motor::at(rate))))
}

/// `PulleyJoint`: joint_min ≤ |p₂ − p₁| + ratio · |p₄ − p₃| ≤ joint_max; their ratio is 1 by default.
///
/// The first two bodies must be different, and the last two; any other two may be the same, which
/// gives pulleys of three and of two bodies. The ratio must be above 0.
pub fn pulley_joint(
    bodies: [BodyId; 4],
    anchors: [Vec2; 4],
    joint_min: f64,
    joint_max: f64,
    ratio: f64,
) -> JointDef {
    let def = JointDef::over(JointKind::Pulley { anchors, ratio }, bodies.to_vec());
    usual(def.with_limit(joint_min, joint_max))
}
