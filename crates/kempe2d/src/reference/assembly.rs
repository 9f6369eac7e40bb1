//! The saddle system of a step, put together from bodies and rows.
//!
//! ```text
//! [ A   Jᵀ ] [  δq ]   [ −r_q ]
//! [ J  −E  ] [ −δp ] = [ −r_p ]
//! ```

use super::curvature::Curvature;
use super::system::{Found, Role, System};
use kempe_solve::sparse::{Saddle, SparseError};

/// Rows may contradict each other by this part of what is asked, while it is more ...
const PART: f64 = 0.3;
/// ... than this, m or rad or per second.
const SLIGHT: f64 = 1e-9;

/// The matrix and where its numbers go.
#[derive(Debug)]
pub(crate) struct Assembly {
    saddle: Saddle,
    /// By mover: the first of its six numbers, lower triangle by rows.
    blocks: Vec<usize>,
    /// By part: the pairs of movers that it couples, the later one first, and the first of nine.
    pairs: Vec<Vec<([usize; 2], usize)>>,
    /// By line: the first of the numbers of J, three for each mover, and its own on the diagonal.
    lines: Vec<usize>,
}

impl Assembly {
    pub(crate) fn new(system: &System, found: &[Found]) -> Result<Self, SparseError> {
        let n = system.freedoms();
        let mut entries = Vec::new();
        let mut blocks = Vec::new();
        for at in 0..system.movers.len() {
            blocks.push(entries.len());
            for i in 0..3 {
                entries.extend((0..=i).map(|j| (3 * at + i, 3 * at + j)));
            }
        }
        let mut pairs = Vec::new();
        for part in &system.parts {
            let mut moving: Vec<usize> = part
                .roles
                .iter()
                .filter_map(|role| match role {
                    Role::Moves(at) => Some(*at),
                    Role::Still(_) => None,
                })
                .collect();
            moving.sort_unstable();
            moving.dedup();
            let mut own = Vec::new();
            for (k, later) in moving.iter().enumerate() {
                for earlier in &moving[..k] {
                    own.push(([*later, *earlier], entries.len()));
                    for i in 0..3 {
                        entries.extend((0..3).map(|j| (3 * later + i, 3 * earlier + j)));
                    }
                }
            }
            pairs.push(own);
        }
        let mut lines = Vec::new();
        for (line, found) in found.iter().enumerate() {
            lines.push(entries.len());
            for (at, _) in &found.j {
                entries.extend((0..3).map(|k| (n + line, 3 * at + k)));
            }
            entries.push((n + line, n + line));
        }
        let saddle = Saddle::new(n, found.len(), &entries)?;
        Ok(Self { saddle, blocks, pairs, lines })
    }

    /// Begins anew with a diagonal of masses, times `scale`.
    pub(crate) fn begin(&mut self, system: &System, scale: f64) {
        self.saddle.clear();
        for (at, mover) in system.movers.iter().enumerate() {
            for (k, mass) in mover.mass.iter().enumerate() {
                self.add_block(at, k, k, scale * mass);
            }
        }
    }

    fn add(&mut self, entry: usize, value: f64) {
        let slot = self.saddle.slots()[entry];
        self.saddle.values_mut()[slot] += value;
    }

    /// Adds to the block of a mover, lower triangle.
    pub(crate) fn add_block(&mut self, at: usize, i: usize, j: usize, value: f64) {
        if j <= i {
            self.add(self.blocks[at] + i * (i + 1) / 2 + j, value);
        }
    }

    /// A −= the symmetric part of a joint's curvature, in the coordinates of the centres of mass.
    pub(crate) fn add_curvature(&mut self, system: &System, part: usize, curvature: &Curvature) {
        let roles = &system.parts[part].roles;
        for (i, first) in roles.iter().enumerate() {
            let Role::Moves(a) = *first else { continue };
            for (j, second) in roles.iter().enumerate() {
                let Role::Moves(b) = *second else { continue };
                if a < b {
                    continue;
                }
                let pair = self.pairs[part].iter().find(|pair| pair.0 == [a, b]).map(|pair| pair.1);
                for k in 0..3 {
                    for l in 0..3 {
                        let free = system.movers[a].free[k] && system.movers[b].free[l];
                        let (row, column) = (3 * i + k, 3 * j + l);
                        let both = curvature.get(row, column) + curvature.get(column, row);
                        if !free || both == 0.0 {
                            continue;
                        }
                        match pair {
                            Some(pair) => self.add(pair + 3 * k + l, -0.5 * both),
                            None => self.add_block(a, k, l, -0.5 * both),
                        }
                    }
                }
            }
        }
    }

    /// A line with this compliance; one that is off has none of its numbers.
    pub(crate) fn set_line(&mut self, line: usize, found: &Found, compliance: Option<f64>) {
        let first = self.lines[line];
        match compliance {
            Some(compliance) => {
                for (k, j) in found.j.iter().flat_map(|(_, j)| j).enumerate() {
                    self.add(first + k, *j);
                }
                self.add(first + 3 * found.j.len(), -compliance);
            }
            None => self.add(first + 3 * found.j.len(), -1.0),
        }
    }

    pub(crate) fn factor(&mut self) -> Result<(), SparseError> {
        self.saddle.factor()
    }

    /// Whether rows of the factored matrix seem to repeat each other.
    pub(crate) fn repeats(&self) -> bool {
        self.saddle.regularised() > 0
    }

    /// Solves in place: δq, then −δp.
    ///
    /// Rows that repeat each other agree to first order only: on the way to a solution they contradict
    /// each other by a part of what is asked of them, and at its end by rounding. They are met as
    /// nearly as can be, and what is left is for the next iteration. What contradicts itself for good
    /// is an error.
    pub(crate) fn solve(&mut self, right: &mut [f64]) -> Result<(), SparseError> {
        let rows = right.get(3 * self.blocks.len()..).unwrap_or_default();
        let asked = rows.iter().fold(0.0_f64, |most, row| most.max(row.abs()));
        match self.saddle.solve(right) {
            Err(SparseError::Residual { residual }) if residual < PART || asked < SLIGHT => Ok(()),
            other => other.map(|_| ()),
        }
    }
}
