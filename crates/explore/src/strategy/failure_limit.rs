//! Failed attempts to take branch sides. Some sides are infeasible wherever they are reached.
//!
//! A loop over a table of 256 entries reaches the same infeasible side 256 times in every run. After many failed
//! attempts without a success, a side is tried less and less often. Each further failure adds one opportunity to skip
//! before the next attempt. The limit is high, because most queries cost little, and a side that is infeasible on a
//! hundred paths may be feasible on the next one.

use std::collections::BTreeMap;

use super::{Action, Choice, Happened, Postponed, Side, Strategy, View};
use crate::tree::{OpenBranch, Tree, Untaken};

/// Postpones choices of another strategy whose side failed often. See the module's documentation.
pub(super) struct FailureLimit {
    inner: Box<dyn Strategy>,
    failures: Failures,
    /// The side that was chosen last.
    asked: Option<Side>,
}

impl FailureLimit {
    pub(super) fn new(inner: Box<dyn Strategy>) -> FailureLimit {
        FailureLimit { inner, failures: Failures::default(), asked: None }
    }
}

impl Strategy for FailureLimit {
    fn name(&self) -> &'static str {
        self.inner.name()
    }

    fn next(&mut self, view: &View<'_>) -> Option<Choice> {
        let mut choice = self.inner.next(view)?;
        if let Action::Try(branch) | Action::Resume(branch) | Action::Postpone(branch, _) = choice.action {
            self.asked = Some(side_of(branch, view.tree));
        }
        if let Action::Try(branch) = choice.action {
            let side = side_of(branch, view.tree);
            let is_uncovered = view.map.side(side).is_some_and(|side| !view.coverage.is_covered(side));
            if self.failures.skips(side, is_uncovered) {
                choice.action = Action::Postpone(branch, Postponed::Unlikely);
            }
        }
        Some(choice)
    }

    fn happened(&mut self, event: &Happened<'_>) {
        match event {
            Happened::Ran(added) => {
                if let Some(side) = self.asked.take().filter(|_| added.own) {
                    self.failures.taken(side);
                }
            }
            Happened::Untaken { why, .. } => {
                if let Some(side) = self.asked.take() {
                    self.failures.untaken(side, *why == Untaken::Unknown);
                }
            }
            Happened::Renumbered(_) => {}
        }
        self.inner.happened(event);
    }
}

fn side_of(branch: OpenBranch, tree: &Tree) -> Side {
    (tree.node(branch.node).site, branch.side_index)
}

/// Failed attempts by side.
#[derive(Clone, Debug, Default)]
struct Failures {
    sides: BTreeMap<Side, Record>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Record {
    /// Failed attempts since the side was last taken.
    failed: u32,
    /// Opportunities skipped since the last attempt.
    skipped: u32,
}

/// Failed attempts before a branch side is skipped; the second limit is for uncovered sides.
const PATIENCE: u32 = 20;
const PATIENCE_UNCOVERED: u32 = 100;
/// A query that the solver gave up on took long, so it counts as this many failed attempts.
const GIVEN_UP: u32 = 16;

impl Failures {
    /// Returns true if this opportunity should be skipped.
    fn skips(&mut self, side: Side, is_uncovered: bool) -> bool {
        let Some(record) = self.sides.get_mut(&side) else { return false };
        let to_skip = record.failed.saturating_sub(if is_uncovered { PATIENCE_UNCOVERED } else { PATIENCE });
        if record.skipped < to_skip {
            record.skipped += 1;
            return true;
        }
        record.skipped = 0;
        false
    }

    fn taken(&mut self, side: Side) {
        self.sides.remove(&side);
    }

    fn untaken(&mut self, side: Side, given_up: bool) {
        let record = self.sides.entry(side).or_default();
        record.failed = record.failed.saturating_add(if given_up { GIVEN_UP } else { 1 });
    }
}

#[cfg(test)]
mod tests {
    use tine_trace::event::Site;

    use super::*;

    /// Number of attempts to take an infeasible side, of this many opportunities.
    fn asked(n_opportunities: u32, is_uncovered: bool, given_up: bool) -> u32 {
        let (mut failures, side) = (Failures::default(), (Site(7), 1));
        let mut n_asked = 0;
        for _ in 0..n_opportunities {
            if !failures.skips(side, is_uncovered) {
                n_asked += 1;
                failures.untaken(side, given_up);
            }
        }
        n_asked
    }

    #[test]
    fn an_infeasible_side_is_tried_less_and_less_often() {
        assert_eq!(asked(20, false, false), 20, "a few failures do not count");
        assert!((50..80).contains(&asked(1000, false, false)));
        assert!((130..160).contains(&asked(1000, true, false)), "uncovered sides are tried more often");
        assert!(asked(1000, false, true) < 15, "sides that the solver gives up on are tried rarely");
    }

    #[test]
    fn a_taken_side_is_tried_again() {
        let (mut failures, side) = (Failures::default(), (Site(7), 1));
        (0..200).for_each(|_| failures.untaken(side, false));
        assert!(failures.skips(side, true));
        assert!(!failures.skips((Site(7), 0), false), "the other side has failures of its own");
        failures.taken(side);
        assert!((0..100).all(|_| !failures.skips(side, false)));
    }
}
