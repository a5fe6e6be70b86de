//! Watches an exploration: writes the session and shows progress.

use std::collections::BTreeSet;
use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use tine_executor::graph::describe::Description;
use tine_executor::{CaseInputs, LocalExecutor};
use tine_explore::suite::Candidate;
use tine_explore::{CaseId, Explorer, JobResult, Keep, Observer, Step};
use tine_report::Progress;
use tine_session::journal::{Inputs, Object, Request};
use tine_session::{CaseInput, InputValue, Kept, Recorder, SessionError};
use tine_solver::Stats;
use tine_trace::planned::PlannedRequest;
use tine_types::map::Untouched;

use crate::explore::style;
use crate::limits::Limits;
use crate::options::CommonOptions;

/// See the module's documentation.
pub(crate) struct Watch {
    pub(crate) recorder: Recorder,
    limits: Limits,
    progress: Option<ProgressLine>,
    /// Inputs of errors' cases.
    pub(crate) errors: Vec<(CaseId, CaseInput)>,
    pub(crate) outputs: Vec<(CaseId, Vec<u8>)>,
    /// What was kept so far, and what it covers.
    pub(crate) suite: Vec<Candidate>,
    /// Of all workers that are done.
    pub(crate) solver: Stats,
    /// Runs that did not have to do the start-up.
    pub(crate) resumed: u64,
    show_output: bool,
    untouched: Untouched,
    pub(crate) failed: Option<SessionError>,
}

impl Watch {
    pub(crate) fn new(recorder: Recorder, options: &CommonOptions, untouched: Untouched, limits: Limits) -> Watch {
        let progress = !options.output.quiet && std::io::stderr().is_terminal();
        Watch {
            recorder,
            limits,
            progress: progress.then(|| ProgressLine { shown: Instant::now(), width: terminal_width() }),
            errors: Vec::new(),
            outputs: Vec::new(),
            suite: Vec::new(),
            solver: Stats::default(),
            resumed: 0,
            show_output: options.output.show_output,
            untouched,
            failed: None,
        }
    }

    pub(crate) fn clear_line(&mut self) {
        if self.progress.take().is_some() {
            eprint!("\r\x1b[K");
        }
    }
}

impl Observer<LocalExecutor> for Watch {
    fn step(
        &mut self,
        step: &Step,
        result: &JobResult,
        explorer: &Explorer,
        executor: &LocalExecutor,
    ) -> ControlFlow<()> {
        if self.failed.is_some() {
            // Another worker's: without what is lost, the journal would not lead here.
            return ControlFlow::Break(());
        }
        let inputs = result.run().and_then(|run| executor.inputs(run.case)).unwrap_or_default();
        let kept = result.run().filter(|_| step.kept.is_some()).map(|run| {
            let edges = executor.edges();
            let sides: BTreeSet<_> = edges.iter().filter_map(|edge| explorer.map().covered_by(*edge)).collect();
            let input = case_input(executor.describe(run.case, &inputs, self.untouched));
            let has_error = matches!(step.kept, Some(Keep::Error | Keep::Unreproduced));
            if has_error {
                self.errors.push((run.case, input.clone()));
                if self.show_output {
                    self.outputs.push((run.case, executor.output()));
                }
            }
            let covers: Vec<_> = sides.into_iter().collect();
            self.suite.push(Candidate { case: run.case, has_error, covers: covers.clone() });
            Kept { input, covers }
        });
        let stored = if result.run().is_some() { stored(&inputs) } else { Vec::new() };
        let elapsed = self.limits.elapsed();
        let kept = || kept.unwrap_or_default();
        let mut written = self.recorder.add_step(step, result, explorer, elapsed, &stored, kept);
        if let Some(line) = &mut self.progress
            && line.is_due()
        {
            // What the user has seen must not be lost.
            written = written.and_then(|()| self.recorder.flush());
            line.show(elapsed, explorer, executor);
        }
        match written {
            Ok(()) => ControlFlow::Continue(()),
            Err(why) => {
                self.failed = Some(why);
                ControlFlow::Break(())
            }
        }
    }

    fn done(&mut self, executor: &LocalExecutor) {
        self.solver.add(&executor.solver_stats());
        self.resumed += executor.starts().resumed;
    }
}

/// A case's inputs as the journal keeps them.
fn stored(inputs: &CaseInputs) -> Vec<u8> {
    let requests = inputs.inputs.iter().map(|input| Request {
        name: &input.name,
        kind: input.kind,
        bytes: &input.bytes,
        choices: input.choices,
        ty: input.ty,
    });
    let objects = inputs.objects.iter().map(|(slot, object)| Object {
        slot: *slot,
        ty: object.element.ty.index() as u32,
        size: object.element.size,
        extent: object.element.extent,
        start: object.element.start,
        flags: object.element.flags,
        bytes: &object.bytes,
    });
    let (requests, objects) = (requests.collect(), objects.collect());
    Inputs { requests, objects, functions: inputs.functions.to_vec(), slot_shift: inputs.slot_shift }.encode()
}

/// A case's input as the session keeps it.
fn case_input(described: Description<'_>) -> CaseInput {
    let Description { inputs, plan, map } = described;
    let value = |(input, planned): (&tine_executor::InputSeen, PlannedRequest)| InputValue {
        name: input.name.clone(),
        kind: input.kind,
        bytes: planned.bytes,
        choices: input.choices,
        mapped: input.ty != 0,
    };
    let inputs = inputs.iter().zip(plan.requests.clone()).map(value).collect();
    CaseInput::new(inputs, plan, map)
}

struct ProgressLine {
    shown: Instant,
    width: usize,
}

impl ProgressLine {
    const EVERY: Duration = Duration::from_millis(100);

    fn is_due(&self) -> bool {
        self.shown.elapsed() >= ProgressLine::EVERY
    }

    fn show(&mut self, elapsed: Duration, explorer: &Explorer, executor: &LocalExecutor) {
        self.shown = Instant::now();
        let counters = explorer.counters();
        let progress = Progress {
            runs: counters.runs,
            paths: counters.paths,
            branches_covered: explorer.coverage().n_covered(),
            branches_total: explorer.map().n_alternatives(),
            errors: explorer.errors().len(),
            solving: executor.solver_stats().time,
            elapsed,
        };
        eprint!("\r\x1b[K{}", progress.line(style(true), Some(self.width)));
    }
}

fn terminal_width() -> usize {
    std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).unwrap_or(80)
}
