//! Conversion of a run's raw trace to terms and constraints, with checks.
//!
//! The unit is not trusted: every index is bounds-checked, and every node's value is recomputed from its operands
//! (invariant 8). A run repeats the beginning of its parent, so the terms of identical nodes there are reused instead
//! of built again.

use tine_explore::ProgramMap;
use tine_expr::{TermId, TermPool, node_value, same_value};
use tine_trace::eval::concat;
use tine_trace::event::{Event, EventKind, Site};
use tine_trace::node::Node;
use tine_trace::op::{ArrayOp, Op};
use tine_types::Input;

use crate::arrays::Arrays;
use crate::graph::Shapes;
use crate::graph::aliasing::{AliasingChoice, AliasingChoices, aliasing_choices};

/// Path of a run in the solver's terms.
#[derive(Debug, Default)]
pub struct Trace {
    /// Raw nodes; slot 0 is unused.
    nodes: Vec<Node>,
    /// Term of each node that a constraint depends on. The other nodes are not converted: a run records every symbolic
    /// computation, and terms cost more than nodes.
    terms: Vec<Option<TermId>>,
    events: Vec<Event>,
    /// Constraint of each event on the inputs, for the side that was taken.
    constraints: Vec<TermId>,
    aliasing_choices: AliasingChoices,
}

/// Records of a run.
#[derive(Clone, Debug)]
pub struct Recorded<'a> {
    pub nodes: Vec<Node>,
    pub events: Vec<Event>,
    /// Initial bytes of objects that became arrays.
    pub images: &'a [u8],
    /// Slots of input objects that were written to, with the number of bytes from their start.
    pub written: &'a [(u32, u32)],
}

/// Contradiction in the records of the unit: a bug in tine.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ImportError {
    #[error("node {node} refers to node {operand}, which is not before it")]
    Operand { node: u32, operand: u32 },
    #[error("node {node} is not well formed: {why}")]
    Shape { node: u32, why: String },
    #[error(
        "node {node} ({op}, {width} bits) had the value {seen:#x} in the unit, but its operands give {computed:#x}"
    )]
    Value { node: u32, op: &'static str, width: u32, seen: u128, computed: u128 },
    #[error("node {node} is a table whose bytes have changed")]
    Image { node: u32 },
    #[error("event {event} is not well formed: {why}")]
    Event { event: u32, why: String },
    #[error("event {event} took side {side_index}, but its condition does not hold under the input")]
    Constraint { event: u32, side_index: u16 },
}

impl Trace {
    /// Imports the records of a run. `parent` is a run that began the same way, if its trace is available.
    pub fn import(
        pool: &mut TermPool,
        map: &ProgramMap,
        shapes: &Shapes,
        run: Recorded<'_>,
        inputs: &Input,
        parent: Option<&Trace>,
    ) -> Result<Trace, ImportError> {
        let Recorded { nodes, events, images, written } = run;
        let mut terms = Vec::with_capacity(nodes.len());
        let same = parent.map_or(0, |parent| common_prefix(&parent.nodes, &nodes));
        if let Some(parent) = parent {
            terms.extend_from_slice(&parent.terms[..same]);
        }
        terms.resize(nodes.len(), None);
        let needed = needed(&nodes, &events);
        let arrays = Arrays { nodes: &nodes, images };
        for (index, node) in nodes.iter().enumerate().skip(1) {
            if let Some(op) = node.array_op() {
                arrays.check(index as u32, node, op)?;
                if needed[index] && terms[index].is_none() {
                    let operand = |id: u32| {
                        let missing = ImportError::Operand { node: index as u32, operand: id };
                        terms.get(id as usize).copied().flatten().ok_or(missing)
                    };
                    terms[index] = Some(arrays.build(pool, node, op, operand)?);
                }
                continue;
            }
            let checked = check(index as u32, node, &nodes, inputs)?;
            if needed[index] && terms[index].is_none() {
                terms[index] = Some(checked.build(pool, &terms)?);
            }
        }
        let constraints = Vec::with_capacity(events.len());
        let mut trace = Trace { nodes, terms, events, constraints, aliasing_choices: AliasingChoices::default() };
        // Check this first: the code below relies on the events.
        for index in 0..trace.events.len() {
            trace.check_event(index, map)?;
        }
        let kept = parent.map_or(0, |parent| trace.common_events(parent, same));
        let known = parent.map(|parent| (&parent.aliasing_choices, kept));
        trace.aliasing_choices = aliasing_choices(shapes, &trace.nodes, &trace.events, inputs, written, known);
        if let Some(parent) = parent {
            trace.constraints.extend_from_slice(&parent.constraints[..kept]);
        }
        for index in kept..trace.events.len() {
            let constraint = trace.taken(pool, map, index)?;
            trace.constraints.push(constraint);
        }
        Ok(trace)
    }

