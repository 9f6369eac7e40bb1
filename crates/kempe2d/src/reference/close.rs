//! Positions that satisfy joints: Levenberg–Marquardt over all of them, weighted by mass.
//!
//! ```text
//! min ‖δ − g‖²_M + Σ (J δ + r)² / (μ w),   w = J M⁻¹ Jᵀ
//! ```
//!
//! is the saddle system with compliances μ w, as sparse as the mechanism. Stops count while a step
//! would pass them, and never pull.

use super::acts::Act;
use super::bench::{Bench, DesignError};
use super::lines::{What, is_rigid};
use super::system::State;
use kempe_solve::sparse::SparseError;

const ITERATIONS: usize = 300;
/// Open by less than this part of the size of the world is closed.
const CLOSED: f64 = 1e-12;
/// The least μ.
const LEAST: f64 = 1e-13;
/// No body turns by more than this in an iteration, rad.
const TURN: f64 = 1.0;

/// What is asked of the value of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Ask {
    Nothing,
    Equal(f64),
    Between(f64, f64),
}

impl Bench {
    fn ask(&self, line: usize) -> Ask {
        match (self.act(line), &self.stepper.system.lines[line].what) {
            (Act::Place { target, .. }, _) => Ask::Equal(target),
            (Act::Nothing, What::Limit(limit)) if is_rigid(limit.softness) => {
                Ask::Between(limit.lower, limit.upper)
            }
            _ => Ask::Nothing,
        }
    }

    /// By line, how far it is from what is asked.
    pub(super) fn residuals(&self) -> Vec<f64> {
        let each =
            self.stepper.found.iter().enumerate().map(|(line, found)| match self.ask(line) {
                Ask::Nothing => 0.0,
                Ask::Equal(target) => found.value - target,
                Ask::Between(low, high) => {
                    (found.value - high).max(0.0) + (found.value - low).min(0.0)
                }
            });
        each.collect()
    }

    /// By line, J M⁻¹ Jᵀ; not less than a small part of the largest.
    pub(super) fn weights(&self) -> Vec<f64> {
        let movers = &self.stepper.system.movers;
        let each = self.stepper.found.iter().map(|found| {
            let own = |(at, j): &(usize, [f64; 3])| {
                (0..3).map(|k| j[k] * j[k] / movers[*at].mass[k]).sum::<f64>()
            };
            found.j.iter().map(own).sum::<f64>()
        });
        let mut all: Vec<f64> = each.collect();
        let least = 1e-6 * all.iter().fold(0.0_f64, |most, w| most.max(*w));
        all.iter_mut().for_each(|w| *w = w.max(least).max(f64::MIN_POSITIVE));
        all
    }

    /// A step from where the rows were found, near to `g`.
    pub(super) fn toward(
        &mut self,
        g: Option<&[f64]>,
        mu: f64,
        weights: &[f64],
    ) -> Result<Vec<f64>, DesignError> {
        let (n, lines) = (self.state.q.len(), weights.len());
        let asks: Vec<Ask> = (0..lines).map(|line| self.ask(line)).collect();
        let value = |bench: &Self, line: usize| bench.stepper.found[line].value;
        // What the value of each line should become, and which way a stop pushes.
        let mut active: Vec<Option<(f64, f64)>> = (0..lines)
            .map(|line| match asks[line] {
                Ask::Nothing => None,
                Ask::Equal(target) => Some((target, 0.0)),
                Ask::Between(low, _) if value(self, line) <= low => Some((low, 1.0)),
                Ask::Between(_, high) if value(self, line) >= high => Some((high, -1.0)),
                Ask::Between(..) => None,
            })
            .collect();
        let mut right = Vec::new();
        for round in 0..12 {
            let stepper = &mut self.stepper;
            stepper.assembly.begin(&stepper.system, 1.0);
            right.clear();
            right.resize(n + lines, 0.0);
            if let Some(g) = g {
                for (k, g) in g.iter().enumerate() {
                    let mover = &stepper.system.movers[k / 3];
                    right[k] = if mover.free[k % 3] { mover.mass[k % 3] * g } else { 0.0 };
                }
            }
            for (line, active) in active.iter().enumerate() {
                let found = &stepper.found[line];
                stepper.assembly.set_line(line, found, active.map(|_| mu * weights[line]));
                right[n + line] = active.map_or(0.0, |(target, _)| target - found.value);
            }
            stepper.assembly.factor()?;
            match stepper.assembly.solve(&mut right) {
                // What contradicts itself is met as nearly as can be.
                Ok(()) | Err(SparseError::Residual { .. }) => {}
                Err(error) => return Err(error.into()),
            }
            stepper.factored += 1;
            let mut changed = false;
            for (line, ask) in asks.iter().enumerate() {
                let Ask::Between(low, high) = *ask else { continue };
                let found = &stepper.found[line];
                let after = found.value + found.speed(&right[..n]) - found.bias;
                match active[line] {
                    Some((_, push)) if -right[n + line] * push < 0.0 && round < 6 => {
                        active[line] = None;
                        changed = true;
                    }
                    None if after < low => {
                        active[line] = Some((low, 1.0));
                        changed = true;
                    }
                    None if after > high => {
                        active[line] = Some((high, -1.0));
                        changed = true;
                    }
                    _ => {}
                }
            }
            if !changed {
                break;
            }
        }
        right.truncate(n);
        Ok(right)
    }

