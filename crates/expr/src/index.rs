//! Facts about array indices, derived without a solver: distances between indices, their low bits, and upper bounds.
//! The facts are cheap to compute and sound: an unknown value may be anything.

mod few;

use tine_trace::eval::mask;
use tine_trace::op::Op;

use crate::pool::TermPool;
use crate::term::{Kind, TermId};

pub(crate) use few::few_values;

/// Maximum nesting of terms that are looked at.
const MAX_NESTING: u32 = 12;

/// Relation of two accesses: `d` is the second index minus the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Distance {
    Known(i64),
    /// The distance is one of these, or the accesses share no byte.
    Among(Vec<i64>),
}

/// The distance from an access of `m` bytes at `at` to one of `n` bytes at `index`.
pub(crate) fn distance(pool: &TermPool, (at, m): (TermId, u32), (index, n): (TermId, u32)) -> Distance {
    let ((base_a, a), (base_b, b)) = (split(pool, at), split(pool, index));
    let constant = b.wrapping_sub(a) as i64;
    if base_a == base_b {
        return Distance::Known(constant);
    }
    if let (Some(first), Some(second)) = (extent(pool, (base_a, a), m), extent(pool, (base_b, b), n))
        && (first.1 <= second.0 || second.1 <= first.0)
    {
        return Distance::Among(Vec::new());
    }
    let (first, second) = (known_low_bits(pool, at), known_low_bits(pool, index));
    let period = first.0.min(second.0).min(62);
    let apart = second.1.wrapping_sub(first.1) as i64;
    let common = (1 - i64::from(n)..i64::from(m)).filter(|d| (d ^ apart) & ((1 << period) - 1) == 0);
    Distance::Among(common.collect())
}

/// Range of an access of `n` bytes: its lowest start and highest end, if it does not wrap around.
fn extent(pool: &TermPool, (base, constant): (Option<TermId>, u64), n: u32) -> Option<(u128, u128)> {
    let least = u128::from(constant);
    let end = least + base.map_or(0, |base| largest(pool, base)) + u128::from(n);
    (end <= 1 << 64).then_some((least, end))
}

/// Splits an index into an unknown term and a constant.
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

/// Known low bits: their number and their values. The other bits of the value are 0.
type Low = (u32, u64);

/// Nothing is known.
const UNKNOWN: Low = (0, 0);
/// Number of known low bits that distinguishes the elements of most tables.
const ENOUGH: u32 = 3;
/// Maximum number of terms and table words that are looked at for one index.
const FUEL: u32 = 1000;

/// Returns the known low bits of an index, at most 63.
pub(crate) fn known_low_bits(pool: &TermPool, index: TermId) -> Low {
    let mut fuel = FUEL;
    let (mut n, mut bits) = low_bits(pool, index, MAX_NESTING, &mut fuel);
    if n < ENOUGH
        && let Some(values) = few_values(pool, index)
    {
        (n, bits) = values.into_iter().map(|value| (64, value)).reduce(either).unwrap_or(UNKNOWN);
    }
    (n.min(63), bits & low_mask(n.min(63)))
}

fn low_mask(n: u32) -> u64 {
    mask(n.min(64)) as u64
}

/// Returns the facts that hold for both.
fn either((n, a): Low, (m, b): Low) -> Low {
    let same = n.min(m).min((a ^ b).trailing_zeros());
    (same, a & low_mask(same))
}

