//! Solving entries over any number of bodies and rows.
#![expect(unsafe_code, reason = "lanes are read and written through pointers")]

use super::apart::{left_out, per_rate};
use super::bucket::{LANES, LawKind, Layout};
use super::hold::{Pass, gamma_times, warm_share};
use super::law::LawRow;
use super::wide::{Wide, WideLayout, WidePart};
use kempe_scalar::{Isa, Kernel, Lanes};

/// A pivot this much smaller than its diagonal entry is rounding, in f32.
const LOST: f32 = 1e-5;

/// The lanes of one part of a batch.
#[derive(Clone, Copy)]
struct Part<L> {
    base: *mut f32,
    layout: WideLayout,
    lanes: std::marker::PhantomData<L>,
}

impl<L: Lanes> Part<L> {
    #[inline(always)]
    fn read(&self, field: usize) -> L {
        // SAFETY: `base` is the first lane of a part of a whole batch, and every field that a layout
        // names is below its number of fields, which is the length of a batch.
        unsafe { L::load(self.base.add(field * LANES)) }
    }

    #[inline(always)]
    fn write(&self, field: usize, value: L) {
        // SAFETY: as above.
        unsafe { value.store(self.base.add(field * LANES)) }
    }

    #[inline(always)]
    fn row(&self, row: usize, body: usize) -> [L; 3] {
        let field = self.layout.row(row, body);
        [self.read(field), self.read(field + 1), self.read(field + 2)]
    }

    /// (J M⁻¹ Jᵀ)_ij
    #[inline(always)]
    fn k(&self, i: usize, j: usize) -> L {
        let mut sum = L::splat(0.0);
        for body in 0..self.layout.bodies {
            let masses = self.layout.masses(body);
            let (a, b) = (self.row(i, body), self.row(j, body));
            for k in 0..3 {
                sum = sum + self.read(masses + k) * a[k] * b[k];
            }
        }
        sum
    }

    /// K + γ = L D Lᵀ, with pivots that are lost to rounding set aside.
    #[inline(always)]
    fn factor(&self, law: bool) {
        let layout = self.layout;
        let gamma = self.read(layout.soft() + 4);
        for i in 0..layout.rows {
            for j in 0..i {
                let mut u = self.k(i, j);
                for k in 0..j {
                    u = u - self.read(layout.scratch(k)) * self.read(layout.factor(j, k));
                }
                self.write(layout.scratch(j), u);
                self.write(layout.factor(i, j), u * self.read(layout.factor(j, j)));
            }
            let own = self.k(i, i);
            if !law && i > 0 && i + 1 == layout.rows {
                self.set_apart(own);
            }
            let mut diagonal = own + gamma;
            if law {
                // A law moves what the hold of its joint lets it move.
                let through = self.read(layout.soft() + Layout::THROUGH);
                let left = diagonal - self.read(layout.answered()).min(through * own);
                diagonal = left.max(L::splat(0.0));
            }
            let mut pivot = diagonal;
            for j in 0..i {
                pivot = pivot - self.read(layout.scratch(j)) * self.read(layout.factor(i, j));
            }
            let kept = pivot.gt(own * L::splat(LOST));
            let inverse = L::select(kept, L::splat(1.0) / pivot, L::splat(0.0));
            self.write(layout.factor(i, i), inverse);
        }
    }

