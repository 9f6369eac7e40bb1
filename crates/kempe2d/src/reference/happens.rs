//! After each step: points that leave their paths, thresholds that are passed, and joints that break.

use super::{ReferenceError, ReferenceReport, Run};
use crate::joint::{JointId, JointKind, OnBreak};
use crate::report::{Cause, Event};
use crate::world::World;
use kempe_scalar::{Vec2, precise};

impl Run {
    /// What a step of this length has led to. Says whether joints have changed, and lines with them.
    pub(super) fn look_after(
        &mut self,
        h: f64,
        world: &mut World,
        report: &mut ReferenceReport,
    ) -> Result<bool, ReferenceError> {
        let mut changes = Vec::new();
        for part in 0..self.stepper.system.parts.len() {
            let id = self.stepper.system.parts[part].id;
            let Ok(joint) = self.stepper.system.joints.get(id) else { continue };
            let def = &joint.def;
            if let JointKind::Path { path, leave: true, .. } = &def.kind {
                let place = self.state.places[part];
                if !path.is_closed() && !(0.0..=path.length()).contains(&place) {
                    let upper = place > 0.0;
                    report.events.push((self.state.t, Event::PathLeft { joint: id, upper }));
                    changes.push((id, OnBreak::Disable));
                    continue;
                }
            }
            if def.breaking.is_some() || def.threshold.is_some() {
                changes.extend(self.test_strength(part, h, world, report).map(|then| (id, then)));
            }
        }
        if changes.is_empty() {
            return Ok(false);
        }
        self.write(world);
        for (joint, then) in changes {
            match then {
                OnBreak::Remove => drop(world.remove_joint(joint)),
                OnBreak::Disable => drop(world.edit_joint(joint, |def| def.enabled = false)),
                OnBreak::Event => {}
            }
        }
        let removed = |event: &mut Event| matches!(event, Event::Removed { .. });
        let gone = world.pending.extract_if(.., removed);
        report.events.extend(gone.map(|event| (self.state.t, event)));
        let factored = self.stepper.factored;
        *self = Self::new(world, self.method)?;
        self.stepper.factored += factored;
        Ok(true)
    }

    /// Whether a joint is over its threshold, and what becomes of it if it breaks.
    fn test_strength(
        &mut self,
        part: usize,
        h: f64,
        world: &mut World,
        report: &mut ReferenceReport,
    ) -> Option<OnBreak> {
        let id = self.stepper.system.parts[part].id;
        let [force, torque] = self.reaction(part)?;
        let breaking = self.stepper.system.joints.get(id).ok()?.def.breaking;
        let error = match breaking.filter(|breaking| breaking.error.is_finite()) {
            Some(_) => self.separation(id, world),
            None => 0.0,
        };
        let t = self.state.t;
        let joint = self.stepper.system.joints.get_mut(id).ok()?;
        if let Some(threshold) = joint.def.threshold {
            let above = force > threshold;
            if above != joint.state.passed {
                report.events.push((t, Event::Threshold { joint: id, force, above }));
            }
            joint.state.passed = above;
        }
        let breaking = breaking?;
        let share = match breaking.filter {
            0.0 => 1.0,
            time => 1.0 - precise::exp(-h / time),
        };
        for (filtered, now) in joint.state.filtered.iter_mut().zip([force, torque]) {
            *filtered += share * (now - *filtered);
        }
        let [force, torque] = joint.state.filtered;
        let cause = if force > breaking.force {
            Cause::Force(force)
        } else if torque > breaking.torque {
            Cause::Torque(torque)
        } else if error > breaking.error {
            Cause::Error(error)
        } else {
            joint.state.over = false;
            return None;
        };
        if std::mem::replace(&mut joint.state.over, true) {
            return None;
        }
        report.events.push((t, Event::Broke { joint: id, cause }));
        if let JointKind::User(user) = &mut joint.def.kind
            && let Some(made) = user.made_mut()
        {
            made.broken();
        }
        Some(breaking.then).filter(|then| *then != OnBreak::Event)
    }

    /// How far a joint is open where the run is.
    fn separation(&self, id: JointId, world: &mut World) -> f64 {
        self.write(world);
        let (length, angle) = world.joint_separation(id).unwrap_or_default();
        length.max(angle)
    }

    /// The largest force of a joint on a body of its, and its torque on the last one about the anchor.
    fn reaction(&self, part: usize) -> Option<[f64; 2]> {
        let system = &self.stepper.system;
        let own = &system.parts[part];
        let joint = system.joint_at(own, self.state.t)?;
        let poses = system.poses(own, &self.state.q, self.state.t);
        let (mut rows, mut near) = (crate::user::Rows::default(), self.state.places[part]);
        joint.rows_at(&system.joints, &poses, self.state.t, &mut near, &mut rows)?;
        // By body: the force, and the torque about its origin.
        let mut pushed = vec![(Vec2::ZERO, 0.0); poses.len()];
        for (line, lambda) in system.lines.iter().zip(&self.stepper.lambda) {
            if line.part == part {
                for ((force, torque), j) in pushed.iter_mut().zip(&rows.jacobian[line.row]) {
                    *force += Vec2::new(j[0], j[1]) * *lambda;
                    *torque += j[2] * lambda;
                }
            }
        }
        let anchor = match &joint.def.kind {
            JointKind::Pulley { anchors, .. } => anchors[3],
            JointKind::Tendon { anchors, .. } => anchors.last().copied().unwrap_or_default(),
            JointKind::Path { anchor, .. } => *anchor,
            kind => kind.numbers().anchor_b,
        };
        let (last, pose) = (pushed.last()?, poses.last()?);
        let torque = last.1 - anchor.turned(pose.cos, pose.sin).cross(last.0);
        let force = pushed.iter().map(|each| each.0.length()).fold(0.0, f64::max);
        Some([force, torque.abs()])
    }
}
