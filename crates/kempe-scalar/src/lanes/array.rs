//! Lanes without any intrinsics, for processors that have no implementation of their own.
//!
//! The loops over eight elements are simple enough for the optimizer to turn into vector
//! instructions of the target's baseline (NEON on `aarch64`, for example).

#![expect(unsafe_code, reason = "loads and stores through pointers are unsafe for the caller")]

use super::Lanes;
use std::array::from_fn;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// Eight floats; the alignment spares the optimizer unaligned moves on the stack.
#[derive(Clone, Copy)]
#[repr(align(32))]
pub(crate) struct Array8([f32; 8]);

/// A mask holds all ones or all zeros for each lane, as vector registers do: selecting by bitwise
/// operations is what the optimizer recognizes, and eight `bool` would not fit the lanes.
type Mask8 = [u32; 8];

#[inline(always)]
fn mask_of(truth: bool) -> u32 {
    if truth { u32::MAX } else { 0 }
}

macro_rules! operators {
    ($($operator:ident $function:ident $symbol:tt,)*) => {$(
        impl $operator for Array8 {
            type Output = Self;

            #[inline(always)]
            fn $function(self, other: Self) -> Self {
                Self(from_fn(|lane| self.0[lane] $symbol other.0[lane]))
            }
        }
    )*};
}

operators! {
    Add add +,
    Sub sub -,
    Mul mul *,
    Div div /,
}

impl Neg for Array8 {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self(from_fn(|lane| -self.0[lane]))
    }
}

impl Lanes for Array8 {
    const WIDTH: usize = 8;

    type Mask = Mask8;
    type Bits = [i32; 8];

    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self([value; 8])
    }

    #[inline(always)]
    unsafe fn load(from: *const f32) -> Self {
        // SAFETY: the caller vouches for eight readable floats, which is what the array is.
        Self(unsafe { from.cast::<[f32; 8]>().read_unaligned() })
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        // SAFETY: the caller vouches for eight writable floats, which is what the array is.
        unsafe { to.cast::<[f32; 8]>().write_unaligned(self.0) }
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(from_fn(|lane| self.0[lane].sqrt()))
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self(from_fn(|lane| self.0[lane].abs()))
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self(from_fn(|lane| Lanes::min(self.0[lane], other.0[lane])))
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(from_fn(|lane| Lanes::max(self.0[lane], other.0[lane])))
    }

    #[inline(always)]
    fn gt(self, other: Self) -> Mask8 {
        from_fn(|lane| mask_of(self.0[lane] > other.0[lane]))
    }

    #[inline(always)]
    fn lt(self, other: Self) -> Mask8 {
        from_fn(|lane| mask_of(self.0[lane] < other.0[lane]))
    }

    #[inline(always)]
    fn equals(self, other: Self) -> Mask8 {
        from_fn(|lane| mask_of(self.0[lane] == other.0[lane]))
    }

    #[inline(always)]
    fn select(mask: Mask8, yes: Self, no: Self) -> Self {
        Self(from_fn(|lane| {
            let chosen =
                (yes.0[lane].to_bits() & mask[lane]) | (no.0[lane].to_bits() & !mask[lane]);
            f32::from_bits(chosen)
        }))
    }

    #[inline(always)]
    fn mask_and(left: Mask8, right: Mask8) -> Mask8 {
        from_fn(|lane| left[lane] & right[lane])
    }

    #[inline(always)]
    fn mask_or(left: Mask8, right: Mask8) -> Mask8 {
        from_fn(|lane| left[lane] | right[lane])
    }

    #[inline(always)]
    fn mask_not(mask: Mask8) -> Mask8 {
        from_fn(|lane| !mask[lane])
    }

    #[inline(always)]
    fn mask_all(mask: Mask8) -> bool {
        mask.iter().fold(u32::MAX, |all, lane| all & lane) != 0
    }

    #[inline(always)]
    fn copysign(self, sign: Self) -> Self {
        Self(from_fn(|lane| self.0[lane].copysign(sign.0[lane])))
    }

    #[inline(always)]
    fn to_bits(self) -> [i32; 8] {
        from_fn(|lane| self.0[lane].to_bits().cast_signed())
    }

    #[inline(always)]
    fn from_bits(bits: [i32; 8]) -> Self {
        Self(from_fn(|lane| f32::from_bits(bits[lane].cast_unsigned())))
    }

    #[inline(always)]
    fn from_integers(bits: [i32; 8]) -> Self {
        Self(from_fn(|lane| bits[lane] as f32))
    }

    #[inline(always)]
    fn bits_splat(value: i32) -> [i32; 8] {
        [value; 8]
    }

    #[inline(always)]
    fn bits_add(left: [i32; 8], right: [i32; 8]) -> [i32; 8] {
        from_fn(|lane| left[lane].wrapping_add(right[lane]))
    }

    #[inline(always)]
    fn bits_sub(left: [i32; 8], right: [i32; 8]) -> [i32; 8] {
        from_fn(|lane| left[lane].wrapping_sub(right[lane]))
    }

    #[inline(always)]
    fn bits_and(left: [i32; 8], right: [i32; 8]) -> [i32; 8] {
        from_fn(|lane| left[lane] & right[lane])
    }

    #[inline(always)]
    fn bits_xor(left: [i32; 8], right: [i32; 8]) -> [i32; 8] {
        from_fn(|lane| left[lane] ^ right[lane])
    }

    #[inline(always)]
    fn bits_shift_left<const COUNT: i32>(bits: [i32; 8]) -> [i32; 8] {
        from_fn(|lane| bits[lane] << COUNT)
    }

    #[inline(always)]
    fn bits_shift_right<const COUNT: i32>(bits: [i32; 8]) -> [i32; 8] {
        from_fn(|lane| bits[lane] >> COUNT)
    }

    #[inline(always)]
    fn bits_equal(left: [i32; 8], right: [i32; 8]) -> Mask8 {
        from_fn(|lane| mask_of(left[lane] == right[lane]))
    }
}
