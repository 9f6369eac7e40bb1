//! Masses and stiffnesses under constraints.

use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::linalg::cholesky::ldlt::factor::{LdltInfo, LdltRegularization};
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, LdltRef, SymbolicCholesky, SymbolicCholeskyRaw, SymmetricOrdering,
    factorize_symbolic_cholesky, simplicial, supernodal,
};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMat, SymbolicSparseColMatRef};
use faer::{Conj, MatMut, Par, Side};

use super::order::order;
use super::refine::{Measure, Refiner, System, largest};
use super::{Pattern, Quality, SparseError, inverse_power, memory};

/// What each balanced row gives way, so that rows which say the same share their load: 2⁻³⁴.
const GIVE: f64 = 1.0 / (1_u64 << 34) as f64;
/// A balanced pivot less than this counts as none, ...
const LOST: f64 = 1.0 / (1_u64 << 46) as f64;
/// ... and this takes its place.
const REPLACED: f64 = 1.0 / (1_u64 << 26) as f64;

/// The system of `n` unknowns x under `m` rows with multipliers y:
///
/// ```text
/// [ A   Jᵀ ] [x]   [f]
/// [ J  −E  ] [y] = [g]
/// ```
///
/// A is symmetric and mostly positive; the rows of J may repeat each other; E ≥ 0 is mostly zero.
/// The units are balanced by powers of two. Rows that say the same share y; what that and lost
/// pivots change is corrected against the matrix as it was given.
#[derive(Debug)]
pub struct Saddle {
    n: usize,
    lower: Pattern,
    values: Vec<f64>,
    /// By slot, its place in `balanced`.
    place: Vec<u32>,
    /// By place in the order of elimination, which unknown.
    order: Vec<u32>,
    scale: Vec<f64>,
    refiner: Refiner,
    factored: Option<usize>,
    inner: Inner,
}

/// The balanced matrix in the order of elimination, and its factors.
struct Inner {
    pattern: SymbolicSparseColMat<u32>,
    balanced: Vec<f64>,
    /// By place, + for x and − for y.
    signs: Vec<i8>,
    symbolic: SymbolicCholesky<u32>,
    factors: Vec<f64>,
    buffer: MemBuffer,
}

impl std::fmt::Debug for Inner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Inner").field("factors", &self.factors.len()).finish_non_exhaustive()
    }
}

impl Saddle {
    /// `n` unknowns, three to a body, and `m` rows. `entries` are (row, column) of the lower
    /// triangle of the whole matrix, in any order and repeated at will.
    pub fn new(n: usize, m: usize, entries: &[(usize, usize)]) -> Result<Self, SparseError> {
        Self::with_blocks(n, m, entries, 3)
    }

    /// As [`new`](Self::new) with bodies of `block` freedoms. That only steers the order of
    /// elimination: anything is solved with any.
    pub fn with_blocks(
        n: usize,
        m: usize,
        entries: &[(usize, usize)],
        block: usize,
    ) -> Result<Self, SparseError> {
        let size = n.checked_add(m).ok_or(SparseError::TooLarge)?;
        if let Some(&(row, column)) = entries.iter().find(|(row, column)| row < column) {
            return Err(SparseError::Outside { row, column });
        }
        let lower = Pattern::new(size, entries, true)?;
        let order = order(n, m, block.max(1), &lower)?;
        let mut at = vec![0; size];
        for (place, unknown) in order.iter().enumerate() {
            at[*unknown as usize] = place;
        }
        let mut pairs = Vec::with_capacity(lower.row.len());
        for column in 0..size {
            for slot in lower.range(column) {
                let (a, b) = (at[column], at[lower.row[slot] as usize]);
                pairs.push((a.min(b), a.max(b)));
            }
        }
        let mut permuted = Pattern::new(size, &pairs, false)?;
        let symbolic = factorize_symbolic_cholesky(
            SymbolicSparseColMatRef::new_checked(size, size, &permuted.start, None, &permuted.row),
            Side::Upper,
            SymmetricOrdering::Identity,
            CholeskySymbolicParams::default(),
        )
        .map_err(|_| SparseError::TooLarge)?;
        if let SymbolicCholeskyRaw::Supernodal(_) = symbolic.raw() {
            pairs.iter_mut().for_each(|pair| *pair = (pair.1, pair.0));
            permuted = Pattern::new(size, &pairs, false)?;
        }
        let needs = StackReq::or(
            symbolic.factorize_numeric_ldlt_scratch::<f64>(Par::Seq, Default::default()),
            symbolic.solve_in_place_scratch::<f64>(1, Par::Seq),
        );
        let signs = order.iter().map(|unknown| if (*unknown as usize) < n { 1 } else { -1 });
        let inner = Inner {
            balanced: vec![0.0; permuted.row.len()],
            signs: signs.collect(),
            factors: vec![0.0; symbolic.len_val()],
            buffer: memory(needs)?,
            symbolic,
            pattern: SymbolicSparseColMat::new_checked(
                size,
                size,
                permuted.start,
                None,
                permuted.row,
            ),
        };
        Ok(Self {
            n,
            values: vec![0.0; lower.row.len()],
            place: permuted.slots.into_iter().map(|slot| slot as u32).collect(),
            lower,
            order,
            scale: vec![0.0; size],
            refiner: Refiner::new(size),
            factored: None,
            inner,
        })
    }

