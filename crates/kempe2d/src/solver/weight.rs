//! How heavy bodies count in islands that are solved as a whole.
//!
//! A joint under tension is a spring across itself: its force turns with it. A light link under a heavy
//! load swings so fast that a sub-step cannot follow (h ω > 1); with rows that are foreseen half-way the
//! motion is stable up to h ω = 2. Beyond that a body counts with X more mass, X about ½ h² k for a stiffness
//! k across the joint: implicit in the tension, and a little dissipative.
//!
//! ```text
//! (M + X) v̄ = M v₀ + β X v₀ + ½ (h F + Jᵀ λ)
//! ```
//!
//! With β < 1 what is not resolved is damped. What is conserved is the energy with ½ β X ω² in it; where X
//! grows the body slows down, so that this sum does not, and where X shrinks it is lost.

use super::HOT;
use super::build::At;
use super::direct::Articulated;
use super::rows::{Entry, Lanes};
use crate::joint::KindTag;

/// β: how much of the velocity of the start the added mass carries on.
const CARRIED: f64 = 0.95;

impl Articulated {
    /// By body and freedom: the mass that has to be added under the impulses that the lanes have.
    pub(super) fn wanted(&self, lanes: &Lanes<'_>) -> Vec<[f64; 3]> {
        let h = lanes.h;
        let mut stiff = vec![[0.0; 3]; self.bodies.len()];
        for hold in &self.holds {
            self.add_stiffness(lanes, hold, lanes.rows(hold.at), &mut stiff);
        }
        for law in self.laws.iter().filter(|law| law.k == 0) {
            self.add_stiffness(lanes, &law.entry, 1, &mut stiff);
        }
        for (stiff, own) in stiff.iter_mut().zip(&self.own) {
            for (stiff, inverse) in stiff.iter_mut().zip(own) {
                let mass = if *inverse > 0.0 { 1.0 / inverse } else { f64::INFINITY };
                let added = (0.5 * (*stiff * h * h - mass)).max(0.0);
                *stiff = if added.is_finite() { added } else { 0.0 };
            }
        }
        stiff
    }

    /// Adds what the force of an entry is as a stiffness across it, N/m and N·m/rad.
    fn add_stiffness(&self, lanes: &Lanes<'_>, entry: &Entry, rows: usize, stiff: &mut [[f64; 3]]) {
        let At::Built(index, lane) = entry.at else { return };
        let bucket = &lanes.buckets[index];
        if let KindTag::Angle | KindTag::Text { .. } | KindTag::User { .. } = bucket.kind {
            return;
        }
        let layout = bucket.layout;
        let get = |field: usize| f64::from(bucket.get(lane, field));
        let law = bucket.part.is_law();
        let (mut force, mut across) = ([0.0; 2], 0.0);
        for k in 0..rows {
            let impulse = match law {
                true => get(layout.impulse(0)) - get(layout.impulse(1)),
                false => get(layout.impulse(k)),
            };
            let [x, y, ..] = bucket.row(lane, k);
            let n = [x, y].map(f64::from);
            force = [force[0] + n[0] * impulse / lanes.h, force[1] + n[1] * impulse / lanes.h];
            if bucket.kind == KindTag::Distance {
                let length = (get(layout.value(k)) + get(layout.target(k))).abs();
                across = (impulse / lanes.h).abs() / length.max(1e-6 * self.size);
            }
        }
        if force == [0.0; 2] {
            return;
        }
        let ends = [(bucket.a[lane], -1.0, 0), (bucket.b[lane], 1.0, 2)];
        for ((hot, sign, arm), end) in ends.into_iter().zip(&entry.ends) {
            let Some(body) = *end else { continue };
            let state = &lanes.hot[HOT * hot as usize..][..HOT];
            let (cos, sin) = (f64::from(state[6]), f64::from(state[7]));
            let [x, y] = [0, 1].map(|k| get(layout.parameters() + arm + k));
            let arm = [cos * x - sin * y, sin * x + cos * y];
            let square = arm[0] * arm[0] + arm[1] * arm[1];
            // A rod turns about its other end, with both bodies: twice its diagonal is above it.
            stiff[body][2] +=
                sign * (arm[0] * force[0] + arm[1] * force[1]) + 2.0 * across * square;
            stiff[body][0] += 2.0 * across;
            stiff[body][1] += 2.0 * across;
        }
    }

    /// Lets bodies count with this mass beside their own. Where it grows they slow down.
    pub(super) fn reweigh(&mut self, wanted: &[[f64; 3]]) {
        for (at, wanted) in wanted.iter().enumerate() {
            for (k, now) in wanted.iter().enumerate() {
                let (before, inverse) = (self.extra[at][k], self.own[at][k]);
                if *now > before {
                    let less = (1.0 + CARRIED * inverse * before) / (1.0 + CARRIED * inverse * now);
                    self.velocity[at][k] *= less.sqrt();
                }
                self.extra[at][k] = *now;
            }
        }
    }

    /// The masses and the free mean velocities of a sub-step from the present velocities.
    pub(super) fn set_free_mean(&mut self) {
        for at in 0..self.bodies.len() {
            for k in 0..3 {
                let (own, keep) = (self.own[at][k], self.keep[at][k]);
                let (v, push) = (self.velocity[at][k], self.push[at][k]);
                // Of half a sub-step, or of a whole one.
                let (kept, push) =
                    if self.midpoint { (0.5 * (1.0 + keep), 0.5 * push) } else { (keep, push) };
                let added = own * self.extra[at][k];
                let whole = 1.0 + kept * added;
                self.inverse[at][k] = kept * own / whole;
                self.mean[at][k] = match own > 0.0 {
                    true if self.midpoint => kept * (v + push + CARRIED * added * v) / whole,
                    true => (kept * (v + CARRIED * added * v) + push) / whole,
                    false => keep * v,
                };
            }
        }
    }

    /// The masses of the projection at the end of a sub-step.
    pub(super) fn set_end_masses(&mut self) {
        for at in 0..self.bodies.len() {
            for k in 0..3 {
                let own = self.own[at][k];
                self.inverse[at][k] = own / (1.0 + CARRIED * own * self.extra[at][k]);
            }
        }
    }

    /// How fast a body will go on average: as it did, and by half of what it gained in the last sub-step.
    /// In the first of a step that is not known but for places, by the last impulses.
    pub(super) fn foresee(&mut self, lanes: &Lanes<'_>) -> Vec<[f64; 3]> {
        let half = if self.midpoint { 0.5 } else { 1.0 };
        if !self.gained_known {
            self.gained.clone_from(&self.push);
            for (block, hold) in self.holds.iter().enumerate() {
                let first = self.envelope.first_row(block);
                for k in 0..lanes.rows(hold.at) {
                    let impulse = lanes.impulse(hold.at, k).into();
                    self.rows[first + k].apply(&mut self.gained, &self.own, impulse);
                }
            }
            for law in &self.laws {
                law.row.apply(&mut self.gained, &self.own, law.net(lanes));
            }
            // Forces have turned since then, which is as much as they turn bodies.
            for (gained, push) in self.gained.iter_mut().zip(&self.push) {
                gained[2] = push[2];
            }
        }
        let each = self.velocity.iter().zip(&self.gained).zip(&self.extra);
        each.map(|((v, gained), extra)| {
            std::array::from_fn(|k| {
                // What counts as heavier is not foreseen: that would be explicit.
                if extra[k] > 0.0 { CARRIED * v[k] } else { v[k] + half * gained[k] }
            })
        })
        .collect()
    }
}
