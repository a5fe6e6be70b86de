//! State of a worker across runs. It lies in separate memory that the reset does not change. Ordinary statics are reset
//! to their values at the start of the worker.

use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, AtomicU64, Ordering};

use tine_trace::layout;

use crate::sys;

/// Memory of this part of the runtime, in the second half of the first 16 TiB from `PRIVATE_BASE` (the first half
/// belongs to `record`).
pub const PROCESS_BASE: u64 = layout::PRIVATE_BASE + (8 << 40);

const MIB: u64 = 1 << 20;
const GIB: u64 = 1 << 30;

const STATE_BASE: u64 = PROCESS_BASE;
/// Stack of the worker's loop.
pub const WORKER_STACK: (u64, u64) = (PROCESS_BASE + 16 * MIB, 256 << 10);
/// Stack of signal handlers.
pub const SIGNAL_STACK: (u64, u64) = (PROCESS_BASE + 32 * MIB, 256 << 10);
/// A buffer for any purpose between runs.
pub const BUFFER: (u64, u64) = (PROCESS_BASE + 64 * MIB, 64 * MIB);
/// Contents of the writable memory as it was before the first run.
pub const SNAPSHOT: (u64, u64) = (PROCESS_BASE + 4 * GIB, GIB);
/// Records of the fork server about the time before it ([`super::fork_server`]).
pub const FORK_SERVER: (u64, u64) = (PROCESS_BASE + 8 * GIB, 64 * MIB);
/// Objects of the heap.
pub const HEAP_SLOTS: (u64, u64) = (PROCESS_BASE + 64 * GIB, 32 * GIB);
/// Map from heap address to object.
pub const HEAP_INDEX: (u64, u64) = (PROCESS_BASE + 128 * GIB, layout::HEAP_LEN / 16 * 4);
/// The segment, always at the same address, so that its size does not move other areas.
pub const SEGMENT_BASE: u64 = PROCESS_BASE + (1 << 40);

/// Role of this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Role {
    /// No engine: behaves like the native program.
    Plain = 0,
    Zygote = 1,
    Worker = 2,
    /// No engine, but in the sandbox.
    Guarded = 3,
}

static ROLE: AtomicU32 = AtomicU32::new(Role::Plain as u32);
static RUNNING: AtomicBool = AtomicBool::new(false);

pub fn role() -> Role {
    match ROLE.load(Ordering::Relaxed) {
        1 => Role::Zygote,
        2 => Role::Worker,
        3 => Role::Guarded,
        _ => Role::Plain,
    }
}

pub(super) fn set_role(role: Role) {
    ROLE.store(role as u32, Ordering::Relaxed);
}

/// True if unit code is running under an engine.
#[inline]
pub fn running() -> bool {
    RUNNING.load(Ordering::Relaxed)
}

pub(super) fn set_running(on: bool) {
    RUNNING.store(on, Ordering::Relaxed);
}

/// Written by the worker's main thread. Atomics, because signal handlers and the unit's other threads read it.
#[derive(Debug)]
#[repr(C)]
pub struct State {
    pub pid: AtomicI32,
    /// [`super::context::thread_pointer`] of the thread that runs `main`.
    pub thread: AtomicU64,
    /// Context to which [`super::worker::stop`] returns.
    pub saved: UnsafeCell<u64>,
    /// The thread that ends this run, or 0.
    pub ending: AtomicU64,
    /// True if the signal mask differs from [`State::mask`].
    pub mask_changed: AtomicBool,
    pub mask: AtomicU64,
    /// The last request that was served, or that existed when the worker started.
    pub served: AtomicU32,
    /// The current request.
    pub request: AtomicU32,
    /// The zygote.
    pub parent: AtomicI32,
    /// [`super::context::cycles`] when the run began.
    pub began: AtomicU64,
    /// True if the run has requested its first input.
    pub has_input: AtomicBool,
    /// True if the run has changed, before its first input, state that a fork does not inherit.
    pub bound: AtomicBool,
    /// True if no fork server may be made (any more).
    pub stemless: AtomicBool,
    /// Device and file number of stdout.
    pub output: [AtomicU64; 2],
    pub sse_control: AtomicU32,
    /// Each run has a separate process: there is too much memory to reset, or runs of this unit cannot be reset anyway.
    pub fresh_each_run: AtomicBool,
    /// True if the seccomp filter is installed.
    pub filtered: AtomicBool,
    pub argc: AtomicI32,
    pub argv: AtomicU64,
    pub envp: AtomicU64,
    /// Lowest address of the process's first stack that the unit may use.
    pub first_stack: AtomicU64,
    pub window: super::stack::Window,
    pub snapshot: UnsafeCell<super::snapshot::Snapshot>,
}

// SAFETY: only the worker's main thread uses `saved` and `snapshot`.
unsafe impl Sync for State {}

/// Maps the memory that a worker needs in addition to the unit's. Once per process, before [`get`].
pub(super) fn map() -> sys::Result<()> {
    for (base, len) in
        [(STATE_BASE, size_of::<State>() as u64), WORKER_STACK, SIGNAL_STACK, BUFFER, SNAPSHOT, FORK_SERVER]
    {
        sys::reserve(base, len.next_multiple_of(4096))?;
    }
    Ok(())
}

/// The worker's state. Only in a worker and in a guarded program, which has a main thread, too.
pub fn get() -> &'static State {
    debug_assert!(matches!(role(), Role::Worker | Role::Guarded));
    // SAFETY: `map` made zeroed memory of this size, and a zeroed `State` is a valid one.
    unsafe { &*(STATE_BASE as *const State) }
}

/// The buffer between runs. It has one user at a time, so only the worker's loop may use it.
///
/// # Safety
/// No other reference to the buffer may exist.
pub(super) unsafe fn buffer() -> &'static mut [u8] {
    // SAFETY: mapped by `map`; the caller guarantees that this is the only reference.
    unsafe { core::slice::from_raw_parts_mut(BUFFER.0 as *mut u8, BUFFER.1 as usize) }
}
