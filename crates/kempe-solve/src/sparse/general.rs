//! A square matrix of any kind.

use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::sparse::linalg::LuError;
use faer::sparse::linalg::lu::{
    LuRef, LuSymbolicParams, NumericLu, SymbolicLu, factorize_symbolic_lu,
};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMat};
use faer::{Conj, MatMut, Par};

use super::refine::{Measure, Refiner, System, largest};
use super::saddle::check_length;
use super::{Pattern, Quality, SparseError, inverse_power, memory};

/// A square sparse matrix that need not be symmetric, solved by L U with exchange of rows. Rows and
/// columns are balanced by powers of two. The order of the columns is kept while the pattern stays.
#[derive(Debug)]
pub struct General {
    /// Only the slots of it: the rest is in `inner`.
    slots: Vec<usize>,
    values: Vec<f64>,
    row_scale: Vec<f64>,
    column_scale: Vec<f64>,
    refiner: Refiner,
    factored: bool,
    inner: Inner,
}

struct Inner {
    pattern: SymbolicSparseColMat<u32>,
    balanced: Vec<f64>,
    symbolic: SymbolicLu<u32>,
    factors: NumericLu<u32, f64>,
    buffer: MemBuffer,
}

impl std::fmt::Debug for Inner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Inner").field("entries", &self.balanced.len()).finish_non_exhaustive()
    }
}

impl General {
    /// `n` unknowns and equations; `entries` are (row, column), in any order and repeated at will.
    pub fn new(n: usize, entries: &[(usize, usize)]) -> Result<Self, SparseError> {
        let Pattern { start, row, slots } = Pattern::new(n, entries, false)?;
        let pattern = SymbolicSparseColMat::new_checked(n, n, start, None, row);
        let symbolic = factorize_symbolic_lu(pattern.as_ref(), LuSymbolicParams::default())
            .map_err(|_| SparseError::TooLarge)?;
        let needs = StackReq::or(
            symbolic.factorize_numeric_lu_scratch::<f64>(Par::Seq, Default::default()),
            symbolic.solve_in_place_scratch::<f64>(1, Par::Seq),
        );
        let count = pattern.row_idx().len();
        Ok(Self {
            slots,
            values: vec![0.0; count],
            row_scale: vec![0.0; n],
            column_scale: vec![0.0; n],
            refiner: Refiner::new(n),
            factored: false,
            inner: Inner {
                pattern,
                balanced: vec![0.0; count],
                symbolic,
                factors: NumericLu::new(),
                buffer: memory(needs)?,
            },
        })
    }

    /// How many unknowns there are.
    pub fn size(&self) -> usize {
        self.row_scale.len()
    }

    /// By entry given to [`new`](Self::new), where its value is: `values_mut()[slots()[i]] += ..`
    pub fn slots(&self) -> &[usize] {
        &self.slots
    }

    /// The values of the matrix; zero at first.
    pub fn values_mut(&mut self) -> &mut [f64] {
        self.factored = false;
        &mut self.values
    }

    /// The slots and the values together, for assembly.
    pub fn assembly(&mut self) -> (&[usize], &mut [f64]) {
        self.factored = false;
        (&self.slots, &mut self.values)
    }

    /// Sets all values to zero.
    pub fn clear(&mut self) {
        self.factored = false;
        self.values.fill(0.0);
    }

    /// Balances and factors the matrix. A singular one is an error here or, if only rounding keeps
    /// it from being found out, when solving.
    pub fn factor(&mut self) -> Result<(), SparseError> {
        self.factored = false;
        self.balance()?;
        if self.size() == 0 {
            self.factored = true;
            return Ok(());
        }
        let Inner { pattern, balanced, symbolic, factors, buffer } = &mut self.inner;
        let found = symbolic.factorize_numeric_lu(
            factors,
            SparseColMatRef::new(pattern.as_ref(), &balanced[..]),
            Par::Seq,
            MemStack::new(buffer),
            Default::default(),
        );
        match found {
            Ok(_) => {}
            Err(LuError::SymbolicSingular { .. }) => return Err(SparseError::Singular),
            Err(LuError::Generic(_)) => return Err(SparseError::TooLarge),
        }
        // A pivot of zero is not reported: it leaves infinities behind, which a solve brings up.
        self.refiner.z.fill(1.0);
        self.inner.back(&mut self.refiner.z);
        if !largest(&self.refiner.z).is_finite() {
            return Err(SparseError::Singular);
        }
        self.factored = true;
        Ok(())
    }

    /// Solves for the right side, in place.
    pub fn solve(&mut self, rhs: &mut [f64]) -> Result<Quality, SparseError> {
        check_length(rhs.len(), self.size())?;
        if !self.factored {
            return Err(SparseError::NotFactored);
        }
        if !largest(rhs).is_finite() {
            return Err(SparseError::NotFinite);
        }
        for ((b, value), scale) in self.refiner.b.iter_mut().zip(&*rhs).zip(&self.row_scale) {
            *b = value * scale;
        }
        let found = self.refiner.solve(&mut self.inner);
        if !matches!(found, Ok(_) | Err(SparseError::Residual { .. })) {
            return found;
        }
        for ((out, z), scale) in rhs.iter_mut().zip(&self.refiner.z).zip(&self.column_scale) {
            *out = z * scale;
        }
        if largest(rhs).is_finite() { found } else { Err(SparseError::Overflow) }
    }

