//! From an input to a run: its plan, its limits, and the unrecorded repetition of runs that exceed their time.

use std::time::Instant;

use tine_explore::job::NoteSeen;
use tine_explore::{Flip, JobResult, Run, RunEnd};
use tine_trace::event::NoteKind;
use tine_trace::fill::RESTART;
use tine_trace::outcome::{ErrorKind, OutcomeKind};
use tine_trace::plan::InputKind;
use tine_trace::segment::{FLAG_RECORD, FLAG_STATES, FLAGS_OF_START, Limits};
use tine_types::input::{Input, Request};

use super::finding::Found;
use super::recording::Ran;
use super::{ExecutorError, LocalExecutor};
use crate::endless::{Endless, Function};
use crate::import::Trace;
use crate::slow::Seen;

/// Number of inputs that any program may request before it counts as unbounded.
const ANY_PROGRAM: u64 = 1 << 17;

impl LocalExecutor {
    pub(super) fn run_found(&mut self, found: Found) -> Result<JobResult, ExecutorError> {
        match found {
            Found::Input(inputs, found_for) => {
                let parent = found_for.as_ref().map(|(trace, flip)| (&**trace, flip));
                Ok(JobResult::Ran(Box::new(self.run(inputs, parent)?)))
            }
            Found::Seed(seed) => {
                let seed = std::mem::replace(&mut self.limits.fill_seed, seed);
                let run = self.run(Input::default(), None);
                self.limits.fill_seed = seed;
                Ok(JobResult::Ran(Box::new(run?)))
            }
            Found::Hard(hard) => self.guess(hard),
            Found::None(result) => Ok(result),
        }
    }

    fn run(&mut self, planned: Input, parent: Option<(&Trace, &Flip)>) -> Result<Run, ExecutorError> {
        let ran = self.observe(planned, parent)?;
        self.recorded(ran, parent)
    }

    /// Runs an input, and imports its records.
    pub(super) fn observe(&mut self, planned: Input, parent: Option<(&Trace, &Flip)>) -> Result<Ran, ExecutorError> {
        self.bound_terms()?;
        self.observe_planned(planned, parent)
    }

    pub(super) fn observe_planned(
        &mut self,
        planned: Input,
        parent: Option<(&Trace, &Flip)>,
    ) -> Result<Ran, ExecutorError> {
        let n_planned = planned.requests.len();
        self.forget_earlier_coverage();
        self.limits.max_inputs = self.endless.most(n_planned);
        let start = Instant::now();
        self.unit.run(&planned, &self.limits)?;
        self.pace.took(start.elapsed(), 1);
        let mut limits = self.limits;
        let n_requests = self.unit.segment().n_requests() as usize;
        if self.unit.segment().outcome().kind != OutcomeKind::Timeout as u32 {
            self.endless.asked(n_requests);
        } else if self.was_cut_off() {
            self.limits.fill_seed = Endless::other_fill(self.limits.fill_seed);
        } else if self.endless.is_suspect(n_requests, n_planned) {
            let asks = self.goes_on_asking(&planned, n_requests)?;
            if asks {
                self.endless.meet();
            } else {
                self.endless.asked(n_requests);
            }
            // Repeat the run with the limit on requests.
            self.limits.max_inputs = self.endless.most(n_planned);
            limits = self.limits;
            self.forget_coverage();
            self.unit.run(&planned, &self.limits)?;
            if asks {
                self.limits.fill_seed = Endless::other_fill(self.limits.fill_seed);
            }
        }
        self.look(planned, parent, limits)
    }

    /// True if the last run was stopped because it made more requests than allowed.
    fn was_cut_off(&self) -> bool {
        self.unit.segment().notes().iter().any(|note| note.kind == NoteKind::MaxInputs as u8)
    }

    /// True if the run goes on requesting input. It was stopped after this number of requests. Without recording it is
    /// faster, so it makes many more, or it makes some more until it is stopped again.
    fn goes_on_asking(&mut self, input: &Input, n_requests: usize) -> Result<bool, ExecutorError> {
        let flags = self.limits.flags & !(FLAG_RECORD | FLAG_STATES | FLAGS_OF_START);
        let max_inputs = n_requests as u64 * 4 + ANY_PROGRAM;
        self.unit.run_unrecorded(input, &Limits { flags, max_inputs, ..self.limits }, false)?;
        let segment = self.unit.segment();
        let is_timeout = segment.outcome().kind == OutcomeKind::Timeout as u32;
        let has_more = segment.n_requests() as usize > n_requests && self.unit.was_asking();
        Ok(is_timeout && (self.was_cut_off() || has_more))
    }

