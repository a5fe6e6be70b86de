//! The nodes of a run, in the segment's Nodes area, each expression once.
//!
//! Hash-consing needs a table: open addressing in a private mapping. It is small at first and doubles as nodes are
//! added, so that a short run touches few pages. Each entry stores the generation that wrote it. Incrementing the
//! generation empties the table at once, for the next run or for a doubling.
//!
//! ```text
//!   entry   generation (20) │ tag (17) │ node (27)
//! ```

use core::ptr::with_exposed_provenance_mut;
use core::sync::atomic::{Ordering, compiler_fence};

use tine_trace::event::{NoteKind, Site};
use tine_trace::layout::MAX_NODES;
use tine_trace::node::Node;
use tine_trace::op::{ArrayOp, Op};
use tine_trace::seal;

use super::note;
use super::state::{TABLE, TABLE_LEN, discard};

/// Flag of a node: its condition was logged as true, or follows from logged conditions.
pub(super) const ASSERTED_TRUE: u8 = 1;
/// Flag of a node: the same, for false.
pub(super) const ASSERTED_FALSE: u8 = 2;
/// Flag of a node: it was concretised to its value.
pub(super) const CONCRETISED: u8 = 4;
/// Flag of a node: its bits come from float arithmetic, so the bits of a NaN have no meaning.
pub(super) const FLOAT: u8 = 8;
/// Flag of a node: it represents a value that the program has not written.
pub(super) const UNDEFINED: u8 = 16;
/// Flag of a node: it contains no such value.
pub(super) const DEFINED: u8 = 32;

const NODE_BITS: u32 = 27;
const TAG_BITS: u32 = 17;
const GENERATION_BITS: u32 = 20;
const SMALLEST: u32 = 1 << 10;

const _: () = assert!(1 << NODE_BITS == MAX_NODES && NODE_BITS + TAG_BITS + GENERATION_BITS == 64);

#[derive(Debug)]
pub(super) struct Arena {
    /// Slot 0 is never used.
    nodes: *mut Node,
    /// Number of the last node; nodes are 1 … `n`.
    pub(super) n: u32,
    /// Largest number of a node.
    capacity: u32,
    /// True if a node was refused. From then on no node is made, so that no expression mixes symbolic operands with
    /// operands that are concrete only for lack of room.
    pub(super) full: bool,
    /// True if a node has the flag [`UNDEFINED`].
    pub(super) has_undefined: bool,
    /// Number of entries of the table in use, minus one.
    table_mask: u32,
    generation: u32,
    /// Seals over an even and an odd number of nodes. The one that matches `n` is valid, so a signal between two writes
    /// always finds a valid seal.
    seals: [u64; 2],
}

impl Arena {
    /// Empties the arena for a run with `slots` slots, slot 0 included.
    pub(super) fn begin(&mut self, nodes: *mut Node, slots: u32, max_nodes: u32) {
        self.nodes = nodes;
        self.capacity = max_nodes.min(slots.saturating_sub(1)).min(MAX_NODES - 1);
        // A run is usually as long as the previous one: keep the table's size unless it is far too large.
        let wanted = (self.n.max(SMALLEST / 4) * 4).next_power_of_two().min((TABLE_LEN / 8) as u32);
        self.table_mask = self.table_mask.clamp(SMALLEST - 1, wanted - 1);
        self.n = 0;
        self.seals = [0; 2];
        self.full = false;
        self.has_undefined = false;
        self.next_generation();
    }

    /// Slots in use, as the engine counts them: the unused slot 0 is one of them.
    #[inline]
    pub(super) fn slots(&self) -> u32 {
        self.n + 1
    }

    /// The seal over all nodes ([`tine_trace::seal`]).
    pub(super) fn seal(&self) -> u64 {
        self.seals[self.n as usize & 1]
    }

    /// The node with this number, if this run has it.
    #[inline]
    pub(super) fn get(&self, id: u32) -> Option<&Node> {
        if id == 0 || id > self.n {
            return None;
        }
        // SAFETY: `n` never passes the capacity, which the area holds; slots up to `n` are written.
        Some(unsafe { &*self.nodes.add(id as usize) })
    }

    /// Sets flags of a node. Numbers without a node are ignored.
    #[inline]
    pub(super) fn mark(&mut self, id: u32, flags: u8) {
        if id != 0 && id <= self.n {
            // SAFETY: as in `get`.
            unsafe { (*self.nodes.add(id as usize)).flags |= flags };
        }
    }

    /// The constant `value` of this width as a node; 0 when the arena is full.
    #[inline]
    pub(super) fn constant(&mut self, width: u32, value: u128) -> u32 {
        let halves = [value as u64, (value >> 64) as u64];
        let node = Node { op: Op::Const as u8, flags: 0, width: width as u16, a: 0, b: 0, c: 0, value: halves };
        self.intern(&node, |other| other.value == halves)
    }

