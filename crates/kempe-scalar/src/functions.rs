//! Elementary functions in `f32`, generic over the lanes and without branches.
//!
//! Each one reduces its argument to a short interval, evaluates a polynomial there and puts the
//! result back together. The coefficients were made for this crate: an exchange (Remez) algorithm
//! in 40 digits gives the polynomial with the smallest maximal error, its lowest coefficient is
//! rounded to `f32`, the others are fitted anew around it, and so on upwards. The errors stated next
//! to the coefficients are those of the rounded polynomials, evaluated exactly; the errors in the
//! documentation of the functions are those that the tests measured against `f64`.

use crate::Lanes;
use std::f32::consts::{FRAC_2_PI, FRAC_PI_2, LOG2_E, PI};

#[cfg(test)]
mod tests;

/// How far the argument of an arc function may be beyond ±1. Products and quotients of normalized
/// vectors exceed 1 by a few units in the last place; a mistake exceeds it by more.
pub(crate) const DOMAIN_SLACK: f64 = 1e-6;

/// 1.5 · 2²³. A float of this size has no bits left for fractions, so that adding it rounds to the
/// nearest integer (ties to even), which then stands in the low bits of the sum. That holds for
/// summands up to 2²² of both signs, on every processor, and needs nothing but an addition.
const ROUNDER: f32 = 12_582_912.0;

/// What is missing from the float [`PI`] to π.
const PI_REST: f32 = -8.742_278e-8;
/// What is missing from the float [`FRAC_PI_2`] to π/2.
const FRAC_PI_2_REST: f32 = -4.371_139e-8;

/// The polynomial with the given coefficients, lowest first.
#[inline(always)]
fn polynomial<L: Lanes, const COUNT: usize>(x: L, coefficients: [f32; COUNT]) -> L {
    let mut sum = L::splat(coefficients[COUNT - 1]);
    let mut index = COUNT - 1;
    while index > 0 {
        index -= 1;
        sum = sum * x + L::splat(coefficients[index]);
    }
    sum
}

/// Sine and cosine of an angle in radians.
///
/// The absolute error is at most 8e-8 up to |x| = 8192. Beyond, it grows with |x| (about 2e-6
/// at 1e5), until the angle has nothing to do with `x` any more; but for every finite `x` both
/// results are in [−1, 1]. Infinities and NaN give NaN. The sign of a zero is not kept.
#[inline(always)]
#[must_use]
pub fn sin_cos<L: Lanes>(x: L) -> (L, L) {
    // x = quarters · π/2 + rest, with |rest| ≤ π/4. π/2 is split into a part of 8 bits, one of 11
    // bits and the remainder; the products of the first two with up to 2¹³ quarters are exact, and so
    // are the differences, since they cancel.
    let shifted = x * L::splat(FRAC_2_PI) + L::splat(ROUNDER);
    let quarters = shifted - L::splat(ROUNDER);
    let rest = x - quarters * L::splat(1.570_312_5);
    let rest = rest - quarters * L::splat(4.837_513e-4);
    let rest = rest - quarters * L::splat(7.549_79e-8);
    // Only for huge x the rest may be anything, even infinite. The order of the operands lets a NaN
    // through.
    let rest = L::splat(-0.8).max(L::splat(0.8).min(rest));

    let square = rest * rest;
    // sin r = r + r·z·P(z) with z = r², |r| ≤ π/4; relative error 3.7e-9.
    let sine = polynomial(square, [-0.166_666_55, 0.008_332_191, -0.000_195_185_99]);
    let sine = rest + rest * (square * sine);
    // cos r = 1 − z/2 + z²·P(z), |r| ≤ π/4; absolute error 1.1e-10.
    let cosine = polynomial(square, [0.041_666_646, -0.001_388_730_1, 2.443_067e-5]);
    let cosine = L::splat(1.0) - (square * L::splat(0.5) - square * (square * cosine));

    // Each quarter turns (cos, sin) into (−sin, cos): odd ones swap the two, and the sign bits are
    // bit 1 of the count for the sine and bit 1 of the count plus one for the cosine.
    let count = shifted.to_bits();
    let one = L::bits_splat(1);
    let two = L::bits_splat(2);
    let even = L::bits_equal(L::bits_and(count, one), L::bits_splat(0));
    let sine_sign = L::bits_shift_left::<30>(L::bits_and(count, two));
    let cosine_sign = L::bits_shift_left::<30>(L::bits_and(L::bits_add(count, one), two));
    (
        flip_sign(L::select(even, sine, cosine), sine_sign),
        flip_sign(L::select(even, cosine, sine), cosine_sign),
    )
}

