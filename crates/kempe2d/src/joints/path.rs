//! Path: holds a point of B on a curve of A, and leaves the way along it and the angle.
//!
//! C = ⊥t · (p − c),   q₁ = s,   q₂ = θ_B − θ_A − φ, less the angle of t where B follows the curve
//!
//! p is the point in the axes of A, and c the foot of it on the curve at the arc length s, where
//! t · (p − c) = 0. So Ċ = ⊥t · ṗ exactly, and ṡ = t · ṗ / (1 − κ C) with the curvature κ. Jolt's path
//! constraint in the plane.

use crate::path::{Path, Place};
use crate::user::{Pose, Rows};
use kempe_scalar::Vec2;

/// However far from the curve a point is, it has not passed the centre of curvature.
const NEAREST: f64 = 0.1;

/// What a path joint is made of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Track<'a> {
    pub path: &'a Path,
    pub anchor: Vec2,
    pub angle: f64,
    pub follow: bool,
}

impl Track<'_> {
    /// The point in the axes of A.
    pub(crate) fn point(&self, bodies: &[Pose]) -> Vec2 {
        let [a, b] = [&bodies[0], &bodies[1]];
        (b.point(self.anchor) - a.position).turned(a.cos, -a.sin)
    }

    /// Its rows where the foot is near `s`, and where that is.
    pub(crate) fn rows(&self, bodies: &[Pose], s: f64, out: &mut Rows) -> f64 {
        out.reset(3, 2);
        let [a, b] = [&bodies[0], &bodies[1]];
        let point = self.point(bodies);
        let Place { s, point: foot, tangent, turn, curvature } = self.path.follow(point, s);
        let off = tangent.perp().dot(point - foot);
        let arm_a = b.point(self.anchor) - a.position;
        let arm_b = b.direction(self.anchor);
        let along = |e: Vec2| {
            let e = a.direction(e);
            [[-e.x, -e.y, -arm_a.cross(e)], [e.x, e.y, arm_b.cross(e)]]
        };
        let room: f64 = 1.0 - curvature * off;
        let way = along(tangent * (1.0 / room.max(NEAREST)));
        let mut turns = [[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]];
        let mut angle = b.rotation - a.rotation - self.angle;
        if self.follow {
            angle -= turn;
            for (turns, way) in turns.iter_mut().flatten().zip(way.iter().flatten()) {
                *turns -= curvature * way;
            }
        }
        out.value.copy_from_slice(&[off, s, angle]);
        for (row, found) in out.jacobian.iter_mut().zip([along(tangent.perp()), way, turns]) {
            row.copy_from_slice(&found);
        }
        s
    }
}
