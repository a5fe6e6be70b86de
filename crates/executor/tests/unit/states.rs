//! States that a run records: the same for the same shape of the heap, whatever the addresses of its objects.

use tine_executor::unit::{Unit, UnitOptions};
use tine_trace::layout::CELL_UNREAD;
use tine_trace::segment::FLAG_STATES;
use tine_trace::state::StateRecord;

use crate::support::{build, limits, plan, start};

fn state(unit: &mut Unit, k: i32) -> Vec<StateRecord> {
    let mut limits = limits();
    limits.flags |= FLAG_STATES;
    unit.run(&plan(k), &limits).expect("a run");
    unit.segment().states().to_vec()
}

#[test]
fn isomorphic_heaps_are_equal() {
    let mut unit = start(&build("states", &[]), &[], UnitOptions::default());
    let states: Vec<_> = (0..16).map(|k| state(&mut unit, k)).collect();
    for (k, state) in states.iter().enumerate() {
        let [end] = state.as_slice() else { panic!("scenario {k}: {state:?}") };
        assert!(end.is_end() && end.whole == 1 && end.len == 3, "scenario {k}: {end:?}");
    }
    // Scenario → the first one that it equals; the others differ from all before them.
    // Freed memory is zero when it is used again, so its old contents do not matter.
    let same = [(1, 0), (11, 10), (12, 10), (13, 10), (15, 10)];
    for k in 0..states.len() {
        let first = (0..k).find(|other| states[*other] == states[k]);
        assert_eq!(first, same.iter().find(|(other, _)| *other == k).map(|(_, first)| *first), "scenario {k}");
    }
    // A state does not depend on earlier runs.
    assert_eq!(state(&mut unit, 1), states[0]);
}

#[test]
fn nobody_is_told_who_does_not_ask() {
    let mut unit = start(&build("states", &[]), &[], UnitOptions::default());
    unit.run(&plan(0), &limits()).expect("a run");
    assert_eq!(unit.segment().states(), []);
}

/// Objects on the stack that a state points to are gone after the call.
#[test]
fn what_cannot_be_followed_is_no_state() {
    let mut unit = start(&build("states", &[]), &[], UnitOptions::default());
    assert_eq!(state(&mut unit, 17), []);
}

#[test]
fn inputs_are_pieces() {
    let mut unit = start(&build("states", &[]), &[], UnitOptions::default());
    let state = state(&mut unit, 16);
    let [piece, end] = state.as_slice() else { panic!("{state:?}") };
    // Byte 4 of the run's inputs: the first four bytes are the scenario.
    assert_eq!((piece.cell, piece.len, end.is_end()), (CELL_UNREAD | 4, 4, true));
}
