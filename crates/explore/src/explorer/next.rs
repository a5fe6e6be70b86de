//! Selection of the next job: first seed inputs, then the strategies' choices, and finally postponed branch sides.

use std::time::Duration;

use super::Explorer;
use crate::budget::StopReason;
use crate::job::Job;
use crate::reasons::Verdict;
use crate::step::{Next, Ticket};
use crate::strategy::PutOff;
use crate::tree::OpenBranch;

/// Branch sides that are postponed before the caller checks time and interruption again.
const MAX_PUT_OFF: u32 = 64;

impl Explorer {
    /// Ends the exploration if its budget is spent. For a caller that waits for jobs that are out.
    pub fn end_if_spent(&mut self, elapsed: Duration, interrupted: bool) -> Option<StopReason> {
        let spent = self.settings.budget.spent(self.counters.runs, elapsed);
        let reason = if interrupted { Some(StopReason::Interrupted) } else { spent };
        reason.map(|reason| self.stop(reason))
    }

    /// The next job, if there is one and the budget allows it.
    pub fn next(&mut self, elapsed: Duration, interrupted: bool) -> Next {
        self.next_for(0, elapsed, interrupted)
    }

    /// Returns the next job for one of several workers.
    pub fn next_for(&mut self, worker: usize, elapsed: Duration, interrupted: bool) -> Next {
        if let Some(reason) = self.stopped {
            return Next::Done(reason);
        }
        let nothing_open = self.started && self.seeds.is_empty() && self.tree.n_open() == 0;
        let is_exhausted = nothing_open && !self.waiting.has_given_up();
        if nothing_open && self.restarts_at_end(elapsed, interrupted) {
            return self.restart(worker);
        }
        if is_exhausted {
            return if !self.out.is_empty() { Next::Wait } else { Next::Done(self.stop(StopReason::Exhausted)) };
        }
        let spent = self.settings.budget.spent(self.counters.runs, elapsed);
        if let Some(reason) = if interrupted { Some(StopReason::Interrupted) } else { spent } {
            return Next::Done(self.stop(reason));
        }
        // All jobs that are out may turn into runs. Together they must not exceed the budget.
        if self.settings.budget.spent(self.counters.runs + self.out.len() as u64, elapsed).is_some() {
            return Next::Wait;
        }
        if !self.started {
            return self.hand_out(Job::Initial, None, worker, worker);
        }
        if nothing_open {
            return self.retry(worker);
        }
        if let Some(seed) = self.seeds.pop_front() {
            return self.hand_out(Job::Seed(seed), None, worker, worker);
        }
        let n_workers = self.strategies.len();
        if self.is_to_vary() {
            let number = self.n_tickets;
            return self.hand_out(Job::Mutate(number), None, worker, n_workers);
        }
        if self.coverage.n_covered() < self.map.n_sides() && self.restarts.is_due() {
            return self.restart(worker);
        }
        for asked in (worker..n_workers).chain(0..worker) {
            if let Some(next) = self.ask(asked, worker) {
                return next;
            }
        }
        match self.waiting.next(&mut self.tree) {
            Some(branch) => self.flip(branch, worker, worker),
            None => self.retry(worker),
        }
    }

    /// Returns a job for `worker`, chosen by the strategy of `asked`. Branches that this strategy puts off are
    /// postponed.
    fn ask(&mut self, asked: usize, worker: usize) -> Option<Next> {
        let strategy = &mut self.strategies[asked];
        if let Some(seed) = strategy.fresh() {
            return Some(self.hand_out(Job::Fresh(seed), None, worker, asked));
        }
        if asked == worker
            && let Some(branch) = self.waiting.affordable(&mut **strategy, &mut self.tree)
        {
            return Some(self.flip(branch, worker, asked));
        }
        let (map, coverage) = (&self.map, &self.coverage);
        for _ in 0..MAX_PUT_OFF {
            let branch = match asked == worker {
                true => strategy.next(&self.tree, map, coverage),
                false => strategy.next_for_another(&self.tree, map, coverage),
            }?;
            match strategy.puts_off(branch, &self.tree, map, coverage) {
                PutOff::No => return Some(self.flip(branch, worker, asked)),
                PutOff::ForItsCost => self.waiting.add_expensive(branch, &mut self.tree),
                PutOff::ToTheEnd => self.waiting.add_unlikely(branch, &mut self.tree),
            }
        }
        Some(Next::Again)
    }

    fn is_to_vary(&mut self) -> bool {
        self.settings.mutate && self.coverage.n_covered() < self.map.n_sides() && self.mutations.is_due()
    }

    /// True if random and boundary values are worth a run although nothing is open: something was left out, and budget
    /// is left.
    fn restarts_at_end(&self, elapsed: Duration, interrupted: bool) -> bool {
        self.out.is_empty()
            && !interrupted
            && self.restarts.goes_on_at_end()
            && self.settings.budget.spent(self.counters.runs, elapsed).is_none()
            && (self.waiting.has_given_up() || self.verdict_when_exhausted() == Verdict::Incomplete)
    }

    fn restart(&mut self, worker: usize) -> Next {
        let seed = self.restarts.next_seed();
        let n_workers = self.strategies.len();
        self.hand_out(Job::Fresh(seed), None, worker, n_workers)
    }

    fn flip(&mut self, branch: OpenBranch, worker: usize, asked: usize) -> Next {
        self.tree.switch_to(worker);
        let flip = self.tree.hand_out(branch);
        self.hand_out(Job::Flip(flip), Some(branch), worker, asked)
    }

    /// Tries a branch again that the solver gave up on, because nothing else is left.
    fn retry(&mut self, worker: usize) -> Next {
        match self.waiting.next_given_up() {
            Some((branch, flip)) => {
                self.counters.retried += 1;
                self.hand_out(Job::Retry(flip), Some(branch), worker, worker)
            }
            None if !self.out.is_empty() => Next::Wait,
            None => Next::Done(self.stop(StopReason::Exhausted)),
        }
    }

    fn hand_out(&mut self, job: Job, target: Option<OpenBranch>, worker: usize, asked: usize) -> Next {
        Next::Job(self.ticket(job, target, worker, asked))
    }

    pub(super) fn ticket(&mut self, job: Job, target: Option<OpenBranch>, worker: usize, asked: usize) -> Ticket {
        let flip = match job {
            Job::Flip(flip) | Job::Retry(flip) => Some(flip),
            Job::Initial | Job::Seed(_) | Job::Fresh(_) | Job::Mutate(_) => None,
        };
        let chosen_by = match job {
            Job::Initial => "first input",
            Job::Seed(_) => "seed inputs",
            Job::Mutate(_) => "mutation",
            Job::Retry(_) => "retries",
            // The restart was not chosen by a strategy.
            Job::Fresh(_) if asked == self.strategies.len() => "restarts",
            Job::Fresh(_) | Job::Flip(_) => self.strategies.get(asked).map_or("", |strategy| strategy.asking()),
        };
        self.started = true;
        self.n_tickets += 1;
        self.out.push((self.n_tickets, target));
        Ticket { job, number: self.n_tickets, flip, worker, asked, chosen_by }
    }
}
