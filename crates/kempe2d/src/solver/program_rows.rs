//! The rows of programs in lanes: bodies into the cells of a tape, and its outputs out of them.
#![expect(unsafe_code, reason = "lanes are read and written through pointers")]

use super::HOT;
use super::bucket::{LANES, Layout};
use super::finish::{Fields, Found, finish, finish_angle};
use super::program_lanes::JOINTS;
use super::threads::Shared;
use crate::joints::Row;
use kempe_equation::{Block, Borrowed, Cells, Input, Output};
use kempe_scalar::{Kernel, Lanes, Vec2};

/// Brings the poses of bodies into the cells of a tape, by their changes.
pub(super) struct Feed<'a> {
    pub inputs: &'a [Input],
    pub step: &'a mut Cells<Block>,
    pub lists: [&'a [u32]; 2],
    pub hot: Shared<'a>,
}

impl Kernel for Feed<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { inputs, step, lists, hot } = self;
        // By body and number of its state: the input cell that it goes to.
        let mut to = [[usize::MAX; HOT]; 2];
        for (index, input) in inputs.iter().enumerate() {
            match *input {
                Input::DeltaRotation(slot) => to[slot][3] = index,
                Input::DeltaX(slot) => to[slot][4] = index,
                Input::DeltaY(slot) => to[slot][5] = index,
                Input::Cosine(slot) => to[slot][6] = index,
                Input::Sine(slot) => to[slot][7] = index,
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

/// The cells of a tape that has run, with what was borrowed.
type Run<'a> = (&'a Cells<Block>, Borrowed<'a>);

/// Where the lanes of an output are: in a cell of a tape, or in one that is 1 everywhere.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    block: &'a [f32; JOINTS],
    times: f32,
}

static ONES: [f32; JOINTS] = [1.0; JOINTS];

impl<'a> Source<'a> {
    const ONE: Self = Self { block: &ONES, times: 1.0 };

    #[inline(always)]
    pub(super) fn of((step, borrowed): Run<'a>, output: Output) -> Self {
        let (block, times) = match output {
            Output::Zero => (&ONES, 0.0),
            Output::One => (&ONES, 1.0),
            Output::MinusOne => (&ONES, -1.0),
            Output::Constant(value) => (&ONES, value as f32),
            Output::Cell(cell) => (step.block_with(cell, borrowed), 1.0),
            Output::Negated(cell) => (step.block_with(cell, borrowed), -1.0),
        };
        Self { block, times }
    }

    /// The lanes from `first` on.
    ///
    /// # Safety
    /// `first` and the width are together at most 64.
    #[inline(always)]
    pub(super) unsafe fn read<L: Lanes>(&self, first: usize) -> L {
        // SAFETY: as promised.
        unsafe { L::load(self.block.as_ptr().add(first)) * L::splat(self.times) }
    }
}

/// Takes the rows from the outputs of a tape, `N` of them, and factors K. Says whether a lane is left
/// out.
pub(super) struct Finish<'a, const N: usize> {
    /// By row: n_x, n_y, −a, b and the change of the value.
    pub picked: &'a [[Output; 5]; 3],
    /// The rows before that of a law: what it acts through.
    pub hold: usize,
    pub cells: Run<'a>,
    pub data: &'a mut [f32],
    pub fields: &'a Fields,
    /// The coefficients of softness, where all lanes have the same.
    pub soft: Option<[f32; Layout::SOFT]>,
}

impl<const N: usize> Kernel for Finish<'_, N> {
    type Output = bool;

    #[inline(always)]
    fn run<L: Lanes>(self) -> bool {
        let Self { picked, hold, cells, data, fields, soft } = self;
        // A copy of its own, which nothing that is written can be.
        let fields = &{ *fields };
        assert!(data.len() <= JOINTS / LANES * fields.batch, "no more lanes than cells have");
        // In loops, for what is done with closures here is not taken in.
        let mut sources = [[Source::ONE; 5]; 3];
        for (sources, picked) in sources.iter_mut().zip(picked) {
            for (source, output) in sources.iter_mut().zip(picked) {
                *source = Source::of(cells, *output);
            }
            sources[2].times = -sources[2].times;
        }
        let own = &sources[hold.min(2)];
        let mut left_out = false;
        for (batch, data) in data.chunks_exact_mut(fields.batch).enumerate() {
            let mut at = 0;
            while at < LANES {
                let base = data[at..].as_mut_ptr();
                let first = batch * LANES + at;
                // SAFETY: as asserted, there are no more lanes than cells have; the batch is one with
                // these fields, and `at` a multiple of the width.
                left_out |= unsafe {
                    if N == 1 && hold == 2 && fields.point {
                        // A law on the angle, for nothing else is left of the rows of a point.
                        let [x, y] = [row::<L>(&sources[0], first), row::<L>(&sources[1], first)];
                        let (value, held) = (own[4].read(first), [x, y, Row::nothing()]);
                        left_out |= finish_angle(base, fields, soft, value, &held);
                        at += L::WIDTH;
                        continue;
                    }
                    let mut rows = [row(own, first), Row::nothing(), Row::nothing()];
                    if N > 1 {
                        rows[1] = row(&sources[1], first);
                    }
                    if N > 2 {
                        rows[2] = row(&sources[2], first);
                    }
                    let mut held = [Row::nothing(); 3];
                    if N == 1 && hold > 0 {
                        held[0] = row(&sources[0], first);
                    }
                    if N == 1 && hold > 1 {
                        held[1] = row(&sources[1], first);
                    }
                    finish::<L, N>(base, fields, soft, Found { rows, held }, hold)
                };
                at += L::WIDTH;
            }
        }
        left_out
    }
}

/// # Safety
/// As of [`Source::read`].
#[inline(always)]
unsafe fn row<L: Lanes>(from: &[Source<'_>; 5], first: usize) -> Row<L> {
    // SAFETY: as promised.
    unsafe {
        let [x, y, a, b] =
            [from[0].read(first), from[1].read(first), from[2].read(first), from[3].read(first)];
        Row { value: from[4].read::<L>(first), n: Vec2::new(x, y), a, b }
    }
}
