//! Writes a session from the stream of events, before the next sink gets them: displayed results are already stored.

use std::path::PathBuf;

use tine_explore::suite::{Candidate, minimised};
use tine_session::recorder::{Record, Recorder};
use tine_session::{Kept, Program, SessionError};

use crate::Error;
use crate::config::Config;
use crate::event::{Done, Event, Finished, Sink, Started};
use crate::folder::Place;
use crate::stored::Stored;
use crate::target::Target;

/// See the module's documentation.
pub struct Recording<'a> {
    config: Config,
    target: Target,
    /// Directory of the session.
    place: Place,
    /// `None` before the program has started and after the exploration has ended.
    recorder: Option<Recorder>,
    /// Kept cases, with what they cover.
    suite: Vec<Candidate>,
    next: &'a mut dyn Sink,
}

impl std::fmt::Debug for Recording<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Recording").field("recorder", &self.recorder).finish_non_exhaustive()
    }
}

impl<'a> Recording<'a> {
    /// Creates a session in `place`, once the program has started.
    pub fn new(config: &Config, target: &Target, place: Place, next: &'a mut dyn Sink) -> Recording<'a> {
        Recording { config: config.clone(), target: target.clone(), place, recorder: None, suite: Vec::new(), next }
    }

    /// Continues a session.
    pub(crate) fn resumed(
        config: &Config,
        target: &Target,
        recorder: Recorder,
        suite: Vec<Candidate>,
        next: &'a mut dyn Sink,
    ) -> Recording<'a> {
        let place = Place::given(recorder.dir().to_path_buf());
        Recording { suite, recorder: Some(recorder), ..Recording::new(config, target, place, next) }
    }

    fn start(&mut self, started: &Started) -> Result<(), SessionError> {
        let Recording { config, target, place, .. } = self;
        let recorder = match &mut self.recorder {
            Some(recorder) => {
                recorder.begin_again()?;
                recorder
            }
            none => {
                let program = Program { name: target.name.clone(), digest: Program::digest_of(&started.map) };
                let settings = Stored::new(config, target, &started.map).settings();
                let make = if place.replaces { Recorder::replace } else { Recorder::create };
                none.insert(make(&place.folder, &program, &settings, &target.files)?)
            }
        };
        // Also for a resumed session: it may have been killed before the branches were written.
        recorder.add_branches(&started.map)
    }

    /// Adds a result. True if everything so far was saved.
    fn add(&mut self, done: &Done) -> Result<bool, SessionError> {
        let Some(recorder) = &mut self.recorder else { return Ok(false) };
        let kept = done.kept.as_ref().map(|kept| Kept {
            map: kept.input.map.clone(),
            covers: kept.covers.clone(),
            path: kept.path.clone(),
        });
        let is_saved = recorder.add(&Record {
            step: &done.step,
            result: &done.result,
            input: &done.inputs,
            kept: kept.as_ref(),
            errors: &done.errors,
            n_covered: done.n_covered,
            elapsed: done.elapsed,
        })?;
        if let Some(kept) = &done.kept {
            self.suite.push(Candidate { case: kept.case, has_error: kept.has_error, covers: kept.covers.clone() });
        }
        Ok(is_saved)
    }

    fn finish(&mut self, finished: &Finished) -> Result<(), SessionError> {
        let Some(mut recorder) = self.recorder.take() else { return Ok(()) };
        if !self.config.keeps_all() {
            recorder.keep_only(&minimised(&self.suite))?;
        }
        for (case, input) in &finished.smaller {
            recorder.replace_input(*case, input)?;
        }
        recorder.finish(&finished.summary, &finished.details)
    }
}

impl Sink for Recording<'_> {
    fn event(&mut self, event: &Event<'_>) -> Result<(), Error> {
        let folder: PathBuf = self.place.folder.clone();
        let failed = |why| Error::Recording { folder, why };
        match event {
            Event::Started(started) => self.start(started)?,
            Event::Job(done) => {
                let is_saved = self.add(done).map_err(failed)?;
                if is_saved {
                    self.next.event(&Event::Saved { elapsed: done.elapsed })?;
                }
            }
            Event::Progress(progress) => {
                if let Some(recorder) = &mut self.recorder {
                    let so_far = progress.so_far.as_ref().map_or(Ok(()), |so_far| recorder.add_so_far(so_far));
                    so_far.and_then(|()| recorder.flush()).map_err(failed)?;
                }
                self.next.event(&Event::Saved { elapsed: progress.elapsed })?;
            }
            Event::Finished(finished) => self.finish(finished).map_err(failed)?,
            _ => {}
        }
        self.next.event(event)
    }
}
