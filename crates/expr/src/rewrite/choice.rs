//! If-then-else.

use tine_trace::op::Op;

use super::{is_ones, is_zero, parts};
use crate::pool::TermPool;
use crate::term::TermId;

pub(super) fn ite(pool: &mut TermPool, width: u32, c: TermId, then: TermId, otherwise: TermId) -> Option<TermId> {
    if then == otherwise {
        return Some(then);
    }
    if let Some(c) = pool.value(c) {
        return Some(if c != 0 { then } else { otherwise });
    }
    if let Some([x, ..]) = parts(pool, c, Op::Not) {
        return Some(pool.ite(x, otherwise, then));
    }
    // Inside a branch the condition is known.
    if let Some([inner, x, _]) = parts(pool, then, Op::Ite)
        && inner == c
    {
        return Some(pool.ite(c, x, otherwise));
    }
    if let Some([inner, _, y]) = parts(pool, otherwise, Op::Ite)
        && inner == c
    {
        return Some(pool.ite(c, then, y));
    }
    if width == 1 { logic(pool, c, then, otherwise) } else { extension(pool, width, c, then, otherwise) }
}

/// A choice between bits, one of them known or the condition itself.
fn logic(pool: &mut TermPool, c: TermId, then: TermId, otherwise: TermId) -> Option<TermId> {
    if is_ones(pool, then) || then == c {
        return Some(pool.or(c, otherwise));
    }
    if is_zero(pool, otherwise) || otherwise == c {
        return Some(pool.and(c, then));
    }
    if is_zero(pool, then) {
        let not_c = pool.not(c);
        return Some(pool.and(not_c, otherwise));
    }
    if is_ones(pool, otherwise) {
        let not_c = pool.not(c);
        return Some(pool.or(not_c, then));
    }
    None
}

/// A choice between 0 and 1 is the condition as a number; between 0 and -1, its sign extension.
fn extension(pool: &mut TermPool, width: u32, c: TermId, then: TermId, otherwise: TermId) -> Option<TermId> {
    let (condition, value) = match (pool.value(then)?, pool.value(otherwise)?) {
        (_, 0) => (c, then),
        (0, _) => (pool.not(c), otherwise),
        _ => return None,
    };
    if pool.value(value) == Some(1) {
        return Some(pool.zext(condition, width));
    }
    is_ones(pool, value).then(|| pool.sext(condition, width))
}
