//! The allocator of a run: deterministic, so that the same run has the same addresses, and with a table of
//! all objects, so that an address can be asked what it belongs to.
//!
//! ```text
//!   HEAP_BASE   gap │ object │ gap │ object …        in order of first use, 16-byte aligned, gap ≥ 16
//!   slots       [ address, capacity, size, order ] … one per object, in order of address
//!   index       address / 16 → slot
//! ```
//! Nothing is kept between objects, so an overflow changes data and never the allocator. A freed slot goes to
//! the list of its size class and is used again, last first, with its old contents. Before a run everything
//! is zero.
//!
//! Outside of runs, and without an engine, the C library's allocator does the work (`exports`). What it
//! handed out before the first run may be freed during one: nothing happens then, and the reset makes it
//! as it was.

use core::sync::atomic::{AtomicBool, Ordering};

use tine_trace::event::Site;
use tine_trace::layout::{HEAP_BASE, HEAP_LEN};
use tine_trace::outcome::{Outcome, OutcomeKind};

use super::{frames, memory, state, worker};
use crate::sys::{self, MADV_DONTNEED, MADV_NOHUGEPAGE};

pub mod exports;

pub(super) const ALIGN: u64 = 16;
/// Between objects.
const GAP: u64 = 16;
pub const N_CLASSES: usize = 128;
/// Zeroed by hand between runs; what lies behind goes back to the kernel.
const KEPT: u64 = 256 << 10;

/// True if an object may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Life {
    Live = 1,
    Freed = 2,
}

/// An object of the heap, or what is left of one.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Object {
    pub address: u64,
    /// Requested size.
    pub size: u64,
    /// Size before the gap.
    pub capacity: u64,
    pub life: Life,
    /// Objects allocated before it in this run.
    pub order: u32,
    /// The next free slot of its class, plus one.
    next: u32,
    class: u32,
}

/// Mutable part of a heap. Lies before the slots, followed by the lock.
#[derive(Debug)]
#[repr(C)]
struct Control {
    n_objects: u32,
    /// Objects allocated so far, slots used again counted again.
    n_allocated: u32,
    /// Address for the next object.
    end: u64,
    /// Sizes of all live objects.
    live: u64,
    limit: u64,
    /// First free slot of each class, plus one.
    free: [u32; N_CLASSES],
}

const LOCK: u64 = 2048;
const SLOTS: u64 = 4096;
const _: () = assert!(size_of::<Control>() as u64 <= LOCK);

/// Why there is no memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoMemory {
    /// The request alone is larger than all there may be: `malloc` answers NULL, as the native one does.
    Request,
    /// All live objects together are too large.
    Total,
}

/// Reason why a pointer cannot be freed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadFree {
    NotAnObject,
    AlreadyFreed,
}

/// Layout of a heap: its objects and their descriptions. Each is an address and a length.
#[derive(Debug)]
pub struct Heap {
    objects: (u64, u64),
    slots: (u64, u64),
    index: (u64, u64),
}

/// The heap of runs.
pub static HEAP: Heap = Heap { objects: (HEAP_BASE, HEAP_LEN), slots: state::HEAP_SLOTS, index: state::HEAP_INDEX };

/// The object of the run that `address` lies in, the gap behind it included.
pub fn object_of(address: u64) -> Option<Object> {
    HEAP.object_of(address)
}

impl Heap {
    /// Makes the heap's memory, once in a process.
    pub(super) fn map(&self) -> sys::Result<()> {
        for (base, len) in [self.slots, self.index, self.objects] {
            sys::reserve(base, len)?;
            // SAFETY: changes no contents. A fault is to clear one page, not two megabytes.
            let _ = unsafe { sys::madvise(base, len, MADV_NOHUGEPAGE) };
        }
        self.begin(0);
        Ok(())
    }

    /// Limit on the total size of live objects, 0 for none.
    pub(super) fn set_limit(&self, limit: u64) {
        self.control().limit = if limit == 0 { self.objects.1 } else { limit };
    }

    /// Makes the heap empty; its memory is zero from [`Heap::reset`], or new. `limit` is what live objects may
    /// take together, 0 for all there is.
    pub(super) fn begin(&self, limit: u64) {
        self.lock_word().store(false, Ordering::Relaxed);
        *self.control() = Control {
            n_objects: 0,
            n_allocated: 0,
            end: self.objects.0,
            live: 0,
            limit: if limit == 0 { self.objects.1 } else { limit },
            free: [0; N_CLASSES],
        };
    }

