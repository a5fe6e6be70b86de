//! Smaller inputs of finished cases, for reports of errors and for exported tests: one executor of its own repeats the
//! runs. See `tine_executor`, `minimised`.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tine_executor::local::Effort;
use tine_executor::{Cases, LocalExecutor};
use tine_explore::{CaseId, Executor as _, ProgramMap};
use tine_session::CaseInput;
use tine_session::session::Case;
use tine_types::Input;
use tine_types::map::Untouched;

use crate::explore::STOP;
use crate::limits::Limits;
use crate::stored::Stored;
use crate::target::{Kind, UNIT_NATIVE};
use crate::types::InputTypes;
use crate::workers::Workers;

/// Maximum number of runs for one input.
const RUNS: u32 = 200;
/// Time for the inputs of the reported errors of one exploration.
const TIME_FOR_ERRORS: Duration = Duration::from_millis(150);
/// Time for the cases of one export.
const TIME_FOR_EXPORT: Duration = Duration::from_secs(5);

/// Replaces the inputs of errors by smaller ones.
pub(crate) fn errors(workers: &Workers, map: &Arc<ProgramMap>, inputs: &mut [&mut (CaseId, CaseInput)]) -> Vec<CaseId> {
    let until = Instant::now() + TIME_FOR_ERRORS;
    let Some(mut smaller) = Smaller::new(workers, map, until).filter(|_| !inputs.is_empty()) else { return Vec::new() };
    let mut changed = Vec::new();
    for (case, input) in inputs {
        if let Some(found) = smaller.of(&input.input) {
            *input = found;
            changed.push(*case);
        }
    }
    changed
}

/// Replaces the inputs of cases by smaller ones. `folder` is the directory of their session. A case stays as it is if
/// its run cannot be repeated.
pub fn cases(folder: &Path, stored: &Stored, cases: &mut [Case]) {
    let until = Instant::now() + TIME_FOR_EXPORT;
    let Some((workers, map)) = opened(folder, stored, until) else { return };
    let Some(mut smaller) = Smaller::new(&workers, &map, until) else { return };
    for case in cases {
        if let Some(found) = smaller.of(&case.input.input) {
            case.input = found;
        }
    }
}

/// The workers of a stored session.
fn opened(folder: &Path, stored: &Stored, until: Instant) -> Option<(Workers, Arc<ProgramMap>)> {
    let program = stored.open_program(folder, &stored.target.program).ok()?;
    let mut target = stored.target.clone();
    target.program = program.path().to_path_buf();
    if let Kind::Function(harness) | Kind::Sequence(harness) = &mut target.kind {
        harness.native = folder.join(UNIT_NATIVE);
    }
    let types = InputTypes::of(&target, &stored.config).ok()?;
    let time = until.saturating_duration_since(Instant::now());
    let limits = Limits::begin(&STOP, Some(time), stored.config.memory.size.0, Duration::ZERO);
    let solver = stored.config.solver_options();
    let workers = Workers::new(stored.config.clone(), target, Some(program), types, limits, solver);
    let unit = workers.start_unit().ok()?;
    let map = ProgramMap::parse(unit.maps(), unit.segment().modules()).ok()?;
    Some((workers, Arc::new(map)))
}

/// An executor for minimising.
struct Smaller {
    executor: LocalExecutor,
    untouched: Untouched,
    until: Instant,
}

impl Smaller {
    fn new(workers: &Workers, map: &Arc<ProgramMap>, until: Instant) -> Option<Smaller> {
        let unit = workers.start_unit_until(Some(until)).ok()?;
        let executor = workers.executor(unit, map, &Arc::new(Cases::default())).ok()?;
        Some(Smaller { executor, untouched: workers.target.untouched(&workers.config), until })
    }

    fn of(&mut self, input: &Input) -> Option<CaseInput> {
        let effort = Effort { runs: RUNS, until: self.until };
        let (case, smaller) = self.executor.minimised(input, effort).ok()??;
        let map = self.executor.describe(case, &smaller, self.untouched);
        self.executor.release(case);
        (smaller != *input).then_some(CaseInput { input: smaller, map })
    }
}
