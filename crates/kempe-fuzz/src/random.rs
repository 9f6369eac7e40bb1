//! Random numbers that are the same everywhere: splitmix64.
//!
//! Sebastiano Vigna's generator (<https://prng.di.unimi.it/splitmix64.c>): one addition and one
//! mixing of bits. Any seed is a good one, also a small number.

/// A sequence of random numbers.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The sequence of a seed.
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// 64 random bits.
    pub const fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to, not including, `bound`; 0 if that is 0.
    pub const fn below(&mut self, bound: usize) -> usize {
        // The bias of the remainder is of no matter here: bounds are far below 2⁶⁴.
        let bits = self.bits();
        if bound == 0 { 0 } else { (bits % bound as u64) as usize }
    }

    /// A number from `low` to `high`, both included.
    pub const fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high + 1 - low)
    }

    /// True in `percent` of 100 cases.
    pub const fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of several, of which there must be one.
    pub const fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// Puts a list into a random order.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            list.swap(last, self.below(last + 1));
        }
    }
}

/// The seed of the `number`-th thing that is made from `seed`.
pub(crate) const fn derived(seed: u64, number: u64) -> u64 {
    let mut random = Random::new(seed ^ number.wrapping_mul(0xd134_2543_de82_ef95));
    random.bits()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_is_the_published_one() {
        let mut random = Random::new(1234567);
        let first: Vec<u64> = (0..3).map(|_| random.bits()).collect();
        assert_eq!(
            first,
            [6457827717110365317, 3203168211198807973, 9817491932198370423],
            "the test vector of the reference implementation"
        );
    }

    #[test]
    fn everything_is_reached() {
        let mut random = Random::new(0);
        let mut seen = [false; 10];
        (0..200).for_each(|_| seen[random.below(10)] = true);
        assert_eq!(seen, [true; 10]);
        assert_eq!(random.below(0), 0);
    }
}
