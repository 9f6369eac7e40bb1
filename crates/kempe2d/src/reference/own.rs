//! What joints have of their own and steps move on: driven parameters and remembered directions of
//! programs, places on paths, teeth, and what types of the user keep.

use super::lines::What;
use super::newton::Stepper;
use super::system::{Part, State, System};
use crate::joint::{Joint, JointKind};
use crate::text::TextJoint;
use crate::user::Pose;
use crate::world::World;
use kempe_equation::{BodyState, Instance, Value};
use std::borrow::Cow;

impl System {
    /// A joint as it is at a time: driven parameters are p + ṗ (t − since), with the rates of half way
    /// where they change.
    pub(crate) fn joint_at(&self, part: &Part, t: f64) -> Option<Cow<'_, Joint>> {
        let joint = self.joints.get(part.id).ok()?;
        if !part.driven || t == self.since {
            return Some(Cow::Borrowed(joint));
        }
        let mut moved = joint.clone();
        if let JointKind::Text(text) = &mut moved.def.kind {
            go_on(text, &part.view, self.since, t - self.since)?;
        }
        Some(Cow::Owned(moved))
    }

    /// After a step to this state: joints' own states go on with it.
    pub(crate) fn settle(&mut self, state: &State) {
        let since = self.since;
        for index in 0..self.parts.len() {
            let part = &self.parts[index];
            let poses = self.poses(part, &state.q, state.t);
            let (id, stateful) = (part.id, part.stateful);
            let Ok(joint) = self.joints.get_mut(id) else { continue };
            match &mut joint.def.kind {
                JointKind::Path { .. } => joint.state.place = Some(state.places[index]),
                JointKind::User(user) => {
                    if let Some(made) = user.made_mut() {
                        made.prepare(&poses, state.t);
                    }
                }
                JointKind::Text(text) if stateful => {
                    // What it cannot be moved to has no value, and is found as soon as it is asked.
                    let _ = go_on(text, &self.parts[index].view, since, state.t - since);
                    self.parts[index].view = poses.iter().map(seen).collect();
                }
                _ => {}
            }
        }
        self.since = state.t;
        self.renew_bounds(state);
    }

    /// The ranges that programs give to their rows, as they are now.
    fn renew_bounds(&mut self, state: &State) {
        for index in 0..self.parts.len() {
            let part = &self.parts[index];
            let Ok(joint) = self.joints.get(part.id) else { continue };
            let JointKind::Text(text) = &joint.def.kind else { continue };
            let views: Vec<BodyState> =
                self.poses(part, &state.q, state.t).iter().map(seen).collect();
            let Ok(found) = text.instance.evaluate(&views, state.t) else { continue };
            for line in self.lines.iter_mut().filter(|line| line.part == index) {
                if let Some(bound) = &mut line.bound {
                    *bound = found.bounds[line.row];
                }
            }
        }
    }

    /// Writes what joints have of their own into a world.
    pub(crate) fn write_joints(&self, state: &State, world: &mut World) {
        for (part, place) in self.parts.iter().zip(&state.places) {
            let (Ok(own), Ok(joint)) = (self.joints.get(part.id), world.joints.get_mut(part.id))
            else {
                continue;
            };
            joint.state.teeth.clone_from(&own.state.teeth);
            joint.state.filtered = own.state.filtered;
            joint.state.over = own.state.over;
            joint.state.passed = own.state.passed;
            match &own.def.kind {
                JointKind::Path { .. } => joint.state.place = Some(*place),
                JointKind::Text(_) | JointKind::User(_) if part.stateful => {
                    joint.def.kind.clone_from(&own.def.kind);
                }
                _ => {}
            }
        }
    }
}

impl Stepper {
    /// The last tooth that a ratchet has passed; one that it stood at before stays.
    pub(crate) fn click(&mut self, line: usize) {
        let owner = &self.system.lines[line];
        let (What::Ratchet(ratchet), Some(axis)) = (&owner.what, owner.axis) else { return };
        let slack = 1e-9 / ratchet.step.abs();
        let turns = ((self.found[line].value - ratchet.phase) / ratchet.step + slack).floor();
        let tooth = turns * ratchet.step + ratchet.phase;
        let sign = ratchet.step.signum();
        let Ok(joint) = self.system.joints.get_mut(self.system.parts[owner.part].id) else {
            return;
        };
        if joint.state.teeth.len() <= axis {
            joint.state.teeth.resize(axis + 1, f64::NAN);
        }
        let now = &mut joint.state.teeth[axis];
        if now.is_nan() || (tooth - *now) * sign > 0.0 {
            *now = tooth;
        }
        self.teeth[line] = *now;
    }
}

/// Moves a program's own state on by `dt`, to second order.
fn go_on(text: &mut TextJoint, view: &[BodyState], since: f64, dt: f64) -> Option<()> {
    let mut half = text.instance.clone();
    half.advance(view, since, 0.5 * dt).ok()?;
    let mut on = half.clone();
    on.advance(view, since + 0.5 * dt, dt).ok()?;
    let program = text.program().clone();
    for parameter in program.parameters().iter().filter(|each| each.driven) {
        let value = |of: &Instance| of.get(&parameter.name).ok().flatten();
        let (from, half, on) = (value(&text.instance)?, value(&half)?, value(&on)?);
        let (mut sum, half, on) = (from.components(), half.components(), on.components());
        for (k, number) in sum.iter_mut().enumerate() {
            *number += on[k] - half[k];
        }
        let moved = Value::from_components(parameter.kind, sum);
        text.instance.set(&parameter.name, moved).ok()?;
    }
    text.instance.set_memories(on.memories());
    Some(())
}

fn seen(pose: &Pose) -> BodyState {
    BodyState { position: pose.position.into(), rotation: pose.rotation, ..BodyState::default() }
}
