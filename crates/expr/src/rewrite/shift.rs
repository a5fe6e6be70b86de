//! Shifts. Shifts by a constant are moves of bits, which the structural rules simplify further.

use tine_trace::op::Op;

use super::rules::Rule;
use super::{is_ones, is_zero, parts, with_constant, zero};
use crate::pool::TermPool;
use crate::term::TermId;

pub(super) fn shl(pool: &mut TermPool, width: u32, a: TermId, b: TermId) -> Option<TermId> {
    if is_zero(pool, a) {
        pool.fires(Rule::ShlNothing);
        return Some(a);
    }
    let k = match pool.value(b)? {
        0 => {
            pool.fires(Rule::ShlNothing);
            return Some(a);
        }
        k if k >= width as u128 => {
            pool.fires(Rule::ShlAll);
            return zero(pool, width);
        }
        k => k as u32,
    };
    if let Some((x, k1)) = with_constant(pool, a, Op::Shl) {
        pool.fires(Rule::ShlShl);
        let total = k1.saturating_add(k as u128);
        if total >= width as u128 {
            return zero(pool, width);
        }
        let amount = pool.constant(width, total);
        return Some(pool.shl(x, amount));
    }
    // No bit is lost when a zero extension is shifted within its zeros. Other shifts stay, because solvers handle them
    // better as multiplications than as moves of bits.
    let [x, ..] = parts(pool, a, Op::ZExt)?;
    if pool.width(x) + k > width {
        return None;
    }
    pool.fires(Rule::ShlZext);
    let zeros = pool.constant(k, 0);
    let shifted = pool.concat(x, zeros);
    Some(pool.zext(shifted, width))
}

pub(super) fn lshr(pool: &mut TermPool, width: u32, a: TermId, b: TermId) -> Option<TermId> {
    if is_zero(pool, a) {
        pool.fires(Rule::LShrZero);
        return Some(a);
    }
    match pool.value(b)? {
        k if k >= width as u128 => {
            pool.fires(Rule::LShrAll);
            zero(pool, width)
        }
        k => {
            pool.fires(Rule::LShrConstant);
            let high = pool.extract(a, k as u32, width - k as u32);
            Some(pool.zext(high, width))
        }
    }
}

pub(super) fn ashr(pool: &mut TermPool, width: u32, a: TermId, b: TermId) -> Option<TermId> {
    if is_zero(pool, a) || is_ones(pool, a) {
        pool.fires(Rule::AShrSign);
        return Some(a);
    }
    let k = pool.value(b)?.min(width as u128 - 1) as u32;
    pool.fires(Rule::AShrConstant);
    let high = pool.extract(a, k, width - k);
    Some(pool.sext(high, width))
}
