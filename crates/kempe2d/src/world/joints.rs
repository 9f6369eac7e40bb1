//! Joints of a world: making and changing them.

use super::World;
use crate::body::BodyId;
use crate::error::Error;
use crate::joint::{Joint, JointDef, JointId, JointKind};
use crate::report::Event;
use crate::solver::takes_part;
use crate::user::{Erased, Rows};
use kempe_equation::Value;
use kempe_scalar::Vec2;
use smallvec::SmallVec;

/// Every function here tests first: a handle that finds nothing or a setting that makes no sense is
/// refused and nothing changes. What is changed wakes the bodies that it touches.
impl World {
    /// Adds a joint.
    ///
    /// # Errors
    /// If a body is not there, both are the same, or a setting makes no sense.
    pub fn add_joint(&mut self, def: &JointDef) -> Result<JointId, Error> {
        let joint = self.checked(def)?;
        let inserted = self.joints.insert(joint);
        let id = inserted.map_err(|reason| Error::Handle { what: "joint", reason })?;
        self.note_coupling(id);
        self.solver.dirty = true;
        self.wake_joint(id);
        Ok(id)
    }

    /// Removes a joint; its handle is stale from now on.
    ///
    /// # Errors
    /// If the handle finds nothing.
    pub fn remove_joint(&mut self, id: JointId) -> Result<JointDef, Error> {
        self.joints.get(id).map_err(|reason| Error::Handle { what: "joint", reason })?;
        for coupling in self.couplings_of(id) {
            self.remove_joint(coupling)?;
            self.pending.push(Event::Removed { joint: coupling, with: id });
        }
        self.wake_joint(id);
        self.leave_stops(id);
        let removed = self.joints.remove(id);
        let joint = removed.map_err(|reason| Error::Handle { what: "joint", reason })?;
        self.solver.dirty = true;
        // Its impulses must not go to the next joint in its slot.
        if let Some(places) = self.solver.places.get_mut(id.index()) {
            places.clear();
        }
        Ok(joint.def.into())
    }

    /// Changes every setting of a joint at once, bodies included.
    ///
    /// # Errors
    /// As [`add_joint`](Self::add_joint), or if the handle finds nothing.
    pub fn set_joint(&mut self, id: JointId, def: &JointDef) -> Result<(), Error> {
        self.joints.get(id).map_err(|reason| Error::Handle { what: "joint", reason })?;
        let changed = self.checked(def)?;
        if let JointKind::Coupling { terms, .. } = &def.kind
            && terms.iter().any(|term| term.joint == id)
        {
            return Err(Error::Coupled);
        }
        self.wake_joint(id);
        let joint = self.joints.get_mut(id);
        let joint = joint.map_err(|reason| Error::Handle { what: "joint", reason })?;
        if !joint.state.touched.is_empty() && joint.ends_with(&changed.def) {
            self.leave_stops(id);
        }
        let joint = self.joints.get_mut(id);
        let joint = joint.map_err(|reason| Error::Handle { what: "joint", reason })?;
        let was_coupling = matches!(joint.def.kind, JointKind::Coupling { .. });
        let like = !self.solver.dirty && joint.is_like(&changed.def);
        if like && self.solver.store_slot(joint, id.index()) {
            joint.change(changed.def);
            self.solver.refill(&self.bodies, joint, id.index());
            return Ok(());
        }
        self.solver.tell_direction(joint, id.index());
        self.solver.dirty = true;
        if joint.change(changed.def)
            && let Some(places) = self.solver.places.get_mut(id.index())
        {
            places.clear();
        }
        self.wake_joint(id);
        if !was_coupling {
            self.note_coupling(id);
        }
        self.recouple(id);
        Ok(())
    }

