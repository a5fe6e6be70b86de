//! Time and memory limits of a check: Bitwuzla polls, and stops when told.

use std::cell::Cell;
use std::ffi::c_void;
use std::time::Instant;

use tine_expr::Reason;

use super::ffi;
use crate::Limits;

/// Keeps C++ code of this thread from having much more than it may, while a query is answered.
///
/// Past the limit the solver is told to stop, when it polls next ([`Watch`]), and no more terms are made. Where it does not
/// poll, it gets no more memory at twice the limit, or in twice the time. That is an exception, and what it went through is never
/// deleted, for that may crash; so it is the last resort.
#[derive(Clone, Copy, Debug)]
pub(super) struct MemoryLimit {
    bytes: i64,
}

impl Default for MemoryLimit {
    /// None.
    fn default() -> Self {
        Self { bytes: i64::MAX }
    }
}

/// A table that grows by doubling needs so much at once even in small queries.
const BURST: i64 = 64 << 20;

impl MemoryLimit {
    /// Until [`Self::stop`], which is called however the query ends.
    pub(super) fn start(limits: &Limits) -> Self {
        // SAFETY: reads a number of this thread.
        let used = unsafe { ffi::tine_memory_used() };
        let allowed = i64::try_from(limits.memory_mb << 20).ok().filter(|allowed| *allowed > 0);
        let bytes = allowed.map_or(i64::MAX, |allowed| used.saturating_add(allowed));
        let last = allowed.map_or(i64::MAX, |allowed| bytes.saturating_add(allowed).saturating_add(BURST));
        let time = i64::try_from(limits.time().as_nanos()).map_or(i64::MAX, |time| time.saturating_mul(2));
        // SAFETY: sets numbers of this thread; whatever allocates in C++ is called through the guard.
        unsafe { ffi::tine_limit(last, time) };
        Self { bytes }
    }

    /// Whether it is time to stop.
    pub(super) fn is_reached(self) -> bool {
        // SAFETY: reads a number of this thread.
        self.bytes < unsafe { ffi::tine_memory_used() }
    }

    pub(super) fn stop() {
        // SAFETY: sets numbers of this thread.
        unsafe { ffi::tine_limit(i64::MAX, i64::MAX) };
    }
}

/// Looks at the clock and at the memory whenever the solver polls.
#[derive(Debug, Default)]
pub(super) struct Watch {
    /// And when time is up by them.
    limits: Cell<Option<(Limits, Instant)>>,
    memory: Cell<MemoryLimit>,
    exceeded: Cell<Option<Limit>>,
}

#[derive(Clone, Copy, Debug)]
enum Limit {
    Time,
    Memory,
}

impl Watch {
    pub(super) fn start(&self, limits: &Limits, memory: MemoryLimit) {
        self.limits.set(Some((*limits, Instant::now() + limits.time())));
        self.memory.set(memory);
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
            if self.limits.get().is_some_and(|(limits, end)| Instant::now() >= end || limits.is_stopped()) {
                self.exceeded.set(Some(Limit::Time));
            } else if self.memory.get().is_reached() {
                self.exceeded.set(Some(Limit::Memory));
            }
        }
        self.exceeded.get().is_some()
    }
}

pub(super) extern "C" fn on_poll(watch: *mut c_void) -> i32 {
    // SAFETY: `Stack::new` passed a watch that outlives the solver; it is shared by this thread only.
    let watch = unsafe { &*watch.cast::<Watch>() };
    watch.poll() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Destructors and their like promise to throw nothing, which would be the end of the process.
    #[test]
    fn limits_are_no_end_where_no_exception_may_be() {
        // SAFETY: reads and sets numbers of this thread, and asks for memory behind the guard.
        let survives = |bytes: i64| unsafe {
            ffi::tine_limit(ffi::tine_memory_used() + bytes, i64::MAX);
            ffi::tine_survives_noexcept()
        };
        assert!(survives(1000) && survives(1000));
        // Within the limit there is nothing to survive.
        assert!(!survives(1 << 24));
        MemoryLimit::stop();
    }
}
