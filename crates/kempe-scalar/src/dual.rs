//! Numbers that carry their derivatives.
//!
//! x + Σ xₖ εₖ with εⱼεₖ = 0: whatever is computed with them gives its value and its derivatives
//! along N directions, exactly. Duals of duals give second derivatives.

use crate::Real;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A value and its derivatives along N directions.
///
/// ```
/// use kempe_scalar::{Dual, Real};
///
/// let x: Dual<f64, 2> = Dual::variable(2.0, 0);
/// let y = Dual::variable(3.0, 1);
/// let z = x * x * y + y.sin_cos().0;
/// assert_eq!(z.value, 12.0 + kempe_scalar::precise::sin_cos(3.0).0);
/// assert_eq!(z.slopes[0], 12.0); // 2 x y
/// assert_eq!(z.slopes[1], 4.0 + kempe_scalar::precise::sin_cos(3.0).1); // x² + cos y
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dual<S, const N: usize> {
    /// The value.
    pub value: S,
    /// The derivatives.
    pub slopes: [S; N],
}

impl<S: Real, const N: usize> Dual<S, N> {
    /// A value that moves along one of the directions at unit speed.
    #[inline(always)]
    pub fn variable(value: S, direction: usize) -> Self {
        let mut slopes = [S::zero(); N];
        slopes[direction] = S::one();
        Self { value, slopes }
    }

    /// A value that does not move.
    #[inline(always)]
    pub fn fixed(value: S) -> Self {
        Self { value, slopes: [S::zero(); N] }
    }

    /// f(x), where f′(x) is `slope`.
    #[inline(always)]
    fn chain(self, value: S, slope: S) -> Self {
        let mut slopes = self.slopes;
        for each in &mut slopes {
            *each = *each * slope;
        }
        Self { value, slopes }
    }

    /// f(x, y), where the partial derivatives are `by_x` and `by_y`.
    #[inline(always)]
    fn chain2(self, other: Self, value: S, by_x: S, by_y: S) -> Self {
        let mut slopes = self.slopes;
        for (each, other) in slopes.iter_mut().zip(other.slopes) {
            *each = *each * by_x + other * by_y;
        }
        Self { value, slopes }
    }
}

/// 1/x, 0 where x is 0: what the derivative of a root or an arc has at its end.
#[inline(always)]
fn guarded_inverse<S: Real>(x: S) -> S {
    x.abs().choose(S::zero(), S::one() / x, S::zero())
}

impl<S: Real, const N: usize> Add for Dual<S, N> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.chain2(other, self.value + other.value, S::one(), S::one())
    }
}

impl<S: Real, const N: usize> Sub for Dual<S, N> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.chain2(other, self.value - other.value, S::one(), -S::one())
    }
}

impl<S: Real, const N: usize> Mul for Dual<S, N> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.chain2(other, self.value * other.value, other.value, self.value)
    }
}

impl<S: Real, const N: usize> Div for Dual<S, N> {
    type Output = Self;

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        let value = self.value / other.value;
        self.chain2(other, value, S::one() / other.value, -(value / other.value))
    }
}

impl<S: Real, const N: usize> Neg for Dual<S, N> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        self.chain(-self.value, -S::one())
    }
}

impl<S: Real, const N: usize> Real for Dual<S, N> {
    #[inline(always)]
    fn constant(value: f64) -> Self {
        Self::fixed(S::constant(value))
    }

    #[inline(always)]
    fn zero() -> Self {
        Self::fixed(S::zero())
    }

    #[inline(always)]
    fn one() -> Self {
        Self::fixed(S::one())
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        let root = self.value.sqrt();
        self.chain(root, S::constant(0.5) * guarded_inverse(root))
    }

    #[inline(always)]
    fn abs(self) -> Self {
        self.chain(self.value.abs(), self.value.sign())
    }

    #[inline(always)]
    fn sign(self) -> Self {
        Self::fixed(self.value.sign())
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        other.choose(self, self, other)
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.choose(other, self, other)
    }

