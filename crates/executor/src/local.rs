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

use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

use tine_explore::job::{NoteSeen, StateSeen};
use tine_explore::map::Edge;
use tine_explore::{CaseId, Decision, Done, Executor, Flip, Job, JobResult, Prefix, ProgramMap, Run, RunEnd};
use tine_expr::{Assignment, TermId, TermPool};
use tine_solver::{Chain, Stats, Worth};
use tine_trace::event::{EventKind, NoteKind, OF_LAYOUT, PREFIX_HASH_START, Site};
use tine_trace::outcome::OutcomeKind;
use tine_trace::plan::{FUNCTIONS, InputKind, OBJECT};
use tine_trace::planned::Plan;
use tine_trace::segment::{FLAG_RECORD, FLAG_START_ALWAYS_ONCE, FLAG_START_ONCE, FLAG_STATES, Limits};
use tine_types::TypeId;
use tine_types::map::Untouched;

use crate::cases::{CaseInputs, Cases, InputSeen, ObjectSeen};
use crate::endless::{Endless, Function};
use crate::graph::Shapes;
use crate::graph::describe::Description;
use crate::graph::settle::held;
use crate::graph::shapes::Element;
use crate::import::{ImportError, Recorded, Trace};
use crate::memory::Memory;
use crate::places::Places;
use crate::seen::{alternative, arrives, before_endless, comes_to, note_seen, pins};
use crate::slow::Seen;
use crate::solving::{Means, Question, Solved, solve};
use crate::states::States;
use crate::traces::Traces;
use crate::unit::{Starts, Unit, UnitError};

mod batch;

use batch::Pace;

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

/// Terms after which the pool is thrown away and built anew from the runs that follow.
const MAX_TERMS: usize = 32 << 20;

pub struct LocalExecutor {
    unit: Unit,
    map: Arc<ProgramMap>,
    places: Places,
    limits: Limits,
    pool: TermPool,
    chain: Chain,
    /// With twice the limits, and for guesses: made when they are needed.
    patient: Option<Chain>,
    hasty: Option<Chain>,
    /// Of guesses.
    worth: Worth,
    shapes: Shapes,
    solver: tine_solver::Options,
    /// Of chains that went with their pool.
    past: Stats,
    cases: Arc<Cases>,
    /// Addresses of the functions that the unit announced; nothing before the first run.
    functions: Arc<[u64]>,
    traces: Traces,
    covered: Vec<u8>,
    /// Some input was run: what is covered by then is no start-up's.
    has_run: bool,
    endless: Endless,
    /// The case whose decisions were flipped last, as the solver wants it: a search flips several of one.
    hint: (CaseId, Assignment),
    seeds: Vec<Vec<Vec<u8>>>,
    memory: Memory,
    pace: Pace,
    /// How often all terms were.
    n_forgotten: u64,
}

impl std::fmt::Debug for LocalExecutor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LocalExecutor").field("terms", &self.pool.len()).finish_non_exhaustive()
    }
}

impl LocalExecutor {
    /// `cases` may be shared by several executors of the same program.
    pub fn new(
        unit: Unit,
        map: Arc<ProgramMap>,
        places: Places,
        shapes: Shapes,
        limits: Limits,
        solver: tine_solver::Options,
        cases: Arc<Cases>,
    ) -> Result<LocalExecutor, ExecutorError> {
        let covered = vec![0; map.n_edges()];
        Ok(LocalExecutor {
            unit,
            map,
            places,
            limits,
            pool: solver.pool(),
            chain: tine_solver::chain(&first(&solver))?,
            patient: None,
            hasty: None,
            worth: Worth::default(),
            shapes,
            solver,
            past: Stats::default(),
            cases,
            functions: Arc::default(),
            traces: Traces::default(),
            covered,
            has_run: false,
            endless: Endless::default(),
            hint: (CaseId(0), Assignment::new()),
            seeds: Vec::new(),
            memory: Memory::default(),
            pace: Pace::default(),
            n_forgotten: 0,
        })
    }

