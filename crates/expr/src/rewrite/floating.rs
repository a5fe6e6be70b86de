//! Floats: only what keeps every bit, those of NaNs included.

use tine_trace::op::Op;

use super::{bit, ordered, parts};
use crate::pool::TermPool;
use crate::term::TermId;

/// `fneg` and `fabs`, which touch the sign bit only.
pub(super) fn sign(pool: &mut TermPool, op: Op, a: TermId) -> Option<TermId> {
    let width = pool.width(a);
    match (op, pool.term(a).op()?) {
        (Op::FNeg, Op::FNeg) => Some(pool.term(a).operand(0)),
        (Op::FAbs, Op::FAbs) => Some(a),
        (Op::FAbs, Op::FNeg) => Some(pool.apply(Op::FAbs, width, &[pool.term(a).operand(0)], 0)),
        _ => None,
    }
}

pub(super) fn compare(pool: &mut TermPool, op: Op, a: TermId, b: TermId) -> Option<TermId> {
    if a == b {
        return match op {
            Op::FLt => bit(pool, false),
            _ => {
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
        Op::SToF | Op::UToF => bit(pool, false),
        Op::FNeg | Op::FAbs | Op::FToF | Op::FRound => Some(pool.apply(Op::FIsNan, 1, &[term.operand(0)], 0)),
        _ => None,
    }
}

/// Conversions that undo one that lost nothing.
pub(super) fn convert(pool: &mut TermPool, op: Op, width: u32, a: TermId) -> Option<TermId> {
    let from = pool.width(a);
    if op == Op::FToF {
        return (from == width).then_some(a);
    }
    let (back, extend) = if op == Op::FToS { (Op::SToF, Op::SExt) } else { (Op::UToF, Op::ZExt) };
    let [x, ..] = parts(pool, a, back)?;
    let significand = if from == 32 { 24 } else { 53 };
    let n = pool.width(x);
    (n <= significand && n <= width).then(|| pool.apply(extend, width, &[x], 0))
}
