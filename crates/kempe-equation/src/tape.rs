//! One flat list of operations over numbered cells.
//!
//! The cells are, in this order, the inputs, the constants and the temporaries. A tape runs over
//! cells of f64 or f32 (one joint) or over cells of [`Block`] (64 joints, one dispatch of an
//! operation for all of them); the operations and their order are the same, so every lane of a
//! block has the bits of the f32 run. The caller writes the inputs into the cells and reads the
//! outputs from them: nothing is copied.

mod emit;
mod lanes;
mod precise;
mod run;

pub use lanes::{Block, Borrowed, LANES};
pub use precise::PreciseBlock;
pub use run::Cells;

use crate::graph::{Graph, Leaf, NodeId};

/// What to write into an input cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Input {
    /// x of the body in a slot.
    PositionX(usize),
    /// y of the body in a slot.
    PositionY(usize),
    /// The unwrapped angle of the body in a slot.
    Rotation(usize),
    /// cos of the angle.
    Cosine(usize),
    /// sin of the angle.
    Sine(usize),
    /// v_x of the body in a slot.
    VelocityX(usize),
    /// v_y of the body in a slot.
    VelocityY(usize),
    /// ω of the body in a slot.
    AngularVelocity(usize),
    /// A component of a parameter.
    Parameter {
        /// The parameter, in the order of declaration.
        index: usize,
        /// Its component, a matrix by rows.
        component: usize,
    },
    /// The clock.
    Time,
    /// A component of a remembered direction.
    Memory {
        /// Which memory.
        site: usize,
        /// 0 for x, 1 for y.
        component: usize,
    },
    /// λ of a row.
    Multiplier(usize),
    /// The change of x since the start of the step, of the body in a slot.
    DeltaX(usize),
    /// The change of y since the start of the step.
    DeltaY(usize),
    /// The change of the angle since the start of the step.
    DeltaRotation(usize),
    /// The change of a component of a driven parameter since the start of the step.
    DeltaParameter {
        /// The parameter, in the order of declaration.
        index: usize,
        /// Its component.
        component: usize,
    },
    /// The time since the start of the step.
    DeltaTime,
    /// A number that was computed at the start of the step.
    Base(usize),
    /// x of the way from the first body to the second.
    OffsetX,
    /// y of it.
    OffsetY,
}

impl Input {
    /// The input that a component of a leaf stands for.
    fn of(leaf: Leaf, component: u8) -> Option<Self> {
        let component = usize::from(component);
        let by = |x, y| if component == 0 { x } else { y };
        Some(match leaf {
            Leaf::Position(slot) => {
                let slot = usize::from(slot);
                by(Self::PositionX(slot), Self::PositionY(slot))
            }
            Leaf::Velocity(slot) => {
                let slot = usize::from(slot);
                by(Self::VelocityX(slot), Self::VelocityY(slot))
            }
            Leaf::DeltaPosition(slot) => {
                let slot = usize::from(slot);
                by(Self::DeltaX(slot), Self::DeltaY(slot))
            }
            Leaf::Rotation(slot) => Self::Rotation(slot.into()),
            Leaf::AngularVelocity(slot) => Self::AngularVelocity(slot.into()),
            Leaf::Cosine(slot) => Self::Cosine(slot.into()),
            Leaf::Sine(slot) => Self::Sine(slot.into()),
            Leaf::Parameter(index, _) => Self::Parameter { index: index.into(), component },
            Leaf::DeltaParameter(index, _) => {
                Self::DeltaParameter { index: index.into(), component }
            }
            Leaf::Time => Self::Time,
            Leaf::DeltaTime => Self::DeltaTime,
            Leaf::DeltaRotation(slot) => Self::DeltaRotation(slot.into()),
            Leaf::Memory(site) => Self::Memory { site: site.into(), component },
            Leaf::Multiplier(row) => Self::Multiplier(row.into()),
            Leaf::Base(index) => Self::Base(index.into()),
            Leaf::Offset => by(Self::OffsetX, Self::OffsetY),
            // Masses are for printing K alone.
            Leaf::InverseMass(_) | Leaf::InverseInertia(_) => return None,
        })
    }
}

/// An operation. `a`, `b`, `c`, `d` are the cells that it reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Code {
    Neg,
    Add,
    Sub,
    Mul,
    Div,
    /// a·b + c
    MulAdd,
    /// a·b − c
    MulSub,
    /// c − a·b
    SubMul,
    /// a·b + c·d
    MulAddMul,
    /// a·b − c·d
    MulSubMul,
    /// (a + b) − c
    AddSub,
    /// (a + b) − (c + d)
    AddSubAdd,
    /// a·b − c·d and, second, c·b + a·d: a rotation, or a cross and a dot product
    Rotate,
    /// The direction (a, b)/√(a² + b²), and third the length; (c, d) where that is zero
    Direction,
    Sqrt,
    /// sin a and, second, cos a
    SinCos,
    Asin,
    Acos,
    Atan2,
    Exp,
    Ln,
    Power,
    Abs,
    Sign,
    Min,
    Max,
    /// a > b ? c : d
    Select,
}

/// One operation on the tape: from up to four cells into up to three.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Operation {
    pub code: Code,
    pub target: u16,
    pub second: u16,
    pub third: u16,
    pub a: u16,
    pub b: u16,
    pub c: u16,
    pub d: u16,
}

/// Where an output is found once the tape has run.
///
/// What is known when the program is compiled costs nothing later: no cell, no operation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Output {
    /// Always 0.
    Zero,
    /// Always 1.
    One,
    /// Always −1.
    MinusOne,
    /// Always this number.
    Constant(f64),
    /// The number in a cell.
    Cell(usize),
    /// Minus the number in a cell.
    Negated(usize),
}

impl Output {
    /// What it stands for, given what constants and cells are.
    fn read<T: std::ops::Neg<Output = T>>(
        self,
        constant: impl FnOnce(f64) -> T,
        cell: impl FnOnce(usize) -> T,
    ) -> T {
        match self {
            Self::Zero => constant(0.0),
            Self::One => constant(1.0),
            Self::MinusOne => constant(-1.0),
            Self::Constant(value) => constant(value),
            Self::Cell(index) => cell(index),
            Self::Negated(index) => -cell(index),
        }
    }
}

/// A compiled list of operations with named inputs and outputs.
#[derive(Clone, Debug)]
pub struct Tape {
    inputs: Vec<Input>,
    constants: Vec<f64>,
    operations: Vec<Operation>,
    outputs: Vec<Output>,
    cells: usize,
}

impl Tape {
    /// The tape that computes `outputs`, which are scalar nodes, or `None` if it would be longer
    /// than [`crate::limits::MAX_TAPE`].
    pub(crate) fn new(graph: &Graph, outputs: &[NodeId]) -> Option<Self> {
        emit::tape(graph, outputs)
    }

    pub(crate) fn rename_inputs(&mut self, rename: impl FnMut(Input) -> Input) {
        self.inputs = std::mem::take(&mut self.inputs).into_iter().map(rename).collect();
    }

    /// What the first cells hold, one cell each.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// Where the results are.
    pub fn outputs(&self) -> &[Output] {
        &self.outputs
    }

    /// How many operations a run takes.
    pub fn len(&self) -> usize {
        self.operations.len()
    }

    /// Whether there is nothing to compute.
    pub fn is_empty(&self) -> bool {
        self.operations.is_empty()
    }

    /// How many cells a run needs.
    pub fn cells(&self) -> usize {
        self.cells
    }
}
