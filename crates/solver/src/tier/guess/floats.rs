//! Inverses of float operations: as for integers, except for rounding. Results are evaluated, so they may be inexact.

use tine_expr::node_value;
use tine_expr::value::gives_float;
use tine_trace::eval::{mask, signed};
use tine_trace::op::Op;

/// Returns values of operand `k` that may give `want`, with the other operands in `values` unchanged. `width` is the
/// width of the result, `from` that of the operands.
pub(super) fn undone(op: Op, width: u32, from: u32, values: [u128; 3], want: u128, k: usize) -> Vec<u128> {
    // The machine determines the bits of a resulting NaN, so they cannot be chosen.
    if gives_float(op) && is_nan(width, want) && want != nan_or_not(width, true) {
        return Vec::new();
    }
    let [a, b, c] = values;
    let on = |op: Op, x: u128, y: u128| node_value(op, from, from, x, y, 0);
    let convert = |op: Op, x: u128| node_value(op, from, width, x, 0, 0);
    let sign = 1u128 << (from - 1);
    let found = match (op, k) {
        (Op::FAdd, _) => [on(Op::FSub, want, if k == 0 { b } else { a }), None],
        (Op::FSub, 0) => [on(Op::FAdd, want, b), None],
        (Op::FSub, _) => [on(Op::FSub, a, want), None],
        (Op::FMul, _) => [on(Op::FDiv, want, if k == 0 { b } else { a }), None],
        (Op::FDiv, 0) => [on(Op::FMul, want, b), None],
        (Op::FDiv, _) => [on(Op::FDiv, a, want), None],
        // The same multiple of the divisor below, or no multiple.
        (Op::FRem, 0) => {
            let rest = on(Op::FRem, a, b);
            let multiple = rest.and_then(|rest| on(Op::FSub, a, rest));
            [multiple.and_then(|multiple| on(Op::FAdd, multiple, want)), Some(want)]
        }
        (Op::FMa, 0 | 1) => {
            let product = on(Op::FSub, want, c);
            [product.and_then(|product| on(Op::FDiv, product, if k == 0 { b } else { a })), None]
        }
        (Op::FMa, _) => [on(Op::FMul, a, b).and_then(|product| on(Op::FSub, want, product)), None],
        (Op::FNeg, 0) => [Some(want ^ sign), None],
        (Op::FAbs, 0) => [Some(want | a & sign), Some(want)],
        (Op::FSqrt, 0) => [on(Op::FMul, want, want), None],
        (Op::FRound, 0) => [Some(want), None],
        (Op::FToF, 0) => [convert(Op::FToF, want), None],
        (Op::FToS, 0) => [convert(Op::SToF, want), None],
        (Op::FToU, 0) => [convert(Op::UToF, want), None],
        (Op::SToF, 0) => [convert(Op::FToS, want), None],
        (Op::UToF, 0) => [convert(Op::FToU, want), None],
        _ => [None, None],
    };
    found.into_iter().flatten().collect()
}

/// Returns values for the left and for the right side that may give a comparison of floats the result `want`.
pub(super) fn compared(op: Op, width: u32, a: u128, b: u128, want: bool) -> (Vec<u128>, Vec<u128>) {
    let (up, down) = (|x: u128| step(width, x, 1), |x: u128| step(width, x, -1));
    match (op, want) {
        (Op::FEq, true) => (vec![b], vec![a]),
        (Op::FEq, false) => (vec![up(b), down(b)], vec![up(a), down(a)]),
        (Op::FLt, true) => (vec![down(b)], vec![up(a)]),
        (Op::FLt, false) => (vec![b], vec![a]),
        (Op::FLe, true) => (vec![b, down(b)], vec![a, up(a)]),
        (Op::FLe, false) => (vec![up(b)], vec![down(a)]),
        _ => (Vec::new(), Vec::new()),
    }
}

/// Values at which floats behave differently from numbers.
pub(super) const EDGES: [f64; 9] =
    [f64::MAX, f64::MIN, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1.0, -1.0, -0.0, f64::MIN_POSITIVE];

