//! The unit's stack. It grows like the process's first stack, and is empty and zero at the start of each run.
//!
//! ```text
//!   STACK_BASE        nothing mapped           │ grown by the last run │ window │   STACK_BASE + STACK_LEN
//!                                              └── given back ─────────┴ zeroed ┘
//! ```
//! The kernel lets it grow at the first touch. So a run went beyond the window exactly if there is memory right below
//! it.

use core::sync::atomic::{AtomicU64, Ordering};

use tine_trace::layout::{HEAP_BASE, HEAP_LEN, STACK_BASE, STACK_LEN};

use super::memory;
use crate::sys;

const PAGE: u64 = 4096;
const TOP: u64 = STACK_BASE + STACK_LEN;
/// Size that is zeroed between runs: initial and maximum value.
const WINDOW: (u64, u64) = (4 * PAGE, 32 * PAGE);
/// Unmapped size below the stack. Arrays of variable length can be larger than the stack.
const GAP: u64 = STACK_BASE - (HEAP_BASE + HEAP_LEN);

/// Number of bytes at the top that stay mapped. Lies in the worker's state, so that the reset does not change it.
#[derive(Debug)]
#[repr(transparent)]
pub struct Window(AtomicU64);

/// Maps the stack.
pub(super) fn map(window: &Window) -> sys::Result<()> {
    const MAP_GROWSDOWN: u32 = 0x100;
    use sys::{MAP_ANONYMOUS, MAP_FIXED_NOREPLACE, MAP_PRIVATE, PROT_READ, PROT_WRITE};
    limit_growth();
    let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_GROWSDOWN;
    // SAFETY: never replaces a mapping.
    unsafe { sys::mmap(TOP - WINDOW.0, WINDOW.0, PROT_READ | PROT_WRITE, flags, -1, 0) }?;
    window.0.store(WINDOW.0, Ordering::Relaxed);
    Ok(())
}

/// Address that a run starts from.
pub(super) fn top() -> u64 {
    TOP
}

/// Resets the stack.
pub(super) fn reset(window: &Window) {
    let mut kept = window.0.load(Ordering::Relaxed);
    while is_mapped(TOP - kept - PAGE) {
        if kept == WINDOW.1 {
            // SAFETY: no run is active; the kernel unmaps the mapped part.
            let _ = unsafe { sys::munmap(STACK_BASE, STACK_LEN - kept) };
            break;
        }
        // The next run will probably be as deep.
        kept = (kept * 2).min(WINDOW.1);
        touch(TOP - kept);
        window.0.store(kept, Ordering::Relaxed);
    }
    // SAFETY: mapped, writable, and no run is active.
    unsafe { memory::zero(TOP - kept, kept) };
}

/// End of the stack, if it contains `address`.
pub(super) fn end_above(address: u64) -> Option<u64> {
    (STACK_BASE..TOP).contains(&address).then_some(TOP)
}

/// True if a failed access to `address` indicates a stack overflow.
pub(super) fn is_overflow(address: u64) -> bool {
    (STACK_BASE - GAP..TOP).contains(&address)
}

fn is_mapped(page: u64) -> bool {
    page >= STACK_BASE && sys::mincore(page, PAGE, &mut [0])
}

/// Makes the stack grow down to `address`.
fn touch(address: u64) {
    // SAFETY: the mapping grows to hold the address, as for the unit itself.
    unsafe { (address as *mut u8).write_volatile(0) };
}

/// Sets the process's limit, up to which the kernel lets a stack grow, to the length reserved for this stack.
fn limit_growth() {
    const PRLIMIT64: usize = 302;
    const RLIMIT_STACK: usize = 3;
    let mut limit = [0u64; 2];
    let old = &raw mut limit as usize;
    // SAFETY: both structures live for the calls.
    unsafe {
        if sys::call(PRLIMIT64, [0, RLIMIT_STACK, 0, old, 0, 0]).is_ok() && limit[0] != STACK_LEN {
            limit[0] = STACK_LEN.min(limit[1]);
            let _ = sys::raw(PRLIMIT64, [0, RLIMIT_STACK, &raw const limit as usize, 0, 0, 0]);
        }
    }
}
