//! How heavy bodies count in islands that are solved as a whole.

use super::HOT;
use super::build::At;
use super::direct::Articulated;
use super::rows::{Lanes, Row};
use crate::joint::KindTag;

/// Counts the bodies of a row with what is added to their masses.
pub(super) fn load(row: &mut Row, bodies: &[u32], extra: &[[f64; 3]]) {
    for part in &mut row.parts {
        let Ok(at) = bodies.binary_search(&part.body) else { continue };
        for (m, extra) in part.m.iter_mut().zip(extra[at]) {
            if *m > 0.0 && extra > 0.0 {
                *m /= 1.0 + *m * extra;
            }
        }
    }
}

/// The angle, in rad per sub-step, up to which an oscillation is followed.
const FOLLOWED: f64 = 1.0;

impl Articulated {
    /// How heavy bodies count. A joint under tension is a spring across itself (its force turns with
    /// it): a light link under a heavy load swings faster than a sub-step can follow. Where it does,
    /// it counts as heavy enough to be followed; elsewhere nothing changes.
    pub(crate) fn weigh(&mut self, lanes: &Lanes<'_>) {
        let h = lanes.h;
        self.wanted.fill([0.0; 3]);
        for at in &self.holds {
            let At::Built(index, lane) = *at else { continue };
            let bucket = &lanes.buckets[index];
            let layout = bucket.layout;
            let get = |field: usize| f64::from(bucket.get(lane, field));
            let (mut force, mut across) = ([0.0; 2], 0.0);
            for k in 0..layout.rows {
                let impulse = get(layout.impulse(k));
                let [x, y, ..] = bucket.row(lane, k);
                let n = [x, y].map(f64::from);
                force = [force[0] + n[0] * impulse / h, force[1] + n[1] * impulse / h];
                if bucket.kind == KindTag::Distance {
                    let length = get(layout.value(k)) + get(layout.target(k));
                    across = (impulse / h).abs() / length.abs().max(1e-6);
                }
            }
            if let KindTag::Angle | KindTag::Text { .. } | KindTag::User { .. } = bucket.kind {
                continue;
            }
            for (end, sign, arm) in [(bucket.a[lane], -1.0, 0), (bucket.b[lane], 1.0, 2)] {
                let Ok(body) = self.bodies.binary_search(&end) else { continue };
                let state = &lanes.hot[HOT * end as usize..][..HOT];
                let (cos, sin) = (f64::from(state[6]), f64::from(state[7]));
                let [x, y] = [0, 1].map(|k| get(layout.parameters() + arm + k));
                let arm = [cos * x - sin * y, sin * x + cos * y];
                let turning = sign * (arm[0] * force[0] + arm[1] * force[1]);
                self.wanted[body][2] += turning;
                self.wanted[body][0] += across;
                self.wanted[body][1] += across;
            }
        }
        for (extra, body) in self.wanted.iter_mut().zip(&self.bodies) {
            // From stiffness to what is missing in mass: k h² − m, if it is positive.
            let masses = lanes.masses[*body as usize - 1];
            for (extra, inverse) in extra.iter_mut().zip(masses) {
                let mass = if inverse > 0.0 { 1.0 / inverse } else { f64::INFINITY };
                *extra = (*extra * h * h / (FOLLOWED * FOLLOWED) - mass).max(0.0);
            }
        }
    }

    /// Lets bodies count as they were last weighed. Where one becomes heavier it slows down, so that
    /// its energy does not grow with it; where one becomes lighter its energy shrinks.
    pub(crate) fn reweigh(&mut self, hot: &mut [f32], masses: &[[f64; 3]], slow: bool) {
        for (at, body) in self.bodies.iter().enumerate() {
            let state = &hot[HOT * *body as usize..][..3];
            for (k, velocity) in state.iter().enumerate() {
                let (before, now) = (self.extra[at][k], self.wanted[at][k]);
                if slow && now > before {
                    let inverse = masses[*body as usize - 1][k];
                    let less = (1.0 + inverse * before) / (1.0 + inverse * now);
                    self.change[at][k] += f64::from(*velocity) * (less.sqrt() - 1.0);
                }
                self.extra[at][k] = now;
            }
        }
        self.settle(hot);
    }

    /// Impulses between bodies that count as heavier than they are do not add up to nothing: what is
    /// missing of the momentum is given to all alike.
    pub(super) fn keep_momentum(&mut self) {
        if self.extra.iter().flatten().all(|extra| *extra == 0.0) {
            return;
        }
        let mass: f64 = self.own.iter().map(|own| own[0]).sum();
        let sum = |of: &dyn Fn(usize) -> f64| (0..self.own.len()).map(of).sum::<f64>();
        let own = &self.own;
        let mean = |of: &dyn Fn(usize) -> f64| sum(&|k| own[k][0] * of(k)) / mass;
        let [x, y] = [0, 1].map(|axis| mean(&|k| self.places[k][axis]));
        let arm = |k: usize| [self.places[k][0] - x, self.places[k][1] - y];
        let [u, v] = [0, 1].map(|axis| mean(&|k| self.change[k][axis]));
        let spin = sum(&|k| {
            let ([x, y], [u, v, w]) = (arm(k), self.change[k]);
            own[k][0] * (x * v - y * u) + own[k][1] * w
        });
        let inertia = sum(&|k| {
            let [x, y] = arm(k);
            own[k][0] * (x * x + y * y) + own[k][1]
        });
        let turn = spin / inertia;
        if !(u.is_finite() && v.is_finite() && turn.is_finite()) {
            return;
        }
        let arms: Vec<[f64; 2]> = (0..self.own.len()).map(arm).collect();
        for (change, [x, y]) in self.change.iter_mut().zip(arms) {
            change[0] -= u - turn * y;
            change[1] -= v + turn * x;
            change[2] -= turn;
        }
    }
}
