//! Generic: leaves everything, in a frame of A, and holds nothing by itself.
//!
//! q₁ = t · d,   q₂ = ⊥t · d,   q₃ = θ_B − θ_A − φ
//!
//! Each of them may be free, limited or held: Rapier's generic joint, Jolt's six degrees of freedom
//! in the plane. With a pull on the point as a whole it is a drive: Box2D's motor joint.

use super::{Equation, Pair, Row, along, angle, arms};
use kempe_scalar::{Real, Vec2};

/// Parameters: anchor on A, anchor on B, the unit vector of the first axis in A; and for each axis 1 if
/// it is held, which the laws of the others act through.
pub(crate) struct Generic;

impl Equation for Generic {
    const HOLD: usize = 0;
    const AXES: usize = 3;
    const PARAMETERS: usize = 9;

    #[inline(always)]
    fn rows<S: Real>(p: &[S], pair: &Pair<S>) -> [Row<S>; 3] {
        let arms = arms(p, pair);
        let axis = Vec2::new(p[4], p[5]).turned(pair.turn_a[0], pair.turn_a[1]);
        [along(&arms, axis), along(&arms, axis.perp()), angle(pair, S::one())]
    }
}
