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
            if let Some(Definition { index, of: defined }) = self.first_definition(constraints)? {
                constraints.remove(index);
                if let Some((input, meaning)) = defined {
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

    /// The first constraint that says what an input is, or that says nothing (`x = x`).
    fn first_definition(&mut self, constraints: &[Constraint]) -> Option<Option<Definition>> {
        for (index, constraint) in constraints.iter().enumerate() {
            if let How::Equals(value) = constraint.how {
                let input = self.meant(constraint.node);
                if self.is_dead(input) {
                    return Some(Some(Definition { index, of: Some((input, Meaning::Value(value))) }));
                }
            }
            if constraint.how != How::Is(true) || self.op(constraint.node)? != Op::Eq {
                continue;
            }
            let (a, b) = self.sides(constraint.node)?;
            if self.meant(a) == self.meant(b) {
                return Some(Some(Definition { index, of: None }));
            }
            for (input, other) in [(a, b), (b, a)] {
                let input = self.meant(input);
                if self.is_dead(input) && !self.support(other)?.contains(&input) {
                    return Some(Some(Definition { index, of: Some((input, Meaning::Node(other))) }));
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

#[cfg(test)]
mod tests {
    use tine_trace::event::{Site, prefix_hash};
    use tine_trace::plan::InputKind;

    use super::*;
    use crate::cases::InputSeen;

    /// A run made by hand, of 32-bit inputs without types.
    #[derive(Default)]
    struct Run {
        nodes: Vec<Node>,
        events: Vec<Event>,
        records: Vec<StateRecord>,
        n_inputs: u32,
    }

    impl Run {
        fn new() -> Run {
            Run { nodes: vec![Node::default()], ..Run::default() }
        }

        fn node(&mut self, op: Op, width: u16, [a, b, c]: [u32; 3], value: u64) -> u32 {
            self.nodes.push(Node { op: op as u8, flags: 0, width, a, b, c, value: [value, 0] });
            self.nodes.len() as u32 - 1
        }

        fn input(&mut self) -> u32 {
            self.n_inputs += 1;
            self.node(Op::Input, 32, [self.n_inputs - 1, 0, 0], 0)
        }

        fn constant(&mut self, value: u64) -> u32 {
            self.node(Op::Const, 32, [0; 3], value)
        }

        fn binary(&mut self, op: Op, a: u32, b: u32) -> u32 {
            let width = if op.shape().predicate { 1 } else { 32 };
            self.node(op, width, [a, b, 0], 0)
        }

        fn event(&mut self, kind: EventKind, node: u32, alternative: u16) {
            let before = self.events.last().map_or(PREFIX_HASH_START, |event| event.prefix_hash);
            let prefix_hash = prefix_hash(before, kind as u8, Site::NONE.0, alternative);
            self.events.push(Event { kind: kind as u8, alternative, node, prefix_hash, ..Event::default() });
        }

        /// The path knows whether `a op b`.
        fn know(&mut self, op: Op, a: u32, b: u32, holds: bool) {
            let condition = self.binary(op, a, b);
            self.event(EventKind::Branch, condition, u16::from(holds));
        }

        /// A state of these values.
        fn state(&mut self, values: &[u32]) -> Option<StateSeen> {
            self.records.clear();
            for value in values {
                self.records.push(StateRecord { hash: 7, cell: value << 4, len: 4, n_events: 0, whole: 0 });
            }
            let n_events = self.events.len() as u32;
            self.records.push(StateRecord { hash: 9, cell: 0, len: 3, n_events, whole: 1 });
            let seen = InputSeen { name: "x".into(), kind: InputKind::Signed, bytes: vec![0; 4], choices: 0, ty: 0 };
            let inputs = CaseInputs { inputs: vec![seen; self.n_inputs as usize], ..CaseInputs::default() };
            let states = States {
                shapes: &Shapes::default(),
                nodes: &self.nodes,
                events: &self.events,
                inputs: &inputs,
                owners: &[],
                records: &self.records,
            };
            states.signatures(None).pop()
        }
    }

    /// Key and constraints of the state that `make` says the values of.
    fn signature(make: impl Fn(&mut Run) -> Vec<u32>) -> (u64, Vec<u64>) {
        let mut run = Run::new();
        let values = make(&mut run);
        let seen = run.state(&values).expect("a signature");
        assert_eq!((seen.calls_left, seen.event as usize), (3, run.events.len()));
        (seen.key, seen.constraints)
    }

    fn two(run: &mut Run) -> (u32, u32) {
        (run.input(), run.input())
    }

    #[test]
    fn variables_have_no_names() {
        let first = signature(|run| vec![run.input()]);
        let second = signature(|run| {
            let (_, y) = two(run);
            vec![y]
        });
        assert_eq!(first, second);
        assert_ne!(first, signature(|run| vec![run.constant(0)]));
        // But it counts whether two are the same.
        let pair = signature(|run| {
            let (x, y) = two(run);
            vec![x, y]
        });
        let exchanged = signature(|run| {
            let (x, y) = two(run);
            vec![y, x]
        });
        let twice = signature(|run| {
            let x = run.input();
            vec![x, x]
        });
        assert_eq!(pair, exchanged);
        assert_ne!(pair, twice);
    }

    #[test]
    fn expressions_count() {
        let of = |op, constant| {
            signature(move |run| {
                let x = run.input();
                let constant = run.constant(constant);
                vec![run.binary(op, x, constant)]
            })
        };
        assert_eq!(of(Op::Add, 1), of(Op::Add, 1));
        assert_ne!(of(Op::Add, 1), of(Op::Add, 2));
        assert_ne!(of(Op::Add, 1), of(Op::Sub, 1));
        let sum = signature(|run| {
            let constant = run.constant(1);
            let x = run.input();
            vec![run.binary(Op::Add, constant, x)]
        });
        assert_eq!(of(Op::Add, 1), sum);
    }

    #[test]
    fn constraints_count_in_any_order() {
        let of = |conditions: &'static [(Op, usize, usize, bool)]| {
            signature(move |run| {
                let (x, y) = two(run);
                for (op, a, b, holds) in conditions {
                    run.know(*op, [x, y][*a], [x, y][*b], *holds);
                }
                vec![x, y]
            })
        };
        let free = of(&[]);
        assert!(free.1.is_empty());
        let less = of(&[(Op::Slt, 0, 1, true)]);
        assert_eq!(free.0, less.0);
        assert_eq!(less.1.len(), 1);
        assert_ne!(less, of(&[(Op::Slt, 0, 1, false)]));
        assert_ne!(less, of(&[(Op::Slt, 1, 0, true)]));
        let both = of(&[(Op::Slt, 0, 1, true), (Op::Eq, 0, 1, false)]);
        assert_eq!(both, of(&[(Op::Eq, 1, 0, false), (Op::Slt, 0, 1, true)]));
        assert!(less.1.iter().all(|constraint| both.1.contains(constraint)));
    }

    #[test]
    fn what_the_state_does_not_mention_goes_away_where_it_can() {
        let alone = signature(|run| vec![run.input()]);
        // Nothing links y to x.
        let unrelated = signature(|run| {
            let (x, y) = two(run);
            let five = run.constant(5);
            run.know(Op::Slt, y, five, true);
            vec![x]
        });
        assert_eq!(alone, unrelated);
        // y is something else than x: there is always such a y.
        let differs = signature(|run| {
            let (x, y) = two(run);
            run.know(Op::Eq, x, y, false);
            vec![x]
        });
        assert_eq!(alone, differs);
        // y is x: what is known of y is known of x.
        let replaced = signature(|run| {
            let (x, y) = two(run);
            let five = run.constant(5);
            run.know(Op::Eq, y, x, true);
            run.know(Op::Slt, y, five, true);
            vec![x]
        });
        let direct = signature(|run| {
            let (x, five) = (run.input(), run.constant(5));
            run.know(Op::Slt, x, five, true);
            vec![x]
        });
        assert_eq!(replaced, direct);
        // y < x says that x is not the least number, and stays.
        let less = signature(|run| {
            let (x, y) = two(run);
            run.know(Op::Slt, y, x, true);
            vec![x]
        });
        assert_eq!((less.0, less.1.len()), (alone.0, 1));
        // So does y != x where y must also be small.
        let both = signature(|run| {
            let (x, y) = two(run);
            let one = run.constant(1);
            run.know(Op::Eq, x, y, false);
            run.know(Op::Ult, y, one, true);
            vec![x]
        });
        assert_eq!(both.1.len(), 2);
    }

    #[test]
    fn a_few_values_can_be_used_up() {
        let excluded = |n: u64| {
            signature(move |run| {
                let x = run.input();
                run.n_inputs += 1;
                // One byte.
                let y = run.node(Op::Input, 8, [run.n_inputs - 1, 0, 0], 0);
                let wide = run.node(Op::ZExt, 32, [y, 0, 0], 0);
                for k in 0..n {
                    let k = run.constant(k);
                    let value = run.binary(Op::Add, x, k);
                    run.know(Op::Eq, wide, value, false);
                }
                vec![x]
            })
        };
        assert_eq!(excluded(255).1.len(), 0);
        assert_eq!(excluded(256).1.len(), 256);
    }

    #[test]
    fn pointers_have_no_signature() {
        let mut run = Run::new();
        let x = run.input();
        run.event(EventKind::Placement, x, 0);
        assert_eq!(run.state(&[]), None);
        let mut run = Run::new();
        let object = run.node(Op::Input, 32, [OBJECT | 3, 0, 0], 0);
        assert_eq!(run.state(&[object]), None);
    }
}
