//! Links of lists and trees: pointers of a structure to its own type, the circles that they form, and the objects that
//! several of them share.
//!
//! ```text
//!   a ──next──▶ b ──next──▶ c          b and c have one owner each: `a` and `b`
//!   a ◀──prev── b ◀──prev── c          a link back to the owner does not count
//!   a ──child─▶ c                      c has two owners: it is shared
//! ```

use std::collections::{BTreeMap, BTreeSet};

use tine_trace::plan::{OBJECT, slot_of};
use tine_types::input::{Input, Object};
use tine_types::{Kind, TypeId};

use super::path::Names;
use crate::graph::Shapes;
use crate::graph::shapes::Cell;

/// A member that points to its own structure.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Link {
    structure: String,
    /// Type of the structure.
    ty: TypeId,
    member: String,
    /// Offset in bytes from the start of an element.
    offset: u32,
}

/// A shape of objects that a function may not be able to handle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A circle of these links, of one structure.
    Circle { structure: String, ty: TypeId, members: BTreeSet<String> },
    /// An object of this structure with two owners.
    Shared { structure: String },
}

/// An element of an object: slot, and number in the object.
type Node = (u32, u32);

/// A link that is not NULL.
#[derive(Clone, Debug)]
struct Edge {
    from: Node,
    to: Node,
    link: Link,
}

/// The first circle in the input: one of a single link, if there is one.
pub(super) fn circular(shapes: &Shapes, names: &Names, inputs: &Input) -> Option<Shape> {
    let edges = edges(shapes, names, inputs, None);
    edges.iter().find_map(|edge| circle(&edges, edge, true)).or_else(|| {
        let owning = owning(&edges);
        owning.iter().find_map(|edge| circle(&owning, edge, false))
    })
}

/// The first shared object in the input.
pub(super) fn shared(shapes: &Shapes, names: &Names, inputs: &Input) -> Option<Shape> {
    let edges = owning(&edges(shapes, names, inputs, None));
    edges.iter().find_map(|edge| sharing(&edges, edge))
}

/// The shapes that holding `value` gives to the link at an offset of the input.
pub(super) fn closing(shapes: &Shapes, names: &Names, inputs: &Input, cell: (u32, u32), value: u64) -> Vec<Shape> {
    let Some(slot) = Some(cell.0 & !OBJECT).filter(|_| cell.0 & OBJECT != 0) else { return Vec::new() };
    let Some(object) = inputs.objects.get(&slot) else { return Vec::new() };
    let size = object.element.size.max(1);
    let (from, offset) = ((slot, cell.1 / size), cell.1 % size);
    let edges = edges(shapes, names, inputs, Some((slot, cell.1, value)));
    let is_it = |edge: &&Edge| edge.from == from && edge.link.offset == offset;
    let Some(edge) = edges.iter().find(is_it) else { return Vec::new() };
    let owning = owning(&edges);
    [circle(&edges, edge, true), circle(&owning, edge, false), sharing(&owning, edge)].into_iter().flatten().collect()
}

/// A circle that begins with an edge, of the same link if `is_single`.
fn circle(edges: &[Edge], first: &Edge, is_single: bool) -> Option<Shape> {
    // The edge by which each node was reached.
    let mut reached: BTreeMap<Node, &Edge> = BTreeMap::from([(first.to, first)]);
    let mut pending = vec![first.to];
    while let Some(node) = pending.pop() {
        if node == first.from {
            let (structure, ty) = (first.link.structure.clone(), first.link.ty);
            let mut members = BTreeSet::from([first.link.member.clone()]);
            let mut at = node;
            while at != first.to {
                let edge = reached[&at];
                members.insert(edge.link.member.clone());
                at = edge.from;
            }
            return Some(Shape::Circle { structure, ty, members });
        }
        let fits = |edge: &&Edge| edge.from == node && (!is_single || edge.link == first.link);
        for edge in edges.iter().filter(fits) {
            if let std::collections::btree_map::Entry::Vacant(entry) = reached.entry(edge.to) {
                entry.insert(edge);
                pending.push(edge.to);
            }
        }
    }
    None
}

