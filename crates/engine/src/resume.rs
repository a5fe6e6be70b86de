//! Continuation of interrupted explorations.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;

use tine_executor::Cases;
use tine_explore::map::SideId;
use tine_explore::suite::Candidate;
use tine_explore::{CaseId, Explorer};
use tine_session::summary::{Stopped, Summary};
use tine_session::{Recorder, Session, SessionError, journal};

use crate::Error;
use crate::config::Config;
use crate::event::Sink;
use crate::explore::{Found, STOP, Start, run};
use crate::record::Recording;
use crate::remote::Hub;
use crate::stored::Stored;
use crate::target::{Kind, UNIT_NATIVE};
use crate::types::InputTypes;

/// A session that can be resumed.
#[derive(Debug)]
pub struct Suspended {
    folder: PathBuf,
    stored: Stored,
    session: Session,
    recorder: Recorder,
}

/// The results of a session, to be replayed.
pub(crate) struct Past<'a> {
    session: &'a Session,
    pub(crate) spent: Duration,
}

impl Suspended {
    /// Opens the session in `folder`. No other process may be writing to it.
    pub fn open(folder: &Path) -> Result<Suspended, Error> {
        let recorder = Recorder::resume(folder)?;
        let session = Session::open(folder)?;
        let stored = Stored::read(&session)?;
        Ok(Suspended { folder: folder.to_path_buf(), stored, session, recorder })
    }

    /// The settings that the session began with.
    pub fn config(&self) -> &Config {
        &self.stored.config
    }

    /// Name of the explored function or program.
    pub fn name(&self) -> &str {
        &self.stored.target.name
    }

    /// Fails if the program or its sources have changed since the session.
    pub fn verify(&self) -> Result<(), Error> {
        self.stored.open_program(&self.folder, &self.stored.target.program)?;
        self.stored.check_sources()
    }

    /// The summary and the reason why these settings leave nothing to do; `None` if the exploration can continue.
    pub fn finished(&self, config: &Config) -> Result<Option<(Summary, String)>, Error> {
        let summary = self.session.summary()?;
        Ok(summary.and_then(|summary| nothing_left(&summary, config).map(|why| (summary, why))))
    }

    /// Continues with these settings.
    pub fn explore(self, config: &Config, sink: &mut dyn Sink) -> Result<Summary, Error> {
        self.explore_with(config, None, sink)
    }

    /// Continues with these settings and with the workers of a hub.
    pub fn explore_with(
        self,
        config: &Config,
        hub: Option<Box<dyn Hub>>,
        sink: &mut dyn Sink,
    ) -> Result<Summary, Error> {
        let program = self.stored.open_program(&self.folder, &self.stored.target.program)?;
        let mut target = self.stored.target.clone();
        target.program = program.path().to_path_buf();
        if let Kind::Function(harness) | Kind::Sequence(harness) = &mut target.kind {
            harness.native = self.folder.join(UNIT_NATIVE);
        }
        let types = InputTypes::of(&target, config)?;
        let spent = Duration::from_millis(self.session.elapsed_ms()?);
        let candidate = |(case, has_error, covers): (u32, bool, Vec<u32>)| Candidate {
            case: CaseId(case),
            has_error,
            covers: covers.into_iter().map(SideId).collect(),
        };
        let suite = self.session.covers()?.into_iter().map(candidate).collect();
        let past = Past { session: &self.session, spent };
        let mut recording = Recording::resumed(config, &target, self.recorder, suite, sink);
        let start = Start { verified: Some(program), past: Some(past) };
        run(config.clone(), target, types, hub, start, &mut recording)
    }
}

/// The reason why nothing is left to continue with.
fn nothing_left(summary: &Summary, config: &Config) -> Option<String> {
    match summary.stopped {
        Stopped::Exhausted => {
            let errors = match summary.errors.len() {
                0 => String::new(),
                1 => "1 error, ".to_owned(),
                n => format!("{n} errors, "),
            };
            Some(format!("{} paths, {errors}{}", summary.paths, summary.verdict.text()))
        }
        Stopped::MaxRuns if config.max_runs.is_some_and(|runs| runs.get() <= summary.runs) => {
            Some(format!("all {} runs are used up; go on with a larger --max-runs", summary.runs))
        }
        Stopped::MaxTime if config.time_limit().is_some_and(|time| time.as_millis() <= summary.time_ms.into()) => {
            Some("its time is up; go on with a longer --max-time".to_owned())
        }
        _ => None,
    }
}

impl Past<'_> {
    /// Replays the results, which brings the exploration to its last state.
    pub(crate) fn replay(self, explorer: &mut Explorer, types: &InputTypes) -> Result<Found, Error> {
        let mut stored = Vec::new();
        let mut last = CaseId(0);
        let replayed = self.session.journal(|entry| {
            if STOP.load(Ordering::Relaxed) {
                return Err(SessionError::Interrupted);
            }
            let step = explorer.replay(&entry.past());
            step.ok_or_else(|| SessionError::Damaged("the journal is not of this program".to_owned()))?;
            if let Some(run) = entry.result.run() {
                last = CaseId(last.0.max(run.case.0));
                stored.push((run.case, entry.inputs));
            }
            Ok(())
        });
        replayed.map_err(|why| match why {
            SessionError::Interrupted => Error::Interrupted("interrupted; the session is as it was"),
            why => Error::Damaged(why.to_string()),
        })?;
        let mut cases = Vec::new();
        for (case, inputs) in stored.iter().filter(|(case, _)| explorer.tree().is_needed(*case)) {
            let input = if inputs.is_empty() { self.session.input(case.0)? } else { journal::decode(inputs)? };
            if !input.objects.values().all(|object| types.has(object.element.ty)) {
                return Err(Error::Damaged("it names a type that the program does not have".to_owned()));
            }
            cases.push((*case, input));
        }
        let mut errors = Vec::new();
        let of_errors: Vec<u32> = self.session.errors()?.into_iter().map(|error| error.case).collect();
        let of_requirements = explorer.requirements().iter().map(|found| found.case.0);
        for case in of_errors.into_iter().chain(of_requirements) {
            let case = self.session.case(case)?;
            errors.push((CaseId(case.id), case.input));
        }
        Ok(Found { cases: Cases::restored(cases, last), errors })
    }
}