    /// The largest distance in the mechanism, and 1.
    pub(super) fn size(&self) -> f64 {
        self.state.q.chunks_exact(3).fold(1.0_f64, |most, q| most.max(q[0].abs()).max(q[1].abs()))
    }

    /// Goes to where every line has what is asked of it. Says how far it is open there; the state is
    /// the best that was found.
    pub(super) fn close(&mut self) -> Result<f64, DesignError> {
        let enough = CLOSED * self.size();
        let weights = self.weights();
        let merit = |residuals: &[f64]| -> f64 {
            residuals.iter().zip(&weights).map(|(r, w)| r * r / w).sum()
        };
        let largest = |residuals: &[f64]| residuals.iter().fold(0.0_f64, |m, r| m.max(r.abs()));
        let mut now = self.residuals();
        let first = merit(&now);
        let (mut mu, mut slow) = (1e-3_f64, 0);
        for _ in 0..ITERATIONS {
            let (before, open) = (merit(&now), largest(&now));
            if open < 1e-3 * enough || slow > 12 {
                break;
            }
            let kept = self.state.clone();
            let mut gone = false;
            while mu < 1e9 {
                let mut step = self.toward(None, mu, &weights)?;
                let turn = step.chunks_exact(3).fold(0.0_f64, |most, d| most.max(d[2].abs()));
                let scale = (TURN / turn).min(1.0);
                step.iter_mut().for_each(|d| *d *= scale);
                let mut tried = kept.clone();
                tried.q.iter_mut().zip(&step).for_each(|(q, d)| *q += d);
                let works = self.go(&tried).is_ok();
                let after = if works { self.residuals() } else { Vec::new() };
                if works && merit(&after) < before {
                    slow = if merit(&after) > 0.999 * before { slow + 1 } else { 0 };
                    now = after;
                    gone = true;
                    mu = (0.1 * mu).min(merit(&now) / first.max(f64::MIN_POSITIVE)).max(LEAST);
                    break;
                }
                self.go(&kept)?;
                if open < enough {
                    return Ok(open);
                }
                mu = (10.0 * mu).max(1e-9);
            }
            if !gone {
                break;
            }
        }
        Ok(largest(&now))
    }

    /// Whether that is closed.
    pub(super) fn is_closed(&self, open: f64) -> bool {
        open <= 100.0 * CLOSED * self.size()
    }

    /// ‖q − from‖_M
    pub(super) fn distance(&self, from: &State) -> f64 {
        let movers = &self.stepper.system.movers;
        let pairs = self.state.q.iter().zip(&from.q).enumerate();
        let squares = pairs.map(|(k, (q, f))| movers[k / 3].mass[k % 3] * (q - f) * (q - f));
        squares.sum::<f64>().sqrt()
    }

    /// From a place where all is closed to the nearest to `from`, by mass, along what the joints leave.
    pub(super) fn approach(&mut self, from: &State) -> Result<(), DesignError> {
        let mut share = 1.0;
        for _ in 0..200 {
            let weights = self.weights();
            let kept = self.state.clone();
            let before = self.distance(from);
            let g: Vec<f64> = from.q.iter().zip(&kept.q).map(|(f, q)| f - q).collect();
            let step = self.toward(Some(&g), LEAST, &weights)?;
            let moves = step.iter().fold(0.0_f64, |most, d| most.max(d.abs()));
            if moves < 1e-10 * self.size() {
                return Ok(());
            }
            let mut tried = kept.clone();
            tried.q.iter_mut().zip(&step).for_each(|(q, d)| *q += share * d);
            let nearer = self.go(&tried).is_ok() && {
                let open = self.close()?;
                self.is_closed(open) && self.distance(from) < before
            };
            if nearer {
                share = (2.0_f64 * share).min(1.0);
                continue;
            }
            self.go(&kept)?;
            share *= 0.5;
            if share < 1e-6 {
                return Ok(());
            }
        }
        Ok(())
    }
}
