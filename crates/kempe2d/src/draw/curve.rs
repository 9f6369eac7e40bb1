//! Points on curves.

use super::bounds::Bounds;
use super::joint::Scene;
use super::{Pen, Role};
use crate::path::Path;
use kempe_scalar::Vec2;

/// Of a smooth curve, by point that it goes through, and in all unless it has as many points.
const SAMPLES: usize = 16;
const MOST: usize = 200;

/// Points of a path from end to end that show its shape.
fn samples(path: &Path) -> Vec<Vec2> {
    let points = path.points();
    if !path.is_smooth() {
        let seam = points.first().filter(|_| path.is_closed());
        return points.iter().chain(seam).copied().collect();
    }
    let count = (SAMPLES * points.len()).min(MOST.max(2 * points.len()));
    let at = |k: usize| path.point_at(path.length() * (k as f64 / count as f64));
    (0..=count).map(at).collect()
}

/// The same, and what goes on straight beyond its ends: as far as it may, unless the point leaves it.
fn extended(path: &Path, way: &Bounds, leave: bool, more: f64) -> Vec<Vec2> {
    let mut curve = samples(path);
    if path.is_closed() {
        return curve;
    }
    let length = path.length();
    let more = if leave { 0.0 } else { more };
    let (first, last) = (way.now.min(0.0), way.now.max(length));
    let from = if way.lower.is_finite() { first.min(way.lower) } else { first - more };
    let to = if way.upper.is_finite() { last.max(way.upper) } else { last + more };
    if from < 0.0 {
        curve.insert(0, path.point_at(from));
    }
    if to > length {
        curve.push(path.point_at(to));
    }
    curve
}

impl Scene<'_> {
    /// The curve as the rail that it is, with marks at its bounds, and how far the point is off it.
    pub(super) fn draw_path(
        &self,
        points: &[Vec2],
        path: &Path,
        leave: bool,
        follow: bool,
        pen: &mut Pen<'_>,
    ) {
        let (&[foot, b], Some(way)) = (points, self.bounds(0)) else { return };
        let base = self.bodies[0];
        if self.options.axes {
            let curve = extended(path, &way, leave, 4.0 * pen.size);
            pen.chain(curve.into_iter().map(|point| base.world_point(point)), Role::Axis);
            let ends = way.finite().map(|bound| (bound, 1.0, Role::Limit));
            let rest = way.rest.map(|rest| (rest, 0.5, Role::Axis));
            for (s, part, role) in ends.chain(rest) {
                let across = base.turned(path.tangent_at(s)).perp() * (part * pen.size);
                pen.through(base.world_point(path.point_at(s)), across, role);
            }
        }
        if self.options.joints {
            let place = if way.holds() { base.world_point(path.point_at(way.lower)) } else { foot };
            self.draw_gap(place, b, pen);
        }
        match self.bounds(1) {
            Some(turn) if turn.holds() => {
                let along = if follow { path.tangent_at(way.now) } else { Vec2::X };
                self.draw_steady(&turn, b, base.turned(along), pen);
            }
            _ => self.draw_turn(1, b, pen),
        }
    }
}
