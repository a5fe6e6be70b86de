//! Jobs of an exploration, and their results.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tine_trace::event::Site;

use crate::budget::StopReason;
use crate::job::{CaseId, Flip, Job, JobResult};
use crate::map::SideId;
use crate::tree::OpenBranch;

/// Counters of an exploration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Executed inputs.
    pub runs: u64,
    /// Distinct paths, without those that an assumption rejected.
    pub paths: u64,
    pub rejected: u64,
    pub divergences: u64,
    /// Infeasible branch sides.
    pub infeasible: u64,
    /// Branch sides that the solver gave up on.
    pub unknown: u64,
    /// Branch sides that were queried again with twice the limits.
    pub retried: u64,
    /// Maximum number of decisions on a path.
    pub deepest: u32,
    /// Runs that reached a state that another run had already reached. Its continuations are explored there.
    pub pruned: u64,
    /// Branch sides that were given up because the tree was too large.
    pub dropped: u64,
}

/// A job that is out. It must be passed to [`Explorer::feed`](crate::Explorer::feed) with its result.
#[derive(Debug)]
#[must_use = "a job that is not fed back stays out forever"]
pub struct Ticket {
    pub(crate) job: Job,
    /// Number that identifies the job among those that are out.
    pub(crate) number: u64,
    /// The flip that the tree handed out for the job, to be taken back later.
    pub(crate) flip: Option<Flip>,
    /// The worker that does the job, and in `asked` the number of the strategy that chose it.
    pub(crate) worker: usize,
    pub(crate) asked: usize,
    /// Source of the job: a strategy, or another source of inputs.
    pub(crate) chosen_by: &'static str,
}

/// Number of jobs that one strategy or other source of inputs chose, and their results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Chosen {
    pub jobs: u64,
    pub runs: u64,
    /// Branch sides first covered by its runs.
    pub covered: u64,
    /// Errors first shown by its runs.
    pub errors: u64,
}

impl Ticket {
    /// The job to execute.
    pub fn job(&self) -> &Job {
        &self.job
    }
}

/// The next action of the loop.
#[derive(Debug)]
pub enum Next {
    Job(Ticket),
    /// Nothing is open, but the results of jobs that are out may open something.
    Wait,
    /// Many branch sides were postponed. The caller should check the time and then call again.
    Again,
    Done(StopReason),
}

/// Reason to keep a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Keep {
    /// The first case to show an error.
    Error,
    /// The first case to violate a requirement.
    Requirement,
    /// The case showed an error that could not be reproduced.
    Unreproduced,
    /// The first case to take some branch side.
    Coverage,
    /// The first valid run, so that there is at least one case.
    First,
    /// All paths are kept.
    All,
}

impl Keep {
    /// True if the case is evidence for something that is reported.
    pub const fn is_evidence(self) -> bool {
        matches!(self, Keep::Error | Keep::Requirement | Keep::Unreproduced)
    }

    /// Text for reports.
    pub const fn text(self) -> &'static str {
        match self {
            Keep::Error => "error",
            Keep::Requirement => "requirement",
            Keep::Unreproduced => "unreproduced",
            Keep::Coverage => "coverage",
            Keep::First => "first",
            Keep::All => "all",
        }
    }
}

/// Changes made by one result.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// Target of the job.
    pub target: Option<OpenBranch>,
    /// Number of the seed input that the job had to run.
    pub seed: Option<u32>,
    /// The case that ran, with the run's number counted from 1; `None` if the job did not lead to a run.
    pub ran: Option<(CaseId, u64)>,
    pub new_path: bool,
    pub kept: Option<Keep>,
    /// Sides of user branches that were covered for the first time.
    pub new_coverage: Vec<SideId>,
    /// The run passes, and takes a side that before only runs with errors took.
    pub is_first_to_pass: bool,
    /// Number of states of specifications that the run was the first to reach.
    pub n_states: usize,
    /// Indices into [`Explorer::errors`](crate::Explorer::errors).
    pub new_errors: Vec<usize>,
    /// True if the run is the first to violate a requirement.
    pub new_requirement: bool,
    /// Branch sides that were given up when the tree was too large and was compacted.
    pub compacted: Option<Vec<OpenBranch>>,
    /// Site of the divergence.
    pub diverged: Option<Site>,
    /// Cases whose input the exploration no longer needs.
    pub released: Vec<CaseId>,
}

/// A step of an earlier exploration ([`Explorer::replay`](crate::Explorer::replay)).
#[derive(Clone, Copy, Debug)]
pub struct Past<'a> {
    /// See [`Step::target`].
    pub target: Option<OpenBranch>,
    /// See [`Step::seed`].
    pub seed: Option<u32>,
    pub result: &'a JobResult,
    /// See [`Step::compacted`].
    pub given_up: Option<&'a [OpenBranch]>,
}

/// Information from outside of the exploration loop.
#[derive(Clone, Copy)]
pub struct Control<'a> {
    /// Set to stop after the current job.
    pub stop: &'a AtomicBool,
    /// Time since the exploration began.
    pub elapsed: &'a (dyn Fn() -> Duration + Sync),
}

impl std::fmt::Debug for Control<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Control").field("stop", self.stop).finish_non_exhaustive()
    }
}
