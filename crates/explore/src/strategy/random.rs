//! Pseudo-random numbers from a seed: the same seed gives the same exploration.

/// SplitMix64: a counter whose bits are mixed.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A sequence that the seed determines.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Uniform below `bound`, which must be positive.
    pub fn below(&mut self, bound: usize) -> usize {
        // Takes the high half of a product. This avoids a division, and the bias is below 2^-32 for any realistic
        // number of branches.
        ((u128::from(self.number()) * bound as u128) >> 64) as usize
    }

    /// Uniform in [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.number() >> 11) as f64 / (1u64 << 53) as f64
    }
}
