//! The joints that people know, by their names.

use super::axis::{Axis, ForceRange, Limit, Motor, Ratchet, Spring};
use super::def::JointDef;
use super::kind::JointKind;
use crate::body::BodyId;
use crate::error::{Error, finite};
use crate::world::World;
use kempe_scalar::Vec2;
use kempe_solve::Softness;

fn distance(a: BodyId, b: BodyId, anchors: [Vec2; 2], axis: Axis) -> JointDef {
    let [anchor_a, anchor_b] = anchors;
    JointDef::new(JointKind::Distance { anchor_a, anchor_b }, a, b).with_axis(axis)
}

fn angle(a: BodyId, b: BodyId, ratio: f64, axis: Axis) -> JointDef {
    JointDef::new(JointKind::Angle { ratio, angle: 0.0 }, a, b).with_axis(axis)
}

/// Anchors are in the axes of their body, from its origin: the first on A, the second on B.
impl JointDef {
    /// Everything held; B stands at `angle` against A.
    pub fn weld(a: BodyId, b: BodyId, anchors: [Vec2; 2], angle: f64) -> Self {
        let [anchor_a, anchor_b] = anchors;
        Self::new(JointKind::Weld { anchor_a, anchor_b, angle }, a, b)
    }

    /// A pin through two bodies.
    pub fn revolute(a: BodyId, b: BodyId, anchors: [Vec2; 2]) -> Self {
        let [anchor_a, anchor_b] = anchors;
        Self::new(JointKind::Revolute { anchor_a, anchor_b, angle: 0.0 }, a, b)
    }

    /// A slider that does not turn; the rail is a direction of A.
    pub fn prismatic(a: BodyId, b: BodyId, anchors: [Vec2; 2], rail: Vec2) -> Self {
        let [anchor_a, anchor_b] = anchors;
        Self::new(JointKind::Prismatic { anchor_a, anchor_b, rail, angle: 0.0 }, a, b)
    }

    /// A pin of B in a slot of A without ends.
    pub fn slot(a: BodyId, b: BodyId, anchors: [Vec2; 2], rail: Vec2) -> Self {
        let [anchor_a, anchor_b] = anchors;
        Self::new(JointKind::Slot { anchor_a, anchor_b, rail, angle: 0.0 }, a, b)
    }

    /// A pin of B in a slot of A between two points of it.
    pub fn groove(a: BodyId, b: BodyId, [from, to]: [Vec2; 2], anchor: Vec2) -> Self {
        let slot = Self::slot(a, b, [from, anchor], to - from);
        slot.with_limit(0.0, (to - from).length())
    }

    /// A wheel: B turns freely about its anchor, which a spring holds on a line of A.
    pub fn wheel(
        a: BodyId,
        b: BodyId,
        anchors: [Vec2; 2],
        line: Vec2,
        suspension: Softness,
    ) -> Self {
        Self::slot(a, b, anchors, line).with_axis(Axis::sprung(0.0, suspension))
    }

    /// A rod of fixed length.
    pub fn rod(a: BodyId, b: BodyId, anchors: [Vec2; 2], length: f64) -> Self {
        distance(a, b, anchors, Axis::held(length))
    }

    /// A length between two bounds.
    pub fn range(a: BodyId, b: BodyId, anchors: [Vec2; 2], lower: f64, upper: f64) -> Self {
        distance(a, b, anchors, Axis::limited(lower, upper))
    }

    /// A rope that is at most so long.
    pub fn rope(a: BodyId, b: BodyId, anchors: [Vec2; 2], length: f64) -> Self {
        distance(a, b, anchors, Axis::limited(f64::NEG_INFINITY, length))
    }

    /// A winch: a rope that a motor hauls in (at a negative speed) or pays out.
    pub fn winch(a: BodyId, b: BodyId, anchors: [Vec2; 2], speed: f64, force: f64) -> Self {
        let force = ForceRange { lower: -force, upper: 0.0 };
        distance(a, b, anchors, Axis::driven(Motor::Velocity { speed: speed.into(), force }))
    }

    /// A spring that pulls and pushes.
    pub fn spring(a: BodyId, b: BodyId, anchors: [Vec2; 2], rest: f64, softness: Softness) -> Self {
        distance(a, b, anchors, Axis::sprung(rest, softness))
    }

    /// A spring that only pulls, as a rubber band does.
    pub fn tension_spring(
        a: BodyId,
        b: BodyId,
        anchors: [Vec2; 2],
        rest: f64,
        softness: Softness,
    ) -> Self {
        let spring = Spring { rest, softness, force: ForceRange::lower() };
        distance(a, b, anchors, Axis { spring: Some(spring), ..Axis::default() })
    }

    /// A spring that only pushes, as a buffer does.
    pub fn compression_spring(
        a: BodyId,
        b: BodyId,
        anchors: [Vec2; 2],
        rest: f64,
        softness: Softness,
    ) -> Self {
        let spring = Spring { rest, softness, force: ForceRange::raise() };
        distance(a, b, anchors, Axis { spring: Some(spring), ..Axis::default() })
    }

    /// A strut: a length that is at least so long.
    pub fn strut(a: BodyId, b: BodyId, anchors: [Vec2; 2], length: f64) -> Self {
        distance(a, b, anchors, Axis::limited(length, f64::INFINITY))
    }

    /// ratio · θ_B − θ_A between two bounds, of any number of turns.
    pub fn angle_range(a: BodyId, b: BodyId, ratio: f64, lower: f64, upper: f64) -> Self {
        angle(a, b, ratio, Axis::limited(lower, upper))
    }

