//! Memory limit of the tree: selects the branches to give up, and updates all holders of node numbers.

use super::Explorer;
use crate::coverage::Coverage;
use crate::map::ProgramMap;
use crate::strategy::Happened;
use crate::tree::{NodeId, OpenBranch, Tree};

impl Explorer {
    /// Compacts the tree if it exceeds its memory limit. Returns the branches that were given up for this.
    pub(super) fn keep_small(&mut self) -> Option<Vec<OpenBranch>> {
        let memory = self.settings.memory?;
        if self.tree.bytes() <= memory {
            return None;
        }
        // Shrinks to 3/4 of the limit so that the limit is not reached again soon.
        let (map, coverage) = (&self.map, &self.coverage);
        let given_up = self.tree.least_promising(memory / 4 * 3, |node| promise(node, &self.tree, map, coverage));
        self.compact(&given_up);
        Some(given_up)
    }

    pub(super) fn compact(&mut self, given_up: &[OpenBranch]) {
        for branch in given_up {
            self.reasons.add_dropped(self.tree.node(branch.node).site);
        }
        self.counters.dropped += given_up.len() as u64;
        let (strategies, out, waiting) = (&mut self.strategies, &mut self.out, &mut self.waiting);
        let mut folded = Vec::new();
        self.tree.compact(given_up, |renumbered| {
            for strategy in strategies {
                strategy.happened(&Happened::Renumbered(renumbered));
            }
            for (_, target) in out {
                // The target may be gone if another job has decided it meanwhile.
                *target = target.and_then(|branch| renumbered.branch(branch));
            }
            folded = waiting.renumbered(renumbered);
        });
        for flip in folded {
            self.tree.take_back(&flip);
        }
    }
}

/// Rank of a decision: 1 if some side of its branch is uncovered, because new coverage is the goal, otherwise 0.
fn promise(node: NodeId, tree: &Tree, map: &ProgramMap, coverage: &Coverage) -> u32 {
    let branch = map.site(tree.node(node).site).and_then(|site| site.branch);
    let mut sides = branch.into_iter().flat_map(|branch| map.branch(branch).sides());
    u32::from(sides.any(|side| !coverage.is_covered(side)))
}
