//! Decides whether to try an expensive step that may not help: always while it helps now and then, and exponentially
//! less often while it does not.
//!
//! It counts and reads no clock, so the same queries are answered in the same way.

/// Failed attempts before any is skipped.
const PATIENCE: u32 = 8;
/// At least one in this many opportunities is taken.
const LEAST: u32 = 64;

/// Skips more and more opportunities for something that does not help.
#[derive(Clone, Copy, Debug, Default)]
pub struct Backoff {
    /// Failed attempts since the last that helped.
    n_failed: u32,
    /// Opportunities to skip before the next attempt.
    n_skipped: u32,
}

impl Backoff {
    /// Returns true if the step should be tried this time. The caller must then call [`Backoff::tried`].
    pub fn is_due(&mut self) -> bool {
        let Some(left) = self.n_skipped.checked_sub(1) else { return true };
        self.n_skipped = left;
        false
    }

    /// Records an attempt.
    pub fn tried(&mut self, helped: bool) {
        self.n_failed = if helped { 0 } else { self.n_failed.saturating_add(1) };
        let beyond = self.n_failed.saturating_sub(PATIENCE);
        self.n_skipped = 1u32.checked_shl(beyond).unwrap_or(u32::MAX).min(LEAST) - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Opportunities out of `n` that are taken, if those in `helps` help.
    fn tried(n: u32, helps: &[u32]) -> Vec<u32> {
        let mut backoff = Backoff::default();
        let mut tried = Vec::new();
        for k in 0..n {
            if backoff.is_due() {
                tried.push(k);
                backoff.tried(helps.contains(&k));
            }
        }
        tried
    }

    #[test]
    fn helpful_steps_are_always_tried() {
        assert_eq!(tried(40, &[7, 14, 21, 28, 35]).len(), 40);
    }

    #[test]
    fn failing_steps_are_tried_less_and_less_often() {
        assert_eq!(tried(50, &[]), [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 14, 22, 38]);
        assert_eq!(tried(400, &[]).last_chunk(), Some(&[198, 262, 326, 390]));
        assert_eq!(tried(30, &[22]), [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 14, 22, 23, 24, 25, 26, 27, 28, 29]);
    }
}
