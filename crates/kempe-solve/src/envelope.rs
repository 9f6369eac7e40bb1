//! A symmetric system of many rows, most of which have nothing to do with each other.
//!
//! The rows of an island's joints make K = J M⁻¹ Jᵀ, in which two joints meet only if they share a
//! body. Ordered along the island (Cuthill–McKee, backwards), what is not zero lies close to the
//! diagonal: each row is kept from its first entry on, and K = L D Lᵀ fills nothing outside. The
//! cost of a chain grows with its length.

/// L D Lᵀ of a symmetric matrix of blocks, K ⪰ 0, with a small regularisation: K + ε diag(K).
///
/// Rows of K that depend on each other (redundant constraints) are no special case: with ε they share
/// what they hold, instead of one of them being dropped by the size of its pivot, all or nothing.
/// [`solve_consistent`](Self::solve_consistent) takes the effect of ε back where K is regular.
#[derive(Clone, Debug, Default)]
pub struct Envelope {
    /// By block, its first row.
    first_row: Vec<usize>,
    /// By row, the first column that is kept.
    first: Vec<usize>,
    /// By row, where its columns begin in `values`.
    start: Vec<usize>,
    /// K below the diagonal and on it; once factored L, and 1/D on the diagonal.
    values: Vec<f64>,
    /// By row: what regularisation has added to the diagonal, ε K_ii.
    added: Vec<f64>,
}

/// A pivot this much smaller than its diagonal entry is rounding.
const LOST: f64 = 1e-15;

/// What is left of the right side may be this part of it.
const SOLVED: f64 = 1e-10;

/// An order of the nodes of a graph in which neighbours are close.
pub fn cuthill_mckee(neighbours: &[Vec<usize>]) -> Vec<usize> {
    let count = neighbours.len();
    let mut order = Vec::with_capacity(count);
    let mut seen = vec![false; count];
    let by_degree =
        |list: &mut Vec<usize>| list.sort_by_key(|node| (neighbours[*node].len(), *node));
    for root in 0..count {
        if seen[root] {
            continue;
        }
        // From an end of the graph: the last node that a walk from anywhere reaches.
        let mut end = root;
        for _ in 0..2 {
            end = last_of_walk(neighbours, end);
        }
        let mut at = order.len();
        order.push(end);
        seen[end] = true;
        while at < order.len() {
            let mut next: Vec<usize> =
                neighbours[order[at]].iter().copied().filter(|node| !seen[*node]).collect();
            by_degree(&mut next);
            for node in next {
                if !std::mem::replace(&mut seen[node], true) {
                    order.push(node);
                }
            }
            at += 1;
        }
    }
    order.reverse();
    order
}

fn last_of_walk(neighbours: &[Vec<usize>], from: usize) -> usize {
    let mut seen = vec![false; neighbours.len()];
    let mut queue = vec![from];
    seen[from] = true;
    let mut at = 0;
    while at < queue.len() {
        for node in &neighbours[queue[at]] {
            if !std::mem::replace(&mut seen[*node], true) {
                queue.push(*node);
            }
        }
        at += 1;
    }
    queue.last().copied().unwrap_or(from)
}

impl Envelope {
    /// Room for blocks of these many rows, each with the blocks before it that it meets.
    pub fn new(sizes: &[usize], meets: &[Vec<usize>]) -> Self {
        let mut made = Self::default();
        let mut row = 0;
        for size in sizes {
            made.first_row.push(row);
            row += size;
        }
        made.added = vec![0.0; row];
        for (block, size) in sizes.iter().enumerate() {
            let earliest = meets[block].iter().copied().filter(|other| *other < block).min();
            let first = made.first_row[earliest.unwrap_or(block)];
            for _ in 0..*size {
                let row = made.first.len();
                made.first.push(first);
                made.start.push(made.values.len());
                made.values.resize(made.values.len() + row + 1 - first, 0.0);
            }
        }
        made
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.first.len()
    }

    /// The first row of a block.
    pub fn first_row(&self, block: usize) -> usize {
        self.first_row[block]
    }

    /// The row behind the last one of a block.
    pub fn end_row(&self, block: usize) -> usize {
        self.first_row.get(block + 1).copied().unwrap_or(self.first.len())
    }

