//! Rewriting: returns the simplest term for an operation that the rules find.
//!
//! [`rules`] lists the rules. Each rule is a few lines in the function of its operation. It makes the term smaller or
//! brings it to the form that other rules expect:
//!
//! - constants are on the right of commutative operations and at the outside of sums;
//! - `x <= k` becomes `x < k+1`, so that a comparison with a constant and its negation are both `ult` or `slt`;
//! - the parts of a `concat` nest to the left, and zeros above become a `zext`;
//! - right shifts by constants become an extended `extract`, and a part of an input becomes an input of its own.
//!
//! Rules keep the value under every assignment, including division by zero and the bits of NaNs. Tests compare random
//! terms built with and without rules, here by evaluation and in `solver` by SMT.

mod arithmetic;
pub(crate) mod array;
mod bitwise;
mod choice;
mod compare;
mod floating;
mod linear;
mod monotone;
pub mod rules;
mod shift;
mod structure;
#[cfg(test)]
mod tests;

use tine_trace::eval::{mask, signed};
use tine_trace::op::Op;

use crate::pool::TermPool;
use crate::term::TermId;
use crate::value::node_value;
use rules::Rule;

/// Rules call [`apply`] for the parts of their results. Beyond this depth terms are not rewritten, which limits stack
/// and time for long chains.
const MAX_DEPTH: u32 = 64;

/// Returns the term for a well-formed operation.
pub(crate) fn apply(pool: &mut TermPool, op: Op, width: u32, operands: &[TermId], immediate: u32) -> TermId {
    if let Some(folded) = fold(pool, op, width, operands, immediate) {
        pool.depth += 1;
        pool.fires(Rule::Fold);
        pool.depth -= 1;
        return folded;
    }
    if pool.depth >= MAX_DEPTH {
        return pool.make(op, width, operands, immediate);
    }
    pool.depth += 1;
    #[cfg(test)]
    let n_fired = pool.fired.len();
    let term = match lift_choice(pool, op, width, operands, immediate) {
        Some(lifted) => lifted,
        None => simplify(pool, op, width, operands, immediate),
    };
    #[cfg(test)]
    tests::changed_by_a_rule(pool, n_fired, term, op, operands, immediate);
    pool.depth -= 1;
    debug_assert_eq!(pool.width(term), width, "{op:?} changed its width");
    term
}

fn simplify(pool: &mut TermPool, op: Op, width: u32, operands: &[TermId], immediate: u32) -> TermId {
    let operand = |k: usize| operands[k];
    let simpler = match op {
        Op::Const | Op::Input => unreachable!("not built from operands"),
        Op::Add => arithmetic::add(pool, width, operand(0), operand(1)),
        Op::Sub => arithmetic::sub(pool, width, operand(0), operand(1)),
        Op::Mul => arithmetic::mul(pool, width, operand(0), operand(1)),
        Op::UDiv => arithmetic::udiv(pool, width, operand(0), operand(1)),
        Op::SDiv => arithmetic::sdiv(pool, width, operand(0), operand(1)),
        Op::URem => arithmetic::urem(pool, width, operand(0), operand(1)),
        Op::SRem => arithmetic::srem(pool, width, operand(0), operand(1)),
        Op::UMulO => arithmetic::umulo(pool, operand(0), operand(1)),
        Op::SMulO => arithmetic::smulo(pool, operand(0), operand(1)),
        Op::SAddO => arithmetic::saddo(pool, operand(0), operand(1)),
        Op::SSubO => arithmetic::ssubo(pool, operand(0), operand(1)),
        Op::And => bitwise::and(pool, width, operand(0), operand(1)),
        Op::Or => bitwise::or(pool, width, operand(0), operand(1)),
        Op::Xor => bitwise::xor(pool, width, operand(0), operand(1)),
        Op::Not => bitwise::not(pool, width, operand(0)),
        Op::Shl => shift::shl(pool, width, operand(0), operand(1)),
        Op::LShr => shift::lshr(pool, width, operand(0), operand(1)),
        Op::AShr => shift::ashr(pool, width, operand(0), operand(1)),
        Op::Eq => compare::eq(pool, operand(0), operand(1)),
        Op::Ult => compare::ult(pool, operand(0), operand(1)),
        Op::Ule => compare::ule(pool, operand(0), operand(1)),
        Op::Slt => compare::slt(pool, operand(0), operand(1)),
        Op::Sle => compare::sle(pool, operand(0), operand(1)),
        Op::ZExt => structure::zext(pool, width, operand(0)),
        Op::SExt => structure::sext(pool, width, operand(0)),
        Op::Extract => structure::extract(pool, width, operand(0), immediate),
        Op::Concat => structure::concat(pool, width, operand(0), operand(1)),
        Op::Ite => choice::ite(pool, width, operand(0), operand(1), operand(2)),
        Op::FNeg | Op::FAbs => floating::sign(pool, op, operand(0)),
        Op::FEq | Op::FLt | Op::FLe => floating::compare(pool, op, operand(0), operand(1)),
        Op::FIsNan => floating::is_nan(pool, operand(0)),
        Op::FToF | Op::FToS | Op::FToU => floating::convert(pool, op, width, operand(0)),
        Op::FMul | Op::FDiv => floating::scale(pool, op, operand(0), operand(1)),
        Op::FAdd | Op::FSub | Op::FRem | Op::FMa => None,
        Op::FSqrt | Op::FRound | Op::SToF | Op::UToF => None,
    };
    simpler.unwrap_or_else(|| pool.make(op, width, operands, immediate))
}

