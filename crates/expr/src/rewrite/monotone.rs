//! Comparisons of a float that was converted from an integer with a constant become comparisons of the integer.
//!
//! Converting an integer rounds, but keeps the order. The same holds for scaling and adding constants, for changing the
//! format, and for rounding to a whole number. Thus `(double)x * 10 < 2.5e9` holds for all `x` below some bound, which
//! a bisection of the integers finds. This takes as many evaluations as the integers have bits. Solvers have to model
//! each of these roundings bit by bit: they take a second, while the comparison of integers is decided at once.

use tine_trace::eval::mask;
use tine_trace::op::Op;

use super::rules::Rule;
use super::{parts, signed_min};
use crate::pool::TermPool;
use crate::term::TermId;
use crate::value::node_value;

/// Maximum number of operations between the integer and the comparison.
const MAX_STEPS: usize = 8;

/// An operation with one variable operand. The others are constants.
#[derive(Clone, Copy)]
struct Step {
    op: Op,
    width: u32,
    from: u32,
    constant: u128,
    /// True if the constant is the left operand.
    constant_first: bool,
}

impl Step {
    fn apply(self, value: u128) -> Option<u128> {
        let (a, b) = if self.constant_first { (self.constant, value) } else { (value, self.constant) };
        node_value(self.op, self.width, self.from, a, b, 0)
    }
}

/// A float that is monotone in an integer.
struct Chain {
    integer: TermId,
    /// True if the integer is signed.
    signed: bool,
    /// True if the float falls as the integer grows.
    falls: bool,
    /// Operations from the comparison inwards.
    steps: [Option<Step>; MAX_STEPS],
}

impl Chain {
    fn of(pool: &TermPool, float: TermId) -> Option<Chain> {
        let mut chain = Chain { integer: float, signed: false, falls: false, steps: [None; MAX_STEPS] };
        for k in 0..MAX_STEPS {
            let here = chain.integer;
            let (op, width) = (pool.term(here).op()?, pool.width(here));
            let mut step = Step { op, width, from: width, constant: 0, constant_first: false };
            if op.shape().operands == 0 {
                return None;
            }
            let [a, b, _] = parts(pool, here, op)?;
            chain.integer = a;
            match op {
                Op::SToF | Op::UToF => {
                    step.from = pool.width(a);
                    chain.signed = op == Op::SToF;
                    chain.steps[k] = Some(step);
                    return (step.from <= 64).then_some(chain);
                }
                Op::FNeg => chain.falls ^= true,
                Op::FToF => step.from = pool.width(a),
                Op::FRound => step.constant = u128::from(pool.term(here).immediate()),
                Op::FAdd | Op::FSub | Op::FMul | Op::FDiv => {
                    step.constant_first = pool.value(a).is_some();
                    let constant = if step.constant_first { a } else { b };
                    chain.integer = if step.constant_first { b } else { a };
                    step.constant = pool.value(constant)?;
                    let scales = matches!(op, Op::FMul | Op::FDiv);
                    let constant = number(width, step.constant).filter(|value| value.is_finite())?;
                    // Zero times infinity is NaN, and a constant divided by a value is monotone only on each side of
                    // zero.
                    if scales && constant == 0.0 || op == Op::FDiv && step.constant_first {
                        return None;
                    }
                    chain.falls ^= scales && constant < 0.0 || op == Op::FSub && step.constant_first;
                }
                _ => return None,
            }
            chain.steps[k] = Some(step);
        }
        None
    }

    fn width(&self, pool: &TermPool) -> u32 {
        pool.width(self.integer)
    }

    /// Returns the float for the integer at this position in the order of the integers.
    fn at(&self, place: u128, width: u32) -> Option<f64> {
        let mut value = self.in_order(place, width);
        let mut last = width;
        for step in self.steps.iter().rev().flatten() {
            value = step.apply(value)?;
            last = step.width;
        }
        number(last, value)
    }

    /// Converts between an integer and its position in the order, which is the number of smaller integers.
    fn in_order(&self, place: u128, width: u32) -> u128 {
        if self.signed { place ^ signed_min(width) } else { place }
    }

