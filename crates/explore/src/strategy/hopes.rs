//! What became of the sides that were asked for: some cannot be taken wherever they are met.
//!
//! A loop over a table of 256 entries meets the same hopeless side 256 times in every run. A side that was asked for in vain
//! many times, and never with success since, is asked for less and less often: the more it was in vain, the more
//! occasions are let pass before the next. Many times, because most questions cost little, and a side that is out of reach
//! on a hundred paths may be open on the next.

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
    /// Times it was asked for in vain since it was last taken.
    in_vain: u32,
    /// Occasions let pass since it was last asked for.
    passed: u32,
}

/// Times in vain after which occasions are let pass, and of sides that nobody has covered.
const PATIENCE: u32 = 20;
const PATIENCE_WANTED: u32 = 100;
/// What the solver gave up on took long: so many times in vain.
const GIVEN_UP: u32 = 16;

impl Hopes {
    /// Whether to let this occasion pass. `wanted` sides are those that nobody has covered.
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

    /// How often a hopeless side is asked for on so many occasions.
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
