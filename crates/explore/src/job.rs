//! Jobs for an executor, and their results: plain data without expressions and inputs.
//!
//! ```text
//!   Job::Flip { parent: case 7, decision: event 12, side: 1 }
//!        │
//!        ▼   the executor solves the parent's path up to event 12 with the other side,
//!   executor runs the input found, stores it as a new case
//!        │
//!        ▼
//!   JobResult::Ran(Run { case: 8, decisions, outcome, … })  |  Unsat  |  Unknown(why)  |  Bounded(what)
//! ```

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use tine_trace::event::{ConcretiseReason, EventKind, NoteKind, Site};
use tine_trace::outcome::OutcomeKind;

use crate::map::Edge;
use crate::requirements::Requirement;

/// Number of a run's input. The executor assigns the numbers, counting up from 1, and each is used once, even if
/// several executors share one exploration. Tables are indexed by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CaseId(pub u32);

impl fmt::Display for CaseId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// One piece of work for an executor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Job {
    /// Run the seed input.
    Initial,
    /// Run the seed input with this number, counted from 0.
    Seed(u32),
    /// Run an input that is filled from this random seed.
    Fresh(u64),
    /// Run an input that combines parts of inputs with new coverage. This number determines how.
    Mutate(u64),
    /// Find an input that follows a known path and then takes the other side, and run it.
    Flip(Flip),
    /// Repeat a flip that the solver gave up on, with twice the limits.
    Retry(Flip),
}

/// A branch side to try: the case, the decision and the side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Flip {
    pub parent: CaseId,
    /// Index of the event in the parent's log. Constraints before it hold; this one changes.
    pub decision: u32,
    /// The branch side to take instead.
    pub side_index: u16,
    /// Site of the parent's decision, and the prefix hash before it. A nondeterministic program reaches another site
    /// when the parent runs again.
    pub site: Site,
    pub before: u64,
}

/// Text of [`JobResult::Unknown`] for a run whose records are lost.
pub const DESTROYED: &str = "the unit destroyed its records";

/// The result of a job.
#[derive(Clone, Debug)]
pub enum JobResult {
    /// An input was found and ran. It followed the predicted path or diverged.
    Ran(Box<Run>),
    /// The side is infeasible.
    Unsat,
    /// The executor could not decide whether the side is feasible. Holds the reason for the user.
    Unknown(String),
    /// The solver reached the named limit or crashed. Another attempt with more time and memory may succeed.
    GaveUp(String),
    /// The side is infeasible within the named bound.
    Bounded(String),
    /// Only inputs that violate this assumed requirement take the side.
    Assumed(Requirement),
}

impl JobResult {
    /// The run, if there was one.
    pub fn run(&self) -> Option<&Run> {
        match self {
            JobResult::Ran(run) => Some(run),
            JobResult::Unsat
            | JobResult::Unknown(_)
            | JobResult::GaveUp(_)
            | JobResult::Bounded(_)
            | JobResult::Assumed(_) => None,
        }
    }
}

/// Receives the result of a job while the executor still has the data of the run.
pub type Done<'a, E> = &'a mut dyn FnMut(Result<JobResult, <E as Executor>::Error>, &mut E) -> ControlFlow<()>;

/// Turns jobs into runs. Holds the inputs of the cases; the tree has no access to them.
pub trait Executor {
    /// A failure that ends the exploration at once: the unit cannot be started, or a bug in tine.
    type Error;

    fn execute(&mut self, job: &Job) -> Result<JobResult, Self::Error>;

    /// Number of jobs that the executor prefers to receive at once.
    fn appetite(&self) -> usize {
        1
    }

    /// Executes several jobs in order. `done` receives each result at once and decides whether to continue.
    fn execute_all(&mut self, jobs: &[Job], done: Done<'_, Self>)
    where
        Self: Sized,
    {
        for job in jobs {
            let result = self.execute(job);
            if done(result, self).is_break() {
                break;
            }
        }
    }

    /// Maximum number of jobs that may be out, for executors that send them elsewhere ([`Executor::send`]). `None` if
    /// jobs are executed here.
    fn window(&self) -> Option<usize> {
        None
    }

    /// Sends numbered jobs. [`Executor::receive`] returns their results, in any order.
    fn send(&mut self, jobs: &[(u64, Job)]) {
        let _ = jobs;
    }

    /// Waits for the result of a sent job, at most this long.
    fn receive(&mut self, wait: Duration) -> Option<(u64, Result<JobResult, Self::Error>)> {
        let _ = wait;
        None
    }

    /// Reports that no open decision belongs to this case any more: no later [`Flip::parent`] names it.
    fn release(&mut self, case: CaseId) {
        let _ = case;
    }

    /// Frees memory whose contents can be computed again.
    fn free_memory(&mut self) {}

    /// Reports that the executor's thread is bound to this core. Processes that it starts and waits for should be
    /// bound, too.
    fn keep_to(&mut self, core: usize) {
        let _ = core;
    }
}

/// A run, reduced to the data that the exploration needs.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    pub case: CaseId,
    /// Approximate number of bytes that the executor keeps for the case while it is needed.
    pub size: u32,
    pub prefix: Prefix,
    /// Decisions, in order. Concretisations are constraints, but not decisions.
    pub decisions: Vec<Decision>,
    /// Values that were concretised in the part of the path that `decisions` covers.
    pub concretisations: Vec<Concretisation>,
    /// States between the calls of a sequence, in the part of the path that `decisions` covers.
    pub states: Vec<StateSeen>,
    /// All notes of the run.
    pub notes: Vec<NoteSeen>,
    pub end: RunEnd,
    /// Coverage that no earlier run had, or, if the run passes, no earlier run that passes. Empty for a rejected run, so that a run with a valid input gets the credit.
    pub new_edges: Vec<Edge>,
    /// The requirement that the input violates, if this violation caused the error that ended the run.
    pub requirement: Option<Requirement>,
}

