//! Whole systems of equations, sparse: for a reference solver, not for a step of a game.
//!
//! * [`Saddle`]: masses and stiffnesses with constraint rows, symmetric, L D Lᵀ.
//! * [`General`]: any square matrix, L U.
//! * [`Independence`]: which rows say what others said before.
//! * [`NullSpace`] and [`symmetric_eigen`]: of small matrices, what their rows leave, and their modes.
//!
//! All of it runs on one thread and gives the same bits on each run.

mod dense;
mod general;
mod independence;
#[cfg(test)]
mod measurements;
mod order;
mod refine;
mod saddle;
#[cfg(test)]
mod tests;

use std::fmt;

use faer::dyn_stack::{MemBuffer, StackReq};

pub use dense::{NullSpace, symmetric_eigen};
pub use general::General;
pub use independence::{Dependence, Independence, SINGULAR_VALUES_UP_TO};
pub use saddle::Saddle;

/// What went wrong with a sparse system.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum SparseError {
    /// An entry lies outside of the matrix, or above the diagonal of a symmetric one.
    Outside {
        /// Its row.
        row: usize,
        /// Its column.
        column: usize,
    },
    /// More rows or entries than can be numbered, or than fit into memory.
    TooLarge,
    /// A slice of the wrong length.
    Length {
        /// How many numbers there are.
        found: usize,
        /// How many there should be.
        wanted: usize,
    },
    /// A value of the matrix or of the right side is infinite or no number.
    NotFinite,
    /// It was not factored, or that failed.
    NotFactored,
    /// The matrix is singular.
    Singular,
    /// The solution overflows.
    Overflow,
    /// What was found does not solve the equations: they contradict each other, or the matrix is
    /// too close to a singular one. The best that was found is in the right side all the same.
    Residual {
        /// What is left, relative to the right side in balanced units.
        residual: f64,
    },
}

impl fmt::Display for SparseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Outside { row, column } => {
                write!(f, "the entry in row {row} and column {column} lies outside of the matrix")
            }
            Self::TooLarge => f.write_str("the matrix is too large"),
            Self::Length { found, wanted } => {
                write!(f, "{found} numbers are given where {wanted} are needed")
            }
            Self::NotFinite => f.write_str("a value is infinite or no number"),
            Self::NotFactored => f.write_str("the matrix has not been factored"),
            Self::Singular => f.write_str("the matrix is singular"),
            Self::Overflow => f.write_str("the solution overflows"),
            Self::Residual { residual } => {
                write!(f, "the equations are not solved: {residual:.1e} of them is left")
            }
        }
    }
}

impl std::error::Error for SparseError {}

/// How well a system was solved.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Quality {
    /// The largest error of an equation relative to the largest right side, in balanced units.
    pub residual: f64,
    /// How many times the solution was corrected.
    pub refinements: u32,
    /// Pivots that vanish or have the wrong sign: rows that say nothing new, unknowns that nothing
    /// holds, directions in which the energy is not least. A hint, not the rank: now and then a
    /// pivot vanishes only for the order of elimination. Always 0 with [`General`].
    pub regularised: usize,
}

/// Where the entries of a matrix are: by column, each once.
#[derive(Debug, Default)]
struct Pattern {
    /// By column, where its entries begin; one more at the end.
    start: Vec<u32>,
    row: Vec<u32>,
    /// By given entry, its place.
    slots: Vec<usize>,
}

impl Pattern {
    /// The entries, and the diagonal too if `diagonal`.
    fn new(size: usize, entries: &[(usize, usize)], diagonal: bool) -> Result<Self, SparseError> {
        if size >= i32::MAX as usize || entries.len() >= i32::MAX as usize - size {
            return Err(SparseError::TooLarge);
        }
        let mut keys = Vec::with_capacity(entries.len() + size);
        for (at, &(row, column)) in entries.iter().enumerate() {
            if row >= size || column >= size {
                return Err(SparseError::Outside { row, column });
            }
            keys.push((column as u32, row as u32, at));
        }
        if diagonal {
            keys.extend((0..size as u32).map(|i| (i, i, usize::MAX)));
        }
        keys.sort_unstable();
        let mut made = Self { slots: vec![0; entries.len()], ..Self::default() };
        made.start = vec![0; size + 1];
        let mut last = None;
        for (column, row, at) in keys {
            if last != Some((column, row)) {
                last = Some((column, row));
                made.row.push(row);
                made.start[column as usize + 1] = made.row.len() as u32;
            }
            if let Some(slot) = made.slots.get_mut(at) {
                *slot = made.row.len() - 1;
            }
        }
        for column in 0..size {
            made.start[column + 1] = made.start[column + 1].max(made.start[column]);
        }
        Ok(made)
    }

    fn range(&self, column: usize) -> std::ops::Range<usize> {
        self.start[column] as usize..self.start[column + 1] as usize
    }
}

/// The power of two next to 1/√(x²) or so: 2^−(exponent of x), halved if `root`. 1 for zero.
fn inverse_power(x: f64, root: bool) -> f64 {
    if x == 0.0 {
        return 1.0;
    }
    let exponent = ((x.to_bits() >> 52) & 0x7ff) as i64 - 1023;
    let power = if root { -(exponent >> 1) } else { -exponent };
    f64::from_bits(((power.clamp(-1000, 1000) + 1023) as u64) << 52)
}

/// Working memory that is kept.
fn memory(needs: StackReq) -> Result<MemBuffer, SparseError> {
    MemBuffer::try_new(needs).map_err(|_| SparseError::TooLarge)
}
