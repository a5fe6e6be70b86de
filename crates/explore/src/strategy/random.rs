//! Numbers that look random and come from a seed: the same seed, the same exploration.

/// SplitMix64: a counter, mixed.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Uniform below `bound`, which is more than 0.
    pub fn below(&mut self, bound: usize) -> usize {
        // The high half of a product: no division, and a bias below 2^-32 for any number of branches there can be.
        ((u128::from(self.number()) * bound as u128) >> 64) as usize
    }

    /// Uniform in 0 … 1, without 1.
    pub fn unit(&mut self) -> f64 {
        (self.number() >> 11) as f64 / (1u64 << 53) as f64
    }
}