impl Run {
    /// True if an assumption did not hold. Such a run counts neither as a path nor as an error.
    pub fn rejected(&self) -> bool {
        self.end.kind == OutcomeKind::Rejected
    }

    /// True if the run was stopped because of unbounded input requests.
    pub fn asks_for_ever(&self) -> bool {
        self.notes.iter().any(|note| note.kind == NoteKind::MaxInputs)
    }

    /// True if the run reached its time limit, whether or not it ended when it was repeated without tracing.
    pub fn is_slow(&self) -> bool {
        self.end.kind == OutcomeKind::Timeout || self.notes.iter().any(|note| note.kind == NoteKind::TooSlow)
    }

    /// True if the log may be shorter than the path.
    pub fn truncated(&self) -> bool {
        matches!(self.end.kind, OutcomeKind::Unfinished | OutcomeKind::Timeout)
            || self
                .notes
                .iter()
                .any(|note| matches!(note.kind, NoteKind::Depth | NoteKind::NodeCap | NoteKind::TooSlow))
    }
}

/// The start of [`Run::decisions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Prefix {
    /// Includes the first decision of the run.
    Whole,
    /// Begins with the decision that the job flipped. The run's hash there was as predicted, so its earlier decisions
    /// are those of the parent. This saves the executor from importing them.
    Parent,
}

/// A decision of a run: an event of the log that has several sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Decision {
    /// Never `Concretisation`.
    pub kind: EventKind,
    pub site: Site,
    /// The side that the run took; less than `n_sides`.
    pub side_index: u16,
    /// Number of sides: 2 for branches, the site's for a switch, `aux` for a choice, the executor's for an aliasing
    /// choice.
    pub n_sides: u16,
    /// Index of the event in the run's log.
    pub event: u32,
    /// Prefix hash of the event before this one (a concretisation or a decision). `PREFIX_HASH_START` for the first
    /// event.
    pub before: u64,
    /// Hint for strategies: small near something of interest, 0 if nothing is known.
    pub distance: u8,
}

impl Decision {
    /// True if a value was concretised before this decision, whose number is `depth`. All other events are decisions.
    pub(crate) fn follows_concretisation(&self, depth: usize) -> bool {
        self.event as usize > depth
    }
}

/// A state that other runs may have reached before. The rest of a run depends only on the state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateSeen {
    /// Number of events before it in the run's log.
    pub event: u32,
    /// Prefix hash there.
    pub before: u64,
    /// Equal for equal states, except for the values that the path allows.
    pub key: u64,
    /// Constraints of the path on these values, sorted. More constraints allow fewer values.
    pub constraints: Vec<u64>,
    /// Calls that may still follow.
    pub calls_left: u32,
}

/// A concretised value: its other values are never tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Concretisation {
    pub site: Site,
    pub reason: ConcretiseReason,
}

/// A note of the run. `place` is set only if the executor knows more than the site states.
#[derive(Clone, Debug, PartialEq)]
pub struct NoteSeen {
    pub kind: NoteKind,
    pub site: Site,
    pub detail: u32,
    pub count: u32,
    pub place: Option<Place>,
    /// For an error: the values concerned, in words, and the calls that led to it.
    pub about: Arc<str>,
    pub callers: Arc<[Place]>,
}

impl NoteSeen {
    /// A note without details of an error.
    pub fn new(kind: NoteKind, site: Site, detail: u32, count: u32, place: Option<Place>) -> NoteSeen {
        NoteSeen { kind, site, detail, count, place, about: "".into(), callers: Arc::default() }
    }
}

/// End of the run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunEnd {
    pub kind: OutcomeKind,
    /// Exit code, error kind or signal number, as in [`tine_trace::outcome::Outcome`].
    pub code: u32,
    /// Site of the end, or `Site::NONE`.
    pub site: Site,
    /// Place from the frames and debug info if there is no site: signals, timeouts, stack overflow …
    pub place: Option<Place>,
    /// Description of the memory concerned; empty if unknown.
    pub about: Arc<str>,
    /// Calls that led to the place of an error, innermost first.
    pub callers: Arc<[Place]>,
}

/// A position in the source. Line 0 if unknown.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    pub file: Arc<str>,
    pub line: u32,
    pub column: u32,
    pub function: Arc<str>,
}

impl Place {
    /// The unknown place.
    pub fn unknown() -> Place {
        Place { file: "".into(), line: 0, column: 0, function: "".into() }
    }

    /// True if the place is known.
    pub fn is_known(&self) -> bool {
        self.line != 0 || !self.file.is_empty()
    }
}

/// `file:line`, or `?` for an unknown place.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.is_known(), self.line) {
            (false, _) => write!(f, "?"),
            (true, 0) => write!(f, "{}", self.file),
            (true, line) => write!(f, "{}:{line}", self.file),
        }
    }
}
