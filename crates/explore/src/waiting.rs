//! Postponed branch sides: strategies chose them, but they are tried later.
//!
//! ```text
//!   reason                               tried when                                order
//!   expensive: the strategy expects      the strategy resumes it, or no other      first in, first out
//!     too high a cost                      branch is open
//!   unlikely: the strategy expects       no other branch is open, and none         last in, first out
//!     no success                           is expensive
//!   given up by the solver               no branch is open: once more,             last in, first out
//!                                          with higher limits
//! ```
//! In the tree, sides of the first two kinds are put off, which counts as open. A side that the solver gave up on has
//! state unknown there, and its parent case is kept.

use std::collections::VecDeque;

use crate::job::Flip;
use crate::tree::{OpenBranch, Renumbered, State, Tree};

/// See the module's documentation.
#[derive(Debug, Default)]
pub(crate) struct Waiting {
    expensive: VecDeque<OpenBranch>,
    unlikely: Vec<OpenBranch>,
    given_up: Vec<(OpenBranch, Flip)>,
}

impl Waiting {
    pub(crate) fn add_expensive(&mut self, branch: OpenBranch, tree: &mut Tree) {
        tree.put_off(branch);
        self.expensive.push_back(branch);
    }

    pub(crate) fn add_unlikely(&mut self, branch: OpenBranch, tree: &mut Tree) {
        tree.put_off(branch);
        self.unlikely.push(branch);
    }

    pub(crate) fn add_given_up(&mut self, branch: OpenBranch, flip: Flip) {
        self.given_up.push((branch, flip));
    }

    /// The expensive side that has waited longest.
    pub(crate) fn first_expensive(&mut self, tree: &Tree) -> Option<OpenBranch> {
        while let Some(&branch) = self.expensive.front() {
            // A side that another run has taken no longer waits.
            if tree.state(branch) == State::PutOff {
                return Some(branch);
            }
            self.expensive.pop_front();
        }
        None
    }

    /// Makes the side of [`Waiting::first_expensive`] open again.
    pub(crate) fn resume_expensive(&mut self, branch: OpenBranch, tree: &mut Tree) {
        assert_eq!(self.expensive.pop_front(), Some(branch), "the first one is resumed");
        tree.put_back(branch);
    }

    /// The next postponed side, when no other is open. It is no longer put off.
    pub(crate) fn next(&mut self, tree: &mut Tree) -> Option<OpenBranch> {
        while let Some(branch) = self.expensive.pop_front().or_else(|| self.unlikely.pop()) {
            if tree.put_back(branch) {
                return Some(branch);
            }
        }
        None
    }

    pub(crate) fn has_given_up(&self) -> bool {
        !self.given_up.is_empty()
    }

    /// A side that the solver gave up on, for another attempt.
    pub(crate) fn next_given_up(&mut self) -> Option<(OpenBranch, Flip)> {
        self.given_up.pop()
    }

    /// Removes this side from those that the solver gave up on, if it is one of them.
    pub(crate) fn take_given_up(&mut self, branch: OpenBranch) -> Option<Flip> {
        let place = self.given_up.iter().position(|(given_up, _)| *given_up == branch)?;
        Some(self.given_up.remove(place).1)
    }

    /// Follows the new numbers of a compacted tree. Returns the jobs whose branches were folded.
    pub(crate) fn renumbered(&mut self, renumbered: &Renumbered<'_>) -> Vec<Flip> {
        self.expensive = self.expensive.iter().filter_map(|branch| renumbered.branch(*branch)).collect();
        self.unlikely = self.unlikely.iter().filter_map(|branch| renumbered.branch(*branch)).collect();
        let mut folded = Vec::new();
        self.given_up.retain_mut(|(branch, flip)| match renumbered.branch(*branch) {
            Some(now) => {
                *branch = now;
                true
            }
            None => {
                folded.push(*flip);
                false
            }
        });
        folded
    }
}

#[cfg(test)]
mod tests {
    use tine_trace::event::{EventKind, PREFIX_HASH_START, Site};

    use super::*;
    use crate::job::{CaseId, Decision, Prefix};
    use crate::tree::{NodeId, Path, Untaken};

    /// The other side of a decision.
    fn branch(node: u32) -> OpenBranch {
        OpenBranch { node: NodeId(node), side_index: 1 }
    }

    /// A tree of one run, which took the first side eight times.
    fn tree() -> Tree {
        let decision = |event| Decision {
            kind: EventKind::Branch,
            site: Site(0),
            side_index: 0,
            n_sides: 2,
            event,
            before: PREFIX_HASH_START,
            distance: 0,
        };
        let decisions: Vec<_> = (0..8).map(decision).collect();
        let (case, prefix) = (CaseId(1), Prefix::Whole);
        let mut tree = Tree::new(None);
        let path = Path { case, size: 1, prefix, decisions: &decisions, target: None, truncated: false };
        tree.insert(&path, |_| None);
        tree
    }

    #[test]
    fn the_expensive_comes_in_turn_then_the_unlikely_from_the_last() {
        let (mut tree, mut waiting) = (tree(), Waiting::default());
        for (expensive, unlikely) in [(5, 0), (1, 6), (3, 2)] {
            waiting.add_expensive(branch(expensive), &mut tree);
            waiting.add_unlikely(branch(unlikely), &mut tree);
        }
        tree.put_back(branch(6));
        let order: Vec<u32> = std::iter::from_fn(|| waiting.next(&mut tree)).map(|branch| branch.node.0).collect();
        assert_eq!(order, [5, 1, 3, 2, 0], "and what did not have to wait any more is none");
        assert!(order.iter().all(|node| tree.is_open(branch(*node))));
    }

    #[test]
    fn expensive_sides_resume_in_order() {
        let (mut tree, mut waiting) = (tree(), Waiting::default());
        for expensive in [2, 7, 5, 1] {
            waiting.add_expensive(branch(expensive), &mut tree);
        }
        tree.put_back(branch(7));
        for expected in [2, 5, 1] {
            assert_eq!(waiting.first_expensive(&tree), Some(branch(expected)));
            assert_eq!(waiting.first_expensive(&tree), Some(branch(expected)), "it waits until it is resumed");
            waiting.resume_expensive(branch(expected), &mut tree);
            assert!(tree.is_open(branch(expected)));
        }
        assert_eq!(waiting.first_expensive(&tree), None);
    }

    #[test]
    fn what_was_given_up_comes_from_the_last() {
        let (mut tree, mut waiting) = (tree(), Waiting::default());
        let flips = [4, 0, 3].map(|node| {
            let flip = tree.hand_out(branch(node));
            tree.resolve(branch(node), Untaken::Unknown);
            waiting.add_given_up(branch(node), flip);
            flip
        });
        assert_eq!(waiting.next(&mut tree), None);
        assert_eq!(waiting.take_given_up(branch(0)), Some(flips[1]));
        assert_eq!(waiting.take_given_up(branch(0)), None);
        assert_eq!(waiting.next_given_up(), Some((branch(3), flips[2])));
        assert!(waiting.has_given_up());
        assert_eq!(waiting.next_given_up(), Some((branch(4), flips[0])));
        assert!(!waiting.has_given_up());
    }
}