    /// Where the last row is the one angle of a hold, what lies between it and the others is left out
    /// of what rigid rows yield to: see `Apart` of the holds of two bodies.
    #[inline(always)]
    fn set_apart(&self, own: L) {
        let (layout, last) = (self.layout, self.layout.rows - 1);
        let (zero, one) = (L::splat(0.0), L::splat(1.0));
        let soft = |k: usize| self.read(layout.soft() + k);
        let mut yields = soft(3) * soft(5) * self.read(layout.angular(last));
        let mut taken = zero;
        for j in 0..last {
            yields = yields * (one - self.read(layout.angular(j)));
            taken = taken + self.read(layout.scratch(j)) * self.read(layout.factor(last, j));
        }
        let left_out = left_out(yields, taken, own);
        let per = per_rate(soft(0));
        let impulse = per * self.read(layout.impulse(last));
        let shift = |row: usize, by: L| {
            self.write(layout.value(row), self.read(layout.value(row)) - by);
        };
        let mut load = zero;
        for j in 0..last {
            let coupling = left_out * self.k(last, j);
            load = load + coupling * self.read(layout.impulse(j));
            shift(j, coupling * impulse);
            for field in [layout.scratch(j), layout.factor(last, j)] {
                self.write(field, (one - left_out) * self.read(field));
            }
        }
        shift(last, per * load);
    }

    /// K⁻¹ times what is in the scratch numbers, in place.
    #[inline(always)]
    fn solve(&self) {
        let layout = self.layout;
        let x = |row: usize| self.read(layout.scratch(row));
        for i in 0..layout.rows {
            let mut y = x(i);
            for j in 0..i {
                y = y - self.read(layout.factor(i, j)) * x(j);
            }
            self.write(layout.scratch(i), y);
        }
        for i in (0..layout.rows).rev() {
            let mut z = x(i) * self.read(layout.factor(i, i));
            for k in i + 1..layout.rows {
                z = z - self.read(layout.factor(k, i)) * x(k);
            }
            self.write(layout.scratch(i), z);
        }
    }
}

/// Which bodies a part of a batch has, and their velocities.
struct Bodies<'a> {
    hot: *mut f32,
    lists: &'a [Vec<u32>],
    first: usize,
}

impl Bodies<'_> {
    #[inline(always)]
    fn gather<L: Lanes>(&self, body: usize) -> [L; 4] {
        // SAFETY: `Wide::check` asserts that every row is inside the hot state and that each list is
        // whole batches, of which `first` begins a part.
        unsafe { L::gather_rows(self.hot, self.lists[body][self.first..].as_ptr()) }
    }

    #[inline(always)]
    fn scatter<L: Lanes>(&self, body: usize, values: [L; 4]) {
        // SAFETY: as above; lanes that share a body share one that nothing moves, and write what is
        // there.
        unsafe { L::scatter_rows(values, self.hot, self.lists[body][self.first..].as_ptr()) }
    }

    /// J v of a row.
    #[inline(always)]
    fn speed<L: Lanes>(&self, part: &Part<L>, row: usize) -> L {
        let mut speed = part.read(part.layout.bias(row));
        for body in 0..part.layout.bodies {
            let (j, v) = (part.row(row, body), self.gather::<L>(body));
            for k in 0..3 {
                speed = speed + j[k] * v[k];
            }
        }
        speed
    }

    /// v += M⁻¹ Jᵀ λ
    #[inline(always)]
    fn apply<L: Lanes>(&self, part: &Part<L>, impulse: impl Fn(usize) -> L) {
        for body in 0..part.layout.bodies {
            let mut v = self.gather::<L>(body);
            let masses = part.layout.masses(body);
            for row in 0..part.layout.rows {
                let (j, impulse) = (part.row(row, body), impulse(row));
                for k in 0..3 {
                    // What nothing moves stays, whatever the impulse.
                    let m = part.read(masses + k);
                    let moved = v[k] + m * (j[k] * impulse);
                    v[k] = L::select(m.gt(L::splat(0.0)), moved, v[k]);
                }
            }
            self.scatter(body, v);
        }
    }
}

impl Wide {
    /// The factors of K at the present rows.
    pub(crate) fn factor(&mut self, isa: Isa) {
        isa.run(Factor { wide: self });
    }

    /// One pass; `h` is the length of the sub-step.
    pub(crate) fn solve(&mut self, isa: Isa, hot: &mut [f32], pass: Pass, h: f32) {
        match self.part {
            WidePart::Law(law, _) => isa.run(SolveLaw { wide: self, hot, pass, law, h }),
            WidePart::Hold(_) => isa.run(SolveHold { wide: self, hot, pass }),
        }
    }
}

