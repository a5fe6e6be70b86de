//! Jobs of an exploration, and their results.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tine_trace::event::Site;

use crate::budget::StopReason;
use crate::job::{CaseId, Flip, Job, JobResult};
use crate::map::AlternativeId;
use crate::tree::OpenBranch;

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
    /// Alternatives that it was asked about again, with twice the limits.
    pub retried: u64,
    /// Most decisions on one path.
    pub deepest: u32,
    /// Runs that came to a state in which another had been; what could follow is explored there.
    pub pruned: u64,
    /// Alternatives that were given up because the tree was too large.
    pub dropped: u64,
}

/// A job that is out. Give it back to [`Explorer::feed`] with its result.
#[derive(Debug)]
#[must_use = "a job that is not fed back stays out for ever"]
pub struct Ticket {
    pub(crate) job: Job,
    /// Tells it from others that are out.
    pub(crate) number: u64,
    /// The branch side that was handed out for it, to be taken back.
    pub(crate) flip: Option<Flip>,
    /// Who does it, and whose strategy asked for it.
    pub(crate) worker: usize,
    pub(crate) asked: usize,
    /// Source of the job: a strategy, or another source of inputs.
    pub(crate) chosen_by: &'static str,
}

/// Jobs that one strategy or another source of inputs chose, and what they brought.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Chosen {
    pub jobs: u64,
    pub runs: u64,
    /// Branch sides that its runs were the first to take.
    pub covered: u64,
    /// Errors that its runs were the first to show.
    pub errors: u64,
}

impl Ticket {
    pub fn job(&self) -> &Job {
        &self.job
    }
}

/// The next action of the loop.
#[derive(Debug)]
pub enum Next {
    Job(Ticket),
    /// Nothing is open, but jobs are out: their results may open something.
    Wait,
    /// Many alternatives were put off: look at the time, then ask again.
    Again,
    Done(StopReason),
}

/// Why a case is worth keeping.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Keep {
    /// The first to show an error.
    Error,
    /// The first to violate a requirement.
    Requirement,
    /// It showed an error that could not be reproduced.
    Unreproduced,
    /// The first to take some side of a branch.
    Coverage,
    /// The first valid run: so that there is a case at all.
    First,
    /// Every path is kept.
    All,
}

impl Keep {
    /// True if the case is evidence for something that is reported.
    pub const fn is_evidence(self) -> bool {
        matches!(self, Keep::Error | Keep::Requirement | Keep::Unreproduced)
    }

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

/// Changes that one result made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// Target of the job.
    pub target: Option<OpenBranch>,
    /// Number of the input to start from that the job was to run.
    pub seed: Option<u32>,
    /// The case that ran, with the run's number from 1; `None` when the job was unsat or unknown.
    pub ran: Option<(CaseId, u64)>,
    pub new_path: bool,
    pub kept: Option<Keep>,
    /// Sides of user branches covered for the first time.
    pub new_coverage: Vec<AlternativeId>,
    /// States of specifications that the run was the first to reach.
    pub n_states: usize,
    /// Indices into [`Errors::found`].
    pub new_errors: Vec<usize>,
    /// The run is the first to violate a requirement.
    pub new_requirement: bool,
    /// The tree was too large: what is explored was folded, and these alternatives were given up.
    pub compacted: Option<Vec<OpenBranch>>,
    /// Site at which the run left its prediction.
    pub diverged: Option<Site>,
    /// Cases whose input is no longer needed for exploring.
    pub released: Vec<CaseId>,
}

/// A step of an exploration before this one ([`Explorer::replay`]).
#[derive(Clone, Copy, Debug)]
pub struct Past<'a> {
    /// As [`Step::target`].
    pub target: Option<OpenBranch>,
    /// As [`Step::seed`].
    pub seed: Option<u32>,
    pub result: &'a JobResult,
    /// As [`Step::compacted`].
    pub given_up: Option<&'a [OpenBranch]>,
}

/// Information from outside the loop.
#[derive(Clone, Copy)]
pub struct Control<'a> {
    /// Set to stop after the job that is out.
    pub stop: &'a AtomicBool,
    /// Time since the exploration began.
    pub elapsed: &'a (dyn Fn() -> Duration + Sync),
}

impl std::fmt::Debug for Control<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Control").field("stop", self.stop).finish_non_exhaustive()
    }
}
