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

use std::collections::{HashMap, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

use tine_explore::job::{NoteSeen, Pin, StateSeen};
use tine_explore::map::Edge;
use tine_explore::{CaseId, Decision, Executor, Flip, Job, JobResult, Prefix, ProgramMap, Run, RunEnd};
use tine_expr::{Answer, Assignment, Query, Solver, TermId, TermPool, independent_slice};
use tine_solver::{Chain, Stats};
use tine_trace::event::{Event, EventKind, Note, NoteKind, PREFIX_HASH_START, PinReason, Site};
use tine_trace::outcome::{Outcome, OutcomeKind};
use tine_trace::plan::{FUNCTIONS, MAX_SLOTS, OBJECT};
use tine_trace::segment::Limits;
use tine_types::TypeId;
use tine_types::map::Untouched;

use crate::cases::{CaseInputs, Cases, InputSeen, ObjectSeen};
use crate::graph::Shapes;
use crate::graph::describe::Description;
use crate::graph::domains::{Domains, compares_with_others, domains_of};
use crate::graph::settle::{held, settle};
use crate::graph::shapes::Element;
use crate::import::{ImportError, Recorded, Trace};
use crate::places::Places;
use crate::states::States;
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

/// Rounds of a loop that count in a run that was stopped at its time limit.
const ROUNDS_OF_ENDLESS: u32 = 8;

pub struct LocalExecutor {
    unit: Unit,
    map: Arc<ProgramMap>,
    places: Places,
    limits: Limits,
    pool: TermPool,
    chain: Chain,
    shapes: Shapes,
    solver: tine_solver::Options,
    /// Of chains that went with their pool.
    past: Stats,
    cases: Cases,
    traces: Traces,
    covered: Vec<u8>,
    /// The case whose decisions were flipped last, as the solver wants it: a search flips several of one.
    hint: (CaseId, Assignment),
    seeds: Vec<Vec<Vec<u8>>>,
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
        shapes: Shapes,
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
            shapes,
            solver,
            past: Stats::default(),
            cases: Cases::default(),
            traces: Traces::default(),
            covered,
            hint: (CaseId(0), Assignment::new()),
            seeds: Vec::new(),
        })
    }

    /// Inputs to start from, each as the bytes of the requests: `Job::Seed` names them by their number.
    pub fn set_seeds(&mut self, seeds: Vec<Vec<Vec<u8>>>) {
        self.seeds = seeds;
    }

    /// The inputs of a case that is not released yet, for whoever stores and shows them.
    pub fn describe(&self, case: CaseId, untouched: Untouched) -> Option<Description<'_>> {
        let inputs = self.cases.get(case)?;
        let trace = self.traces.get(case);
        let nodes = trace.as_ref().map_or(&[][..], |trace| trace.nodes());
        Some(Description::new(&self.shapes, inputs, nodes, untouched))
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
        if self.hint.0 != flip.parent {
            self.hint = (flip.parent, inputs.assignment());
        }
        let question = Question { trace: &parent, prefix: parent.prefix(index), goal };
        let (shapes, seed) = (&self.shapes, self.limits.fill_seed);
        let mut solved = solve(&mut self.chain, &mut self.pool, shapes, &question, inputs, &self.hint.1, seed);
        if matches!(solved, Solved::Bounded) && parent.placements().n_met_before(flip.decision) < inputs.objects.len() {
            // What the rest of the parent's path made is in the way: this path need not have it.
            let terms = question.prefix.iter().copied().chain([goal]);
            let held = held(shapes, &self.pool, inputs, terms);
            if held.objects.len() < inputs.objects.len() {
                let hint = held.assignment();
                solved = solve(&mut self.chain, &mut self.pool, shapes, &question, &held, &hint, seed);
            }
        }
        match solved {
            Solved::Inputs(next) => Ok(JobResult::Ran(Box::new(self.run(next, Some((&parent, flip)))?))),
            Solved::Bounded => Ok(JobResult::Bounded("--max-objects".to_owned())),
            Solved::Unsat => Ok(JobResult::Unsat),
            Solved::Unknown(why) => Ok(JobResult::Unknown(why)),
        }
    }

    /// The trace of a case: kept, or recorded again.
    fn trace_of(&mut self, case: CaseId) -> Result<Rc<Trace>, ExecutorError> {
        if let Some(trace) = self.traces.get(case) {
            return Ok(trace);
        }
        let inputs = self.cases.get(case).ok_or(ExecutorError::Case(case))?;
        self.unit.run(&inputs.plan(), &self.limits)?;
        let seen = self.seen_inputs(&inputs.functions, &|slot| inputs.objects.get(&slot).map(|object| object.element));
        let trace = self.import(&seen, None)?;
        self.traces.keep(case, Rc::clone(&trace));
        Ok(trace)
    }

    fn run(&mut self, planned: CaseInputs, parent: Option<(&Trace, &Flip)>) -> Result<Run, ExecutorError> {
        if self.pool.len() > MAX_TERMS {
            self.forget_terms()?;
        }
        let functions = Arc::clone(&planned.functions);
        let (plan, elements) = planned.into_plan();
        self.clear_coverage();
        self.unit.run(&plan, &self.limits)?;
        let parent_trace = parent.map(|(trace, _)| trace).filter(|_| !self.traces.is_empty());
        let element = |slot: u32| elements.binary_search_by_key(&slot, |(slot, _)| *slot).ok().map(|k| elements[k].1);
        let inputs = self.seen_inputs(&functions, &element);
        let trace = self.import(&inputs, parent_trace)?;
        let outcome = self.unit.segment().outcome();
        let (prefix, first) = match parent {
            Some((parent, flip)) if arrives(&trace, parent, flip) => (Prefix::Parent, flip.decision as usize),
            _ => (Prefix::Whole, 0),
        };
        let states = self.states(&trace, &inputs, (prefix == Prefix::Parent).then_some(first as u32));
        let case = self.cases.add(inputs);
        let run = Run {
            case,
            prefix,
            decisions: self.decisions(&trace, first),
            pins: pins(&trace, first),
            states,
            notes: self.notes(&trace),
            end: self.end(&outcome),
            new_edges: self.new_edges(&outcome),
        };
        self.traces.keep(case, trace);
        Ok(run)
    }

    /// What the last run noted. That it wrote to inputs matters only where they could have been shared.
    fn notes(&self, trace: &Trace) -> Vec<NoteSeen> {
        let notes = self.unit.segment().notes().iter().filter_map(note_seen);
        let sites = trace.placements().overlaps().iter().map(|event| Site(trace.events()[*event as usize].site));
        let overlap = |site| NoteSeen { kind: NoteKind::Overlap, site, detail: 0, count: 1, place: None };
        notes.filter(|note| note.kind != NoteKind::Overlap).chain(sites.map(overlap)).collect()
    }

    fn import(&mut self, inputs: &CaseInputs, parent: Option<&Trace>) -> Result<Rc<Trace>, ExecutorError> {
        let segment = self.unit.segment();
        let (mut nodes, mut events, images) = (segment.nodes(), segment.events(), segment.images());
        if segment.outcome().kind == OutcomeKind::Timeout as u32 {
            events = before_endless(events);
            nodes = &nodes[..nodes.len().min(events.last().map_or(1, |event| event.n_nodes as usize))];
        }
        let notes = segment.notes().iter().filter(|note| note.kind == NoteKind::Overlap as u8);
        let written: Vec<(u32, u32)> = notes.map(|note| (note.site, note.detail)).collect();
        let (pool, map, shapes) = (&mut self.pool, &self.map, &self.shapes);
        let trace = Trace::import(pool, map, shapes, Recorded { nodes, events, images, written: &written }, inputs, parent)?;
        Ok(Rc::new(trace))
    }

    /// What the last run had for inputs. `planned` tells what the objects of its plan were made of.
    fn seen_inputs(&self, functions: &Arc<[u64]>, planned: &dyn Fn(u32) -> Option<Element>) -> CaseInputs {
        let slot_shift = self.shapes.slot_shift();
        let mut seen = CaseInputs { functions: Arc::clone(functions), slot_shift, ..CaseInputs::default() };
        for (record, input) in self.unit.segment().inputs() {
            if record.id == FUNCTIONS {
                let addresses = input.bytes.chunks_exact(8);
                seen.functions =
                    addresses.map(|bytes| u64::from_le_bytes(bytes.try_into().expect("eight bytes"))).collect();
            } else if record.id & OBJECT != 0 {
                let slot = record.id & !OBJECT;
                let unknown = Element { ty: TypeId::VOID, size: 1, extent: record.size, flags: 0 };
                let element = planned(slot).unwrap_or(unknown);
                seen.objects.insert(slot, ObjectSeen { element, bytes: input.bytes });
            } else {
                seen.inputs.push(input);
            }
        }
        seen
    }

    fn decisions(&self, trace: &Trace, first: usize) -> Vec<Decision> {
        let events = trace.events();
        let mut before = if first == 0 { PREFIX_HASH_START } else { events[first - 1].prefix_hash };
        let mut decisions = Vec::new();
        for (index, event) in events.iter().enumerate().skip(first) {
            let site = Site(event.site);
            let n_alternatives = match EventKind::from_number(event.kind) {
                Some(EventKind::Branch) => Some(2),
                Some(EventKind::Choice) => Some(event.aux.min(u16::MAX as u32) as u16),
                Some(EventKind::Switch) => self.map.site(site).map(|site| site.n_alternatives),
                Some(EventKind::Placement) => trace.placement(index as u32).map(|known| known.values.len() as u16),
                Some(EventKind::Pin) | None => None,
            };
            if let (Some(kind), Some(n_alternatives)) = (EventKind::from_number(event.kind), n_alternatives) {
                let alternative = alternative(trace, index as u32);
                decisions.push(Decision { kind, site, alternative, n_alternatives, event: index as u32, before });
            }
            before = event.prefix_hash;
        }
        decisions
    }

    /// The states that the last run was in, behind event `first`.
    fn states(&self, trace: &Trace, inputs: &CaseInputs, first: Option<u32>) -> Vec<StateSeen> {
        let segment = self.unit.segment();
        if segment.states().is_empty() {
            return Vec::new();
        }
        let states = States {
            shapes: &self.shapes,
            nodes: trace.nodes(),
            events: trace.events(),
            inputs,
            owners: segment.input_records(),
            records: segment.states(),
        };
        states.signatures(first)
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
        let mut new = Vec::new();
        if outcome.kind == OutcomeKind::Rejected as u32 {
            let n_edges = self.covered.len();
            self.unit.segment_mut().coverage_mut(n_edges).fill(0);
            return new;
        }
        const AT_ONCE: usize = 64;
        let seen = self.unit.segment().coverage().chunks(AT_ONCE);
        for (number, (known, now)) in self.covered.chunks_mut(AT_ONCE).zip(seen).enumerate() {
            if known.iter().zip(now).all(|(known, now)| now <= known) {
                continue;
            }
            for (index, (known, now)) in known.iter_mut().zip(now).enumerate().filter(|(_, (known, now))| *now > *known)
            {
                *known = *now;
                new.push(Edge((number * AT_ONCE + index) as u32));
            }
        }
        new
    }

    /// So that what is set after a run is the run's. What the program did before its first run stays for that.
    fn clear_coverage(&mut self) {
        if self.covered.iter().any(|known| *known != 0) {
            let n_edges = self.covered.len();
            self.unit.segment_mut().coverage_mut(n_edges).fill(0);
        }
    }

    /// All coverage of the last run, new or not.
    pub fn edges(&self) -> Vec<Edge> {
        let seen = self.unit.segment().coverage().iter().take(self.covered.len()).enumerate();
        seen.filter(|(_, now)| **now != 0).map(|(index, _)| Edge(index as u32)).collect()
    }
}

