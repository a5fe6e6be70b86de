//! The executor on this machine: one unit process, one term pool, one solver chain.
//!
//! ```text
//!   Flip { parent, decision, alternative }
//!     │ the parent's trace: at hand, or run again
//!     │ prefix ∧ other alternative ──▶ solver ──▶ unsat / unknown
//!     │ sat: the parent's input with the changed bytes
//!     ▼
//!   run ──▶ import ──▶ Run
//! ```

use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

use tine_explore::job::{NoteSeen, Pin};
use tine_explore::map::Edge;
use tine_explore::{CaseId, Decision, Executor, Flip, Job, JobResult, Prefix, ProgramMap, Run, RunEnd};
use tine_expr::{Answer, Query, Solver, TermPool};
use tine_solver::{Chain, Stats};
use tine_trace::event::{Event, EventKind, Note, NoteKind, PREFIX_HASH_START, PinReason, Site};
use tine_trace::outcome::{Outcome, OutcomeKind};
use tine_trace::segment::Limits;

use crate::cases::{CaseInputs, Cases};
use crate::import::{ImportError, Trace};
use crate::places::Places;
use crate::unit::{Unit, UnitError};

/// What ends an exploration at once.
#[derive(Debug, thiserror::Error)]
pub enum ExecutorError {
    #[error(transparent)]
    Unit(#[from] UnitError),
    /// A bug in tine: what the unit recorded contradicts itself.
    #[error("the trace of a run does not hold: {0}")]
    Trace(#[from] ImportError),
    #[error(transparent)]
    Solver(#[from] tine_solver::Error),
    #[error("the case {0} is not known any more")]
    Case(CaseId),
}

/// Traces kept at hand. A depth-first search goes back to the last few; others run their parent again.
const MAX_TRACES: usize = 64;
/// Nodes of all traces kept at hand.
const MAX_TRACE_NODES: usize = 8 << 20;
/// Terms after which the pool is thrown away and built anew from the runs that follow.
const MAX_TERMS: usize = 32 << 20;

pub struct LocalExecutor {
    unit: Unit,
    map: Arc<ProgramMap>,
    places: Places,
    limits: Limits,
    pool: TermPool,
    chain: Chain,
    solver: tine_solver::Options,
    /// Of chains that went with their pool.
    past: Stats,
    cases: Cases,
    traces: Traces,
    covered: Vec<u8>,
}

impl std::fmt::Debug for LocalExecutor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LocalExecutor").field("terms", &self.pool.len()).finish_non_exhaustive()
    }
}

impl LocalExecutor {
    pub fn new(
        unit: Unit,
        map: Arc<ProgramMap>,
        places: Places,
        limits: Limits,
        solver: tine_solver::Options,
    ) -> Result<LocalExecutor, ExecutorError> {
        let covered = vec![0; map.n_edges()];
        Ok(LocalExecutor {
            unit,
            map,
            places,
            limits,
            pool: TermPool::new(),
            chain: tine_solver::chain(&solver)?,
            solver,
            past: Stats::default(),
            cases: Cases::default(),
            traces: Traces::default(),
            covered,
        })
    }

    /// The inputs of a case that is not released yet.
    pub fn inputs(&self, case: CaseId) -> Option<&CaseInputs> {
        self.cases.get(case)
    }

    pub fn solver_stats(&self) -> Stats {
        let mut stats = self.past.clone();
        stats.add(&self.chain.stats());
        stats
    }

    /// Terms are never freed one by one: past a bound all go, with whatever refers to them.
    fn forget_terms(&mut self) -> Result<(), ExecutorError> {
        self.past = self.solver_stats();
        self.traces.clear();
        self.pool = TermPool::new();
        self.chain = tine_solver::chain(&self.solver)?;
        Ok(())
    }

    /// What the unit printed in the last run.
    pub fn output(&self) -> Vec<u8> {
        self.unit.output()
    }

