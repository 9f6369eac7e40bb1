//! The bounds of a coordinate, as marks along a line or round a point.

use super::{Draw, Pen, Role, unit};
use crate::joint::Joint;
use kempe_scalar::Vec2;
use std::f64::consts::TAU;

/// A coordinate, its bounds, and where its spring rests.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub now: f64,
    pub lower: f64,
    pub upper: f64,
    pub rest: Option<f64>,
}

impl Bounds {
    /// Of an axis of a joint that is at `now`. A ratchet has the tooth that it stands at.
    pub(crate) fn of(joint: &Joint, axis: usize, now: f64) -> Self {
        let (mut lower, mut upper) = (f64::NEG_INFINITY, f64::INFINITY);
        let acts = joint.def.axis(axis);
        if let Some(limit) = acts.and_then(|acts| acts.limit) {
            (lower, upper) = (limit.lower, limit.upper);
        }
        if let Some(ratchet) = acts.and_then(|acts| acts.ratchet)
            && let Some(tooth) = joint.state.teeth.get(axis).filter(|tooth| tooth.is_finite())
        {
            *(if ratchet.step > 0.0 { &mut lower } else { &mut upper }) = *tooth;
        }
        let rest = acts.and_then(|acts| acts.spring).map(|spring| spring.rest);
        Self { now, lower, upper, rest }
    }

    /// Whether there is one value only.
    pub(crate) fn holds(&self) -> bool {
        self.lower == self.upper
    }

    /// How far the coordinate is past its bounds.
    pub(crate) fn past(&self) -> f64 {
        (self.now - self.upper).max(0.0) + (self.now - self.lower).min(0.0)
    }

    /// Whether it is at a bound, or past it.
    pub(crate) fn touches(&self, close: f64) -> bool {
        self.now >= self.upper - close || self.now <= self.lower + close
    }

    pub(crate) fn finite(&self) -> impl Iterator<Item = f64> {
        let upper = (!self.holds()).then_some(self.upper);
        [Some(self.lower), upper].into_iter().flatten().filter(|bound| bound.is_finite())
    }

    /// Ticks across the way of a point that moves by `per` for each unit of the coordinate.
    pub(crate) fn along(&self, point: Vec2, per: Vec2, pen: &mut Pen<'_>) {
        let Some(unit) = unit(per) else { return };
        let side = unit.perp() * pen.size;
        for bound in self.finite() {
            pen.through(point + per * (bound - self.now), side, Role::Limit);
        }
        if let Some(rest) = self.rest {
            pen.through(point + per * (rest - self.now), side * 0.5, Role::Axis);
        }
    }

    /// Rays from a point, for something that points along an angle and turns by `per` for each unit
    /// of the coordinate, and the arc between them.
    pub(crate) fn around(&self, point: Vec2, angle: f64, per: f64, pen: &mut Pen<'_>) {
        let size = pen.size;
        let at = |bound: f64| angle + per * (bound - self.now);
        let mut ray = |angle: f64, length: f64, role: Role| {
            pen.line(point, point + Vec2::from_angle(angle) * (length * size), role);
        };
        let any = self.rest.is_some() || self.finite().next().is_some();
        if !any || !per.is_finite() {
            return;
        }
        for bound in self.finite() {
            ray(at(bound), 4.0, Role::Limit);
        }
        if let Some(rest) = self.rest {
            ray(at(rest), 2.0, Role::Axis);
        }
        ray(angle, 4.0, Role::Axis);
        // Without a bound on one side, as far as it is now.
        let end = |bound: f64| if bound.is_finite() { bound } else { self.now };
        let (lower, upper) = (end(self.lower), end(self.upper));
        if lower < upper {
            let sweep = (per * (upper - lower)).clamp(-TAU, TAU);
            pen.arc(point, 3.0 * size, at(lower), sweep, Role::Limit);
        }
    }
}
