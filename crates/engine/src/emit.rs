//! Turns results of the scheduler into messages for the thread that feeds sinks.
//!
//! Results are processed under the lock of the scheduler, so little happens here: messages are collected and sent in
//! groups. The other thread writes to disk and prints.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::SyncSender;
use std::time::Duration;

use tine_executor::{ExecutorError, LocalExecutor};
use tine_explore::map::{Edge, SideId};
use tine_explore::{CaseId, Decision, Executor, Explorer, JobResult, ProgramMap, Step};
use tine_session::summary::Machine;
use tine_session::{CaseInput, SoFar};
use tine_solver::Stats;
use tine_trace::event::Site;
use tine_types::Input;
use tine_types::map::Untouched;

use crate::Error;
use crate::event::{Done, Kept, Progress};
use crate::limits::Limits;
use crate::remote::Away;
use crate::scheduler::{Observer, Over};

/// An executor whose runs can be described.
pub(crate) trait Worker: Executor {
    fn inputs(&self, case: CaseId) -> Option<Arc<Input>>;

    /// Readable form of a case's input.
    fn describe(&self, case: CaseId, inputs: &Input, untouched: Untouched) -> CaseInput;

    /// Branch sides that the run of this case covered. It must be the last run.
    fn covers(&self, case: CaseId, map: &ProgramMap) -> Vec<SideId>;

    /// Output of the run of this case. It must be the last run.
    fn output(&self, case: CaseId) -> Vec<u8>;

    fn solver_stats(&self) -> Stats;

    /// Number of runs that a fork server started at the first input.
    fn n_forked(&self) -> u64;

    /// Token that confirms the reply with the current result, once the result is stored.
    fn receipt(&self) -> Option<u64> {
        None
    }

    /// Work of each worker on another machine.
    fn machines(&self) -> Vec<Machine> {
        Vec::new()
    }

    /// Messages for the user.
    fn take_notices(&mut self) -> Vec<String> {
        Vec::new()
    }
}

impl Worker for LocalExecutor {
    fn inputs(&self, case: CaseId) -> Option<Arc<Input>> {
        self.inputs(case)
    }

    fn describe(&self, case: CaseId, inputs: &Input, untouched: Untouched) -> CaseInput {
        CaseInput { input: inputs.clone(), map: self.describe(case, inputs, untouched) }
    }

    fn covers(&self, _: CaseId, map: &ProgramMap) -> Vec<SideId> {
        sides(&self.edges(), map)
    }

    fn output(&self, _: CaseId) -> Vec<u8> {
        self.output()
    }

    fn solver_stats(&self) -> Stats {
        self.solver_stats()
    }

    fn n_forked(&self) -> u64 {
        self.starts().forked
    }
}

impl Worker for Away {
    fn inputs(&self, case: CaseId) -> Option<Arc<Input>> {
        self.own().inputs(case)
    }

    fn describe(&self, case: CaseId, inputs: &Input, untouched: Untouched) -> CaseInput {
        match self.evidence(case) {
            Some(evidence) => CaseInput { input: inputs.clone(), map: evidence.map.clone() },
            None => Worker::describe(self.own(), case, inputs, untouched),
        }
    }

    fn covers(&self, case: CaseId, map: &ProgramMap) -> Vec<SideId> {
        match self.evidence(case) {
            Some(evidence) => sides(&evidence.covers, map),
            None => self.own().covers(case, map),
        }
    }

    fn output(&self, case: CaseId) -> Vec<u8> {
        self.evidence(case).map_or_else(|| self.own().output(), |evidence| evidence.output.clone())
    }

    fn solver_stats(&self) -> Stats {
        self.own().solver_stats()
    }

    fn n_forked(&self) -> u64 {
        self.own().n_forked()
    }

    fn receipt(&self) -> Option<u64> {
        self.receipt()
    }

    fn machines(&self) -> Vec<Machine> {
        self.machines()
    }

    fn take_notices(&mut self) -> Vec<String> {
        self.take_notices()
    }
}

fn sides(edges: &[Edge], map: &ProgramMap) -> Vec<SideId> {
    let sides: BTreeSet<_> = edges.iter().filter_map(|edge| map.covered_by(*edge)).collect();
    sides.into_iter().collect()
}

/// Messages from the engine's thread to the caller's.
pub(crate) enum Packet {
    Results(Vec<Message>),
    Over(Box<Over<Emitter, ExecutorError>>),
    /// The exploration did not begin.
    Failed(Error),
}

pub(crate) enum Message {
    Done(Box<Done>),
    Progress(Progress),
    Notice(String),
}

/// Maximum number of queued packets. The next one blocks the workers.
pub(crate) const MAX_PACKETS: usize = 8;
/// Limits of a packet: messages, their decisions, and the time that they wait.
const MAX_MESSAGES: usize = 128;
const MAX_DECISIONS: usize = 1 << 16;
const MAX_WAIT: Duration = Duration::from_millis(20);
/// Time between two progress messages.
const PROGRESS: Duration = Duration::from_millis(100);
/// Least time between two updates of the session's numbers.
const SO_FAR: Duration = Duration::from_secs(1);

/// See the module's documentation.
pub(crate) struct Emitter {
    sender: SyncSender<Packet>,
    /// Set when a sink has failed.
    is_closed: Arc<AtomicBool>,
    limits: Limits,
    untouched: Untouched,
    show_output: bool,
    pending: Vec<Message>,
    n_decisions: usize,
    sent: Duration,
    progress: Duration,
    /// Name of the target, and its checks as text.
    target: (String, String),
    /// Earliest time of the next [`SoFar`].
    so_far: Duration,
    /// Inputs of errors.
    pub(crate) errors: Vec<(CaseId, CaseInput)>,
    /// Statistics of all workers that have ended.
    pub(crate) solver: Stats,
    pub(crate) n_forked: u64,
    pub(crate) machines: Vec<Machine>,
}

