//! One number for the whole state.

use super::World;

/// Mixes words into 64 bits; each step is a bijection of the state, so nothing that differs is lost
/// on the way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hasher(u64);

impl Hasher {
    pub(crate) fn new() -> Self {
        Self(0x6b65_6d70_6532_6400)
    }

    pub(crate) fn word(&mut self, word: u64) {
        let mut z = (self.0 ^ word).wrapping_add(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        self.0 = z ^ (z >> 31);
    }

    pub(crate) fn finish(self) -> u64 {
        self.0
    }
}

impl World {
    /// A hash of everything that the future depends on: equal worlds have equal hashes, to the bit
    /// of every number.
    pub fn state_hash(&self) -> u64 {
        checksum(&self.state_bytes())
    }
}

/// The checksum of a snapshot: 64 bits of the bytes behind its header, and of their number.
pub fn checksum(bytes: &[u8]) -> u64 {
    let mut hasher = Hasher::new();
    hasher.word(bytes.len() as u64);
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        hasher.word(u64::from_le_bytes(word));
    }
    hasher.finish()
}
