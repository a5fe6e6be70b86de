//! And, or, exclusive or, complement: on words, and on single bits as logic.

use tine_trace::eval::mask;
use tine_trace::op::Op;

use super::{complementary, is_ones, is_zero, ones, ordered, parts, with_constant, zero};
use crate::pool::TermPool;
use crate::term::TermId;

pub(super) fn and(pool: &mut TermPool, width: u32, a: TermId, b: TermId) -> Option<TermId> {
    let (a, b) = ordered(pool, a, b);
    if a == b || is_ones(pool, b) {
        return Some(a);
    }
    if is_zero(pool, b) {
        return Some(b);
    }
    if complementary(pool, a, b) {
        return zero(pool, width);
    }
    if let Some(k) = pool.value(b) {
        if let Some((x, k1)) = with_constant(pool, a, Op::And) {
            let both = pool.constant(width, k1 & k);
            return Some(pool.and(x, both));
        }
        // A mask of low bits: x & 0xff keeps the low byte.
        if (k + 1).is_power_of_two() {
            let low = pool.extract(a, 0, k.trailing_ones());
            return Some(pool.zext(low, width));
        }
        // What a mask cannot reach above a zero extension.
        if let Some([x, ..]) = parts(pool, a, Op::ZExt) {
            let inner = pool.constant(pool.width(x), k);
            let masked = pool.and(x, inner);
            return Some(pool.zext(masked, width));
        }
    }
    absorb(pool, Op::And, Op::Or, a, b).or_else(|| Some(pool.make(Op::And, width, &[a, b], 0)))
}

pub(super) fn or(pool: &mut TermPool, width: u32, a: TermId, b: TermId) -> Option<TermId> {
    let (a, b) = ordered(pool, a, b);
    if a == b || is_zero(pool, b) {
        return Some(a);
    }
    if is_ones(pool, b) {
        return Some(b);
    }
    if complementary(pool, a, b) {
        return ones(pool, width);
    }
    if let Some(k) = pool.value(b)
        && let Some((x, k1)) = with_constant(pool, a, Op::Or)
    {
        let both = pool.constant(width, k1 | k);
        return Some(pool.or(x, both));
    }
    absorb(pool, Op::Or, Op::And, a, b)
        .or_else(|| join_disjoint(pool, width, a, b))
        .or_else(|| Some(pool.make(Op::Or, width, &[a, b], 0)))
}

pub(super) fn xor(pool: &mut TermPool, width: u32, a: TermId, b: TermId) -> Option<TermId> {
    let (a, b) = ordered(pool, a, b);
    if a == b {
        return zero(pool, width);
    }
    if is_zero(pool, b) {
        return Some(a);
    }
    if is_ones(pool, b) {
        return Some(pool.not(a));
    }
    if complementary(pool, a, b) {
        return ones(pool, width);
    }
    if let Some(k) = pool.value(b) {
        if let Some((x, k1)) = with_constant(pool, a, Op::Xor) {
            let both = pool.constant(width, k1 ^ k);
            return Some(pool.xor(x, both));
        }
        if let Some([x, ..]) = parts(pool, a, Op::Not) {
            let complement = pool.constant(width, !k);
            return Some(pool.xor(x, complement));
        }
    }
    // x ^ (x ^ y)
    for (x, other) in [(a, b), (b, a)] {
        if let Some([y, z, _]) = parts(pool, other, Op::Xor) {
            if y == x {
                return Some(z);
            }
            if z == x {
                return Some(y);
            }
        }
    }
    join_disjoint(pool, width, a, b).or_else(|| Some(pool.make(Op::Xor, width, &[a, b], 0)))
}

pub(super) fn not(pool: &mut TermPool, width: u32, a: TermId) -> Option<TermId> {
    let term = pool.term(a);
    let swapped = |pool: &mut TermPool, op: Op| pool.apply(op, 1, &[term.operand(1), term.operand(0)], 0);
    Some(match term.op()? {
        Op::Not => term.operand(0),
        Op::Ult => swapped(pool, Op::Ule),
        Op::Ule => swapped(pool, Op::Ult),
        Op::Slt => swapped(pool, Op::Sle),
        Op::Sle => swapped(pool, Op::Slt),
        Op::Xor => {
            let (x, k) = with_constant(pool, a, Op::Xor)?;
            let complement = pool.constant(width, !k);
            pool.xor(x, complement)
        }
        _ => return None,
    })
}

/// `x & (x & y)` is `x & y`, and `x & (x | y)` is `x`; likewise with the operations exchanged.
fn absorb(pool: &TermPool, op: Op, dual: Op, a: TermId, b: TermId) -> Option<TermId> {
    for (x, other) in [(a, b), (b, a)] {
        if parts(pool, other, op).is_some_and(|[y, z, _]| x == y || x == z) {
            return Some(other);
        }
        if parts(pool, other, dual).is_some_and(|[y, z, _]| x == y || x == z) {
            return Some(x);
        }
    }
    None
}

/// The sum (or, exclusive or) of terms that have no bit in common, as C code puts bytes together:
///
/// ```text
///     b1 << 8    0 0 b1 0     zext(concat(b1, 0))
///   | b0         0 0 0  b0    zext(b0)
///   =            0 0 b1 b0    zext(concat(b1, b0))
/// ```
pub(super) fn join_disjoint(pool: &mut TermPool, width: u32, a: TermId, b: TermId) -> Option<TermId> {
    for (upper, lower) in [(a, b), (b, a)] {
        let upper = parts(pool, upper, Op::ZExt).map_or(upper, |[x, ..]| x);
        let Some([high, zeros, _]) = parts(pool, upper, Op::Concat) else { continue };
        if !is_zero(pool, zeros) {
            continue;
        }
        let n = pool.width(zeros);
        let low = match pool.value(lower) {
            Some(k) if k <= mask(n) => pool.constant(n, k),
            Some(_) => continue,
            None => match parts(pool, lower, Op::ZExt) {
                Some([x, ..]) if pool.width(x) <= n => pool.zext(x, n),
                _ => continue,
            },
        };
        let joined = pool.concat(high, low);
        return Some(pool.zext(joined, width));
    }
    None
}
