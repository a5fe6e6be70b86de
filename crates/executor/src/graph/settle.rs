//! From a solver's answer to a consistent graph: objects that pointers now lead to are made, and those that none leads to
//! any more are dropped.

use std::collections::BTreeMap;
use std::sync::Arc;

use tine_expr::{Assignment, TermId, TermPool};
use tine_trace::plan::{InputKind, fill, object_id, slot_of};
use tine_types::TypeId;

use super::mentioned::Mentioned;
use super::shapes::{Cell, Element, Shapes};
use crate::cases::{CaseInputs, InputSeen, ObjectSeen};

/// The parent's inputs with what the assignment changed. `seed` fills what is new.
pub(crate) fn settle(shapes: &Shapes, parent: &CaseInputs, assignment: &Assignment, seed: u64) -> CaseInputs {
    let mut inputs = requests(parent, assignment);
    let mut graph = Graph { shapes, parent, assignment, seed, objects: BTreeMap::new(), pending: Vec::new() };
    for input in &mut inputs {
        if let Some(ty) = graph.shapes.root(input.ty) {
            graph.follow(ty, 0, &input.bytes);
        }
    }
    while let Some(slot) = graph.pending.pop() {
        let Some(ObjectSeen { element, bytes }) = graph.objects.get_mut(&slot) else { continue };
        if element.ty == TypeId::VOID || element.size == 0 {
            continue;
        }
        let (element, bytes) = (*element, std::mem::take(bytes));
        for start in (0..element.extent).step_by(element.size as usize) {
            graph.follow(element.ty, start as usize, &bytes);
        }
        graph.objects.insert(slot, ObjectSeen { element, bytes });
    }
    let objects = graph.objects;
    CaseInputs { inputs, objects, functions: Arc::clone(&parent.functions), slot_shift: parent.slot_shift }
}

/// The inputs without what no term asks for: pointers that none mentions are NULL, and objects that only those led to are
/// gone.
pub(crate) fn held(
    shapes: &Shapes,
    pool: &TermPool,
    inputs: &CaseInputs,
    terms: impl Iterator<Item = TermId>,
) -> CaseInputs {
    let mentioned = Mentioned::by(pool, terms);
    let mut assignment = inputs.assignment();
    let mut forget = |input: u32, ty: TypeId, start: u32| {
        for (offset, _) in shapes.cells(ty).iter().filter(|(_, cell)| matches!(cell, Cell::Pointer { .. })) {
            let at = start + offset;
            if inputs.read(input, at, 64) != 0 && !mentioned.overlaps(input, at, 8) {
                assignment.write(input, at, 64, 0);
            }
        }
    };
    for (ordinal, input) in (0..).zip(&inputs.inputs) {
        if let Some(ty) = shapes.root(input.ty) {
            forget(ordinal, ty, 0);
        }
    }
    for (slot, ObjectSeen { element, .. }) in &inputs.objects {
        if element.ty != TypeId::VOID && element.size != 0 {
            for start in (0..element.extent).step_by(element.size as usize) {
                forget(object_id(*slot), element.ty, start);
            }
        }
    }
    settle(shapes, inputs, &assignment, 0)
}

fn requests(parent: &CaseInputs, assignment: &Assignment) -> Vec<InputSeen> {
    let unknown = InputSeen { name: String::new(), kind: InputKind::Bytes, bytes: Vec::new(), choices: 0, ty: 0 };
    let requests = assignment.requests().iter().enumerate();
    requests
        .map(|(k, bytes)| InputSeen { bytes: bytes.clone(), ..parent.inputs.get(k).unwrap_or(&unknown).clone() })
        .collect()
}

struct Graph<'a> {
    shapes: &'a Shapes,
    parent: &'a CaseInputs,
    assignment: &'a Assignment,
    seed: u64,
    objects: BTreeMap<u32, ObjectSeen>,
    /// Objects whose pointers have not been followed.
    pending: Vec<u32>,
}

impl Graph<'_> {
    /// Makes what the pointers of a value at `start` of `bytes` point to.
    fn follow(&mut self, ty: TypeId, start: usize, bytes: &[u8]) {
        for (offset, cell) in self.shapes.cells(ty).iter() {
            let Cell::Pointer { to } = cell else { continue };
            let at = start + *offset as usize;
            let Some(word) = bytes.get(at..at + 8) else { continue };
            let value = u64::from_le_bytes(word.try_into().expect("eight bytes"));
            let Some((slot, offset)) = slot_of(value, self.parent.slot_shift) else { continue };
            match self.objects.get_mut(&slot) {
                // Another pointer leads to a later element of it.
                Some(ObjectSeen { element, .. }) if !self.parent.objects.contains_key(&slot) => {
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

    /// The object in `slot`. If it is new, it begins where the pointer leads that it is made for.
    fn object(&mut self, slot: u32, start: u32, to: TypeId) -> ObjectSeen {
        let changed = self.assignment.bytes(object_id(slot));
        if let Some(known) = self.parent.objects.get(&slot) {
            return ObjectSeen { element: known.element, bytes: changed.to_vec() };
        }
        let mut element = self.shapes.element(to);
        element.start = start;
        // Before the end of the slot there may be less room, but always for one.
        element.extent = element.extent.min((1 << self.parent.slot_shift) - start);
        let mut bytes = changed.to_vec();
        bytes.resize(element.extent as usize, 0);
        if self.seed != 0 {
            for (offset, byte) in bytes.iter_mut().enumerate().skip(changed.len()) {
                *byte = fill(self.seed, object_id(slot), offset as u32);
            }
            self.tame(&element, &mut bytes);
        }
        ObjectSeen { element, bytes }
    }

    /// Pointers start NULL and a `bool` is 0 or 1, whatever the seed.
    fn tame(&mut self, element: &Element, bytes: &mut [u8]) {
        let cells = self.shapes.cells(element.ty);
        for start in (0..element.extent).step_by(element.size.max(1) as usize) {
            for (offset, cell) in cells.iter() {
                let at = (start + offset) as usize;
                match cell {
                    Cell::Bool => bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte &= 1),
                    Cell::Pointer { .. } | Cell::Function { .. } => {
                        bytes.iter_mut().skip(at).take(8).for_each(|byte| *byte = 0);
                    }
                }
            }
        }
    }
}