#[inline(always)]
fn flip_sign<L: Lanes>(x: L, sign_bit: L::Bits) -> L {
    L::from_bits(L::bits_xor(x.to_bits(), sign_bit))
}

/// Arc sine, from −π/2 to π/2.
///
/// The absolute error is at most 1.5e-7. A number beyond ±1 by at most 1e-6 counts as ±1;
/// farther out the result is NaN.
#[inline(always)]
#[must_use]
pub fn asin<L: Lanes>(x: L) -> L {
    let (outer, angle) = reduced_asin(x);
    let complement = L::splat(FRAC_PI_2) - (angle + angle - L::splat(FRAC_PI_2_REST));
    L::select(outer, complement, angle).copysign(x)
}

/// Arc cosine, from 0 to π.
///
/// The absolute error is at most 2.6e-7. A number beyond ±1 by at most 1e-6 counts as ±1;
/// farther out the result is NaN.
#[inline(always)]
#[must_use]
pub fn acos<L: Lanes>(x: L) -> L {
    let (outer, angle) = reduced_asin(x);
    let double = angle + angle;
    let opposite = L::splat(PI) - (double - L::splat(PI_REST));
    let near_ends = L::select(x.lt(L::splat(0.0)), opposite, double);
    let near_zero = L::splat(FRAC_PI_2) - (angle.copysign(x) - L::splat(FRAC_PI_2_REST));
    L::select(outer, near_ends, near_zero)
}

/// Whether |x| > 1/2, and the arc sine of |x|, or in that case of √((1 − |x|)/2): the arc sine of |x|
/// is then π/2 less twice the angle.
#[inline(always)]
fn reduced_asin<L: Lanes>(x: L) -> (L::Mask, L) {
    let magnitude = x.abs();
    let outside = magnitude.gt(L::splat((1.0 + DOMAIN_SLACK) as f32));
    // The order of the operands lets a NaN through.
    let clamped = L::splat(1.0).min(magnitude);
    let outer = clamped.gt(L::splat(0.5));
    let half_complement = (L::splat(1.0) - clamped) * L::splat(0.5);
    let square = L::select(outer, half_complement, clamped * clamped);
    let sine = L::select(outer, half_complement.sqrt(), clamped);
    // asin s = s + s·z·P(z) with z = s², 0 ≤ s ≤ 1/2; relative error 5.0e-9.
    let sum =
        polynomial(square, [0.166_667_54, 0.074_952_49, 0.045_476_66, 0.024_148_125, 0.042_219_81]);
    let angle = sine + sine * (square * sum);
    (outer, L::select(outside, L::splat(f32::NAN), angle))
}

