//! Memory that the program must not access: gaps between objects of the heap and the stack, freed objects, and
//! variables whose scope or function has ended.
//!
//! Its cells hold a value that no expression has. The guards of instrumented code test cells anyway, so only accesses
//! that touch such a cell, or a symbolic one, call this module.
//!
//! ```text
//!   heap    │ gap     │ object      │ slack   │ gap     │ freed object │
//!   cells   │ OUTSIDE │ 0 … 0       │ OUTSIDE │ OUTSIDE │ FREED        │
//! ```
//! A function that returns leaves its padded objects forbidden. The next variables in that part of the stack allow
//! their memory again, and so do functions for the arguments that lie in memory.

use core::ptr::with_exposed_provenance_mut;

use tine_trace::entry::Variable;
use tine_trace::event::{NoteKind, Site};
use tine_trace::layout::{
    CELL_FREED, CELL_LEFT, CELL_OUTSIDE, CELL_RETURNED, CELL_UNSET, Cell, GAP, gap_end, is_forbidden, is_guarded,
};
use tine_trace::outcome::{ErrorKind, Fault, Storage};

use super::failure;
use super::modules::modules;
use super::note;
use super::objects::is_input;
use super::places::{self, Place};
use super::shadow::{self, Dirty, cell};
use super::state::{self, Recorder, recorder_here};
use crate::process::heap::{Life, Object, object_of};
use crate::process::memory;

/// Maximum number of forbidden bytes of a freed object, so that freeing a large one stays cheap.
const MAX_FREED: u64 = 16 << 10;

/// The same limit for a variable whose scope or function has ended.
const MAX_LEFT: u64 = 256;

/// Maximum number of bytes of an object that are tracked as not written.
const MAX_UNSET: u64 = 64 << 10;

/// Kind of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    Read,
    Write,
}

/// Surrounds a new object of the heap with forbidden memory.
pub(crate) fn allocated(object: Object) {
    shadow::clear(object.address, object.size);
    forbid(object.start(), object.address - object.start(), CELL_OUTSIDE);
    let end = object.address + object.size;
    forbid(end, object.end() - end, CELL_OUTSIDE);
}

/// Forbids the memory of an object of the heap that was freed.
pub(crate) fn freed(object: Object) {
    forbid(object.address, object.size.min(MAX_FREED), CELL_FREED);
}

/// Forbids the gaps after global variables of new modules, before a run. They stay forbidden after the run.
pub(super) fn pad_globals(dirty: &mut Dirty) {
    for module in modules().skip(dirty.n_padded as usize) {
        dirty.n_padded += 1;
        // SAFETY: modules are loaded, and the instrumenter wrote address and length of the table.
        let padded = unsafe {
            let start = with_exposed_provenance_mut::<Variable>((*module).padded as usize);
            if start.is_null() { &[][..] } else { core::slice::from_raw_parts(start, (*module).n_padded as usize) }
        };
        for variable in padded {
            let end = variable.address + variable.len;
            if state::checks(ErrorKind::OutOfBoundsRead) {
                dirty.fill_for_good(end, CELL_OUTSIDE, gap_end(end) - end);
            }
        }
    }
}

/// True if the program must not access a byte.
pub(super) fn is_so(address: u64) -> bool {
    // SAFETY: the shadow covers every address.
    is_forbidden(unsafe { *cell(address) })
}

/// True if memory of an input has been freed.
pub(super) fn is_freed(address: u64) -> bool {
    // SAFETY: the shadow covers every address. A program that is not instrumented has none.
    recorder_here().is_some() && unsafe { *cell(address) == CELL_FREED }
}

/// Starts the life of a padded object on the stack.
pub(super) fn padded(address: u64, len: u64) {
    forbid_around(address, len, CELL_OUTSIDE);
    if recorder_here().is_some() {
        // All runs on a path must read the same bytes here.
        // SAFETY: memory of an object that has not been written yet.
        unsafe { memory::zero(address, len.min(MAX_UNSET)) };
    }
    unset(address, len);
}

