//! Joints of a world: making, changing, reading them.

use super::World;
use crate::body::Body;
use crate::error::Error;
use crate::joint::{Joint, JointDef, JointId, KindTag};
use crate::joints::{Angle, Distance, Equation, Pair, Prismatic, Revolute, Row, Slot, Weld};
use crate::solver::Part;
use kempe_scalar::{Vec2, precise};

impl World {
    /// Adds a joint.
    ///
    /// # Errors
    /// If a body is not there, both are the same, or a setting makes no sense.
    pub fn add_joint(&mut self, def: &JointDef) -> Result<JointId, Error> {
        self.check_joint(def)?;
        self.solver.dirty = true;
        let inserted = self.joints.insert(Joint::new(*def));
        inserted.map_err(|reason| Error::Handle { what: "joint", reason })
    }

    /// Removes a joint; its handle is stale from now on.
    ///
    /// # Errors
    /// If the handle finds nothing.
    pub fn remove_joint(&mut self, id: JointId) -> Result<(), Error> {
        let removed = self.joints.remove(id);
        removed.map_err(|reason| Error::Handle { what: "joint", reason })?;
        self.solver.dirty = true;
        // Its impulses must not go to the next joint in its slot.
        if let Some(places) = self.solver.places.get_mut(id.index()) {
            places.clear();
        }
        Ok(())
    }

    /// Changes every setting of a joint at once, bodies included.
    ///
    /// # Errors
    /// As [`add_joint`](Self::add_joint), or if the handle finds nothing.
    pub fn set_joint(&mut self, id: JointId, def: &JointDef) -> Result<(), Error> {
        self.joints.get(id).map_err(|reason| Error::Handle { what: "joint", reason })?;
        self.check_joint(def)?;
        self.solver.dirty = true;
        let joint = self.joints.get_mut(id);
        joint.map_err(|reason| Error::Handle { what: "joint", reason })?.def = *def;
        Ok(())
    }

    fn check_joint(&self, def: &JointDef) -> Result<(), Error> {
        for body in [def.a, def.b] {
            self.bodies.get(body).map_err(|reason| Error::Handle { what: "body", reason })?;
        }
        def.validate()
    }

    /// A joint, unless the handle is stale or of another world.
    pub fn joint(&self, id: JointId) -> Option<&Joint> {
        self.joints.get(id).ok()
    }

    /// All joints, in the order of their slots.
    pub fn joints(&self) -> impl Iterator<Item = (JointId, &Joint)> {
        self.joints.iter()
    }

    /// How many joints there are.
    pub fn joint_count(&self) -> usize {
        self.joints.len()
    }

    /// The rows of a joint now, in f64.
    fn rows(&self, id: JointId) -> Option<(KindTag, [Row<f64>; 3], &Body, &Body)> {
        let joint = self.joint(id)?;
        let (a, b) = (self.body(joint.def.a)?, self.body(joint.def.b)?);
        let (anchor_a, anchor_b, rail, reference, ratio) = joint.def.kind.numbers();
        let turn = |body: &Body| {
            let (sin, cos) = precise::sin_cos(body.rotation);
            [cos, sin]
        };
        let pair = Pair {
            turn_a: turn(a),
            turn_b: turn(b),
            offset: b.center - a.center,
            angle: ratio * b.rotation - a.rotation - reference,
        };
        let (arm_a, arm_b) = (anchor_a - a.properties.center, anchor_b - b.properties.center);
        let tag = joint.def.kind.tag();
        let rail = rail * (1.0 / rail.length());
        let last = if tag == KindTag::Distance {
            Vec2::from(joint.remembered.map(f64::from))
        } else {
            rail
        };
        let p = [arm_a.x, arm_a.y, arm_b.x, arm_b.y, last.x, last.y];
        let rows = match tag {
            KindTag::Weld => Weld::rows(&p, &pair),
            KindTag::Revolute => Revolute::rows(&p, &pair),
            KindTag::Prismatic => Prismatic::rows(&p, &pair),
            KindTag::Slot => Slot::rows(&p, &pair),
            KindTag::Distance => Distance::rows(&p, &pair),
            KindTag::Angle => Angle::rows(&[ratio], &pair),
        };
        Some((tag, rows, a, b))
    }

    /// The coordinate of an axis, m or rad; `None` if there is no such joint or axis.
    pub fn joint_coordinate(&self, id: JointId, axis: usize) -> Option<f64> {
        let (tag, rows, ..) = self.rows(id)?;
        (axis < tag.axes()).then(|| rows[tag.hold() + axis].value)
    }

    /// How fast the coordinate of an axis grows, m/s or rad/s.
    pub fn joint_speed(&self, id: JointId, axis: usize) -> Option<f64> {
        let (tag, rows, a, b) = self.rows(id)?;
        let row = rows.get(tag.hold() + axis).filter(|_| axis < tag.axes())?;
        let linear = row.n.dot(b.velocity - a.velocity);
        Some(linear + row.b * b.angular_velocity - row.a * a.angular_velocity)
    }

    /// C of the held rows, m or rad.
    pub fn joint_error(&self, id: JointId) -> Option<Vec<f64>> {
        let (tag, rows, ..) = self.rows(id)?;
        Some(rows[..tag.hold()].iter().map(|row| row.value).collect())
    }

    /// The impulses of the whole last step: of the held rows, then of each axis in turn what its
    /// laws did together (an axis that is held counts there), N·s or N·m·s.
    pub fn joint_impulses(&self, id: JointId) -> Option<Vec<f64>> {
        let joint = self.joint(id)?;
        let tag = joint.def.kind.tag();
        let mut impulses = vec![0.0; tag.hold() + tag.axes()];
        for place in self.solver.places.get(id.index()).into_iter().flatten() {
            let bucket = &self.solver.buckets[place.bucket];
            let total = |k: usize| f64::from(bucket.get(place.lane, bucket.layout.total(k)));
            match place.part {
                Part::Law(_, row) => impulses[usize::from(row)] += total(0) - total(1),
                Part::Hold(_) => {
                    for (k, row) in place.part.rows().into_iter().enumerate() {
                        impulses[row] += total(k);
                    }
                }
            }
        }
        Some(impulses)
    }

    /// The force on B's centre of mass and the torque on B that the joint exerted over the last
    /// step, N and N·m; A has felt the opposite force.
    pub fn joint_force(&self, id: JointId) -> Option<(Vec2, f64)> {
        let impulses = self.joint_impulses(id)?;
        let (_, rows, ..) = self.rows(id)?;
        let dt = self.report.dt;
        if dt == 0.0 {
            return Some((Vec2::ZERO, 0.0));
        }
        let mut force = Vec2::ZERO;
        let mut torque = 0.0;
        for (row, impulse) in rows.iter().zip(impulses) {
            force += row.n * (impulse / dt);
            torque += row.b * impulse / dt;
        }
        Some((force, torque))
    }
}
