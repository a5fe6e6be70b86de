//! Inputs: their bytes, their records, and how they are read.

use tine_trace::event::{EventKind, NoteKind};
use tine_trace::fill::fill;
use tine_trace::layout::CELL_UNREAD;
use tine_trace::op::Op;
use tine_trace::plan::InputKind;
use tine_trace::segment::{AreaKind, FLAG_RECORD, Limits, N_AREAS};

use super::{Run, input, limits, load};
use crate::record::{calls, shadow};

const AREAS: [u64; N_AREAS] =
    [1 << 12, 1 << 12, 1 << 12, 1 << 12, 1 << 16, 1 << 12, 1 << 12, 1 << 10, 1 << 10, 1 << 12, 1 << 12, 0];

#[test]
fn an_input_is_written_down_with_its_bytes_and_name() {
    let run = Run::new(&[vec![1, 2], vec![3, 4, 5]]);
    let (mut a, mut b) = ([0u8; 2], [0u8; 4]);
    input(&mut a, "first");
    input(&mut b, "second");
    assert_eq!((a, b), ([1, 2], [3, 4, 5, 0]), "a short plan is filled up");
    let records = run.input_records();
    assert_eq!(records.len(), 2);
    assert_eq!((records[1].size, records[1].first_byte, records[1].name_len), (4, 2, 6));
    assert_eq!(run.records::<u8>(AreaKind::InputBytes, 6), [1, 2, 3, 4, 5, 0]);
    assert_eq!(run.records::<u8>(AreaKind::Names, 11), b"firstsecond");
}

#[test]
fn what_is_not_planned_comes_from_the_seed() {
    let _run = Run::with(Limits { fill_seed: 42, ..limits() }, AREAS, &[vec![7]]);
    let mut bytes = [0u8; 16];
    input(&mut bytes, "x");
    assert_eq!(bytes[0], 7);
    assert!((1..16).all(|k| bytes[k] == fill(42, 0, k as u32)));
}

#[test]
fn the_first_read_decides_the_width() {
    let run = Run::new(&[(0..16).collect()]);
    let mut memory = [0u8; 16];
    input(&mut memory, "x");
    let word = load(&memory[4..8]);
    assert_eq!((run.node(word).op(), run.node(word).width, run.node(word).b), (Some(Op::Input), 32, 4));
    // A byte of the part that was read is an extraction; a byte of the rest is a variable of its own.
    let part = run.node(load(&memory[5..6]));
    assert_eq!((part.op(), part.a, part.b), (Some(Op::Extract), word, 8));
    let alone = run.node(load(&memory[9..10]));
    assert_eq!((alone.op(), alone.width, alone.b), (Some(Op::Input), 8, 9));
    // A read across both: variables of 4 (old), 1 (new), 1 (old), 2 (new) bytes.
    let across = load(&memory[4..12]);
    let others: Vec<u8> = (100..116).collect();
    assert_eq!(run.evaluate(across, &[others]), 0x6f6e_6d6c_6b6a_6968);
    let inputs = (1..=run.n_nodes()).filter(|id| run.node(*id).op() == Some(Op::Input));
    let widths: Vec<u16> = inputs.map(|id| run.node(id).width).collect();
    assert_eq!(widths, [32, 8, 8, 16]);
}

#[test]
fn neighbouring_inputs_are_different_variables() {
    let run = Run::new(&[vec![1, 2], vec![3, 4]]);
    let mut memory = [0u8; 4];
    let (a, b) = memory.split_at_mut(2);
    input(a, "a");
    input(b, "b");
    let node = run.node(load(&memory));
    assert_eq!(node.op(), Some(Op::Concat));
    assert_eq!((run.node(node.a).a, run.node(node.b).a), (1, 0));
}

#[test]
fn copies_of_unread_bytes_find_the_same_variable() {
    let run = Run::new(&[vec![1, 2, 3, 4]]);
    let (mut memory, mut copy) = ([0u8; 4], [0u8; 4]);
    input(&mut memory, "x");
    copy.copy_from_slice(&memory);
    // SAFETY: an entry point without requirements.
    unsafe { calls::copy(copy.as_ptr() as u64, memory.as_ptr() as u64, 4) };
    // SAFETY: a cell of the buffer.
    assert_ne!(unsafe { *shadow::cell(copy.as_ptr() as u64) } & CELL_UNREAD, 0);
    let x = load(&copy);
    assert_eq!(load(&memory), x);
    assert_eq!(run.n_nodes(), 1);
}

#[test]
fn odd_lengths_are_read_in_powers_of_two() {
    let run = Run::new(&[vec![1; 7]]);
    let mut memory = [0u8; 7];
    input(&mut memory, "x");
    load(&memory);
    let widths: Vec<u16> = (1..=3).map(|id| run.node(id).width).collect();
    assert_eq!(widths, [32, 16, 8]);
}

#[test]
fn a_choice_is_a_decision() {
    let run = Run::new(&[vec![12, 0, 0, 0]]);
    // SAFETY: a C string.
    let chosen = unsafe { calls::choice(5, c"which".as_ptr()) };
    assert_eq!(chosen, 2);
    let record = run.input_records()[0];
    assert_eq!((record.kind, record.choices, record.size), (InputKind::Choice as u32, 5, 4));
    assert_eq!(run.records::<u8>(AreaKind::InputBytes, 4), [2, 0, 0, 0], "as it was taken");
    let event = run.events()[0];
    assert_eq!((event.kind, event.side_index, event.aux), (EventKind::Choice as u8, 2, 5));
    assert_eq!((run.node(event.node).op(), event.n_inputs), (Some(Op::Input), 1));
}

#[test]
fn inputs_that_find_no_room_are_concrete_and_counted() {
    let mut areas = AREAS;
    areas[AreaKind::InputBytes as usize] = 8;
    let run = Run::with(limits(), areas, &[vec![1; 8], vec![2; 8]]);
    let (mut a, mut b) = ([0u8; 8], [0u8; 8]);
    input(&mut a, "a");
    input(&mut b, "b");
    assert_eq!((a, b), ([1; 8], [2; 8]));
    assert_ne!(load(&a), 0);
    assert_eq!(load(&b), 0);
    assert_eq!(run.input_records().len(), 1);
    assert_eq!(run.noted(NoteKind::InputCap), 1);
}

#[test]
fn without_recording_inputs_are_as_planned_and_concrete() {
    let run = Run::with(Limits { flags: limits().flags & !FLAG_RECORD, ..limits() }, AREAS, &[vec![5]]);
    let mut memory = [0u8; 1];
    input(&mut memory, "x");
    assert_eq!((memory[0], load(&memory), run.input_records().len()), (5, 0, 1));
    // SAFETY: a C string.
    assert_eq!(unsafe { calls::choice(3, c"c".as_ptr()) }, 0);
    assert_eq!(run.events().len(), 0);
}
