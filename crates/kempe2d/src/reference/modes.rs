//! Small oscillations about a position of rest.
//!
//! With Z a basis of what the joints leave, orthonormal by mass, and q = q₀ + Z z,
//!
//! ```text
//! z̈ + Zᵀ C Z ż + Zᵀ K Z z = 0,   K = −∂F/∂q − ∂(Jᵀλ)/∂q,   C = −∂F/∂q̇
//! ```

use super::bench::{Bench, BodyMotion, Component, DesignError};
use super::curvature::Curvature;
use super::lines::What;
use super::system::Role;
use crate::world::World;
use kempe_solve::sparse::symmetric_eigen;

/// An acceleration this small, as a part of what forces would give, is none.
const BALANCED: f64 = 1e-6;
/// Stiffness below this part of the largest is none.
const NONE: f64 = 1e-12;

/// A way to swing about a position of rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Oscillation {
    /// How often, without damping, Hz; 0 where nothing pulls it back.
    pub hertz: f64,
    /// 1/s: how fast it leaves an unstable position; 0 for a stable one.
    pub growth: f64,
    /// zᵀ C z / 2ω, as a part of critical: exact while damping does not couple modes. 0 for a mode that
    /// does not swing.
    pub damping_ratio: f64,
    /// Displacements with Σ m |Δx|² + I Δθ² = 1.
    pub shape: Vec<BodyMotion>,
}

impl World {
    /// Frequencies and shapes of the small oscillations about the present position, which must be one
    /// of rest ([`settle`](Self::settle) goes there): slowest first, unstable ones before. Friction
    /// does not count; motors hold.
    ///
    /// # Errors
    /// [`DesignError::NotConverged`] if forces are not in balance, [`DesignError::TooLarge`] for a
    /// mechanism of more than 900 freedoms.
    pub fn oscillations(&self) -> Result<Vec<Oscillation>, DesignError> {
        let mut bench = Bench::at_rest(self)?;
        let (accelerations, lambda) = bench.rest()?;
        let off = bench.unbalanced(&accelerations, &lambda);
        if off > BALANCED {
            return Err(DesignError::NotConverged { what: "balance of forces", off });
        }
        let held = bench.held();
        let matrices = bench.matrices(&lambda)?;
        let mut all = Vec::new();
        for component in bench.components() {
            let basis = bench.leaves(&component, &bench.within(&component, &held))?.basis;
            let stiff = bench.reduced(&component, &basis, &matrices.stiffness);
            let damped = bench.reduced(&component, &basis, &matrices.damping);
            let found = symmetric_eigen(&stiff)?;
            let most = found.iter().fold(0.0_f64, |most, each| most.max(each.0.abs()));
            for (value, z) in found {
                let value = if value.abs() <= NONE * most { 0.0 } else { value };
                let omega = value.max(0.0).sqrt();
                let loss: f64 = damped
                    .iter()
                    .zip(&z)
                    .map(|(row, a)| a * row.iter().zip(&z).map(|(c, b)| c * b).sum::<f64>())
                    .sum();
                let mut y = vec![0.0; component.columns.len()];
                for (basis, z) in basis.iter().zip(&z) {
                    y.iter_mut().zip(basis).for_each(|(y, b)| *y += z * b);
                }
                all.push(Oscillation {
                    hertz: omega / std::f64::consts::TAU,
                    growth: (-value).max(0.0).sqrt(),
                    damping_ratio: if omega > 0.0 { loss / (2.0 * omega) } else { 0.0 },
                    shape: bench.motion(&component, &y),
                });
            }
        }
        let key = |each: &Oscillation| each.hertz - each.growth;
        all.sort_by(|a, b| key(a).total_cmp(&key(b)));
        Ok(all)
    }
}

/// (row, column, value), symmetric, over all freedoms.
type Entries = Vec<(usize, usize, f64)>;

/// K and C.
#[derive(Debug, Default)]
pub(super) struct Matrices {
    pub stiffness: Entries,
    pub damping: Entries,
}

impl Bench {
    /// K and C where the rows were found, with these forces by line.
    pub(super) fn matrices(&self, lambda: &[f64]) -> Result<Matrices, DesignError> {
        let system = &self.stepper.system;
        let mut made = Matrices::default();
        for (at, mover) in system.movers.iter().enumerate() {
            made.damping.extend((0..3).map(|k| (3 * at + k, 3 * at + k, mover.damping[k])));
        }
        for (line, found) in self.stepper.found.iter().enumerate() {
            let speed = found.speed(&self.state.v);
            let [_, by_q, by_speed] =
                system.force_of(line, self.act(line), found.value, speed, self.state.t);
            let all = || found.j.iter().flat_map(|(at, j)| (0..3).map(move |k| (3 * at + k, j[k])));
            for (slope, into) in [(by_q, &mut made.stiffness), (by_speed, &mut made.damping)] {
                if slope != 0.0 {
                    for (a, ja) in all() {
                        into.extend(all().map(|(b, jb)| (a, b, -slope * ja * jb)));
                    }
                }
            }
        }
        let mut curvature = Curvature::default();
        let mut line = 0;
        for (index, part) in system.parts.iter().enumerate() {
            let joint = system.joints.get(part.id);
            let rows = joint.map_or(0, |j| j.def.kind.hold_count() + j.def.kind.axis_count());
            let mut weights = vec![0.0; rows];
            while let Some(each) = system.lines.get(line).filter(|each| each.part == index) {
                // Rows of velocities are of no position.
                if !matches!(each.what, What::Rate) {
                    weights[each.row] += lambda[line];
                }
                line += 1;
            }
            if weights.iter().all(|weight| *weight == 0.0) {
                continue;
            }
            let found = system.curvature(index, &weights, &self.state, &mut curvature);
            found.ok_or(super::ReferenceError::NoValue { joint: part.id })?;
            for (i, first) in part.roles.iter().enumerate() {
                let Role::Moves(a) = *first else { continue };
                for (j, second) in part.roles.iter().enumerate() {
                    let Role::Moves(b) = *second else { continue };
                    for (k, l) in (0..9).map(|each| (each / 3, each % 3)) {
                        let (row, column) = (3 * i + k, 3 * j + l);
                        let both = curvature.get(row, column) + curvature.get(column, row);
                        made.stiffness.push((3 * a + k, 3 * b + l, -0.5 * both));
                    }
                }
            }
        }
        Ok(made)
    }

    /// Zᵀ A Z, with Z in coordinates scaled by √m.
    pub(super) fn reduced(
        &self,
        of: &Component,
        basis: &[Vec<f64>],
        entries: &Entries,
    ) -> Vec<Vec<f64>> {
        let n = of.columns.len();
        let mut place = vec![usize::MAX; self.state.q.len()];
        of.columns.iter().enumerate().for_each(|(k, column)| place[*column] = k);
        let mut times = vec![vec![0.0; n]; basis.len()];
        for (row, column, value) in entries {
            let (i, j) = (place[*row], place[*column]);
            if i < usize::MAX && j < usize::MAX {
                let value = value / (self.root(*row) * self.root(*column));
                for (times, y) in times.iter_mut().zip(basis) {
                    times[i] += value * y[j];
                }
            }
        }
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        basis.iter().map(|y| times.iter().map(|times| dot(y, times)).collect()).collect()
    }
}
