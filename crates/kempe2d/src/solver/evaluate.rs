//! The rows of every entry at the present pose, and the factors of K.
#![expect(unsafe_code, reason = "lanes are read and written through pointers")]

use super::apart::{Apart, left_out, per_rate};
use super::bucket::{Batches, Bucket, LANES, LawKind, Layout, Part};
use super::program::Programs;
use super::threads::Shared;
use crate::joint::KindTag;
use crate::joints::{
    Angle, Distance, Equation, Generic, Pair, Prismatic, Revolute, Row, Slot, Weld,
};
use kempe_scalar::{Isa, Kernel, Lanes, Vec2};
use std::marker::PhantomData;

impl Bucket {
    /// Evaluates every entry.
    pub(crate) fn evaluate(
        &mut self,
        isa: Isa,
        hot: Shared<'_>,
        programs: &Programs,
        threads: bool,
    ) {
        match self.kind {
            KindTag::Weld => self.evaluate_as::<Weld>(isa, hot, threads),
            KindTag::Revolute => self.evaluate_as::<Revolute>(isa, hot, threads),
            KindTag::Prismatic => self.evaluate_as::<Prismatic>(isa, hot, threads),
            KindTag::Slot => self.evaluate_as::<Slot>(isa, hot, threads),
            KindTag::Distance => self.evaluate_as::<Distance>(isa, hot, threads),
            KindTag::Angle => self.evaluate_as::<Angle>(isa, hot, threads),
            KindTag::Generic => self.evaluate_as::<Generic>(isa, hot, threads),
            KindTag::Text { .. } => self.evaluate_program(isa, hot, programs, threads),
            KindTag::User { .. } => self.evaluate_user(hot, programs, threads),
        }
    }
}

/// The rows that a bucket solves, of the three of its equation.
struct Evaluate<'a, E, const WHICH: u8> {
    batches: Batches<'a>,
    hot: Shared<'a>,
    rows: [usize; 3],
    /// Whether they are a hold with an angle behind what is none.
    turns: bool,
    equation: PhantomData<E>,
}

impl Bucket {
    fn evaluate_as<E: Equation>(&mut self, isa: Isa, hot: Shared<'_>, threads: bool) {
        let mut rows = [0; 3];
        let picked = self.part.rows();
        let first = picked.iter().enumerate().all(|(to, from)| to == *from);
        let own = first && picked.len() == held::<E>() && matches!(self.part, Part::Hold(..));
        let left = matches!(self.part, Part::Law(law, row)
            if E::AXES == 1 && usize::from(row) == E::HOLD && !law.is_pair());
        for (to, from) in rows.iter_mut().zip(picked) {
            *to = from;
        }
        let equation = PhantomData::<E>;
        let turns = self.ends_in_angle();
        self.each(hot, threads, |batches, hot| match (own, left) {
            (true, _) => isa.run(Evaluate::<E, OWN> { batches, hot, rows, turns, equation }),
            (_, true) => isa.run(Evaluate::<E, LEFT> { batches, hot, rows, turns, equation }),
            _ => isa.run(Evaluate::<E, ANY> { batches, hot, rows, turns, equation }),
        });
    }
}

/// What most joints hold: their own rows, or their only axis. Then nothing is picked, and all numbers of
/// the layout are known to the compiler.
const OWN: u8 = 0;
/// A law on the only axis.
const LEFT: u8 = 1;
/// Any other rows.
const ANY: u8 = 2;

/// How many rows [`OWN`] has.
const fn held<E: Equation>() -> usize {
    if E::HOLD == 0 { 1 } else { E::HOLD }
}

/// A pivot this much smaller than its diagonal entry is rounding, in f32.
const LOST: f32 = 1e-5;

/// K_lh K_hh⁻¹ K_hl: what the held rows take back of an impulse on a row.
#[inline(always)]
pub(super) fn answered<L: Lanes>(
    hold: usize,
    all: &[Row<L>; 3],
    law: &Row<L>,
    product: impl Fn(&Row<L>, &Row<L>) -> L,
) -> L {
    let zero = L::splat(0.0);
    match hold {
        1 => {
            let (own, cross) = (product(&all[0], &all[0]), product(&all[0], law));
            L::select(own.gt(zero), cross * cross / own, zero)
        }
        2 => {
            let (a, c) = (product(&all[0], &all[0]), product(&all[1], &all[1]));
            let b = product(&all[0], &all[1]);
            by_two([a, b, c], [product(&all[0], law), product(&all[1], law)])
        }
        _ => zero,
    }
}

