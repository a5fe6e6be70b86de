//! The process that runs the unit: start-up, the zygote and its workers, reset between runs, signals, sandbox,
//! allocator. The meaning of the program is handled by `record`.
//!
//! ```text
//!   engine ──starts──▶ zygote ──forks──▶ worker ──▶ run, reset, run, reset, …
//!                        │ never runs unit code        │ ends when a run changed kernel state, or died
//!                        ◀──────── waits ──────────────┘ then the zygote forks the next
//! ```
//! If the start-up of a program takes longer than a fork, one process is stopped at its first input. This fork server
//! ([`fork_server`]) forks all following workers, instead of the zygote.
//!
//! A worker has three stacks: its own (`PROCESS_BASE`), the unit's (`layout::STACK_BASE`) and one for signal handlers.
//! A run begins by switching to the unit's stack. It ends by switching back ([`stop`]), at any point of the unit.
//! Nothing is unwound, because the reset restores everything.

use core::sync::atomic::{AtomicPtr, Ordering};

use tine_trace::event::NOTE_FRAMES;
use tine_trace::outcome::{ErrorKind, Outcome};
use tine_trace::plan::PLACE_FRAMES;
use tine_trace::segment::AreaKind;

use crate::segment::Segment;

mod batch;
mod clock;
pub mod context;
pub mod descriptors;
pub mod filter;
mod fork_server;
pub mod frames;
pub mod heap;
mod leaks;
pub mod memory;
mod native;
mod overlay;
mod policy;
mod sandbox;
mod signals;
mod snapshot;
mod stack;
pub mod start;
pub mod state;
mod status_flags;
mod trap;
mod ubsan;
mod unwind;
mod worker;
mod zygote;

pub(crate) use frames::is_library;

/// A mapped plan file; null if there is none.
static REPLAY: AtomicPtr<u8> = AtomicPtr::new(core::ptr::null_mut());

/// Restores the thread's signal mask, as if no handler had been entered.
pub fn allow_signals() {
    if state::running() && worker::is_worker() {
        signals::set_mask(state::get().mask.load(Ordering::Relaxed));
    }
}

/// Ends the current run immediately with this outcome. Only while [`exploring`].
pub fn stop(outcome: Outcome) -> ! {
    worker::stop(outcome)
}

/// As [`stop`], with the current position of the program.
pub fn stop_here(mut outcome: Outcome) -> ! {
    frames::fill_here(&mut outcome);
    worker::stop(outcome)
}

/// Position of the unit: the return addresses of the current calls, as offsets into the program's file.
pub fn place() -> [u64; PLACE_FRAMES] {
    frames::place()
}

/// As [`place`], for a note.
pub fn calls() -> [u64; NOTE_FRAMES] {
    frames::place()
}

/// Called before the unit requests an input. Until then all runs are equal.
#[inline]
pub fn before_input() {
    fork_server::before_input();
}

/// True if an engine is connected and a run is active.
#[inline]
pub fn exploring() -> bool {
    state::running()
}

/// True if the run has left nothing in the kernel that can interrupt it: no handler, no timer, no thread.
pub fn is_alone() -> bool {
    // SAFETY: an installed segment is mapped.
    Segment::get().is_some_and(|segment| unsafe { (*segment.header()).results.dirty.load(Ordering::Relaxed) == 0 })
}

/// The input plan: the segment's plan area, a mapped replay file, or none.
pub fn plan() -> Option<*const u8> {
    if let Some(segment) = Segment::get() {
        return Some(segment.area::<u8>(AreaKind::Plan).0);
    }
    let replay = REPLAY.load(Ordering::Relaxed);
    if replay.is_null() { None } else { Some(replay) }
}

/// Seed for input bytes that the plan does not contain (`tine_trace::plan::fill`).
pub fn fill_seed() -> u64 {
    // SAFETY: an installed segment is mapped.
    Segment::get().map_or(0, |segment| unsafe { (*segment.header()).limits.copy().fill_seed })
}

/// Maximum number of inputs of a run; 0 if there is no limit.
pub fn max_inputs() -> u64 {
    // SAFETY: the segment stays mapped; the engine does not write it during a run.
    Segment::get().map_or(0, |segment| unsafe { (*segment.header()).limits.copy().max_inputs })
}

/// Without an engine: prints on stderr that a check failed, as "tine: division by zero at a.c:7".
pub fn report_natively(kind: ErrorKind, message: &str, file: &str, line: u32) {
    native::report(kind, message, file, line);
}

/// Calls `each` with the address of every word of the environment that the run has changed: the list, its strings, and
/// the variable `environ`. Returns false if the changes are unknown.
pub fn for_each_change_of_environment(each: &mut dyn FnMut(u64)) -> bool {
    unsafe extern "C" {
        static environ: u64;
    }
    if !worker::is_worker() {
        return false;
    }
    let state = state::get();
    let variable = &raw const environ as u64;
    // SAFETY: the snapshot is written between runs only.
    let snapshot = unsafe { &*state.snapshot.get() };
    // The strings follow the list, up to the end of the first stack.
    snapshot.for_each_change_in(variable..variable + 8, each)
        && snapshot.for_each_change_from(state.envp.load(Ordering::Relaxed), each)
}

/// Calls `each` with the address of every word of memory that existed before the run and that the run has changed.
/// Stacks, data of this thread, and the streams that programs print to are excluded. Returns false if the changes are
/// unknown.
pub fn for_each_change(each: &mut dyn FnMut(u64)) -> bool {
    /// Minimum size of the C library's `FILE` in bytes.
    const STREAM: u64 = 224;
    unsafe extern "C" {
        static stdout: u64;
        static stderr: u64;
    }
    if !worker::is_worker() {
        return false;
    }
    let state = state::get();
    // SAFETY: the C library's variables; the snapshot is written between runs only.
    let (streams, snapshot) = unsafe { ([stdout, stderr], &*state.snapshot.get()) };
    let thread = context::thread_pointer();
    let own = snapshot.range_of(thread).unwrap_or((thread, thread));
    let stack = (state.first_stack.load(Ordering::Relaxed) & !15, u64::MAX);
    let events = crate::record::monitors::history();
    let except = [(streams[0], streams[0] + STREAM), (streams[1], streams[1] + STREAM), own, stack, events];
    snapshot.for_each_change(&except, each)
}
