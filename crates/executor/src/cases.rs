//! The inputs of cases that an open decision may still lead back to.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tine_explore::CaseId;
use tine_expr::Assignment;
use tine_trace::plan::{InputKind, OBJECT, object_id};

use crate::graph::shapes::{Cell, Element, Shapes};
use crate::vary;
use tine_trace::planned::{Plan, PlannedObject, PlannedRequest};

/// An input as the unit asked for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputSeen {
    pub name: String,
    pub kind: InputKind,
    pub bytes: Vec<u8>,
    /// Number of alternatives of a choice, else 0.
    pub choices: u32,
    /// Number of the driver's variable whose type it has, from 1; 0 if none.
    pub ty: u32,
}

impl InputSeen {
    /// One that no run has seen yet.
    pub(crate) fn planned(bytes: Vec<u8>) -> InputSeen {
        InputSeen { name: String::new(), kind: InputKind::Unseen, bytes, choices: 0, ty: 0 }
    }

    fn into_request(self) -> PlannedRequest {
        PlannedRequest { kind: self.kind, ty: self.ty, bytes: self.bytes }
    }
}

/// An object that input pointers point to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectSeen {
    pub element: Element,
    pub bytes: Vec<u8>,
}

/// A case's inputs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CaseInputs {
    pub inputs: Vec<InputSeen>,
    /// By slot.
    pub objects: BTreeMap<u32, ObjectSeen>,
    /// Addresses of the functions that the unit announced.
    pub functions: Arc<[u64]>,
    pub slot_shift: u32,
}

impl CaseInputs {
    pub fn assignment(&self) -> Assignment {
        let mut assignment = Assignment::from_inputs(self.inputs.iter().map(|input| input.bytes.clone()).collect());
        for (slot, object) in &self.objects {
            assignment.set_object(*slot, object.bytes.clone());
        }
        assignment
    }

    /// About what it takes to keep them.
    pub(crate) fn bytes_kept(&self) -> u32 {
        let inputs =
            self.inputs.iter().map(|input| size_of::<InputSeen>() + block(input.name.len()) + block(input.bytes.len()));
        let objects = self.objects.values().map(|object| 2 * size_of::<ObjectSeen>() + block(object.bytes.len()));
        u32::try_from(size_of::<CaseInputs>() + inputs.chain(objects).sum::<usize>()).unwrap_or(u32::MAX)
    }

    /// The plan that makes the unit see these inputs again, in the process that announced the functions: pointers to
    /// them are addresses.
    pub fn plan(&self, shapes: &Shapes) -> Plan {
        self.clone().into_plan(shapes).0
    }

    /// The same, and what its objects are made of, in order of their slots.
    pub(crate) fn into_plan(self, shapes: &Shapes) -> (Plan, Vec<(u32, Element)>) {
        let elements = self.objects.iter().map(|(slot, object)| (*slot, object.element)).collect();
        let planned = |(slot, ObjectSeen { element: Element { ty, extent, start, flags, .. }, bytes })| PlannedObject {
            slot,
            start,
            extent,
            flags,
            map: shapes.map_of(ty),
            bytes,
        };
        let plan = Plan {
            requests: self.inputs.into_iter().map(InputSeen::into_request).collect(),
            objects: self.objects.into_iter().map(planned).collect(),
            relocations: Vec::new(),
            slot_shift: self.slot_shift,
            maps: shapes.maps(),
        };
        (plan, elements)
    }

    /// Whether these are the inputs of a run that went on where `other` was stopped.
    pub(crate) fn begins_with(&self, other: &CaseInputs) -> bool {
        self.inputs.starts_with(&other.inputs) && self.objects == other.objects && self.functions == other.functions
    }

    /// The same inputs for a process in which the functions have these addresses.
    pub(crate) fn rebased(&self, shapes: &Shapes, functions: &Arc<[u64]>) -> CaseInputs {
        let mut moved = CaseInputs { functions: Arc::clone(functions), ..self.clone() };
        for id in self.ids() {
            let cells = self.cells(shapes, id);
            let bytes = moved.bytes_mut(id);
            for (at, _) in cells.iter().filter(|(_, cell)| matches!(cell, Cell::Function { .. })) {
                let at = *at as usize;
                let Some(word) = bytes.get_mut(at..at + 8) else { continue };
                let address = u64::from_le_bytes((&*word).try_into().expect("eight bytes"));
                let number = self.functions.iter().position(|known| *known == address && address != 0);
                if let Some(new) = number.and_then(|number| functions.get(number)) {
                    word.copy_from_slice(&new.to_le_bytes());
                }
            }
        }
        moved
    }

    /// All requests and objects.
    pub(crate) fn ids(&self) -> impl Iterator<Item = u32> {
        (0..self.inputs.len() as u32).chain(self.objects.keys().map(|slot| object_id(*slot)))
    }

    /// The cells of an input that its type tells, in order, by offset.
    pub(crate) fn cells(&self, shapes: &Shapes, input: u32) -> Rc<[(u32, Cell)]> {
        if input & OBJECT == 0 {
            let ty = self.inputs.get(input as usize).and_then(|input| shapes.root(input.ty));
            return ty.map_or_else(Rc::default, |ty| shapes.cells(ty));
        }
        let object = self.objects.get(&(input & !OBJECT));
        object.map_or_else(Rc::default, |object| shapes.cells_of_object(&object.element))
    }

