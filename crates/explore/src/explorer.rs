//! The exploration itself: asks the strategy, hands jobs out, feeds results into tree, coverage, errors and
//! reasons.
//!
//! [`Explorer::next`] and [`Explorer::feed`] are the whole of it; several jobs may be out at a time.
//! [`Explorer::run`] is the loop for one executor, with one stream of [`Step`]s for whoever watches.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tine_trace::event::Site;
use tine_trace::map::SiteKind;

use crate::budget::{Budget, StopReason};
use crate::coverage::Coverage;
use crate::errors::{self, Errors, FoundError};
use crate::job::{CaseId, Decision, Executor, Flip, Job, JobResult, Prefix, Run};
use crate::map::{AlternativeId, ProgramMap};
use crate::reasons::{self, Reason, Reasons, Verdict};
use crate::states::States;
use crate::strategy::{Added, Strategy};
use crate::tree::{OpenBranch, Path, Tree, Untaken};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    pub budget: Budget,
    /// Decisions of a path that are explored. The unit has a bound of its own (`Limits::max_depth`), which
    /// may be the same; whichever cuts something off is told.
    pub max_depth: Option<u32>,
    /// Keep every path, not only those with new coverage or a new error.
    pub keep_all: bool,
    /// Inputs that the executor was given to start from ([`Job::Seed`]).
    pub n_seeds: u32,
}

/// Numbers of an exploration so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Inputs executed.
    pub runs: u64,
    /// Distinct paths among them that no assumption rejected.
    pub paths: u64,
    pub rejected: u64,
    pub divergences: u64,
    /// Alternatives that no input reaches.
    pub infeasible: u64,
    /// Alternatives that the solver gave up on.
    pub unknown: u64,
    /// Most decisions on one path.
    pub deepest: u32,
    /// Runs that came to a state in which another had been; what could follow is explored there.
    pub pruned: u64,
}

/// A job that is out. Give it back to [`Explorer::feed`] with its result.
#[derive(Debug)]
#[must_use = "a job that is not fed back stays out for ever"]
pub struct Ticket {
    job: Job,
    target: Option<(OpenBranch, Flip)>,
}

impl Ticket {
    pub fn job(&self) -> &Job {
        &self.job
    }
}

/// What to do now.
#[derive(Debug)]
pub enum Next {
    Job(Ticket),
    /// Nothing is open, but jobs are out: their results may open something.
    Wait,
    Done(StopReason),
}

/// Why a case is worth keeping.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Keep {
    /// The first to show an error.
    Error,
    /// The first to take some side of a branch.
    Coverage,
    /// The first valid run: so that there is a case at all.
    First,
    /// Every path is kept.
    All,
}

impl Keep {
    pub const fn text(self) -> &'static str {
        match self {
            Keep::Error => "error",
            Keep::Coverage => "coverage",
            Keep::First => "first",
            Keep::All => "all",
        }
    }
}

/// What one result changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// The case that ran, with the run's number from 1; `None` when the job was unsat or unknown.
    pub ran: Option<(CaseId, u64)>,
    pub new_path: bool,
    pub kept: Option<Keep>,
    /// Sides of user branches covered for the first time.
    pub new_coverage: Vec<AlternativeId>,
    /// Indices into [`Errors::found`].
    pub new_errors: Vec<usize>,
    /// Where the run left its prediction.
    pub diverged: Option<Site>,
    /// Cases whose input is no longer needed for exploring.
    pub released: Vec<CaseId>,
}

/// Watches an exploration: displays, sessions.
pub trait Observer<E: Executor> {
    /// Called after each result, while the executor still has the inputs of released cases. `run` is what the
    /// step is about if there was one. `Break` ends the exploration.
    fn step(&mut self, step: &Step, run: Option<&Run>, explorer: &Explorer, executor: &E) -> ControlFlow<()>;
}

/// Nobody watches.
impl<E: Executor> Observer<E> for () {
    fn step(&mut self, _: &Step, _: Option<&Run>, _: &Explorer, _: &E) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// What the loop learns from outside.
#[derive(Clone, Copy)]
pub struct Control<'a> {
    /// Set to stop after the job that is out.
    pub stop: &'a AtomicBool,
    /// Time since the exploration began.
    pub elapsed: &'a dyn Fn() -> Duration,
}

impl std::fmt::Debug for Control<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Control").field("stop", self.stop).finish_non_exhaustive()
    }
}

