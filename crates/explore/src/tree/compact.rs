//! Limits the size of the tree: explored subtrees are folded into one mark, and if that is not enough, open sides are
//! given up.
//!
//! ```text
//!        ●                   ●
//!      ╱   ╲               ╱   ╲
//!     ●     ●      ──▶  Done    ●         nothing below was open
//!    ╱ ╲   ╱ ╲                 ╱ ╲
//!  Ended … Open              … Open
//! ```
//! Folding loses nothing that exploring needs. Nodes are renumbered in the same order, and all holders of node numbers
//! are informed ([`Renumbered`]).

use super::arena::{NodeId, Slot};
use super::{OpenBranch, Tree};

/// Memory for an open decision outside of the tree: the queues of strategies.
const BYTES_ELSEWHERE: u64 = 32;
const BYTES_OF_NODE: u64 = size_of::<super::arena::Node>() as u64 + BYTES_ELSEWHERE;
/// Bytes of a case without its inputs.
pub(super) const BYTES_OF_CASE: u64 = 64;

/// New numbers of the remaining nodes.
#[derive(Debug)]
pub struct Renumbered<'a> {
    new: &'a [Option<NodeId>],
    tree: &'a Tree,
}

impl Renumbered<'_> {
    /// Returns the new number of a decision if it still exists and has open sides.
    pub fn open(&self, node: NodeId) -> Option<NodeId> {
        self.any(node).filter(|node| self.tree.n_open_of(*node) > 0)
    }

    fn any(&self, node: NodeId) -> Option<NodeId> {
        self.new.get(node.0 as usize).copied().flatten()
    }

    /// Returns the new number of a side that is not decided yet.
    pub fn branch(&self, branch: OpenBranch) -> Option<OpenBranch> {
        Some(OpenBranch { node: self.any(branch.node)?, ..branch })
    }

    /// Keeps the nodes with open sides, under their new numbers.
    pub fn retain(&self, nodes: &mut Vec<NodeId>) {
        *nodes = nodes.iter().filter_map(|node| self.open(*node)).collect();
    }
}

impl Tree {
    /// Approximate memory of the tree, the strategies, and the inputs of the cases that the tree needs.
    pub fn bytes(&self) -> u64 {
        self.bytes_of(self.arena.len() as u64)
    }

    fn bytes_of(&self, n_nodes: u64) -> u64 {
        n_nodes * BYTES_OF_NODE + self.arena.pool_bytes() + self.cases.len() as u64 * 8 + self.input_bytes
    }

    /// Returns the open sides to give up, the least promising first, so that the folded tree fits into `bytes`. Returns
    /// as few as possible: first sides that were put off, then those of decisions with the lowest `rank`. Sides that
    /// are handed out stay.
    pub fn least_promising(&self, bytes: u64, rank: impl Fn(NodeId) -> u32) -> Vec<OpenBranch> {
        let mut living = self.living();
        let mut n_nodes = living.iter().filter(|count| **count > 0).count() as u64;
        let mut references = self.cases.clone();
        let mut input_bytes = self.input_bytes;
        let fixed = self.bytes_of(0) - self.input_bytes;
        let mut given_up = Vec::new();
        if fixed + input_bytes + n_nodes * BYTES_OF_NODE <= bytes {
            return given_up;
        }
        let with = |slot: Slot| self.nodes().filter(move |node| self.next_with(slot, *node, 0).is_some());
        let mut nodes: Vec<_> = with(Slot::PUT_OFF).map(|node| (0, node, Slot::PUT_OFF)).collect();
        nodes.extend(with(Slot::OPEN).map(|node| (1 + rank(node), node, Slot::OPEN)));
        // Among equal ranks the deepest first, and among those the latest.
        nodes.sort_by_key(|(rank, node, _)| (*rank, std::cmp::Reverse((self.arena.get(*node).depth, *node))));
        for (_, node, slot) in nodes {
            if fixed + input_bytes + n_nodes * BYTES_OF_NODE <= bytes {
                break;
            }
            let mut from = 0;
            while let Some(branch) = self.next_with(slot, node, from) {
                from = branch.side_index + 1;
                given_up.push(branch);
                let case = &mut references[self.arena.get(node).case.0 as usize];
                case.0 -= 1;
                if case.0 == 0 {
                    input_bytes -= u64::from(case.1) + BYTES_OF_CASE;
                }
                // A node without open sides in or below it is removed, and then possibly its parents.
                let mut at = Some(node);
                while let Some(node) = at {
                    let count = &mut living[node.0 as usize];
                    *count -= 1;
                    at = (*count == 0).then(|| self.arena.get(node).parent()).flatten().map(|parent| parent.node);
                    n_nodes -= u64::from(*count == 0);
                }
            }
        }
        given_up
    }

