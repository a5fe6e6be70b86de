//! Axioms about the relative positions of objects: disjoint, or one inside the other where their types allow it.
//!
//! Two objects that the path has met are disjoint. A pointer that it has not followed is NULL or points to an object of
//! its type. That object is disjoint from all others, lies inside another at an offset of its type, or is the target of
//! another pointer, too.

use tine_expr::{TermId, TermPool};
use tine_types::TypeId;

use super::leaves::{Leaf, is_primitive, leaves};
use super::{Memory, Model};
use crate::graph::Shapes;

/// A range of memory with an address: an object, or the target of a pointer that the path has not followed.
pub(super) struct Place {
    pub(super) at: TermId,
    pub(super) ty: TypeId,
    /// Size in bytes. No other object may overlap it.
    pub(super) size: u64,
    /// Size in bytes of an element of the type.
    pub(super) element: u64,
    /// Current slot, if the object exists.
    pub(super) slot: Option<u32>,
    /// True if it may lie inside another: some branch compares it with more than NULL.
    pub(super) is_compared: bool,
    /// Offsets from its start where a pointer of a type may point to.
    pub(super) inside: Vec<(TypeId, Vec<u64>)>,
}

impl Place {
    pub(super) fn may_be_null(&self) -> bool {
        self.slot.is_none()
    }
}

/// Axioms about some places, in the two steps in which they are added to a query.
#[derive(Default)]
pub(super) struct Axioms {
    pub(super) first: Vec<TermId>,
    pub(super) second: Vec<TermId>,
}

/// Axioms for every pair of places, and for the range of each place.
pub(super) fn axioms(
    pool: &mut TermPool,
    shapes: &Shapes,
    memory: &Memory,
    region: (u64, u64),
    places: &[Place],
) -> Axioms {
    let mut axioms = Axioms::default();
    for (index, place) in places.iter().enumerate() {
        let within = within(pool, place, region);
        let aligned = aligned(pool, shapes, places, place);
        axioms.first.extend([within, aligned]);
        for other in &places[..index] {
            let exempt = exemptions(pool, place, other);
            if let Some(differ) = differ(pool, place, other, exempt) {
                axioms.first.push(differ);
            }
            apart(pool, shapes, memory, place, other, exempt, &mut axioms.second);
        }
    }
    axioms
}

/// Condition: the place is NULL, or lies in the region as a whole.
pub(super) fn within(pool: &mut TermPool, place: &Place, (start, end): (u64, u64)) -> TermId {
    let (low, high) = (constant(pool, start), constant(pool, end - place.size.min(end - start)));
    let (above, below) = (pool.ule(low, place.at), pool.ule(place.at, high));
    let within = pool.and(above, below);
    or_null(pool, place, within)
}

/// Condition: the address has the alignment of its type, or is that of a part of an object of another type.
fn aligned(pool: &mut TermPool, shapes: &Shapes, places: &[Place], place: &Place) -> TermId {
    let bits = shapes.types().alignment(place.ty).trailing_zeros();
    if bits == 0 {
        return pool.bit(true);
    }
    let low = pool.extract(place.at, 0, bits);
    let zero = pool.constant(bits, 0);
    let mut aligned = pool.eq(low, zero);
    for outer in places.iter().filter(|outer| outer.ty != place.ty) {
        let inside = lies_inside(pool, outer, place);
        aligned = pool.or(aligned, inside);
    }
    aligned
}

/// Condition under which two places may overlap: one of them is NULL, or lies inside the other where that one's type
/// has room for it.
pub(super) fn exemptions(pool: &mut TermPool, a: &Place, b: &Place) -> TermId {
    let mut exempt = nulls(pool, a, b);
    for (outer, inner) in [(a, b), (b, a)] {
        let inside = lies_inside(pool, outer, inner);
        exempt = pool.or(exempt, inside);
    }
    exempt
}