struct Factor<'a> {
    wide: &'a mut Wide,
}

/// The parts of a bucket's batches, for one width of lanes.
#[inline(always)]
fn parts<L: Lanes>(wide: &mut Wide, mut each: impl FnMut(Part<L>, usize)) {
    let (layout, fields) = (wide.layout, wide.layout.fields());
    for batch in 0..wide.batches() {
        for at in (0..LANES).step_by(L::WIDTH) {
            let base = wide.data[batch * fields * LANES + at..].as_mut_ptr();
            each(Part { base, layout, lanes: std::marker::PhantomData }, batch * LANES + at);
        }
    }
}

impl Kernel for Factor<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        self.wide.check_batches();
        let law = !self.wide.part.is_hold();
        parts::<L>(self.wide, |part, _| part.factor(law));
    }
}

struct SolveHold<'a> {
    wide: &'a mut Wide,
    hot: &'a mut [f32],
    pass: Pass,
}

impl Kernel for SolveHold<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { wide, hot, pass } = self;
        wide.check(hot);
        let (hot, limited, bounded) = (hot.as_mut_ptr(), wide.limited, wide.bounded);
        let lists = std::mem::take(&mut wide.lists);
        parts::<L>(wide, |part, first| {
            let bodies = Bodies { hot, lists: &lists, first };
            let layout = part.layout;
            if pass == Pass::Restitution {
                return;
            }
            let again = part.read(layout.soft() + Layout::AGAIN);
            if pass == Pass::Warm {
                let share = warm_share(again);
                for row in 0..layout.rows {
                    part.write(layout.impulse(row), part.read(layout.impulse(row)) * share);
                }
                bodies.apply(&part, |row| part.read(layout.impulse(row)));
                return;
            }
            if pass == Pass::Again {
                let again = again.max(L::splat(0.0));
                bodies.apply(&part, |row| again * part.read(layout.impulse(row)));
                for row in 0..layout.rows {
                    let half = part.read(layout.impulse(row));
                    part.write(layout.impulse(row), half + again * half);
                }
                return;
            }
            let soft: [L; Layout::SOFT] = std::array::from_fn(|k| part.read(layout.soft() + k));
            let [rate, most, scale, back, gamma, rigid, ..] = soft;
            for row in 0..layout.rows {
                let mut right = bodies.speed(&part, row);
                if pass == Pass::Solve {
                    let bias = rate * part.read(layout.value(row));
                    let bias = if bounded { part.bounded(row, bias, rate, most) } else { bias };
                    right = right + bias + gamma_times(gamma, part.read(layout.impulse(row)));
                }
                part.write(layout.scratch(row), right);
            }
            part.solve();
            // What pushes with all it has goes on so: it has an error to take off.
            let kept = if limited { rigid * (L::splat(1.0) - part.saturated()) } else { rigid };
            for row in 0..layout.rows {
                let (solved, before) =
                    (part.read(layout.scratch(row)), part.read(layout.impulse(row)));
                let change = match pass {
                    Pass::Solve => -(scale * solved) - back * before,
                    _ => -(kept * solved),
                };
                part.write(layout.scratch(row), change);
            }
            let over = if limited { part.over() } else { L::splat(0.0) };
            if limited {
                // Those that leave the limits go by rows instead.
                for row in 0..layout.rows {
                    let change = part.read(layout.scratch(row));
                    let kept = L::select(over.gt(L::splat(0.0)), L::splat(0.0), change);
                    part.write(layout.scratch(row), kept);
                }
            }
            bodies.apply(&part, |row| part.read(layout.scratch(row)));
            for row in 0..layout.rows {
                let before = part.read(layout.impulse(row));
                part.write(layout.impulse(row), before + part.read(layout.scratch(row)));
                if pass == Pass::Settle {
                    // Only what changes is new.
                    let total = layout.total(row);
                    part.write(total, part.read(total) - before);
                }
            }
            if limited {
                bodies.in_turn(&part, over, pass);
            }
            for row in (0..layout.rows).filter(|_| matches!(pass, Pass::Relax | Pass::Settle)) {
                let total = layout.total(row);
                part.write(total, part.read(total) + part.read(layout.impulse(row)));
            }
        });
        wide.lists = lists;
    }
}

