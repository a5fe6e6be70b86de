//! Sets up an exploration: workers, scheduler, events, summary.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tine_executor::sandbox::Protections;
use tine_executor::unit::Unit;
use tine_executor::{Cases, ExecutorError};
use tine_explore::influence::{Influence, InfluenceError, TargetError, verdict_for_change};
use tine_explore::strategy::Situation;
use tine_explore::strategy::classic::weights::Weights;
use tine_explore::{Budget, CaseId, Control, Explorer, ProgramMap, Settings};
use tine_session::summary::{SolverSummary, Stopped, Tier};
use tine_session::{CaseInput, Details, Summary};
use tine_trace::outcome::ErrorKind;

use crate::config::Config;
use crate::emit::{Emitter, MAX_PACKETS, Message, Packet};
use crate::event::{Event, Finished, Sink, Started, pass_on};
use crate::limits::{GRACE, Limits};
use crate::minimise;
use crate::remote::{Away, Hub, Link, Offer};
use crate::resume::Past;
use crate::scheduler::{self, Over};
use crate::target::Target;
use crate::types::InputTypes;
use crate::verified::Verified;
use crate::workers::Workers;
use crate::{Error, owned};

/// Set this to stop the explorations of this process. They end with a summary.
pub static STOP: AtomicBool = AtomicBool::new(false);

/// Explores `target` with the settings `config`, and sends events to `sink`.
pub fn explore(config: Config, target: Target, sink: &mut dyn Sink) -> Result<Summary, Error> {
    explore_with(config, target, None, sink)
}

/// Explores with the workers of a hub, in addition to those that `config` asks for on this machine.
pub fn explore_with(
    config: Config,
    target: Target,
    hub: Option<Box<dyn Hub>>,
    sink: &mut dyn Sink,
) -> Result<Summary, Error> {
    let types = InputTypes::of(&target, &config)?;
    run(config, target, types, hub, Start::default(), sink)
}

/// Starting point of an exploration: nothing, or a session.
#[derive(Default)]
pub(crate) struct Start<'a> {
    /// The program, opened and verified.
    pub(crate) verified: Option<Verified>,
    pub(crate) past: Option<Past<'a>>,
}

/// Results of a resumed session.
#[derive(Default)]
pub(crate) struct Found {
    pub(crate) cases: Cases,
    pub(crate) errors: Vec<(CaseId, CaseInput)>,
}

/// Explores. Without a hub, all work is done on this machine, whatever the settings.
pub(crate) fn run(
    config: Config,
    target: Target,
    types: InputTypes,
    hub: Option<Box<dyn Hub>>,
    start: Start<'_>,
    sink: &mut dyn Sink,
) -> Result<Summary, Error> {
    let Start { verified, past } = start;
    let config = if hub.is_some() { config } else { Config { hub: None, ..config } };
    let weights = weights(&config)?;
    // Check this before anything is written.
    config.solver_options().require().map_err(|why| Error::Solver(why.to_string()))?;
    let files = SolverFiles::open(&config)?;
    require_sandbox(&Protections::of_this_kernel(), &config)?;
    let spent = past.as_ref().map_or(Duration::ZERO, |past| past.spent);
    let limits = Limits::begin(&STOP, config.time_limit(), config.memory.size.0, spent);
    let solver = files.options(&config);
    let mut workers = Workers::new(config, target, verified, types, limits, solver);
    let unit = workers.start_unit().map_err(start_failure)?;
    require_sandbox(&unit.protections(), &workers.config)?;
    let map = ProgramMap::parse(unit.maps(), unit.segment().modules()).map_err(|why| Error::Map(why.to_string()))?;
    let map = Arc::new(workers.target.scoped(map, &workers.config));
    let mut link = None;
    if let Some(hub) = hub {
        match hub.open(Offer::new(&workers, &map).map_err(Error::Offer)?) {
            Ok(open) => link = Some(open),
            Err(why) if workers.config.hub_optional => {
                sink.event(&Event::Notice(&format!("{why}; all is done on this machine")))?;
                workers.config.hub = None;
            }
            Err(why) => return Err(why.into()),
        }
    }
    let workers = Arc::new(workers);
    let config = &workers.config;
    let influence = influence(&map, &config.target)?;
    let mut explorer = explorer(&map, &workers, &weights, influence.as_ref());
    let found = past.map(|past| past.replay(&mut explorer, &workers.types)).transpose()?.unwrap_or_default();
    sink.event(&Event::Started(&Started {
        map: Arc::clone(&map),
        unprotected: unit.protections().missing(config.allow).iter().map(ToString::to_string).collect(),
        unused_weights: weights.unused(&map).into_iter().map(|place| place.to_string()).collect(),
    }))?;
    let over = schedule(&workers, unit, link, &map, found, explorer, sink)?;
    let Over { explorer, observer: mut emitter, ended, n_left_behind } = over;
    ended.map_err(Error::Executor)?;
    files.close()?;
    no_disagreement(&emitter.solver)?;
    let smaller = minimised(&workers, &map, &explorer, &mut emitter.errors);
    let inputs = |case: CaseId| emitter.errors.iter().find(|(id, _)| *id == case).map(|(_, input)| input.clone());
    let name = &workers.target.name;
    let mut summary = Summary::new(name, &explorer, inputs, solver_summary(&emitter.solver), limits.elapsed());
    summary.change_verdict = influence.map(|influence| verdict_for_change(&explorer, &influence).into());
    summary.checks = workers.config.check.to_string();
    summary.specifications = workers.target.specs.iter().map(|spec| spec.coverage(&explorer)).collect();
    summary.undefined_symbols.clone_from(&workers.target.environment);
    summary.implied_lengths = workers.target.implied_lengths().to_vec();
    summary.forked = emitter.n_forked;
    summary.machines.clone_from(&emitter.machines);
    if config.explain {
        summary.explained = tine_session::summary::explained(&explorer);
    }
    let is_out_of_memory = n_left_behind > 0 && summary.stopped == Stopped::MaxMemory;
    let details = Details::of(&explorer);
    let finished = Finished { summary, details, smaller, is_out_of_memory };
    sink.event(&Event::Finished(&finished))?;
    Ok(finished.summary)
}

