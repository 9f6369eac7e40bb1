//! What a constraint does about its error.
//!
//! A soft row is a spring and a damper, integrated implicitly: over a step h it asks
//!
//! ```text
//! J v + β C + γ λ = 0,     γ = 1 / (h (c + h k)),     β = h k γ
//! ```
//!
//! which is one step of backward Euler of m q̈ = −k q − c q̇, stable for any k and c. For stiffness
//! given by a frequency ω and a damping ratio ζ, k = ω²/K and c = 2ζω/K with K = J M⁻¹ Jᵀ of the
//! present pose; then γ is proportional to K, and the solve becomes a scaled one that needs no K:
//!
//! ```text
//! Δλ = −s K⁻¹ (J v + β C) − r λ,     a = hω (2ζ + hω),   s = a/(1 + a),   r = 1/(1 + a),
//!                                    β = ω / (2ζ + hω)
//! ```
//!
//! A rigid row is such a spring too, as stiff as the step can follow, whose softness is taken back
//! in the relaxing pass that follows the positions.

use std::fmt;

/// How a constraint yields.
///
/// A soft row is a spring and a damper, taken implicitly: one step of backward Euler of
/// m q̈ = −k q − c q̇, stable for any stiffness k and damping c.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Softness {
    /// Not at all, as far as the solver can.
    #[default]
    Rigid,
    /// A spring of this frequency and damping ratio for the mass that it moves in the present pose.
    Hertz {
        /// The undamped frequency, Hz.
        hertz: f64,
        /// 1 is critical.
        damping_ratio: f64,
    },
    /// A spring of N/m and N·s/m, or N·m/rad and N·m·s/rad.
    Stiffness {
        /// k.
        stiffness: f64,
        /// c.
        damping: f64,
    },
    /// The same per mass that it moves: 1/s² and 1/s.
    MassNormalized {
        /// k/m.
        stiffness: f64,
        /// c/m.
        damping: f64,
    },
    /// The inverse of a stiffness, m/N, and the damper beside it.
    Compliance {
        /// 1/k; 0 is rigid.
        compliance: f64,
        /// c.
        damping: f64,
    },
    /// Rigid, with the error removed at a rate: Chipmunk's error bias.
    ErrorBias {
        /// The fraction of an error that is left after one second.
        remaining: f64,
        /// The largest speed at which an error is removed, m/s or rad/s.
        max_bias: f64,
    },
}

/// A setting that no constraint can have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoftnessError {
    /// The field.
    pub field: &'static str,
    /// Its value.
    pub value: f64,
}

