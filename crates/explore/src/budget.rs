//! When to stop although there is more to do. Time is told, not read.

use std::time::Duration;

/// Limits of an exploration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    pub max_runs: Option<u64>,
    pub max_time: Option<Duration>,
}

/// Why an exploration ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StopReason {
    /// Nothing is open any more.
    Exhausted,
    MaxRuns,
    MaxTime,
    /// The engine holds as much memory as it may.
    MaxMemory,
    /// The user, or what watches the exploration, asked for it.
    Interrupted,
}

impl Budget {
    pub fn spent(&self, runs: u64, elapsed: Duration) -> Option<StopReason> {
        if self.max_runs.is_some_and(|max| runs >= max) {
            Some(StopReason::MaxRuns)
        } else if self.max_time.is_some_and(|max| elapsed >= max) {
            Some(StopReason::MaxTime)
        } else {
            None
        }
    }
}
