//! And, or, exclusive or, complement: on words, and on single bits as logic.

use tine_trace::eval::mask;
use tine_trace::op::Op;

use super::rules::Rule;
use super::{complementary, is_ones, is_zero, ones, ordered, parts, with_constant, zero};
use crate::pool::TermPool;
use crate::term::TermId;

pub(super) fn and(pool: &mut TermPool, width: u32, a: TermId, b: TermId) -> Option<TermId> {
    let (a, b) = ordered(pool, a, b);
    if a == b || is_ones(pool, b) {
        pool.fires(Rule::AndAll);
        return Some(a);
    }
    if is_zero(pool, b) {
        pool.fires(Rule::AndZero);
        return Some(b);
    }
    if complementary(pool, a, b) {
        pool.fires(Rule::AndComplement);
        return zero(pool, width);
    }
    if let Some(k) = pool.value(b) {
        if let Some((x, k1)) = with_constant(pool, a, Op::And) {
            pool.fires(Rule::AndConstants);
            let both = pool.constant(width, k1 & k);
            return Some(pool.and(x, both));
        }
        if (k + 1).is_power_of_two() {
            pool.fires(Rule::AndLowBits);
            let low = pool.extract(a, 0, k.trailing_ones());
            return Some(pool.zext(low, width));
        }
        if let Some([x, ..]) = parts(pool, a, Op::ZExt) {
            pool.fires(Rule::AndZext);
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
        pool.fires(Rule::OrNothing);
        return Some(a);
    }
    if is_ones(pool, b) {
        pool.fires(Rule::OrOnes);
        return Some(b);
    }
    if complementary(pool, a, b) {
        pool.fires(Rule::OrComplement);
        return ones(pool, width);
    }
    if let Some(k) = pool.value(b)
        && let Some((x, k1)) = with_constant(pool, a, Op::Or)
    {
        pool.fires(Rule::OrConstants);
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
        pool.fires(Rule::XorSame);
        return zero(pool, width);
    }
    if is_zero(pool, b) {
        pool.fires(Rule::XorZero);
        return Some(a);
    }
    if is_ones(pool, b) {
        pool.fires(Rule::XorOnes);
        return Some(pool.not(a));
    }
    if complementary(pool, a, b) {
        pool.fires(Rule::XorComplement);
        return ones(pool, width);
    }
    if let Some(k) = pool.value(b) {
        if let Some((x, k1)) = with_constant(pool, a, Op::Xor) {
            pool.fires(Rule::XorConstants);
            let both = pool.constant(width, k1 ^ k);
            return Some(pool.xor(x, both));
        }
        if let Some([x, ..]) = parts(pool, a, Op::Not) {
            pool.fires(Rule::XorNot);
            let complement = pool.constant(width, !k);
            return Some(pool.xor(x, complement));
        }
    }
    for (x, other) in [(a, b), (b, a)] {
        if let Some([y, z, _]) = parts(pool, other, Op::Xor)
            && (y == x || z == x)
        {
            pool.fires(Rule::XorTwice);
            return Some(if y == x { z } else { y });
        }
    }
    join_disjoint(pool, width, a, b).or_else(|| Some(pool.make(Op::Xor, width, &[a, b], 0)))
}

pub(super) fn not(pool: &mut TermPool, width: u32, a: TermId) -> Option<TermId> {
    let term = pool.term(a);
    let swapped = |pool: &mut TermPool, op: Op| {
        pool.fires(Rule::NotOrder);
        pool.apply(op, 1, &[term.operand(1), term.operand(0)], 0)
    };
    Some(match term.op()? {
        Op::Not => {
            pool.fires(Rule::NotNot);
            term.operand(0)
        }
        Op::Ult => swapped(pool, Op::Ule),
        Op::Ule => swapped(pool, Op::Ult),
        Op::Slt => swapped(pool, Op::Sle),
        Op::Sle => swapped(pool, Op::Slt),
        Op::Xor => {
            let (x, k) = with_constant(pool, a, Op::Xor)?;
            pool.fires(Rule::NotXor);
            let complement = pool.constant(width, !k);
            pool.xor(x, complement)
        }
        _ => return None,
    })
}

/// `x & (x & y)` is `x & y`, `x & (x | y)` is `x`, and `x & (!x | y)` is `x & y`. The same holds with the operations
/// exchanged.
fn absorb(pool: &mut TermPool, op: Op, dual: Op, a: TermId, b: TermId) -> Option<TermId> {
    for (x, other) in [(a, b), (b, a)] {
        if parts(pool, other, op).is_some_and(|[y, z, _]| x == y || x == z) {
            pool.fires(Rule::AbsorbSame);
            return Some(other);
        }
        if parts(pool, other, dual).is_some_and(|[y, z, _]| x == y || x == z) {
            pool.fires(Rule::AbsorbDual);
            return Some(x);
        }
        if let Some([y, z, _]) = parts(pool, other, dual)
            && let Some(rest) = if complementary(pool, x, y) { Some(z) } else { complementary(pool, x, z).then_some(y) }
        {
            pool.fires(Rule::AbsorbComplement);
            return Some(pool.apply(op, pool.width(x), &[x, rest], 0));
        }
    }
    None
}

/// The sum (or, exclusive or) of terms without common bits, which is how C code combines bytes:
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
        pool.fires(Rule::JoinBits);
        let joined = pool.concat(high, low);
        return Some(pool.zext(joined, width));
    }
    None
}
