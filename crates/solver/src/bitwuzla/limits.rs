//! Time and memory limits of a check: Bitwuzla polls, and stops when told.

use std::cell::Cell;
use std::ffi::c_void;
use std::time::{Duration, Instant};

use tine_expr::Reason;

use crate::Limits;

/// Looks at the clock whenever the solver polls, and at the process's memory now and then.
#[derive(Debug)]
pub(super) struct Watch {
    pub(super) deadline: Cell<Instant>,
    /// In pages, of the whole process.
    max_memory: u64,
    n_polls: Cell<u32>,
    pub(super) exceeded: Cell<Option<Limit>>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Limit {
    Time,
    Memory,
}

/// Reading the process's memory costs microseconds, the clock nanoseconds.
const POLLS_PER_MEMORY_CHECK: u32 = 256;
const PAGE: u64 = 4096;

impl Watch {
    pub(super) fn start(limits: &Limits) -> Self {
        let grown = limits.memory_mb * 1024 * 1024 / PAGE;
        Self {
            deadline: Cell::new(Instant::now() + Duration::from_millis(limits.timeout_ms)),
            max_memory: if grown == 0 { u64::MAX } else { resident_pages().saturating_add(grown) },
            n_polls: Cell::new(0),
            exceeded: Cell::new(None),
        }
    }

    /// Which limit stopped the check, if one did.
    pub(super) fn reason(&self) -> Option<Reason> {
        self.exceeded.get().map(|limit| match limit {
            Limit::Time => Reason::Timeout,
            Limit::Memory => Reason::Memory,
        })
    }

    fn poll(&self) -> bool {
        if self.exceeded.get().is_none() {
            let n = self.n_polls.replace(self.n_polls.get().wrapping_add(1));
            if Instant::now() >= self.deadline.get() {
                self.exceeded.set(Some(Limit::Time));
            } else if n % POLLS_PER_MEMORY_CHECK == POLLS_PER_MEMORY_CHECK - 1 && resident_pages() > self.max_memory {
                self.exceeded.set(Some(Limit::Memory));
            }
        }
        self.exceeded.get().is_some()
    }
}

/// Memory of this process; 0 where the system does not tell.
fn resident_pages() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    statm.split_whitespace().nth(1).and_then(|pages| pages.parse().ok()).unwrap_or(0)
}

pub(super) extern "C" fn on_poll(watch: *mut c_void) -> i32 {
    // SAFETY: `Check::new` passed a watch that outlives the solver; it is shared by this thread only.
    let watch = unsafe { &*watch.cast::<Watch>() };
    watch.poll() as i32
}