/// Marks an object as not written.
pub(super) fn unset(address: u64, len: u64) {
    if let Some(recorder) = recorder_here().filter(|recorder| recorder.follows_unset) {
        recorder.dirty.fill(address, CELL_UNSET, len.min(MAX_UNSET));
        if len > MAX_UNSET {
            note(NoteKind::Unset, Site::NONE, 0);
        }
    }
}

/// Handles an address that was passed to uninstrumented code. It may have written the memory there, up to the end of
/// the object.
pub(super) fn written(address: u64) {
    if let Some(place) = places::find(address) {
        allow_where(place.base, place.len.min(MAX_UNSET), |cell| cell == CELL_UNSET);
    }
}

/// Ends the scope of a padded object.
pub(super) fn left(address: u64, len: u64) {
    if places::on_stack(address) {
        shadow::clear(address, len);
        forbid(address, len.min(MAX_LEFT), CELL_LEFT);
    }
}

/// Forbids a padded object when its function returns.
pub(super) fn returned(address: u64, len: u64) {
    if places::on_stack(address) {
        shadow::clear(address, len);
        forbid_around(address, len, CELL_RETURNED);
        forbid(address, len.min(MAX_LEFT), CELL_RETURNED);
    }
}

fn forbid_around(address: u64, len: u64, why: Cell) {
    if places::on_stack(address) {
        if let Some(recorder) = recorder_here() {
            let lowest = &mut recorder.dirty.lowest_on_stack;
            *lowest = (*lowest).min(address - GAP);
        }
        forbid(address - GAP, GAP, why);
        let end = address + len;
        forbid(end, gap_end(end) - end, why);
    }
}

/// Handles a copy by `realloc`: the information of its cells about memory is not valid for the new object.
pub(crate) fn moved(to: u64, from: u64, len: u64) {
    if let Some(recorder) = recorder_here() {
        recorder.dirty.copy(to, from, len);
        allow(to, len);
    }
}

/// Allows memory of the stack that is used again, or whose frames were left by `longjmp`.
pub(super) fn allow(address: u64, len: u64) {
    allow_where(address, len, is_guarded);
}

/// Allows a part of the stack of which some is used again.
pub(super) fn revive(address: u64, len: u64) {
    allow_where(address, len, |cell| matches!(cell, CELL_RETURNED | CELL_LEFT));
}

fn allow_where(address: u64, len: u64, is_meant: fn(Cell) -> bool) {
    for (address, len) in shadow::dirty_granules(address, len) {
        // SAFETY: the cells of one granule.
        let cells = unsafe { core::slice::from_raw_parts_mut(cell(address), len as usize) };
        cells.iter_mut().filter(|cell| is_meant(**cell)).for_each(|cell| *cell = 0);
    }
}

/// Handles a return of `setjmp` in the function whose stack ends at `here`: no frame of the program lies below.
pub(super) fn jumped(here: u64) {
    if let Some(recorder) = recorder_here().filter(|_| places::on_stack(here)) {
        let lowest = core::mem::replace(&mut recorder.dirty.lowest_on_stack, u64::MAX);
        allow(lowest, here.saturating_sub(lowest));
        if lowest < here {
            places::each_in_frames(lowest, here, |place| forbid(place.base, place.len.min(MAX_LEFT), CELL_RETURNED));
        }
    }
}

/// Forbids a range. Only the recording thread writes cells.
pub(super) fn forbid(address: u64, len: u64, why: Cell) {
    if let Some(recorder) = recorder_here().filter(|_| state::checks(error_of(why, Access::Read))) {
        recorder.dirty.fill(address, why, len);
    }
}

impl Recorder {
    /// Handles an access to a range. Ends the run if it is forbidden.
    #[inline]
    pub(super) fn touch(&mut self, address: u64, len: u64, access: Access) {
        for (start, part) in shadow::dirty_granules(address, len) {
            // SAFETY: the cells of one granule.
            let cells = unsafe { core::slice::from_raw_parts(cell(start), part as usize) };
            let Some(at) = cells.iter().position(|cell| is_guarded(*cell)) else { continue };
            self.touch_reserved(address, len, start + at as u64, access);
        }
    }

