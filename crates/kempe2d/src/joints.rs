//! The equations of joints, one file each, composed from the parts below.
//!
//! A joint sees its two bodies as B relative to A ([`Pair`]), so that no equation depends on where in
//! the world they are. Each part gives a coordinate q and its row: q̇ = n · (v_B − v_A) + b ω_B − a ω_A,
//! of the velocities of the centres of mass. r_A and r_B are the rotated anchors, from the centres of
//! mass, and d = x_B + r_B − x_A − r_A:
//!
//! | part | q | n | a | b |
//! |---|---|---|---|---|
//! | [`component`] | e · d | e, fixed in the world | r_A × e | r_B × e |
//! | [`along`] | t · d | t, fixed in A | (r_A + d) × t | r_B × t |
//! | [`angle`] | ρ θ_B − θ_A | 0 | 1 | ρ |
//! | [`length`] | \|d\| | d / \|d\| | r_A × n | r_B × n |

mod angle;
mod distance;
mod generic;
mod path;
mod prismatic;
mod revolute;
mod slot;
mod tendon;
mod weld;

pub(crate) use angle::Angle;
pub(crate) use distance::Distance;
pub(crate) use generic::Generic;
pub(crate) use path::Track;
pub(crate) use prismatic::Prismatic;
pub(crate) use revolute::Revolute;
pub(crate) use slot::Slot;
pub(crate) use tendon::Tendon;
pub(crate) use weld::Weld;

use kempe_scalar::{Real, Vec2};

/// Two bodies, B as seen from A.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair<S> {
    /// cos and sin of A's rotation.
    pub turn_a: [S; 2],
    /// cos and sin of B's rotation.
    pub turn_b: [S; 2],
    /// From the centre of mass of A to that of B.
    pub offset: Vec2<S>,
    /// ρ θ_B − θ_A less what it should be; ρ is 1 but for [`Angle`].
    pub angle: S,
}

/// A coordinate and how it moves with the velocities.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row<S> {
    pub value: S,
    pub n: Vec2<S>,
    pub a: S,
    pub b: S,
}

impl<S: Real> Row<S> {
    #[inline(always)]
    pub(crate) fn nothing() -> Self {
        let zero = S::zero();
        Self { value: zero, n: Vec2::new(zero, zero), a: zero, b: zero }
    }
}

/// The equations of a joint between two bodies.
///
/// The first `HOLD` rows are held, the next `AXES` are left free; there are three freedoms.
pub(crate) trait Equation: Send + Sync + 'static {
    const HOLD: usize;
    const AXES: usize;
    /// How many numbers a joint has of its own.
    const PARAMETERS: usize;
    /// Whether its rows are x and y of a point, and the angle.
    const POINT: bool = false;
    /// Whether it holds several rows, the last of which is the angle.
    const ENDS_IN_ANGLE: bool = false;

    fn rows<S: Real>(parameters: &[S], pair: &Pair<S>) -> [Row<S>; 3];
}

/// The rotated anchors and the gap between their ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arms<S> {
    pub a: Vec2<S>,
    pub b: Vec2<S>,
    pub gap: Vec2<S>,
}

/// The arms of a joint whose first four parameters are its anchors, from the centres of mass.
#[inline(always)]
pub(crate) fn arms<S: Real>(p: &[S], pair: &Pair<S>) -> Arms<S> {
    let a = Vec2::new(p[0], p[1]).turned(pair.turn_a[0], pair.turn_a[1]);
    let b = Vec2::new(p[2], p[3]).turned(pair.turn_b[0], pair.turn_b[1]);
    Arms { a, b, gap: pair.offset + b - a }
}

/// e · d for a direction of the world.
#[inline(always)]
pub(crate) fn component<S: Real>(arms: &Arms<S>, e: Vec2<S>) -> Row<S> {
    Row { value: e.dot(arms.gap), n: e, a: arms.a.cross(e), b: arms.b.cross(e) }
}

/// t · d for a direction that turns with A.
#[inline(always)]
pub(crate) fn along<S: Real>(arms: &Arms<S>, t: Vec2<S>) -> Row<S> {
    Row { value: t.dot(arms.gap), n: t, a: (arms.a + arms.gap).cross(t), b: arms.b.cross(t) }
}

/// ρ θ_B − θ_A.
#[inline(always)]
pub(crate) fn angle<S: Real>(pair: &Pair<S>, ratio: S) -> Row<S> {
    let zero = S::zero();
    Row { value: pair.angle, n: Vec2::new(zero, zero), a: S::one(), b: ratio }
}

/// |d|; at zero length along the direction that is remembered.
#[inline(always)]
pub(crate) fn length<S: Real>(arms: &Arms<S>, remembered: Vec2<S>) -> Row<S> {
    let square = arms.gap.length_squared();
    let value = square.sqrt();
    let inverse = S::one() / value;
    let tiny = S::constant(1e-30);
    let part = |u: S, last: S| tiny.choose(square, last, u * inverse);
    let n = Vec2::new(part(arms.gap.x, remembered.x), part(arms.gap.y, remembered.y));
    Row { value, n, a: arms.a.cross(n), b: arms.b.cross(n) }
}

#[cfg(test)]
mod tests;
