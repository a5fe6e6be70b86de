//! The hash FNV-1a. It is stable across compilers and builds, unlike the hashers of the standard library.

/// Hash of nothing.
pub const EMPTY: u64 = 0xcbf2_9ce4_8422_2325;

/// Adds a number to a hash. The numbers of the published function are bytes.
pub const fn add(hash: u64, number: u64) -> u64 {
    (hash ^ number).wrapping_mul(0x100_0000_01b3)
}

/// Hash of bytes.
pub fn of(bytes: &[u8]) -> u64 {
    bytes.iter().fold(EMPTY, |hash, byte| add(hash, u64::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of the published test suite.
    #[test]
    fn published_values() {
        assert_eq!([&b""[..], b"a", b"foobar"].map(of), [EMPTY, 0xaf63_dc4c_8601_ec8c, 0x8594_4171_f739_67e8]);
    }
}