    /// [`Recorder::touch`] for the case that the byte at `at` is the first one with a reserved cell.
    #[cold]
    fn touch_reserved(&mut self, address: u64, len: u64, at: u64, access: Access) {
        let end = address + len;
        // If an address depends on inputs, its object is already decided, and other runs on this path access other
        // objects.
        if !self.is_pending(access) {
            self.reach(address, end);
        }
        // SAFETY: the shadow covers every address.
        let why = |at: u64| Some((at, unsafe { *cell(at) })).filter(|(_, cell)| is_forbidden(*cell));
        if let Some((at, why)) = (at..end).find_map(why) {
            refuse([address, len], at, why, access);
        }
    }
}

/// Checks `len` bytes before a function accesses them. Ends the run if it must not access the first `part` of them.
pub(super) fn look(address: u64, len: u64, part: u64, access: Access) {
    for (start, part) in shadow::dirty_granules(address, part) {
        // SAFETY: the cells of one granule.
        let cells = unsafe { core::slice::from_raw_parts(cell(start), part as usize) };
        if let Some(at) = cells.iter().position(|cell| is_forbidden(*cell)) {
            refuse([address, len], start + at as u64, cells[at], access);
        }
    }
}

/// Reports an access to forbidden memory as an error. `at` is the first such byte of the range.
#[cold]
fn refuse([address, len]: [u64; 2], at: u64, why: Cell, access: Access) -> ! {
    failure::found_here(error_of(why, access), fault(address, len, nearest(at, why), access))
}

/// The kind of error for an access to a forbidden cell.
fn error_of(why: Cell, access: Access) -> ErrorKind {
    match (why, access) {
        (CELL_FREED, _) => ErrorKind::UseAfterFree,
        (CELL_LEFT, _) => ErrorKind::UseAfterScope,
        (CELL_RETURNED, _) => ErrorKind::UseAfterReturn,
        (_, Access::Read) => ErrorKind::OutOfBoundsRead,
        (_, Access::Write) => ErrorKind::OutOfBoundsWrite,
    }
}

/// Description for the report of an access of `len` bytes in or beside an object.
pub(super) fn fault(address: u64, len: u64, object: Option<Place>, access: Access) -> Fault {
    let access = Fault { size: len, writes: u32::from(access == Access::Write), ..Fault::default() };
    let Some(place) = object else { return access };
    let storage = if places::on_heap(place.base) {
        Storage::Heap
    } else if places::on_stack(place.base) {
        Storage::Stack
    } else if is_input(place.base) {
        Storage::Input
    } else {
        Storage::Static
    };
    let heap = object_of(place.base);
    // A block whose size depends on inputs has the room of its size class. The program knows its size.
    let is_block = heap.is_some_and(|object| object.address == place.base && object.size == place.len);
    let size = recorder_here().filter(|_| is_block).and_then(|recorder| recorder.size_of(place));
    Fault {
        offset: address.wrapping_sub(place.base) as i64,
        len: size.map_or(place.len, |size| size.value as u64),
        storage: storage as u32,
        allocated: heap.map_or(0, |object| object.allocated),
        freed: heap.filter(|object| object.life == Life::Freed).map_or(0, |object| object.freed),
        ..access
    }
}

/// The object that a byte belongs to, or the nearest one.
fn nearest(at: u64, why: Cell) -> Option<Place> {
    const REACH: u64 = 512;
    if let Some(object) = object_of(at).filter(|object| at.wrapping_sub(object.address) < object.size) {
        return Some(Place { base: object.address, len: object.size });
    }
    if matches!(why, CELL_LEFT | CELL_RETURNED) {
        return places::in_frames(at);
    }
    (0..REACH).find_map(|distance| places::inside(at - distance).or_else(|| places::inside(at + distance)))
}
