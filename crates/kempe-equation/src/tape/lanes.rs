//! Running a tape in f32: 64 joints at a time, or one.
//!
//! A cell of 64 lanes is 256 bytes, so the cells of a joint of ordinary size stay in the first
//! cache, and one dispatch of an operation serves eight registers of eight lanes. Measured against
//! hand-written lanes (weld, distance, line joint): 16 lanes take 1.8, 2.4 and 2.6 times as long,
//! 32 take 1.4, 1.7 and 1.9, 64 take 1.1, 1.5 and 1.6, 128 take 1.1, 1.4 and 1.7.
#![expect(unsafe_code, reason = "cells are read and written through pointers, in whole registers")]

use super::{Cells, Code, Operation, Tape};
use crate::graph::TINY;
use kempe_scalar::{self as functions, Isa, Kernel, Lanes};
use std::sync::Arc;

/// How many joints a [`Block`] holds.
pub const LANES: usize = 64;

/// One cell for each of 64 joints.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub struct Block(pub [f32; LANES]);

const _: () = assert!(size_of::<Block>() == LANES * size_of::<f32>(), "blocks have no gaps");

/// Blocks that stand for some of the input cells of a tape, which follow each other: numbers that stay
/// from run to run are not copied into the cells each time.
#[derive(Clone, Copy, Debug)]
pub struct Borrowed<'a> {
    /// The first of the cells.
    pub first: usize,
    /// What stands for them.
    pub blocks: &'a [Block],
}

impl<'a> Borrowed<'a> {
    /// None at all.
    pub const NONE: Borrowed<'static> = Borrowed { first: 0, blocks: &[] };

    /// What stands for a cell, if it is one of them.
    #[inline]
    fn block(&self, cell: usize) -> Option<&'a Block> {
        self.blocks.get(cell.wrapping_sub(self.first))
    }
}

impl Cells<Block> {
    /// Cells for 64 joints in f32.
    pub fn lanes(tape: &Arc<Tape>) -> Self {
        Self::filled(tape, |value| Block([value as f32; LANES]))
    }

    /// Computes the outputs of the first `joints` lanes (at most [`LANES`]) from the inputs. The
    /// other lanes hold nothing of meaning afterwards.
    pub fn run(&mut self, joints: usize) {
        self.run_on(Isa::best(), joints);
    }

    /// The same on a chosen instruction set. The bits do not depend on it.
    pub fn run_on(&mut self, isa: Isa, joints: usize) {
        self.run_with(isa, joints, Borrowed::NONE);
    }

    /// The same with some of the inputs elsewhere.
    ///
    /// # Panics
    /// If cells that are no inputs are borrowed.
    pub fn run_with(&mut self, isa: Isa, joints: usize, borrowed: Borrowed<'_>) {
        let used = joints.min(LANES).next_multiple_of(8);
        // What is written must be ours.
        let last = borrowed.first.saturating_add(borrowed.blocks.len());
        assert!(last <= self.tape.inputs.len(), "inputs");
        let cells: &mut [f32] = self.cells.as_flattened_lanes();
        let operations = &self.tape.operations;
        isa.run(Run { operations, cells, borrowed, stride: LANES, used });
    }

    /// An output of one joint, after a run.
    pub fn output(&self, index: usize, joint: usize) -> f32 {
        let constant = |value| value as f32;
        self.tape.outputs[index].read(constant, |cell| self.cell(cell).0[joint])
    }

    /// The lanes of a cell that an [`Output`](super::Output) names, or an input's.
    #[inline]
    pub fn block(&self, cell: usize) -> &[f32; LANES] {
        self.block_with(cell, Borrowed::NONE)
    }

    /// The same after a run with some of the inputs elsewhere.
    #[inline]
    pub fn block_with<'a>(&'a self, cell: usize, borrowed: Borrowed<'a>) -> &'a [f32; LANES] {
        &borrowed.block(cell).unwrap_or_else(|| self.cell(cell)).0
    }

    /// The lanes of an input cell.
    #[inline]
    pub fn input_mut(&mut self, index: usize) -> &mut [f32; LANES] {
        &mut self.inputs_mut()[index].0
    }
}

impl Cells<f32> {
    /// Cells for one joint in f32.
    pub fn single(tape: &Arc<Tape>) -> Self {
        Self::filled(tape, |value| value as f32)
    }

    /// Computes the outputs from the inputs.
    pub fn run(&mut self) {
        let cells = &mut self.cells[..];
        let (operations, borrowed) = (&self.tape.operations, Borrowed::NONE);
        Run { operations, cells, borrowed, stride: 1, used: 1 }.run::<f32>();
    }

    /// An output, after a run.
    pub fn output(&self, index: usize) -> f32 {
        self.tape.outputs[index].read(|value| value as f32, |cell| *self.cell(cell))
    }
}

trait Flatten {
    fn as_flattened_lanes(&mut self) -> &mut [f32];
}

impl Flatten for Vec<Block> {
    fn as_flattened_lanes(&mut self) -> &mut [f32] {
        // SAFETY: `Block` is `repr(C)` around `[f32; LANES]` and, as asserted above, not larger, so
        // a slice of blocks is a slice of floats without gaps.
        unsafe {
            std::slice::from_raw_parts_mut(self.as_mut_ptr().cast::<f32>(), self.len() * LANES)
        }
    }
}

