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

use std::collections::{BTreeSet, HashMap, HashSet};

use tine_explore::job::StateSeen;
use tine_trace::event::{Event, EventKind, PREFIX_HASH_START};
use tine_trace::layout::CELL_UNREAD;
use tine_trace::node::Node;
use tine_trace::op::Op;
use tine_trace::plan::{InputRecord, OBJECT};
use tine_trace::state::{StateRecord, mix};

use crate::cases::CaseInputs;
use crate::graph::Shapes;
use crate::graph::shapes::Cell;

/// Nodes looked at for one state: what takes longer is not worth it.
const MAX_WORK: usize = 1 << 20;

/// What a run left behind of its states.
#[derive(Clone, Copy)]
pub(crate) struct States<'a> {
    pub(crate) shapes: &'a Shapes,
    pub(crate) nodes: &'a [Node],
    pub(crate) events: &'a [Event],
    pub(crate) inputs: &'a CaseInputs,
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

/// What the path says of a node.
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

/// What an input was found to be.
#[derive(Clone, Copy, Debug)]
enum Meaning {
    Node(u32),
    Value(u128),
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

    /// Whether the bytes of an input are numbers: nothing is known of what pointers may be.
    fn is_number(&self, input: u32, offset: u32, len: u32) -> bool {
        let ty = self.run.inputs.inputs.get(input as usize).map(|seen| seen.ty);
        let Some(ty) = ty.filter(|_| input & OBJECT == 0) else { return false };
        let Some(ty) = self.run.shapes.root(ty) else { return true };
        let cells = self.run.shapes.cells(ty);
        !cells.iter().any(|(at, cell)| *cell != Cell::Bool && *at < offset + len && offset < *at + 8)
    }

