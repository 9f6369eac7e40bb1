//! Random numbers that are the same everywhere: splitmix64, from the name of a class and a seed.

use kempe_scalar::precise;
use kempe2d::Vec2;
use std::f64::consts::TAU;

/// A sequence of random numbers.
#[derive(Clone, Debug)]
pub(crate) struct Random {
    state: u64,
}

impl Random {
    /// The sequence of a name and a seed.
    pub(crate) fn new(name: &str, seed: u64) -> Self {
        // FNV-1a of the name, and one mixing of it with the seed, so that neighbours have nothing in common.
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        for byte in name.bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        let mut first = Self { state: hash ^ seed.wrapping_mul(0xd134_2543_de82_ef95) };
        Self { state: first.bits() }
    }

    fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// From 0 to 1.
    fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// From `low` to `high`.
    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// From `low` to `high`, each decade as often as another.
    pub(crate) fn decades(&mut self, low: f64, high: f64) -> f64 {
        precise::exp(self.between(precise::ln(low), precise::ln(high)))
    }

    /// One of the whole numbers from `low` to `high`, both included.
    pub(crate) fn whole(&mut self, low: usize, high: usize) -> usize {
        low + (self.bits() % (high + 1 - low) as u64) as usize
    }

    /// True as often as that.
    pub(crate) fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// An angle, −π to π.
    pub(crate) fn angle(&mut self) -> f64 {
        self.between(-0.5 * TAU, 0.5 * TAU)
    }

    /// A direction.
    pub(crate) fn direction(&mut self) -> Vec2 {
        Vec2::from_angle(self.angle())
    }

    /// One of several, of which there must be one.
    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.whole(0, from.len() - 1)]
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn names_and_seeds_have_sequences_of_their_own() {
        let first = |name: &str, seed: u64| Random::new(name, seed).bits();
        assert_eq!(first("trees", 1), first("trees", 1));
        assert_ne!(first("trees", 1), first("trees", 2));
        assert_ne!(first("trees", 1), first("beams", 1));
    }

    #[test]
    fn numbers_keep_their_bounds_and_reach_them() {
        let mut random = Random::new("", 0);
        let mut seen = [false; 4];
        for _ in 0..500 {
            seen[random.whole(1, 4) - 1] = true;
            assert!((0.1..=10.0).contains(&random.decades(0.1, 10.0)));
        }
        assert_eq!(seen, [true; 4]);
    }
}