    /// How many unknowns and rows there are together.
    pub fn size(&self) -> usize {
        self.order.len()
    }

    /// By entry given to [`new`](Self::new), where its value is: `values_mut()[slots()[i]] += ..`
    pub fn slots(&self) -> &[usize] {
        &self.lower.slots
    }

    /// The values of the matrix; zero at first.
    pub fn values_mut(&mut self) -> &mut [f64] {
        self.factored = None;
        &mut self.values
    }

    /// The slots and the values together, for assembly.
    pub fn assembly(&mut self) -> (&[usize], &mut [f64]) {
        self.factored = None;
        (&self.lower.slots, &mut self.values)
    }

    /// Sets all values to zero.
    pub fn clear(&mut self) {
        self.factored = None;
        self.values.fill(0.0);
    }

    /// Balances and factors the matrix.
    pub fn factor(&mut self) -> Result<(), SparseError> {
        self.factored = None;
        self.balance()?;
        self.factored = Some(self.inner.factor()?);
        Ok(())
    }

    /// Of the matrix as it was last factored, the pivots that vanish or have the wrong sign, as in
    /// [`Quality`]; 0 if it was not.
    pub fn regularised(&self) -> usize {
        self.factored.unwrap_or(0)
    }

    /// Solves for the right side, in place. Where the rows contradict each other the error says so,
    /// and x is as close to all of them as can be.
    pub fn solve(&mut self, rhs: &mut [f64]) -> Result<Quality, SparseError> {
        check_length(rhs.len(), self.size())?;
        let regularised = self.factored.ok_or(SparseError::NotFactored)?;
        if !largest(rhs).is_finite() {
            return Err(SparseError::NotFinite);
        }
        for (b, unknown) in self.refiner.b.iter_mut().zip(&self.order) {
            *b = rhs[*unknown as usize] * self.scale[*unknown as usize];
        }
        let found = self.refiner.solve(&mut self.inner);
        if !matches!(found, Ok(_) | Err(SparseError::Residual { .. })) {
            return found;
        }
        let mut finite = true;
        for (z, unknown) in self.refiner.z.iter().zip(&self.order) {
            let x = z * self.scale[*unknown as usize];
            finite &= x.is_finite();
            rhs[*unknown as usize] = x;
        }
        if !finite {
            return Err(SparseError::Overflow);
        }
        found.map(|quality| Quality { regularised, ..quality })
    }

    /// The matrix as assembled times `x`. Both have one number for each unknown and row.
    pub fn multiply(&self, x: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        for column in 0..self.size() {
            for slot in self.lower.range(column) {
                let (row, value) = (self.lower.row[slot] as usize, self.values[slot]);
                out[row] += value * x[column];
                if row != column {
                    out[column] += value * x[row];
                }
            }
        }
    }

    /// Diagonal 1 to 4 for unknowns, largest entry 1 to 2 for rows.
    fn balance(&mut self) -> Result<(), SparseError> {
        let (lower, values, scale) = (&self.lower, &self.values, &mut self.scale);
        let mut bad = 0.0;
        for (column, scale) in scale.iter_mut().enumerate().take(self.n) {
            // The diagonal is always there, and first.
            let diagonal = values[lower.start[column] as usize].abs();
            *scale = inverse_power(diagonal, true);
            if diagonal == 0.0 {
                *scale = inverse_power(largest(&values[lower.range(column)]), false);
            }
        }
        scale[self.n..].fill(0.0);
        for column in 0..self.n {
            let by = scale[column];
            for slot in lower.range(column) {
                let row = lower.row[slot] as usize;
                if row >= self.n {
                    scale[row] = scale[row].max((values[slot] * by).abs());
                }
            }
        }
        for (row, scale) in scale.iter_mut().enumerate().skip(self.n) {
            let own = values[lower.start[row] as usize].abs();
            *scale = inverse_power(if own == 0.0 { *scale } else { scale.max(own.sqrt()) }, false);
        }
        for (column, by) in scale.iter().enumerate() {
            for slot in lower.range(column) {
                let value = values[slot] * by * scale[lower.row[slot] as usize];
                bad += value * 0.0;
                self.inner.balanced[self.place[slot] as usize] = value;
            }
            if column >= self.n {
                self.inner.balanced[self.place[lower.start[column] as usize] as usize] -= GIVE;
            }
        }
        if bad == 0.0 { Ok(()) } else { Err(SparseError::NotFinite) }
    }
}

pub(super) fn check_length(found: usize, wanted: usize) -> Result<(), SparseError> {
    if found == wanted { Ok(()) } else { Err(SparseError::Length { found, wanted }) }
}