    /// The matrix as assembled times `x`. Both have one number for each unknown.
    pub fn multiply(&self, x: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        let (start, rows) = (self.inner.pattern.col_ptr(), self.inner.pattern.row_idx());
        for (column, x) in x.iter().enumerate() {
            for slot in start[column] as usize..start[column + 1] as usize {
                out[rows[slot] as usize] += self.values[slot] * x;
            }
        }
    }

    /// The largest entry of each row, then of each column, 1 to 2.
    fn balance(&mut self) -> Result<(), SparseError> {
        if !largest(&self.values).is_finite() {
            return Err(SparseError::NotFinite);
        }
        let (start, rows) = (self.inner.pattern.col_ptr(), self.inner.pattern.row_idx());
        self.row_scale.fill(0.0);
        for (row, value) in rows.iter().zip(&self.values) {
            let most = &mut self.row_scale[*row as usize];
            *most = most.max(value.abs());
        }
        self.row_scale.iter_mut().for_each(|scale| *scale = inverse_power(*scale, false));
        for (column, scale) in self.column_scale.iter_mut().enumerate() {
            let range = start[column] as usize..start[column + 1] as usize;
            for slot in range.clone() {
                self.inner.balanced[slot] = self.values[slot] * self.row_scale[rows[slot] as usize];
            }
            let balanced = &mut self.inner.balanced[range];
            *scale = inverse_power(largest(balanced), false);
            balanced.iter_mut().for_each(|value| *value *= *scale);
        }
        Ok(())
    }
}

impl System for Inner {
    fn residual(&self, z: &[f64], b: &[f64], out: &mut [f64]) {
        out.copy_from_slice(b);
        let (start, rows) = (self.pattern.col_ptr(), self.pattern.row_idx());
        for (column, x) in z.iter().enumerate() {
            let range = start[column] as usize..start[column + 1] as usize;
            for (row, value) in rows[range.clone()].iter().zip(&self.balanced[range]) {
                out[*row as usize] -= value * x;
            }
        }
    }

    fn back(&mut self, v: &mut [f64]) {
        let size = v.len();
        if size == 0 {
            return;
        }
        LuRef::new_unchecked(&self.symbolic, &self.factors).solve_in_place_with_conj(
            Conj::No,
            MatMut::from_column_major_slice_mut(v, size, 1),
            Par::Seq,
            MemStack::new(&mut self.buffer),
        );
    }

    fn measure(&self, residual: &[f64], z: &[f64], b: &[f64]) -> Measure {
        Measure::new(largest(residual), largest(b), largest(z))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sparse::tests::{assert_close, dense_solve, random, wave};

    fn general(n: usize, entries: &[(usize, usize, f64)]) -> General {
        let places: Vec<_> = entries.iter().map(|e| (e.0, e.1)).collect();
        let mut made = General::new(n, &places).unwrap();
        let (slots, values) = made.assembly();
        slots.iter().zip(entries).for_each(|(slot, entry)| values[*slot] += entry.2);
        made
    }

    #[test]
    fn matrices_without_symmetry_are_solved() {
        let (n, mut seed) = (60, 4);
        let mut entries = Vec::new();
        for i in 0..n {
            entries.push((i, (i + 7) % n, 1e6 * (2.0 + random(&mut seed))));
            for _ in 0..3 {
                let column = (random(&mut seed).abs() * n as f64) as usize % n;
                entries.push((i, column, random(&mut seed)));
            }
        }
        let mut dense = vec![vec![0.0; n]; n];
        entries.iter().for_each(|e| dense[e.0][e.1] += e.2);
        let mut made = general(n, &entries);
        assert_eq!(made.solve(&mut wave(n)), Err(SparseError::NotFactored));
        made.factor().unwrap();
        let mut z = wave(n);
        assert!(made.solve(&mut z).unwrap().residual < 1e-14);
        assert_close(&z, &dense_solve(dense, wave(n)), 1e-10);
        let mut product = vec![0.0; n];
        made.multiply(&z, &mut product);
        assert_close(&product, &wave(n), 1e-12);
    }

    #[test]
    fn singular_matrices_are_found_out() {
        // Zero by value, by pattern, and rows that repeat.
        let zero = [(0, 0, 1.0), (1, 1, 0.0)];
        let equal = [(0, 0, 1.0), (0, 1, 2.0), (1, 0, 2.0), (1, 1, 4.0)];
        for entries in [&zero[..], &zero[..1], &equal[..]] {
            assert_eq!(general(2, entries).factor(), Err(SparseError::Singular), "{entries:?}");
        }
        let mut bad = general(2, &[(0, 0, f64::NAN), (1, 1, 1.0)]);
        assert_eq!(bad.factor(), Err(SparseError::NotFinite));
    }
}