/// Replaces the inputs of reported errors by smaller ones on the same paths. Returns those that have changed.
fn minimised(
    workers: &Workers,
    map: &Arc<ProgramMap>,
    explorer: &Explorer,
    inputs: &mut [(CaseId, CaseInput)],
) -> Vec<(CaseId, CaseInput)> {
    // Each run of an endless loop would take its whole time limit.
    let errors = explorer.errors().iter().filter(|error| error.kind != ErrorKind::EndlessLoop);
    let cases = errors.map(|error| error.case).chain(explorer.requirements().iter().map(|found| found.case));
    let reported: BTreeSet<CaseId> = cases.collect();
    let (mut own, _): (Vec<_>, Vec<_>) = inputs.iter_mut().partition(|(case, _)| reported.contains(case));
    if own.is_empty() || STOP.load(Ordering::Relaxed) {
        return Vec::new();
    }
    let changed = minimise::errors(workers, map, &mut own);
    inputs.iter().filter(|(case, _)| changed.contains(case)).cloned().collect()
}

/// Explores in separate threads, so that workers that do not end in time can be abandoned. The calling thread feeds the
/// sinks.
fn schedule(
    workers: &Arc<Workers>,
    unit: Unit,
    link: Option<Box<dyn Link>>,
    map: &Arc<ProgramMap>,
    found: Found,
    explorer: Explorer,
    sink: &mut dyn Sink,
) -> Result<Over<Emitter, ExecutorError>, Error> {
    let (sender, receiver) = mpsc::sync_channel(MAX_PACKETS);
    let is_closed = Arc::new(AtomicBool::new(false));
    let untouched = workers.target.untouched(&workers.config);
    let show_output = workers.config.show_output;
    let target = (workers.target.name.clone(), workers.config.check.to_string());
    let closed = Arc::clone(&is_closed);
    let emitter = Emitter::new(sender.clone(), closed, workers.limits, untouched, show_output, target, found.errors);
    let (own, map, cases) = (Arc::clone(workers), Arc::clone(map), Arc::new(found.cases));
    let receipts = link.as_ref().map(|link| link.receipts());
    let work = move || work(&own, unit, link, &map, &cases, explorer, emitter, sender);
    let thread = std::thread::Builder::new().stack_size(scheduler::STACK).spawn(work).map_err(Error::Thread)?;
    let mut failed = None;
    let mut unconfirmed = Vec::new();
    let mut pass = |messages: Vec<Message>| {
        for message in messages {
            if failed.is_none()
                && let Err(why) = match &message {
                    Message::Done(done) => {
                        unconfirmed.extend(done.receipt);
                        pass_on(done, sink)
                    }
                    // Recorders have saved everything before this message.
                    Message::Progress(progress) => sink.event(&Event::Progress(progress)).map(|()| {
                        if let Some(confirm) = &receipts {
                            confirm(&std::mem::take(&mut unconfirmed));
                        }
                    }),
                    Message::Notice(text) => sink.event(&Event::Notice(text)),
                }
            {
                failed = Some(why);
                is_closed.store(true, Ordering::Relaxed);
            }
        }
    };
    let over = loop {
        match receiver.recv() {
            Ok(Packet::Results(messages)) => pass(messages),
            Ok(Packet::Over(mut over)) => {
                pass(over.observer.take_pending());
                break Ok(*over);
            }
            Ok(Packet::Failed(why)) => break Err(why),
            Err(_) => break Err(Error::Bug("the exploration ended without a result".to_owned())),
        }
    };
    if over.as_ref().is_ok_and(|over| over.n_left_behind > 0) {
        // Abandoned workers do not need their directories.
        workers.remove_scratch();
    } else if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
    failed.map_or(over, Err)
}

