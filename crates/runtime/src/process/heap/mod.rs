//! The allocator of a run. It is deterministic, so that equal runs have equal addresses. A table of all objects gives
//! the object that an address belongs to.
//!
//! ```text
//!   HEAP_BASE   gap │ object │ gap │ object …        in order of first use, 16-byte aligned, gap ≥ 16
//!   slots       [ address, capacity, size, order ] … one per object, in order of address
//!   index       address / 16 → slot
//! ```
//! No data is kept between objects, so an overflow changes data but never the allocator. A freed slot waits in a queue,
//! so that a use of it is still detected many calls later. Then it moves to the list of its size class and is reused,
//! last first. New objects are zero, also in reused memory. Gaps, the slack after an object and freed objects are
//! forbidden memory ([`crate::record::forbidden`]).
//!
//! Outside of runs, and without an engine, the C library's allocator is used (`exports`). Its objects from before the
//! first run may be freed during a run. This has no effect then, and the reset restores them.

use core::sync::atomic::{AtomicBool, Ordering};

use tine_trace::event::Site;
use tine_trace::layout::{HEAP_BASE, HEAP_LEN};
use tine_trace::outcome::{Outcome, OutcomeKind};

use super::{frames, memory, state, worker};
use crate::record::user_site;
use crate::sys::{self, MADV_DONTNEED, MADV_NOHUGEPAGE};

pub mod exports;

pub(super) const ALIGN: u64 = 16;
/// Number of bytes of freed objects that wait before they are reused.
const QUEUE: u64 = 256 << 10;
pub const N_CLASSES: usize = 128;
/// Size that is zeroed in place between runs; memory after it is returned to the kernel.
const KEPT: u64 = 256 << 10;

/// `next` of the last object in the list of reached objects, and of objects that were searched.
const END: u32 = u32::MAX;
const SEARCHED: u32 = u32::MAX - 1;

/// Life of an object: it may be used, or it was freed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Life {
    Live = 1,
    Freed = 2,
}

/// An object of the heap, live or freed.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Object {
    pub address: u64,
    /// Requested size.
    pub size: u64,
    /// Size before the gap.
    pub capacity: u64,
    pub life: Life,
    /// Number of objects allocated before it in this run.
    pub order: u32,
    /// The next slot of the queue, or the next free one of its class, plus one.
    next: u32,
    class: u32,
    /// Sites of its allocation and release: see [`crate::record::user_site`].
    pub allocated: u32,
    pub freed: u32,
}

impl Object {
    /// Address after the gap that follows it.
    pub fn end(self) -> u64 {
        self.address + self.capacity + gap(self.capacity)
    }

    /// Address where the gap before it starts.
    pub fn start(self) -> u64 {
        self.address - gap(self.capacity)
    }
}

/// Number of bytes before and after an object of this capacity that belong to no object.
fn gap(capacity: u64) -> u64 {
    (capacity / 8).next_multiple_of(ALIGN).clamp(ALIGN, 256)
}

/// Mutable part of a heap. It lies before the slots and is followed by the lock.
#[derive(Debug)]
#[repr(C)]
struct Control {
    n_objects: u32,
    /// Number of objects allocated so far, including those in reused slots.
    n_allocated: u32,
    /// End of the last object, and the gap required after it.
    end: u64,
    gap: u64,
    /// Total size of all live objects.
    live: u64,
    limit: u64,
    /// Total size of the freed objects in the queue, and its first and last slot, plus one.
    queued: u64,
    queue: [u32; 2],
    /// First free slot of each class, plus one.
    free: [u32; N_CLASSES],
}

const LOCK: u64 = 2048;
const SLOTS: u64 = 4096;
const _: () = assert!(size_of::<Control>() as u64 <= LOCK);

/// Reason why there is no memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoMemory {
    /// The request alone exceeds the limit: `malloc` returns NULL, like the native one.
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

/// The object of the run that contains `address`, including the gap after it.
pub fn object_of(address: u64) -> Option<Object> {
    HEAP.object_of(address)
}

impl Heap {
    /// Maps the heap's memory, once per process.
    pub(super) fn map(&self) -> sys::Result<()> {
        for (base, len) in [self.slots, self.index, self.objects] {
            sys::reserve(base, len)?;
            // SAFETY: changes no contents. A fault should clear one page, not two megabytes.
            let _ = unsafe { sys::madvise(base, len, MADV_NOHUGEPAGE) };
        }
        self.begin(0);
        Ok(())
    }

    /// Limit on the total size of live objects, 0 for none.
    pub(super) fn set_limit(&self, limit: u64) {
        self.control().limit = if limit == 0 { self.objects.1 } else { limit };
    }

