//! Running a tape for one joint, in f64 or f32.

use super::{Code, Input, Output, Tape};
use crate::graph::TINY;
use kempe_scalar::precise;
use std::sync::Arc;

/// The cells of a tape: write the inputs, run, read the outputs.
///
/// `T` is f64 or f32 for one joint, or [`Block`](super::Block) for 64 of them.
#[derive(Clone, Debug)]
pub struct Cells<T> {
    pub(super) tape: Arc<Tape>,
    pub(super) cells: Vec<T>,
}

impl<T: Copy> Cells<T> {
    /// Cells for this tape, its constants filled in and its inputs zero.
    pub(super) fn filled(tape: &Arc<Tape>, value: impl Fn(f64) -> T) -> Self {
        let mut cells = vec![value(0.0); tape.cells];
        for (cell, constant) in cells[tape.inputs.len()..].iter_mut().zip(&tape.constants) {
            *cell = value(*constant);
        }
        Self { tape: Arc::clone(tape), cells }
    }

    /// The tape that these cells belong to.
    pub fn tape(&self) -> &Tape {
        &self.tape
    }

    /// The input cells, in the order of [`Tape::inputs`].
    #[inline]
    pub fn inputs_mut(&mut self) -> &mut [T] {
        let count = self.tape.inputs.len();
        &mut self.cells[..count]
    }

    /// Writes every input.
    pub fn fill(&mut self, mut value: impl FnMut(Input) -> T) {
        for (cell, input) in self.cells.iter_mut().zip(&self.tape.inputs) {
            *cell = value(*input);
        }
    }

    /// The number in a cell that an [`Output`] of the tape names.
    #[inline]
    pub(super) fn cell(&self, index: usize) -> &T {
        &self.cells[index]
    }
}

impl Cells<f64> {
    /// Cells for one joint in f64.
    pub fn precise(tape: &Arc<Tape>) -> Self {
        Self::filled(tape, |value| value)
    }

    /// Computes the outputs from the inputs.
    pub fn run(&mut self) {
        run_precise(&self.tape, &mut self.cells);
    }

    /// An output, after a run.
    pub fn output(&self, index: usize) -> f64 {
        self.value(self.tape.outputs[index])
    }

    /// What an [`Output`] of this tape stands for, after a run.
    pub fn value(&self, output: Output) -> f64 {
        output.read(|value| value, |cell| *self.cell(cell))
    }
}

fn run_precise(tape: &Tape, cells: &mut [f64]) {
    for operation in &tape.operations {
        let read = |index: u16| cells[usize::from(index)];
        let (a, b) = (read(operation.a), read(operation.b));
        let (c, d) = (read(operation.c), read(operation.d));
        let value = match operation.code {
            Code::Neg => -a,
            Code::Add => a + b,
            Code::Sub => a - b,
            Code::Mul => a * b,
            Code::Div => a / b,
            Code::MulAdd => a * b + c,
            Code::MulSub => a * b - c,
            Code::SubMul => c - a * b,
            Code::MulAddMul => a * b + c * d,
            Code::MulSubMul => a * b - c * d,
            Code::AddSub => (a + b) - c,
            Code::AddSubAdd => (a + b) - (c + d),
            Code::Rotate => {
                cells[usize::from(operation.second)] = c * b + a * d;
                a * b - c * d
            }
            Code::Direction => {
                let square = a * a + b * b;
                let length = square.sqrt();
                let inverse = 1.0 / length;
                let lost = TINY > square;
                cells[usize::from(operation.second)] = if lost { d } else { b * inverse };
                cells[usize::from(operation.third)] = length;
                if lost { c } else { a * inverse }
            }
            Code::Sqrt => a.sqrt(),
            Code::SinCos => {
                let (sin, cos) = precise::sin_cos(a);
                cells[usize::from(operation.second)] = cos;
                sin
            }
            Code::Asin => precise::asin(a),
            Code::Acos => precise::acos(a),
            Code::Atan2 => precise::atan2(a, b),
            Code::Exp => precise::exp(a),
            Code::Ln => precise::ln(a),
            Code::Power => precise::pow(a, b),
            Code::Abs => a.abs(),
            Code::Sign => precise::sign(a),
            // NaN on either side stays NaN.
            Code::Min if a < b || a.is_nan() => a,
            Code::Max if a > b || a.is_nan() => a,
            Code::Min | Code::Max => b,
            Code::Select => {
                if a > b {
                    c
                } else {
                    d
                }
            }
        };
        cells[usize::from(operation.target)] = value;
    }
}
