//! The input map: the readable form of an input.

use std::collections::BTreeMap;
use std::ops::Range;

use tine_trace::layout::INPUTS_BASE;
use tine_trace::node::Node;
use tine_trace::op::Op;
use tine_trace::plan::{TEXT, object_address, object_id, slot_of};
use tine_types::Input;
use tine_types::map::{InputMap, ObjectId, Placement, RawObject, RawRoot, Target, Untouched, decode};

use super::aliasing::cell_of;
use super::shapes::{Cell, Shapes};

/// Returns the map of a case's input. `nodes` are those of its run: they show which bytes the run read.
pub(crate) fn described(shapes: &Shapes, input: &Input, nodes: &[Node], untouched: Untouched) -> InputMap {
    let input = &shapes.located(input);
    InputMap { placements: placements(shapes, input, nodes), ..map(shapes, input, nodes, untouched) }
}

fn map(shapes: &Shapes, inputs: &Input, nodes: &[Node], untouched: Untouched) -> InputMap {
    let touched = touched(nodes);
    let of = |id: u32| touched.get(&id).map_or(&[][..], Vec::as_slice);
    let mut used = BTreeMap::<&str, u32>::new();
    let names: Vec<String> = inputs
        .requests
        .iter()
        .map(|input| {
            let count = used.entry(&input.name).or_default();
            *count += 1;
            if *count == 1 { input.name.clone() } else { format!("{}#{count}", input.name) }
        })
        .collect();
    let roots: Vec<RawRoot<'_>> = (0..)
        .zip(&inputs.requests)
        .zip(&names)
        .filter_map(|((ordinal, input), name)| {
            let ty = shapes.root(input.ty)?;
            Some(RawRoot { name, ty, bytes: &input.bytes, touched: of(ordinal) })
        })
        .collect();
    let objects: Vec<RawObject<'_>> = inputs
        .objects
        .iter()
        .map(|(slot, object)| RawObject {
            id: ObjectId(*slot),
            element: object.element.ty,
            is_text: object.element.flags & TEXT != 0,
            bytes: &object.bytes,
            touched: of(object_id(*slot)),
        })
        .collect();
    let resolve = |address: u64| {
        let function = shapes.function_at(address);
        if let Some(callable) = function.and_then(|number| shapes.callables().get(number as usize)) {
            return Some(Target::Function(callable.name.clone()));
        }
        let (slot, offset) = slot_of(address, inputs.slot_shift)?;
        let start = inputs.objects.get(&slot).map_or(0, |object| u64::from(object.element.start));
        Some(Target::Object { id: ObjectId(slot), offset: offset.wrapping_sub(start) })
    };
    decode(shapes.types(), &roots, &objects, &resolve, untouched)
}

/// Placements of the objects whose addresses the run used for more than equality comparisons and additions.
fn placements(shapes: &Shapes, inputs: &Input, nodes: &[Node]) -> Vec<Placement> {
    let is_pointer = |node: &Node| {
        node.op == Op::Input as u8
            && node.width == 64
            && matches!(cell_of(shapes, inputs, node.a, node.b), Some(Cell::Pointer { .. }))
    };
    // Pointers from which a node is computed by additions only.
    let mut bases: Vec<Option<u32>> = vec![None; nodes.len()];
    let mut observed = BTreeMap::new();
    for (id, node) in nodes.iter().enumerate().skip(1) {
        let of = |operand: u32| bases.get(operand as usize).copied().flatten();
        if is_pointer(node) {
            bases[id] = Some(id as u32);
        } else if node.op == Op::Add as u8 {
            bases[id] = of(node.a).or(of(node.b));
        } else if looks_at_bits(node) {
            // The distance of two addresses in one object does not depend on the object's position.
            let mut parts: Vec<u32> = node.operands().filter_map(of).collect();
            parts.dedup();
            if parts.len() == 2 || !matches!(node.op(), Some(Op::Sub | Op::Ult | Op::Ule | Op::Slt | Op::Sle)) {
                for pointer in parts {
                    let address = nodes[pointer as usize].value[0];
                    let Some((slot, _)) = slot_of(address, inputs.slot_shift) else { continue };
                    let Some(object) = inputs.objects.get(&slot) else { continue };
                    // A check of the usual alignment does not depend on the object's position.
                    if object.element.start == 0 && is_alignment(node, nodes) {
                        continue;
                    }
                    let start = object_address(slot, object.element.start, inputs.slot_shift);
                    observed.insert(start - INPUTS_BASE, ObjectId(slot));
                }
            }
        }
    }
    observed.into_iter().map(|(offset, object)| Placement { object, offset }).collect()
}

fn is_alignment(node: &Node, nodes: &[Node]) -> bool {
    let is_small = |id: u32| nodes.get(id as usize).is_some_and(|node| node.op == Op::Const as u8 && node.value() < 16);
    match node.op() {
        Some(Op::And) => is_small(node.a) || is_small(node.b),
        Some(Op::Extract) => node.b + u32::from(node.width) <= 4,
        _ => false,
    }
}

fn looks_at_bits(node: &Node) -> bool {
    !matches!(node.op(), None | Some(Op::Add | Op::Eq | Op::Ite | Op::Const | Op::Input))
}

/// Bytes that were read, by input number.
fn touched(nodes: &[Node]) -> BTreeMap<u32, Vec<Range<u32>>> {
    let mut touched = BTreeMap::<u32, Vec<Range<u32>>>::new();
    for node in nodes.iter().filter(|node| node.op == Op::Input as u8) {
        touched.entry(node.a).or_default().push(node.b..node.b + u32::from(node.width) / 8);
    }
    for ranges in touched.values_mut() {
        ranges.sort_by_key(|range| range.start);
    }
    touched
}
