//! Records of a run before its first input, while nothing was symbolic: notes and coverage. They are kept for the
//! processes that are forked later (`process::fork_server`), and restored when such a process runs.
//!
//! ```text
//!   Sizes │ notes … │ edges that were covered …
//! ```

use core::sync::atomic::Ordering;

use tine_trace::event::Note;
use tine_trace::segment::AreaKind;

use super::{modules, notes, state};
use crate::segment::Segment;

#[repr(C)]
struct Sizes {
    n_notes: u32,
    n_edges: u32,
}

/// Positions of notes and coverage in memory from `start` on.
fn places(start: u64, n_notes: u32) -> (*mut Note, *mut u32) {
    let notes = start + size_of::<Sizes>() as u64;
    (notes as *mut Note, (notes + u64::from(n_notes) * size_of::<Note>() as u64) as *mut u32)
}

/// Copies the records to `room` (address and length). Returns false if they do not fit.
///
/// # Safety
/// The room must be writable, aligned to words and not used otherwise.
pub unsafe fn save(segment: Segment, (start, len): (u64, u64)) -> bool {
    // Undefined values have expressions, which are not kept.
    if state::owned().arena.n != 0 {
        return false;
    }
    let (from_notes, capacity) = segment.area::<Note>(AreaKind::Notes);
    let (coverage, n_covered) = segment.area::<u8>(AreaKind::Coverage);
    let n_notes = notes::counted().0.min(capacity);
    let (to_notes, to_edges) = places(start, n_notes);
    let room = (start + len).saturating_sub(to_edges as u64) / size_of::<u32>() as u64;
    if (start + len) < to_edges as u64 {
        return false;
    }
    let mut n_edges = 0;
    // SAFETY: both areas are mapped; the writes stay in the room.
    unsafe {
        to_notes.copy_from_nonoverlapping(from_notes, n_notes as usize);
        for edge in 0..modules::n_edges().min(n_covered) {
            if *coverage.add(edge as usize) == 0 {
                continue;
            }
            if u64::from(n_edges) == room {
                return false;
            }
            to_edges.add(n_edges as usize).write(edge);
            n_edges += 1;
        }
        (start as *mut Sizes).write(Sizes { n_notes, n_edges });
    }
    true
}

/// Restores the copy made by [`save`]. The run has begun, with no notes yet.
///
/// # Safety
/// The room must hold the copy made by `save`, for the same segment.
pub(super) unsafe fn restore(segment: Segment, (start, _): (u64, u64)) {
    let (to_notes, _) = segment.area::<Note>(AreaKind::Notes);
    let (coverage, _) = segment.area::<u8>(AreaKind::Coverage);
    // SAFETY: the caller guarantees the room; notes and edges lie in their areas, as they did before.
    unsafe {
        let Sizes { n_notes, n_edges } = (start as *const Sizes).read();
        let (from_notes, from_edges) = places(start, n_notes);
        to_notes.copy_from_nonoverlapping(from_notes, n_notes as usize);
        notes::set(core::slice::from_raw_parts(from_notes, n_notes as usize));
        (*segment.header()).results.n_notes.store(n_notes, Ordering::Release);
        for k in 0..n_edges {
            *coverage.add(*from_edges.add(k as usize) as usize) = 1;
        }
    }
}
