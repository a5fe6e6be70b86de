//! `tine mutate`: makes small changes to a function, and reports which of them the tests detect.
//!
//! The file with all mutants is compared with the original as the new version ([`crate::compare`]). It is built once.
//! For each mutant, its number is written into a copy of the program.

mod table;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;

use tine_build::mutants::{self, MARK, Mutant};
use tine_build::targets::Versions;
use tine_build::unit::absolute;
use tine_engine::config::values::{Count, TimeLimit};
use tine_engine::event::Event;
use tine_engine::folder::Place;
use tine_engine::record::Recording;
use tine_engine::target::{Target, UNIT_NATIVE};
use tine_engine::temporary::Temporary;
use tine_engine::{Config, STOP};
use tine_session::Session;
use tine_session::summary::{ErrorSummary, Summary, Verdict};
use tine_trace::outcome::ErrorKind;
use tine_types::{Input, TypeGraph, TypeId, dwarf};

use crate::config;
use crate::display::{print_json, print_safe};
use crate::explore::{stop_on_interrupt, unit};
use crate::failure::{EXIT_FINE, Failure};
use crate::options::MutateOptions;
use crate::sessions;

/// Default time limit per mutant.
const TIME_EACH: Duration = Duration::from_secs(10);

/// Result of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    /// An input shows a difference.
    Killed,
    /// Proved equivalent.
    Equivalent,
    /// Proved equivalent within the bounds.
    Bounded,
    Alive,
}

struct Tried {
    mutant: Mutant,
    fate: Fate,
    /// Difference and input.
    evidence: Option<(String, String)>,
    runs: u64,
    time_ms: u64,
}

pub(crate) fn mutate(options: &MutateOptions) -> Result<u8, Failure> {
    let config = config::load("mutate", options, options.common.trust)?;
    let Some(name) = config.function.clone() else {
        return Err(Failure::usage("the function is missing", "name it with --fn"));
    };
    let suite = options.suite.as_deref().map(inputs).transpose()?;
    let original = unit(&options.files, &config, options.common.trust)?;
    let schema = mutants::schema(&original, &name)?;
    if schema.mutants.is_empty() {
        return Err(Failure::usage(format!("`{name}` has nothing to mutate"), "code from macros stays as it is"));
    }
    let failed = |why: std::io::Error| {
        Failure::usage(format!("cannot write the mutants: {why}"), "set TMPDIR to a writable directory")
    };
    let folder = Temporary::new("mutants").map_err(failed)?;
    let file = folder.path().join(original.main_file().file_name().unwrap_or_default());
    std::fs::write(&file, &schema.text).map_err(failed)?;
    let home = original.main_file().parent().unwrap_or(Path::new("/")).to_string_lossy().into_owned();
    let quoted = home.replace('\\', "\\\\").replace('\'', "'\\''");
    let of_mutants = Config { cflags: format!("{} -w -iquote '{quoted}'", config.cflags), ..config.clone() };
    let files: Vec<PathBuf> = std::iter::once(Ok(file))
        .chain(options.files[1..].iter().map(|file| absolute(file)))
        .collect::<Result<_, _>>()?;
    let mutated = unit(&files, &of_mutants, options.common.trust)?;
    let versions = Versions::new(&original, &mutated, &config)?;
    let compared = versions.target(&name, &[])?;
    let native = compared.target.files.iter().find(|(_, name)| name == UNIT_NATIVE).map(|(file, _)| file.clone());
    let suite = suite.map(|suite| suite.inputs_for(&native.unwrap_or_default())).transpose()?;

    compared
        .notes
        .iter()
        .for_each(|note| eprintln!("note: {note}, which is not compared: no mutant is proved equivalent"));
    stop_on_interrupt();
    let place = sessions::place(&config, &format!("{name}-mutants"), original.main_file())?;
    let n_all = schema.mutants.len();
    let mut tried = Vec::new();
    for mutant in schema.mutants {
        if options.only.as_ref().is_some_and(|only| !only.contains(&mutant.number)) {
            continue;
        }
        let target = switched(&compared.target, mutant.number, folder.path())?;
        let mut one = try_one(mutant, target, &config, &place.folder, suite.as_deref())?;
        if one.fate != Fate::Killed && !compared.notes.is_empty() {
            one.fate = Fate::Alive;
        }
        if !config.quiet {
            eprintln!("mutant {} of {n_all}: {}", one.mutant.number, table::fate(one.fate));
        }
        tried.push(one);
        if STOP.load(Ordering::Relaxed) {
            break;
        }
    }
    if config.json {
        print_json(&(table::json(&name, &tried, suite.is_some()) + "\n"))?;
    } else {
        print_safe(&table::text(&tried, suite.is_some()))?;
    }
    Ok(EXIT_FINE)
}

/// The cases of a session, and the types of its program, whose numbers the objects refer to.
struct Suite {
    inputs: Vec<Input>,
    types: TypeGraph,
}

impl Suite {
    /// The inputs, with the type numbers of another program.
    fn inputs_for(self, program: &Path) -> Result<Vec<Input>, Failure> {
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
fn types_of(program: &Path) -> Result<TypeGraph, Failure> {
    let unreadable =
        |why: String| Failure::usage(format!("cannot read the types of {}: {why}", program.display()), "explore again");
    let bytes = std::fs::read(program).map_err(|why| unreadable(why.to_string()))?;
    Ok(dwarf::read(&bytes).map_err(|why| unreadable(why.to_string()))?.types)
}

/// The kept cases of a session.
fn inputs(folder: &Path) -> Result<Suite, Failure> {
    let folder = sessions::session(folder)?;
    let session =
        Session::open(&folder).map_err(|why| Failure::session(&why, "give the directory of a session (`--out`)"))?;
    let cases = session.cases().map_err(|why| Failure::session(&why, "give the directory of a session (`--out`)"))?;
    if cases.is_empty() {
        return Err(Failure::usage(format!("the session in {} has no cases", folder.display()), "explore again"));
    }
    let inputs = cases.into_iter().map(|case| case.input.input).collect();
    Ok(Suite { inputs, types: types_of(&folder.join(UNIT_NATIVE))? })
}

/// The target with the mutant active.
fn switched(target: &Target, number: u32, folder: &Path) -> Result<Target, Failure> {
    let failed = |why: std::io::Error| Failure::usage(format!("cannot write a mutant: {why}"), "make room on the disk");
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
fn try_one(
    mutant: Mutant,
    mut target: Target,
    config: &Config,
    folder: &Path,
    suite: Option<&[Input]>,
) -> Result<Tried, Failure> {
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
