//! Semantics of the float operations: the host's own arithmetic on the values' bits.
//!
//! Conversions of out-of-range values to integers are undefined in C. Here they are total, and have the results of the
//! code that compilers generate for x86-64, so that evaluation predicts the behaviour of the unit.

use tine_trace::eval::{mask, signed};
use tine_trace::op::{Op, Rounding};

/// Returns the value of a float operation with result width `width` and operand width `from` (both 32 or 64 for
/// floats). `None` for other operations and formats.
pub(crate) fn float(op: Op, width: u32, from: u32, a: u128, b: u128, c: u128) -> Option<u128> {
    match op {
        Op::FToF => match (from, width) {
            (32, 64) => Some((f32::from_bits(a as u32) as f64).to_bits() as u128),
            (64, 32) => Some((f64::from_bits(a as u64) as f32).to_bits() as u128),
            (32, 32) | (64, 64) => Some(a),
            _ => None,
        },
        Op::SToF => match width {
            32 => Some((signed(from, a) as f32).to_bits() as u128),
            64 => Some((signed(from, a) as f64).to_bits() as u128),
            _ => None,
        },
        Op::UToF => match width {
            32 => Some((a as f32).to_bits() as u128),
            64 => Some((a as f64).to_bits() as u128),
            _ => None,
        },
        // Widening a float is exact, so one conversion serves both formats.
        Op::FToS | Op::FToU => {
            let x = match from {
                32 => f32::from_bits(a as u32) as f64,
                64 => f64::from_bits(a as u64),
                _ => return None,
            };
            let value = if op == Op::FToS { to_signed(x, width) } else { to_unsigned(x, width) };
            Some(value & mask(width))
        }
        _ => match from {
            32 => single(op, a as u32, b as u32, c as u32),
            64 => double(op, a as u64, b as u64, c as u64),
            _ => None,
        },
    }
}

/// Converts like `cvttsd2si` into the smallest register that compilers use for `width` bits.
fn to_signed(x: f64, width: u32) -> u128 {
    match width {
        0..=32 => truncate32(x) as u128,
        33..=64 => truncate64(x) as u128,
        _ => (x as i128) as u128,
    }
}

/// Before AVX-512 there is no unsigned conversion. Compilers convert to a wider signed register, and for 64 bits first
/// shift the upper half of the range down.
fn to_unsigned(x: f64, width: u32) -> u128 {
    const TWO_63: f64 = 9_223_372_036_854_775_808.0;
    match width {
        0..=16 => truncate32(x) as u128,
        17..=32 => truncate64(x) as u128,
        33..=64 if (TWO_63..2.0 * TWO_63).contains(&x) => x as u64 as u128,
        33..=64 => truncate64(x) as u128,
        _ => x as u128,
    }
}

fn truncate32(x: f64) -> i32 {
    if x > -2_147_483_649.0 && x < 2_147_483_648.0 { x as i32 } else { i32::MIN }
}

fn truncate64(x: f64) -> i64 {
    if (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&x) { x as i64 } else { i64::MIN }
}

macro_rules! format {
    ($name:ident, $float:ty, $bits:ty) => {
        fn $name(op: Op, a: $bits, b: $bits, c: $bits) -> Option<u128> {
            let (x, y, z) = (<$float>::from_bits(a), <$float>::from_bits(b), <$float>::from_bits(c));
            let value = match op {
                Op::FAdd => x + y,
                Op::FSub => x - y,
                Op::FMul => x * y,
                Op::FDiv => x / y,
                Op::FRem => x % y,
                Op::FMa => x.mul_add(y, z),
                Op::FNeg => -x,
                Op::FAbs => x.abs(),
                Op::FSqrt => x.sqrt(),
                Op::FRound => match Rounding::from_number(b as u32)? {
                    Rounding::NearestEven => x.round_ties_even(),
                    Rounding::NearestAway => x.round(),
                    Rounding::Up => x.ceil(),
                    Rounding::Down => x.floor(),
                    Rounding::Zero => x.trunc(),
                },
                Op::FEq => return Some((x == y) as u128),
                Op::FLt => return Some((x < y) as u128),
                Op::FLe => return Some((x <= y) as u128),
                Op::FIsNan => return Some(x.is_nan() as u128),
                _ => return None,
            };
            Some(value.to_bits() as u128)
        }
    };
}

format!(single, f32, u32);
format!(double, f64, u64);

#[cfg(test)]
mod tests {
    use super::*;

    fn s(op: Op, width: u32, x: f32) -> u128 {
        float(op, width, 32, x.to_bits() as u128, 0, 0).unwrap()
    }

    #[test]
    fn conversions_out_of_range_are_those_of_x86() {
        assert_eq!(s(Op::FToS, 32, 1e10), 0x8000_0000);
        assert_eq!(s(Op::FToS, 32, f32::NAN), 0x8000_0000);
        assert_eq!(s(Op::FToS, 8, 300.0), 44);
        assert_eq!(s(Op::FToS, 64, -1e30), 1 << 63);
        assert_eq!(s(Op::FToU, 32, -1.0), 0xffff_ffff);
        assert_eq!(s(Op::FToU, 64, -1.0), u64::MAX as u128);
        assert_eq!(s(Op::FToU, 64, 1e19), 1e19f32 as u64 as u128);
        assert_eq!(s(Op::FToU, 64, f32::INFINITY), 1 << 63);
        assert_eq!(s(Op::FToU, 32, 4e9), 4_000_000_000);
        assert_eq!(float(Op::FToS, 32, 64, (-2_147_483_648.5f64).to_bits() as u128, 0, 0), Some(0x8000_0000));
    }

    #[test]
    fn conversions_from_integers_see_their_width() {
        assert_eq!(float(Op::SToF, 32, 8, 0xff, 0, 0), Some((-1f32).to_bits() as u128));
        assert_eq!(float(Op::UToF, 64, 8, 0xff, 0, 0), Some(255f64.to_bits() as u128));
        assert_eq!(float(Op::SToF, 64, 128, u128::MAX, 0, 0), Some((-1f64).to_bits() as u128));
    }

    #[test]
    fn rounding_follows_its_mode() {
        let round = |x: f64, mode: Rounding| {
            f64::from_bits(float(Op::FRound, 64, 64, x.to_bits() as u128, mode as u128, 0).unwrap() as u64)
        };
        assert_eq!(round(2.5, Rounding::NearestEven), 2.0);
        assert_eq!(round(2.5, Rounding::NearestAway), 3.0);
        assert_eq!(round(-2.5, Rounding::Up), -2.0);
        assert_eq!(round(-2.5, Rounding::Down), -3.0);
        assert_eq!(round(-2.5, Rounding::Zero), -2.0);
    }
}
