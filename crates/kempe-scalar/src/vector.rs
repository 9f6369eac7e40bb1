//! The one vector of the plane.

use crate::Real;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A vector in the plane, of `f64` unless said otherwise: equations need lanes and duals too.
///
/// ```
/// use kempe_scalar::Vec2;
///
/// let v = Vec2::new(3.0, 4.0);
/// assert_eq!(v.length(), 5.0);
/// assert_eq!(v.perp(), Vec2::new(-4.0, 3.0));
/// assert_eq!(Vec2::from([1.0, 2.0]).cross(v), -2.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct Vec2<S = f64> {
    /// To the right.
    pub x: S,
    /// Up.
    pub y: S,
}

impl Vec2 {
    /// (0, 0).
    pub const ZERO: Self = Self::new(0.0, 0.0);
    /// (1, 0).
    pub const X: Self = Self::new(1.0, 0.0);
    /// (0, 1).
    pub const Y: Self = Self::new(0.0, 1.0);

    /// Whether both components are finite.
    pub fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite()
    }

    /// The unit vector at an angle from the x axis.
    pub fn from_angle(radians: f64) -> Self {
        let (sin, cos) = crate::precise::sin_cos(radians);
        Self::new(cos, sin)
    }
}

impl<S> Vec2<S> {
    /// (x, y).
    #[inline(always)]
    pub const fn new(x: S, y: S) -> Self {
        Self { x, y }
    }
}

impl<S: Real> Vec2<S> {
    /// The same vector in every lane.
    #[inline(always)]
    pub fn constant(value: Vec2) -> Self {
        Self::new(S::constant(value.x), S::constant(value.y))
    }

    /// u · v.
    #[inline(always)]
    pub fn dot(self, other: Self) -> S {
        self.x * other.x + self.y * other.y
    }

    /// u × v = u_x v_y − u_y v_x.
    #[inline(always)]
    pub fn cross(self, other: Self) -> S {
        self.x * other.y - self.y * other.x
    }

    /// A quarter turn counter-clockwise: (−y, x). ω × r is `r.perp() * ω`.
    #[inline(always)]
    pub fn perp(self) -> Self {
        Self::new(-self.y, self.x)
    }

    /// Turned by the angle of which `cos` and `sin` are given.
    #[inline(always)]
    pub fn turned(self, cos: S, sin: S) -> Self {
        Self::new(cos * self.x - sin * self.y, sin * self.x + cos * self.y)
    }

    /// Turned back.
    #[inline(always)]
    pub fn turned_back(self, cos: S, sin: S) -> Self {
        Self::new(cos * self.x + sin * self.y, cos * self.y - sin * self.x)
    }

    /// |v|.
    #[inline(always)]
    pub fn length(self) -> S {
        self.dot(self).sqrt()
    }

    /// |v|².
    #[inline(always)]
    pub fn length_squared(self) -> S {
        self.dot(self)
    }
}

impl<S: Real> Add for Vec2<S> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y)
    }
}

impl<S: Real> Sub for Vec2<S> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y)
    }
}

impl<S: Real> Neg for Vec2<S> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self::new(-self.x, -self.y)
    }
}

impl<S: Real> Mul<S> for Vec2<S> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, factor: S) -> Self {
        Self::new(self.x * factor, self.y * factor)
    }
}

impl<S: Real> AddAssign for Vec2<S> {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl<S: Real> SubAssign for Vec2<S> {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl<S> From<[S; 2]> for Vec2<S> {
    #[inline(always)]
    fn from([x, y]: [S; 2]) -> Self {
        Self::new(x, y)
    }
}

impl<S> From<Vec2<S>> for [S; 2] {
    #[inline(always)]
    fn from(vector: Vec2<S>) -> Self {
        [vector.x, vector.y]
    }
}

impl<S> From<(S, S)> for Vec2<S> {
    #[inline(always)]
    fn from((x, y): (S, S)) -> Self {
        Self::new(x, y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_and_turns() {
        let (u, v) = (Vec2::new(1.0, 2.0), Vec2::new(3.0, -1.0));
        assert_eq!(u.dot(v), 1.0);
        assert_eq!(u.cross(v), -7.0);
        assert_eq!(u.cross(v), u.perp().dot(v), "u × v = ⊥u · v");
        assert_eq!(u + v - v, u);
        assert_eq!(-(u * 2.0), Vec2::new(-2.0, -4.0));
        let (sin, cos) = crate::precise::sin_cos(0.7);
        let back = u.turned(cos, sin).turned_back(cos, sin);
        assert!((back - u).length() < 1e-15);
        assert!((Vec2::from_angle(0.7) - Vec2::X.turned(cos, sin)).length() < 1e-15);
        assert_eq!(<[f64; 2]>::from(Vec2::from((1.0, 2.0))), [1.0, 2.0]);
    }
}
