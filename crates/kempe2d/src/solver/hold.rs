//! Solving held rows as a block.
//!
//! Δλ = −s (K + γ)⁻¹ (J v + β C + γ λ) − r λ with bias; −K⁻¹ J v when relaxing, for rigid rows.
#![expect(unsafe_code, reason = "lanes are read and written through pointers")]

use super::bucket::{Batches, Bucket, LANES, LawKind, Layout, Part};
use super::threads::Shared;
use kempe_scalar::{Isa, Kernel, Lanes};

/// Which pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pass {
    /// Applies the impulses of the last sub-step, or the first halves of them.
    Warm,
    /// At the new pose: the second halves, as large as the first have become.
    Again,
    /// Solves with bias.
    Solve,
    /// Solves rigid rows without their bias.
    Relax,
    /// After the last sub-step: stops give speed back.
    Restitution,
    /// After that: rigid holds once more.
    Settle,
}

impl Bucket {
    /// One pass over held rows.
    pub(crate) fn solve_hold(&mut self, isa: Isa, hot: Shared<'_>, pass: Pass, threads: bool) {
        let rows = self.layout.rows;
        let limited = matches!(self.part, Part::Hold(_, true) | Part::Law(..));
        let bounds = self.bounded || self.halves || limited;
        if !bounds && matches!(pass, Pass::Warm | Pass::Solve | Pass::Relax) {
            self.each(hot, threads, |batches, hot| super::quick::run(isa, batches, hot, pass));
            return;
        }
        self.each(hot, threads, |batches, hot| match rows {
            1 => isa.run(Solve::<1> { batches, hot, pass }),
            2 => isa.run(Solve::<2> { batches, hot, pass }),
            _ => isa.run(Solve::<3> { batches, hot, pass }),
        });
    }
}

struct Solve<'a, const N: usize> {
    batches: Batches<'a>,
    hot: Shared<'a>,
    pass: Pass,
}

/// The velocities of the two bodies of each lane.
pub(super) struct Velocities<L> {
    pub a: [L; 4],
    pub b: [L; 4],
}

impl<L: Lanes> Velocities<L> {
    /// n · (v_B − v_A) + b ω_B − a ω_A
    #[inline(always)]
    pub(super) fn along(&self, [nx, ny, a, b]: [L; 4]) -> L {
        (self.b[0] - self.a[0]) * nx
            + (self.b[1] - self.a[1]) * ny
            + (b * self.b[2] - a * self.a[2])
    }

    /// v += M⁻¹ Jᵀ λ
    #[inline(always)]
    pub(super) fn apply(&mut self, [nx, ny, a, b]: [L; 4], m: &[L; 6], impulse: L) {
        let (px, py) = (nx * impulse, ny * impulse);
        self.a[0] = self.a[0] - m[0] * px;
        self.a[1] = self.a[1] - m[1] * py;
        self.a[2] = self.a[2] - m[2] * (a * impulse);
        self.b[0] = self.b[0] + m[3] * px;
        self.b[1] = self.b[1] + m[4] * py;
        self.b[2] = self.b[2] + m[5] * (b * impulse);
    }
}

