//! One trait over every kind of number that an equation is evaluated with.

use crate::{Lanes, functions, precise};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A number, or several of them side by side: `f64` for one joint exactly, [`Lanes`] for many at
/// once, [`Dual`](crate::Dual) for derivatives.
///
/// A joint's equations are written once over this trait. They must not branch on a value, which
/// lanes cannot do: use [`choose`](Self::choose). Mark functions that lanes of [`Isa::run`](crate::Isa::run)
/// go through with `#[inline(always)]`, or they are compiled without the instructions that the lanes
/// are made of.
pub trait Real:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + 'static
{
    /// The same number in every lane.
    fn constant(value: f64) -> Self;
    /// √x.
    fn sqrt(self) -> Self;
    /// |x|.
    fn abs(self) -> Self;
    /// −1, 0 or 1.
    fn sign(self) -> Self;
    /// The smaller one.
    fn min(self, other: Self) -> Self;
    /// The larger one.
    fn max(self, other: Self) -> Self;
    /// `yes` where self > other, `no` elsewhere.
    fn choose(self, other: Self, yes: Self, no: Self) -> Self;
    /// (sin x, cos x).
    fn sin_cos(self) -> (Self, Self);
    /// arcsin x.
    fn asin(self) -> Self;
    /// arccos x.
    fn acos(self) -> Self;
    /// The angle of the vector (x, self).
    fn atan2(self, x: Self) -> Self;
    /// eˣ.
    fn exp(self) -> Self;
    /// The natural logarithm.
    fn ln(self) -> Self;
    /// self to a power.
    fn powf(self, exponent: Self) -> Self;

    /// 0.
    #[inline(always)]
    fn zero() -> Self {
        Self::constant(0.0)
    }

    /// 1.
    #[inline(always)]
    fn one() -> Self {
        Self::constant(1.0)
    }

    /// The nearest number between `low` and `high`.
    #[inline(always)]
    fn clamp(self, low: Self, high: Self) -> Self {
        self.max(low).min(high)
    }
}

impl<L: Lanes> Real for L {
    #[inline(always)]
    fn constant(value: f64) -> Self {
        L::splat(value as f32)
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Lanes::sqrt(self)
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Lanes::abs(self)
    }

    #[inline(always)]
    fn sign(self) -> Self {
        functions::sign(self)
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Lanes::min(self, other)
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Lanes::max(self, other)
    }

    #[inline(always)]
    fn choose(self, other: Self, yes: Self, no: Self) -> Self {
        L::select(self.gt(other), yes, no)
    }

    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        functions::sin_cos(self)
    }

    #[inline(always)]
    fn asin(self) -> Self {
        functions::asin(self)
    }

    #[inline(always)]
    fn acos(self) -> Self {
        functions::acos(self)
    }

    #[inline(always)]
    fn atan2(self, x: Self) -> Self {
        functions::atan2(self, x)
    }

    #[inline(always)]
    fn exp(self) -> Self {
        functions::exp(self)
    }

    #[inline(always)]
    fn ln(self) -> Self {
        functions::ln(self)
    }

    #[inline(always)]
    fn powf(self, exponent: Self) -> Self {
        functions::powf(self, exponent)
    }
}

impl Real for f64 {
    #[inline(always)]
    fn constant(value: f64) -> Self {
        value
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        self.sqrt()
    }

    #[inline(always)]
    fn abs(self) -> Self {
        self.abs()
    }

    #[inline(always)]
    fn sign(self) -> Self {
        precise::sign(self)
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        if self < other { self } else { other }
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        if self > other { self } else { other }
    }

    #[inline(always)]
    fn choose(self, other: Self, yes: Self, no: Self) -> Self {
        if self > other { yes } else { no }
    }

    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        precise::sin_cos(self)
    }

    #[inline(always)]
    fn asin(self) -> Self {
        precise::asin(self)
    }

    #[inline(always)]
    fn acos(self) -> Self {
        precise::acos(self)
    }

    #[inline(always)]
    fn atan2(self, x: Self) -> Self {
        precise::atan2(self, x)
    }

    #[inline(always)]
    fn exp(self) -> Self {
        precise::exp(self)
    }

    #[inline(always)]
    fn ln(self) -> Self {
        precise::ln(self)
    }

    #[inline(always)]
    fn powf(self, exponent: Self) -> Self {
        precise::pow(self, exponent)
    }
}
