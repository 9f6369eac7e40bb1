//! Lanes in the vector registers of `x86_64`: SSE2, which every such processor has, and AVX2.
//!
//! # Soundness
//!
//! The methods are safe to call, yet those of [`Avx8`] execute instructions that not every processor
//! has. What makes that sound is that nobody can get at the type without the instructions: it is
//! private to the crate, has no value or type parameter anywhere in the public interface, and
//! [`Isa::run`](crate::Isa::run) passes it to code from outside (as the `L` of a kernel) after the
//! processor was found to have AVX2, and `Isa::run_as_built` where the program is compiled for it.
//! Code that smuggles the type or a value of it out of the
//! kernel still runs on the same processor. Within the crate nothing else may use [`Avx8`].
//!
//! # Speed
//!
//! An intrinsic is inlined only into a function that is compiled for its instruction set. The
//! methods are `#[inline(always)]`, so that they dissolve first, down to the function in the module
//! `isa` which enables AVX2, and the intrinsics follow.

#![expect(
    unsafe_code,
    reason = "intrinsics beyond the baseline and accesses through pointers are unsafe"
)]

use super::Lanes;
use super::rows::{gather_avx2, gather_sse2, scatter_avx2, scatter_sse2};
use std::arch::x86_64::*;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// SSE2 has no blend.
#[inline]
#[target_feature(enable = "sse2")]
fn select_bitwise(mask: __m128, yes: __m128, no: __m128) -> __m128 {
    _mm_or_ps(_mm_and_ps(mask, yes), _mm_andnot_ps(mask, no))
}

/// The blend looks at the sign bits only, which is as good: a mask has equal bits in each lane. The
/// optimizer does not find it by itself.
#[inline]
#[target_feature(enable = "avx")]
fn select_blending(mask: __m256, yes: __m256, no: __m256) -> __m256 {
    _mm256_blendv_ps(no, yes, mask)
}

