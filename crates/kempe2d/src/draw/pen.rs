//! What is put together from lines.

use super::{Draw, Role};
use kempe_scalar::Vec2;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_8, TAU};

/// Draws small things on another. What is not finite is not drawn.
pub(crate) struct Pen<'a> {
    out: &'a mut dyn Draw,
    /// Of small marks, m.
    pub size: f64,
    /// The role that everything has, if there is one.
    pub only: Option<Role>,
}

impl Draw for Pen<'_> {
    fn line(&mut self, from: Vec2, to: Vec2, role: Role) {
        if from.is_finite() && to.is_finite() {
            self.out.line(from, to, self.only.unwrap_or(role));
        }
    }

    fn circle(&mut self, center: Vec2, radius: f64, role: Role) {
        if center.is_finite() && radius.is_finite() {
            self.out.circle(center, radius, self.only.unwrap_or(role));
        }
    }

    fn label(&mut self, at: Vec2, text: &str, role: Role) {
        if at.is_finite() {
            self.out.label(at, text, self.only.unwrap_or(role));
        }
    }
}

/// The unit vector along another; `None` for one without direction.
pub(crate) fn unit(vector: Vec2) -> Option<Vec2> {
    let length = vector.length();
    (length > 1e-12 && length.is_finite()).then(|| vector * (1.0 / length))
}

impl<'a> Pen<'a> {
    pub(crate) fn new(out: &'a mut dyn Draw, size: f64) -> Self {
        Self { out, size, only: None }
    }

    /// Whether a length can be seen beside the marks.
    pub(crate) fn seen(&self, length: f64) -> bool {
        length > 0.1 * self.size
    }

    /// Lines from point to point.
    pub(crate) fn chain(&mut self, points: impl IntoIterator<Item = Vec2>, role: Role) {
        let mut last = None;
        for point in points {
            if let Some(last) = last {
                self.line(last, point, role);
            }
            last = Some(point);
        }
    }

    /// A line to either side of a point.
    pub(crate) fn through(&mut self, at: Vec2, half: Vec2, role: Role) {
        self.line(at - half, at + half, role);
    }

    /// A part of a circle, counter-clockwise if `sweep` is positive; at most one turn.
    pub(crate) fn arc(&mut self, center: Vec2, radius: f64, from: f64, sweep: f64, role: Role) {
        let sweep = sweep.clamp(-TAU, TAU);
        // At most 32 parts; of a sweep that is not a number, none.
        let parts = (2.0 * sweep.abs() / FRAC_PI_8).ceil().clamp(1.0, 32.0) as u32;
        let at = |part: u32| from + sweep * f64::from(part) / f64::from(parts);
        self.chain((0..=parts).map(|part| center + Vec2::from_angle(at(part)) * radius), role);
    }

    /// The head of an arrow that points along a direction.
    fn head(&mut self, tip: Vec2, along: Vec2, length: f64, role: Role) {
        let (back, side) = (along * -length, along.perp() * (0.4 * length));
        self.line(tip, tip + back + side, role);
        self.line(tip, tip + back - side, role);
    }

    /// An arrow, unless it is too short to be seen.
    pub(crate) fn arrow(&mut self, from: Vec2, along: Vec2, role: Role) {
        let length = along.length();
        if !self.seen(length) {
            return;
        }
        self.line(from, from + along, role);
        if let Some(unit) = unit(along) {
            self.head(from + along, unit, self.size.min(0.4 * length), role);
        }
    }

    /// An arrow over a point and round it, at most seven eighths of a turn, unless it is too short
    /// to be seen.
    pub(crate) fn turn(&mut self, center: Vec2, radius: f64, sweep: f64, role: Role) {
        let sweep = sweep.clamp(-0.875 * TAU, 0.875 * TAU);
        if radius * sweep.abs() < self.size {
            return;
        }
        let from = FRAC_PI_2 - 0.5 * sweep;
        self.arc(center, radius, from, sweep, role);
        let out = Vec2::from_angle(from + sweep);
        let length = self.size.min(0.4 * radius * sweep.abs());
        self.head(center + out * radius, out.perp() * sweep.signum(), length, role);
    }

    /// A spring between two points.
    pub(crate) fn spring(&mut self, from: Vec2, to: Vec2, role: Role) {
        let along = to - from;
        let side = unit(along).map_or(Vec2::ZERO, Vec2::perp) * (0.5 * self.size);
        let turns = (1..=12_i32).map(|k| {
            let wave = if k % 2 == 0 { 1.0 } else { -1.0 };
            from + along * ((f64::from(k) + 1.5) / 16.0) + side * wave
        });
        let ends = [from, from + along * 0.125];
        self.chain(ends.into_iter().chain(turns).chain([to - along * 0.125, to]), role);
    }

    /// A rope between two points that are nearer than it is long; it hangs down.
    pub(crate) fn rope(&mut self, from: Vec2, to: Vec2, length: f64, down: Vec2, role: Role) {
        let along = to - from;
        let distance = along.length();
        let mut side = unit(along).map_or(down, Vec2::perp);
        if side.dot(down) < 0.0 {
            side = -side;
        }
        // Of a shallow parabola, 8 s² / 3 d more than its chord. Long ropes are not shown in full.
        let sag = 0.75_f64.sqrt() * 0.5 * (length * length - distance * distance).max(0.0).sqrt();
        let sag = sag.min(distance.max(4.0 * self.size));
        self.chain(
            (0..=16_i32).map(|k| {
                let u = f64::from(k) / 16.0;
                from + along * u + side * (4.0 * sag * u * (1.0 - u))
            }),
            role,
        );
    }

    /// A square, by half a side.
    pub(crate) fn square(&mut self, at: Vec2, half: Vec2, role: Role) {
        let diagonal = half + half.perp();
        let corners = [diagonal, diagonal.perp(), -diagonal, -diagonal.perp(), diagonal];
        self.chain(corners.map(|corner| at + corner), role);
    }
}
