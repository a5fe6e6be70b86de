//! State of the recorder, in its own mappings. No reset of the unit changes them.
//!
//! ```text
//!   PRIVATE_BASE
//!     + 0        Gate        which thread records; wiped in a process that the unit forks
//!     + 64 KiB   Recorder    counters and pointers of the run; wiped likewise
//!     + 1 MiB    note index
//!     + 2 MiB    modules registered
//!     + 10 MiB   objects passed to uninstrumented code, and their index
//!     + 12 MiB   addresses of instrumented functions
//!     + 16 MiB   numbers of the heap's objects in a state, and those objects in order
//!     + 32 MiB   map of the objects on the stack
//!     + 64 MiB   objects of static storage
//!     + 128 MiB  copies of objects that are arrays: their bytes, then their cells
//!     + 1 GiB    hash table of the arena
//!     + 4 GiB    expression of each input byte
//!     + 8 GiB    dirty map of the shadow, one byte per granule
//!     + 12 GiB   dirty list
//!     + 16 GiB   end: the mappings of `process` follow
//! ```
//! All of it is reserved, and only a small part is committed.

use core::ptr::{null_mut, with_exposed_provenance_mut};
use core::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, Ordering};

use tine_trace::event::{NoteKind, Site};
use tine_trace::layout::{MAX_NODES, PRIVATE_BASE, SHADOW_BASE, SHADOW_LEN};
use tine_trace::outcome::ErrorKind;
use tine_trace::segment::Header;

use super::access::Pending;
use super::arena::Arena;
use super::arrays::Arrays;
use super::foreign::Foreign;
use super::graph::Graph;
use super::input::Inputs;
use super::kernel::Kernel;
use super::note;
use super::objects::{self, Objects};
use super::path::Path;
use super::shadow::Dirty;
use super::sizes::Sizes;
use crate::sys;

const GATE: u64 = PRIVATE_BASE;
const RECORDER: u64 = PRIVATE_BASE + (64 << 10);
pub(super) const NOTE_INDEX: u64 = PRIVATE_BASE + (1 << 20);
pub(super) const MODULES: u64 = PRIVATE_BASE + (2 << 20);
pub(super) const MODULES_LEN: u64 = 8 << 20;
pub(super) const GIVEN: u64 = PRIVATE_BASE + (10 << 20);
pub(super) const GIVEN_LEN: u64 = 1 << 20;
pub(super) const GIVEN_INDEX: u64 = GIVEN + GIVEN_LEN;
pub(super) const GIVEN_INDEX_LEN: u64 = 1 << 19;
pub(super) const FUNCTIONS: u64 = PRIVATE_BASE + (12 << 20);
pub(super) const FUNCTIONS_LEN: u64 = 4 << 20;
pub(super) const NUMBERS: u64 = PRIVATE_BASE + (16 << 20);
pub(super) const NUMBERS_LEN: u64 = 1 << 20;
pub(super) const STACK_MAP: u64 = PRIVATE_BASE + (32 << 20);
pub(super) const STATICS: u64 = PRIVATE_BASE + (64 << 20);
pub(super) const STATICS_LEN: u64 = 32 << 20;
pub(super) const SAVED_BYTES: u64 = PRIVATE_BASE + (128 << 20);
pub(super) const SAVED_LEN: u64 = 128 << 20;
pub(super) const SAVED_CELLS: u64 = SAVED_BYTES + SAVED_LEN;
pub(super) const TABLE: u64 = PRIVATE_BASE + (1 << 30);
pub(super) const TABLE_LEN: u64 = 2 * MAX_NODES as u64 * 8;
pub(super) const INPUT_CELLS: u64 = PRIVATE_BASE + (4 << 30);
pub(super) const INPUT_CELLS_LEN: u64 = 4 << 30;
pub(super) const DIRTY_MAP: u64 = PRIVATE_BASE + (8 << 30);
pub(super) const DIRTY_LIST: u64 = PRIVATE_BASE + (12 << 30);

/// The recorder's mappings end here.
pub const END: u64 = PRIVATE_BASE + (16 << 30);

/// State that other threads may read, too.
#[derive(Debug)]
pub(super) struct Gate {
    /// Thread pointer of the recording thread; 0 while nothing is recorded.
    thread: AtomicU64,
    /// The segment of the run; null between runs and without an engine.
    segment: AtomicPtr<Header>,
    /// True once another thread was seen in this run.
    thread_noted: AtomicU32,
    /// Kinds of errors that are not checked: see [`tine_trace::segment::Limits::unchecked`].
    unchecked: AtomicU64,
}

/// The recording thread's state during a run.
#[derive(Debug)]
pub(super) struct Recorder {
    pub(super) arena: Arena,
    pub(super) path: Path,
    pub(super) inputs: Inputs,
    pub(super) objects: Objects,
    pub(super) arrays: Arrays,
    pub(super) pending: Pending,
    pub(super) sizes: Sizes,
    pub(super) foreign: Foreign,
    pub(super) kernel: Kernel,
    pub(super) graph: Graph,
    pub(super) dirty: Dirty,
    /// True if unwritten memory is known: no uninstrumented code has run that could have written it unnoticed.
    pub(super) follows_unset: bool,
}

const _: () = assert!(size_of::<Recorder>() as u64 <= NOTE_INDEX - RECORDER);
const _: () = assert!(SAVED_CELLS + 4 * SAVED_LEN <= TABLE);

/// Set once the mappings exist.
static READY: AtomicBool = AtomicBool::new(false);

