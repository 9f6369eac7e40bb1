//! The laws of axes: springs, motors, forces, friction and limits, one row each.
//!
//! The arithmetic is here once, over lanes; [`Bucket`](super::bucket::Bucket) solves the rows of
//! built-in joints with it, [`Wide`](super::wide::Wide) those over any number of bodies.
#![expect(unsafe_code, reason = "lanes are read and written through pointers")]

use super::bucket::{Batches, Bucket, LANES, LawKind, Layout, Part};
use super::hold::{Pass, Velocities, gamma_times, warm_share};
use super::threads::Shared;
use kempe_scalar::{Isa, Kernel, Lanes};

/// Speeds below this do not come back from a stop, m/s or rad/s.
const LEAST_REBOUND: f32 = 0.02;

/// A row and its law, before a pass.
pub(super) struct LawRow<L> {
    pub speed: L,
    /// The coordinate less where it rests.
    pub value: L,
    /// 1/K, or 1/(K + γ).
    pub mass: L,
    pub before: [L; 2],
    /// Of the whole step so far.
    pub total: [L; 2],
    pub soft: [L; Layout::SOFT],
    pub numbers: [L; Layout::LIMIT],
    pub h: L,
}

impl<L: Lanes> LawRow<L> {
    /// The impulses after a pass.
    #[inline(always)]
    pub(super) fn solve(&self, law: LawKind, pass: Pass) -> [L; 2] {
        let Self { speed, mass, before, numbers, h, .. } = *self;
        match (law, pass) {
            (LawKind::Limit, Pass::Restitution) => self.rebound(),
            (LawKind::Limit, Pass::Solve | Pass::Relax) => {
                let first = self.stop(0, pass, speed);
                let inverse =
                    L::select(mass.gt(L::splat(0.0)), L::splat(1.0) / mass, L::splat(0.0));
                let speed = speed + (first - before[0]) * inverse;
                [first, self.stop(1, pass, speed)]
            }
            (_, Pass::Restitution | Pass::Settle | Pass::Warm | Pass::Again)
            | (LawKind::Pull | LawKind::Tow, _) => before,
            // See `LawKind::keeps`.
            (
                LawKind::Spring | LawKind::Servo | LawKind::Held | LawKind::Force | LawKind::Push,
                Pass::Relax,
            ) => before,
            (LawKind::Spring | LawKind::Servo | LawKind::Held, Pass::Solve) => {
                let [rate, most, scale, back, gamma, ..] = self.soft;
                let bias = (rate * self.value).min(most).max(-most);
                let pull = speed - numbers[0] + bias + gamma_times(gamma, before[0]);
                let change = -(scale * mass * pull) - back * before[0];
                [(before[0] + change).max(numbers[1] * h).min(numbers[2] * h), before[1]]
            }
            (LawKind::Motor | LawKind::Friction, _) => {
                let change = -(mass * (speed - numbers[0]));
                [(before[0] + change).max(numbers[1] * h).min(numbers[2] * h), before[1]]
            }
            // λ = λ* − D v with the speed v that it leads to: (m λ* − m D v + D λ) / (m + D).
            (LawKind::Force | LawKind::Push, Pass::Solve) => {
                let [wanted, slope, ..] = numbers;
                let weight = mass + slope;
                let solved = (mass * wanted - mass * slope * speed + slope * before[0]) / weight;
                [L::select(weight.gt(L::splat(0.0)), solved, wanted), before[1]]
            }
        }
    }

    /// One of the stops of a limit: 0 the lower, 1 the upper.
    #[inline(always)]
    fn stop(&self, side: usize, pass: Pass, speed: L) -> L {
        let (zero, one) = (L::splat(0.0), L::splat(1.0));
        let [rate, most, scale, back, gamma, rigid, ..] = self.soft;
        let [low, high, _, low_speed, high_speed, _, most_force] = self.numbers;
        let before = self.before[side];
        let (room, speed) = if side == 0 {
            (self.value - low, speed - low_speed)
        } else {
            (high - self.value, high_speed - speed)
        };
        // Inside, a rigid stop lets nothing go faster than to it; past it, it is a spring.
        let inside = room.gt(zero);
        let reach = room / self.h;
        let hard = rigid.gt(zero);
        let solved = if pass == Pass::Relax {
            let bias = L::select(inside, reach, zero);
            let solved = (before - self.mass * (speed + bias)).max(zero);
            L::select(hard, solved, before)
        } else {
            let bias = L::select(inside, reach, (rate * room).max(-most));
            let (all, none) = (L::select(inside, one, scale), L::select(inside, zero, back));
            let stops = (before - all * self.mass * (speed + bias) - none * before).max(zero);
            // A soft stop is a spring from its bound on: nothing, if the bound is not reached.
            let pull = speed + rate * room + gamma_times(gamma, before);
            let springs = (before - scale * self.mass * pull - back * before).max(zero);
            let free = speed - before / self.mass + gamma_times(gamma, before);
            let springs = L::select((room + self.h * free).lt(zero), springs, zero);
            L::select(hard, stops, springs)
        };
        let solved = solved.min(most_force * self.h);
        // A bound that is infinite is none; what was computed with it is no number.
        L::select(room.lt(L::splat(f32::MAX)), solved, zero)
    }

