//! Point and angle of a hold, which yield apart.

use kempe_scalar::Lanes;

/// What yields by itself in a hold whose last row is an angle: the part of K between the angle and the
/// other rows that is left out, so that it is not yielded to.
///
/// A rigid row yields by ρ K λ, ρ = r/s, and most of what a load on the angle does by that is to open a
/// gap of the point. With ρ (K − Q) λ instead it is one step of a spring as before,
///
/// ```text
/// Δλ = −s (K − r Q)⁻¹ (J v + β C − r Q λ) − r λ
/// ```
///
/// so Q goes into the factors and the values, and nothing else changes. Q is 1 − c⁴ of the part between
/// them, c² = K_ap K_pp⁻¹ K_pa / K_aa: all of it where it is little, and nothing for anchors far away,
/// which would become soft; so no motion is more than five times as soft as it would be by K.
pub(super) struct Apart<L> {
    /// r Q of the last row, by the others.
    pub coupling: [L; 2],
}

impl<L: Lanes> Apart<L> {
    /// What is taken off the values, of 1/β and the impulses.
    #[inline(always)]
    pub(super) fn shifts(&self, count: usize, per_rate: L, impulse: impl Fn(usize) -> L) -> [L; 3] {
        let last = per_rate * impulse(count - 1);
        let [first, second] = self.coupling;
        let load = first * impulse(0);
        if count > 2 {
            let load = load + second * impulse(1);
            [first * last, second * last, per_rate * load]
        } else {
            [first * last, per_rate * load, L::splat(0.0)]
        }
    }
}

/// 1/β, nothing for no β.
#[inline(always)]
pub(super) fn per_rate<L: Lanes>(rate: L) -> L {
    L::select(rate.gt(L::splat(0.0)), L::splat(1.0) / rate, L::splat(0.0))
}

/// r (1 − c⁴) from r and c² as a fraction.
#[inline(always)]
pub(super) fn left_out<L: Lanes>(yields: L, above: L, below: L) -> L {
    let one = L::splat(1.0);
    let share = L::select(below.gt(L::splat(0.0)), above / below, one);
    yields * (one - share * share).max(L::splat(0.0))
}
