//! Links of lists and trees: pointers of a structure to its own type, and the circles that they form.

use std::collections::BTreeSet;

use tine_trace::plan::{OBJECT, slot_of};
use tine_types::input::Input;
use tine_types::{Kind, TypeId};

use super::path::Names;
use crate::graph::Shapes;
use crate::graph::shapes::Cell;

/// A member that points to its own structure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Link {
    pub(super) structure: String,
    pub(super) member: String,
    /// Offset in bytes from the start of an element.
    offset: u32,
}

/// The first link that forms a circle in some object of the input.
pub(super) fn circular(shapes: &Shapes, names: &Names, inputs: &Input) -> Option<Link> {
    for (slot, object) in &inputs.objects {
        for link in links(shapes, names, object.element.ty) {
            let mut seen = BTreeSet::new();
            let mut next = Some(*slot);
            while let Some(slot) = next {
                if !seen.insert(slot) {
                    return Some(link);
                }
                next = follow(shapes, inputs, slot, &link, object.element.ty);
            }
        }
    }
    None
}

/// The link at an offset of the input, if holding `value` closes a circle.
pub(super) fn closing(
    shapes: &Shapes,
    names: &Names,
    inputs: &Input,
    (input, offset): (u32, u32),
    value: u64,
) -> Option<Link> {
    let own = Some(input & !OBJECT).filter(|_| input & OBJECT != 0)?;
    let element = inputs.objects.get(&own)?.element;
    let in_element = offset % element.size.max(1);
    let link = links(shapes, names, element.ty).into_iter().find(|link| link.offset == in_element)?;
    let mut next = slot_of(value, inputs.slot_shift).map(|(slot, _)| slot);
    let mut seen = BTreeSet::new();
    while let Some(slot) = next.filter(|slot| seen.insert(*slot)) {
        if slot == own {
            return Some(link);
        }
        next = follow(shapes, inputs, slot, &link, element.ty);
    }
    None
}

/// The object that a link of the first element of another points to.
fn follow(shapes: &Shapes, inputs: &Input, slot: u32, link: &Link, ty: TypeId) -> Option<u32> {
    let object = inputs.objects.get(&slot).filter(|object| shapes.is_same(object.element.ty, ty))?;
    let at = link.offset as usize;
    let word: [u8; 8] = object.bytes.get(at..at + 8)?.try_into().ok()?;
    slot_of(u64::from_le_bytes(word), inputs.slot_shift).map(|(slot, _)| slot)
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
        Some(Link { structure: structure.clone(), member, offset: *at })
    };
    shapes.cells(ty).iter().filter(|(_, cell)| is_link(cell)).filter_map(link).collect()
}