    /// Approximate size in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let of_nodes = self.nodes.len() * (size_of::<Node>() + size_of::<Option<TermId>>());
        let of_events = self.events.len() * (size_of::<Event>() + size_of::<TermId>());
        size_of::<Trace>() + of_nodes + of_events
    }

    /// Events of the run.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Every expression with its value; slot 0 is unused.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    pub(crate) fn aliasing_choices(&self) -> &AliasingChoices {
        &self.aliasing_choices
    }

    pub(crate) fn aliasing_choice(&self, event: u32) -> Option<&AliasingChoice> {
        self.aliasing_choices.get(event)
    }

    /// Constraints of all events before `index`, for the sides that were taken.
    pub fn prefix(&self, index: usize) -> &[TermId] {
        &self.constraints[..index]
    }

    /// Input and offset of the pointer whose first use is event `index`.
    pub(crate) fn used_pointer(&self, index: usize) -> Option<(u32, u32)> {
        let event = self.events.get(index).filter(|event| event.kind == EventKind::Aliasing as u8)?;
        let node = self.nodes.get(event.node as usize).filter(|node| node.op == Op::Input as u8)?;
        Some((node.a, node.b))
    }

    /// Constraint of event `index` for the side that was taken.
    fn taken(&self, pool: &mut TermPool, map: &ProgramMap, index: usize) -> Result<TermId, ImportError> {
        let event = &self.events[index];
        if event.kind != EventKind::Aliasing as u8 {
            return self.constraint(pool, map, index, event.side_index);
        }
        let bad = |why: &str| ImportError::Event { event: index as u32, why: why.to_owned() };
        let term = self.terms.get(event.node as usize).copied().flatten().ok_or_else(|| bad("no such node"))?;
        let value = pool.constant(pool.width(term), self.nodes[event.node as usize].value());
        Ok(pool.eq(term, value))
    }

    /// Constraint of event `index` for `side`.
    pub fn constraint(
        &self,
        pool: &mut TermPool,
        map: &ProgramMap,
        index: usize,
        side_index: u16,
    ) -> Result<TermId, ImportError> {
        let event = &self.events[index];
        let bad = |why: &str| ImportError::Event { event: index as u32, why: why.to_owned() };
        let term = self.terms.get(event.node as usize).copied().flatten().ok_or_else(|| bad("no such node"))?;
        let width = pool.width(term);
        Ok(match EventKind::from_number(event.kind).ok_or_else(|| bad("unknown kind"))? {
            EventKind::Branch | EventKind::Failing if width != 1 => return Err(bad("the condition is not one bit")),
            EventKind::Branch | EventKind::Failing if side_index == 1 => term,
            EventKind::Branch | EventKind::Failing => pool.not(term),
            EventKind::Choice => {
                let value = pool.constant(width, side_index as u128);
                pool.eq(term, value)
            }
            EventKind::Concretise => {
                let value = pool.constant(width, self.nodes[event.node as usize].value());
                pool.eq(term, value)
            }
            EventKind::Aliasing => {
                let choice = self.aliasing_choices.get(index as u32).ok_or_else(|| bad("no sides"))?;
                match choice.values.get(side_index as usize).ok_or_else(|| bad("no such side"))? {
                    Some(value) => {
                        let value = pool.constant(width, u128::from(*value));
                        pool.eq(term, value)
                    }
                    None => {
                        let now = self.nodes[event.node as usize].value[0];
                        elsewhere(pool, term, &choice.values, now)
                    }
                }
            }
            EventKind::Switch => {
                let site = map.site(Site(event.site)).ok_or_else(|| bad("no such site"))?;
                switch(pool, term, map.cases(site).iter().map(|case| (case.value, case.side_index)), side_index)
            }
        })
    }

    /// Invariant 8: checks that the event's condition had the value that its side implies.
    fn check_event(&self, index: usize, map: &ProgramMap) -> Result<(), ImportError> {
        let event = &self.events[index];
        let bad = |why: &str| ImportError::Event { event: index as u32, why: why.to_owned() };
        let node =
            self.nodes.get(event.node as usize).filter(|_| event.node != 0).ok_or_else(|| bad("no such node"))?;
        let value = node.value();
        let holds = match EventKind::from_number(event.kind).ok_or_else(|| bad("unknown kind"))? {
            EventKind::Branch | EventKind::Failing => node.width == 1 && event.side_index as u128 == value,
            EventKind::Choice => event.side_index as u128 == value,
            EventKind::Concretise | EventKind::Aliasing => true,
            EventKind::Switch => {
                let site = map.site(Site(event.site)).ok_or_else(|| bad("no such site"))?;
                let taken = map.cases(site).iter().find(|case| case.value == value).map_or(0, |case| case.side_index);
                taken == event.side_index
            }
        };
        if holds { Ok(()) } else { Err(ImportError::Constraint { event: index as u32, side_index: event.side_index }) }
    }

    /// Number of events at the start that equal the parent's, over nodes that equal the parent's.
    fn common_events(&self, parent: &Trace, same_nodes: usize) -> usize {
        self.events
            .iter()
            .zip(&parent.events)
            .take_while(|(a, b)| {
                let same_place =
                    (a.kind, a.side_index, a.site, a.node, a.aux) == (b.kind, b.side_index, b.site, b.node, b.aux);
                // The constraint of a concretisation holds the value.
                let same_value =
                    !matches!(EventKind::from_number(a.kind), Some(EventKind::Concretise | EventKind::Aliasing))
                        || self.nodes[a.node as usize].value() == parent.nodes[b.node as usize].value();
                same_place && (a.node as usize) < same_nodes && same_value
            })
            .count()
    }
}