/// Condition: one of them is NULL.
pub(super) fn nulls(pool: &mut TermPool, a: &Place, b: &Place) -> TermId {
    let zero = constant(pool, 0);
    let mut nulls = pool.bit(false);
    for place in [a, b].into_iter().filter(|place| place.may_be_null()) {
        let is_null = pool.eq(place.at, zero);
        nulls = pool.or(nulls, is_null);
    }
    nulls
}

/// Condition: the pointer `inner` points to a part of `outer` that has its type. Existing objects do not lie inside
/// others.
pub(super) fn lies_inside(pool: &mut TermPool, outer: &Place, inner: &Place) -> TermId {
    let mut inside = pool.bit(false);
    if !inner.may_be_null() || !inner.is_compared {
        return inside;
    }
    for offset in outer.inside.iter().filter(|(ty, _)| *ty == inner.ty).flat_map(|(_, offsets)| offsets) {
        let offset = constant(pool, *offset);
        let there = pool.add(outer.at, offset);
        let is_there = pool.eq(inner.at, there);
        inside = pool.or(inside, is_there);
    }
    inside
}

/// First step: places that may not overlap have different addresses. `None` if the condition is trivial.
fn differ(pool: &mut TermPool, a: &Place, b: &Place, exempt: TermId) -> Option<TermId> {
    let differ = pool.ne(a.at, b.at);
    let said = pool.or(exempt, differ);
    (pool.value(said) != Some(1)).then_some(said)
}

/// Second step: places are at least as far apart as their sizes.
fn apart(
    pool: &mut TermPool,
    shapes: &Shapes,
    memory: &Memory,
    a: &Place,
    b: &Place,
    exempt: TermId,
    said: &mut Vec<TermId>,
) {
    let types = shapes.types();
    let is_one_type = a.ty == b.ty;
    if memory.model != Model::Primitive {
        let aligned = memory.alignment && is_one_type && a.element == a.size && b.element == b.size;
        if !(aligned && is_primitive(types, a.ty)) {
            let apart = no_overlap(pool, (a.at, 0, a.size), (b.at, 0, b.size));
            said.push(pool.or(exempt, apart));
        }
        return;
    }
    for one in parts(shapes, a) {
        for other in parts(shapes, b) {
            let is_one_class = one.class == other.class;
            if memory.alignment && is_one_class && one.offset == 0 && other.offset == 0 && is_one_type {
                // Such places are either equal or disjoint.
                let differ = pool.ne(a.at, b.at);
                said.push(pool.or(exempt, differ));
                continue;
            }
            let apart = no_overlap(pool, (a.at, one.offset, one.size), (b.at, other.offset, other.size));
            said.push(pool.or(exempt, apart));
        }
    }
}

/// Primitive parts of a place, element by element.
fn parts(shapes: &Shapes, place: &Place) -> Vec<Leaf> {
    let of_one = leaves(shapes.types(), place.ty);
    let n_elements = (place.size / place.element.max(1)).max(1);
    let parts = (0..n_elements)
        .flat_map(|k| of_one.iter().map(move |leaf| Leaf { offset: leaf.offset + k * place.element, ..*leaf }));
    parts.collect()
}

fn no_overlap(pool: &mut TermPool, a: (TermId, u64, u64), b: (TermId, u64, u64)) -> TermId {
    let mut before = |(one, start, size): (TermId, u64, u64), (other, other_start, _): (TermId, u64, u64)| {
        let (end, start) = (constant(pool, start + size), constant(pool, other_start));
        let (end, start) = (pool.add(one, end), pool.add(other, start));
        pool.ule(end, start)
    };
    let (first, second) = (before(a, b), before(b, a));
    pool.or(first, second)
}

pub(super) fn or_null(pool: &mut TermPool, place: &Place, said: TermId) -> TermId {
    if !place.may_be_null() {
        return said;
    }
    let zero = constant(pool, 0);
    let is_null = pool.eq(place.at, zero);
    pool.or(is_null, said)
}

pub(super) fn constant(pool: &mut TermPool, value: u64) -> TermId {
    pool.constant(64, u128::from(value))
}
