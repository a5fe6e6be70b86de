//! Aliasing choices: the objects that a pointer could have pointed to at its first use.
//!
//! The path meets objects one after another. A pointer that is used for the first time points either to an object that
//! the path has not met ("new"), or into one that it has met, at an offset where the right type lies. That choice is a
//! decision of the tree, so every way to share the objects of a path is a path of its own.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use tine_trace::event::{Event, EventKind};
use tine_trace::node::Node;
use tine_trace::op::Op;
use tine_trace::plan::{OBJECT, object_address, slot_of};
use tine_types::input::{Element, Input};

use super::shapes::{Cell, Shapes};

/// The sides of an aliasing choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AliasingChoice {
    /// Side that was taken.
    pub(crate) side_index: u16,
    /// Value of the pointer in each side but the last; `None` is an object that the path has not met. The last
    /// side is any other value. A run may take it, but tine never asks for it.
    pub(crate) values: Vec<Option<u64>>,
    /// The list is incomplete.
    pub(crate) is_cut: bool,
}

impl AliasingChoice {
    pub(crate) fn n_sides(&self) -> u16 {
        self.values.len() as u16 + 1
    }
}

/// Maximum number of sides of one aliasing choice.
const MAX_ALTERNATIVES: usize = 256;

/// The aliasing choices of a path.
#[derive(Debug, Default)]
pub(crate) struct AliasingChoices {
    /// Aliasing choices by event. An event without entry has no sides.
    found: FxHashMap<u32, Rc<AliasingChoice>>,
    /// Number of bytes read of each object, counted from its start, by slot.
    touched: FxHashMap<u32, u32>,
    /// Number of bytes read or written of each object, counted from its start, by slot.
    used: FxHashMap<u32, u32>,
    /// Events at which the path met a new object, in order.
    meetings: Vec<u32>,
    /// Events at which arrays could have overlapped in more ways than were tried.
    overlaps: Vec<u32>,
}

impl AliasingChoices {
    pub(crate) fn get(&self, event: u32) -> Option<&AliasingChoice> {
        self.found.get(&event).map(Rc::as_ref)
    }

    /// Number of bytes that the run read of the object in a slot, counted from its start.
    pub(crate) fn touched(&self, slot: u32) -> u32 {
        self.touched.get(&slot).copied().unwrap_or(0)
    }

    /// Number of bytes that the run read or wrote of the object in a slot, counted from its start. No other object may
    /// lie there.
    pub(crate) fn used(&self, slot: u32) -> u32 {
        self.used.get(&slot).copied().unwrap_or(0)
    }

    /// Events at which a pointer was used whose target could overlap later elements of another object, or the other way
    /// round. Only elements that had been read by then are tried.
    pub(crate) fn overlaps(&self) -> &[u32] {
        &self.overlaps
    }

    /// Number of objects that the path met before an event.
    pub(crate) fn n_met_before(&self, event: u32) -> usize {
        self.meetings.partition_point(|met| *met < event)
    }
}

/// Finds the aliasing choices among `events`. `written` has the slots of objects that were written to, with the number of
/// bytes. `known` has the aliasing choices of a path that begins with the same events.
pub(crate) fn aliasing_choices(
    shapes: &Shapes,
    nodes: &[Node],
    events: &[Event],
    inputs: &Input,
    written: &[(u32, u32)],
    known: Option<(&AliasingChoices, usize)>,
) -> AliasingChoices {
    let mut choices = AliasingChoices::default();
    if !events.iter().any(|event| event.kind == EventKind::Aliasing as u8) {
        return choices;
    }
    let n_known = known.map_or(0, |(_, n)| n);
    let mut path = Path {
        nodes,
        inputs,
        n_seen: 1,
        touched: FxHashMap::default(),
        met: Vec::new(),
        fixed: FxHashSet::default(),
        excluded: Vec::new(),
    };
    let mut uses = Vec::new();
    for (index, event) in events.iter().enumerate() {
        path.advance(event.n_nodes);
        if event.kind != EventKind::Aliasing as u8 {
            if event.kind == EventKind::Branch as u8 {
                path.note_comparison(event);
            }
            continue;
        }
        let choice = match known.filter(|_| index < n_known) {
            Some((known, _)) => known.found.get(&(index as u32)).cloned(),
            None => path.choice(shapes, event).map(Rc::new),
        };
        choices.found.extend(choice.map(|choice| (index as u32, choice)));
        let before: Vec<(u32, u32)> = path.met.iter().map(|slot| (*slot, path.touched(*slot))).collect();
        let is_new = path.meet(event.node);
        if is_new {
            choices.meetings.push(index as u32);
        }
        uses.push(Use { event: index as u32, node: event.node, is_new, before });
    }
    path.advance(u32::MAX);
    choices.touched.clone_from(&path.touched);
    if !written.is_empty() {
        for (slot, end) in written {
            let touched = path.touched.entry(*slot).or_default();
            *touched = (*touched).max(*end);
        }
        let overlapping = uses.iter().filter(|used| path.may_overlap(shapes, used));
        choices.overlaps = overlapping.map(|used| used.event).collect();
    }
    choices.used = path.touched;
    choices
}