    /// Returns the number of integers, from the least on, whose float satisfies `holds`. The predicate must hold for an
    /// initial part of the integers only.
    fn count(&self, width: u32, holds: impl Fn(f64) -> bool) -> Option<u128> {
        let (mut low, mut high) = (0, mask(width) + 1);
        while low < high {
            let middle = low + (high - low) / 2;
            if holds(self.at(middle, width)?) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Some(low)
    }

    /// Returns the condition that the integer is among the first `n`.
    fn below(&self, pool: &mut TermPool, n: u128) -> TermId {
        let width = self.width(pool);
        if n > mask(width) {
            return pool.bit(true);
        }
        let bound = pool.constant(width, self.in_order(n, width));
        pool.apply(if self.signed { Op::Slt } else { Op::Ult }, 1, &[self.integer, bound], 0)
    }
}

/// The value of a float; `None` for NaN and for unknown formats.
fn number(width: u32, bits: u128) -> Option<f64> {
    let value = match width {
        32 => f64::from(f32::from_bits(bits as u32)),
        64 => f64::from_bits(bits as u64),
        _ => return None,
    };
    (!value.is_nan()).then_some(value)
}

/// Rewrites `feq`, `flt` and `fle` of such a float with a constant.
pub(super) fn compare(pool: &mut TermPool, op: Op, a: TermId, b: TermId) -> Option<TermId> {
    let constant_first = pool.value(a).is_some();
    let (float, constant) = if constant_first { (b, a) } else { (a, b) };
    let constant = number(pool.width(constant), pool.value(constant)?)?;
    let chain = Chain::of(pool, float)?;
    let width = chain.width(pool);
    // Counting from the other end turns falling values into growing ones.
    let first = |holds: &dyn Fn(f64) -> bool| {
        if chain.falls {
            Some(mask(width) + 1 - chain.count(width, |value| !holds(value))?)
        } else {
            chain.count(width, holds)
        }
    };
    let n_less = first(&|value| value < constant)?;
    let n_upto = first(&|value| value <= constant)?;
    let total = mask(width) + 1;
    // The integers from `from` up to `to` in the order of growing values. For falling values the order is reversed.
    let (from, to) = match (op, constant_first) {
        (Op::FEq, _) => (n_less, n_upto),
        (Op::FLt, false) => (0, n_less),
        (Op::FLe, false) => (0, n_upto),
        (Op::FLt, true) => (n_upto, total),
        _ => (n_less, total),
    };
    let (from, to) = if chain.falls { (total - to, total - from) } else { (from, to) };
    pool.fires(if op == Op::FEq { Rule::FEqInteger } else { Rule::FOrderInteger });
    if from >= to {
        return Some(pool.bit(false));
    }
    if to - from == 1 {
        let only = pool.constant(width, chain.in_order(from, width));
        return Some(pool.apply(Op::Eq, 1, &[chain.integer, only], 0));
    }
    let upto = chain.below(pool, to);
    let below = chain.below(pool, from);
    let at_least = pool.not(below);
    Some(pool.apply(Op::And, 1, &[upto, at_least], 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares every 8-bit integer through chains of operations with constants between, at and beside the possible
    /// values.
    #[test]
    fn comparisons_are_those_of_the_floats() {
        let mut changed = 0;
        for to_float in [Op::SToF, Op::UToF] {
            for steps in chains() {
                for constant in constants() {
                    for op in [Op::FEq, Op::FLt, Op::FLe] {
                        for constant_first in [false, true] {
                            changed += u32::from(agrees(to_float, &steps, constant, op, constant_first));
                        }
                    }
                }
            }
        }
        // All comparisons except those of the two chains that do not keep an order, and those with NaN.
        assert_eq!(changed, 2 * 7 * 11 * 3 * 2);
    }

    fn chains() -> Vec<Vec<(Op, f64, bool)>> {
        vec![
            vec![],
            vec![(Op::FMul, 0.1, false)],
            vec![(Op::FDiv, -3.0, false), (Op::FAdd, 7.5, true)],
            vec![(Op::FSub, 12.0, true)],
            vec![(Op::FMul, 1e308, false), (Op::FMul, 10.0, true)],
            vec![(Op::FNeg, 0.0, false), (Op::FSub, 1e300, false)],
            vec![(Op::FDiv, 7.0, false), (Op::FRound, 0.0, false)],
            vec![(Op::FDiv, 7.0, true)],
            vec![(Op::FMul, 0.0, false)],
        ]
    }

    fn constants() -> [f64; 12] {
        [0.0, -0.0, 1.0, -1.5, 12.8, 100.0, -128.0, 255.0, 1e300, f64::INFINITY, f64::NEG_INFINITY, f64::NAN]
    }

    /// True if the comparison was changed. It must have the same value for all integers.
    fn agrees(to_float: Op, steps: &[(Op, f64, bool)], constant: f64, op: Op, constant_first: bool) -> bool {
        let mut pool = TermPool::new();
        let x = pool.input(0, 0, 8);
        let build = |pool: &mut TermPool, x: TermId| {
            let mut float = pool.apply_raw(to_float, 64, &[x], 0).unwrap();
            for &(op, constant, first) in steps {
                let constant = pool.constant(64, u128::from(constant.to_bits()));
                float = match op {
                    Op::FNeg | Op::FRound => pool.apply_raw(op, 64, &[float], 0).unwrap(),
                    _ if first => pool.apply_raw(op, 64, &[constant, float], 0).unwrap(),
                    _ => pool.apply_raw(op, 64, &[float, constant], 0).unwrap(),
                };
            }
            float
        };
        let float = build(&mut pool, x);
        let bound = pool.constant(64, u128::from(constant.to_bits()));
        let operands = if constant_first { [bound, float] } else { [float, bound] };
        let before = pool.apply_raw(op, 1, &operands, 0).unwrap();
        let Some(after) = compare(&mut pool, op, operands[0], operands[1]) else { return false };
        for value in 0..=255 {
            let mut inputs = crate::assignment::Assignment::new();
            inputs.set(0, 0, value);
            let [before, after] = [before, after].map(|term| crate::eval::eval(&pool, term, &inputs));
            assert_eq!(before, after, "{value}, {op:?} {constant} {steps:?} {to_float:?} {constant_first}");
        }
        true
    }
}