    /// Runs an input that is not a case: its coverage does not count as new, nor as that of the next run.
    pub(super) fn run_unnoticed(&mut self, input: &Input) -> Result<(), ExecutorError> {
        self.unit.run(input, &self.limits)?;
        self.forget_coverage();
        Ok(())
    }

    /// Clears the coverage of earlier runs. Before the first run, it keeps that of the program's start-up.
    pub(super) fn forget_earlier_coverage(&mut self) {
        self.unit.show_last();
        if std::mem::replace(&mut self.has_run, true) {
            self.forget_coverage();
        }
    }

    /// Repeats the last run, which exceeded its time limit, without recording. If it ends then, that is its end. Its
    /// path is known only up to the point where the time was up.
    pub(super) fn run_unrecorded(&mut self, ran: &mut Ran, seen: &mut Seen) -> Result<(), ExecutorError> {
        let flags = ran.limits.flags & !(FLAG_RECORD | FLAG_STATES | FLAGS_OF_START);
        let limits = Limits { flags, ..ran.limits };
        // An unrecorded run does not know call sites, so its failing calls are those of the recorded run.
        for (request, input) in ran.inputs.requests.iter().enumerate() {
            if input.kind == InputKind::Failure {
                let requests = &mut ran.planned.requests;
                requests.resize(requests.len().max(request + 1), Request::unseen(Vec::new()));
                requests[request].bytes.clone_from(&input.bytes);
            }
        }
        let mut is_known = self.endless.is_known(&self.function_of(&seen.end));
        let end = loop {
            self.unit.run_unrecorded(&ran.planned, &limits, !is_known)?;
            self.check_records()?;
            let end = self.end();
            if !is_known || end.kind != OutcomeKind::Timeout || self.endless.is_known(&self.function_of(&end)) {
                break end;
            }
            // A run that stops in another loop gets the whole time limit.
            is_known = false;
        };
        let notes: Vec<NoteSeen> = self.notes_seen().collect();
        let n_requests = self.unit.segment().n_requests() as usize;
        seen.merge(notes);
        if end.kind == OutcomeKind::Timeout {
            let is_suspect = self.endless.is_suspect(n_requests, ran.planned.requests.len());
            if seen.asks_for_ever() || is_suspect && self.unit.was_asking() {
                self.endless.meet();
                seen.note_asking();
                self.limits.fill_seed = Endless::other_fill(ran.limits.fill_seed);
                return Ok(());
            }
            // Large values that no condition constrains make loops long rather than infinite.
            let is_restart = limits.fill_seed & RESTART != 0;
            if !is_restart {
                self.endless.know(self.function_of(&end));
            }
            if self.checks.reports(ErrorKind::EndlessLoop) && !is_restart {
                seen.loops(end);
            } else {
                const SIGKILL: u32 = 9;
                seen.ends(RunEnd { kind: OutcomeKind::Exited, code: 128 + SIGKILL, ..end });
            }
        } else if is_blocked(&end) {
            // The recorded run waited at the same place, and was recorded up to there.
            seen.end = end;
        } else {
            seen.ends(end);
        }
        // Up to here, the addresses of functions are those of the recorded run.
        ran.inputs = self.shapes.portable(std::mem::take(&mut ran.inputs));
        let inputs = self.seen_inputs(&ran.planned);
        let inputs = self.shapes.portable(inputs);
        if inputs.begins_with(&ran.inputs) {
            ran.inputs = inputs;
        }
        Ok(())
    }

    /// File and function that a run ended in.
    fn function_of(&self, end: &RunEnd) -> Function {
        let place = self.map.with_function(end.place.clone().unwrap_or_else(|| self.map.place(end.site)));
        (place.file, place.function)
    }
}

/// True if a run waits for an event that cannot happen.
fn is_blocked(end: &RunEnd) -> bool {
    end.kind == OutcomeKind::Failed && end.code == ErrorKind::Blocked as u32
}