/// A node whose operands and value have been checked.
struct Checked<'a> {
    index: u32,
    node: &'a Node,
    op: Op,
}

impl Checked<'_> {
    fn build(&self, pool: &mut TermPool, terms: &[Option<TermId>]) -> Result<TermId, ImportError> {
        let node = self.node;
        match self.op {
            Op::Const => return Ok(pool.constant(node.width as u32, node.value())),
            Op::Input => return Ok(pool.input(node.a, node.b, node.width as u32)),
            _ => {}
        }
        let shape = self.op.shape();
        let fields = [node.a, node.b, node.c];
        let count = shape.operands as usize;
        let mut operands = [TermId(0); 3];
        for (operand, &field) in operands.iter_mut().zip(&fields[..count]) {
            let missing = ImportError::Operand { node: self.index, operand: field };
            *operand = terms.get(field as usize).copied().flatten().ok_or(missing)?;
        }
        let immediate = if shape.immediates > 0 { fields[count] } else { 0 };
        pool.try_apply(self.op, node.width as u32, &operands[..count], immediate)
            .map_err(|why| ImportError::Shape { node: self.index, why: why.to_string() })
    }
}

/// Checks a node's shape and recomputes its value.
fn check<'a>(index: u32, node: &'a Node, nodes: &[Node], inputs: &Input) -> Result<Checked<'a>, ImportError> {
    let shape_error = |why: &str| ImportError::Shape { node: index, why: why.to_owned() };
    let op = node.op().ok_or_else(|| shape_error("unknown operation"))?;
    let width = node.width as u32;
    if !(1..=128).contains(&width) {
        return Err(shape_error("its width is not 1 to 128"));
    }
    let fields = [node.a, node.b, node.c];
    let mut values = [0u128; 3];
    let mut widths = [0u32; 3];
    for k in 0..op.shape().operands as usize {
        if fields[k] == 0 || fields[k] >= index {
            return Err(ImportError::Operand { node: index, operand: fields[k] });
        }
        let operand = &nodes[fields[k] as usize];
        values[k] = operand.value();
        widths[k] = operand.width as u32;
        if widths[k] == 0 {
            return Err(shape_error("its operand is an array"));
        }
    }
    let computed = match op {
        Op::Const => node.value(),
        Op::Input if !width.is_multiple_of(8) => return Err(shape_error("an input of a broken number of bytes")),
        Op::Input => inputs.read(node.a, node.b, width),
        Op::Concat => concat(widths[1], values[0], values[1]),
        Op::Extract => node_value(op, width, widths[0], values[0], node.b as u128, 0).unwrap_or(0),
        Op::FRound => node_value(op, width, widths[0], values[0], node.b as u128, 0).unwrap_or(0),
        _ => node_value(op, width, widths[0], values[0], values[1], values[2])
            .ok_or_else(|| shape_error("it cannot be evaluated"))?,
    };
    if !same_value(op, width, computed, node.value()) {
        let seen = node.value();
        return Err(ImportError::Value { node: index, op: op.name(), width, seen, computed });
    }
    Ok(Checked { index, node, op })
}

