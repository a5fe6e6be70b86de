//! Schedule of restarts ([`Job::Fresh`](crate::Job::Fresh)): runs of inputs with random and boundary values.
//!
//! A search starts with zeros and changes only the values it must. Some errors are far from there: a loop that zeros
//! leave at once, or a value that is lost on the way and has to be guessed. Some restarts take place while a search
//! covers nothing new, with growing distance. Others take place when nothing is open and something was left out,
//! because they may reach decisions from which the search can continue.

use tine_trace::fill::RESTART;

use crate::strategy::Random;

/// Number of jobs without new coverage before the first restart.
const FIRST: u64 = 24;
/// Number of restarts per group while a search is going on. The next group is due when the number of jobs has doubled.
const GROUP: u32 = 4;
/// Number of runs without news after which restarts stop at the end of a search.
const PATIENCE: u32 = 48;
/// A run that reached its time limit counts as this many runs.
const SLOW: u32 = 8;

#[derive(Clone, Debug)]
pub(crate) struct Restarts {
    /// Seed, drawn from `--seed`; `None` disables restarts.
    seed: Option<u64>,
    n_handed_out: u64,
    /// Jobs since the last one with news.
    in_vain: u64,
    /// Number of restarts that are due now.
    due: u32,
    /// Number of jobs at which the next group is due.
    next: u64,
    n_jobs: u64,
    /// Runs without news since nothing was open.
    in_vain_at_end: u32,
}

impl Restarts {
    pub(crate) fn new(seed: Option<u64>) -> Restarts {
        Restarts { seed, n_handed_out: 0, in_vain: 0, due: 0, next: FIRST, n_jobs: 0, in_vain_at_end: 0 }
    }

    /// Returns true if the next job of the search should be a restart. Must be called before each job.
    pub(crate) fn is_due(&mut self) -> bool {
        if self.seed.is_none() {
            return false;
        }
        if self.due == 0 && self.in_vain >= FIRST && self.n_jobs >= self.next {
            self.due = GROUP;
            self.next = self.n_jobs * 2;
        }
        let is_due = self.due > 0;
        self.due -= u32::from(is_due);
        is_due
    }

    /// True if another restart is worthwhile although nothing is open.
    pub(crate) fn goes_on_at_end(&self) -> bool {
        self.seed.is_some() && self.in_vain_at_end < PATIENCE
    }

    /// Returns the seed of the next input.
    pub(crate) fn next_seed(&mut self) -> u64 {
        self.n_handed_out += 1;
        let seed = self.seed.unwrap_or_default() ^ self.n_handed_out << 32;
        Random::new(seed).number() | RESTART
    }

    /// Records a finished job. `has_news` is true if it covered something new or showed a new error.
    pub(crate) fn did(&mut self, is_fresh: bool, has_news: bool, is_slow: bool) {
        self.n_jobs += 1;
        self.in_vain = if has_news { 0 } else { self.in_vain + 1 };
        if has_news {
            self.in_vain_at_end = 0;
        } else if is_fresh {
            self.in_vain_at_end = self.in_vain_at_end.saturating_add(if is_slow { SLOW } else { 1 });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of the jobs that become restarts, of 1000 jobs without news.
    fn fresh(restarts: &mut Restarts) -> Vec<u64> {
        let is_due = |restarts: &mut Restarts| {
            let is_due = restarts.is_due();
            restarts.did(is_due, false, false);
            is_due
        };
        (0..1000).filter(|_| is_due(restarts)).collect()
    }

    #[test]
    fn groups_come_ever_more_rarely() {
        let wanted: Vec<u64> = [24, 48, 96, 192, 384, 768].iter().flat_map(|first| *first..first + 4).collect();
        assert_eq!(fresh(&mut Restarts::new(Some(0))), wanted);
        assert_eq!(fresh(&mut Restarts::new(None)), []);
    }

    #[test]
    fn the_end_comes_after_some_runs_in_vain() {
        let mut restarts = Restarts::new(Some(7));
        (0..PATIENCE - 1).for_each(|_| restarts.did(true, false, false));
        assert!(restarts.goes_on_at_end());
        restarts.did(true, true, false);
        (0..PATIENCE / SLOW).for_each(|_| restarts.did(true, false, true));
        assert!(!restarts.goes_on_at_end());
        restarts.did(false, true, false);
        assert!(restarts.goes_on_at_end(), "new code may lead to more");
    }

    #[test]
    fn seeds_are_marked_and_differ() {
        let mut restarts = Restarts::new(Some(0));
        let seeds: std::collections::BTreeSet<u64> = (0..100).map(|_| restarts.next_seed()).collect();
        assert_eq!(seeds.len(), 100);
        assert!(seeds.iter().all(|seed| seed & RESTART != 0));
    }
}
