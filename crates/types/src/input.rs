//! The input of a case: the requests of the unit, and the objects that input pointers point to.
//!
//! Executor, session and exporters share this type. All other forms are derived from it: the plan that is sent to the
//! unit ([`Input::plan`]), the solver's assignment of bytes, and the readable form.
//!
//! Functions are stored as numbers of the functions that the unit announced, because their addresses differ between
//! processes. While the executor solves for an input or runs it, the bytes hold addresses of its own process instead,
//! and [`Input::functions`] is empty.

mod serial;
mod text;

use std::collections::{BTreeMap, HashMap};

use tine_trace::plan::{InputKind, OBJECT, PlanEntry, PlanObject, PlanRequest, PointerMap, Relocation, object_id};
use tine_trace::planned::Plan;

use serde::{Deserialize, Serialize};

pub use text::CaseInput;

use crate::TypeId;
use crate::map::serial::{hex, is_zero};

/// See the module's documentation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// Requests, in the order of the unit.
    pub requests: Vec<Request>,
    /// Objects by slot of the input region (`tine_trace::plan`).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub objects: BTreeMap<u32, Object>,
    /// Pointers to functions. Their bytes are 0.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "serial::functions")]
    pub functions: Vec<Relocation>,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub slot_shift: u32,
}

/// A request of the unit, and the bytes it got.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    pub name: String,
    #[serde(with = "serial::kind")]
    pub kind: InputKind,
    /// The bytes; numbers are little-endian.
    #[serde(with = "hex")]
    pub bytes: Vec<u8>,
    /// Number of sides of a choice, otherwise 0.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub choices: u32,
    /// Number of the harness's variable that has its type, from 1; 0 if none.
    #[serde(default, skip_serializing_if = "is_zero", rename = "type")]
    pub ty: u32,
}

/// An object that input pointers point to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Object {
    pub element: Element,
    #[serde(with = "hex")]
    pub bytes: Vec<u8>,
}

/// Type and extent of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Element {
    /// [`TypeId::VOID`] for bytes without a type.
    #[serde(rename = "type")]
    pub ty: TypeId,
    pub size: u32,
    /// Maximum size of the whole object in bytes.
    pub extent: u32,
    /// Offset of the object in its slot.
    pub start: u32,
    /// Flags as in [`PlanObject`].
    pub flags: u32,
}

/// Pointer maps of inputs, for plans.
#[derive(Clone, Debug, Default)]
pub struct PointerMaps {
    /// Maps by number from 1. Those of requests come first, by number of their type.
    pub maps: Vec<PointerMap>,
    /// Numbers of the maps of objects, by type of their elements.
    pub of_elements: HashMap<TypeId, u32>,
}

impl Input {
    /// Creates an input from the bytes of the first requests, whose kinds are not known yet.
    pub fn of_requests(requests: Vec<Vec<u8>>) -> Input {
        Input { requests: requests.into_iter().map(Request::unseen).collect(), ..Input::default() }
    }

    /// The plan that is sent to the unit.
    pub fn plan<'a>(&'a self, maps: &'a PointerMaps) -> Plan<'a> {
        let request = |Request { kind, ty, bytes, .. }: &'a Request| {
            (PlanRequest { kind: *kind as u32, ty: *ty, bytes: PlanEntry::default() }, &bytes[..])
        };
        let object = |(slot, Object { element, bytes }): (&u32, &'a Object)| {
            let Element { ty, size, extent, start, flags } = *element;
            let map = maps.of_elements.get(&ty).copied().unwrap_or(0);
            (
                PlanObject { slot: *slot, start, extent, element: size, flags, map, bytes: PlanEntry::default() },
                &bytes[..],
            )
        };
        Plan {
            requests: self.requests.iter().map(request).collect(),
            objects: self.objects.iter().map(object).collect(),
            relocations: &self.functions,
            slot_shift: self.slot_shift,
            maps: &maps.maps,
        }
    }

    /// The plan as a file, for a program that is run without tine.
    pub fn file(&self) -> Vec<u8> {
        self.plan(&PointerMaps::default()).file()
    }

    /// Approximate memory use in bytes.
    pub fn bytes_kept(&self) -> u32 {
        let requests =
            self.requests.iter().map(|input| size_of::<Request>() + block(input.name.len()) + block(input.bytes.len()));
        let objects = self.objects.values().map(|object| 2 * size_of::<Object>() + block(object.bytes.len()));
        let functions = block(self.functions.len() * size_of::<Relocation>());
        u32::try_from(size_of::<Input>() + functions + requests.chain(objects).sum::<usize>()).unwrap_or(u32::MAX)
    }

    /// True if a run with this input may continue one with `other` that was stopped.
    pub fn begins_with(&self, other: &Input) -> bool {
        let has_function = |function: &Relocation| self.functions.contains(function);
        self.requests.starts_with(&other.requests)
            && self.objects == other.objects
            && other.functions.iter().all(has_function)
    }

    /// IDs of all requests and objects.
    pub fn ids(&self) -> impl Iterator<Item = u32> {
        (0..self.requests.len() as u32).chain(self.objects.keys().map(|slot| object_id(*slot)))
    }

    /// The bytes of a request or an object.
    pub fn bytes(&self, id: u32) -> &[u8] {
        if id & OBJECT == 0 {
            self.requests.get(id as usize).map_or(&[], |request| &request.bytes)
        } else {
            self.objects.get(&(id & !OBJECT)).map_or(&[], |object| &object.bytes)
        }
    }

    /// Eight of these bytes, if that many exist.
    pub fn word_mut(&mut self, id: u32, offset: u32) -> Option<&mut [u8; 8]> {
        let bytes = if id & OBJECT == 0 {
            &mut self.requests.get_mut(id as usize)?.bytes
        } else {
            &mut self.objects.get_mut(&(id & !OBJECT))?.bytes
        };
        bytes.get_mut(offset as usize..)?.first_chunk_mut()
    }

    /// A number of `width` bits among these bytes. Missing bytes are 0.
    pub fn read(&self, id: u32, offset: u32, width: u32) -> u128 {
        let bytes = self.bytes(id);
        let byte = |k: u32| bytes.get(offset.saturating_add(k) as usize).map_or(0, |&byte| u128::from(byte));
        (0..width / 8).fold(0, |value, k| value | byte(k) << (8 * k))
    }
}

impl Request {
    /// A request that no run has made yet.
    pub fn unseen(bytes: Vec<u8>) -> Request {
        Request { name: String::new(), kind: InputKind::Unseen, bytes, choices: 0, ty: 0 }
    }
}

/// Bytes that the allocator uses for a block of this size.
const fn block(bytes: usize) -> usize {
    match bytes {
        0 => 0,
        1..=24 => 32,
        _ => (bytes + 8).next_multiple_of(16),
    }
}
