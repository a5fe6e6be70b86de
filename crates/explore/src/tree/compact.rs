//! Keeping the tree small: what is explored is folded into one mark, and if that is not enough, open alternatives are
//! given up.
//!
//! ```text
//!        ●                   ●
//!      ╱   ╲               ╱   ╲
//!     ●     ●      ──▶  Done    ●         nothing below was open
//!    ╱ ╲   ╱ ╲                 ╱ ╲
//!  Ended … Open              … Open
//! ```
//! Folding loses nothing that exploring needs. Nodes are numbered anew, in the same order; whoever holds numbers is
//! told the new ones ([`Renumbered`]).

use super::arena::{NodeId, Slot};
use super::{OpenBranch, Tree};

/// What a decision costs whoever remembers it as open, besides its node: the queues of strategies.
const BYTES_ELSEWHERE: u64 = 32;
const BYTES_OF_NODE: u64 = size_of::<super::arena::Node>() as u64 + BYTES_ELSEWHERE;
/// Bytes of a case besides its inputs.
pub(super) const BYTES_OF_CASE: u64 = 64;

/// New numbers of the nodes that stayed.
#[derive(Debug)]
pub struct Renumbered<'a> {
    new: &'a [Option<NodeId>],
    tree: &'a Tree,
}

impl Renumbered<'_> {
    /// The new number of a decision, if it is there and has something open.
    pub fn open(&self, node: NodeId) -> Option<NodeId> {
        self.any(node).filter(|node| self.tree.n_open_of(*node) > 0)
    }

    fn any(&self, node: NodeId) -> Option<NodeId> {
        self.new.get(node.0 as usize).copied().flatten()
    }

    /// The same for an alternative that is not yet decided.
    pub fn branch(&self, branch: OpenBranch) -> Option<OpenBranch> {
        Some(OpenBranch { node: self.any(branch.node)?, ..branch })
    }

    /// Leaves what has something open, with new numbers.
    pub fn retain(&self, nodes: &mut Vec<NodeId>) {
        *nodes = nodes.iter().filter_map(|node| self.open(*node)).collect();
    }
}

impl Tree {
    /// About what the tree, the strategies and the inputs of the cases that it needs take in memory.
    pub fn bytes(&self) -> u64 {
        self.bytes_of(self.arena.len() as u64)
    }

    fn bytes_of(&self, n_nodes: u64) -> u64 {
        n_nodes * BYTES_OF_NODE + self.arena.pool_bytes() + self.cases.len() as u64 * 8 + self.input_bytes
    }

    /// Open alternatives to give up so that the tree takes no more than this once it is folded, the least promising first,
    /// and as few as do: first what was put off; then `rank` says how promising a decision is. What is handed out stays.
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
        // The deepest, and of those the latest.
        nodes.sort_by_key(|(rank, node, _)| (*rank, std::cmp::Reverse((self.arena.get(*node).depth, *node))));
        for (_, node, slot) in nodes {
            if fixed + input_bytes + n_nodes * BYTES_OF_NODE <= bytes {
                break;
            }
            let mut from = 0;
            while let Some(branch) = self.next_with(slot, node, from) {
                from = branch.alternative + 1;
                given_up.push(branch);
                let case = &mut references[self.arena.get(node).case.0 as usize];
                case.0 -= 1;
                if case.0 == 0 {
                    input_bytes -= u64::from(case.1) + BYTES_OF_CASE;
                }
                // What has nothing open in or below it goes, and so on up.
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

    /// The first alternative of a decision in this state that is not before `from`.
    fn next_with(&self, slot: Slot, node: NodeId, from: u16) -> Option<OpenBranch> {
        let alternatives = from..self.arena.get(node).n_alternatives;
        alternatives.map(|alternative| OpenBranch { node, alternative }).find(|branch| self.arena.slot(*branch) == slot)
    }

    /// Gives up open alternatives and folds what has nothing open. Then `renumber` is told the new numbers.
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
            for alternative in 0..self.arena.get(node).n_alternatives {
                let branch = OpenBranch { node, alternative };
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

    /// For each node, alternatives that are not decided and children that live; it lives if there is any.
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

    /// What becomes of an alternative that led to `first` and its variants: the first of them that lives is linked to the
    /// others that do.
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

    /// Keeps for each side whether nodes that go had it as anything but infeasible.
    fn remember_tried(&mut self, living: &[u32]) {
        for node in self.nodes().filter(|node| living[node.0 as usize] == 0).collect::<Vec<_>>() {
            let record = self.arena.get(node);
            let (site, n_alternatives) = (record.site, record.n_alternatives);
            for alternative in 0..n_alternatives {
                let in_vain = self.arena.slot(OpenBranch { node, alternative }) == Slot::INFEASIBLE;
                *self.gone.entry((site, alternative)).or_insert(true) &= in_vain;
            }
        }
    }
}
