//! Extension, extraction and concatenation.

use tine_trace::eval::mask;
use tine_trace::op::Op;

use super::rules::Rule;
use super::{is_zero, parts, zero};
use crate::pool::TermPool;
use crate::term::{InputView, TermId};

pub(super) fn zext(pool: &mut TermPool, width: u32, a: TermId) -> Option<TermId> {
    if pool.width(a) == width {
        pool.fires(Rule::ExtendNothing);
        return Some(a);
    }
    let [x, ..] = parts(pool, a, Op::ZExt)?;
    pool.fires(Rule::ZextZext);
    Some(pool.zext(x, width))
}

pub(super) fn sext(pool: &mut TermPool, width: u32, a: TermId) -> Option<TermId> {
    if pool.width(a) == width {
        pool.fires(Rule::ExtendNothing);
        return Some(a);
    }
    if let Some([x, ..]) = parts(pool, a, Op::SExt) {
        pool.fires(Rule::SextSext);
        return Some(pool.sext(x, width));
    }
    let [x, ..] = parts(pool, a, Op::ZExt)?;
    pool.fires(Rule::SextZext);
    Some(pool.zext(x, width))
}

/// Extracts the bits `low` … `low + width - 1` of `a`.
pub(super) fn extract(pool: &mut TermPool, width: u32, a: TermId, low: u32) -> Option<TermId> {
    if pool.width(a) == width {
        pool.fires(Rule::ExtractAll);
        return Some(a);
    }
    let term = pool.term(a);
    let x = term.operands().next().unwrap_or(a);
    match term.op()? {
        Op::Input => {
            pool.fires(Rule::ExtractInput);
            extract_input(pool, width, a, low)
        }
        Op::Extract => {
            pool.fires(Rule::ExtractExtract);
            Some(pool.extract(x, low + term.immediate(), width))
        }
        Op::Concat => {
            pool.fires(Rule::ExtractConcat);
            Some(extract_concat(pool, width, x, term.operand(1), low))
        }
        Op::ZExt => {
            pool.fires(Rule::ExtractZext);
            let inner = pool.width(x);
            if low >= inner {
                return zero(pool, width);
            }
            let kept = pool.extract(x, low, width.min(inner - low));
            Some(pool.zext(kept, width))
        }
        Op::SExt => {
            pool.fires(Rule::ExtractSext);
            let inner = pool.width(x);
            let low = low.min(inner - 1);
            let kept = pool.extract(x, low, width.min(inner - low));
            Some(pool.sext(kept, width))
        }
        op @ (Op::And | Op::Or | Op::Xor) => {
            let y = term.operand(1);
            pool.value(y)?;
            pool.fires(Rule::ExtractMask);
            let (x, y) = (pool.extract(x, low, width), pool.extract(y, low, width));
            Some(pool.apply(op, width, &[x, y], 0))
        }
        Op::Not => {
            pool.fires(Rule::ExtractNot);
            let x = pool.extract(x, low, width);
            Some(pool.not(x))
        }
        // The low bits of an aligned address do not change when an aligned offset is added.
        Op::Add if pool.value(term.operand(1)).is_some_and(|k| k & mask(low + width) == 0) => {
            pool.fires(Rule::ExtractBelow);
            Some(pool.extract(x, low, width))
        }
        // Low bits depend only on low bits. C computes in `int` and truncates: `(char)(c + 1)` needs eight bits.
        op @ (Op::Add | Op::Sub | Op::Mul) if low == 0 => {
            let y = term.operand(1);
            if !narrows(pool, x, width) || !narrows(pool, y, width) {
                return None;
            }
            pool.fires(Rule::ExtractArithmetic);
            let (x, y) = (pool.extract(x, 0, width), pool.extract(y, 0, width));
            Some(pool.apply(op, width, &[x, y], 0))
        }
        _ => None,
    }
}

/// True if the low `width` bits of a term are simpler than the term.
fn narrows(pool: &TermPool, id: TermId, width: u32) -> bool {
    let term = pool.term(id);
    match term.op() {
        Some(Op::Const) => true,
        Some(Op::ZExt | Op::SExt) => pool.width(term.operand(0)) <= width,
        _ => false,
    }
}