impl fmt::Display for SoftnessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` cannot be {}", self.field, self.value)
    }
}

impl std::error::Error for SoftnessError {}

/// The coefficients of a row over one sub-step of length h:
/// Δλ = −s (K + γ)⁻¹ (J v + β C + γ λ) − r λ, with |β C| at most the largest bias.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coefficients {
    /// β, 1/s.
    pub bias_rate: f64,
    /// The largest |β C|.
    pub max_bias: f64,
    /// s: what K⁻¹ is multiplied by.
    pub mass_scale: f64,
    /// r: how much of the impulse so far is taken back.
    pub impulse_scale: f64,
    /// γ of an absolute spring, added to the diagonal of K; 0 for all others.
    pub gamma: f64,
    /// Whether the relaxing pass solves the row once more without its bias. Real springs keep the
    /// impulse they have, so that each is exactly one implicit step.
    pub relax: bool,
}

impl Softness {
    /// Tests the settings.
    ///
    /// # Errors
    /// The first field that is negative, NaN, or infinite where that has no meaning.
    pub fn validate(&self) -> Result<(), SoftnessError> {
        let at_least_zero = |field, value: f64| {
            if value.is_finite() && value >= 0.0 {
                Ok(())
            } else {
                Err(SoftnessError { field, value })
            }
        };
        match *self {
            Self::Rigid => Ok(()),
            Self::Hertz { hertz, damping_ratio } => {
                at_least_zero("hertz", hertz)?;
                at_least_zero("damping_ratio", damping_ratio)
            }
            Self::Stiffness { stiffness, damping }
            | Self::MassNormalized { stiffness, damping } => {
                at_least_zero("stiffness", stiffness)?;
                at_least_zero("damping", damping)
            }
            Self::Compliance { compliance, damping } => {
                at_least_zero("compliance", compliance)?;
                at_least_zero("damping", damping)
            }
            Self::ErrorBias { remaining, max_bias } => {
                if !(0.0..=1.0).contains(&remaining) {
                    return Err(SoftnessError { field: "remaining", value: remaining });
                }
                if max_bias.is_nan() || max_bias < 0.0 {
                    return Err(SoftnessError { field: "max_bias", value: max_bias });
                }
                Ok(())
            }
        }
    }

    /// The coefficients of one step of implicit Euler over a sub-step of `h` seconds; `rigid` is what
    /// a rigid row is made of.
    pub fn coefficients(&self, h: f64, rigid: Coefficients) -> Coefficients {
        self.coefficients_by(h, rigid, 1.0)
    }

    /// The same with a spring that is implicit by the part `theta`, 0 to 1, of the sub-step:
    ///
    /// ```text
    /// λ = −h (k (C + θ h J v) + c J v)
    /// ```
    ///
    /// With positions that move by the new velocity, θ = 0 is symplectic Euler, which keeps a spring's
    /// energy and is stable while h ω < 2; θ = 1 is implicit Euler. The damper is always implicit.
    pub fn coefficients_by(&self, h: f64, rigid: Coefficients, theta: f64) -> Coefficients {
        // A trace of it is left, so that the impulse is a force over a compliance and not a limit of that.
        let theta = theta.clamp(EXPLICIT, 1.0);
        match *self {
            Self::Rigid => rigid,
            Self::Hertz { hertz, damping_ratio } => {
                let omega = std::f64::consts::TAU * hertz;
                normalized(h, omega * omega, 2.0 * damping_ratio * omega, theta)
            }
            Self::MassNormalized { stiffness, damping } => normalized(h, stiffness, damping, theta),
            Self::Stiffness { stiffness, damping } => absolute(h, stiffness, damping, theta),
            Self::Compliance { compliance, damping } if compliance > 0.0 => {
                absolute(h, 1.0 / compliance, damping, theta)
            }
            Self::Compliance { .. } => rigid,
            Self::ErrorBias { remaining, max_bias } => Coefficients {
                bias_rate: (1.0 - kempe_scalar::precise::pow(remaining, h)) / h,
                max_bias,
                mass_scale: 1.0,
                impulse_scale: 0.0,
                gamma: 0.0,
                relax: true,
            },
        }
    }
}

impl Softness {
    /// ω² of a spring on a row with this J M⁻¹ Jᵀ, 1/s²; 0 for a row that is no spring. `None` if it
    /// depends on the mass and that is not known.
    pub fn square_frequency(&self, inverse_mass: Option<f64>) -> Option<f64> {
        match *self {
            Self::Rigid | Self::ErrorBias { .. } => Some(0.0),
            Self::Hertz { hertz, .. } => Some((std::f64::consts::TAU * hertz).powi(2)),
            Self::MassNormalized { stiffness, .. } => Some(stiffness),
            Self::Stiffness { stiffness, .. } => Some(stiffness * inverse_mass?),
            Self::Compliance { compliance, .. } if compliance > 0.0 => {
                Some(inverse_mass? / compliance)
            }
            Self::Compliance { .. } => Some(0.0),
        }
    }
}

impl Coefficients {
    /// What a rigid row is made of: a spring that the relaxing pass makes rigid.
    pub fn rigid(h: f64, hertz: f64, damping_ratio: f64) -> Self {
        let omega = std::f64::consts::TAU * hertz;
        Self { relax: true, ..normalized(h, omega * omega, 2.0 * damping_ratio * omega, 1.0) }
    }
}

/// The least implicit part of a spring.
const EXPLICIT: f64 = 1e-3;

/// A spring of k/m and c/m.
fn normalized(h: f64, stiffness: f64, damping: f64, theta: f64) -> Coefficients {
    let whole = damping + theta * h * stiffness;
    let a = h * whole;
    Coefficients {
        bias_rate: if whole > 0.0 { stiffness / whole } else { 0.0 },
        max_bias: f64::INFINITY,
        mass_scale: a / (1.0 + a),
        impulse_scale: 1.0 / (1.0 + a),
        gamma: 0.0,
        relax: false,
    }
}

