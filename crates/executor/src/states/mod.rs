//! Signatures of the states between the calls of a sequence: same signature, same set of concrete states, up to where
//! the heap's objects lie.
//!
//! The unit has put into one hash what is concrete (`tine_trace::state`); here its symbolic pieces are added, as
//! expressions over variables that are numbered in the order in which the state mentions them. What the path knows of these
//! variables is a set of constraints beside it:
//!
//! ```text
//!   add(x), add(y), find(z)      x < y, z != x, z != y        state [x, y]
//!                                v1 < v2                      signature ([v1, v2], {v1 < v2})
//! ```
//! Variables that the state does not mention are only there to be satisfied: `z = x` says what they are and `z != x` alone can
//! always be had, so these go away. Whatever else stays makes the set a smaller one, which whoever compares two states takes into
//! account. Where inputs are pointers there is no signature: what they may point to is more than the state.

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

/// Nodes looked at for one state: what takes longer is not worth it.
const MAX_WORK: usize = 1 << 20;

/// Records of a run's states.
#[derive(Clone, Copy)]
pub(crate) struct States<'a> {
    pub(crate) shapes: &'a Shapes,
    pub(crate) nodes: &'a [Node],
    pub(crate) events: &'a [Event],
    pub(crate) inputs: &'a Input,
    /// Of the inputs, in order of their bytes.
    pub(crate) owners: &'a [InputRecord],
    pub(crate) records: &'a [StateRecord],
}

impl States<'_> {
    /// Those that have a signature, behind event `first` of the run where one is given.
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
        if path.iter().any(|event| event.kind == EventKind::Placement as u8) {
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

/// Constraints of the path on a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    /// One bit.
    Is(bool),
    Equals(u128),
    /// It leads a switch there.
    Leads {
        site: u32,
        alternative: u16,
    },
}

#[derive(Clone, Debug)]
struct Constraint {
    node: u32,
    how: How,
    /// Inputs it mentions, none of which stands for something else.
    support: BTreeSet<u32>,
}

/// Role of an input.
#[derive(Clone, Copy, Debug)]
enum Meaning {
    Node(u32),
    Value(u128),
}

/// A constraint that says what an input is; or nothing, if that is none.
#[derive(Clone, Copy, Debug)]
struct Definition {
    index: usize,
    of: Option<(u32, Meaning)>,
}

/// A variable, in the order of mention.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Variable {
    /// An input's node.
    Node(u32),
    /// A byte of the run's inputs that nothing has read.
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
        // What is not before its user the import refuses; here it would be an endless loop.
        operands.iter().all(|operand| *operand != 0 && *operand < id).then_some(operands)
    }

    fn work(&mut self) -> Option<()> {
        self.work_left = self.work_left.checked_sub(1)?;
        Some(())
    }

    /// The input nodes that a node is made of.
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

    /// [`Signature::inputs_of`], with those left out that stand for something else: what that mentions is there instead.
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

    /// True if the bytes of an input are numbers: nothing is known of what pointers may be.
    fn is_number(&self, input: u32, offset: u32, len: u32) -> bool {
        let ty = self.run.inputs.requests.get(input as usize).map(|seen| seen.ty);
        let Some(ty) = ty.filter(|_| input & OBJECT == 0) else { return false };
        let Some(ty) = self.run.shapes.root(ty) else { return true };
        let cells = self.run.shapes.cells(ty);
        !cells.iter().any(|(at, cell)| cell.is_pointer() && *at < offset + len && offset < *at + 8)
    }

    /// Kind of a variable beside its number: a `bool` is 0 or 1, an enumeration one of its values.
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