/// See the module's documentation.
pub struct Explorer {
    map: Arc<ProgramMap>,
    settings: Settings,
    strategy: Box<dyn Strategy>,
    tree: Tree,
    coverage: Coverage,
    errors: Errors,
    reasons: Reasons,
    states: States,
    counters: Counters,
    started: bool,
    n_seeded: u32,
    n_out: usize,
    stopped: Option<StopReason>,
}

impl std::fmt::Debug for Explorer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let strategy = self.strategy.name();
        f.debug_struct("Explorer")
            .field("strategy", &strategy)
            .field("counters", &self.counters)
            .finish_non_exhaustive()
    }
}

impl Explorer {
    pub fn new(map: Arc<ProgramMap>, strategy: Box<dyn Strategy>, settings: Settings) -> Explorer {
        Explorer {
            coverage: Coverage::new(&map),
            tree: Tree::new(settings.max_depth),
            errors: Errors::default(),
            reasons: Reasons::default(),
            states: States::default(),
            counters: Counters::default(),
            started: false,
            n_seeded: 0,
            n_out: 0,
            stopped: None,
            map,
            settings,
            strategy,
        }
    }

    /// Explores with one executor until there is nothing left, the budget is spent or someone stops it.
    pub fn run<E: Executor>(
        &mut self,
        executor: &mut E,
        observer: &mut dyn Observer<E>,
        control: Control<'_>,
    ) -> Result<StopReason, E::Error> {
        loop {
            let stop = control.stop.load(Ordering::Relaxed);
            let ticket = match self.next((control.elapsed)(), stop) {
                Next::Job(ticket) => ticket,
                Next::Done(reason) => return Ok(reason),
                Next::Wait => unreachable!("the one job was fed back"),
            };
            let result = executor.execute(ticket.job())?;
            let step = self.feed(ticket, &result);
            let run = match &result {
                JobResult::Ran(run) => Some(&**run),
                JobResult::Unsat | JobResult::Unknown(_) | JobResult::Bounded(_) => None,
            };
            let flow = observer.step(&step, run, self, executor);
            for case in &step.released {
                executor.release(*case);
            }
            if flow.is_break() {
                return Ok(self.stop(StopReason::Interrupted));
            }
        }
    }

    /// The next job, if there is one and the budget allows it.
    pub fn next(&mut self, elapsed: Duration, interrupted: bool) -> Next {
        if let Some(reason) = self.stopped {
            return Next::Done(reason);
        }
        let seeded = self.n_seeded == self.settings.n_seeds;
        if self.started && seeded && self.tree.n_open() == 0 {
            return if self.n_out > 0 { Next::Wait } else { Next::Done(self.stop(StopReason::Exhausted)) };
        }
        // Jobs that are out will be runs: together they must not exceed the budget.
        let spent = self.settings.budget.spent(self.counters.runs + self.n_out as u64, elapsed);
        if let Some(reason) = if interrupted { Some(StopReason::Interrupted) } else { spent } {
            return Next::Done(self.stop(reason));
        }
        if !self.started {
            self.started = true;
            self.n_out += 1;
            return Next::Job(Ticket { job: Job::Initial, target: None });
        }
        if !seeded {
            let seed = self.n_seeded;
            self.n_seeded += 1;
            self.n_out += 1;
            return Next::Job(Ticket { job: Job::Seed(seed), target: None });
        }
        if let Some(seed) = self.strategy.fresh() {
            self.n_out += 1;
            return Next::Job(Ticket { job: Job::Fresh(seed), target: None });
        }
        match self.strategy.next(&self.tree, &self.map, &self.coverage) {
            Some(branch) => {
                let flip = self.tree.hand_out(branch);
                self.n_out += 1;
                Next::Job(Ticket { job: Job::Flip(flip), target: Some((branch, flip)) })
            }
            None if self.n_out > 0 => Next::Wait,
            None => Next::Done(self.stop(StopReason::Exhausted)),
        }
    }

    /// Takes in what became of a job.
    #[expect(clippy::needless_pass_by_value, reason = "a job is fed back once")]
    pub fn feed(&mut self, ticket: Ticket, result: &JobResult) -> Step {
        self.n_out -= 1;
        let branch = ticket.target.map(|(branch, _)| branch);
        let mut step = match result {
            JobResult::Ran(run) => self.feed_run(branch, run),
            JobResult::Unsat => {
                self.untaken(branch, Untaken::Infeasible);
                self.counters.infeasible += 1;
                Step::default()
            }
            JobResult::Unknown(why) => {
                let site = branch.map_or(Site::NONE, |branch| self.tree.node(branch.node).site);
                self.untaken(branch, Untaken::Unknown);
                self.counters.unknown += 1;
                self.reasons.add_unknown(site, why);
                Step::default()
            }
            JobResult::Bounded(what) => {
                let site = branch.map_or(Site::NONE, |branch| self.tree.node(branch.node).site);
                self.untaken(branch, Untaken::Cut);
                self.reasons.add_bound(site, what);
                Step::default()
            }
        };
        if let Some((_, flip)) = &ticket.target {
            self.tree.take_back(flip);
        }
        step.released = self.tree.take_released();
        step
    }

