//! Pulley: leaves the weighted sum of two lengths, and holds nothing by itself.
//!
//! q = |p₂ − p₁| + ρ |p₄ − p₃|
//!
//! The points are on four bodies, some of which may be the same. With equal limits a rope without
//! slack (Box2D's pulley), with a range Nape's and Jolt's pulley joints.

use crate::draw::Draw;
use crate::user::{Constraint, Counts, Jacobian, Pose};
use kempe_scalar::{Real, Vec2};

/// A pulley at a moment: its anchors, its ratio, and the directions that its lengths last had.
#[derive(Clone, Debug)]
pub(crate) struct Pulley {
    pub anchors: [Vec2; 4],
    pub ratio: f64,
    pub remembered: [Vec2; 2],
}

impl Pulley {
    /// From the first point to the second, and from the third to the fourth.
    pub(crate) fn lengths<S: Real>(&self, bodies: &[Pose<S>]) -> [Vec2<S>; 2] {
        let point = |k: usize| bodies[k].point(self.anchors[k]);
        [point(1) - point(0), point(3) - point(2)]
    }
}

impl Constraint for Pulley {
    fn name(&self) -> &str {
        "pulley"
    }

    fn counts(&self) -> Counts {
        Counts { bodies: 4, hold: 0, velocity: 0, axes: 1 }
    }

    fn equations<S: Real>(&self, bodies: &[Pose<S>], _time: S, out: &mut [S]) {
        let [first, second] = self.lengths(bodies);
        out[0] = first.length() + S::constant(self.ratio) * second.length();
    }

    fn jacobian(&self, bodies: &[Pose], _time: f64, out: &mut Jacobian<'_>) -> bool {
        let lengths = self.lengths(bodies);
        for (pair, scale) in [(0, 1.0), (1, self.ratio)] {
            let length = lengths[pair].length();
            let n =
                if length > 1e-12 { lengths[pair] * (1.0 / length) } else { self.remembered[pair] };
            for (body, sign) in [(2 * pair, -scale), (2 * pair + 1, scale)] {
                let arm = bodies[body].direction(self.anchors[body]);
                out.set(0, body, n * sign, arm.cross(n) * sign);
            }
        }
        true
    }

    fn draw(&self, _bodies: &[Pose], _out: &mut dyn Draw) -> bool {
        false
    }
}
