//! Comparisons. A constant on one side is moved through extensions, sums and choices. A bound is always `<`.

use tine_trace::eval::{mask, signed};
use tine_trace::op::Op;

use super::rules::Rule;
use super::{bit, complementary, is_sign_extension, is_zero, ordered, parts, signed_max, signed_min, with_constant};
use crate::index::largest;
use crate::pool::TermPool;
use crate::term::TermId;

pub(super) fn eq(pool: &mut TermPool, a: TermId, b: TermId) -> Option<TermId> {
    let (a, b) = ordered(pool, a, b);
    if a == b {
        pool.fires(Rule::EqSame);
        return bit(pool, true);
    }
    if pool.width(a) == 1
        && let Some(k) = pool.value(b)
    {
        pool.fires(Rule::EqBit);
        return Some(if k == 0 { pool.not(a) } else { a });
    }
    if complementary(pool, a, b) {
        pool.fires(Rule::EqComplement);
        return bit(pool, false);
    }
    let simpler = match pool.value(b) {
        Some(k) => eq_constant(pool, a, k),
        None => eq_terms(pool, a, b),
    };
    simpler.or_else(|| Some(pool.make(Op::Eq, 1, &[a, b], 0)))
}

/// `a = k`
fn eq_constant(pool: &mut TermPool, a: TermId, k: u128) -> Option<TermId> {
    let term = pool.term(a);
    let width = term.width();
    let x = term.operands().next()?;
    let equals = |pool: &mut TermPool, x: TermId, k: u128| {
        let k = pool.constant(pool.width(x), k);
        Some(pool.eq(x, k))
    };
    match term.op()? {
        Op::ZExt if k > mask(pool.width(x)) => {
            pool.fires(Rule::EqZextNever);
            bit(pool, false)
        }
        Op::SExt if !is_sign_extension(width, pool.width(x), k) => {
            pool.fires(Rule::EqSextNever);
            bit(pool, false)
        }
        Op::ZExt | Op::SExt => {
            pool.fires(Rule::EqExtension);
            equals(pool, x, k)
        }
        Op::Not => {
            pool.fires(Rule::EqNotConstant);
            equals(pool, x, !k)
        }
        Op::Add => {
            let (x, c) = with_constant(pool, a, Op::Add)?;
            pool.fires(Rule::EqAddConstant);
            equals(pool, x, k.wrapping_sub(c))
        }
        Op::Xor => match with_constant(pool, a, Op::Xor) {
            Some((x, c)) => {
                pool.fires(Rule::EqXorConstant);
                equals(pool, x, k ^ c)
            }
            None if k == 0 => {
                pool.fires(Rule::EqXorZero);
                Some(pool.eq(x, term.operand(1)))
            }
            None => None,
        },
        Op::Sub => {
            let y = term.operand(1);
            match pool.value(x) {
                Some(c) => {
                    pool.fires(Rule::EqSubFrom);
                    equals(pool, y, c.wrapping_sub(k))
                }
                None if k == 0 => {
                    pool.fires(Rule::EqSubZero);
                    Some(pool.eq(x, y))
                }
                None => None,
            }
        }
        // Multiplication by an odd number can be undone.
        Op::Mul => {
            let (x, c) = with_constant(pool, a, Op::Mul)?;
            if c > 1 && largest(pool, x).checked_mul(c).is_some_and(|most| most <= mask(pool.width(a))) {
                if !k.is_multiple_of(c) {
                    return never(pool, true, Rule::EqMulNever);
                }
                pool.fires(Rule::EqMulFits);
                return equals(pool, x, k / c);
            }
            if c & 1 == 0 {
                return never(pool, k.trailing_zeros() < c.trailing_zeros(), Rule::EqMulNever);
            }
            pool.fires(Rule::EqMulOdd);
            equals(pool, x, k.wrapping_mul(inverse(c)))
        }
        Op::And => match with_constant(pool, a, Op::And) {
            Some((_, c)) => never(pool, k & !c != 0, Rule::EqAndNever),
            None if k == 0 => eq_masked(pool, x, term.operand(1)),
            None => None,
        },
        Op::Or => match with_constant(pool, a, Op::Or) {
            Some((_, c)) => never(pool, c & !k != 0, Rule::EqOrNever),
            None if k == 0 => {
                pool.fires(Rule::EqOrZero);
                let (x, y) = (equals(pool, x, 0)?, equals(pool, term.operand(1), 0)?);
                Some(pool.and(x, y))
            }
            None => None,
        },
        Op::Concat => eq_concat(pool, x, term.operand(1), k),
        Op::Ite => eq_choice(pool, x, term.operand(1), term.operand(2), k),
        _ => None,
    }
}

