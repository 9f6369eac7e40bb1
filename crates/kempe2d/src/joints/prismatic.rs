//! Prismatic: holds the offset across a rail of A and the angle, and leaves the travel.
//!
//! C = (⊥t · d, θ_B − θ_A − φ),   q = t · d
//!
//! Box2D's and Rapier's prismatic joint; Jolt's slider.

use super::{Equation, Pair, Row, along, angle, arms};
use kempe_scalar::{Real, Vec2};

/// Parameters: anchor on A, anchor on B, the rail's unit vector in A.
pub(crate) struct Prismatic;

impl Equation for Prismatic {
    const HOLD: usize = 2;
    const AXES: usize = 1;
    const PARAMETERS: usize = 6;
    const ENDS_IN_ANGLE: bool = true;

    #[inline(always)]
    fn rows<S: Real>(p: &[S], pair: &Pair<S>) -> [Row<S>; 3] {
        let arms = arms(p, pair);
        let rail = Vec2::new(p[4], p[5]).turned(pair.turn_a[0], pair.turn_a[1]);
        [along(&arms, rail.perp()), angle(pair, S::one()), along(&arms, rail)]
    }
}