/// A pointer's first use.
struct Use {
    event: u32,
    node: u32,
    /// The pointer pointed to an object that the path had not met.
    is_new: bool,
    /// Objects met before, with the number of bytes read of each.
    before: Vec<(u32, u32)>,
}

/// State of the path up to an event.
struct Path<'a> {
    nodes: &'a [Node],
    inputs: &'a Input,
    n_seen: usize,
    /// Number of bytes read of each object, counted from its start, by slot.
    touched: FxHashMap<u32, u32>,
    /// Slots of the objects in the order in which the path met them.
    met: Vec<u32>,
    /// Nodes whose value the path has fixed.
    fixed: FxHashSet<u32>,
    /// Values that a pointer is known not to have, or that another decision covers.
    excluded: Vec<(u32, u64)>,
}

impl Path<'_> {
    fn advance(&mut self, n_nodes: u32) {
        let end = (n_nodes as usize).min(self.nodes.len());
        for node in &self.nodes[self.n_seen.min(end)..end] {
            if node.op == Op::Input as u8 && node.a & OBJECT != 0 {
                let touched = self.touched.entry(node.a & !OBJECT).or_default();
                *touched = (*touched).max(node.b + u32::from(node.width) / 8);
            }
        }
        self.n_seen = self.n_seen.max(end);
    }

    /// A branch on `a == b` excludes a value of `a` if the path has fixed `b`.
    fn note_comparison(&mut self, event: &Event) {
        let node = |id: u32| self.nodes.get(id as usize);
        let Some(mut condition) = node(event.node) else { return };
        let mut holds = event.side_index == 1;
        if condition.op == Op::Not as u8 {
            let Some(negated) = node(condition.a) else { return };
            (condition, holds) = (negated, !holds);
        }
        if condition.op != Op::Eq as u8 {
            return;
        }
        for (pointer, other) in [(condition.a, condition.b), (condition.b, condition.a)] {
            let Some(known) = node(other).filter(|node| node.op == Op::Const as u8 || self.fixed.contains(&other))
            else {
                continue;
            };
            // Whichever side a comparison with NULL took, the other is already an side of that branch.
            if !holds || known.value() == 0 {
                self.excluded.push((pointer, known.value[0]));
            } else {
                self.fixed.insert(pointer);
            }
            return;
        }
    }

    fn choice(&self, shapes: &Shapes, event: &Event) -> Option<AliasingChoice> {
        let node = self.nodes.get(event.node as usize).filter(|node| node.op == Op::Input as u8)?;
        let value = node.value[0];
        let cell = cell_of(shapes, self.inputs, node.a, node.b)?;
        let mut values: Vec<Option<u64>> = match cell {
            Cell::Pointer { to, .. } => {
                let places = self.places(shapes, to).chain([0]);
                let open = places.filter(|place| *place == value || !self.excluded.contains(&(event.node, *place)));
                std::iter::once(None).chain(open.map(Some)).collect()
            }
            Cell::Function { signature, .. } => functions(shapes, signature).map(Some).collect(),
            Cell::Bool | Cell::Enum { .. } => return None,
        };
        let is_cut = values.len() > MAX_ALTERNATIVES || self.has_more(shapes, cell);
        values.truncate(MAX_ALTERNATIVES);
        let is_new = matches!(cell, Cell::Pointer { .. })
            && slot_of(value, self.inputs.slot_shift).is_some_and(|(slot, _)| !self.met.contains(&slot));
        let side_index =
            if is_new { 0 } else { values.iter().position(|known| *known == Some(value)).unwrap_or(values.len()) };
        Some(AliasingChoice { side_index: side_index as u16, values, is_cut })
    }

    fn has_more(&self, shapes: &Shapes, cell: Cell) -> bool {
        let Cell::Pointer { to, .. } = cell else { return false };
        let mut elements = self.met.iter().filter_map(|slot| self.inputs.objects.get(slot));
        elements.any(|object| shapes.has_more_positions(object.element.ty, to))
    }

    /// Addresses in met objects where a value of type `to` begins, in the parts read so far.
    fn places(&self, shapes: &Shapes, to: tine_types::TypeId) -> impl Iterator<Item = u64> {
        let mut places = Vec::new();
        for &slot in &self.met {
            let Some(object) = self.inputs.objects.get(&slot) else { continue };
            let touched = self.touched.get(&slot).copied().unwrap_or(0);
            places.extend(places_in(shapes, self.inputs, slot, object.element, touched, to));
        }
        places.into_iter()
    }

    fn touched(&self, slot: u32) -> u32 {
        self.touched.get(&slot).copied().unwrap_or(0)
    }

    /// True if elements used later lie where the pointer could have pointed to, or the pointer's object could have been
    /// part of an object met before. Addresses inside the first element were tried.
    fn may_overlap(&self, shapes: &Shapes, used: &Use) -> bool {
        let Some(node) = self.nodes.get(used.node as usize).filter(|node| node.op == Op::Input as u8) else {
            return false;
        };
        let Some(Cell::Pointer { to, .. }) = cell_of(shapes, self.inputs, node.a, node.b) else { return false };
        let element = |slot: u32| self.inputs.objects.get(&slot).map(|object| object.element);
        let size = shapes.element(to).size;
        let grew = used.before.iter().any(|(slot, touched)| {
            let Some(element) = element(*slot) else { return false };
            let first = element.size.max(size);
            self.touched(*slot) > (*touched).max(first) && shapes.may_hold(element.ty, to)
        });
        let own = slot_of(node.value[0], self.inputs.slot_shift).map(|(slot, _)| slot).filter(|_| used.is_new);
        let holds_others = own.is_some_and(|slot| {
            let Some(own) = element(slot) else { return false };
            used.before
                .iter()
                .filter_map(|(other, _)| element(*other))
                .any(|other| self.touched(slot) > own.size.max(other.size) && shapes.may_hold(own.ty, other.ty))
        });
        grew || holds_others
    }

    /// Records that the pointer's object was met. True if it is the first time.
    fn meet(&mut self, pointer: u32) -> bool {
        let Some(node) = self.nodes.get(pointer as usize) else { return false };
        let slot = slot_of(node.value[0], self.inputs.slot_shift).map(|(slot, _)| slot);
        let new = slot.filter(|slot| !self.met.contains(slot));
        self.met.extend(new);
        self.fixed.insert(pointer);
        new.is_some()
    }
}

/// Addresses in an object where a value of type `to` begins, in its first element and those that were touched.
pub(crate) fn places_in(
    shapes: &Shapes,
    inputs: &Input,
    slot: u32,
    element: Element,
    touched: u32,
    to: tine_types::TypeId,
) -> Vec<u64> {
    let base = object_address(slot, element.start, inputs.slot_shift);
    shapes.positions_in_object(&element, touched, to).into_iter().map(|position| base + u64::from(position)).collect()
}

/// NULL and the functions of that type.
pub(crate) fn functions(shapes: &Shapes, signature: tine_types::TypeId) -> impl Iterator<Item = u64> {
    let known = shapes.functions().iter().zip(shapes.callables());
    let same: Vec<u64> = known
        .filter(|(_, callable)| shapes.is_same(callable.signature, signature))
        .map(|(address, _)| *address)
        .collect();
    std::iter::once(0).chain(same)
}

/// Type information of the cell at `offset` of an input.
pub(crate) fn cell_of(shapes: &Shapes, inputs: &Input, input: u32, offset: u32) -> Option<Cell> {
    let cells = shapes.cells_of(inputs, input);
    cells.binary_search_by_key(&offset, |(offset, _)| *offset).ok().map(|index| cells[index].1)
}
