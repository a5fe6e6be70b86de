//! Decisions near a violation of a specification.

use std::collections::BTreeMap;

use tine_trace::event::MAX_DISTANCE;

use super::frontier::Frontier;
use super::random::Random;
use super::{Added, Choice, Happened, Side, Strategy, View};
use crate::coverage::Coverage;
use crate::map::ProgramMap;
use crate::tree::{NodeId, OpenBranch, Renumbered, State, Tree};

/// Takes open decisions by their distance to a violation. Some choices are random, so that the search does not stay
/// where the violation only seems near (LCT §5).
///
/// Among all open branch sides, uncovered ones come first: an undiscovered violation mostly lies after uncovered code.
/// A branch side that was chosen often at one distance waits until it was chosen at the next distance.
#[derive(Clone, Debug)]
pub struct NearViolation {
    random: Random,
    frontier: Frontier,
    /// Goals by distance and branch side.
    goals: BTreeMap<(u8, Side), Goal>,
    /// Percentage of random choices.
    share: u32,
}

#[derive(Clone, Debug, Default)]
struct Goal {
    n_asked: u32,
    /// Decisions at which the side may be open.
    nodes: Vec<NodeId>,
}

/// Maximum number of stored decisions per goal.
const MAX_NODES: usize = 256;
/// Maximum number of decisions without open sides that one choice looks at.
const MAX_MISSES: u32 = 32;
/// Number of times that a branch side is chosen at one distance before the same side at the next distance.
const PATIENCE: u32 = 4;

impl NearViolation {
    /// LCT's share of random choices.
    pub const SHARE: u32 = 20;

    /// Chooses at random in `share` percent of all cases.
    pub fn new(seed: u64, share: u32, by_calls: bool) -> NearViolation {
        let frontier = Frontier::new(by_calls);
        NearViolation { random: Random::new(seed), frontier, goals: BTreeMap::new(), share }
    }

    fn nearest(&mut self, tree: &Tree, map: &ProgramMap, coverage: &Coverage) -> Option<OpenBranch> {
        for _ in 0..MAX_MISSES {
            let open = self.goals.iter().filter(|(_, goal)| !goal.nodes.is_empty());
            let is_covered = |side| map.side(side).is_none_or(|side| coverage.is_covered(side));
            let rank = |distance: u8, goal: &Goal| u32::from(distance) * PATIENCE + goal.n_asked;
            let (&key, _) = open.min_by_key(|((distance, side), goal)| (is_covered(*side), rank(*distance, goal)))?;
            let goal = self.goals.get_mut(&key).expect("found above");
            let node = goal.nodes.swap_remove(self.random.below(goal.nodes.len()));
            let branch = OpenBranch { node, side_index: key.1.1 };
            if tree.state(branch) == State::Open {
                goal.n_asked += 1;
                return Some(branch);
            }
        }
        None
    }
}

impl Strategy for NearViolation {
    fn name(&self) -> &'static str {
        "spec"
    }

    fn next(&mut self, view: &View<'_>) -> Option<Choice> {
        let View { tree, map, coverage, .. } = *view;
        let is_random = self.random.below(100) < self.share as usize;
        let nearest = if is_random { None } else { self.nearest(tree, map, coverage) };
        nearest.or_else(|| self.frontier.draw(&mut self.random, tree)).map(Choice::from)
    }

    fn happened(&mut self, event: &Happened<'_>) {
        match event {
            Happened::Ran(added) => self.inserted(added),
            Happened::Untaken { .. } => {}
            Happened::Renumbered(renumbered) => self.renumbered(renumbered),
        }
    }
}

impl NearViolation {
    fn renumbered(&mut self, renumbered: &Renumbered<'_>) {
        for goal in self.goals.values_mut() {
            goal.nodes = goal.nodes.iter().filter_map(|node| renumbered.open(*node)).collect();
        }
        self.frontier.renumbered(renumbered);
    }

    fn inserted(&mut self, added: &Added<'_>) {
        let tree = added.tree;
        self.frontier.add(added.inserted, tree);
        for node in added.inserted.nodes().filter(|node| tree.n_open_of(*node) > 0) {
            if self.frontier.waits(node, tree) {
                continue;
            }
            let view = tree.node(node);
            let distance = if view.distance == 0 { MAX_DISTANCE } else { view.distance };
            for side_index in 0..view.n_sides {
                let branch = OpenBranch { node, side_index };
                if !tree.is_open(branch) {
                    continue;
                }
                let goal = self.goals.entry((distance, (view.site, side_index))).or_default();
                if goal.nodes.len() == MAX_NODES {
                    goal.nodes.swap_remove(self.random.below(MAX_NODES));
                }
                goal.nodes.push(node);
            }
        }
    }
}