    /// Returns the first side of a decision in this state, starting at `from`.
    fn next_with(&self, slot: Slot, node: NodeId, from: u16) -> Option<OpenBranch> {
        let sides = from..self.arena.get(node).n_sides;
        sides.map(|side_index| OpenBranch { node, side_index }).find(|branch| self.arena.slot(*branch) == slot)
    }

    /// Gives up open sides and folds subtrees without open sides. Then calls `renumber` with the new numbers.
    pub fn compact(&mut self, given_up: &[OpenBranch], renumber: impl FnOnce(&Renumbered<'_>)) {
        for branch in given_up {
            if matches!(self.arena.slot(*branch), Slot::OPEN | Slot::PUT_OFF) {
                self.set(*branch, Slot::DROPPED);
            }
        }
        let living = self.living();
        self.remember_tried(&living);
        let mut n_kept = 0;
        let new: Vec<Option<NodeId>> = living
            .iter()
            .map(|count| {
                let number = NodeId(n_kept);
                n_kept += u32::from(*count > 0);
                (*count > 0).then_some(number)
            })
            .collect();
        let new_of = |node: NodeId| new[node.0 as usize];
        if let Some(first) = self.root.child() {
            self.root = self.folded(first, &new_of);
        }
        for node in self.nodes().filter(|node| new_of(*node).is_some()).collect::<Vec<_>>() {
            for side_index in 0..self.arena.get(node).n_sides {
                let branch = OpenBranch { node, side_index };
                if let Some(first) = self.arena.slot(branch).child() {
                    *self.arena.slot_mut(branch) = self.folded(first, &new_of);
                }
            }
        }
        for last in self.parked.iter_mut().chain([&mut self.last]) {
            last.path = last.path.iter().map_while(|node| new_of(*node)).collect();
            last.exact = last.exact.min(last.path.len());
        }
        self.arena.keep(&new);
        renumber(&Renumbered { new: &new, tree: self });
    }

    /// Returns for each node the number of its undecided sides and living children. A node is living if this is not
    /// zero.
    fn living(&self) -> Vec<u32> {
        let mut living: Vec<u32> = self.nodes().map(|node| u32::from(self.arena.get(node).n_open)).collect();
        // Children have larger numbers than their parents.
        for node in self.nodes().rev() {
            if living[node.0 as usize] > 0
                && let Some(parent) = self.arena.get(node).parent()
            {
                living[parent.node.0 as usize] += 1;
            }
        }
        living
    }

    /// Returns the new slot of a side that pointed to `first` and its variants. The first living variant is linked to
    /// the other living ones.
    fn folded(&mut self, first: NodeId, new_of: &impl Fn(NodeId) -> Option<NodeId>) -> Slot {
        let mut living = Vec::new();
        let mut at = Some(first);
        while let Some(node) = at {
            at = self.arena.get(node).variant();
            living.extend(new_of(node).map(|new| (node, new)));
        }
        for (index, (node, _)) in living.iter().enumerate() {
            self.arena.get_mut(*node).set_variant(living.get(index + 1).map(|(_, new)| *new));
        }
        living.first().map_or(Slot::DONE, |(_, new)| Slot::taken(*new))
    }

    /// Records for each side whether it was infeasible in all removed nodes.
    fn remember_tried(&mut self, living: &[u32]) {
        for node in self.nodes().filter(|node| living[node.0 as usize] == 0).collect::<Vec<_>>() {
            let record = self.arena.get(node);
            let (site, n_sides) = (record.site, record.n_sides);
            for side_index in 0..n_sides {
                let in_vain = self.arena.slot(OpenBranch { node, side_index }) == Slot::INFEASIBLE;
                *self.gone.entry((site, side_index)).or_insert(true) &= in_vain;
            }
        }
    }
}
