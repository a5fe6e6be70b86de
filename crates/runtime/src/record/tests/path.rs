//! Logged events, and events that are not logged again.

use tine_trace::entry::Module;
use tine_trace::event::{ConcretiseReason, EventKind, NoteKind, PREFIX_HASH_START, prefix_hash};
use tine_trace::op::Op;

use super::{Run, binary};
use crate::record::calls;

fn module() -> Module {
    Module {
        coverage: 0,
        site_base: 100,
        n_sites: 50,
        edge_base: 0,
        n_edges: 0,
        map: 0,
        map_len: 0,
        next: 0,
        variables: 0,
        n_variables: 0,
        objects: 0,
        n_objects: 0,
        exported: 0,
        n_exported: 0,
        functions: 0,
        n_functions: 0,
        padded: 0,
        n_padded: 0,
    }
}

pub(super) fn branch(site: u32, condition: u32, taken: bool) {
    let mut module = module();
    // SAFETY: a module.
    unsafe { calls::branch((&raw mut module).cast(), site, condition, taken as u32) };
}

pub(super) fn check(site: u32, condition: u32, taken: bool) {
    branch(site | calls::SITE_IS_CHECK, condition, taken);
}

/// (site, node, side) of each event.
fn log(run: &Run) -> Vec<(u32, u32, u16)> {
    run.events().iter().map(|event| (event.site, event.node, event.side_index)).collect()
}

/// A run with n one-bit conditions "byte k is 1"; `values` determines which hold.
fn conditions(values: &[u8]) -> (Run, Vec<u32>) {
    let run = Run::new(&values.iter().map(|value| vec![*value]).collect::<Vec<_>>());
    let nodes = values.iter().map(|_| {
        let (x, value) = run.symbolic(8);
        binary(Op::Eq, 8, [x, 0], [value, 1, (value == 1) as u128])
    });
    let nodes = nodes.collect();
    (run, nodes)
}

fn bit(op: Op, [a, b]: [u32; 2], [x, y]: [u128; 2]) -> u32 {
    let r = match op {
        Op::And => x & y,
        _ => x | y,
    };
    binary(op, 1, [a, b], [x, y, r])
}

fn not(a: u32, value: u128) -> u32 {
    binary(Op::Xor, 1, [a, 0], [value, 1, value ^ 1])
}

#[test]
fn a_branch_is_logged_with_its_place_in_the_run() {
    let (run, c) = conditions(&[1, 0]);
    branch(3, c[0], true);
    branch(4, c[1], false);
    assert_eq!(log(&run), [(103, c[0], 1), (104, c[1], 0)]);
    let events = run.events();
    let first = prefix_hash(PREFIX_HASH_START, EventKind::Branch as u8, 103, 1);
    assert_eq!(events[0].prefix_hash, first);
    assert_eq!(events[1].prefix_hash, prefix_hash(first, EventKind::Branch as u8, 104, 0));
    assert_eq!((events[1].n_nodes, events[1].n_inputs), (run.n_nodes() + 1, 2));
}

#[test]
fn what_was_asserted_is_not_logged_again() {
    let (run, c) = conditions(&[1, 0, 1]);
    branch(1, c[0], true);
    branch(2, c[0], true);
    branch(3, not(c[0], 1), false);
    assert_eq!(log(&run).len(), 1);
    // First through a negation.
    branch(4, not(c[1], 0), true);
    branch(5, c[1], false);
    assert_eq!(log(&run).len(), 2);
    // A condition that follows from both.
    branch(6, bit(Op::And, [c[0], c[1]], [1, 0]), false);
    branch(7, bit(Op::Or, [c[1], c[0]], [0, 1]), true);
    assert_eq!(log(&run).len(), 2);
    // A condition that does not follow.
    branch(8, bit(Op::And, [c[0], c[2]], [1, 1]), true);
    assert_eq!(log(&run).len(), 3);
    branch(9, c[2], true);
    assert_eq!(log(&run).len(), 3, "a part of a conjunction that held");
}