impl<L: Lanes> Part<L> {
    /// The bias of a row where it is bounded: of forces as a whole, of a torque by itself.
    #[inline(always)]
    fn bounded(&self, row: usize, bias: L, rate: L, most: L) -> L {
        let layout = self.layout;
        let (zero, mut squares) = (L::splat(0.0), L::splat(0.0));
        for other in 0..layout.rows {
            let bias = rate * self.read(layout.value(other));
            let angular = self.read(layout.angular(other)).gt(zero);
            squares = squares + L::select(angular, zero, bias * bias);
        }
        let length = squares.sqrt();
        let shorter = L::select(length.gt(most), most / length, L::splat(1.0));
        let angular = self.read(layout.angular(row)).gt(zero);
        L::select(angular, bias.min(most).max(-most), bias * shorter)
    }

    /// 1 where the impulses are as large as they may be, 0 elsewhere.
    #[inline(always)]
    fn saturated(&self) -> L {
        let layout = self.layout;
        let (zero, one, nearly) = (L::splat(0.0), L::splat(1.0), L::splat(0.9999));
        let (most, turn) = (self.read(layout.most()), self.read(layout.most() + 1));
        let (mut squares, mut over) = (zero, zero);
        for row in 0..layout.rows {
            let impulse = self.read(layout.impulse(row));
            let turns = self.read(layout.angular(row)).gt(zero);
            let linear = L::select(turns, zero, impulse);
            let size = L::select(turns, impulse.max(-impulse), zero);
            squares = squares + linear * linear;
            over = L::select(size.lt(turn * nearly), over, one);
        }
        L::select(squares.sqrt().lt(most * nearly), over, one)
    }

    /// Whether the changes in the scratch numbers take the impulses beyond the largest, with torques
    /// among them: above 0.
    #[inline(always)]
    fn over(&self) -> L {
        let layout = self.layout;
        let (zero, one) = (L::splat(0.0), L::splat(1.0));
        let (most, turn) = (self.read(layout.most()), self.read(layout.most() + 1));
        let (mut squares, mut over, mut turning) = (zero, zero, zero);
        for row in 0..layout.rows {
            let after = self.read(layout.impulse(row)) + self.read(layout.scratch(row));
            let turns = self.read(layout.angular(row)).gt(zero);
            let linear = L::select(turns, zero, after);
            let angular = L::select(turns, after, zero);
            squares = squares + linear * linear;
            over = over + L::select(angular.max(-angular).gt(turn), one, zero);
            turning = turning + L::select(turns, one, zero);
        }
        let length = squares.sqrt();
        let long = length.gt(most);
        // A block of forces alone is shortened.
        let alone = L::select(turning.gt(zero), one, most / length);
        let shorter = L::select(long, alone, one);
        for row in 0..layout.rows {
            let before = self.read(layout.impulse(row));
            let change = (before + self.read(layout.scratch(row))) * shorter - before;
            let change = L::select(shorter.lt(one), change, self.read(layout.scratch(row)));
            self.write(layout.scratch(row), change);
        }
        L::select(turning.gt(zero), over + L::select(long, one, zero), zero)
    }
}

