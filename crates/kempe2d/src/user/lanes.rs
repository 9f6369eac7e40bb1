//! The rows of many joints of one type at once, by its equations as they were compiled with it.
//!
//! The kernel is made in the crate of the type, for the instructions which that crate is compiled for
//! (see [`Isa::run_as_built`]): what is not inlined there costs a call, and the results are those of every
//! other instruction set.
#![expect(unsafe_code, reason = "lanes are read and written through pointers")]

use super::tabled::{Table, Tabled};
use super::{Columns, Constraint, Jacobian, Pose};
use crate::joints::Row;
use crate::solver::{Fields, Found, HOT, LANES, SOFT, Shared, finish, finish_angle};
use kempe_scalar::{Dual, Isa, Kernel, Lanes, Vec2};

/// Rows of a type at most, held and left.
pub(crate) const ROWS: usize = 3;

/// Batches to evaluate. What pointers rely on is tested by `Bucket::check`: lists as long as the lanes,
/// all of them rows of the hot state.
pub(crate) struct Lot<'a> {
    pub data: &'a mut [f32],
    pub lists: [&'a [u32]; 2],
    pub hot: Shared<'a>,
    pub fields: &'a Fields,
    pub soft: Option<[f32; SOFT]>,
    /// Where the numbers of a joint are.
    pub columns: &'a Columns,
    /// How many rows it has, of which so many are held.
    pub counts: [usize; 2],
    /// The row that a law is on; or all held ones are solved.
    pub law: Option<usize>,
    /// Whether the type gives its Jacobian.
    pub given: bool,
}

/// Evaluates the rows. Says whether a lane is left out.
///
/// All of it goes into the method of the type: that is compiled with the type's own functions, and as the
/// only caller of the equations with these numbers it takes them in.
#[inline(always)]
pub(super) fn evaluate<T: Constraint>(constraint: &T, lot: Lot<'_>) -> bool {
    Isa::run_as_built(Evaluate { constraint, lot })
}

struct Evaluate<'a, T> {
    constraint: &'a T,
    lot: Lot<'a>,
}

impl<T: Constraint> Kernel for Evaluate<'_, T> {
    type Output = bool;

    #[inline(always)]
    fn run<L: Lanes>(self) -> bool {
        let Self { constraint, lot } = self;
        if lot.given {
            each::<L, T, Given>(constraint, lot)
        } else {
            each::<L, T, Derived>(constraint, lot)
        }
    }
}

/// Where two bodies are, B as seen from A; angles count from the start of the step.
struct Sight<L> {
    offset: Vec2<L>,
    /// Δθ, cos θ and sin θ of A and of B.
    turns: [[L; 3]; 2],
}

/// How the rows come about.
trait Way {
    fn rows<L: Lanes, T: Constraint>(joint: &T, sight: &Sight<L>, count: usize) -> [Row<L>; ROWS];
}

/// As the type gives them.
struct Given;

impl Way for Given {
    #[inline(always)]
    fn rows<L: Lanes, T: Constraint>(joint: &T, sight: &Sight<L>, count: usize) -> [Row<L>; ROWS] {
        let bodies = sight.poses::<0>([0; 4]);
        let zero = Tabled::<L, 0>::fixed(L::splat(0.0));
        let mut values = [zero; ROWS];
        joint.equations(&bodies, zero, &mut values[..count]);
        let mut entries = [[zero; 3]; 2 * ROWS];
        let mut jacobian = Jacobian::new(&mut entries[..2 * count], 2, [count, 0]);
        joint.jacobian(&bodies, zero, &mut jacobian);
        std::array::from_fn(|k| {
            let ([_, _, a], [x, y, b]) = (entries[2 * k], entries[2 * k + 1]);
            let n = Vec2::new(x.0.value, y.0.value);
            Row { value: values[k].0.value, n, a: -a.0.value, b: b.0.value }
        })
    }
}

/// By duals along x and y of B, θ of A and θ of B: A moves a row as much as B does, the other way.
struct Derived;

impl Way for Derived {
    #[inline(always)]
    fn rows<L: Lanes, T: Constraint>(joint: &T, sight: &Sight<L>, count: usize) -> [Row<L>; ROWS] {
        let bodies = sight.poses::<4>([0, 1, 2, 3]);
        let zero = Tabled::<L, 4>::fixed(L::splat(0.0));
        let mut values = [zero; ROWS];
        joint.equations(&bodies, zero, &mut values[..count]);
        values.map(|Tabled(Dual { value, slopes: [x, y, a, b] })| Row {
            value,
            n: Vec2::new(x, y),
            a: -a,
            b,
        })
    }
}

