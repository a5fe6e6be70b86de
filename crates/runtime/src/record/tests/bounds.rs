//! Bounds: each is noted once when reached, and nothing wrong is recorded after it.

use tine_trace::event::{ConcretiseReason, Note, NoteKind, Site};
use tine_trace::op::Op;
use tine_trace::segment::{AreaKind, Limits, N_AREAS};

use super::{Run, binary, input, limits, load, store};
use crate::record::{note, state};

const AREAS: [u64; N_AREAS] =
    [1 << 12, 1 << 12, 1 << 12, 1 << 12, 1 << 16, 1 << 14, 1 << 12, 1 << 10, 1 << 10, 1 << 12, 1 << 12, 0];

/// Takes branches on "x == k" for k below `n`; x is 200.
fn branches(run: &Run, n: u32) {
    let (x, value) = run.symbolic(8);
    for k in 0..n {
        let condition = binary(Op::Eq, 8, [x, 0], [value, k as u128, 0]);
        state::owned().branch(Site(k), condition, false);
    }
}

#[test]
fn past_the_depth_nothing_is_logged() {
    let run = Run::with(Limits { max_depth: 3, ..limits() }, AREAS, &[vec![200]]);
    branches(&run, 10);
    state::owned().concretise(1, Site(50), ConcretiseReason::Address);
    assert_eq!(run.events().len(), 3);
    let notes = run.notes();
    assert_eq!(notes.len(), 1);
    assert_eq!((notes[0].kind, notes[0].site, notes[0].count), (NoteKind::Depth as u8, 3, 1));
}

#[test]
fn concretising_takes_no_depth() {
    let run = Run::with(Limits { max_depth: 3, ..limits() }, AREAS, &[vec![1], vec![200]]);
    let (y, _) = run.symbolic(8);
    state::owned().concretise(y, Site(50), ConcretiseReason::Address);
    branches(&run, 3);
    assert_eq!((run.events().len(), run.noted(NoteKind::Depth)), (4, 0));
}

#[test]
fn a_full_log_is_closed() {
    for (max_events, area) in [(5, 1 << 14), (1000, 5 * 32)] {
        let mut areas = AREAS;
        areas[AreaKind::Events as usize] = area;
        let run = Run::with(Limits { max_events, ..limits() }, areas, &[vec![200]]);
        branches(&run, 10);
        assert_eq!((run.events().len(), run.noted(NoteKind::Depth)), (5, 1));
    }
}

#[test]
fn past_the_node_cap_the_run_is_concrete() {
    for (max_nodes, area) in [(10, 1 << 16), (1000, 11 * 32)] {
        let mut areas = AREAS;
        areas[AreaKind::Nodes as usize] = area;
        let run = Run::with(Limits { max_nodes, ..limits() }, areas, &[vec![200]]);
        let (x, value) = run.symbolic(8);
        let mut node = x;
        let mut sum = value;
        let mut made = 0;
        for k in 1..100u128 {
            let next = (sum + k) & 0xff;
            node = binary(Op::Add, 8, [node, 0], [sum, k, next]);
            sum = next;
            if node == 0 {
                break;
            }
            made += 1;
        }
        assert_eq!((made, run.n_nodes(), run.noted(NoteKind::NodeCap)), (4, 10, 1));
        // Existing shadows still move. No node is made, not even one that would be simplified away.
        assert_eq!(binary(Op::Add, 8, [x, 0], [200, 0, 200]), 0);
        let mut memory = [0u8; 2];
        store(&mut memory[..1], x, value);
        assert_eq!(load(&memory[..1]), x);
        assert_eq!(load(&memory), 0);
        assert_eq!((run.n_nodes(), run.noted(NoteKind::NodeCap), run.noted(NoteKind::Stale)), (10, 1, 0));
    }
}

#[test]
fn unread_inputs_past_the_node_cap_are_concrete() {
    let run = Run::with(Limits { max_nodes: 1, ..limits() }, AREAS, &[vec![1; 8]]);
    let mut memory = [0u8; 8];
    input(&mut memory, "x");
    assert_ne!(load(&memory[..4]), 0);
    assert_eq!(load(&memory[4..]), 0);
    assert_eq!(load(&memory), 0);
    assert_ne!(load(&memory[..4]), 0);
    assert_eq!((run.noted(NoteKind::NodeCap), run.noted(NoteKind::Stale)), (1, 0));
}

#[test]
fn the_table_grows_with_the_nodes() {
    let mut areas = AREAS;
    areas[AreaKind::Nodes as usize] = 32 << 17;
    let mut run = Run::with(limits(), areas, &[vec![9, 0, 0, 0]]);
    for _ in 0..3 {
        let (x, _) = run.symbolic(32);
        let ids: Vec<u32> = (1..50_000).map(|k| binary(Op::Add, 32, [x, 0], [9, k, 9 + k])).collect();
        assert!(ids.iter().all(|id| *id != 0));
        let n = run.n_nodes();
        assert_eq!(n, 1 + 2 * 49_999);
        for (id, k) in ids.iter().zip(1..) {
            assert_eq!(binary(Op::Add, 32, [x, 0], [9, k, 9 + k]), *id);
        }
        assert_eq!(run.n_nodes(), n);
        run.again(&[vec![9, 0, 0, 0]]);
    }
}

#[test]
fn notes_without_room_are_counted_elsewhere() {
    let mut areas = AREAS;
    areas[AreaKind::Notes as usize] = 3 * size_of::<Note>() as u64;
    let run = Run::with(limits(), areas, &[]);
    for site in 0..10 {
        note(NoteKind::ExternCall, Site(site), 0);
    }
    note(NoteKind::Refused, Site::NONE, 62);
    assert_eq!(run.notes().len(), 3);
    assert_eq!(run.noted(NoteKind::Refused), 1);
    assert!(run.noted(NoteKind::ExternCall) >= 7);
}

#[test]
fn generations_begin_anew() {
    let mut run = Run::with(limits(), AREAS, &[vec![9]]);
    state::owned().arena.age();
    for _ in 0..5 {
        run.again(&[vec![9]]);
        let (x, _) = run.symbolic(8);
        let sum = binary(Op::Add, 8, [x, 0], [9, 1, 10]);
        assert_eq!((x, sum, binary(Op::Add, 8, [x, 0], [9, 1, 10])), (1, 3, 3));
    }
}

#[test]
fn the_counters_count_slots() {
    let run = Run::with(limits(), AREAS, &[vec![9]]);
    let (x, _) = run.symbolic(8);
    crate::record::end();
    assert_eq!(run.results().n_nodes.load(std::sync::atomic::Ordering::Acquire), x + 1, "slot 0 is one of them");
}