    /// ratio · θ_B − θ_A = phase.
    pub fn gear(a: BodyId, b: BodyId, ratio: f64, phase: f64) -> Self {
        angle(a, b, ratio, Axis::held(phase))
    }

    /// A spring on θ_B − θ_A.
    pub fn angular_spring(a: BodyId, b: BodyId, rest: f64, softness: Softness) -> Self {
        angle(a, b, 1.0, Axis::sprung(rest, softness))
    }

    /// A motor that turns B against A, ω_B − ω_A = speed, with at most this torque.
    pub fn angular_motor(a: BodyId, b: BodyId, speed: f64, torque: f64) -> Self {
        let force = ForceRange::symmetric(torque);
        angle(a, b, 1.0, Axis::driven(Motor::Velocity { speed: speed.into(), force }))
    }

    /// A ratchet on θ_B − θ_A: it rises past a tooth every `step` rad and does not come back; with a
    /// negative step it falls.
    pub fn ratchet(a: BodyId, b: BodyId, phase: f64, step: f64) -> Self {
        let ratchet = Some(Ratchet { step, phase });
        angle(a, b, 1.0, Axis { ratchet, ..Axis::default() })
    }

    /// A rope over pulleys: |p₂ − p₁| + ratio · |p₄ − p₃| at most `length`. Points of the world are
    /// points of a static body; bodies may be the same except the first two and the last two.
    pub fn pulley(bodies: [BodyId; 4], anchors: [Vec2; 4], ratio: f64, length: f64) -> Self {
        let limit = Limit::new(f64::NEG_INFINITY, length);
        Self::over(JointKind::Pulley { anchors, ratio }, bodies.to_vec())
            .with_axis(Axis { limit: Some(limit), ..Axis::default() })
    }

    /// The same, never slack: the sum stays what it is.
    pub fn stiff_pulley(bodies: [BodyId; 4], anchors: [Vec2; 4], ratio: f64, length: f64) -> Self {
        Self::over(JointKind::Pulley { anchors, ratio }, bodies.to_vec())
            .with_axis(Axis::held(length))
    }
}

/// Joints at a point of the world, between bodies as they stand.
impl World {
    /// The point in both bodies, and how B stands against A.
    fn meeting(&self, a: BodyId, b: BodyId, point: Vec2) -> Result<([Vec2; 2], f64), Error> {
        let body =
            |id: BodyId| self.try_body(id).map_err(|reason| Error::Handle { what: "body", reason });
        finite("point.x", point.x)?;
        finite("point.y", point.y)?;
        let (a, b) = (body(a)?, body(b)?);
        let anchors = [a.local_point(point), b.local_point(point)];
        Ok((anchors, b.rotation() - a.rotation()))
    }

    /// Two bodies welded as they stand.
    ///
    /// # Errors
    /// If a handle finds nothing or the point is not finite.
    pub fn weld_at(&self, a: BodyId, b: BodyId, point: Vec2) -> Result<JointDef, Error> {
        let (anchors, angle) = self.meeting(a, b, point)?;
        Ok(JointDef::weld(a, b, anchors, angle))
    }

    /// Two bodies pinned together at a point; their angle counts from how they stand.
    ///
    /// # Errors
    /// As [`weld_at`](Self::weld_at).
    pub fn revolute_at(&self, a: BodyId, b: BodyId, point: Vec2) -> Result<JointDef, Error> {
        let ([anchor_a, anchor_b], angle) = self.meeting(a, b, point)?;
        Ok(JointDef::new(JointKind::Revolute { anchor_a, anchor_b, angle }, a, b))
    }

    /// B on a rail of A through a point, along a direction of the world.
    ///
    /// # Errors
    /// As [`weld_at`](Self::weld_at).
    pub fn prismatic_at(
        &self,
        a: BodyId,
        b: BodyId,
        point: Vec2,
        direction: Vec2,
    ) -> Result<JointDef, Error> {
        let ([anchor_a, anchor_b], angle) = self.meeting(a, b, point)?;
        let rail = self.direction_in(a, direction)?;
        Ok(JointDef::new(JointKind::Prismatic { anchor_a, anchor_b, rail, angle }, a, b))
    }

    /// A pin of B at a point, in a slot of A along a direction of the world.
    ///
    /// # Errors
    /// As [`weld_at`](Self::weld_at).
    pub fn slot_at(
        &self,
        a: BodyId,
        b: BodyId,
        point: Vec2,
        direction: Vec2,
    ) -> Result<JointDef, Error> {
        let ([anchor_a, anchor_b], angle) = self.meeting(a, b, point)?;
        let rail = self.direction_in(a, direction)?;
        Ok(JointDef::new(JointKind::Slot { anchor_a, anchor_b, rail, angle }, a, b))
    }

    /// A rod between two points of the world, as long as they are apart.
    ///
    /// # Errors
    /// As [`weld_at`](Self::weld_at).
    pub fn rod_between(
        &self,
        a: BodyId,
        b: BodyId,
        on_a: Vec2,
        on_b: Vec2,
    ) -> Result<JointDef, Error> {
        let ([anchor_a, _], _) = self.meeting(a, b, on_a)?;
        let ([_, anchor_b], _) = self.meeting(a, b, on_b)?;
        Ok(JointDef::rod(a, b, [anchor_a, anchor_b], (on_b - on_a).length()))
    }

    fn direction_in(&self, a: BodyId, direction: Vec2) -> Result<Vec2, Error> {
        let body = self.try_body(a).map_err(|reason| Error::Handle { what: "body", reason })?;
        Ok(body.local_point(body.center() + direction) - body.local_point(body.center()))
    }
}
