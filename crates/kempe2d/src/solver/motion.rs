//! Moving bodies in lanes.
#![expect(unsafe_code, reason = "lanes are read and written through pointers")]

use super::HOT;
use kempe_scalar::{Isa, Kernel, Lanes};

/// Bodies that joints and forces move together, in batches of eight.
#[derive(Clone, Debug, Default)]
pub(crate) struct Movers {
    /// Rows of the hot state, padded with nobody.
    rows: Vec<u32>,
    count: usize,
    /// For each of `rows`, eight floats: what a sub-step adds to v_x, v_y and ω, and what they are
    /// multiplied by.
    pushes: Vec<f32>,
}

impl Movers {
    pub(crate) fn clear(&mut self) {
        self.rows.clear();
        self.pushes.clear();
        self.count = 0;
    }

    pub(crate) fn push(&mut self, slot: usize, push: [f32; 3], keep: [f32; 3]) {
        if self.count == self.rows.len() {
            self.rows.resize(self.count + 8, 0);
            self.pushes.resize(HOT * (self.count + 8), 0.0);
        }
        self.rows[self.count] = slot as u32 + 1;
        let floats = &mut self.pushes[HOT * self.count..HOT * (self.count + 1)];
        floats[..3].copy_from_slice(&push);
        floats[4..7].copy_from_slice(&keep);
        self.count += 1;
    }

    /// v = (v + push) · keep
    pub(crate) fn accelerate(&self, isa: Isa, hot: &mut [f32]) {
        isa.run(Accelerate { movers: self, hot });
    }

    /// x += h v, θ += h ω, and the rotation with it.
    pub(crate) fn advance(&self, isa: Isa, hot: &mut [f32], h: f32) {
        isa.run(Advance { movers: self, hot, h });
    }

    fn check(&self, hot: &[f32]) {
        let bodies = (hot.len() / HOT) as u32;
        assert!(self.rows.iter().all(|row| *row < bodies), "bodies of the hot state");
        assert_eq!(self.pushes.len(), HOT * self.rows.len(), "a push for every mover");
    }
}

struct Accelerate<'a> {
    movers: &'a Movers,
    hot: &'a mut [f32],
}

impl Kernel for Accelerate<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { movers, hot } = self;
        movers.check(hot);
        let places: Vec<u32> = (0..movers.rows.len() as u32).collect();
        for at in (0..movers.rows.len()).step_by(L::WIDTH) {
            let (rows, places) = (movers.rows[at..].as_ptr(), places[at..].as_ptr());
            // SAFETY: `check` asserts that every row is inside the hot state and that there is a
            // push for every place; the lists are whole batches of eight, a multiple of the width.
            unsafe {
                let pushes = movers.pushes.as_ptr();
                let push = L::gather_rows(pushes, places);
                let keep = L::gather_rows(pushes.add(4), places);
                let mut v = L::gather_rows(hot.as_ptr(), rows);
                for k in 0..3 {
                    v[k] = (v[k] + push[k]) * keep[k];
                }
                L::scatter_rows(v, hot.as_mut_ptr(), rows);
            }
        }
    }
}

struct Advance<'a> {
    movers: &'a Movers,
    hot: &'a mut [f32],
    h: f32,
}

impl Kernel for Advance<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { movers, hot, h } = self;
        movers.check(hot);
        let (h, one) = (L::splat(h), L::splat(1.0));
        for at in (0..movers.rows.len()).step_by(L::WIDTH) {
            let rows = movers.rows[at..].as_ptr();
            // SAFETY: as above; the second half of a row is four floats on.
            let (mut v, mut pose) = unsafe {
                (L::gather_rows(hot.as_ptr(), rows), L::gather_rows(hot.as_ptr().add(4), rows))
            };
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
            // SAFETY: as above.
            unsafe {
                L::scatter_rows(v, hot.as_mut_ptr(), rows);
                L::scatter_rows(pose, hot.as_mut_ptr().add(4), rows);
            }
        }
    }
}