    /// Changes some settings of a joint: `change` is given a copy of them.
    ///
    /// ```
    /// # use kempe2d::{BodyDef, JointDef, JointKind, Vec2, World};
    /// # let mut world = World::default();
    /// # let a = world.add_body(&BodyDef::fixed())?;
    /// # let b = world.add_body(&BodyDef::dynamic())?;
    /// # let kind = JointKind::Distance { anchor_a: Vec2::ZERO, anchor_b: Vec2::ZERO };
    /// # let joint = world.add_joint(&JointDef::new(kind, a, b))?;
    /// world.edit_joint(joint, |def| def.axis_mut(0).friction = Some(2.0))?;
    /// assert!(world.edit_joint(joint, |def| def.axis_mut(0).friction = Some(-1.0)).is_err());
    /// # Ok::<(), kempe2d::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`set_joint`](Self::set_joint).
    pub fn edit_joint(
        &mut self,
        id: JointId,
        change: impl FnOnce(&mut JointDef),
    ) -> Result<(), Error> {
        let joint = self.joints.get(id);
        let mut def = joint.map_err(|reason| Error::Handle { what: "joint", reason })?.def();
        change(&mut def);
        self.set_joint(id, &def)
    }

    /// The joint that a definition makes, tested.
    fn checked(&self, def: &JointDef) -> Result<Joint, Error> {
        for body in &def.bodies {
            self.bodies.get(*body).map_err(|reason| Error::Handle { what: "body", reason })?;
        }
        def.validate()?;
        let mut joint = Joint::new(def.clone());
        if let JointKind::Coupling { terms, .. } = &def.kind {
            joint.def.bodies = self.coupled_bodies(terms)?.into();
        }
        if let JointKind::Text(text) = &mut joint.def.kind {
            text.bind(&def.bodies)?;
            let states = self.body_states(&def.bodies);
            text.instance.evaluate(&states, self.time)?;
        }
        Ok(joint)
    }

    /// What a program sees of bodies.
    pub(crate) fn body_states(&self, bodies: &[BodyId]) -> Vec<kempe_equation::BodyState> {
        let found = bodies.iter().filter_map(|id| self.bodies.at(id.index()));
        found.map(|body| crate::text::body_state(body, &crate::user::pose_of(body))).collect()
    }

    /// A joint, unless the handle is stale or of another world.
    pub fn joint(&self, id: JointId) -> Option<&Joint> {
        self.joints.get(id).ok()
    }

    /// All joints, in the order of their slots.
    pub fn joints(&self) -> impl Iterator<Item = (JointId, &Joint)> {
        self.joints.iter()
    }

    /// Whether two bodies may collide: no enabled joint between them says otherwise. A joint over
    /// more than two bodies speaks for each pair of them, a coupling for none.
    ///
    /// # Errors
    /// If a handle finds nothing.
    pub fn may_collide(&self, a: BodyId, b: BodyId) -> Result<bool, Error> {
        for id in [a, b] {
            self.bodies.get(id).map_err(|reason| Error::Handle { what: "body", reason })?;
        }
        let forbids = |joint: &Joint| {
            let def = &joint.def;
            def.enabled
                && !def.collide_connected
                && !matches!(def.kind, JointKind::Coupling { .. })
                && [a, b].iter().all(|id| def.bodies.contains(id))
        };
        Ok(a != b && !self.joints.iter().any(|(_, joint)| forbids(joint)))
    }

    /// How many joints there are.
    pub fn joint_count(&self) -> usize {
        self.joints.len()
    }

    /// Sets a parameter of a joint from text by its name.
    ///
    /// # Errors
    /// If the joint is not one from text, has no such parameter, the type is another, the value is
    /// NaN, or a `limit` of the program fails with it.
    pub fn set_parameter(
        &mut self,
        id: JointId,
        name: &str,
        value: impl Into<Value>,
    ) -> Result<(), Error> {
        let mut def = self.text_def(id)?;
        let JointKind::Text(text) = &mut def.kind else { return Err(Error::NotText) };
        text.set(name, value)?;
        self.set_joint(id, &def)
    }

    /// The present value of a parameter of a joint from text; a driven one moves.
    ///
    /// # Errors
    /// If the joint is not one from text or has no such parameter.
    pub fn parameter(&self, id: JointId, name: &str) -> Result<Option<Value>, Error> {
        match self.text_def(id)?.kind {
            JointKind::Text(text) => text.get(name),
            _ => Err(Error::NotText),
        }
    }