fn low_bits(pool: &TermPool, id: TermId, nesting: u32, fuel: &mut u32) -> Low {
    let term = pool.term(id);
    if let Some(value) = pool.value(id) {
        return (64, value as u64);
    }
    *fuel = fuel.saturating_sub(1);
    if nesting == 0 || *fuel == 0 {
        return UNKNOWN;
    }
    let op = match term.kind() {
        Kind::Op(op) => op,
        Kind::Select => return low_bits_read(pool, id, nesting - 1, fuel),
        Kind::Table | Kind::Store => return UNKNOWN,
    };
    let mut of = |k: usize| low_bits(pool, term.operand(k), nesting - 1, fuel);
    let (n, bits) = match op {
        Op::Add | Op::Sub | Op::Xor => {
            let ((n, a), (m, b)) = (of(0), of(1));
            let bits = match op {
                Op::Add => a.wrapping_add(b),
                Op::Sub => a.wrapping_sub(b),
                _ => a ^ b,
            };
            (n.min(m), bits)
        }
        Op::Mul => {
            let ((n, a), (m, b)) = (of(0), of(1));
            let zeros = |n: u32, bits: u64| bits.trailing_zeros().min(n);
            ((n + zeros(m, b)).min(m + zeros(n, a)), a.wrapping_mul(b))
        }
        // A bit is known if both operands are known, or one is known and decides.
        Op::And => {
            let ((n, a), (m, b)) = (of(0), of(1));
            let known = (low_mask(n) & low_mask(m)) | (low_mask(n) & !a) | (low_mask(m) & !b);
            (known.trailing_ones(), a & b)
        }
        Op::Or => {
            let ((n, a), (m, b)) = (of(0), of(1));
            let known = (low_mask(n) & low_mask(m)) | a | b;
            (known.trailing_ones(), a | b)
        }
        Op::Shl => match pool.value(term.operand(1)) {
            Some(by) if by < 64 => {
                let (n, bits) = of(0);
                (n + by as u32, bits << by)
            }
            _ => UNKNOWN,
        },
        Op::ZExt | Op::SExt => {
            let (n, bits) = of(0);
            (n.min(pool.width(term.operand(0))), bits)
        }
        Op::Concat => {
            let low = pool.width(term.operand(1));
            match of(1) {
                (n, bits) if n >= low && low < 64 => {
                    let (m, high) = of(0);
                    (low + m, (bits & low_mask(low)) | high << low)
                }
                known => known,
            }
        }
        Op::Extract => {
            let (n, bits) = of(0);
            let from = term.immediate();
            if from < 64 { (n.saturating_sub(from), bits >> from) } else { UNKNOWN }
        }
        Op::Ite => either(of(1), of(2)),
        _ => UNKNOWN,
    };
    let n = n.min(64).min(term.width());
    (n, bits & low_mask(n))
}

/// Returns the low bits of the value that a `Select` reads: those common to all values that may be at its index. They
/// are known only if the low bits of the index distinguish elements.
fn low_bits_read(pool: &TermPool, id: TermId, nesting: u32, fuel: &mut u32) -> Low {
    let term = pool.term(id);
    let (index, size) = (term.operand(1), u64::from(term.width() / 8));
    let (n, first) = low_bits(pool, index, nesting, fuel);
    let n = n.min(32);
    let (stride, first) = (1u64 << n, first & low_mask(n));
    if stride < size {
        return UNKNOWN;
    }
    let mut known: Option<Low> = None;
    let mut array = term.operand(0);
    while pool.term(array).kind() == Kind::Store {
        let store = pool.term(array);
        let (at, value) = (store.operand(1), store.operand(2));
        let (m, start) = low_bits(pool, at, nesting, fuel);
        let stride = low_mask(n.min(m)) + 1;
        let apart = first.wrapping_sub(start) & (stride - 1);
        let stored = u64::from(pool.width(value) / 8);
        let may_meet = stride < stored.max(size) || apart < stored || stride - apart < size;
        if may_meet {
            if apart != 0 || stored != size || stride < size {
                return UNKNOWN;
            }
            let bits = low_bits(pool, value, nesting, fuel);
            known = Some(known.map_or(bits, |known| either(known, bits)));
        }
        array = store.operand(0);
    }
    let Some(bytes) = pool.table_bytes(array) else { return UNKNOWN };
    let n_words = (bytes.len() as u64).div_ceil(stride);
    if n_words >= u64::from(*fuel) {
        return UNKNOWN;
    }
    *fuel -= n_words as u32;
    let byte = |at: u64| bytes.get(at as usize).copied().unwrap_or(0);
    let word = |at: u64| (0..size.min(8)).rev().fold(0, |word, k| word << 8 | u64::from(byte(at + k)));
    // Memory outside of the table is zero. An access that begins outside may end inside, because indices wrap around.
    let outside = largest(pool, index) + u128::from(size) > bytes.len() as u128;
    if outside && first + size > stride {
        return UNKNOWN;
    }
    let words = (0..n_words).map(|k| word(first + k * stride)).chain(outside.then_some(0));
    let all = words.map(|word| (64, word)).chain(known).reduce(either);
    let (n, bits) = all.unwrap_or(UNKNOWN);
    let n = n.min(term.width());
    (n, bits & low_mask(n))
}

