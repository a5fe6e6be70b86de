//! Time and memory limits of a check: Bitwuzla polls, and stops when told.

use std::cell::Cell;
use std::ffi::c_void;
use std::time::{Duration, Instant};

use tine_expr::Reason;

use crate::Limits;

/// Looks at the clock whenever the solver polls, and at the process's memory now and then.
#[derive(Debug, Default)]
pub(super) struct Watch {
    deadline: Cell<Option<Instant>>,
    /// How much the process may grow, in pages; 0 is no limit.
    growth: Cell<u64>,
    /// What it had when first looked at.
    base: Cell<Option<u64>>,
    n_polls: Cell<u32>,
    exceeded: Cell<Option<Limit>>,
}

#[derive(Clone, Copy, Debug)]
enum Limit {
    Time,
    Memory,
}

/// Reading the process's memory costs microseconds, the clock nanoseconds.
const POLLS_PER_MEMORY_CHECK: u32 = 256;
const PAGE: u64 = 4096;

impl Watch {
    pub(super) fn start(&self, limits: &Limits) {
        self.deadline.set(Some(Instant::now() + Duration::from_millis(limits.timeout_ms)));
        self.growth.set(limits.memory_mb * 1024 * 1024 / PAGE);
        self.base.set(None);
        self.n_polls.set(0);
        self.exceeded.set(None);
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
            if self.deadline.get().is_some_and(|deadline| Instant::now() >= deadline) {
                self.exceeded.set(Some(Limit::Time));
            } else if n % POLLS_PER_MEMORY_CHECK == POLLS_PER_MEMORY_CHECK - 1 && self.has_outgrown() {
                self.exceeded.set(Some(Limit::Memory));
            }
        }
        self.exceeded.get().is_some()
    }

    fn has_outgrown(&self) -> bool {
        let pages = resident_pages();
        let base = self.base.get().unwrap_or(pages);
        self.base.set(Some(base));
        self.growth.get() > 0 && pages.saturating_sub(base) > self.growth.get()
    }
}

/// Memory of this process; 0 where the system does not tell.
fn resident_pages() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    statm.split_whitespace().nth(1).and_then(|pages| pages.parse().ok()).unwrap_or(0)
}

pub(super) extern "C" fn on_poll(watch: *mut c_void) -> i32 {
    // SAFETY: `Stack::new` passed a watch that outlives the solver; it is shared by this thread only.
    let watch = unsafe { &*watch.cast::<Watch>() };
    watch.poll() as i32
}