impl Executor for LocalExecutor {
    type Error = ExecutorError;

    fn execute(&mut self, job: &Job) -> Result<JobResult, ExecutorError> {
        match job {
            Job::Initial => Ok(JobResult::Ran(Box::new(self.run(CaseInputs::default(), None)?))),
            Job::Seed(seed) => {
                let requests = self.seeds.get(*seed as usize).cloned().unwrap_or_default();
                let planned = CaseInputs {
                    inputs: requests.into_iter().map(InputSeen::planned).collect(),
                    ..CaseInputs::default()
                };
                Ok(JobResult::Ran(Box::new(self.run(planned, None)?)))
            }
            Job::Fresh(seed) => {
                let seed = std::mem::replace(&mut self.limits.fill_seed, *seed);
                let run = self.run(CaseInputs::default(), None);
                self.limits.fill_seed = seed;
                Ok(JobResult::Ran(Box::new(run?)))
            }
            Job::Flip(flip) => self.flip(flip),
        }
    }

    fn release(&mut self, case: CaseId) {
        self.cases.release(case);
        self.traces.release(case);
    }
}

/// What is asked of the solver: the path so far, and where to go from there.
struct Question<'a> {
    trace: &'a Trace,
    prefix: &'a [TermId],
    goal: TermId,
}

