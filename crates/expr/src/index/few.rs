//! Possible values of a term, if there are few: the pointers in a table, the offset of an element. The result may
//! contain impossible values, but no possible value is missing.

use std::collections::BTreeSet;

use tine_trace::eval::{concat, integer, mask};
use tine_trace::op::Op;

use super::MAX_NESTING;
use crate::pool::TermPool;
use crate::term::{Kind, Term, TermId};

/// Maximum number of values.
const MAX_VALUES: usize = 40;
/// Terms of at most this many bits may have any value.
const MAX_BITS: u32 = 5;
/// Maximum number of terms and pairs of values that are looked at.
const FUEL: u32 = 20_000;

type Values = BTreeSet<u64>;

/// Returns all values that a term of at most 64 bits can have, if there are few.
pub(crate) fn few_values(pool: &TermPool, id: TermId) -> Option<Values> {
    Search { pool, fuel: FUEL }.values(id, MAX_NESTING)
}

struct Search<'a> {
    pool: &'a TermPool,
    fuel: u32,
}

impl Search<'_> {
    fn spend(&mut self, amount: usize) -> Option<()> {
        self.fuel = self.fuel.checked_sub(u32::try_from(amount).ok()?)?;
        Some(())
    }

    fn values(&mut self, id: TermId, nesting: u32) -> Option<Values> {
        let pool = self.pool;
        let term = pool.term(id);
        let width = term.width();
        self.spend(1)?;
        if let Some(value) = pool.value(id).filter(|_| width <= 64) {
            return Some(Values::from([value as u64]));
        }
        if (1..=MAX_BITS).contains(&width) {
            return Some((0..1 << width).collect());
        }
        if nesting == 0 || width > 64 {
            return None;
        }
        let op = match term.kind() {
            Kind::Op(op) => op,
            Kind::Select => return self.read(&term, nesting - 1),
            Kind::Table | Kind::Store => return None,
        };
        let values = match op {
            Op::Ite => {
                let mut values = self.values(term.operand(1), nesting - 1)?;
                values.extend(self.values(term.operand(2), nesting - 1)?);
                values
            }
            Op::Not | Op::ZExt | Op::SExt | Op::Extract => {
                let from = pool.width(term.operand(0));
                let low = if op == Op::Extract { term.immediate() } else { 0 };
                let result = |a: u64| integer(op, width, from, u128::from(a), u128::from(low), 0);
                let operand = self.values(term.operand(0), nesting - 1)?;
                operand.into_iter().map(|a| result(a).map(|value| value as u64)).collect::<Option<Values>>()?
            }
            Op::URem if self.constant(&term).is_some_and(|by| (1..=MAX_VALUES as u64).contains(&by)) => {
                (0..self.constant(&term)?).collect()
            }
            Op::And if self.constant(&term).is_some_and(|bits| bits.count_ones() <= MAX_BITS) => {
                let bits = self.constant(&term)?;
                std::iter::successors(Some(bits), |value| (*value > 0).then(|| (value - 1) & bits)).collect()
            }
            Op::Concat => {
                let low_width = pool.width(term.operand(1));
                self.pairs(&term, nesting, |high, low| Some(concat(low_width, high, low)))?
            }
            Op::Add | Op::Sub | Op::Mul | Op::And | Op::Or | Op::Xor | Op::Shl | Op::LShr | Op::UDiv | Op::URem => {
                self.pairs(&term, nesting, |a, b| integer(op, width, width, a, b, 0))?
            }
            _ => return None,
        };
        (values.len() <= MAX_VALUES).then_some(values)
    }

    /// Returns the second operand if it is a constant.
    fn constant(&self, term: &Term) -> Option<u64> {
        self.pool.value(term.operand(1)).map(|value| value as u64)
    }

    fn pairs(&mut self, term: &Term, nesting: u32, result: impl Fn(u128, u128) -> Option<u128>) -> Option<Values> {
        let first = self.values(term.operand(0), nesting - 1)?;
        let second = self.values(term.operand(1), nesting - 1)?;
        self.spend(first.len() * second.len())?;
        let mut values = Values::new();
        for &a in &first {
            for &b in &second {
                values.insert(result(u128::from(a), u128::from(b))? as u64);
            }
        }
        Some(values)
    }

    /// Returns the values of an array at an index with few possible values.
    fn read(&mut self, select: &Term, nesting: u32) -> Option<Values> {
        let pool = self.pool;
        let (index, width) = (select.operand(1), select.width());
        let size = u64::from(width / 8);
        let indices = self.values(index, nesting)?;
        let mut values = Values::new();
        let mut array = select.operand(0);
        while pool.term(array).kind() == Kind::Store {
            let store = pool.term(array);
            let (at, value) = (store.operand(1), store.operand(2));
            let stored = u64::from(pool.width(value) / 8);
            let places = self.values(at, nesting)?;
            self.spend(places.len() * indices.len())?;
            let apart = |i: &u64, at: &u64| i.wrapping_sub(*at) >= stored && at.wrapping_sub(*i) >= size;
            if places.iter().any(|at| indices.iter().any(|i| !apart(i, at))) {
                if stored != size || places.iter().any(|at| indices.iter().any(|i| i != at && !apart(i, at))) {
                    return None;
                }
                values.extend(self.values(value, nesting)?);
            }
            array = store.operand(0);
        }
        let bytes = pool.table_bytes(array)?;
        let byte = |at: u64| usize::try_from(at).ok().and_then(|at| bytes.get(at)).copied().unwrap_or(0);
        let word = |at: u64| (0..size).rev().fold(0, |word, k| word << 8 | u64::from(byte(at.wrapping_add(k))));
        values.extend(indices.into_iter().map(|at| word(at) & mask(width) as u64));
        (values.len() <= MAX_VALUES).then_some(values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{Names, parse};

    #[test]
    fn values_that_are_few() {
        let mut pool = TermPool::new();
        let mut check = |text: &str, expected: Option<&[u64]>| {
            let id = parse(&mut pool, text, &Names::new()).expect("a term");
            let values = few_values(&pool, id).map(|values| values.into_iter().collect::<Vec<u64>>());
            assert_eq!(values.as_deref(), expected, "{text}");
        };
        check("7:64", Some(&[7]));
        check("i0:64", None);
        check("(urem i0:64 3:64)", Some(&[0, 1, 2]));
        check("(and i0:64 10:64)", Some(&[0, 2, 8, 10]));
        check("(mul (urem i0:64 3:64) 24:64)", Some(&[0, 24, 48]));
        check("(sub (mul (urem i0:64 3:64) 24:64) 8:64)", Some(&[16, 40, u64::MAX - 7]));
        check("(ite (ult i0:64 9:64) 3:64 (and i1:64 1:64))", Some(&[0, 1, 3]));
        check("(zext 64 (select 8 (table 0a0b0c) (urem i0:64 3:64)))", Some(&[10, 11, 12]));
        check("(zext 64 (select 8 (table 0a0b) (urem i0:64 3:64)))", Some(&[0, 10, 11]));
        check(
            "(zext 64 (select 8 (store (table 0a0b0c) (urem i1:64 2:64) 9:8) (urem i0:64 3:64)))",
            Some(&[9, 10, 11, 12]),
        );
        check("(zext 64 (select 8 (store (table 0a0b0c) (urem i1:64 2:64) 9:16) (urem i0:64 3:64)))", None);
        check("(zext 64 (select 8 (store (table 0a0b0c) i1:64 9:8) (urem i0:64 3:64)))", Some(&[9, 10, 11, 12]));
        check("(zext 64 (select 8 (store (table 0a0b0c) 5:64 i2:8) (urem i0:64 3:64)))", Some(&[10, 11, 12]));
    }
}
