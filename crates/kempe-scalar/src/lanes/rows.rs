//! Reading and writing scattered rows of four floats, a register at a time.
//!
//! A solver keeps the state of a body in one place and works on eight bodies at once: four floats of
//! each are read with one load, and the eight loads are transposed in registers. Written in plain
//! Rust the same takes about twice as long.
#![expect(unsafe_code, reason = "accesses through pointers, and intrinsics")]

use std::arch::x86_64::*;

/// Four rows of four, transposed.
///
/// # Safety
/// `from + 8 · rows[i]` must be readable for four floats, for the first four of `rows`.
#[inline]
#[target_feature(enable = "sse2")]
pub(super) unsafe fn gather_sse2(from: *const f32, rows: *const u32) -> [__m128; 4] {
    // SAFETY: as the caller vouches.
    let row = |i: usize| unsafe { _mm_loadu_ps(from.add(8 * *rows.add(i) as usize)) };
    transposed_sse2([row(0), row(1), row(2), row(3)])
}

/// The inverse of [`gather_sse2`].
///
/// # Safety
/// `to + 8 · rows[i]` must be writable for four floats, for the first four of `rows`.
#[inline]
#[target_feature(enable = "sse2")]
pub(super) unsafe fn scatter_sse2(values: [__m128; 4], to: *mut f32, rows: *const u32) {
    for (i, row) in transposed_sse2(values).into_iter().enumerate() {
        // SAFETY: as the caller vouches.
        unsafe { _mm_storeu_ps(to.add(8 * *rows.add(i) as usize), row) };
    }
}

#[inline]
#[target_feature(enable = "sse2")]
fn transposed_sse2([a, b, c, d]: [__m128; 4]) -> [__m128; 4] {
    let (low, high) = (_mm_unpacklo_ps(a, b), _mm_unpackhi_ps(a, b));
    let (low2, high2) = (_mm_unpacklo_ps(c, d), _mm_unpackhi_ps(c, d));
    [
        _mm_movelh_ps(low, low2),
        _mm_movehl_ps(low2, low),
        _mm_movelh_ps(high, high2),
        _mm_movehl_ps(high2, high),
    ]
}

/// Eight rows of four, transposed: each result holds one column.
///
/// # Safety
/// `from + 8 · rows[i]` must be readable for four floats, for the first eight of `rows`.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) unsafe fn gather_avx2(from: *const f32, rows: *const u32) -> [__m256; 4] {
    // SAFETY: as the caller vouches.
    let row = |i: usize| unsafe { _mm_loadu_ps(from.add(8 * *rows.add(i) as usize)) };
    let pair = |i: usize| _mm256_set_m128(row(i + 4), row(i));
    transposed_avx2([pair(0), pair(1), pair(2), pair(3)])
}

/// The inverse of [`gather_avx2`].
///
/// # Safety
/// `to + 8 · rows[i]` must be writable for four floats, for the first eight of `rows`.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) unsafe fn scatter_avx2(values: [__m256; 4], to: *mut f32, rows: *const u32) {
    for (i, pair) in transposed_avx2(values).into_iter().enumerate() {
        // SAFETY: as the caller vouches.
        unsafe {
            _mm_storeu_ps(to.add(8 * *rows.add(i) as usize), _mm256_castps256_ps128(pair));
            let high = _mm256_extractf128_ps::<1>(pair);
            _mm_storeu_ps(to.add(8 * *rows.add(i + 4) as usize), high);
        }
    }
}

/// Transposes the four-by-four halves.
#[inline]
#[target_feature(enable = "avx2")]
fn transposed_avx2([a, b, c, d]: [__m256; 4]) -> [__m256; 4] {
    let (low, high) = (_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b));
    let (low2, high2) = (_mm256_unpacklo_ps(c, d), _mm256_unpackhi_ps(c, d));
    [
        _mm256_shuffle_ps::<0x44>(low, low2),
        _mm256_shuffle_ps::<0xee>(low, low2),
        _mm256_shuffle_ps::<0x44>(high, high2),
        _mm256_shuffle_ps::<0xee>(high, high2),
    ]
}
