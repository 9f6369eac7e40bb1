//! A piece of a path: c(u) = a + b u + c u² + d u³ for 0 ≤ u ≤ width, straight beyond.
//!
//! Pieces are cut so short that the tangent turns by less than a quarter turn and that eight points
//! of Gauss and Legendre give the arc length to rounding.

use super::spline::unit;
use kempe_scalar::{Vec2, precise};

/// Gauss–Legendre with eight points: half of the symmetric nodes on [−1, 1], and their weights.
const NODES: [f64; 4] = [
    0.183_434_642_495_649_8,
    0.525_532_409_916_329,
    0.796_666_477_413_626_7,
    0.960_289_856_497_536_3,
];
const WEIGHTS: [f64; 4] = [
    0.362_683_783_378_362,
    0.313_706_645_877_887_3,
    0.222_381_034_453_374_5,
    0.101_228_536_290_376_3,
];

/// So often a piece may be halved: enough for a cusp, where the curve stands still.
const HALVINGS: usize = 20;
/// Intervals of a curved piece between which `feet` looks for minima, and the steps of `descend`.
const LOOKS: u32 = 8;
const STRIDE: f64 = 0.25;
/// A step of Newton this small, of the width, leaves an error below rounding where it converges well.
const LAST_STEP: f64 = 1e-9;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Piece {
    a: Vec2,
    pub b: Vec2,
    c: Vec2,
    d: Vec2,
    /// Of the parameter.
    pub width: f64,
    /// Arc length where it starts, and its own.
    pub start: f64,
    pub length: f64,
    /// The unwrapped angle of the tangent where it starts.
    pub turn: f64,
    /// By how much du/dx, x = s/length, differs from `width` at either end.
    skew: [f64; 2],
}

/// (p − c)·c′, by how much it falls with u, and |c′|².
struct Pull {
    along: f64,
    stiffness: f64,
    speed_squared: f64,
}

impl Pull {
    /// The step of Newton, if it leads down.
    fn step(&self) -> Option<f64> {
        (self.stiffness > 0.0).then(|| self.along / self.stiffness)
    }

    fn is_well_posed(&self) -> bool {
        self.stiffness > 0.5 * self.speed_squared
    }
}

/// The angle from one vector to another, −π to π.
pub(super) fn angle(from: Vec2, to: Vec2) -> f64 {
    // Not −0, which would make a reversal clockwise.
    precise::atan2(from.cross(to) + 0.0, from.dot(to))
}

impl Piece {
    pub(super) fn straight(from: Vec2, to: Vec2) -> Self {
        let length = (to - from).length();
        let b = (to - from) * (1.0 / length);
        Self { length, ..Self::cubic([from, b, Vec2::ZERO, Vec2::ZERO], length) }
    }

    /// Without its length, which is `cut`'s to find.
    pub(super) fn cubic([a, b, c, d]: [Vec2; 4], width: f64) -> Self {
        Self { a, b, c, d, width, start: 0.0, length: 0.0, turn: 0.0, skew: [0.0; 2] }
    }

    /// Adds the pieces that this one is to be cut into.
    pub(super) fn cut(self, out: &mut Vec<Self>) {
        let length = self.integral(self.width);
        self.cut_further(length, HALVINGS, out);
    }

    fn cut_further(mut self, length: f64, halvings: usize, out: &mut Vec<Self>) {
        let half = 0.5 * self.width;
        let first = Self { width: half, ..self };
        let middle = [self.point(half), self.slope(half), self.c + self.d * (3.0 * half), self.d];
        let second = Self::cubic(middle, half);
        let (before, after) = (first.integral(half), second.integral(half));
        let precise = (before + after - length).abs() <= 1e-13 * length;
        // The three control vectors of c′, a parabola that stays among them.
        let [p, q, r] = [self.b, self.b + self.c * self.width, self.slope(self.width)];
        let narrow = p.dot(q) > 0.0 && p.dot(r) > 0.0 && q.dot(r) > 0.0;
        if (precise && narrow) || halvings == 0 {
            self.length = before + after;
            let skew = |speed: f64| {
                let skew = self.length / speed - self.width;
                if skew.abs() < self.width { skew } else { 0.0 }
            };
            self.skew = [skew(p.length()), skew(r.length())];
            return out.push(self);
        }
        first.cut_further(before, halvings - 1, out);
        second.cut_further(after, halvings - 1, out);
    }

    pub(super) fn point(&self, u: f64) -> Vec2 {
        self.a + (self.b + (self.c + self.d * u) * u) * u
    }

    /// c′.
    pub(super) fn slope(&self, u: f64) -> Vec2 {
        self.b + (self.c * 2.0 + self.d * (3.0 * u)) * u
    }

    /// The unit tangent; at a cusp, that of the middle.
    pub(super) fn tangent(&self, u: f64) -> Vec2 {
        unit(self.slope(u)).or_else(|| unit(self.slope(0.5 * self.width))).unwrap_or(Vec2::X)
    }

    pub(super) fn curvature(&self, u: f64) -> f64 {
        let slope = self.slope(u);
        let bend = slope.cross(self.c * 2.0 + self.d * (6.0 * u));
        let cubed = slope.length() * slope.length_squared();
        if cubed > 0.0 { bend / cubed } else { 0.0 }
    }

    fn is_straight(&self) -> bool {
        self.c == Vec2::ZERO && self.d == Vec2::ZERO
    }

