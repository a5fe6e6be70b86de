//! Events of an exploration, for displays and recorders.
//!
//! ```text
//!   Started ─▶ Job ─▶ Covered* Error* SlowQuery? ─▶ Progress? ─▶ … ─▶ Finished
//! ```
//! Events arrive on the thread that called [`explore`](crate::explore), in the order in which results were processed.

mod json_lines;

use std::sync::Arc;
use std::time::Duration;

use tine_explore::errors::FoundError;
use tine_explore::map::SideId;
use tine_explore::{CaseId, JobResult, OpenBranch, ProgramMap, Step};
use tine_session::summary::Machine;
use tine_session::{CaseInput, Details, SoFar, Summary};
use tine_trace::event::Site;
use tine_types::Input;

use crate::Error;

pub use json_lines::JsonLines;

/// See the module's documentation.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// The program has started.
    Started(&'a Started),
    /// A job is done: a run has finished, or the solver has an answer.
    Job(&'a Done),
    /// A case is the first to take a branch side.
    Covered { side: SideId, case: CaseId },
    /// A case is the first to show an error.
    Error { error: &'a FoundError, input: &'a CaseInput },
    /// The solver exceeded its limits for a branch side.
    SlowQuery { side: Option<OpenBranch>, why: &'a str },
    /// Sent a few times a second.
    Progress(&'a Progress),
    /// A message about other machines for the user.
    Notice(&'a str),
    /// A recorder has saved everything up to now.
    Saved { elapsed: Duration },
    /// The exploration has ended.
    Finished(&'a Finished),
}

/// A program that has started.
#[derive(Debug)]
pub struct Started {
    pub map: Arc<ProgramMap>,
    /// Protections that this kernel does not support.
    pub unprotected: Vec<String>,
    /// Locations in the weights file that have no branch.
    pub unused_weights: Vec<String>,
}

/// A job with its result.
#[derive(Debug)]
pub struct Done {
    pub step: Step,
    pub result: JobResult,
    /// Inputs of the run, if there was one.
    pub inputs: Arc<Input>,
    /// The case, if the run is kept.
    pub kept: Option<Kept>,
    /// New errors of this job.
    pub errors: Vec<FoundError>,
    /// Number of branch sides covered so far.
    pub n_covered: usize,
    pub elapsed: Duration,
    /// Token of the reply from another machine, if this is the first result of one.
    pub receipt: Option<u64>,
}

/// A case that is kept.
#[derive(Clone, Debug)]
pub struct Kept {
    pub case: CaseId,
    pub has_error: bool,
    pub input: CaseInput,
    /// All branch sides that it covers, old and new.
    pub covers: Vec<SideId>,
    /// Decisions of a run with an error: sites and sides, at most the last 1,000.
    pub path: Vec<(Site, u16)>,
    /// Output of a run with an error, if [`Config::show_output`](crate::Config::show_output) asks for it.
    pub output: Option<Vec<u8>>,
}

/// Current numbers of an exploration.
#[derive(Clone, Debug)]
pub struct Progress {
    pub runs: u64,
    pub paths: u64,
    pub branches_covered: usize,
    pub branches_total: usize,
    pub errors: usize,
    /// Solver time of one worker.
    pub solving: Duration,
    /// Workers on other machines.
    pub machines: Vec<Machine>,
    pub elapsed: Duration,
    /// For the session. Sent about once a second.
    pub so_far: Option<Arc<SoFar>>,
}

/// An exploration that has ended.
#[derive(Debug)]
pub struct Finished {
    pub summary: Summary,
    /// Results that only the session stores.
    pub details: Details,
    /// Smaller inputs of cases with reported errors, which replace the first ones.
    pub smaller: Vec<(CaseId, CaseInput)>,
    /// Workers that did not stop hold more memory than allowed.
    pub is_out_of_memory: bool,
}

/// A receiver of events. An error ends the exploration.
pub trait Sink {
    fn event(&mut self, event: &Event<'_>) -> Result<(), Error>;
}

/// Any such function is a sink.
impl<F: FnMut(&Event<'_>) -> Result<(), Error>> Sink for F {
    fn event(&mut self, event: &Event<'_>) -> Result<(), Error> {
        self(event)
    }
}

/// Sends the events of a job.
pub(crate) fn pass_on(done: &Done, sink: &mut dyn Sink) -> Result<(), Error> {
    sink.event(&Event::Job(done))?;
    if let Some(kept) = &done.kept {
        for side in &done.step.new_coverage {
            sink.event(&Event::Covered { side: *side, case: kept.case })?;
        }
        for error in &done.errors {
            sink.event(&Event::Error { error, input: &kept.input })?;
        }
    }
    match &done.result {
        JobResult::GaveUp(why) => sink.event(&Event::SlowQuery { side: done.step.target, why }),
        _ => Ok(()),
    }
}
