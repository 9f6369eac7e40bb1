//! Joints whose axes are lines of A: sliders and slots, and those that leave everything.

use super::bounds::Bounds;
use super::joint::Scene;
use super::rows::pointing;
use super::{Draw, Pen, Role, unit};
use crate::joint::{Acts, JointKind, Pull};
use kempe_scalar::Vec2;
use kempe_solve::Softness;

/// The axes of a generic joint, in the world.
struct Frame {
    origin: Vec2,
    axes: [Vec2; 2],
    /// Along the axes, then of the angle.
    bounds: [Bounds; 3],
}

impl Frame {
    fn at(&self, x: f64, y: f64) -> Vec2 {
        self.origin + self.axes[0] * x + self.axes[1] * y
    }

    /// Where the point of B is, or would be if what is held were closed.
    fn foot(&self) -> Vec2 {
        let [x, y] = [0, 1].map(|k| {
            let bounds = &self.bounds[k];
            if bounds.holds() { bounds.lower } else { bounds.now }
        });
        self.at(x, y)
    }
}

/// A rail through a point at `bounds.now`, with its ends where it has any. Elsewhere it goes on for a
/// while, and back to 0 if `whole`.
fn draw_line(foot: Vec2, along: Vec2, bounds: &Bounds, whole: bool, pen: &mut Pen<'_>) {
    let (more, zero) = (4.0 * pen.size, if whole { 0.0 } else { bounds.now });
    let from = match bounds.lower.is_finite() {
        true => bounds.lower.min(bounds.now),
        false => bounds.now.min(zero).min(bounds.upper) - more,
    };
    let to = match bounds.upper.is_finite() {
        true => bounds.upper.max(bounds.now),
        false => bounds.now.max(zero).max(bounds.lower) + more,
    };
    let start = foot - along * bounds.now;
    pen.line(start + along * from, start + along * to, Role::Axis);
    bounds.along(foot, along, pen);
}

