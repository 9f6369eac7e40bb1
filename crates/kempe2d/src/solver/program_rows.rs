//! The rows of programs in lanes: bodies into the cells of a tape, and its outputs out of them.
#![expect(unsafe_code, reason = "lanes are read and written through pointers")]

use super::HOT;
use super::bucket::{LANES, Layout};
use super::evaluate::{answered, factors};
use super::program_lanes::JOINTS;
use super::threads::Shared;
use crate::joints::Row;
use kempe_equation::{Block, Cells, Input, Output};
use kempe_scalar::{Kernel, Lanes, Vec2};

/// Brings the poses of bodies, and what the start of the step gave, into the cells of a tape.
pub(super) struct Feed<'a> {
    pub inputs: &'a [Input],
    pub step: &'a mut Cells<Block>,
    pub lists: [&'a [u32]; 2],
    pub bases: &'a [Block],
    pub hot: Shared<'a>,
}

impl Kernel for Feed<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { inputs, step, lists, bases, hot } = self;
        // By body and number of its state: the input cell that it goes to, and the first of bases.
        let mut to = [[usize::MAX; HOT]; 2];
        for (index, input) in inputs.iter().enumerate() {
            match *input {
                Input::DeltaRotation(slot) => to[slot][3] = index,
                Input::DeltaX(slot) => to[slot][4] = index,
                Input::DeltaY(slot) => to[slot][5] = index,
                Input::Cosine(slot) => to[slot][6] = index,
                Input::Sine(slot) => to[slot][7] = index,
                Input::Base(base) => *step.input_mut(index) = bases[base].0,
                _ => {}
            }
        }
        // Where no input is, numbers go to a cell that nothing reads.
        let mut nowhere = Block([0.0; JOINTS]);
        for (list, to) in lists.into_iter().zip(to) {
            assert!(list.len() <= JOINTS && list.len().is_multiple_of(LANES), "whole batches");
            for half in 0..2 {
                let to = &to[4 * half..4 * half + 4];
                if to.iter().all(|index| *index == usize::MAX) {
                    continue;
                }
                let cells: [*mut f32; 4] = std::array::from_fn(|k| match to[k] {
                    usize::MAX => nowhere.0.as_mut_ptr(),
                    index => step.input_mut(index).as_mut_ptr(),
                });
                for at in (0..list.len()).step_by(L::WIDTH) {
                    // SAFETY: `Bucket::check` asserts that every row is inside the hot state; lists are
                    // whole batches, which the width divides, and no longer than a cell.
                    unsafe {
                        let found = L::gather_rows(hot.first().add(4 * half), list[at..].as_ptr());
                        found[0].store(cells[0].add(at));
                        found[1].store(cells[1].add(at));
                        found[2].store(cells[2].add(at));
                        found[3].store(cells[3].add(at));
                    }
                }
            }
        }
    }
}

/// Where the lanes of an output are: in a cell of a tape, or eight times the same.
#[derive(Clone, Copy)]
struct Source<'a> {
    block: &'a [f32; JOINTS],
    /// 1 for a cell, 0 for a constant.
    stride: usize,
    sign: f32,
}

const ONES: [f32; JOINTS] = [1.0; JOINTS];

impl<'a> Source<'a> {
    #[inline(always)]
    fn of(step: &'a Cells<Block>, output: Output) -> Self {
        let (block, stride, sign) = match output {
            Output::Zero => (&ONES, 0, 0.0),
            Output::One => (&ONES, 0, 1.0),
            Output::MinusOne => (&ONES, 0, -1.0),
            Output::Constant(value) => (&ONES, 0, value as f32),
            Output::Cell(cell) => (step.block(cell), 1, 1.0),
            Output::Negated(cell) => (step.block(cell), 1, -1.0),
        };
        Self { block, stride, sign }
    }

    /// The lanes from `first` on.
    ///
    /// # Safety
    /// `first` and the width are together at most 64.
    #[inline(always)]
    unsafe fn read<L: Lanes>(&self, first: usize) -> L {
        // SAFETY: as promised.
        let lanes = unsafe { L::load(self.block.as_ptr().add(self.stride * first)) };
        lanes * L::splat(self.sign)
    }
}

/// Takes the rows from the outputs of a tape, and factors K.
pub(super) struct Finish<'a> {
    /// By row: n_x, n_y, −a, b and the change of the value.
    pub picked: [[Output; 5]; 3],
    /// How many are held, and which of the program's rows a law is on.
    pub rows: (usize, Option<usize>),
    pub step: &'a Cells<Block>,
    /// The values of the rows of this part at the start.
    pub values: &'a [Block],
    pub data: &'a mut [f32],
    pub layout: Layout,
    pub uniform: Option<[f32; Layout::SOFT]>,
    pub off: &'a mut [bool],
    pub any_off: &'a mut bool,
}

