//! A seal over the records of a run. With it the engine distinguishes records that the unit has overwritten from a bug
//! in tine.
//!
//! The runtime adds a number for each record that it writes, and keeps the sum in its own memory. At the end of the run
//! the sum is stored in [`crate::segment::Results::seal`]. The engine computes the sum over the records that it reads.
//! A different sum means that another writer than the runtime has changed them.
//!
//! This detects accidents and blunt destruction. It is not a signature: code that knows the format can forge matching
//! records.

use crate::event::Event;
use crate::node::Node;
use crate::plan::{InputKind, InputRecord};
use crate::state::StateRecord;

/// Kinds of records, so that the same words in another area, or at another position, give another number.
const NODE: u64 = 1 << 32;
const EVENT: u64 = 2 << 32;
const INPUT: u64 = 3 << 32;
const BYTES: u64 = 4 << 32;
const STATE: u64 = 5 << 32;
const NOTES: u64 = 6 << 32;

/// Number of bytes of a failing call's input that are fixed when it is written. The run fills in the others later.
const OF_FAILURE: usize = 4;

/// Number of a node and its position. Its flags are excluded: they change during the run, and only the runtime uses
/// them.
#[inline]
pub const fn of_node(number: u32, node: &Node) -> u64 {
    let head = node.op as u64 | (node.width as u64) << 16 | (node.a as u64) << 32;
    of(NODE | number as u64, [head, words(node.b, node.c), node.value[0], node.value[1]])
}

/// Number of an event and its index. Its flags are excluded, because they are set after it is written.
#[inline]
pub const fn of_event(index: u32, event: &Event) -> u64 {
    let head = event.kind as u64 | (event.side_index as u64) << 16 | (event.site as u64) << 32;
    let counts = words(event.n_nodes, event.n_inputs);
    of(EVENT | index as u64, [head, words(event.node, event.aux), event.prefix_hash, counts])
}

/// Number of an input with its index and its bytes.
pub fn of_input(index: u32, record: &InputRecord, bytes: &[u8]) -> u64 {
    let InputRecord { kind, size, first_byte, name_offset, name_len, choices, id, ty } = *record;
    let own = [words(kind, size), words(first_byte, name_offset), words(name_len, choices), words(id, ty)];
    let is_failure = kind == InputKind::Failure as u32;
    let bytes = if is_failure { &bytes[..bytes.len().min(OF_FAILURE)] } else { bytes };
    let mut sum = of(INPUT | index as u64, own);
    let (whole, rest) = bytes.as_chunks::<8>();
    for (k, word) in whole.iter().enumerate() {
        sum = sum.wrapping_add(of(BYTES | index as u64, [k as u64, u64::from_le_bytes(*word), 0, 0]));
    }
    for (k, byte) in rest.iter().enumerate() {
        sum = sum.wrapping_add(of(BYTES | index as u64, [k as u64, *byte as u64, 1, 0]));
    }
    sum
}

/// Part of the seal for the record of a state.
pub const fn of_state(index: u32, record: &StateRecord) -> u64 {
    let StateRecord { hash, cell, len, n_events, whole } = *record;
    of(STATE | index as u64, [hash, words(cell, len), words(n_events, whole), 0])
}

/// Number of the kinds of notes that occurred, as bits.
pub const fn of_note_kinds(kinds: u32) -> u64 {
    of(NOTES, [kinds as u64, 0, 0, 0])
}

/// The sum as it is stored: 0 means that the run was not sealed.
pub const fn stored(sum: u64) -> u64 {
    if sum == 0 { 1 } else { sum }
}

const fn words(low: u32, high: u32) -> u64 {
    low as u64 | (high as u64) << 32
}

#[inline]
const fn of(place: u64, words: [u64; 4]) -> u64 {
    let place = place.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let first = fold(words[0] ^ place, words[1] ^ 0xd6e8_feb8_6659_fd93);
    let second = fold(words[2] ^ place.rotate_left(32), words[3] ^ 0xa076_1d64_78bd_642f);
    first.wrapping_add(second.rotate_left(1))
}

const fn fold(a: u64, b: u64) -> u64 {
    let product = a as u128 * b as u128;
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_and_every_place_counts() {
        let node = Node { op: 3, flags: 0, width: 32, a: 1, b: 2, c: 3, value: [4, 0] };
        let known = of_node(5, &node);
        assert_eq!(of_node(5, &Node { flags: 7, ..node }), known);
        let others = [
            of_node(6, &node),
            of_node(5, &Node { op: 4, ..node }),
            of_node(5, &Node { width: 31, ..node }),
            of_node(5, &Node { a: 2, ..node }),
            of_node(5, &Node { b: 3, ..node }),
            of_node(5, &Node { c: 2, ..node }),
            of_node(5, &Node { value: [5, 0], ..node }),
            of_node(5, &Node { value: [4, 1], ..node }),
            of_node(5, &Node::default()),
        ];
        assert!(others.iter().all(|other| *other != known));
        let event = Event { kind: 1, site: 9, node: 5, ..Event::default() };
        assert_ne!(of_event(0, &event), of_event(1, &event));
        assert_ne!(of_event(0, &event), of_event(0, &Event { side_index: 1, ..event }));
        let record = InputRecord { size: 9, ..InputRecord::default() };
        let known = of_input(0, &record, b"012345678");
        assert_ne!(of_input(0, &record, b"012345679"), known);
        assert_ne!(of_input(0, &record, b"112345678"), known);
        assert_ne!(of_input(1, &record, b"012345678"), known);
        assert_ne!(of_state(0, &StateRecord::default()), of_state(1, &StateRecord::default()));
        assert_ne!(of_note_kinds(1), of_note_kinds(2));
    }
}
