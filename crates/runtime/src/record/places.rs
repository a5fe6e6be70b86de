//! Object that contains an address: the program's variables, objects on the stack and the heap, objects made for inputs.
//!
//! Objects on the stack register when their life begins, in a map with a word for every 16 bytes of it:
//!
//! ```text
//!   stack   │ int a[10] ……………………………│ char b[16] │
//!   map     │ 40 │  0 │  0            │ 16         │
//! ```
//! Structures that are passed by value lie where the caller put them: a flag marks those that begin in the middle of
//! the 16 bytes. A new object clears the map's words inside it, so objects of returned frames are never found instead
//! of it. Variables come from the modules' tables, sorted once per process.

use core::ptr::with_exposed_provenance_mut;

use tine_trace::entry::Variable;
use tine_trace::layout::{HEAP_BASE, HEAP_LEN, STACK_BASE, STACK_LEN};

use super::state::{STACK_MAP, STATICS, STATICS_LEN};
use super::{forbidden, modules, objects};
use crate::process::heap::{Life, object_of};

/// Bytes of the stack for each word of the map; instrumented code aligns arrays to it.
const GRANULE: u64 = 16;
/// In a word of the map: the object begins in the middle of the 16 bytes.
const IN_THE_MIDDLE: u32 = 1 << 31;
/// Flag in a word of the map: the object begins in the middle of the 16 bytes.
const REACH: u64 = 1 << 16;

/// One object in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) base: u64,
    pub(super) len: u64,
}

impl Place {
    /// True if `size` bytes at `address` lie in it.
    pub(super) fn holds(self, address: u64, size: u64) -> bool {
        self.len >= size && address.wrapping_sub(self.base) <= self.len - size
    }
}

/// The object that contains an address, otherwise the object that ends there.
pub(super) fn find(address: u64) -> Option<Place> {
    inside(address).or_else(|| before(address))
}

/// The object that ends just before an address.
pub(super) fn before(address: u64) -> Option<Place> {
    inside(address.wrapping_sub(1)).filter(|place| place.base + place.len == address)
}

/// The object that an address lies in.
pub(super) fn inside(address: u64) -> Option<Place> {
    if objects::is_input(address) {
        return objects::place_of(address).filter(|place| place.holds(address, 1));
    }
    if on_stack(address) {
        // The map still has the objects of frames that returned.
        return in_frames(address).filter(|_| !forbidden::is_so(address));
    }
    let heap = object_of(address).filter(|object| object.life == Life::Live);
    let heap = heap.map(|object| Place { base: object.address, len: object.size });
    // An object of zero bytes counts, too.
    heap.filter(|place| place.holds(address, 1) || place.base == address).or_else(|| in_statics(address))
}

/// True if an address lies in an object of the program, or on its stack.
pub(super) fn is_memory(address: u64) -> bool {
    on_stack(address) || find(address).is_some()
}

pub(super) fn on_heap(address: u64) -> bool {
    address.wrapping_sub(HEAP_BASE) < HEAP_LEN
}

pub(super) fn on_stack(address: u64) -> bool {
    address.wrapping_sub(STACK_BASE) < STACK_LEN
}

/// The map's word of an address on the stack.
fn word(address: u64) -> *mut u32 {
    with_exposed_provenance_mut::<u32>((STACK_MAP + (address - STACK_BASE) / GRANULE * 4) as usize)
}

/// `stack_object`: registers the object.
pub(super) fn came_to_life(address: u64, len: u64) {
    let fits = on_stack(address) && len <= STACK_BASE + STACK_LEN - address;
    if !fits || len == 0 || !address.is_multiple_of(GRANULE / 2) {
        return;
    }
    let before = address % GRANULE;
    // SAFETY: the map has a word for every granule of the stack.
    unsafe {
        word(address).write_bytes(0, (before + len).div_ceil(GRANULE) as usize);
        *word(address) = len as u32 | if before == 0 { 0 } else { IN_THE_MIDDLE };
    }
}

/// The object on the stack that an address lies in, or lay in before its function returned.
pub(super) fn in_frames(address: u64) -> Option<Place> {
    let mut base = address & !(GRANULE - 1);
    let end = base.saturating_sub(REACH).max(STACK_BASE);
    loop {
        // SAFETY: the address is on the stack.
        let found = unsafe { *word(base) };
        let start = if found & IN_THE_MIDDLE == 0 { base } else { base + GRANULE / 2 };
        if found != 0 && start <= address {
            let len = u64::from(found & !IN_THE_MIDDLE);
            return Some(Place { base: start, len }).filter(|place| place.holds(address, 1));
        }
        if base <= end {
            return None;
        }
        base -= GRANULE;
    }
}

/// Objects on a part of the stack, possibly of returned frames.
pub(super) fn each_in_frames(start: u64, end: u64, mut each: impl FnMut(Place)) {
    let first = start.next_multiple_of(GRANULE);
    for base in (first..end).step_by(GRANULE as usize).filter(|base| on_stack(*base)) {
        // SAFETY: the address is on the stack.
        let found = unsafe { *word(base) };
        let start = if found & IN_THE_MIDDLE == 0 { base } else { base + GRANULE / 2 };
        let len = u64::from(found & !IN_THE_MIDDLE);
        if len > 0 && start + len <= end {
            each(Place { base: start, len });
        }
    }
}

/// The modules' objects, sorted by address.
#[repr(C)]
struct Statics {
    n_modules: u32,
    n: u32,
}

const CAPACITY: usize = (STATICS_LEN as usize - size_of::<Statics>()) / size_of::<Variable>();

fn in_statics(address: u64) -> Option<Place> {
    let n_modules = modules().count() as u32;
    // SAFETY: the mapping is the recorder's own, zeros are valid, and only the recording thread uses it.
    let (statics, list) = unsafe {
        let statics = &mut *with_exposed_provenance_mut::<Statics>(STATICS as usize);
        let first = with_exposed_provenance_mut::<Variable>(STATICS as usize + size_of::<Statics>());
        (statics, core::slice::from_raw_parts_mut(first, CAPACITY))
    };
    if statics.n_modules != n_modules {
        statics.n = collect(list) as u32;
        statics.n_modules = n_modules;
    }
    let list = &list[..statics.n as usize];
    let found = list[..list.partition_point(|object| object.address <= address)].last()?;
    Some(Place { base: found.address, len: found.len }).filter(|place| place.holds(address, 1))
}

fn collect(list: &mut [Variable]) -> usize {
    let mut n = 0;
    for module in modules() {
        // SAFETY: modules are loaded, and the instrumenter wrote address and length of the table.
        let objects = unsafe {
            let start = with_exposed_provenance_mut::<Variable>((*module).objects as usize);
            if start.is_null() { &[][..] } else { core::slice::from_raw_parts(start, (*module).n_objects as usize) }
        };
        for object in objects.iter().filter(|object| object.len > 0) {
            if n < list.len() {
                list[n] = *object;
                n += 1;
            }
        }
    }
    list[..n].sort_unstable_by_key(|object| object.address);
    n
}
