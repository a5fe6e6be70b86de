//! The exploration: asks the strategy, hands out jobs, and passes results to tree, coverage, errors and reasons.
//!
//! [`Explorer::next`] and [`Explorer::feed`] are the main operations, each in a file of its own. Several jobs may be
//! out at a time. The scheduler of the engine runs the loop around them.
//!
//! Each worker has its own strategy, which sees the decisions of this worker's runs, because the worker has the traces
//! of its own runs at hand. A worker whose strategy finds nothing open takes a branch from another worker's strategy.
//! With one worker, a single strategy sees everything.

mod compact;
pub(crate) mod feed;
mod next;

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tine_trace::outcome::OutcomeKind;

use crate::budget::{Budget, StopReason};
use crate::coverage::Coverage;
use crate::errors::{self, Errors, FoundError};
use crate::job::{Job, JobResult};
use crate::map::ProgramMap;
use crate::monitored::Monitored;
use crate::mutations::Mutations;
use crate::reasons::{self, Reason, Reasons, Verdict};
use crate::requirements::{FoundRequirement, Requirements};
use crate::restarts::Restarts;
use crate::states::States;
use crate::step::{Chosen, Control, Counters, Past, Step, Ticket};
use crate::strategy::Strategy;
use crate::tree::{OpenBranch, Tree};
use crate::waiting::Waiting;

/// Settings of an exploration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    pub budget: Budget,
    /// Maximum number of explored decisions on a path. The unit has a bound of its own (`Limits::max_depth`), which may
    /// be equal. The bound that cuts something off is reported.
    pub max_depth: Option<u32>,
    /// Keep every path, not only those with new coverage or a new error.
    pub keep_all: bool,
    /// Approximate memory limit for the tree and the data that belongs to it, in bytes.
    pub memory: Option<u64>,
    /// Number of seed inputs that the executor has ([`Job::Seed`]).
    pub n_seeds: u32,
    /// Run some mutated inputs when nothing new was covered for long ([`Job::Mutate`]; `mutations.rs` decides how many).
    pub mutate: bool,
    /// Seed for random and boundary values, if restarts are enabled ([`Job::Fresh`]; `restarts.rs` decides when).
    pub restarts: Option<u64>,
}

/// A job that ends this long before the time limit may have been cut off by it.
const EARLY: Duration = Duration::from_millis(50);

/// See the module's documentation.
pub struct Explorer {
    map: Arc<ProgramMap>,
    settings: Settings,
    /// One per worker.
    strategies: Vec<Box<dyn Strategy>>,
    tree: Tree,
    coverage: Coverage,
    errors: Errors,
    /// Errors that a run showed and that its input did not show again.
    unreproduced: Errors,
    requirements: Requirements,
    reasons: Reasons,
    states: States,
    monitored: Monitored,
    counters: Counters,
    started: bool,
    /// Seed inputs that have not run yet.
    seeds: VecDeque<u32>,
    n_tickets: u64,
    /// Target branches of the jobs that are out, by number of the job.
    out: Vec<(u64, Option<OpenBranch>)>,
    waiting: Waiting,
    stopped: Option<StopReason>,
    mutations: Mutations,
    restarts: Restarts,
    chosen: BTreeMap<&'static str, Chosen>,
}

impl std::fmt::Debug for Explorer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let strategy = self.strategy();
        f.debug_struct("Explorer")
            .field("strategy", &strategy)
            .field("counters", &self.counters)
            .finish_non_exhaustive()
    }
}

impl Explorer {
    /// An exploration with one worker.
    pub fn new(map: Arc<ProgramMap>, strategy: Box<dyn Strategy>, settings: Settings) -> Explorer {
        Explorer::with_workers(map, vec![strategy], settings)
    }

    /// An exploration with one worker per strategy.
    ///
    /// # Panics
    /// If `strategies` is empty.
    pub fn with_workers(map: Arc<ProgramMap>, strategies: Vec<Box<dyn Strategy>>, settings: Settings) -> Explorer {
        assert!(!strategies.is_empty(), "an exploration needs a strategy");
        Explorer {
            coverage: Coverage::new(&map),
            tree: Tree::new(settings.max_depth),
            errors: Errors::default(),
            unreproduced: Errors::default(),
            requirements: Requirements::default(),
            reasons: Reasons::default(),
            states: States::default(),
            monitored: Monitored::default(),
            counters: Counters::default(),
            started: false,
            seeds: (0..settings.n_seeds).collect(),
            n_tickets: 0,
            out: Vec::new(),
            waiting: Waiting::default(),
            stopped: None,
            mutations: Mutations::default(),
            restarts: Restarts::new(settings.restarts),
            chosen: BTreeMap::new(),
            map,
            settings,
            strategies,
        }
    }

