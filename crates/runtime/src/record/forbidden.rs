//! Memory that the program must not access: gaps between objects of the heap and the stack, freed objects, and variables whose
//! scope or function has ended.
//!
//! Its cells hold a value that no expression has. The guards of instrumented code test cells anyway, so only accesses that
//! touch such a cell, or a symbolic one, get here.
//!
//! ```text
//!   heap    │ gap     │ object      │ slack   │ gap     │ freed object │
//!   cells   │ OUTSIDE │ 0 … 0       │ OUTSIDE │ OUTSIDE │ FREED        │
//! ```
//! A frame that returns leaves its padded objects forbidden. Whoever uses that part of the stack next as its own variable says so,
//! and so do functions for the arguments that lie in memory.

use core::ptr::with_exposed_provenance_mut;

use tine_trace::entry::Variable;
use tine_trace::layout::{
    CELL_FREED, CELL_LEFT, CELL_OUTSIDE, CELL_RETURNED, CELL_UNSET, Cell, GAP, gap_end, is_forbidden, is_guarded,
};
use tine_trace::outcome::{ErrorKind, Fault, Storage};

use super::failure;
use super::modules::modules;
use super::objects::is_input;
use super::places::{self, Place};
use super::shadow::{self, Dirty, cell};
use super::state::{self, Recorder, recorder_here};
use crate::process::heap::{Life, Object, object_of};
use crate::process::memory;

/// Bytes of a freed object that are forbidden, at most: so that freeing a large one stays cheap.
const MAX_FREED: u64 = 16 << 10;

/// The same of a variable whose scope or function ended.
const MAX_LEFT: u64 = 256;

/// Bytes of an object that are followed from when they are not written yet.
const MAX_UNSET: u64 = 256;

/// Kind of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    Read,
    Write,
}

/// A new object of the heap, with forbidden memory around it.
pub(crate) fn allocated(object: Object) {
    shadow::clear(object.address, object.size);
    forbid(object.start(), object.address - object.start(), CELL_OUTSIDE);
    let end = object.address + object.size;
    forbid(end, object.end() - end, CELL_OUTSIDE);
}

/// An object of the heap was freed.
pub(crate) fn freed(object: Object) {
    forbid(object.address, object.size.min(MAX_FREED), CELL_FREED);
}

/// Before a run: forbids the gaps behind global variables, of modules that are new. They stay forbidden when a run ends.
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

/// True if memory of an input was freed.
pub(super) fn is_freed(address: u64) -> bool {
    // SAFETY: the shadow covers every address. A program that is not instrumented has none.
    recorder_here().is_some() && unsafe { *cell(address) == CELL_FREED }
}

/// A padded object on the stack comes to life.
pub(super) fn padded(address: u64, len: u64) {
    forbid_around(address, len, CELL_OUTSIDE);
    if recorder_here().is_some() {
        // So that all runs on a path read the same there.
        // SAFETY: memory of an object that was not written yet.
        unsafe { memory::zero(address, len.min(MAX_UNSET)) };
    }
    unset(address, len);
}

/// Nothing has written the object yet.
pub(super) fn unset(address: u64, len: u64) {
    if let Some(recorder) = recorder_here().filter(|recorder| recorder.follows_unset) {
        recorder.dirty.fill(address, CELL_UNSET, len.min(MAX_UNSET));
    }
}

/// Code that is not followed was given an address: it may have written what lies there, up to the end of the object.
pub(super) fn written(address: u64) {
    if let Some(place) = places::find(address) {
        allow_where(place.base, place.len.min(MAX_UNSET), |cell| cell == CELL_UNSET);
    }
}

/// The scope of a padded object ends.
pub(super) fn left(address: u64, len: u64) {
    if places::on_stack(address) {
        shadow::clear(address, len);
        forbid(address, len.min(MAX_LEFT), CELL_LEFT);
    }
}

/// The function of a padded object returns.
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

/// `realloc` has copied an object: what its cells say about memory does not hold for the new one.
pub(crate) fn moved(to: u64, from: u64, len: u64) {
    if let Some(recorder) = recorder_here() {
        recorder.dirty.copy(to, from, len);
        allow(to, len);
    }
}

/// Memory of the stack that is live again, or whose frames were left by `longjmp`.
pub(super) fn allow(address: u64, len: u64) {
    allow_where(address, len, is_guarded);
}

/// Memory of the stack of which some is live again.
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

/// `setjmp` has returned: what lies below is no frame.
pub(super) fn jumped() {
    let here = core::hint::black_box(0u8);
    let here = &raw const here as u64;
    if let Some(recorder) = recorder_here().filter(|_| places::on_stack(here)) {
        let lowest = core::mem::replace(&mut recorder.dirty.lowest_on_stack, u64::MAX);
        allow(lowest, here.saturating_sub(lowest));
        if lowest < here {
            places::each_in_frames(lowest, here, |place| forbid(place.base, place.len.min(MAX_LEFT), CELL_RETURNED));
        }
    }
}

/// Only the thread that records writes cells.
pub(super) fn forbid(address: u64, len: u64, why: Cell) {
    if let Some(recorder) = recorder_here().filter(|_| state::checks(error_of(why, Access::Read))) {
        recorder.dirty.fill(address, why, len);
    }
}

impl Recorder {
    /// The program accesses a range. Ends the run if it must not.
    #[inline]
    pub(super) fn touch(&mut self, address: u64, len: u64, access: Access) {
        for (start, part) in shadow::dirty_granules(address, len) {
            // SAFETY: the cells of one granule.
            let cells = unsafe { core::slice::from_raw_parts(cell(start), part as usize) };
            let Some(at) = cells.iter().position(|cell| is_guarded(*cell)) else { continue };
            self.touch_reserved(address, len, start + at as u64, access);
        }
    }

    /// [`Recorder::touch`], where the first cell that is reserved is that of the byte at `at`.
    #[cold]
    fn touch_reserved(&mut self, address: u64, len: u64, at: u64, access: Access) {
        let end = address + len;
        // Where an address that depends on inputs leads is decided already, and other runs on this path go elsewhere.
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

/// A function is about to access `len` bytes. Ends the run if it must not access the first `part` of them.
pub(super) fn look(address: u64, len: u64, part: u64, access: Access) {
    for (start, part) in shadow::dirty_granules(address, part) {
        // SAFETY: the cells of one granule.
        let cells = unsafe { core::slice::from_raw_parts(cell(start), part as usize) };
        if let Some(at) = cells.iter().position(|cell| is_forbidden(*cell)) {
            refuse([address, len], start + at as u64, cells[at], access);
        }
    }
}

/// The program accessed memory that it must not: that is an error. `at` is the first such byte of the range.
#[cold]
fn refuse([address, len]: [u64; 2], at: u64, why: Cell, access: Access) -> ! {
    failure::found_here(error_of(why, access), fault(address, len, nearest(at, why), access))
}

/// The error that an access to a forbidden cell is.
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
    Fault {
        offset: address.wrapping_sub(place.base) as i64,
        len: place.len,
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
