//! After the last sub-step: stops that were touched, thresholds, and joints that break.

use super::World;
use crate::joint::{JointId, JointKind, OnBreak};
use crate::report::{Cause, Event};
use crate::solver::LawKind;
use kempe_scalar::precise;
use smallvec::{SmallVec, smallvec};

impl World {
    /// Tells which joints were left out of the step.
    pub(super) fn report_left_out(&mut self) {
        let mut now = std::mem::take(&mut self.left_out_now);
        now.clear();
        now.extend(self.solver.left_out());
        now.sort_unstable();
        for slot in self.left_out.drain(..) {
            if let Some(joint) = self.joints.at_mut(slot) {
                joint.state.left_out = now.binary_search(&slot).is_ok();
            }
        }
        for slot in &now {
            let Some(id) = self.joints.handle_at(*slot) else { continue };
            if let Some(joint) = self.joints.at_mut(*slot)
                && !std::mem::replace(&mut joint.state.left_out, true)
            {
                self.report.events.push(Event::LeftOut(id));
            }
        }
        self.left_out_now = std::mem::replace(&mut self.left_out, now);
    }

    /// Tells where expressions and laws began to give no number.
    pub(super) fn report_unknown(&mut self) {
        if self.unknown.is_empty() && self.solver.unknown.is_empty() {
            return;
        }
        let mut now = std::mem::take(&mut self.solver.unknown);
        now.sort_unstable();
        now.dedup();
        for slot in self.unknown.drain(..) {
            if let Some(joint) = self.joints.at_mut(slot as usize) {
                let still = |axis: &u32| now.binary_search(&(slot, *axis)).is_ok();
                joint.state.forget(|rare| rare.unknown.retain(still));
            }
        }
        for (slot, axis) in &now {
            let Some(id) = self.joints.handle_at(*slot as usize) else { continue };
            let Some(joint) = self.joints.at_mut(*slot as usize) else { continue };
            if !joint.state.unknown.contains(axis) {
                joint.state.unknown.push(*axis);
                self.report.events.push(Event::NoNumber { joint: id, axis: *axis as usize });
            }
            self.unknown.push(*slot);
        }
        self.unknown.dedup();
        self.solver.unknown = now;
    }

    /// Tells which stops were reached and left, and which thresholds were passed; then breaks what
    /// is over its limits.
    pub(super) fn break_joints(&mut self, dt: f64) {
        let watched = std::mem::take(&mut self.watched);
        if self.solver.remade || self.solver.dirty {
            for id in &watched {
                self.touch_stops(*id);
                self.leave_path(*id);
                self.test_strength(*id, dt);
            }
            // What is known of the stops from now on.
            self.solver.changed_stops();
        } else {
            self.break_changed(dt);
        }
        self.watched = watched;
        // Couplings that went with a joint that broke, and stops that it was at.
        let ended = |event: &mut Event| {
            use Event::{LimitLeft, Removed, Slack};
            matches!(event, Removed { .. } | LimitLeft { .. } | Slack(_))
        };
        self.report.events.extend(self.pending.extract_if(.., ended));
    }

    /// The same where nothing else has changed: only stops that were touched or left, and what can
    /// break, are looked at.
    fn break_changed(&mut self, dt: f64) {
        let mut touched = std::mem::take(&mut self.touched);
        touched.clear();
        touched.extend_from_slice(self.solver.changed_stops());
        let weak = std::mem::take(&mut self.weak);
        let mut stops = touched.iter().map(|slot| *slot as usize).peekable();
        for id in &weak {
            while let Some(slot) = stops.next_if(|slot| *slot <= id.index()) {
                self.touch_slot(slot);
            }
            self.leave_path(*id);
            self.test_strength(*id, dt);
        }
        stops.for_each(|slot| self.touch_slot(slot));
        (self.touched, self.weak) = (touched, weak);
    }

    fn touch_slot(&mut self, slot: usize) {
        if let Some(id) = self.joints.handle_at(slot) {
            self.touch_stops(id);
        }
    }

