//! What can be read of a joint: coordinates, errors, impulses, forces.

use super::World;
use crate::body::Body;
use crate::joint::{Joint, JointId, JointKind};
use crate::solver::{LawKind, Piece};
use crate::user::Rows;
use kempe_scalar::Vec2;

/// The forces of a joint over the last step, N and N·m.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JointForce {
    /// On the body, in world axes.
    pub force: Vec2,
    /// About the body's centre of mass.
    pub torque: f64,
}

/// What a joint's axis did over the last step, N or N·m; a positive force raises the coordinate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AxisForce {
    /// Of the motor.
    pub motor: f64,
    /// Of the limit, or of what holds the axis.
    pub limit: f64,
    /// Of the spring and the force law.
    pub spring: f64,
    /// Of friction.
    pub friction: f64,
}

impl AxisForce {
    /// Everything together.
    pub fn total(&self) -> f64 {
        self.motor + self.limit + self.spring + self.friction
    }
}

impl World {
    /// The rows of a joint now, in f64, J of the velocities of the centres of mass by body.
    pub(crate) fn joint_rows(&self, joint: &Joint) -> Option<Rows> {
        let ids = &joint.def.bodies;
        let bodies: Vec<&Body> =
            ids.iter().map(|id| self.bodies.get(*id).ok()).collect::<Option<_>>()?;
        let (poses, mut rows) = (self.poses(ids), Rows::default());
        let mut near = joint.place(&poses);
        joint.rows_at(&self.joints, &poses, self.time, &mut near, &mut rows)?;
        // Of the centre of mass: v_origin = v − ω ⊥(R c).
        for row in &mut rows.jacobian {
            for (part, body) in row.iter_mut().zip(&bodies) {
                let arm = body.turned(body.properties.center).perp();
                part[2] -= part[0] * arm.x + part[1] * arm.y;
            }
        }
        Some(rows)
    }

    /// The coordinate of an axis, m or rad; `None` if there is no such joint or axis.
    pub fn joint_coordinate(&self, id: JointId, axis: usize) -> Option<f64> {
        let joint = self.joint(id)?;
        let rows = self.joint_rows(joint)?;
        let row = joint.def.kind.hold_count() + axis;
        rows.value.get(row).copied()
    }

    /// The tooth that the ratchet of an axis stands at, m or rad; `None` where there is no ratchet, or
    /// no step has been made yet.
    pub fn joint_tooth(&self, id: JointId, axis: usize) -> Option<f64> {
        self.joint(id)?.state.teeth.get(axis).copied().filter(|tooth| tooth.is_finite())
    }

    /// How fast the coordinate of an axis grows, m/s or rad/s.
    pub fn joint_speed(&self, id: JointId, axis: usize) -> Option<f64> {
        let joint = self.joint(id)?;
        let rows = self.joint_rows(joint)?;
        self.row_speed(joint, &rows, joint.def.kind.hold_count() + axis)
    }

    fn row_speed(&self, joint: &Joint, rows: &Rows, row: usize) -> Option<f64> {
        let mut speed = *rows.bias.get(row)?;
        for (part, id) in rows.jacobian[row].iter().zip(&joint.def.bodies) {
            let body = self.bodies.get(*id).ok()?;
            speed += part[0] * body.velocity.x
                + part[1] * body.velocity.y
                + part[2] * body.angular_velocity;
        }
        Some(speed)
    }

    /// C of the held rows, m or rad.
    pub fn joint_error(&self, id: JointId) -> Option<Vec<f64>> {
        let joint = self.joint(id)?;
        let rows = self.joint_rows(joint)?;
        Some(rows.value[..joint.def.kind.hold_count()].to_vec())
    }

