//! Results of operations on concrete values. The meaning is that of [`tine_trace::eval`], but with one implementation
//! for machine widths and one for larger widths. The compiler's helper library is avoided, because it must not be
//! linked into a unit. Also contains the float operations that need no arithmetic.

use tine_trace::eval::mask;
use tine_trace::op::Op;

/// Value of an integer operation with two operands of one width, both already masked.
#[inline]
pub(super) fn binary(op: Op, width: u32, a: u128, b: u128) -> Option<u128> {
    if width > 64 { binary_128(op, width, a, b) } else { binary_64(op, width, a as u64, b as u64).map(u128::from) }
}

macro_rules! evaluator {
    ($( #[$attribute:meta] )* $name:ident, $unsigned:ty, $signed:ty, $divide:path) => {
        $( #[$attribute] )*
        fn $name(op: Op, width: u32, a: $unsigned, b: $unsigned) -> Option<$unsigned> {
            let unused = <$unsigned>::BITS - width;
            let (sa, sb) = ((a << unused) as $signed >> unused, (b << unused) as $signed >> unused);
            let raw = match op {
                Op::Add => a.wrapping_add(b),
                Op::Sub => a.wrapping_sub(b),
                Op::Mul => a.wrapping_mul(b),
                Op::UDiv => $divide(a, b).0,
                Op::URem => $divide(a, b).1,
                Op::SDiv => {
                    let magnitude = $divide(sa.unsigned_abs(), sb.unsigned_abs()).0;
                    if (sa < 0) == (sb < 0) { magnitude } else { magnitude.wrapping_neg() }
                }
                Op::SRem => {
                    let magnitude = $divide(sa.unsigned_abs(), sb.unsigned_abs()).1;
                    if sa < 0 { magnitude.wrapping_neg() } else { magnitude }
                }
                Op::And => a & b,
                Op::Or => a | b,
                Op::Xor => a ^ b,
                Op::Shl => if b < width as $unsigned { a << b } else { 0 },
                Op::LShr => if b < width as $unsigned { a >> b } else { 0 },
                Op::AShr => (sa >> b.min((<$unsigned>::BITS - 1) as $unsigned)) as $unsigned,
                Op::Eq => return Some((a == b) as $unsigned),
                Op::Ult => return Some((a < b) as $unsigned),
                Op::Ule => return Some((a <= b) as $unsigned),
                Op::Slt => return Some((sa < sb) as $unsigned),
                Op::Sle => return Some((sa <= sb) as $unsigned),
                Op::UMulO => {
                    let product = a.checked_mul(b);
                    return Some(product.is_none_or(|product| product << unused >> unused != product) as $unsigned);
                }
                Op::SMulO => {
                    let product = sa.checked_mul(sb);
                    return Some(product.is_none_or(|product| product << unused >> unused != product) as $unsigned);
                }
                Op::SAddO => {
                    let sum = sa.checked_add(sb);
                    return Some(sum.is_none_or(|sum| sum << unused >> unused != sum) as $unsigned);
                }
                Op::SSubO => {
                    let difference = sa.checked_sub(sb);
                    return Some(difference.is_none_or(|difference| difference << unused >> unused != difference) as $unsigned);
                }
                _ => return None,
            };
            Some(raw << unused >> unused)
        }
    };
}

evaluator!(
    #[inline]
    binary_64,
    u64,
    i64,
    divide_64
);
evaluator!(
    #[inline(never)]
    binary_128,
    u128,
    i128,
    divide_128
);

/// Quotient and remainder; by 0 all ones and the dividend.
#[inline]
fn divide_64(a: u64, b: u64) -> (u64, u64) {
    (a.checked_div(b).unwrap_or(u64::MAX), a.checked_rem(b).unwrap_or(a))
}

/// The same, bit by bit, because it is rare.
fn divide_128(a: u128, b: u128) -> (u128, u128) {
    let (mut quotient, mut remainder) = (0, 0u128);
    for k in (0..128).rev() {
        let carry = remainder >> 127 != 0;
        remainder = remainder << 1 | a >> k & 1;
        quotient <<= 1;
        if carry || remainder >= b {
            remainder = remainder.wrapping_sub(b);
            quotient |= 1;
        }
    }
    (quotient, remainder)
}

/// True if floats of this width are modelled.
#[inline]
pub(super) fn is_float_width(width: u32) -> bool {
    width == 32 || width == 64
}

/// True if the unit has set another rounding mode than to nearest, or treats denormal floats as zero. Then operations
/// on floats differ from the meaning of their expressions.
#[inline]
pub(super) fn floats_are_unusual() -> bool {
    const DENORMALS_ARE_ZERO: u32 = 1 << 6;
    const ROUNDING: u32 = 3 << 13;
    const FLUSH_TO_ZERO: u32 = 1 << 15;
    let mut control = 0u32;
    // SAFETY: stores the control word of SSE to the variable that the pointer points to.
    unsafe { core::arch::asm!("stmxcsr [{0}]", in(reg) &raw mut control, options(nostack, preserves_flags)) };
    control & (DENORMALS_ARE_ZERO | ROUNDING | FLUSH_TO_ZERO) != 0
}

/// The float with these bits; both formats fit exactly.
#[inline]
pub(super) fn float(width: u32, bits: u128) -> f64 {
    if width == 32 { f32::from_bits(bits as u32) as f64 } else { f64::from_bits(bits as u64) }
}

/// True if these are the bits of a NaN.
#[inline]
pub(super) fn is_nan(width: u32, bits: u128) -> bool {
    match width {
        32 => bits as u32 & 0x7fff_ffff > 0x7f80_0000,
        64 => bits as u64 & 0x7fff_ffff_ffff_ffff > 0x7ff0_0000_0000_0000,
        _ => false,
    }
}

/// Value of a float comparison.
#[inline]
pub(super) fn float_predicate(op: Op, width: u32, a: u128, b: u128) -> Option<u128> {
    let (x, y) = (float(width, a), float(width, b));
    Some(match op {
        Op::FEq => x == y,
        Op::FLt => x < y,
        Op::FLe => x <= y,
        _ => return None,
    } as u128)
}

/// Value of `FToS` and `FToU` to `width` bits; `None` if the number does not fit.
pub(super) fn float_to_integer(op: Op, width: u32, x: f64) -> Option<u128> {
    // Exact where it matters: the bounds are powers of two, and one less is exact as long as it counts.
    let (low, high) = match op {
        Op::FToS => (-power_of_two(width - 1), power_of_two(width - 1)),
        _ => (0.0, power_of_two(width)),
    };
    let fits = (x >= low || x > low - 1.0) && x < high;
    if !fits {
        return None; // NaN, too
    }
    let bits = x.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i32 - 1023;
    let significand = (bits & ((1 << 52) - 1) | 1 << 52) as u128;
    let magnitude = match exponent {
        ..0 => 0,
        0..52 => significand >> (52 - exponent),
        _ => significand << (exponent - 52),
    };
    let integer = if x < 0.0 { magnitude.wrapping_neg() } else { magnitude };
    Some(integer & mask(width))
}

/// 2^`exponent`, up to 128.
fn power_of_two(exponent: u32) -> f64 {
    f64::from_bits((1023 + exponent as u64) << 52)
}

#[cfg(test)]
mod tests {
    use tine_trace::eval::integer;

    use super::*;

    #[test]
    fn both_agree_with_the_definition() {
        for width in [1, 2, 7, 8, 16, 31, 32, 33, 63, 64, 65, 100, 127, 128] {
            let largest = mask(width);
            let edges =
                [0, 1, 2, 3, 7, 8, 10, 0x55, largest, largest - 1, largest >> 1, (largest >> 1) + 1, largest / 3];
            for &op in Op::ALL {
                for (a, b) in edges.iter().flat_map(|a| edges.map(|b| (a & largest, b & largest))) {
                    let result = if op.shape().predicate { 1 } else { width };
                    let expected = integer(op, result, width, a, b, 0).filter(|_| op.shape().operands == 2);
                    assert_eq!(binary(op, width, a, b), expected, "{op:?} {width} {a} {b}");
                    let wide = binary_128(op, width, a, b);
                    assert_eq!(wide, expected, "{op:?} {width} {a} {b}, the wide way");
                }
            }
        }
    }

    #[test]
    fn conversions_are_rusts() {
        for x in [0.0, 0.99, 1.0, 1.5, 2.0, 1e9, 4_503_599_627_370_497.0, 9e15, 1e18, 1e19, 1e30, 1e38, 5e-324] {
            assert_eq!(float_to_integer(Op::FToU, 128, x), Some(x as u128), "{x}");
            assert_eq!(float_to_integer(Op::FToS, 128, -x), Some(-x as i128 as u128), "-{x}");
        }
    }

    #[test]
    fn conversions_at_the_edges_of_the_range() {
        let signed = |width, x| float_to_integer(Op::FToS, width, x);
        assert_eq!(signed(8, 127.9), Some(127));
        assert_eq!(signed(8, 128.0), None);
        assert_eq!(signed(8, -128.9), Some(0x80));
        assert_eq!(signed(8, -129.0), None);
        assert_eq!(signed(64, -9_223_372_036_854_775_808.0), Some(1 << 63));
        assert_eq!(signed(64, 9_223_372_036_854_775_808.0), None);
        assert_eq!(signed(64, -9_223_372_036_854_777_856.0), None);
        assert_eq!(signed(32, f64::NAN), None);
        let unsigned = |width, x| float_to_integer(Op::FToU, width, x);
        assert_eq!(unsigned(8, -0.9), Some(0));
        assert_eq!(unsigned(8, -1.0), None);
        assert_eq!(unsigned(8, 255.9), Some(255));
        assert_eq!(unsigned(8, 256.0), None);
        assert_eq!(unsigned(64, f64::INFINITY), None);
    }
}
