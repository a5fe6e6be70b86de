//! Input bytes that a term depends on.
//!
//! A set of bytes is a trie over blocks of 64 bytes, with a mask of bytes in each leaf. Its shape depends only on its
//! contents, and equal nodes are stored once. Thus equal sets have equal numbers ([`SupportId`]), and a term's set
//! costs four bytes. A set with one additional byte shares all but a few nodes with the set before:
//!
//! ```text
//!   {x0 … x3}        ·            {x0 … x4}     ·
//!                   / \                        / \
//!                  ·   ·                      │   x4
//!                 /|   |\                     the whole left trie
//! ```
//! Sums over thousands of inputs are therefore cheap, although each step depends on all inputs before it.

use rustc_hash::{FxHashMap, FxHashSet};

/// The bytes `start..end` of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ByteRange {
    pub input: u32,
    pub start: u32,
    pub end: u32,
}

/// Number of a set of bytes in its pool; equal sets have equal numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SupportId(pub(crate) u32);

impl SupportId {
    /// Support of a term without variables.
    pub const EMPTY: SupportId = SupportId(0);
}

/// Number of a block: the input, then the offset divided by the block size. Numbers are ordered like bytes.
pub(crate) type Block = u64;

const BLOCK_BYTES: u32 = u64::BITS;
/// Logarithm of the number of blocks of one input.
const BLOCK_BITS: u32 = u32::BITS - BLOCK_BYTES.trailing_zeros();

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Node {
    /// Bit k of `bytes` is the k-th byte of the block.
    Leaf { block: Block, bytes: u64 },
    /// Blocks that agree with `prefix` above `bit`. Those without this bit are in `low`.
    Branch { prefix: u64, bit: u64, low: SupportId, high: SupportId },
}

#[derive(Clone, Debug)]
pub(crate) struct Supports {
    /// The first node stands for the empty set.
    nodes: Vec<Node>,
    ids: FxHashMap<Node, SupportId>,
    unions: FxHashMap<(SupportId, SupportId), SupportId>,
}

/// Returns the blocks in which a range has bytes, each with those bytes.
pub(crate) fn leaves(range: ByteRange) -> impl Iterator<Item = (Block, u64)> {
    let blocks = range.start / BLOCK_BYTES..range.end.div_ceil(BLOCK_BYTES);
    blocks.map(move |block| {
        let first = range.start.saturating_sub(block * BLOCK_BYTES);
        let end = (range.end - block * BLOCK_BYTES).min(BLOCK_BYTES);
        let bytes = u64::MAX >> (BLOCK_BYTES - (end - first)) << first;
        (u64::from(range.input) << BLOCK_BITS | u64::from(block), bytes)
    })
}

impl Supports {
    pub(crate) fn new() -> Self {
        let empty = Node::Leaf { block: 0, bytes: 0 };
        Self {
            nodes: vec![empty],
            ids: FxHashMap::from_iter([(empty, SupportId::EMPTY)]),
            unions: FxHashMap::default(),
        }
    }