impl Kernel for Finish<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { picked, rows: (held, law), step, values, data, layout, uniform, off, any_off } =
            self;
        let (fields, count) = (layout.fields(), layout.rows);
        assert!(data.len() <= JOINTS * fields, "no more lanes than cells have");
        let own = if law.is_some() { held } else { 0 };
        let sources = picked.map(|row| row.map(|output| Source::of(step, output)));
        for (batch, data) in data.chunks_exact_mut(LANES * fields).enumerate() {
            for at in (0..LANES).step_by(L::WIDTH) {
                let base = data[at..].as_mut_ptr();
                // SAFETY: `field` is below `fields`, so the lanes lie in this batch; `at` is a multiple of
                // the width, which divides eight.
                let read = |field: usize| unsafe { L::load(base.add(field * LANES)) };
                // SAFETY: as above.
                let write =
                    |field: usize, value: L| unsafe { value.store(base.add(field * LANES)) };
                let first = batch * LANES + at;
                let zero = L::splat(0.0);
                let nothing = Row { value: zero, n: Vec2::new(zero, zero), a: zero, b: zero };
                let mut rows = [nothing; 3];
                // SAFETY: as asserted, there are no more lanes than cells have.
                rows[0] = unsafe { row(&sources[own], &values[0], first) };
                if count > 1 {
                    // SAFETY: as asserted, there are no more lanes than cells have.
                    rows[1] = unsafe { row(&sources[1], &values[1], first) };
                }
                if count > 2 {
                    // SAFETY: as asserted, there are no more lanes than cells have.
                    rows[2] = unsafe { row(&sources[2], &values[2], first) };
                }
                let mut amiss = amiss_of(&rows[0]);
                if count > 1 {
                    amiss = amiss + amiss_of(&rows[1]);
                }
                if count > 2 {
                    amiss = amiss + amiss_of(&rows[2]);
                }
                let mut broken = [0.0_f32; LANES];
                // SAFETY: the array has eight numbers, and the width is at most that.
                unsafe { amiss.store(broken.as_mut_ptr()) };
                if *any_off || broken != [0.0; LANES] {
                    for (lane, broken) in broken.iter_mut().enumerate().take(L::WIDTH) {
                        let off = off.get_mut(first + lane);
                        let out = *broken != 0.0 || off.as_ref().is_some_and(|off| **off);
                        *broken = f32::from(u8::from(out));
                        if let Some(off) = off {
                            *off = out;
                            *any_off |= out;
                        }
                    }
                    // SAFETY: as above.
                    let out = unsafe { L::load(broken.as_ptr()) };
                    for row in &mut rows {
                        let Row { value, n, a, b } = *row;
                        let n = Vec2::new(kept(out, n.x), kept(out, n.y));
                        let (a, b) = (kept(out, a), kept(out, b));
                        *row = Row { value: kept(out, value), n, a, b };
                    }
                    for k in layout.impulse(0)..layout.soft() {
                        write(k, kept(out, read(k)));
                    }
                }
                write_row(&write, layout.row(0), layout.value(0), &rows[0]);
                if count > 1 {
                    write_row(&write, layout.row(1), layout.value(1), &rows[1]);
                }
                if count > 2 {
                    write_row(&write, layout.row(2), layout.value(2), &rows[2]);
                }
                let m: [L; 6] = std::array::from_fn(|k| read(Layout::MASSES + k));
                let soft = |k: usize| match uniform {
                    Some(uniform) => L::splat(uniform[k]),
                    None => read(layout.soft() + k),
                };
                let gamma = soft(4);
                let mut less = zero;
                if law.is_some() && held > 0 {
                    // A law moves what the hold of its joint lets it move.
                    let mut all = [nothing; 3];
                    // SAFETY: as asserted, there are no more lanes than cells have.
                    all[0] = unsafe { row(&sources[0], &values[0], first) };
                    if held > 1 {
                        // SAFETY: as asserted, there are no more lanes than cells have.
                        all[1] = unsafe { row(&sources[1], &values[0], first) };
                    }
                    let taken = answered::<L>(held, &all, &rows[0], |r, s| {
                        (m[0] + m[3]) * r.n.x * s.n.x
                            + (m[1] + m[4]) * r.n.y * s.n.y
                            + m[2] * r.a * s.a
                            + m[5] * r.b * s.b
                    });
                    less = soft(Layout::THROUGH) * taken;
                }
                factors(&rows, count, &m, gamma, less, |k, value| {
                    write(layout.factors() + k, value);
                });
            }
        }
    }
}

/// # Safety
/// As of [`Source::read`].
#[inline(always)]
unsafe fn row<L: Lanes>(from: &[Source<'_>; 5], start: &Block, first: usize) -> Row<L> {
    let start = Source { block: &start.0, stride: 1, sign: 1.0 };
    // SAFETY: as promised.
    unsafe {
        let [x, y, a, b, change] = from.each_ref().map(|source| source.read::<L>(first));
        Row { value: start.read::<L>(first) + change, n: Vec2::new(x, y), a: -a, b }
    }
}

/// What is not finite, times 0, is not 0.
#[inline(always)]
fn amiss_of<L: Lanes>(row: &Row<L>) -> L {
    (row.value + row.n.x + row.n.y) * L::splat(0.0) + (row.a + row.b) * L::splat(0.0)
}

/// The value, but 0 where `out` is above 0.
#[inline(always)]
fn kept<L: Lanes>(out: L, value: L) -> L {
    L::select(out.gt(L::splat(0.0)), L::splat(0.0), value)
}

#[inline(always)]
fn write_row<L: Lanes>(write: &impl Fn(usize, L), field: usize, value: usize, row: &Row<L>) {
    write(field, row.n.x);
    write(field + 1, row.n.y);
    write(field + 2, row.a);
    write(field + 3, row.b);
    write(value, row.value);
}
