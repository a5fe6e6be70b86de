//! Time limit of a run. At first it is the user's limit. After some endless loops used all of it, later runs are
//! stopped when they take far longer than any run that ended. A run that ends without recording does not count as such
//! a loop.
//!
//! A structure with a cycle makes many loops infinite, and each would use the whole time limit again.

use std::time::Duration;

/// Number of runs that get the whole time.
const PATIENT: u32 = 3;
/// Factor over the longest run that ended.
const FACTOR: u32 = 20;
/// Smallest share of the time: 1 / `SHARE`.
const SHARE: u32 = 40;

/// Time limit of a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Allowance {
    /// Wall-clock time.
    time: Duration,
    /// Processor time that a computing run may use even after its time is up, so that a busy machine does not cause
    /// timeouts.
    computing: Duration,
}

/// Instrumented code is slower even when it does not record, with grep up to seven times. So an unrecorded run may
/// compute this multiple of the limit before it counts as an endless loop.
const UNRECORDED: u32 = 4;
/// A run that used less than 1 / `IDLE` of the wall-clock time as processor time is waiting.
const IDLE: u32 = 50;
/// Maximum multiple of the wall-clock limit.
const MOST: u32 = 40;

impl Allowance {
    pub(super) fn of(time: Duration) -> Allowance {
        Allowance { time, computing: Duration::ZERO }
    }

    /// Allowance of a run that is not recorded.
    pub(super) fn unrecorded(timeout: Duration) -> Allowance {
        Allowance { time: timeout, computing: timeout.saturating_mul(UNRECORDED) }
    }

    pub(super) fn time(&self) -> Duration {
        self.time
    }

    /// Processor time that a computing run may use even after its time is up.
    pub(super) fn computing(&self) -> Duration {
        self.computing
    }

    /// True if a run that has used up its time may go on, because its processor time `computed` is below the limit.
    pub(super) fn goes_on(&self, elapsed: Duration, computed: impl FnOnce() -> Duration) -> bool {
        if self.computing.is_zero() || elapsed >= self.time.saturating_mul(MOST) {
            return false;
        }
        let computed = computed();
        computed >= elapsed / IDLE && computed < self.computing
    }
}

impl Allowance {
    /// True if a run spent its time waiting. Only meaningful for a process that has made no other run.
    pub(super) fn has_waited(&self, elapsed: Duration, computed: impl FnOnce() -> Duration) -> bool {
        !self.computing.is_zero() && computed() < elapsed / IDLE
    }
}

#[derive(Debug, Default)]
pub(super) struct Patience {
    n_timeouts: u32,
    slowest: Duration,
}

impl Patience {
    pub(super) fn limit(&self, timeout: Duration) -> Duration {
        if self.n_timeouts < PATIENT { timeout } else { (self.slowest * FACTOR).clamp(timeout / SHARE, timeout) }
    }

    pub(super) fn timed_out(&mut self) {
        self.n_timeouts += 1;
    }

    /// Records that the last run that timed out was not an endless loop.
    pub(super) fn was_slow(&mut self) {
        self.n_timeouts = self.n_timeouts.saturating_sub(1);
    }

    pub(super) fn ended_after(&mut self, time: Duration) {
        self.slowest = self.slowest.max(time);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patience_ends_with_the_third_endless_loop() {
        let (second, ms) = (Duration::from_secs(1), Duration::from_millis);
        let mut patience = Patience::default();
        patience.ended_after(ms(2));
        patience.ended_after(ms(1));
        patience.timed_out();
        patience.timed_out();
        assert_eq!(patience.limit(second), second);
        patience.timed_out();
        assert_eq!(patience.limit(second), ms(40));
        assert_eq!(patience.limit(second * 10), ms(250));
        patience.ended_after(ms(300));
        assert_eq!(patience.limit(second), second);
    }

    #[test]
    fn what_computes_goes_on_for_a_while() {
        let (second, ms) = (Duration::from_secs(1), Duration::from_millis);
        let unrecorded = |elapsed, computed| Allowance::unrecorded(second).goes_on(ms(elapsed), || ms(computed));
        // An idle machine, a busy one, and the maximum.
        assert_eq!([(1000, 990), (3990, 3980), (30000, 3000)].map(|(e, c)| unrecorded(e, c)), [true; 3]);
        assert_eq!([(1000, 5), (4100, 4000), (40000, 3000)].map(|(e, c)| unrecorded(e, c)), [false; 3]);
        assert!(!Allowance::of(second).goes_on(second, || second));
        let has_waited = |computed| Allowance::unrecorded(second).has_waited(second, || ms(computed));
        assert!(has_waited(5) && !has_waited(500));
        assert!(!Allowance::of(second).has_waited(second, || ms(5)));
    }

    #[test]
    fn slow_runs_do_not_try_patience() {
        let second = Duration::from_secs(1);
        let mut patience = Patience::default();
        for _ in 0..PATIENT * 2 {
            patience.timed_out();
            patience.was_slow();
        }
        assert_eq!(patience.limit(second), second);
    }
}
