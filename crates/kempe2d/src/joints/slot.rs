//! Slot: holds a point of B on a line of A, and leaves the travel along it and the angle.
//!
//! C = ⊥t · d,   q₁ = t · d,   q₂ = θ_B − θ_A − φ
//!
//! Solved as one row. Chipmunk's groove; Nape's line joint; Rapier's pin-slot; Box2D's wheel, with a
//! spring on q₁ and a motor on q₂.

use super::{Equation, Pair, Row, along, angle, arms};
use kempe_scalar::{Real, Vec2};

/// Parameters: anchor on A, anchor on B, the slot's unit vector in A.
pub(crate) struct Slot;

impl Equation for Slot {
    const HOLD: usize = 1;
    const AXES: usize = 2;
    const PARAMETERS: usize = 6;

    #[inline(always)]
    fn rows<S: Real>(p: &[S], pair: &Pair<S>) -> [Row<S>; 3] {
        let arms = arms(p, pair);
        let slot = Vec2::new(p[4], p[5]).turned(pair.turn_a[0], pair.turn_a[1]);
        [along(&arms, slot.perp()), along(&arms, slot), angle(pair, S::one())]
    }
}
