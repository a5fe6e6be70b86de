//! Decisions near a violation of a specification.

use std::collections::{BTreeMap, BTreeSet};

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
/// Decisions come first that follow something new: a side that no run had taken this often at this distance. Violations
/// need a certain order of events, which a program allows only in certain states of its own. Counts of the sides on a
/// path tell many of these states apart. Among all other open branch sides, uncovered ones come first: an undiscovered
/// violation mostly lies after uncovered code. A branch side that was chosen often at one distance waits until it was
/// chosen at the next distance.
#[derive(Clone, Debug)]
pub struct NearViolation {
    random: Random,
    frontier: Frontier,
    /// Goals by distance and branch side.
    goals: BTreeMap<(u8, Side), Goal>,
    /// Distances, sides, and how often a path has taken the side (in powers of two), that runs have reached.
    reached: BTreeSet<(u8, Side, u32)>,
    /// Open sides soon after the first run that reached something, with their distances.
    fresh: Vec<(u8, OpenBranch)>,
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
/// Number of decisions after something new that are tried early.
const SOON: u32 = 6;
/// Maximum number of open sides among these.
const MAX_FRESH: usize = 4096;

impl NearViolation {
    /// LCT's share of random choices.
    pub const SHARE: u32 = 20;

    /// Chooses at random in `share` percent of all cases.
    pub fn new(seed: u64, share: u32, by_calls: bool) -> NearViolation {
        let frontier = Frontier::new(by_calls);
        NearViolation {
            random: Random::new(seed),
            frontier,
            goals: BTreeMap::new(),
            reached: BTreeSet::new(),
            fresh: Vec::new(),
            share,
        }
    }

    /// The nearest of the decisions after something new, the last one first.
    fn newest(&mut self, tree: &Tree) -> Option<OpenBranch> {
        while let Some((index, _)) =
            self.fresh.iter().enumerate().min_by_key(|(index, (distance, _))| (*distance, std::cmp::Reverse(*index)))
        {
            let (_, branch) = self.fresh.remove(index);
            if tree.state(branch) == State::Open {
                return Some(branch);
            }
        }
        None
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
        let nearest = if is_random { None } else { self.newest(tree).or_else(|| self.nearest(tree, map, coverage)) };
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
        let kept = |&(distance, branch): &(u8, OpenBranch)| Some((distance, renumbered.branch(branch)?));
        self.fresh = self.fresh.iter().filter_map(kept).collect();
        self.frontier.renumbered(renumbered);
    }

    fn inserted(&mut self, added: &Added<'_>) {
        let tree = added.tree;
        self.frontier.add(added.inserted, tree);
        let mut counts = BTreeMap::new();
        let first = added.inserted.nodes().next();
        for side in first.into_iter().flat_map(|node| sides_before(node, tree)) {
            *counts.entry(side).or_insert(0_u32) += 1;
        }
        let (mut soon, mut fresh) = (0, Vec::new());
        for (number, node) in added.inserted.nodes().enumerate() {
            let view = tree.node(node);
            let distance = if view.distance == 0 { MAX_DISTANCE } else { view.distance };
            if let Some(side) = view.parent.map(|parent| (tree.node(parent.node).site, parent.side_index)) {
                let count = counts.entry(side).or_insert(0);
                *count += u32::from(number > 0);
                if self.reached.insert((distance, side, count.ilog2())) {
                    soon = SOON;
                }
            }
            if tree.n_open_of(node) == 0 || self.frontier.waits(node, tree) {
                continue;
            }
            for branch in (0..view.n_sides).map(|side_index| OpenBranch { node, side_index }) {
                if tree.is_open(branch) {
                    fresh.extend((soon > 0).then_some((distance, branch)));
                    self.goal(distance, (view.site, branch.side_index), node);
                }
            }
            soon = soon.saturating_sub(1);
        }
        // The last one is tried first.
        self.fresh.extend(fresh.into_iter().rev());
        self.fresh.drain(..self.fresh.len().saturating_sub(MAX_FRESH));
    }

    fn goal(&mut self, distance: u8, side: Side, node: NodeId) {
        let goal = self.goals.entry((distance, side)).or_default();
        if goal.nodes.len() == MAX_NODES {
            goal.nodes.swap_remove(self.random.below(MAX_NODES));
        }
        goal.nodes.push(node);
    }
}

/// The sides taken on the path to a decision.
fn sides_before(node: NodeId, tree: &Tree) -> impl Iterator<Item = Side> {
    let before = |branch: &OpenBranch| tree.node(branch.node).parent;
    std::iter::successors(tree.node(node).parent, before).map(|taken| (tree.node(taken.node).site, taken.side_index))
}
