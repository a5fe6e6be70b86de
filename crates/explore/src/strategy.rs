//! Strategies answer one question: which open decision next?
//!
//! They see the tree, the program map and coverage, and are told what each step changed, so that none of
//! them needs to search the tree. [`Dfs`] is the one there is today.

use tine_trace::event::EventKind;

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
/// share the longest prefix. The bound on depth is the tree's. Placements of pointers come when no branch is open: most of
/// what sharing can show, a branch that compares pointers has asked for.
#[derive(Clone, Debug, Default)]
pub struct Dfs {
    /// Decisions with something open, the next on top, each with the alternative to look at next.
    branches: Vec<(NodeId, u16)>,
    placements: Vec<(NodeId, u16)>,
}

impl Strategy for Dfs {
    fn name(&self) -> &'static str {
        "dfs"
    }

    fn next(&mut self, tree: &Tree, _: &ProgramMap, _: &Coverage) -> Option<OpenBranch> {
        for stack in [&mut self.branches, &mut self.placements] {
            while let Some((node, from)) = stack.last_mut() {
                if let Some(branch) = tree.next_open(*node, *from) {
                    *from = branch.alternative + 1;
                    return Some(branch);
                }
                stack.pop();
            }
        }
        None
    }

    fn inserted(&mut self, inserted: &Inserted, tree: &Tree) {
        for node in inserted.nodes().filter(|node| tree.n_open_of(*node) > 0) {
            let is_placement = tree.node(node).kind == EventKind::Placement;
            if is_placement { &mut self.placements } else { &mut self.branches }.push((node, 0));
        }
    }
}
