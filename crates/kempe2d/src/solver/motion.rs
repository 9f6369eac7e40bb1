//! Moving bodies in lanes.
#![expect(unsafe_code, reason = "lanes are read and written through pointers")]

use super::HOT;
use super::threads::{Shared, chunk_of, chunks, divide};
use kempe_scalar::{Isa, Kernel, Lanes};
use std::ops::Range;

/// Bodies that joints and forces move together, in batches of eight. They stay from step to step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Movers {
    /// Rows of the hot state, padded with nobody's.
    rows: Vec<u32>,
    /// A row that is nobody's, and that no others write at the same time.
    nobody: u32,
    count: usize,
    /// For each of `rows`: what a sub-step does to it.
    pushes: Vec<Push>,
    /// What it does to most of them.
    common: Push,
    /// By batch: whether some of it are pushed otherwise.
    own: Vec<bool>,
    /// Whether something comes at the end of a sub-step.
    split: bool,
    /// The largest of `rows`.
    largest: u32,
}

/// What v_x, v_y and ω are multiplied by in a sub-step, and what it adds to them then. The fourth number of
/// each goes with the first half of a row of the hot state and leaves it as it is.
///
/// Damping comes before the forces of the same sub-step: what a joint then has to hold of a body at rest is
/// all of its weight.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Push {
    add: [f32; 4],
    keep: [f32; 4],
    /// Whether one half comes before the positions move and one after.
    split: bool,
}

impl Default for Push {
    /// Nothing.
    fn default() -> Self {
        Self::new([0.0; 3], [1.0; 3], false)
    }
}

impl Push {
    pub(crate) fn new(
        [x, y, w]: [f32; 3],
        [keep_x, keep_y, keep_w]: [f32; 3],
        split: bool,
    ) -> Self {
        // x − 0 is x, for a zero of either sign.
        Self { add: [x, y, w, -0.0], keep: [keep_x, keep_y, keep_w, 1.0], split }
    }

    fn is(&self, other: &Self) -> bool {
        let bits = |push: &Self| (push.add.map(f32::to_bits), push.keep.map(f32::to_bits));
        bits(self) == bits(other) && self.split == other.split
    }

    /// The part that comes before the positions move, or the one after.
    fn part(&self, later: bool) -> Self {
        match (self.split, later) {
            (false, false) => *self,
            (false, true) => Self { add: self.add.map(|add| 0.0 * add), ..Self::default() },
            (true, false) => Self { add: self.add.map(|add| 0.5 * add), ..*self },
            (true, true) => Self { add: self.add.map(|add| 0.5 * add), ..Self::default() },
        }
    }

    #[inline(always)]
    fn apply(&self, v: &mut [f32; 4]) {
        // All four are read before any is written.
        let (now, add, keep) = (*v, self.add, self.keep);
        *v = std::array::from_fn(|k| now[k] * keep[k] + add[k]);
    }
}

impl Movers {
    /// None, of which most will be pushed so.
    pub(crate) fn clear(&mut self, common: Push, nobody: u32) {
        self.nobody = nobody;
        self.rows.clear();
        self.pushes.clear();
        self.own.clear();
        self.count = 0;
        self.split = false;
        self.largest = nobody;
        self.common = common;
    }

    /// Adds the body in a slot; those in smaller slots come before it.
    pub(crate) fn push(&mut self, slot: usize, push: Push) {
        if self.count == self.rows.len() {
            self.rows.resize(self.count + BATCH, self.nobody);
            self.own.push(false);
        }
        self.rows[self.count] = slot as u32 + 1;
        self.largest = self.largest.max(slot as u32 + 1);
        self.own[self.count / BATCH] |= !push.is(&self.common);
        self.split |= push.split;
        self.pushes.push(push);
        self.count += 1;
    }

    /// Once all are there.
    pub(crate) fn finish(&mut self) {
        self.rows.shrink_to_fit();
        self.pushes.shrink_to_fit();
    }

