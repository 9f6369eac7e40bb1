//! The trait of the lanes, and plain `f32` as lanes of width one.

#![expect(
    unsafe_code,
    reason = "loads and stores through pointers are unsafe for the caller, in the trait as in `f32`"
)]

use std::ops::{Add, Div, Mul, Neg, Sub};

pub(crate) mod array;
#[cfg(target_arch = "x86_64")]
mod rows;
#[cfg(target_arch = "x86_64")]
pub(crate) mod x86;

/// A fixed number of `f32` that are worked on together.
///
/// Every operation works on each lane by itself, and gives the same bits for a lane whatever the
/// type of the lanes, but for the sign and the payload of a NaN. Do not let those decide anything:
/// [`Lanes::copysign`] from a NaN that was computed, or [`Lanes::to_bits`] of one, may differ from
/// one instruction set to another.
///
/// Operations on masks and on bits are associated functions (`L::mask_and(a, b)`), because the types
/// of masks and bits are types of the platform, to which no methods can be added.
///
/// Generic code over lanes must be `#[inline(always)]`; see [`Kernel`](crate::Kernel).
pub trait Lanes:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + 'static
{
    /// The number of lanes.
    const WIDTH: usize;

    /// A truth value for each lane.
    type Mask: Copy;

    /// An `i32` for each lane, with arithmetic that wraps around.
    type Bits: Copy;

    /// The same value in all lanes.
    fn splat(value: f32) -> Self;

    /// Reads `WIDTH` consecutive floats.
    ///
    /// # Safety
    ///
    /// `from` must be valid for reading `WIDTH` floats. It need not be aligned.
    unsafe fn load(from: *const f32) -> Self;

    /// Writes `WIDTH` consecutive floats.
    ///
    /// # Safety
    ///
    /// `to` must be valid for writing `WIDTH` floats. It need not be aligned.
    unsafe fn store(self, to: *mut f32);

    /// Reads four floats at `from + 8 · rows[i]` for each lane i; result k holds the k-th of them.
    ///
    /// # Safety
    ///
    /// Each of these places must be valid for reading four floats, for the first `WIDTH` of `rows`.
    #[inline(always)]
    unsafe fn gather_rows(from: *const f32, rows: *const u32) -> [Self; 4] {
        let mut columns = [[0.0; 8]; 4];
        for lane in 0..Self::WIDTH {
            // SAFETY: the caller vouches for the rows.
            let row = unsafe { from.add(8 * *rows.add(lane) as usize) };
            for (k, column) in columns.iter_mut().enumerate() {
                // SAFETY: four floats are readable there.
                column[lane] = unsafe { *row.add(k) };
            }
        }
        let [a, b, c, d] = &columns;
        [Self::load_from(a), Self::load_from(b), Self::load_from(c), Self::load_from(d)]
    }

    /// Writes what [`gather_rows`](Self::gather_rows) reads. If two lanes name one row, the later
    /// lane wins.
    ///
    /// # Safety
    ///
    /// Each of these places must be valid for writing four floats, for the first `WIDTH` of `rows`.
    #[inline(always)]
    unsafe fn scatter_rows(values: [Self; 4], to: *mut f32, rows: *const u32) {
        let mut columns = [[0.0; 8]; 4];
        for (column, value) in columns.iter_mut().zip(values) {
            value.store_to(column);
        }
        for lane in 0..Self::WIDTH {
            // SAFETY: the caller vouches for the rows.
            let row = unsafe { to.add(8 * *rows.add(lane) as usize) };
            for (k, column) in columns.iter().enumerate() {
                // SAFETY: four floats are writable there.
                unsafe { *row.add(k) = column[lane] };
            }
        }
    }

    /// Reads the first `WIDTH` floats of a slice.
    ///
    /// # Panics
    ///
    /// Panics if the slice is shorter than that.
    #[inline(always)]
    fn load_from(from: &[f32]) -> Self {
        assert!(from.len() >= Self::WIDTH, "slice shorter than the lanes");
        // SAFETY: the slice is at least `WIDTH` floats long.
        unsafe { Self::load(from.as_ptr()) }
    }

