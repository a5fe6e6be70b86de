//! The executor on this machine: one unit process, one term pool, one solver chain.
//!
//! ```text
//!   Flip { parent, decision, side }
//!     │ the parent's trace: kept, or recorded again
//!     │ prefix ∧ other side ──▶ solver ──▶ unsat / unknown
//!     │ sat: the parent's input with the changed bytes
//!     ▼
//!   run ──▶ import ──▶ Run
//! ```
//! `finding` covers the part up to the input, `running` the run, and `recording` the rest. `reproducing` repeats runs
//! that show new errors. `batch` does all of it for several jobs at once.

mod batch;
mod finding;
mod minimising;
mod recording;
mod reproducing;
mod running;

use std::ops::Range;
use std::sync::Arc;

use tine_explore::job::DESTROYED;
use tine_explore::map::Edge;
use tine_explore::{CaseId, Done, Executor, Job, JobResult, ProgramMap};
use tine_expr::{Assignment, TermPool};
use tine_solver::{Backoff, Chain, Stats};
use tine_trace::check::Checks;
use tine_trace::segment::Limits;
use tine_types::Input;
use tine_types::map::{InputMap, Untouched};

use crate::cases::Cases;
use crate::endless::Endless;
use crate::graph::Shapes;
use crate::graph::describe::described;
use crate::import::{ImportError, Trace};
use crate::memory::Memory;
use crate::places::Places;
use crate::requirements::{Contract, Requirements};
use crate::traces::Traces;
use crate::unit::{Starts, Unit, UnitError};
use batch::Pace;
use finding::first;
pub use minimising::Effort;
use reproducing::Reproduction;

/// Failures that end an exploration at once.
#[derive(Debug, thiserror::Error)]
pub enum ExecutorError {
    #[error(transparent)]
    Unit(#[from] UnitError),
    /// A bug in tine: the records of the unit contradict themselves.
    #[error("the trace of a run does not hold: {0}")]
    Trace(#[from] ImportError),
    #[error(transparent)]
    Solver(#[from] tine_solver::Error),
    /// The unit destroyed its records, so nothing is known of the run.
    #[error("{DESTROYED}")]
    Destroyed,
    #[error("the case {0} is not known any more")]
    Case(CaseId),
}

/// Number of terms after which the pool is discarded. Later runs fill a new one.
const MAX_TERMS: usize = 32 << 20;
/// Divisors of a worker's memory: its share for terms, and its share for kept traces.
const TERMS_PART: u64 = 2;
const TRACES_PART: u64 = 4;

/// Executes jobs in processes of this machine.
pub struct LocalExecutor {
    unit: Unit,
    map: Arc<ProgramMap>,
    places: Places,
    limits: Limits,
    pool: TermPool,
    chain: Chain,
    /// Chain with twice the limits, and chain for guesses: created on first use.
    patient: Option<Chain>,
    hasty: Option<Chain>,
    /// Backoff of guesses.
    backoff: Backoff,
    shapes: Shapes,
    solver: tine_solver::Options,
    /// Statistics of the chains that were discarded with their pool.
    past: Stats,
    cases: Arc<Cases>,
    traces: Traces,
    covered: Vec<u8>,
    /// The same for runs without errors.
    passed: Vec<u8>,
    /// Report coverage as new until [`LocalExecutor::know_covered`] names the known coverage.
    reports_again: bool,
    /// An input has been run. Earlier coverage belongs to the program's start-up.
    has_run: bool,
    /// Addresses of the program's own variables and functions, if any input has a type.
    program: Vec<Range<u64>>,
    endless: Endless,
    /// The case whose decisions were flipped last, as an assignment for the solver. A search flips several decisions of
    /// one case.
    hint: (CaseId, Assignment),
    seeds: Vec<Input>,
    memory: Memory,
    /// Enabled checks. Other errors are ignored.
    checks: Checks,
    pace: Pace,
    reproduction: Reproduction,
    requirements: Option<Requirements>,
    /// [`MAX_TERMS`], unless a test sets another limit.
    max_terms: usize,
    /// Bytes that the terms may take.
    max_term_bytes: u64,
    /// Number of times that all terms were discarded.
    n_forgotten: u64,
}

impl std::fmt::Debug for LocalExecutor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LocalExecutor").field("terms", &self.n_terms()).finish_non_exhaustive()
    }
}

impl LocalExecutor {
    /// Several executors of the same program may share `cases`.
    pub fn new(
        mut unit: Unit,
        map: Arc<ProgramMap>,
        places: Places,
        shapes: Shapes,
        limits: Limits,
        solver: tine_solver::Options,
        cases: Arc<Cases>,
    ) -> Result<LocalExecutor, ExecutorError> {
        unit.segment_mut().set_pointer_maps(shapes.maps());
        let (covered, passed) = (vec![0; map.n_edges()], vec![0; map.n_edges()]);
        let program = if shapes.has_roots() { unit.memory() } else { Vec::new() };
        Ok(LocalExecutor {
            unit,
            map,
            places,
            limits,
            pool: solver.pool(),
            chain: tine_solver::chain(&first(&solver))?,
            patient: None,
            hasty: None,
            backoff: Backoff::default(),
            shapes,
            solver,
            past: Stats::default(),
            cases,
            traces: Traces::default(),
            covered,
            passed,
            reports_again: false,
            has_run: false,
            program,
            endless: Endless::default(),
            hint: (CaseId(0), Assignment::new()),
            seeds: Vec::new(),
            memory: Memory::default(),
            checks: Checks::default(),
            pace: Pace::default(),
            reproduction: Reproduction::default(),
            requirements: None,
            max_terms: MAX_TERMS,
            max_term_bytes: u64::MAX,
            n_forgotten: 0,
        })
    }