/// The target of an edge, if it has another owner.
fn sharing(edges: &[Edge], edge: &Edge) -> Option<Shape> {
    let is_other = |other: &&Edge| other.to == edge.to && (other.from, &other.link) != (edge.from, &edge.link);
    edges.iter().find(is_other).map(|_| Shape::Shared { structure: edge.link.structure.clone() })
}

/// The edges without those between two nodes that point to each other: `next` and `prev`, `child` and `parent`.
fn owning(edges: &[Edge]) -> Vec<Edge> {
    let pairs: BTreeSet<(Node, Node)> = edges.iter().map(|edge| (edge.from, edge.to)).collect();
    let is_mutual = |edge: &Edge| edge.from != edge.to && pairs.contains(&(edge.to, edge.from));
    edges.iter().filter(|edge| !is_mutual(edge)).cloned().collect()
}

/// The links of all objects. `changed`: the word at an offset of an object has another value.
fn edges(shapes: &Shapes, names: &Names, inputs: &Input, changed: Option<(u32, u32, u64)>) -> Vec<Edge> {
    let mut edges = Vec::new();
    for (slot, object) in &inputs.objects {
        let element = &object.element;
        let links = links(shapes, names, element.ty);
        if links.is_empty() || element.size == 0 {
            continue;
        }
        let read = |at: u32| {
            let word = object.bytes.get(at as usize..at as usize + 8)?;
            Some(u64::from_le_bytes(word.try_into().ok()?))
        };
        let of_changed = |at: u32| changed.filter(|(of, offset, _)| (*of, *offset) == (*slot, at)).map(|it| it.2);
        // The changed word may lie after the bytes that the input has.
        let n_bytes =
            (object.bytes.len() as u32).max(changed.map_or(0, |(of, at, _)| if of == *slot { at + 8 } else { 0 }));
        // An array of unknown length at the end of a structure is not another structure.
        let n_elements = if shapes.has_tail(element.ty) { 1 } else { n_bytes.div_ceil(element.size) };
        for number in 0..n_elements {
            for link in &links {
                let at = number * element.size + link.offset;
                let value = of_changed(at).or_else(|| read(at));
                let to = value.and_then(|value| node_at(shapes, inputs, value, element.ty));
                edges.extend(to.map(|to| Edge { from: (*slot, number), to, link: link.clone() }));
            }
        }
    }
    edges
}

/// The element of type `ty` at an address.
fn node_at(shapes: &Shapes, inputs: &Input, address: u64, ty: TypeId) -> Option<Node> {
    let (slot, offset) = slot_of(address, inputs.slot_shift)?;
    let fits = |object: &&Object| shapes.is_same(object.element.ty, ty);
    let object = inputs.objects.get(&slot).filter(fits)?;
    Some((slot, u32::try_from(offset).ok()?.checked_sub(object.element.start)? / object.element.size.max(1)))
}

/// The links of a structure.
fn links(shapes: &Shapes, names: &Names, ty: TypeId) -> Vec<Link> {
    let types = shapes.types();
    let ty = types.strip(ty);
    let Kind::Struct { members } = types.kind(ty) else { return Vec::new() };
    let Some(structure) = names.get(types, ty) else { return Vec::new() };
    let is_link = |cell: &Cell| match cell {
        Cell::Pointer { to, .. } => shapes.is_same(types.strip(*to), ty),
        Cell::Function { .. } | Cell::Bool | Cell::Enum { .. } => false,
    };
    let link = |(at, _): &(u32, Cell)| {
        let member = members.iter().find(|member| member.offset == u64::from(*at))?.name.clone()?;
        Some(Link { structure: structure.clone(), ty, member, offset: *at })
    };
    shapes.cells(ty).iter().filter(|(_, cell)| is_link(cell)).filter_map(link).collect()
}
