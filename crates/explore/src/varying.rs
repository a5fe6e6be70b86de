//! When to run a mutated input ([`Job::Vary`](crate::Job::Vary)).
//!
//! Solving takes the sides that some run came to and did not take. What is left of a large program are sides whose conditions are no
//! inputs any more by then: an option that was set, how long a text was. They need another run altogether, and one made of
//! parts of others is as good a guess as a random path, and costs no query. How many of the runs are such follows from what
//! they cover, compared with the rest.

/// Jobs without new coverage before the first.
const LONG_IN_VAIN: u64 = 64;
/// Their part of all runs, at least and at most, once it has come to that.
const LEAST: f64 = 0.25;
const MOST: f64 = 0.5;
/// Their part of all decisions: nobody knows beforehand how often they go round in loops, which may take as long as hundreds of others.
const PART_OF_DECISIONS: u64 = 2;
/// Share of gain and runs that remains after each further run of a kind.
const FADE: f64 = 0.995;

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Varying {
    /// Jobs since one covered something.
    in_vain: u64,
    /// Runs that solving led to, and varied ones.
    kinds: [Kind; 2],
    /// Parts of a run that are due.
    owed: f64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Kind {
    n_decisions: u64,
    /// Lately.
    n_runs: f64,
    n_covered: f64,
}

impl Kind {
    /// Sides for each run, as if there had been one and a tenth of a side before.
    fn rate(&self) -> f64 {
        (self.n_covered + 0.1) / (self.n_runs + 1.0)
    }
}

impl Varying {
    /// Asked before each job: whether to make it one of these.
    pub(crate) fn is_due(&mut self) -> bool {
        let [solved, varied] = &self.kinds;
        if self.in_vain < LONG_IN_VAIN && varied.n_decisions == 0 {
            return false;
        }
        self.owed += (varied.rate() / (varied.rate() + solved.rate())).clamp(LEAST, MOST);
        if self.owed < 1.0 {
            return false;
        }
        self.owed -= 1.0;
        varied.n_decisions <= (varied.n_decisions + solved.n_decisions) / PART_OF_DECISIONS
    }

    /// A job came back with a run of so many decisions, the first to cover so many sides.
    pub(crate) fn ran(&mut self, is_varied: bool, n_decisions: u64, n_covered: usize) {
        let kind = &mut self.kinds[usize::from(is_varied)];
        kind.n_decisions += n_decisions;
        kind.n_runs = kind.n_runs * FADE + 1.0;
        kind.n_covered = kind.n_covered * FADE + n_covered as f64;
        self.in_vain = if n_covered == 0 { self.in_vain + 1 } else { 0 };
    }

    /// A job came back without.
    pub(crate) fn was_in_vain(&mut self) {
        self.in_vain += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Varied runs of the last 1,000 of 3,000, where runs of each kind cover something so often (each so many).
    fn n_varied(every: [u64; 2]) -> u64 {
        let mut varying = Varying::default();
        let mut n_runs = [0u64, 0];
        let mut n_varied = 0;
        for run in 0..3000 {
            let is_varied = varying.is_due();
            let n = &mut n_runs[usize::from(is_varied)];
            *n += 1;
            varying.ran(is_varied, 10, usize::from(n.is_multiple_of(every[usize::from(is_varied)])));
            n_varied += u64::from(is_varied && run >= 2000);
        }
        n_varied
    }

    #[test]
    fn who_covers_more_gets_more() {
        assert_eq!(n_varied([20, u64::MAX]), 0, "solving brings something all the time");
        assert!((245..=255).contains(&n_varied([200, u64::MAX])), "what brings nothing gets its least");
        assert!((480..=500).contains(&n_varied([u64::MAX, 20])), "never more than half");
        assert!((400..=500).contains(&n_varied([100, 100])));
    }

    #[test]
    fn long_runs_are_had_less_often() {
        let mut varying = Varying::default();
        (0..LONG_IN_VAIN).for_each(|_| varying.was_in_vain());
        let mut n_varied = 0;
        for _ in 0..1000 {
            let is_varied = varying.is_due();
            n_varied += u64::from(is_varied);
            varying.ran(is_varied, if is_varied { 5000 } else { 10 }, 0);
        }
        assert!((1..10).contains(&n_varied), "{n_varied}");
    }
}