    /// Empties the heap. Its memory is zero from [`Heap::reset`], or new. `limit` is the maximum total size of live
    /// objects, 0 for no limit.
    pub(super) fn begin(&self, limit: u64) {
        self.lock_word().store(false, Ordering::Relaxed);
        *self.control() = Control {
            n_objects: 0,
            n_allocated: 0,
            end: self.objects.0,
            gap: 0,
            live: 0,
            limit: if limit == 0 { self.objects.1 } else { limit },
            queued: 0,
            queue: [0; 2],
            free: [0; N_CLASSES],
        };
    }

    /// Zeroes the memory that was allocated.
    pub(super) fn reset(&self) {
        let (base, used) = (self.objects.0, self.control().end + self.control().gap - self.objects.0);
        // SAFETY: the heap is mapped, and no run is active that could hold objects in it.
        unsafe {
            memory::zero(base, used.min(KEPT));
            if used > KEPT {
                let _ = sys::madvise(base + KEPT, (used - KEPT).next_multiple_of(4096), MADV_DONTNEED);
            }
        }
    }

    /// True if `address` lies in the range of the heap's objects.
    #[inline]
    pub fn contains(&self, address: u64) -> bool {
        address.wrapping_sub(self.objects.0) < self.objects.1
    }

    /// Calls `lost` with each live object that cannot be reached. `roots` calls a function with each word that may be a
    /// pointer, and returns true if the roots are complete. The run must have ended.
    pub(super) fn for_each_lost(&self, roots: impl FnOnce(&mut dyn FnMut(u64)) -> bool, mut lost: impl FnMut(Object)) {
        let is_live = |index: &u32| self.slot(*index).life == Life::Live;
        let live = || (0..self.control().n_objects).filter(is_live);
        // Live objects are in no list, so `next` links the objects that were reached and not searched yet.
        live().for_each(|index| self.slot(index).next = 0);
        let mut last = END;
        if !roots(&mut |word| self.reach(word, &mut last)) {
            return;
        }
        while last != END {
            let index = last - 1;
            let Object { address, size, next, .. } = *self.slot(index);
            last = next;
            self.slot(index).next = SEARCHED;
            for at in (address..(address + size) & !7).step_by(8) {
                // SAFETY: a live object of the heap.
                self.reach(unsafe { *(at as *const u64) }, &mut last);
            }
        }
        live().map(|index| *self.slot(index)).filter(|object| object.next == 0).for_each(&mut lost);
    }

    /// Marks the object that a pointer points into, or whose end it points to.
    fn reach(&self, word: u64, last: &mut u32) {
        let Some((index, object)) = self.find(word) else { return };
        let is_inside = word.wrapping_sub(object.address) <= object.size;
        if is_inside && object.life == Life::Live && object.next == 0 {
            self.slot(index).next = core::mem::replace(last, index + 1);
        }
    }

    /// The object that contains `address`, including the gap after it.
    pub fn object_of(&self, address: u64) -> Option<Object> {
        self.find(address).map(|(_, object)| object)
    }

