//! Points that leave their paths, thresholds that are passed, and joints that break: when, and what
//! becomes of them.

use super::events::Kept;
use super::newton::Tried;
use super::{ReferenceError, ReferenceReport, Run};
use crate::joint::{JointId, JointKind, OnBreak};
use crate::report::{Cause, Event};
use crate::world::World;
use kempe_scalar::{Vec2, precise};

/// So often a moment is looked for.
const ROUNDS: u32 = 60;
/// What is over by less than this part is just so.
const CLOSE: f64 = 1e-11;

/// What a joint bears.
#[derive(Clone, Copy, Debug)]
struct Strain {
    /// Its force now.
    now: f64,
    /// Its force and torque as they count for breaking.
    force: f64,
    torque: f64,
    /// How far it is open.
    error: f64,
}

impl Run {
    /// What a step of this length has led to. Says whether joints have changed, and lines with them.
    pub(super) fn look_after(
        &mut self,
        h: f64,
        world: &mut World,
        report: &mut ReferenceReport,
    ) -> Result<bool, ReferenceError> {
        let mut changes = Vec::new();
        let lambda = match self.watches() {
            true => self.accelerations()?.lambda,
            false => Vec::new(),
        };
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
                changes.extend(
                    self.test_strength(part, (h, &lambda), world, report).map(|then| (id, then)),
                );
            }
        }
        self.blows.fill(0.0);
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
        let (dt, halvings) = (self.dt, self.halvings);
        *self = Self { dt, halvings, ..Self::new(world, self.method)? };
        self.stepper.factored += factored;
        Ok(true)
    }

    /// Whether a joint is over its threshold, and what becomes of it if it breaks.
    fn test_strength(
        &mut self,
        part: usize,
        (h, lambda): (f64, &[f64]),
        world: &mut World,
        report: &mut ReferenceReport,
    ) -> Option<OnBreak> {
        let id = self.stepper.system.parts[part].id;
        let strain = self.strain(part, h, lambda, world)?;
        let t = self.state.t;
        let joint = self.stepper.system.joints.get_mut(id).ok()?;
        if let Some(threshold) = joint.def.threshold {
            let (force, above) = (strain.now, strain.now > threshold);
            if above != joint.state.passed {
                report.events.push((t, Event::Threshold { joint: id, force, above }));
            }
            joint.state.passed = above;
        }
        let breaking = joint.def.breaking?;
        joint.state.filtered = [strain.force, strain.torque];
        let cause = if strain.force > breaking.force {
            Cause::Force(strain.force)
        } else if strain.torque > breaking.torque {
            Cause::Torque(strain.torque)
        } else if strain.error > breaking.error {
            Cause::Error(strain.error)
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

    /// What a joint bears where the run is, after `h` with these forces: those of the moment, and the
    /// blows of impacts, which count as spread over a step.
    fn strain(&self, part: usize, h: f64, lambda: &[f64], world: &mut World) -> Option<Strain> {
        let id = self.stepper.system.parts[part].id;
        let joint = self.stepper.system.joints.get(id).ok()?;
        let all: Vec<f64> =
            lambda.iter().zip(&self.blows).map(|(force, blow)| force + blow / self.dt).collect();
        let now = self.reaction(part, &all)?;
        let breaking = joint.def.breaking.unwrap_or_default();
        let [force, torque] = match breaking.filter {
            0.0 => now,
            time => {
                let struck: Vec<f64> = self.blows.iter().map(|blow| blow / time).collect();
                let (steady, struck) =
                    (self.reaction(part, lambda)?, self.reaction(part, &struck)?);
                let share = 1.0 - precise::exp(-h / time);
                let before = joint.state.filtered;
                std::array::from_fn(|k| before[k] + share * (steady[k] - before[k]) + struck[k])
            }
        };
        let error = if breaking.error.is_finite() { self.separation(id, world) } else { 0.0 };
        Some(Strain { now: now[0], force, torque, error })
    }

    /// By how much the first of what a joint bears is more than it can, of what it was not before; so
    /// for the end of a path. What is passed on the way is located by it.
    fn excess(&self, part: usize, h: f64, lambda: &[f64], world: &mut World) -> f64 {
        let mut most = f64::NEG_INFINITY;
        let Ok(joint) = self.stepper.system.joints.get(self.stepper.system.parts[part].id) else {
            return most;
        };
        if let JointKind::Path { path, leave: true, .. } = &joint.def.kind
            && !path.is_closed()
        {
            let place = self.state.places[part];
            most = most.max(-place).max(place - path.length());
        }
        if joint.def.breaking.is_none() && joint.def.threshold.is_none() {
            return most;
        }
        let Some(strain) = self.strain(part, h, lambda, world) else { return most };
        if let Some(threshold) = joint.def.threshold {
            let above = strain.now / threshold - 1.0;
            most = most.max(if joint.state.passed { -above } else { above });
        }
        if let Some(breaking) = joint.def.breaking.filter(|_| !joint.state.over) {
            most = most.max(strain.force / breaking.force - 1.0);
            most = most.max(strain.torque / breaking.torque - 1.0);
            most = most.max(strain.error / breaking.error - 1.0);
        }
        most
    }

    /// Whether anything is to be watched for in this way.
    fn watches(&self) -> bool {
        let system = &self.stepper.system;
        system.parts.iter().any(|part| match system.joints.get(part.id) {
            Ok(joint) => {
                let leaves = matches!(&joint.def.kind, JointKind::Path { leave: true, .. });
                joint.def.breaking.is_some() || joint.def.threshold.is_some() || leaves
            }
            Err(_) => false,
        })
    }

    /// The largest excess at the end of a step that was tried.
    fn excess_after(
        &mut self,
        tried: &Tried,
        h: f64,
        world: &mut World,
    ) -> Result<f64, ReferenceError> {
        let before = std::mem::replace(&mut self.state, tried.state.clone());
        let found = self.accelerations().map(|moment| {
            let parts = 0..self.stepper.system.parts.len();
            parts.fold(f64::NEG_INFINITY, |most, part| {
                most.max(self.excess(part, h, &moment.lambda, world))
            })
        });
        self.state = before;
        found
    }

    /// A step that was tried, or as much of it as goes by until something breaks, passes its
    /// threshold or leaves its path; and whether that is less.
    pub(super) fn unbroken(
        &mut self,
        (tried, h): (Tried, f64),
        kept: &Kept,
        world: &mut World,
        report: &mut ReferenceReport,
    ) -> Result<(Tried, f64, bool), ReferenceError> {
        if !self.watches() {
            return Ok((tried, h, false));
        }
        let after = self.alpha.clone();
        let mut at_high = self.excess_after(&tried, h, world)?;
        if at_high <= 0.0 {
            self.alpha = after;
            return Ok((tried, h, false));
        }
        let (mut low, mut high, mut at_low) = (0.0, h, f64::NAN);
        let mut reached = (tried, after);
        for round in 0..ROUNDS {
            let next = match at_low.is_finite() && round % 3 != 2 {
                true => low + (high - low) * at_low / (at_low - at_high),
                false => 0.5 * (low + high),
            };
            if !(low < next && next < high) {
                break;
            }
            self.back(kept)?;
            let tried = self.smooth(next)?;
            report.steps += 1;
            let alpha = self.alpha.clone();
            match self.excess_after(&tried, next, world)? {
                over if over > 0.0 => {
                    (high, at_high) = (next, over);
                    reached = (tried, alpha);
                }
                under => (low, at_low) = (next, under.min(-0.1 * CLOSE)),
            }
            if at_high < CLOSE || high - low < 1e-13 * h {
                break;
            }
        }
        self.alpha = reached.1;
        Ok((reached.0, high, true))
    }

    /// How far a joint is open where the run is.
    fn separation(&self, id: JointId, world: &mut World) -> f64 {
        self.write(world);
        let (length, angle) = world.joint_separation(id).unwrap_or_default();
        length.max(angle)
    }

    /// The largest force of a joint on a body of its, and its torque on the last one about the anchor.
    fn reaction(&self, part: usize, lambda: &[f64]) -> Option<[f64; 2]> {
        let system = &self.stepper.system;
        let own = &system.parts[part];
        let joint = system.joint_at(own, self.state.t)?;
        let poses = system.poses(own, &self.state.q, self.state.t);
        let (mut rows, mut near) = (crate::user::Rows::default(), self.state.places[part]);
        joint.rows_at(&system.joints, &poses, self.state.t, &mut near, &mut rows)?;
        // By body: the force, and the torque about its origin.
        let mut pushed = vec![(Vec2::ZERO, 0.0); poses.len()];
        for (line, lambda) in system.lines.iter().zip(lambda) {
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
