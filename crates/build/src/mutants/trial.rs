//! Explores one mutant until it differs from the original, or runs the inputs of a suite.
//!
//! The program with all mutants is built once. For each mutant, its number is written into a copy of the program.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;

use tine_engine::config::values::{Count, TimeLimit};
use tine_engine::event::Event;
use tine_engine::folder::Place;
use tine_engine::record::Recording;
use tine_engine::target::Target;
use tine_engine::{Config, STOP};
use tine_session::session::Case;
use tine_session::summary::{ErrorSummary, Summary, Verdict};
use tine_trace::outcome::ErrorKind;
use tine_types::{Input, TypeGraph, TypeId, dwarf};

use super::{MARK, Mutant};
use crate::Error;

/// Default time limit per mutant.
const TIME_EACH: Duration = Duration::from_secs(10);

/// Result of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// An input shows a difference.
    Killed,
    /// Proved equivalent.
    Equivalent,
    /// Proved equivalent within the bounds.
    Bounded,
    Alive,
}

/// A mutant that was explored.
#[derive(Clone, Debug)]
pub struct Tried {
    pub mutant: Mutant,
    pub fate: Fate,
    /// Difference and input.
    pub evidence: Option<(String, String)>,
    pub runs: u64,
    pub time_ms: u64,
}

/// The cases of a session, and the types of its program, whose numbers the objects refer to.
#[derive(Debug)]
pub struct Suite {
    inputs: Vec<Input>,
    types: TypeGraph,
}

impl Suite {
    /// The kept cases of a session, whose program is `program`.
    pub fn new(cases: Vec<Case>, program: &Path) -> Result<Suite, Error> {
        let inputs = cases.into_iter().map(|case| case.input.input).collect();
        Ok(Suite { inputs, types: types_of(program)? })
    }

    /// The inputs, with the type numbers of another program.
    pub fn inputs_for(self, program: &Path) -> Result<Vec<Input>, Error> {
        let types = types_of(program)?;
        let key = |types: &TypeGraph, ty: TypeId| (types.describe(ty), types.size(ty));
        let mut numbers = HashMap::new();
        for (ty, _) in types.iter() {
            numbers.entry(key(&types, ty)).or_insert(ty);
        }
        let mut inputs = self.inputs;
        for object in inputs.iter_mut().flat_map(|input| input.objects.values_mut()) {
            let known = self.types.nth(object.element.ty.index()).map(|ty| key(&self.types, ty));
            object.element.ty = known.and_then(|known| numbers.get(&known).copied()).unwrap_or(TypeId::VOID);
        }
        Ok(inputs)
    }
}

/// The types of a program with debug information.
fn types_of(program: &Path) -> Result<TypeGraph, Error> {
    let unreadable =
        |why: String| Error::request(format!("cannot read the types of {}: {why}", program.display()), "explore again");
    let bytes = std::fs::read(program).map_err(|why| unreadable(why.to_string()))?;
    Ok(dwarf::read(&bytes).map_err(|why| unreadable(why.to_string()))?.types)
}

/// The target with the mutant active.
pub fn switched(target: &Target, number: u32, folder: &Path) -> Result<Target, Error> {
    let failed = |why: std::io::Error| Error::request(format!("cannot write a mutant: {why}"), "make room on the disk");
    let mut target = target.clone();
    for (file, name) in &mut target.files {
        if name == "driver.c" {
            continue;
        }
        let mut bytes = std::fs::read(&*file).map_err(failed)?;
        let marks: Vec<usize> = memchr::memmem::find_iter(&bytes, MARK).collect();
        assert_eq!(marks.len(), 1, "the switch of the mutants in {}", file.display());
        let at = marks[0] + MARK.len();
        bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
        // A program that is still running cannot be written to.
        let copy = folder.join(format!("{name}-{number}"));
        std::fs::write(&copy, bytes).map_err(failed)?;
        std::fs::set_permissions(&copy, std::fs::metadata(&*file).map_err(failed)?.permissions()).map_err(failed)?;
        if *file == target.program {
            target.program.clone_from(&copy);
        } else if let tine_engine::target::Kind::Function(harness) = &mut target.kind {
            harness.native.clone_from(&copy);
        }
        *file = copy;
    }
    Ok(target)
}

/// Explores until the mutant differs. With a suite, runs only its inputs.
pub fn try_one(
    mutant: Mutant,
    mut target: Target,
    config: &Config,
    folder: &Path,
    suite: Option<&[Input]>,
) -> Result<Tried, tine_engine::Error> {
    let place = Place::given(folder.join(mutant.number.to_string()));
    if config.out.is_none() && place.folder.join("session.db").exists() {
        // Remove the session of an earlier run of this command.
        let _ = std::fs::remove_dir_all(&place.folder);
    }
    let mut own =
        Config { max_time: config.max_time.or(Some(TimeLimit(Some(TIME_EACH)))), quiet: true, ..config.clone() };
    // Most explorations end after a few runs, so further workers are not worth their cost.
    own.jobs = own.jobs.or(Some(Count(1)));
    if let Some(suite) = suite {
        target.seeds = suite.to_vec();
        own.max_runs = Some(Count(suite.len() as u64));
    }
    let programs: Vec<PathBuf> =
        target.files.iter().filter(|(_, name)| name != "driver.c").map(|(file, _)| file.clone()).collect();
    let was_stopped = STOP.load(Ordering::Relaxed);
    let mut is_killed = false;
    let mut found = ErrorSummary::default();
    let mut watch = |event: &Event<'_>| -> Result<(), tine_engine::Error> {
        if let Event::Error { error, .. } = event
            && kills(error.kind)
        {
            is_killed = true;
            found.kind = error.kind.text().to_owned();
            found.about = error.about.to_string();
            STOP.store(true, Ordering::Relaxed);
        }
        Ok(())
    };
    let mut recording = Recording::new(&own, &target, place, &mut watch);
    let explored = tine_engine::explore(own.clone(), target.clone(), &mut recording);
    drop(recording);
    if is_killed && !was_stopped {
        STOP.store(false, Ordering::Relaxed);
    }
    programs.iter().for_each(|program| _ = std::fs::remove_file(program));
    let summary = match explored {
        // The exploration was stopped before all workers had started.
        Err(_) if is_killed => Summary { errors: vec![found], ..Summary::default() },
        explored => explored?,
    };
    Ok(Tried {
        fate: fate(&summary, suite.is_some()),
        evidence: evidence(&summary).map(|error| (described(error), error.input.clone())),
        runs: summary.runs,
        time_ms: summary.time_ms,
        mutant,
    })
}

/// True if the error shows a difference. The original does not loop endlessly on these inputs, so an endless loop
/// belongs to the mutant.
fn kills(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::Difference | ErrorKind::EndlessLoop)
}

fn evidence(summary: &Summary) -> Option<&ErrorSummary> {
    let kinds = [ErrorKind::Difference, ErrorKind::EndlessLoop].map(ErrorKind::text);
    summary.errors.iter().find(|error| kinds.contains(&error.kind.as_str()))
}

fn described(error: &ErrorSummary) -> String {
    if error.about.is_empty() { error.kind.clone() } else { error.about.clone() }
}

fn fate(summary: &Summary, has_suite: bool) -> Fate {
    match summary.verdict {
        _ if evidence(summary).is_some() => Fate::Killed,
        _ if has_suite || !summary.errors.is_empty() => Fate::Alive,
        Verdict::Complete => Fate::Equivalent,
        Verdict::Bounded => Fate::Bounded,
        Verdict::Incomplete => Fate::Alive,
    }
}
