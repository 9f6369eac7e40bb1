//! Tendon: leaves the weighted sum of the lengths between points, and holds nothing by itself.
//!
//! q = Σ ρ_k |p_k+1 − p_k|
//!
//! A cable over any number of points of any bodies, without friction at them: its tension is the same
//! all along, times the weight of a part. A weight of 0 is a gap: there the cable ends and another
//! one begins that pulls at the same time. A pulley is one of four points with the weights 1, 0, ρ.
//! With an upper limit a cable, with equal limits one that pushes too (Box2D's pulley), with a range
//! Nape's and Jolt's pulley joints, with a spring or a soft range MuJoCo's spatial tendon.

use crate::user::{Pose, Rows};
use kempe_scalar::{Real, Vec2};

/// A cable at a moment: points by body, weights, and the directions that its parts last had.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tendon<'a> {
    pub anchors: &'a [Vec2],
    pub ratios: &'a [f64],
    pub directions: &'a [[f64; 2]],
}

impl Tendon<'_> {
    /// From each point to the next.
    pub(crate) fn parts<S: Real>(&self, bodies: &[Pose<S>]) -> impl Iterator<Item = Vec2<S>> {
        let point = |k: usize| bodies[k].point(self.anchors[k]);
        (1..self.anchors.len()).map(move |k| point(k) - point(k - 1))
    }

    /// q.
    #[cfg(test)]
    pub(crate) fn length<S: Real>(&self, bodies: &[Pose<S>]) -> S {
        let parts = self.parts(bodies).zip(self.ratios).filter(|(_, ratio)| **ratio != 0.0);
        parts.fold(S::zero(), |sum, (part, ratio)| sum + S::constant(*ratio) * part.length())
    }

    /// Its one row.
    pub(crate) fn rows(&self, bodies: &[Pose], out: &mut Rows) {
        out.reset(1, bodies.len());
        for (k, (part, ratio)) in self.parts(bodies).zip(self.ratios).enumerate() {
            if *ratio == 0.0 {
                continue;
            }
            let length = part.length();
            let known = self.directions.get(k).copied().map_or(Vec2::ZERO, Vec2::from);
            let n = if length > 1e-12 { part * (1.0 / length) } else { known };
            out.value[0] += ratio * length;
            for (body, scale) in [(k, -ratio), (k + 1, *ratio)] {
                let arm = bodies[body].direction(self.anchors[body]);
                let part = &mut out.jacobian[0][body];
                part[0] += n.x * scale;
                part[1] += n.y * scale;
                part[2] += arm.cross(n) * scale;
            }
        }
    }
}
