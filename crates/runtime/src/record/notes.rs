//! Notes: facts with counts, one entry for each kind, site and detail, in the segment's Notes area.
//!
//! Signal handlers and other threads write notes, too. Entries are claimed atomically. The worst effect of a race is
//! that the same fact is counted in two entries.

use core::ptr::with_exposed_provenance_mut;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use tine_trace::event::{Note, NoteKind, Site};
use tine_trace::outcome::Refused;
use tine_trace::segment::{AreaKind, Header};

use super::state::{self, NOTE_INDEX};
use crate::process;
use crate::segment::Segment;

const INDEX_LEN: usize = 1 << 12;
/// Maximum number of slots probed before a fact is counted elsewhere.
const MAX_PROBES: usize = 16;

/// Index of notes: entry = run << 32 | (index of the note + 1).
struct Index {
    run: AtomicU32,
    /// Number of notes of the run, and bits of their kinds. The engine gets copies, because the unit may have
    /// overwritten those in the segment.
    n: AtomicU32,
    kinds: AtomicU32,
    slots: [AtomicU64; INDEX_LEN],
}

fn index() -> &'static Index {
    // SAFETY: mapped by `init`, which callers guarantee; all of it is atomic, and zeros are valid.
    unsafe { &*with_exposed_provenance_mut::<Index>(NOTE_INDEX as usize) }
}

/// Forgets the notes of the last run.
pub(super) fn begin() {
    index().run.fetch_add(1, Ordering::Relaxed);
    set(&[]);
}

/// Takes these notes, which are in the segment, as the notes of the run so far.
pub(super) fn set(notes: &[Note]) {
    index().n.store(notes.len() as u32, Ordering::Relaxed);
    index().kinds.store(notes.iter().fold(0, |kinds, note| kinds | bit(note.kind)), Ordering::Relaxed);
}

/// Number of notes, and bits of their kinds.
pub(super) fn counted() -> (u32, u32) {
    // The order matters: a kind is added after its note.
    let kinds = index().kinds.load(Ordering::Acquire);
    (index().n.load(Ordering::Acquire), kinds)
}

fn bit(kind: u8) -> u32 {
    1u32.checked_shl(kind.into()).unwrap_or(0)
}

/// Counts a fact of the run. Does nothing outside of a run. Async-signal-safe.
pub fn note(kind: NoteKind, site: Site, detail: u32) {
    add(kind, site, detail, Refused::default());
}

/// As [`note`] without a place, unless the run has noted the kind already, possibly with a place.
pub(super) fn once(kind: NoteKind) {
    if index().kinds.load(Ordering::Relaxed) & bit(kind as u8) == 0 {
        note(kind, Site::NONE, 0);
    }
}

/// Counts an error of the program. The first one of a run at this site is noted with the current calls.
pub(super) fn error(site: Site, detail: u32, refused: Refused) {
    add(NoteKind::Error, site, detail, refused);
}

fn add(kind: NoteKind, site: Site, detail: u32, refused: Refused) {
    if kind == NoteKind::Error && super::memory_was_refused() {
        return;
    }
    let Some(segment) = state::gate().and_then(|gate| Segment::of(gate.segment())) else { return };
    let (notes, room) = segment.area::<Note>(AreaKind::Notes);
    let run = index().run.load(Ordering::Relaxed) as u64;
    let mut hash = site.0.wrapping_mul(0x9e37_79b1) ^ detail.wrapping_mul(0x85eb_ca6b) ^ (kind as u32) << 20;
    hash ^= hash >> 15;
    for probe in 0..MAX_PROBES {
        let slot = &index().slots[(hash as usize + probe) % INDEX_LEN];
        let entry = slot.load(Ordering::Acquire);
        if entry >> 32 != run {
            let mut note = Note { kind: kind as u8, site: site.0, detail, count: 1, refused, ..Note::default() };
            if kind == NoteKind::Error {
                note.frames = process::calls().map(|frame| frame as u32);
            }
            let Some(at) = append(segment.header(), notes, room, note) else { break };
            slot.store(run << 32 | (at + 1) as u64, Ordering::Release);
            return;
        }
        let at = entry as u32 - 1;
        if at >= room {
            break;
        }
        // SAFETY: within the area.
        let known = unsafe { &*notes.add(at as usize) };
        if known.kind == kind as u8 && known.site == site.0 && known.detail == detail {
            count(notes, at);
            return;
        }
    }
    count_elsewhere(notes, room, kind);
}

fn append(header: *mut Header, notes: *mut Note, room: u32, note: Note) -> Option<u32> {
    let claim = |n: u32| if n < room { Some(n + 1) } else { None };
    let at = index().n.fetch_update(Ordering::AcqRel, Ordering::Relaxed, claim).ok()?;
    // SAFETY: there is room.
    unsafe { notes.add(at as usize).write(note) };
    index().kinds.fetch_or(bit(note.kind), Ordering::Release);
    // SAFETY: the segment's header; the counter is atomic.
    unsafe { &(*header).results.n_notes }.fetch_max(at + 1, Ordering::Release);
    Some(at)
}

fn count(notes: *mut Note, at: u32) {
    // SAFETY: an entry that was written; the count is read by the engine after the run only.
    let count = unsafe { AtomicU32::from_ptr(&raw mut (*notes.add(at as usize)).count) };
    if count.load(Ordering::Relaxed) != u32::MAX {
        count.fetch_add(1, Ordering::Relaxed);
    }
}

/// Counts a fact that has no room for its own entry: at another site of the same kind, otherwise in the last entry.
/// That entry changes its kind, so that every kind is mentioned.
fn count_elsewhere(notes: *mut Note, room: u32, kind: NoteKind) {
    let n = index().n.load(Ordering::Relaxed).min(room);
    for at in 0..n {
        // SAFETY: entries below `n` are written.
        if unsafe { (*notes.add(at as usize)).kind } == kind as u8 {
            return count(notes, at);
        }
    }
    if n > 0 {
        let last = Note { kind: kind as u8, site: Site::NONE.0, count: 1, ..Note::default() };
        // SAFETY: entries below `n` are in the area.
        unsafe { notes.add(n as usize - 1).write(last) };
        // The entry's previous kind may be gone: count the kinds again.
        // SAFETY: entries below `n` are written.
        set(unsafe { core::slice::from_raw_parts(notes, n as usize) });
    }
}