    /// Zeroes what was handed out.
    pub(super) fn reset(&self) {
        let (base, used) = (self.objects.0, self.control().end - self.objects.0);
        // SAFETY: the heap is mapped, and no run is on that could hold objects in it.
        unsafe {
            memory::zero(base, used.min(KEPT));
            if used > KEPT {
                let _ = sys::madvise(base + KEPT, (used - KEPT).next_multiple_of(4096), MADV_DONTNEED);
            }
        }
    }

    /// True if `address` lies where the heap's objects lie.
    #[inline]
    pub fn contains(&self, address: u64) -> bool {
        address.wrapping_sub(self.objects.0) < self.objects.1
    }

    /// The object that `address` lies in, the gap behind it included.
    pub fn object_of(&self, address: u64) -> Option<Object> {
        self.find(address).map(|(_, object)| object)
    }

    /// [`Heap::object_of`], with the slot it is in.
    pub fn find(&self, address: u64) -> Option<(u32, Object)> {
        if !self.contains(address) {
            return None;
        }
        let _guard = self.lock();
        let (mut low, mut high) = (0, self.control().n_objects);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.slot(middle).address <= address {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let index = low.checked_sub(1)?;
        let found = *self.slot(index);
        (address < found.address + found.capacity + GAP).then_some((index, found))
    }

    /// Contents of a slot.
    pub fn object(&self, index: u32) -> Option<Object> {
        let _guard = self.lock();
        (index < self.control().n_objects).then(|| *self.slot(index))
    }

    /// The slot that `allocate` uses first for a size class, below [`N_CLASSES`], and after that one the next.
    pub fn next_free(&self, class: usize, after: Option<u32>) -> Option<u32> {
        let _guard = self.lock();
        let next = match after {
            Some(index) => self.slot(index).next,
            None => self.control().free[class],
        };
        next.checked_sub(1)
    }

    /// Allocates; contents are zero, or what a freed object left there. `align` is a power of two. The flag
    /// says that the memory was never used in this run.
    pub fn allocate(&self, size: u64, align: u64) -> Result<(u64, bool), NoMemory> {
        let _guard = self.lock();
        let control = self.control();
        if size > control.limit {
            return Err(NoMemory::Request);
        }
        if control.live + size > control.limit {
            return Err(NoMemory::Total);
        }
        let (class, capacity) = class_of(size);
        let align = align.max(ALIGN);
        let reused = self.take_free(control, class, align);
        let index = match reused {
            Some(index) => index,
            None => self.new_slot(control, class, capacity, align)?,
        };
        let object = self.slot(index);
        object.size = size;
        object.life = Life::Live;
        object.order = control.n_allocated;
        control.n_allocated = control.n_allocated.wrapping_add(1);
        control.live += size;
        Ok((object.address, reused.is_none()))
    }

    /// Frees the object that starts at `address`.
    pub fn free(&self, address: u64) -> Result<(), BadFree> {
        let _guard = self.lock();
        let index = self.index_of(address).ok_or(BadFree::NotAnObject)?;
        let object = self.slot(index);
        if object.life == Life::Freed {
            return Err(BadFree::AlreadyFreed);
        }
        let control = self.control();
        object.life = Life::Freed;
        object.next = control.free[object.class as usize];
        control.free[object.class as usize] = index + 1;
        control.live -= object.size;
        Ok(())
    }

    /// The live object that starts at `address`.
    pub fn live_at(&self, address: u64) -> Option<Object> {
        let _guard = self.lock();
        self.index_of(address).map(|index| *self.slot(index)).filter(|object| object.life == Life::Live)
    }

    /// Gives the live object at `address` another size, if there is room where it is.
    pub fn resize(&self, address: u64, size: u64) -> bool {
        let _guard = self.lock();
        let Some(object) = self.index_of(address).map(|index| self.slot(index)) else { return false };
        let control = self.control();
        let live = control.live - object.size + size;
        // A much smaller object moves, so that `realloc` gives memory back.
        if size > object.capacity || size < object.capacity / 4 || live > control.limit {
            return false;
        }
        control.live = live;
        object.size = size;
        true
    }

    /// Start of memory that was never handed out.
    pub(super) fn unused(&self) -> (u64, u64) {
        let start = self.control().end.next_multiple_of(4096);
        (start, self.objects.0 + self.objects.1 - start)
    }

    fn take_free(&self, control: &mut Control, class: usize, align: u64) -> Option<u32> {
        /// Looked at for one that is aligned by chance.
        const TRIES: u32 = 32;
        let mut before = None;
        let mut at = control.free[class];
        for _ in 0..TRIES {
            let index = at.checked_sub(1)?;
            let next = self.slot(index).next;
            if self.slot(index).address.is_multiple_of(align) {
                match before {
                    None => control.free[class] = next,
                    Some(before) => self.slot(before).next = next,
                }
                return Some(index);
            }
            before = Some(index);
            at = next;
        }
        None
    }

    fn new_slot(&self, control: &mut Control, class: usize, capacity: u64, align: u64) -> Result<u32, NoMemory> {
        let (base, len) = self.objects;
        let address = (control.end + GAP).next_multiple_of(align);
        let index = control.n_objects;
        let room = (self.slots.1 - SLOTS) / size_of::<Object>() as u64;
        if address + capacity + GAP > base + len || u64::from(index) >= room {
            return Err(NoMemory::Total);
        }
        control.end = address + capacity;
        *self.slot(index) =
            Object { address, size: 0, capacity, life: Life::Freed, order: 0, next: 0, class: class as u32 };
        // SAFETY: the address lies in the heap, so its cell lies in the index.
        unsafe { *self.index_cell(address) = index };
        control.n_objects = index + 1;
        Ok(index)
    }

    /// Slot of the object that starts at `address`.
    fn index_of(&self, address: u64) -> Option<u32> {
        if !self.contains(address) || !address.is_multiple_of(ALIGN) {
            return None;
        }
        // SAFETY: the address lies in the heap, so its cell lies in the index.
        let index = unsafe { *self.index_cell(address) };
        // The index is never cleared: what it says is checked.
        (index < self.control().n_objects && self.slot(index).address == address).then_some(index)
    }

    fn index_cell(&self, address: u64) -> *mut u32 {
        (self.index.0 + (address - self.objects.0) / ALIGN * 4) as *mut u32
    }

    #[expect(clippy::mut_from_ref, reason = "the lock is what makes it exclusive")]
    fn slot(&self, index: u32) -> &mut Object {
        // SAFETY: slots are mapped for the process's whole life; all callers hold the lock, so none is shared
        // between threads, and none keeps the reference beyond its next use of the same slot.
        unsafe { &mut *((self.slots.0 + SLOTS + u64::from(index) * size_of::<Object>() as u64) as *mut Object) }
    }

    #[expect(clippy::mut_from_ref, reason = "the lock is what makes it exclusive")]
    fn control(&self) -> &mut Control {
        // SAFETY: mapped for the process's whole life; callers hold the lock, or no run is on.
        unsafe { &mut *(self.slots.0 as *mut Control) }
    }

    fn lock_word(&self) -> &AtomicBool {
        // SAFETY: mapped for the process's whole life, and an atomic.
        unsafe { &*((self.slots.0 + LOCK) as *const AtomicBool) }
    }

    /// Waits for other threads. A run that is stopped while it holds the lock leaves it to [`Heap::begin`].
    fn lock(&self) -> Guard<'_> {
        let word = self.lock_word();
        while word.swap(true, Ordering::Acquire) {
            core::hint::spin_loop();
        }
        Guard(word)
    }
}

