//! Depth first.

use std::collections::VecDeque;

use super::frontier::{Later, next_on_top};
use super::{Added, Choice, Happened, Strategy, View};
use crate::tree::{NodeId, OpenBranch, Renumbered, Tree};

/// Depth first (CUTE §3.4): flips the deepest open decision of the most recent path, so that consecutive runs
/// share the longest prefix. The bound on depth is the tree's.
///
/// In a call sequence, a call with many paths must not keep others from being made. After some jobs without a new call
/// the next one is a further call, and one of them is the branch nearest to the start.
#[derive(Clone, Debug, Default)]
pub struct Dfs {
    /// Decisions with open sides, the next on top, each with the side to look at next.
    branches: VecDeque<(NodeId, u16)>,
    later: Later,
    /// Jobs since the last further call of a sequence.
    n_without_call: u32,
}

/// Maximum number of jobs between two further calls, if there are any.
const PATIENCE: u32 = 16;

impl Dfs {
    /// For call sequences: depth first within the calls of a sequence, and shorter sequences before longer ones.
    pub fn by_calls() -> Dfs {
        Dfs::new(true)
    }

    /// `by_calls`: shorter call sequences come before longer ones.
    pub fn new(by_calls: bool) -> Dfs {
        Dfs { branches: VecDeque::new(), later: Later::new(by_calls), n_without_call: 0 }
    }
}

impl Strategy for Dfs {
    fn name(&self) -> &'static str {
        "dfs"
    }

    fn next(&mut self, view: &View<'_>) -> Option<Choice> {
        let tree = view.tree;
        self.n_without_call += u32::from(self.later.has_calls());
        if self.n_without_call > PATIENCE {
            self.n_without_call = 0;
            if let Some(call) = self.later.next_call(tree) {
                return Some(call.into());
            }
        }
        let is_from_start = view.for_another || self.n_without_call == PATIENCE;
        let branch = if is_from_start { self.nearest_to_start(tree) } else { next_on_top(&mut self.branches, tree) };
        let branch = branch.or_else(|| self.later.next(tree))?;
        if self.later.is_call(branch.node, tree) {
            self.n_without_call = 0;
        }
        Some(branch.into())
    }

    fn happened(&mut self, event: &Happened<'_>) {
        match event {
            Happened::Ran(added) => self.inserted(added),
            Happened::Untaken { .. } => {}
            Happened::Renumbered(renumbered) => self.renumbered(renumbered),
        }
    }
}

impl Dfs {
    /// Returns an open branch with the fewest decisions before it, because most open branches are after it.
    fn nearest_to_start(&mut self, tree: &Tree) -> Option<OpenBranch> {
        while let Some((node, _)) = self.branches.front() {
            if let Some(branch) = tree.next_open(*node, 0) {
                return Some(branch);
            }
            self.branches.pop_front();
        }
        None
    }

    fn renumbered(&mut self, renumbered: &Renumbered<'_>) {
        self.branches =
            self.branches.iter().filter_map(|(node, from)| Some((renumbered.open(*node)?, *from))).collect();
        self.later.renumbered(renumbered);
    }

    fn inserted(&mut self, added: &Added<'_>) {
        let nodes = self.later.sift(added.inserted, added.tree);
        self.branches.extend(nodes.into_iter().map(|node| (node, 0)));
    }
}
