//! Sums as their parts, each with a factor: `3x + y` and `x - y` together are `4x`.
//!
//! Parts are merged only if this shortens the sum. Sums without common parts stay unchanged, so that building a long
//! sum does not split it repeatedly.

use tine_trace::op::Op;

use super::rules::Rule;
use super::{is_ones, with_constant};
use crate::pool::TermPool;
use crate::term::TermId;

/// Maximum number of distinct parts of a sum, and of terms that are searched for them. Longer sums stay unchanged.
const MAX_PARTS: usize = 8;
const MAX_TERMS: u32 = 32;

/// Parts with their factors, modulo the width. Constants are kept separately.
#[derive(Default)]
struct Sum {
    parts: Vec<(TermId, u128)>,
    constant: u128,
    n_terms: u32,
}

impl Sum {
    /// Adds `factor` times a term. Returns `None` if there are too many parts.
    fn add(&mut self, pool: &TermPool, id: TermId, factor: u128) -> Option<()> {
        self.n_terms += 1;
        if self.n_terms > MAX_TERMS {
            return None;
        }
        let term = pool.term(id);
        match term.op() {
            Some(Op::Const) => self.constant = self.constant.wrapping_add(pool.value(id)?.wrapping_mul(factor)),
            Some(Op::Add | Op::Sub) => {
                self.add(pool, term.operand(0), factor)?;
                let sign = if term.op() == Some(Op::Sub) { factor.wrapping_neg() } else { factor };
                self.add(pool, term.operand(1), sign)?;
            }
            _ => {
                let (part, times) = scaled(pool, id);
                let factor = factor.wrapping_mul(times);
                if part != id {
                    return self.add(pool, part, factor);
                }
                match self.parts.iter().position(|(known, _)| *known == part) {
                    Some(place) => self.parts[place].1 = self.parts[place].1.wrapping_add(factor),
                    None if self.parts.len() == MAX_PARTS => return None,
                    None => self.parts.push((part, factor)),
                }
            }
        }
        Some(())
    }
}

/// Splits a term into a term and its factor.
fn scaled(pool: &TermPool, id: TermId) -> (TermId, u128) {
    if let Some((x, k)) = with_constant(pool, id, Op::Mul) {
        return (x, k);
    }
    match with_constant(pool, id, Op::Shl) {
        Some((x, n)) if n < u128::from(pool.width(id)) => (x, 1 << n),
        _ => (id, 1),
    }
}

/// Merges `a + b` or `a - b` if they have common parts.
pub(super) fn merged(pool: &mut TermPool, width: u32, op: Op, a: TermId, b: TermId) -> Option<TermId> {
    let is_sum = |id: TermId| matches!(pool.term(id).op(), Some(Op::Add | Op::Sub | Op::Mul | Op::Shl));
    if !is_sum(a) && !is_sum(b) {
        return None;
    }
    let (mut all, mut right) = (Sum::default(), Sum::default());
    all.add(pool, a, 1)?;
    right.add(pool, b, 1)?;
    let n_apart = all.parts.len() + right.parts.len();
    all.add(pool, b, if op == Op::Sub { u128::MAX } else { 1 })?;
    if all.parts.len() == n_apart {
        return None;
    }
    pool.fires(if op == Op::Sub { Rule::SubLike } else { Rule::AddLike });
    let mut sum = None;
    for (part, factor) in all.parts {
        let factor = pool.constant(width, factor);
        sum = match sum {
            Some(sum) if is_ones(pool, factor) => Some(pool.sub(sum, part)),
            Some(sum) => {
                let scaled = pool.mul(part, factor);
                Some(pool.add(sum, scaled))
            }
            None => Some(pool.mul(part, factor)),
        };
    }
    let constant = pool.constant(width, all.constant);
    Some(sum.map_or(constant, |sum| pool.add(sum, constant)))
}
