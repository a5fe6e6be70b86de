//! If-then-else.

use tine_trace::op::Op;

use super::rules::Rule;
use super::{is_ones, is_zero, parts};
use crate::pool::TermPool;
use crate::term::TermId;

pub(super) fn ite(pool: &mut TermPool, width: u32, c: TermId, then: TermId, otherwise: TermId) -> Option<TermId> {
    if then == otherwise {
        pool.fires(Rule::IteSame);
        return Some(then);
    }
    if let Some(c) = pool.value(c) {
        pool.fires(Rule::IteKnown);
        return Some(if c != 0 { then } else { otherwise });
    }
    if let Some([x, ..]) = parts(pool, c, Op::Not) {
        pool.fires(Rule::IteNot);
        return Some(pool.ite(x, otherwise, then));
    }
    // Inside a branch the condition is known.
    if let Some([inner, x, _]) = parts(pool, then, Op::Ite)
        && inner == c
    {
        pool.fires(Rule::IteInThen);
        return Some(pool.ite(c, x, otherwise));
    }
    if let Some([inner, _, y]) = parts(pool, otherwise, Op::Ite)
        && inner == c
    {
        pool.fires(Rule::IteInElse);
        return Some(pool.ite(c, then, y));
    }
    if width == 1 { logic(pool, c, then, otherwise) } else { extension(pool, width, c, then, otherwise) }
}

/// A choice between bits, one of which is known or is the condition itself.
fn logic(pool: &mut TermPool, c: TermId, then: TermId, otherwise: TermId) -> Option<TermId> {
    if is_ones(pool, then) || then == c {
        pool.fires(Rule::IteOr);
        return Some(pool.or(c, otherwise));
    }
    if is_zero(pool, otherwise) || otherwise == c {
        pool.fires(Rule::IteAnd);
        return Some(pool.and(c, then));
    }
    if is_zero(pool, then) {
        pool.fires(Rule::IteAndNot);
        let not_c = pool.not(c);
        return Some(pool.and(not_c, otherwise));
    }
    if is_ones(pool, otherwise) {
        pool.fires(Rule::IteOrNot);
        let not_c = pool.not(c);
        return Some(pool.or(not_c, then));
    }
    None
}

/// A choice between 0 and 1 is the condition as a number; between 0 and -1, its sign extension.
fn extension(pool: &mut TermPool, width: u32, c: TermId, then: TermId, otherwise: TermId) -> Option<TermId> {
    let (negated, value) = match (pool.value(then)?, pool.value(otherwise)?) {
        (_, 0) => (false, then),
        (0, _) => (true, otherwise),
        _ => return None,
    };
    let is_one = pool.value(value) == Some(1);
    if !is_one && !is_ones(pool, value) {
        return None;
    }
    pool.fires(if is_one { Rule::IteZext } else { Rule::IteSext });
    let condition = if negated { pool.not(c) } else { c };
    Some(if is_one { pool.zext(condition, width) } else { pool.sext(condition, width) })
}
