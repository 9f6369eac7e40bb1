//! Running a tape in f64, 64 joints at a time. Every lane has the bits of the run for one joint.

use super::{Cells, Code, LANES, Output, Tape};
use crate::graph::TINY;
use kempe_scalar::precise;
use std::sync::Arc;

/// One cell in f64 for each of 64 joints.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub struct PreciseBlock(pub [f64; LANES]);

impl Cells<PreciseBlock> {
    /// Cells for 64 joints in f64.
    pub fn precise_lanes(tape: &Arc<Tape>) -> Self {
        Self::filled(tape, |value| PreciseBlock([value; LANES]))
    }

    /// Computes the outputs of all lanes from the inputs.
    pub fn run(&mut self) {
        run(&self.tape, &mut self.cells);
    }

    /// The lanes of an input cell.
    pub fn input_mut(&mut self, index: usize) -> &mut [f64; LANES] {
        &mut self.inputs_mut()[index].0
    }

    /// The lanes of a cell that an [`Output`] names, or an input's.
    pub fn block(&self, cell: usize) -> &[f64; LANES] {
        &self.cell(cell).0
    }

    /// The lanes of an output, after a run.
    pub fn output(&self, index: usize) -> [f64; LANES] {
        match self.tape.outputs[index] {
            Output::Cell(cell) => self.cell(cell).0,
            Output::Negated(cell) => self.cell(cell).0.map(|value| -value),
            other => [other.read(|value| value, |_| 0.0); LANES],
        }
    }
}

#[inline]
fn each(values: impl Fn(usize) -> f64) -> PreciseBlock {
    let mut out = PreciseBlock([0.0; LANES]);
    for (lane, out) in out.0.iter_mut().enumerate() {
        *out = values(lane);
    }
    out
}

#[inline]
fn read(cells: &[PreciseBlock], index: u16) -> &[f64; LANES] {
    &cells[usize::from(index)].0
}

fn run(tape: &Tape, cells: &mut [PreciseBlock]) {
    for operation in &tape.operations {
        let a = read(cells, operation.a);
        let value = match operation.code {
            Code::Neg => each(|i| -a[i]),
            Code::Sqrt => each(|i| a[i].sqrt()),
            Code::Asin => each(|i| precise::asin(a[i])),
            Code::Acos => each(|i| precise::acos(a[i])),
            Code::Exp => each(|i| precise::exp(a[i])),
            Code::Ln => each(|i| precise::ln(a[i])),
            Code::Abs => each(|i| a[i].abs()),
            Code::Sign => each(|i| precise::sign(a[i])),
            Code::SinCos => {
                let both = a.map(precise::sin_cos);
                cells[usize::from(operation.second)] = each(|i| both[i].1);
                each(|i| both[i].0)
            }
            _ => {
                let b = read(cells, operation.b);
                match operation.code {
                    Code::Add => each(|i| a[i] + b[i]),
                    Code::Sub => each(|i| a[i] - b[i]),
                    Code::Mul => each(|i| a[i] * b[i]),
                    Code::Div => each(|i| a[i] / b[i]),
                    Code::Atan2 => each(|i| precise::atan2(a[i], b[i])),
                    Code::Power => each(|i| precise::pow(a[i], b[i])),
                    // NaN on either side stays NaN.
                    Code::Min => each(|i| if a[i] < b[i] || a[i].is_nan() { a[i] } else { b[i] }),
                    Code::Max => each(|i| if a[i] > b[i] || a[i].is_nan() { a[i] } else { b[i] }),
                    _ => {
                        let (c, d) = (read(cells, operation.c), read(cells, operation.d));
                        let second = usize::from(operation.second);
                        match operation.code {
                            Code::MulAdd => each(|i| a[i] * b[i] + c[i]),
                            Code::MulSub => each(|i| a[i] * b[i] - c[i]),
                            Code::SubMul => each(|i| c[i] - a[i] * b[i]),
                            Code::MulAddMul => each(|i| a[i] * b[i] + c[i] * d[i]),
                            Code::AddSub => each(|i| (a[i] + b[i]) - c[i]),
                            Code::AddSubAdd => each(|i| (a[i] + b[i]) - (c[i] + d[i])),
                            Code::Select => each(|i| if a[i] > b[i] { c[i] } else { d[i] }),
                            Code::Rotate => {
                                let first = each(|i| a[i] * b[i] - c[i] * d[i]);
                                cells[second] = each(|i| c[i] * b[i] + a[i] * d[i]);
                                first
                            }
                            Code::Direction => {
                                let square = each(|i| a[i] * a[i] + b[i] * b[i]).0;
                                let length = each(|i| square[i].sqrt()).0;
                                let inverse = each(|i| 1.0 / length[i]).0;
                                let lost = |i: usize| TINY > square[i];
                                let first =
                                    each(|i| if lost(i) { c[i] } else { a[i] * inverse[i] });
                                cells[second] =
                                    each(|i| if lost(i) { d[i] } else { b[i] * inverse[i] });
                                cells[usize::from(operation.third)] = PreciseBlock(length);
                                first
                            }
                            // The only one that is left.
                            _ => each(|i| a[i] * b[i] - c[i] * d[i]),
                        }
                    }
                }
            }
        };
        cells[usize::from(operation.target)] = value;
    }
}