    /// How to reason about pointers among the inputs.
    pub fn set_memory(&mut self, memory: Memory) {
        self.memory = memory;
    }

    /// Inputs to start from, each as the bytes of the requests: `Job::Seed` names them by their number.
    pub fn set_seeds(&mut self, seeds: Vec<Vec<Vec<u8>>>) {
        self.seeds = seeds;
    }

    /// The inputs of a case that is not released yet.
    pub fn inputs(&self, case: CaseId) -> Option<Arc<CaseInputs>> {
        self.cases.get(case)
    }

    /// The inputs of a case in a form for whoever stores and shows them.
    pub fn describe<'a>(&self, case: CaseId, inputs: &'a CaseInputs, untouched: Untouched) -> Description<'a> {
        let nodes = self.traces.peek(case).map_or(&[][..], Trace::nodes);
        Description::new(&self.shapes, inputs, nodes, untouched)
    }

    pub fn solver_stats(&self) -> Stats {
        let mut stats = self.past.clone();
        for chain in [Some(&self.chain), self.patient.as_ref(), self.hasty.as_ref()].into_iter().flatten() {
            stats.add(&chain.stats());
        }
        stats.rewritten += self.pool.n_rewritten();
        stats
    }

    /// Before terms are made: there is room for them.
    fn bound_terms(&mut self) -> Result<(), ExecutorError> {
        if self.pool.len() > MAX_TERMS { self.forget_terms() } else { Ok(()) }
    }

    /// Terms are never freed one by one: past a bound all go, with whatever refers to them.
    fn forget_terms(&mut self) -> Result<(), ExecutorError> {
        self.n_forgotten += 1;
        self.past = self.solver_stats();
        self.traces.clear();
        self.pool = self.solver.pool();
        self.chain = tine_solver::chain(&first(&self.solver))?;
        (self.patient, self.hasty) = (None, None);
        Ok(())
    }

    /// How often the program's start-up was done once, and for how many runs.
    pub fn starts(&self) -> Starts {
        self.unit.starts()
    }

    /// What the unit printed in the last run.
    pub fn output(&self) -> Vec<u8> {
        self.unit.output()
    }

    /// Finds an input for a job, if it has none.
    fn find(&mut self, job: &Job) -> Result<Found, ExecutorError> {
        let inputs = match job {
            Job::Initial => CaseInputs::default(),
            Job::Seed(seed) => {
                let requests = self.seeds.get(*seed as usize).cloned().unwrap_or_default();
                CaseInputs { inputs: requests.into_iter().map(InputSeen::planned).collect(), ..CaseInputs::default() }
            }
            Job::Fresh(seed) => return Ok(Found::Seed(*seed)),
            Job::Vary(seed) => self.cases.varied(self.map.constants(), *seed).unwrap_or_default(),
            Job::Flip(flip) => return self.flip(flip, false),
            Job::Retry(flip) => return self.flip(flip, true),
        };
        Ok(Found::Input(inputs, None))
    }

    fn run_found(&mut self, found: Found) -> Result<JobResult, ExecutorError> {
        match found {
            Found::Input(inputs, found_for) => {
                let parent = found_for.as_ref().map(|(trace, flip)| (&**trace, flip));
                Ok(JobResult::Ran(Box::new(self.run(inputs, parent)?)))
            }
            Found::Seed(seed) => {
                let seed = std::mem::replace(&mut self.limits.fill_seed, seed);
                let run = self.run(CaseInputs::default(), None);
                self.limits.fill_seed = seed;
                Ok(JobResult::Ran(Box::new(run?)))
            }
            Found::Hard(Hard { parent, flip, goal, why }) => {
                let inputs = self.inputs_of(flip.parent)?;
                Ok(match self.guess(&parent, &flip, goal, &inputs)? {
                    Some(run) => JobResult::Ran(Box::new(run)),
                    None => JobResult::GaveUp(why),
                })
            }
            Found::None(result) => Ok(result),
        }
    }

    /// Finds an input for `flip`. `again` is the second time, with twice the limits.
    fn flip(&mut self, flip: &Flip, again: bool) -> Result<Found, ExecutorError> {
        let parent = self.trace_of(flip)?;
        let index = flip.decision as usize;
        if !comes_to(&parent, flip) {
            return Ok(Found::None(JobResult::Unknown("the parent did not take its path again".to_owned())));
        }
        let goal = parent.constraint(&mut self.pool, &self.map, index, flip.alternative)?;
        let inputs = &*self.inputs_of(flip.parent)?;
        self.hint_at(flip.parent, inputs);
        let question = Question { trace: &parent, prefix: parent.prefix(index), first: 0, goal };
        let chain = if again { made(&mut self.patient, &self.solver, 2, 1)? } else { &mut self.chain };
        let (shapes, memory, seed) = (&self.shapes, self.memory, self.limits.fill_seed);
        let mut means = Means { chain, pool: &mut self.pool, shapes, memory, seed };
        let is_of_layout = parent.events()[index].flags & OF_LAYOUT != 0;
        let mut solved = solve(&mut means, &question, inputs, &self.hint.1, is_of_layout);
        if matches!(solved, Solved::Bounded) && parent.placements().n_met_before(flip.decision) < inputs.objects.len() {
            // What the rest of the parent's path made is in the way: this path need not have it.
            let terms = question.prefix.iter().copied().chain([goal]);
            let held = held(shapes, means.pool, inputs, terms);
            if held.objects.len() < inputs.objects.len() {
                let hint = held.assignment();
                solved = solve(&mut means, &question, &held, &hint, is_of_layout);
            }
        }
        let result = match solved {
            Solved::Inputs(next) => {
                let asked = question.prefix.iter().copied().chain([goal]);
                let next = self.endless.shortened(&self.pool, next, asked);
                return Ok(Found::Input(next, Some((parent, *flip))));
            }
            Solved::Bounded => JobResult::Bounded("--max-objects".to_owned()),
            Solved::Elsewhere => JobResult::Bounded("addresses of input objects".to_owned()),
            Solved::Unsat => JobResult::Unsat,
            Solved::Unknown(why) => JobResult::Unknown(why),
            Solved::GaveUp(why) if again => JobResult::GaveUp(why),
            Solved::GaveUp(why) => return Ok(Found::Hard(Hard { parent, flip: *flip, goal, why })),
        };
        Ok(Found::None(result))
    }

    fn hint_at(&mut self, case: CaseId, inputs: &CaseInputs) {
        if self.hint.0 != case {
            self.hint = (case, inputs.assignment());
        }
    }

    /// The path is too hard: inputs that only have to satisfy its nearest part. Where one of them leads is seen by running
    /// it; one that does not arrive is forgotten. Where guesses do not arrive, few are made.
    fn guess(
        &mut self,
        parent: &Trace,
        flip: &Flip,
        goal: TermId,
        inputs: &CaseInputs,
    ) -> Result<Option<Run>, ExecutorError> {
        if !self.worth.is_due() {
            return Ok(None);
        }
        self.hint_at(flip.parent, inputs);
        let run = self.guess_parts(parent, flip, goal, inputs)?;
        self.worth.tried(run.is_some());
        Ok(run)
    }

    fn guess_parts(
        &mut self,
        parent: &Trace,
        flip: &Flip,
        goal: TermId,
        inputs: &CaseInputs,
    ) -> Result<Option<Run>, ExecutorError> {
        let prefix = parent.prefix(flip.decision as usize);
        let mut parts = [2, 8, usize::MAX].map(|part| prefix.len() / part).to_vec();
        parts.dedup();
        for n_kept in parts {
            if self.pool.len() > MAX_TERMS {
                break;
            }
            let start = prefix.len() - n_kept;
            let question = Question { trace: parent, prefix: &prefix[start..], first: start, goal };
            let chain = made(&mut self.hasty, &first(&self.solver), 1, 4)?;
            let (shapes, memory, seed) = (&self.shapes, self.memory, self.limits.fill_seed);
            let mut means = Means { chain, pool: &mut self.pool, shapes, memory, seed };
            let solved = solve(&mut means, &question, inputs, &self.hint.1, false);
            let Solved::Inputs(next) = solved else { continue };
            self.past.optimistic += 1;
            let ran = self.observe(next, Some((parent, flip)))?;
            if arrives(&ran.trace, parent, flip) {
                self.past.arrived += 1;
                return Ok(Some(self.recorded(ran, Some((parent, flip)))?));
            }
        }
        Ok(None)
    }

    /// The trace of a flip's parent, up to that decision at least: kept, or recorded again.
    fn trace_of(&mut self, flip: &Flip) -> Result<Rc<Trace>, ExecutorError> {
        let (case, wanted) = (flip.parent, flip.decision as usize + 1);
        if let Some(trace) = self.traces.get(case).filter(|trace| trace.events().len() >= wanted) {
            return Ok(trace);
        }
        let inputs = self.inputs_of(case)?;
        self.run_unnoticed(&inputs.plan(&self.shapes))?;
        let seen = self.seen_inputs(&inputs.functions, &|slot| inputs.objects.get(&slot).map(|object| object.element));
        let trace = self.import(&seen, None, wanted)?;
        self.traces.keep(case, Rc::clone(&trace));
        Ok(trace)
    }

    /// A run that is no case's: what it covers is no news, nor the next run's.
    fn run_unnoticed(&mut self, plan: &Plan) -> Result<(), ExecutorError> {
        self.unit.run(plan, &self.limits)?;
        self.forget_coverage();
        Ok(())
    }

    /// The inputs of a case, which may have run in another process: there functions may have other addresses.
    fn inputs_of(&mut self, case: CaseId) -> Result<Arc<CaseInputs>, ExecutorError> {
        let inputs = self.cases.get(case).ok_or(ExecutorError::Case(case))?;
        if inputs.functions.is_empty() || inputs.functions == self.functions {
            return Ok(inputs);
        }
        if self.functions.is_empty() {
            self.run_unnoticed(&CaseInputs::default().plan(&self.shapes))?;
            self.functions = self.seen_inputs(&inputs.functions, &|_| None).functions;
        }
        Ok(if inputs.functions == self.functions {
            inputs
        } else {
            Arc::new(inputs.rebased(&self.shapes, &self.functions))
        })
    }

    fn run(&mut self, planned: CaseInputs, parent: Option<(&Trace, &Flip)>) -> Result<Run, ExecutorError> {
        let ran = self.observe(planned, parent)?;
        self.recorded(ran, parent)
    }

    /// Runs an input, and imports what the unit recorded.
    fn observe(&mut self, planned: CaseInputs, parent: Option<(&Trace, &Flip)>) -> Result<Ran, ExecutorError> {
        self.bound_terms()?;
        let planned = self.plan_of(planned);
        self.observe_planned(planned, parent)
    }

    /// An input as the unit gets it.
    fn plan_of(&self, inputs: CaseInputs) -> Planned {
        let functions = Arc::clone(&inputs.functions);
        let (plan, elements) = inputs.into_plan(&self.shapes);
        Planned { plan, elements, functions }
    }

    fn observe_planned(&mut self, planned: Planned, parent: Option<(&Trace, &Flip)>) -> Result<Ran, ExecutorError> {
        let plan = &planned.plan;
        let n_planned = plan.requests.len();
        self.forget_earlier_coverage();
        self.limits.max_inputs = self.endless.most(n_planned);
        let start = Instant::now();
        self.unit.run(plan, &self.limits)?;
        self.pace.took(start.elapsed(), 1);
        let mut limits = self.limits;
        if self.unit.segment().outcome().kind == OutcomeKind::Timeout as u32
            && self.endless.meet(self.unit.segment().input_records().len(), n_planned)
        {
            if self.limits.max_inputs == 0 {
                // The same again, up to where it may ask.
                self.limits.max_inputs = self.endless.most(n_planned);
                limits = self.limits;
                self.forget_coverage();
                self.unit.run(plan, &self.limits)?;
            }
            self.limits.fill_seed = Endless::other_fill(self.limits.fill_seed);
        }
        self.look(planned, parent, limits)
    }

    /// Imports what the unit recorded in the run that its segment shows.
    fn look(
        &mut self,
        Planned { plan, elements, functions }: Planned,
        parent: Option<(&Trace, &Flip)>,
        limits: Limits,
    ) -> Result<Ran, ExecutorError> {
        let wanted = parent.map_or(0, |(_, flip)| flip.decision as usize + 1);
        let parent = parent.map(|(trace, _)| trace).filter(|_| !self.traces.is_empty());
        let inputs = self.seen_inputs(&functions, &|slot| element(&elements, slot));
        self.functions = Arc::clone(&inputs.functions);
        let trace = self.import(&inputs, parent, wanted)?;
        Ok(Ran { inputs, trace, plan, elements, limits })
    }

    /// What the program did before its first run is counted with that.
    fn forget_earlier_coverage(&mut self) {
        self.unit.show_last();
        if std::mem::replace(&mut self.has_run, true) {
            self.forget_coverage();
        }
    }

    /// Makes the last run a case.
    fn recorded(&mut self, mut ran: Ran, parent: Option<(&Trace, &Flip)>) -> Result<Run, ExecutorError> {
        let trace = Rc::clone(&ran.trace);
        let (prefix, first) = match parent {
            Some((parent, flip)) if arrives(&trace, parent, flip) => (Prefix::Parent, flip.decision as usize),
            _ => (Prefix::Whole, 0),
        };
        let states = self.states(&trace, &ran.inputs, (prefix == Prefix::Parent).then_some(first as u32));
        let mut seen = Seen { notes: self.notes(&trace), end: self.end() };
        if seen.ran_out_of_time() {
            self.run_unrecorded(&mut ran, &mut seen)?;
        }
        let Seen { notes, end } = seen;
        let new_edges = self.new_edges(end.kind);
        let size = ran.inputs.bytes_kept();
        let case = self.cases.add(ran.inputs);
        let run = Run {
            case,
            size,
            prefix,
            decisions: self.decisions(&trace, first),
            pins: pins(&trace, first),
            states,
            notes,
            end,
            new_edges,
        };
        if !run.new_edges.is_empty() {
            self.cases.note(case);
        }
        self.traces.keep(case, trace);
        Ok(run)
    }

    /// The last run took all of its time: whether it ends when it is not recorded. Then that is its end; its path is known only
    /// up to where time was up.
    fn run_unrecorded(&mut self, ran: &mut Ran, seen: &mut Seen) -> Result<(), ExecutorError> {
        // A start-up that is kept here would be kept with what the recorded run covered.
        let flags = ran.limits.flags & !(FLAG_RECORD | FLAG_STATES | FLAG_START_ONCE | FLAG_START_ALWAYS_ONCE);
        let limits = Limits { flags, ..ran.limits };
        // What is not recorded knows no places: it goes by the call that failed.
        for (request, input) in ran.inputs.inputs.iter().enumerate() {
            if input.kind == InputKind::Failure {
                ran.plan.requests.resize(ran.plan.requests.len().max(request + 1), Vec::new());
                ran.plan.requests[request].clone_from(&input.bytes);
            }
        }
        let mut is_known = self.endless.is_known(&self.function_of(&seen.end));
        let end = loop {
            self.unit.run_unrecorded(&ran.plan, &limits, !is_known)?;
            let end = self.end();
            if !is_known || end.kind != OutcomeKind::Timeout || self.endless.is_known(&self.function_of(&end)) {
                break end;
            }
            // In another loop, which is to have all the time there is.
            is_known = false;
        };
        let segment = self.unit.segment();
        let notes: Vec<NoteSeen> = segment.notes().iter().filter_map(note_seen).collect();
        let n_requests = segment.input_records().len();
        seen.merge(notes);
        if end.kind == OutcomeKind::Timeout {
            if seen.asks_for_ever() || self.endless.meet(n_requests, ran.plan.requests.len()) {
                seen.note_asking();
                self.limits.fill_seed = Endless::other_fill(ran.limits.fill_seed);
                return Ok(());
            }
            self.endless.know(self.function_of(&end));
            seen.loops(end);
        } else {
            seen.ends(end);
        }
        let inputs = self.seen_inputs(&ran.inputs.functions, &|slot| element(&ran.elements, slot));
        if inputs.begins_with(&ran.inputs) {
            ran.inputs = inputs;
        }
        Ok(())
    }

    /// File and function that a run ended in.
    fn function_of(&self, end: &RunEnd) -> Function {
        let place = self.map.with_function(end.place.clone().unwrap_or_else(|| self.map.place(end.site)));
        (place.file, place.function)
    }

    /// What the last run noted. That it wrote to inputs matters only where they could have been shared.
    fn notes(&self, trace: &Trace) -> Vec<NoteSeen> {
        let notes = self.unit.segment().notes().iter().filter_map(note_seen);
        let sites = trace.placements().overlaps().iter().map(|event| Site(trace.events()[*event as usize].site));
        let overlap = |site| NoteSeen { kind: NoteKind::Overlap, site, detail: 0, count: 1, place: None };
        notes.filter(|note| note.kind != NoteKind::Overlap).chain(sites.map(overlap)).collect()
    }

    /// The path of the last run, which was to go as far as `wanted` events at least.
    fn import(
        &mut self,
        inputs: &CaseInputs,
        parent: Option<&Trace>,
        wanted: usize,
    ) -> Result<Rc<Trace>, ExecutorError> {
        let segment = self.unit.segment();
        let (mut nodes, mut events, images) = (segment.nodes(), segment.events(), segment.images());
        if segment.outcome().kind == OutcomeKind::Timeout as u32 {
            events = before_endless(events, wanted);
            nodes = &nodes[..nodes.len().min(events.last().map_or(1, |event| event.n_nodes as usize))];
        }
        let notes = segment.notes().iter().filter(|note| note.kind == NoteKind::Overlap as u8);
        let written: Vec<(u32, u32)> = notes.map(|note| (note.site, note.detail)).collect();
        let recorded = Recorded { nodes, events, images, written: &written };
        let trace = Trace::import(&mut self.pool, &self.map, &self.shapes, recorded, inputs, parent)?;
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
                let unknown = Element { ty: TypeId::VOID, size: 1, extent: record.size, start: 0, flags: 0 };
                let element = planned(slot).unwrap_or(unknown);
                seen.objects.insert(slot, ObjectSeen { element, bytes: input.bytes });
            } else {
                let place = if input.kind == InputKind::Failure { self.place_of_failure(&input) } else { None };
                seen.inputs.push(match place {
                    Some(place) => InputSeen { name: format!("{} at {place}", input.name), ..input },
                    None => input,
                });
            }
        }
        seen
    }

    /// File and line of the call that an input made fail.
    fn place_of_failure(&self, input: &InputSeen) -> Option<String> {
        let words: Vec<u32> = input.bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
        let [_, kind, _, frames @ ..] = &words[..] else { return None };
        if *kind == 0 {
            return None;
        }
        // The first frame would be where execution stands, but all of these are return addresses.
        let frames: Vec<u64> = [0].into_iter().chain(frames.iter().copied()).map(u64::from).collect();
        let place = self.places.first(&frames)?;
        Some(format!("{}:{}", Path::new(&*place.file).file_name()?.to_str()?, place.line))
    }

    fn decisions(&self, trace: &Trace, first: usize) -> Vec<Decision> {
        let events = trace.events();
        let mut before = if first == 0 { PREFIX_HASH_START } else { events[first - 1].prefix_hash };
        let mut decisions = Vec::new();
        for (index, event) in events.iter().enumerate().skip(first) {
            let site = Site(event.site);
            let n_alternatives = match EventKind::from_number(event.kind) {
                Some(EventKind::Branch | EventKind::Failing) => Some(2),
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

    /// How the last run ended.
    fn end(&self) -> RunEnd {
        let outcome = self.unit.segment().outcome();
        let kind = OutcomeKind::from_number(outcome.kind).unwrap_or(OutcomeKind::Unfinished);
        let frames = &outcome.frames[..(outcome.n_frames as usize).min(outcome.frames.len())];
        let site = Site(outcome.site);
        let place = if site == Site::NONE && kind != OutcomeKind::Exited { self.places.first(frames) } else { None };
        RunEnd { kind, code: outcome.code, site, place }
    }

    /// Coverage bytes that this run was the first to set. A rejected run gets no credit for any.
    fn new_edges(&mut self, end: OutcomeKind) -> Vec<Edge> {
        let mut new = Vec::new();
        if end == OutcomeKind::Rejected {
            self.forget_coverage();
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

    fn forget_coverage(&mut self) {
        let n_edges = self.covered.len();
        self.unit.segment_mut().coverage_mut(n_edges).fill(0);
    }

    /// All coverage of the last run, new or not.
    pub fn edges(&self) -> Vec<Edge> {
        let seen = self.unit.segment().coverage().iter().take(self.covered.len()).enumerate();
        seen.filter(|(_, now)| **now != 0).map(|(index, _)| Edge(index as u32)).collect()
    }
}

/// What came of solving.
enum Found {
    /// An input, to be run, and the decision that it was found for.
    Input(CaseInputs, Option<(Rc<Trace>, Flip)>),
    /// What to fill an input with that is all the unit's to ask for.
    Seed(u64),
    /// The solver gave up.
    Hard(Hard),
    /// None is to be run.
    None(JobResult),
}

/// A decision that the solver has no input for, and why.
struct Hard {
    parent: Rc<Trace>,
    flip: Flip,
    goal: TermId,
    why: String,
}

/// An input as the unit gets it: its plan, what the objects of that are made of, and the functions that it knows.
struct Planned {
    plan: Plan,
    elements: Vec<(u32, Element)>,
    functions: Arc<[u64]>,
}

/// What a run had and did, before it is a case.
struct Ran {
    inputs: CaseInputs,
    trace: Rc<Trace>,
    /// What it was given, what the objects of that were made of, and how long it might ask and take.
    plan: Plan,
    elements: Vec<(u32, Element)>,
    limits: Limits,
}

/// What an object of a plan was made of; `elements` are in order of their slots.
fn element(elements: &[(u32, Element)], slot: u32) -> Option<Element> {
    elements.binary_search_by_key(&slot, |(slot, _)| *slot).ok().map(|k| elements[k].1)
}

/// Of the time for a query, what its first attempt gets: most questions take no time at all, and while there are others, those
/// that do can wait.
const FIRST_PART: u64 = 20;
/// Less time than this is none.
const SHORTEST_MS: u64 = 100;

/// For the first attempt at a query. What comes to this limit is tried again when nothing else is left.
fn first(usual: &tine_solver::Options) -> tine_solver::Options {
    let timeout_ms = (usual.timeout_ms / FIRST_PART).max(SHORTEST_MS).min(usual.timeout_ms);
    tine_solver::Options { timeout_ms, hasty: true, ..usual.clone() }
}

/// A chain whose limits are so many times those of the usual one.
fn made<'a>(
    chain: &'a mut Option<Chain>,
    usual: &tine_solver::Options,
    times: u64,
    part: u64,
) -> Result<&'a mut Chain, ExecutorError> {
    if chain.is_none() {
        let timeout_ms = (usual.timeout_ms * times / part).max(20);
        let memory_mb = usual.memory_mb * times;
        *chain = Some(tine_solver::chain(&tine_solver::Options { timeout_ms, memory_mb, ..usual.clone() })?);
    }
    Ok(chain.as_mut().expect("made above"))
}

impl Executor for LocalExecutor {
    type Error = ExecutorError;

    fn execute(&mut self, job: &Job) -> Result<JobResult, ExecutorError> {
        let found = self.find(job)?;
        self.run_found(found)
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

    fn keep_to(&mut self, core: usize) {
        self.pace.shares_core = true;
        self.unit.keep_to(core);
    }
}
