//! Results of terms that depend on one byte, for each of its values.
//!
//! ```text
//!   c                 0 1 2 3 …
//!   class_of[c]       9 9 9 8 …        a table of 256 results, kept
//!   class_of[c] == 8  0 0 0 1 …        one bit each: a set of values
//! ```
//!
//! Tables of operands are computed once, so another comparison of the same table entry costs 256 comparisons.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use tine_expr::{Kind, Term, TermId, TermPool, node_value};
use tine_trace::eval::mask;
use tine_trace::op::Op;

use super::set::Set;

/// Maximum number of terms and array stores per condition. Arrays with long histories exceed it.
const MAX_STEPS: usize = 1 << 13;
/// Maximum number of stored tables (16 MiB) and sets.
const MAX_TABLES: usize = 1 << 12;
const MAX_SETS: usize = 1 << 16;

/// Results by value of the byte.
pub(in crate::tier) type Results = Rc<[u128; 256]>;

#[derive(Default)]
pub(crate) struct Tables {
    tables: FxHashMap<TermId, Results>,
    /// Sets of one-bit terms; `None` if the computation took too long.
    sets: FxHashMap<TermId, Option<Set>>,
    /// Total number of terms looked at.
    steps: usize,
}

impl Tables {
    /// Returns the values of its single byte for which a condition holds, or `None` if the computation takes too long.
    pub(in crate::tier) fn set(&mut self, pool: &TermPool, condition: TermId) -> Option<Set> {
        if let Some(&known) = self.sets.get(&condition) {
            return known;
        }
        self.make_room();
        if self.make(pool, condition).is_none() {
            self.sets.insert(condition, None);
        }
        self.sets[&condition]
    }

    /// Returns the results of a term of one byte, or `None` as above.
    pub(in crate::tier) fn results(&mut self, pool: &TermPool, id: TermId) -> Option<Results> {
        if pool.width(id) == 1 {
            let set = self.set(pool, id)?;
            return Some(Rc::new(std::array::from_fn(|value| u128::from(set.has(value as u8)))));
        }
        if !self.tables.contains_key(&id) {
            // The result is used as an operand of other terms. A failed computation is recorded, so that it is not
            // repeated.
            if self.sets.contains_key(&id) {
                return None;
            }
            self.make_room();
            if self.make(pool, id).is_none() {
                self.sets.insert(id, None);
            }
        }
        self.tables.get(&id).cloned()
    }

    pub(crate) fn clear(&mut self) {
        self.tables.clear();
        self.sets.clear();
    }

    #[cfg(test)]
    pub(in crate::tier) fn steps(&self) -> usize {
        self.steps
    }

    fn make_room(&mut self) {
        if self.tables.len() >= MAX_TABLES {
            self.tables.clear();
        }
        if self.sets.len() >= MAX_SETS {
            self.sets.clear();
        }
    }

    /// Computes the table of a term and the tables that it needs.
    fn make(&mut self, pool: &TermPool, root: TermId) -> Option<()> {
        let mut left = MAX_STEPS;
        // Uses an explicit stack instead of recursion, because terms can be as deep as paths are long.
        let mut stack = vec![root];
        while let Some(&id) = stack.last() {
            if self.is_known(pool, id)? {
                stack.pop();
                continue;
            }
            let term = pool.term(id);
            let n_before = stack.len();
            let mut n_looks = 1;
            let mut need = |operand: TermId| {
                if !self.is_known(pool, operand)? {
                    stack.push(operand);
                }
                Some(())
            };
            if term.kind() == Kind::Select {
                need(term.operand(1))?;
                for store in stores(pool, &term) {
                    n_looks += 1;
                    need(store.operand(1))?;
                    need(store.operand(2))?;
                }
            } else {
                term.operands().try_for_each(need)?;
            }
            self.steps += n_looks;
            left = left.checked_sub(n_looks)?;
            if stack.len() == n_before {
                self.compute(pool, id, &term)?;
                stack.pop();
            }
        }
        Some(())
    }

    /// True if a term's results are known; `None` if their computation takes too long.
    fn is_known(&self, pool: &TermPool, id: TermId) -> Option<bool> {
        match self.sets.get(&id) {
            Some(None) => None,
            Some(Some(_)) => Some(true),
            None => Some(pool.value(id).is_some() && pool.width(id) != 1 || self.tables.contains_key(&id)),
        }
    }