/// Returns a number in a format. The largest `f64` gives the largest number of the format.
pub(super) fn bits(width: u32, x: f64) -> u128 {
    if width == 64 {
        return u128::from(x.to_bits());
    }
    let narrow = if x.is_finite() { (x as f32).clamp(f32::MIN, f32::MAX) } else { x as f32 };
    u128::from(narrow.to_bits())
}

/// Returns a NaN or a number.
pub(super) fn nan_or_not(width: u32, want: bool) -> u128 {
    let nan = if width == 32 { f32::NAN.to_bits() as u128 } else { f64::NAN.to_bits() as u128 };
    if want { nan } else { 0 }
}

fn is_nan(width: u32, bits: u128) -> bool {
    if width == 32 { f32::from_bits(bits as u32).is_nan() } else { f64::from_bits(bits as u64).is_nan() }
}

/// Returns the next float above or below. The order of floats is that of the numbers `key` of their bits.
fn step(width: u32, bits: u128, by: i128) -> u128 {
    let sign = 1u128 << (width - 1);
    let key = if bits & sign == 0 { signed(width, bits) } else { -signed(width, bits & !sign) };
    let key = key + by;
    let bits = if key < 0 { sign | key.unsigned_abs() } else { key as u128 };
    bits & mask(width)
}

#[cfg(test)]
mod tests {
    use tine_expr::testing::Random;

    use super::*;

    #[test]
    fn steps_are_the_next_floats() {
        for x in [0.0f64, -0.0, 1.0, -1.0, 1e300, -1e-310, f64::MIN_POSITIVE] {
            let bits = u128::from(x.to_bits());
            let (up, down) = (step(64, bits, 1) as u64, step(64, bits, -1) as u64);
            assert_eq!((f64::from_bits(up), f64::from_bits(down)), (x.next_up(), x.next_down()), "{x}");
        }
    }

    /// Small whole numbers are not rounded, so the inverse is exact.
    #[test]
    fn undoing_undoes() {
        let mut random = Random::new(5);
        let mut n_undone = 0;
        for _ in 0..20_000 {
            let width = random.pick(&[32, 64]);
            let op = random.pick(&[Op::FAdd, Op::FSub, Op::FMul, Op::FDiv, Op::FRem, Op::FMa, Op::FNeg, Op::FSqrt]);
            let mut number = || {
                let x = [1.0, 2.0, 4.0, 8.0, -2.0, -16.0, 3.0][random.below(7) as usize];
                if width == 32 { u128::from((x as f32).to_bits()) } else { u128::from(f64::to_bits(x)) }
            };
            let [a, b, c, x] = [(); 4].map(|()| number());
            let n_operands = op.shape().operands as usize;
            for k in 0..n_operands {
                let value = |operand: u128| {
                    let mut values = [a, b, c];
                    values[k] = operand;
                    node_value(op, width, width, values[0], values[1], values[2]).unwrap()
                };
                // A value that the operation can have, and that is not NaN.
                let want = value(x);
                if want & mask(width - 1) > if width == 32 { 0x7f80_0000 } else { 0x7ff0 << 48 } {
                    continue;
                }
                let found = undone(op, width, width, [a, b, c], want, k);
                let zero = |bits: u128| bits & mask(width - 1) == 0;
                let right = found.iter().any(|&operand| value(operand) == want || zero(want) && zero(value(operand)));
                // A divisor does not follow from the remainder, nor a factor from a zero product, and thirds are
                // rounded.
                let rounded = matches!(op, Op::FDiv | Op::FMa | Op::FMul | Op::FSqrt);
                assert!(right || rounded || (op, k) == (Op::FRem, 1), "{op:?} {k} of {a:x} {b:x} {c:x}: {found:x?}");
                n_undone += u32::from(right);
            }
        }
        assert!(n_undone > 20_000, "{n_undone}");
    }
}