    /// Starts a new matrix: nothing yet.
    pub fn clear(&mut self) {
        self.values.fill(0.0);
    }

    /// Adds to an entry, the row not before the column; what lies outside is not taken.
    pub fn add(&mut self, row: usize, column: usize, value: f64) {
        if let Some(offset) = column.checked_sub(self.first[row])
            && column <= row
        {
            self.values[self.start[row] + offset] += value;
        }
    }

    /// Factors K + ε diag(K), in place.
    pub fn factor(&mut self, epsilon: f64) {
        for i in 0..self.rows() {
            let (first, start) = (self.first[i], self.start[i]);
            self.added[i] = epsilon * self.values[start + i - first].abs();
            let diagonal = self.values[start + i - first] + self.added[i];
            let mut pivot = diagonal;
            // u_ij = K_ij − Σ u_ik l_jk, then l_ij = u_ij / d_j.
            for j in first..i {
                let from = first.max(self.first[j]);
                let (a, b) = (start + from - first, self.start[j] + from - self.first[j]);
                let count = j - from;
                let (head, tail) = self.values.split_at(start);
                let dot: f64 = tail[a - start..a - start + count]
                    .iter()
                    .zip(&head[b..b + count])
                    .map(|(u, l)| u * l)
                    .sum();
                self.values[start + j - first] -= dot;
            }
            for j in first..i {
                let u = self.values[start + j - first];
                let l = u * self.values[self.start[j] + j - self.first[j]];
                pivot -= u * l;
                self.values[start + j - first] = l;
            }
            let kept = pivot > LOST * diagonal.abs() && pivot.is_finite();
            self.values[start + i - first] = if kept { 1.0 / pivot } else { 0.0 };
        }
    }

    /// λ with K λ = `right` as far as that is possible, in place; `work` is overwritten.
    ///
    /// With P = (K + E)⁻¹, E = ε diag(K), one pass is f(K) b = P K P b = P (b − E P b): for an
    /// eigenvalue σ of K (E as a number) it is σ / (σ + E)², which is 1/σ where K is regular and goes to
    /// nothing where it is not. So what redundant rows disagree on is left alone, and what they agree
    /// on they share. Each further pass solves for what is left, b − K λ; the error shrinks by about
    /// 2 E/σ each time. Whatever the number of passes 0 ≤ K f(K) ≤ 1: a velocity projection by it never
    /// adds energy.
    pub fn solve_consistent(&self, right: &mut [f64], work: &mut Vec<f64>, passes: usize) {
        let count = self.rows();
        work.clear();
        work.resize(2 * count, 0.0);
        let (left, total) = work.split_at_mut(count);
        left.copy_from_slice(right);
        let largest = |list: &[f64]| list.iter().fold(0.0_f64, |most, each| most.max(each.abs()));
        let small = SOLVED * largest(left);
        for _ in 0..passes {
            // P b, then b − E P b, then P of that.
            right.copy_from_slice(left);
            self.solve(right);
            for ((right, left), added) in right.iter_mut().zip(left.iter_mut()).zip(&self.added) {
                let error = added * *right;
                *right = *left - error;
                *left = error;
            }
            self.solve(right);
            for (((total, found), left), added) in
                total.iter_mut().zip(right.iter()).zip(left.iter_mut()).zip(&self.added)
            {
                *total += found;
                // b − K f b = E P b + E f b
                *left += added * found;
            }
            if largest(left) <= small {
                break;
            }
        }
        right.copy_from_slice(total);
    }