    /// Finds an input for `flip`, and runs it.
    fn flip(&mut self, flip: &Flip) -> Result<JobResult, ExecutorError> {
        let parent = self.trace_of(flip.parent)?;
        let index = flip.decision as usize;
        if index >= parent.events().len() {
            return Ok(JobResult::Unknown("the parent did not take its path again".to_owned()));
        }
        let goal = parent.constraint(&mut self.pool, &self.map, index, flip.alternative)?;
        let inputs = self.cases.get(flip.parent).ok_or(ExecutorError::Case(flip.parent))?;
        let mut assignment = inputs.assignment();
        let query = Query { constraints: parent.prefix(index), goal, hint: &assignment };
        match self.chain.check(&mut self.pool, &query) {
            Answer::Unsat => Ok(JobResult::Unsat),
            Answer::Unknown(reason) => Ok(JobResult::Unknown(reason.to_string())),
            Answer::Sat(changes) => {
                assignment.overlay(&changes);
                let run = self.run(assignment.inputs(), Some((&parent, flip)))?;
                Ok(JobResult::Ran(Box::new(run)))
            }
        }
    }

    /// The trace of a case: kept, or recorded again.
    fn trace_of(&mut self, case: CaseId) -> Result<Rc<Trace>, ExecutorError> {
        if let Some(trace) = self.traces.get(case) {
            return Ok(trace);
        }
        let inputs = self.cases.get(case).ok_or(ExecutorError::Case(case))?;
        self.unit.run(&inputs.plan(), &self.limits)?;
        let trace = self.import(&self.seen_inputs(), None)?;
        self.traces.keep(case, Rc::clone(&trace));
        Ok(trace)
    }

    fn run(&mut self, plan: &[Vec<u8>], parent: Option<(&Trace, &Flip)>) -> Result<Run, ExecutorError> {
        if self.pool.len() > MAX_TERMS {
            self.forget_terms()?;
        }
        self.unit.run(plan, &self.limits)?;
        let parent_trace = parent.map(|(trace, _)| trace).filter(|_| !self.traces.is_empty());
        let inputs = self.seen_inputs();
        let trace = self.import(&inputs, parent_trace)?;
        let outcome = self.unit.segment().outcome();
        let case = self.cases.add(inputs);
        let (prefix, first) = match parent {
            Some((_, flip)) if arrives(trace.events(), flip) => (Prefix::Parent, flip.decision as usize),
            _ => (Prefix::Whole, 0),
        };
        let run = Run {
            case,
            prefix,
            decisions: self.decisions(trace.events(), first),
            pins: pins(&trace.events()[first..]),
            notes: self.unit.segment().notes().iter().filter_map(note_seen).collect(),
            end: self.end(&outcome),
            new_edges: self.new_edges(&outcome),
        };
        self.traces.keep(case, trace);
        Ok(run)
    }

    fn import(&mut self, inputs: &CaseInputs, parent: Option<&Trace>) -> Result<Rc<Trace>, ExecutorError> {
        let segment = self.unit.segment();
        let trace = Trace::import(&mut self.pool, &self.map, segment.nodes(), segment.events(), inputs, parent)?;
        Ok(Rc::new(trace))
    }

    fn seen_inputs(&self) -> CaseInputs {
        CaseInputs { inputs: self.unit.segment().inputs() }
    }

    fn decisions(&self, events: &[Event], first: usize) -> Vec<Decision> {
        let mut before = if first == 0 { PREFIX_HASH_START } else { events[first - 1].prefix_hash };
        let mut decisions = Vec::new();
        for (index, event) in events.iter().enumerate().skip(first) {
            let site = Site(event.site);
            let n_alternatives = match EventKind::from_number(event.kind) {
                Some(EventKind::Branch) => Some(2),
                Some(EventKind::Choice) => Some(event.aux.min(u16::MAX as u32) as u16),
                Some(EventKind::Switch) => self.map.site(site).map(|site| site.n_alternatives),
                Some(EventKind::Pin) | None => None,
            };
            if let (Some(kind), Some(n_alternatives)) = (EventKind::from_number(event.kind), n_alternatives) {
                let alternative = event.alternative;
                decisions.push(Decision { kind, site, alternative, n_alternatives, event: index as u32, before });
            }
            before = event.prefix_hash;
        }
        decisions
    }

