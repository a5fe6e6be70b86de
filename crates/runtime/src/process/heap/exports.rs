//! The C library's names for the allocator: during a run the functions of the heap, otherwise the C library's own.
#![expect(clippy::missing_safety_doc, reason = "the C standard says what callers owe")]

use core::arch::global_asm;
use core::sync::atomic::{AtomicU32, Ordering};

use tine_trace::event::Site;
use tine_trace::outcome::{ErrorKind, Outcome, OutcomeKind};

use super::{ALIGN, BadFree, HEAP, Heap, NoMemory};
use crate::process::{frames, memory, state, worker};
use crate::record::{self, forbidden, objects};
use crate::sys;

const ENOMEM: i32 = 12;
const EINVAL: i32 = 22;
const PAGE: u64 = 4096;
const ADDRESS_SPACE: u64 = 1 << 47;

// The C library's allocator under its side names. They are weak: in a statically linked program they would add a
// second `malloc`. So there they are absent, and the heap is also used without an engine.
global_asm!(
    ".weak __libc_malloc",
    ".weak __libc_free",
    ".weak __libc_calloc",
    ".weak __libc_realloc",
    ".weak __libc_memalign",
    ".pushsection .data.rel.ro.__tine_libc,\"aw\",@progbits",
    ".globl __tine_libc",
    ".hidden __tine_libc",
    ".type __tine_libc,@object",
    ".p2align 3",
    "__tine_libc:",
    ".quad __libc_malloc",
    ".quad __libc_free",
    ".quad __libc_calloc",
    ".quad __libc_realloc",
    ".quad __libc_memalign",
    ".size __tine_libc, . - __tine_libc",
    ".popsection",
);

/// Defines the names weakly: a program with its own allocator keeps it.
#[cfg(not(test))]
macro_rules! export {
    ($($name:ident)*) => {
        global_asm!(
            ".pushsection .text.__tine_malloc,\"ax\",@progbits",
            ".globl __tine_malloc_start",
            ".hidden __tine_malloc_start",
            "__tine_malloc_start:",
            $(
                concat!(".weak ", stringify!($name)),
                concat!(".type ", stringify!($name), ",@function"),
                concat!(stringify!($name), ":"),
                concat!("jmp {", stringify!($name), "}"),
                concat!(".size ", stringify!($name), ", . - ", stringify!($name)),
            )*
            ".globl __tine_malloc_end",
            ".hidden __tine_malloc_end",
            "__tine_malloc_end:",
            ".popsection",
            $( $name = sym $name, )*
        );
    };
}

#[cfg(not(test))]
export! {
    malloc calloc free realloc reallocarray memalign aligned_alloc valloc pvalloc posix_memalign malloc_usable_size
}

/// True if a function is one of these.
pub fn is_one(function: u64) -> bool {
    #[cfg(not(test))]
    {
        unsafe extern "C" {
            static __tine_malloc_start: u8;
            static __tine_malloc_end: u8;
        }
        ((&raw const __tine_malloc_start as u64)..(&raw const __tine_malloc_end as u64)).contains(&function)
    }
    #[cfg(test)]
    {
        let _ = function;
        false
    }
}

#[repr(C)]
struct Libc {
    malloc: Option<unsafe extern "C" fn(u64) -> u64>,
    free: Option<unsafe extern "C" fn(u64)>,
    calloc: Option<unsafe extern "C" fn(u64, u64) -> u64>,
    realloc: Option<unsafe extern "C" fn(u64, u64) -> u64>,
    memalign: Option<unsafe extern "C" fn(u64, u64) -> u64>,
}

unsafe extern "C" {
    static __tine_libc: Libc;
    fn __errno_location() -> *mut i32;
}

fn libc() -> &'static Libc {
    // SAFETY: written by the loader before any code runs.
    unsafe { &__tine_libc }
}

fn fail(errno: i32) -> u64 {
    // SAFETY: the C library's pointer to this thread's `errno`.
    unsafe { *__errno_location() = errno };
    0
}

/// The heap used outside of runs if the C library's allocator is absent. Its objects lie in ordinary memory of the
/// unit, which the reset copies back.
static OUTSIDE: Heap = Heap {
    objects: (0x2004_0000_0000, 4 << 30),
    slots: (state::PROCESS_BASE + (256 << 30), 4 << 30),
    index: (state::PROCESS_BASE + (320 << 30), 1 << 30),
};

static OUTSIDE_MAPPED: AtomicU32 = AtomicU32::new(0);

