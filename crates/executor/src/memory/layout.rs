//! From addresses to objects that tine can create: each in its own slot, or inside another object.

use std::collections::BTreeMap;

use tine_expr::{Assignment, TermId, TermPool};
use tine_trace::plan::{MAX_SLOTS, OBJECT, object_address, object_id, slot_of};
use tine_types::input::{Element, Input, Object};

use super::axioms::{Place, constant, exemptions, lies_inside, nulls, or_null, within};
use super::bases::Bases;
use crate::graph::Shapes;
use crate::graph::shapes::Cell;

/// Conditions that make places constructible: each lies wholly in a slot of its own, and not in the slots of objects
/// outside the query. `more` slots than the current ones are enough.
pub(super) fn slots(pool: &mut TermPool, inputs: &Input, places: &[Place], more: u32) -> Vec<TermId> {
    let shift = inputs.slot_shift;
    let n_slots = inputs.objects.keys().next_back().map_or(0, |slot| slot + 1) + more;
    let region = (object_address(0, 0, shift), object_address(n_slots.min(MAX_SLOTS), 0, shift));
    let mut said = Vec::new();
    let others: Vec<u32> =
        inputs.objects.keys().copied().filter(|slot| !places.iter().any(|place| place.slot == Some(*slot))).collect();
    for (index, place) in places.iter().enumerate() {
        let (fits, within) = (fits(pool, place, shift), within(pool, place, region));
        let built = pool.and(fits, within);
        let built = or_null(pool, place, built);
        // A place inside an object shares that object's slot.
        let mut inside = pool.bit(false);
        for outer in places.iter().filter(|outer| place.may_be_null() && outer.slot.is_some()) {
            let there = lies_inside(pool, outer, place);
            inside = pool.or(inside, there);
        }
        said.push(pool.or(inside, built));
        let number = slot_number(pool, place.at, shift);
        for other in &places[..index] {
            let exempt = match (place.slot, other.slot) {
                (None, None) if place.ty != other.ty => nulls(pool, place, other),
                _ => exemptions(pool, place, other),
            };
            let other = slot_number(pool, other.at, shift);
            let differ = pool.ne(number, other);
            said.push(pool.or(exempt, differ));
        }
        for slot in &others {
            let taken = constant(pool, object_address(*slot, 0, shift));
            let taken = slot_number(pool, taken, shift);
            let differ = pool.ne(number, taken);
            let differ = pool.or(inside, differ);
            said.push(or_null(pool, place, differ));
        }
    }
    said
}

fn slot_number(pool: &mut TermPool, address: TermId, shift: u32) -> TermId {
    pool.extract(address, shift, 64 - shift)
}

/// Condition: the place ends within its slot.
fn fits(pool: &mut TermPool, place: &Place, shift: u32) -> TermId {
    let start = pool.extract(place.at, 0, shift);
    let last = pool.constant(shift, u128::from((1u64 << shift) - place.size.clamp(1, 1 << shift)));
    pool.ule(start, last)
}

/// Moves every object to its address in the model. Returns the moved inputs, and the model in their terms.
pub(super) fn moved(
    shapes: &Shapes,
    inputs: &Input,
    bases: &Bases<'_>,
    model: &Assignment,
    is_chosen: &dyn Fn(u32, u32) -> bool,
) -> (Input, Assignment) {
    let shift = inputs.slot_shift;
    let target = |slot: u32| slot_of(bases.value(model, slot), shift).unwrap_or((slot, 0));
    // Pointers outside the query move with their targets.
    let relocate = |address: u64| {
        let slot = slot_of(address, shift).map(|(slot, _)| slot).filter(|slot| inputs.objects.contains_key(slot))?;
        let new = bases.value(model, slot).wrapping_add(address.wrapping_sub(bases.address(slot)));
        (new != address).then_some(new)
    };
    let mut assignment = Assignment::new();
    for (ordinal, input) in (0..).zip(&inputs.requests) {
        for (offset, _) in (0..).zip(&input.bytes) {
            assignment.set(ordinal, offset, model.get(ordinal, offset));
        }
    }
    let mut objects = BTreeMap::new();
    for (slot, object) in &inputs.objects {
        let (new, start) = target(*slot);
        let room = (1u32 << shift) - start as u32;
        let extent = object.element.extent.min(room);
        let mut bytes = model.bytes(object_id(*slot)).to_vec();
        bytes.truncate(extent as usize);
        let element = Element { start: start as u32, extent, ..object.element };
        assignment.set_object(new, bytes.clone());
        objects.insert(new, Object { element, bytes });
    }
    for id in inputs.ids() {
        let new = if id & OBJECT == 0 { id } else { object_id(target(id & !OBJECT).0) };
        for (at, _) in shapes.cells_of(inputs, id).iter().filter(|(_, cell)| matches!(cell, Cell::Pointer { .. })) {
            if let Some(address) = relocate(inputs.read(id, *at, 64) as u64)
                && !is_chosen(id, *at)
            {
                assignment.write(new, *at, 64, u128::from(address));
            }
        }
    }
    for (slot, object) in &mut objects {
        object.bytes = assignment.bytes(object_id(*slot)).to_vec();
        object.bytes.truncate(object.element.extent as usize);
    }
    (Input { objects, ..inputs.clone() }, assignment)
}