/// `madvise`: a forked process finds zeros there.
const MADV_WIPEONFORK: u32 = 18;
const MADV_KEEPONFORK: u32 = 19;

/// Makes the shadow and the private mappings, once per process.
pub(super) fn init() {
    if READY.load(Ordering::Relaxed) {
        return;
    }
    reserve(SHADOW_BASE, SHADOW_LEN);
    reserve(PRIVATE_BASE, END - PRIVATE_BASE);
    objects::init();
    keep_on_fork(false);
    READY.store(true, Ordering::Release);
}

/// Keeps or wipes the recorder in forked processes. A process that the unit forks inherits the segment and must not
/// write there as if it were the worker. A process that [`crate::process`] forks continues the run.
pub(super) fn keep_on_fork(keep: bool) {
    let advice = if keep { MADV_KEEPONFORK } else { MADV_WIPEONFORK };
    // SAFETY: affects only forked processes. A kernel without this advice does not give the protection.
    let _ = unsafe { sys::madvise(GATE, MODULES - GATE, advice) };
}

fn reserve(start: u64, len: u64) {
    if sys::reserve(start, len).is_err() {
        let _ = sys::write(2, b"tine: cannot reserve address space for the shadow (is it limited, by `ulimit -v`?)\n");
        sys::exit_group(125);
    }
    // Writing one cell should not clear two megabytes, and cells are useless in a core dump.
    for advice in [sys::MADV_NOHUGEPAGE, sys::MADV_DONTDUMP] {
        // SAFETY: neither advice changes the contents of the memory. Without them everything only runs slower.
        let _ = unsafe { sys::madvise(start, len, advice) };
    }
}

/// Resets a range of the mappings to zeros, without touching it.
pub(super) fn discard(start: u64, len: u64) {
    // SAFETY: the range is the recorder's own, and the caller no longer needs its contents.
    let _ = unsafe { sys::madvise(start, len, sys::MADV_DONTNEED) };
}

/// The gate, if it exists already.
#[inline]
pub(super) fn gate() -> Option<&'static Gate> {
    if !READY.load(Ordering::Acquire) {
        return None;
    }
    // SAFETY: mapped by `init` and never unmapped; zeros are a valid gate; all of it is atomic.
    Some(unsafe { &*with_exposed_provenance_mut::<Gate>(GATE as usize) })
}

/// The recorder, for the recording thread while it records; `None` for other threads.
///
/// Called once in each entry point, which passes it on: so there is never a second reference.
#[inline]
pub(super) fn recorder_here() -> Option<&'static mut Recorder> {
    // SAFETY: entry points that call this are called only by instrumented code, whose constructor has called `init`;
    // all of the gate is atomic.
    let gate = unsafe { &*with_exposed_provenance_mut::<Gate>(GATE as usize) };
    if gate.records_here() { Some(owned()) } else { None }
}

/// [`recorder_here`] for entry points that receive symbolic values: calls from another thread are counted.
#[inline]
pub(super) fn recorder() -> Option<&'static mut Recorder> {
    let recorder = recorder_here();
    if recorder.is_none() {
        other_thread();
    }
    recorder
}

/// The recorder, between runs or when the caller knows that it is the recording thread.
pub(super) fn owned() -> &'static mut Recorder {
    // SAFETY: mapped by `init`, never unmapped; zeros are a valid recorder (null pointers, no capacity).
    unsafe { &mut *with_exposed_provenance_mut::<Recorder>(RECORDER as usize) }
}

/// True if errors of this kind are reported in this run.
pub(crate) fn checks(kind: ErrorKind) -> bool {
    gate().is_none_or(|gate| gate.unchecked.load(Ordering::Relaxed) & 1 << kind as u8 == 0)
}

#[cold]
fn other_thread() {
    if let Some(gate) = gate().filter(|gate| gate.records()) {
        gate.note_thread();
    }
}

impl Gate {
    pub(super) fn segment(&self) -> *mut Header {
        self.segment.load(Ordering::Relaxed)
    }

    #[inline]
    pub(super) fn records_here(&self) -> bool {
        self.thread.load(Ordering::Relaxed) == thread_pointer()
    }

    pub(super) fn records(&self) -> bool {
        self.thread.load(Ordering::Relaxed) != 0
    }

    /// Notes once per run that another thread touched symbolic values.
    pub(super) fn note_thread(&self) {
        if self.thread_noted.swap(1, Ordering::Relaxed) == 0 {
            note(NoteKind::Thread, Site::NONE, 0);
        }
    }

    /// Selects the checks of the run.
    pub(super) fn select(&self, unchecked: u64) {
        self.unchecked.store(unchecked, Ordering::Relaxed);
    }

    pub(super) fn open(&self, segment: *mut Header, record: bool) {
        self.thread_noted.store(0, Ordering::Relaxed);
        self.segment.store(segment, Ordering::Relaxed);
        self.thread.store(if record { thread_pointer() } else { 0 }, Ordering::Release);
    }

    pub(super) fn close(&self) {
        self.thread.store(0, Ordering::Relaxed);
        self.segment.store(null_mut(), Ordering::Relaxed);
    }
}

/// Identifies the thread: the ABI keeps a pointer to the thread's own block at its start.
#[inline]
fn thread_pointer() -> u64 {
    let pointer: u64;
    // SAFETY: reads the word at fs:0, which exists in every thread.
    unsafe {
        core::arch::asm!("mov {}, qword ptr fs:[0]", out(reg) pointer, options(nostack, pure, readonly, preserves_flags));
    }
    pointer
}