/// The angle of the point `(x, y)`, from −π to π.
///
/// The absolute error is at most 2.2e-7. The origin gives zero whatever the signs of its
/// zeros, unlike the function of the standard library, which gives ±π where `x` is a negative zero.
/// All else is as there: the result has the sign of `y`, so that on the negative half-axis a
/// negative zero for `y` gives −π; infinities are points at the end of a half-axis or a diagonal.
#[inline(always)]
#[must_use]
pub fn atan2<L: Lanes>(y: L, x: L) -> L {
    let (run, rise) = (x.abs(), y.abs());
    let steep = rise.gt(run);
    let smaller = L::select(steep, run, rise);
    let larger = L::select(steep, rise, run);
    // Equality stands in for the quotients 0/0, which is to be 0, and ∞/∞, which is to be 1. A NaN
    // equals nothing and goes through the division.
    let of_equals = L::select(larger.gt(L::splat(0.0)), L::splat(1.0), L::splat(0.0));
    let slope = L::select(smaller.equals(larger), of_equals, smaller / larger);

    let square = slope * slope;
    // atan s = s + s·z·P(z) with z = s², 0 ≤ s ≤ 1; relative error 1.5e-8.
    let sum = polynomial(
        square,
        [
            -0.333_331_67,
            0.199_941_47,
            -0.142_142_85,
            0.106_792_23,
            -0.075_811_54,
            0.043_560_09,
            -0.016_585_084,
            0.002_975_537,
        ],
    );
    let angle = slope + slope * (square * sum);

    // The nearest half-axis of x or axis of y, and the angle counted from it; so there is only one
    // sum that rounds at the size of π.
    let left = x.lt(L::splat(0.0));
    let turned = L::select(left, -angle, angle);
    let turned = L::select(steep, -turned, turned);
    let axis = L::select(left, L::splat(PI), L::splat(0.0));
    let axis = L::select(steep, L::splat(FRAC_PI_2), axis);
    (axis + (turned + axis * L::splat(PI_REST / PI))).copysign(y)
}

/// ln 2 in two parts; the first has 12 bits, so that its product with an exponent is exact.
const LN_2_HIGH: f32 = 0.693_115_23;
/// The rest of ln 2.
const LN_2_LOW: f32 = 3.194_618_3e-5;

/// The exponential function.
///
/// The error is at most one unit of the last place. Results too large are +∞, and the
/// subnormal ones near zero are rounded like all others. `exp(−∞)` is 0.
#[inline(always)]
#[must_use]
pub fn exp<L: Lanes>(x: L) -> L {
    // Beyond these ends the result is 0 or ∞ in any case, and the exponents below stay in range. The
    // order of the operands lets a NaN through.
    let x = L::splat(-110.0).max(L::splat(90.0).min(x));
    let shifted = x * L::splat(LOG2_E) + L::splat(ROUNDER);
    let exponent = shifted - L::splat(ROUNDER);
    let rest = x - exponent * L::splat(LN_2_HIGH);
    let rest = rest - exponent * L::splat(LN_2_LOW);
    // eʳ = 1 + r + r²·P(r), |r| ≤ ln 2 / 2; relative error 3.2e-9.
    let sum = polynomial(
        rest,
        [0.499_999_94, 0.166_665_17, 0.041_668_106, 0.008_369_14, 0.001_383_671_4],
    );
    let power = L::splat(1.0) + (rest + rest * rest * sum);
    // In two steps, because 2¹²⁸ and 2⁻¹⁵⁰ have no float although the product may.
    let exponent = L::bits_sub(shifted.to_bits(), L::splat(ROUNDER).to_bits());
    let half = L::bits_shift_right::<1>(exponent);
    power * power_of_two::<L>(half) * power_of_two::<L>(L::bits_sub(exponent, half))
}

/// 2 to an exponent from −126 to 127.
#[inline(always)]
fn power_of_two<L: Lanes>(exponent: L::Bits) -> L {
    L::from_bits(L::bits_shift_left::<23>(L::bits_add(exponent, L::bits_splat(127))))
}

