//! Sums, products, division.

use tine_trace::eval::{mask, signed};
use tine_trace::op::Op;

use super::rules::Rule;
use super::{bit, bitwise, is_ones, is_zero, linear, ones, ordered, parts, with_constant, zero};
use crate::pool::TermPool;
use crate::term::TermId;

pub(super) fn add(pool: &mut TermPool, width: u32, a: TermId, b: TermId) -> Option<TermId> {
    let (a, b) = ordered(pool, a, b);
    if is_zero(pool, b) {
        pool.fires(Rule::AddZero);
        return Some(a);
    }
    if width == 1 {
        pool.fires(Rule::AddBit);
        return Some(pool.xor(a, b));
    }
    if let Some(k) = pool.value(b) {
        if let Some((x, k1)) = with_constant(pool, a, Op::Add) {
            pool.fires(Rule::AddConstants);
            let sum = pool.constant(width, k1.wrapping_add(k));
            return Some(pool.add(x, sum));
        }
        if let Some([k1, x, _]) = parts(pool, a, Op::Sub)
            && let Some(k1) = pool.value(k1)
        {
            pool.fires(Rule::AddToDifference);
            let sum = pool.constant(width, k1.wrapping_add(k));
            return Some(pool.sub(sum, x));
        }
        return Some(pool.make(Op::Add, width, &[a, b], 0));
    }
    for (sum, y) in [(a, b), (b, a)] {
        if let Some([x, k, _]) = parts(pool, sum, Op::Add)
            && pool.value(k).is_some()
        {
            pool.fires(Rule::AddConstantOut);
            let inner = pool.add(x, y);
            return Some(pool.add(inner, k));
        }
    }
    for (x, difference) in [(a, b), (b, a)] {
        if let Some([y, z, _]) = parts(pool, difference, Op::Sub) {
            if z == x {
                pool.fires(Rule::AddDifference);
                return Some(y);
            }
            if is_zero(pool, y) {
                pool.fires(Rule::AddNegative);
                return Some(pool.sub(x, z));
            }
        }
    }
    if a == b {
        pool.fires(Rule::AddTwice);
        let one = pool.constant(width, 1);
        return Some(pool.shl(a, one));
    }
    if let Some(merged) = linear::merged(pool, width, Op::Add, a, b) {
        return Some(merged);
    }
    // Operands without common bits: bytes combined by `+`.
    bitwise::join_disjoint(pool, width, a, b).or_else(|| Some(pool.make(Op::Add, width, &[a, b], 0)))
}

pub(super) fn sub(pool: &mut TermPool, width: u32, a: TermId, b: TermId) -> Option<TermId> {
    if a == b {
        pool.fires(Rule::SubSame);
        return zero(pool, width);
    }
    if width == 1 {
        pool.fires(Rule::SubBit);
        return Some(pool.xor(a, b));
    }
    if let Some(k) = pool.value(b) {
        pool.fires(Rule::SubConstant);
        let negative = pool.constant(width, k.wrapping_neg());
        return Some(pool.add(a, negative));
    }
    if let Some([x, y, _]) = parts(pool, a, Op::Add) {
        if x == b || y == b {
            pool.fires(Rule::SubSummand);
            return Some(if x == b { y } else { x });
        }
        if pool.value(y).is_some() {
            pool.fires(Rule::SubConstantOut);
            let inner = pool.sub(x, b);
            return Some(pool.add(inner, y));
        }
    }
    if let Some([x, y, _]) = parts(pool, b, Op::Add) {
        let other = if x == a { Some(y) } else { (y == a).then_some(x) };
        if let Some(other) = other {
            pool.fires(Rule::SubSum);
            let zero = pool.constant(width, 0);
            return Some(pool.sub(zero, other));
        }
        if let Some(k) = pool.value(y) {
            pool.fires(Rule::SubOfConstantOut);
            let negative = pool.constant(width, k.wrapping_neg());
            let inner = pool.sub(a, x);
            return Some(pool.add(inner, negative));
        }
    }
    if let Some([x, y, _]) = parts(pool, b, Op::Sub) {
        if is_zero(pool, x) {
            pool.fires(Rule::SubNegative);
            return Some(pool.add(a, y));
        }
        if x == a {
            pool.fires(Rule::SubDifference);
            return Some(y);
        }
        if is_zero(pool, a) {
            pool.fires(Rule::NegateDifference);
            return Some(pool.sub(y, x));
        }
    }
    linear::merged(pool, width, Op::Sub, a, b)
}

