//! Threads, variadic arguments, modules.

use std::mem::offset_of;

use tine_trace::entry::{MAX_VA, Module, Passing, VA_STACK};
use tine_trace::event::NoteKind;
use tine_trace::op::Op;
use tine_trace::segment::AreaKind;
use tine_trace::segment::ModuleRecord;

use super::{Run, binary, input, load, store};
use crate::record::passing::{VA_END, passing};
use crate::record::{attach_modules, calls, modules};

#[test]
fn other_threads_do_not_record_but_clear() {
    let run = Run::new(&[vec![1; 8]]);
    let mut memory = [0u8; 8];
    input(&mut memory, "x");
    let x = load(&memory[..4]);
    let value = 0x0101_0101;
    std::thread::scope(|scope| {
        scope.spawn(|| {
            assert_eq!(binary(Op::Add, 32, [x, 0], [value, 1, value + 1]), 0);
            assert_eq!(load(&memory[..4]), 0);
            store(&mut memory[4..8], x, 5);
        });
    });
    assert_eq!(load(&memory[4..8]), 0);
    assert_eq!(load(&memory[..4]), x);
    assert_eq!(run.noted(NoteKind::Thread), 1);
}

#[test]
fn every_thread_passes_by_itself() {
    let mine = passing();
    assert_eq!(mine as usize % 64, 0);
    // SAFETY: this thread's own.
    unsafe { (*mine).results[1] = 7 };
    std::thread::spawn(move || {
        let theirs = passing();
        // SAFETY: that thread's own.
        assert_eq!(unsafe { (*theirs).results[1] }, 0);
    })
    .join()
    .expect("no panic");
    // SAFETY: this thread's own.
    assert_eq!(unsafe { (*mine).results[1] }, 7);
    assert_eq!(offset_of!(Passing, results), 8);
}

#[test]
fn variadic_arguments_get_their_shadows() {
    let run = Run::new(&[vec![1; 4], vec![2; 8], vec![3; 16]]);
    let (a, av) = run.symbolic(32);
    let (b, bv) = run.symbolic(64);
    let (c, cv) = run.symbolic(128);
    let mut registers = [0u8; 176];
    let mut stack = [0u8; 64];
    #[repr(C)]
    struct VaList {
        gp_offset: u32,
        fp_offset: u32,
        overflow: u64,
        registers: u64,
    }
    // A shadow left by an earlier call, and a variable of the caller.
    store(&mut registers[8..16], b, bv);
    store(&mut stack[0..8], b, bv);
    store(&mut stack[40..48], b, bv);
    let mut saved = [0u32; MAX_VA];
    saved[2] = a;
    saved[4] = c;
    saved[6 + 1] = b;
    saved[VA_STACK + 1] = c;
    saved[VA_STACK + 3] = a;
    registers[8..16].fill(0);
    registers[16..20].copy_from_slice(&av.to_le_bytes()[..4]);
    registers[32..48].copy_from_slice(&cv.to_le_bytes());
    registers[64..72].copy_from_slice(&bv.to_le_bytes()[..8]);
    stack[0..8].fill(0);
    stack[8..24].copy_from_slice(&cv.to_le_bytes());
    stack[24..28].copy_from_slice(&av.to_le_bytes()[..4]);
    let mut list =
        VaList { gp_offset: 16, fp_offset: 48, overflow: stack.as_ptr() as u64, registers: registers.as_ptr() as u64 };
    let mut start = |saved: &mut [u32; MAX_VA]| {
        // SAFETY: a list and its shadows.
        unsafe { calls::va_start((&raw mut list) as u64, saved.as_mut_ptr().cast()) };
    };
    start(&mut saved);
    assert_eq!(load(&registers[8..16]), 0);
    assert_eq!(load(&registers[16..20]), a);
    assert_eq!(load(&registers[32..48]), c, "in two registers");
    assert_eq!(load(&registers[64..72]), b);
    assert_eq!(load(&stack[0..8]), 0);
    assert_eq!(load(&stack[8..24]), c);
    assert_eq!(load(&stack[24..28]), a);
    assert_eq!(load(&stack[40..48]), b, "the caller's own");
    assert_eq!(run.noted(NoteKind::Stale), 0);
    // A call that marks the end of its arguments clears the cells up to there.
    let mut saved = [0u32; MAX_VA];
    saved[VA_STACK + 3] = VA_END;
    start(&mut saved);
    assert_eq!(load(&stack[8..24]), 0);
    assert_eq!(load(&stack[24..28]), a);
}

#[test]
fn modules_are_numbered_in_order_and_cover_in_the_segment() {
    let run = Run::new(&[]);
    let module = |n_sites, n_edges| {
        Box::leak(Box::new(Module {
            coverage: 0,
            site_base: 0,
            n_sites,
            edge_base: 0,
            n_edges,
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
        }))
    };
    let (a, b) = (module(10, 20), module(5, 7));
    let before = modules().count() as u32;
    // SAFETY: modules that live as long as the process.
    unsafe {
        calls::register((&raw mut *a).cast());
        calls::register((&raw mut *b).cast());
    }
    assert_eq!((b.site_base - a.site_base, b.edge_base - a.edge_base), (10, 20));
    assert_eq!(b.coverage - a.coverage, 20);
    let records: Vec<ModuleRecord> = run.records(AreaKind::Modules, before + 2);
    assert_eq!(records[before as usize + 1].n_edges, 7);
    a.coverage = 0;
    attach_modules(run.segment());
    assert_ne!(a.coverage, 0);
    assert_eq!(modules().count() as u32, before + 2);
}
