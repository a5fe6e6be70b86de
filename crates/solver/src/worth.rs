//! Whether what may help, but costs, is tried: always while it helps now and then, ever less often while it does not.
//!
//! It counts and looks at no clock, so that the same queries are answered in the same way.

/// Tries in vain before any is left out.
const PATIENCE: u32 = 8;
/// Of so many one is tried at least.
const LEAST: u32 = 64;

#[derive(Clone, Copy, Debug, Default)]
pub struct Worth {
    /// Since it last helped.
    n_vain: u32,
    /// To be left out before the next try.
    n_left_out: u32,
}

impl Worth {
    /// Whether it is tried this time; [`Worth::tried`] has to follow.
    pub fn is_due(&mut self) -> bool {
        let Some(left) = self.n_left_out.checked_sub(1) else { return true };
        self.n_left_out = left;
        false
    }

    pub fn tried(&mut self, helped: bool) {
        self.n_vain = if helped { 0 } else { self.n_vain.saturating_add(1) };
        let beyond = self.n_vain.saturating_sub(PATIENCE);
        self.n_left_out = 1u32.checked_shl(beyond).unwrap_or(u32::MAX).min(LEAST) - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Which of so many are tried, if those in `helps` do.
    fn tried(n: u32, helps: &[u32]) -> Vec<u32> {
        let mut worth = Worth::default();
        let mut tried = Vec::new();
        for k in 0..n {
            if worth.is_due() {
                tried.push(k);
                worth.tried(helps.contains(&k));
            }
        }
        tried
    }

    #[test]
    fn what_helps_is_tried_always() {
        assert_eq!(tried(40, &[7, 14, 21, 28, 35]).len(), 40);
    }

    #[test]
    fn what_does_not_help_is_tried_ever_less_often() {
        assert_eq!(tried(50, &[]), [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 14, 22, 38]);
        assert_eq!(tried(400, &[]).last_chunk(), Some(&[198, 262, 326, 390]));
        assert_eq!(tried(30, &[22]), [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 14, 22, 23, 24, 25, 26, 27, 28, 29]);
    }
}