pub(super) fn mul(pool: &mut TermPool, width: u32, a: TermId, b: TermId) -> Option<TermId> {
    let (a, b) = ordered(pool, a, b);
    if width == 1 {
        pool.fires(Rule::MulBit);
        return Some(pool.and(a, b));
    }
    match pool.value(b) {
        Some(0) => {
            pool.fires(Rule::MulZero);
            return Some(b);
        }
        Some(1) => {
            pool.fires(Rule::MulOne);
            return Some(a);
        }
        Some(k) if k == mask(width) => {
            pool.fires(Rule::MulMinusOne);
            let zero = pool.constant(width, 0);
            return Some(pool.sub(zero, a));
        }
        Some(k) => {
            if let Some((x, k1)) = with_constant(pool, a, Op::Mul) {
                pool.fires(Rule::MulConstants);
                let product = pool.constant(width, k1.wrapping_mul(k));
                return Some(pool.mul(x, product));
            }
        }
        None => {}
    }
    Some(pool.make(Op::Mul, width, &[a, b], 0))
}

pub(super) fn udiv(pool: &mut TermPool, width: u32, a: TermId, b: TermId) -> Option<TermId> {
    match pool.value(b)? {
        0 => {
            pool.fires(Rule::UDivZero);
            ones(pool, width)
        }
        k if k.is_power_of_two() => {
            pool.fires(Rule::UDivPower);
            let amount = pool.constant(width, k.trailing_zeros() as u128);
            Some(pool.lshr(a, amount))
        }
        _ => None,
    }
}

pub(super) fn urem(pool: &mut TermPool, width: u32, a: TermId, b: TermId) -> Option<TermId> {
    if a == b || is_zero(pool, a) {
        pool.fires(Rule::URemNothing);
        return zero(pool, width);
    }
    match pool.value(b)? {
        0 => {
            pool.fires(Rule::URemZero);
            Some(a)
        }
        k if k.is_power_of_two() => {
            pool.fires(Rule::URemPower);
            let low = pool.constant(width, k - 1);
            Some(pool.and(a, low))
        }
        _ => None,
    }
}

pub(super) fn sdiv(pool: &mut TermPool, width: u32, a: TermId, b: TermId) -> Option<TermId> {
    let k = pool.value(b)?;
    if k == 0 {
        pool.fires(Rule::SDivZero);
        let (one, minus_one) = (pool.constant(width, 1), pool.constant(width, u128::MAX));
        let negative = pool.slt(a, b);
        return Some(pool.ite(negative, one, minus_one));
    }
    if is_ones(pool, b) {
        pool.fires(Rule::SDivMinusOne);
        let zero = pool.constant(width, 0);
        return Some(pool.sub(zero, a));
    }
    if k != 1 {
        return None;
    }
    pool.fires(Rule::SDivOne);
    Some(a)
}

pub(super) fn srem(pool: &mut TermPool, width: u32, a: TermId, b: TermId) -> Option<TermId> {
    if a == b || is_zero(pool, a) || is_ones(pool, b) || pool.value(b) == Some(1) {
        pool.fires(Rule::SRemNothing);
        return zero(pool, width);
    }
    if !is_zero(pool, b) {
        return None;
    }
    pool.fires(Rule::SRemZero);
    Some(a)
}