#[test]
fn a_check_is_logged_conjunct_by_conjunct() {
    let (run, c) = conditions(&[1, 1, 1]);
    let inner = bit(Op::And, [c[1], c[2]], [1, 1]);
    check(1, bit(Op::And, [c[0], inner], [1, 1]), true);
    assert_eq!(log(&run), [(101, c[0], 1), (101, c[1], 1), (101, c[2], 1)]);
}

#[test]
fn a_check_ends_at_the_conjunct_that_fails() {
    let (run, c) = conditions(&[1, 0, 1]);
    let inner = bit(Op::And, [c[1], c[2]], [0, 1]);
    check(1, bit(Op::And, [c[0], inner], [1, 0]), false);
    assert_eq!(log(&run), [(101, c[0], 1), (101, c[1], 0)]);
}

#[test]
fn a_check_of_a_negated_disjunction_is_one_of_negations() {
    let (run, c) = conditions(&[0, 0, 1]);
    let any = bit(Op::Or, [c[0], c[1]], [0, 0]);
    check(1, not(any, 0), true);
    assert_eq!(log(&run), [(101, not(c[0], 0), 1), (101, not(c[1], 0), 1)]);
    let any = bit(Op::Or, [c[2], c[1]], [1, 0]);
    check(2, not(any, 1), false);
    assert_eq!(log(&run)[2..], [(102, not(c[2], 1), 0)]);
}

#[test]
fn an_ordinary_branch_is_not_split() {
    let (run, c) = conditions(&[1, 1]);
    let both = bit(Op::And, [c[0], c[1]], [1, 1]);
    branch(1, both, true);
    assert_eq!(log(&run), [(101, both, 1)]);
}

#[test]
fn a_condition_that_the_machine_saw_otherwise_is_stale() {
    let (run, c) = conditions(&[1]);
    branch(1, c[0], false);
    assert_eq!((log(&run).len(), run.noted(NoteKind::Stale)), (0, 1));
}

#[test]
fn concretised_values_and_switches_are_logged_once() {
    let run = Run::new(&[vec![3], vec![4]]);
    let (x, y) = (run.symbolic(8).0, run.symbolic(8).0);
    let mut module = module();
    let module = (&raw mut module).cast();
    // SAFETY: a module.
    unsafe {
        calls::switch(module, 1, x, 2);
        calls::switch(module, 1, x, 2);
        calls::switch(module, 2, x, 1);
        calls::concretise(module, 3, y, ConcretiseReason::Address as u32);
        calls::concretise(module, 4, y, ConcretiseReason::Length as u32);
        calls::switch(module, 5, y, 1);
    }
    assert_eq!(log(&run), [(101, x, 2), (102, x, 1), (103, y, 0)]);
    assert_eq!(run.events()[2].aux, ConcretiseReason::Address as u32);
}

#[test]
fn what_equals_something_fixed_is_fixed() {
    let run = Run::new(&[vec![3], vec![3], vec![3]]);
    let [x, y, z] = [(); 3].map(|()| run.symbolic(8).0);
    let mut module = module();
    let module = (&raw mut module).cast();
    let equal = |a: u32, b: u32| binary(Op::Eq, 8, [a, b], [3, 3, 1]);
    branch(1, equal(y, z), true);
    // SAFETY: a module.
    unsafe { calls::concretise(module, 2, x, ConcretiseReason::Address as u32) };
    branch(3, equal(x, y), true);
    // SAFETY: as above.
    unsafe { calls::concretise(module, 4, y, ConcretiseReason::Address as u32) };
    assert_eq!(log(&run).len(), 3, "`y` is `x`, which is fixed");
    // SAFETY: as above.
    unsafe { calls::concretise(module, 5, z, ConcretiseReason::Address as u32) };
    assert_eq!(log(&run).len(), 4, "what was compared before is not");
}

#[test]
fn notes_are_counted_by_place() {
    let run = Run::new(&[vec![3]]);
    let (x, _) = run.symbolic(8);
    let mut module = module();
    for round in 0..100 {
        // SAFETY: a module.
        unsafe { calls::note((&raw mut module).cast(), round % 2, x, NoteKind::ExternCall as u32) };
    }
    let notes = run.notes();
    assert_eq!(notes.iter().map(|note| (note.site, note.count)).collect::<Vec<_>>(), [(100, 50), (101, 50)]);
}