    /// The bytes of an input.
    pub(crate) fn bytes(&self, input: u32) -> &[u8] {
        if input & OBJECT == 0 {
            self.inputs.get(input as usize).map_or(&[], |input| &input.bytes)
        } else {
            self.objects.get(&(input & !OBJECT)).map_or(&[], |object| &object.bytes)
        }
    }

    fn bytes_mut(&mut self, input: u32) -> &mut [u8] {
        if input & OBJECT == 0 {
            self.inputs.get_mut(input as usize).map_or(&mut [], |input| &mut input.bytes)
        } else {
            self.objects.get_mut(&(input & !OBJECT)).map_or(&mut [], |object| &mut object.bytes)
        }
    }

    /// As [`Assignment::read`].
    pub(crate) fn read(&self, input: u32, offset: u32, width: u32) -> u128 {
        let bytes = self.bytes(input);
        let byte = |k: u32| bytes.get(offset.saturating_add(k) as usize).map_or(0, |&byte| u128::from(byte));
        (0..width / 8).fold(0, |value, k| value | byte(k) << (8 * k))
    }
}

/// Bytes that the allocator takes for a block of this size.
const fn block(bytes: usize) -> usize {
    match bytes {
        0 => 0,
        1..=24 => 32,
        _ => (bytes + 8).next_multiple_of(16),
    }
}

/// The inputs of all cases that are still needed. Several executors share one.
#[derive(Debug, Default)]
pub struct Cases {
    inputs: Mutex<HashMap<CaseId, Arc<CaseInputs>>>,
    last: AtomicU32,
    /// Inputs of runs that covered something new, in order.
    notable: Mutex<Vec<Arc<CaseInputs>>>,
}

/// So many of them are kept.
const MAX_NOTABLE: usize = 1024;

impl Cases {
    /// Cases of an exploration before, with the number of its last one.
    pub fn restored(cases: impl IntoIterator<Item = (CaseId, CaseInputs)>, last: CaseId) -> Cases {
        let inputs: HashMap<_, _> = cases.into_iter().map(|(case, inputs)| (case, Arc::new(inputs))).collect();
        // Which of them covered something is not known any more: any serve.
        let mut numbers: Vec<CaseId> = inputs.keys().copied().collect();
        numbers.sort_unstable();
        let latest = numbers.iter().rev().take(MAX_NOTABLE).rev();
        let notable = latest.map(|case| Arc::clone(&inputs[case])).collect();
        Cases { inputs: Mutex::new(inputs), last: AtomicU32::new(last.0), notable: Mutex::new(notable) }
    }

    /// Numbers count up from 1.
    pub(crate) fn add(&self, inputs: CaseInputs) -> CaseId {
        let case = CaseId(self.last.fetch_add(1, Ordering::Relaxed) + 1);
        self.lock().insert(case, Arc::new(inputs));
        case
    }

    pub(crate) fn get(&self, case: CaseId) -> Option<Arc<CaseInputs>> {
        self.lock().get(&case).cloned()
    }

    /// The case's run covered something.
    pub(crate) fn note(&self, case: CaseId) {
        let Some(inputs) = self.get(case) else { return };
        let mut notable = self.notable.lock().unwrap_or_else(PoisonError::into_inner);
        if notable.len() == MAX_NOTABLE {
            notable.remove(0);
        }
        notable.push(inputs);
    }

    /// An input that nobody has solved for, made of such that covered something.
    /// `constants` are what the program compares with.
    pub(crate) fn varied(&self, constants: &[i64], seed: u64) -> Option<CaseInputs> {
        let notable = self.notable.lock().unwrap_or_else(PoisonError::into_inner);
        if notable.is_empty() {
            return None;
        }
        let (first, second) = vary::chosen(seed, notable.len());
        let (first, second) = (Arc::clone(&notable[first]), Arc::clone(&notable[second]));
        drop(notable);
        let inputs = vary::varied(&first.inputs, &second.inputs, constants, seed)?;
        Some(CaseInputs { inputs, ..CaseInputs::clone(&first) })
    }

    pub(crate) fn release(&self, case: CaseId) {
        self.lock().remove(&case);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<CaseId, Arc<CaseInputs>>> {
        // Nobody leaves it half changed.
        self.inputs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use tine_types::graph::{Signature, Type};
    use tine_types::{Kind, TypeGraph, TypeId};

    use super::*;
    use crate::graph::Bounds;
    use crate::graph::shapes::Callable;

    #[test]
    fn functions_move_with_their_process() {
        let mut types = TypeGraph::default();
        let signature = Signature { params: Vec::new(), ret: TypeId::VOID, variadic: false, prototyped: true };
        let function = types.add(Type { name: None, size: None, kind: Kind::Function(signature) });
        let pointer = types.add(Type { name: None, size: Some(8), kind: Kind::Pointer { to: function } });
        let callables = vec![Callable { name: "a".into(), signature: function }];
        let shapes = Shapes::new(types, vec![pointer], callables, Bounds::default());
        let input = |address: u64| InputSeen {
            name: "f".into(),
            kind: InputKind::Pointer,
            bytes: address.to_le_bytes().to_vec(),
            choices: 0,
            ty: 1,
        };
        let inputs = |addresses: &[u64], functions: &[u64]| CaseInputs {
            inputs: addresses.iter().map(|address| input(*address)).collect(),
            functions: functions.into(),
            ..CaseInputs::default()
        };
        let moved = inputs(&[0x1000, 0, 7], &[0x1000, 0x2000]).rebased(&shapes, &[0x5000, 0x6000].into());
        assert_eq!(moved, inputs(&[0x5000, 0, 7], &[0x5000, 0x6000]), "what is no function stays");
    }
}