impl<const N: usize> Kernel for Solve<'_, N> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { batches: bucket, hot, pass } = self;
        let layout = bucket.layout;
        let fields = layout.fields();
        assert_eq!(layout.rows, N, "rows of the bucket");
        let hot = hot.first();
        let limited = matches!(bucket.part, Part::Hold(_, true) | Part::Law(..));
        // A velocity to reach is no error to give back.
        let towed = matches!(bucket.part, Part::Law(LawKind::Tow, _));
        let (halves, bounded) = (bucket.halves, bucket.bounded);
        let mut angular = [false; N];
        let turns = bucket.kind.angle_row();
        for (angular, row) in angular.iter_mut().zip(bucket.part.rows()) {
            *angular = turns == Some(row);
        }
        for batch in 0..bucket.count() {
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
                let row = |k: usize| layout.read_row(k, read, L::splat);
                let mut impulse = [L::splat(0.0); N];
                for (k, impulse) in impulse.iter_mut().enumerate() {
                    *impulse = read(layout.impulse(k));
                }
                let coefficient = |k: usize| match bucket.uniform {
                    Some(uniform) => L::splat(uniform[k]),
                    None => read(layout.soft() + k),
                };
                let again = coefficient(Layout::AGAIN);
                if pass == Pass::Warm && halves {
                    // One of two halves, or the whole, or what a spring that starts cold has.
                    let share = warm_share(again);
                    for impulse in &mut impulse {
                        *impulse = *impulse * share;
                    }
                }
                // Of a point the bias is bounded as a whole, of an angle by itself.
                let mut shorter = L::splat(1.0);
                if bounded {
                    let (rate, most) = (coefficient(0), coefficient(1));
                    let mut squares = L::splat(0.0);
                    for (k, angular) in angular.iter().enumerate() {
                        let bias = rate * read(layout.value(k));
                        squares = if *angular { squares } else { squares + bias * bias };
                    }
                    let length = squares.sqrt();
                    shorter = L::select(length.gt(most), most / length, shorter);
                }
                let biased = |k: usize| {
                    let (rate, most) = (coefficient(0), coefficient(1));
                    let bias = rate * read(layout.value(k));
                    match (bounded, angular[k]) {
                        (false, _) => bias,
                        (true, false) => bias * shorter,
                        (true, true) => bias.min(most).max(-most),
                    }
                };
                let mut change = match pass {
                    Pass::Warm => impulse,
                    Pass::Again => {
                        let again = again.max(L::splat(0.0));
                        impulse.map(|impulse| again * impulse)
                    }
                    Pass::Restitution => [L::splat(0.0); N],
                    Pass::Solve => {
                        let (scale, back, gamma) = (coefficient(2), coefficient(3), coefficient(4));
                        let mut right = [L::splat(0.0); N];
                        for (k, right) in right.iter_mut().enumerate() {
                            *right = v.along(row(k)) + biased(k) + gamma_times(gamma, impulse[k]);
                        }
                        let mut solved = solve(right, |k| read(layout.factors() + k));
                        for (solved, impulse) in solved.iter_mut().zip(impulse) {
                            *solved = -(scale * *solved) - back * impulse;
                        }
                        solved
                    }
                    Pass::Relax | Pass::Settle => {
                        let rigid = coefficient(5);
                        let mut right = [L::splat(0.0); N];
                        for (k, right) in right.iter_mut().enumerate() {
                            *right = v.along(row(k));
                            if towed {
                                *right = *right + read(layout.value(k));
                            }
                        }
                        let mut solved = solve(right, |k| read(layout.factors() + k));
                        // What pushes with all it has goes on so: it has an error to take off.
                        let kept = match limited && !towed {
                            true => {
                                let most = [read(layout.most()), read(layout.most() + 1)];
                                rigid * (L::splat(1.0) - saturated(&impulse, &angular, most))
                            }
                            false => rigid,
                        };
                        for solved in &mut solved {
                            *solved = -(kept * *solved);
                        }
                        solved
                    }
                };
                if limited && matches!(pass, Pass::Solve | Pass::Relax | Pass::Settle) {
                    let (scale, back, gamma) = (coefficient(2), coefficient(3), coefficient(4));
                    let rigid = coefficient(5);
                    let (share, back) = match pass {
                        Pass::Solve => (scale, back),
                        _ if towed => (rigid, L::splat(0.0)),
                        _ => {
                            let most = [read(layout.most()), read(layout.most() + 1)];
                            let free = L::splat(1.0) - saturated(&impulse, &angular, most);
                            (rigid * free, L::splat(0.0))
                        }
                    };
                    let limits = Limits {
                        most: [read(layout.most()), read(layout.most() + 1)],
                        angular,
                        soft: [share, back, gamma],
                    };
                    let row = |k: usize| {
                        let wanted = biased(k) + gamma_times(gamma, impulse[k]);
                        let wanted = if pass == Pass::Solve { wanted } else { L::splat(0.0) };
                        (row(k), wanted)
                    };
                    change = limits.within(&v, &m, impulse, change, row);
                }
                for (k, change) in change.into_iter().enumerate() {
                    v.apply(row(k), &m, change);
                    if pass != Pass::Warm {
                        write(layout.impulse(k), impulse[k] + change);
                    } else if halves {
                        write(layout.impulse(k), change);
                    }
                    match pass {
                        Pass::Relax => {
                            write(layout.total(k), read(layout.total(k)) + (impulse[k] + change));
                        }
                        Pass::Settle => write(layout.total(k), read(layout.total(k)) + change),
                        _ => {}
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

/// 1 where the impulses of a hold are as large as they may be, 0 elsewhere.
#[inline(always)]
fn saturated<L: Lanes, const N: usize>(
    impulse: &[L; N],
    angular: &[bool; N],
    [most, turn]: [L; 2],
) -> L {
    let (zero, one, nearly) = (L::splat(0.0), L::splat(1.0), L::splat(0.9999));
    let (mut squares, mut over) = (zero, zero);
    for (k, impulse) in impulse.iter().enumerate() {
        if angular[k] {
            let size = impulse.max(-*impulse);
            over = L::select(size.lt(turn * nearly), over, one);
        } else {
            squares = squares + *impulse * *impulse;
        }
    }
    L::select(squares.sqrt().lt(most * nearly), over, one)
}

/// The largest impulses of a hold.
struct Limits<L, const N: usize> {
    /// Of force and of torque.
    most: [L; 2],
    /// Which rows turn.
    angular: [bool; N],
    /// Which share of a change is made, what goes back of the impulse, and γ.
    soft: [L; 3],
}

impl<L: Lanes, const N: usize> Limits<L, N> {
    /// The change of the block where it stays within the limits. Where it does not, a block of forces
    /// alone is shortened; one with a torque is left for rows in turn, as a torque that should hold a
    /// body straight against a force turns it if the force does not come.
    #[inline(always)]
    fn within(
        &self,
        v: &Velocities<L>,
        m: &[L; 6],
        before: [L; N],
        block: [L; N],
        row: impl Fn(usize) -> ([L; 4], L),
    ) -> [L; N] {
        let (zero, one) = (L::splat(0.0), L::splat(1.0));
        let [most, turn] = self.most;
        let [share, back, gamma] = self.soft;
        let length = |change: &[L; N]| {
            let mut squares = zero;
            for k in (0..N).filter(|k| !self.angular[*k]) {
                let after = before[k] + change[k];
                squares = squares + after * after;
            }
            squares.sqrt()
        };
        let mut over = L::select(length(&block).gt(most), one, zero);
        for k in (0..N).filter(|k| self.angular[*k]) {
            let after = before[k] + block[k];
            over = over + L::select(after.max(-after).gt(turn), one, zero);
        }
        if self.angular.iter().all(|angular| !angular) {
            let length = length(&block);
            let shorter = L::select(length.gt(most), most / length, one);
            return std::array::from_fn(|k| (before[k] + block[k]) * shorter - before[k]);
        }
        let mut v = Velocities { a: v.a, b: v.b };
        let mut change = [zero; N];
        for turns in [false, true] {
            for k in (0..N).filter(|k| self.angular[*k] == turns) {
                let (n, wanted) = row(k);
                let [x, y, a, b] = n;
                let across = (m[0] + m[3]) * x * x + (m[1] + m[4]) * y * y;
                let mass = across + m[2] * a * a + m[5] * b * b + gamma;
                let inverse = L::select(mass.gt(zero), one / mass, zero);
                let mut own = -(share * ((v.along(n) + wanted) * inverse)) - back * before[k];
                if turns {
                    own = (before[k] + own).min(turn).max(-turn) - before[k];
                }
                v.apply(n, m, own);
                change[k] = own;
            }
            if turns {
                continue;
            }
            let length = length(&change);
            let shorter = L::select(length.gt(most), most / length, one);
            for k in (0..N).filter(|k| !self.angular[*k]) {
                let own = (before[k] + change[k]) * shorter - before[k];
                v.apply(row(k).0, m, own - change[k]);
                change[k] = own;
            }
        }
        std::array::from_fn(|k| L::select(over.gt(zero), change[k], block[k]))
    }
}

/// Which part of the last impulse a sub-step starts with, by the coefficient that says what comes again
/// after it: half of it where both are alike, and less than all where it is below 0.
#[inline(always)]
pub(super) fn warm_share<L: Lanes>(again: L) -> L {
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    L::select(again.lt(zero), one + again, one / (one + again))
}

/// γ λ, nothing for an infinite γ: that row has no force.
#[inline(always)]
pub(super) fn gamma_times<L: Lanes>(gamma: L, impulse: L) -> L {
    let finite = gamma.lt(L::splat(f32::MAX));
    L::select(finite, gamma * impulse, L::splat(0.0))
}

/// K⁻¹ times `right`, by the factors.
#[inline(always)]
fn solve<L: Lanes, const N: usize>(right: [L; N], factor: impl Fn(usize) -> L) -> [L; N] {
    let mut padded = [L::splat(0.0); 3];
    padded[..N].copy_from_slice(&right);
    let mut factors = [L::splat(0.0); 6];
    for (k, value) in factors.iter_mut().enumerate().take(N * (N + 1) / 2) {
        *value = factor(k);
    }
    let x = super::quick::solve::<L, N>(padded, factors);
    std::array::from_fn(|k| x[k])
}
