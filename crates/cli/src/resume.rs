//! `tine resume`: an exploration that was cut off goes on.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tine_executor::graph::shapes::Element;
use tine_executor::{Bounds, CaseInputs, Cases, InputSeen, ObjectSeen};
use tine_explore::map::AlternativeId;
use tine_explore::suite::Candidate;
use tine_explore::{CaseId, Explorer};
use tine_session::input::from_hex;
use tine_session::journal::Inputs;
use tine_session::settings::KEY;
use tine_session::summary::{Stopped, Summary};
use tine_session::{CaseInput, Exploration, Recorder, Session, SessionError};
use tine_types::map::Untouched;

use crate::explore::{Target, exit_code, explore, interrupted, print_json, print_text, report, session_failure};
use crate::failure::Failure;
use crate::options::ResumeOptions;
use crate::settings::{check_sources, open_program, options};
use crate::shapes::InputTypes;
use crate::suite::SuiteOptions;
use crate::trust::is_inside;

/// A session that goes on.
pub(crate) struct Before {
    pub(crate) recorder: Recorder,
    session: Session,
    pub(crate) elapsed: Duration,
}

/// What an exploration had found when it was cut off.
pub(crate) struct Found {
    pub(crate) cases: Cases,
    pub(crate) errors: Vec<(CaseId, CaseInput)>,
    pub(crate) suite: Vec<Candidate>,
}

pub(crate) fn resume(given: &ResumeOptions) -> Result<u8, Failure> {
    let folder = &given.session;
    let recorder = Recorder::resume(folder).map_err(not_a_session)?;
    let session = Session::open(folder).map_err(not_a_session)?;
    let exploration: Exploration = session
        .setting(KEY)
        .map_err(session_failure)?
        .and_then(|value| serde_json::from_value(value).ok())
        .ok_or_else(|| damaged("its settings are missing"))?;
    let mut options = options(&exploration, &given.flags())?;
    options.out = folder.clone();
    options.solver_log.clone_from(&given.solver_log);
    let text = |key: &str| {
        let value = session.setting(key).ok().flatten();
        value.and_then(|value| value.as_str().map(str::to_owned))
    };
    let written =
        [text("corpus").map(PathBuf::from), text("testcomp").map(PathBuf::from), options.solver_cache.clone()];
    consent(&exploration, given, written.iter().flatten())?;
    let stored = text("program").ok_or_else(|| damaged("it does not say what it explored"))?;
    // What was built for the session lives with it.
    let program = open_program(&exploration, folder, &stored)?;
    check_sources(&exploration)?;
    if let Some(summary) = session.summary().map_err(session_failure)?
        && let Some(why) = nothing_left(&summary, &options)
    {
        let line = format!("the session in `{}` is finished: {why}\n", folder.display());
        if given.output.json { print_json(&(tine_report::json::json(&summary) + "\n")) } else { print_text(&line) }?;
        return Ok(exit_code(&summary));
    }
    let arguments = session.setting("arguments").ok().flatten();
    let arguments: Vec<String> = arguments.and_then(|value| serde_json::from_value(value).ok()).unwrap_or_default();
    let bounds =
        Bounds { objects: exploration.max_objects, elements: exploration.max_elements, text: exploration.max_string };
    let types = match &text("native") {
        Some(_) => InputTypes::read(&folder.join("unit.native"), &exploration.roots, &exploration.callables, bounds)?,
        None => InputTypes::default(),
    };
    let target = Target {
        name: session.program().map_err(session_failure)?.name,
        program: program.path().to_path_buf(),
        verified: Some(program),
        files: Vec::new(),
        arguments: arguments.into_iter().map(OsString::from).collect(),
        directory: text("directory").map(PathBuf::from),
        inputs: text("inputs"),
        seeds: seeds(&exploration)?,
        allow: exploration.allow,
        surroundings: exploration.surroundings.clone(),
        random_fill: exploration.random_fill,
        untouched: if exploration.lazy { Untouched::Hide } else { Untouched::Show },
        by_calls: exploration.by_calls,
        prune: exploration.prune,
        types,
        sources: Vec::new(),
        settings: serde_json::Map::new(),
    };
    let elapsed = Duration::from_millis(session.elapsed_ms().map_err(session_failure)?);
    let suite = SuiteOptions {
        corpus: text("corpus").map(PathBuf::from),
        testcomp: text("testcomp").map(PathBuf::from),
        ..SuiteOptions::default()
    };
    let before = Before { recorder, session, elapsed };
    let code = report(&explore(target, &options, Some(before))?, &options)?;
    suite.write(folder)?;
    Ok(code)
}

