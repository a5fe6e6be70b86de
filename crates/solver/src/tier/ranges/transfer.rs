//! Bounds of a term, from the bounds of its operands.

use tine_expr::{Kind, Term};
use tine_trace::eval::mask;
use tine_trace::op::Op;

use super::bounds::Bounds;

/// Returns the bounds of a term. Unlisted operations may have any result.
pub(super) fn transfer(term: &Term, of: &[Bounds]) -> Bounds {
    let width = term.width();
    let any = Bounds::any(width);
    let Kind::Op(op) = term.kind() else { return any };
    if of.iter().any(Bounds::is_empty) {
        return Bounds { low: 1, high: 0, ..any };
    }
    let full = mask(width);
    match (op, of) {
        (Op::ZExt, [a]) => {
            let above = full & !mask(a.width);
            Bounds::between(width, a.low, a.high).meet(&Bounds::with_bits(width, a.zeros | above, a.ones))
        }
        (Op::SExt, [a]) => Bounds::between_signed(width, a.signed_low, a.signed_high),
        (Op::Extract, [a]) => {
            let low = term.immediate();
            let bits = Bounds::with_bits(width, a.zeros >> low & full, a.ones >> low & full);
            // No high bits are cut off.
            if a.high >> low <= full { bits.meet(&Bounds::between(width, a.low >> low, a.high >> low)) } else { bits }
        }
        (Op::Concat, [a, b]) => {
            let shift = b.width;
            let join = |high: u128, low: u128| high << shift | low;
            Bounds::between(width, join(a.low, b.low), join(a.high, b.high)).meet(&Bounds::with_bits(
                width,
                join(a.zeros, b.zeros),
                join(a.ones, b.ones),
            ))
        }
        (Op::Not, [a]) => Bounds {
            width,
            low: full - a.high,
            high: full - a.low,
            signed_low: -1 - a.signed_high,
            signed_high: -1 - a.signed_low,
            zeros: a.ones,
            ones: a.zeros,
        },
        (Op::And, [a, b]) => Bounds::between(width, 0, a.high.min(b.high)).meet(&Bounds::with_bits(
            width,
            a.zeros | b.zeros,
            a.ones & b.ones,
        )),
        (Op::Or, [a, b]) => Bounds::between(width, a.low.max(b.low), full).meet(&Bounds::with_bits(
            width,
            a.zeros & b.zeros,
            a.ones | b.ones,
        )),
        (Op::Xor, [a, b]) => {
            Bounds::with_bits(width, a.zeros & b.zeros | a.ones & b.ones, a.zeros & b.ones | a.ones & b.zeros)
        }
        (Op::Add, [a, b]) => unsigned(width, a.low.checked_add(b.low), a.high.checked_add(b.high)).meet(&signed(
            width,
            a.signed_low.checked_add(b.signed_low),
            a.signed_high.checked_add(b.signed_high),
        )),
        (Op::Sub, [a, b]) => unsigned(width, a.low.checked_sub(b.high), a.high.checked_sub(b.low)).meet(&signed(
            width,
            a.signed_low.checked_sub(b.signed_high),
            a.signed_high.checked_sub(b.signed_low),
        )),
        (Op::Mul, [a, b]) => {
            // Low zero bits of the factors add up.
            let zeros = (a.zeros.trailing_ones() + b.zeros.trailing_ones()).min(width);
            let below = if zeros == 128 { u128::MAX } else { mask_below(zeros) };
            unsigned(width, a.low.checked_mul(b.low), a.high.checked_mul(b.high))
                .meet(&Bounds::with_bits(width, below, 0))
        }
        // Division by zero gives all ones for every dividend.
        (Op::UDiv, [a, b]) if b.low > 0 => Bounds::between(width, a.low / b.high, a.high / b.low),
        (Op::URem, [a, b]) if b.low > 0 => Bounds::between(width, 0, a.high.min(b.high - 1)),
        (Op::Shl, [a, b]) => match b.value() {
            Some(n) if n < width as u128 => {
                let n = n as u32;
                let bits = Bounds::with_bits(width, (a.zeros << n | mask_below(n)) & full, a.ones << n & full);
                if a.high <= full >> n { bits.meet(&Bounds::between(width, a.low << n, a.high << n)) } else { bits }
            }
            _ => any,
        },
        (Op::LShr, [a, b]) => match b.value() {
            Some(n) if n < width as u128 => Bounds::between(width, a.low >> n, a.high >> n),
            _ => Bounds::between(width, 0, a.high),
        },
        (Op::AShr, [a, b]) => match b.value() {
            Some(n) if n < width as u128 => Bounds::between_signed(width, a.signed_low >> n, a.signed_high >> n),
            _ => any,
        },
        (Op::Ite, [condition, a, b]) => match condition.value() {
            Some(0) => *b,
            Some(_) => *a,
            None => a.join(b),
        },
        (Op::Eq, [a, b]) => match (a.value(), b.value()) {
            (Some(x), Some(y)) => Bounds::bit(x == y),
            _ if a.meet(b).is_empty() => Bounds::bit(false),
            _ => any,
        },
        (Op::Ult, [a, b]) => decided(a.high < b.low, a.low >= b.high),
        (Op::Ule, [a, b]) => decided(a.high <= b.low, a.low > b.high),
        (Op::Slt, [a, b]) => decided(a.signed_high < b.signed_low, a.signed_low >= b.signed_high),
        (Op::Sle, [a, b]) => decided(a.signed_high <= b.signed_low, a.signed_low > b.signed_high),
        (Op::UMulO, [a, b]) => {
            let fits = |x: u128, y: u128| x.checked_mul(y).is_some_and(|product| product <= mask(a.width));
            decided(!fits(a.low, b.low), fits(a.high, b.high))
        }
        (Op::SAddO, [a, b]) => {
            overflow(a.width, a.signed_low.checked_add(b.signed_low), a.signed_high.checked_add(b.signed_high))
        }
        (Op::SSubO, [a, b]) => {
            overflow(a.width, a.signed_low.checked_sub(b.signed_high), a.signed_high.checked_sub(b.signed_low))
        }
        _ => super::floats::transfer(term, op, of).unwrap_or(any),
    }
}

fn mask_below(n: u32) -> u128 {
    (1 << n) - 1
}

fn decided(always: bool, never: bool) -> Bounds {
    if always || never { Bounds::bit(always) } else { Bounds::any(1) }
}

/// Returns the overflow flag for a result between these two ends.
fn overflow(width: u32, low: Option<i128>, high: Option<i128>) -> Bounds {
    let any = Bounds::any(width);
    match (low, high) {
        (Some(low), Some(high)) => {
            decided(low > any.signed_high || high < any.signed_low, low >= any.signed_low && high <= any.signed_high)
        }
        _ => Bounds::any(1),
    }
}

/// Returns the range between the two ends, if neither exceeds the width.
fn unsigned(width: u32, low: Option<u128>, high: Option<u128>) -> Bounds {
    match (low, high) {
        (Some(low), Some(high)) if high <= mask(width) => Bounds::between(width, low, high),
        _ => Bounds::any(width),
    }
}

fn signed(width: u32, low: Option<i128>, high: Option<i128>) -> Bounds {
    let any = Bounds::any(width);
    match (low, high) {
        (Some(low), Some(high)) if low >= any.signed_low && high <= any.signed_high => {
            Bounds::between_signed(width, low, high)
        }
        _ => any,
    }
}
