//! Revolute: holds the anchors together, and leaves the angle.
//!
//! C = x_B + r_B − x_A − r_A,   q = θ_B − θ_A − φ
//!
//! Chipmunk's and Nape's pivot; Box2D's and Rapier's revolute joint; Jolt's hinge.

use super::{Equation, Pair, Row, angle, arms, component};
use kempe_scalar::{Real, Vec2};

/// Parameters: anchor on A, anchor on B.
pub(crate) struct Revolute;

impl Equation for Revolute {
    const HOLD: usize = 2;
    const AXES: usize = 1;
    const PARAMETERS: usize = 4;
    const POINT: bool = true;

    #[inline(always)]
    fn rows<S: Real>(p: &[S], pair: &Pair<S>) -> [Row<S>; 3] {
        let arms = arms(p, pair);
        let x = component(&arms, Vec2::new(S::one(), S::zero()));
        let y = component(&arms, Vec2::new(S::zero(), S::one()));
        [x, y, angle(pair, S::one())]
    }
}
