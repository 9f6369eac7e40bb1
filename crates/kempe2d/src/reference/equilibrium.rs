//! Positions of rest.
//!
//! Newton's method on what the joints leave: with Z orthonormal by mass, step z = |Zᵀ K Z|⁻¹ Zᵀ F, the
//! stiffness taken by its absolute eigenvalues so that the energy falls where it is not convex; then
//! back onto the joints. A step counts if forces do work along it; where it is too long it is cut.

use super::acts::Mode;
use super::bench::{Bench, DesignError};
use super::lines::{Line, What};
use super::project::held_speed;
use super::system::System;
use crate::expression::Target;
use crate::world::World;
use kempe_scalar::Vec2;
use kempe_solve::sparse::symmetric_eigen;

const ITERATIONS: usize = 500;
/// An acceleration this small, as a part of what each force would give, is none.
const BALANCED: f64 = 1e-13;
/// One this small is good enough where it shrinks no further.
const GOOD: f64 = 1e-9;

/// A position of rest.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Equilibrium {
    /// √Σ (m |Δx|² + I Δθ²): how far the bodies moved, by mass.
    pub moved: f64,
    /// The largest acceleration that is left, as a part of what each force would give.
    pub unbalanced: f64,
    /// Whether nothing leaves it when it is disturbed a little; neutral motions leave nothing.
    pub stable: bool,
    /// How many steps it took.
    pub iterations: usize,
}

impl World {
    /// Moves everything to the position of rest near the present one, and stops it there: the least
    /// potential energy that joints and stops allow. Friction does not count; motors at a speed hold
    /// where they are, as far as their force goes; forces of time count as they are now.
    ///
    /// From a position of rest it does not move, even if that is not stable.
    ///
    /// # Errors
    /// If positions cannot satisfy the joints, no rest is found (something falls forever), or a
    /// mechanism has more than 900 freedoms. The world is as it was.
    pub fn settle(&mut self) -> Result<Equilibrium, DesignError> {
        let mut bench = Bench::at_rest(self)?;
        let from = bench.state.clone();
        let found = bench.settle()?;
        let moved = bench.distance(&from);
        bench.stepper.system.write(&bench.state, self);
        for (_, body) in self.bodies.iter_mut().filter(|(_, body)| body.moves()) {
            body.velocity = Vec2::ZERO;
            body.angular_velocity = 0.0;
        }
        self.solver.dirty = true;
        self.wake_all();
        Ok(Equilibrium { moved, ..found })
    }
}

impl Bench {
    /// Everything at rest and without friction.
    pub(super) fn at_rest(world: &World) -> Result<Self, DesignError> {
        let keep = |_: &System, line: &Line| !matches!(line.what, What::Friction(_));
        let mut bench = Self::new(world, keep)?;
        bench.state.v.fill(0.0);
        let t = bench.state.t;
        for (line, each) in bench.stepper.system.lines.iter_mut().enumerate() {
            if let What::Motor { speed, force } = &mut each.what {
                // At rest it lacks its speed and pushes with all that it has, if that is not all.
                let wanted = speed.at(t).0;
                let bound = if wanted > 0.0 { force.upper } else { force.lower };
                if wanted != 0.0 && bound.is_finite() {
                    bench.stepper.modes[line] =
                        if wanted > 0.0 { Mode::Upper } else { Mode::Lower };
                }
                *speed = Target::from(0.0);
            }
        }
        Ok(bench)
    }

    /// Accelerations from rest and the forces by line. Stops do not pull, motors that cannot hold slip.
    pub(super) fn rest(&mut self) -> Result<(Vec<f64>, Vec<f64>), DesignError> {
        loop {
            let mut moved = self.state.clone();
            let mut force = Vec::new();
            self.stepper.forces(&self.state, &mut force);
            for (k, v) in moved.v.iter_mut().enumerate() {
                let mover = &self.stepper.system.movers[k / 3];
                *v = if mover.free[k % 3] { force[k] / mover.mass[k % 3] } else { 0.0 };
            }
            let mut lambda = self.stepper.project(&mut moved, |line, act, found| {
                // The bias of a row is of its speed, not of its acceleration.
                held_speed(line, act, found).map(|_| found.bias)
            })?;
            for (line, lambda) in lambda.iter_mut().enumerate() {
                let act = self.act(line);
                if !act.holds() {
                    *lambda = self.stepper.force(line, act, &self.state.v, self.state.t)[0];
                }
            }
            let slight = 1e-9 * lambda.iter().fold(0.0_f64, |most, l| most.max(l.abs()));
            let turn = |line: usize| {
                let (force, mode) = (lambda[line], self.stepper.modes[line]);
                match (&self.stepper.system.lines[line].what, mode) {
                    (What::Limit(_), Mode::Lower) if force < -slight => Some((line, Mode::Rest)),
                    (What::Limit(_), Mode::Upper) if force > slight => Some((line, Mode::Rest)),
                    (What::Ratchet(ratchet), Mode::Lower)
                        if force * ratchet.step.signum() < -slight =>
                    {
                        Some((line, Mode::Rest))
                    }
                    (What::Motor { force: range, .. }, Mode::Rest)
                        if force > range.upper + slight =>
                    {
                        Some((line, Mode::Upper))
                    }
                    (What::Motor { force: range, .. }, Mode::Rest)
                        if force < range.lower - slight =>
                    {
                        Some((line, Mode::Lower))
                    }
                    _ => None,
                }
            };
            let turns = (0..lambda.len()).filter_map(turn);
            match turns.max_by(|a, b| lambda[a.0].abs().total_cmp(&lambda[b.0].abs())) {
                Some((line, mode)) => self.stepper.modes[line] = mode,
                None => return Ok((moved.v, lambda)),
            }
        }
    }