    /// Computes the results of a term from known results of its operands.
    fn compute(&mut self, pool: &TermPool, id: TermId, term: &Term) -> Option<()> {
        let mut results = [0; 256];
        match term.kind() {
            Kind::Table | Kind::Store => return None,
            Kind::Op(Op::Const) => results.fill(pool.value(id)?),
            Kind::Op(Op::Input) => {
                let mask = mask(term.width());
                (0..).zip(&mut results).for_each(|(value, result)| *result = value & mask);
            }
            Kind::Op(op) => {
                let from = pool.width(term.operand(0));
                let operands: Vec<Operand<'_>> = term.operands().map(|id| self.operand(pool, id)).collect();
                let immediate = (op.shape().immediates > 0).then(|| u128::from(term.immediate()));
                for (value, result) in results.iter_mut().enumerate() {
                    let mut fields = [0; 4];
                    for (field, operand) in fields.iter_mut().zip(&operands) {
                        *field = operand.at(value);
                    }
                    if let Some(immediate) = immediate {
                        fields[operands.len()] = immediate;
                    }
                    *result = node_value(op, term.width(), from, fields[0], fields[1], fields[2])?;
                }
            }
            Kind::Select => self.select(pool, term, &mut results)?,
        }
        if term.width() == 1 {
            let values = (0..=u8::MAX).zip(results).filter(|(_, result)| *result != 0);
            let mut set = Set::NONE;
            values.for_each(|(value, _)| set.add(value));
            self.sets.insert(id, Some(set));
        } else {
            self.tables.insert(id, Rc::new(results));
        }
        Some(())
    }

    fn select(&self, pool: &TermPool, term: &Term, results: &mut [u128; 256]) -> Option<()> {
        let index = self.operand(pool, term.operand(1));
        let stores: Vec<(Operand<'_>, Operand<'_>, u64)> = stores(pool, term)
            .map(|store| {
                let n_bytes = u64::from(pool.width(store.operand(2)) / 8);
                (self.operand(pool, store.operand(1)), self.operand(pool, store.operand(2)), n_bytes)
            })
            .collect();
        let table = pool.table_bytes(oldest(pool, term.operand(0)))?;
        for (value, result) in results.iter_mut().enumerate() {
            for k in 0..u64::from(term.width() / 8) {
                let at = (index.at(value) as u64).wrapping_add(k);
                let stored = stores.iter().find_map(|(place, stored, n_bytes)| {
                    let offset = at.wrapping_sub(place.at(value) as u64);
                    (offset < *n_bytes).then(|| stored.at(value) >> (offset * 8) & 0xff)
                });
                let below = || usize::try_from(at).ok().and_then(|at| table.get(at)).map_or(0, |&b| u128::from(b));
                *result |= stored.unwrap_or_else(below) << (8 * k);
            }
        }
        Some(())
    }

    fn operand(&self, pool: &TermPool, id: TermId) -> Operand<'_> {
        if let Some(Some(set)) = self.sets.get(&id) {
            return Operand::Bit(*set);
        }
        match pool.value(id) {
            Some(value) => Operand::Constant(value),
            None => Operand::Table(&self.tables[&id]),
        }
    }
}

enum Operand<'a> {
    Constant(u128),
    Bit(Set),
    Table(&'a [u128; 256]),
}

impl Operand<'_> {
    fn at(&self, value: usize) -> u128 {
        match self {
            Operand::Constant(constant) => *constant,
            Operand::Bit(set) => u128::from(set.has(value as u8)),
            Operand::Table(results) => results[value],
        }
    }
}

/// The stores below a read, the newest first.
fn stores<'p>(pool: &'p TermPool, select: &Term) -> impl Iterator<Item = Term> + use<'p> {
    let mut array = select.operand(0);
    std::iter::from_fn(move || {
        let store = pool.term(array);
        (store.kind() == Kind::Store).then(|| {
            array = store.operand(0);
            store
        })
    })
}

/// The table below all stores.
fn oldest(pool: &TermPool, mut array: TermId) -> TermId {
    while pool.term(array).kind() == Kind::Store {
        array = pool.term(array).operand(0);
    }
    array
}

#[cfg(test)]
mod tests {
    use tine_expr::testing::{Random, SMALL, random_terms};
    use tine_expr::{Assignment, Evaluator};

    use super::*;

    /// Compares every random term of one byte with the evaluator.
    #[test]
    fn tables_are_what_evaluation_says() {
        let (mut n, mut evaluator) = (0, Evaluator::new());
        for seed in 0..300 {
            let (mut random, mut pool) = (Random::new(seed), TermPool::new());
            let terms = random_terms(&mut random, &mut pool, &SMALL);
            let mut tables = Tables::default();
            for id in terms.into_iter().flat_map(|pair| [pair.0, pair.1]) {
                let Some((input, offset)) = pool.only_byte(id) else { continue };
                if pool.width(id) == 0 || !matches!(pool.term(id).kind(), Kind::Op(_) | Kind::Select) {
                    continue;
                }
                let results = tables.results(&pool, id).expect("small terms");
                let mut assignment = Assignment::new();
                for value in 0..=u8::MAX {
                    assignment.set(input, offset, value);
                    let right = evaluator.with(&pool, &assignment).eval(id);
                    assert_eq!(results[usize::from(value)], right, "seed {seed}, {id:?} of {value}");
                }
                n += 1;
            }
        }
        assert!(n > 300, "{n}");
    }
}