/// `a & b = 0` where one of them is all ones or zero, such as `-(x == y)`.
fn eq_masked(pool: &mut TermPool, a: TermId, b: TermId) -> Option<TermId> {
    let condition = |pool: &TermPool, mask: TermId| match parts(pool, mask, Op::Sub) {
        Some([zero, c, _]) if is_zero(pool, zero) && largest(pool, c) <= 1 => Some(c),
        _ => None,
    };
    let (c, x) = match condition(pool, a) {
        Some(c) => (c, b),
        None => (condition(pool, b)?, a),
    };
    pool.fires(Rule::EqMaskZero);
    let zero = pool.constant(pool.width(x), 0);
    let (is_zero, is_off) = (pool.eq(x, zero), pool.eq(c, zero));
    Some(pool.or(is_zero, is_off))
}

/// Returns the constant false, by this rule, if the condition holds.
fn never(pool: &mut TermPool, is_false: bool, rule: Rule) -> Option<TermId> {
    if !is_false {
        return None;
    }
    pool.fires(rule);
    bit(pool, false)
}

/// A concatenation with a known part, which decides the comparison or is removed.
fn eq_concat(pool: &mut TermPool, high: TermId, low: TermId, k: u128) -> Option<TermId> {
    if pool.value(high).is_none() && pool.value(low).is_none() {
        return None;
    }
    pool.fires(Rule::EqConcat);
    let n = pool.width(low);
    let (k_high, k_low) = (pool.constant(pool.width(high), k >> n), pool.constant(n, k));
    let (high, low) = (pool.eq(high, k_high), pool.eq(low, k_low));
    Some(pool.and(high, low))
}

/// `ite(c, then, otherwise) = k` where one branch is known.
fn eq_choice(pool: &mut TermPool, c: TermId, then: TermId, otherwise: TermId, k: u128) -> Option<TermId> {
    if pool.value(then).is_none() && pool.value(otherwise).is_none() {
        return None;
    }
    pool.fires(Rule::EqIte);
    let k = pool.constant(pool.width(then), k);
    let (then, otherwise) = (pool.eq(then, k), pool.eq(otherwise, k));
    Some(pool.ite(c, then, otherwise))
}

/// Returns `x` with `x * c = 1`, for odd `c`. Newton's iteration doubles the number of correct bits each time.
/// @177t t correct in three bits
fn inverse(c: u128) -> u128 {
    let mut x = c; // right in three bits
    for _ in 0..6 {
        x = x.wrapping_mul(2u128.wrapping_sub(c.wrapping_mul(x)));
    }
    x
}

/// `a = b`, neither constant.
fn eq_terms(pool: &mut TermPool, a: TermId, b: TermId) -> Option<TermId> {
    let (s, t) = (pool.term(a), pool.term(b));
    let same_op = s.op() == t.op();
    match s.op()? {
        op @ (Op::ZExt | Op::SExt) if same_op => {
            pool.fires(Rule::EqExtensions);
            let (x, y) = narrowed(pool, op, s.operand(0), t.operand(0));
            Some(pool.eq(x, y))
        }
        Op::Not if same_op => {
            pool.fires(Rule::EqNots);
            Some(pool.eq(s.operand(0), t.operand(0)))
        }
        Op::Add | Op::Xor if same_op => {
            let [x, y] = [s.operand(0), s.operand(1)];
            let [u, v] = [t.operand(0), t.operand(1)];
            let rest = if x == u {
                Some((y, v))
            } else if x == v {
                Some((y, u))
            } else if y == u {
                Some((x, v))
            } else if y == v {
                Some((x, u))
            } else {
                None
            };
            let (rest_a, rest_b) = rest?;
            pool.fires(Rule::EqCommonSummand);
            Some(pool.eq(rest_a, rest_b))
        }
        _ => eq_own_part(pool, a, b).or_else(|| eq_own_part(pool, b, a)),
    }
}