/// Body of the engine's thread.
#[expect(clippy::too_many_arguments, reason = "all that a thread of its own needs")]
fn work(
    workers: &Arc<Workers>,
    unit: Unit,
    link: Option<Box<dyn Link>>,
    map: &Arc<ProgramMap>,
    cases: &Arc<Cases>,
    explorer: Explorer,
    emitter: Emitter,
    sender: SyncSender<Packet>,
) {
    let mut first = match workers.executor(unit, map, cases) {
        Ok(first) => first,
        Err(why) => return drop(sender.send(Packet::Failed(Error::Solver(why.to_string())))),
    };
    let limits = workers.limits;
    let elapsed = move || limits.elapsed();
    let held = move || limits.held();
    let control = Control { stop: limits.stop, elapsed: &elapsed };
    let make = || workers.executor(workers.start_unit()?, map, cases);
    let memory = Some(scheduler::Memory { bytes: limits.memory, held: &held });
    let bounds = scheduler::Limits { max_time: limits.max_time, grace: GRACE, memory };
    let sender = Mutex::new(sender);
    let over = |over| {
        let sender = sender.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = sender.send(Packet::Over(Box::new(over)));
    };
    match link {
        None => scheduler::run(explorer, &mut first, &make, emitter, control, bounds, &over),
        Some(link) => {
            let mut away = Away::new(link, first, Arc::clone(map), Arc::clone(workers), Arc::clone(cases));
            scheduler::run(explorer, &mut away, &make, emitter, control, bounds, &over);
        }
    }
}

/// Influence of the program's branches on the targets, if there are any.
fn influence(map: &ProgramMap, targets: &[String]) -> Result<Option<Arc<Influence>>, Error> {
    if targets.is_empty() {
        return Ok(None);
    }
    let specs = targets.iter().map(|target| target.parse()).collect::<Result<Vec<_>, TargetError>>();
    let stop = || STOP.load(Ordering::Relaxed);
    let influence = specs.map_err(InfluenceError::from).and_then(|specs| Influence::new(map, &specs, &stop));
    influence.map(|influence| Some(Arc::new(influence))).map_err(|why| match why {
        InfluenceError::Stopped => Error::Interrupted("interrupted before the first run"),
        why => Error::Target(why),
    })
}

fn explorer(
    map: &Arc<ProgramMap>,
    workers: &Workers,
    weights: &Weights,
    influence: Option<&Arc<Influence>>,
) -> Explorer {
    let Workers { config, target, .. } = workers;
    // A strategy that was selected by name is used without mutation.
    let is_auto = config.strategy.name() == "auto" && !target.is_sequence();
    let settings = Settings {
        budget: Budget { max_runs: config.max_runs.map(|runs| runs.get()), max_time: config.time_limit() },
        max_depth: None,
        keep_all: config.keeps_all(),
        memory: Some(config.memory.size.0),
        n_seeds: target.seeds.len() as u32,
        // Arguments of a function may be pointers, which cannot be mutated.
        mutate: target.directory().is_some()
            && is_auto
            && influence.is_none()
            && !config.strategy.is_without("mutation"),
        restarts: (is_auto && !config.strategy.is_without("restarts")).then_some(config.seed),
    };
    let situation = Situation { by_calls: target.is_sequence(), is_monitored: !target.specs.is_empty() };
    let strategy = |worker: usize| {
        let seed = config.seed + worker as u64;
        config.strategy.make_for_targets(seed, weights.clone(), situation, influence.cloned())
    };
    let n_workers = workers.count() + usize::from(config.hub.is_some());
    Explorer::with_workers(Arc::clone(map), (0..n_workers).map(strategy).collect(), settings)
}

