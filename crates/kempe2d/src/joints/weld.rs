//! Weld: holds everything.
//!
//! C = (x_B + r_B − x_A − r_A, θ_B − θ_A − φ)
//!
//! Nape's WeldJoint; Box2D's weld; Rapier's and Jolt's fixed joint.

use super::{Equation, Pair, Revolute, Row};
use kempe_scalar::Real;

/// Parameters: anchor on A, anchor on B.
pub(crate) struct Weld;

impl Equation for Weld {
    const HOLD: usize = 3;
    const AXES: usize = 0;
    const PARAMETERS: usize = 4;
    const ENDS_IN_ANGLE: bool = true;
    const POINT: bool = true;

    /// A revolute joint's rows; what that leaves, the angle, is held here too.
    #[inline(always)]
    fn rows<S: Real>(p: &[S], pair: &Pair<S>) -> [Row<S>; 3] {
        Revolute::rows(p, pair)
    }
}
