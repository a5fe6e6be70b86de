//! The workers of an exploration: each has a unit's process, a scratch directory and a solver of its own.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use tine_executor::local::ExecutorError;
use tine_executor::unit::{Unit, UnitError, UnitOptions};
use tine_executor::{Cases, LocalExecutor, Places};
use tine_explore::ProgramMap;
use tine_trace::segment::{FLAG_RECORD, FLAG_START_ONCE, FLAG_STATES, Limits};

use crate::explore::Target;
use crate::options::CommonOptions;
use crate::temporary::Temporary;
use crate::verified::Verified;

/// Makes workers.
pub(crate) struct Workers<'a> {
    pub(crate) target: &'a Target,
    pub(crate) options: &'a CommonOptions,
    pub(crate) stop: &'static AtomicBool,
    /// When the time is up.
    pub(crate) until: Option<Instant>,
    pub(crate) solver: tine_solver::Options,
    /// They go with the workers.
    scratch: Mutex<Vec<Temporary>>,
}

impl<'a> Workers<'a> {
    pub(crate) fn new(
        target: &'a Target,
        options: &'a CommonOptions,
        stop: &'static AtomicBool,
        until: Option<Instant>,
        solver: tine_solver::Options,
    ) -> Workers<'a> {
        Workers { target, options, stop, until, solver, scratch: Mutex::default() }
    }

    /// How many there are to be.
    pub(crate) fn count(&self) -> usize {
        if self.recognises_states() {
            // Which of two sequences that lead to one state is explored further depends on which comes first.
            return 1;
        }
        let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        self.options.jobs.map_or_else(cores, |jobs| jobs as usize)
    }

    /// Behind the bound on depth a state is not explored to its end.
    fn recognises_states(&self) -> bool {
        self.target.prune && self.options.depth.is_none()
    }

    /// The program's process, in a scratch directory of its own.
    pub(crate) fn start_unit(&self) -> Result<Unit, UnitError> {
        let scratch =
            Temporary::new("scratch").map_err(|error| UnitError::System { what: "make a scratch directory", error })?;
        let path = scratch.path().to_path_buf();
        self.scratch.lock().unwrap_or_else(PoisonError::into_inner).push(scratch);
        let options = UnitOptions {
            directory: Some(self.target.directory.clone().unwrap_or_else(|| path.clone())),
            scratch: Some(path),
            name: self.target.verified.as_ref().map(|program| program.path().as_os_str().to_owned()),
            inputs: self.target.inputs.clone(),
            variables: self.options.locale.variables(),
            allow_processes: self.target.allow,
            run_timeout: self.options.run_timeout,
            stop: Some(self.stop),
            until: self.until,
            ..UnitOptions::default()
        };
        let program = self.target.verified.as_ref().map(Verified::descriptor);
        Unit::start(program.as_ref().unwrap_or(&self.target.program), &self.target.arguments, options)
    }

    fn flags(&self) -> u32 {
        let states = if self.recognises_states() { FLAG_STATES } else { 0 };
        let start = if self.options.snapshot { FLAG_START_ONCE } else { 0 };
        FLAG_RECORD | states | start
    }

    pub(crate) fn executor(
        &self,
        unit: Unit,
        map: &Arc<ProgramMap>,
        cases: &Arc<Cases>,
    ) -> Result<LocalExecutor, ExecutorError> {
        let limits = Limits {
            max_depth: self.options.depth.unwrap_or(u32::MAX),
            max_nodes: u32::MAX,
            max_events: u32::MAX,
            flags: self.flags(),
            memory: self.options.memory.size,
            fill_seed: if self.target.random_fill { self.options.seed } else { 0 },
            max_inputs: 0,
        };
        let (places, shapes) = (Places::of(&self.target.program), self.target.types.shapes());
        let solver = tine_solver::Options { until: self.until, stop: Some(self.stop), ..self.solver.clone() };
        let mut executor =
            LocalExecutor::new(unit, Arc::clone(map), places, shapes, limits, solver, Arc::clone(cases))?;
        executor.set_seeds(self.target.seeds.clone());
        executor.set_memory(self.options.pointers());
        Ok(executor)
    }
}
