//! ∂(Jᵀλ)/∂x of any joint, exactly, from its own equations.

use crate::general::still_states;
use crate::joint::{Joint, JointKind};
use crate::user::{Pose, Rows, pair_poses};
use kempe_scalar::{Dual, Vec2};
use kempe_solve::Pool;

/// A square matrix over the freedoms of a joint's bodies: x, y, θ of the first, then of the second.
#[derive(Clone, Debug, Default)]
pub(crate) struct Curvature {
    pub size: usize,
    pub numbers: Vec<f64>,
}

impl Curvature {
    pub(crate) fn reset(&mut self, bodies: usize) {
        self.size = 3 * bodies;
        self.numbers.clear();
        self.numbers.resize(self.size * self.size, 0.0);
    }

    pub(crate) fn add(&mut self, i: usize, j: usize, value: f64) {
        self.numbers[i * self.size + j] += value;
    }

    pub(crate) fn get(&self, i: usize, j: usize) -> f64 {
        self.numbers[i * self.size + j]
    }
}

/// How far a body is moved to see what changes, where there is no other way, m and rad.
const MOVE: f64 = 1e-6;

impl Joint {
    /// ∂(Jᵀλ)/∂x at poses of the bodies' origins, in their coordinates; `near` is the place on a path.
    pub(crate) fn curvature_at(
        &self,
        joints: &Pool<Joint>,
        poses: &[Pose],
        (time, near): (f64, f64),
        lambda: &[f64],
        out: &mut Curvature,
    ) -> Option<()> {
        out.reset(poses.len());
        match &self.def.kind {
            JointKind::Text(text) => {
                let states = still_states(poses);
                let found = text.instance.second_order(&states, time, lambda).ok()?.curvature;
                let slots = self.first_roles();
                for (i, line) in found.iter().enumerate() {
                    for (j, value) in line.iter().enumerate() {
                        let at = |k: usize| 3 * slots[k / 3] + k % 3;
                        out.add(at(i), at(j), *value);
                    }
                }
            }
            JointKind::User(user) => user.made()?.curvature(poses, time, lambda, out),
            JointKind::Path { .. } => {
                self.curvature_by_moving(joints, poses, (time, near), lambda, out)?;
            }
            JointKind::Coupling { terms, .. } => {
                let mut first = 0;
                let (mut rows, mut part) = (Rows::default(), Curvature::default());
                for term in terms {
                    let joint = joints.get(term.joint).ok()?;
                    let own = poses.get(first..first + joint.def.bodies.len())?;
                    let mut near = joint.place(own);
                    joint.rows_at(joints, own, time, &mut near, &mut rows)?;
                    let row = joint.def.kind.hold_count() + term.axis;
                    let [slope, bend] = term.curve.slopes(*rows.value.get(row)?, time);
                    let mut weights = vec![0.0; rows.value.len()];
                    weights[row] = slope * lambda[0];
                    joint.curvature_at(joints, own, (time, near), &weights, &mut part)?;
                    let j: Vec<f64> = rows.jacobian[row].iter().flatten().copied().collect();
                    for (a, ja) in j.iter().enumerate() {
                        for (b, jb) in j.iter().enumerate() {
                            let value = part.get(a, b) + lambda[0] * bend * ja * jb;
                            out.add(3 * first + a, 3 * first + b, value);
                        }
                    }
                    first += own.len();
                }
            }
            JointKind::Filter => {}
            _ => match self.tendon(|tendon| tendon.curvature(poses, lambda[0], out)) {
                Some(()) => {}
                None => self.built_curvature(poses, lambda, out)?,
            },
        }
        out.numbers.iter().all(|number| number.is_finite()).then_some(())
    }

    fn built_curvature(&self, poses: &[Pose], lambda: &[f64], out: &mut Curvature) -> Option<()> {
        type D = Dual<f64, 6>;
        let [a, b] = poses else { return None };
        let moving = |pose: &Pose, first: usize| {
            let Vec2 { x, y } = pose.position;
            let position = Vec2::new(D::variable(x, first), D::variable(y, first + 1));
            Pose::new(position, D::variable(pose.rotation, first + 2))
        };
        let found = self.built(&moving(a, 0), &moving(b, 3))?;
        for (row, weight) in found.iter().zip(lambda).filter(|(_, weight)| **weight != 0.0) {
            let entries = [-row.n.x, -row.n.y, -row.a, row.n.x, row.n.y, row.b];
            for (i, entry) in entries.iter().enumerate() {
                for (j, slope) in entry.slopes.iter().enumerate() {
                    out.add(i, j, weight * slope);
                }
            }
        }
        Some(())
    }

    /// By moving each freedom a little either way: for curves that are only known point by point.
    fn curvature_by_moving(
        &self,
        joints: &Pool<Joint>,
        poses: &[Pose],
        (time, near): (f64, f64),
        lambda: &[f64],
        out: &mut Curvature,
    ) -> Option<()> {
        let mut rows = Rows::default();
        for column in 0..3 * poses.len() {
            for side in [-1.0, 1.0] {
                let mut moved = poses.to_vec();
                let Pose { mut position, mut rotation, .. } = moved[column / 3];
                *[&mut position.x, &mut position.y, &mut rotation][column % 3] += side * MOVE;
                moved[column / 3] = Pose::new(position, rotation);
                self.rows_at(joints, &moved, time, &mut near.clone(), &mut rows)?;
                for (row, weight) in rows.jacobian.iter().zip(lambda) {
                    for (i, entry) in row.iter().flatten().enumerate() {
                        out.add(i, column, side * weight * entry / (2.0 * MOVE));
                    }
                }
            }
        }
        Some(())
    }
}

impl crate::joints::Tendon<'_> {
    /// λ times the second derivatives of the length: two points at a time.
    fn curvature(&self, bodies: &[Pose], lambda: f64, out: &mut Curvature) {
        for (k, ratio) in self.ratios.iter().enumerate().filter(|(_, ratio)| **ratio != 0.0) {
            let weight = lambda * ratio;
            for (i, j) in [(k, k), (k, k + 1), (k + 1, k), (k + 1, k + 1)] {
                let pair = pair_poses(bodies, i, j);
                let part = pair[k + 1].point(self.anchors[k + 1]) - pair[k].point(self.anchors[k]);
                if (part.x.value.value, part.y.value.value) == (0.0, 0.0) {
                    continue;
                }
                let length = part.length();
                for (a, outer) in length.slopes.iter().enumerate() {
                    for (b, inner) in outer.slopes.iter().enumerate() {
                        out.add(3 * i + a, 3 * j + b, weight * inner);
                    }
                }
            }
        }
    }
}