    /// Changes what pushes the body in a slot, if it is one of them.
    pub(crate) fn set(&mut self, slot: usize, push: [f32; 3], keep: [f32; 3]) {
        let Ok(at) = self.rows[..self.count].binary_search(&(slot as u32 + 1)) else { return };
        self.pushes[at] = Push::new(push, keep, self.pushes[at].split);
        let batch = self.pushes.chunks(BATCH).nth(at / BATCH).unwrap_or_default();
        self.own[at / BATCH] = batch.iter().any(|push| !push.is(&self.common));
    }

    /// v = v · keep + push
    pub(crate) fn accelerate(&self, hot: Shared<'_>) {
        self.accelerate_by(hot, false);
    }

    /// The same with what comes at the end of a sub-step.
    pub(crate) fn accelerate_again(&self, hot: Shared<'_>) {
        if self.split {
            self.accelerate_by(hot, true);
        }
    }

    fn accelerate_by(&self, hot: Shared<'_>, later: bool) {
        self.check(hot);
        let common = self.common.part(later);
        self.each(|batches| {
            let (from, common) = (batches.start * BATCH, common);
            let rows = self.rows[from..self.count].chunks(BATCH).take(batches.len());
            let pushes = self.pushes[from..].chunks(BATCH).zip(&self.own[batches.start..]);
            for (rows, (pushes, own)) in rows.zip(pushes) {
                for (row, push) in rows.iter().zip(pushes) {
                    // SAFETY: `check` asserts that every row is inside the hot state, and no row
                    // is there twice.
                    let v =
                        unsafe { &mut *hot.first().add(HOT * *row as usize).cast::<[f32; 4]>() };
                    if *own {
                        push.part(later).apply(v);
                    } else {
                        common.apply(v);
                    }
                }
            }
        });
    }

    /// x += h v, θ += h ω, and the rotation with it.
    pub(crate) fn advance(&self, isa: Isa, hot: Shared<'_>, h: f32) {
        self.check(hot);
        self.each(|batches| {
            let rows = &self.rows[batches.start * BATCH..batches.end * BATCH];
            isa.run(Advance { rows, hot, h });
        });
    }

    /// Does something with all batches, some of them at a time.
    fn each(&self, run: impl Fn(Range<usize>) + Sync) {
        let batches = self.rows.len() / BATCH;
        let count = chunks(batches, CHUNK);
        divide(count, |chunk| run(chunk_of(batches, chunk, count)));
    }

    /// Tests what the pointers rely on.
    fn check(&self, hot: Shared<'_>) {
        assert!((self.largest as usize) < hot.bodies(), "bodies of the hot state");
        assert!(self.rows.len().is_multiple_of(BATCH), "whole batches");
    }
}

/// Rows that go together.
const BATCH: usize = 8;

/// Batches that one thread moves at a time, at most.
const CHUNK: usize = 128;

/// cos and sin of an angle in f64, as exact as f32 holds them, without the cost of full precision and
/// without a branch: a loop over many becomes lanes.
#[inline(always)]
pub(crate) fn turn(radians: f64) -> [f32; 2] {
    use std::f64::consts::FRAC_2_PI;
    // π/2 in two parts, the first with so few digits that its multiples are exact.
    const HIGH: f64 = 1.570_796_310_901_641_8;
    const LOW: f64 = 1.589_325_477_352_819_6e-8;
    // Added to a number, it rounds it to a whole one, which is in the last bits of the sum.
    const WHOLE: f64 = 6_755_399_441_055_744.0;
    const SIN: [f64; 4] = [-1.0 / 6.0, 1.0 / 120.0, -1.0 / 5040.0, 1.0 / 362_880.0];
    const COS: [f64; 5] = [-0.5, 1.0 / 24.0, -1.0 / 720.0, 1.0 / 40_320.0, -1.0 / 3_628_800.0];
    let sum = radians * FRAC_2_PI + WHOLE;
    let (quarters, quadrant) = (sum - WHOLE, sum.to_bits());
    let r = (radians - quarters * HIGH) - quarters * LOW;
    let z = r * r;
    let (z2, z4) = (z * z, z * z * (z * z));
    let sin = r + r * z * ((SIN[0] + SIN[1] * z) + (SIN[2] + SIN[3] * z) * z2);
    let cos =
        1.0 + ((COS[0] * z + COS[1] * z2) + (COS[2] * z + COS[3] * z2) * z2 + COS[4] * z * z4);
    // An odd number of quarters exchanges them; their signs are those of the quadrant.
    let odd = (quadrant & 1).wrapping_neg();
    let exchanged = (cos.to_bits() ^ sin.to_bits()) & odd;
    let negative = |quadrant: u64| (quadrant & 2) << 62;
    let cos = cos.to_bits() ^ exchanged ^ negative(quadrant.wrapping_add(1));
    let sin = sin.to_bits() ^ exchanged ^ negative(quadrant);
    [f64::from_bits(cos) as f32, f64::from_bits(sin) as f32]
}

