//! Islands that sleep, and what wakes them.

use super::World;
use crate::body::{Body, BodyId, BodyKind};
use crate::joint::{Joint, JointId, JointKind, Motor};
use crate::report::Event;
use crate::solver::connects;
use kempe_scalar::Vec2;
use kempe_solve::Pool;

impl World {
    /// Wakes a body and everything that it fell asleep with.
    ///
    /// # Errors
    /// If the handle finds nothing.
    pub fn wake(&mut self, id: BodyId) -> Result<(), crate::Error> {
        let body = self.bodies.get(id);
        body.map_err(|reason| crate::Error::Handle { what: "body", reason })?;
        self.wake_slot(id.index());
        Ok(())
    }

    /// Wakes what is in a slot, with all that it sleeps with.
    pub(super) fn wake_slot(&mut self, slot: usize) {
        // The solver knows nothing of this.
        let Some(body) = self.bodies.quiet_mut(slot) else { return };
        body.begin_rest();
        if !body.asleep {
            return;
        }
        let bed = body.bed;
        for (id, body) in self.bodies.iter_mut() {
            if body.asleep && body.bed == bed {
                body.asleep = false;
                body.begin_rest();
                self.sleeping = self.sleeping.saturating_sub(1);
                self.pending.push(Event::Woke(id));
            }
        }
        self.solver.dirty = true;
    }

    /// Wakes what a body is connected to: for one that nothing moves, its neighbours.
    pub(super) fn wake_around(&mut self, id: BodyId) {
        let moves = self.bodies.at(id.index()).is_some_and(Body::moves);
        if moves {
            self.wake_slot(id.index());
        } else {
            self.wake_neighbours(id);
        }
    }

    /// Wakes a body and all that joints connect it to: what it did not sleep with while nothing moved
    /// it is connected to it when something does.
    pub(super) fn wake_neighbours(&mut self, id: BodyId) {
        self.wake_slot(id.index());
        if self.sleeping == 0 {
            return;
        }
        let on_it = |(_, joint): &(JointId, &Joint)| joint.def.bodies.contains(&id);
        let joints: Vec<JointId> = self.joints.iter().filter(on_it).map(|each| each.0).collect();
        for joint in joints {
            self.wake_joint(joint);
        }
    }

    /// Wakes the bodies of a joint.
    pub(super) fn wake_joint(&mut self, id: JointId) {
        let Ok(joint) = self.joints.get(id) else { return };
        for body in &joint.def.bodies.clone() {
            self.wake_slot(body.index());
        }
    }

    /// Bodies that joints connect, without those that nothing moves, which connect nothing.
    fn find_islands(&mut self) {
        let bodies = &self.bodies;
        let moves = |slot: usize| bodies.at(slot).is_some_and(Body::moves);
        self.islands.reset(bodies.slots());
        for (_, joint) in self.joints.iter().filter(|(_, joint)| connects(joint, bodies)) {
            let mut moving = joint.def.bodies.iter().map(|id| id.index()).filter(|at| moves(*at));
            if let Some(first) = moving.next() {
                for other in moving {
                    self.islands.connect(first, other);
                }
            }
        }
        self.islands.finish(moves);
    }

    /// Puts islands to sleep whose bodies have been at rest for long enough.
    pub(super) fn sleep_islands(&mut self) {
        let settings = self.settings;
        if !settings.sleep {
            return;
        }
        let long = |body: &Body| body.idle > 0.0 && body.idle >= settings.sleep_time as f32;
        let candidates = self.bodies.iter().any(|(_, body)| !body.asleep && long(body));
        if !candidates {
            return;
        }
        self.find_islands();
        let restless = self.restless();
        for (island, restless) in restless.into_iter().enumerate() {
            let members = self.islands.bodies(island).to_vec();
            let each = || members.iter().filter_map(|slot| self.bodies.at(*slot as usize));
            if restless || each().any(|body| !long(body)) || each().all(|body| body.asleep) {
                continue;
            }
            self.beds += 1;
            for slot in members {
                let Some(id) = self.bodies.handle_at(slot as usize) else { continue };
                let Some(body) = self.bodies.at_mut(slot as usize) else { continue };
                if !body.asleep {
                    self.report.events.push(Event::Slept(id));
                }
                body.asleep = true;
                body.bed = self.beds;
                body.velocity = Vec2::ZERO;
                body.angular_velocity = 0.0;
            }
            self.solver.dirty = true;
        }
        self.sleeping = self.bodies.iter().filter(|(_, body)| body.asleep).count();
    }

    /// Islands in which something will move by itself: a target that follows the clock, a program
    /// that does, a kinematic body on its way.
    fn restless(&self) -> Vec<bool> {
        let mut restless = vec![false; self.islands.len()];
        for (_, joint) in self.joints.iter().filter(|(_, joint)| joint.def.enabled) {
            let on_its_way =
                joint.def.bodies.iter().filter_map(|id| self.bodies.at(id.index())).any(|body| {
                    body.kind == BodyKind::Kinematic
                        && (body.velocity != Vec2::ZERO || body.angular_velocity != 0.0)
                });
            if on_its_way || follows_clock(joint, &self.joints) {
                let islands = joint.def.bodies.iter().filter_map(|id| self.islands.of(id.index()));
                for island in islands {
                    restless[island] = true;
                }
            }
        }
        restless
    }
}

/// Whether a joint moves by itself as time goes on.
fn follows_clock(joint: &Joint, joints: &Pool<Joint>) -> bool {
    let moving = |motor: &Motor| match motor {
        // However slow, it is to go on.
        Motor::Velocity { speed, .. } => speed.moves() || speed.at(0.0).0 != 0.0,
        Motor::Position { target, .. } => target.moves(),
        Motor::Both { target, speed, .. } => target.moves() || speed.moves(),
        Motor::Force { force } => force.moves(),
    };
    let mut axes = joint.def.axes();
    let driven = axes.any(|axis| axis.law.is_some() || axis.motor.is_some_and(moving));
    driven || equations_follow_clock(&joint.def.kind, joints)
}

/// Whether the equations of a joint change as time goes on.
fn equations_follow_clock(kind: &JointKind, joints: &Pool<Joint>) -> bool {
    match kind {
        JointKind::Text(text) => {
            let compiled = text.instance.compiled();
            let time =
                |tape: &kempe_equation::Tape| tape.inputs().contains(&kempe_equation::Input::Time);
            time(compiled.equations())
                || time(compiled.context())
                || text.program().parameters().iter().any(|each| each.driven)
        }
        JointKind::User(_) => true,
        JointKind::Drive { pull, .. } => pull.velocity_force > 0.0 && pull.velocity != Vec2::ZERO,
        JointKind::Coupling { terms, .. } => terms.iter().any(|term| {
            let own = joints.get(term.joint).map(|joint| &joint.def.kind);
            term.curve.moves() || own.is_ok_and(|kind| equations_follow_clock(kind, joints))
        }),
        _ => false,
    }
}