    pub(crate) fn node(&self, id: SupportId) -> Node {
        self.nodes[id.0 as usize]
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Approximate memory of the sets.
    pub(crate) fn bytes(&self) -> u64 {
        let of_nodes = self.nodes.len() * 3 * size_of::<Node>();
        let of_unions = self.unions.len() * 2 * size_of::<[SupportId; 3]>();
        (of_nodes + of_unions) as u64
    }

    pub(crate) fn range(&mut self, range: ByteRange) -> SupportId {
        let mut set = SupportId::EMPTY;
        for (block, bytes) in leaves(range) {
            let leaf = self.intern(Node::Leaf { block, bytes });
            set = self.union(set, leaf);
        }
        set
    }

    pub(crate) fn union(&mut self, a: SupportId, b: SupportId) -> SupportId {
        let (a, b) = (a.min(b), a.max(b));
        if a == b || a == SupportId::EMPTY {
            return b;
        }
        if let Some(&known) = self.unions.get(&(a, b)) {
            return known;
        }
        let id = self.unite(a, b);
        self.unions.insert((a, b), id);
        id
    }

    /// Returns the union of several sets as sorted ranges that do not touch.
    pub(crate) fn ranges(&self, sets: impl Iterator<Item = SupportId>) -> Vec<ByteRange> {
        let mut seen = FxHashSet::default();
        let mut leaves: Vec<(Block, u64)> = Vec::new();
        let mut next: Vec<SupportId> = sets.filter(|&set| set != SupportId::EMPTY).collect();
        while let Some(set) = next.pop() {
            if !seen.insert(set) {
                continue;
            }
            match self.node(set) {
                Node::Leaf { block, bytes } => leaves.push((block, bytes)),
                Node::Branch { low, high, .. } => next.extend([low, high]),
            }
        }
        leaves.sort_unstable();
        let mut ranges = Vec::new();
        for same in leaves.chunk_by(|a, b| a.0 == b.0) {
            append(same[0].0, same.iter().fold(0, |all, leaf| all | leaf.1), &mut ranges);
        }
        ranges
    }

    /// Unites two sets. Descends only as deep as the sets share blocks, at most one step per bit of a block's number.
    fn unite(&mut self, a: SupportId, b: SupportId) -> SupportId {
        if a == b {
            return a;
        }
        match (self.node(a), self.node(b)) {
            (Node::Leaf { block, bytes }, Node::Leaf { block: other, bytes: more }) if block == other => {
                self.intern(Node::Leaf { block, bytes: bytes | more })
            }
            (Node::Branch { prefix, bit, low, high }, Node::Branch { prefix: p, bit: same, low: l, high: h })
                if prefix == p && bit == same =>
            {
                let (low, high) = (self.unite(low, l), self.unite(high, h));
                self.intern(Node::Branch { prefix, bit, low, high })
            }
            (node, other) if node.covers(&other) => self.insert(node, b),
            (node, other) if other.covers(&node) => self.insert(other, a),
            (node, other) => self.fork((node.first_block(), a), (other.first_block(), b)),
        }
    }

    /// Unites a branch with a set on one side of it.
    fn insert(&mut self, branch: Node, set: SupportId) -> SupportId {
        let Node::Branch { prefix, bit, mut low, mut high } = branch else { unreachable!("leaves cover nothing") };
        if self.node(set).first_block() & bit == 0 {
            low = self.unite(low, set);
        } else {
            high = self.unite(high, set);
        }
        self.intern(Node::Branch { prefix, bit, low, high })
    }

    /// Creates a branch over two disjoint sets.
    fn fork(&mut self, (block, a): (Block, SupportId), (other, b): (Block, SupportId)) -> SupportId {
        let bit = 1 << (block ^ other).ilog2();
        let prefix = above(block, bit);
        let (low, high) = if block & bit == 0 { (a, b) } else { (b, a) };
        self.intern(Node::Branch { prefix, bit, low, high })
    }

    fn intern(&mut self, node: Node) -> SupportId {
        let next = SupportId(u32::try_from(self.nodes.len()).expect("fewer than 2^32 nodes"));
        let id = *self.ids.entry(node).or_insert(next);
        if id == next {
            self.nodes.push(node);
        }
        id
    }
}

impl Node {
    /// Returns the only byte of the set: its input and its offset.
    pub(crate) fn only_byte(&self) -> Option<(u32, u32)> {
        match *self {
            Node::Leaf { block, bytes } if bytes.is_power_of_two() => {
                let (input, base) = start_of(block);
                Some((input, base + bytes.trailing_zeros()))
            }
            _ => None,
        }
    }

    /// Returns a block number that agrees with all blocks of the node above the node's bit.
    fn first_block(&self) -> Block {
        match *self {
            Node::Leaf { block, .. } => block,
            Node::Branch { prefix, .. } => prefix,
        }
    }

