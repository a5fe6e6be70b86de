//! Strategies answer one question: which open decision next?
//!
//! They see the tree, the program map and coverage, and are told what each step changed, so that none of
//! them needs to search the tree. [`Dfs`] is the one there is today.

use crate::coverage::Coverage;
use crate::map::ProgramMap;
use crate::tree::{Inserted, NodeId, OpenBranch, Tree, Untaken};

pub trait Strategy {
    /// As in `--strategy`.
    fn name(&self) -> &'static str;

    /// An alternative of the tree that is open, or `None` if the strategy has no more to ask for.
    fn next(&mut self, tree: &Tree, map: &ProgramMap, coverage: &Coverage) -> Option<OpenBranch>;

    /// A run was put into the tree; its path is [`Tree::last_path`].
    fn inserted(&mut self, inserted: &Inserted, tree: &Tree);

    /// What was asked for was not reached.
    fn untaken(&mut self, branch: OpenBranch, why: Untaken) {
        let _ = (branch, why);
    }
}

/// Depth first (CUTE §3.4): flips the deepest open decision of the most recent path, so that consecutive runs
/// share the longest prefix. The bound on depth is the tree's.
#[derive(Clone, Debug, Default)]
pub struct Dfs {
    /// Decisions with something open, the next on top, each with the alternative to look at next.
    stack: Vec<(NodeId, u16)>,
}

impl Strategy for Dfs {
    fn name(&self) -> &'static str {
        "dfs"
    }

    fn next(&mut self, tree: &Tree, _: &ProgramMap, _: &Coverage) -> Option<OpenBranch> {
        while let Some((node, from)) = self.stack.last_mut() {
            if let Some(branch) = tree.next_open(*node, *from) {
                *from = branch.alternative + 1;
                return Some(branch);
            }
            self.stack.pop();
        }
        None
    }

    fn inserted(&mut self, inserted: &Inserted, tree: &Tree) {
        self.stack.extend(inserted.nodes().filter(|node| tree.n_open_of(*node) > 0).map(|node| (node, 0)));
    }
}