/// The natural logarithm.
///
/// The error is at most one unit of the last place, subnormal arguments included, and
/// `ln(1)` is exactly 0. Zeros of both signs give −∞, negative numbers NaN, and +∞ gives +∞.
#[inline(always)]
#[must_use]
pub fn ln<L: Lanes>(x: L) -> L {
    // x = 2ᵏ·m with √½ ≤ m < √2. Subnormal numbers are first made normal.
    let subnormal = x.lt(L::splat(f32::MIN_POSITIVE));
    let normal = L::select(subnormal, x * L::splat(8_388_608.0), x);
    let correction = L::select(subnormal, L::splat(23.0), L::splat(0.0));
    let bits = normal.to_bits();
    let least = L::splat(std::f32::consts::FRAC_1_SQRT_2).to_bits();
    let exponent = L::bits_shift_right::<23>(L::bits_sub(bits, least));
    let mantissa = L::from_bits(L::bits_sub(bits, L::bits_shift_left::<23>(exponent)));
    let exponent = L::from_integers(exponent) - correction;

    let rest = mantissa - L::splat(1.0);
    let square = rest * rest;
    // ln(1 + f) = f − f²/2 + f³·P(f), √½ ≤ 1 + f ≤ √2; relative error 1.2e-8.
    let sum = polynomial(
        rest,
        [
            0.333_333_3,
            -0.250_008_26,
            0.200_012_64,
            -0.166_230_59,
            0.142_004_12,
            -0.131_660_52,
            0.127_724_47,
            -0.076_162_59,
        ],
    );
    let low = rest * square * sum - L::splat(0.5) * square + exponent * L::splat(LN_2_LOW);
    let finite = exponent * L::splat(LN_2_HIGH) + (rest + low);

    let zero = L::splat(0.0);
    let infinity = L::splat(f32::INFINITY);
    let at_most_zero = L::select(x.equals(zero), -infinity, L::splat(f32::NAN));
    let result = L::select(x.gt(zero), finite, at_most_zero);
    L::select(x.equals(infinity), infinity, result)
}

/// −1, 0 or 1. A zero keeps its sign, and a NaN stays one.
#[inline(always)]
#[must_use]
pub fn sign<L: Lanes>(x: L) -> L {
    let zero = L::splat(0.0);
    let below = L::select(x.lt(zero), L::splat(-1.0), x);
    L::select(x.gt(zero), L::splat(1.0), below)
}

/// `x` to the power of `y`.
///
/// Computed as `exp(y · ln |x|)`. The rounding of the product is magnified by the exponential
/// function, so that the relative error grows with it: to at most 1.3e-7 · (1 + |y · ln x|), which is
/// 1e-6 for results around 1000 and 1.2e-5 at the ends of the range. For a small integer exponent,
/// multiply instead.
///
/// A negative `x` needs an integer `y`, which decides the sign; otherwise the result is NaN. Every
/// float from 2²⁴ on, and ±∞, is an even integer. `powf(x, 0)` and `powf(1, y)` are 1 even for NaN.
/// `powf(0, y)` is 0 for positive and +∞ for negative `y`. The standard library differs in two ways:
/// it heeds the sign of a zero, and it lets −∞ have powers that are no integers.
#[inline(always)]
#[must_use]
pub fn powf<L: Lanes>(x: L, y: L) -> L {
    let one = L::splat(1.0);
    let magnitude = x.abs();
    let power = exp(y * ln(magnitude));
    // 0 · ∞ and NaN · 0 are in the way of what is to be 1.
    let power = L::select(magnitude.equals(one), one, power);

    let negative = x.lt(L::splat(0.0));
    let integer = is_integer(y);
    let odd = L::mask_and(integer, L::mask_not(is_integer(y * L::splat(0.5))));
    let signed = L::select(L::mask_and(negative, odd), -power, power);
    let undefined = L::mask_and(negative, L::mask_not(integer));
    let result = L::select(undefined, L::splat(f32::NAN), signed);
    // A NaN exponent makes `undefined` true for −1, and leaves 1 alone, as it should.
    L::select(y.equals(L::splat(0.0)), one, result)
}

/// Where x is an integer, infinities included.
#[inline(always)]
fn is_integer<L: Lanes>(x: L) -> L::Mask {
    // From 2²³ on there are no fractions; below, adding that number rounds them off.
    let whole = L::splat(8_388_608.0);
    let magnitude = x.abs();
    let rounded = (magnitude + whole) - whole;
    let large = L::mask_or(magnitude.gt(whole), magnitude.equals(whole));
    L::mask_or(large, rounded.equals(magnitude))
}
