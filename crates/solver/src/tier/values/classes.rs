//! Values of a byte that the rest of a query distinguishes.
//!
//! Results that depend on one byte only are tables of 256 entries. Values with equal results form a class, and only one
//! of them needs to be tried. Tables of character classes, as in scanners, leave few classes:
//!
//! ```text
//!   next[state][class_of[c]]      class_of['0'] = class_of['1'] = … = DIGIT      one try for each row of `class_of`
//! ```

use std::rc::Rc;

use rustc_hash::FxHashMap;
use tine_expr::{TermId, TermPool};

use crate::tier::bytes::{Set, Tables};

/// Maximum number of stored classes, each at most 16 KiB for each result and byte.
const MAX_KNOWN: usize = 2_048;

/// Results that depend on a single byte and are combined with others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Own {
    /// The byte itself, as a part of a wider input.
    Byte,
    Term(TermId),
}

#[derive(Debug)]
pub(super) struct Classes {
    /// Class of each value of the byte.
    class_of: [u8; 256],
    /// Results of each class, one for each requested term.
    results: Vec<Box<[u128]>>,
}

impl Classes {
    fn new(pool: &TermPool, tables: &mut Tables, owns: &[Own]) -> Option<Classes> {
        let results = |own: &Own| match *own {
            Own::Byte => Some(Rc::new(std::array::from_fn(|value| value as u128))),
            Own::Term(id) => tables.results(pool, id),
        };
        let results = owns.iter().map(results).collect::<Option<Vec<_>>>()?;
        let mut numbers: FxHashMap<Box<[u128]>, u8> = FxHashMap::default();
        let mut classes = Classes { class_of: [0; 256], results: Vec::new() };
        for value in 0..256 {
            let results: Box<[u128]> = results.iter().map(|results| results[value]).collect();
            // There are at most as many classes as values.
            let next = classes.results.len() as u8;
            classes.class_of[value] = *numbers.entry(results).or_insert_with_key(|results| {
                classes.results.push(results.clone());
                next
            });
        }
        Some(classes)
    }

    /// Returns a value of each class that has one in `set`, with its class: `first` if possible, otherwise the least.
    pub(super) fn tries(&self, set: Set, first: u8) -> Vec<(u8, u8)> {
        let mut is_met = vec![false; self.results.len()];
        let mut tries = Vec::new();
        for value in set.values(first) {
            let class = self.class_of[usize::from(value)];
            if !std::mem::replace(&mut is_met[usize::from(class)], true) {
                tries.push((value, class));
            }
        }
        tries
    }

    pub(super) fn results(&self, class: u8) -> &[u128] {
        &self.results[usize::from(class)]
    }
}

/// Classes by the results computed from the byte, which are the same in most queries.
#[derive(Default)]
pub(super) struct Known {
    classes: FxHashMap<Box<[Own]>, Option<Rc<Classes>>>,
}

impl Known {
    /// Returns the classes, or `None` if their evaluation takes too long.
    pub(super) fn classes(&mut self, pool: &TermPool, tables: &mut Tables, owns: &[Own]) -> Option<Rc<Classes>> {
        if let Some(known) = self.classes.get(owns) {
            return known.clone();
        }
        let classes = Classes::new(pool, tables, owns).map(Rc::new);
        if self.classes.len() >= MAX_KNOWN {
            self.classes.clear();
        }
        self.classes.insert(owns.into(), classes.clone());
        classes
    }

    pub(super) fn clear(&mut self) {
        self.classes.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_with_equal_results_are_one_class() {
        let mut pool = TermPool::new();
        let table = pool.table((0..=u8::MAX).map(|c| if c.is_ascii_digit() { 1 } else { 0 }).collect::<Vec<u8>>());
        let byte = pool.input(3, 5, 8);
        let index = pool.zext(byte, 64);
        let class = pool.select(table, index, 8);
        let (mut known, mut tables) = (Known::default(), Tables::default());
        let classes = known.classes(&pool, &mut tables, &[Own::Term(class)]).expect("classes");
        assert_eq!(classes.tries(Set::ALL, b'7'), [(b'7', 1), (0, 0)]);
        assert_eq!(classes.tries(Set::ALL, b'x'), [(b'x', 0), (b'0', 1)]);
        let mut digits = Set::NONE;
        (b'2'..b'5').for_each(|digit| digits.add(digit));
        assert_eq!(classes.tries(digits, b'x'), [(b'2', 1)]);
        assert_eq!((classes.results(0), classes.results(1)), (&[0][..], &[1][..]));
        let all = known.classes(&pool, &mut tables, &[Own::Term(class), Own::Byte]).expect("classes");
        assert_eq!(all.tries(Set::ALL, 0).len(), 256);
        assert_eq!(known.classes(&pool, &mut tables, &[]).expect("classes").tries(Set::ALL, 9), [(9, 0)]);
    }
}