    /// How far the hold is open: the length of its errors in m, and the largest in rad. An axis that
    /// is held counts, and one past its limit by as much as it is past it.
    pub fn joint_separation(&self, id: JointId) -> Option<(f64, f64)> {
        let joint = self.joint(id)?;
        let rows = self.joint_rows(joint)?;
        let hold = joint.def.kind.hold_count();
        // A program has bounds of its own.
        let bounds = match &joint.def.kind {
            JointKind::Text(text) => {
                let states = self.body_states(&joint.def.bodies);
                text.instance.evaluate(&states, self.time).ok()?.bounds
            }
            _ => Vec::new(),
        };
        let (mut squares, mut angle) = (0.0, 0.0_f64);
        for (row, value) in rows.value.iter().enumerate() {
            let of_axis = row.checked_sub(hold).map(|axis| {
                let axis = joint.def.axis(axis);
                axis.and_then(|axis| axis.limit).map(|limit| (limit.lower, limit.upper))
            });
            let (lower, upper) = match (of_axis, bounds.get(row)) {
                (Some(Some(limit)), _) => limit,
                (_, Some(bound)) => (bound.lower, bound.upper),
                (None, None) => (0.0, 0.0),
                (Some(None), None) => continue,
            };
            let past = (value - upper).max(0.0) + (value - lower).min(0.0);
            if rows.jacobian[row].iter().all(|part| part[0] == 0.0 && part[1] == 0.0) {
                angle = angle.max(past.abs());
            } else {
                squares += past * past;
            }
        }
        Some((squares.sqrt(), angle))
    }

    /// The impulses of the whole last step: of the held rows, then of each axis in turn what its
    /// laws did together (an axis that is held counts there), N·s or N·m·s.
    pub fn joint_impulses(&self, id: JointId) -> Option<Vec<f64>> {
        let joint = self.joint(id)?;
        let kind = &joint.def.kind;
        let mut impulses = vec![0.0; kind.hold_count() + kind.axis_count()];
        for (_, row, impulse) in self.row_impulses(id, joint) {
            impulses[row] += impulse;
        }
        Some(impulses)
    }

    /// (law, or none for a held row; row; impulse of the whole last step)
    ///
    /// A joint that rests with its bodies, or that a snapshot has just brought, goes by the forces
    /// that it last had.
    fn row_impulses(&self, id: JointId, joint: &Joint) -> Vec<(Option<LawKind>, usize, f64)> {
        let mut found = Vec::new();
        let places = self.solver.places.get(id.index()).filter(|places| !places.is_empty());
        let Some(places) = places else {
            let cached = &joint.cached;
            let asleep = |id: &crate::BodyId| {
                self.bodies.get(*id).is_ok_and(|body| body.asleep || !body.moves())
            };
            let rests = joint.def.enabled && joint.def.bodies.iter().all(asleep);
            if cached.h == 0.0 || !(rests || self.solver.dirty) {
                return found;
            }
            let steps = self.last_dt / cached.h;
            let whole = |impulse: f32| f64::from(impulse) * steps;
            let held = cached.hold.iter().enumerate();
            found.extend(held.map(|(row, impulse)| (None, row, whole(*impulse))));
            let laws = cached.laws.iter();
            for (row, law, [first, second]) in laws {
                found.extend(by_row(*law, *row, [whole(*first), whole(*second)]));
            }
            return found;
        };
        for at in places.iter().map(|place| place.at()) {
            match self.solver.piece(at) {
                Piece::Law(law, row) => {
                    let totals = [0, 1].map(|k| self.solver.total(at, k));
                    found.extend(by_row(law, row, totals));
                }
                Piece::Hold(rows) => {
                    let totals = rows.iter().enumerate();
                    found.extend(
                        totals.map(|(k, row)| (None, usize::from(*row), self.solver.total(at, k))),
                    );
                }
            }
        }
        found
    }

    /// The force on each body of the joint over the last step, at its centre of mass, in the order
    /// of the bodies.
    pub fn joint_forces(&self, id: JointId) -> Option<Vec<JointForce>> {
        let joint = self.joint(id)?;
        let impulses = self.joint_impulses(id)?;
        let mut forces = vec![JointForce::default(); joint.def.bodies.len()];
        let dt = self.last_dt;
        if dt == 0.0 {
            return Some(forces);
        }
        let rows = self.joint_rows(joint)?;
        // A row that does nothing may be of a joint that was left out, and not be finite.
        let acting = rows.jacobian.iter().zip(impulses).filter(|(_, impulse)| *impulse != 0.0);
        for (row, impulse) in acting {
            for (force, part) in forces.iter_mut().zip(row) {
                force.force += Vec2::new(part[0], part[1]) * (impulse / dt);
                force.torque += part[2] * impulse / dt;
            }
        }
        Some(forces)
    }

