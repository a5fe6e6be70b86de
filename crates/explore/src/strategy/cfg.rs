//! CREST's search along the control-flow graph.

use std::collections::{BTreeMap, BTreeSet};

use super::frontier::Later;
use super::random::Random;
use super::{Added, Choice, Happened, Side, Strategy, View};
use crate::graph::{Distances, FAR};
use crate::tree::{NodeId, OpenBranch, Renumbered, Tree};

/// Forces the branch of the current path whose other side has the fewest decisions to an uncovered side. Each failed
/// attempt counts as one more decision (CREST §4.3). From the resulting run the search follows edges of the graph that
/// do not exceed this distance. A run with new coverage becomes the current path. When no branch of the current path
/// leads to an uncovered side, the branches of all paths are considered in the same way.
#[derive(Clone, Debug)]
pub struct Cfg {
    random: Random,
    later: Later,
    distances: Option<Distances>,
    tries: BTreeMap<Side, u32>,
    /// Open decisions of the current path.
    path: Vec<NodeId>,
    /// Open decisions of all paths, by the side that they would take.
    open: BTreeMap<Side, Vec<NodeId>>,
    /// Branches with which the search continues along the graph, the next one last, each with the number of decisions
    /// that may follow.
    along: Vec<(OpenBranch, u32)>,
    /// The side that was forced first, while the search continues from there.
    forced: Option<Side>,
    /// Number of decisions that may follow the side chosen last.
    allowed: u32,
}

impl Cfg {
    /// Creates the strategy.
    pub fn new(seed: u64, by_calls: bool) -> Cfg {
        Cfg {
            random: Random::new(seed),
            later: Later::new(by_calls),
            distances: None,
            tries: BTreeMap::new(),
            path: Vec::new(),
            open: BTreeMap::new(),
            along: Vec::new(),
            forced: None,
            allowed: 0,
        }
    }

    /// Cost of a side: its distance from an uncovered side plus the number of failed attempts. Low is better.
    fn score(&self, side: Side) -> u32 {
        let distance = self.distances.as_ref().map_or(FAR, |distances| distances.of_side(side.0, side.1));
        distance.saturating_add(self.tries.get(&side).copied().unwrap_or(0))
    }

    /// Returns the best open branch of the current path, and a random one among equals.
    fn of_path(&mut self, tree: &Tree) -> Option<(u32, OpenBranch)> {
        self.path.retain(|node| tree.next_open(*node, 0).is_some());
        let mut best = Vec::new();
        let mut least = FAR;
        for node in &self.path {
            for branch in open_of(*node, tree) {
                let score = self.score((tree.node(*node).site, branch.side_index));
                if score < least {
                    best.clear();
                    least = score;
                }
                if score == least && score < FAR {
                    best.push(branch);
                }
            }
        }
        if best.is_empty() { None } else { Some((least, best[self.random.below(best.len())])) }
    }

    /// The best open branch of all paths.
    fn of_all(&mut self, tree: &Tree) -> Option<(u32, OpenBranch)> {
        let best = self.open.keys().copied().min_by_key(|side| self.score(*side))?;
        if let Some(found) = self.of_side(best, tree) {
            return Some(found);
        }
        // Go through the sides in order of their scores, which avoids a new search after each side without open
        // branches.
        let mut sides: Vec<(u32, Side)> = self.open.keys().map(|side| (self.score(*side), *side)).collect();
        sides.sort_unstable();
        sides.into_iter().find_map(|(_, side)| self.of_side(side, tree))
    }

    /// Returns any open branch that would take a side. Removes the side if there is none.
    fn of_side(&mut self, side: Side, tree: &Tree) -> Option<(u32, OpenBranch)> {
        let nodes = self.open.get_mut(&side)?;
        while !nodes.is_empty() {
            let place = self.random.below(nodes.len());
            let branch = OpenBranch { node: nodes[place], side_index: side.1 };
            if tree.is_open(branch) {
                return Some((self.score(side), branch));
            }
            nodes.swap_remove(place);
        }
        self.open.remove(&side);
        None
    }

    /// Counts a failed attempt for the forced side, because no continuation reached an uncovered side.
    fn give_up(&mut self) {
        if let Some(side) = self.forced.take() {
            *self.tries.entry(side).or_default() += 1;
        }
    }
}

fn open_of(node: NodeId, tree: &Tree) -> impl Iterator<Item = OpenBranch> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let branch = tree.next_open(node, from)?;
        from = branch.side_index + 1;
        Some(branch)
    })
}

impl Strategy for Cfg {
    fn name(&self) -> &'static str {
        "cfg"
    }

    fn next(&mut self, view: &View<'_>) -> Option<Choice> {
        let tree = view.tree;
        while let Some((branch, allowed)) = self.along.pop() {
            if tree.is_open(branch) {
                self.allowed = allowed;
                return Some(branch.into());
            }
        }
        self.give_up();
        let Some((score, branch)) = self.of_path(tree).or_else(|| self.of_all(tree)) else {
            return self.later.next(tree).map(Choice::from);
        };
        self.forced = Some((tree.node(branch.node).site, branch.side_index));
        self.allowed = score;
        Some(branch.into())
    }

    fn happened(&mut self, event: &Happened<'_>) {
        match event {
            Happened::Ran(added) => self.inserted(added),
            Happened::Untaken { .. } => self.untaken(),
            Happened::Renumbered(renumbered) => self.renumbered(renumbered),
        }
    }
}

impl Cfg {
    fn renumbered(&mut self, renumbered: &Renumbered<'_>) {
        renumbered.retain(&mut self.path);
        for nodes in self.open.values_mut() {
            renumbered.retain(nodes);
        }
        self.open.retain(|_, nodes| !nodes.is_empty());
        let along = self.along.iter().filter(|(branch, _)| renumbered.open(branch.node).is_some());
        self.along = along.filter_map(|(branch, allowed)| Some((renumbered.branch(*branch)?, *allowed))).collect();
        self.later.renumbered(renumbered);
    }

    fn inserted(&mut self, added: &Added<'_>) {
        let tree = added.tree;
        let distances = self.distances.get_or_insert_with(|| Distances::new(added.map, added.coverage));
        distances.cover(added.covered);
        let nodes = self.later.sift(added.inserted, tree);
        for node in &nodes {
            for branch in open_of(*node, tree) {
                self.open.entry((tree.node(*node).site, branch.side_index)).or_default().push(*node);
            }
        }
        if self.path.is_empty() || !added.covered.is_empty() {
            self.tries.clear();
            self.along.clear();
            self.forced = None;
            let open = |node: &&NodeId| tree.n_open_of(**node) > 0 && !self.later.waits(**node, tree);
            self.path = tree.last_path().iter().filter(open).copied().collect();
        } else if added.own && self.allowed > 0 && self.allowed < FAR {
            let mut seen = BTreeSet::new();
            let mut along = Vec::new();
            for branch in nodes.iter().flat_map(|node| open_of(*node, tree)) {
                let side = (tree.node(branch.node).site, branch.side_index);
                let distance = self.distances.as_ref().map_or(FAR, |distances| distances.of_side(side.0, side.1));
                // The first round of a loop is sufficient.
                if distance < self.allowed && seen.insert(side) {
                    along.push((branch, self.allowed - 1));
                }
            }
            self.along.extend(along.into_iter().rev());
        }
    }

    fn untaken(&mut self) {
        if self.along.is_empty() {
            self.give_up();
        }
    }
}