/// Writes the lanes over one type of register, given the names of its intrinsics. SSE2 and AVX2
/// differ in nothing else.
macro_rules! register_lanes {
    (
        $(#[$attribute:meta])*
        $name:ident: $width:literal lanes in $floats:ident and $integers:ident {
            arithmetic: $add:ident $sub:ident $mul:ident $div:ident $sqrt:ident $min:ident $max:ident,
            memory: $load:ident $store:ident $gather:ident $scatter:ident,
            compare: $greater:path, $less:path, $equal:path,
            select: $select:ident,
            logic: $and:ident $or:ident $xor:ident $and_not:ident $signs:ident,
            splat: $splat:ident $integer_splat:ident,
            cast: $to_integers:ident $to_floats:ident $convert:ident,
            integers: $integer_add:ident $integer_sub:ident $integer_and:ident $integer_xor:ident
                $integer_equal:ident $shift_left:ident $shift_right:ident,
        }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy)]
        pub(crate) struct $name($floats);

        register_lanes!(@operator $name Add add $add);
        register_lanes!(@operator $name Sub sub $sub);
        register_lanes!(@operator $name Mul mul $mul);
        register_lanes!(@operator $name Div div $div);

        impl Neg for $name {
            type Output = Self;

            #[inline(always)]
            fn neg(self) -> Self {
                Self(register_lanes!(@call $xor(self.0, Self::splat(-0.0).0)))
            }
        }

        impl Lanes for $name {
            const WIDTH: usize = $width;

            type Mask = $floats;
            type Bits = $integers;

            #[inline(always)]
            fn splat(value: f32) -> Self {
                Self(register_lanes!(@call $splat(value)))
            }

            #[inline(always)]
            unsafe fn load(from: *const f32) -> Self {
                // SAFETY: the caller vouches for `WIDTH` readable floats, and the processor has the
                // instruction (see the module's documentation).
                Self(unsafe { $load(from) })
            }

            #[inline(always)]
            unsafe fn store(self, to: *mut f32) {
                // SAFETY: the caller vouches for `WIDTH` writable floats, and the processor has the
                // instruction (see the module's documentation).
                unsafe { $store(to, self.0) }
            }

            #[inline(always)]
            unsafe fn gather_rows(from: *const f32, rows: *const u32) -> [Self; 4] {
                // SAFETY: the caller vouches for the rows, and the processor has the instruction
                // (see the module's documentation).
                let [a, b, c, d] = unsafe { $gather(from, rows) };
                [Self(a), Self(b), Self(c), Self(d)]
            }

            #[inline(always)]
            unsafe fn scatter_rows(values: [Self; 4], to: *mut f32, rows: *const u32) {
                let [a, b, c, d] = values;
                // SAFETY: as above.
                unsafe { $scatter([a.0, b.0, c.0, d.0], to, rows) }
            }

            #[inline(always)]
            fn sqrt(self) -> Self {
                Self(register_lanes!(@call $sqrt(self.0)))
            }

            #[inline(always)]
            fn abs(self) -> Self {
                Self(register_lanes!(@call $and_not(Self::splat(-0.0).0, self.0)))
            }

            #[inline(always)]
            fn min(self, other: Self) -> Self {
                Self(register_lanes!(@call $min(self.0, other.0)))
            }

            #[inline(always)]
            fn max(self, other: Self) -> Self {
                Self(register_lanes!(@call $max(self.0, other.0)))
            }

            #[inline(always)]
            fn gt(self, other: Self) -> $floats {
                register_lanes!(@call $greater(self.0, other.0))
            }

            #[inline(always)]
            fn lt(self, other: Self) -> $floats {
                register_lanes!(@call $less(self.0, other.0))
            }

            #[inline(always)]
            fn equals(self, other: Self) -> $floats {
                register_lanes!(@call $equal(self.0, other.0))
            }

            #[inline(always)]
            fn select(mask: $floats, yes: Self, no: Self) -> Self {
                Self(register_lanes!(@call $select(mask, yes.0, no.0)))
            }

            #[inline(always)]
            fn mask_and(left: $floats, right: $floats) -> $floats {
                register_lanes!(@call $and(left, right))
            }

            #[inline(always)]
            fn mask_or(left: $floats, right: $floats) -> $floats {
                register_lanes!(@call $or(left, right))
            }

            #[inline(always)]
            fn mask_not(mask: $floats) -> $floats {
                let ones = Self::from_bits(Self::bits_splat(-1));
                register_lanes!(@call $and_not(mask, ones.0))
            }

            #[inline(always)]
            fn mask_all(mask: $floats) -> bool {
                register_lanes!(@call $signs(mask)) == (1 << $width) - 1
            }

            #[inline(always)]
            fn copysign(self, sign: Self) -> Self {
                let sign_bit = Self::splat(-0.0).0;
                let sign = register_lanes!(@call $and(sign_bit, sign.0));
                let magnitude = register_lanes!(@call $and_not(sign_bit, self.0));
                Self(register_lanes!(@call $or(magnitude, sign)))
            }

            #[inline(always)]
            fn to_bits(self) -> $integers {
                register_lanes!(@call $to_integers(self.0))
            }

            #[inline(always)]
            fn from_bits(bits: $integers) -> Self {
                Self(register_lanes!(@call $to_floats(bits)))
            }

            #[inline(always)]
            fn from_integers(bits: $integers) -> Self {
                Self(register_lanes!(@call $convert(bits)))
            }

            #[inline(always)]
            fn bits_splat(value: i32) -> $integers {
                register_lanes!(@call $integer_splat(value))
            }

            #[inline(always)]
            fn bits_add(left: $integers, right: $integers) -> $integers {
                register_lanes!(@call $integer_add(left, right))
            }

            #[inline(always)]
            fn bits_sub(left: $integers, right: $integers) -> $integers {
                register_lanes!(@call $integer_sub(left, right))
            }

            #[inline(always)]
            fn bits_and(left: $integers, right: $integers) -> $integers {
                register_lanes!(@call $integer_and(left, right))
            }

            #[inline(always)]
            fn bits_xor(left: $integers, right: $integers) -> $integers {
                register_lanes!(@call $integer_xor(left, right))
            }

            #[inline(always)]
            fn bits_shift_left<const COUNT: i32>(bits: $integers) -> $integers {
                register_lanes!(@call $shift_left::<COUNT>(bits))
            }

            #[inline(always)]
            fn bits_shift_right<const COUNT: i32>(bits: $integers) -> $integers {
                register_lanes!(@call $shift_right::<COUNT>(bits))
            }

            #[inline(always)]
            fn bits_equal(left: $integers, right: $integers) -> $floats {
                Self::from_bits(register_lanes!(@call $integer_equal(left, right))).0
            }
        }
    };
    (@operator $name:ident $operator:ident $function:ident $intrinsic:ident) => {
        impl $operator for $name {
            type Output = Self;

            #[inline(always)]
            fn $function(self, other: Self) -> Self {
                Self(register_lanes!(@call $intrinsic(self.0, other.0)))
            }
        }
    };
    (@call $($call:tt)*) => {{
        // Whether the call needs the block depends on the features of the target.
        #[allow(unused_unsafe)]
        // SAFETY: the processor has the instruction (see the module's documentation).
        let result = unsafe { $($call)* };
        result
    }};
}