    /// [`Heap::object_of`], with the object's slot.
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
        (address < found.end()).then_some((index, found))
    }

    /// Contents of a slot.
    pub fn object(&self, index: u32) -> Option<Object> {
        let _guard = self.lock();
        (index < self.control().n_objects).then(|| *self.slot(index))
    }

    /// Allocates a zeroed object. `align` is a power of two.
    pub fn allocate(&self, size: u64, align: u64) -> Result<Object, NoMemory> {
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
        let index = match self.take_free(control, class, align) {
            Some(index) => {
                // SAFETY: the memory of a freed object.
                unsafe { memory::zero(self.slot(index).address, size) };
                index
            }
            None => self.new_slot(control, class, capacity, align)?,
        };
        let object = self.slot(index);
        object.size = size;
        object.life = Life::Live;
        object.order = control.n_allocated;
        object.allocated = user_site();
        control.n_allocated = control.n_allocated.wrapping_add(1);
        control.live += size;
        Ok(*object)
    }

    /// Frees the object that starts at `address`.
    pub fn free(&self, address: u64) -> Result<Object, BadFree> {
        let _guard = self.lock();
        let index = self.index_of(address).ok_or(BadFree::NotAnObject)?;
        let object = self.slot(index);
        if object.life == Life::Freed {
            return Err(BadFree::AlreadyFreed);
        }
        let control = self.control();
        object.life = Life::Freed;
        object.freed = user_site();
        control.live -= object.size;
        let freed = *object;
        self.enqueue(control, index);
        Ok(freed)
    }

    /// Adds a freed slot to the end of the queue. While the queue is too long, slots at its start become free for
    /// reuse.
    fn enqueue(&self, control: &mut Control, index: u32) {
        self.slot(index).next = 0;
        match core::mem::replace(&mut control.queue[1], index + 1) {
            0 => control.queue[0] = index + 1,
            last => self.slot(last - 1).next = index + 1,
        }
        control.queued += self.slot(index).capacity;
        while control.queued > QUEUE
            && let Some(first) = control.queue[0].checked_sub(1)
        {
            let object = self.slot(first);
            control.queued -= object.capacity;
            control.queue[0] = object.next;
            if object.next == 0 {
                control.queue[1] = 0;
            }
            object.next = control.free[object.class as usize];
            control.free[object.class as usize] = first + 1;
        }
    }

    /// The live object that starts at `address`.
    pub fn find_live(&self, address: u64) -> Result<Object, BadFree> {
        let _guard = self.lock();
        let object = self.index_of(address).map(|index| *self.slot(index)).ok_or(BadFree::NotAnObject)?;
        if object.life == Life::Live { Ok(object) } else { Err(BadFree::AlreadyFreed) }
    }

    /// Start of memory that was never allocated.
    pub(super) fn unused(&self) -> (u64, u64) {
        let start = (self.control().end + self.control().gap).next_multiple_of(4096);
        (start, self.objects.0 + self.objects.1 - start)
    }

    fn take_free(&self, control: &mut Control, class: usize, align: u64) -> Option<u32> {
        /// Maximum number of slots searched for one with a suitable alignment.
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
        let address = (control.end + gap(capacity).max(control.gap)).next_multiple_of(align);
        let index = control.n_objects;
        let room = (self.slots.1 - SLOTS) / size_of::<Object>() as u64;
        if address + capacity + gap(capacity) > base + len || u64::from(index) >= room {
            return Err(NoMemory::Total);
        }
        (control.end, control.gap) = (address + capacity, gap(capacity));
        *self.slot(index) = Object {
            address,
            size: 0,
            capacity,
            life: Life::Freed,
            order: 0,
            next: 0,
            class: class as u32,
            allocated: 0,
            freed: 0,
        };
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
        // The index is never cleared, so its entries are checked.
        (index < self.control().n_objects && self.slot(index).address == address).then_some(index)
    }

    fn index_cell(&self, address: u64) -> *mut u32 {
        (self.index.0 + (address - self.objects.0) / ALIGN * 4) as *mut u32
    }

    #[expect(clippy::mut_from_ref, reason = "the lock is what makes it exclusive")]
    fn slot(&self, index: u32) -> &mut Object {
        // SAFETY: slots are mapped for the process's whole life. All callers hold the lock, so no slot is shared
        // between threads, and none keeps the reference beyond its next use of the same slot.
        unsafe { &mut *((self.slots.0 + SLOTS + u64::from(index) * size_of::<Object>() as u64) as *mut Object) }
    }

    #[expect(clippy::mut_from_ref, reason = "the lock is what makes it exclusive")]
    fn control(&self) -> &mut Control {
        // SAFETY: mapped for the process's whole life; callers hold the lock, or no run is active.
        unsafe { &mut *(self.slots.0 as *mut Control) }
    }

    fn lock_word(&self) -> &AtomicBool {
        // SAFETY: mapped for the process's whole life, and an atomic.
        unsafe { &*((self.slots.0 + LOCK) as *const AtomicBool) }
    }

    /// Waits for other threads. If a run is stopped while it holds the lock, [`Heap::begin`] releases it.
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

    /// There is one heap in a process, so tests run one after the other.
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
        HEAP.allocate(size, 16).expect("memory").address
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
            assert!(pair[1].0 >= pair[0].0 + pair[0].1 + ALIGN);
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
        assert!(HEAP.free(first).is_ok());
        assert_eq!(object_of(first).unwrap().life, Life::Freed);
        assert_eq!(HEAP.free(first).err(), Some(BadFree::AlreadyFreed));
        assert_eq!(HEAP.free(second + 16).err(), Some(BadFree::NotAnObject));
        assert!(get(30) > second, "it waits");
        // SAFETY: memory of the test, although it was freed.
        unsafe { *(first as *mut u8) = 7 };
        for _ in 0..QUEUE / 1024 {
            HEAP.free(get(1024)).expect("it is live");
        }
        assert_eq!(get(30), first);
        // SAFETY: as above.
        assert_eq!(unsafe { *(first as *const u8) }, 0);
    }

    #[test]
    fn the_same_requests_give_the_same_addresses() {
        let run = || {
            let _turn = fresh(0);
            let mut live = Vec::new();
            let mut trail = Vec::new();
            for i in 0..1000u64 {
                let address = HEAP.allocate(i * i % 777, 16 << (i % 4)).unwrap().address;
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
                let address = HEAP.allocate(size, 16).unwrap().address;
                // SAFETY: the object is live and belongs to the test.
                let bytes = unsafe { std::slice::from_raw_parts_mut(address as *mut u8, size as usize) };
                assert!(bytes.iter().all(|&byte| byte == 0));
                bytes.fill(0xaa);
            }
        }
    }

    #[test]
    fn limits_tell_one_from_all() {
        let _turn = fresh(1000);
        assert_eq!(HEAP.allocate(1001, 16).err(), Some(NoMemory::Request));
        get(600);
        assert_eq!(HEAP.allocate(600, 16).err(), Some(NoMemory::Total));
        assert!(HEAP.allocate(400, 16).is_ok());
    }
}
