//! The exploration itself: asks the strategy, hands jobs out, feeds results into tree, coverage, errors and
//! reasons.
//!
//! [`Explorer::next`] and [`Explorer::feed`] are the whole of it, each in a file of its own; several jobs may be out at a time.
//! The loop around them is the scheduler of the engine.
//!
//! Several workers have a strategy each, which sees the decisions that its worker's runs made: a worker has the traces of
//! its own runs at hand. Who finds nothing open takes from another. With one worker it is one strategy that sees all.

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
use crate::reasons::{self, Reason, Reasons, Verdict};
use crate::requirements::{FoundRequirement, Requirements};
use crate::restarts::Restarts;
use crate::states::States;
use crate::step::{Chosen, Control, Counters, Past, Step, Ticket};
use crate::strategy::Strategy;
use crate::tree::{OpenBranch, Tree};
use crate::varying::Varying;
use crate::waiting::Waiting;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    pub budget: Budget,
    /// Decisions of a path that are explored. The unit has a bound of its own (`Limits::max_depth`), which
    /// may be the same; whichever cuts something off is told.
    pub max_depth: Option<u32>,
    /// Keep every path, not only those with new coverage or a new error.
    pub keep_all: bool,
    /// Bytes that the tree and what belongs to it may take, about.
    pub memory: Option<u64>,
    /// Inputs that the executor was given to start from ([`Job::Seed`]).
    pub n_seeds: u32,
    /// When nothing new was covered for long, some runs have mutated inputs ([`Job::Vary`]; `varying.rs` says how many).
    pub vary: bool,
    /// Random and boundary values are tried, drawn from this number ([`Job::Fresh`]; `restarts.rs` says when).
    pub restarts: Option<u64>,
}

/// So long before its time is up an exploration may look as if it were.
const EARLY: Duration = Duration::from_millis(50);

/// See the module's documentation.
pub struct Explorer {
    map: Arc<ProgramMap>,
    settings: Settings,
    /// One for each worker.
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
    /// Targets of the jobs that are out.
    out: Vec<(u64, Option<OpenBranch>)>,
    waiting: Waiting,
    stopped: Option<StopReason>,
    varying: Varying,
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
    pub fn new(map: Arc<ProgramMap>, strategy: Box<dyn Strategy>, settings: Settings) -> Explorer {
        Explorer::with_workers(map, vec![strategy], settings)
    }

    /// For as many workers as there are strategies.
    ///
    /// # Panics
    /// If there is none.
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
            varying: Varying::default(),
            restarts: Restarts::new(settings.restarts),
            chosen: BTreeMap::new(),
            map,
            settings,
            strategies,
        }
    }

    /// Takes in again what an exploration before this one had, in order, before anything else. Nothing if there is no such
    /// target: then it was another exploration.
    pub fn replay(&mut self, past: &Past<'_>) -> Option<Step> {
        if past.target.is_some_and(|branch| !self.tree.has(branch)) {
            return None;
        }
        let worker = self.counters.runs as usize % self.strategies.len();
        // Another job may have got there first.
        let open = past.target.filter(|branch| self.tree.is_open(*branch));
        self.tree.switch_to(worker);
        // What was given up before and is the target again was tried again.
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
        let ticket = Ticket { chosen_by: "before resuming", ..self.ticket(job, past.target, worker, worker) };
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

    /// Why a result is none: the job was cut off because all is to end. An exploration that goes on does it again.
    pub fn cut_off(&self, result: &JobResult, control: Control<'_>) -> Option<StopReason> {
        let is_part = match result {
            // What a part of a run has shown is worth keeping.
            JobResult::Ran(run) => run.end.kind == OutcomeKind::Unfinished && errors::of_run(run, &self.map).is_empty(),
            JobResult::GaveUp(_) => true,
            JobResult::Unsat | JobResult::Unknown(_) | JobResult::Bounded(_) | JobResult::Assumed(_) => false,
        };
        if !is_part {
            None
        } else if control.stop.load(Ordering::Relaxed) {
            Some(StopReason::Interrupted)
        } else {
            // A solver that minds the time may be through a little early.
            let elapsed = (control.elapsed)() + EARLY;
            self.settings.budget.max_time.filter(|max| elapsed >= *max).map(|_| StopReason::MaxTime)
        }
    }

    /// A job that was cut off is as good as not begun, and there are no more.
    #[expect(clippy::needless_pass_by_value, reason = "a job is given back once")]
    pub fn abandon(&mut self, ticket: Ticket, reason: StopReason) -> StopReason {
        self.out.retain(|(number, _)| *number != ticket.number);
        self.stop(reason)
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

    /// States of specifications that were reached.
    pub fn monitored(&self) -> &Monitored {
        &self.monitored
    }

    pub fn coverage(&self) -> &Coverage {
        &self.coverage
    }

    pub fn errors(&self) -> &[FoundError] {
        self.errors.found()
    }

    /// Conditions on the inputs that the function uses without checking them.
    pub fn requirements(&self) -> &[FoundRequirement] {
        self.requirements.found()
    }

    /// Errors that runs showed and that could not be reproduced, neither then nor by a later run: probably defects of
    /// tine.
    pub fn unreproduced(&self) -> impl Iterator<Item = &FoundError> + '_ {
        self.unreproduced.found().iter().filter(|error| !self.errors.has(&error.seen().key()))
    }

    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// Jobs by the strategy or other source that chose them.
    pub fn chosen(&self) -> &BTreeMap<&'static str, Chosen> {
        &self.chosen
    }

    pub fn n_workers(&self) -> usize {
        self.strategies.len()
    }

    /// No more jobs, whatever is open. The first reason is the one that counts.
    pub fn end(&mut self, reason: StopReason) {
        self.stop(reason);
    }

    /// From now on the tree may take less than it does, down to `least` bytes: memory is short.
    pub fn tighten(&mut self, least: u64) {
        let now = self.tree.bytes();
        if now > least {
            let allowed = self.settings.memory.map_or(now, |memory| memory.min(now));
            self.settings.memory = Some((allowed / 4 * 3).max(least));
        }
    }

    pub fn strategy(&self) -> &'static str {
        self.strategies[0].name()
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
        self.reasons.list(&self.map, self.stopped(), self.settings.budget, self.tree.n_open())
    }

    pub fn verdict(&self) -> Verdict {
        reasons::verdict(&self.reasons())
    }

    /// The verdict if the exploration ended now because nothing is open.
    fn verdict_when_exhausted(&self) -> Verdict {
        let settings = &self.settings;
        let n_open = self.tree.n_open();
        reasons::verdict(&self.reasons.list(&self.map, StopReason::Exhausted, settings.budget, n_open))
    }
}