/// `x + y = x` where y must be zero.
fn eq_own_part(pool: &mut TermPool, sum: TermId, x: TermId) -> Option<TermId> {
    let other = [Op::Add, Op::Xor].into_iter().find_map(|op| {
        let [a, b, _] = parts(pool, sum, op)?;
        if a == x { Some(b) } else { (b == x).then_some(a) }
    })?;
    pool.fires(Rule::EqOwnPart);
    let zero = pool.constant(pool.width(x), 0);
    Some(pool.eq(other, zero))
}

/// The operands of two extensions, brought to the wider one's width.
fn narrowed(pool: &mut TermPool, op: Op, x: TermId, y: TermId) -> (TermId, TermId) {
    let width = pool.width(x).max(pool.width(y));
    (pool.apply(op, width, &[x], 0), pool.apply(op, width, &[y], 0))
}

pub(super) fn ult(pool: &mut TermPool, a: TermId, b: TermId) -> Option<TermId> {
    if a == b {
        pool.fires(Rule::LessSame);
        return bit(pool, false);
    }
    let width = pool.width(a);
    if width == 1 {
        pool.fires(Rule::UltBit);
        let not_a = pool.not(a);
        return Some(pool.and(not_a, b));
    }
    if let Some(k) = pool.value(b) {
        return match k {
            0 => never(pool, true, Rule::LessLeast),
            1 => equals(pool, a, 0),
            k if k == mask(width) => differs(pool, a, k),
            k => below_constant(pool, a, k, false),
        };
    }
    if let Some(k) = pool.value(a) {
        return match k {
            0 => differs(pool, b, 0),
            k if k == mask(width) => never(pool, true, Rule::LessGreatest),
            k if k == mask(width) - 1 => equals(pool, b, mask(width)),
            k => above_constant(pool, k, b, false),
        };
    }
    through_extensions(pool, Op::Ult, a, b)
}

pub(super) fn slt(pool: &mut TermPool, a: TermId, b: TermId) -> Option<TermId> {
    if a == b {
        pool.fires(Rule::LessSame);
        return bit(pool, false);
    }
    let width = pool.width(a);
    if width == 1 {
        pool.fires(Rule::SltBit);
        let not_b = pool.not(b);
        return Some(pool.and(a, not_b));
    }
    let (min, max) = (signed_min(width), signed_max(width));
    if let Some(k) = pool.value(b) {
        return match k {
            k if k == min => never(pool, true, Rule::LessLeast),
            k if k == min + 1 => equals(pool, a, min),
            k if k == max => differs(pool, a, max),
            k => below_constant(pool, a, k, true),
        };
    }
    if let Some(k) = pool.value(a) {
        return match k {
            k if k == max => never(pool, true, Rule::LessGreatest),
            k if k == max - 1 => equals(pool, b, max),
            k if k == min => differs(pool, b, min),
            k => above_constant(pool, k, b, true),
        };
    }
    through_extensions(pool, Op::Slt, a, b)
}

/// `a <= b` with a constant becomes a strict bound. Otherwise it stays.
pub(super) fn ule(pool: &mut TermPool, a: TermId, b: TermId) -> Option<TermId> {
    let width = pool.width(a);
    if a == b || is_zero(pool, a) || pool.value(b) == Some(mask(width)) {
        pool.fires(Rule::LeqAlways);
        return bit(pool, true);
    }
    if width == 1 {
        pool.fires(Rule::UleBit);
        let not_a = pool.not(a);
        return Some(pool.or(not_a, b));
    }
    strict(pool, Op::Ult, a, b).or_else(|| through_extensions(pool, Op::Ule, a, b))
}

pub(super) fn sle(pool: &mut TermPool, a: TermId, b: TermId) -> Option<TermId> {
    let width = pool.width(a);
    if a == b || pool.value(a) == Some(signed_min(width)) || pool.value(b) == Some(signed_max(width)) {
        pool.fires(Rule::LeqAlways);
        return bit(pool, true);
    }
    if width == 1 {
        pool.fires(Rule::SleBit);
        let not_b = pool.not(b);
        return Some(pool.or(a, not_b));
    }
    strict(pool, Op::Slt, a, b).or_else(|| through_extensions(pool, Op::Sle, a, b))
}

