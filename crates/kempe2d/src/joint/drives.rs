//! Joints that leave everything, and what drives them.

use super::axis::{Axis, ForceRange, Motor, Spring};
use super::def::JointDef;
use super::kind::JointKind;
use crate::body::BodyId;
use crate::error::{Error, finite};
use kempe_scalar::Vec2;
use kempe_solve::Softness;
use serde::{Deserialize, Serialize};

/// What draws the point of a [`Drive`](JointKind::Drive): a spring and a motor, in the frame of its
/// axes on A. What has a force of 0 does nothing.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pull {
    /// Where the spring rests, m.
    pub target: Vec2,
    /// The spring.
    pub softness: Softness,
    /// N: the largest force of the spring, whatever its direction.
    pub spring_force: f64,
    /// The velocity that the motor reaches for, m/s.
    pub velocity: Vec2,
    /// N: the largest force of the motor, whatever its direction.
    pub velocity_force: f64,
}

impl Default for Pull {
    /// No force.
    fn default() -> Self {
        Self {
            target: Vec2::ZERO,
            softness: Softness::Rigid,
            spring_force: 0.0,
            velocity: Vec2::ZERO,
            velocity_force: 0.0,
        }
    }
}

impl Pull {
    /// To a place, by a spring.
    pub fn to(target: Vec2, softness: Softness, force: f64) -> Self {
        Self { target, softness, spring_force: force, ..Self::default() }
    }

    /// At a velocity.
    pub fn at(velocity: Vec2, force: f64) -> Self {
        Self { velocity, velocity_force: force, ..Self::default() }
    }

    pub(super) fn validate(&self) -> Result<(), Error> {
        for (field, value) in [
            ("pull.target.x", self.target.x),
            ("pull.target.y", self.target.y),
            ("pull.velocity.x", self.velocity.x),
            ("pull.velocity.y", self.velocity.y),
        ] {
            finite(field, value)?;
        }
        for (field, value) in
            [("pull.spring_force", self.spring_force), ("pull.velocity_force", self.velocity_force)]
        {
            if value.is_nan() || value < 0.0 {
                return Err(Error::Number { field, value, must_be: "at least 0" });
            }
        }
        Ok(self.softness.validate()?)
    }
}

fn motor(speed: f64, force: f64) -> Option<Motor> {
    Some(Motor::Velocity { speed: speed.into(), force: ForceRange::symmetric(force) })
}

/// Anchors are in the axes of their body, from its origin: the first on A, the second on B.
impl JointDef {
    /// x and y of B's anchor in the axes of A, from A's anchor, and the angle: each as its axis says.
    pub fn generic(a: BodyId, b: BodyId, anchors: [Vec2; 2], axes: [Axis; 3]) -> Self {
        let [anchor_a, anchor_b] = anchors;
        let kind = JointKind::Generic { anchor_a, anchor_b, rail: Vec2::X, angle: 0.0 };
        Self { axes: axes.to_vec(), ..Self::new(kind, a, b) }
    }

    /// B's anchor drawn to a place or at a velocity in the axes of A, from A's anchor. A spring or a
    /// motor for the angle goes on the third axis; one with a largest force of its own for x or y on
    /// the first or second.
    pub fn drive(a: BodyId, b: BodyId, anchors: [Vec2; 2], pull: Pull) -> Self {
        let [anchor_a, anchor_b] = anchors;
        let (pull, rail) = (Box::new(pull), Vec2::X);
        Self::new(JointKind::Drive { anchor_a, anchor_b, rail, angle: 0.0, pull }, a, b)
    }

    /// A pointer that drags B by its anchor to a point of A, with at most this force. To drag on,
    /// change the target of its [`pull_mut`](Self::pull_mut).
    ///
    /// ```
    /// # use kempe2d::{BodyDef, JointDef, Softness, Vec2, World};
    /// # let mut world = World::default();
    /// # let ground = world.ground()?;
    /// # let crate_ = world.add_body(&BodyDef::dynamic())?;
    /// let spring = Softness::Hertz { hertz: 5.0, damping_ratio: 0.7 };
    /// let mouse = JointDef::mouse(ground, crate_, Vec2::new(0.0, 1.0), Vec2::ZERO, spring, 500.0);
    /// let mouse = world.add_joint(&mouse)?;
    /// world.edit_joint(mouse, |def| {
    ///     if let Some(pull) = def.pull_mut() {
    ///         pull.target = Vec2::new(2.0, 3.0);
    ///     }
    /// })?;
    /// # Ok::<(), kempe2d::Error>(())
    /// ```
    pub fn mouse(
        a: BodyId,
        b: BodyId,
        target: Vec2,
        anchor: Vec2,
        softness: Softness,
        force: f64,
    ) -> Self {
        Self::drive(a, b, [Vec2::ZERO, anchor], Pull::to(target, softness, force))
    }

    /// A character that is moved at a velocity, with largest forces for x and y, in the axes of A and
    /// at B's origin.
    pub fn mover(a: BodyId, b: BodyId, velocity: Vec2, force: [f64; 2]) -> Self {
        let driven =
            |speed: f64, force: f64| Axis { motor: motor(speed, force), ..Axis::default() };
        let axes = [driven(velocity.x, force[0]), driven(velocity.y, force[1]), Axis::default()];
        Self::generic(a, b, [Vec2::ZERO; 2], axes)
    }

    /// B slides on A as on a table seen from above: dry friction on the velocity of its origin, the
    /// same in all directions, and on its turning.
    pub fn top_down_friction(a: BodyId, b: BodyId, force: f64, torque: f64) -> Self {
        let mut def = Self::drive(a, b, [Vec2::ZERO; 2], Pull::at(Vec2::ZERO, force));
        def.axis_mut(2).friction = Some(torque);
        def
    }

    /// A leg: a spring on how far B's anchor is from A's along a direction of A, which pulls with at
    /// most `tension` and pushes with at most `compression`. Everything else stays free.
    #[expect(clippy::too_many_arguments, reason = "they are what a pogo has")]
    pub fn pogo(
        a: BodyId,
        b: BodyId,
        anchors: [Vec2; 2],
        axis: Vec2,
        rest: f64,
        softness: Softness,
        tension: f64,
        compression: f64,
    ) -> Self {
        let [anchor_a, anchor_b] = anchors;
        let kind = JointKind::Generic { anchor_a, anchor_b, rail: axis, angle: 0.0 };
        let force = ForceRange { lower: -tension, upper: compression };
        let spring = Some(Spring { rest, softness, force });
        Self::new(kind, a, b).with_axis(Axis { spring, ..Axis::default() })
    }

    /// Nothing but that two bodies do not collide with each other.
    pub fn filter(a: BodyId, b: BodyId) -> Self {
        Self::new(JointKind::Filter, a, b)
    }

    /// What draws a [`Drive`](JointKind::Drive), to change.
    pub fn pull_mut(&mut self) -> Option<&mut Pull> {
        match &mut self.kind {
            JointKind::Drive { pull, .. } => Some(pull),
            _ => None,
        }
    }
}
