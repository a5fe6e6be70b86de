//! The value of one operation on concrete operands.

use tine_trace::eval;
use tine_trace::op::Op;

use crate::float::float;

/// Returns the value of an operation. `width` is that of the result, `from` that of the first operand. An immediate
/// comes after the operands, as in a node of the trace. `None` for `Const` and `Input`, and for widths that floats do
/// not have.
pub fn node_value(op: Op, width: u32, from: u32, a: u128, b: u128, c: u128) -> Option<u128> {
    match op {
        Op::Const | Op::Input => None,
        Op::Concat => Some(eval::concat(width.checked_sub(from)?, a, b)),
        _ => eval::integer(op, width, from, a, b, c).or_else(|| float(op, width, from, a, b, c)),
    }
}

/// True if two values of this operation are equal. NaNs with different bits count as equal, because the bits of a
/// resulting NaN depend on the order in which a compiler put the operands.
pub fn same_value(op: Op, width: u32, a: u128, b: u128) -> bool {
    a == b || (gives_float(op) && is_nan(width, a) && is_nan(width, b))
}

/// True if the operation computes a new float, so that the bits of a resulting NaN do not matter.
pub fn gives_float(op: Op) -> bool {
    matches!(op, Op::FAdd | Op::FSub | Op::FMul | Op::FDiv | Op::FRem | Op::FMa | Op::FSqrt | Op::FRound | Op::FToF)
}

fn is_nan(width: u32, value: u128) -> bool {
    match width {
        32 => f32::from_bits(value as u32).is_nan(),
        64 => f64::from_bits(value as u64).is_nan(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn concat_takes_its_low_width_from_the_rest() {
        assert_eq!(node_value(Op::Concat, 24, 8, 0xab, 0xcdef, 0), Some(0xab_cdef));
    }

    #[test]
    fn nans_are_the_same_only_where_floats_are_computed() {
        let (quiet, default) = (0x7fc0_0000, 0xffc0_0000);
        assert!(same_value(Op::FAdd, 32, quiet, default));
        assert!(!same_value(Op::FNeg, 32, quiet, default));
        assert!(!same_value(Op::Add, 32, quiet, default));
        assert!(!same_value(Op::FAdd, 32, quiet, 0x7f80_0000));
    }
}