/// A session may come from another person, so the user confirms settings that could do harm.
fn consent<'a>(
    exploration: &Exploration,
    given: &ResumeOptions,
    mut written: impl Iterator<Item = &'a PathBuf>,
) -> Result<(), Failure> {
    if exploration.allow && !given.allow {
        return Err(Failure::usage(
            "the session's program was allowed to start processes and open sockets",
            "say `--allow` again, if you trust the program",
        ));
    }
    match written.find(|path| !given.trust && !is_inside(Path::new("."), path)) {
        None => Ok(()),
        Some(path) => Err(Failure::usage(
            format!("the session writes to {}, outside of the current directory", path.display()),
            "say `--trust` if that is what you want, or go on in the directory where the session began",
        )),
    }
}

fn seeds(exploration: &Exploration) -> Result<Vec<Vec<Vec<u8>>>, Failure> {
    let bytes = |digits: &String| from_hex(digits).ok_or_else(|| damaged("its inputs to start from are no bytes"));
    exploration.seeds.iter().map(|seed| seed.iter().map(bytes).collect()).collect()
}

/// Why there is nothing to go on with.
fn nothing_left(summary: &Summary, options: &crate::options::CommonOptions) -> Option<String> {
    match summary.stopped {
        Stopped::Exhausted => {
            let errors = match summary.errors.len() {
                0 => String::new(),
                1 => "1 error, ".to_owned(),
                n => format!("{n} errors, "),
            };
            Some(format!("{} paths, {errors}{}", summary.paths, summary.verdict.text()))
        }
        Stopped::MaxRuns if options.max_runs.is_some_and(|runs| runs <= summary.runs) => {
            Some(format!("all {} runs are used up; go on with a larger --max-runs", summary.runs))
        }
        Stopped::MaxTime if options.max_time.is_some_and(|time| time.as_millis() <= summary.time_ms.into()) => {
            Some("its time is up; go on with a longer --max-time".to_owned())
        }
        _ => None,
    }
}

impl Before {
    /// Leads the exploration to where the one before ended.
    pub(crate) fn tell(&mut self, explorer: &mut Explorer, types: &InputTypes) -> Result<Found, Failure> {
        let mut stored = Vec::new();
        let mut last = CaseId(0);
        let told = self.session.journal(|entry| {
            if interrupted() {
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
        told.map_err(|why| match why {
            SessionError::Interrupted => Failure::interrupted("interrupted; the session is as it was"),
            why => damaged(&why.to_string()),
        })?;
        let mut cases = Vec::new();
        for (case, inputs) in stored.iter().filter(|(case, _)| explorer.tree().is_needed(*case)) {
            cases.push((*case, case_inputs(&Inputs::decode(inputs).map_err(session_failure)?, types)?));
        }
        let mut errors = Vec::new();
        for error in self.session.errors().map_err(session_failure)? {
            let case = self.session.case(error.case).map_err(session_failure)?;
            errors.push((CaseId(case.id), case.input));
        }
        let candidate = |(case, has_error, covers): (u32, bool, Vec<u32>)| Candidate {
            case: CaseId(case),
            has_error,
            covers: covers.into_iter().map(AlternativeId).collect(),
        };
        let suite = self.session.covers().map_err(session_failure)?.into_iter().map(candidate).collect();
        self.recorder.begin_again().map_err(session_failure)?;
        Ok(Found { cases: Cases::restored(cases, last), errors, suite })
    }
}

fn case_inputs(stored: &Inputs<'_>, types: &InputTypes) -> Result<CaseInputs, Failure> {
    let inputs = stored.requests.iter().map(|request| InputSeen {
        name: request.name.to_owned(),
        kind: request.kind,
        bytes: request.bytes.to_vec(),
        choices: request.choices,
        ty: request.ty,
    });
    let mut restored = CaseInputs {
        inputs: inputs.collect(),
        functions: stored.functions.as_slice().into(),
        slot_shift: stored.slot_shift,
        ..CaseInputs::default()
    };
    for object in &stored.objects {
        let ty = types.nth(object.ty).ok_or_else(|| damaged("it names a type that the program does not have"))?;
        let element =
            Element { ty, size: object.size, extent: object.extent, start: object.start, flags: object.flags };
        restored.objects.insert(object.slot, ObjectSeen { element, bytes: object.bytes.to_vec() });
    }
    Ok(restored)
}

#[expect(clippy::needless_pass_by_value, reason = "`map_err` hands it over")]
fn not_a_session(why: SessionError) -> Failure {
    Failure::usage(why.to_string(), "give the directory of a session (`--out`) that no other tine is using")
}

fn damaged(what: &str) -> Failure {
    Failure::usage(format!("the session cannot go on: {what}"), "explore again with another --out")
}
