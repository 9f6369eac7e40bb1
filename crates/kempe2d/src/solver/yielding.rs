//! Rows of an island's system that yield: soft holds, and springs without a largest force.
//!
//! At the mean velocity such a row is J v̄ + β C + Γ λ = 0, which is implicit Euler over half a sub-step; with
//! v₁ = 2 v̄ − v₀ that is the midpoint rule over a whole one, which keeps the energy of a spring exactly. It
//! does not damp what is not resolved, but lets it ring from sub-step to sub-step; so at the end such a
//! row has a damper that brings its speed towards its mean speed.

use super::bucket::Layout;
use super::build::At;
use super::direct::Articulated;
use super::rows::Lanes;

/// A spring of (h ω/2)² above this swings faster than sub-steps follow (h ω = 1).
const RESOLVED: f64 = 0.25;
/// Γ in parts of K for a row that does nothing.
const NOTHING: f64 = 1e12;

/// Γ of a block: this part of K with the bodies' own masses, and this on the diagonal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Yielding {
    pub ratio: f64,
    pub gamma: f64,
}

impl Yielding {
    pub(super) const RIGID: Self = Self { ratio: 0.0, gamma: 0.0 };

    /// Of an entry that is soft: by frequency it refers to K, or to the mass `own` that a spring moves.
    fn new(lanes: &Lanes<'_>, at: At, own: Option<f64>) -> Self {
        let [scale, back, gamma] = [2, 3, 4].map(|k| f64::from(lanes.soft(at, k)));
        let ratio = ratio(scale, back);
        match own {
            _ if !(ratio.is_finite() && gamma.is_finite()) => Self { ratio: NOTHING, gamma: 0.0 },
            Some(own) => Self { ratio: 0.0, gamma: gamma + ratio * own },
            None => Self { ratio, gamma },
        }
    }

    pub(super) fn is_soft(&self) -> bool {
        *self != Self::RIGID
    }

    /// That of its damper at the end of a sub-step; `own` is J M⁻¹ Jᵀ of a row.
    fn at_end(self, own: f64) -> Self {
        let ratio = self.ratio + if own > 0.0 { self.gamma / own } else { 0.0 };
        match damping(ratio, 1.0) {
            Some(ratio) => Self { ratio, gamma: 0.0 },
            None => Self { ratio: NOTHING, gamma: 0.0 },
        }
    }
}

impl Articulated {
    /// Whether the block of an entry yields: it is a law, or a hold that is not rigid.
    fn is_soft(&self, lanes: &Lanes<'_>, block: usize) -> bool {
        let at = self.holds[block].at;
        lanes.is_law(at) || lanes.soft(at, 5) == 0.0
    }

    /// How blocks yield at the mean velocity, and what is asked of them.
    pub(super) fn yield_at_mean(&mut self, lanes: &Lanes<'_>) {
        for block in 0..self.holds.len() {
            let rows = self.envelope.first_row(block)..self.envelope.end_row(block);
            if !self.is_soft(lanes, block) {
                self.yielding[block] = Yielding::RIGID;
                self.stiffness[block] = 0.0;
                self.asked[rows].fill(0.0);
                continue;
            }
            let entry = &self.holds[block];
            let law = lanes.is_law(entry.at);
            let own = law.then(|| self.mass_through(lanes, entry, &self.rows[rows.start]));
            self.yielding[block] = Yielding::new(lanes, entry.at, own);
            let [rate, most] = [0, 1].map(|k| f64::from(lanes.soft(entry.at, k)));
            // β = h k γ
            let stiffness = rate * self.times() / (lanes.h * self.yielding[block].gamma);
            self.stiffness[block] = if stiffness.is_finite() { stiffness } else { 0.0 };
            let speed = if law { f64::from(lanes.law(entry.at, 0)) } else { 0.0 };
            for row in rows {
                self.asked[row] = (rate * self.open[row]).clamp(-most, most) - speed;
            }
        }
    }

    /// The same at the end of a sub-step.
    pub(super) fn yield_at_end(&mut self, lanes: &Lanes<'_>) {
        for block in 0..self.holds.len() {
            let rows = self.envelope.first_row(block)..self.envelope.end_row(block);
            if !self.is_soft(lanes, block) {
                continue;
            }
            let first = &self.rows[rows.start];
            let own = first.meets(first, &self.own);
            self.yielding[block] = match self.midpoint {
                true => self.yielding[block].at_end(own),
                false => Yielding { ratio: NOTHING, gamma: 0.0 },
            };
            for row in rows {
                self.asked[row] = -self.mean_speed[row];
            }
        }
    }

    /// Whether a block is a spring that is stiffer than sub-steps resolve.
    pub(super) fn is_unresolved(&self, block: usize) -> bool {
        let first = &self.rows[self.envelope.first_row(block)];
        let own = first.meets(first, &self.own);
        let Yielding { ratio, gamma } = self.yielding[block];
        let whole = ratio + if own > 0.0 { gamma / own } else { 0.0 };
        whole > 0.0 && RESOLVED * whole < 1.0
    }

    /// Whether the row of a block is held at its place.
    pub(super) fn is_held(&self, block: usize) -> bool {
        !self.yielding[block].is_soft()
    }

    /// Adds Γ of a block to K.
    pub(super) fn add_yielding(&mut self, block: usize) {
        let Yielding { ratio, gamma } = self.yielding[block];
        if !self.yielding[block].is_soft() {
            return;
        }
        let (first, end) = (self.envelope.first_row(block), self.envelope.end_row(block));
        for i in first..end {
            for j in first..=i {
                let value = ratio * self.rows[i].meets(&self.rows[j], &self.own);
                self.envelope.add(i, j, value + if i == j { gamma } else { 0.0 });
            }
        }
    }
}

/// r/s of a spring by frequency, from s: of a slow one r is 1 but for what f32 cannot hold.
pub(super) fn ratio(scale: f64, back: f64) -> f64 {
    if back > 0.0 { (1.0 - scale) / scale } else { 0.0 }
}

/// γ of the damper that lets a spring that is not resolved come to its mean speed; none for one that is.
pub(super) fn damping(gamma: f64, own: f64) -> Option<f64> {
    let stiff = if gamma > 0.0 { own / gamma } else { f64::INFINITY };
    if stiff == f64::INFINITY {
        return (own > 0.0).then_some(0.0);
    }
    (stiff > RESOLVED).then(|| own / (stiff - RESOLVED))
}

const _: () = assert!(Layout::SOFT > 5, "β, its bound, s, r, γ, and whether it is rigid");
