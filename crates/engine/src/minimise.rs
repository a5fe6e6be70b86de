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
/// Maximum number of runs for the reported errors of one exploration, and their time: after the limit of the
/// exploration, and before it.
const RUNS_FOR_ERRORS: u32 = 500;
const TIME_FOR_ERRORS: [Duration; 2] = [Duration::from_millis(150), Duration::from_secs(1)];
/// Time for the cases of one export. It is long, because the same session should give the same tests.
const TIME_FOR_EXPORT: Duration = Duration::from_secs(60);

/// Replaces the inputs of errors by smaller ones.
pub(crate) fn errors(workers: &Workers, map: &Arc<ProgramMap>, inputs: &mut [&mut (CaseId, CaseInput)]) -> Vec<CaseId> {
    let is_over = workers.limits.until().is_some_and(|until| Instant::now() + TIME_FOR_ERRORS[1] >= until);
    let until = Instant::now() + TIME_FOR_ERRORS[usize::from(!is_over)];
    let mut runs = RUNS_FOR_ERRORS;
    let Some(mut smaller) = Smaller::new(workers, map, until).filter(|_| !inputs.is_empty()) else { return Vec::new() };
    let mut changed = Vec::new();
    for (case, input) in inputs {
        if let Some(found) = smaller.of(&input.input, &mut runs) {
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
    // Each run of an endless loop would take its whole time limit.
    for case in cases.iter_mut().filter(|case| case.outcome != "timeout") {
        if let Some(found) = smaller.of(&case.input.input, &mut { RUNS }) {
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

    /// A smaller input, found with no more than `runs`, which are used up.
    fn of(&mut self, input: &Input, runs: &mut u32) -> Option<CaseInput> {
        let own = RUNS.min(*runs);
        let mut effort = Effort { runs: own, until: self.until };
        let found = self.executor.minimised(input, &mut effort);
        *runs -= own - effort.runs;
        let (case, smaller) = found.ok()??;
        let map = self.executor.describe(case, &smaller, self.untouched);
        self.executor.release(case);
        (smaller != *input).then_some(CaseInput { input: smaller, map })
    }
}
