//! Velocities of bodies gathered into lanes, and scattered: what every pass does for either body of
//! every joint.
//!
//! A body's state is eight floats, of which a pass reads and writes the first four. `in_order` has the
//! bodies one after the other, `shuffled` in an order of chance, as after much adding and removing.
#![expect(unsafe_code, reason = "lanes are gathered and scattered through pointers")]

use crate::{lanes, per_element};
use criterion::Criterion;
use kempe_scalar::{Isa, Kernel, Lanes};
use std::hint::black_box;

/// A multiple of every number of lanes.
const BODIES: usize = 4096;

/// Floats of a body.
const HOT: usize = 8;

/// Gathers all rows; either adds them up, or changes them as an impulse does and puts them back.
struct Pass<'a> {
    hot: &'a mut [f32],
    rows: &'a [u32],
    back: bool,
}

impl Kernel for Pass<'_> {
    type Output = f32;

    #[inline(always)]
    fn run<L: Lanes>(self) -> f32 {
        let Self { hot, rows, back } = self;
        let inside = |row: &u32| (*row as usize) < hot.len() / HOT;
        assert!(rows.iter().all(inside), "rows are inside the state");
        assert!(rows.len().is_multiple_of(L::WIDTH), "whole lanes");
        let (mut sum, impulse) = (L::splat(0.0), L::splat(0.001));
        let hot = hot.as_mut_ptr();
        for rows in rows.chunks_exact(L::WIDTH) {
            // SAFETY: there are as many rows as lanes, and each has eight floats of the state, as was
            // asserted.
            let [x, y, turn, angle] = unsafe { L::gather_rows(hot, rows.as_ptr()) };
            if back {
                let along = (x + y + turn) * impulse;
                let pushed = [x - along, y - along, turn - along, angle];
                // SAFETY: as above; the state is borrowed mutably.
                unsafe { L::scatter_rows(pushed, hot, rows.as_ptr()) };
            } else {
                sum = sum + ((x + y) + (turn + angle));
            }
        }
        let mut sums = [0.0; 8];
        sum.store_to(&mut sums);
        sums[0]
    }
}

pub fn bench(criterion: &mut Criterion) {
    let in_order: Vec<u32> = (0..BODIES as u32).collect();
    let orders = [("in_order", in_order.clone()), ("shuffled", shuffled(in_order))];
    for (name, back) in [("gather", false), ("gather_scatter", true)] {
        let mut group = criterion.benchmark_group(name);
        for (order, rows) in &orders {
            for isa in Isa::available() {
                let mut hot: Vec<f32> = (0..HOT * BODIES).map(|k| (k % 61) as f32).collect();
                group.bench_function(format!("{order}/{}", lanes(isa)), |bencher| {
                    per_element(bencher, BODIES, || {
                        let pass = Pass { hot: black_box(&mut hot), rows: black_box(rows), back };
                        black_box(isa.run(pass));
                    });
                });
            }
        }
        group.finish();
    }
}

/// In an order of chance, the same every time.
fn shuffled(mut rows: Vec<u32>) -> Vec<u32> {
    let mut state = 1_u64;
    for last in (1..rows.len()).rev() {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        rows.swap(last, (state >> 33) as usize % (last + 1));
    }
    rows
}