/// Moves one body of the hot state on, as the lanes do.
pub(super) fn advance(state: &mut [f32], h: f32) {
    let turn = h * state[2];
    let square = turn * turn;
    let over = |n: f32| square * (1.0 / n);
    let sin = turn * (1.0 - over(6.0) * (1.0 - over(20.0) * (1.0 - over(42.0))));
    let cos = 1.0 - over(2.0) * (1.0 - over(12.0) * (1.0 - over(30.0)));
    let (c, s) = (state[6] * cos - state[7] * sin, state[7] * cos + state[6] * sin);
    let inverse = 1.0 / (c * c + s * s).sqrt();
    state[3] += turn;
    state[4] += h * state[0];
    state[5] += h * state[1];
    state[6] = c * inverse;
    state[7] = s * inverse;
}

/// Whoever makes one has [checked](Movers::check) the rows.
struct Advance<'a> {
    rows: &'a [u32],
    hot: Shared<'a>,
    h: f32,
}

impl Kernel for Advance<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { rows: all, hot, h } = self;
        let hot = hot.first();
        let (h, one) = (L::splat(h), L::splat(1.0));
        for at in (0..all.len()).step_by(L::WIDTH) {
            let rows = all[at..].as_ptr();
            // SAFETY: every row is inside the hot state, and the lists are whole batches of eight, a
            // multiple of the width; the second half of a row is four floats on.
            let (mut v, mut pose) =
                unsafe { (L::gather_rows(hot, rows), L::gather_rows(hot.add(4), rows)) };
            let turn = h * v[2];
            let square = turn * turn;
            let over = |n: f32| square * L::splat(1.0 / n);
            // Enough terms for half a turn per sub-step; what is left is taken off by the root.
            let sin = turn * (one - over(6.0) * (one - over(20.0) * (one - over(42.0))));
            let cos = one - over(2.0) * (one - over(12.0) * (one - over(30.0)));
            let c = pose[2] * cos - pose[3] * sin;
            let s = pose[3] * cos + pose[2] * sin;
            let inverse = one / (c * c + s * s).sqrt();
            v[3] = v[3] + turn;
            pose[0] = pose[0] + h * v[0];
            pose[1] = pose[1] + h * v[1];
            pose[2] = c * inverse;
            pose[3] = s * inverse;
            // SAFETY: as above; no row is there twice but nobody's, which only the last batch has.
            unsafe {
                L::scatter_rows(v, hot, rows);
                L::scatter_rows(pose, hot.add(4), rows);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::turn;
    use kempe_scalar::precise;

    #[test]
    fn turns_are_as_exact_as_f32() {
        for k in -40_000..40_000 {
            let angle = 0.731 * f64::from(k);
            let (sin, cos) = precise::sin_cos(angle);
            let [c, s] = turn(angle);
            assert!(
                (f64::from(c) - cos).abs() < 4e-8 && (f64::from(s) - sin).abs() < 4e-8,
                "{angle}"
            );
        }
    }
}
