//! Depth first.

use super::frontier::{Later, next_on_top};
use super::{Added, Strategy};
use crate::coverage::Coverage;
use crate::map::ProgramMap;
use crate::tree::{NodeId, OpenBranch, Tree};

/// Depth first (CUTE §3.4): flips the deepest open decision of the most recent path, so that consecutive runs
/// share the longest prefix. The bound on depth is the tree's.
#[derive(Clone, Debug, Default)]
pub struct Dfs {
    /// Decisions with something open, the next on top, each with the alternative to look at next.
    branches: Vec<(NodeId, u16)>,
    later: Later,
}

impl Dfs {
    /// For sequences of calls: depth first within the calls of a sequence, but all short sequences before longer ones.
    pub fn by_calls() -> Dfs {
        Dfs::new(true)
    }

    pub fn new(by_calls: bool) -> Dfs {
        Dfs { branches: Vec::new(), later: Later::new(by_calls) }
    }
}

impl Strategy for Dfs {
    fn name(&self) -> &'static str {
        "dfs"
    }

    fn next(&mut self, tree: &Tree, _: &ProgramMap, _: &Coverage) -> Option<OpenBranch> {
        next_on_top(&mut self.branches, tree).or_else(|| self.later.next(tree))
    }

    fn inserted(&mut self, added: &Added<'_>) {
        let nodes = self.later.sift(added.inserted, added.tree);
        self.branches.extend(nodes.into_iter().map(|node| (node, 0)));
    }
}