/// A spring of k and c.
fn absolute(h: f64, stiffness: f64, damping: f64, theta: f64) -> Coefficients {
    let whole = damping + theta * h * stiffness;
    // Without stiffness and damping there is no force: γ is infinite, and the impulse zero.
    let gamma = if whole > 0.0 { 1.0 / (h * whole) } else { f64::INFINITY };
    Coefficients {
        bias_rate: if whole > 0.0 { stiffness / whole } else { 0.0 },
        max_bias: f64::INFINITY,
        mass_scale: 1.0,
        impulse_scale: 0.0,
        gamma,
        relax: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One solve of a single row over a mass, from any impulse so far.
    fn step(c: &Coefficients, inverse_mass: f64, q: f64, v: &mut f64, lambda: &mut f64) {
        if c.gamma == f64::INFINITY {
            return;
        }
        let k = inverse_mass;
        let bias = (c.bias_rate * q).clamp(-c.max_bias, c.max_bias);
        let change = -c.mass_scale * (*v + bias + c.gamma * *lambda) / (k + c.gamma)
            - c.impulse_scale * *lambda;
        *lambda += change;
        *v += inverse_mass * change;
    }

    /// v = (v − h k/m q) / (1 + h c/m + h² k/m)
    fn backward_euler(h: f64, k: f64, c: f64, m: f64, q: f64, v: f64) -> f64 {
        (v - h * k / m * q) / (1.0 + h * c / m + h * h * k / m)
    }

    #[test]
    fn every_spring_is_a_step_of_backward_euler() {
        let (m, hertz, ratio) = (2.5, 2.0, 0.1);
        let omega = std::f64::consts::TAU * hertz;
        let (k, c) = (m * omega * omega, 2.0 * m * ratio * omega);
        let same = [
            Softness::Hertz { hertz, damping_ratio: ratio },
            Softness::Stiffness { stiffness: k, damping: c },
            Softness::MassNormalized { stiffness: k / m, damping: c / m },
            Softness::Compliance { compliance: 1.0 / k, damping: c },
        ];
        let h = 1.0 / 240.0;
        for softness in same {
            let coefficients = softness.coefficients(h, Coefficients::rigid(h, 60.0, 2.0));
            let (mut q, mut v, mut lambda) = (0.7, -0.3, 0.0);
            let (mut exact_q, mut exact_v) = (q, v);
            for _ in 0..500 {
                // Warm start: the impulse of the step before is applied, then corrected.
                v += lambda / m;
                step(&coefficients, 1.0 / m, q, &mut v, &mut lambda);
                q += h * v;
                exact_v = backward_euler(h, k, c, m, exact_q, exact_v);
                exact_q += h * exact_v;
                assert!((q - exact_q).abs() < 1e-12, "{softness:?}");
            }
        }
    }

    #[test]
    fn an_error_bias_leaves_its_fraction() {
        let softness = Softness::ErrorBias { remaining: 0.1, max_bias: f64::INFINITY };
        let h = 1.0 / 60.0;
        let coefficients = softness.coefficients(h, Coefficients::rigid(h, 60.0, 2.0));
        let mut error = 2.0;
        for _ in 0..60 {
            error -= h * coefficients.bias_rate * error;
        }
        assert!((error - 0.2).abs() < 1e-12, "{error}");
    }

    #[test]
    fn no_spring_is_no_force() {
        for softness in [
            Softness::Stiffness { stiffness: 0.0, damping: 0.0 },
            Softness::Hertz { hertz: 0.0, damping_ratio: 1.0 },
        ] {
            let c = softness.coefficients(0.01, Coefficients::rigid(0.01, 60.0, 2.0));
            let (mut v, mut lambda) = (1.0, 0.0);
            step(&c, 1.0, 5.0, &mut v, &mut lambda);
            assert_eq!((v, lambda), (1.0, 0.0), "{softness:?}");
        }
    }

    #[test]
    fn bad_settings_are_named() {
        let bad = Softness::Hertz { hertz: -1.0, damping_ratio: 1.0 };
        assert_eq!(bad.validate().unwrap_err().to_string(), "`hertz` cannot be -1");
        for softness in [
            Softness::Hertz { hertz: 1.0, damping_ratio: f64::NAN },
            Softness::Stiffness { stiffness: f64::INFINITY, damping: 0.0 },
            Softness::Compliance { compliance: -0.1, damping: 0.0 },
            Softness::ErrorBias { remaining: 1.5, max_bias: 1.0 },
            Softness::ErrorBias { remaining: 0.5, max_bias: -1.0 },
        ] {
            assert!(softness.validate().is_err(), "{softness:?}");
        }
        assert!(Softness::Rigid.validate().is_ok());
        assert!(Softness::ErrorBias { remaining: 0.0, max_bias: f64::INFINITY }.validate().is_ok());
    }
}
