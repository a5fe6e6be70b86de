//! Schedule of mutated inputs ([`Job::Mutate`](crate::Job::Mutate)).
//!
//! Solving covers the sides of branches that runs reached. In a large program, many remaining sides have conditions
//! that no longer depend on the input when they are evaluated, such as an option or the length of a string. They need a
//! completely different run. An input that combines parts of other inputs is as good a guess as a random path, and
//! costs no query. The share of such runs follows from their coverage, compared with the other runs.

/// Number of jobs without new coverage before the first mutated input.
const LONG_IN_VAIN: u64 = 64;
/// Minimum and maximum share of mutated inputs in all runs from then on.
const LEAST: f64 = 0.25;
const MOST: f64 = 0.5;
/// Mutated runs may make at most one part in this many of all decisions. Their loops may repeat unpredictably often, so
/// that one run takes as long as hundreds of others.
const PART_OF_DECISIONS: u64 = 2;
/// Factor for the weight of older gain and runs, applied after each further run of a kind.
const FADE: f64 = 0.995;

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mutations {
    /// Jobs since the last one with new coverage.
    in_vain: u64,
    /// Statistics of solved runs and of mutated runs.
    kinds: [Kind; 2],
    /// Fraction of a mutated run that is due.
    owed: f64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Kind {
    n_decisions: u64,
    /// Number of recent runs. Older runs fade.
    n_runs: f64,
    n_covered: f64,
}

impl Kind {
    /// Covered sides per run, with one additional run that covered a tenth of a side.
    fn rate(&self) -> f64 {
        (self.n_covered + 0.1) / (self.n_runs + 1.0)
    }
}

impl Mutations {
    /// Returns true if the next job should be a mutated input. Must be called before each job.
    pub(crate) fn is_due(&mut self) -> bool {
        let [solved, mutated] = &self.kinds;
        if self.in_vain < LONG_IN_VAIN && mutated.n_decisions == 0 {
            return false;
        }
        self.owed += (mutated.rate() / (mutated.rate() + solved.rate())).clamp(LEAST, MOST);
        if self.owed < 1.0 {
            return false;
        }
        self.owed -= 1.0;
        mutated.n_decisions <= (mutated.n_decisions + solved.n_decisions) / PART_OF_DECISIONS
    }

    /// Records a job with a run, with the number of its decisions and of the sides that it was the first to cover.
    pub(crate) fn ran(&mut self, is_mutated: bool, n_decisions: u64, n_covered: usize) {
        let kind = &mut self.kinds[usize::from(is_mutated)];
        kind.n_decisions += n_decisions;
        kind.n_runs = kind.n_runs * FADE + 1.0;
        kind.n_covered = kind.n_covered * FADE + n_covered as f64;
        self.in_vain = if n_covered == 0 { self.in_vain + 1 } else { 0 };
    }

    /// Records a job without a run.
    pub(crate) fn was_in_vain(&mut self) {
        self.in_vain += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Number of mutated runs among the last 1,000 of 3,000, if every `every[kind]`-th run of a kind covers something
    /// new.
    fn n_mutated(every: [u64; 2]) -> u64 {
        let mut mutations = Mutations::default();
        let mut n_runs = [0u64, 0];
        let mut n_mutated = 0;
        for run in 0..3000 {
            let is_mutated = mutations.is_due();
            let n = &mut n_runs[usize::from(is_mutated)];
            *n += 1;
            mutations.ran(is_mutated, 10, usize::from(n.is_multiple_of(every[usize::from(is_mutated)])));
            n_mutated += u64::from(is_mutated && run >= 2000);
        }
        n_mutated
    }

    #[test]
    fn who_covers_more_gets_more() {
        assert_eq!(n_mutated([20, u64::MAX]), 0, "solving brings something all the time");
        assert!((245..=255).contains(&n_mutated([200, u64::MAX])), "what brings nothing gets its least");
        assert!((480..=500).contains(&n_mutated([u64::MAX, 20])), "never more than half");
        assert!((400..=500).contains(&n_mutated([100, 100])));
    }

    #[test]
    fn long_runs_are_had_less_often() {
        let mut mutations = Mutations::default();
        (0..LONG_IN_VAIN).for_each(|_| mutations.was_in_vain());
        let mut n_mutated = 0;
        for _ in 0..1000 {
            let is_mutated = mutations.is_due();
            n_mutated += u64::from(is_mutated);
            mutations.ran(is_mutated, if is_mutated { 5000 } else { 10 }, 0);
        }
        assert!((1..10).contains(&n_mutated), "{n_mutated}");
    }
}
