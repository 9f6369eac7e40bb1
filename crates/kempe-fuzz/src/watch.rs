//! How much memory a piece of work takes: an allocator that counts.
//!
//! The counters belong to the thread, so that several inputs can be measured side by side. Memory
//! that one thread allocates and another frees is counted where it happens; the entry point of the
//! fuzz run has no threads, so nothing moves.
#![expect(unsafe_code, reason = "an allocator is an unsafe trait")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator, counting the bytes of each thread.
///
/// ```
/// use kempe_fuzz::watch::{Counting, Watch};
///
/// #[global_allocator]
/// static ALLOCATOR: Counting = Counting;
///
/// let watch = Watch::start();
/// drop(vec![0_u8; 1 << 20]);
/// assert!(watch.peak() >= 1 << 20);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Counting;

thread_local! {
    // Constant and without a destructor: an allocator must not allocate, and runs in threads that
    // are ending too. Signed, since a thread may free more than it allocated.
    static NOW: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

fn grow(bytes: usize) {
    let now = NOW.get() + bytes as isize;
    NOW.set(now);
    if now > PEAK.get() {
        PEAK.set(now);
    }
}

fn shrink(bytes: usize) {
    NOW.set(NOW.get() - bytes as isize);
}

// SAFETY: every call is handed on to the system's allocator as it came, which keeps the contract;
// the counters are touched beside it and allocate nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        grow(layout.size());
        // SAFETY: the caller's promises about `layout` are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        grow(layout.size());
        // SAFETY: the caller's promises about `layout` are passed on.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        shrink(layout.size());
        // SAFETY: `pointer` came from this allocator, which means from `System`, with `layout`.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // While it is moved, a block may be there twice.
        grow(size);
        shrink(layout.size());
        // SAFETY: `pointer` came from `System` with `layout`; the promises about `size` are the
        // caller's.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// The memory of this thread since a moment. One at a time in each thread.
#[derive(Clone, Copy, Debug)]
pub struct Watch {
    before: isize,
}

impl Watch {
    /// From now on.
    pub fn start() -> Self {
        let before = NOW.get();
        PEAK.set(before);
        Self { before }
    }

    /// The most bytes that this thread held at once since the start, beyond those it held then; 0
    /// in a process whose allocator is not [`Counting`].
    pub fn peak(&self) -> usize {
        usize::try_from(PEAK.get() - self.before).unwrap_or(0)
    }
}
