//! The exploration of a built program: what `tine test` and `tine run` have in common.

use std::ffi::OsString;
use std::io::{IsTerminal, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use tine_executor::sandbox::Protections;
use tine_executor::team;
use tine_explore::strategy::weights::Weights;
use tine_explore::suite::minimised;
use tine_explore::{Budget, CaseId, Control, Explorer, ProgramMap, Settings};
use tine_report::{Style, terminal};
use tine_session::summary::{SolverSummary, Surrounding, Tier};
use tine_session::{Program, Recorder, Summary};
use tine_types::map::Untouched;

use crate::failure::{EXIT_ERRORS, EXIT_FINE, Failure};
use crate::options::CommonOptions;
use crate::resume::{Before, Found};
use crate::sandbox;
use crate::shapes::InputTypes;
use crate::watch::Watch;
use crate::workers::Workers;

/// What is explored.
#[derive(Debug)]
pub(crate) struct Target {
    /// As the summary names it.
    pub(crate) name: String,
    pub(crate) program: PathBuf,
    /// Files that are copied into the session's directory, with their names there.
    pub(crate) files: Vec<(PathBuf, &'static str)>,
    pub(crate) arguments: Vec<OsString>,
    /// Where the program starts: nothing for a unit, which gets a scratch directory of its own.
    pub(crate) directory: Option<PathBuf>,
    /// Which of its arguments, variables and files are inputs.
    pub(crate) inputs: Option<String>,
    /// Inputs to start from, each as the bytes of the first requests.
    pub(crate) seeds: Vec<Vec<Vec<u8>>>,
    /// It may start processes and open sockets.
    pub(crate) allow: bool,
    /// Functions that the unit does not define itself.
    pub(crate) surroundings: Vec<Surrounding>,
    /// Whether what nothing has decided comes from the seed.
    pub(crate) random_fill: bool,
    /// What becomes of cells that a run did not read.
    pub(crate) untouched: Untouched,
    /// Choices are calls: short sequences of them come first.
    pub(crate) by_calls: bool,
    /// A state that was reached before is not explored again.
    pub(crate) prune: bool,
    /// Types of the inputs, where a driver knows them.
    pub(crate) types: InputTypes,
    /// Files that a unit is made of.
    pub(crate) sources: Vec<PathBuf>,
    /// What `tine replay` needs to know.
    pub(crate) settings: serde_json::Map<String, serde_json::Value>,
}

/// What an exploration found.
#[derive(Debug)]
pub(crate) struct Explored {
    pub(crate) summary: Summary,
    /// What the unit printed in the runs of errors, where that is asked for.
    outputs: Vec<(CaseId, Vec<u8>)>,
}

pub(crate) fn solver_failure(why: impl std::fmt::Display) -> Failure {
    Failure::usage(why.to_string(), "choose another --solver, or install what it needs")
}

/// Explores and records; `before` is what goes on.
pub(crate) fn explore(
    target: &Target,
    options: &CommonOptions,
    mut before: Option<Before>,
) -> Result<Explored, Failure> {
    let stop = stop_on_interrupt();
    let weights = crate::strategies::weights(&options.strategy)?;
    // Before anything is written.
    options.solving.options().require().map_err(solver_failure)?;
    let log = options.solver_log.as_deref().map(create_log).transpose()?;
    let record = options.solver_record.as_deref().map(create_recording).transpose()?;
    let answers = options.solver_cache.as_deref().map(tine_solver::Answers::open).transpose().map_err(cache_failure)?;
    let solver = tine_solver::Options {
        log: log.clone(),
        record: record.clone(),
        answers: answers.clone(),
        ..options.solving.options()
    };
    let spent = before.as_ref().map_or(Duration::ZERO, |before| before.elapsed);
    let until = options.max_time.map(|time| Instant::now() + time.saturating_sub(spent));
    sandbox::require(&Protections::of_this_kernel(), target.allow, options.require_sandbox)?;
    let workers = Workers::new(target, options, stop, until, solver);
    let unit = workers.start_unit().map_err(|why| {
        Failure::usage(
            why.to_string(),
            "build the program with `tine cc`; see what it prints when you start it yourself",
        )
    })?;
    sandbox::check(&unit.protections(), target.allow, options.require_sandbox, options.output.quiet)?;
    let map = ProgramMap::parse(unit.maps(), unit.segment().modules())
        .map_err(|why| Failure::bug(format!("the program map cannot be read: {why}")))?;
    let map = Arc::new(map);
    crate::strategies::warn_about_weights(&weights, &map, options.output.quiet);
    let mut explorer = explorer(&map, &workers, &weights);
    let found = before.as_mut().map(|before| before.tell(&mut explorer, &target.types)).transpose()?;
    let mut recorder = match before {
        Some(before) => before.recorder,
        None => create_session(target, options, &map)?,
    };
    // Also when it goes on: it may have been killed before they were there.
    recorder.add_branches(&map).map_err(session_failure)?;
    let mut watch = Watch::new(recorder, options, target.untouched, spent);
    let cases = match found {
        Some(Found { cases, errors, suite }) => {
            (watch.errors, watch.suite) = (errors, suite);
            Arc::new(cases)
        }
        None => Arc::default(),
    };
    let mut first = workers.executor(unit, &map, &cases).map_err(solver_failure)?;
    let start = Instant::now();
    let elapsed = || spent + start.elapsed();
    let control = Control { stop, elapsed: &elapsed };
    let make = || workers.executor(workers.start_unit()?, &map, &cases);
    let ran = team::run(&mut explorer, &mut first, &make, &mut watch, control);
    watch.clear_line();
    if let Err(why) = ran {
        return Err(Failure::bug(why.to_string()));
    }
    if let Some(why) = watch.failed.take() {
        return Err(cannot_record(why, &options.out));
    }
    if let Some(why) = log.and_then(|log| log.take_error()) {
        return Err(Failure::usage(format!("cannot write the solver's log: {why}"), LOG_HELP));
    }
    if let Some(why) = record.and_then(|record| record.take_error()) {
        return Err(Failure::usage(format!("cannot write the queries: {why}"), RECORD_HELP));
    }
    no_disagreement(&watch.solver)?;
    answers.map_or(Ok(()), |answers| answers.save()).map_err(cache_failure)?;
    let inputs = |case: CaseId| watch.errors.iter().find(|(id, _)| *id == case).map(|(_, input)| input.clone());
    let mut summary = Summary::new(&target.name, &explorer, inputs, solver_summary(&watch.solver), watch.elapsed());
    summary.surroundings.clone_from(&target.surroundings);
    summary.resumed = watch.resumed;
    if options.output.explain {
        summary.explained = tine_session::summary::explained(&explorer);
    }
    let Watch { mut recorder, outputs, suite, .. } = watch;
    let kept = if options.keeps_all() { Ok(()) } else { recorder.keep_only(&minimised(&suite)) };
    kept.and_then(|()| recorder.finish(&summary)).map_err(|why| cannot_record(why, &options.out))?;
    Ok(Explored { summary, outputs })
}

fn explorer(map: &Arc<ProgramMap>, workers: &Workers<'_>, weights: &Weights) -> Explorer {
    let (target, options) = (workers.target, workers.options);
    let settings = Settings {
        budget: Budget { max_runs: options.max_runs, max_time: options.max_time },
        max_depth: None,
        keep_all: options.keeps_all(),
        memory: Some(options.memory.size),
        n_seeds: target.seeds.len() as u32,
        // Of a program: arguments of a function may be pointers, which nobody makes up. A strategy that was asked for by name is
        // to do what it says.
        vary: target.directory.is_some() && options.strategy.name() == "auto",
    };
    let strategy =
        |worker: usize| options.strategy.make(options.seed + worker as u64, weights.clone(), target.by_calls);
    Explorer::with_workers(Arc::clone(map), (0..workers.count()).map(strategy).collect(), settings)
}

fn create_session(target: &Target, options: &CommonOptions, map: &ProgramMap) -> Result<Recorder, Failure> {
    let program = Program { name: target.name.clone(), digest: Program::digest_of(map) };
    let settings = crate::settings::settings(target, options, map);
    Recorder::create(&options.out, &program, &settings, &target.files).map_err(session_failure)
}

/// The exploration had begun: what was written until then is there.
#[expect(clippy::needless_pass_by_value, reason = "`map_err` hands it over")]
fn cannot_record(why: tine_session::SessionError, folder: &Path) -> Failure {
    Failure::usage(
        format!("cannot write to {}: {why}", folder.display()),
        format!("make room, then go on with `tine resume {}`", folder.display()),
    )
}

const LOG_HELP: &str = "choose another file with --solver-log";

fn create_log(path: &Path) -> Result<tine_solver::Log, Failure> {
    let file = std::fs::File::options().append(true).create(true).open(path);
    let file = file.map_err(|why| Failure::usage(format!("{}: {why}", path.display()), LOG_HELP))?;
    Ok(tine_solver::Log::new(Box::new(file)))
}

#[expect(clippy::needless_pass_by_value, reason = "`map_err` hands it over")]
fn cache_failure(why: tine_solver::answers::AnswersError) -> Failure {
    Failure::usage(why.to_string(), "choose another file with --solver-cache, or remove the one that is there")
}

const RECORD_HELP: &str = "choose another file with --solver-record";

fn create_recording(path: &Path) -> Result<tine_solver::Recording, Failure> {
    let file = std::fs::File::create(path);
    let file = file.map_err(|why| Failure::usage(format!("{}: {why}", path.display()), RECORD_HELP))?;
    Ok(tine_solver::Recording::new(Box::new(file)))
}

/// A tier that contradicts plain SMT (`--solver-check`) is a bug of ours.
pub(crate) fn no_disagreement(stats: &tine_solver::Stats) -> Result<(), Failure> {
    match stats.disagreements.as_slice() {
        [] => Ok(()),
        [first, ..] => {
            Err(Failure::bug(format!("{} answers of the solver are wrong; {first}", stats.disagreements.len())))
        }
    }
}

/// Prints the summary; returns the exit code.
pub(crate) fn report(explored: &Explored, options: &CommonOptions) -> Result<u8, Failure> {
    print(&explored.summary, options, &explored.outputs)?;
    Ok(if explored.summary.errors.is_empty() { EXIT_FINE } else { EXIT_ERRORS })
}

#[expect(clippy::needless_pass_by_value, reason = "`map_err` hands it over")]
pub(crate) fn session_failure(why: tine_session::SessionError) -> Failure {
    Failure::usage(
        why.to_string(),
        "choose another directory with --out, or remove that one; `tine resume` goes on with a session that was cut off",
    )
}

/// Results go to stdout.
fn print(summary: &Summary, options: &CommonOptions, outputs: &[(CaseId, Vec<u8>)]) -> Result<(), Failure> {
    let mut text = if options.output.json {
        tine_report::json::json(summary)
    } else {
        terminal::summary(summary, &options.out, style(std::io::stdout().is_terminal()))
    };
    if options.output.show_output && !options.output.json {
        for (case, output) in outputs {
            text.push_str(&format!("\noutput of case {case}:\n{}\n", String::from_utf8_lossy(output)));
        }
    }
    text.push('\n');
    print_text(&text)
}

pub(crate) fn print_text(text: &str) -> Result<(), Failure> {
    let mut stdout = std::io::stdout().lock();
    // A reader that has seen enough closes the pipe: no error of ours.
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(why) if why.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Failure::usage(format!("cannot print the summary: {why}"), "it is also in the session"))
        }
        _ => Ok(()),
    }
}