    /// What a variable is beside its number: a `bool` is 0 or 1.
    fn domain(&self, input: u32, offset: u32, len: u32) -> u64 {
        let root = self.run.inputs.inputs.get(input as usize).and_then(|seen| self.run.shapes.root(seen.ty));
        let is_bool = root.is_some_and(|ty| {
            let cells = self.run.shapes.cells(ty);
            cells.iter().any(|(at, cell)| *cell == Cell::Bool && (offset..offset + len).contains(at))
        });
        u64::from(len) << 1 | u64::from(is_bool)
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

    /// What the path says of the live inputs, directly or through others.
    fn constraints(&mut self, path: &[Event]) -> Option<Vec<Constraint>> {
        let mut open = Vec::new();
        for event in path {
            let value = self.node(event.node)?.value();
            let (node, how) = match EventKind::from_number(event.kind)? {
                EventKind::Branch => self.bare(event.node, event.alternative == 1),
                EventKind::Switch => (event.node, How::Leads { site: event.site, alternative: event.alternative }),
                EventKind::Choice | EventKind::Pin | EventKind::Placement => (event.node, How::Equals(value)),
            };
            let support = self.inputs_of(node)?;
            open.push(Constraint { node, how, support });
        }
        let mut linked = self.live.clone();
        let mut found = vec![false; open.len()];
        loop {
            let before = linked.len();
            for (constraint, found) in open.iter().zip(&mut found).filter(|(_, found)| !**found) {
                if constraint.support.iter().any(|input| linked.contains(input)) {
                    *found = true;
                    linked.extend(&constraint.support);
                }
            }
            if linked.len() == before {
                break;
            }
        }
        for input in &linked {
            let node = self.node(*input)?;
            if !self.is_number(node.a, node.b, u32::from(node.width) / 8) {
                return None;
            }
        }
        Some(open.into_iter().zip(found).filter(|(_, found)| *found).map(|(constraint, _)| constraint).collect())
    }

    /// A condition without negations around it.
    fn bare(&self, node: u32, holds: bool) -> (u32, How) {
        let (mut node, mut holds) = (node, holds);
        while let Some(inner) = self.node(node).filter(|inner| inner.op == Op::Not as u8 && inner.width == 1) {
            (node, holds) = (inner.a, !holds);
        }
        (node, How::Is(holds))
    }

    /// Takes inputs out that the state does not mention, where that is exact.
    fn eliminate(&mut self, constraints: &mut Vec<Constraint>) -> Option<()> {
        loop {
            if let Some((index, input, meaning)) = self.first_definition(constraints)? {
                constraints.remove(index);
                if let Some((input, meaning)) = input.zip(meaning) {
                    let of = if let Meaning::Node(node) = meaning { self.support(node)? } else { BTreeSet::new() };
                    self.meanings.insert(input, meaning);
                    for constraint in constraints.iter_mut() {
                        if constraint.support.remove(&input) {
                            constraint.support.extend(&of);
                        }
                    }
                }
            } else if let Some(input) = self.first_free(constraints)? {
                constraints.retain(|constraint| !constraint.support.contains(&input));
            } else {
                // What mentions nothing any more holds for what the inputs were replaced with.
                constraints.retain(|constraint| !constraint.support.is_empty());
                return Some(());
            }
        }
    }

    /// The first constraint that says what an input is, with the input; or one that says nothing (`x = x`).
    #[expect(clippy::type_complexity, reason = "used once")]
    fn first_definition(
        &mut self,
        constraints: &[Constraint],
    ) -> Option<Option<(usize, Option<u32>, Option<Meaning>)>> {
        for (index, constraint) in constraints.iter().enumerate() {
            if let How::Equals(value) = constraint.how {
                let input = self.meant(constraint.node);
                if self.is_dead(input) {
                    return Some(Some((index, Some(input), Some(Meaning::Value(value)))));
                }
            }
            if constraint.how != How::Is(true) || self.op(constraint.node)? != Op::Eq {
                continue;
            }
            let (a, b) = self.sides(constraint.node)?;
            if self.meant(a) == self.meant(b) {
                return Some(Some((index, None, None)));
            }
            for (input, other) in [(a, b), (b, a)] {
                let input = self.meant(input);
                if self.is_dead(input) && !self.support(other)?.contains(&input) {
                    return Some(Some((index, Some(input), Some(Meaning::Node(other)))));
                }
            }
        }
        Some(None)
    }

    /// An input that only has to differ from a few values.
    fn first_free(&mut self, constraints: &[Constraint]) -> Option<Option<u32>> {
        let inputs: BTreeSet<u32> =
            constraints.iter().flat_map(|constraint| constraint.support.iter().copied()).collect();
        'inputs: for input in inputs {
            if self.live.contains(&input) || self.domain_of(input)? & 1 != 0 {
                continue;
            }
            let about: Vec<&Constraint> =
                constraints.iter().filter(|constraint| constraint.support.contains(&input)).collect();
            let n_values = 1usize << self.node(input)?.width.min(40);
            if about.len() >= n_values {
                continue;
            }
            for constraint in about {
                if !self.differs(constraint, input)? {
                    continue 'inputs;
                }
            }
            return Some(Some(input));
        }
        Some(None)
    }

    /// Whether the constraint keeps the input from one value at most.
    fn differs(&mut self, constraint: &Constraint, input: u32) -> Option<bool> {
        if constraint.how != How::Is(false) || self.op(constraint.node)? != Op::Eq {
            return Some(false);
        }
        let node = self.node(constraint.node)?;
        for (side, other) in [(node.a, node.b), (node.b, node.a)] {
            if self.meant(self.unextended(side)) == input && !self.support(other)?.contains(&input) {
                return Some(true);
            }
        }
        Some(false)
    }

    /// An input that may be taken out.
    fn is_dead(&self, id: u32) -> bool {
        let bool_or_none = self.domain_of(id).is_none_or(|domain| domain & 1 != 0);
        self.op(id) == Some(Op::Input) && !bool_or_none && !self.live.contains(&id) && !self.meanings.contains_key(&id)
    }

    /// What an input stands for.
    fn meant(&self, id: u32) -> u32 {
        let mut id = id;
        while let Some(Meaning::Node(node)) = self.meanings.get(&id) {
            id = *node;
        }
        id
    }

    fn unextended(&self, id: u32) -> u32 {
        let mut id = id;
        while let Some(node) = self.node(id).filter(|node| node.op == Op::SExt as u8 || node.op == Op::ZExt as u8) {
            id = node.a;
        }
        id
    }

