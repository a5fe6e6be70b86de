//! The sandbox of this process and of what it forks: files by Landlock, other system calls by the filter and the trap.
//! A unit under an engine has it, and so has a replay, which has no engine.

use core::sync::atomic::{AtomicU32, Ordering};

use tine_trace::segment::{SANDBOX_CALLS, SANDBOX_FILES, SANDBOX_TIME};

use super::native::Line;
use super::state::{self, Role};
use super::{clock, context, filter, landlock, overlay, signals};
use crate::sys::{self, nr};

/// Bits of `SANDBOX_*`: what there is of it.
static PARTS: AtomicU32 = AtomicU32::new(0);

/// Restricts this process; the bits of `SANDBOX_*` that the kernel has. `scratch` ends with a zero byte; `lifted` allows
/// processes and sockets.
pub(super) fn restrict(scratch: Option<&'static [u8]>, lifted: bool) -> u32 {
    const PR_SET_NO_NEW_PRIVS: usize = 38;
    // SAFETY: changes a flag of the process, which both parts need.
    let _ = unsafe { sys::raw(nr::PRCTL, [PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0, 0]) };
    let mut parts = 0;
    if landlock::restrict(scratch) {
        parts |= SANDBOX_FILES;
    }
    // Before the first trap.
    PARTS.store(parts, Ordering::Relaxed);
    // What the unit starts could not live under the filter: its traps need our handler. Without the filter
    // nobody sees what a run changes, so each gets a process of its own.
    if !lifted && signals::install_trap().is_ok() && filter::install() {
        parts |= SANDBOX_CALLS;
        if clock::install() {
            parts |= SANDBOX_TIME;
        }
        if let Some(scratch) = scratch {
            overlay::install(scratch);
        }
    }
    PARTS.store(parts, Ordering::Relaxed);
    parts
}

/// Whether Landlock is there.
pub(super) fn keeps_files() -> bool {
    PARTS.load(Ordering::Relaxed) & SANDBOX_FILES != 0
}

/// For a replay: from here on the program does no harm. `scratch` ends with a zero byte.
pub(super) fn guard(scratch: &'static [u8]) {
    if state::map().is_err() || signals::install_stack().is_err() {
        Line::new().text("tine: no address space for the sandbox (is it limited, by `ulimit -v`?)").write();
        sys::exit_group(125);
    }
    state::set_role(Role::Guarded);
    state::get().thread.store(context::thread_pointer(), Ordering::Relaxed);
    let missing = match restrict(Some(scratch), false) & !SANDBOX_TIME {
        0 => "Landlock and seccomp: the program runs without a sandbox",
        SANDBOX_FILES => "seccomp: the program may start processes and open sockets",
        SANDBOX_CALLS => "Landlock: writing files is refused",
        _ => return,
    };
    Line::new().text("tine: warning: this kernel has no ").text(missing).write();
}
