//! Conversion of memory to an input map: selects the visible objects and elements. `super::value` decodes single
//! values.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

use super::path::{has_flexible_tail, stride};
use super::value::{Reader, Region};
use super::{InputMap, Object, ObjectId, Root, Value};
use crate::graph::{Kind, TypeGraph, TypeId};

/// Memory of a root.
#[derive(Clone, Copy, Debug)]
pub struct RawRoot<'a> {
    pub name: &'a str,
    pub ty: TypeId,
    pub bytes: &'a [u8],
    /// Parts that the run read, sorted.
    pub touched: &'a [Range<u32>],
}

/// Memory of an object.
#[derive(Clone, Copy, Debug)]
pub struct RawObject<'a> {
    pub id: ObjectId,
    pub element: TypeId,
    /// Characters up to a NUL.
    pub is_text: bool,
    /// Bytes up to the largest size that the object may have.
    pub bytes: &'a [u8],
    /// Parts that the run read, sorted.
    pub touched: &'a [Range<u32>],
}

/// Target of an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// An object; `offset` in bytes.
    Object {
        id: ObjectId,
        offset: u64,
    },
    Function(String),
}

/// Treatment of cells that the run did not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Untouched {
    /// Show their value.
    Show,
    /// Show [`Value::Untouched`].
    Hide,
}

/// Returns the map of the input in `roots` and `objects`. `resolve` returns the target of an address. An object shows
/// as many elements as were read or are pointed into, and at least one.
pub fn decode(
    graph: &TypeGraph,
    roots: &[RawRoot<'_>],
    objects: &[RawObject<'_>],
    resolve: &dyn Fn(u64) -> Option<Target>,
    untouched: Untouched,
) -> InputMap {
    let raw: BTreeMap<ObjectId, &RawObject<'_>> = objects.iter().map(|object| (object.id, object)).collect();
    let reader = Reader { graph, resolve, elements: &|id| raw.get(&id).map(|object| object.element), untouched };
    let mut map = InputMap::default();
    let mut reached =
        Reached { reader: &reader, raw: &raw, found: Vec::new(), index: BTreeMap::new(), open: VecDeque::new() };
    for root in roots {
        let region = Region { bytes: root.bytes, touched: root.touched };
        let value = reader.value(root.ty, region, 0, true);
        reached.follow(&value);
        map.roots.push(Root { name: root.name.to_owned(), ty: graph.describe(root.ty), value });
    }
    map.objects = reached.close();
    map
}

/// Objects that pointers point to, breadth first.
struct Reached<'a> {
    reader: &'a Reader<'a>,
    raw: &'a BTreeMap<ObjectId, &'a RawObject<'a>>,
    found: Vec<Object>,
    /// Index of each object in `found`.
    index: BTreeMap<ObjectId, usize>,
    /// Pointers not yet followed: object and byte in it.
    open: VecDeque<(ObjectId, u64)>,
}

impl Reached<'_> {
    fn follow(&mut self, value: &Value) {
        if let Value::Pointer(pointer) = value {
            self.open.push_back((pointer.object, pointer.offset));
        }
        for (_, part) in value.parts() {
            self.follow(part);
        }
    }

    fn close(mut self) -> Vec<Object> {
        while let Some((id, offset)) = self.open.pop_front() {
            let Some(raw) = self.raw.get(&id).copied() else { continue };
            let found = &mut self.found;
            let index = *self.index.entry(id).or_insert_with(|| {
                let element = self.reader.graph.describe(raw.element);
                found.push(Object { id, element, elements: Vec::new() });
                found.len() - 1
            });
            self.grow(index, raw, offset);
        }
        self.found
    }

    /// Makes the elements up to `offset` visible, and on the first call also those that were read.
    fn grow(&mut self, index: usize, raw: &RawObject<'_>, offset: u64) {
        let region = Region { bytes: raw.bytes, touched: raw.touched };
        let seen = self.found[index].elements.len();
        let (first, n_read) = (seen == 0, region.touched_end(0) as u64);
        // In untyped bytes, a pointer to a higher offset shows more bytes.
        let known = if first { 0 } else { self.found[index].count() as u64 - 1 };
        if let Some(whole) = self.whole(raw, region, offset.max(known)) {
            self.found[index].elements = vec![whole];
            return;
        }
        let size = stride(self.reader.graph, raw.element);
        let room = raw.bytes.len() as u64 / size;
        let read = if first { n_read.div_ceil(size) } else { 0 };
        let count = read.max(offset / size + 1).min(room).max(1) as usize;
        let flexible = has_flexible_tail(self.reader.graph, raw.element);
        let count = if flexible { 1 } else { count };
        for element in seen..count {
            let value = self.reader.value(raw.element, region, element * size as usize, flexible);
            self.follow(&value);
            self.found[index].elements.push(value);
        }
    }

    /// Objects that are one value whatever their length: strings and bytes.
    fn whole(&self, raw: &RawObject<'_>, region: Region<'_>, offset: u64) -> Option<Value> {
        let graph = self.reader.graph;
        if raw.is_text {
            return Some(self.reader.text_object(region));
        }
        let kind = graph.kind(graph.strip(raw.element));
        let typeless = matches!(kind, Kind::Void | Kind::Opaque { .. } | Kind::Function(_));
        typeless.then(|| self.reader.bytes_object(region, offset))
    }
}