/// Fails if required protections are missing.
pub fn require_sandbox(protections: &Protections, config: &Config) -> Result<(), Error> {
    let missing = protections.missing(config.allow);
    if config.require_sandbox.is_none() || missing.is_empty() {
        return Ok(());
    }
    Err(Error::Sandbox(missing.join("; ")))
}

fn start_failure(why: tine_executor::unit::UnitError) -> Error {
    if STOP.load(Ordering::Relaxed) {
        Error::Interrupted("interrupted before the first run")
    } else {
        Error::Start(why)
    }
}

/// Reads the weights for the strategy.
fn weights(config: &Config) -> Result<Weights, Error> {
    let Some(file) = config.strategy.weights_file() else { return Ok(Weights::default()) };
    let text = std::fs::read_to_string(file).map_err(|why| Error::WeightsFile { file: file.to_owned(), why })?;
    Weights::parse(&text).map_err(|why| Error::Weights { file: file.to_owned(), why: why.to_string() })
}

/// Files that the solver reads and writes.
struct SolverFiles {
    log: Option<tine_solver::Log>,
    record: Option<tine_solver::Recording>,
    answers: Option<tine_solver::Answers>,
}

impl SolverFiles {
    fn open(config: &Config) -> Result<SolverFiles, Error> {
        let log = config.solver_log.as_deref().map(|path| {
            let file = std::fs::File::options().append(true).create(true).open(path);
            let file = file.map_err(|why| Error::SolverLog { file: path.to_path_buf(), why })?;
            Ok::<_, Error>(tine_solver::Log::new(Box::new(file)))
        });
        let record = config.solver_record.as_deref().map(|path| {
            let file = std::fs::File::create(path);
            let file = file.map_err(|why| Error::SolverRecord { file: path.to_path_buf(), why })?;
            Ok::<_, Error>(tine_solver::Recording::new(Box::new(file)))
        });
        let (log, record) = (log.transpose()?, record.transpose()?);
        Ok(SolverFiles { log, record, answers: config.solver_cache.as_deref().map(open_answers).transpose()? })
    }

    fn options(&self, config: &Config) -> tine_solver::Options {
        let SolverFiles { log, record, answers } = self;
        tine_solver::Options {
            log: log.clone(),
            record: record.clone(),
            answers: answers.clone(),
            ..config.solver_options()
        }
    }

    fn close(self) -> Result<(), Error> {
        if let Some(why) = self.log.and_then(|log| log.take_error()) {
            return Err(Error::SolverLogWrite(why));
        }
        if let Some(why) = self.record.and_then(|record| record.take_error()) {
            return Err(Error::SolverRecordWrite(why));
        }
        self.answers.map_or(Ok(()), |answers| answers.save()).map_err(Error::SolverCache)
    }
}

/// Opens the cache of answers. They are trusted, so no other user may be able to write to the file.
fn open_answers(path: &Path) -> Result<tine_solver::Answers, Error> {
    if let Ok(about) = path.metadata() {
        owned::check(path, &about).map_err(Error::SolverCacheOwner)?;
    }
    tine_solver::Answers::open(path).map_err(Error::SolverCache)
}

/// Fails if an answer differs from that of plain SMT (`solver_check`): that is a bug.
pub fn no_disagreement(stats: &tine_solver::Stats) -> Result<(), Error> {
    match stats.disagreements.as_slice() {
        [] => Ok(()),
        [first, ..] => {
            Err(Error::Bug(format!("{} answers of the solver are wrong; {first}", stats.disagreements.len())))
        }
    }
}

fn solver_summary(stats: &tine_solver::Stats) -> SolverSummary {
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    let tiers = stats.tiers.iter().map(|tier| {
        (tier.name.to_owned(), Tier { answered: tier.answered, dropped: tier.dropped, time_ms: ms(tier.time) })
    });
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
        tiers: tiers.collect(),
    }
}