/// Returns an upper bound on the value of a term.
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
    // A value that may have exceeded the width may be anything.
    if bound > all { all } else { bound }
}

/// [`bound`] with the maximum nesting.
pub(crate) fn largest(pool: &TermPool, id: TermId) -> u128 {
    bound(pool, id, MAX_NESTING)
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
        check("(add (zext 64 i0:8) 112:64)", 1, "368:64", 8, Distance::Among(vec![]));
        check("(add (zext 64 i0:8) 112:64)", 1, "367:64", 1, Distance::Among(vec![0]));
        check("(add (zext 64 i0:8) 112:64)", 2, "104:64", 8, Distance::Among(vec![]));
        check("(add i0:64 112:64)", 1, "104:64", 1, Distance::Among(vec![0]));
    }

    #[test]
    fn low_bits_that_are_known() {
        let mut pool = TermPool::new();
        let mut check = |text: &str, expected: Low| {
            let id = at(&mut pool, text);
            assert_eq!(known_low_bits(&pool, id), expected, "{text}");
        };
        check("i0:64", (0, 0));
        check("5:64", (63, 5));
        check("(add (shl i0:64 3:64) 5:64)", (3, 5));
        check("(sub 5:64 (shl i0:64 3:64))", (3, 5));
        check("(mul (shl i0:64 1:64) 12:64)", (3, 0));
        check("(mul (add (shl i0:64 2:64) 1:64) 6:64)", (3, 6));
        check("(and i0:64 0xfffffffffffffff0:64)", (4, 0));
        check("(or (shl i0:64 4:64) 3:64)", (4, 3));
        check("(or i0:64 3:64)", (2, 3));
        check("(zext 64 (shl i0:8 3:8))", (3, 0));
        check("(ite (ult i0:64 9:64) (shl i1:64 3:64) (add (shl i1:64 4:64) 4:64))", (2, 0));
        check("(extract 2 64 (zext 128 (shl i0:64 4:64)))", (2, 0));
        check("(concat (shl i0:32 1:32) 7:32)", (33, 7));
        // Values of a table, or stored into it.
        let index = "(zext 64 (shl (and i0:8 3:8) 1:8))";
        check(&format!("(zext 64 (select 16 (table 0400140024003400) {index}))"), (4, 4));
        check(&format!("(zext 64 (select 16 (table 040014002400) {index}))"), (2, 0));
        check("(zext 64 (select 16 (table 0400140024003400) i0:64))", (0, 0));
        check("(zext 64 (select 16 (table 0400140024003400) (shl i0:64 1:64)))", (2, 0));
        check("(zext 64 (select 16 (table 0400140024003400) (add (shl i0:64 1:64) 1:64)))", (0, 0));
        let store = |value: &str, to: &str| format!("(store (table 0400140024003400) {to} {value})");
        let read = |array: &str| format!("(zext 64 (select 16 {array} {index}))");
        check(&read(&store("(shl i1:16 3:16)", "(shl i2:64 1:64)")), (2, 0));
        check(&read(&store("(add (shl i1:16 3:16) 4:16)", "(shl i2:64 1:64)")), (3, 4));
        check(&read(&store("(add (shl i1:16 3:16) 4:16)", "(shl i2:64 0:64)")), (0, 0));
        check(&read(&store("i1:8", "(shl i2:64 1:64)")), (0, 0));
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
