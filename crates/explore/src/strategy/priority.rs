//! Branches by priority.

use std::collections::BinaryHeap;

use super::frontier::Frontier;
use super::random::Random;
use super::{Added, Choice, Happened, Strategy, View};
use crate::coverage::Coverage;
use crate::map::ProgramMap;
use crate::tree::{NodeId, Renumbered, Tree};

/// Each open decision gets a priority when it is first seen, and the highest priority is next (LCT §4.3). Decisions
/// with uncovered sides come before others, and equal decisions are ordered at random.
///
/// A share of the choices are random open branches, because decisions with a low priority would otherwise never be
/// tried.
#[derive(Clone, Debug)]
pub struct Priority {
    random: Random,
    frontier: Frontier,
    queue: BinaryHeap<(bool, u64, NodeId)>,
    /// Percentage of random choices.
    share: u32,
}

impl Priority {
    /// LCT's percentage of random choices.
    pub const SHARE: u32 = 20;

    /// Chooses at random in `share` percent of all cases.
    pub fn new(seed: u64, share: u32, by_calls: bool) -> Priority {
        Priority { random: Random::new(seed), frontier: Frontier::new(by_calls), queue: BinaryHeap::new(), share }
    }
}

/// True if some side of the decision is uncovered.
fn leads_to_new(node: NodeId, tree: &Tree, map: &ProgramMap, coverage: &Coverage) -> bool {
    let branch = map.site(tree.node(node).site).and_then(|site| site.branch);
    branch.is_some_and(|branch| map.branch(branch).sides().any(|side| !coverage.is_covered(side)))
}

impl Strategy for Priority {
    fn name(&self) -> &'static str {
        "priority"
    }

    fn next(&mut self, view: &View<'_>) -> Option<Choice> {
        let View { tree, map, coverage, .. } = *view;
        if self.random.below(100) >= self.share as usize {
            while let Some((new, number, node)) = self.queue.peek().copied() {
                let Some(branch) = tree.next_open(node, 0) else {
                    self.queue.pop();
                    continue;
                };
                if new && !leads_to_new(node, tree, map, coverage) {
                    self.queue.pop();
                    self.queue.push((false, number, node));
                    continue;
                }
                return Some(branch.into());
            }
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

impl Priority {
    fn renumbered(&mut self, renumbered: &Renumbered<'_>) {
        let queue = self.queue.iter().filter_map(|(new, number, node)| Some((*new, *number, renumbered.open(*node)?)));
        self.queue = queue.collect();
        self.frontier.renumbered(renumbered);
    }

    fn inserted(&mut self, added: &Added<'_>) {
        let tree = added.tree;
        self.frontier.add(added.inserted, tree);
        for node in added.inserted.nodes().filter(|node| tree.n_open_of(*node) > 0) {
            if !self.frontier.waits(node, tree) {
                let new = leads_to_new(node, tree, added.map, added.coverage);
                self.queue.push((new, self.random.number(), node));
            }
        }
    }
}
