//! The tree within its memory: what is given up when it is too large, and whom that concerns.

use super::Explorer;
use crate::coverage::Coverage;
use crate::map::ProgramMap;
use crate::tree::{NodeId, OpenBranch, Tree};

impl Explorer {
    /// Makes a tree that is too large small, and says what was given up for it.
    pub(super) fn keep_small(&mut self) -> Option<Vec<OpenBranch>> {
        let memory = self.settings.memory?;
        if self.tree.bytes() <= memory {
            return None;
        }
        // Down to a part, so that it does not come to this again soon.
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
                strategy.renumbered(renumbered);
            }
            for (_, target) in out {
                // What another job got to meanwhile may be gone.
                *target = target.and_then(|branch| renumbered.branch(branch));
            }
            folded = waiting.renumbered(renumbered);
        });
        for flip in folded {
            self.tree.take_back(&flip);
        }
    }
}

/// How promising what is open of a decision is: sides that nobody has covered are what is looked for.
fn promise(node: NodeId, tree: &Tree, map: &ProgramMap, coverage: &Coverage) -> u32 {
    let branch = map.site(tree.node(node).site).and_then(|site| site.branch);
    let mut sides = branch.into_iter().flat_map(|branch| map.branch(branch).alternatives());
    u32::from(sides.any(|side| !coverage.is_covered(side)))
}
