//! What can be said about indices of arrays without a solver: how far two are apart, what their low bits are, how large
//! they can be. Cheap, and never wrong: where nothing is known, everything is possible.

use tine_trace::eval::mask;
use tine_trace::op::Op;

use crate::pool::TermPool;
use crate::term::{Kind, TermId};

/// Terms inside terms that are looked at.
const MAX_NESTING: u32 = 12;

/// How two accesses lie to each other: `d` is the second index less the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Distance {
    Known(i64),
    /// One of these, or no byte is common to both.
    Among(Vec<i64>),
}

/// The distance from an access of `m` bytes at `at` to one of `n` bytes at `index`.
pub(crate) fn distance(pool: &TermPool, (at, m): (TermId, u32), (index, n): (TermId, u32)) -> Distance {
    let ((base_a, a), (base_b, b)) = (split(pool, at), split(pool, index));
    let constant = b.wrapping_sub(a) as i64;
    if base_a == base_b {
        return Distance::Known(constant);
    }
    let zeros = |base: Option<TermId>| base.map_or(64, |base| low_zeros(pool, base, MAX_NESTING));
    let period = zeros(base_a).min(zeros(base_b)).min(62);
    let common = (1 - i64::from(n)..i64::from(m)).filter(|d| (d ^ constant) & ((1 << period) - 1) == 0);
    Distance::Among(common.collect())
}

/// An index as something unknown plus a constant.
pub(crate) fn split(pool: &TermPool, index: TermId) -> (Option<TermId>, u64) {
    if let Some(value) = pool.value(index) {
        return (None, value as u64);
    }
    let term = pool.term(index);
    if term.op() == Some(Op::Add) {
        let (a, b) = (term.operand(0), term.operand(1));
        if let Some(constant) = pool.value(b) {
            return (Some(a), constant as u64);
        }
        if let Some(constant) = pool.value(a) {
            return (Some(b), constant as u64);
        }
    }
    (Some(index), 0)
}

/// How many low bits are certainly 0, up to 64.
pub(crate) fn low_zeros(pool: &TermPool, id: TermId, nesting: u32) -> u32 {
    let term = pool.term(id);
    if let Some(value) = pool.value(id) {
        return value.trailing_zeros().min(64);
    }
    let Kind::Op(op) = term.kind() else { return 0 };
    if nesting == 0 {
        return 0;
    }
    let of = |k: usize| low_zeros(pool, term.operand(k), nesting - 1);
    let zeros = match op {
        Op::Add | Op::Sub | Op::Or | Op::Xor => of(0).min(of(1)),
        Op::And => of(0).max(of(1)),
        Op::Mul => of(0) + of(1),
        Op::Shl => match pool.value(term.operand(1)) {
            Some(by) => of(0).saturating_add(by.min(64) as u32),
            None => of(0),
        },
        // All of the operand zero says nothing about the bits above it in a sign extension of 0 but that they are, too.
        Op::ZExt | Op::SExt => of(0),
        Op::Concat => {
            let low = pool.width(term.operand(1));
            match of(1) {
                zeros if zeros >= low => low + of(0),
                zeros => zeros,
            }
        }
        Op::Extract => of(0).saturating_sub(term.immediate()),
        Op::Ite => of(1).min(of(2)),
        _ => 0,
    };
    zeros.min(64)
}

/// The largest value it can have, as far as that can be seen.
pub(crate) fn bound(pool: &TermPool, id: TermId, nesting: u32) -> u128 {
    let term = pool.term(id);
    let all = mask(term.width());
    if let Some(value) = pool.value(id) {
        return value;
    }
    let Kind::Op(op) = term.kind() else { return all };
    if nesting == 0 {
        return all;
    }
    let of = |k: usize| bound(pool, term.operand(k), nesting - 1);
    let bound = match op {
        Op::ZExt => of(0),
        Op::Add => of(0).checked_add(of(1)).unwrap_or(all),
        Op::Mul => of(0).checked_mul(of(1)).unwrap_or(all),
        Op::Shl => match pool.value(term.operand(1)) {
            Some(by) if by < 64 => of(0).checked_mul(1 << by).unwrap_or(all),
            _ => all,
        },
        Op::And => of(0).min(of(1)),
        Op::URem => match pool.value(term.operand(1)) {
            Some(by) if by > 0 => by - 1,
            _ => of(0),
        },
        Op::UDiv => match pool.value(term.operand(1)) {
            Some(by) if by > 0 => of(0) / by,
            _ => all,
        },
        Op::LShr => match pool.value(term.operand(1)) {
            Some(by) if by < 128 => of(0) >> by,
            _ => of(0),
        },
        Op::Concat => of(0) << pool.width(term.operand(1)) | of(1),
        Op::Extract if term.immediate() == 0 => of(0),
        Op::Ite => of(1).max(of(2)),
        _ => all,
    };
    // What may have left the width may be anything.
    if bound > all { all } else { bound }
}

/// [`bound`] for whoever does not count.
pub(crate) fn largest(pool: &TermPool, id: TermId) -> u128 {
    bound(pool, id, MAX_NESTING)
}

/// [`low_zeros`] of an index and the value of the bits below: they are known.
pub(crate) fn known_low_bits(pool: &TermPool, index: TermId) -> (u32, u64) {
    let (base, constant) = split(pool, index);
    let zeros = base.map_or(64, |base| low_zeros(pool, base, MAX_NESTING)).min(63);
    (zeros, constant & ((1 << zeros) - 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{Names, parse};

    fn at(pool: &mut TermPool, text: &str) -> TermId {
        parse(pool, text, &Names::new()).expect("a term")
    }

    #[test]
    fn distances_of_accesses() {
        let mut pool = TermPool::new();
        let mut check = |a: &str, m: u32, b: &str, n: u32, expected: Distance| {
            let (first, second) = (at(&mut pool, a), at(&mut pool, b));
            assert_eq!(distance(&pool, (first, m), (second, n)), expected, "{a} {b}");
        };
        check("i0:64", 4, "(add i0:64 8:64)", 4, Distance::Known(8));
        check("3:64", 4, "1:64", 4, Distance::Known(-2));
        check("i0:64", 1, "i1:64", 1, Distance::Among(vec![0]));
        check("i0:64", 2, "i1:64", 1, Distance::Among(vec![0, 1]));
        check("(shl i0:64 2:64)", 4, "(shl i1:64 2:64)", 4, Distance::Among(vec![0]));
        check("(shl i0:64 2:64)", 4, "(add (shl i1:64 3:64) 4:64)", 4, Distance::Among(vec![0]));
        check("(shl i0:64 2:64)", 1, "(add (shl i1:64 3:64) 1:64)", 1, Distance::Among(vec![]));
        check("(shl i0:64 2:64)", 4, "(add (shl i1:64 3:64) 1:64)", 1, Distance::Among(vec![1]));
    }

    #[test]
    fn bounds() {
        let mut pool = TermPool::new();
        for (text, expected) in [
            ("(zext 64 i0:8)", 255),
            ("(shl (zext 64 i0:8) 2:64)", 1020),
            ("(and i0:64 7:64)", 7),
            ("(urem i0:64 10:64)", 9),
            ("(add (zext 64 i0:8) 1:64)", 256),
            ("i0:64", u128::from(u64::MAX)),
            ("(sext 64 i0:8)", u128::from(u64::MAX)),
            ("(lshr i0:64 60:64)", 15),
        ] {
            let id = at(&mut pool, text);
            assert_eq!(largest(&pool, id), expected, "{text}");
        }
    }
}
