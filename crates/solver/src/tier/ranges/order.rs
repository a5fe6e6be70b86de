//! Cycles of orders: `z < x` after `x < y` and `y < z`, which are frequent in sorting.

use rustc_hash::{FxHashMap, FxHashSet};
use tine_expr::TermId;

/// Unsigned and signed orders are independent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Sign {
    Unsigned,
    Signed,
}

#[derive(Debug, Default)]
pub(super) struct Order {
    /// Terms that are greater than or equal to a term.
    above: FxHashMap<(Sign, TermId), Vec<TermId>>,
    strict: FxHashSet<(Sign, TermId, TermId)>,
    /// Pairs of terms that are not equal.
    apart: Vec<(TermId, TermId)>,
}

impl Order {
    /// Adds `a < b`, or `a ≤ b` if not strict.
    pub(super) fn add(&mut self, sign: Sign, a: TermId, b: TermId, strict: bool) {
        self.above.entry((sign, a)).or_default().push(b);
        if strict {
            self.strict.insert((sign, a, b));
        }
    }

    /// Adds `a ≠ b`.
    pub(super) fn differ(&mut self, a: TermId, b: TermId) {
        self.apart.push((a, b));
    }

    /// True if some term would be less than itself, or two different terms would have to be equal.
    pub(super) fn has_circle(&self) -> bool {
        let both = |sign, a, b| self.leads(sign, a, b) && self.leads(sign, b, a);
        self.strict.iter().any(|&(sign, a, b)| self.leads(sign, b, a))
            || self.apart.iter().any(|&(a, b)| both(Sign::Unsigned, a, b) || both(Sign::Signed, a, b))
    }

    fn leads(&self, sign: Sign, from: TermId, to: TermId) -> bool {
        let (mut seen, mut stack) = (FxHashSet::default(), vec![from]);
        while let Some(id) = stack.pop() {
            if id == to {
                return true;
            }
            if seen.insert(id) {
                stack.extend(self.above.get(&(sign, id)).into_iter().flatten());
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(pairs: &[(u32, u32, bool)]) -> Order {
        let mut order = Order::default();
        pairs.iter().for_each(|&(a, b, strict)| order.add(Sign::Unsigned, TermId(a), TermId(b), strict));
        order
    }

    #[test]
    fn circles_need_something_strict_and_one_sign() {
        assert!(order(&[(1, 2, true), (2, 3, false), (3, 1, false)]).has_circle());
        assert!(order(&[(1, 1, true)]).has_circle());
        assert!(!order(&[(1, 2, false), (2, 3, false), (3, 1, false)]).has_circle());
        assert!(!order(&[(1, 2, true), (2, 3, true), (1, 3, true)]).has_circle());
        let mut mixed = order(&[(1, 2, true)]);
        mixed.add(Sign::Signed, TermId(2), TermId(1), true);
        assert!(!mixed.has_circle());
        let mut apart = order(&[(1, 2, false), (2, 3, false), (3, 1, false), (3, 4, false)]);
        apart.differ(TermId(1), TermId(4));
        assert!(!apart.has_circle());
        apart.differ(TermId(1), TermId(3));
        assert!(apart.has_circle());
    }
}