    fn feed_run(&mut self, target: Option<OpenBranch>, run: &Run) -> Step {
        self.counters.runs += 1;
        let mut step = Step { ran: Some((run.case, self.counters.runs)), ..Step::default() };
        // A run that left its prediction is no place to compare with.
        let followed = target.is_none() || run.prefix == Prefix::Parent;
        let known = if followed { self.states.first_known(&run.states) } else { None };
        let n_decisions = known.map_or(run.decisions.len(), |state| {
            run.decisions.iter().take_while(|decision| decision.event < state.event).count()
        });
        let path = Path {
            case: run.case,
            prefix: run.prefix,
            decisions: &run.decisions[..n_decisions],
            target,
            truncated: run.truncated() || known.is_some(),
        };
        let map = &self.map;
        let inserted = self.tree.insert(&path, |decision| rejecting(map, decision));
        step.new_coverage = self.coverage.add(&self.map, &run.new_edges, run.case);
        self.strategy.inserted(&Added {
            inserted: &inserted,
            own: true,
            covered: &step.new_coverage,
            tree: &self.tree,
            map: &self.map,
            coverage: &self.coverage,
        });
        self.counters.deepest = self.counters.deepest.max(self.tree.last_path().len() as u32);
        if let Some(divergence) = inserted.divergence {
            self.counters.divergences += 1;
            self.reasons.add_divergence(divergence.site);
            self.untaken(target, Untaken::Diverged);
            step.diverged = Some(divergence.site);
        }
        if run.rejected() {
            self.counters.rejected += 1;
        } else if inserted.new {
            self.counters.paths += 1;
            step.new_path = true;
        }
        self.counters.pruned += u64::from(known.is_some());
        self.reasons.add_run(run, inserted.cut, known.is_some());
        for seen in errors::of_run(run, &self.map) {
            step.new_errors.extend(self.errors.add(seen, run.case, self.counters.runs));
        }
        step.kept = self.keep(run, &step);
        step
    }

    fn keep(&self, run: &Run, step: &Step) -> Option<Keep> {
        if !step.new_errors.is_empty() {
            Some(Keep::Error)
        } else if !step.new_coverage.is_empty() {
            Some(Keep::Coverage)
        } else if step.new_path && self.counters.paths == 1 {
            Some(Keep::First)
        } else if self.settings.keep_all && !run.rejected() && step.new_path {
            Some(Keep::All)
        } else {
            None
        }
    }

    fn untaken(&mut self, branch: Option<OpenBranch>, why: Untaken) {
        if let Some(branch) = branch {
            self.tree.resolve(branch, why);
            self.strategy.untaken(branch, why);
        }
    }

    fn stop(&mut self, reason: StopReason) -> StopReason {
        *self.stopped.get_or_insert(reason)
    }

    pub fn map(&self) -> &ProgramMap {
        &self.map
    }

    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    pub fn coverage(&self) -> &Coverage {
        &self.coverage
    }

    pub fn errors(&self) -> &[FoundError] {
        self.errors.found()
    }

    pub fn counters(&self) -> Counters {
        self.counters
    }

    pub fn strategy(&self) -> &'static str {
        self.strategy.name()
    }

    /// System calls that the sandbox refused, by number, with counts.
    pub fn refused(&self) -> impl Iterator<Item = (u32, u64)> + '_ {
        self.reasons.refused().iter().map(|(call, count)| (*call, *count))
    }

    /// Why it ended; `Interrupted` while it has not.
    pub fn stopped(&self) -> StopReason {
        self.stopped.unwrap_or(StopReason::Interrupted)
    }

    /// Everything that was left out, up to now.
    pub fn reasons(&self) -> Vec<Reason> {
        self.reasons.list(&self.map, self.stopped(), self.tree.n_open())
    }

    pub fn verdict(&self) -> Verdict {
        reasons::verdict(&self.reasons())
    }
}

/// The alternative of a decision that only rejects the input.
fn rejecting(map: &ProgramMap, decision: &Decision) -> Option<u16> {
    map.site(decision.site).filter(|site| site.kind == SiteKind::Assume).map(|site| site.failing)
}