fn extract_concat(pool: &mut TermPool, width: u32, high: TermId, low_part: TermId, low: u32) -> TermId {
    let n = pool.width(low_part);
    if low >= n {
        return pool.extract(high, low - n, width);
    }
    if low + width <= n {
        return pool.extract(low_part, low, width);
    }
    let upper = pool.extract(high, 0, low + width - n);
    let lower = pool.extract(low_part, low, n - low);
    pool.concat(upper, lower)
}

pub(super) fn concat(pool: &mut TermPool, width: u32, high: TermId, low: TermId) -> Option<TermId> {
    // Zero parts above other parts become one extension outside, wherever they are.
    if is_zero(pool, high) {
        pool.fires(Rule::ConcatZero);
        return Some(pool.zext(low, width));
    }
    if let Some([x, ..]) = parts(pool, high, Op::ZExt) {
        pool.fires(Rule::ConcatZext);
        let inner = pool.concat(x, low);
        return Some(pool.zext(inner, width));
    }
    if let Some(merged) = merge(pool, high, low) {
        return Some(merged);
    }
    // Nest to the left, merging where parts fit: (a . (b . c)) is ((a . b) . c).
    if let Some([b, c, _]) = parts(pool, low, Op::Concat) {
        pool.fires(Rule::ConcatLeft);
        let upper = pool.concat(high, b);
        return Some(pool.concat(upper, c));
    }
    if let Some([a, b, _]) = parts(pool, high, Op::Concat)
        && let Some(merged) = merge(pool, b, low)
    {
        pool.fires(Rule::ConcatInto);
        return Some(pool.concat(a, merged));
    }
    None
}

/// Merges two neighbours into one term if they are constants or adjacent parts of one value.
fn merge(pool: &mut TermPool, high: TermId, low: TermId) -> Option<TermId> {
    let (n_high, n_low) = (pool.width(high), pool.width(low));
    if let (Some(h), Some(l)) = (pool.value(high), pool.value(low)) {
        return Some(pool.constant(n_high + n_low, h << n_low | l));
    }
    if let (Some(h), Some(l)) = (input_bits(pool, high), input_bits(pool, low))
        && h.input == l.input
        && h.first == l.first + l.n as u64
    {
        pool.fires(Rule::ConcatInput);
        return from_input_bits(pool, InputBits { n: l.n + h.n, ..l });
    }
    // The low part is adjacent to the high part in the same value.
    if let Some([x, ..]) = parts(pool, high, Op::Extract) {
        let at = pool.term(high).immediate();
        if at >= n_low && pool.extract(x, at - n_low, n_low) == low {
            pool.fires(Rule::ConcatParts);
            return Some(pool.extract(x, at - n_low, n_low + n_high));
        }
    }
    // The high part repeats the low part's sign.
    if let Some([sign, ..]) = parts(pool, high, Op::SExt)
        && pool.width(sign) == 1
        && pool.extract(low, n_low - 1, 1) == sign
    {
        pool.fires(Rule::ConcatSign);
        return Some(pool.sext(low, n_high + n_low));
    }
    None
}

/// Consecutive bits of an input, counted from its first byte.
#[derive(Clone, Copy)]
struct InputBits {
    input: u32,
    first: u64,
    n: u32,
}

fn input_bits(pool: &TermPool, id: TermId) -> Option<InputBits> {
    let bits = |view: InputView, low: u32, n: u32| InputBits {
        input: view.input,
        first: view.offset as u64 * 8 + low as u64,
        n,
    };
    if let Some(view) = pool.input_view(id) {
        return Some(bits(view, 0, view.width));
    }
    let [x, ..] = parts(pool, id, Op::Extract)?;
    let term = pool.term(id);
    Some(bits(pool.input_view(x)?, term.immediate(), term.width()))
}

/// Returns the bits as a view of their bytes, or as a part of that view.
fn from_input_bits(pool: &mut TermPool, bits: InputBits) -> Option<TermId> {
    let offset = u32::try_from(bits.first / 8).ok()?;
    let low = (bits.first % 8) as u32;
    let width = (low + bits.n).next_multiple_of(8);
    if width > 128 {
        return None;
    }
    let view = pool.input(bits.input, offset, width);
    Some(if width == bits.n { view } else { pool.make(Op::Extract, bits.n, &[view], low) })
}

/// Reads only the required bytes, so that the term does not depend on others.
fn extract_input(pool: &mut TermPool, width: u32, a: TermId, low: u32) -> Option<TermId> {
    let bits = input_bits(pool, a)?;
    from_input_bits(pool, InputBits { first: bits.first + low as u64, n: width, ..bits })
}