pub(crate) fn style(terminal: bool) -> Style {
    Style { colour: terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()) }
}

fn solver_summary(stats: &tine_solver::Stats) -> SolverSummary {
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    SolverSummary {
        queries: stats.queries,
        constraints: stats.constraints,
        optimistic: stats.optimistic,
        arrived: stats.arrived,
        rewritten: stats.rewritten,
        sat: stats.sat,
        unsat: stats.unsat,
        unknown: stats.unknown,
        time_ms: ms(stats.time),
        tiers: stats
            .tiers
            .iter()
            .map(|tier| {
                (tier.name.to_owned(), Tier { answered: tier.answered, dropped: tier.dropped, time_ms: ms(tier.time) })
            })
            .collect(),
    }
}

/// Set by Ctrl-C.
static STOP: AtomicBool = AtomicBool::new(false);

/// Whether the user wants no more.
pub(crate) fn interrupted() -> bool {
    STOP.load(Ordering::Relaxed)
}

/// First Ctrl-C: stop and summarise. Second: quit.
fn stop_on_interrupt() -> &'static AtomicBool {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    // A second handler cannot be set in one process; the first serves.
    let _ = ctrlc::set_handler(|| {
        STOP.store(true, Ordering::Relaxed);
        if COUNT.fetch_add(1, Ordering::Relaxed) > 0 {
            std::process::exit(130);
        }
    });
    &STOP
}

/// A path that does not change meaning with the working directory.
pub(crate) fn absolute(path: &Path) -> Result<PathBuf, Failure> {
    path.canonicalize().map_err(|why| {
        let what = if why.kind() == std::io::ErrorKind::NotFound { "no such file".to_owned() } else { why.to_string() };
        Failure::usage(format!("{}: {what}", path.display()), "give the path of a file that can be read")
    })
}