impl Emitter {
    pub(crate) fn new(
        sender: SyncSender<Packet>,
        is_closed: Arc<AtomicBool>,
        limits: Limits,
        untouched: Untouched,
        show_output: bool,
        target: (String, String),
        errors: Vec<(CaseId, CaseInput)>,
    ) -> Emitter {
        Emitter {
            sender,
            is_closed,
            limits,
            untouched,
            show_output,
            pending: Vec::new(),
            n_decisions: 0,
            sent: limits.elapsed(),
            progress: limits.elapsed(),
            target,
            so_far: Duration::ZERO,
            errors,
            solver: Stats::default(),
            n_forked: 0,
            machines: Vec::new(),
        }
    }

    /// Messages that were not sent.
    pub(crate) fn take_pending(&mut self) -> Vec<Message> {
        self.n_decisions = 0;
        std::mem::take(&mut self.pending)
    }

    fn send(&mut self, now: Duration) -> ControlFlow<()> {
        self.sent = now;
        let packet = Packet::Results(self.take_pending());
        if self.sender.send(packet).is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Current numbers for the session. A large program needs some time for them, so they are made less often there.
    fn so_far(&mut self, explorer: &Explorer, now: Duration) -> Option<Arc<SoFar>> {
        if now < self.so_far {
            return None;
        }
        let (name, checks) = &self.target;
        let so_far = SoFar::of(name, checks, explorer, now);
        let end = self.limits.elapsed();
        self.so_far = end + SO_FAR.max(50 * end.saturating_sub(now));
        Some(Arc::new(so_far))
    }

    fn kept<E: Worker>(
        &mut self,
        step: &Step,
        case: CaseId,
        inputs: &Input,
        explorer: &Explorer,
        executor: &E,
        last: Option<&Decision>,
    ) -> Option<Kept> {
        let has_error = step.kept?.is_evidence();
        let input = executor.describe(case, inputs, self.untouched);
        if has_error {
            self.errors.push((case, input.clone()));
        }
        let path = if has_error { path(explorer, last) } else { Vec::new() };
        let output = (has_error && self.show_output).then(|| executor.output(case));
        Some(Kept { case, has_error, input, covers: executor.covers(case, explorer.map()), path, output })
    }
}

/// Maximum number of stored decisions of a path.
const MAX_PATH: usize = 1000;

/// Decisions of the last run, as far as the tree has them: sites and sides. `last` is the last one.
fn path(explorer: &Explorer, last: Option<&Decision>) -> Vec<(Site, u16)> {
    let tree = explorer.tree();
    let nodes = tree.last_path();
    let sides = nodes.windows(2).filter_map(|pair| {
        let parent = tree.node(pair[1]).parent?;
        Some((tree.node(parent.node).site, parent.side_index))
    });
    let mut path: Vec<(Site, u16)> = sides.collect();
    path.extend(last.map(|decision| (decision.site, decision.side_index)));
    path.split_off(path.len().saturating_sub(MAX_PATH))
}

impl<E: Worker> Observer<E> for Emitter {
    fn step(&mut self, step: Step, result: JobResult, explorer: &Explorer, executor: &mut E) -> ControlFlow<()> {
        if self.is_closed.load(Ordering::Relaxed) {
            return ControlFlow::Break(());
        }
        let case = result.run().map(|run| run.case);
        let inputs = case.and_then(|case| executor.inputs(case)).unwrap_or_default();
        let kept = case.and_then(|case| {
            let last = result.run().and_then(|run| run.decisions.last());
            self.kept(&step, case, &inputs, explorer, executor, last)
        });
        let errors: Vec<_> = step.new_errors.iter().map(|index| explorer.errors()[*index].clone()).collect();
        let elapsed = self.limits.elapsed();
        let is_urgent = !errors.is_empty();
        self.n_decisions += result.run().map_or(0, |run| run.decisions.len());
        let n_covered = explorer.coverage().n_covered();
        for text in executor.take_notices() {
            self.pending.push(Message::Notice(text));
        }
        let receipt = executor.receipt();
        let done = Done { step, result, inputs, kept, errors, n_covered, elapsed, receipt };
        self.pending.push(Message::Done(Box::new(done)));
        let is_due = elapsed.saturating_sub(self.progress) >= PROGRESS;
        if is_due {
            self.progress = elapsed;
            let counters = explorer.counters();
            let so_far = self.so_far(explorer, elapsed);
            self.pending.push(Message::Progress(Progress {
                runs: counters.runs,
                paths: counters.paths,
                branches_covered: n_covered,
                branches_total: explorer.map().n_sides(),
                errors: explorer.errors().len(),
                solving: executor.solver_stats().time,
                machines: executor.machines(),
                elapsed,
                so_far,
            }));
        }
        let is_full = self.pending.len() >= MAX_MESSAGES || self.n_decisions >= MAX_DECISIONS;
        if is_full || is_urgent || is_due || elapsed.saturating_sub(self.sent) >= MAX_WAIT {
            return self.send(elapsed);
        }
        ControlFlow::Continue(())
    }

    fn done(&mut self, executor: &E) {
        self.solver.add(&executor.solver_stats());
        self.n_forked += executor.n_forked();
        self.machines.extend(executor.machines());
    }
}
