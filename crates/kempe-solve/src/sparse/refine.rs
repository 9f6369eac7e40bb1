//! Corrections of a solution until the equations hold.

use super::{Quality, SparseError};

/// A residual this small is not improved further.
const TARGET: f64 = 1e-14;
/// One larger than this is an error.
const ACCEPTED: f64 = 1e-8;
/// How much larger than the right side the terms may be.
const LARGEST_TERMS: f64 = 1e4;
/// Plain corrections, and those of a Krylov cycle.
const PLAIN: u32 = 8;
const KRYLOV: usize = 24;

/// A matrix, and a factorisation of it or of one close by.
pub(super) trait System {
    /// out = b − K z
    fn residual(&self, z: &[f64], b: &[f64], out: &mut [f64]);
    /// The same of the matrix that was factored, which is never singular: where rows repeat each other
    /// it gives way a little, and shares what they bear.
    fn regularised(&self, z: &[f64], b: &[f64], out: &mut [f64]) {
        self.residual(z, b, out);
    }
    /// About K⁻¹ v, in place.
    fn back(&mut self, v: &mut [f64]);
    /// How large a residual is next to the terms of its equations.
    fn measure(&self, residual: &[f64], z: &[f64], b: &[f64]) -> Measure;
}

/// How large a residual is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measure {
    /// Next to the right side.
    to_right: f64,
    /// Next to the terms, where these are not so much larger than the right side that they can
    /// only come from a matrix that is singular.
    to_terms: f64,
}

impl Measure {
    pub fn new(residual: f64, right: f64, solution: f64) -> Self {
        if residual == 0.0 && solution.is_finite() {
            return Self { to_right: 0.0, to_terms: 0.0 };
        }
        let terms = right + solution.min(LARGEST_TERMS * right);
        Self { to_right: residual / right, to_terms: residual / terms }
    }

    pub fn worse(self, other: Self) -> Self {
        let worse = |a: f64, b: f64| if a.is_nan() || b <= a { a } else { b };
        Self {
            to_right: worse(self.to_right, other.to_right),
            to_terms: worse(self.to_terms, other.to_terms),
        }
    }
}

/// Memory of the corrections.
#[derive(Debug, Default)]
pub(super) struct Refiner {
    pub b: Vec<f64>,
    pub z: Vec<f64>,
    r: Vec<f64>,
    d: Vec<f64>,
    zero: Vec<f64>,
    basis: Vec<Vec<f64>>,
    step: Vec<Vec<f64>>,
    h: Vec<Vec<f64>>,
    rotation: Vec<(f64, f64)>,
    g: Vec<f64>,
}

impl Refiner {
    pub fn new(size: usize) -> Self {
        let zeros = || vec![0.0; size];
        Self { b: zeros(), z: zeros(), r: zeros(), d: zeros(), zero: zeros(), ..Self::default() }
    }

    /// Solves K z = b for the `b` and `z` in here.
    pub fn solve(&mut self, system: &mut impl System) -> Result<Quality, SparseError> {
        self.z.copy_from_slice(&self.b);
        system.back(&mut self.z);
        system.residual(&self.z, &self.b, &mut self.r);
        let mut residual = system.measure(&self.r, &self.z, &self.b);
        if !residual.to_terms.is_finite() {
            return Err(SparseError::Overflow);
        }
        let mut refinements = 0;
        while residual.to_terms > TARGET && refinements < PLAIN {
            refinements += 1;
            self.d.copy_from_slice(&self.r);
            system.back(&mut self.d);
            let before = residual.to_terms;
            if !self.take(system, &mut residual) || residual.to_terms > 0.25 * before {
                break;
            }
        }
        // A few directions that the factorisation has wrong: Krylov finds them.
        while residual.to_terms > 100.0 * TARGET && refinements < 4 * KRYLOV as u32 {
            let before = residual.to_terms;
            refinements += self.cycle(system);
            if !self.take(system, &mut residual) || residual.to_terms > 0.5 * before {
                break;
            }
        }
        if residual.to_terms > ACCEPTED {
            return Err(SparseError::Residual { residual: residual.to_right });
        }
        Ok(Quality { residual: residual.to_right, refinements, regularised: 0 })
    }

