//! RATTLE, and its compositions of order 4 and 6.
//!
//! ```text
//! v½ = v₀ + h/2 M⁻¹ (F(q₀) + J(q₀)ᵀ λ),   q₁ = q₀ + h v½,   C(q₁) = 0
//! v₁ = v½ + h/2 M⁻¹ (F(q₁) + J(q₁)ᵀ μ),   J(q₁) v₁ + ∂C/∂t = 0
//! ```
//!
//! A row of velocities has no C: its λ is what lets ½ (J(q₀) + J(q₁)) v½ be the speed that it asks for,
//! so that a step is its own backwards.

use super::ReferenceError;
use super::acts::Act;
use super::newton::{Stepper, Tried};
use super::project::held_speed;
use super::system::State;
use kempe_solve::sparse::SparseError;

const ITERATIONS: usize = 60;
const CLOSE: f64 = 4e-16;
const GOOD: f64 = 1e-12;
/// So many iterations go on with the matrix of the start even if they lead away.
const PATIENCE: usize = 2;

/// Suzuki's five steps of order 4: γ = 1 / (4 − ∛4).
const SUZUKI: f64 = 0.414_490_771_794_375_7;
/// Kahan's and Li's nine steps of order 6, the first five.
const KAHAN_LI: [f64; 5] = [
    0.392_161_444_007_314_1,
    0.332_599_136_789_359_44,
    -0.706_246_172_557_639_4,
    0.082_213_596_293_550_8,
    0.798_543_990_934_83,
];

/// The parts of a step of this order.
pub(crate) fn parts(order: u8) -> Vec<f64> {
    match order {
        4 => vec![SUZUKI, SUZUKI, 1.0 - 4.0 * SUZUKI, SUZUKI, SUZUKI],
        6 => (0..9).map(|k: usize| KAHAN_LI[k.min(8 - k)]).collect(),
        _ => vec![1.0],
    }
}

impl Stepper {
    /// One step of RATTLE from a state whose rows have been found and whose velocities were projected:
    /// the matrix of that projection is still there.
    pub(crate) fn rattle(&mut self, start: &State, h: f64) -> Result<Tried, ReferenceError> {
        let n = self.system.freedoms();
        let lines = self.system.lines.len();
        let mut force = Vec::new();
        let mut end = State { t: start.t + h, ..start.clone() };
        self.forces(start, &mut force);
        for (at, mover) in self.system.movers.iter().enumerate() {
            for k in 0..3 {
                let i = 3 * at + k;
                end.v[i] += 0.5 * h * force[i] / mover.mass[k];
            }
        }
        for (q, v) in end.q.iter_mut().zip(&end.v) {
            *q += h * v;
        }
        let acts: Vec<Act> = (0..lines).map(|line| self.act(line, end.t)).collect();
        let rates = acts.iter().any(|act| matches!(act, Act::Speed(_)));
        let first = self.found.clone();
        let before: Vec<Act> = match rates {
            true => (0..lines).map(|line| self.act(line, start.t)).collect(),
            false => Vec::new(),
        };
        let mut impulse = vec![0.0; lines];
        let mut last = f64::INFINITY;
        let mut right = vec![0.0; n + lines];
        // Along the rows of the start, whose matrix is kept; where that leads nowhere, as near places
        // where rows depend on each other, with the rows of the end beside them.
        let mut iterations = 0..ITERATIONS;
        let mut exact = false;
        loop {
            self.evaluate(&mut end)?;
            right[..n].fill(0.0);
            let mut size = 0.0_f64;
            for (line, act) in acts.iter().enumerate() {
                right[n + line] = match act {
                    Act::Place { target, .. } => -(self.found[line].value - target) / h,
                    Act::Speed(after) => {
                        let wanted = match before[line] {
                            Act::Speed(before) => 0.5 * (before + after),
                            _ => *after,
                        };
                        let [old, new] = [&first[line], &self.found[line]];
                        wanted - 0.5 * (old.speed(&end.v) + new.speed(&end.v))
                    }
                    _ => 0.0,
                };
                size = size.max((h * right[n + line]).abs());
            }
            let stands = size < GOOD && size > 0.5 * last;
            if size < CLOSE || stands {
                break;
            }
            let Some(iteration) = iterations.next().filter(|_| size.is_finite()) else {
                let joint = self.worst(&acts);
                return Err(ReferenceError::NotConverged { time: end.t, joint });
            };
            exact |= iteration >= PATIENCE && size > 0.5 * last;
            last = size;
            if exact {
                self.factor_rattle(&first, &acts, &end, h)?;
                self.solve_exact(&mut right)?;
                right[n..].iter_mut().for_each(|change| *change = -*change);
            } else {
                match self.assembly.solve(&mut right) {
                    // Where rows are all but dependent, what is left by rounding has no solution.
                    Err(SparseError::Residual { .. }) if size < GOOD => break,
                    Err(SparseError::Residual { .. }) => exact = true,
                    other => other?,
                }
            }
            for (k, change) in right[..n].iter().enumerate() {
                end.v[k] += change;
                end.q[k] += h * change;
            }
            for (impulse, change) in impulse.iter_mut().zip(&right[n..]) {
                *impulse -= change;
            }
        }
        self.forces(&end, &mut force);
        for (at, mover) in self.system.movers.iter().enumerate() {
            for k in 0..3 {
                let i = 3 * at + k;
                end.v[i] += 0.5 * h * force[i] / mover.mass[k];
            }
        }
        let more = self.project(&mut end, held_speed)?;
        let lambda = impulse.iter().zip(&more).map(|(a, b)| (a + b) / h).collect();
        Ok(Tried { state: end, lambda })
    }
}
