//! Solving held rows as a block where nothing bounds them, which is most of them.
//!
//! The same operations in the same order as in [`super::hold`], with the pass and the number of rows
//! known to the compiler and nothing in loops, so that all of it stays in registers; and without those
//! that multiply by 0 and 1 where the rows are those of a point.
#![expect(unsafe_code, reason = "lanes are read and written through pointers")]

use super::bucket::{Batches, LANES};
use super::hold::{Pass, Velocities, gamma_times};
use super::threads::Shared;
use kempe_scalar::{Isa, Kernel, Lanes};

/// Runs a pass over batches, if it is one of those that are quick.
pub(super) fn run(isa: Isa, batches: Batches<'_>, hot: Shared<'_>, pass: Pass) {
    macro_rules! quick {
        ($rows:literal, $point:literal) => {
            match pass {
                Pass::Warm => isa.run(Quick::<$rows, WARM, $point> { batches, hot }),
                Pass::Solve => isa.run(Quick::<$rows, SOLVE, $point> { batches, hot }),
                _ => isa.run(Quick::<$rows, RELAX, $point> { batches, hot }),
            }
        };
    }
    match (batches.layout.rows, batches.layout.point) {
        (1, _) => quick!(1, false),
        (2, false) => quick!(2, false),
        (2, true) => quick!(2, true),
        (_, false) => quick!(3, false),
        (_, true) => quick!(3, true),
    }
}

const WARM: u8 = 0;
const SOLVE: u8 = 1;
const RELAX: u8 = 2;

/// `POINT`: x and y of a point come first, and the angle behind them, so that most of the rows is known.
struct Quick<'a, const N: usize, const PASS: u8, const POINT: bool> {
    batches: Batches<'a>,
    hot: Shared<'a>,
}

