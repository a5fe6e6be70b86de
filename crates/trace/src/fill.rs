//! Values of input bytes that the plan does not contain: zeros, random bytes, or boundary values.
//!
//! They depend only on seed, request and position, so that the engine and every run compute the same bytes.

use crate::plan::InputKind;

/// Flag in the seed of a restart: numbers are filled with boundary values, except for one seed of four. Other inputs
/// are random.
pub const RESTART: u64 = 1 << 63;
/// Two bits of such a seed. Without both, everything is random.
const BOUNDARY: u64 = 3 << 61;

/// The byte at `offset` of input `ordinal` if the plan does not contain it. Seed 0 means zeros.
pub const fn fill(seed: u64, ordinal: u32, offset: u32) -> u8 {
    if seed == 0 {
        return 0;
    }
    // All bytes of a word come from one random number.
    (draw(seed, ordinal, offset / 8) >> (offset % 8 * 8)) as u8
}

/// The same for an input of this kind and size, which may be a number.
pub fn fill_typed(seed: u64, ordinal: u32, offset: u32, kind: u32, size: u64) -> u8 {
    let Some(width) = width(kind, size).filter(|_| seed & RESTART != 0 && seed & BOUNDARY != 0) else {
        return fill(seed, ordinal, offset);
    };
    let draw = draw(seed, ordinal, offset / width);
    let value = match width {
        8 if kind == InputKind::Float as u32 => double(draw).to_bits(),
        4 if kind == InputKind::Float as u32 => u64::from((double(draw) as f32).to_bits()),
        _ => integer(draw, width),
    };
    (value >> (offset % width * 8)) as u8
}

/// splitmix64 over seed, request and word.
const fn draw(seed: u64, ordinal: u32, word: u32) -> u64 {
    let mut z = seed ^ ((ordinal as u64) << 32 | word as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Size of the numbers that an input consists of; `None` if it does not consist of numbers.
fn width(kind: u32, size: u64) -> Option<u32> {
    let is = |known: InputKind| kind == known as u32;
    let is_number = is(InputKind::Bytes) || is(InputKind::Signed) || is(InputKind::Unsigned) || is(InputKind::Float);
    match size {
        1 | 2 | 4 | 8 if is_number || is(InputKind::Char) => Some(size as u32),
        _ if is(InputKind::Bytes) && size.is_multiple_of(4) => Some(4),
        _ => None,
    }
}

/// Small numbers, limits of the type, powers of two and their neighbours, selected by a random number.
fn integer(draw: u64, width: u32) -> u64 {
    let (bits, rest) = (width * 8, draw >> 4);
    let power = 1u64 << (rest % u64::from(bits));
    match draw % 16 {
        0 | 1 => 0,
        2 | 3 => 1,
        4 | 5 => u64::MAX,
        6..=8 => 2 + rest % 9,
        9 => rest % 256,
        10 => (rest % 64).wrapping_neg(),
        // The largest and the smallest of a signed type.
        11 => (1 << (bits - 1)) - 1,
        12 => 1 << (bits - 1),
        13 => power,
        14 => power - 1,
        _ => rest,
    }
}

/// The same for floats: small integers and fractions, special values, and both limits.
fn double(draw: u64) -> f64 {
    let rest = draw >> 5;
    let small = (rest % 2001) as f64 - 1000.0;
    match draw % 32 {
        0..=3 => 0.0,
        4 | 5 => 1.0,
        6 | 7 => -1.0,
        8..=12 => small / 100.0,
        13..=17 => small,
        18 | 19 => small * 1e4,
        20 => -0.0,
        21 => f64::NAN,
        22 => f64::INFINITY,
        23 => f64::NEG_INFINITY,
        24 => f64::MIN_POSITIVE,
        25 => f64::from_bits(1),
        26 => 1e30,
        27 => -1e30,
        28 => f64::EPSILON,
        29 => 0.5,
        _ => f64::from_bits(draw.rotate_left(17)),
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::collections::BTreeSet;
    use std::vec::Vec;

    use super::*;

    fn bytes(seed: u64, kind: InputKind, size: u64) -> Vec<u8> {
        (0..size as u32).map(|offset| fill_typed(seed, 3, offset, kind as u32, size)).collect()
    }

    fn ints(kind: InputKind) -> BTreeSet<i32> {
        let value =
            |k: u64| bytes(RESTART | BOUNDARY | k, kind, 4).try_into().map(i32::from_le_bytes).expect("four bytes");
        (1..400).map(value).collect()
    }

    #[test]
    fn integers_have_the_values_that_matter() {
        for kind in [InputKind::Signed, InputKind::Bytes] {
            let found = ints(kind);
            assert!([0, 1, -1, 2, 10, i32::MAX, i32::MIN].iter().all(|value| found.contains(value)), "{found:?}");
            assert!(found.iter().any(|value| *value > 256 && value.count_ones() == 1), "powers of two");
            assert!(found.iter().any(|value| *value > 1 << 24), "and others");
        }
    }

    #[test]
    fn floats_have_them_too() {
        let value = |k: u64| {
            bytes(RESTART | BOUNDARY | k, InputKind::Float, 8).try_into().map(f64::from_le_bytes).expect("a double")
        };
        let found: Vec<f64> = (1..400).map(value).collect();
        assert!(found.iter().any(|value| value.is_nan()) && found.iter().any(|value| value.is_infinite()));
        assert!(found.contains(&1.0) && found.iter().any(|value| value.is_subnormal()));
    }

    #[test]
    fn other_inputs_and_other_seeds_are_random_bytes() {
        let text = bytes(RESTART | BOUNDARY | 1, InputKind::Text, 12);
        assert!((0..12).all(|k| text[k as usize] == fill(RESTART | BOUNDARY | 1, 3, k)));
        let number = bytes(42, InputKind::Signed, 4);
        assert!((0..4).all(|k| number[k as usize] == fill(42, 3, k)));
        let random = bytes(RESTART | 42, InputKind::Signed, 4);
        assert!((0..4).all(|k| random[k as usize] == fill(RESTART | 42, 3, k)), "one seed of four");
        assert_eq!(bytes(0, InputKind::Signed, 4), [0; 4]);
    }

    #[test]
    fn words_of_an_array_differ() {
        let array = bytes(RESTART | BOUNDARY | 9, InputKind::Bytes, 64);
        let words: BTreeSet<&[u8]> = array.chunks(4).collect();
        assert!(words.len() > 4, "{array:?}");
    }
}