register_lanes! {
    /// Four floats in a register of SSE2, the baseline of `x86_64`.
    Sse4: 4 lanes in __m128 and __m128i {
        arithmetic: _mm_add_ps _mm_sub_ps _mm_mul_ps _mm_div_ps _mm_sqrt_ps _mm_min_ps _mm_max_ps,
        memory: _mm_loadu_ps _mm_storeu_ps gather_sse2 scatter_sse2,
        compare: _mm_cmpgt_ps, _mm_cmplt_ps, _mm_cmpeq_ps,
        select: select_bitwise,
        logic: _mm_and_ps _mm_or_ps _mm_xor_ps _mm_andnot_ps _mm_movemask_ps,
        splat: _mm_set1_ps _mm_set1_epi32,
        cast: _mm_castps_si128 _mm_castsi128_ps _mm_cvtepi32_ps,
        integers: _mm_add_epi32 _mm_sub_epi32 _mm_and_si128 _mm_xor_si128
            _mm_cmpeq_epi32 _mm_slli_epi32 _mm_srai_epi32,
    }
}

register_lanes! {
    /// Eight floats in a register of AVX2. Only for code that [`Isa::run`](crate::Isa::run) calls.
    Avx8: 8 lanes in __m256 and __m256i {
        arithmetic: _mm256_add_ps _mm256_sub_ps _mm256_mul_ps _mm256_div_ps _mm256_sqrt_ps
            _mm256_min_ps _mm256_max_ps,
        memory: _mm256_loadu_ps _mm256_storeu_ps gather_avx2 scatter_avx2,
        compare: _mm256_cmp_ps::<_CMP_GT_OQ>, _mm256_cmp_ps::<_CMP_LT_OQ>,
            _mm256_cmp_ps::<_CMP_EQ_OQ>,
        select: select_blending,
        logic: _mm256_and_ps _mm256_or_ps _mm256_xor_ps _mm256_andnot_ps _mm256_movemask_ps,
        splat: _mm256_set1_ps _mm256_set1_epi32,
        cast: _mm256_castps_si256 _mm256_castsi256_ps _mm256_cvtepi32_ps,
        integers: _mm256_add_epi32 _mm256_sub_epi32 _mm256_and_si256 _mm256_xor_si256
            _mm256_cmpeq_epi32 _mm256_slli_epi32 _mm256_srai_epi32,
    }
}
