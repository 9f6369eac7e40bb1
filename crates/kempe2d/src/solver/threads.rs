//! The state of the bodies, as several threads see it.
#![expect(unsafe_code, reason = "threads write different rows of one slice")]

/// The hot state. Entries that are solved side by side write different rows of it, and read rows that
/// none of the others writes.
#[derive(Clone, Copy)]
pub(crate) struct Shared(*mut f32);

// SAFETY: a `Shared` lives as long as the passes over one bucket, during which the slice that it was
// made from is borrowed. The entries of a bucket share no body that moves (they have one colour), and
// each lane has a row of its own to write a body to that does not move; so no row is written by two
// threads, or written by one and read by another.
unsafe impl Send for Shared {}
// SAFETY: as above.
unsafe impl Sync for Shared {}

impl Shared {
    pub(crate) fn new(hot: &mut [f32]) -> Self {
        Self(hot.as_mut_ptr())
    }

    /// The first float.
    pub(crate) fn first(self) -> *mut f32 {
        self.0
    }
}