impl Scene<'_> {
    /// Prismatic and slot.
    pub(super) fn draw_rail(&self, points: &[Vec2], rail: Vec2, pen: &mut Pen<'_>) {
        let &[a, b] = points else { return };
        let (Some(bounds), Some(along)) = (self.bounds(0), unit(self.bodies[0].turned(rail)))
        else {
            return;
        };
        let foot = a + along * bounds.now;
        if self.options.axes {
            draw_line(foot, along, &bounds, true, pen);
        }
        if self.options.joints {
            self.draw_gap(foot, b, pen);
        }
        match self.joint.def.kind {
            JointKind::Slot { .. } => self.draw_turn(1, b, pen),
            // It does not turn on its rail.
            _ if self.options.joints => pen.square(b, along * (0.7 * pen.size), Role::Joint),
            _ => {}
        }
    }

    fn frame(&self) -> Option<Frame> {
        let numbers = self.joint.def.kind.numbers();
        let along = unit(self.bodies[0].turned(numbers.rail))?;
        let bounds = [self.bounds(0)?, self.bounds(1)?, self.bounds(2)?];
        let origin = self.bodies[0].world_point(numbers.anchor_a);
        Some(Frame { origin, axes: [along, along.perp()], bounds })
    }

    /// The point of A where a generic joint holds B's anchor, and that anchor.
    pub(super) fn on_rails(&self) -> Vec<Vec2> {
        let end = self.bodies[1].world_point(self.joint.def.kind.numbers().anchor_b);
        self.frame().map_or(Vec::new(), |frame| vec![frame.foot(), end])
    }

    fn acts_on(&self, axis: usize) -> bool {
        self.joint.def.axis(axis).is_some_and(|acts| acts != Acts::default())
    }

    /// Generic and drive, as the joint that their axes amount to: rails where B moves and something
    /// acts, a slot across what is held, squares where it does not turn.
    pub(super) fn draw_generic(&self, points: &[Vec2], pen: &mut Pen<'_>) {
        let (&[a, b], Some(frame)) = (points, self.frame()) else { return };
        let Frame { axes, bounds, .. } = &frame;
        let foot = frame.foot();
        let held = |k: usize| bounds[k].holds();
        for k in [0, 1] {
            let only = held(1 - k);
            if held(k) || !(only || self.acts_on(k)) {
                continue;
            }
            let start = foot - axes[k] * bounds[k].now;
            if self.options.axes {
                draw_line(foot, axes[k], &bounds[k], only, pen);
            }
            if self.options.joints && only && pen.seen((start - a).length()) {
                pen.line(a, start, Role::Arm);
            }
            // With a length of its own, it goes from one end to the other.
            let springs = bounds[k].rest.is_some_and(|rest| rest.abs() > pen.size);
            if self.options.joints && springs {
                pen.spring(start, foot, Role::Joint);
            }
        }
        if self.options.axes && !held(0) && !held(1) {
            let [x, y, _] = bounds;
            let corners = [(x.lower, y.lower), (x.upper, y.lower), (x.upper, y.upper)];
            let around = corners.into_iter().chain([(x.lower, y.upper), (x.lower, y.lower)]);
            // Without all four bounds it has no corners.
            let corners: Vec<Vec2> = around.map(|(x, y)| frame.at(x, y)).collect();
            if corners.iter().all(|corner| corner.is_finite()) {
                pen.chain(corners, Role::Limit);
            }
        }
        if self.options.joints && (held(0) || held(1)) {
            self.draw_gap(foot, b, pen);
        }
        if !held(2) {
            self.draw_turn(2, b, pen);
        } else if held(0) != held(1) {
            self.draw_steady(&bounds[2], b, axes[usize::from(held(0))], pen);
        } else if self.options.joints {
            let angle = self.joint.def.kind.numbers().angle + bounds[2].lower;
            let ways = [Vec2::from_angle(angle), Vec2::X].map(|way| way * (0.7 * pen.size));
            for ((at, way), body) in [foot, b].into_iter().zip(ways).zip(&self.bodies) {
                pen.square(at, body.turned(way), Role::Joint);
            }
        }
    }

    /// An angle that is held on a rail, and by how much it is off.
    pub(super) fn draw_steady(&self, bounds: &Bounds, at: Vec2, along: Vec2, pen: &mut Pen<'_>) {
        if !self.options.joints {
            return;
        }
        let (size, past) = (pen.size, bounds.past());
        pen.square(at, along * (0.7 * size), Role::Joint);
        if pen.seen(1.5 * size * past.abs()) {
            pen.arc(at, 1.5 * size, pointing(self.bodies[1], at, pen), -past, Role::Gap);
        }
    }

    /// What draws the point of a drive: a spring to the target, which has a mark, and an arrow the
    /// way it is to go. Without a velocity that is a ring.
    pub(super) fn draw_pull(&self, points: &[Vec2], pull: &Pull, pen: &mut Pen<'_>) {
        let (&[_, b], Some(frame)) = (points, self.frame()) else { return };
        let size = pen.size;
        if pull.spring_force > 0.0 {
            let target = frame.at(pull.target.x, pull.target.y);
            if self.options.joints && pen.seen((target - b).length()) {
                match pull.softness {
                    Softness::Rigid => pen.line(target, b, Role::Joint),
                    _ => pen.spring(target, b, Role::Joint),
                }
            }
            if self.options.axes {
                pen.circle(target, 0.8 * size, Role::Limit);
                for axis in frame.axes {
                    pen.through(target, axis * (1.2 * size), Role::Limit);
                }
            }
        }
        if pull.velocity_force > 0.0 && self.options.joints {
            let velocity = frame.at(pull.velocity.x, pull.velocity.y) - frame.origin;
            match unit(velocity) {
                Some(along) => pen.arrow(b, along * (6.0 * size), Role::Joint),
                None => pen.circle(b, 1.5 * size, Role::Joint),
            }
        }
    }
}