    /// The sides of an equation, without the same extension on both.
    fn sides(&self, equation: u32) -> Option<(u32, u32)> {
        let node = self.node(equation)?;
        let (mut a, mut b) = (node.a, node.b);
        loop {
            let (left, right) = (self.node(a)?, self.node(b)?);
            let extends = left.op == Op::SExt as u8 || left.op == Op::ZExt as u8;
            let same =
                left.op == right.op && self.node(left.a)?.width == self.node(right.a).map_or(0, |node| node.width);
            if !extends || !same {
                return Some((a, b));
            }
            (a, b) = (left.a, right.a);
        }
    }

    /// Hash of the state itself.
    fn key(&mut self, pieces: &[StateRecord], end: &StateRecord) -> Option<u64> {
        let mut key = 0;
        for piece in pieces {
            key = mix(key, piece.hash);
            key = mix(key, u64::from(piece.len));
            if piece.cell & CELL_UNREAD == 0 {
                key = mix(key, u64::from(piece.cell & 15));
                key = mix(key, self.hash(piece.cell >> 4)?);
                continue;
            }
            for byte in (0..piece.len).map(|k| (piece.cell & !CELL_UNREAD) + k) {
                let (input, offset) = self.owner(byte)?;
                let domain = self.domain(input, offset, 1);
                key = mix(key, self.variable(Variable::Byte(byte), domain));
            }
        }
        Some(mix(key, end.hash))
    }

    fn variable(&mut self, variable: Variable, domain: u64) -> u64 {
        let next = self.variables.len() as u64;
        let number = *self.variables.entry(variable).or_insert(next);
        mix(mix(Op::Input as u64, number), domain)
    }

    fn hash_of(&mut self, constraint: &Constraint) -> Option<u64> {
        let hash = self.hash(constraint.node)?;
        Some(match constraint.how {
            How::Is(holds) => mix(hash, u64::from(holds)),
            How::Equals(value) => mix(mix(mix(hash, 2), value as u64), (value >> 64) as u64),
            How::Leads { site, alternative } => mix(mix(mix(hash, 3), u64::from(site)), u64::from(alternative)),
        })
    }

    /// Hash of an expression. Operands come from the left, so variables get their numbers in an order that depends on
    /// nothing else.
    fn hash(&mut self, root: u32) -> Option<u64> {
        let mut open = vec![root];
        while let Some(&id) = open.last() {
            if self.hashes.contains_key(&id) {
                open.pop();
                continue;
            }
            self.work()?;
            let node = self.node(id)?;
            let op = node.op()?;
            let hash = match (op, self.meanings.get(&id)) {
                (Op::Input, Some(Meaning::Node(meant))) => match self.hashes.get(meant) {
                    Some(hash) => *hash,
                    None => {
                        open.push(*meant);
                        continue;
                    }
                },
                (Op::Input, Some(Meaning::Value(value))) => constant(node.width, *value),
                (Op::Input, None) => {
                    let domain = self.domain_of(id)?;
                    self.variable(Variable::Node(id), domain)
                }
                (Op::Const, _) => constant(node.width, node.value()),
                _ => {
                    let operands = self.operands(id)?;
                    let missing: Vec<u32> =
                        operands.iter().rev().copied().filter(|operand| !self.hashes.contains_key(operand)).collect();
                    if !missing.is_empty() {
                        open.extend(missing);
                        continue;
                    }
                    let mut hashes: Vec<u64> = operands.iter().map(|operand| self.hashes[operand]).collect();
                    if commutes(op) {
                        hashes.sort_unstable();
                    }
                    let shape = op.shape();
                    let immediate = [node.a, node.b, node.c].get(shape.operands as usize).copied().unwrap_or(0);
                    let start = mix(
                        mix(op as u64, u64::from(node.width)),
                        u64::from(immediate * u32::from(shape.immediates.min(1))),
                    );
                    hashes.into_iter().fold(start, mix)
                }
            };
            self.hashes.insert(id, hash);
            open.pop();
        }
        self.hashes.get(&root).copied()
    }
}

fn constant(width: u16, value: u128) -> u64 {
    mix(mix(mix(Op::Const as u64, u64::from(width)), value as u64), (value >> 64) as u64)
}

fn commutes(op: Op) -> bool {
    matches!(op, Op::Add | Op::Mul | Op::And | Op::Or | Op::Xor | Op::Eq)
}