    fn end(&self, outcome: &Outcome) -> RunEnd {
        let kind = OutcomeKind::from_number(outcome.kind).unwrap_or(OutcomeKind::Unfinished);
        let frames = &outcome.frames[..(outcome.n_frames as usize).min(outcome.frames.len())];
        let site = Site(outcome.site);
        let place = if site == Site::NONE && kind != OutcomeKind::Exited { self.places.first(frames) } else { None };
        RunEnd { kind, code: outcome.code, site, place }
    }

    /// Coverage bytes that this run was the first to set. A rejected run gets no credit for any.
    fn new_edges(&mut self, outcome: &Outcome) -> Vec<Edge> {
        let rejected = outcome.kind == OutcomeKind::Rejected as u32;
        let seen = self.unit.segment_mut().coverage_mut(self.covered.len());
        let mut new = Vec::new();
        if seen == self.covered {
            return new;
        }
        for (index, (known, now)) in self.covered.iter_mut().zip(seen).enumerate() {
            if *known == *now {
                continue;
            }
            if rejected {
                *now = *known;
            } else {
                *known = *now;
                new.push(Edge(index as u32));
            }
        }
        new
    }
}

impl Executor for LocalExecutor {
    type Error = ExecutorError;

    fn execute(&mut self, job: &Job) -> Result<JobResult, ExecutorError> {
        match job {
            Job::Initial => Ok(JobResult::Ran(Box::new(self.run(&[], None)?))),
            Job::Flip(flip) => self.flip(flip),
        }
    }

    fn release(&mut self, case: CaseId) {
        self.cases.release(case);
        self.traces.release(case);
    }
}

/// The last few traces, for whoever flips a decision of them.
#[derive(Default)]
struct Traces {
    /// The newest last.
    kept: VecDeque<(CaseId, Rc<Trace>)>,
    n_nodes: usize,
}

impl Traces {
    fn get(&self, case: CaseId) -> Option<Rc<Trace>> {
        self.kept.iter().rev().find(|(kept, _)| *kept == case).map(|(_, trace)| Rc::clone(trace))
    }

    fn keep(&mut self, case: CaseId, trace: Rc<Trace>) {
        self.n_nodes += trace.n_nodes();
        self.kept.push_back((case, trace));
        while self.kept.len() > MAX_TRACES || self.kept.len() > 2 && self.n_nodes > MAX_TRACE_NODES {
            if let Some((_, oldest)) = self.kept.pop_front() {
                self.n_nodes -= oldest.n_nodes();
            }
        }
    }

    fn release(&mut self, case: CaseId) {
        if let Some(index) = self.kept.iter().rposition(|(kept, _)| *kept == case)
            && let Some((_, trace)) = self.kept.remove(index)
        {
            self.n_nodes -= trace.n_nodes();
        }
    }

    fn clear(&mut self) {
        *self = Traces::default();
    }

    fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }
}

/// Whether a run came to the decision that was flipped, and took the other side.
fn arrives(events: &[Event], flip: &Flip) -> bool {
    events.get(flip.decision as usize).is_some_and(|event| event.prefix_hash == flip.predicted)
}

fn pins(events: &[Event]) -> Vec<Pin> {
    events
        .iter()
        .filter(|event| event.kind == EventKind::Pin as u8)
        .filter_map(|event| Some(Pin { site: Site(event.site), reason: PinReason::from_number(event.aux)? }))
        .collect()
}

fn note_seen(note: &Note) -> Option<NoteSeen> {
    let kind = NoteKind::from_number(note.kind)?;
    Some(NoteSeen { kind, site: Site(note.site), detail: note.detail, count: note.count, place: None })
}