/// Evaluates an operation whose operands are all constants.
fn fold(pool: &mut TermPool, op: Op, width: u32, operands: &[TermId], immediate: u32) -> Option<TermId> {
    let mut values = [0; 3];
    for (value, &operand) in values.iter_mut().zip(operands) {
        *value = pool.value(operand)?;
    }
    if op.shape().immediates > 0 {
        values[operands.len()] = immediate as u128;
    }
    let from = pool.width(*operands.first()?);
    let value = node_value(op, width, from, values[0], values[1], values[2])?;
    Some(pool.constant(width, value))
}

/// If one operand is a choice between constants and the others are constants, the result is a choice between constants.
///
/// `(eq (ite c 3 5) 5)` is `(ite c 0 1)`, which is `(not c)`.
fn lift_choice(pool: &mut TermPool, op: Op, width: u32, operands: &[TermId], immediate: u32) -> Option<TermId> {
    let mut place = None;
    for (k, &operand) in operands.iter().enumerate() {
        if pool.value(operand).is_none() {
            if place.is_some() {
                return None;
            }
            place = Some(k);
        }
    }
    let place = place?;
    let [c, then, otherwise] = parts(pool, operands[place], Op::Ite)?;
    if op == Op::Ite && place == 0 {
        return None;
    }
    let mut side = |branch: TermId| {
        let mut replaced = [operands[0]; 3];
        replaced[..operands.len()].copy_from_slice(operands);
        replaced[place] = branch;
        fold(pool, op, width, &replaced[..operands.len()], immediate)
    };
    let (then, otherwise) = (side(then)?, side(otherwise)?);
    pool.fires(Rule::Lift);
    Some(pool.ite(c, then, otherwise))
}

// Helpers for rules.

/// Returns the operands of a term if it is this operation. Missing operands repeat the first one.
fn parts(pool: &TermPool, id: TermId, op: Op) -> Option<[TermId; 3]> {
    let term = pool.term(id);
    if term.op() != Some(op) {
        return None;
    }
    let mut parts = [term.operand(0); 3];
    for (part, operand) in parts.iter_mut().zip(term.operands()) {
        *part = operand;
    }
    Some(parts)
}

/// `x` and `k` of a term `(op x k)` with a constant `k`.
fn with_constant(pool: &TermPool, id: TermId, op: Op) -> Option<(TermId, u128)> {
    let [x, k, _] = parts(pool, id, op)?;
    Some((x, pool.value(k)?))
}

/// The operands of a commutative operation in canonical order: a constant on the right, otherwise by number.
fn ordered(pool: &mut TermPool, a: TermId, b: TermId) -> (TermId, TermId) {
    let a_first = match (pool.term(a).is_const(), pool.term(b).is_const()) {
        (true, false) => false,
        (false, true) => true,
        _ => a <= b,
    };
    if a_first {
        return (a, b);
    }
    pool.fires(Rule::Order);
    (b, a)
}

fn zero(pool: &mut TermPool, width: u32) -> Option<TermId> {
    Some(pool.constant(width, 0))
}

fn ones(pool: &mut TermPool, width: u32) -> Option<TermId> {
    Some(pool.constant(width, u128::MAX))
}

fn bit(pool: &mut TermPool, value: bool) -> Option<TermId> {
    Some(pool.bit(value))
}

fn is_zero(pool: &TermPool, id: TermId) -> bool {
    pool.value(id) == Some(0)
}

fn is_ones(pool: &TermPool, id: TermId) -> bool {
    pool.value(id) == Some(mask(pool.width(id)))
}

/// True if the terms are complements of each other.
fn complementary(pool: &mut TermPool, a: TermId, b: TermId) -> bool {
    let ordering = |op: Option<Op>| matches!(op, Some(Op::Ult | Op::Ule | Op::Slt | Op::Sle));
    if ordering(pool.term(a).op()) && ordering(pool.term(b).op()) {
        // The complement must be built to know its form: the complement of `x < y` is `y <= x`.
        return pool.not(a) == b;
    }
    parts(pool, a, Op::Not).is_some_and(|[x, ..]| x == b) || parts(pool, b, Op::Not).is_some_and(|[x, ..]| x == a)
}

/// The largest signed value of this width.
fn signed_max(width: u32) -> u128 {
    mask(width) >> 1
}

/// The smallest signed value of this width, as bits.
fn signed_min(width: u32) -> u128 {
    signed_max(width) + 1
}

/// True if `value`, of `width` bits, is the sign extension of its low `from` bits.
fn is_sign_extension(width: u32, from: u32, value: u128) -> bool {
    signed(from, value & mask(from)) as u128 & mask(width) == value
}