    /// True if all blocks of `other` are on one side of this branch.
    fn covers(&self, other: &Node) -> bool {
        let Node::Branch { prefix, bit, .. } = *self else { return false };
        let lower = match *other {
            Node::Leaf { .. } => true,
            Node::Branch { bit: below, .. } => below < bit,
        };
        lower && above(other.first_block(), bit) == prefix
    }
}

/// The input of a block, and the offset of its first byte.
fn start_of(block: Block) -> (u32, u32) {
    ((block >> BLOCK_BITS) as u32, (block as u32 & ((1 << BLOCK_BITS) - 1)) * BLOCK_BYTES)
}

/// Appends bytes of a block after all existing ranges.
fn append(block: Block, mut bytes: u64, ranges: &mut Vec<ByteRange>) {
    let (input, base) = start_of(block);
    while bytes != 0 {
        let first = bytes.trailing_zeros();
        let n = (bytes >> first).trailing_ones();
        let (start, end) = (base + first, base + first + n);
        match ranges.last_mut() {
            Some(last) if last.input == input && last.end == start => last.end = end,
            _ => ranges.push(ByteRange { input, start, end }),
        }
        bytes &= (u64::MAX << first).checked_shl(n).unwrap_or(0);
    }
}

fn above(block: Block, bit: u64) -> u64 {
    block & !(bit | (bit - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn r(input: u32, start: u32, end: u32) -> ByteRange {
        ByteRange { input, start, end }
    }

    fn union_of(supports: &mut Supports, ranges: &[ByteRange]) -> SupportId {
        ranges.iter().fold(SupportId::EMPTY, |set, &range| {
            let more = supports.range(range);
            supports.union(set, more)
        })
    }

    #[test]
    fn unions_merge_what_touches() {
        let mut supports = Supports::new();
        let mut check = |ranges: &[ByteRange], expected: &[ByteRange]| {
            let set = union_of(&mut supports, ranges);
            assert_eq!(supports.ranges([set].into_iter()), expected);
        };
        check(&[r(0, 0, 4), r(0, 8, 12), r(0, 4, 8)], &[r(0, 0, 12)]);
        check(&[r(2, 0, 1), r(0, 0, 4), r(1, 4, 8)], &[r(0, 0, 4), r(1, 4, 8), r(2, 0, 1)]);
        check(&[r(0, 0, 9), r(0, 2, 3), r(0, 10, 11)], &[r(0, 0, 9), r(0, 10, 11)]);
        check(&[r(0, 128, 192), r(0, 60, 70), r(0, 70, 128)], &[r(0, 60, 192)]);
        check(&[r(u32::MAX, u32::MAX - 8, u32::MAX)], &[r(u32::MAX, u32::MAX - 8, u32::MAX)]);
        check(&[], &[]);
    }

    #[test]
    fn a_single_byte_is_told_from_more_and_none() {
        let mut supports = Supports::new();
        for (ranges, expected) in [
            (&[][..], None),
            (&[r(3, 130, 131)], Some((3, 130))),
            (&[r(0, 0, 1)], Some((0, 0))),
            (&[r(0, 0, 2)], None),
            (&[r(0, 5, 6), r(1, 5, 6)], None),
            (&[r(u32::MAX, u32::MAX - 1, u32::MAX)], Some((u32::MAX, u32::MAX - 1))),
        ] {
            let set = union_of(&mut supports, ranges);
            assert_eq!(supports.node(set).only_byte(), expected, "{ranges:?}");
        }
    }

    #[test]
    fn equal_sets_have_equal_numbers() {
        let mut supports = Supports::new();
        let low = supports.range(r(0, 0, 1));
        let high = supports.range(r(0, 1, 2));
        let both = supports.union(low, high);
        assert_eq!(both, supports.range(r(0, 0, 2)));
        assert_eq!(both, supports.union(high, low));
        assert_eq!(both, supports.union(both, low));
        assert_eq!(supports.union(SupportId::EMPTY, low), low);
    }

    /// Near and distant bytes, united in many orders and groupings.
    #[test]
    fn the_order_of_unions_does_not_matter() {
        let mut supports = Supports::new();
        let mut state = 1u64;
        let mut random = |n: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % n
        };
        let bytes: Vec<ByteRange> = (0..200)
            .map(|_| {
                let [inputs, bytes] = [20, 12].map(|n| 1 << random(n));
                let [input, start, more] = [inputs, bytes, 16].map(|n| random(n) as u32);
                r(input, start, start + 1 + more)
            })
            .collect();
        let all = union_of(&mut supports, &bytes);
        for _ in 0..20 {
            let mut sets: Vec<SupportId> = bytes.iter().map(|&range| supports.range(range)).collect();
            while sets.len() > 1 {
                let a = sets.swap_remove(random(sets.len() as u64) as usize);
                let k = random(sets.len() as u64) as usize;
                sets[k] = supports.union(sets[k], a);
            }
            assert_eq!(sets, [all]);
        }
        let mut expected: Vec<(u32, u32)> =
            bytes.iter().flat_map(|range| (range.start..range.end).map(|byte| (range.input, byte))).collect();
        expected.sort_unstable();
        expected.dedup();
        let ranges = supports.ranges([all].into_iter());
        let found: Vec<(u32, u32)> =
            ranges.iter().flat_map(|range| (range.start..range.end).map(|byte| (range.input, byte))).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn sets_that_grow_share_what_they_have() {
        let mut supports = Supports::new();
        let mut set = SupportId::EMPTY;
        for input in 0..20_000 {
            let more = supports.range(r(input, 0, 4));
            set = supports.union(set, more);
        }
        assert!(supports.len() < 20_000 * 17, "{} nodes", supports.len());
    }
}
