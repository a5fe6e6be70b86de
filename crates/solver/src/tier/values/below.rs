//! The terms below the conditions of a query, each with the bytes it depends on as a bit mask.

use rustc_hash::FxHashMap;
use tine_expr::{Kind, TermId, TermPool};
use tine_trace::op::Op;

use crate::tier::bytes::Place;
use crate::tier::ranges::terms_below;

/// Maximum number of terms of a query.
const MAX_TERMS: usize = 4_000;

pub(super) struct Below {
    /// Terms, operands first.
    pub(super) terms: Vec<TermId>,
    bits: FxHashMap<TermId, u64>,
    bit_of: FxHashMap<Place, u32>,
}

impl Below {
    /// Returns `None` if there are too many terms. Bit k stands for the k-th of `places`, which contain all bytes.
    pub(super) fn new(pool: &TermPool, conditions: &[TermId], places: &[Place]) -> Option<Below> {
        let terms = terms_below(pool, conditions, MAX_TERMS)?;
        let bit_of: FxHashMap<Place, u32> = places.iter().copied().zip(0..).collect();
        let mut bits: FxHashMap<TermId, u64> = FxHashMap::default();
        bits.reserve(terms.len());
        for &id in &terms {
            let term = pool.term(id);
            let own = match term.kind() {
                Kind::Op(Op::Input) => {
                    let view = term.input()?;
                    let bit = |k: u32| bit_of.get(&(view.input, view.offset + k)).map(|bit| 1u64 << bit);
                    (0..view.n_bytes()).map(bit).try_fold(0, |all, bit| Some(all | bit?))?
                }
                _ => term.operands().fold(0, |all, operand| all | bits[&operand]),
            };
            bits.insert(id, own);
        }
        Some(Below { terms, bits, bit_of })
    }

    pub(super) fn bit_of(&self, place: Place) -> Option<u32> {
        self.bit_of.get(&place).copied()
    }

    pub(super) fn bits(&self, id: TermId) -> u64 {
        self.bits[&id]
    }

    /// Returns the bytes in the order in which they are combined with others. A loop over a string combines its bytes
    /// one after the other, in either direction. Bytes that are never combined come last.
    pub(super) fn in_order_of_use(&self, n_places: usize) -> Vec<u32> {
        let (mut order, mut met) = (Vec::with_capacity(n_places), 0u64);
        let mixed = self.terms.iter().map(|id| self.bits[id]).filter(|bits| bits.count_ones() > 1);
        for bits in mixed.chain([u64::MAX >> (64 - n_places.max(1))]) {
            order.extend(ones(bits & !met));
            met |= bits;
        }
        order.truncate(n_places);
        order
    }
}

/// Returns the numbers of the set bits, the lowest first.
pub(super) fn ones(bits: u64) -> impl Iterator<Item = u32> {
    std::iter::successors(Some(bits), |bits| Some(bits & bits.wrapping_sub(1)))
        .take_while(|bits| *bits != 0)
        .map(u64::trailing_zeros)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_in_the_order_in_which_they_are_put_together() {
        let mut pool = TermPool::new();
        let places: Vec<Place> = (0..5).map(|offset| (0, offset)).collect();
        let mut state = pool.input(0, 3, 8);
        for offset in [1, 2, 0] {
            let byte = pool.input(0, offset, 8);
            state = pool.xor(state, byte);
            state = pool.add(state, byte);
        }
        let zero = pool.constant(8, 0);
        let condition = pool.eq(state, zero);
        let below = Below::new(&pool, &[condition], &places).expect("few terms");
        assert_eq!(below.in_order_of_use(5), [1, 3, 2, 0, 4]);
        assert_eq!(below.bits(condition), 0b1111);
        assert_eq!(below.bits(zero), 0);
        let none = Below::new(&pool, &[], &[]).expect("no terms");
        assert_eq!(none.in_order_of_use(0), [0; 0]);
        assert!(Below::new(&pool, &[condition], &places[..2]).is_none(), "not all places");
    }
}