    /// After the step: a stop that was hit gives back a part of the speed of the approach.
    #[inline(always)]
    fn rebound(&self) -> [L; 2] {
        let [_, _, restitution, _, _, approach, _] = self.numbers;
        let (zero, least) = (L::splat(0.0), L::splat(LEAST_REBOUND));
        let side = |toward: L, speed: L, total: L, before: L| {
            let wanted = restitution * toward;
            let change = (self.mass * (wanted - speed)).max(-before);
            let hit = L::select(total.gt(zero), toward, zero);
            L::select(hit.gt(least), before + change, before)
        };
        let Self { before, total, speed, .. } = *self;
        [side(-approach, speed, total[0], before[0]), side(approach, -speed, total[1], before[1])]
    }
}

impl Bucket {
    /// One pass over a law; `h` is the length of the sub-step.
    pub(crate) fn solve_law(
        &mut self,
        isa: Isa,
        hot: Shared<'_>,
        pass: Pass,
        h: f32,
        threads: bool,
    ) {
        let Part::Law(law, _) = self.part else { return };
        if law.is_pair() {
            if matches!(pass, Pass::Warm | Pass::Solve | Pass::Relax) {
                self.solve_hold(isa, hot, pass, threads);
            }
            return;
        }
        if pass == Pass::Relax && law.keeps() {
            self.each(hot, threads, |batches, _| isa.run(Keep { batches }));
            return;
        }
        // A row that only turns needs no more than ω of the bodies.
        let turns =
            matches!(self.part, Part::Law(_, row) if self.kind.angle_row() == Some(row.into()));
        self.each(hot, threads, |batches, hot| match turns {
            true => run::<true>(isa, batches, hot, (law, pass), h),
            false => run::<false>(isa, batches, hot, (law, pass), h),
        });
    }

    /// Writes down the speeds with which limits are approached.
    pub(crate) fn note_approach(&mut self, hot: Shared<'_>) {
        self.check(hot);
        let layout = self.layout;
        for lane in 0..self.joints.len() {
            // SAFETY: `check` asserts that every row is inside the hot state.
            let body = |row: u32| unsafe {
                hot.first().add(super::HOT * row as usize).cast::<[f32; 3]>().read()
            };
            let (a, b) = (body(self.a[lane]), body(self.b[lane]));
            let [nx, ny, wa, wb] = self.row(lane, 0);
            let speed = (b[0] - a[0]) * nx + (b[1] - a[1]) * ny + (wb * b[2] - wa * a[2]);
            self.set(lane, layout.law() + Layout::APPROACH, speed);
        }
    }
}

/// A pass in which impulses stay what they are: they are counted.
struct Keep<'a> {
    batches: Batches<'a>,
}

impl Kernel for Keep<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let layout = self.batches.layout;
        let [impulse, total] = [layout.impulse(0), layout.total(0)].map(|field| field * LANES);
        for batch in self.batches.data.chunks_exact_mut(layout.fields() * LANES) {
            for at in (0..2 * LANES).step_by(L::WIDTH) {
                let sum = L::load_from(&batch[total + at..]) + L::load_from(&batch[impulse + at..]);
                sum.store_to(&mut batch[total + at..]);
            }
        }
    }
}

/// Runs a pass, with law and pass known to the compiler.
fn run<const TURNS: bool>(
    isa: Isa,
    batches: Batches<'_>,
    hot: Shared<'_>,
    (law, pass): (LawKind, Pass),
    h: f32,
) {
    macro_rules! solve {
        ($law:ident, $pass:ident) => {
            isa.run(Solve::<$law, $pass, TURNS> { batches, hot, h })
        };
    }
    match (law, pass) {
        (LawKind::Limit, Pass::Warm) => solve!(LIMIT, WARM),
        (_, Pass::Warm) => solve!(SPRING, WARM),
        (LawKind::Limit, Pass::Solve) => solve!(LIMIT, SOLVE),
        (LawKind::Limit, Pass::Relax) => solve!(LIMIT, RELAX),
        (LawKind::Limit, Pass::Restitution) => solve!(LIMIT, REBOUND),
        (LawKind::Motor | LawKind::Friction, Pass::Solve) => solve!(MOTOR, SOLVE),
        (LawKind::Motor | LawKind::Friction, Pass::Relax) => solve!(MOTOR, RELAX),
        (LawKind::Force | LawKind::Push, Pass::Solve) => solve!(FORCE, SOLVE),
        (_, Pass::Solve) => solve!(SPRING, SOLVE),
        // Nothing changes.
        _ => {}
    }
}

