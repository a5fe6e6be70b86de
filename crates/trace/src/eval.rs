//! Semantics of the integer operations on concrete values. This is the single definition shared by the unit (when it
//! composes operations) and the engine (when it checks traces and models). Floats need the host's arithmetic and are
//! evaluated in `expr`.

use crate::op::Op;

/// The low `width` bits set.
pub const fn mask(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

/// The low `width` bits of `value` as a signed number.
pub const fn signed(width: u32, value: u128) -> i128 {
    let unused = 128 - width;
    ((value << unused) as i128) >> unused
}

/// The value of an integer operation. `width` is the width of the *operands* for predicates. For `ZExt`, `SExt` and
/// `Extract` it is the width of the result, and `from` is the operand's width.
/// Returns `None` for `Const`, `Input` and the float operations.
pub fn integer(op: Op, width: u32, from: u32, a: u128, b: u128, c: u128) -> Option<u128> {
    let bit = |x: bool| x as u128;
    let (sa, sb) = (signed(from, a), signed(from, b));
    let raw = match op {
        Op::Add => a.wrapping_add(b),
        Op::Sub => a.wrapping_sub(b),
        Op::Mul => a.wrapping_mul(b),
        Op::UDiv => a.checked_div(b).unwrap_or(u128::MAX),
        Op::URem => a.checked_rem(b).unwrap_or(a),
        Op::SDiv if b == 0 => {
            if sa < 0 {
                1
            } else {
                u128::MAX
            }
        }
        Op::SDiv => sa.wrapping_div(sb) as u128,
        Op::SRem if b == 0 => a,
        Op::SRem => sa.wrapping_rem(sb) as u128,
        Op::And => a & b,
        Op::Or => a | b,
        Op::Xor => a ^ b,
        Op::Shl => {
            if b < width as u128 {
                a << b
            } else {
                0
            }
        }
        Op::LShr => {
            if b < width as u128 {
                a >> b
            } else {
                0
            }
        }
        Op::AShr => (sa >> b.min(127)) as u128,
        Op::Eq => bit(a == b),
        Op::Ult => bit(a < b),
        Op::Ule => bit(a <= b),
        Op::Slt => bit(sa < sb),
        Op::Sle => bit(sa <= sb),
        Op::UMulO => bit(a.checked_mul(b).is_none_or(|r| r > mask(from))),
        Op::SMulO => bit(sa.checked_mul(sb).is_none_or(|r| signed(from, r as u128) != r)),
        Op::SAddO => bit(sa.checked_add(sb).is_none_or(|r| signed(from, r as u128) != r)),
        Op::SSubO => bit(sa.checked_sub(sb).is_none_or(|r| signed(from, r as u128) != r)),
        Op::Not => !a,
        Op::ZExt => a,
        Op::SExt => sa as u128,
        Op::Extract => a >> b.min(127),
        Op::Concat => return None, // needs both operands' widths: see `concat`
        Op::Ite => {
            if a != 0 {
                b
            } else {
                c
            }
        }
        _ => return None,
    };
    Some(raw & mask(width))
}

/// [`Op::Concat`]: `high` above the `low_width` bits of `low`.
pub const fn concat(low_width: u32, high: u128, low: u128) -> u128 {
    if low_width >= 128 { low } else { (high << low_width) | low }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_is_total_as_in_smt_lib() {
        assert_eq!(integer(Op::UDiv, 8, 8, 7, 0, 0), Some(0xff));
        assert_eq!(integer(Op::SDiv, 8, 8, 7, 0, 0), Some(0xff));
        assert_eq!(integer(Op::SDiv, 8, 8, 0xf9, 0, 0), Some(1));
        assert_eq!(integer(Op::SRem, 8, 8, 0xf9, 0, 0), Some(0xf9));
        assert_eq!(integer(Op::SDiv, 8, 8, 0x80, 0xff, 0), Some(0x80));
    }

    #[test]
    fn shifts_past_the_width_are_total() {
        assert_eq!(integer(Op::Shl, 8, 8, 1, 8, 0), Some(0));
        assert_eq!(integer(Op::LShr, 8, 8, 0x80, 200, 0), Some(0));
        assert_eq!(integer(Op::AShr, 8, 8, 0x80, 200, 0), Some(0xff));
    }

    #[test]
    fn multiplication_overflow_at_every_width() {
        assert_eq!(integer(Op::UMulO, 1, 8, 16, 16, 0), Some(1));
        assert_eq!(integer(Op::UMulO, 1, 8, 15, 17, 0), Some(0));
        assert_eq!(integer(Op::SMulO, 1, 8, 0x80, 0xff, 0), Some(1));
        assert_eq!(integer(Op::SMulO, 1, 128, 1 << 127, u128::MAX, 0), Some(1));
        assert_eq!(
            [(0x7f, 1), (0x7f, 0xff), (0x80, 0xff)].map(|(a, b)| integer(Op::SAddO, 1, 8, a, b, 0)),
            [Some(1), Some(0), Some(1)]
        );
        assert_eq!(
            [(0, 0x80), (0x80, 1), (0xff, 0x80)].map(|(a, b)| integer(Op::SSubO, 1, 8, a, b, 0)),
            [Some(1), Some(1), Some(0)]
        );
        assert_eq!(integer(Op::SSubO, 1, 128, 1 << 127, 1, 0), Some(1));
        assert_eq!(integer(Op::UMulO, 1, 128, 1 << 64, 1 << 63, 0), Some(0));
    }
}