    /// (K + ε diag(K))⁻¹ times `right`, in place.
    pub fn solve(&self, right: &mut [f64]) {
        for i in 0..self.rows() {
            let (first, start) = (self.first[i], self.start[i]);
            let row = &self.values[start..start + i - first];
            let dot: f64 = row.iter().zip(&right[first..i]).map(|(l, x)| l * x).sum();
            right[i] -= dot;
        }
        for (i, right) in right.iter_mut().enumerate().take(self.rows()) {
            *right *= self.values[self.start[i] + i - self.first[i]];
        }
        for i in (0..self.rows()).rev() {
            let (first, start) = (self.first[i], self.start[i]);
            let x = right[i];
            let row = &self.values[start..start + i - first];
            for (right, l) in right[first..i].iter_mut().zip(row) {
                *right -= l * x;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random(seed: &mut u64) -> f64 {
        *seed =
            seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 40) as f64 / f64::from(1 << 23) - 1.0
    }

    /// J Jᵀ of blocks of two rows over a ring of bodies of three freedoms.
    fn ring(count: usize) -> (Vec<usize>, Vec<Vec<usize>>, Vec<Vec<f64>>) {
        let mut seed = 7;
        let mut j = vec![vec![0.0; 3 * count]; 2 * count];
        for joint in 0..count {
            for body in [joint, (joint + 1) % count] {
                for row in 0..2 {
                    for k in 0..3 {
                        j[2 * joint + row][3 * body + k] = random(&mut seed);
                    }
                }
            }
        }
        let n = 2 * count;
        let dot = |a: usize, b: usize| j[a].iter().zip(&j[b]).map(|(a, b)| a * b).sum();
        let k = (0..n).map(|a| (0..n).map(|b| dot(a, b)).collect()).collect();
        let meets = (0..count).map(|joint| vec![(joint + 1) % count, (joint + count - 1) % count]);
        (vec![2; count], meets.collect(), k)
    }

    #[test]
    fn solves_a_ring_in_any_order() {
        for count in [3, 8, 40] {
            let (sizes, neighbours, k) = ring(count);
            let order = cuthill_mckee(&neighbours);
            let mut place = vec![0; count];
            for (at, block) in order.iter().enumerate() {
                place[*block] = at;
            }
            let meets: Vec<Vec<usize>> = order
                .iter()
                .map(|block| neighbours[*block].iter().map(|other| place[*other]).collect())
                .collect();
            let mut envelope = Envelope::new(&sizes, &meets);
            envelope.clear();
            let old = |row: usize| 2 * order[row / 2] + row % 2;
            for row in 0..2 * count {
                for column in 0..=row {
                    envelope.add(row, column, k[old(row)][old(column)]);
                }
            }
            envelope.factor(1e-10);
            let wanted: Vec<f64> = (0..2 * count).map(|row| (row as f64).sin()).collect();
            let mut right: Vec<f64> = (0..2 * count)
                .map(|row| (0..2 * count).map(|c| k[old(row)][old(c)] * wanted[c]).sum())
                .collect();
            envelope.solve_consistent(&mut right, &mut Vec::new(), 3);
            for (found, wanted) in right.iter().zip(&wanted) {
                assert!((found - wanted).abs() < 1e-8, "{count}: {found} {wanted}");
            }
        }
    }

    fn twice(rows: [f64; 2], right: [f64; 2]) -> [f64; 2] {
        let mut envelope = Envelope::new(&[1, 1], &[vec![], vec![0]]);
        envelope.clear();
        for (row, column) in [(0, 0), (1, 0), (1, 1)] {
            envelope.add(row, column, rows[row] * rows[column]);
        }
        envelope.factor(1e-9);
        let mut right = right;
        envelope.solve_consistent(&mut right, &mut Vec::new(), 3);
        right
    }

    #[test]
    fn rows_that_repeat_share_the_load() {
        let [a, b] = twice([2.0_f64.sqrt(); 2], [4.0, 4.0]);
        assert!((a - 1.0).abs() < 1e-6 && (b - 1.0).abs() < 1e-6, "{a} {b}");
    }

    #[test]
    fn what_redundant_rows_disagree_on_is_left_alone() {
        // Alike but for the last digit of f32: no force may come of what they disagree on.
        let [a, b] = twice([1.0, 1.0 + 6e-8], [1.0, 1.0 + 1e-6]);
        assert!((a - 0.5).abs() < 0.01 && (b - 0.5).abs() < 0.01, "{a} {b}");
    }

    #[test]
    fn a_chain_is_ordered_along_itself() {
        // 0–3–1–4–2
        let neighbours = [vec![3], vec![3, 4], vec![4], vec![0, 1], vec![1, 2]];
        let order = cuthill_mckee(&neighbours);
        assert!(order == [0, 3, 1, 4, 2] || order == [2, 4, 1, 3, 0], "{order:?}");
    }
}
