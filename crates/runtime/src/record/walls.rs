//! Lengths of input objects in a native run: each object ends where memory begins that cannot be touched, so that the machine
//! finds what the check of an explored run found.

use core::cell::UnsafeCell;

use super::objects::object_at;
use super::plan::Plan;
use crate::{process, sys};

/// Pointers whose length the driver told, at most.
const MAX: usize = 32;
const PAGE: u64 = 4096;

/// A pointer with a length.
#[derive(Clone, Copy)]
struct Told {
    pointer: *mut u64,
    /// Its target before anything was moved, and the size of that.
    address: u64,
    len: u64,
}

struct Table(UnsafeCell<([Told; MAX], usize)>);

// SAFETY: only the driver, before it calls the function, comes here: one thread.
unsafe impl Sync for Table {}

static TOLD: Table = Table(UnsafeCell::new(([Told { pointer: core::ptr::null_mut(), address: 0, len: 0 }; MAX], 0)));

/// Moves the object that `pointer` leads to, so that a wall is behind its last byte. If other pointers with a length lead to
/// it, they go along, and it is long enough for all.
///
/// # Safety
/// `pointer` must be a variable of the driver's, which calls this before anything else.
pub(super) unsafe fn put(plan: Plan, pointer: *mut u64, len: u64) {
    // SAFETY: one thread, see above.
    let (told, n) = unsafe { &mut *TOLD.0.get() };
    // SAFETY: the caller vouches for the pointer.
    let address = unsafe { *pointer };
    let Some((object, offset)) = object_at(plan, address) else { return };
    if *n == MAX || len.saturating_add(offset) > u64::from(object.extent) {
        return;
    }
    told[*n] = Told { pointer, address, len };
    *n += 1;
    let start = address.wrapping_sub(offset);
    let is_here = |told: &&Told| told.address.wrapping_sub(start) < u64::from(object.extent).max(1);
    let here = || told[..*n].iter().filter(is_here);
    let first = here().map(|told| told.address).min().unwrap_or(address);
    let end = here().map(|told| told.address + told.len).max().unwrap_or(address);
    let room = (end - first).next_multiple_of(PAGE);
    let (write, private) = (sys::PROT_READ | sys::PROT_WRITE, sys::MAP_PRIVATE | sys::MAP_ANONYMOUS);
    // SAFETY: new memory at an address of the kernel's choice; the object is where it was laid out, and the pointers are the
    // driver's.
    unsafe {
        let Ok(base) = sys::mmap(0, room + PAGE, write, private, -1, 0) else { return };
        let wall = base as u64 + room;
        let protect = [wall as usize, PAGE as usize, sys::PROT_NONE as usize, 0, 0, 0];
        if sys::call(sys::nr::MPROTECT, protect).is_ok() {
            process::memory::copy(wall - (end - first), first, end - first);
            here().for_each(|told| told.pointer.write(wall - (end - told.address)));
        }
    }
}
