//! The runtime's part of the sandbox: the trap. It sees the changes of a run, redirects writes to copies and notes
//! refusals. Protection is the engine's part: its filters and Landlock are in force before the program starts, also in
//! a replay (`executor/src/sandbox`).

use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use tine_trace::segment::{SANDBOX_CALLS, SANDBOX_FILES, SANDBOX_TIME};

use super::native::Line;
use super::state::{self, Role};
use super::{clock, context, filter, overlay, signals, trap};
use crate::sys;

/// Bits of `SANDBOX_*`: the protections in force.
static PARTS: AtomicU32 = AtomicU32::new(0);
/// True if the trap is installed.
static WATCHES: AtomicBool = AtomicBool::new(false);

/// Installs the trap for this process and its forks, once, if `parts` contains filtering of calls. Returns the parts
/// that are in force. `scratch` ends with a zero byte.
pub(super) fn watch(scratch: Option<&'static [u8]>, parts: u32) -> u32 {
    let parts = parts & (SANDBOX_FILES | SANDBOX_CALLS);
    // Must be set before the first trap.
    PARTS.store(parts, Ordering::Relaxed);
    if parts & SANDBOX_CALLS == 0 || WATCHES.load(Ordering::Relaxed) {
        return parts;
    }
    if signals::install_trap().is_err() || !filter::install() {
        // Without the trap, changes of a run are not visible: each run gets a separate process.
        return parts & !SANDBOX_CALLS;
    }
    WATCHES.store(true, Ordering::Relaxed);
    if let Some(scratch) = scratch {
        overlay::install(scratch);
    }
    parts
}

/// As [`watch`], for the program itself, which has virtual time. Constructors have real time, because they are not
/// explored.
pub(super) fn watch_program(scratch: Option<&'static [u8]>, parts: u32) -> u32 {
    let parts = watch(scratch, parts);
    let is_virtual = parts & SANDBOX_CALLS != 0 && clock::install();
    parts | if is_virtual { SANDBOX_TIME } else { 0 }
}

/// True if Landlock is in force.
pub(super) fn keeps_files() -> bool {
    PARTS.load(Ordering::Relaxed) & SANDBOX_FILES != 0
}

/// Installs the trap for a replay. `scratch` ends with a zero byte.
pub(super) fn guard(scratch: &'static [u8], parts: u32) {
    if state::map().is_err() || signals::install_stack().is_err() {
        Line::new().text("tine: no address space for the sandbox (is it limited, by `ulimit -v`?)").write();
        sys::exit_group(125);
    }
    state::set_role(Role::Guarded);
    state::get().thread.store(context::thread_pointer(), Ordering::Relaxed);
    watch_program(Some(scratch), parts);
    trap::note_early();
}
