//! From a solver's answer to a consistent graph: creates objects that pointers now point to, and drops objects that no
//! pointer points to any more.

use std::collections::BTreeMap;

use tine_expr::{Assignment, TermId, TermPool};
use tine_trace::fill::fill;
use tine_trace::plan::{object_id, slot_of};
use tine_types::TypeId;
use tine_types::input::{Element, Input, Object, Request};

use super::locate::assignment;
use super::mentioned::Mentioned;
use super::shapes::{Cell, Shapes};

/// Returns the parent's input with the changes of the assignment. `seed` fills new memory.
pub(crate) fn settle(shapes: &Shapes, parent: &Input, assignment: &Assignment, seed: u64) -> Input {
    let requests = requests(parent, assignment);
    let mut graph = Graph { shapes, parent, assignment, seed, objects: BTreeMap::new(), pending: Vec::new() };
    for input in &requests {
        if let Some(ty) = shapes.root(input.ty) {
            graph.follow(&shapes.cells(ty), &input.bytes);
        }
    }
    while let Some(slot) = graph.pending.pop() {
        let Some(Object { element, bytes }) = graph.objects.get_mut(&slot) else { continue };
        let (element, bytes) = (*element, std::mem::take(bytes));
        graph.follow(&shapes.cells_of_object(&element), &bytes);
        graph.objects.insert(slot, Object { element, bytes });
    }
    let objects = graph.objects;
    Input { requests, objects, functions: Vec::new(), slot_shift: parent.slot_shift }
}

/// Returns the inputs without the parts that no term depends on: pointers that no term mentions are NULL, and objects
/// reachable only through them are dropped.
pub(crate) fn held(shapes: &Shapes, pool: &TermPool, inputs: &Input, terms: impl Iterator<Item = TermId>) -> Input {
    let mentioned = Mentioned::by(pool, terms);
    let mut assignment = assignment(inputs);
    for id in inputs.ids() {
        for (at, _) in shapes.cells_of(inputs, id).iter().filter(|(_, cell)| matches!(cell, Cell::Pointer { .. })) {
            if inputs.read(id, *at, 64) != 0 && !mentioned.overlaps(id, *at, 8) {
                assignment.write(id, *at, 64, 0);
            }
        }
    }
    settle(shapes, inputs, &assignment, 0)
}

fn requests(parent: &Input, assignment: &Assignment) -> Vec<Request> {
    let unknown = Request::unseen(Vec::new());
    let requests = assignment.requests().iter().enumerate();
    requests
        .map(|(k, bytes)| Request { bytes: bytes.clone(), ..parent.requests.get(k).unwrap_or(&unknown).clone() })
        .collect()
}

struct Graph<'a> {
    shapes: &'a Shapes,
    parent: &'a Input,
    assignment: &'a Assignment,
    seed: u64,
    objects: BTreeMap<u32, Object>,
    /// Objects whose pointers have not been followed.
    pending: Vec<u32>,
}

impl Graph<'_> {
    /// Creates the objects that the pointers among these cells point to.
    fn follow(&mut self, cells: &[(u32, Cell)], bytes: &[u8]) {
        for (at, cell) in cells {
            let Cell::Pointer { to, .. } = cell else { continue };
            let at = *at as usize;
            let Some(word) = bytes.get(at..at + 8) else { continue };
            let value = u64::from_le_bytes(word.try_into().expect("eight bytes"));
            let Some((slot, offset)) = slot_of(value, self.parent.slot_shift) else { continue };
            match self.objects.get_mut(&slot) {
                // Another pointer points to a later element of this object.
                Some(Object { element, .. }) if !self.parent.objects.contains_key(&slot) => {
                    element.start = element.start.min(offset as u32);
                }
                Some(_) => {}
                None => {
                    let object = self.object(slot, offset as u32, *to);
                    self.objects.insert(slot, object);
                    self.pending.push(slot);
                }
            }
        }
    }

    /// Returns the object in `slot`. A new object starts at the address of the pointer that it is made for.
    fn object(&mut self, slot: u32, start: u32, to: TypeId) -> Object {
        let changed = self.assignment.bytes(object_id(slot));
        if let Some(known) = self.parent.objects.get(&slot) {
            return Object { element: known.element, bytes: changed.to_vec() };
        }
        let mut element = self.shapes.element(to);
        element.start = start;
        // Fewer elements may fit before the end of the slot, but always at least one.
        element.extent = element.extent.min((1 << self.parent.slot_shift) - start);
        let mut bytes = changed.to_vec();
        bytes.resize(element.extent as usize, 0);
        if self.seed == 0 {
            self.enumerate(&element, &mut bytes, changed.len());
        } else {
            for (offset, byte) in bytes.iter_mut().enumerate().skip(changed.len()) {
                *byte = fill(self.seed, object_id(slot), offset as u32);
            }
            self.tame(&element, &mut bytes);
        }
        Object { element, bytes }
    }

    /// Sets enumerations that have no 0 to their first value.
    fn enumerate(&self, element: &Element, bytes: &mut [u8], from: usize) {
        for (at, cell) in self.shapes.cells_of_object(element).iter() {
            let Cell::Enum { ty, size } = cell else { continue };
            let values = self.shapes.enum_values(*ty);
            let at = *at as usize;
            if let (Some(first), Some(cell)) = (values.first(), bytes.get_mut(at..at + *size as usize))
                && !values.contains(&0)
                && at >= from
            {
                cell.copy_from_slice(&first.to_le_bytes()[..*size as usize]);
            }
        }
    }

    /// Sets pointers to NULL and each `bool` to 0 or 1, whatever the seed.
    fn tame(&mut self, element: &Element, bytes: &mut [u8]) {
        for (at, cell) in self.shapes.cells_of_object(element).iter() {
            let cell_bytes = bytes.iter_mut().skip(*at as usize).take(cell.size() as usize);
            match cell {
                Cell::Bool => cell_bytes.for_each(|byte| *byte &= 1),
                Cell::Enum { ty, .. } => {
                    let first = self.shapes.enum_values(*ty).first().map_or([0; 16], |first| first.to_le_bytes());
                    cell_bytes.zip(first).for_each(|(byte, first)| *byte = first);
                }
                Cell::Pointer { .. } | Cell::Function { .. } => cell_bytes.for_each(|byte| *byte = 0),
            }
        }
    }
}
