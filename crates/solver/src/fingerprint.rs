//! Fingerprints of terms and queries: 128 bits that depend on the contents of a term and not on its number in a pool.
//! They identify equal queries across runs.

use tine_expr::{Kind, PoolIdentity, TermId, TermPool};
use tine_trace::op::Op;

/// Fingerprints of the terms of one pool, computed on demand.
#[derive(Debug, Default)]
pub(crate) struct Fingerprints {
    pool: Option<PoolIdentity>,
    /// Fingerprints by the term's number; 0 means not computed yet.
    known: Vec<u128>,
    todo: Vec<TermId>,
}

impl Fingerprints {
    /// Returns the fingerprint of a query as a set. It does not depend on order, repetition, or which term is the goal.
    /// The terms must be sorted, or without repetitions.
    pub(crate) fn of_query(&mut self, pool: &TermPool, terms: impl IntoIterator<Item = TermId>) -> u128 {
        terms.into_iter().fold(0, |sum: u128, id| sum.wrapping_add(self.of(pool, id)))
    }

    pub(crate) fn of(&mut self, pool: &TermPool, root: TermId) -> u128 {
        let identity = pool.identity();
        if self.pool.as_ref() != Some(&identity) {
            self.known.clear();
            self.pool = Some(identity);
        }
        if self.known.len() < pool.len() {
            self.known.resize(pool.len(), 0);
        }
        self.todo.push(root);
        while let Some(&id) = self.todo.last() {
            if self.known[id.0 as usize] != 0 {
                self.todo.pop();
                continue;
            }
            let before = self.todo.len();
            let known = &self.known;
            self.todo.extend(pool.term(id).operands().filter(|operand| known[operand.0 as usize] == 0));
            if self.todo.len() == before {
                self.known[id.0 as usize] = self.compute(pool, id);
                self.todo.pop();
            }
        }
        self.known[root.0 as usize]
    }

    /// Computes a fingerprint from the known fingerprints of the operands.
    fn compute(&self, pool: &TermPool, id: TermId) -> u128 {
        let term = pool.term(id);
        let kind = match term.kind() {
            Kind::Op(op) => op as u128,
            Kind::Table => 253,
            Kind::Select => 254,
            Kind::Store => 255,
        };
        let mut mixed = mix(kind << 32 | u128::from(term.width()) << 8 | 1);
        match term.kind() {
            Kind::Op(Op::Const) => mixed = mix(mixed ^ pool.value(id).unwrap_or(0)),
            Kind::Op(Op::Input) => {
                if let Some(view) = term.input() {
                    mixed = mix(mixed ^ (u128::from(view.input) << 32 | u128::from(view.offset)));
                }
            }
            Kind::Table => {
                for chunk in pool.table_bytes(id).map_or(&[][..], |bytes| bytes).chunks(16) {
                    let word = chunk.iter().fold(0, |word, &byte| word << 8 | u128::from(byte));
                    mixed = mix(mixed ^ word ^ (chunk.len() as u128) << 121);
                }
            }
            Kind::Op(_) | Kind::Select | Kind::Store => {
                mixed = mix(mixed ^ u128::from(term.immediate()));
                for operand in term.operands() {
                    mixed = mix(mixed ^ self.known[operand.0 as usize]);
                }
            }
        }
        mixed.max(1)
    }
}

/// Two rounds of multiplying and folding, so that each bit of the result depends on all bits of `x`.
fn mix(x: u128) -> u128 {
    const ODD: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;
    let x = (x ^ x >> 67).wrapping_mul(ODD);
    let x = (x ^ x >> 61).wrapping_mul(ODD.rotate_left(43) | 1);
    x ^ x >> 64
}

#[cfg(test)]
mod tests {
    use rustc_hash::FxHashMap;
    use tine_expr::testing::{EVERYTHING, Random, random_terms};
    use tine_expr::text::{Names, parse_raw, print};

    use super::*;

    /// Different terms have different fingerprints, and a term has the same fingerprint in every pool.
    #[test]
    fn fingerprints_are_of_terms_not_of_numbers() {
        let mut seen = FxHashMap::default();
        for seed in 0..300 {
            let (mut random, mut pool) = (Random::new(seed), TermPool::new());
            random_terms(&mut random, &mut pool, &EVERYTHING);
            let (mut fingerprints, mut other) = (Fingerprints::default(), Fingerprints::default());
            let mut others = TermPool::new();
            others.input(9, 9, 64);
            for id in (0..pool.len() as u32).map(TermId) {
                let text = print(&pool, id, &Names::new());
                let fingerprint = fingerprints.of(&pool, id);
                assert_eq!(seen.entry(fingerprint).or_insert_with(|| text.clone()), &text, "seed {seed}");
                if pool.width(id) > 0 {
                    let same = parse_raw(&mut others, &text, &Names::new()).unwrap();
                    assert_eq!(other.of(&others, same), fingerprint, "seed {seed}: {text}");
                }
            }
        }
        assert!(seen.len() > 10_000, "{}", seen.len());
    }
}