impl Bodies<'_> {
    /// Adds to the impulse of a row.
    #[inline(always)]
    fn push<L: Lanes>(&self, part: &Part<L>, row: usize, change: L) {
        self.apply(part, |each| if each == row { change } else { L::splat(0.0) });
        let impulse = part.layout.impulse(row);
        part.write(impulse, part.read(impulse) + change);
    }

    /// Where a block has left the limits: rows in turn, first those of forces, then those of torques;
    /// see `Limits::within` of the holds of two bodies.
    #[inline(always)]
    fn in_turn<L: Lanes>(&self, part: &Part<L>, over: L, pass: Pass) {
        let layout = part.layout;
        let (zero, one) = (L::splat(0.0), L::splat(1.0));
        let (most, turn) = (part.read(layout.most()), part.read(layout.most() + 1));
        let soft: [L; Layout::SOFT] = std::array::from_fn(|k| part.read(layout.soft() + k));
        let [rate, fastest, scale, back, gamma, rigid, ..] = soft;
        let rigid = rigid * (one - part.saturated());
        for turns in [false, true] {
            let mine = |row: usize, value: L| {
                let angular = part.read(layout.angular(row)).gt(zero);
                let value = L::select(over.gt(zero), value, zero);
                if turns {
                    L::select(angular, value, zero)
                } else {
                    L::select(angular, zero, value)
                }
            };
            for row in 0..layout.rows {
                let before = part.read(layout.impulse(row));
                let mass = part.k(row, row) + gamma;
                let inverse = L::select(mass.gt(zero), one / mass, zero);
                let speed = self.speed(part, row);
                let mut change = if pass == Pass::Solve {
                    let bias = rate * part.read(layout.value(row));
                    let bias = part.bounded(row, bias, rate, fastest);
                    let right = speed + bias + gamma_times(gamma, before);
                    -(scale * (right * inverse)) - back * before
                } else {
                    -(rigid * (speed * inverse))
                };
                if turns {
                    change = (before + change).min(turn).max(-turn) - before;
                }
                self.push(part, row, mine(row, change));
            }
            if turns {
                continue;
            }
            let mut squares = zero;
            for row in 0..layout.rows {
                let linear = mine(row, part.read(layout.impulse(row)));
                squares = squares + linear * linear;
            }
            let length = squares.sqrt();
            let shorter = L::select(length.gt(most), most / length, one);
            for row in 0..layout.rows {
                let now = part.read(layout.impulse(row));
                self.push(part, row, mine(row, now * shorter - now));
            }
        }
    }
}

struct SolveLaw<'a> {
    wide: &'a mut Wide,
    hot: &'a mut [f32],
    pass: Pass,
    law: LawKind,
    h: f32,
}

impl Kernel for SolveLaw<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { wide, hot, pass, law, h } = self;
        wide.check(hot);
        let hot = hot.as_mut_ptr();
        let lists = std::mem::take(&mut wide.lists);
        parts::<L>(wide, |part, first| {
            let bodies = Bodies { hot, lists: &lists, first };
            let layout = part.layout;
            let before = [part.read(layout.impulse(0)), part.read(layout.impulse(1))];
            if pass == Pass::Warm {
                let share = warm_share(part.read(layout.soft() + Layout::AGAIN));
                let before = before.map(|impulse| share * impulse);
                (0..2).for_each(|k| part.write(layout.impulse(k), before[k]));
                bodies.apply(&part, |_| before[0] - before[1]);
                return;
            }
            let total = [part.read(layout.total(0)), part.read(layout.total(1))];
            let entry = LawRow {
                speed: bodies.speed(&part, 0),
                value: part.read(layout.value(0)),
                mass: part.read(layout.factor(0, 0)),
                before,
                total,
                soft: std::array::from_fn(|k| part.read(layout.soft() + k)),
                numbers: std::array::from_fn(|k| part.read(layout.law() + k)),
                h: L::splat(h),
            };
            let after = entry.solve(law, pass);
            bodies.apply(&part, |_| (after[0] - before[0]) - (after[1] - before[1]));
            for k in 0..2 {
                part.write(layout.impulse(k), after[k]);
                match pass {
                    Pass::Relax => part.write(layout.total(k), total[k] + after[k]),
                    Pass::Restitution => {
                        part.write(layout.total(k), total[k] + (after[k] - before[k]));
                    }
                    _ => {}
                }
            }
        });
        wide.lists = lists;
    }
}
