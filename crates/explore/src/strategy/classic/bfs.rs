//! Breadth first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::super::frontier::Later;
use super::super::{Added, Choice, Happened, Strategy, View};
use crate::tree::{NodeId, Renumbered};

/// The open decision with the fewest decisions before it comes first (LCT §4.3). Constraints are short, and nothing
/// near the start is forgotten.
#[derive(Clone, Debug, Default)]
pub struct Bfs {
    /// Open decisions by depth, then in the order of runs.
    queue: BinaryHeap<Reverse<(u32, NodeId)>>,
    later: Later,
}

impl Bfs {
    /// Creates the strategy.
    pub fn new(by_calls: bool) -> Bfs {
        Bfs { queue: BinaryHeap::new(), later: Later::new(by_calls) }
    }
}

impl Strategy for Bfs {
    fn name(&self) -> &'static str {
        "bfs"
    }

    fn next(&mut self, view: &View<'_>) -> Option<Choice> {
        let tree = view.tree;
        while let Some(Reverse((_, node))) = self.queue.peek() {
            if let Some(branch) = tree.next_open(*node, 0) {
                return Some(branch.into());
            }
            self.queue.pop();
        }
        self.later.next(tree).map(Choice::from)
    }

    fn happened(&mut self, event: &Happened<'_>) {
        match event {
            Happened::Ran(added) => self.inserted(added),
            Happened::Untaken { .. } => {}
            Happened::Renumbered(renumbered) => self.renumbered(renumbered),
        }
    }
}

impl Bfs {
    fn renumbered(&mut self, renumbered: &Renumbered<'_>) {
        let queue =
            self.queue.iter().filter_map(|Reverse((depth, node))| Some(Reverse((*depth, renumbered.open(*node)?))));
        self.queue = queue.collect();
        self.later.renumbered(renumbered);
    }

    fn inserted(&mut self, added: &Added<'_>) {
        let nodes = self.later.sift(added.inserted, added.tree);
        self.queue.extend(nodes.into_iter().map(|node| Reverse((added.tree.node(node).depth, node))));
    }
}