impl Inner {
    /// Factors, and says how many pivots are not what they should be.
    fn factor(&mut self) -> Result<usize, SparseError> {
        if self.attempt(true)? > 0 {
            // A pivot of the wrong sign is not wrong: without asking for signs the factors are
            // those of the matrix. Only what vanishes has to be replaced.
            self.attempt(false)?;
        }
        Ok(self.odd())
    }

    fn attempt(&mut self, signed: bool) -> Result<usize, SparseError> {
        let matrix = SparseColMatRef::new(self.pattern.as_ref(), &self.balanced[..]);
        let rule = LdltRegularization {
            dynamic_regularization_signs: signed.then_some(&self.signs[..]),
            dynamic_regularization_delta: REPLACED,
            dynamic_regularization_epsilon: LOST,
        };
        let stack = MemStack::new(&mut self.buffer);
        let found = match self.symbolic.raw() {
            SymbolicCholeskyRaw::Simplicial(symbolic) => {
                simplicial::factorize_simplicial_numeric_ldlt(
                    &mut self.factors,
                    matrix,
                    rule,
                    symbolic,
                    stack,
                )
            }
            SymbolicCholeskyRaw::Supernodal(symbolic) => {
                supernodal::factorize_supernodal_numeric_ldlt(
                    &mut self.factors,
                    matrix,
                    rule,
                    symbolic,
                    Par::Seq,
                    stack,
                    Default::default(),
                )
            }
        };
        match found {
            Ok(LdltInfo { dynamic_regularization_count }) => Ok(dynamic_regularization_count),
            Err(_) => Err(SparseError::Singular),
        }
    }

    /// How many pivots vanish but for what replaces them, or have the wrong sign. That of a row
    /// made up of others is what they give way times the squares of their factors.
    fn odd(&self) -> usize {
        let lost = |place: usize, d: f64| {
            let size = d * f64::from(self.signs[place]);
            size <= if self.signs[place] < 0 { 64.0 * GIVE } else { LOST } || size == REPLACED
        };
        match self.symbolic.raw() {
            SymbolicCholeskyRaw::Simplicial(symbolic) => {
                let starts = symbolic.col_ptr().iter().take(self.signs.len());
                let pivots = starts.map(|start| self.factors[*start as usize]);
                pivots.enumerate().filter(|(place, d)| lost(*place, *d)).count()
            }
            SymbolicCholeskyRaw::Supernodal(symbolic) => {
                let factors = supernodal::SupernodalLdltRef::new(symbolic, &self.factors);
                let count = |s: usize| {
                    let node = factors.supernode(s);
                    let (first, val) = (node.start(), node.val());
                    (0..val.ncols()).filter(|i| lost(first + i, val[(*i, *i)])).count()
                };
                (0..symbolic.n_supernodes()).map(count).sum()
            }
        }
    }
}

impl System for Inner {
    fn residual(&self, z: &[f64], b: &[f64], out: &mut [f64]) {
        out.copy_from_slice(b);
        let (start, rows) = (self.pattern.col_ptr(), self.pattern.row_idx());
        for (column, sign) in self.signs.iter().enumerate() {
            let range = start[column] as usize..start[column + 1] as usize;
            let x = z[column];
            let mut sum = if *sign < 0 { GIVE * x } else { 0.0 };
            for (row, value) in rows[range.clone()].iter().zip(&self.balanced[range]) {
                let row = *row as usize;
                sum += value * z[row];
                if row != column {
                    out[row] -= value * x;
                }
            }
            out[column] -= sum;
        }
    }

    fn regularised(&self, z: &[f64], b: &[f64], out: &mut [f64]) {
        self.residual(z, b, out);
        let rows = out.iter_mut().zip(z).zip(&self.signs).filter(|(_, sign)| **sign < 0);
        rows.for_each(|((out, z), _)| *out += GIVE * z);
    }

    fn back(&mut self, v: &mut [f64]) {
        let size = v.len();
        LdltRef::new(&self.symbolic, &self.factors).solve_in_place_with_conj(
            Conj::No,
            MatMut::from_column_major_slice_mut(v, size, 1),
            Par::Seq,
            MemStack::new(&mut self.buffer),
        );
    }

    /// Unknowns next to forces, rows next to motions and to those without any rows.
    fn measure(&self, residual: &[f64], z: &[f64], b: &[f64]) -> Measure {
        let (mut r, mut x, mut f) = ([0.0; 2], [0.0; 2], [0.0; 2]);
        let most = |most: &mut f64, x: f64| {
            if !(most.is_nan() || x.abs() <= *most) {
                *most = x.abs();
            }
        };
        for (place, sign) in self.signs.iter().enumerate() {
            let part = usize::from(*sign < 0);
            most(&mut r[part], residual[place]);
            most(&mut x[part], z[place]);
            most(&mut f[part], b[place]);
        }
        let right = f[0] + f[1];
        Measure::new(r[0], right, x[0] + x[1]).worse(Measure::new(r[1], right, x[0]))
    }
}