impl<L: Lanes> Sight<L> {
    /// The poses of A and B; x and y of B, θ of A and θ of B move along these directions, if there are
    /// derivatives.
    #[inline(always)]
    fn poses<const N: usize>(&self, [x, y, a, b]: [usize; 4]) -> [Pose<Tabled<L, N>>; 2] {
        let moving = |value: L, along: usize, slope: L| {
            let mut number = Tabled::<L, N>::fixed(value);
            if N > 0 {
                number.0.slopes[along] = slope;
            }
            number
        };
        let one = L::splat(1.0);
        let pose = |position: Vec2<Tabled<L, N>>, [turned, cos, sin]: [L; 3], along: usize| Pose {
            position,
            rotation: moving(turned, along, one),
            cos: moving(cos, along, -sin),
            sin: moving(sin, along, cos),
        };
        // −0 is what nothing changes by being added to.
        let here = Tabled::fixed(L::splat(-0.0));
        let there = Vec2::new(moving(self.offset.x, x, one), moving(self.offset.y, y, one));
        [pose(Vec2::new(here, here), self.turns[0], a), pose(there, self.turns[1], b)]
    }
}

#[inline(always)]
fn each<L: Lanes, T: Constraint, W: Way>(constraint: &T, lot: Lot<'_>) -> bool {
    let Lot { data, lists: [a, b], hot, fields, soft, columns, counts: [count, hold], law, .. } =
        lot;
    // Most types say a number here, which makes most of the rest known to the compiler.
    let own = constraint.counts();
    if [own.hold + own.axes, own.hold] != [count, hold] || count > ROWS {
        return true;
    }
    let (count, hold) = (own.hold + own.axes, own.hold);
    // A copy of its own, which nothing that is written can be.
    let fields = &{ *fields };
    let table = Table::new(columns.offsets());
    let mut left_out = false;
    for (batch, data) in data.chunks_exact_mut(fields.batch).enumerate() {
        let mut at = 0;
        while at < LANES {
            let base = data[at..].as_mut_ptr();
            let (a, b) = (&a[batch * LANES + at..], &b[batch * LANES + at..]);
            // SAFETY: every row is inside the hot state, and the lists have as many entries as there are
            // lanes, of which the width divides eight. The second half of a row is four floats on.
            let (turn_a, pose_a, turn_b, pose_b) = unsafe {
                let (first, second) = (hot.first(), hot.first().add(HOT / 2));
                (
                    L::gather_rows(first, a.as_ptr())[3],
                    L::gather_rows(second, a.as_ptr()),
                    L::gather_rows(first, b.as_ptr())[3],
                    L::gather_rows(second, b.as_ptr()),
                )
            };
            // SAFETY: the field is one of the batch.
            let read = |field: usize| unsafe { L::load(base.add(field)) };
            let sight = Sight {
                offset: Vec2::new(
                    read(fields.offset) + (pose_b[0] - pose_a[0]),
                    read(fields.offset + LANES) + (pose_b[1] - pose_a[1]),
                ),
                turns: [[turn_a, pose_a[2], pose_a[3]], [turn_b, pose_b[2], pose_b[3]]],
            };
            // SAFETY: columns are fields of the batch, which is borrowed, and one that says which lanes
            // are left out stands behind them; nothing is written before the rows are there.
            unsafe { table.open(base.add(fields.columns).cast_const()) };
            let all = W::rows(constraint, &sight, count);
            // SAFETY: the batch is one with these fields, and `at` a multiple of the width.
            left_out |= unsafe {
                match (law, hold) {
                    (Some(_), 2) if fields.point => {
                        finish_angle(base, fields, soft, all[2].value, &all)
                    }
                    (Some(0), _) => finish::<L, 1>(base, fields, soft, Found::law(all, 0), hold),
                    (Some(1), _) => finish::<L, 1>(base, fields, soft, Found::law(all, 1), hold),
                    (Some(_), _) => finish::<L, 1>(base, fields, soft, Found::law(all, 2), hold),
                    (None, 1) => finish::<L, 1>(base, fields, soft, Found::all(all), 0),
                    (None, 2) => finish::<L, 2>(base, fields, soft, Found::all(all), 0),
                    (None, _) => finish::<L, 3>(base, fields, soft, Found::all(all), 0),
                }
            };
            at += L::WIDTH;
        }
    }
    drop(table);
    left_out
}
