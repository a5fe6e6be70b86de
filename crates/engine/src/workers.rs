//! The workers of an exploration on this machine. Each has its own process of the program, scratch directory and
//! solver.

use std::ffi::OsString;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use tine_executor::local::ExecutorError;
use tine_executor::unit::{Unit, UnitError, UnitOptions};
use tine_executor::{Cases, LocalExecutor, Places};
use tine_explore::ProgramMap;
use tine_trace::segment::{self, FLAG_RECORD, FLAG_START_ONCE, FLAG_STATES};

use crate::config::Config;
use crate::limits::Limits;
use crate::target::Target;
use crate::temporary::Temporary;
use crate::types::InputTypes;
use crate::verified::Verified;

/// Creates workers.
pub(crate) struct Workers {
    pub(crate) config: Config,
    pub(crate) target: Target,
    /// The opened and verified program, if it belongs to a session.
    pub(crate) verified: Option<Verified>,
    pub(crate) types: InputTypes,
    pub(crate) limits: Limits,
    pub(crate) solver: tine_solver::Options,
    /// Directories of the workers.
    scratch: Mutex<Vec<Temporary>>,
}

impl Workers {
    pub(crate) fn new(
        config: Config,
        target: Target,
        verified: Option<Verified>,
        types: InputTypes,
        limits: Limits,
        solver: tine_solver::Options,
    ) -> Workers {
        Workers { config, target, verified, types, limits, solver, scratch: Mutex::default() }
    }

    /// Removes the directories of abandoned workers.
    pub(crate) fn remove_scratch(&self) {
        self.scratch.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Number of workers on this machine.
    pub(crate) fn count(&self) -> usize {
        if self.target.recognises_states(&self.config) && self.config.hub.is_some() {
            return 0;
        }
        if self.target.recognises_states(&self.config) {
            // If two sequences reach one state, their order decides which is explored further.
            return 1;
        }
        if self.config.hub.is_some() {
            // With a hub, workers on this machine exist only if they are requested.
            return self.config.jobs.map_or(0, |jobs| jobs.get() as usize);
        }
        let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        self.config.jobs.map_or_else(cores, |jobs| jobs.get() as usize)
    }

    /// Starts the program in its own scratch directory.
    pub(crate) fn start_unit(&self) -> Result<Unit, UnitError> {
        self.start_unit_until(self.limits.until())
    }

    /// Like `start_unit`, with another end of its time.
    pub(crate) fn start_unit_until(&self, until: Option<Instant>) -> Result<Unit, UnitError> {
        let scratch =
            Temporary::new("scratch").map_err(|error| UnitError::System { what: "make a scratch directory", error })?;
        let path = scratch.path().to_path_buf();
        self.scratch.lock().unwrap_or_else(PoisonError::into_inner).push(scratch);
        let options = UnitOptions {
            directory: Some(self.target.directory().unwrap_or(&path).clone()),
            scratch: Some(path),
            name: self.verified.as_ref().map(|program| program.path().as_os_str().to_owned()),
            inputs: self.target.inputs(&self.config),
            variables: self.config.locale.variables(),
            allow_processes: self.config.allow,
            run_timeout: self.config.run_timeout.0,
            stop: Some(self.limits.stop),
            until,
            ..UnitOptions::default()
        };
        let program = self.verified.as_ref().map(Verified::descriptor);
        let arguments: Vec<OsString> = self.target.arguments().iter().map(OsString::from).collect();
        Unit::start(program.as_ref().unwrap_or(&self.target.program), &arguments, options)
    }

    fn flags(&self) -> u32 {
        let states = if self.target.recognises_states(&self.config) { FLAG_STATES } else { 0 };
        let start = if self.config.fork_server.0 { FLAG_START_ONCE } else { 0 };
        FLAG_RECORD | states | start
    }

    pub(crate) fn executor(
        &self,
        unit: Unit,
        map: &Arc<ProgramMap>,
        cases: &Arc<Cases>,
    ) -> Result<LocalExecutor, ExecutorError> {
        let limits = segment::Limits {
            max_depth: self.config.depth.map_or(u32::MAX, |depth| depth.get() as u32),
            max_nodes: u32::MAX,
            max_events: u32::MAX,
            flags: self.flags(),
            memory: self.limits.memory,
            fill_seed: if self.target.has_random_fill(&self.config) { self.config.seed } else { 0 },
            max_inputs: 0,
            unchecked: 0,
        };
        let (places, shapes) = (Places::of(&self.target.program), self.types.shapes());
        let solver = tine_solver::Options {
            until: self.limits.until(),
            stop: Some(self.limits.stop),
            memory_mb: self.solver.memory_mb.min(self.limits.memory.div_ceil(1 << 20)),
            ..self.solver.clone()
        };
        let mut executor =
            LocalExecutor::new(unit, Arc::clone(map), places, shapes, limits, solver, Arc::clone(cases))?;
        executor.set_contract(self.target.contract(&self.config));
        executor.set_seeds(self.target.seeds.clone());
        executor.set_checks(self.config.check.0);
        executor.set_memory(self.config.pointers());
        executor.set_room(self.limits.memory / self.count().max(1) as u64);
        Ok(executor)
    }
}
