//! The rows of any joint at any pose, in f64: for read-outs, drawings, joints that have no lanes of
//! their own, and couplings of other joints.

use crate::joint::{Joint, JointKind, KindTag, Term};
use crate::joints::{
    Angle, Distance, Equation, Generic, Pair, Prismatic, Revolute, Row, Slot, Tendon, Track, Weld,
};
use crate::user::{Pose, Rows};
use kempe_equation::BodyState;
use kempe_scalar::{Real, Vec2};
use kempe_solve::Pool;

impl Joint {
    /// The rows at poses of the bodies' origins, one for each body of the joint, with J of the
    /// velocities of the origins; `near` is the place on a path, and follows it. `None` where the
    /// equations have no value.
    pub(crate) fn rows_at(
        &self,
        joints: &Pool<Joint>,
        poses: &[Pose],
        time: f64,
        near: &mut f64,
        out: &mut Rows,
    ) -> Option<()> {
        match &self.def.kind {
            JointKind::Text(text) => {
                let states = still_states(poses);
                let found = text.instance.evaluate(&states, time).ok()?;
                out.reset(found.value.len(), poses.len());
                out.value = found.value;
                out.bias = found.bias;
                let slots = self.first_roles();
                for (row, line) in out.jacobian.iter_mut().zip(&found.jacobian) {
                    for (slot, part) in slots.iter().zip(line.chunks_exact(3)) {
                        row[*slot] = [part[0], part[1], part[2]];
                    }
                }
            }
            JointKind::User(user) => user.made()?.evaluate(poses, time, out),
            JointKind::Path { path, anchor, angle, follow, .. } => {
                let track = Track { path, anchor: *anchor, angle: *angle, follow: *follow };
                *near = track.rows(poses, *near, out);
            }
            JointKind::Coupling { terms, constant } => {
                self.coupled_rows(joints, (terms, *constant), poses, time, out)?;
            }
            JointKind::Filter => out.reset(0, poses.len()),
            _ => match self.tendon(|tendon| tendon.rows(poses, out)) {
                Some(()) => {}
                None => self.built_rows(poses, out)?,
            },
        }
        Some(())
    }

    /// Where its point is on the path, if it is known.
    pub(crate) fn place(&self, poses: &[Pose]) -> f64 {
        match &self.def.kind {
            JointKind::Path { path, anchor, angle, follow, from, .. } => {
                let track = Track { path, anchor: *anchor, angle: *angle, follow: *follow };
                let nearest = || from.unwrap_or_else(|| path.nearest(track.point(poses)));
                self.state.place.unwrap_or_else(nearest)
            }
            _ => 0.0,
        }
    }

    /// Does something with the cable that a pulley or a tendon is.
    pub(crate) fn tendon<T>(&self, with: impl FnOnce(Tendon<'_>) -> T) -> Option<T> {
        let directions = &self.state.directions;
        match &self.def.kind {
            JointKind::Pulley { anchors, ratio } => {
                Some(with(Tendon { anchors, ratios: &[1.0, 0.0, *ratio], directions }))
            }
            JointKind::Tendon { anchors, ratios } => {
                Some(with(Tendon { anchors, ratios, directions }))
            }
            _ => None,
        }
    }

    /// u = Σ f(q) − constant, and its row: Σ f'(q) J.
    fn coupled_rows(
        &self,
        joints: &Pool<Joint>,
        (terms, constant): (&[Term], f64),
        poses: &[Pose],
        time: f64,
        out: &mut Rows,
    ) -> Option<()> {
        out.reset(1, poses.len());
        out.value[0] = -constant;
        let (mut found, mut first) = (Rows::default(), 0);
        for term in terms {
            let joint = joints.get(term.joint).ok()?;
            let own = poses.get(first..first + joint.def.bodies.len())?;
            let mut near = joint.place(own);
            joint.rows_at(joints, own, time, &mut near, &mut found)?;
            let row = joint.def.kind.hold_count() + term.axis;
            let [value, slope, by_time] = term.curve.evaluate(*found.value.get(row)?, time);
            out.value[0] += value;
            out.bias[0] += slope * found.bias[row] + by_time;
            for (to, part) in out.jacobian[0][first..].iter_mut().zip(&found.jacobian[row]) {
                for (to, part) in to.iter_mut().zip(part) {
                    *to += slope * part;
                }
            }
            first += own.len();
        }
        Some(())
    }

    /// The rows of a joint that has lanes of its own.
    fn built_rows(&self, poses: &[Pose], out: &mut Rows) -> Option<()> {
        let [a, b] = poses else { return None };
        let found = self.built(a, b)?;
        let tag = self.def.kind.tag()?;
        let rows = tag.hold() + tag.axes();
        out.reset(rows, 2);
        for (k, row) in found.iter().enumerate().take(rows) {
            out.value[k] = row.value;
            out.jacobian[k][0] = [-row.n.x, -row.n.y, -row.a];
            out.jacobian[k][1] = [row.n.x, row.n.y, row.b];
        }
        Some(())
    }

    /// Its equations at two poses, in numbers of any sort.
    pub(crate) fn built<S: Real>(&self, a: &Pose<S>, b: &Pose<S>) -> Option<[Row<S>; 3]> {
        let numbers = self.def.kind.numbers();
        let pair = Pair {
            turn_a: [a.cos, a.sin],
            turn_b: [b.cos, b.sin],
            offset: b.position - a.position,
            angle: S::constant(numbers.ratio) * b.rotation
                - a.rotation
                - S::constant(numbers.angle),
        };
        let tag = self.def.kind.tag()?;
        let last = match tag {
            KindTag::Distance => Vec2::from(self.state.direction),
            _ => numbers.rail * (1.0 / numbers.rail.length()),
        };
        let [on_a, on_b] = [numbers.anchor_a, numbers.anchor_b];
        let p = [on_a.x, on_a.y, on_b.x, on_b.y, last.x, last.y].map(S::constant);
        Some(match tag {
            KindTag::Weld => Weld::rows(&p, &pair),
            KindTag::Revolute => Revolute::rows(&p, &pair),
            KindTag::Prismatic => Prismatic::rows(&p, &pair),
            KindTag::Slot => Slot::rows(&p, &pair),
            KindTag::Distance => Distance::rows(&p, &pair),
            KindTag::Angle => Angle::rows(&[S::constant(numbers.ratio)], &pair),
            KindTag::Generic => Generic::rows(&p, &pair),
            // Programs and types of the user are not made of such numbers.
            KindTag::Text { .. } | KindTag::User { .. } => return None,
        })
    }

    /// For each different body of the joint, the first of its places: there a program has its part.
    pub(crate) fn first_roles(&self) -> Vec<usize> {
        let ids = &self.def.bodies;
        (0..ids.len()).filter(|role| !ids[..*role].contains(&ids[*role])).collect()
    }
}

/// What a program sees of bodies of which only the poses matter.
pub(crate) fn still_states(poses: &[Pose]) -> Vec<BodyState> {
    let state = |pose: &Pose| BodyState {
        position: pose.position.into(),
        rotation: pose.rotation,
        ..BodyState::default()
    };
    poses.iter().map(state).collect()
}
