//! Weld: holds everything.
//!
//! C = (x_B + r_B − x_A − r_A, θ_B − θ_A − φ)
//!
//! Nape's WeldJoint; Box2D's weld; Rapier's and Jolt's fixed joint.

use super::{Equation, Pair, Row, angle, arms, component};
use kempe_scalar::{Real, Vec2};

/// Parameters: anchor on A, anchor on B.
pub(crate) struct Weld;

impl Equation for Weld {
    const HOLD: usize = 3;
    const AXES: usize = 0;
    const PARAMETERS: usize = 4;

    #[inline(always)]
    fn rows<S: Real>(p: &[S], pair: &Pair<S>) -> [Row<S>; 3] {
        let arms = arms(p, pair);
        let x = component(&arms, Vec2::new(S::one(), S::zero()));
        let y = component(&arms, Vec2::new(S::zero(), S::one()));
        [x, y, angle(pair, S::one())]
    }
}
