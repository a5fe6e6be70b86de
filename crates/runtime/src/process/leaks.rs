//! Memory leaks: live objects of the heap that no pointer points to when a run ends.
//!
//! As in a conservative garbage collector, every aligned word that is an address in an object counts as a pointer.
//! Roots are the variables of all modules and of the thread, the stack from the call that ends the run upwards, objects
//! of inputs, and mappings. Nothing is reported if other threads or signal handlers may hold a pointer.

use tine_trace::event::{NoteKind, Site};
use tine_trace::outcome::ErrorKind;

use super::heap::HEAP;
use super::{is_alone, stack, state};
use crate::record;

/// Reports leaks before the program ends normally. `sp` is its stack pointer, or the one where its stack was left.
pub(super) fn report(sp: u64) {
    if !record::checks(ErrorKind::Leak) || !is_alone() {
        return;
    }
    let roots = |each: &mut dyn FnMut(u64)| {
        let mut range = |start: u64, end: u64| {
            for at in (start.next_multiple_of(8)..end & !7).step_by(8) {
                // SAFETY: the range is mapped: the stack above its pointer, an object or a mapping of the run.
                each(unsafe { *(at as *const u64) });
            }
        };
        let Some(end) = stack::end_above(sp) else { return false };
        range(sp, end);
        record::for_each_root(&mut range);
        // SAFETY: the snapshot is written between runs only.
        unsafe { &*state::get().snapshot.get() }.for_each_word(each)
    };
    HEAP.for_each_lost(roots, |object| {
        if let Some(site) = object.allocated.checked_sub(1) {
            record::note(NoteKind::Error, Site(site), ErrorKind::Leak as u32);
        }
    });
}
