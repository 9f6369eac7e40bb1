//! Distance: leaves the length between two points, and holds nothing by itself.
//!
//! q = |x_B + r_B − x_A − r_A|
//!
//! With equal limits a rod (Chipmunk's pin joint), with a range its slide joint and Nape's distance
//! joint, with an upper limit a rope, with a spring Chipmunk's damped spring, with a motor a winch.

use super::{Equation, Pair, Row, arms, length};
use kempe_scalar::{Real, Vec2};

/// Parameters: anchor on A, anchor on B, the direction that the length last had.
pub(crate) struct Distance;

impl Equation for Distance {
    const HOLD: usize = 0;
    const AXES: usize = 1;
    const PARAMETERS: usize = 6;

    #[inline(always)]
    fn rows<S: Real>(p: &[S], pair: &Pair<S>) -> [Row<S>; 3] {
        let arms = arms(p, pair);
        [length(&arms, Vec2::new(p[4], p[5])), Row::nothing(), Row::nothing()]
    }
}
