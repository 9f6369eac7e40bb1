//! Small matrices, as a whole: the directions that rows leave, and the modes of symmetric matrices.

use faer::{Mat, Side};

use super::SparseError;

/// What the rows of a matrix leave free.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NullSpace {
    /// Singular values, largest first; as many as there are rows or columns, whichever is less.
    pub singular: Vec<f64>,
    /// How many of them are more than the tolerance times the largest.
    pub rank: usize,
    /// Orthonormal directions x with A x = 0, as many as there are columns less the rank.
    pub basis: Vec<Vec<f64>>,
}

impl NullSpace {
    /// Of rows of `n` numbers each, by singular values.
    ///
    /// # Errors
    /// If a row has another length, or a number is infinite or none.
    pub fn new(rows: &[Vec<f64>], n: usize, tolerance: f64) -> Result<Self, SparseError> {
        check(rows, n)?;
        let unit = |k: usize| (0..n).map(|i| if i == k { 1.0 } else { 0.0 }).collect();
        if rows.is_empty() || n == 0 {
            return Ok(Self { basis: (0..n).map(unit).collect(), ..Self::default() });
        }
        let matrix = Mat::from_fn(rows.len(), n, |i, j| rows[i][j]);
        let found = matrix.svd().map_err(|_| SparseError::NotFinite)?;
        let singular: Vec<f64> = found.S().column_vector().iter().copied().collect();
        let least = tolerance * singular.first().copied().unwrap_or(0.0);
        let rank = singular.iter().filter(|value| **value > least).count();
        let basis = (rank..n).map(|j| (0..n).map(|i| found.V()[(i, j)]).collect()).collect();
        Ok(Self { singular, rank, basis })
    }
}

/// Eigenvalues of a symmetric matrix in rising order, each with its vector of length 1. Only the lower
/// triangle is read.
///
/// # Errors
/// If it is not square, or a number is infinite or none.
pub fn symmetric_eigen(matrix: &[Vec<f64>]) -> Result<Vec<(f64, Vec<f64>)>, SparseError> {
    let n = matrix.len();
    check(matrix, n)?;
    if n == 0 {
        return Ok(Vec::new());
    }
    let matrix = Mat::from_fn(n, n, |i, j| matrix[i.max(j)][i.min(j)]);
    let found = matrix.self_adjoint_eigen(Side::Lower).map_err(|_| SparseError::NotFinite)?;
    let values = found.S().column_vector().iter().copied().enumerate();
    Ok(values.map(|(k, value)| (value, (0..n).map(|i| found.U()[(i, k)]).collect())).collect())
}

fn check(rows: &[Vec<f64>], n: usize) -> Result<(), SparseError> {
    if let Some(row) = rows.iter().find(|row| row.len() != n) {
        return Err(SparseError::Length { found: row.len(), wanted: n });
    }
    match rows.iter().flatten().all(|number| number.is_finite()) {
        true => Ok(()),
        false => Err(SparseError::NotFinite),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_rows_leave_is_orthogonal_to_them() {
        let rows =
            vec![vec![1.0, 2.0, 0.0, 1.0], vec![0.0, 1.0, 1.0, 0.0], vec![2.0, 5.0, 1.0, 2.0]];
        let found = NullSpace::new(&rows, 4, 1e-12).unwrap();
        assert_eq!((found.rank, found.basis.len(), found.singular.len()), (2, 2, 3));
        for (i, a) in found.basis.iter().enumerate() {
            for row in &rows {
                assert!(row.iter().zip(a).map(|(r, x)| r * x).sum::<f64>().abs() < 1e-14);
            }
            for (j, b) in found.basis.iter().enumerate() {
                let dot: f64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
                assert!((dot - f64::from(u8::from(i == j))).abs() < 1e-14);
            }
        }
        assert_eq!(NullSpace::new(&[], 2, 1e-9).unwrap().basis.len(), 2);
        assert!(NullSpace::new(&[vec![f64::NAN]], 1, 1e-9).is_err());
        assert!(NullSpace::new(&[vec![1.0]], 2, 1e-9).is_err());
    }

    #[test]
    fn eigenvalues_rise() {
        let found = symmetric_eigen(&[vec![2.0, 9.0], vec![-1.0, 2.0]]).unwrap();
        assert!((found[0].0 - 1.0).abs() < 1e-14 && (found[1].0 - 3.0).abs() < 1e-14);
        assert!((found[0].1[0] - found[0].1[1]).abs() < 1e-14);
        assert!(symmetric_eigen(&[vec![1.0, 2.0]]).is_err());
        assert!(symmetric_eigen(&[]).unwrap().is_empty());
    }
}