    /// Sets the function whose parameters may have requirements.
    pub fn set_contract(&mut self, contract: Option<Contract>) {
        self.requirements = contract.map(|contract| Requirements::new(contract, self.shapes.types()));
    }

    /// Sets the pointer model for input pointers.
    pub fn set_memory(&mut self, memory: Memory) {
        self.memory = memory;
    }

    /// Selects the enabled checks.
    pub fn set_checks(&mut self, checks: Checks) {
        self.checks = checks;
        self.limits.unchecked = checks.unchecked();
    }

    /// Sets the inputs to start from. `Job::Seed` refers to them by number.
    pub fn set_seeds(&mut self, seeds: Vec<Input>) {
        self.seeds = seeds;
    }

    /// Replaces the inputs to start from, and returns the previous ones.
    pub fn replace_seeds(&mut self, seeds: Vec<Input>) -> Vec<Input> {
        std::mem::replace(&mut self.seeds, seeds)
    }

    /// Makes runs report all their coverage except for these edges. Needed if results may get lost on their way.
    pub fn know_covered(&mut self, edges: &[Edge]) {
        self.reports_again = true;
        for edge in edges {
            for known in [&mut self.covered, &mut self.passed] {
                if let Some(known) = known.get_mut(edge.index()) {
                    *known = u8::MAX;
                }
            }
        }
    }

    /// Sets the number of terms after which all are discarded.
    pub fn set_max_terms(&mut self, max_terms: usize) {
        self.max_terms = max_terms;
    }

    /// Sets the approximate number of bytes that terms and traces of this worker may take together.
    pub fn set_room(&mut self, bytes: u64) {
        self.max_term_bytes = bytes / TERMS_PART;
        self.traces.set_room(bytes / TRACES_PART);
    }

    /// Number of terms in the pool.
    pub fn n_terms(&self) -> usize {
        self.pool.len()
    }

    /// The input of a case that has not been released.
    pub fn inputs(&self, case: CaseId) -> Option<Arc<Input>> {
        self.cases.get(case)
    }

    /// Readable form of a case's input.
    pub fn describe(&self, case: CaseId, input: &Input, untouched: Untouched) -> InputMap {
        let nodes = self.traces.peek(case).map_or(&[][..], Trace::nodes);
        described(&self.shapes, input, nodes, untouched)
    }

    /// Statistics of the solver.
    pub fn solver_stats(&self) -> Stats {
        let mut stats = self.past.clone();
        for chain in [Some(&self.chain), self.patient.as_ref(), self.hasty.as_ref()].into_iter().flatten() {
            stats.add(&chain.stats());
        }
        stats.rewritten += self.pool.n_rewritten();
        stats
    }

    /// Makes room for new terms.
    fn bound_terms(&mut self) -> Result<(), ExecutorError> {
        let is_full = self.pool.len() > self.max_terms || self.pool.bytes() > self.max_term_bytes;
        if is_full { self.forget_terms() } else { Ok(()) }
    }

    /// Discards all terms and everything that refers to them. Terms are never freed one by one.
    fn forget_terms(&mut self) -> Result<(), ExecutorError> {
        self.n_forgotten += 1;
        self.past = self.solver_stats();
        self.traces.clear();
        self.pool = self.solver.pool();
        self.chain = tine_solver::chain(&first(&self.solver))?;
        (self.patient, self.hasty) = (None, None);
        Ok(())
    }

    /// Number of shared start-ups, and number of runs that used them.
    pub fn starts(&self) -> Starts {
        self.unit.starts()
    }

    /// Output of the unit in the last run.
    pub fn output(&self) -> Vec<u8> {
        self.unit.output()
    }
}

/// Turns two failures into results that do not end the exploration: destroyed records, and an input for which the unit
/// has no room.
fn bounded(result: Result<JobResult, ExecutorError>) -> Result<JobResult, ExecutorError> {
    match result {
        Err(ExecutorError::Destroyed) => Ok(JobResult::Unknown(DESTROYED.to_owned())),
        Err(ExecutorError::Unit(UnitError::PlanTooLarge { .. })) => {
            Ok(JobResult::Bounded("inputs that fit a run".to_owned()))
        }
        result => result,
    }
}

impl Executor for LocalExecutor {
    type Error = ExecutorError;

    fn execute(&mut self, job: &Job) -> Result<JobResult, ExecutorError> {
        bounded(self.find(job).and_then(|found| self.run_found(found)))
    }

    fn appetite(&self) -> usize {
        self.pace.batch()
    }

    fn execute_all(&mut self, jobs: &[Job], done: Done<'_, LocalExecutor>) {
        if jobs.len() < 2 {
            for job in jobs {
                let result = self.execute(job);
                let _ = done(result, self);
            }
            return;
        }
        self.execute_batch(jobs, done);
    }

    fn release(&mut self, case: CaseId) {
        self.cases.release(case);
        self.traces.release(case);
    }

    fn free_memory(&mut self) {
        // If the solver cannot be created again, the next job reports it.
        let _ = self.forget_terms();
        self.hint = (CaseId(0), Assignment::new());
        // SAFETY: gives free memory back to the system.
        unsafe { libc::malloc_trim(0) };
    }

    fn keep_to(&mut self, core: usize) {
        self.pace.shares_core = true;
        self.unit.keep_to(core);
    }
}
