//! Angle: leaves a weighted difference of the angles, and holds nothing by itself.
//!
//! q = ρ θ_B − θ_A − φ
//!
//! With equal limits Chipmunk's gear joint, with a range Nape's angle joint and Chipmunk's rotary
//! limit, with a spring the rotary spring, with a motor the angular motors of both. Angles are
//! unwrapped: any number of turns.

use super::{Equation, Pair, Row, angle};
use kempe_scalar::Real;

/// Parameters: ρ.
pub(crate) struct Angle;

impl Equation for Angle {
    const HOLD: usize = 0;
    const AXES: usize = 1;
    const PARAMETERS: usize = 1;

    #[inline(always)]
    fn rows<S: Real>(p: &[S], pair: &Pair<S>) -> [Row<S>; 3] {
        [angle(pair, p[0]), Row::nothing(), Row::nothing()]
    }
}