/// The run of a tape over cells that are `stride` floats apart, of which `used` are computed. Only inputs
/// are borrowed, and where some are the cells are blocks.
struct Run<'a> {
    operations: &'a [Operation],
    cells: &'a mut [f32],
    borrowed: Borrowed<'a>,
    stride: usize,
    used: usize,
}

impl Kernel for Run<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { operations, cells, borrowed: Borrowed { first, blocks }, stride, used } = self;
        let base = cells.as_mut_ptr();
        let elsewhere = blocks.as_ptr().cast::<f32>().wrapping_sub(first.wrapping_mul(stride));
        let source = |cell: u16| {
            let cell = usize::from(cell);
            let own = cell.wrapping_sub(first) >= blocks.len();
            let base = if own { base.cast_const() } else { elsewhere };
            base.wrapping_add(cell * stride)
        };
        let step = L::WIDTH;
        /// Loads the named cells, computes, and stores the results, a register at a time.
        macro_rules! each {
            ([$($to:expr),*], [$($name:ident = $from:expr),*], $values:expr) => {{
                $(let $name = source($from);)*
                let targets = [$(base.wrapping_add(usize::from($to) * stride)),*];
                let mut at = 0;
                while at < used {
                    // SAFETY: every cell that an operation names is below `tape.cells` (the
                    // emitter numbers them), `cells` holds that many times `stride` floats and so
                    // does what stands for some of them, and `used`, a multiple of the width, is at
                    // most `stride`. What is borrowed is read only: targets are behind the inputs. All loads of a
                    // register come before its stores, so a target may be one of the sources.
                    unsafe {
                        $(let $name = L::load($name.add(at));)*
                        let values = $values;
                        let mut index = 0;
                        while index < targets.len() {
                            values[index].store(targets[index].add(at));
                            index += 1;
                        }
                    }
                    at += step;
                }
            }};
            ($to:expr, [$($name:ident = $from:expr),*], $value:expr) => {
                each!([$to], [$($name = $from),*], [$value])
            };
        }
        for &Operation { code, target, second, third, a, b, c, d } in operations {
            match code {
                Code::Neg => each!(target, [x = a], -x),
                Code::Add => each!(target, [x = a, y = b], (x + y)),
                Code::Sub => each!(target, [x = a, y = b], (x - y)),
                Code::Mul => each!(target, [x = a, y = b], (x * y)),
                Code::Div => each!(target, [x = a, y = b], (x / y)),
                Code::MulAdd => each!(target, [x = a, y = b, z = c], (x * y + z)),
                Code::MulSub => each!(target, [x = a, y = b, z = c], (x * y - z)),
                Code::SubMul => each!(target, [x = a, y = b, z = c], (z - x * y)),
                Code::MulAddMul => {
                    each!(target, [x = a, y = b, z = c, w = d], (x * y + z * w));
                }
                Code::MulSubMul => {
                    each!(target, [x = a, y = b, z = c, w = d], (x * y - z * w));
                }
                Code::AddSub => each!(target, [x = a, y = b, z = c], ((x + y) - z)),
                Code::AddSubAdd => {
                    each!(target, [x = a, y = b, z = c, w = d], ((x + y) - (z + w)));
                }
                Code::Sqrt => each!(target, [x = a], x.sqrt()),
                Code::Rotate => {
                    each!([target, second], [x = a, y = b, z = c, w = d], {
                        [x * y - z * w, z * y + x * w]
                    });
                }
                Code::Direction => {
                    each!([target, second, third], [x = a, y = b, z = c, w = d], {
                        let square = x * x + y * y;
                        let length = square.sqrt();
                        let inverse = L::splat(1.0) / length;
                        let lost = L::splat(TINY as f32).gt(square);
                        [L::select(lost, z, x * inverse), L::select(lost, w, y * inverse), length]
                    });
                }
                Code::SinCos => {
                    each!([target, second], [x = a], {
                        let (sin, cos) = functions::sin_cos(x);
                        [sin, cos]
                    });
                }
                Code::Asin => each!(target, [x = a], functions::asin(x)),
                Code::Acos => each!(target, [x = a], functions::acos(x)),
                Code::Atan2 => each!(target, [y = a, x = b], functions::atan2(y, x)),
                Code::Exp => each!(target, [x = a], functions::exp(x)),
                Code::Ln => each!(target, [x = a], functions::ln(x)),
                Code::Power => each!(target, [x = a, y = b], functions::powf(x, y)),
                Code::Abs => each!(target, [x = a], x.abs()),
                Code::Sign => each!(target, [x = a], functions::sign(x)),
                // NaN on either side stays NaN.
                Code::Min => {
                    each!(target, [x = a, y = b], L::select(x.equals(x), x.min(y), x));
                }
                Code::Max => {
                    each!(target, [x = a, y = b], L::select(x.equals(x), x.max(y), x));
                }
                Code::Select => {
                    each!(target, [x = a, y = b, z = c, w = d], L::select(x.gt(y), z, w));
                }
            }
        }
    }
}