    /// The force on B's centre of mass and the torque on B that the joint exerted over the last
    /// step, N and N·m. Of a joint with more bodies, on the last.
    pub fn joint_force(&self, id: JointId) -> Option<(Vec2, f64)> {
        let last = *self.joint_forces(id)?.last()?;
        Some((last.force, last.torque))
    }

    /// The same with the torque about B's anchor (its origin, where a joint has no anchor).
    pub fn joint_reaction(&self, id: JointId) -> Option<(Vec2, f64)> {
        let (force, torque) = self.joint_force(id)?;
        let joint = self.joint(id)?;
        let body = self.bodies.get(*joint.def.bodies.last()?).ok()?;
        let arm = body.turned(joint.last_anchor() - body.properties.center);
        Some((force, torque - arm.cross(force)))
    }

    /// What acted on an axis over the last step.
    pub fn joint_axis_force(&self, id: JointId, axis: usize) -> Option<AxisForce> {
        let joint = self.joint(id)?;
        let row = joint.def.kind.hold_count() + axis;
        let dt = self.last_dt;
        let mut force = AxisForce::default();
        if axis >= joint.def.kind.axis_count() {
            return None;
        }
        for (law, _, impulse) in
            self.row_impulses(id, joint).into_iter().filter(|each| each.1 == row && dt > 0.0)
        {
            *match law {
                Some(LawKind::Pull | LawKind::Spring | LawKind::Force) => &mut force.spring,
                Some(LawKind::Tow | LawKind::Servo | LawKind::Motor | LawKind::Push) => {
                    &mut force.motor
                }
                Some(LawKind::Friction) => &mut force.friction,
                Some(LawKind::Limit | LawKind::Held) | None => &mut force.limit,
            } += impulse / dt;
        }
        Some(force)
    }

    /// Whether a joint that only pulls or only pushes does nothing: nothing on its axes exerts a
    /// force, and it holds nothing.
    pub fn joint_is_slack(&self, id: JointId) -> Option<bool> {
        let joint = self.joint(id)?;
        let kind = &joint.def.kind;
        let taut = (0..kind.axis_count())
            .filter_map(|axis| self.joint_axis_force(id, axis))
            .any(|force| force.limit != 0.0 || force.spring != 0.0 || force.motor != 0.0);
        let holds = match kind {
            JointKind::Text(_) => self.joint_impulses(id)?.iter().any(|impulse| *impulse != 0.0),
            _ => kind.hold_count() > 0,
        };
        Some(!holds && !taut)
    }

    /// The power that a joint puts into its bodies, W: Σ λ q̇ / dt over its rows, at the end of the
    /// last step.
    pub fn joint_power(&self, id: JointId) -> Option<f64> {
        let joint = self.joint(id)?;
        let rows = self.joint_rows(joint)?;
        let impulses = self.joint_impulses(id)?;
        let dt = self.last_dt;
        if dt == 0.0 {
            return Some(0.0);
        }
        let acting = impulses.iter().enumerate().filter(|(_, impulse)| **impulse != 0.0);
        let each = acting.map(|(row, impulse)| {
            // What the bodies do along the row, without what a driven row does by itself.
            let speed = self.row_speed(joint, &rows, row).unwrap_or(0.0) - rows.bias[row];
            impulse * speed / dt
        });
        Some(each.sum())
    }
}

impl Joint {
    /// The anchor on the last of its bodies; its origin, where a joint has none.
    pub(crate) fn last_anchor(&self) -> Vec2 {
        match &self.def.kind {
            JointKind::Pulley { anchors, .. } => anchors[3],
            JointKind::Tendon { anchors, .. } => anchors.last().copied().unwrap_or_default(),
            JointKind::Path { anchor, .. } => *anchor,
            kind => kind.numbers().anchor_b,
        }
    }
}

/// What a law does, row by row: its two impulses are of two rows, or of the two ends of a range.
fn by_row(
    law: LawKind,
    row: u8,
    [first, second]: [f64; 2],
) -> impl Iterator<Item = (Option<LawKind>, usize, f64)> {
    let row = usize::from(row);
    let each = match law.is_pair() {
        true => [Some((row, first)), Some((row + 1, second))],
        false => [Some((row, first - second)), None],
    };
    each.into_iter().flatten().map(move |(row, impulse)| (Some(law), row, impulse))
}
