//! Selection of the next job: first seed inputs, then the strategies' choices, and finally postponed branch sides.

use std::time::Duration;

use super::Explorer;
use crate::budget::StopReason;
use crate::job::Job;
use crate::reasons::Verdict;
use crate::step::{Next, Ticket};
use crate::strategy::{Action, Choice, Postponed, View};
use crate::tree::{OpenBranch, State};

/// Branch sides that are postponed before the caller checks time and interruption again.
const MAX_POSTPONED: u32 = 64;
/// Name for the choice of branch sides that were postponed earlier.
const POSTPONED: &str = "postponed";

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
            return self.hand_out(Job::Initial, None, worker, worker, "first input");
        }
        if nothing_open {
            return self.retry(worker);
        }
        if let Some(seed) = self.seeds.pop_front() {
            return self.hand_out(Job::Seed(seed), None, worker, worker, "seed inputs");
        }
        let n_workers = self.strategies.len();
        if self.is_to_vary() {
            let number = self.n_tickets;
            return self.hand_out(Job::Mutate(number), None, worker, n_workers, "mutation");
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
            Some(branch) => self.flip(branch, worker, worker, POSTPONED),
            None => self.retry(worker),
        }
    }

    /// Returns a job for `worker`, chosen by the strategy of `asked`.
    fn ask(&mut self, asked: usize, worker: usize) -> Option<Next> {
        for _ in 0..MAX_POSTPONED {
            let waiting = if asked == worker { self.waiting.first_expensive(&self.tree) } else { None };
            let (tree, map, coverage) = (&self.tree, &*self.map, &self.coverage);
            let view = View { tree, map, coverage, for_another: asked != worker, waiting };
            let strategy = &mut self.strategies[asked];
            let Choice { action, part } = strategy.next(&view)?;
            let chosen_by = part.unwrap_or(strategy.name());
            match action {
                Action::Try(branch) => return Some(self.flip(branch, worker, asked, chosen_by)),
                Action::Resume(branch) => {
                    self.waiting.resume_expensive(branch, &mut self.tree);
                    return Some(self.flip(branch, worker, asked, POSTPONED));
                }
                Action::Postpone(branch, Postponed::Expensive) => self.waiting.add_expensive(branch, &mut self.tree),
                Action::Postpone(branch, Postponed::Unlikely) => self.waiting.add_unlikely(branch, &mut self.tree),
                Action::Fresh(seed) => return Some(self.hand_out(Job::Fresh(seed), None, worker, asked, chosen_by)),
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
        self.hand_out(Job::Fresh(seed), None, worker, n_workers, "restarts")
    }

    fn flip(&mut self, branch: OpenBranch, worker: usize, asked: usize, chosen_by: &'static str) -> Next {
        self.tree.switch_to(worker);
        let flip = self.tree.hand_out(branch);
        self.hand_out(Job::Flip(flip), Some(branch), worker, asked, chosen_by)
    }

    /// Tries a branch again that the solver gave up on, because nothing else is left.
    fn retry(&mut self, worker: usize) -> Next {
        while let Some((branch, flip)) = self.waiting.next_given_up() {
            if self.tree.state(branch) == State::Unknown {
                self.counters.retried += 1;
                return self.hand_out(Job::Retry(flip), Some(branch), worker, worker, "retries");
            }
            // A run that was not solved for has taken the side.
            self.tree.take_back(&flip);
            self.no_longer_unknown(branch);
        }
        if self.out.is_empty() { Next::Done(self.stop(StopReason::Exhausted)) } else { Next::Wait }
    }

    /// Removes an attempt that failed from the reasons of the verdict, because the side was decided later.
    pub(super) fn no_longer_unknown(&mut self, branch: OpenBranch) {
        self.counters.unknown -= 1;
        self.reasons.forget_unknown(self.tree.node(branch.node).site);
    }

    fn hand_out(
        &mut self,
        job: Job,
        target: Option<OpenBranch>,
        worker: usize,
        asked: usize,
        chosen_by: &'static str,
    ) -> Next {
        Next::Job(self.ticket(job, target, worker, asked, chosen_by))
    }

    pub(super) fn ticket(
        &mut self,
        job: Job,
        target: Option<OpenBranch>,
        worker: usize,
        asked: usize,
        chosen_by: &'static str,
    ) -> Ticket {
        let flip = match job {
            Job::Flip(flip) | Job::Retry(flip) => Some(flip),
            Job::Initial | Job::Seed(_) | Job::Fresh(_) | Job::Mutate(_) => None,
        };
        self.started = true;
        self.n_tickets += 1;
        self.out.push((self.n_tickets, target));
        Ticket { job, number: self.n_tickets, flip, worker, asked, chosen_by }
    }
}