const SPRING: u8 = 0;
const MOTOR: u8 = 1;
const FORCE: u8 = 2;
const LIMIT: u8 = 3;
const WARM: u8 = 0;
const SOLVE: u8 = 1;
const RELAX: u8 = 2;
const REBOUND: u8 = 3;

struct Solve<'a, const LAW: u8, const PASS: u8, const TURNS: bool> {
    batches: Batches<'a>,
    hot: Shared<'a>,
    h: f32,
}

impl<const LAW: u8, const PASS: u8, const TURNS: bool> Kernel for Solve<'_, LAW, PASS, TURNS> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { batches: bucket, hot, h } = self;
        let law = match LAW {
            MOTOR => LawKind::Motor,
            FORCE => LawKind::Force,
            LIMIT => LawKind::Limit,
            _ => LawKind::Spring,
        };
        let pass = match PASS {
            WARM => Pass::Warm,
            SOLVE => Pass::Solve,
            RELAX => Pass::Relax,
            _ => Pass::Restitution,
        };
        let fields = bucket.layout.fields();
        // The same with numbers that are known to the compiler.
        let layout = bucket.layout.with_law();
        let hot = hot.first();
        let (zero, h) = (L::splat(0.0), L::splat(h));
        for batch in 0..bucket.count() {
            if law == LawKind::Limit && pass == Pass::Warm {
                // Most stops are not touched.
                let first = LANES * (batch * fields + layout.impulse(0));
                let impulses = &bucket.data[first..first + 2 * LANES];
                if impulses.iter().fold(0, |all, impulse| all | impulse.to_bits()) == 0 {
                    continue;
                }
            }
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
                // SAFETY: every row is inside the hot state, as `Bucket::each` asserts, and each list has
                // at least the width's entries left.
                let mut v = unsafe {
                    Velocities { a: L::gather_rows(hot, rows_a), b: L::gather_rows(hot, rows_b) }
                };
                let m: [L; 6] = match bucket.masses {
                    Some(masses) => masses.map(L::splat),
                    None => std::array::from_fn(|k| read(layout.masses() + k)),
                };
                let field = layout.row(0);
                let row = [read(field), read(field + 1), read(field + 2), read(field + 3)];
                let speed = |v: &Velocities<L>| match TURNS {
                    true => row[3] * v.b[2] - row[2] * v.a[2],
                    false => v.along(row),
                };
                let apply = |v: &mut Velocities<L>, impulse: L| match TURNS {
                    true => {
                        v.a[2] = v.a[2] - m[2] * (row[2] * impulse);
                        v.b[2] = v.b[2] + m[5] * (row[3] * impulse);
                    }
                    false => v.apply(row, &m, impulse),
                };
                let before = [read(layout.impulse(0)), read(layout.impulse(1))];
                if pass == Pass::Warm && bucket.halves {
                    let again = match bucket.uniform {
                        Some(soft) => L::splat(soft[Layout::AGAIN]),
                        None => read(layout.soft() + Layout::AGAIN),
                    };
                    let before = before.map(|impulse| impulse * warm_share(again));
                    write(layout.impulse(0), before[0]);
                    write(layout.impulse(1), before[1]);
                    apply(&mut v, before[0] - before[1]);
                } else if pass == Pass::Warm {
                    apply(&mut v, before[0] - before[1]);
                } else {
                    let mut numbers = [zero; Layout::LIMIT];
                    let count = if law == LawKind::Limit { Layout::LIMIT } else { Layout::LAW };
                    for (k, number) in numbers.iter_mut().enumerate().take(count) {
                        *number = read(layout.law() + k);
                    }
                    let total = [read(layout.total(0)), read(layout.total(1))];
                    let soft = match bucket.uniform {
                        Some(soft) => soft.map(L::splat),
                        None => std::array::from_fn(|k| read(layout.soft() + k)),
                    };
                    let entry = LawRow {
                        speed: speed(&v),
                        value: read(layout.value(0)),
                        mass: read(layout.factors()),
                        before,
                        total,
                        soft,
                        numbers,
                        h,
                    };
                    let after = entry.solve(law, pass);
                    apply(&mut v, (after[0] - before[0]) - (after[1] - before[1]));
                    write(layout.impulse(0), after[0]);
                    write(layout.impulse(1), after[1]);
                    for k in 0..2 {
                        match pass {
                            Pass::Relax => write(layout.total(k), total[k] + after[k]),
                            Pass::Restitution => {
                                write(layout.total(k), total[k] + (after[k] - before[k]));
                            }
                            _ => {}
                        }
                    }
                }
                // SAFETY: as for the gathers; no other lane writes these rows.
                unsafe {
                    L::scatter_rows(v.a, hot, bucket.to_a[batch * LANES + at..].as_ptr());
                    L::scatter_rows(v.b, hot, bucket.to_b[batch * LANES + at..].as_ptr());
                }
                at += L::WIDTH;
            }
        }
    }
}
