//! Signatures of the states between the calls of a sequence. Equal signatures mean equal sets of concrete states,
//! except for the addresses of heap objects.
//!
//! The unit combines the concrete part of a state into one hash (`tine_trace::state`). Its symbolic pieces are added
//! here, as expressions over variables, which are numbered in the order in which the state mentions them. The path's
//! constraints on these variables are a set beside the hash:
//!
//! ```text
//!   add(x), add(y), find(z)      x < y, z != x, z != y        state [x, y]
//!                                v1 < v2                      signature ([v1, v2], {v1 < v2})
//! ```
//! Variables that the state does not mention only need to have some value. `z = x` defines `z`, and `z != x` alone can
//! always be satisfied, so both are removed. Any other remaining constraint makes the set of states smaller, which the
//! comparison of two states takes into account. There is no signature if inputs are pointers: their possible targets
//! are not part of the state.

mod hash;
mod path;

use std::collections::{BTreeSet, HashMap, HashSet};

use tine_explore::job::StateSeen;
use tine_trace::event::{Event, EventKind, PREFIX_HASH_START};
use tine_trace::layout::CELL_UNREAD;
use tine_trace::node::Node;
use tine_trace::op::Op;
use tine_trace::plan::{InputRecord, OBJECT};
use tine_trace::state::StateRecord;
use tine_types::Input;

use crate::graph::Shapes;
use crate::graph::shapes::Cell;

/// Maximum number of nodes visited for one state. More is not worth the time.
const MAX_WORK: usize = 1 << 20;

/// Records of a run's states.
#[derive(Clone, Copy)]
pub(crate) struct States<'a> {
    pub(crate) shapes: &'a Shapes,
    pub(crate) nodes: &'a [Node],
    pub(crate) events: &'a [Event],
    pub(crate) inputs: &'a Input,
    /// Owners of the run's input bytes, in order.
    pub(crate) owners: &'a [InputRecord],
    pub(crate) records: &'a [StateRecord],
}

impl States<'_> {
    /// States with a signature, after event `first` of the run if one is given.
    pub(crate) fn signatures(&self, first: Option<u32>) -> Vec<StateSeen> {
        let mut seen = Vec::new();
        let mut start = 0;
        for (index, end) in self.records.iter().enumerate().filter(|(_, record)| record.is_end()) {
            let pieces = &self.records[start..index];
            start = index + 1;
            if end.whole != 0 && first.is_none_or(|first| end.n_events > first) {
                seen.extend(self.signature(pieces, end));
            }
        }
        seen
    }

    fn signature(&self, pieces: &[StateRecord], end: &StateRecord) -> Option<StateSeen> {
        let path = self.events.get(..end.n_events as usize)?;
        if path.iter().any(|event| event.kind == EventKind::Aliasing as u8) {
            return None;
        }
        let mut signature = Signature::new(self);
        signature.live = signature.live(pieces)?;
        let mut constraints = signature.constraints(path)?;
        signature.eliminate(&mut constraints)?;
        let key = signature.key(pieces, end)?;
        let mut hashes = Vec::with_capacity(constraints.len());
        for constraint in &constraints {
            hashes.push(signature.hash_of(constraint)?);
        }
        hashes.sort_unstable();
        hashes.dedup();
        let before = path.last().map_or(PREFIX_HASH_START, |event| event.prefix_hash);
        Some(StateSeen { event: end.n_events, before, key, constraints: hashes, calls_left: end.len })
    }
}

/// Constraint of the path on a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    /// Value of a single bit.
    Is(bool),
    Equals(u128),
    /// Side of a switch.
    Leads {
        site: u32,
        side_index: u16,
    },
}

#[derive(Clone, Debug)]
struct Constraint {
    node: u32,
    how: How,
    /// Inputs that it mentions, without those that are replaced by other terms.
    support: BTreeSet<u32>,
}

/// Role of an input.
#[derive(Clone, Copy, Debug)]
enum Meaning {
    Node(u32),
    Value(u128),
}

/// A constraint that defines an input, or `None` if it is trivial.
#[derive(Clone, Copy, Debug)]
struct Definition {
    index: usize,
    of: Option<(u32, Meaning)>,
}

/// A variable, in the order of first mention.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Variable {
    /// An input's node.
    Node(u32),
    /// A byte of the run's inputs that has not been read.
    Byte(u32),
}

struct Signature<'a> {
    run: &'a States<'a>,
    /// Inputs that the state mentions.
    live: HashSet<u32>,
    meanings: HashMap<u32, Meaning>,
    variables: HashMap<Variable, u64>,
    hashes: HashMap<u32, u64>,
    work_left: usize,
}