/// `x <= k` as `x < k + 1`, `k <= x` as `k - 1 < x`; the caller has excluded the ends of the range.
fn strict(pool: &mut TermPool, op: Op, a: TermId, b: TermId) -> Option<TermId> {
    let width = pool.width(a);
    if let Some(k) = pool.value(b) {
        pool.fires(Rule::LeqStrict);
        let k = pool.constant(width, k.wrapping_add(1));
        return Some(pool.apply(op, 1, &[a, k], 0));
    }
    let k = pool.value(a)?;
    pool.fires(Rule::GeqStrict);
    let k = pool.constant(width, k.wrapping_sub(1));
    Some(pool.apply(op, 1, &[k, b], 0))
}

/// All but one value is excluded.
fn equals(pool: &mut TermPool, x: TermId, k: u128) -> Option<TermId> {
    pool.fires(Rule::LessOne);
    let k = pool.constant(pool.width(x), k);
    Some(pool.eq(x, k))
}

/// One value is excluded.
fn differs(pool: &mut TermPool, x: TermId, k: u128) -> Option<TermId> {
    pool.fires(Rule::LessAllButOne);
    let k = pool.constant(pool.width(x), k);
    Some(pool.ne(x, k))
}

/// An extension from `n` bits to `width`. In the order of the comparison its values are those from `least` to
/// `greatest` of the narrow type, and `op` compares narrow values in the same order.
struct Extension {
    x: TermId,
    op: Op,
    /// The smallest and largest value of the extension, as numbers in the order of the comparison.
    least: i128,
    greatest: i128,
}

/// Returns the operand as an extension whose values form one interval in this order, and `k` as a number in that order.
fn extension(pool: &TermPool, id: TermId, k: u128, is_signed: bool) -> Option<(Extension, i128)> {
    let width = pool.width(id);
    // At 128 bits an unsigned number may not fit `i128`. Such constants are not handled.
    let number = if is_signed { signed(width, k) } else { i128::try_from(k).ok()? };
    if let Some([x, ..]) = parts(pool, id, Op::ZExt) {
        // Strictly wider, so never negative.
        let greatest = mask(pool.width(x)) as i128;
        return Some((Extension { x, op: Op::Ult, least: 0, greatest }, number));
    }
    let [x, ..] = parts(pool, id, Op::SExt)?;
    let n = pool.width(x);
    let greatest = signed_max(n) as i128;
    is_signed.then_some((Extension { x, op: Op::Slt, least: -greatest - 1, greatest }, number))
}

/// `a < k` where `a` may be an extension.
fn below_constant(pool: &mut TermPool, a: TermId, k: u128, is_signed: bool) -> Option<TermId> {
    let (extension, number) = extension(pool, a, k, is_signed)?;
    if number <= extension.least || number > extension.greatest {
        pool.fires(Rule::LessExtensionKnown);
        return bit(pool, number > extension.greatest);
    }
    pool.fires(Rule::LessExtension);
    let k = pool.constant(pool.width(extension.x), k);
    Some(pool.apply(extension.op, 1, &[extension.x, k], 0))
}

/// `k < b` where `b` may be an extension.
fn above_constant(pool: &mut TermPool, k: u128, b: TermId, is_signed: bool) -> Option<TermId> {
    let (extension, number) = extension(pool, b, k, is_signed)?;
    if number < extension.least || number >= extension.greatest {
        pool.fires(Rule::GreaterExtensionKnown);
        return bit(pool, number < extension.least);
    }
    pool.fires(Rule::GreaterExtension);
    let k = pool.constant(pool.width(extension.x), k);
    Some(pool.apply(extension.op, 1, &[k, extension.x], 0))
}

/// If both sides are extended in the same way, compares the operands of the extensions. Extension keeps the order, and
/// zero extension makes signed order unsigned.
fn through_extensions(pool: &mut TermPool, op: Op, a: TermId, b: TermId) -> Option<TermId> {
    let (s, t) = (pool.term(a), pool.term(b));
    if s.op() != t.op() {
        return None;
    }
    let inner = match (s.op()?, op) {
        (Op::ZExt, Op::Slt) => Op::Ult,
        (Op::ZExt, Op::Sle) => Op::Ule,
        (Op::ZExt | Op::SExt, op) => op,
        _ => return None,
    };
    pool.fires(Rule::LessExtensions);
    let (x, y) = narrowed(pool, s.op()?, s.operand(0), t.operand(0));
    Some(pool.apply(inner, 1, &[x, y], 0))
}