/// (u, v) K⁻¹ (u, v)ᵀ with K = (a, b; b, c); by one row where the other adds nothing. One division,
/// whichever it is.
#[inline(always)]
fn by_two<L: Lanes>([a, b, c]: [L; 3], [u, v]: [L; 2]) -> L {
    let zero = L::splat(0.0);
    let determinant = a * c - b * b;
    let both = determinant.gt(L::splat(LOST) * a * c);
    let first = a.gt(zero);
    let above = c * u * u - b * u * v - b * u * v + a * v * v;
    let above = L::select(both, above, L::select(first, u * u, v * v));
    let below = L::select(both, determinant, L::select(first, a, c));
    L::select(below.gt(zero), above / below, zero)
}

impl<E: Equation, const WHICH: u8> Kernel for Evaluate<'_, E, WHICH> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { batches: bucket, hot, rows, turns, .. } = self;
        let fields = bucket.layout.fields();
        let layout = match WHICH {
            OWN => bucket.layout.with_hold(held::<E>(), E::POINT),
            LEFT => bucket.layout.with_law(),
            _ => bucket.layout,
        };
        let count = layout.rows;
        let hot = hot.first().cast_const();
        let towed = matches!(bucket.part, Part::Law(LawKind::Tow, _));
        let uniform = bucket.uniform;
        for batch in 0..bucket.count() {
            let mut at = 0;
            while at < LANES {
                let base = bucket.data[batch * fields * LANES + at..].as_mut_ptr();
                // SAFETY: `field` is below `fields`, so the lanes read and written lie in this
                // batch; `at` is a multiple of the width, which divides eight.
                let read = |field: usize| unsafe { L::load(base.add(field * LANES)) };
                // SAFETY: as above.
                let write =
                    |field: usize, value: L| unsafe { value.store(base.add(field * LANES)) };
                let (a, b) = (&bucket.a[batch * LANES + at..], &bucket.b[batch * LANES + at..]);
                // SAFETY: every row is inside the hot state, as `Bucket::each` asserts, and each of `a`
                // and `b` has at least the width's entries left. The second half of a row is four floats
                // on.
                let (turn_a, pose_a, turn_b, pose_b) = unsafe {
                    let (first, second) = (hot, hot.add(4));
                    (
                        L::gather_rows(first, a.as_ptr())[3],
                        L::gather_rows(second, a.as_ptr()),
                        L::gather_rows(first, b.as_ptr())[3],
                        L::gather_rows(second, b.as_ptr()),
                    )
                };
                let mut p = [L::splat(0.0); 9];
                for (k, value) in p.iter_mut().enumerate().take(E::PARAMETERS) {
                    *value = read(layout.parameters() + k);
                }
                let ratio = if E::PARAMETERS == 1 { p[0] } else { L::splat(1.0) };
                let pair = Pair {
                    turn_a: [pose_a[2], pose_a[3]],
                    turn_b: [pose_b[2], pose_b[3]],
                    offset: Vec2::new(
                        read(layout.offset()) + (pose_b[0] - pose_a[0]),
                        read(layout.offset() + 1) + (pose_b[1] - pose_a[1]),
                    ),
                    angle: match layout.offsets > 2 {
                        true => read(layout.offset() + 2) + (ratio * turn_b - turn_a),
                        false => L::splat(0.0),
                    },
                };
                let all = E::rows(&p, &pair);
                let soft = |k: usize| match uniform {
                    Some(uniform) => L::splat(uniform[k]),
                    None => read(layout.soft() + k),
                };
                let m: [L; 6] = match bucket.masses {
                    Some(masses) => masses.map(L::splat),
                    None => std::array::from_fn(|k| read(layout.masses() + k)),
                };
                if E::POINT && WHICH == LEFT {
                    // The angle alone is left.
                    turn(&all, &m, [soft(4), soft(Layout::THROUGH)], &read, &write, &layout);
                    at += L::WIDTH;
                    continue;
                }
                let picked = match WHICH {
                    OWN => all,
                    LEFT => [all[E::HOLD.min(2)]; 3],
                    _ => rows.map(|row| all[row]),
                };
                let write_row = |k: usize, row: &Row<L>| {
                    layout.write_row(k, [row.n.x, row.n.y, row.a, row.b], write);
                };
                write_row(0, &picked[0]);
                if count > 1 {
                    write_row(1, &picked[1]);
                }
                if count > 2 {
                    write_row(2, &picked[2]);
                }
                let gamma = soft(4);
                let mut less = L::splat(0.0);
                if let (true, Part::Law(..), 1) = (WHICH != OWN, bucket.part, count) {
                    // A law moves what the hold of its joint lets it move.
                    let product = |r: &Row<L>, s: &Row<L>| {
                        (m[0] + m[3]) * r.n.x * s.n.x
                            + (m[1] + m[4]) * r.n.y * s.n.y
                            + m[2] * r.a * s.a
                            + m[5] * r.b * s.b
                    };
                    let taken = if E::HOLD == 0 && E::AXES == 3 {
                        // Which axes are held is in the joint's own numbers.
                        let held = |row: usize| {
                            let (Row { value, n, a, b }, on) = (all[row], p[6 + row]);
                            Row { value, n: Vec2::new(n.x * on, n.y * on), a: a * on, b: b * on }
                        };
                        let others = match rows[0] {
                            0 => [held(1), held(2), Row::nothing()],
                            1 => [held(0), held(2), Row::nothing()],
                            _ => [held(0), held(1), Row::nothing()],
                        };
                        answered::<L>(2, &others, &picked[0], product)
                    } else {
                        answered::<L>(E::HOLD, &all, &picked[0], product)
                    };
                    let own = product(&picked[0], &picked[0]);
                    less = taken.min(soft(Layout::THROUGH) * own);
                }
                let turns = match WHICH {
                    OWN => E::ENDS_IN_ANGLE,
                    LEFT => false,
                    _ => turns,
                };
                let yields = turns.then(|| soft(3) * soft(5));
                let factor = |k: usize, value: L| write(layout.factors() + k, value);
                let apart = if E::POINT && WHICH == OWN {
                    factors_of(|i, j| of_point(&all, &m, i, j), count, gamma, less, yields, factor)
                } else {
                    factors(&picked, count, &m, gamma, less, yields, factor)
                };
                let mut shifts = [L::splat(0.0); 3];
                if yields.is_some() {
                    shifts = apart.shifts(count, per_rate(soft(0)), |k| read(layout.impulse(k)));
                }
                // What is towed has a velocity to reach, wherever it is.
                let write_value = |k: usize, row: &Row<L>| {
                    let mut value = if towed { L::splat(0.0) } else { row.value };
                    if layout.targets > 0 {
                        value = value - read(layout.target(k));
                    }
                    write(layout.value(k), value - shifts[k]);
                };
                write_value(0, &picked[0]);
                if count > 1 {
                    write_value(1, &picked[1]);
                }
                if count > 2 {
                    write_value(2, &picked[2]);
                }
                at += L::WIDTH;
            }
        }
    }
}

