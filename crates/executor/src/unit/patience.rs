//! How long a run may take. At first as long as the user says; once some runs took all of it, that is: were endless
//! loops, later ones are given up when they take far longer than any run that ended. One that ends when it is not recorded was
//! none of them.
//!
//! A structure with a cycle in it makes many a loop endless, and each would cost the whole time again.

use std::time::Duration;

/// Runs that get the whole time.
const PATIENT: u32 = 3;
/// "Far longer."
const FACTOR: u32 = 20;
/// The least share of the time.
const SHARE: u32 = 40;

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

    /// The last run that timed out is no endless loop.
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
