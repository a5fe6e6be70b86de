//! The worker's side: programs of other machines' explorations, and executors that carry out orders on them.

use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hasher as _};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tine_executor::sandbox::Protections;
use tine_executor::{Cases, ExecutorError, LocalExecutor};
use tine_explore::map::Edge;
use tine_explore::{CaseId, Executor as _, Flip, Job, ProgramMap, errors, lease};
use tine_session::{Program, journal};
use tine_solver::Answers;
use tine_types::Input;
use tine_types::map::Untouched;

use super::{Answer, Evidence, Manifest, Task};
use crate::Error;
use crate::config::values::{Count, Size};
use crate::explore::require_sandbox;
use crate::limits::Limits;
use crate::target::{Kind, PROGRAM, UNIT_NATIVE};
use crate::types::InputTypes;
use crate::verified::Verified;
use crate::workers::Workers;

/// Approximate maximum time of a lease.
const LEASE_TIME: Duration = Duration::from_millis(250);
/// Approximate number of bytes of the inputs and decisions in a reply.
const LEASE_BYTES: usize = 256 << 10;
/// Number of cases whose inputs and traces are kept: an order may be about their children.
const MAX_CASES: usize = 256;

/// Reasons why this machine cannot serve an exploration.
#[derive(Debug, thiserror::Error)]
pub enum ServingError {
    #[error("it is of tine {0}, and this is tine {version}", version = env!("CARGO_PKG_VERSION"))]
    Version(String),
    #[error("its program may start processes and open sockets, which this worker does not allow")]
    Allow,
    #[error("its program has another map here: are the same libraries installed?")]
    Map,
    #[error(transparent)]
    Engine(#[from] Error),
}

/// Limits of a worker for all explorations.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    pub jobs: Count<1, 1024>,
    /// Memory limit of the engine in bytes.
    pub memory: Size,
    /// Allow programs to start processes and open sockets.
    pub allow: bool,
}

/// An exploration that is served.
pub struct Serving {
    workers: Workers,
    map: Arc<ProgramMap>,
    answers: Answers,
    stop: &'static AtomicBool,
}

impl std::fmt::Debug for Serving {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Serving").field("target", &self.workers.target.name).finish_non_exhaustive()
    }
}

impl Serving {
    /// Starts the program of a manifest, whose files are in `folder`.
    pub fn start(manifest: Manifest, folder: &Path, bounds: Bounds) -> Result<Serving, ServingError> {
        let Manifest { version, mut config, mut target, files, map: expected } = manifest;
        if version != env!("CARGO_PKG_VERSION") {
            return Err(ServingError::Version(version));
        }
        if config.allow && !bounds.allow {
            return Err(ServingError::Allow);
        }
        config.jobs = Some(bounds.jobs);
        config.memory.size.0 = config.memory.size.0.min(bounds.memory.0);
        config.solver_options().require().map_err(|why| Error::Solver(why.to_string()))?;
        require_sandbox(&Protections::of_this_kernel(), &config)?;
        let digest = files.get(PROGRAM).map_or("", String::as_str);
        let program = Verified::open(&folder.join(PROGRAM), digest)?;
        target.program = program.path().to_path_buf();
        match &mut target.kind {
            Kind::Function(harness) | Kind::Sequence(harness) => harness.native = folder.join(UNIT_NATIVE),
            // Use the directory of the selector's machine if it exists here.
            Kind::Program { directory, .. } if !directory.is_dir() => *directory = folder.to_path_buf(),
            Kind::Program { .. } => {}
        }
        let types = InputTypes::of(&target, &config)?;
        // Leaked, because units poll it as long as they live, which may be longer than the exploration.
        let stop: &'static AtomicBool = Box::leak(Box::default());
        let limits = Limits::begin(stop, None, config.memory.size.0, Duration::ZERO);
        let answers = Answers::shared();
        let solver = tine_solver::Options { answers: Some(answers.clone()), ..config.solver_options() };
        let workers = Workers::new(config, target, Some(program), types, limits, solver);
        let unit = workers.start_unit().map_err(Error::Start)?;
        require_sandbox(&unit.protections(), &workers.config)?;
        let map =
            ProgramMap::parse(unit.maps(), unit.segment().modules()).map_err(|why| Error::Map(why.to_string()))?;
        if Program::digest_of(&map) != expected {
            return Err(ServingError::Map);
        }
        let map = Arc::new(workers.target.scoped(map, &workers.config));
        Ok(Serving { workers, map, answers, stop })
    }

