//! The inputs of cases that an open decision may still lead back to.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use tine_explore::CaseId;
use tine_expr::Assignment;
use tine_trace::plan::{InputKind, OBJECT};

use crate::graph::shapes::{Element, Shapes};
use tine_trace::planned::{Plan, PlannedObject};
use tine_types::TypeId;

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
        InputSeen { name: String::new(), kind: InputKind::Bytes, bytes, choices: 0, ty: 0 }
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

    /// The plan that makes the unit see these inputs again, in the process that announced the functions: pointers to
    /// them are addresses.
    pub fn plan(&self) -> Plan {
        self.clone().into_plan().0
    }

    /// The same, and what its objects are made of, in order of their slots.
    pub(crate) fn into_plan(self) -> (Plan, Vec<(u32, Element)>) {
        let elements = self.objects.iter().map(|(slot, object)| (*slot, object.element)).collect();
        let planned = |(slot, ObjectSeen { element: Element { extent, flags, .. }, bytes })| PlannedObject {
            slot,
            extent,
            flags,
            bytes,
        };
        let plan = Plan {
            requests: self.inputs.into_iter().map(|input| input.bytes).collect(),
            objects: self.objects.into_iter().map(planned).collect(),
            relocations: Vec::new(),
            slot_shift: self.slot_shift,
        };
        (plan, elements)
    }

    /// What an input is made of: a type, and its size. Requests are one such element.
    pub(crate) fn element(&self, shapes: &Shapes, input: u32) -> Option<(TypeId, u32)> {
        if input & OBJECT == 0 {
            let input = self.inputs.get(input as usize)?;
            return Some((shapes.root(input.ty)?, u32::MAX));
        }
        let element = self.objects.get(&(input & !OBJECT))?.element;
        (element.ty != TypeId::VOID && element.size != 0).then_some((element.ty, element.size))
    }

    /// The bytes of an input.
    pub(crate) fn bytes(&self, input: u32) -> &[u8] {
        if input & OBJECT == 0 {
            self.inputs.get(input as usize).map_or(&[], |input| &input.bytes)
        } else {
            self.objects.get(&(input & !OBJECT)).map_or(&[], |object| &object.bytes)
        }
    }

    /// As [`Assignment::read`].
    pub(crate) fn read(&self, input: u32, offset: u32, width: u32) -> u128 {
        let bytes = self.bytes(input);
        let byte = |k: u32| bytes.get(offset.saturating_add(k) as usize).map_or(0, |&byte| u128::from(byte));
        (0..width / 8).fold(0, |value, k| value | byte(k) << (8 * k))
    }
}

#[derive(Debug, Default)]
pub(crate) struct Cases {
    inputs: HashMap<CaseId, CaseInputs>,
    last: u32,
}

impl Cases {
    /// Numbers count up from 1.
    pub(crate) fn add(&mut self, inputs: CaseInputs) -> CaseId {
        self.last += 1;
        let case = CaseId(self.last);
        self.inputs.insert(case, inputs);
        case
    }

    pub(crate) fn get(&self, case: CaseId) -> Option<&CaseInputs> {
        self.inputs.get(&case)
    }

    pub(crate) fn release(&mut self, case: CaseId) {
        self.inputs.remove(&case);
    }
}
