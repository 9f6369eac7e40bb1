//! Which rows say what others said before.

use faer::Mat;

use super::SparseError;

/// Parts of a system with more rows than this get no singular values: they cost too much.
pub const SINGULAR_VALUES_UP_TO: usize = 400;

/// A row that earlier ones make up.
#[derive(Clone, Debug, PartialEq)]
pub struct Dependence {
    /// Which row.
    pub row: usize,
    /// Earlier, independent rows with their factors, whose sum it is. None for a row of zeros.
    pub combination: Vec<(usize, f64)>,
    /// What of it they do not make up, relative to its length.
    pub rest: f64,
}

/// A report on the rows of a matrix: which are independent of the ones before, and what the others
/// repeat. Rows are orthogonalised one by one, twice each, separately for parts of the matrix that
/// share no column; the cost of a part of r rows and c columns is r² c.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Independence {
    /// Rows that are independent of all earlier ones, in order.
    pub independent: Vec<usize>,
    /// The others, in order.
    pub dependent: Vec<Dependence>,
    /// Singular values, largest first; none if a part has more than [`SINGULAR_VALUES_UP_TO`] rows.
    pub singular: Option<Vec<f64>>,
}

impl Independence {
    /// Of `m` rows of `n` columns with entries (row, column, value), those for the same place
    /// added. A row is dependent if earlier ones make it up but for `tolerance` of its length:
    /// its columns should have like units.
    pub fn new(
        m: usize,
        n: usize,
        entries: &[(usize, usize, f64)],
        tolerance: f64,
    ) -> Result<Self, SparseError> {
        let mut rows: Vec<Vec<(usize, f64)>> = vec![Vec::new(); m];
        for &(row, column, value) in entries {
            if row >= m || column >= n {
                return Err(SparseError::Outside { row, column });
            }
            if !value.is_finite() {
                return Err(SparseError::NotFinite);
            }
            rows[row].push((column, value));
        }
        let mut found = Self { singular: Some(Vec::new()), ..Self::default() };
        for part in parts(n, &rows) {
            found.examine(&part, &rows, tolerance)?;
        }
        found.independent.sort_unstable();
        found.dependent.sort_by_key(|dependence| dependence.row);
        if let Some(singular) = &mut found.singular {
            singular.sort_by(|a, b| b.total_cmp(a));
            singular.resize(m.min(n), 0.0);
        }
        Ok(found)
    }

    /// How many rows are independent.
    pub fn rank(&self) -> usize {
        self.independent.len()
    }

    /// Goes through the rows of a part that hangs together.
    fn examine(
        &mut self,
        part: &[usize],
        rows: &[Vec<(usize, f64)>],
        tolerance: f64,
    ) -> Result<(), SparseError> {
        let mut columns: Vec<usize> =
            part.iter().flat_map(|row| &rows[*row]).map(|(column, _)| *column).collect();
        columns.sort_unstable();
        columns.dedup();
        let dense: Vec<Vec<f64>> = part
            .iter()
            .map(|row| {
                let mut made = vec![0.0; columns.len()];
                for (column, value) in &rows[*row] {
                    made[columns.partition_point(|other| other < column)] += value;
                }
                made
            })
            .collect();
        // Row kept[j] is Σ r[j][i] q[i] over i ≤ j.
        let (mut q, mut r) = (Vec::<Vec<f64>>::new(), Vec::<Vec<f64>>::new());
        let mut kept = Vec::new();
        for (row, given) in part.iter().zip(&dense) {
            let size = length(given);
            if !size.is_finite() {
                return Err(SparseError::NotFinite);
            }
            let mut rest = given.clone();
            let mut along = vec![0.0; q.len()];
            for _ in 0..2 {
                for (q, along) in q.iter().zip(&mut along) {
                    let dot: f64 = q.iter().zip(&rest).map(|(q, x)| q * x).sum();
                    if dot != 0.0 {
                        *along += dot;
                        rest.iter_mut().zip(q).for_each(|(x, q)| *x -= dot * q);
                    }
                }
            }
            let left = length(&rest);
            if left > tolerance * size {
                rest.iter_mut().for_each(|x| *x /= left);
                along.push(left);
                q.push(rest);
                r.push(along);
                kept.push((*row, size));
                self.independent.push(*row);
                continue;
            }
            let mut combination = Vec::new();
            for i in (0..kept.len()).rev() {
                let factor = along[i] / r[i][i];
                if factor.abs() * kept[i].1 > tolerance * size {
                    combination.push((kept[i].0, factor));
                    along.iter_mut().zip(&r[i]).for_each(|(along, r)| *along -= factor * r);
                }
            }
            combination.reverse();
            let rest = if size > 0.0 { left / size } else { 0.0 };
            self.dependent.push(Dependence { row: *row, combination, rest });
        }
        if part.len() > SINGULAR_VALUES_UP_TO {
            self.singular = None;
        } else if let Some(singular) = &mut self.singular
            && !columns.is_empty()
        {
            let matrix = Mat::from_fn(dense.len(), columns.len(), |i, j| dense[i][j]);
            singular.extend(matrix.singular_values().map_err(|_| SparseError::NotFinite)?);
        }
        Ok(())
    }
}

