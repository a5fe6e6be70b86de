//! Breadth first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::frontier::Later;
use super::{Added, Strategy};
use crate::coverage::Coverage;
use crate::map::ProgramMap;
use crate::tree::{NodeId, OpenBranch, Renumbered, Tree};

/// The open decision with the fewest decisions before it comes first (LCT §4.3). Constraints are short, and nothing
/// near the start is forgotten.
#[derive(Clone, Debug, Default)]
pub struct Bfs {
    /// Open decisions by depth, then in the order of runs.
    queue: BinaryHeap<Reverse<(u32, NodeId)>>,
    later: Later,
}

impl Bfs {
    pub fn new(by_calls: bool) -> Bfs {
        Bfs { queue: BinaryHeap::new(), later: Later::new(by_calls) }
    }
}

impl Strategy for Bfs {
    fn name(&self) -> &'static str {
        "bfs"
    }

    fn next(&mut self, tree: &Tree, _: &ProgramMap, _: &Coverage) -> Option<OpenBranch> {
        while let Some(Reverse((_, node))) = self.queue.peek() {
            if let Some(branch) = tree.next_open(*node, 0) {
                return Some(branch);
            }
            self.queue.pop();
        }
        self.later.next(tree)
    }

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