impl<const N: usize, const PASS: u8, const POINT: bool> Kernel for Quick<'_, N, PASS, POINT> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { batches, hot } = self;
        let fields = batches.layout.fields();
        assert_eq!((batches.layout.rows, batches.layout.point), (N, POINT), "rows of the bucket");
        // The same with numbers that are known to the compiler.
        let layout = batches.layout.with_hold(N, POINT);
        let hot = hot.first();
        for batch in 0..batches.count() {
            if PASS != WARM {
                batches.look_ahead(batch);
            }
            let mut at = 0;
            while at < LANES {
                let base = batches.data[batch * fields * LANES + at..].as_mut_ptr();
                // SAFETY: `field` is below `fields`, so the lanes lie in this batch; `at` is a
                // multiple of the width, which divides eight.
                let read = |field: usize| unsafe { L::load(base.add(field * LANES)) };
                // SAFETY: as above.
                let write =
                    |field: usize, value: L| unsafe { value.store(base.add(field * LANES)) };
                let rows_a = batches.a[batch * LANES + at..].as_ptr();
                let rows_b = batches.b[batch * LANES + at..].as_ptr();
                // SAFETY: every row is inside the hot state, as `Bucket::each` asserts, and each list has
                // at least the width's entries left.
                let mut v = unsafe {
                    Velocities { a: L::gather_rows(hot, rows_a), b: L::gather_rows(hot, rows_b) }
                };
                let m: [L; 6] = match batches.masses {
                    Some([a, b, c, d, e, f]) => [
                        L::splat(a),
                        L::splat(b),
                        L::splat(c),
                        L::splat(d),
                        L::splat(e),
                        L::splat(f),
                    ],
                    None => {
                        let m = layout.masses();
                        [read(m), read(m + 1), read(m + 2), read(m + 3), read(m + 4), read(m + 5)]
                    }
                };
                let row = |k: usize| layout.read_row(k, read, L::splat);
                let lever = |k: usize| [read(layout.row(k)), read(layout.row(k) + 1)];
                let along = |v: &Velocities<L>, k: usize| match (POINT, k) {
                    (false, _) => v.along(row(k)),
                    (true, 2) => v.b[2] - v.a[2],
                    (true, _) => {
                        let [a, b] = lever(k);
                        (v.b[k] - v.a[k]) + (b * v.b[2] - a * v.a[2])
                    }
                };
                let apply = |v: &mut Velocities<L>, k: usize, impulse: L| match (POINT, k) {
                    (false, _) => v.apply(row(k), &m, impulse),
                    (true, 2) => {
                        v.a[2] = v.a[2] - m[2] * impulse;
                        v.b[2] = v.b[2] + m[5] * impulse;
                    }
                    (true, _) => {
                        let [a, b] = lever(k);
                        v.a[k] = v.a[k] - m[k] * impulse;
                        v.a[2] = v.a[2] - m[2] * (a * impulse);
                        v.b[k] = v.b[k] + m[3 + k] * impulse;
                        v.b[2] = v.b[2] + m[5] * (b * impulse);
                    }
                };
                let coefficient = |k: usize| match batches.uniform {
                    Some(uniform) => L::splat(uniform[k]),
                    None => read(layout.soft() + k),
                };
                let zero = L::splat(0.0);
                let mut impulse = [read(layout.impulse(0)), zero, zero];
                if N > 1 {
                    impulse[1] = read(layout.impulse(1));
                }
                if N > 2 {
                    impulse[2] = read(layout.impulse(2));
                }
                let mut change = impulse;
                if PASS != WARM {
                    let mut right = [along(&v, 0), zero, zero];
                    if N > 1 {
                        right[1] = along(&v, 1);
                    }
                    if N > 2 {
                        right[2] = along(&v, 2);
                    }
                    if PASS == SOLVE {
                        let (rate, gamma) = (coefficient(0), coefficient(4));
                        macro_rules! bias {
                            ($k:literal) => {
                                right[$k] = right[$k]
                                    + rate * read(layout.value($k))
                                    + gamma_times(gamma, impulse[$k]);
                            };
                        }
                        bias!(0);
                        if N > 1 {
                            bias!(1);
                        }
                        if N > 2 {
                            bias!(2);
                        }
                    }
                    let f = layout.factors();
                    let mut factors = [zero; 6];
                    factors[0] = read(f);
                    if N > 1 {
                        factors[1] = read(f + 1);
                        factors[2] = read(f + 2);
                    }
                    if N > 2 {
                        factors[3] = read(f + 3);
                        factors[4] = read(f + 4);
                        factors[5] = read(f + 5);
                    }
                    let x = solve::<L, N>(right, factors);
                    if PASS == SOLVE {
                        let (share, back) = (coefficient(2), coefficient(3));
                        change = [
                            -(share * x[0]) - back * impulse[0],
                            -(share * x[1]) - back * impulse[1],
                            -(share * x[2]) - back * impulse[2],
                        ];
                    } else {
                        let share = coefficient(5);
                        change = [-(share * x[0]), -(share * x[1]), -(share * x[2])];
                    }
                }
                macro_rules! apply {
                    ($k:literal) => {
                        apply(&mut v, $k, change[$k]);
                        if PASS != WARM {
                            let after = impulse[$k] + change[$k];
                            write(layout.impulse($k), after);
                            if PASS == RELAX {
                                write(layout.total($k), read(layout.total($k)) + after);
                            }
                        }
                    };
                }
                apply!(0);
                if N > 1 {
                    apply!(1);
                }
                if N > 2 {
                    apply!(2);
                }
                // SAFETY: as for the gathers; no other lane writes these rows.
                unsafe {
                    L::scatter_rows(v.a, hot, batches.to_a[batch * LANES + at..].as_ptr());
                    L::scatter_rows(v.b, hot, batches.to_b[batch * LANES + at..].as_ptr());
                }
                at += L::WIDTH;
            }
        }
    }
}

/// K⁻¹ times `right`, by the factors: 1/D first, then L by rows.
#[inline(always)]
pub(super) fn solve<L: Lanes, const N: usize>(right: [L; 3], factors: [L; 6]) -> [L; 3] {
    let [r1, r2, r3] = right;
    match N {
        1 => [r1 * factors[0], r2, r3],
        2 => {
            let l21 = factors[2];
            let x2 = (r2 - l21 * r1) * factors[1];
            [r1 * factors[0] - l21 * x2, x2, r3]
        }
        _ => {
            let [_, _, _, l21, l31, l32] = factors;
            let y2 = r2 - l21 * r1;
            let y3 = r3 - l31 * r1 - l32 * y2;
            let x3 = y3 * factors[2];
            let x2 = y2 * factors[1] - l32 * x3;
            [r1 * factors[0] - l21 * x2 - l31 * x3, x2, x3]
        }
    }
}
