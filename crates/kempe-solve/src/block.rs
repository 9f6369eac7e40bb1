//! The small symmetric system of one joint's rows.
//!
//! K = J M⁻¹ Jᵀ is symmetric and positive semidefinite. Redundant rows, or bodies that nothing
//! moves, make it singular; then a row that the ones before it determine gets no impulse. The
//! factorisation is K = L D Lᵀ in the order of the rows, with a pivot that is lost to rounding set
//! aside: its row of K⁻¹ is zero. Nothing divides by zero and nothing grows without bound.

/// The factors of a symmetric matrix of up to `N` rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Block<const N: usize> {
    rows: usize,
    /// L below the diagonal, 1/D on it (0 for a pivot that was set aside).
    factors: [[f64; N]; N],
}

/// A pivot this much smaller than its diagonal entry is rounding.
const LOST: f64 = 1e-12;

impl<const N: usize> Block<N> {
    /// Factors the leading `rows` by `rows` part of `matrix`, of which the lower triangle is read.
    /// More rows than `N` are not there.
    pub fn new(matrix: &[[f64; N]; N], rows: usize) -> Self {
        let rows = rows.min(N);
        let mut factors = [[0.0; N]; N];
        for i in 0..rows {
            for j in 0..i {
                factors[i][j] = (matrix[i][j] - settled(&factors, i, j)) * factors[j][j];
            }
            let pivot = matrix[i][i] - settled(&factors, i, i);
            let kept = pivot > LOST * matrix[i][i].abs() && pivot.is_finite();
            factors[i][i] = if kept { 1.0 / pivot } else { 0.0 };
        }
        Self { rows, factors }
    }

    /// How many rows are not set aside.
    pub fn rank(&self) -> usize {
        (0..self.rows).filter(|row| self.factors[*row][*row] != 0.0).count()
    }

    /// K⁻¹ times `right`, in place; rows that were set aside become zero.
    pub fn solve(&self, right: &mut [f64; N]) {
        for i in 0..self.rows {
            if self.factors[i][i] == 0.0 {
                right[i] = 0.0;
                continue;
            }
            for j in 0..i {
                right[i] -= self.factors[i][j] * right[j];
            }
        }
        for (i, value) in right.iter_mut().enumerate().take(self.rows) {
            *value *= self.factors[i][i];
        }
        for i in (0..self.rows).rev() {
            for j in i + 1..self.rows {
                right[i] -= self.factors[j][i] * right[j];
            }
            if self.factors[i][i] == 0.0 {
                right[i] = 0.0;
            }
        }
    }
}

/// Σ L_ik D_k L_jk over the columns before j, without those whose pivot was set aside.
fn settled<const N: usize>(factors: &[[f64; N]; N], i: usize, j: usize) -> f64 {
    let kept = (0..j).filter(|k| factors[*k][*k] != 0.0);
    kept.map(|k| factors[i][k] * factors[j][k] / factors[k][k]).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn product<const N: usize>(matrix: &[[f64; N]; N], x: &[f64; N]) -> [f64; N] {
        std::array::from_fn(|i| (0..N).map(|j| matrix[i][j] * x[j]).sum())
    }

    /// J Jᵀ of rows that are not orthogonal.
    fn gram<const N: usize, const M: usize>(j: &[[f64; M]; N]) -> [[f64; N]; N] {
        std::array::from_fn(|a| std::array::from_fn(|b| (0..M).map(|k| j[a][k] * j[b][k]).sum()))
    }

    #[test]
    fn solves_what_is_regular() {
        let k = gram(&[
            [1.0, 2.0, 0.5, -1.0, 0.3],
            [0.2, 1.0, 3.0, 0.7, -0.4],
            [1.5, -0.3, 0.8, 1.1, 2.0],
            [0.1, 0.4, -0.6, 2.2, 0.9],
        ]);
        let block = Block::new(&k, 4);
        assert_eq!(block.rank(), 4);
        let b = [1.0, -2.0, 0.5, 3.0];
        let mut x = b;
        block.solve(&mut x);
        for (found, wanted) in product(&k, &x).iter().zip(b) {
            assert!((found - wanted).abs() < 1e-12, "{found} {wanted}");
        }
    }

    #[test]
    fn a_repeated_row_gets_nothing() {
        let k = gram(&[[1.0, 2.0, 0.5], [1.0, 2.0, 0.5], [0.3, -1.0, 2.0]]);
        let block = Block::new(&k, 3);
        assert_eq!(block.rank(), 2);
        let mut x = [1.0, 1.0, 2.0];
        block.solve(&mut x);
        assert_eq!(x[1], 0.0);
        for (found, wanted) in product(&k, &x).iter().zip([1.0, 1.0, 2.0]) {
            assert!((found - wanted).abs() < 1e-12, "a consistent right side is met");
        }
    }

    #[test]
    fn nothing_moves_gives_nothing() {
        let block = Block::<3>::new(&[[0.0; 3]; 3], 3);
        let mut x = [1.0, 2.0, 3.0];
        block.solve(&mut x);
        assert_eq!((block.rank(), x), (0, [0.0; 3]));
    }

    #[test]
    fn what_is_not_finite_gives_nothing() {
        let block = Block::<2>::new(&[[f64::NAN, 0.0], [0.0, f64::INFINITY]], 2);
        let mut x = [1.0, 1.0];
        block.solve(&mut x);
        assert_eq!(x, [0.0; 2]);
    }

    #[test]
    fn fewer_rows_than_room() {
        let mut k = [[0.0; 4]; 4];
        k[0][0] = 2.0;
        k[1][0] = 1.0;
        k[1][1] = 2.0;
        let block = Block::new(&k, 2);
        let mut x = [3.0, 3.0, 7.0, 7.0];
        block.solve(&mut x);
        assert!((x[0] - 1.0).abs() < 1e-15 && (x[1] - 1.0).abs() < 1e-15);
        assert_eq!(x[2..], [7.0, 7.0], "what is beyond is left alone");
    }
}