impl<'a> Signature<'a> {
    fn new(run: &'a States<'a>) -> Signature<'a> {
        Signature {
            run,
            live: HashSet::new(),
            meanings: HashMap::new(),
            variables: HashMap::new(),
            hashes: HashMap::new(),
            work_left: MAX_WORK,
        }
    }

    fn node(&self, id: u32) -> Option<&'a Node> {
        self.run.nodes.get(id as usize).filter(|_| id != 0)
    }

    fn op(&self, id: u32) -> Option<Op> {
        self.node(id)?.op()
    }

    fn operands(&self, id: u32) -> Option<Vec<u32>> {
        let node = self.node(id)?;
        let n = node.op()?.shape().operands as usize;
        let operands = [node.a, node.b, node.c][..n].to_vec();
        // The import rejects operands that do not precede their user. Here they would cause an endless loop.
        operands.iter().all(|operand| *operand != 0 && *operand < id).then_some(operands)
    }

    fn work(&mut self) -> Option<()> {
        self.work_left = self.work_left.checked_sub(1)?;
        Some(())
    }

    /// Input nodes that a node depends on.
    fn inputs_of(&mut self, root: u32) -> Option<BTreeSet<u32>> {
        let (mut found, mut seen, mut open) = (BTreeSet::new(), HashSet::new(), vec![root]);
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            self.work()?;
            if self.op(id)? == Op::Input {
                found.insert(id);
            } else {
                open.extend(self.operands(id)?);
            }
        }
        Some(found)
    }

    /// Like [`Signature::inputs_of`], but defined inputs are replaced by the inputs of their definitions.
    fn support(&mut self, root: u32) -> Option<BTreeSet<u32>> {
        let mut support = BTreeSet::new();
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            for input in self.inputs_of(id)? {
                match self.meanings.get(&input) {
                    Some(Meaning::Node(node)) => open.push(*node),
                    Some(Meaning::Value(_)) => {}
                    None => _ = support.insert(input),
                }
            }
        }
        Some(support)
    }

    /// True if the bytes of an input are numbers. The possible values of pointers are not known here.
    fn is_number(&self, input: u32, offset: u32, len: u32) -> bool {
        let ty = self.run.inputs.requests.get(input as usize).map(|seen| seen.ty);
        let Some(ty) = ty.filter(|_| input & OBJECT == 0) else { return false };
        let Some(ty) = self.run.shapes.root(ty) else { return true };
        let cells = self.run.shapes.cells(ty);
        !cells.iter().any(|(at, cell)| cell.is_pointer() && *at < offset + len && offset < *at + 8)
    }

    /// Kind of a variable, which is part of its identity: a `bool` is 0 or 1, an enumeration has one of its values.
    fn domain(&self, input: u32, offset: u32, len: u32) -> u64 {
        let root = self.run.inputs.requests.get(input as usize).and_then(|seen| self.run.shapes.root(seen.ty));
        let restricted = root.and_then(|ty| {
            let cells = self.run.shapes.cells(ty);
            let restriction = |(at, cell): &(u32, Cell)| match cell {
                _ if !(offset..offset + len).contains(at) => None,
                Cell::Bool => Some(1),
                Cell::Enum { ty, .. } => Some(2 + u64::from(ty.number())),
                Cell::Pointer { .. } | Cell::Function { .. } => None,
            };
            cells.iter().find_map(restriction)
        });
        u64::from(len) << 33 | restricted.unwrap_or(0)
    }

    fn domain_of(&self, id: u32) -> Option<u64> {
        let node = self.node(id)?;
        Some(self.domain(node.a, node.b, u32::from(node.width) / 8))
    }

    /// Input and offset of a byte of the run's inputs.
    fn owner(&self, byte: u32) -> Option<(u32, u32)> {
        let holds = |record: &&InputRecord| byte.checked_sub(record.first_byte).is_some_and(|at| at < record.size);
        let record = self.run.owners.iter().find(holds)?;
        Some((record.id, byte - record.first_byte))
    }

    fn live(&mut self, pieces: &[StateRecord]) -> Option<HashSet<u32>> {
        let mut live = HashSet::new();
        for piece in pieces {
            if piece.cell & CELL_UNREAD == 0 {
                live.extend(self.inputs_of(piece.cell >> 4)?);
                continue;
            }
            for byte in 0..piece.len {
                let (input, offset) = self.owner((piece.cell & !CELL_UNREAD) + byte)?;
                if !self.is_number(input, offset, 1) {
                    return None;
                }
            }
        }
        Some(live)
    }
}

#[cfg(test)]
mod tests;