    fn touch_stops(&mut self, id: JointId) {
        let Some(joint) = self.joint(id) else { return };
        // What sleeps stays as it is.
        let each = || joint.def.bodies.iter().filter_map(|id| self.bodies.get(*id).ok());
        if each().any(|body| body.asleep) {
            return;
        }
        let (hold, rope) = (joint.def.kind.hold_count(), joint.def.kind.is_rope());
        let axes = joint.def.kind.axis_count();
        let mut touched: SmallVec<[u8; 8]> = smallvec![0; axes];
        for place in self.solver.places.get(id.index()).into_iter().flatten() {
            let at = place.at();
            if let Some((LawKind::Limit, row)) = self.solver.law(at) {
                // Rows of a constraint that have a range count behind the axes.
                let row = usize::from(row);
                let axis = row.checked_sub(hold).unwrap_or(axes + row);
                touched.resize(touched.len().max(axis + 1), 0);
                let side = |k: usize| u8::from(self.solver.total(at, k) > 0.0);
                touched[axis] |= side(0) | side(1) << 1;
            }
        }
        if joint.state.touched.is_empty() && touched.iter().all(|sides| *sides == 0) {
            return;
        }
        let events = &mut self.report.events;
        let Ok(joint) = self.joints.get_mut(id) else { return };
        let longest = touched.len().max(joint.state.touched.len());
        touched.resize(longest, 0);
        joint.state.touched.resize(longest, 0);
        for (axis, (before, now)) in joint.state.touched.iter_mut().zip(touched).enumerate() {
            for upper in [false, true] {
                let bit = 1 << u8::from(upper);
                let (was, is) = (*before & bit != 0, now & bit != 0);
                let event = match (was, is) {
                    (false, true) if rope && upper => Event::Taut(id),
                    (true, false) if rope && upper => Event::Slack(id),
                    (false, true) => Event::LimitReached { joint: id, axis, upper },
                    (true, false) => Event::LimitLeft { joint: id, axis, upper },
                    _ => continue,
                };
                events.push(event);
            }
            *before = now;
        }
    }

    /// Tells that all stops are left that a joint is at: it is about to go, or to become another.
    pub(super) fn leave_stops(&mut self, id: JointId) {
        let Ok(joint) = self.joints.get_mut(id) else { return };
        let rope = joint.def.kind.is_rope();
        let mut left: SmallVec<[Event; 2]> = SmallVec::new();
        joint.state.forget(|rare| {
            for (axis, sides) in std::mem::take(&mut rare.touched).into_iter().enumerate() {
                for upper in
                    [false, true].into_iter().filter(|upper| sides >> u8::from(*upper) & 1 != 0)
                {
                    left.push(match rope && upper {
                        true => Event::Slack(id),
                        false => Event::LimitLeft { joint: id, axis, upper },
                    });
                }
            }
        });
        self.pending.extend(left);
    }

    /// Lets go of a point that has come to the end of a path that it may leave.
    fn leave_path(&mut self, id: JointId) {
        let Some(joint) = self.joint(id).filter(|joint| joint.def.enabled) else { return };
        let JointKind::Path { path, leave: true, .. } = &joint.def.kind else { return };
        let place = joint.state.place.unwrap_or(0.0);
        if path.is_closed() || (0.0..=path.length()).contains(&place) {
            return;
        }
        let def = crate::JointDef { enabled: false, ..joint.def() };
        self.report.events.push(Event::PathLeft { joint: id, upper: place > 0.0 });
        // It is there, and only this is different.
        let _ = self.set_joint(id, &def);
    }

    fn test_strength(&mut self, id: JointId, dt: f64) {
        let Some(joint) = self.joint(id) else { return };
        let (breaking, threshold) = (joint.def.breaking, joint.def.threshold);
        if !joint.def.enabled || (breaking.is_none() && threshold.is_none()) {
            return;
        }
        let Some((_, torque)) = self.joint_reaction(id) else { return };
        let Some(forces) = self.joint_forces(id) else { return };
        let force = forces.iter().map(|each| each.force.length()).fold(0.0, f64::max);
        // What is not finite would stay so behind the filter.
        let number = |value: f64| if value.is_finite() { value } else { 0.0 };
        let (force, torque) = (number(force), number(torque.abs()));
        let separation = self.joint_separation(id).unwrap_or_default();
        let Ok(joint) = self.joints.get_mut(id) else { return };
        if let Some(threshold) = threshold {
            let above = force > threshold;
            if above != joint.state.passed {
                self.report.events.push(Event::Threshold { joint: id, force, above });
            }
            joint.state.passed = above;
        }
        let Some(breaking) = breaking else { return };
        let share = match breaking.filter {
            0.0 => 1.0,
            time => 1.0 - precise::exp(-dt / time),
        };
        for (filtered, now) in joint.state.filtered.iter_mut().zip([force, torque]) {
            *filtered += share * (now - *filtered);
        }
        let [force, torque] = joint.state.filtered;
        let error = separation.0.max(separation.1);
        let cause = if force > breaking.force {
            Some(Cause::Force(force))
        } else if torque > breaking.torque {
            Some(Cause::Torque(torque))
        } else if error > breaking.error {
            Some(Cause::Error(error))
        } else {
            None
        };
        let was = std::mem::replace(&mut joint.state.over, cause.is_some());
        let Some(cause) = cause.filter(|_| !was) else { return };
        self.report.events.push(Event::Broke { joint: id, cause });
        if let JointKind::User(user) = &mut joint.def.kind
            && let Some(made) = user.made_mut()
        {
            made.broken();
        }
        match breaking.then {
            OnBreak::Event => {}
            OnBreak::Disable => {
                let def = crate::JointDef { enabled: false, ..joint.def() };
                // It is there, and only this is different.
                let _ = self.set_joint(id, &def);
            }
            OnBreak::Remove => {
                // It is there: it was looked at above.
                let _ = self.remove_joint(id);
            }
        }
    }
}
