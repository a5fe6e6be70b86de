//! The exploration of a built program: what `tine test` and `tine run` have in common.

use std::ffi::OsString;
use std::io::{IsTerminal, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::Duration;

use tine_build::owned;
use tine_executor::sandbox::Protections;
use tine_executor::team::{self, Over};
use tine_executor::unit::{Unit, UnitError};
use tine_executor::{Cases, ExecutorError};
use tine_explore::strategy::weights::Weights;
use tine_explore::suite::minimised;
use tine_explore::{Budget, CaseId, Control, Explorer, ProgramMap, Settings};
use tine_report::{Style, printable_bytes, printable_json, printable_lines, terminal};
use tine_session::summary::{SolverSummary, Stopped, Surrounding, Tier};
use tine_session::{Program, Recorder, Summary};
use tine_types::map::Untouched;

use crate::failure::{EXIT_ERRORS, EXIT_FINE, EXIT_INTERRUPTED, Failure};
use crate::limits::{GRACE, Limits};
use crate::options::CommonOptions;
use crate::resume::{Before, Found};
use crate::sandbox;
use crate::shapes::InputTypes;
use crate::verified::Verified;
use crate::watch::Watch;
use crate::workers::Workers;

/// What is explored.
#[derive(Debug)]
pub(crate) struct Target {
    /// As the summary names it.
    pub(crate) name: String,
    pub(crate) program: PathBuf,
    /// The program, opened and verified, where it is a session's.
    pub(crate) verified: Option<Verified>,
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
    /// Some of it is still going on, and holds more memory than it may.
    pub(crate) is_out_of_memory: bool,
}

pub(crate) fn solver_failure(why: impl std::fmt::Display) -> Failure {
    Failure::usage(why.to_string(), "choose another --solver, or install what it needs")
}

/// Explores and records; `before` is what goes on.
pub(crate) fn explore(
    target: Target,
    options: &CommonOptions,
    mut before: Option<Before>,
) -> Result<Explored, Failure> {
    let stop = stop_on_interrupt();
    let weights = crate::strategies::weights(&options.strategy)?;
    // Before anything is written.
    options.solving.options().require().map_err(solver_failure)?;
    let log = options.solver_log.as_deref().map(create_log).transpose()?;
    let record = options.solver_record.as_deref().map(create_recording).transpose()?;
    let answers = options.solver_cache.as_deref().map(open_answers).transpose()?;
    let solver = tine_solver::Options {
        log: log.clone(),
        record: record.clone(),
        answers: answers.clone(),
        ..options.solving.options()
    };
    let spent = before.as_ref().map_or(Duration::ZERO, |before| before.elapsed);
    sandbox::require(&Protections::of_this_kernel(), target.allow, options.require_sandbox)?;
    let limits = Limits::begin(stop, options.max_time, options.memory.size, spent);
    let workers = Arc::new(Workers::new(target, options.clone(), limits, solver));
    let (target, options) = (&workers.target, &workers.options);
    let unit = workers.start_unit().map_err(start_failure)?;
    sandbox::check(&unit.protections(), target.allow, options.require_sandbox, options.output.quiet)?;
    let map = ProgramMap::parse(unit.maps(), unit.segment().modules()).map_err(|why| {
        Failure::usage(format!("the program's map cannot be read: {why}"), "build it again with `tine cc`")
    })?;
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
    let mut watch = Watch::new(recorder, options, target.untouched, limits);
    let cases = match found {
        Some(Found { cases, errors, suite }) => {
            (watch.errors, watch.suite) = (errors, suite);
            Arc::new(cases)
        }
        None => Arc::default(),
    };
    let Over { explorer, observer: mut watch, ended, n_left_behind } =
        engine(Arc::clone(&workers), unit, &map, cases, explorer, watch)?;
    watch.clear_line();
    if let Err(why) = ended {
        return Err(executor_failure(&why));
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
    let mut summary = Summary::new(&target.name, &explorer, inputs, solver_summary(&watch.solver), limits.elapsed());
    summary.surroundings.clone_from(&target.surroundings);
    summary.resumed = watch.resumed;
    if options.output.explain {
        summary.explained = tine_session::summary::explained(&explorer);
    }
    let Watch { mut recorder, outputs, suite, .. } = watch;
    let kept = if options.keeps_all() { Ok(()) } else { recorder.keep_only(&minimised(&suite)) };
    kept.and_then(|()| recorder.finish(&summary)).map_err(|why| cannot_record(why, &options.out))?;
    let is_out_of_memory = n_left_behind > 0 && summary.stopped == Stopped::MaxMemory;
    Ok(Explored { summary, outputs, is_out_of_memory })
}

type Ended = Over<Watch, ExecutorError>;

/// Explores in threads of their own, so that what does not end in time can be left behind.
fn engine(
    workers: Arc<Workers>,
    unit: Unit,
    map: &Arc<ProgramMap>,
    cases: Arc<Cases>,
    explorer: Explorer,
    watch: Watch,
) -> Result<Ended, Failure> {
    let (sender, receiver) = mpsc::channel();
    let map = Arc::clone(map);
    let scratch = Arc::clone(&workers);
    let explore = move || {
        let mut first = match workers.executor(unit, &map, &cases) {
            Ok(first) => first,
            Err(why) => return drop(sender.send(Err(solver_failure(why)))),
        };
        let limits = workers.limits;
        let elapsed = move || limits.elapsed();
        let held = move || limits.held();
        let control = Control { stop: limits.stop, elapsed: &elapsed };
        let make = || workers.executor(workers.start_unit()?, &map, &cases);
        let memory = Some(team::Memory { bytes: limits.memory, held: &held });
        let bounds = team::Limits { max_time: limits.max_time, grace: GRACE, memory };
        let sender = Mutex::new(sender);
        team::run(explorer, &mut first, &make, watch, control, bounds, &|over| {
            let sender = sender.lock().unwrap_or_else(PoisonError::into_inner);
            let _ = sender.send(Ok(over));
        });
    };
    let thread = std::thread::Builder::new().stack_size(team::STACK).spawn(explore).map_err(|why| {
        Failure::usage(format!("cannot start a thread: {why}"), "raise the limits of `ulimit -u` and `ulimit -v`")
    })?;
    let over = receiver.recv();
    if over.as_ref().is_ok_and(|over| over.as_ref().is_ok_and(|over| over.n_left_behind > 0)) {
        // It may take a while yet; its directories are not needed for that.
        scratch.remove_scratch();
    } else if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
    over.unwrap_or_else(|_| Err(Failure::bug("the exploration ended without a result")))
}

/// Why a program does not come to its `main`.
#[expect(clippy::needless_pass_by_value, reason = "`map_err` hands it over")]
fn start_failure(why: UnitError) -> Failure {
    if interrupted() {
        return Failure::interrupted("interrupted before the first run");
    }
    let help = match &why {
        UnitError::OutOfTime { .. } => "give it a longer --max-time",
        UnitError::EndedEarly { output, .. } if output.contains("ulimit -v") => {
            "programs under test reserve terabytes of addresses, which cost no memory: start tine with `ulimit -v unlimited`"
        }
        UnitError::System { .. } | UnitError::Start { .. } => "see `ulimit -a`: limits of files, memory or processes",
        _ => "build the program with `tine cc`; see what it prints when you start it yourself",
    };
    Failure::usage(why.to_string(), help)
}

/// Why an exploration did not go on.
fn executor_failure(why: &ExecutorError) -> Failure {
    match why {
        ExecutorError::Unit(UnitError::System { .. } | UnitError::Start { .. }) => {
            Failure::usage(why.to_string(), "see `ulimit -a`: limits of files, memory or processes")
        }
        ExecutorError::Unit(_) => {
            Failure::usage(why.to_string(), "see what the program does to its processes when you start it yourself")
        }
        why => Failure::bug(why.to_string()),
    }
}

fn explorer(map: &Arc<ProgramMap>, workers: &Workers, weights: &Weights) -> Explorer {
    let (target, options) = (&workers.target, &workers.options);
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

/// The file is trusted, so no other user may be able to write to it.
fn open_answers(path: &Path) -> Result<tine_solver::Answers, Failure> {
    if let Ok(about) = path.metadata() {
        owned::check(path, &about).map_err(|why| {
            Failure::usage(
                format!("--solver-cache is not used: {why}"),
                "choose a file of your own with --solver-cache",
            )
        })?;
    }
    tine_solver::Answers::open(path).map_err(cache_failure)
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
    Ok(exit_code(&explored.summary))
}

/// Whether there were errors.
pub(crate) fn exit_code(summary: &Summary) -> u8 {
    if summary.errors.is_empty() { EXIT_FINE } else { EXIT_ERRORS }
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
            text.push_str(&format!("\noutput of case {case}:\n{}\n", printable_bytes(output)));
        }
    }
    text.push('\n');
    print_safe(&text)
}

/// Prints text that may have come from a unit.
pub(crate) fn print_text(text: &str) -> Result<(), Failure> {
    print_safe(&printable_lines(text))
}

/// Prints JSON with texts that may have come from a unit.
pub(crate) fn print_json(json: &str) -> Result<(), Failure> {
    print_safe(&printable_json(json))
}

/// Prints text in which nothing of a unit is left to escape: colours stay.
pub(crate) fn print_safe(text: &str) -> Result<(), Failure> {
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
pub(crate) fn stop_on_interrupt() -> &'static AtomicBool {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    // A second handler cannot be set in one process; the first serves.
    let _ = ctrlc::set_handler(|| {
        STOP.store(true, Ordering::Relaxed);
        if COUNT.fetch_add(1, Ordering::Relaxed) > 0 {
            std::process::exit(EXIT_INTERRUPTED.into());
        }
    });
    &STOP
}
