//! Couplings of a world: what they refer to, and what becomes of them when that changes.

use super::World;
use crate::body::BodyId;
use crate::error::Error;
use crate::joint::{Joint, JointDef, JointId, JointKind, Term};
use crate::report::Event;
use crate::user::Rows;
use kempe_solve::Pool;

/// Bodies that a coupling has at most, one counted as often as a joint has it.
const MOST: usize = 64;

impl World {
    /// The bodies of the joints that a coupling refers to, one joint after the other.
    pub(super) fn coupled_bodies(&self, terms: &[Term]) -> Result<Vec<BodyId>, Error> {
        let mut bodies = Vec::new();
        for term in terms {
            let joint = self.joints.get(term.joint);
            let joint = joint.map_err(|reason| Error::Handle { what: "joint", reason })?;
            if let JointKind::Coupling { .. } = joint.def.kind {
                return Err(Error::Coupled);
            }
            let axes = joint.def.kind.axis_count();
            if term.axis >= axes {
                return Err(Error::NoSuchAxis { axis: term.axis, axes });
            }
            bodies.extend(joint.def.bodies.iter());
        }
        if terms.is_empty() || bodies.len() > MOST {
            let (value, must_be) = (bodies.len() as f64, "joints that have 1 to 64 bodies in all");
            return Err(Error::Number { field: "terms", value, must_be });
        }
        Ok(bodies)
    }

    /// Σ f(q) − constant of a coupling now.
    pub(crate) fn coupled(&self, def: &JointDef) -> Result<f64, Error> {
        let JointKind::Coupling { terms, .. } = &def.kind else { return Err(Error::NotCoupling) };
        def.validate()?;
        let bodies = self.coupled_bodies(terms)?;
        let (poses, mut rows) = (self.poses(&bodies), Rows::default());
        let joint = Joint::new(def.clone());
        let found = joint.rows_at(&self.joints, &poses, self.time, &mut 0.0, &mut rows);
        let value = found.and_then(|()| rows.value.first().copied()).unwrap_or(f64::NAN);
        crate::error::finite("constant", value)
    }

    /// The couplings that refer to a joint.
    pub(super) fn couplings_of(&self, id: JointId) -> Vec<JointId> {
        let refers = |joint: &Joint| match &joint.def.kind {
            JointKind::Coupling { terms, .. } => terms.iter().any(|term| term.joint == id),
            _ => false,
        };
        let each = self.couplings.iter().copied();
        let mut found: Vec<JointId> =
            each.filter(|id| self.joints.get(*id).is_ok_and(refers)).collect();
        found.sort_unstable_by_key(|id| id.index());
        found.dedup();
        found
    }

    /// After a joint was added, or became another: it may be a coupling.
    pub(super) fn note_coupling(&mut self, id: JointId) {
        let is_one = |joints: &Pool<Joint>, id: JointId| {
            joints.get(id).is_ok_and(|joint| matches!(joint.def.kind, JointKind::Coupling { .. }))
        };
        if !is_one(&self.joints, id) {
            return;
        }
        if self.couplings.len() == self.couplings.capacity() {
            let joints = &self.joints;
            self.couplings.retain(|id| is_one(joints, *id));
        }
        self.couplings.push(id);
    }

    /// After a joint has changed: its couplings have its bodies; those of an axis that it no longer
    /// has go.
    pub(super) fn recouple(&mut self, id: JointId) {
        for coupling in self.couplings_of(id) {
            let Ok(joint) = self.joints.get(coupling) else { continue };
            let JointKind::Coupling { terms, .. } = &joint.def.kind else { continue };
            match self.coupled_bodies(terms) {
                Ok(bodies) if bodies == *joint.def.bodies => {}
                Ok(bodies) => {
                    let def = JointDef { bodies, ..joint.def() };
                    // Its joints are there, and have these axes.
                    let _ = self.set_joint(coupling, &def);
                }
                Err(_) => {
                    // It is there: it was looked at above.
                    let _ = self.remove_joint(coupling);
                    self.pending.push(Event::Removed { joint: coupling, with: id });
                }
            }
        }
    }
}
