//! Reproducing errors: an error counts only after its input has shown it again in a fresh process.
//!
//! ```text
//!   run shows errors ──▶ all reproduced before ───────────────────────────────▶ reported
//!                    └─▶ same input, fresh process ──▶ same kind, same place ──▶ reported
//!                                                  └─▶ otherwise, twice ──▶ NoteKind::NotReproduced
//! ```
//! An endless loop needs no further run: it has been run a second time, without recording, before it was called one.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use tine_explore::errors::{self, ErrorSeen, Key};
use tine_explore::job::NoteSeen;
use tine_explore::{Run, RunEnd};
use tine_trace::event::{NoteKind, Site};
use tine_trace::outcome::{ErrorKind, OutcomeKind};
use tine_trace::segment::{FLAG_RECORD, FLAG_STATES, FLAGS_OF_START, Limits};
use tine_types::Input;

use super::{ExecutorError, LocalExecutor};

/// Runs of one input before its error counts as not reproduced.
const TRIES: u32 = 2;
/// Inputs that are tried for an error that is never reproduced. Later runs that show it are not repeated.
const MAX_INPUTS: u32 = 4;

/// Errors that this executor has tried to reproduce.
#[derive(Debug, Default)]
pub(super) struct Reproduction {
    reproduced: BTreeSet<Key>,
    /// Inputs that showed the error only once.
    failed: BTreeMap<Key, u32>,
}

/// Errors of a repeated run, and a flag that the exploration ended before the run did.
struct Repeated {
    errors: Vec<ErrorSeen>,
    cut_off: bool,
}

impl LocalExecutor {
    /// Repeats a run that shows errors which were never reproduced, and marks those that do not appear again. If the
    /// exploration ends meanwhile, the run becomes unfinished, and a resumed exploration repeats it.
    pub(super) fn reproduce(&mut self, run: &mut Run, limits: &Limits) -> Result<(), ExecutorError> {
        let mut missing = errors::shown(&run.notes, &run.end, &self.map);
        let was_repeated = |error: &ErrorSeen| error.kind == ErrorKind::EndlessLoop && run.is_slow();
        missing.retain(|error| !self.reproduction.reproduced.contains(&error.key()) && !was_repeated(error));
        if missing.is_empty() {
            return Ok(());
        }
        let given_up =
            |error: &ErrorSeen| self.reproduction.failed.get(&error.key()).is_some_and(|inputs| *inputs >= MAX_INPUTS);
        if !missing.iter().all(given_up) {
            let inputs = self.cases.get(run.case).ok_or(ExecutorError::Case(run.case))?;
            let input = self.shapes.located(&inputs);
            for _ in 0..TRIES {
                let repeated = self.repeat(&input, limits)?;
                if repeated.cut_off {
                    cut_off(run);
                    return Ok(());
                }
                let keys: BTreeSet<Key> = repeated.errors.iter().map(ErrorSeen::key).collect();
                missing.retain(|error| !keys.contains(&error.key()));
                self.reproduction.reproduced.extend(keys);
                if missing.is_empty() {
                    return Ok(());
                }
            }
        }
        for error in missing {
            *self.reproduction.failed.entry(error.key()).or_default() += 1;
            run.notes.push(NoteSeen::new(NoteKind::NotReproduced, Site::NONE, error.kind as u32, 1, Some(error.place)));
        }
        Ok(())
    }

    /// Runs an input in a fresh process. If recording takes up the time limit, runs it also without recording.
    fn repeat(&mut self, input: &Input, limits: &Limits) -> Result<Repeated, ExecutorError> {
        self.unit.renew();
        // A run of a batch may be shown, but the coverage to clear is that which the next run sets.
        self.unit.show_last();
        self.forget_coverage();
        self.unit.run(input, limits)?;
        let (mut errors, mut end) = self.errors_of_last_run();
        if end == OutcomeKind::Timeout {
            let flags = limits.flags & !(FLAG_RECORD | FLAG_STATES | FLAGS_OF_START);
            self.unit.run_unrecorded(input, &Limits { flags, ..*limits }, true)?;
            let (more, last) = self.errors_of_last_run();
            errors.extend(more);
            end = last;
        }
        Ok(Repeated { errors, cut_off: end == OutcomeKind::Unfinished })
    }

    fn errors_of_last_run(&self) -> (Vec<ErrorSeen>, OutcomeKind) {
        let notes: Vec<NoteSeen> = self.notes_seen().collect();
        let end = self.end();
        (errors::shown(&notes, &end, &self.map), end.kind)
    }
}

/// Makes a run one that was stopped before its end and showed nothing.
fn cut_off(run: &mut Run) {
    run.notes.retain(|note| note.kind != NoteKind::Error);
    run.end = RunEnd {
        kind: OutcomeKind::Unfinished,
        code: 0,
        site: Site::NONE,
        place: None,
        about: "".into(),
        callers: Arc::default(),
    };
}