    /// The largest of these accelerations, by √m, as a part of what the forces of bodies and lines would
    /// give, each by itself.
    pub(super) fn unbalanced(&self, accelerations: &[f64], lambda: &[f64]) -> f64 {
        let mut size: Vec<f64> =
            self.stepper.system.movers.iter().flat_map(|mover| mover.force.map(f64::abs)).collect();
        for (found, lambda) in self.stepper.found.iter().zip(lambda) {
            for (at, j) in &found.j {
                (0..3).for_each(|k| size[3 * at + k] += (lambda * j[k]).abs());
            }
        }
        let largest = |all: &mut dyn Iterator<Item = f64>| all.fold(0.0_f64, f64::max);
        let scale = largest(&mut size.iter().enumerate().map(|(k, f)| f / self.root(k)));
        let left =
            largest(&mut accelerations.iter().enumerate().map(|(k, a)| a.abs() * self.root(k)));
        if scale > 0.0 { left / scale } else { 0.0 }
    }

    fn settle(&mut self) -> Result<Equilibrium, DesignError> {
        let open = self.close()?;
        if !self.is_closed(open) {
            return Err(DesignError::NotConverged { what: "position that fits", off: open });
        }
        let mut radius = 0.3_f64;
        let mut best = f64::INFINITY;
        for iterations in 0..ITERATIONS {
            self.touch();
            let (accelerations, lambda) = self.rest()?;
            let off = self.unbalanced(&accelerations, &lambda);
            let (step, stable) = self.newton(&accelerations, &lambda)?;
            let size = step.iter().fold(0.0_f64, |most, d| most.max(d.abs()));
            // No better for rounding, if it is good already.
            if off <= BALANCED || (off < GOOD && off > 0.5 * best && size < 1e-9) {
                return Ok(Equilibrium { moved: 0.0, unbalanced: off, stable, iterations });
            }
            best = best.min(off);
            let (kept, modes) = (self.state.clone(), self.stepper.modes.clone());
            let mut force = [Vec::new(), Vec::new()];
            self.stepper.forces(&kept, &mut force[0]);
            loop {
                let share = (radius / size).min(1.0);
                let mut tried = kept.clone();
                tried.q.iter_mut().zip(&step).for_each(|(q, d)| *q += share * d);
                let works = self.go(&tried).is_ok() && {
                    let open = self.close()?;
                    self.is_closed(open)
                };
                let better = works && {
                    self.stepper.forces(&self.state, &mut force[1]);
                    let moved = self.state.q.iter().zip(&kept.q).map(|(q, k)| q - k);
                    let means = force[0].iter().zip(&force[1]).map(|(a, b)| 0.5 * (a + b));
                    let work: f64 = moved.zip(means).map(|(d, f)| d * f).sum();
                    // Near the rest the work is lost in rounding.
                    work > 0.0 || share * size < 1e-6
                };
                if better {
                    if share < 1.0 {
                        radius = (1.5 * radius).min(1.0 * self.size());
                    }
                    break;
                }
                self.go(&kept)?;
                self.stepper.modes.clone_from(&modes);
                radius = 0.3 * share * size;
                if radius < 1e-13 {
                    let what = "position of rest";
                    return Err(DesignError::NotConverged { what, off });
                }
            }
        }
        Err(DesignError::NotConverged { what: "position of rest", off: best })
    }

    /// The step to where forces are in balance, and whether the energy is least here.
    fn newton(
        &self,
        accelerations: &[f64],
        lambda: &[f64],
    ) -> Result<(Vec<f64>, bool), DesignError> {
        let held = self.held();
        let matrices = self.matrices(lambda)?;
        let mut step = vec![0.0; self.state.q.len()];
        let mut stable = true;
        for component in self.components() {
            let basis = self.leaves(&component, &self.within(&component, &held))?.basis;
            let found = symmetric_eigen(&self.reduced(&component, &basis, &matrices.stiffness))?;
            let most = found.iter().fold(0.0_f64, |most, each| most.max(each.0.abs()));
            let pull: Vec<f64> = basis
                .iter()
                .map(|y| {
                    let own = component.columns.iter().zip(y);
                    own.map(|(k, y)| y * accelerations[*k] * self.root(*k)).sum()
                })
                .collect();
            for (value, z) in found {
                stable &= value >= -1e-10 * most;
                let along: f64 = pull.iter().zip(&z).map(|(p, z)| p * z).sum();
                let much = along / value.abs().max(1e-10 * most).max(1e-12);
                for (basis, z) in basis.iter().zip(&z) {
                    for (k, y) in component.columns.iter().zip(basis) {
                        step[*k] += much * z * y / self.root(*k);
                    }
                }
            }
        }
        Ok((step, stable))
    }
}
