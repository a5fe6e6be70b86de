//! Symbolic execution, alongside the native one.
//!
//! Instrumented code calls [`entry`]. [`calls`] gets the recording thread's state ([`state`]) and delegates: to
//! expressions (`expression`, `composite`, built by `term` in the `arena`), to memory (`memory` defines the meaning of
//! cells, `shadow` stores them), to the path (`path`), to inputs (`input`), to errors (`failure`). `objects` are the
//! targets of input pointers. Addresses that depend on inputs go to `access`, which finds the object (`places`,
//! `values`, `bounds`) and reads and writes it as an array (`arrays`). `foreign` is the memory that uninstrumented code
//! can read, `kernel` the changes made by system calls. `sizes` are lengths that depend on inputs, `undefined` values
//! that the program has not written, and `graph` is the state between two calls. [`passing`] transfers shadows with
//! calls. `notes` count facts that are not constraints. `monitors` follows specifications.
//!
//! This part does not depend on processes. `process` calls [`init`], then [`begin`], [`end`] and [`reset`] around each
//! run. With a fork server, it calls [`save`] and [`resume`] in the middle of the run.

use core::sync::atomic::Ordering;

use tine_trace::event::Event;
use tine_trace::node::Node;
use tine_trace::seal;
use tine_trace::segment::{AreaKind, FLAG_RECORD, FLAG_STATES};

use crate::segment::Segment;

pub mod calls;
pub mod entry;
pub mod modules;
pub mod passing;
pub mod state;

mod access;
mod arena;
mod arrays;
mod beginning;
mod bounds;
mod comparison;
mod composite;
mod contracts;
mod expression;
mod failure;
pub(crate) mod forbidden;
mod foreign;
mod format;
mod graph;
mod input;
mod kernel;
mod layout;
mod memory;
mod message;
pub mod monitors;
mod notes;
pub(crate) mod objects;
mod observed;
mod path;
mod places;
mod plan;
mod shadow;
mod sizes;
mod term;
mod turns;
mod undefined;
mod value;
mod values;
pub(crate) mod versions;
mod walls;

#[cfg(test)]
mod tests;

pub use beginning::save;
pub use kernel::{changed_unseen, for_each_root, memory_was_refused, performed, refuse_memory};
pub use modules::{attach_modules, map_of, modules};
pub use notes::note;
pub(crate) use passing::user_site;
pub(crate) use state::checks;

/// Reserves the shadow and the recorder's own memory, once per process. Instrumented code cannot run without them.
/// Every module's constructor calls it, too.
pub fn init() {
    state::init();
}

/// Initialises a worker after the fork. The zygote's records are discarded already: see `state`.
pub fn init_worker() {
    state::init();
}

/// Starts a run on this thread. From here on it is recorded, if the limits require it.
pub fn begin(segment: Segment) {
    state::init();
    reset(); // no cost if it was done
    notes::begin();
    versions::begin();
    // SAFETY: this thread's own passing area, which is not used between runs; zeros are valid.
    unsafe { passing::passing().write_bytes(0, 1) };
    state::owned().foreign.begin();
    state::owned().kernel.begin();
    select_checks(segment);
    forbidden::pad_globals(&mut state::owned().dirty);
    start(segment);
}

/// Selects the checks in the limits of the next run.
fn select_checks(segment: Segment) {
    if let Some(gate) = state::gate() {
        // SAFETY: the header is mapped, and the engine does not touch the limits during a run.
        gate.select(unsafe { (*segment.header()).limits.copy() }.unchecked);
    }
}

/// Continues a run that was forked right before its first input ([`keep_on_fork`]), with the current limits and the
/// copy that [`save`] left in `kept`.
///
/// # Safety
/// As for [`save`], which must have been called before the fork.
pub unsafe fn resume(segment: Segment, kept: (u64, u64)) {
    start(segment);
    // SAFETY: the caller guarantees it.
    unsafe { beginning::restore(segment, kept) };
}

/// Selects if processes that are forked from now on keep the recorder's state or start with an empty one.
pub fn keep_on_fork(keep: bool) {
    state::keep_on_fork(keep);
}

/// Starts recording with empty records, if the limits require it.
fn start(segment: Segment) {
    let Some(gate) = state::gate() else { return };
    let header = segment.header();
    // SAFETY: the header is mapped, and the engine does not touch the limits during a run.
    let limits = unsafe { (*header).limits.copy() };
    let recorder = state::owned();
    let (nodes, slots) = segment.area::<Node>(AreaKind::Nodes);
    recorder.arena.begin(nodes, slots, limits.max_nodes);
    recorder.path.begin(header, segment.area::<Event>(AreaKind::Events), limits.max_events, limits.max_depth);
    recorder.inputs.begin(segment);
    recorder.objects.begin();
    recorder.arrays.begin(segment);
    recorder.pending.end();
    recorder.sizes.begin();
    recorder.follows_unset = true;
    recorder.dirty.lowest_on_stack = u64::MAX;
    recorder.graph.begin(segment, limits.flags & FLAG_STATES != 0);
    // SAFETY: as above; the counters are atomic.
    let results = unsafe { &(*header).results };
    for counter in [
        &results.n_nodes,
        &results.n_events,
        &results.n_inputs,
        &results.n_requests,
        &results.n_notes,
        &results.n_input_bytes,
        &results.n_name_bytes,
        &results.n_states,
        &results.n_image_bytes,
        &results.note_kinds,
    ] {
        counter.store(0, Ordering::Relaxed);
    }
    results.seal.store(0, Ordering::Relaxed);
    gate.open(header, limits.flags & FLAG_RECORD != 0);
}

/// Ends the run: stops recording and publishes the counters. Async-signal-safe.
pub fn end() {
    let Some(gate) = state::gate() else { return };
    let header = gate.segment();
    if header.is_null() {
        return;
    }
    let recorder = state::owned();
    recorder.note_written();
    recorder.note_shared();
    // SAFETY: the header is mapped during a run; the counters are atomic.
    let results = unsafe { &(*header).results };
    results.n_nodes.store(recorder.arena.slots(), Ordering::Relaxed);
    recorder.inputs.publish(header);
    results.n_events.store(recorder.path.n(), Ordering::Release);
    let (n_states, of_states) = recorder.graph.seal();
    let (n_notes, note_kinds) = notes::counted();
    results.n_states.store(n_states, Ordering::Relaxed);
    results.n_image_bytes.store(recorder.arrays.n_image_bytes(), Ordering::Relaxed);
    results.n_notes.store(n_notes, Ordering::Relaxed);
    results.note_kinds.store(note_kinds, Ordering::Relaxed);
    // If another thread continues recording meanwhile, the counters are inconsistent.
    if gate.records_here() {
        let seals = [recorder.arena.seal(), recorder.path.seal(), recorder.inputs.seal(), of_states];
        let sum = seals.into_iter().fold(seal::of_note_kinds(note_kinds), u64::wrapping_add);
        results.seal.store(seal::stored(sum), Ordering::Release);
    }
    gate.close();
}

/// Resets the shadow and the inputs' table for the next run in this process.
pub fn reset() {
    if state::gate().is_some() {
        let recorder = state::owned();
        recorder.dirty.reset();
        recorder.inputs.reset();
    }
}
