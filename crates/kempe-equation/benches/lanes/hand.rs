//! Weld, distance and line joint as one would write them by hand for lanes.
//!
//! They read and write blocks of 64 joints like the tape does, a register at a time, and keep
//! everything between in registers. What they compute is what the tape computes: C and every entry
//! of J that is not 0, 1 or −1, up to sign, with the same guards at zero length.

use kempe_equation::{Block, LANES};
use kempe_scalar::{Isa, Kernel, Lanes};

/// A joint written by hand.
#[derive(Clone, Copy, Debug)]
pub enum Hand {
    Weld,
    Distance,
    Line,
}

/// Where the inputs of a block are: two poses, then the parameters and memories in this order.
pub const X1: usize = 0;
pub const Y1: usize = 1;
pub const ANGLE1: usize = 2;
pub const C1: usize = 3;
pub const S1: usize = 4;
pub const X2: usize = 5;
pub const Y2: usize = 6;
pub const ANGLE2: usize = 7;
pub const C2: usize = 8;
pub const S2: usize = 9;
/// anchor1, anchor2 as x, y each.
pub const ANCHORS: usize = 10;
/// phase of the weld, direction of the line joint (x, y).
pub const OWN: usize = 14;
/// The remembered direction.
pub const MEMORY: usize = 16;
pub const INPUTS: usize = 18;

/// What is computed: C, then entries of J.
pub const OUTPUTS: usize = 8;

#[derive(Clone, Debug)]
pub struct HandBlock {
    pub inputs: [Block; INPUTS],
    pub outputs: [Block; OUTPUTS],
}

impl Hand {
    pub fn run(self, isa: Isa, block: &mut HandBlock) {
        match self {
            Self::Weld => isa.run(Weld(block)),
            Self::Distance => isa.run(Distance(block)),
            Self::Line => isa.run(Line(block)),
        }
    }
}

struct Weld<'a>(&'a mut HandBlock);
struct Distance<'a>(&'a mut HandBlock);
struct Line<'a>(&'a mut HandBlock);

/// The rotated arms and the gap between their ends.
struct Arms<L> {
    r1: [L; 2],
    r2: [L; 2],
    gap: [L; 2],
}

#[inline(always)]
fn read<L: Lanes>(block: &HandBlock, input: usize, at: usize) -> L {
    L::load_from(&block.inputs[input].0[at..at + L::WIDTH])
}

#[inline(always)]
fn write<L: Lanes>(block: &mut HandBlock, output: usize, at: usize, value: L) {
    value.store_to(&mut block.outputs[output].0[at..at + L::WIDTH]);
}

#[inline(always)]
fn rotated<L: Lanes>(c: L, s: L, x: L, y: L) -> [L; 2] {
    [c * x - s * y, s * x + c * y]
}

#[inline(always)]
fn arms<L: Lanes>(block: &HandBlock, at: usize) -> Arms<L> {
    let r = |input| read::<L>(block, input, at);
    let r1 = rotated(r(C1), r(S1), r(ANCHORS), r(ANCHORS + 1));
    let r2 = rotated(r(C2), r(S2), r(ANCHORS + 2), r(ANCHORS + 3));
    let gap = [(r(X2) + r2[0]) - (r(X1) + r1[0]), (r(Y2) + r2[1]) - (r(Y1) + r1[1])];
    Arms { r1, r2, gap }
}

/// (length, direction), with the remembered direction at zero.
#[inline(always)]
fn direction<L: Lanes>(x: L, y: L, last: [L; 2]) -> (L, [L; 2]) {
    let square = x * x + y * y;
    let length = square.sqrt();
    let inverse = L::splat(1.0) / length;
    let found = square.gt(L::splat(1e-30));
    let unit = [L::select(found, x * inverse, last[0]), L::select(found, y * inverse, last[1])];
    (length, unit)
}

#[inline(always)]
fn cross<L: Lanes>(a: [L; 2], b: [L; 2]) -> L {
    a[0] * b[1] - a[1] * b[0]
}

#[inline(always)]
fn dot<L: Lanes>(a: [L; 2], b: [L; 2]) -> L {
    a[0] * b[0] + a[1] * b[1]
}

impl Kernel for Weld<'_> {
    type Output = ();

    /// C = (x₂ + r₂ − x₁ − r₁, θ₂ − θ₁ − φ), J = (−E, −⊥r₁, E, ⊥r₂; 0, −1, 0, 1)
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let block = self.0;
        for at in (0..LANES).step_by(L::WIDTH) {
            let Arms { r1, r2, gap } = arms::<L>(block, at);
            let angle =
                (read::<L>(block, ANGLE2, at) - read(block, ANGLE1, at)) - read(block, OWN, at);
            for (output, value) in [gap[0], gap[1], angle].into_iter().enumerate() {
                write(block, output, at, value);
            }
            for (output, value) in [r1[0], r1[1], r2[0], r2[1]].into_iter().enumerate() {
                write(block, 3 + output, at, value);
            }
        }
    }
}

impl Kernel for Distance<'_> {
    type Output = ();

    /// C = |d|, J = (−n, −r₁ × n, n, r₂ × n)
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let block = self.0;
        for at in (0..LANES).step_by(L::WIDTH) {
            let Arms { r1, r2, gap } = arms::<L>(block, at);
            let last = [read(block, MEMORY, at), read(block, MEMORY + 1, at)];
            let (length, n) = direction(gap[0], gap[1], last);
            let values = [length, n[0], n[1], cross(r1, n), cross(r2, n)];
            for (output, value) in values.into_iter().enumerate() {
                write(block, output, at, value);
            }
        }
    }
}

impl Kernel for Line<'_> {
    type Output = ();

    /// C = (n · d, n × d), J = (−n, n × (d + r₁), n, r₂ × n; −⊥n, −n · (d + r₁), ⊥n, n · r₂), where
    /// n is the rotated direction
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let block = self.0;
        for at in (0..LANES).step_by(L::WIDTH) {
            let Arms { r1, r2, gap } = arms::<L>(block, at);
            let last = [read(block, MEMORY, at), read(block, MEMORY + 1, at)];
            let (_, local) = direction(read(block, OWN, at), read(block, OWN + 1, at), last);
            let n = rotated::<L>(read(block, C1, at), read(block, S1, at), local[0], local[1]);
            let reach = [gap[0] + r1[0], gap[1] + r1[1]];
            let values = [
                dot(n, gap),
                cross(n, gap),
                n[0],
                n[1],
                cross(n, reach),
                cross(r2, n),
                dot(n, reach),
                dot(n, r2),
            ];
            for (output, value) in values.into_iter().enumerate() {
                write(block, output, at, value);
            }
        }
    }
}