/// The rows by part: two rows are of one part if they share a column.
fn parts(n: usize, rows: &[Vec<(usize, f64)>]) -> Vec<Vec<usize>> {
    let mut parent: Vec<usize> = (0..n).collect();
    fn root(parent: &mut [usize], mut at: usize) -> usize {
        while parent[at] != at {
            parent[at] = parent[parent[at]];
            at = parent[at];
        }
        at
    }
    for row in rows {
        for pair in row.windows(2) {
            let (a, b) = (root(&mut parent, pair[0].0), root(&mut parent, pair[1].0));
            parent[a.max(b)] = a.min(b);
        }
    }
    let mut part_of = vec![usize::MAX; n];
    let mut found: Vec<Vec<usize>> = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        let Some((column, _)) = row.first() else {
            found.push(vec![at]);
            continue;
        };
        let root = root(&mut parent, *column);
        if part_of[root] == usize::MAX {
            part_of[root] = found.len();
            found.push(Vec::new());
        }
        found[part_of[root]].push(at);
    }
    found
}

fn length(row: &[f64]) -> f64 {
    let most = super::refine::largest(row);
    if most == 0.0 {
        return 0.0;
    }
    most * row.iter().map(|x| (x / most) * (x / most)).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_independent_or_made_up_of_others() {
        let mut entries = vec![(0, 0, 1.0), (0, 1, 2.0), (1, 1, 1.0), (1, 2, -1.0), (3, 4, 5.0)];
        // Row 2 = 3 row 0 − 2 row 1; row 4 nothing; row 5 = row 3 but for 1e-9; row 6 new.
        entries.extend([(2, 0, 3.0), (2, 1, 6.0), (2, 1, -2.0), (2, 2, 2.0)]);
        entries.extend([(5, 4, 5.0), (5, 3, 5e-9), (6, 3, 1.0), (6, 4, 1.0)]);
        let found = Independence::new(7, 5, &entries, 1e-8).unwrap();
        assert_eq!(found.independent, [0, 1, 3, 6]);
        assert_eq!(found.rank(), 4);
        let rows: Vec<usize> = found.dependent.iter().map(|d| d.row).collect();
        assert_eq!(rows, [2, 4, 5]);
        let combination = &found.dependent[0].combination;
        assert_eq!(combination.iter().map(|c| c.0).collect::<Vec<_>>(), [0, 1]);
        assert!((combination[0].1 - 3.0).abs() < 1e-12 && (combination[1].1 + 2.0).abs() < 1e-12);
        assert!(found.dependent[1].combination.is_empty());
        assert!((found.dependent[2].rest - 1e-9).abs() < 1e-15);
        let singular = found.singular.unwrap();
        assert_eq!(singular.len(), 5);
        assert!(singular.is_sorted_by(|a, b| a >= b));
        let squares: f64 = singular.iter().map(|s| s * s).sum();
        let wanted = 5.0 + 2.0 + (9.0 + 16.0 + 4.0) + 25.0 + 25.0 + 2.0;
        assert!((squares - wanted).abs() < 1e-9 && singular[4] < 1e-9, "{singular:?}");
        assert_eq!(Independence::new(7, 5, &entries, 1e-11).unwrap().independent, [0, 1, 3, 5]);
        assert!(Independence::new(1, 1, &[(0, 0, f64::NAN)], 1e-9).is_err());
        assert!(Independence::new(1, 1, &[(0, 1, 1.0)], 1e-9).is_err());
        assert_eq!(Independence::new(0, 0, &[], 1e-9).unwrap().rank(), 0);
    }
}