/// A law on the angle, through a hold of two points: the rows of a point are x and y of the world.
#[inline(always)]
fn turn<L: Lanes>(
    all: &[Row<L>; 3],
    m: &[L; 6],
    [gamma, through]: [L; 2],
    read: &impl Fn(usize) -> L,
    write: &impl Fn(usize, L),
    layout: &Layout,
) {
    let angle = &all[2];
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    layout.write_row(0, [zero, zero, one, one], write);
    write(layout.value(0), angle.value - read(layout.target(0)));
    let own = m[2] + m[5];
    let left = (own + gamma - by_point(all, m).min(through * own)).max(zero);
    write(layout.factors(), inverse(left, own));
}

/// What a hold of x and y of a point takes back of an impulse on the angle.
#[inline(always)]
pub(super) fn by_point<L: Lanes>([x, y, _]: &[Row<L>; 3], m: &[L; 6]) -> L {
    let (turn_x, turn_y) = ([m[2] * x.a, m[5] * x.b], [m[2] * y.a, m[5] * y.b]);
    let a = (m[0] + m[3]) + turn_x[0] * x.a + turn_x[1] * x.b;
    let c = (m[1] + m[4]) + turn_y[0] * y.a + turn_y[1] * y.b;
    let b = turn_x[0] * y.a + turn_x[1] * y.b;
    by_two([a, b, c], [turn_x[0] + turn_x[1], turn_y[0] + turn_y[1]])
}

