//! The exploration of a built program: what `tine test` and `tine run` have in common.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::{IsTerminal, Write as _};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use tine_executor::graph::describe::Description;
use tine_executor::unit::{Unit, UnitOptions};
use tine_executor::{LocalExecutor, Places, Shapes};
use tine_explore::suite::{Candidate, minimised};
use tine_explore::{Budget, CaseId, Control, Explorer, Observer, ProgramMap, Run, Settings, Step};
use tine_report::{Progress, Style, terminal};
use tine_session::summary::{SolverSummary, Surrounding, Tier};
use tine_session::{CaseInput, InputValue, Program, Recorder, Summary};
use tine_trace::segment::{FLAG_RECORD, FLAG_STATES, Limits};
use tine_types::map::Untouched;

use crate::failure::{EXIT_ERRORS, EXIT_FINE, Failure};
use crate::options::CommonOptions;
use crate::temporary::Temporary;

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
    pub(crate) shapes: Shapes,
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

/// Explores and records.
pub(crate) fn explore(target: Target, options: &CommonOptions) -> Result<Explored, Failure> {
    let stop = stop_on_interrupt();
    let weights = crate::strategies::weights(&options.strategy)?;
    let scratch = Temporary::new("scratch").map_err(|why| {
        Failure::usage(format!("cannot make a scratch directory: {why}"), "set TMPDIR to a writable one")
    })?;
    let unit_options = UnitOptions {
        scratch: Some(scratch.path().to_path_buf()),
        directory: Some(target.directory.clone().unwrap_or_else(|| scratch.path().to_path_buf())),
        inputs: target.inputs.clone(),
        allow_processes: target.allow,
        run_timeout: options.run_timeout,
        stop: Some(stop),
        until: options.max_time.map(|time| Instant::now() + time),
        ..UnitOptions::default()
    };
    let unit = Unit::start(&target.program, &target.arguments, unit_options).map_err(|why| {
        Failure::usage(
            why.to_string(),
            "build the program with `tine cc`; see what it prints when you start it yourself",
        )
    })?;
    warn_about_sandbox(&unit, target.allow, options.quiet);
    let map = ProgramMap::parse(unit.maps(), unit.segment().modules())
        .map_err(|why| Failure::bug(format!("the program map cannot be read: {why}")))?;
    let map = Arc::new(map);
    crate::strategies::warn_about_weights(&weights, &map, options.quiet);
    let program = Program { name: target.name.clone(), digest: Program::digest_of(&map) };
    let mut recorder = Recorder::create(&options.out, &program, &target.settings).map_err(session_failure)?;
    copy_files(&target.files, &options.out)?;
    recorder.add_branches(&map).map_err(session_failure)?;

    let limits = Limits {
        max_depth: options.depth.unwrap_or(u32::MAX),
        max_nodes: u32::MAX,
        max_events: u32::MAX,
        // Behind the bound on depth a state is not explored to its end.
        flags: if target.prune && options.depth.is_none() { FLAG_RECORD | FLAG_STATES } else { FLAG_RECORD },
        memory: options.memory,
        fill_seed: if target.random_fill { options.seed } else { 0 },
    };
    let log = options.solver_log.as_deref().map(create_log).transpose()?;
    let record = options.solver_record.as_deref().map(create_recording).transpose()?;
    let answers = options.solver_cache.as_deref().map(tine_solver::Answers::open).transpose().map_err(cache_failure)?;
    let solver = tine_solver::Options {
        log: log.clone(),
        record: record.clone(),
        answers: answers.clone(),
        ..options.solving.options()
    };
    let places = Places::of(&target.program);
    let mut executor = LocalExecutor::new(unit, Arc::clone(&map), places, target.shapes, limits, solver)
        .map_err(|why| Failure::usage(why.to_string(), "choose another --solver, or install what it needs"))?;
    let n_seeds = target.seeds.len() as u32;
    executor.set_seeds(target.seeds);
    let strategy = options.strategy.make(options.seed, weights, target.by_calls);
    let settings = Settings {
        budget: Budget { max_runs: options.max_runs, max_time: options.max_time },
        max_depth: None,
        keep_all: options.keeps_all(),
        n_seeds,
    };
    let mut explorer = Explorer::new(map, strategy, settings);
    let start = Instant::now();
    let mut watch = Watch::new(recorder, options, target.untouched, start);
    let elapsed = || start.elapsed();
    let control = Control { stop, elapsed: &elapsed };
    let ran = explorer.run(&mut executor, &mut watch, control);
    watch.clear_line();
    if let Err(why) = ran {
        return Err(Failure::bug(why.to_string()));
    }
    if let Some(why) = watch.failed.take() {
        return Err(session_failure(why));
    }
    if let Some(why) = log.and_then(|log| log.take_error()) {
        return Err(Failure::usage(format!("cannot write the solver's log: {why}"), LOG_HELP));
    }
    if let Some(why) = record.and_then(|record| record.take_error()) {
        return Err(Failure::usage(format!("cannot write the queries: {why}"), RECORD_HELP));
    }
    no_disagreement(&executor.solver_stats())?;
    answers.map_or(Ok(()), |answers| answers.save()).map_err(cache_failure)?;
    let inputs = |case: CaseId| watch.errors.iter().find(|(id, _)| *id == case).map(|(_, input)| input.clone());
    let mut summary = Summary::new(&target.name, &explorer, inputs, solver_summary(&executor), start.elapsed());
    summary.surroundings = target.surroundings;
    if !options.keeps_all() {
        watch.recorder.keep_only(&minimised(&watch.suite)).map_err(session_failure)?;
    }
    watch.recorder.finish(&summary).map_err(session_failure)?;
    Ok(Explored { summary, outputs: watch.outputs })
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

/// Puts files into the directory of a session, which is locked by now: no other tine does the same. If that fails there
/// is no session.
fn copy_files(files: &[(PathBuf, &str)], folder: &Path) -> Result<(), Failure> {
    let copied = files.iter().try_for_each(|(from, name)| std::fs::copy(from, folder.join(name)).map(|_| ()));
    copied.map_err(|why| {
        let session = ["session.db", "session.db-wal", "session.db-shm"];
        for name in files.iter().map(|(_, name)| *name).chain(session) {
            let _ = std::fs::remove_file(folder.join(name));
        }
        Failure::usage(format!("cannot write to {}: {why}", folder.display()), "choose another directory with --out")
    })
}

#[expect(clippy::needless_pass_by_value, reason = "`map_err` hands it over")]
pub(crate) fn session_failure(why: tine_session::SessionError) -> Failure {
    Failure::usage(why.to_string(), "choose another directory with --out, or remove or free the one that is there")
}

/// Results go to stdout.
fn print(summary: &Summary, options: &CommonOptions, outputs: &[(CaseId, Vec<u8>)]) -> Result<(), Failure> {
    let mut text = if options.json {
        tine_report::json::json(summary)
    } else {
        terminal::summary(summary, &options.out, style(std::io::stdout().is_terminal()))
    };
    if options.show_output && !options.json {
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

fn warn_about_sandbox(unit: &Unit, allow: bool, quiet: bool) {
    let sandbox = unit.sandbox();
    if quiet || sandbox.files && (sandbox.calls || allow) {
        return;
    }
    let missing = match (sandbox.files, sandbox.calls) {
        (false, true) => "Landlock: the unit may write files",
        (true, false) => "seccomp: the unit may start processes and open sockets",
        _ => "Landlock and seccomp: the unit runs without a sandbox",
    };
    eprintln!("warning: this kernel has no {missing}");
}

fn solver_summary(executor: &LocalExecutor) -> SolverSummary {
    let stats = executor.solver_stats();
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    SolverSummary {
        queries: stats.queries,
        constraints: stats.constraints,
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

/// Writes the session and shows progress.
struct Watch {
    recorder: Recorder,
    start: Instant,
    progress: Option<ProgressLine>,
    /// Inputs of errors' cases.
    errors: Vec<(CaseId, CaseInput)>,
    outputs: Vec<(CaseId, Vec<u8>)>,
    /// What was kept so far, and what it covers.
    suite: Vec<Candidate>,
    show_output: bool,
    untouched: Untouched,
    failed: Option<tine_session::SessionError>,
}

impl Watch {
    fn new(recorder: Recorder, options: &CommonOptions, untouched: Untouched, start: Instant) -> Watch {
        let progress = !options.quiet && std::io::stderr().is_terminal();
        Watch {
            recorder,
            start,
            progress: progress.then(|| ProgressLine { shown: start, width: terminal_width() }),
            errors: Vec::new(),
            outputs: Vec::new(),
            suite: Vec::new(),
            show_output: options.show_output,
            untouched,
            failed: None,
        }
    }

    fn clear_line(&mut self) {
        if self.progress.take().is_some() {
            eprint!("\r\x1b[K");
        }
    }
}

impl Observer<LocalExecutor> for Watch {
    fn step(
        &mut self,
        step: &Step,
        run: Option<&Run>,
        explorer: &Explorer,
        executor: &LocalExecutor,
    ) -> ControlFlow<()> {
        let input = || {
            let described = run.and_then(|run| executor.describe(run.case, self.untouched));
            described.map(case_input).unwrap_or_default()
        };
        if let Some(run) = run.filter(|_| !step.new_errors.is_empty()) {
            self.errors.push((run.case, input()));
            if self.show_output {
                self.outputs.push((run.case, executor.output()));
            }
        }
        let elapsed = if step.kept.is_some() { self.start.elapsed() } else { Duration::ZERO };
        if let (Some(run), Some(_)) = (run, step.kept) {
            let edges = executor.edges();
            let sides: BTreeSet<_> = edges.iter().filter_map(|edge| explorer.map().covered_by(*edge)).collect();
            let has_error = !step.new_errors.is_empty();
            self.suite.push(Candidate { case: run.case, has_error, covers: sides.into_iter().collect() });
        }
        if step.kept.is_some()
            && let Err(why) = self.recorder.add_step(step, run, explorer, elapsed, input)
        {
            self.failed = Some(why);
            return ControlFlow::Break(());
        }
        if let Some(line) = &mut self.progress {
            line.show(self.start, explorer, executor);
        }
        ControlFlow::Continue(())
    }
}

/// A case's input as the session keeps it.
fn case_input(described: Description<'_>) -> CaseInput {
    let Description { inputs, plan, map } = described;
    let value = |(input, bytes): (&tine_executor::InputSeen, Vec<u8>)| InputValue {
        name: input.name.clone(),
        kind: input.kind,
        bytes,
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

    fn show(&mut self, start: Instant, explorer: &Explorer, executor: &LocalExecutor) {
        if self.shown.elapsed() < ProgressLine::EVERY {
            return;
        }
        self.shown = Instant::now();
        let counters = explorer.counters();
        let progress = Progress {
            runs: counters.runs,
            paths: counters.paths,
            branches_covered: explorer.coverage().n_covered(),
            branches_total: explorer.map().n_alternatives(),
            errors: explorer.errors().len(),
            solving: executor.solver_stats().time,
            elapsed: start.elapsed(),
        };
        eprint!("\r\x1b[K{}", progress.line(style(true), Some(self.width)));
    }
}

fn terminal_width() -> usize {
    std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).unwrap_or(80)
}

/// A path that does not change meaning with the working directory.
pub(crate) fn absolute(path: &Path) -> Result<PathBuf, Failure> {
    path.canonicalize().map_err(|why| {
        let what = if why.kind() == std::io::ErrorKind::NotFound { "no such file".to_owned() } else { why.to_string() };
        Failure::usage(format!("{}: {what}", path.display()), "give the path of a file that can be read")
    })
}