    /// The node for an operation; 0 when the arena is full.
    #[inline]
    pub(super) fn make(&mut self, op: Op, width: u32, [a, b, c]: [u32; 3], value: u128, flags: u8) -> u32 {
        let value = [value as u64, (value >> 64) as u64];
        let node = Node { op: op as u8, flags, width: width as u16, a, b, c, value };
        self.intern(&node, |other| other.a == a && other.b == b && other.c == c)
    }

    /// The node for an operation on an array; 0 when the arena is full.
    pub(super) fn array(&mut self, op: ArrayOp, width: u32, [a, b, c]: [u32; 3], value: u128) -> u32 {
        if self.full || op == ArrayOp::Select && (a == 0 || b == 0) || op == ArrayOp::Store && [a, b, c].contains(&0) {
            return 0;
        }
        let value = [value as u64, (value >> 64) as u64];
        let node = Node { op: op as u8, flags: 0, width: width as u16, a, b, c, value };
        self.intern(&node, |other| other.a == a && other.b == b && other.c == c)
    }

    /// Finds or makes the node. `same` compares everything except operation and width.
    #[inline]
    fn intern(&mut self, node: &Node, same: impl Fn(&Node) -> bool) -> u32 {
        if self.full {
            return 0;
        }
        let hash = hash(node);
        let stamp = self.stamp(hash);
        let mut index = hash as u32 & self.table_mask;
        loop {
            let entry = *entry(index);
            if entry >> (64 - GENERATION_BITS) != self.generation as u64 {
                break;
            }
            if entry >> NODE_BITS == stamp {
                let id = entry as u32 & (MAX_NODES - 1);
                // SAFETY: entries of this generation name nodes of this run.
                let other = unsafe { &*self.nodes.add(id as usize) };
                if other.op == node.op && other.width == node.width && same(other) {
                    return id;
                }
            }
            index = (index + 1) & self.table_mask;
        }
        self.push(node, index, stamp)
    }

    #[inline]
    fn push(&mut self, node: &Node, index: u32, stamp: u64) -> u32 {
        if self.n >= self.capacity {
            self.refuse();
            return 0;
        }
        let id = self.n + 1;
        // SAFETY: `id` is within the capacity, which the area holds.
        unsafe { self.nodes.add(id as usize).write(*node) };
        self.seals[id as usize & 1] = self.seal().wrapping_add(seal::of_node(id, node));
        // A signal that ends the run publishes `n` nodes. It is most likely where a page is first touched: above.
        compiler_fence(Ordering::Release);
        self.n = id;
        *entry(index) = stamp << NODE_BITS | id as u64;
        if id > self.table_mask / 2 {
            self.grow();
        }
        id
    }

    #[cold]
    fn refuse(&mut self) {
        self.full = true;
        note(NoteKind::NodeCap, Site::NONE, 0);
    }

    /// Doubles the table.
    #[cold]
    fn grow(&mut self) {
        self.table_mask = self.table_mask * 2 + 1;
        self.next_generation();
        for id in 1..=self.n {
            // SAFETY: nodes up to `n` are written.
            let hash = hash(unsafe { &*self.nodes.add(id as usize) });
            let mut index = hash as u32 & self.table_mask;
            while *entry(index) >> (64 - GENERATION_BITS) == self.generation as u64 {
                index = (index + 1) & self.table_mask;
            }
            *entry(index) = self.stamp(hash) << NODE_BITS | id as u64;
        }
    }

    fn next_generation(&mut self) {
        self.generation += 1;
        if self.generation >> GENERATION_BITS != 0 {
            discard(TABLE, TABLE_LEN);
            self.generation = 1;
        }
    }

    /// Makes the state look as after many runs.
    #[cfg(test)]
    pub(super) fn age(&mut self) {
        self.generation = (1 << GENERATION_BITS) - 2;
    }

    #[inline]
    fn stamp(&self, hash: u64) -> u64 {
        (self.generation as u64) << TAG_BITS | hash >> (64 - TAG_BITS)
    }
}

/// An entry of the table. Used only by the recording thread.
#[inline]
fn entry(index: u32) -> &'static mut u64 {
    // SAFETY: the table's mask keeps the index within the mapping, which lives as long as the process.
    unsafe { &mut *with_exposed_provenance_mut::<u64>(TABLE as usize).add(index as usize) }
}

/// Hash of everything that identifies an expression. The value is included only for a node without operands.
#[inline]
fn hash(node: &Node) -> u64 {
    let head = node.op as u64 | (node.width as u64) << 8 | (node.a as u64) << 32;
    let tail = if node.op == Op::Const as u8 {
        node.value[0] ^ node.value[1].rotate_left(29)
    } else {
        node.b as u64 | (node.c as u64) << 32
    };
    let product = (head ^ 0x9e37_79b9_7f4a_7c15) as u128 * (tail ^ 0xd6e8_feb8_6659_fd93) as u128;
    let mixed = product as u64 ^ (product >> 64) as u64;
    // The table uses low bits, the tag high ones.
    mixed ^ mixed >> 32
}
