//! The logical input map: the input of a run as values, objects and pointers between them, without machine
//! addresses.
//!
//! ```text
//!   roots                 objects
//!   p ──────────────────▶ #0 struct list  { v = 3, next ─┐ }
//!   x = 5                      ▲─────────────────────────┘          p->v = 3, p->next = p, x = 5
//! ```
//!
//! A map is self-contained: names of types, members and functions are strings in it, so it can be read, stored and
//! printed without the [type graph](crate::TypeGraph) that it came from. [`decode()`] makes one from memory.
//! [`lines`](InputMap::lines) writes it by access path. [`to_dot`](InputMap::to_dot) and [`to_svg`](InputMap::to_svg)
//! draw it.

pub mod decode;
mod dot;
mod layout;
mod lines;
mod names;
mod path;
mod picture;
pub(crate) mod serial;
mod svg;
mod value;

use serde::{Deserialize, Serialize};

pub use decode::{RawObject, RawRoot, Target, Untouched, decode};

/// The input of one run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputMap {
    pub roots: Vec<Root>,
    /// Objects that are reachable from the roots, in the order in which they are reached.
    pub objects: Vec<Object>,
    /// Addresses of objects, in order, if the run used them for more than comparisons of equality.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub placements: Vec<Placement>,
}

/// Address of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Placement {
    pub object: ObjectId,
    /// Offset from the start of the input region.
    pub offset: u64,
}

/// Root of an input: a parameter, a variable, a request of the unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Root {
    pub name: String,
    /// Type as C writes it.
    #[serde(rename = "type")]
    pub ty: String,
    pub value: Value,
}

/// Number of an object of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ObjectId(pub u32);

/// Memory that pointers point to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Object {
    pub id: ObjectId,
    /// The type of an element, as C writes it.
    pub element: String,
    /// One value per element. A string, or bytes of unknown type, is one value for all elements.
    pub elements: Vec<Value>,
}

/// Value of a cell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Value {
    Int(#[serde(with = "serial::signed")] i128),
    Uint(#[serde(with = "serial::unsigned")] u128),
    Bool(bool),
    /// C's plain `char`.
    Char(i64),
    Float {
        /// Width: 32 or 64.
        width: u32,
        bits: u64,
    },
    Enum {
        /// `None` for a number without an enumerator.
        name: Option<String>,
        #[serde(with = "serial::signed")]
        value: i128,
    },
    Null,
    Pointer(Pointer),
    /// The address of a function.
    Function(String),
    /// A pointer with an unknown target.
    Address(u64),
    Struct(Vec<Member>),
    /// The member that best represents the bytes that were read. `bytes` has the whole union, if the member is smaller
    /// than the part that was read.
    Union {
        member: Box<Member>,
        #[serde(default, skip_serializing_if = "Option::is_none", with = "serial::some_hex")]
        bytes: Option<Vec<u8>>,
    },
    Array(Vec<Value>),
    /// Characters up to a NUL, without it.
    Text(#[serde(with = "serial::text")] Vec<u8>),
    /// Bytes without a type, or of a type without values.
    Bytes(#[serde(with = "serial::hex")] Vec<u8>),
    /// Never read by the run, so any value is possible.
    Untouched,
}

/// A member with its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// `None` for C's anonymous members, whose own members are named as if they were declared here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    pub value: Value,
}

/// Target of a pointer: `offset` bytes into an object. That is the place `[element] steps…`, plus `rest` bytes.
///
/// ```text
///   struct { int n; struct { short a[3]; } in; } o[2];      offset 16: element 1, steps .in .a [2], rest 0
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pointer {
    pub object: ObjectId,
    #[serde(default, skip_serializing_if = "serial::is_zero")]
    pub offset: u64,
    #[serde(default, skip_serializing_if = "serial::is_zero")]
    pub element: u64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<Step>,
    #[serde(default, skip_serializing_if = "serial::is_zero")]
    pub rest: u64,
}

/// A step from a value to a part of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    Member(String),
    Index(u64),
}

impl InputMap {
    /// True if no input has a type.
    pub fn is_empty(&self) -> bool {
        self.roots.is_empty()
    }

    /// The object with this number.
    pub fn object(&self, id: ObjectId) -> Option<&Object> {
        self.objects.iter().find(|object| object.id == id)
    }
}

impl Object {
    /// Number of visible elements.
    pub fn count(&self) -> usize {
        match self.elements.as_slice() {
            // Including its NUL.
            [Value::Text(text)] => text.len() + 1,
            [Value::Bytes(bytes)] => bytes.len().max(1),
            elements => elements.len(),
        }
    }
}

impl Pointer {
    /// True if it points to the start of an element.
    pub fn is_to_element(&self) -> bool {
        self.steps.is_empty() && self.rest == 0
    }
}

impl Value {
    /// The parts of this value, in order, with the step to each. There is no step to the members of an anonymous
    /// member.
    pub(crate) fn parts(&self) -> Vec<(Option<Step>, &Value)> {
        let part = |member: &'_ Member| member.name.clone().map(Step::Member);
        match self {
            Value::Struct(members) => members.iter().map(|member| (part(member), &member.value)).collect(),
            Value::Union { member, .. } => vec![(part(member), &member.value)],
            Value::Array(values) => (0..).map(|index| Some(Step::Index(index))).zip(values).collect(),
            _ => Vec::new(),
        }
    }
}