    /// Writes the lanes to the first `WIDTH` floats of a slice.
    ///
    /// # Panics
    ///
    /// Panics if the slice is shorter than that.
    #[inline(always)]
    fn store_to(self, to: &mut [f32]) {
        assert!(to.len() >= Self::WIDTH, "slice shorter than the lanes");
        // SAFETY: the slice is at least `WIDTH` floats long and borrowed mutably.
        unsafe { self.store(to.as_mut_ptr()) }
    }

    /// The square root, rounded correctly.
    fn sqrt(self) -> Self;

    /// The value without its sign bit.
    fn abs(self) -> Self;

    /// Exactly `if self < other { self } else { other }`.
    ///
    /// So a NaN on either side, and a pair of zeros, give `other`.
    fn min(self, other: Self) -> Self;

    /// Exactly `if self > other { self } else { other }`.
    ///
    /// So a NaN on either side, and a pair of zeros, give `other`.
    fn max(self, other: Self) -> Self;

    /// Where `self > other`. False for NaN.
    fn gt(self, other: Self) -> Self::Mask;

    /// Where `self < other`. False for NaN.
    fn lt(self, other: Self) -> Self::Mask;

    /// Where `self == other`. False for NaN, true for zeros of different sign.
    fn equals(self, other: Self) -> Self::Mask;

    /// `yes` where the mask is true and `no` elsewhere. Both are computed in any case.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;

    /// Where both are true.
    fn mask_and(left: Self::Mask, right: Self::Mask) -> Self::Mask;

    /// Where at least one is true.
    fn mask_or(left: Self::Mask, right: Self::Mask) -> Self::Mask;

    /// Where the mask is false.
    fn mask_not(mask: Self::Mask) -> Self::Mask;

    /// Whether the mask is true in every lane.
    fn mask_all(mask: Self::Mask) -> bool;

    /// The absolute value of `self` with the sign bit of `sign`.
    fn copysign(self, sign: Self) -> Self;

    /// The bit patterns of the floats.
    fn to_bits(self) -> Self::Bits;

    /// The floats with these bit patterns.
    fn from_bits(bits: Self::Bits) -> Self;

    /// The integers converted to floats, rounded to the nearest, ties to even.
    fn from_integers(bits: Self::Bits) -> Self;

    /// The same integer in all lanes.
    fn bits_splat(value: i32) -> Self::Bits;

    /// The sum, wrapping around.
    fn bits_add(left: Self::Bits, right: Self::Bits) -> Self::Bits;

    /// The difference, wrapping around.
    fn bits_sub(left: Self::Bits, right: Self::Bits) -> Self::Bits;

    /// The bits set on both sides.
    fn bits_and(left: Self::Bits, right: Self::Bits) -> Self::Bits;

    /// The bits set on exactly one side.
    fn bits_xor(left: Self::Bits, right: Self::Bits) -> Self::Bits;

    /// The bits moved up by `COUNT` (0 to 31), zeros coming in.
    fn bits_shift_left<const COUNT: i32>(bits: Self::Bits) -> Self::Bits;

    /// The bits moved down by `COUNT` (0 to 31), copies of the sign bit coming in.
    fn bits_shift_right<const COUNT: i32>(bits: Self::Bits) -> Self::Bits;

    /// Where the integers are equal.
    fn bits_equal(left: Self::Bits, right: Self::Bits) -> Self::Mask;
}

impl Lanes for f32 {
    const WIDTH: usize = 1;

    type Mask = bool;
    type Bits = i32;

    #[inline(always)]
    fn splat(value: f32) -> Self {
        value
    }