    /// Binds a body of a joint from text by its name.
    ///
    /// # Errors
    /// If the joint is not one from text, has no such body, or the handle finds nothing.
    pub fn bind_body(&mut self, id: JointId, name: &str, body: BodyId) -> Result<(), Error> {
        let mut def = self.text_def(id)?;
        let at = body_place(&def, name)?;
        def.bodies[at] = body;
        self.set_joint(id, &def)
    }

    /// The body that a name of a joint from text is bound to.
    ///
    /// # Errors
    /// If the joint is not one from text or has no such body.
    pub fn bound_body(&self, id: JointId, name: &str) -> Result<BodyId, Error> {
        let def = self.text_def(id)?;
        Ok(def.bodies[body_place(&def, name)?])
    }

    fn text_def(&self, id: JointId) -> Result<JointDef, Error> {
        let joint = self.joints.get(id);
        let joint = joint.map_err(|reason| Error::Handle { what: "joint", reason })?;
        match joint.def.kind {
            JointKind::Text(_) => Ok(joint.def()),
            _ => Err(Error::NotText),
        }
    }

    /// The joints that have something to do beside the solver's lanes, looked up again when
    /// something has changed.
    pub(crate) fn sort_joints(&mut self) {
        if !self.solver.dirty {
            return;
        }
        self.special.clear();
        self.watched.clear();
        self.weak.clear();
        self.stateful.clear();
        for (id, joint) in self.joints.iter() {
            let def = &joint.def;
            let ratchet = def.has_ratchets();
            let kind = match &def.kind {
                JointKind::User(user) => !user.made().is_some_and(Erased::is_plain),
                JointKind::Pulley { .. } | JointKind::Tendon { .. } | JointKind::Path { .. } => {
                    true
                }
                _ => false,
            };
            if ratchet || kind {
                self.special.push(id);
            }
            if let JointKind::Text(text) = &def.kind
                && (text.instance.compiled().memories() > 0
                    || text.program().parameters().iter().any(|each| each.driven))
            {
                self.stateful.push(id);
            }
            // One whose stops were taken away has yet to leave them.
            let at_stop = joint.state.touched.iter().any(|sides| *sides != 0);
            let stops = at_stop || def.has_stops() || matches!(def.kind, JointKind::Text(_));
            let leaves = matches!(def.kind, JointKind::Path { leave: true, .. });
            let weak = leaves || def.breaking.is_some() || def.threshold.is_some();
            if stops || weak {
                self.watched.push(id);
            }
            if weak {
                self.weak.push(id);
            }
        }
        for list in [&mut self.special, &mut self.watched, &mut self.weak, &mut self.stateful] {
            list.shrink_to_fit();
        }
    }

    /// At the start of a step: user joints look at the poses, ratchets at their teeth, and pulleys
    /// at their lengths.
    pub(crate) fn prepare_joints(&mut self) {
        self.sort_joints();
        let special = std::mem::take(&mut self.special);
        for id in &special {
            let Ok(joint) = self.joints.get(*id) else { continue };
            match joint.def.kind {
                JointKind::User(_) => self.prepare_user(*id),
                JointKind::Pulley { .. } | JointKind::Tendon { .. } => self.remember_lengths(*id),
                JointKind::Path { .. } => self.find_place(*id),
                _ => {}
            }
            self.click(*id);
        }
        self.special = special;
    }

    fn prepare_user(&mut self, id: JointId) {
        let Ok(joint) = self.joints.get(id) else { return };
        let poses = self.poses(&joint.def.bodies);
        let time = self.time;
        if let Ok(joint) = self.joints.get_mut(id)
            && let JointKind::User(user) = &mut joint.def.kind
            && let Some(made) = user.made_mut()
        {
            made.prepare(&poses, time);
        }
    }

