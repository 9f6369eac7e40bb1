//! The functions of the crate in `f64`, one number at a time.
//!
//! They come from `libm`, a port of musl's mathematics to Rust, which computes with IEEE operations
//! only, and so gives the same bits everywhere too. What happens at the edges of the domains follows
//! the functions on lanes, so that a program may switch from one precision to the other without
//! new surprises.
//!
//! ```
//! use kempe_scalar::precise;
//!
//! let (sine, cosine) = precise::sin_cos(0.5);
//! assert!((precise::atan2(sine, cosine) - 0.5).abs() < 1e-15);
//! assert_eq!(precise::acos(1.000_000_5), 0.0);
//! ```

use crate::functions::DOMAIN_SLACK;

/// Sine and cosine. NaN for infinities.
#[must_use]
pub fn sin_cos(x: f64) -> (f64, f64) {
    libm::sincos(x)
}

/// Arc sine. A number beyond ±1 by at most 1e-6 counts as ±1; farther out the result is NaN.
///
/// The slack is the one of [`crate::asin`] and not a smaller one, for the sake of arguments that
/// were rounded to `f32` on their way.
#[must_use]
pub fn asin(x: f64) -> f64 {
    libm::asin(within_domain(x))
}

/// Arc cosine, with the domain of [`asin`].
#[must_use]
pub fn acos(x: f64) -> f64 {
    libm::acos(within_domain(x))
}

/// The angle of the point `(x, y)`, from −π to π. Zero at the origin, whatever the signs of the
/// zeros; a negative zero for `y` gives −π on the negative half-axis.
#[must_use]
pub fn atan2(y: f64, x: f64) -> f64 {
    // Adding zero turns a negative zero into a positive one and changes nothing else.
    libm::atan2(y, x + 0.0)
}

/// The exponential function.
#[must_use]
pub fn exp(x: f64) -> f64 {
    libm::exp(x)
}

/// The natural logarithm: −∞ for zeros of both signs, NaN for negative numbers.
#[must_use]
pub fn ln(x: f64) -> f64 {
    libm::log(x)
}

/// `x` to the power of `y`, with the special cases of [`crate::powf`].
#[must_use]
pub fn pow(x: f64, y: f64) -> f64 {
    if x == f64::NEG_INFINITY && libm::trunc(y) != y {
        return f64::NAN;
    }
    // As in `atan2`: the power of a zero does not depend on its sign.
    libm::pow(x + 0.0, y)
}

/// −1, 0 or 1. A zero keeps its sign, and a NaN stays one.
#[must_use]
pub fn sign(x: f64) -> f64 {
    if x > 0.0 {
        1.0
    } else if x < 0.0 {
        -1.0
    } else {
        x
    }
}

fn within_domain(x: f64) -> f64 {
    if x.abs() > 1.0 && x.abs() <= 1.0 + DOMAIN_SLACK { 1f64.copysign(x) } else { x }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{FRAC_PI_2, PI};

    #[test]
    fn arguments_slightly_out_of_the_domain_are_clamped() {
        assert_eq!(asin(1.0 + 9e-7), FRAC_PI_2);
        assert_eq!(asin(-1.0 - 9e-7), -FRAC_PI_2);
        assert_eq!(acos(1.0 + 9e-7), 0.0);
        assert_eq!(acos(-1.0 - 9e-7), PI);
        for x in [1.0 + 1.1e-6, -1.0 - 1.1e-6, 2.0, f64::INFINITY, f64::NAN] {
            assert!(asin(x).is_nan() && acos(x).is_nan(), "{x}");
        }
    }

    #[test]
    fn angles_on_the_axes() {
        assert_eq!(atan2(0.0, 0.0), 0.0);
        assert_eq!(atan2(0.0, -0.0), 0.0);
        assert_eq!(atan2(-0.0, -0.0), 0.0);
        assert_eq!(atan2(0.0, -1.0), PI);
        assert_eq!(atan2(-0.0, -1.0), -PI);
        assert_eq!(atan2(1.0, -0.0), FRAC_PI_2);
        assert!(atan2(f64::NAN, 1.0).is_nan() && atan2(1.0, f64::NAN).is_nan());
    }

    #[test]
    fn logarithm_exponential_and_power_at_the_edges() {
        assert_eq!(ln(0.0), f64::NEG_INFINITY);
        assert_eq!(ln(-0.0), f64::NEG_INFINITY);
        assert!(ln(-1.0).is_nan());
        assert_eq!(exp(f64::NEG_INFINITY), 0.0);
        assert_eq!(exp(1000.0), f64::INFINITY);
        assert_eq!(pow(-0.0, -1.0), f64::INFINITY);
        assert_eq!(pow(-2.0, 3.0), -8.0);
        assert_eq!(pow(0.0, 0.0), 1.0);
        assert_eq!(pow(1.0, f64::NAN), 1.0);
        assert!(pow(-2.0, 0.5).is_nan());
        assert!(pow(f64::NEG_INFINITY, 0.5).is_nan());
        assert_eq!(pow(f64::NEG_INFINITY, 3.0), f64::NEG_INFINITY);
    }

    #[test]
    fn sign_keeps_zero_and_nan() {
        assert_eq!((sign(-3.0), sign(0.0), sign(1e-300)), (-1.0, 0.0, 1.0));
        assert!(sign(-0.0).is_sign_negative());
        assert!(sign(f64::NAN).is_nan());
    }

    #[test]
    fn sine_of_infinity_is_not_a_number() {
        let (sine, cosine) = sin_cos(f64::INFINITY);
        assert!(sine.is_nan() && cosine.is_nan());
    }
}