    #[inline(always)]
    unsafe fn load(from: *const f32) -> Self {
        // SAFETY: the caller vouches for one readable float.
        unsafe { from.read_unaligned() }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        // SAFETY: the caller vouches for one writable float.
        unsafe { to.write_unaligned(self) }
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        f32::sqrt(self)
    }

    #[inline(always)]
    fn abs(self) -> Self {
        f32::abs(self)
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
    fn gt(self, other: Self) -> bool {
        self > other
    }

    #[inline(always)]
    fn lt(self, other: Self) -> bool {
        self < other
    }

    #[inline(always)]
    fn equals(self, other: Self) -> bool {
        self == other
    }

    #[inline(always)]
    fn select(mask: bool, yes: Self, no: Self) -> Self {
        if mask { yes } else { no }
    }

    #[inline(always)]
    fn mask_and(left: bool, right: bool) -> bool {
        left & right
    }

    #[inline(always)]
    fn mask_or(left: bool, right: bool) -> bool {
        left | right
    }

    #[inline(always)]
    fn mask_not(mask: bool) -> bool {
        !mask
    }

    #[inline(always)]
    fn mask_all(mask: bool) -> bool {
        mask
    }

    #[inline(always)]
    fn copysign(self, sign: Self) -> Self {
        f32::copysign(self, sign)
    }

    #[inline(always)]
    fn to_bits(self) -> i32 {
        f32::to_bits(self).cast_signed()
    }

    #[inline(always)]
    fn from_bits(bits: i32) -> Self {
        f32::from_bits(bits.cast_unsigned())
    }

    #[inline(always)]
    fn from_integers(bits: i32) -> Self {
        bits as f32
    }

    #[inline(always)]
    fn bits_splat(value: i32) -> i32 {
        value
    }

    #[inline(always)]
    fn bits_add(left: i32, right: i32) -> i32 {
        left.wrapping_add(right)
    }

    #[inline(always)]
    fn bits_sub(left: i32, right: i32) -> i32 {
        left.wrapping_sub(right)
    }

    #[inline(always)]
    fn bits_and(left: i32, right: i32) -> i32 {
        left & right
    }

    #[inline(always)]
    fn bits_xor(left: i32, right: i32) -> i32 {
        left ^ right
    }

    #[inline(always)]
    fn bits_shift_left<const COUNT: i32>(bits: i32) -> i32 {
        bits << COUNT
    }

    #[inline(always)]
    fn bits_shift_right<const COUNT: i32>(bits: i32) -> i32 {
        bits >> COUNT
    }

    #[inline(always)]
    fn bits_equal(left: i32, right: i32) -> bool {
        left == right
    }
}

#[cfg(test)]
mod tests {
    use super::Lanes;

    #[test]
    fn minimum_and_maximum_prefer_the_second_operand() {
        assert!(Lanes::min(0.0f32, -0.0).is_sign_negative());
        assert!(Lanes::min(-0.0f32, 0.0).is_sign_positive());
        assert!(Lanes::max(0.0f32, -0.0).is_sign_negative());
        assert_eq!(Lanes::min(f32::NAN, 1.0), 1.0);
        assert!(Lanes::min(1.0, f32::NAN).is_nan());
        assert_eq!(Lanes::max(f32::NAN, 1.0), 1.0);
        assert!(Lanes::max(1.0, f32::NAN).is_nan());
    }

    #[test]
    fn integers_wrap_around_and_keep_their_sign() {
        assert_eq!(f32::bits_add(i32::MAX, 1), i32::MIN);
        assert_eq!(f32::bits_sub(i32::MIN, 1), i32::MAX);
        assert_eq!(f32::bits_shift_right::<1>(-3), -2);
        assert_eq!(f32::bits_shift_left::<31>(3), i32::MIN);
        assert_eq!(f32::from_integers(-16_777_217), -16_777_216.0);
    }

    #[test]
    #[should_panic(expected = "slice shorter than the lanes")]
    fn load_from_a_short_slice_panics() {
        let _ = f32::load_from(&[]);
    }
}
