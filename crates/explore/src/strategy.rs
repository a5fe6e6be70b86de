//! Strategies answer one question: which open decision next?
//!
//! They see the tree, the program map and coverage, and are told what each step changed, so that none of
//! them needs to search the tree. [`Dfs`] is the one there is today.

use std::collections::VecDeque;

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
    choices: VecDeque<NodeId>,
    /// Choices come one level after the other.
    by_calls: bool,
}

impl Dfs {
    /// For sequences of calls, each of which is a choice: depth first within the calls of a sequence, but all short sequences
    /// before longer ones. So an error comes with a shortest sequence, and a state is first met with the most calls left.
    pub fn by_calls() -> Dfs {
        Dfs { by_calls: true, ..Dfs::default() }
    }
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
        while let Some(node) = self.choices.front() {
            if let Some(branch) = tree.next_open(*node, 0) {
                return Some(branch);
            }
            self.choices.pop_front();
        }
        None
    }

    fn inserted(&mut self, inserted: &Inserted, tree: &Tree) {
        for node in inserted.nodes().filter(|node| tree.n_open_of(*node) > 0) {
            match tree.node(node).kind {
                EventKind::Placement => self.placements.push((node, 0)),
                EventKind::Choice if self.by_calls => self.choices.push_back(node),
                _ => self.branches.push((node, 0)),
            }
        }
    }
}