fn outside() -> &'static Heap {
    match OUTSIDE_MAPPED.compare_exchange(0, 1, Ordering::Acquire, Ordering::Acquire) {
        Ok(_) => {
            if OUTSIDE.map().is_err() {
                let _ = sys::write(2, b"tine: no address space for the heap\n");
                sys::exit_group(4);
            }
            OUTSIDE_MAPPED.store(2, Ordering::Release);
        }
        Err(_) => {
            while OUTSIDE_MAPPED.load(Ordering::Acquire) != 2 {
                core::hint::spin_loop();
            }
        }
    }
    &OUTSIDE
}

/// In a worker: returns unused memory, so that the reset need not scan it.
pub(in crate::process) fn trim_outside() {
    if OUTSIDE_MAPPED.load(Ordering::Acquire) == 2 {
        let (start, len) = OUTSIDE.unused();
        // SAFETY: nothing was ever allocated there, and nothing will be during runs.
        let _ = unsafe { sys::munmap(start, len) };
    }
}

/// Allocates a zeroed object from the heap of runs, or from the other one.
fn from_heap(size: u64, align: u64) -> u64 {
    let running = state::running();
    let heap = if running { &HEAP } else { outside() };
    match heap.allocate(size, align) {
        Ok(object) => {
            if running {
                forbidden::allocated(object);
            }
            object.address
        }
        Err(NoMemory::Total) if running => super::out_of_memory(),
        // A size above the address space is impossible on every machine.
        Err(NoMemory::Request) if running && size < ADDRESS_SPACE => {
            record::refuse_memory();
            fail(ENOMEM)
        }
        Err(_) => fail(ENOMEM),
    }
}

pub unsafe extern "C" fn malloc(size: u64) -> u64 {
    match libc().malloc {
        // SAFETY: the C library's own.
        Some(malloc) if !state::running() => unsafe { malloc(size) },
        _ => from_heap(size, ALIGN),
    }
}

pub unsafe extern "C" fn calloc(count: u64, size: u64) -> u64 {
    match libc().calloc {
        // SAFETY: the C library's own.
        Some(calloc) if !state::running() => unsafe { calloc(count, size) },
        _ => match count.checked_mul(size) {
            Some(total) => from_heap(total, ALIGN),
            None => fail(ENOMEM),
        },
    }
}

pub unsafe extern "C" fn free(pointer: u64) {
    let freed = if HEAP.contains(pointer) {
        HEAP.free(pointer).map(forbidden::freed)
    } else if objects::is_input(pointer) {
        objects::freed(pointer)
    } else if pointer == 0 {
        Ok(())
    } else if state::running() {
        // The reset restores it.
        if is_from_before(pointer) { Ok(()) } else { Err(BadFree::NotAnObject) }
    } else if let Some(free) = libc().free {
        // SAFETY: the C library's own.
        unsafe { free(pointer) };
        Ok(())
    } else {
        outside().free(pointer).map(drop)
    };
    if let Err(bad) = freed {
        end_by_bad_free(bad);
    }
}

/// True if a pointer may point to an object that was allocated before the run: by tine's other heap, or by the C
/// library. The C library's objects lie after the program or have their own mapping.
fn is_from_before(pointer: u64) -> bool {
    const PAGE_HEADER: u64 = 16;
    unsafe extern "C" {
        static _end: u8;
    }
    if OUTSIDE_MAPPED.load(Ordering::Acquire) == 2 && OUTSIDE.contains(pointer) {
        return OUTSIDE.find_live(pointer).is_ok();
    }
    let has_mapping = || pointer % PAGE == PAGE_HEADER && sys::mincore(pointer - PAGE_HEADER, PAGE, &mut [0]);
    pointer.is_multiple_of(ALIGN) && ((&raw const _end as u64..sys::end_of_data()).contains(&pointer) || has_mapping())
}

/// Reports a bad free like glibc: a message, and SIGABRT if there is no engine.
#[cold]
fn end_by_bad_free(bad: BadFree) {
    const SIGABRT: i32 = 6;
    let (kind, message): (_, &[u8]) = match bad {
        BadFree::NotAnObject => (ErrorKind::InvalidFree, b"free(): invalid pointer\n"),
        BadFree::AlreadyFreed => (ErrorKind::DoubleFree, b"free(): double free detected\n"),
    };
    if !record::checks(kind) {
        return;
    }
    let _ = sys::write_all(2, message);
    if !state::running() {
        sys::exit_group(128 + SIGABRT);
    }
    let mut outcome =
        Outcome { kind: OutcomeKind::Failed as u32, code: kind as u32, site: Site::NONE.0, ..Outcome::default() };
    frames::fill_here(&mut outcome);
    worker::stop(outcome)
}