    /// Repeats a step of an earlier exploration. Steps must be replayed in order, before any other operation. Returns
    /// `None` if the tree has no such target, because then the step belongs to a different exploration.
    pub fn replay(&mut self, past: &Past<'_>) -> Option<Step> {
        if past.target.is_some_and(|branch| !self.tree.has(branch)) {
            return None;
        }
        let worker = self.counters.runs as usize % self.strategies.len();
        // The other worker's job may have decided the branch first.
        let open = past.target.filter(|branch| self.tree.is_open(*branch));
        self.tree.switch_to(worker);
        // A target that the solver had given up on was tried again.
        let again = past.target.filter(|_| open.is_none()).and_then(|branch| self.waiting.take_given_up(branch));
        let job = match (open, again, past.seed) {
            (Some(branch), ..) => Job::Flip(self.tree.hand_out(branch)),
            (None, Some(flip), _) => {
                self.counters.retried += 1;
                Job::Retry(flip)
            }
            (None, None, Some(seed)) => Job::Seed(seed),
            (None, None, None) => Job::Initial,
        };
        self.seeds.retain(|seed| Some(*seed) != past.seed);
        let ticket = self.ticket(job, past.target, worker, worker, "before resuming");
        let mut step = self.take_in(&ticket, past.result);
        if let Some(given_up) = past.given_up {
            if given_up.iter().any(|branch| !self.tree.has(*branch)) {
                return None;
            }
            self.compact(given_up);
            step.compacted = Some(given_up.to_vec());
        }
        step.released = self.tree.take_released();
        Some(step)
    }

    /// Returns the stop reason if the job was cut off because the exploration ends, so that its result does not count.
    /// A resumed exploration repeats the job.
    pub fn cut_off(&self, result: &JobResult, control: Control<'_>) -> Option<StopReason> {
        let is_part = match result {
            // Errors in a partial run are worth keeping.
            JobResult::Ran(run) => run.end.kind == OutcomeKind::Unfinished && errors::of_run(run, &self.map).is_empty(),
            JobResult::GaveUp(_) => true,
            JobResult::Unsat | JobResult::Unknown(_) | JobResult::Bounded(_) | JobResult::Assumed(_) => false,
        };
        if !is_part {
            None
        } else if control.stop.load(Ordering::Relaxed) {
            Some(StopReason::Interrupted)
        } else {
            // A solver that observes the time limit may end slightly early.
            let elapsed = (control.elapsed)() + EARLY;
            self.settings.budget.max_time.filter(|max| elapsed >= *max).map(|_| StopReason::MaxTime)
        }
    }

    /// Treats a cut-off job as not begun, and stops the exploration.
    #[expect(clippy::needless_pass_by_value, reason = "a job is given back once")]
    pub fn abandon(&mut self, ticket: Ticket, reason: StopReason) -> StopReason {
        self.out.retain(|(number, _)| *number != ticket.number);
        self.stop(reason)
    }

    fn stop(&mut self, reason: StopReason) -> StopReason {
        *self.stopped.get_or_insert(reason)
    }

    /// The program map.
    pub fn map(&self) -> &ProgramMap {
        &self.map
    }

    /// The execution tree.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// States of specifications that runs reached.
    pub fn monitored(&self) -> &Monitored {
        &self.monitored
    }

    /// Coverage of all runs.
    pub fn coverage(&self) -> &Coverage {
        &self.coverage
    }

    /// Errors found, in order.
    pub fn errors(&self) -> &[FoundError] {
        self.errors.found()
    }

    /// Conditions on the inputs that the function uses without checking them.
    pub fn requirements(&self) -> &[FoundRequirement] {
        self.requirements.found()
    }

    /// Errors that runs showed and that neither the repetition nor a later run reproduced: probably defects of tine.
    pub fn unreproduced(&self) -> impl Iterator<Item = &FoundError> + '_ {
        self.unreproduced.found().iter().filter(|error| !self.errors.has(&error.seen().key()))
    }

    /// Numbers of runs, paths and results.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// Jobs by the strategy or other source that chose them.
    pub fn chosen(&self) -> &BTreeMap<&'static str, Chosen> {
        &self.chosen
    }

    /// Number of workers.
    pub fn n_workers(&self) -> usize {
        self.strategies.len()
    }

    /// Stops handing out jobs, even if branches are open. The first reason counts.
    pub fn end(&mut self, reason: StopReason) {
        self.stop(reason);
    }

    /// Lowers the memory limit of the tree below its present size, but not below `least` bytes, because memory is
    /// short.
    pub fn tighten(&mut self, least: u64) {
        let now = self.tree.bytes();
        if now > least {
            let allowed = self.settings.memory.map_or(now, |memory| memory.min(now));
            self.settings.memory = Some((allowed / 4 * 3).max(least));
        }
    }

    /// Name of the strategy.
    pub fn strategy(&self) -> &'static str {
        self.strategies[0].name()
    }

    /// System calls that the sandbox refused, by number, with counts.
    pub fn refused(&self) -> impl Iterator<Item = (u32, u64)> + '_ {
        self.reasons.refused().iter().map(|(call, count)| (*call, *count))
    }

    /// Reason for the end of the exploration; `Interrupted` while it is running.
    pub fn stopped(&self) -> StopReason {
        self.stopped.unwrap_or(StopReason::Interrupted)
    }

    /// Everything that has been left out so far.
    pub fn reasons(&self) -> Vec<Reason> {
        self.reasons.list(&self.map, self.stopped(), self.settings.budget, self.tree.n_open())
    }

    /// Everything that has been left out so far, apart from sides that are open.
    pub(crate) fn reasons_besides_open(&self) -> Vec<Reason> {
        self.reasons.list(&self.map, StopReason::Exhausted, self.settings.budget, 0)
    }

    /// The verdict if the exploration ended now.
    pub fn verdict(&self) -> Verdict {
        reasons::verdict(&self.reasons())
    }

    /// Returns the verdict for an exploration that ends now because nothing is open.
    fn verdict_when_exhausted(&self) -> Verdict {
        let settings = &self.settings;
        let n_open = self.tree.n_open();
        reasons::verdict(&self.reasons.list(&self.map, StopReason::Exhausted, settings.budget, n_open))
    }
}