    /// Moves the teeth of a joint's ratchets on.
    fn click(&mut self, id: JointId) {
        let axes = self.joint(id).map_or(0, |joint| joint.def.axes().count());
        for axis in 0..axes {
            let Ok(joint) = self.joints.get(id) else { continue };
            let ratchet = joint.def.axis(axis).and_then(|acts| acts.ratchet);
            let Some(ratchet) = ratchet.filter(|_| joint.def.enabled) else { continue };
            let Some(q) = self.joint_coordinate(id, axis) else { continue };
            let Ok(joint) = self.joints.get_mut(id) else { continue };
            if joint.state.teeth.len() <= axis {
                // At first it stands at the last tooth that was passed.
                joint.state.teeth.resize(axis + 1, f64::NAN);
            }
            let tooth = ((q - ratchet.phase) / ratchet.step).floor() * ratchet.step + ratchet.phase;
            let now = &mut joint.state.teeth[axis];
            let passed = if ratchet.step > 0.0 { tooth > *now } else { tooth < *now };
            if now.is_nan() || passed {
                *now = tooth;
            }
        }
    }

    /// Keeps the directions of the parts of a cable.
    fn remember_lengths(&mut self, id: JointId) {
        let Ok(joint) = self.joints.get(id) else { return };
        let poses = self.poses(&joint.def.bodies);
        let parts = joint.tendon(|tendon| tendon.parts(&poses).collect::<SmallVec<[Vec2; 4]>>());
        let (Some(parts), Ok(joint)) = (parts, self.joints.get_mut(id)) else { return };
        joint.state.directions.resize(parts.len(), [0.0; 2]);
        for (kept, part) in joint.state.directions.iter_mut().zip(parts) {
            // One that is too long to have a length has no direction either.
            if (1e-9..f64::INFINITY).contains(&part.length()) {
                *kept = (part * (1.0 / part.length())).into();
            }
        }
    }

    /// Finds the place of a point on its path. Once it is known, the solver follows it; where there is
    /// nothing to solve, as between bodies that nothing moves, it is followed here.
    fn find_place(&mut self, id: JointId) {
        let Ok(joint) = self.joints.get(id) else { return };
        let known = joint.state.place.is_some();
        if known && takes_part(joint, &self.bodies) {
            return;
        }
        let poses = self.poses(&joint.def.bodies);
        let mut place = joint.place(&poses);
        if known {
            let _ =
                joint.rows_at(&self.joints, &poses, self.time, &mut place, &mut Rows::default());
        }
        if let (true, Ok(joint)) = (place.is_finite(), self.joints.get_mut(id)) {
            joint.state.place = Some(place);
        }
    }

    /// Where bodies are.
    pub(crate) fn poses(&self, bodies: &[BodyId]) -> SmallVec<[crate::user::Pose; 4]> {
        let found = bodies.iter().filter_map(|id| self.bodies.at(id.index()));
        found.map(crate::user::pose_of).collect()
    }

    /// What joints from text with a state of their own see at the start of a step.
    pub(crate) fn stateful_views(&mut self) -> Vec<Vec<kempe_equation::BodyState>> {
        if self.solver.remade {
            // Lanes remember by themselves.
            self.stateful.retain(|id| !self.solver.remembers_for(id.index()));
        }
        let each = self.stateful.iter().filter_map(|id| self.joints.get(*id).ok());
        each.map(|joint| self.body_states(&joint.def.bodies)).collect()
    }

    /// At the end of a step: driven parameters and remembered directions of joints from text, as
    /// they were seen at its start.
    pub(crate) fn advance_joints(&mut self, views: &[Vec<kempe_equation::BodyState>], dt: f64) {
        let time = self.time;
        for (id, states) in self.stateful.iter().zip(views) {
            let Ok(joint) = self.joints.get_mut(*id) else { continue };
            let JointKind::Text(text) = &mut joint.def.kind else { continue };
            if !joint.state.left_out && text.instance.advance(states, time, dt).is_err() {
                joint.state.left_out = true;
                self.left_out.push(id.index());
                self.report.events.push(Event::LeftOut(*id));
            }
        }
    }
}

fn body_place(def: &JointDef, name: &str) -> Result<usize, Error> {
    let JointKind::Text(text) = &def.kind else { return Err(Error::NotText) };
    text.instance.body(name)?;
    let place = text.program().bodies().iter().position(|each| each == name);
    place.ok_or(Error::NotText)
}
