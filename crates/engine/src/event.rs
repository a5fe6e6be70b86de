//! Everything that happens in an exploration, as a stream of events for displays and recorders.
//!
//! ```text
//!   Started ─▶ Job ─▶ Covered* Error* SlowQuery? ─▶ Progress? ─▶ … ─▶ Finished
//! ```
//! Events arrive on the thread that called [`explore`](crate::explore), in the order in which results were taken in.

use std::sync::Arc;
use std::time::Duration;

use tine_explore::errors::FoundError;
use tine_explore::map::AlternativeId;
use tine_explore::{CaseId, JobResult, OpenBranch, ProgramMap, Step};
use tine_session::summary::Machine;
use tine_session::{CaseInput, Details, Summary};
use tine_trace::event::Site;
use tine_types::Input;

use crate::Error;

/// See the module's documentation.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// The program runs.
    Started(&'a Started),
    /// A job is done: a run has finished, or the solver has an answer.
    Job(&'a Done),
    /// A case is the first to take a side of a branch.
    Covered { side: AlternativeId, case: CaseId },
    /// A case is the first to show an error.
    Error { error: &'a FoundError, input: &'a CaseInput },
    /// The solver gave up on a branch side, because of its limits.
    SlowQuery { side: Option<OpenBranch>, why: &'a str },
    /// A few times a second.
    Progress(&'a Progress),
    /// Something about other machines that the user should know.
    Notice(&'a str),
    /// A recorder has saved everything up to now.
    Saved { elapsed: Duration },
    /// The end.
    Finished(&'a Finished),
}

/// A program that has started.
#[derive(Debug)]
pub struct Started {
    pub map: Arc<ProgramMap>,
    /// Protections that this kernel does not have.
    pub unprotected: Vec<String>,
    /// Places of weights at which there is no branch.
    pub unused_weights: Vec<String>,
}

/// A job with its result.
#[derive(Debug)]
pub struct Done {
    pub step: Step,
    pub result: JobResult,
    /// Inputs of the run, if there was one.
    pub inputs: Arc<Input>,
    /// The case, if it is kept.
    pub kept: Option<Kept>,
    /// Errors of this job that are new.
    pub errors: Vec<FoundError>,
    /// Branch sides covered up to now.
    pub n_covered: usize,
    pub elapsed: Duration,
    /// The reply of another machine that the result is from, if it is the first result of one.
    pub receipt: Option<u64>,
}

/// A case that is worth keeping.
#[derive(Clone, Debug)]
pub struct Kept {
    pub case: CaseId,
    pub has_error: bool,
    pub input: CaseInput,
    /// All branch sides that it covers, not only new ones.
    pub covers: Vec<AlternativeId>,
    /// Decisions of a run with an error: places and sides, at most the last 1,000.
    pub path: Vec<(Site, u16)>,
    /// Output of a run with an error, if [`Config::show_output`](crate::Config::show_output) asks for it.
    pub output: Option<Vec<u8>>,
}

/// Numbers of an exploration up to now.
#[derive(Clone, Debug)]
pub struct Progress {
    pub runs: u64,
    pub paths: u64,
    pub branches_covered: usize,
    pub branches_total: usize,
    pub errors: usize,
    /// Time of one worker's solver.
    pub solving: Duration,
    /// Workers on other machines.
    pub machines: Vec<Machine>,
    pub elapsed: Duration,
}

/// An exploration that has ended.
#[derive(Debug)]
pub struct Finished {
    pub summary: Summary,
    /// Results that only the session stores.
    pub details: Details,
    /// Workers that did not stop still hold more memory than they may.
    pub is_out_of_memory: bool,
}

/// A receiver of events. An error ends the exploration.
pub trait Sink {
    fn event(&mut self, event: &Event<'_>) -> Result<(), Error>;
}

/// Any function is a sink.
impl<F: FnMut(&Event<'_>) -> Result<(), Error>> Sink for F {
    fn event(&mut self, event: &Event<'_>) -> Result<(), Error> {
        self(event)
    }
}

/// Passes a job on, and what follows from it.
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