    /// Adds `d` to the solution if that makes the residual smaller.
    fn take(&mut self, system: &impl System, residual: &mut Measure) -> bool {
        for (d, z) in self.d.iter_mut().zip(&self.z) {
            *d += z;
        }
        system.residual(&self.d, &self.b, &mut self.r);
        let found = system.measure(&self.r, &self.d, &self.b);
        let better = found.to_terms < residual.to_terms;
        if better {
            *residual = found;
            std::mem::swap(&mut self.z, &mut self.d);
        } else {
            system.residual(&self.z, &self.b, &mut self.r);
        }
        better
    }

    /// GMRES for K d = r, each direction from the factorisation.
    fn cycle(&mut self, system: &mut impl System) -> u32 {
        let size = self.r.len();
        if self.basis.is_empty() {
            self.basis = vec![vec![0.0; size]; KRYLOV + 1];
            self.step = vec![vec![0.0; size]; KRYLOV];
            self.h = vec![vec![0.0; KRYLOV + 1]; KRYLOV];
            self.rotation = vec![(1.0, 0.0); KRYLOV];
            self.g = vec![0.0; KRYLOV + 1];
        }
        let length = norm(&self.r);
        self.g.fill(0.0);
        self.g[0] = length;
        self.d.fill(0.0);
        if !(length > 0.0 && length.is_finite()) {
            return 1;
        }
        scaled(&mut self.basis[0], &self.r, 1.0 / length);
        let mut count = 0;
        for k in 0..KRYLOV {
            let (known, rest) = self.basis.split_at_mut(k + 1);
            let next = &mut rest[0];
            self.step[k].copy_from_slice(&known[k]);
            system.back(&mut self.step[k]);
            system.regularised(&self.step[k], &self.zero, next);
            next.iter_mut().for_each(|x| *x = -*x);
            let h = &mut self.h[k];
            h.fill(0.0);
            let whole = norm(next);
            for _ in 0..2 {
                for (v, h) in known.iter().zip(h.iter_mut()) {
                    let along = dot(v, next);
                    *h += along;
                    next.iter_mut().zip(v).for_each(|(x, v)| *x -= along * v);
                }
            }
            let left = norm(next);
            if !left.is_finite() {
                break;
            }
            h[k + 1] = left;
            for (i, (c, s)) in self.rotation[..k].iter().enumerate() {
                (h[i], h[i + 1]) = (c * h[i] + s * h[i + 1], c * h[i + 1] - s * h[i]);
            }
            let radius = (h[k] * h[k] + h[k + 1] * h[k + 1]).sqrt();
            if radius <= 1e-300 {
                break;
            }
            let (c, s) = (h[k] / radius, h[k + 1] / radius);
            self.rotation[k] = (c, s);
            (h[k], h[k + 1]) = (radius, 0.0);
            (self.g[k], self.g[k + 1]) = (c * self.g[k], -s * self.g[k]);
            count = k + 1;
            if left <= 1e-14 * whole || self.g[k + 1].abs() <= 1e-8 * length {
                break;
            }
            next.iter_mut().for_each(|x| *x /= left);
        }
        for i in (0..count).rev() {
            let sum: f64 = (i + 1..count).map(|j| self.h[j][i] * self.g[j]).sum();
            self.g[i] = (self.g[i] - sum) / self.h[i][i];
        }
        for (step, y) in self.step.iter().zip(&self.g).take(count) {
            self.d.iter_mut().zip(step).for_each(|(d, s)| *d += y * s);
        }
        count.max(1) as u32
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

fn scaled(out: &mut [f64], from: &[f64], by: f64) {
    out.iter_mut().zip(from).for_each(|(out, x)| *out = x * by);
}

/// The largest size; NaN if there is one.
pub(super) fn largest(values: &[f64]) -> f64 {
    values.iter().fold(
        0.0,
        |most: f64, x| {
            if most.is_nan() || x.abs() <= most { most } else { x.abs() }
        },
    )
}