pub unsafe extern "C" fn realloc(pointer: u64, size: u64) -> u64 {
    if let Some(realloc) = libc().realloc
        && !state::running()
        && !objects::is_input(pointer)
    {
        // SAFETY: the C library's own.
        return unsafe { realloc(pointer, size) };
    }
    if pointer == 0 {
        // SAFETY: as the caller's call of `malloc`.
        return unsafe { malloc(size) };
    }
    if size == 0 {
        // SAFETY: as the caller's call of `free`.
        unsafe { free(pointer) };
        return 0;
    }
    if let Some(heap) = heap_of(pointer)
        && let Err(bad) = heap.find_live(pointer)
    {
        end_by_bad_free(bad);
        return 0;
    }
    // It always moves, so that a use of the old pointer is a use of a freed object.
    let old = usable_size(pointer);
    // SAFETY: as the caller's call.
    let to = unsafe { malloc(size) };
    if to != 0 {
        let len = old.min(size);
        // SAFETY: both objects are live and large enough; they do not overlap.
        unsafe { memory::copy(to, pointer, len) };
        if state::running() {
            forbidden::moved(to, pointer, len);
        }
        // SAFETY: the caller no longer uses the old object.
        unsafe { free(pointer) };
    }
    to
}

pub unsafe extern "C" fn reallocarray(pointer: u64, count: u64, size: u64) -> u64 {
    match count.checked_mul(size) {
        // SAFETY: as the caller's call.
        Some(total) => unsafe { realloc(pointer, total) },
        None => fail(ENOMEM),
    }
}

pub unsafe extern "C" fn memalign(align: u64, size: u64) -> u64 {
    match libc().memalign {
        // SAFETY: the C library's own.
        Some(memalign) if !state::running() => unsafe { memalign(align, size) },
        _ => from_heap(size, align.checked_next_power_of_two().unwrap_or(ALIGN)),
    }
}

pub unsafe extern "C" fn aligned_alloc(align: u64, size: u64) -> u64 {
    // SAFETY: as the caller's call.
    unsafe { memalign(align, size) }
}

pub unsafe extern "C" fn valloc(size: u64) -> u64 {
    // SAFETY: as the caller's call.
    unsafe { memalign(PAGE, size) }
}

pub unsafe extern "C" fn pvalloc(size: u64) -> u64 {
    let Some(size) = size.checked_next_multiple_of(PAGE) else { return fail(ENOMEM) };
    // SAFETY: as the caller's call.
    unsafe { memalign(PAGE, size) }
}

pub unsafe extern "C" fn posix_memalign(to: *mut u64, align: u64, size: u64) -> i32 {
    if !align.is_power_of_two() || !align.is_multiple_of(8) {
        return EINVAL;
    }
    // SAFETY: as the caller's call.
    let address = unsafe { memalign(align, size) };
    if address == 0 {
        return ENOMEM;
    }
    // SAFETY: the caller's pointer for the result.
    unsafe { *to = address };
    0
}

pub unsafe extern "C" fn malloc_usable_size(pointer: u64) -> u64 {
    if pointer == 0 { 0 } else { usable_size(pointer) }
}

/// The heap of tine that contains `pointer`.
fn heap_of(pointer: u64) -> Option<&'static Heap> {
    if HEAP.contains(pointer) {
        return Some(&HEAP);
    }
    (OUTSIDE_MAPPED.load(Ordering::Acquire) == 2 && OUTSIDE.contains(pointer)).then_some(&OUTSIDE)
}

fn usable_size(pointer: u64) -> u64 {
    if let Some(heap) = heap_of(pointer) {
        return heap.find_live(pointer).map_or(0, |object| object.size);
    }
    if objects::is_input(pointer) {
        return objects::extent_at(pointer);
    }
    // The C library's chunk has its length before the object, with three flags. A mapped chunk has a whole header in
    // addition; others share a word with the next chunk.
    const FLAGS: u64 = 7;
    const MAPPED: u64 = 2;
    // SAFETY: by the caller's contract it is a live object of the C library.
    let length = unsafe { *((pointer - 8) as *const u64) };
    let overhead = if length & MAPPED != 0 { 16 } else { 8 };
    (length & !FLAGS).saturating_sub(overhead)
}
