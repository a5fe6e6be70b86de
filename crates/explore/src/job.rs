//! Jobs for an executor, and their results: plain data without expressions and inputs.
//!
//! ```text
//!   Job::Flip { parent: case 7, decision: event 12, alternative: 1 }
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

use tine_trace::event::{EventKind, NoteKind, PinReason, Site};
use tine_trace::outcome::OutcomeKind;

use crate::map::Edge;
use crate::requirements::Requirement;

/// Number of a run's input. The executor gives them out, counting up from 1, each once (also when several
/// executors share one exploration): tables are indexed by it.
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
    /// Run the input of this number, from 0, of those that the executor was given to start from.
    Seed(u32),
    /// Run an input that is filled from this seed.
    Fresh(u64),
    /// Run an input that is made of parts of those that covered something, as this number has it.
    Vary(u64),
    /// Find an input that follows a known path and then decides the other way; run it.
    Flip(Flip),
    /// The same again, with twice the limits for the solver, which gave up before.
    Retry(Flip),
}

/// "This case, this decision, the other way."
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Flip {
    pub parent: CaseId,
    /// Index of the event in the parent's log: constraints before it hold, this one changes.
    pub decision: u32,
    /// The branch side to take instead.
    pub alternative: u16,
    /// Site of the parent's decision, with the prefix hash before it. A program that is not deterministic is at another site
    /// when the parent runs again.
    pub site: Site,
    pub before: u64,
}

/// The text of [`JobResult::Unknown`] for a run whose records are lost.
pub const DESTROYED: &str = "the unit destroyed its records";

/// The result of a job.
#[derive(Clone, Debug)]
pub enum JobResult {
    /// An input was found and ran, on the predicted path or on another.
    Ran(Box<Run>),
    /// No input goes there.
    Unsat,
    /// Not decided whether an input goes there, with the reason in words for the user.
    Unknown(String),
    /// The solver reached the named limit, or crashed. Another attempt with more time and memory may succeed.
    GaveUp(String),
    /// No input goes there within the named bound.
    Bounded(String),
    /// Only inputs that violate a requirement which is assumed to hold.
    Assumed(Requirement),
}

impl JobResult {
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

/// Takes the result of a job, while the executor still has what the run left.
pub type Done<'a, E> = &'a mut dyn FnMut(Result<JobResult, <E as Executor>::Error>, &mut E) -> ControlFlow<()>;

/// Turns jobs into runs. Holds the cases' inputs, which the tree does not see.
pub trait Executor {
    /// A failure that ends the exploration at once: the unit cannot be started, or a bug in tine.
    type Error;

    fn execute(&mut self, job: &Job) -> Result<JobResult, Self::Error>;

    /// Number of jobs that the executor prefers to get at once.
    fn appetite(&self) -> usize {
        1
    }

    /// Executes several jobs in order. `done` gets each result at once, and decides whether to go on.
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

    /// Number of jobs that may be out at a time, for executors that send them elsewhere ([`Executor::send`]). `None` if jobs are
    /// executed here.
    fn window(&self) -> Option<usize> {
        None
    }

    /// Sends numbered jobs away. [`Executor::receive`] returns their results, in any order.
    fn send(&mut self, jobs: &[(u64, Job)]) {
        let _ = jobs;
    }

    /// Waits for the result of a job that was sent, at most this long.
    fn receive(&mut self, wait: Duration) -> Option<(u64, Result<JobResult, Self::Error>)> {
        let _ = wait;
        None
    }

    /// Says that no open decision belongs to this case any more: no [`Flip::parent`] will name it again.
    fn release(&mut self, case: CaseId) {
        let _ = case;
    }

    /// Frees memory that can be computed again.
    fn free_memory(&mut self) {}

    /// Says that the executor's thread is bound to this core. Processes that it starts and waits for should be, too.
    fn keep_to(&mut self, core: usize) {
        let _ = core;
    }
}

/// One run, as far as the exploration is concerned.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    pub case: CaseId,
    /// Approximate number of bytes that the executor keeps for the case while it is needed.
    pub size: u32,
    pub prefix: Prefix,
    /// In order. Concretisations are constraints, but not decisions.
    pub decisions: Vec<Decision>,
    /// Values that were concretised in the part of the path that `decisions` covers.
    pub pins: Vec<Pin>,
    /// States between the calls of a sequence, in the part of the path that `decisions` covers.
    pub states: Vec<StateSeen>,
    /// All notes of the run.
    pub notes: Vec<NoteSeen>,
    pub end: RunEnd,
    /// Coverage that no run before had. Empty for a rejected run,
    /// so that a run with a valid input gets the credit.
    pub new_edges: Vec<Edge>,
    /// The requirement that the input violates, if the error that ended the run comes from that.
    pub requirement: Option<Requirement>,
}

impl Run {
    /// True if an assumption did not hold: the run is neither a path nor an error.
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
    /// With the first decision of the run.
    Whole,
    /// With the decision that the job flipped, because the run's hash there was as predicted: what lies before
    /// is the parent's. Saves the executor from importing it.
    Parent,
}

/// A decision of a run: an event of the log that has alternatives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Decision {
    /// Never `Pin`.
    pub kind: EventKind,
    pub site: Site,
    /// The side that the run took; less than `n_alternatives`.
    pub alternative: u16,
    /// Number of sides: 2 for branches, the site's for a switch, `aux` for a choice, the executor's for an aliasing choice.
    pub n_alternatives: u16,
    /// Index of the event in the run's log.
    pub event: u32,
    /// Prefix hash of the event before this one (a concretisation or a decision), `PREFIX_HASH_START` at the first.
    pub before: u64,
    /// A plain number that strategies may go by: small where something of interest is near, 0 where nothing is known.
    pub distance: u8,
}

impl Decision {
    /// True if a value was concretised before this decision, which has number `depth`: all other events are decisions.
    pub(crate) fn is_behind_a_pin(&self, depth: usize) -> bool {
        self.event as usize > depth
    }
}

/// A state that other runs may have reached before. The rest of a run depends on the state alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateSeen {
    /// Events of the run's log before it.
    pub event: u32,
    /// Prefix hash there.
    pub before: u64,
    /// Equal for equal states, except for the values that the path allows.
    pub key: u64,
    /// Constraints of the path on these values, sorted: more constraints, fewer values.
    pub constraints: Vec<u64>,
    /// Calls that may still follow.
    pub calls_left: u32,
}

/// A concretised value: its other values are never tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pin {
    pub site: Site,
    pub reason: PinReason,
}

/// A note of the run; `place` only where the executor knows more than the site does.
#[derive(Clone, Debug, PartialEq)]
pub struct NoteSeen {
    pub kind: NoteKind,
    pub site: Site,
    pub detail: u32,
    pub count: u32,
    pub place: Option<Place>,
}

/// End of the run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunEnd {
    pub kind: OutcomeKind,
    /// Exit code, error kind or signal number, as in [`tine_trace::outcome::Outcome`].
    pub code: u32,
    /// Or `Site::NONE`.
    pub site: Site,
    /// From the frames by debug info, where there is no site: signals, timeouts, stack overflow …
    pub place: Option<Place>,
    /// Which memory an error is about, in words; empty if that is not known.
    pub about: Arc<str>,
}

/// A position in the source. Line 0 where it is not known.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    pub file: Arc<str>,
    pub line: u32,
    pub column: u32,
    pub function: Arc<str>,
}

impl Place {
    /// Nowhere in particular.
    pub fn unknown() -> Place {
        Place { file: "".into(), line: 0, column: 0, function: "".into() }
    }

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
