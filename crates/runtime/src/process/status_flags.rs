//! Status flags of the descriptors that the process began with, such as `O_NONBLOCK`.
//!
//! The kernel keeps them in the open file, which other processes share: the runs that follow, and the programs that the
//! user has started from the same terminal. So the process keeps what the unit sets, and the kernel does not learn of it.

use core::sync::atomic::{AtomicU64, Ordering};

use super::policy::call;
use crate::sys;

const FSTAT: usize = 5;
const F_GETFL: usize = 3;
const F_SETFL: usize = 4;
/// The flags that `F_SETFL` changes: `O_APPEND`, `O_NONBLOCK`, `O_ASYNC`, `O_DIRECT`, `O_NOATIME`.
const CHANGEABLE: u64 = 0o2000 | 0o4000 | 0o20_000 | 0o40_000 | 0o1_000_000;
/// Set in an entry with flags.
const IS_SET: u64 = 1 << 63;
/// Numbers of the descriptors that a process begins with.
const N_INHERITED: usize = 3;

/// By number: the flags that the unit has set.
static FLAGS: [AtomicU64; N_INHERITED] = [const { AtomicU64::new(0) }; N_INHERITED];

/// True if a call of `fcntl` only reads the flags.
pub(super) fn is_query(arguments: [usize; 6]) -> bool {
    arguments[1] == F_GETFL
}

/// True if a call of `fcntl` sets the flags.
pub(super) fn is_change(arguments: [usize; 6]) -> bool {
    arguments[1] == F_SETFL
}

/// Performs a call that reads or sets the flags.
pub(super) fn perform(arguments: [usize; 6]) -> sys::Result<usize> {
    let perform = |command: usize, flags: usize| {
        // SAFETY: takes numbers only.
        unsafe { sys::call(call::FCNTL as usize, [arguments[0], command, flags, 0, 0, 0]) }
    };
    let flags = perform(F_GETFL, 0)?;
    let Some(kept) = inherited(arguments[0]) else {
        return if is_query(arguments) { Ok(flags) } else { perform(F_SETFL, arguments[2]) };
    };
    if is_query(arguments) {
        let set = kept.load(Ordering::Relaxed);
        return Ok(if set == 0 { flags } else { with(flags as u64, set) as usize });
    }
    kept.store(IS_SET | arguments[2] as u64, Ordering::Relaxed);
    Ok(0)
}

fn with(flags: u64, set: u64) -> u64 {
    flags & !CHANGEABLE | set & CHANGEABLE
}

/// The entry of the inherited descriptor that names the same file.
fn inherited(descriptor: usize) -> Option<&'static AtomicU64> {
    let file = file_of(descriptor)?;
    (0..N_INHERITED).find(|number| *number == descriptor || file_of(*number) == Some(file)).map(|number| &FLAGS[number])
}

/// Device and number of a file.
fn file_of(descriptor: usize) -> Option<(u64, u64)> {
    let mut status = [0u64; 18];
    // SAFETY: the kernel writes a `struct stat`, which has this size.
    unsafe { sys::call(FSTAT, [descriptor, status.as_mut_ptr() as usize, 0, 0, 0, 0]) }.ok()?;
    Some((status[0], status[1]))
}
