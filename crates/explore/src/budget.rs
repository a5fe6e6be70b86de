//! Limits that end an exploration although branches are still open. The caller passes the elapsed time.

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
    /// No branch is open.
    Exhausted,
    MaxRuns,
    MaxTime,
    /// The engine has reached its memory limit.
    MaxMemory,
    /// The user or a supervising component requested the stop.
    Interrupted,
}

impl Budget {
    /// Returns the limit that was reached, if any.
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
