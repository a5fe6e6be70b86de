//! Failed attempts to take branch sides. Some sides are infeasible wherever they are reached.
//!
//! A loop over a table of 256 entries reaches the same infeasible side 256 times in every run. After many failed
//! attempts without a success, a side is tried less and less often. Each further failure adds one opportunity to skip
//! before the next attempt. The limit is high, because most queries cost little, and a side that is infeasible on a
//! hundred paths may be feasible on the next one.

use std::collections::BTreeMap;

use tine_trace::event::Site;

/// A side of a decision in the code.
pub(super) type Side = (Site, u16);

#[derive(Clone, Debug, Default)]
pub(super) struct Hopes {
    sides: BTreeMap<Side, Hope>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Hope {
    /// Failed attempts since the side was last taken.
    in_vain: u32,
    /// Opportunities skipped since the last attempt.
    passed: u32,
}

/// Failed attempts before a branch side is skipped; the second limit is for uncovered sides.
const PATIENCE: u32 = 20;
const PATIENCE_WANTED: u32 = 100;
/// A query that the solver gave up on took long, so it counts as this many failed attempts.
const GIVEN_UP: u32 = 16;

impl Hopes {
    /// Returns true if this opportunity should be skipped. `wanted` sides are uncovered.
    pub(super) fn passes(&mut self, side: Side, wanted: bool) -> bool {
        let Some(hope) = self.sides.get_mut(&side) else { return false };
        let to_pass = hope.in_vain.saturating_sub(if wanted { PATIENCE_WANTED } else { PATIENCE });
        if hope.passed < to_pass {
            hope.passed += 1;
            return true;
        }
        hope.passed = 0;
        false
    }

    pub(super) fn taken(&mut self, side: Side) {
        self.sides.remove(&side);
    }

    pub(super) fn untaken(&mut self, side: Side, given_up: bool) {
        let hope = self.sides.entry(side).or_default();
        hope.in_vain = hope.in_vain.saturating_add(if given_up { GIVEN_UP } else { 1 });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Number of attempts to take an infeasible side, of this many opportunities.
    fn asked(n_occasions: u32, wanted: bool, given_up: bool) -> u32 {
        let (mut hopes, side) = (Hopes::default(), (Site(7), 1));
        let mut n_asked = 0;
        for _ in 0..n_occasions {
            if !hopes.passes(side, wanted) {
                n_asked += 1;
                hopes.untaken(side, given_up);
            }
        }
        n_asked
    }

    #[test]
    fn the_hopeless_is_asked_for_less_and_less_often() {
        assert_eq!(asked(20, false, false), 20, "a few times in vain are nothing");
        assert!((50..80).contains(&asked(1000, false, false)));
        assert!((130..160).contains(&asked(1000, true, false)), "what nobody has covered, more often");
        assert!(asked(1000, false, true) < 15, "what takes long, seldom");
    }

    #[test]
    fn what_was_taken_is_asked_for_again() {
        let (mut hopes, side) = (Hopes::default(), (Site(7), 1));
        (0..200).for_each(|_| hopes.untaken(side, false));
        assert!(hopes.passes(side, true));
        assert!(!hopes.passes((Site(7), 0), false), "the other side is another matter");
        hopes.taken(side);
        assert!((0..100).all(|_| !hopes.passes(side, false)));
    }
}