    #[inline(always)]
    fn choose(self, other: Self, yes: Self, no: Self) -> Self {
        let mut slopes = yes.slopes;
        for (each, no) in slopes.iter_mut().zip(no.slopes) {
            *each = self.value.choose(other.value, *each, no);
        }
        Self { value: self.value.choose(other.value, yes.value, no.value), slopes }
    }

    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        let (sin, cos) = self.value.sin_cos();
        (self.chain(sin, cos), self.chain(cos, -sin))
    }

    #[inline(always)]
    fn asin(self) -> Self {
        let slope = guarded_inverse((S::one() - self.value * self.value).max(S::zero()).sqrt());
        self.chain(self.value.asin(), slope)
    }

    #[inline(always)]
    fn acos(self) -> Self {
        let slope = guarded_inverse((S::one() - self.value * self.value).max(S::zero()).sqrt());
        self.chain(self.value.acos(), -slope)
    }

    #[inline(always)]
    fn atan2(self, x: Self) -> Self {
        let square = self.value * self.value + x.value * x.value;
        let inverse = guarded_inverse(square);
        self.chain2(x, self.value.atan2(x.value), x.value * inverse, -(self.value * inverse))
    }

    #[inline(always)]
    fn exp(self) -> Self {
        let value = self.value.exp();
        self.chain(value, value)
    }

    #[inline(always)]
    fn ln(self) -> Self {
        self.chain(self.value.ln(), S::one() / self.value)
    }

    #[inline(always)]
    fn powf(self, exponent: Self) -> Self {
        let value = self.value.powf(exponent.value);
        let by_base = exponent.value * self.value.powf(exponent.value - S::one());
        // ln of a base that is not positive matters only if the exponent moves.
        let by_exponent = self.value.choose(S::zero(), value * self.value.ln(), S::zero());
        self.chain2(exponent, value, by_base, by_exponent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type D = Dual<f64, 2>;
    type Function = fn(D, D) -> D;

    #[test]
    fn derivatives_are_differences() {
        let functions: &[(&str, Function)] = &[
            ("+", |x, y| x + y),
            ("-", |x, y| x - y),
            ("*", |x, y| x * y),
            ("/", |x, y| x / y),
            ("neg", |x, _| -x),
            ("sqrt", |x, y| (x * x + y * y).sqrt()),
            ("abs", |x, _| (-x).abs()),
            ("min", |x, y| x.min(y)),
            ("max", |x, y| x.max(y)),
            ("choose", |x, y| x.choose(y, x * y, x / y)),
            ("sin", |x, y| (x * y).sin_cos().0),
            ("cos", |x, y| (x * y).sin_cos().1),
            ("asin", |x, _| (x * D::constant(0.3)).asin()),
            ("acos", |x, _| (x * D::constant(0.3)).acos()),
            ("atan2", |x, y| x.atan2(y)),
            ("exp", |x, y| (x - y).exp()),
            ("ln", |x, y| (x * y).ln()),
            ("powf", |x, y| x.powf(y)),
            ("clamp", |x, y| x.clamp(D::constant(0.0), y)),
        ];
        for (x, y) in [(0.7, 1.3), (1.9, 0.4), (2.5, 1.1)] {
            for (name, function) in functions {
                let exact = function(D::variable(x, 0), D::variable(y, 1));
                let at = |x: f64, y: f64| function(D::fixed(x), D::fixed(y)).value;
                let h = 1e-6;
                let by_x = (at(x + h, y) - at(x - h, y)) / (2.0 * h);
                let by_y = (at(x, y + h) - at(x, y - h)) / (2.0 * h);
                assert!((exact.slopes[0] - by_x).abs() < 1e-7, "{name} by x at {x} {y}");
                assert!((exact.slopes[1] - by_y).abs() < 1e-7, "{name} by y at {x} {y}");
            }
        }
    }

    #[test]
    fn duals_of_duals_give_second_derivatives() {
        type DD = Dual<Dual<f64, 1>, 1>;
        let x = DD { value: Dual::variable(1.2, 0), slopes: [Dual::fixed(1.0)] };
        let y = x * x * x;
        assert!((y.value.value - 1.728).abs() < 1e-12);
        assert!((y.slopes[0].value - 3.0 * 1.44).abs() < 1e-12);
        assert!((y.slopes[0].slopes[0] - 7.2).abs() < 1e-12);
    }

    #[test]
    fn guarded_at_the_edges() {
        let zero = D::variable(0.0, 0);
        assert_eq!((zero * zero).sqrt().slopes[0], 0.0);
        assert_eq!(zero.atan2(zero).slopes, [0.0; 2]);
        assert_eq!(D::variable(1.0, 0).asin().slopes[0], 0.0);
    }
}
