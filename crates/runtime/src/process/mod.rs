//! The process that runs the unit: start-up, the zygote and its workers, reset between runs, signals,
//! sandbox, allocator. What the program means is `record`'s business.
//!
//! ```text
//!   engine ──starts──▶ zygote ──forks──▶ worker ──▶ run, reset, run, reset, …
//!                        │ never runs unit code        │ ends when a run changed kernel state, or died
//!                        ◀──────── waits ──────────────┘ then the zygote forks the next
//! ```
//! A program whose start-up takes longer than a fork is stopped at its first input, once: what the zygote is to others, that
//! process, the [`stem`], is to the workers that follow.
//!
//! A worker has three stacks: its own (`PROCESS_BASE`), the unit's (`layout::STACK_BASE`) and one for signal
//! handlers. A run begins by switching to the unit's stack and ends, wherever the unit is then, by
//! switching back ([`stop`]); nothing is unwound, because the reset makes everything as it was.

use core::sync::atomic::{AtomicPtr, Ordering};

use tine_trace::outcome::{ErrorKind, Outcome};
use tine_trace::plan::PLACE_FRAMES;
use tine_trace::segment::AreaKind;

use crate::segment::Segment;

mod batch;
mod clock;
pub mod context;
pub mod descriptors;
pub mod filter;
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
mod stem;
mod trap;
mod ubsan;
mod unwind;
mod worker;
mod zygote;

pub(crate) use frames::is_library;

/// A plan file, mapped; null when there is none.
static REPLAY: AtomicPtr<u8> = AtomicPtr::new(core::ptr::null_mut());

/// The thread gets its signal mask back, as if no handler had been entered.
pub fn allow_signals() {
    if state::running() && worker::is_worker() {
        signals::set_mask(state::get().mask.load(Ordering::Relaxed));
    }
}

/// Ends the current run at once with this outcome. Only while [`exploring`].
pub fn stop(outcome: Outcome) -> ! {
    worker::stop(outcome)
}

/// As [`stop`], with where the program is now.
pub fn stop_here(mut outcome: Outcome) -> ! {
    frames::fill_here(&mut outcome);
    worker::stop(outcome)
}

/// Position of the unit: the return addresses of the current calls, as offsets into the program's file.
pub fn place() -> [u64; PLACE_FRAMES] {
    frames::place()
}

/// The unit is about to ask for an input: what it did so far is the same in every run.
#[inline]
pub fn before_input() {
    stem::before_input();
}

/// True if an engine is there and a run is on.
#[inline]
pub fn exploring() -> bool {
    state::running()
}

/// True if the run has left nothing in the kernel that comes back to it: no handler, no timer, no thread.
pub fn is_alone() -> bool {
    // SAFETY: an installed segment is mapped.
    Segment::get().is_some_and(|segment| unsafe { (*segment.header()).results.dirty.load(Ordering::Relaxed) == 0 })
}

/// The input plan: the segment's plan area, a replay file's mapping, or none.
pub fn plan() -> Option<*const u8> {
    if let Some(segment) = Segment::get() {
        return Some(segment.area::<u8>(AreaKind::Plan).0);
    }
    let replay = REPLAY.load(Ordering::Relaxed);
    if replay.is_null() { None } else { Some(replay) }
}

/// Seed for input bytes that the plan leaves open (`tine_trace::plan::fill`).
pub fn fill_seed() -> u64 {
    // SAFETY: an installed segment is mapped.
    Segment::get().map_or(0, |segment| unsafe { (*segment.header()).limits.copy().fill_seed })
}

/// Inputs that a run may ask for; 0 if there is no limit.
pub fn max_inputs() -> u64 {
    // SAFETY: the segment stays mapped; its writer waits while a run is on.
    Segment::get().map_or(0, |segment| unsafe { (*segment.header()).limits.copy().max_inputs })
}

/// Without an engine: says on stderr that a check failed, as "tine: division by zero at a.c:7".
pub fn report_natively(kind: ErrorKind, message: &str, file: &str, line: u32) {
    native::report(kind, message, file, line);
}

/// Calls `each` with the address of every word of memory that was there before the run and has changed in it, except for stacks,
/// what belongs to this thread alone, and the streams that programs print to. False if that cannot be told.
pub fn for_each_change(each: &mut dyn FnMut(u64)) -> bool {
    /// Bytes of the C library's `FILE`, at least.
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
    let except = [(streams[0], streams[0] + STREAM), (streams[1], streams[1] + STREAM), own, stack];
    snapshot.for_each_change(&except, each)
}