    /// Creates an executor in the thread that uses it.
    pub fn server(&self) -> Result<Server, Error> {
        let cases = Arc::new(Cases::default());
        let unit = self.workers.start_unit().map_err(Error::Start)?;
        let mut executor = self.workers.executor(unit, &self.map, &cases).map_err(Error::Executor)?;
        executor.know_covered(&[]);
        let Workers { config, target, .. } = &self.workers;
        Ok(Server {
            executor,
            map: Arc::clone(&self.map),
            cases,
            known: HashMap::new(),
            order: VecDeque::new(),
            untouched: target.untouched(config),
            keeps_all: config.keeps_all(),
            show_output: config.show_output,
        })
    }

    /// Name of the explored function or program.
    pub fn name(&self) -> &str {
        &self.workers.target.name
    }

    /// Answers of the solver, which workers of this exploration share.
    pub fn answers(&self) -> &Answers {
        &self.answers
    }

    /// Makes orders end soon, without an answer.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// True if the worker should end.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// An executor that carries out orders.
#[derive(Debug)]
pub struct Server {
    executor: LocalExecutor,
    map: Arc<ProgramMap>,
    cases: Arc<Cases>,
    /// Kept cases by hash of their inputs, the oldest first.
    known: HashMap<u64, CaseId>,
    order: VecDeque<(u64, CaseId)>,
    untouched: Untouched,
    keeps_all: bool,
    show_output: bool,
}

impl Server {
    /// Carries out an order. Returns its answer, followed by those of the subtree, at most `lease` in all.
    pub fn carry_out(&mut self, task: &Task, lease: u32) -> Result<Vec<Answer>, ExecutorError> {
        let job = match task {
            Task::Input(input) => {
                self.executor.set_seeds(vec![Input::clone(input)]);
                Job::Seed(0)
            }
            Task::Fresh(seed) => Job::Fresh(*seed),
            Task::Flip { flip, parent, again } => {
                let flip = Flip { parent: self.case_of(parent), ..*flip };
                if *again { Job::Retry(flip) } else { Job::Flip(flip) }
            }
        };
        let start = Instant::now();
        let (mut answers, mut bytes) = (Vec::new(), 0);
        let map = Arc::clone(&self.map);
        let cases = &self.cases;
        let (keeps_all, show_output, untouched) = (self.keeps_all, self.show_output, self.untouched);
        let mut made = Vec::new();
        lease::explore(&mut self.executor, &map, &job, |flip, result, executor| {
            let run = result.run();
            let input = run.and_then(|run| cases.get(run.case));
            let mut evidence = None;
            if let (Some(run), Some(input)) = (run, &input) {
                bytes += input.bytes_kept() as usize + run.decisions.len() * 24;
                made.push((hash_of(input), run.case));
                let may_be_kept = keeps_all || flip.is_none() && !matches!(job, Job::Flip(_) | Job::Retry(_));
                let is_news = !run.new_edges.is_empty() || run.requirement.is_some();
                if may_be_kept || is_news || !errors::shown(&run.notes, &run.end, &map).is_empty() {
                    let output = if show_output { executor.output() } else { Vec::new() };
                    let map = executor.describe(run.case, input, untouched);
                    evidence = Some(Evidence { map, covers: executor.edges(), output });
                }
            }
            let input = input.map(Arc::unwrap_or_clone);
            answers.push(Answer { flip, result: result.clone(), input, evidence });
            let is_over = answers.len() >= lease as usize || bytes > LEASE_BYTES || start.elapsed() > LEASE_TIME;
            if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        for (hash, case) in made {
            self.keep(hash, case);
        }
        Ok(answers)
    }

    /// Makes runs omit these edges from their reports.
    pub fn know_covered(&mut self, edges: &[Edge]) {
        self.executor.know_covered(edges);
    }

    fn case_of(&mut self, input: &Input) -> CaseId {
        let hash = hash_of(input);
        if let Some(case) =
            self.known.get(&hash).filter(|case| self.cases.get(**case).is_some_and(|own| *own == *input))
        {
            return *case;
        }
        let case = self.cases.add(input.clone());
        self.keep(hash, case);
        case
    }

    fn keep(&mut self, hash: u64, case: CaseId) {
        self.known.insert(hash, case);
        self.order.push_back((hash, case));
        while self.order.len() > MAX_CASES
            && let Some((hash, oldest)) = self.order.pop_front()
        {
            if self.known.get(&hash) == Some(&oldest) {
                self.known.remove(&hash);
            }
            self.executor.release(oldest);
        }
    }
}

fn hash_of(input: &Input) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(&journal::encode(input));
    hasher.finish()
}