struct Guard<'a>(&'a AtomicBool);

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

/// Size class and its capacity: multiples of 16 up to 256, then four steps for each doubling.
fn class_of(size: u64) -> (usize, u64) {
    if size <= 256 {
        let class = size.div_ceil(16).max(1);
        return (class as usize, class * 16);
    }
    let exponent = (size - 1).ilog2();
    let (base, step) = (1 << exponent, 1 << (exponent - 2));
    let quarter = (size - 1 - base) / step;
    (17 + (exponent as usize - 8) * 4 + quarter as usize, base + step * (quarter + 1))
}

/// Ends the run: the limit on all live objects is reached.
pub(super) fn out_of_memory() -> ! {
    let mut outcome = Outcome { kind: OutcomeKind::OutOfMemory as u32, site: Site::NONE.0, ..Outcome::default() };
    frames::fill_here(&mut outcome);
    worker::stop(outcome)
}

#[cfg(test)]
mod tests {
    use std::sync::{Mutex, MutexGuard, Once};

    use super::*;

    /// There is one heap in a process: tests take turns.
    fn fresh(limit: u64) -> MutexGuard<'static, ()> {
        static TURN: Mutex<()> = Mutex::new(());
        static MAPPED: Once = Once::new();
        let turn = TURN.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        MAPPED.call_once(|| HEAP.map().expect("address space"));
        HEAP.reset();
        HEAP.begin(limit);
        turn
    }

    fn get(size: u64) -> u64 {
        HEAP.allocate(size, 16).expect("memory").0
    }

    #[test]
    fn classes_hold_their_sizes() {
        let mut sizes: Vec<u64> = (0..5000).collect();
        sizes.extend((12..34).flat_map(|e| [(1 << e) - 1, 1 << e, (1 << e) + 1]));
        for size in sizes {
            let (class, capacity) = class_of(size);
            assert!(class < N_CLASSES && capacity >= size && capacity % 16 == 0, "{size}: {class} {capacity}");
            assert_eq!(class_of(capacity), (class, capacity), "{size}");
        }
    }

    #[test]
    fn objects_are_apart_and_found_by_address() {
        let _turn = fresh(0);
        let objects: Vec<(u64, u64)> = (0..200).map(|i| (get(i * 7), i * 7)).collect();
        for pair in objects.windows(2) {
            assert!(pair[1].0 >= pair[0].0 + pair[0].1 + GAP);
        }
        for &(address, size) in &objects {
            for inside in [address, address + size / 2, address + size] {
                assert_eq!(object_of(inside).expect("an object").address, address);
            }
        }
        assert!(object_of(HEAP_BASE).is_none());
        assert!(object_of(objects.last().unwrap().0 + (1 << 20)).is_none());
    }

    #[test]
    fn freed_memory_is_used_again_and_known_as_freed() {
        let _turn = fresh(0);
        let (first, second) = (get(24), get(24));
        assert_eq!(HEAP.free(first), Ok(()));
        assert_eq!(object_of(first).unwrap().life, Life::Freed);
        assert_eq!(HEAP.free(first), Err(BadFree::AlreadyFreed));
        assert_eq!(HEAP.free(second + 16), Err(BadFree::NotAnObject));
        assert_eq!(get(30), first);
        assert_eq!(object_of(first).unwrap().order, 2);
    }

    #[test]
    fn the_same_requests_give_the_same_addresses() {
        let run = || {
            let _turn = fresh(0);
            let mut live = Vec::new();
            let mut trail = Vec::new();
            for i in 0..1000u64 {
                let (address, _) = HEAP.allocate(i * i % 777, 16 << (i % 4)).unwrap();
                assert!(address.is_multiple_of(16 << (i % 4)));
                trail.push(address);
                live.push(address);
                if i % 3 == 0 {
                    HEAP.free(live.swap_remove((i * 31 % live.len() as u64) as usize)).unwrap();
                }
            }
            trail
        };
        assert_eq!(run(), run());
    }

    #[test]
    fn memory_is_zero_in_every_run() {
        for _ in 0..3 {
            let _turn = fresh(0);
            for size in [100, 300_000, 5_000_000] {
                let (address, unused) = HEAP.allocate(size, 16).unwrap();
                assert!(unused);
                // SAFETY: the object is live and ours.
                let bytes = unsafe { std::slice::from_raw_parts_mut(address as *mut u8, size as usize) };
                assert!(bytes.iter().all(|&byte| byte == 0));
                bytes.fill(0xaa);
            }
        }
    }

    #[test]
    fn limits_tell_one_from_all() {
        let _turn = fresh(1000);
        assert_eq!(HEAP.allocate(1001, 16), Err(NoMemory::Request));
        get(600);
        assert_eq!(HEAP.allocate(600, 16), Err(NoMemory::Total));
        assert!(HEAP.allocate(400, 16).is_ok());
    }

    #[test]
    fn an_object_grows_in_place_while_there_is_room() {
        let _turn = fresh(0);
        let address = get(20);
        assert!(HEAP.resize(address, 32));
        assert!(!HEAP.resize(address, 33));
        assert_eq!(HEAP.live_at(address).unwrap().size, 32);
    }
}
