//! Floats: only rules that keep every bit, including those of NaNs.

use tine_trace::op::Op;

use super::rules::Rule;
use super::{bit, monotone, ordered, parts};
use crate::pool::TermPool;
use crate::term::TermId;
use crate::value::node_value;

/// `fneg` and `fabs`, which affect only the sign bit.
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
    if [a, b].iter().any(|&id| is_nan_constant(pool, id)) {
        pool.fires(Rule::FCompareNan);
        return bit(pool, false);
    }
    if let Some(simpler) = monotone::compare(pool, op, a, b) {
        return Some(simpler);
    }
    let (a, b) = if op == Op::FEq { ordered(pool, a, b) } else { (a, b) };
    if let Some(integers) = compare_integers(pool, op, a, b) {
        return Some(integers);
    }
    Some(pool.make(op, 1, &[a, b], 0))
}

/// Replaces a comparison of two converted integers by a comparison of the integers, if the conversion maps different
/// integers to different floats. [`monotone`] handles comparisons with a constant.
fn compare_integers(pool: &mut TermPool, op: Op, a: TermId, b: TermId) -> Option<TermId> {
    let (x, y) = (Converted::of(pool, a)?, Converted::of(pool, b)?);
    if !(x.is_exact(pool) && y.is_exact(pool) && x.fits(pool, &y)) {
        return None;
    }
    pool.fires(Rule::FCompareIntegers);
    let op = match (op, x.is_signed) {
        (Op::FEq, _) => Op::Eq,
        (Op::FLt, true) => Op::Slt,
        (Op::FLt, false) => Op::Ult,
        (_, true) => Op::Sle,
        (_, false) => Op::Ule,
    };
    Some(pool.apply(op, 1, &[x.integer, y.integer], 0))
}

/// An integer converted to a float.
struct Converted {
    integer: TermId,
    is_signed: bool,
    /// The float's width.
    width: u32,
}

impl Converted {
    fn of(pool: &TermPool, id: TermId) -> Option<Converted> {
        let term = pool.term(id);
        let is_signed = match term.op()? {
            Op::SToF => true,
            Op::UToF => false,
            _ => return None,
        };
        Some(Converted { integer: term.operand(0), is_signed, width: term.width() })
    }

    fn is_exact(&self, pool: &TermPool) -> bool {
        pool.width(self.integer) <= significand(self.width)
    }

    fn fits(&self, pool: &TermPool, other: &Converted) -> bool {
        self.is_signed == other.is_signed && pool.width(self.integer) == pool.width(other.integer)
    }
}

/// Number of bits of a format's significand.
fn significand(width: u32) -> u32 {
    if width == 32 { 24 } else { 53 }
}

fn is_nan_constant(pool: &TermPool, id: TermId) -> bool {
    pool.value(id).is_some_and(|bits| node_value(Op::FIsNan, 1, pool.width(id), bits, 0, 0) == Some(1))
}

/// Products and quotients with 1 of values that are not NaN. The operation would make a NaN quiet.
pub(super) fn scale(pool: &mut TermPool, op: Op, a: TermId, b: TermId) -> Option<TermId> {
    let one = |id: TermId| match pool.width(id) {
        32 => pool.value(id) == Some(1f32.to_bits().into()),
        _ => pool.value(id) == Some(1f64.to_bits().into()),
    };
    let x = match op {
        _ if one(b) => a,
        Op::FMul if one(a) => b,
        _ => return None,
    };
    Converted::of(pool, x)?;
    pool.fires(Rule::FOnce);
    Some(x)
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

/// Conversions that undo a lossless conversion.
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
    let n = pool.width(x);
    if n > significand(from) || n > width {
        return None;
    }
    pool.fires(Rule::FToIntBack);
    Some(pool.apply(extend, width, &[x], 0))
}

#[cfg(test)]
mod tests {
    use tine_trace::eval::mask;

    use super::*;
    use crate::testing::Random;
    use crate::{Assignment, eval};

    /// A number near an integer, or a special number.
    fn number(random: &mut Random, width: u32, integer: u128) -> u128 {
        let special = [0.0, -0.0, 0.5, -0.5, 1.5, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, f64::MAX, 5e-324];
        let near = integer as f64 + random.pick(&[0.0, 0.5, -0.5, 1.0]);
        let x = match random.below(4) {
            0 => random.pick(&special),
            1 => -near,
            _ => near,
        };
        if width == 32 { u128::from((x as f32).to_bits()) } else { u128::from(x.to_bits()) }
    }

    /// Every width of integers with both formats, at and around the number that it is compared with.
    #[test]
    fn comparisons_of_converted_integers_are_those_of_floats() {
        let seed = 3;
        let mut random = Random::new(seed);
        let mut n_integers = 0;
        for _ in 0..40_000 {
            let mut pool = TermPool::new();
            let n = random.pick(&[8, 16, 24, 32, 40, 56, 64]);
            let width = random.pick(&[32, 64]);
            let convert = random.pick(&[Op::SToF, Op::UToF]);
            let op = random.pick(&[Op::FLt, Op::FLe, Op::FEq]);
            let value = random.interesting(n);
            let k = number(&mut random, width, value);
            let x = pool.input(0, 0, n);
            let float = pool.apply(convert, width, &[x], 0);
            let constant = pool.constant(width, k);
            let swapped = random.below(2) == 0;
            let operands = if swapped { [constant, float] } else { [float, constant] };
            let compared = pool.apply(op, 1, &operands, 0);
            n_integers += u32::from(!matches!(pool.term(compared).op(), Some(Op::FLt | Op::FLe | Op::FEq)));
            for step in [0, 1, u128::MAX, 1 << (n - 1)] {
                let value = value.wrapping_add(step) & mask(n);
                let mut inputs = Assignment::new();
                inputs.write(0, 0, n, value);
                let float = node_value(convert, width, n, value, 0, 0).unwrap();
                let (a, b) = if swapped { (k, float) } else { (float, k) };
                let right = node_value(op, 1, width, a, b, 0).unwrap();
                assert_eq!(
                    eval(&pool, compared, &inputs),
                    right,
                    "seed {seed}: {op:?} {convert:?} {n} {value:x} {k:x}"
                );
            }
        }
        assert_eq!(n_integers, 40_000);
    }
}
