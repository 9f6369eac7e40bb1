//! Solving the laws of axes: springs, motors, friction and limits, one row each.
#![expect(unsafe_code, reason = "lanes are read and written through pointers")]

use super::bucket::{Bucket, LANES, LawKind, Layout, Part};
use super::hold::{Pass, Velocities, gamma_times};
use kempe_scalar::{Isa, Kernel, Lanes};

impl Bucket {
    /// One pass over a law; `h` is the length of the sub-step.
    pub(crate) fn solve_law(&mut self, isa: Isa, hot: &mut [f32], pass: Pass, h: f32) {
        let Part::Law(law, _) = self.part else { return };
        isa.run(Solve { bucket: self, hot, pass, law, h });
    }
}

struct Solve<'a> {
    bucket: &'a mut Bucket,
    hot: &'a mut [f32],
    pass: Pass,
    law: LawKind,
    h: f32,
}

impl Kernel for Solve<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { bucket, hot, pass, law, h } = self;
        let layout = bucket.layout;
        let fields = layout.fields();
        bucket.check(hot);
        let hot = hot.as_mut_ptr();
        let (zero, h) = (L::splat(0.0), L::splat(h));
        for batch in 0..bucket.batches() {
            let mut at = 0;
            while at < LANES {
                let base = bucket.data[batch * fields * LANES + at..].as_mut_ptr();
                // SAFETY: `field` is below `fields`, so the lanes lie in this batch; `at` is a
                // multiple of the width, which divides eight.
                let read = |field: usize| unsafe { L::load(base.add(field * LANES)) };
                // SAFETY: as above.
                let write =
                    |field: usize, value: L| unsafe { value.store(base.add(field * LANES)) };
                let rows_a = bucket.a[batch * LANES + at..].as_ptr();
                let rows_b = bucket.b[batch * LANES + at..].as_ptr();
                // SAFETY: every row is inside the hot state, as `check` asserts, and each list has at
                // least the width's entries left.
                let mut v = unsafe {
                    Velocities { a: L::gather_rows(hot, rows_a), b: L::gather_rows(hot, rows_b) }
                };
                let m: [L; 6] = std::array::from_fn(|k| read(Layout::MASSES + k));
                let field = layout.row(0);
                let row = [read(field), read(field + 1), read(field + 2), read(field + 3)];
                let mass = read(layout.factors());
                let before = [read(layout.impulse(0)), read(layout.impulse(1))];
                let numbers: [L; 3] = std::array::from_fn(|k| read(layout.law() + k));
                let mut after = before;
                if pass != Pass::Warm {
                    let soft: [L; 6] = std::array::from_fn(|k| read(layout.soft() + k));
                    let [rate, most, scale, back, gamma, rigid] = soft;
                    let speed = v.along(row);
                    match law {
                        // A spring keeps the impulse it has when the others relax.
                        law if law.is_spring() && pass == Pass::Relax => {}
                        LawKind::Spring | LawKind::Servo | LawKind::Held => {
                            let bias = (rate * read(layout.value(0))).min(most).max(-most);
                            let pull = speed + bias + gamma_times(gamma, before[0]);
                            let change = -(scale * mass * pull) - back * before[0];
                            after[0] = (before[0] + change).max(numbers[1] * h).min(numbers[2] * h);
                        }
                        LawKind::Motor | LawKind::Friction => {
                            let change = -(mass * (speed - numbers[0]));
                            after[0] = (before[0] + change).max(numbers[1] * h).min(numbers[2] * h);
                        }
                        LawKind::Limit => {
                            let q = read(layout.value(0));
                            let side = |room: L, speed: L, before: L| {
                                // Inside, no faster than to the stop; past it, back as a spring.
                                let inside = room.gt(zero);
                                let bias = L::select(inside, room / h, (rate * room).max(-most));
                                let (solves, scale, back) = if pass == Pass::Relax {
                                    (rigid, L::splat(1.0), zero)
                                } else {
                                    (
                                        L::splat(1.0),
                                        L::select(inside, L::splat(1.0), scale),
                                        L::select(inside, zero, back),
                                    )
                                };
                                let bias = if pass == Pass::Relax {
                                    L::select(inside, bias, zero)
                                } else {
                                    bias
                                };
                                let change = -(scale * mass * (speed + bias)) - back * before;
                                let solved = (before + change).max(zero);
                                L::select(solves.gt(zero), solved, before)
                            };
                            after[0] = side(q - numbers[0], speed, before[0]);
                            v.apply(row, &m, after[0] - before[0]);
                            after[1] = side(numbers[1] - q, -v.along(row), before[1]);
                            v.apply(row, &m, before[1] - after[1]);
                        }
                    }
                    if law != LawKind::Limit {
                        v.apply(row, &m, after[0] - before[0]);
                    }
                    write(layout.impulse(0), after[0]);
                    write(layout.impulse(1), after[1]);
                } else {
                    v.apply(row, &m, before[0] - before[1]);
                }
                if pass == Pass::Relax {
                    write(layout.total(0), read(layout.total(0)) + after[0]);
                    write(layout.total(1), read(layout.total(1)) + after[1]);
                }
                // SAFETY: as for the gathers; lanes that share a body share one that nothing moves,
                // and write what is there.
                unsafe {
                    L::scatter_rows(v.a, hot, rows_a);
                    L::scatter_rows(v.b, hot, rows_b);
                }
                at += L::WIDTH;
            }
        }
    }
}
