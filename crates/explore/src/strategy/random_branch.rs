//! CREST's random branch search.

use super::frontier::{Frontier, draw_side};
use super::random::Random;
use super::{Added, Choice, Happened, Strategy, View};
use crate::tree::{NodeId, Renumbered};

/// Forces any branch of the current path. The resulting path becomes the current one (CREST §3.2). After some runs
/// without new coverage, or when nothing of the path is open, it continues from any open branch of all paths.
#[derive(Clone, Debug)]
pub struct RandomBranch {
    random: Random,
    frontier: Frontier,
    /// Decisions of the current path that may have open sides.
    path: Vec<NodeId>,
    /// Consecutive runs without new coverage, and in `patience` their limit.
    in_vain: u32,
    patience: u32,
}

impl RandomBranch {
    /// Default of `patience`.
    pub const PATIENCE: u32 = 100;

    /// Leaves a path after `patience` runs without new coverage.
    pub fn new(seed: u64, patience: u32, by_calls: bool) -> RandomBranch {
        RandomBranch {
            random: Random::new(seed),
            frontier: Frontier::new(by_calls),
            path: Vec::new(),
            in_vain: 0,
            patience: patience.max(1),
        }
    }
}

impl Strategy for RandomBranch {
    fn name(&self) -> &'static str {
        "random-branch"
    }

    fn next(&mut self, view: &View<'_>) -> Option<Choice> {
        let tree = view.tree;
        if self.in_vain >= self.patience {
            self.in_vain = 0;
            self.path.clear();
        }
        while !self.path.is_empty() {
            let place = self.random.below(self.path.len());
            if let Some(branch) = draw_side(self.path[place], &mut self.random, tree) {
                return Some(branch.into());
            }
            self.path.swap_remove(place);
        }
        self.frontier.draw(&mut self.random, tree).map(Choice::from)
    }

    fn happened(&mut self, event: &Happened<'_>) {
        match event {
            Happened::Ran(added) => self.inserted(added),
            Happened::Untaken { .. } => {}
            Happened::Renumbered(renumbered) => self.renumbered(renumbered),
        }
    }
}

impl RandomBranch {
    fn renumbered(&mut self, renumbered: &Renumbered<'_>) {
        renumbered.retain(&mut self.path);
        self.frontier.renumbered(renumbered);
    }

    fn inserted(&mut self, added: &Added<'_>) {
        self.frontier.add(added.inserted, added.tree);
        if !added.own && !self.path.is_empty() && added.covered.is_empty() {
            return;
        }
        self.in_vain = if added.covered.is_empty() { self.in_vain + 1 } else { 0 };
        let open = |node: &&NodeId| added.tree.n_open_of(**node) > 0 && !self.frontier.waits(**node, added.tree);
        self.path = added.tree.last_path().iter().filter(open).copied().collect();
    }
}
