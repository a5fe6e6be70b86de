//! Floats: only what keeps every bit, those of NaNs included.

use tine_trace::op::Op;

use super::rules::Rule;
use super::{bit, ordered, parts};
use crate::pool::TermPool;
use crate::term::TermId;

/// `fneg` and `fabs`, which touch the sign bit only.
pub(super) fn sign(pool: &mut TermPool, op: Op, a: TermId) -> Option<TermId> {
    let width = pool.width(a);
    match (op, pool.term(a).op()?) {
        (Op::FNeg, Op::FNeg) => {
            pool.fires(Rule::FNegFNeg);
            Some(pool.term(a).operand(0))
        }
        (Op::FAbs, Op::FAbs) => {
            pool.fires(Rule::FAbsFAbs);
            Some(a)
        }
        (Op::FAbs, Op::FNeg) => {
            pool.fires(Rule::FAbsFNeg);
            Some(pool.apply(Op::FAbs, width, &[pool.term(a).operand(0)], 0))
        }
        _ => None,
    }
}

pub(super) fn compare(pool: &mut TermPool, op: Op, a: TermId, b: TermId) -> Option<TermId> {
    if a == b {
        return match op {
            Op::FLt => {
                pool.fires(Rule::FLtSame);
                bit(pool, false)
            }
            _ => {
                pool.fires(Rule::FEqSame);
                let nan = pool.apply(Op::FIsNan, 1, &[a], 0);
                Some(pool.not(nan))
            }
        };
    }
    let (a, b) = if op == Op::FEq { ordered(pool, a, b) } else { (a, b) };
    Some(pool.make(op, 1, &[a, b], 0))
}

pub(super) fn is_nan(pool: &mut TermPool, a: TermId) -> Option<TermId> {
    let term = pool.term(a);
    match term.op()? {
        Op::SToF | Op::UToF => {
            pool.fires(Rule::FIsNanInteger);
            bit(pool, false)
        }
        Op::FNeg | Op::FAbs | Op::FToF | Op::FRound => {
            pool.fires(Rule::FIsNanThrough);
            Some(pool.apply(Op::FIsNan, 1, &[term.operand(0)], 0))
        }
        _ => None,
    }
}

/// Conversions that undo one that lost nothing.
pub(super) fn convert(pool: &mut TermPool, op: Op, width: u32, a: TermId) -> Option<TermId> {
    let from = pool.width(a);
    if op == Op::FToF {
        if from != width {
            return None;
        }
        pool.fires(Rule::FToFSame);
        return Some(a);
    }
    let (back, extend) = if op == Op::FToS { (Op::SToF, Op::SExt) } else { (Op::UToF, Op::ZExt) };
    let [x, ..] = parts(pool, a, back)?;
    let significand = if from == 32 { 24 } else { 53 };
    let n = pool.width(x);
    if n > significand || n > width {
        return None;
    }
    pool.fires(Rule::FToIntBack);
    Some(pool.apply(extend, width, &[x], 0))
}
