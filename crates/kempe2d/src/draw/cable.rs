//! Joints of a length: between two points, over wheels, and through many points.

use super::bounds::Bounds;
use super::joint::Scene;
use super::rows::draw_arm;
use super::{Draw, Pen, Role, unit};
use crate::body::BodyKind;
use kempe_scalar::Vec2;

impl Scene<'_> {
    /// What a length is now: a rod or a taut rope, a slack one, or one that is only measured.
    pub(super) fn length_role(&self, bounds: &Bounds, pen: &Pen<'_>) -> Role {
        let Some(axis) = self.joint.def.axis(0) else { return Role::Axis };
        let either = |lower: f64, upper: f64| lower < 0.0 && upper > 0.0;
        let springs = axis.spring.is_some_and(|each| either(each.force.lower, each.force.upper));
        let force = self.world.joint_axis_force(self.id, 0).map_or(0.0, |force| force.total());
        let nothing = axis.limit.is_none() && axis.spring.is_none() && axis.law.is_none();
        if nothing && axis.motor.is_none() && axis.ratchet.is_none() {
            Role::Axis
        } else if springs || force != 0.0 || bounds.touches(0.02 * pen.size) {
            Role::Joint
        } else {
            Role::Slack
        }
    }

    pub(super) fn draw_distance(&self, points: &[Vec2], pen: &mut Pen<'_>) {
        let &[a, b] = points else { return };
        let Some(bounds) = self.bounds(0) else { return };
        let role = self.length_role(&bounds, pen);
        let shown = if role == Role::Axis { self.options.axes } else { self.options.joints };
        if shown {
            match bounds.rest {
                Some(_) => pen.spring(a, b, role),
                None if role == Role::Slack && bounds.upper.is_finite() => {
                    pen.rope(a, b, bounds.upper, self.world.settings().gravity, role);
                }
                None => pen.line(a, b, role),
            }
        }
        self.draw_length_bounds(b, b - a, 1.0, &bounds, pen);
    }

    /// Marks on the line of a length, at the end that moves; for a rod, how much it is off.
    fn draw_length_bounds(
        &self,
        end: Vec2,
        along: Vec2,
        ratio: f64,
        bounds: &Bounds,
        pen: &mut Pen<'_>,
    ) {
        let Some(along) = unit(along) else { return };
        let per = along * (1.0 / ratio);
        if self.options.axes && !bounds.holds() {
            bounds.along(end, per, pen);
        }
        if self.options.joints && bounds.holds() {
            self.draw_gap(end - per * bounds.past(), end, pen);
        }
    }

    /// Two ropes, and where they go from wheel to wheel.
    pub(super) fn draw_pulley(&self, points: &[Vec2], ratio: f64, pen: &mut Pen<'_>) {
        let &[a, b, c, d] = points else { return };
        let Some(bounds) = self.bounds(0) else { return };
        let role = self.length_role(&bounds, pen);
        if self.options.joints {
            pen.line(a, b, role);
            pen.line(c, d, role);
            pen.line(a, c, Role::Arm);
        }
        self.draw_length_bounds(d, d - c, ratio, &bounds, pen);
    }

    /// A cable through points, with a wheel where it goes on. Where its weight is 0, there is none.
    pub(super) fn draw_tendon(&self, points: &[Vec2], ratios: &[f64], pen: &mut Pen<'_>) {
        let used = |part: usize| ratios.get(part).is_some_and(|ratio| *ratio != 0.0);
        let parts: Vec<usize> =
            (0..ratios.len().min(points.len().saturating_sub(1))).filter(|k| used(*k)).collect();
        if let Some(bounds) = self.bounds(0) {
            self.draw_parts(points, &parts, &bounds, pen);
            self.draw_tendon_bounds(points, ratios, &parts, &bounds, pen);
        }
        if !self.options.joints {
            return;
        }
        let size = pen.size;
        for (k, (body, point)) in self.bodies.iter().zip(points).enumerate() {
            let (before, after) = (k > 0 && used(k - 1), used(k));
            if before || after {
                draw_arm(body, *point, pen);
                pen.circle(*point, if before && after { 0.3 } else { 0.5 } * size, Role::Anchor);
            }
            if before && after {
                pen.circle(*point, 0.8 * size, Role::Joint);
            }
        }
    }

    fn draw_parts(&self, points: &[Vec2], parts: &[usize], bounds: &Bounds, pen: &mut Pen<'_>) {
        let role = self.length_role(bounds, pen);
        let shown = if role == Role::Axis { self.options.axes } else { self.options.joints };
        if !shown {
            return;
        }
        // Each part hangs by as much of its length.
        let more = bounds.upper / bounds.now;
        let hangs = role == Role::Slack && more.is_finite() && more > 1.0;
        for part in parts {
            let (from, to) = (points[*part], points[*part + 1]);
            if bounds.rest.is_some() && parts.last() == Some(part) {
                pen.spring(from, to, role);
            } else if hangs {
                let length = more * (to - from).length();
                pen.rope(from, to, length, self.world.settings().gravity, role);
            } else {
                pen.line(from, to, role);
            }
        }
    }

    /// At the last end, or at the first if that one alone moves.
    fn draw_tendon_bounds(
        &self,
        points: &[Vec2],
        ratios: &[f64],
        parts: &[usize],
        bounds: &Bounds,
        pen: &mut Pen<'_>,
    ) {
        let (Some(first), Some(last)) = (parts.first(), parts.last()) else { return };
        let moves = |k: usize| self.bodies[k].kind != BodyKind::Static;
        let (part, end, before) = match !moves(*last + 1) && moves(*first) {
            true => (*first, points[*first], points[*first + 1]),
            false => (*last, points[*last + 1], points[*last]),
        };
        self.draw_length_bounds(end, end - before, ratios[part], bounds, pen);
    }
}