    /// ∫ |c′| from 0 to u.
    fn integral(&self, u: f64) -> f64 {
        if self.is_straight() {
            return u * self.b.length();
        }
        let half = 0.5 * u;
        let mut sum = 0.0;
        for (node, weight) in NODES.iter().zip(WEIGHTS) {
            let pair =
                self.slope(half - half * node).length() + self.slope(half + half * node).length();
            sum += weight * pair;
        }
        half * sum
    }

    /// The arc length from the start of the piece to u.
    pub(super) fn arc(&self, u: f64) -> f64 {
        if u <= 0.0 {
            u
        } else if u >= self.width {
            self.length + (u - self.width)
        } else {
            self.integral(u)
        }
    }

    /// About where arc length s of the piece is: the cubic of Hermite, which is exact at the ends.
    pub(super) fn guess(&self, s: f64) -> f64 {
        if s <= 0.0 {
            return s;
        } else if s >= self.length {
            return self.width + (s - self.length);
        }
        let x = s / self.length;
        let skew = self.skew[0] * (1.0 - x) - self.skew[1] * x;
        (self.width * x + skew * x * (1.0 - x)).clamp(0.0, self.width)
    }

    /// Where arc length s of the piece is.
    pub(super) fn at_arc(&self, s: f64) -> f64 {
        let mut u = self.guess(s);
        if self.is_straight() || s <= 0.0 || s >= self.length {
            return u;
        }
        let (mut low, mut high) = (0.0, self.width);
        for _ in 0..60 {
            let excess = self.integral(u) - s;
            if excess.abs() <= 0.5 * f64::EPSILON * self.length {
                break;
            }
            if excess > 0.0 {
                high = u;
            } else {
                low = u;
            }
            let newton = u - excess / self.slope(u).length();
            let next = if newton >= low && newton <= high { newton } else { 0.5 * (low + high) };
            let step = (next - u).abs();
            u = next;
            if step <= f64::EPSILON * self.width {
                break;
            }
        }
        u
    }

    fn pull(&self, point: Vec2, u: f64) -> Pull {
        let away = point - self.a - (self.b + (self.c + self.d * u) * u) * u;
        let slope = self.slope(u);
        let speed_squared = slope.length_squared();
        let stiffness = speed_squared - away.dot(self.c * 2.0 + self.d * (6.0 * u));
        Pull { along: away.dot(slope), stiffness, speed_squared }
    }

    /// Positive where the distance from the point falls with u.
    pub(super) fn pull_at(&self, point: Vec2, u: f64) -> f64 {
        self.pull(point, u).along
    }

    /// Goes down with the distance from the point to its next minimum on the piece, or to an end of
    /// the piece. Returns where that is, and what still pulls on there.
    pub(super) fn descend(&self, point: Vec2, from: f64) -> (f64, f64) {
        let mut u = from.clamp(0.0, self.width);
        let mut pull = self.pull(point, u);
        if pull.along == 0.0 {
            return (u, 0.0);
        }
        let forward = pull.along > 0.0;
        let end = if forward { self.width } else { 0.0 };
        if self.is_straight() {
            let foot = u + pull.along / pull.speed_squared;
            let inside = foot > 0.0 && foot < self.width;
            return if inside { (foot, 0.0) } else { (end, self.pull_at(point, end)) };
        }
        // Long steps could pass over a hill.
        let stride = STRIDE * self.width;
        for _ in 0..64 {
            if u == end || pull.along == 0.0 || pull.along.is_nan() {
                break;
            }
            let step = pull.step().map_or(stride, |step| step.abs().min(stride));
            let next = if forward { u + step } else { u - step };
            let past = if forward { next >= end } else { next <= end };
            if !past && step <= LAST_STEP * self.width && pull.is_well_posed() {
                return (next, 0.0);
            }
            let next = if past { end } else { next };
            if next == u {
                return (u, 0.0);
            }
            let there = self.pull(point, next);
            if (forward && there.along < 0.0) || (!forward && there.along > 0.0) {
                return (self.settle(point, u.min(next), u.max(next), next), 0.0);
            }
            (u, pull) = (next, there);
        }
        (u, pull.along)
    }

    /// The minimum of the distance between two places from which it falls inwards.
    fn settle(&self, point: Vec2, mut low: f64, mut high: f64, from: f64) -> f64 {
        let mut u = from;
        for _ in 0..64 {
            let pull = self.pull(point, u);
            if pull.along == 0.0 {
                break;
            }
            if pull.along > 0.0 {
                low = u;
            } else {
                high = u;
            }
            let newton = pull.step().map(|step| u + step).filter(|u| *u > low && *u < high);
            let next = newton.unwrap_or(0.5 * (low + high));
            let step = (next - u).abs();
            u = next;
            let last = newton.is_some() && pull.is_well_posed() && step <= LAST_STEP * self.width;
            if last || step <= f64::EPSILON * self.width {
                break;
            }
        }
        u
    }

    /// Shows the minima of the distance from a point on the piece, and its ends, in order.
    pub(super) fn feet(&self, point: Vec2, mut show: impl FnMut(f64)) {
        let looks = if self.is_straight() { 1 } else { LOOKS };
        show(0.0);
        let (mut u, mut pull) = (0.0, self.pull_at(point, 0.0));
        for look in 1..=looks {
            let next = self.width * (f64::from(look) / f64::from(looks));
            let there = self.pull_at(point, next);
            if pull > 0.0 && there < 0.0 {
                show(self.settle(point, u, next, 0.5 * (u + next)));
            }
            (u, pull) = (next, there);
        }
        show(self.width);
    }
}
