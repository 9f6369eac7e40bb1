//! How a step is discretised: the θ-method and the generalised-α method, as one form.
//!
//! Both ask for d = q₁ − q₀ and the impulses p with
//!
//! ```text
//! M (s d + c) − w F(q₁, v₁) − known − Σ (g J(q₀) + (1 − g) J(q₁))ᵀ p = 0,
//! v₁ = u d + e,   C(q₁, t₁) = 0
//! ```
//!
//! It is the way and not q₁, so that velocities have all their digits far from the origin too.
//!
//! | | θ-method with k | generalised α with β, γ, α_m, α_f |
//! |---|---|---|
//! | s | 1 / (k h) | (1 − α_m) / ((1 − α_f) β h²) |
//! | u | 1 / (k h) | γ / (β h) |
//! | w | k h | 1 |
//! | p of a held row | h λ | λ |
//! | g | 1 − k | 0 |
//!
//! The unknown is what is added to q₀, not q₁: u is large, and velocities would have the rounding of
//! positions u times.
//!
//! The multiplier of a held row is one number for the step and begins anew with each: averaged over
//! two steps it would ring without end. (Along the rows of the end alone it would be of first order,
//! and take energy away. Newton's matrix has them all the same, so that it stays symmetric.)

use super::system::State;

/// A step of one of the methods.
#[derive(Clone, Debug)]
pub(crate) struct Scheme {
    pub h: f64,
    pub s: f64,
    pub c: Vec<f64>,
    pub u: f64,
    pub e: Vec<f64>,
    /// What forces of the end count.
    pub w: f64,
    /// What a held row's multiplier counts.
    pub held: f64,
    /// What forces of the start add.
    pub before: f64,
    /// What the rows of the start count for held ones.
    pub g: f64,
}

/// What generalised α keeps from step to step: its own accelerations, and the true ones.
#[derive(Clone, Debug, Default)]
pub(crate) struct Alpha {
    pub own: Vec<f64>,
    pub real: Vec<f64>,
}

impl Scheme {
    /// The θ-method.
    pub(crate) fn theta(start: &State, h: f64, k: f64) -> Self {
        let s = 1.0 / (k * h);
        let e: Vec<f64> = start.v.iter().map(|v| -(1.0 - k) / k * v).collect();
        let c = e.iter().zip(&start.v).map(|(e, v)| e - v).collect();
        let before = h * (1.0 - k);
        Self { h, s, c, u: s, e, w: k * h, held: h, before, g: 1.0 - k }
    }

    /// Generalised α with spectral radius ρ.
    pub(crate) fn alpha(start: &State, h: f64, rho: f64, kept: &Alpha) -> Self {
        let [alpha_m, alpha_f, beta, gamma] = numbers(rho);
        let count = start.q.len();
        let own = |k: usize| kept.own.get(k).copied().unwrap_or(0.0);
        let real = |k: usize| kept.real.get(k).copied().unwrap_or(0.0);
        // a₁ = (d − guess) / (β h²)
        let per = 1.0 / (beta * h * h);
        let guess = |k: usize| h * start.v[k] + h * h * (0.5 - beta) * own(k);
        let s = (1.0 - alpha_m) / (1.0 - alpha_f) * per;
        let c = (0..count)
            .map(|k| -s * guess(k) + (alpha_m * own(k) - alpha_f * real(k)) / (1.0 - alpha_f));
        let u = gamma / (beta * h);
        let e = (0..count).map(|k| start.v[k] + h * (1.0 - gamma) * own(k) - u * guess(k));
        Self { h, s, c: c.collect(), u, e: e.collect(), w: 1.0, held: 1.0, before: 0.0, g: 0.0 }
    }

    /// The accelerations that generalised α goes on with.
    pub(crate) fn next_alpha(&self, start: &State, end: &State, rho: f64, kept: &Alpha) -> Alpha {
        let [alpha_m, alpha_f, _, gamma] = numbers(rho);
        let h = self.h;
        let own: Vec<f64> = (0..end.q.len())
            .map(|k| {
                let before = kept.own.get(k).copied().unwrap_or(0.0);
                (end.v[k] - start.v[k] - h * (1.0 - gamma) * before) / (gamma * h)
            })
            .collect();
        let real = (0..end.q.len()).map(|k| {
            let (before, real) =
                (kept.own.get(k).copied().unwrap_or(0.0), kept.real.get(k).copied().unwrap_or(0.0));
            ((1.0 - alpha_m) * own[k] + alpha_m * before - alpha_f * real) / (1.0 - alpha_f)
        });
        Alpha { real: real.collect(), own }
    }
}

/// α_m, α_f, β, γ of a spectral radius.
fn numbers(rho: f64) -> [f64; 4] {
    let alpha_m = (2.0 * rho - 1.0) / (rho + 1.0);
    let alpha_f = rho / (rho + 1.0);
    let gamma = 0.5 + alpha_f - alpha_m;
    let beta = 0.25 * (gamma + 0.5) * (gamma + 0.5);
    [alpha_m, alpha_f, beta, gamma]
}