pub(super) fn umulo(pool: &mut TermPool, a: TermId, b: TermId) -> Option<TermId> {
    let (a, b) = ordered(pool, a, b);
    if pool.value(b).is_some_and(|k| k <= 1) || unsigned_bits(pool, a) + unsigned_bits(pool, b) <= pool.width(a) {
        pool.fires(Rule::UMulOFits);
        return bit(pool, false);
    }
    Some(pool.make(Op::UMulO, 1, &[a, b], 0))
}

pub(super) fn smulo(pool: &mut TermPool, a: TermId, b: TermId) -> Option<TermId> {
    let (a, b) = ordered(pool, a, b);
    // Width 1 is different: 1 means -1 there, and -1 * -1 overflows.
    let trivial = pool.value(b).is_some_and(|k| k == 0 || (k == 1 && pool.width(b) > 1));
    if trivial || signed_bits(pool, a) + signed_bits(pool, b) <= pool.width(a) {
        pool.fires(Rule::SMulOFits);
        return bit(pool, false);
    }
    Some(pool.make(Op::SMulO, 1, &[a, b], 0))
}

pub(super) fn saddo(pool: &mut TermPool, a: TermId, b: TermId) -> Option<TermId> {
    let (a, b) = ordered(pool, a, b);
    if fits_one_more(pool, a, b) {
        pool.fires(Rule::SAddOFits);
        return bit(pool, false);
    }
    if let Some(k) = pool.value(b) {
        pool.fires(Rule::SAddOConstant);
        let (least, most) = limits(pool.width(a));
        return Some(match signed(pool.width(a), k) {
            k if k >= 0 => above(pool, a, most - k),
            k => below(pool, a, least - k),
        });
    }
    Some(pool.make(Op::SAddO, 1, &[a, b], 0))
}

pub(super) fn ssubo(pool: &mut TermPool, a: TermId, b: TermId) -> Option<TermId> {
    if a == b || fits_one_more(pool, a, b) {
        pool.fires(Rule::SSubOFits);
        return bit(pool, false);
    }
    let (least, most) = limits(pool.width(a));
    let number = |pool: &TermPool, id| pool.value(id).map(|k| signed(pool.width(id), k));
    if let Some(k) = number(pool, b) {
        pool.fires(Rule::SSubOConstant);
        return Some(if k >= 0 { below(pool, a, least + k) } else { above(pool, a, most + k) });
    }
    if let Some(k) = number(pool, a) {
        pool.fires(Rule::SSubOFromConstant);
        return Some(if k >= 0 { below(pool, b, k - most) } else { above(pool, b, k - least) });
    }
    None
}

/// True if the sum and the difference of two signed numbers fit in their width.
fn fits_one_more(pool: &TermPool, a: TermId, b: TermId) -> bool {
    signed_bits(pool, a).max(signed_bits(pool, b)) < pool.width(a)
}

/// The least and the greatest signed number of a width.
fn limits(width: u32) -> (i128, i128) {
    let most = (mask(width) >> 1) as i128;
    (-most - 1, most)
}

fn below(pool: &mut TermPool, a: TermId, k: i128) -> TermId {
    let k = pool.constant(pool.width(a), k as u128);
    pool.slt(a, k)
}

fn above(pool: &mut TermPool, a: TermId, k: i128) -> TermId {
    let k = pool.constant(pool.width(a), k as u128);
    pool.slt(k, a)
}

/// Maximum number of low bits that can be set.
fn unsigned_bits(pool: &TermPool, id: TermId) -> u32 {
    if let Some(value) = pool.value(id) {
        return 128 - value.leading_zeros();
    }
    parts(pool, id, Op::ZExt).map_or(pool.width(id), |[x, ..]| pool.width(x))
}

/// Number of bits in which the value fits as a signed number.
fn signed_bits(pool: &TermPool, id: TermId) -> u32 {
    let width = pool.width(id);
    if let Some([x, ..]) = parts(pool, id, Op::SExt) {
        return pool.width(x);
    }
    (unsigned_bits(pool, id) + 1).min(width)
}
