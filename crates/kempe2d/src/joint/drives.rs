//! Joints that leave everything, and what drives them.

use super::axis::{Axis, ForceRange, Motor, Spring};
use super::def::JointDef;
use super::kind::{JointKind, Pull};
use crate::body::BodyId;
use kempe_scalar::Vec2;
use kempe_solve::Softness;

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
        Self::new(JointKind::Drive { anchor_a, anchor_b, rail: Vec2::X, angle: 0.0, pull }, a, b)
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
