//! Lengths of input objects in a native run. Each object is moved so that it ends where inaccessible memory (a wall)
//! begins. So the machine detects the accesses that a check detects in an explored run.

use core::cell::UnsafeCell;

use super::objects::object_at;
use super::plan::Plan;
use crate::{process, sys};

/// Maximum number of pointers with a length given by the harness.
const MAX: usize = 32;
const PAGE: u64 = 4096;

/// A pointer with a length.
#[derive(Clone, Copy)]
struct Array {
    pointer: *mut u64,
    /// Original address of the target, and its original size.
    address: u64,
    len: u64,
}

/// True if an address lies in an object that was moved.
pub(super) fn is_moved(address: u64) -> bool {
    // SAFETY: the harness has filled the table before it calls the function.
    let (arrays, n) = unsafe { &*ARRAYS.0.get() };
    // SAFETY: pointers of the harness.
    arrays[..*n].iter().any(|array| address.wrapping_sub(unsafe { *array.pointer }) < array.len.max(1))
}

struct Table(UnsafeCell<([Array; MAX], usize)>);

// SAFETY: only the harness uses the table, in one thread, before it calls the function.
unsafe impl Sync for Table {}

static ARRAYS: Table = Table(UnsafeCell::new(([Array { pointer: core::ptr::null_mut(), address: 0, len: 0 }; MAX], 0)));

/// Moves the object that `pointer` points to, so that a wall follows its last byte. Other pointers to it that have a
/// length are moved too. The object is long enough for all of them.
///
/// # Safety
/// `pointer` must be a variable of the harness, which calls this before anything else.
pub(super) unsafe fn put(plan: Plan, pointer: *mut u64, len: u64) {
    // SAFETY: one thread, see above.
    let (arrays, n) = unsafe { &mut *ARRAYS.0.get() };
    // SAFETY: the caller guarantees the pointer.
    let address = unsafe { *pointer };
    let Some((object, offset)) = object_at(plan, address) else { return };
    if *n == MAX || len.saturating_add(offset) > u64::from(object.extent) {
        return;
    }
    arrays[*n] = Array { pointer, address, len };
    *n += 1;
    let start = address.wrapping_sub(offset);
    let is_here = |array: &&Array| array.address.wrapping_sub(start) < u64::from(object.extent).max(1);
    let here = || arrays[..*n].iter().filter(is_here);
    let first = here().map(|array| array.address).min().unwrap_or(address);
    let end = here().map(|array| array.address + array.len).max().unwrap_or(address);
    let room = (end - first).next_multiple_of(PAGE);
    let (write, private) = (sys::PROT_READ | sys::PROT_WRITE, sys::MAP_PRIVATE | sys::MAP_ANONYMOUS);
    // SAFETY: new memory at an address chosen by the kernel. The object is where it was laid out, and the pointers
    // belong to the harness.
    unsafe {
        let Ok(base) = sys::mmap(0, room + PAGE, write, private, -1, 0) else { return };
        let wall = base as u64 + room;
        let protect = [wall as usize, PAGE as usize, sys::PROT_NONE as usize, 0, 0, 0];
        if sys::call(sys::nr::MPROTECT, protect).is_ok() {
            process::memory::copy(wall - (end - first), first, end - first);
            here().for_each(|array| array.pointer.write(wall - (end - array.address)));
        }
    }
}
