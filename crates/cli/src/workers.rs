//! The workers of an exploration: each has a unit's process, a scratch directory and a solver of its own.

use std::sync::{Arc, Mutex, PoisonError};

use tine_build::temporary::Temporary;
use tine_executor::local::ExecutorError;
use tine_executor::unit::{Unit, UnitError, UnitOptions};
use tine_executor::{Cases, LocalExecutor, Places};
use tine_explore::ProgramMap;
use tine_trace::segment::{self, FLAG_RECORD, FLAG_START_ONCE, FLAG_STATES};

use crate::explore::Target;
use crate::limits::Limits;
use crate::options::CommonOptions;
use crate::verified::Verified;

/// Makes workers.
pub(crate) struct Workers {
    pub(crate) target: Target,
    pub(crate) options: CommonOptions,
    pub(crate) limits: Limits,
    solver: tine_solver::Options,
    /// They go with the workers.
    scratch: Mutex<Vec<Temporary>>,
}

impl Workers {
    pub(crate) fn new(target: Target, options: CommonOptions, limits: Limits, solver: tine_solver::Options) -> Workers {
        Workers { target, options, limits, solver, scratch: Mutex::default() }
    }

    /// Where workers are left behind, their directories are not.
    pub(crate) fn remove_scratch(&self) {
        self.scratch.lock().unwrap_or_else(PoisonError::into_inner).clear();
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
            stop: Some(self.limits.stop),
            until: self.limits.until(),
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
        let limits = segment::Limits {
            max_depth: self.options.depth.unwrap_or(u32::MAX),
            max_nodes: u32::MAX,
            max_events: u32::MAX,
            flags: self.flags(),
            memory: self.options.memory.size,
            fill_seed: if self.target.random_fill { self.options.seed } else { 0 },
            max_inputs: 0,
        };
        let (places, shapes) = (Places::of(&self.target.program), self.target.types.shapes());
        let solver = tine_solver::Options {
            until: self.limits.until(),
            stop: Some(self.limits.stop),
            memory_mb: self.solver.memory_mb.min(self.limits.memory.div_ceil(1 << 20)),
            ..self.solver.clone()
        };
        let mut executor =
            LocalExecutor::new(unit, Arc::clone(map), places, shapes, limits, solver, Arc::clone(cases))?;
        executor.set_seeds(self.target.seeds.clone());
        executor.set_memory(self.options.pointers());
        executor.set_room(self.limits.memory / self.count() as u64);
        Ok(executor)
    }
}