/// Nodes that constraints depend on: those of the events, and their operands, recursively.
fn needed(nodes: &[Node], events: &[Event]) -> Vec<bool> {
    let mut needed = vec![false; nodes.len()];
    for event in events {
        if let Some(node) = needed.get_mut(event.node as usize) {
            *node = true;
        }
    }
    for (index, node) in nodes.iter().enumerate().skip(1).rev() {
        for operand in node.operands() {
            // A node that does not precede its user is rejected by the check of the nodes.
            if needed[index] && (operand as usize) < index {
                needed[operand as usize] = true;
            }
        }
    }
    needed
}

/// Number of nodes at the start with the same structure. Values differ with the inputs, except for constants.
fn common_prefix(a: &[Node], b: &[Node]) -> usize {
    let structure = |node: &Node| (node.op, node.width, node.a, node.b, node.c);
    let is_value = |node: &Node| node.op == Op::Const as u8 || node.op == ArrayOp::Table as u8;
    a.iter().zip(b).take_while(|(a, b)| structure(a) == structure(b) && (!is_value(a) || a.value == b.value)).count()
}

/// Constraint: the pointer points to none of these addresses and not to `now`, but is not NULL.
fn elsewhere(pool: &mut TermPool, pointer: TermId, values: &[Option<u64>], now: u64) -> TermId {
    let mut result = pool.bit(true);
    let now = (!values.contains(&Some(now)) && now != 0).then_some(now);
    for value in values.iter().flatten().chain([&0]).chain(&now) {
        let value = pool.constant(64, u128::from(*value));
        let differs = pool.ne(pointer, value);
        result = pool.and(result, differs);
    }
    result
}

/// Constraint: the value selects `side` of a switch, one of its cases, or none of them for the default (0).
fn switch(pool: &mut TermPool, value: TermId, cases: impl Iterator<Item = (u128, u16)>, side_index: u16) -> TermId {
    let width = pool.width(value);
    let mut result = pool.bit(side_index == 0);
    for (case, leads_to) in cases {
        // The default is "none of the others". Values that are listed for it select it like any other side.
        let matters = if side_index == 0 { leads_to != 0 } else { leads_to == side_index };
        if !matters {
            continue;
        }
        let case = pool.constant(width, case);
        let equal = pool.eq(value, case);
        result = if side_index == 0 {
            let differs = pool.not(equal);
            pool.and(result, differs)
        } else {
            pool.or(result, equal)
        };
    }
    result
}