enum Solved {
    Inputs(CaseInputs),
    Unsat,
    /// There may be a solution with more objects.
    Bounded,
    Unknown(String),
}

/// Finds inputs that differ from `inputs`, which `hint` has the bytes of, where the question asks for it.
fn solve(
    chain: &mut Chain,
    pool: &mut TermPool,
    shapes: &Shapes,
    question: &Question<'_>,
    inputs: &CaseInputs,
    hint: &Assignment,
    seed: u64,
) -> Solved {
    let &Question { trace, prefix, goal } = question;
    let touched = |slot: u32| trace.placements().touched(slot);
    let mut sliced = Vec::new();
    let mut constraints = prefix;
    let mut domains = Domains::default();
    if shapes.has_roots() {
        loop {
            let before = sliced.len();
            sliced = independent_slice(pool, prefix, goal, &domains.list);
            // A pointer of which a part is mentioned brings what mentions the rest.
            if sliced.len() == before && !domains.list.is_empty() {
                break;
            }
            let terms = sliced.iter().copied().chain([goal]);
            domains = domains_of(shapes, pool, inputs, &touched, terms, shapes.max_objects());
            if domains.list.is_empty() {
                break;
            }
        }
        chain.left_out(prefix.len() - sliced.len());
        constraints = &sliced;
    }
    let query = Query { constraints, goal, hint, domains: &domains.list };
    match chain.check(pool, &query) {
        Answer::Unsat => {
            let mut terms = sliced.iter().copied().chain([goal]);
            if domains.is_bounded {
                // Was it the bound?
                domains = domains_of(shapes, pool, inputs, &touched, terms.clone(), MAX_SLOTS);
                let query = Query { constraints, goal, hint, domains: &domains.list };
                if domains.is_bounded || !matches!(chain.check(pool, &query), Answer::Unsat) {
                    return Solved::Bounded;
                }
            }
            if domains.is_cut {
                return Solved::Unknown("pointers into large objects".to_owned());
            }
            if compares_with_others(pool, &domains.list, &mut terms) {
                return Solved::Unknown("input pointers to the program's own variables".to_owned());
            }
            Solved::Unsat
        }
        Answer::Unknown(reason) => Solved::Unknown(reason.to_string()),
        Answer::Sat(changes) => {
            let mut assignment = hint.clone();
            assignment.overlay(&changes);
            let next = settle(shapes, inputs, &assignment, seed);
            // Pointers of several types may each have wanted the last that there was.
            if next.objects.len() > shapes.max_objects() as usize { Solved::Bounded } else { Solved::Inputs(next) }
        }
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

/// The events up to where the run goes round in circles. A loop without end decides without end; that the run was cut off
/// is told anyway.
fn before_endless(events: &[Event]) -> &[Event] {
    let mut rounds = HashMap::<u32, u32>::new();
    let again = events.iter().position(|event| {
        let count = rounds.entry(event.site).or_default();
        *count += 1;
        *count > ROUNDS_OF_ENDLESS
    });
    &events[..again.unwrap_or(events.len())]
}

/// Whether a run came to the decision that was flipped, and took the other side.
fn arrives(trace: &Trace, parent: &Trace, flip: &Flip) -> bool {
    let index = flip.decision as usize;
    let (Some(event), Some(known)) = (trace.events().get(index), parent.events().get(index)) else { return false };
    let before = |trace: &Trace| index.checked_sub(1).map(|last| trace.events()[last].prefix_hash);
    before(trace) == before(parent)
        && (event.kind, event.site) == (known.kind, known.site)
        && alternative(trace, flip.decision) == flip.alternative
}

/// Which alternative of its decision an event took.
fn alternative(trace: &Trace, event: u32) -> u16 {
    match trace.placement(event) {
        Some(placement) => placement.alternative,
        None => trace.events()[event as usize].alternative,
    }
}

/// What was pinned from event `first` on: also pointers of which nobody knows what else they could be.
fn pins(trace: &Trace, first: usize) -> Vec<Pin> {
    let pinned = |(index, event): (usize, &Event)| {
        let reason = match EventKind::from_number(event.kind)? {
            EventKind::Pin => PinReason::from_number(event.aux)?,
            EventKind::Placement if trace.placement(index as u32).is_none_or(|known| known.is_cut) => {
                PinReason::Address
            }
            _ => return None,
        };
        Some(Pin { site: Site(event.site), reason })
    };
    trace.events().iter().enumerate().skip(first).filter_map(pinned).collect()
}

fn note_seen(note: &Note) -> Option<NoteSeen> {
    let kind = NoteKind::from_number(note.kind)?;
    Some(NoteSeen { kind, site: Site(note.site), detail: note.detail, count: note.count, place: None })
}
