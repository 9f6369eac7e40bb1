//! Bringing memory nearer before it is needed.

/// Asks for the 64 bytes around an address to be brought nearer, for later. It may be any address; where
/// the processor has no such request nothing happens.
#[inline(always)]
#[cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "an intrinsic that takes a pointer, and does not read it")
)]
pub fn prefetch(address: usize) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a hint; nothing is read, and no address makes it fail.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T1>(std::ptr::without_provenance(address));
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}