/// 1/pivot; less than rounding of what it was made from is nothing.
#[inline(always)]
pub(super) fn inverse<L: Lanes>(pivot: L, diagonal: L) -> L {
    let kept = pivot.gt(diagonal * L::splat(LOST));
    L::select(kept, L::splat(1.0) / pivot, L::splat(0.0))
}

/// The factors of K + γ, less on the first diagonal what a hold takes back: 1/D, then L by rows. Where
/// the last row is an angle, `yields` is r of a rigid row, and it says what is left out.
#[inline(always)]
pub(super) fn factors<L: Lanes>(
    rows: &[Row<L>; 3],
    count: usize,
    m: &[L; 6],
    gamma: L,
    less: L,
    yields: Option<L>,
    write: impl Fn(usize, L),
) -> Apart<L> {
    let k = |i: usize, j: usize| {
        let (r, s) = (&rows[i], &rows[j]);
        (m[0] + m[3]) * r.n.x * s.n.x
            + (m[1] + m[4]) * r.n.y * s.n.y
            + m[2] * r.a * s.a
            + m[5] * r.b * s.b
    };
    factors_of(k, count, gamma, less, yields, write)
}

/// J_i M⁻¹ J_jᵀ of the rows of a point and the angle.
#[inline(always)]
pub(super) fn of_point<L: Lanes>(rows: &[Row<L>; 3], m: &[L; 6], i: usize, j: usize) -> L {
    let (r, s) = (&rows[i], &rows[j]);
    match (i, j) {
        (2, 2) => m[2] + m[5],
        (2, _) => m[2] * s.a + m[5] * s.b,
        _ if i == j => (m[i] + m[3 + i]) + m[2] * r.a * s.a + m[5] * r.b * s.b,
        _ => m[2] * r.a * s.a + m[5] * r.b * s.b,
    }
}

/// The same, given K_ij = J_i M⁻¹ J_jᵀ for j ≤ i.
#[inline(always)]
pub(super) fn factors_of<L: Lanes>(
    k: impl Fn(usize, usize) -> L,
    count: usize,
    gamma: L,
    less: L,
    yields: Option<L>,
    write: impl Fn(usize, L),
) -> Apart<L> {
    let own = k(0, 0);
    let mut k11 = own + gamma;
    if count == 1 {
        k11 = (k11 - less).max(L::splat(0.0));
    }
    let i1 = inverse(k11, own);
    write(0, i1);
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let mut apart = Apart { coupling: [zero; 2] };
    let part = |taken: L, diagonal: L| {
        yields.map(|yields| {
            let left_out = left_out(yields, taken, diagonal);
            (left_out, one - left_out)
        })
    };
    if count == 2 {
        let (mut k21, k22) = (k(1, 0), k(1, 1) + gamma);
        let mut l21 = k21 * i1;
        if let Some((left_out, stays)) = part(k21 * k21, k11 * k22) {
            apart.coupling[0] = left_out * k21;
            (k21, l21) = (stays * k21, stays * l21);
        }
        write(1, inverse(k22 - l21 * k21, k22));
        write(2, l21);
    }
    if count > 2 {
        let (k21, k22) = (k(1, 0), k(1, 1) + gamma);
        let l21 = k21 * i1;
        let i2 = inverse(k22 - l21 * k21, k22);
        write(1, i2);
        let (mut k31, k32, k33) = (k(2, 0), k(2, 1), k(2, 2) + gamma);
        let mut l31 = k31 * i1;
        let mut rest = k32 - l31 * k21;
        let mut l32 = rest * i2;
        // By determinants: divided while the factors are.
        let both = k31 * k32 * k21;
        let taken = k22 * k31 * k31 - both - both + k11 * k32 * k32;
        if let Some((left_out, stays)) = part(taken, (k11 * k22 - k21 * k21) * k33) {
            apart.coupling = [left_out * k31, left_out * k32];
            (k31, l31) = (stays * k31, stays * l31);
            (rest, l32) = (stays * rest, stays * l32);
        }
        write(2, inverse(k33 - l31 * k31 - l32 * rest, k33));
        write(3, l21);
        write(4, l31);
        write(5, l32);
    }
    apart
}
