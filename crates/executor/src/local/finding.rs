//! From a job to an input: the query, and its limits.
//!
//! If a query covers only part of a path, its input is run to see which path it takes; `running` does that.

use std::rc::Rc;
use std::sync::Arc;

use tine_explore::{CaseId, Flip, Job, JobResult, Run};
use tine_expr::TermId;
use tine_solver::Chain;
use tine_trace::event::OF_LAYOUT;
use tine_trace::outcome::{ErrorKind, OutcomeKind};
use tine_types::Input;

use super::{ExecutorError, LocalExecutor};

use crate::graph::locate::assignment;
use crate::graph::settle::held;
use crate::import::Trace;
use crate::seen::{arrives, comes_to};
use crate::solving::{Means, Question, Solved, solve};

/// Result of solving.
pub(super) enum Found {
    /// An input to run, and the decision that it was found for.
    Input(Input, Option<(Rc<Trace>, Flip)>),
    /// A seed that fills an input whose size only the unit knows.
    Seed(u64),
    /// The solver gave up.
    Hard(Hard),
    /// Nothing to run.
    None(JobResult),
}

/// A decision for which the solver found no input, and the reason.
pub(super) struct Hard {
    parent: Rc<Trace>,
    flip: Flip,
    goal: TermId,
    pub(super) why: String,
}

impl LocalExecutor {
    /// Finds the input of a job that has none yet.
    pub(super) fn find(&mut self, job: &Job) -> Result<Found, ExecutorError> {
        let inputs = match job {
            Job::Initial => Input::default(),
            Job::Seed(seed) => self.seeds.get(*seed as usize).cloned().unwrap_or_default(),
            Job::Fresh(seed) => return Ok(Found::Seed(*seed)),
            Job::Mutate(seed) => {
                let mutated = self.cases.mutated(self.map.constants(), *seed).unwrap_or_default();
                Arc::unwrap_or_clone(self.located(Arc::new(mutated))?)
            }
            Job::Flip(flip) => return self.flip(flip, false),
            Job::Retry(flip) => return self.flip(flip, true),
        };
        Ok(Found::Input(inputs, None))
    }

    /// Finds an input for `flip`. `again`: the second attempt, with twice the limits.
    fn flip(&mut self, flip: &Flip, again: bool) -> Result<Found, ExecutorError> {
        let parent = self.trace_of(flip)?;
        let index = flip.decision as usize;
        if parent.events().len() <= index && self.unit.segment().outcome().kind == OutcomeKind::Unfinished as u32 {
            // Not a divergence: the query was interrupted.
            return Ok(Found::None(JobResult::GaveUp("stopped".to_owned())));
        }
        if !comes_to(&parent, flip) {
            return Ok(Found::None(JobResult::Unknown("the parent did not take its path again".to_owned())));
        }
        if let Some(requirements) = &self.requirements
            && let Some(inputs) = self.cases.get(flip.parent)
            && let Some(assumed) =
                requirements.assumed(&self.shapes, &self.map, &parent, &inputs, index, flip.side_index)
        {
            return Ok(Found::None(JobResult::Assumed(assumed)));
        }
        let goal = parent.constraint(&mut self.pool, &self.map, index, flip.side_index)?;
        let inputs = &*self.inputs_of(flip.parent)?;
        self.hint_at(flip.parent, inputs);
        let (used, numbers) = (parent.used_pointer(index), self.may_ask_for_numbers(flip));
        let question = Question { trace: &parent, prefix: parent.prefix(index), first: 0, goal, used, numbers };
        let chain = if again { made(&mut self.patient, &self.solver, 2, 1)? } else { &mut self.chain };
        let (shapes, memory, seed) = (&self.shapes, self.memory, self.limits.fill_seed);
        let mut means = Means { chain, pool: &mut self.pool, shapes, memory, seed, program: &self.program };
        let is_of_layout = parent.events()[index].flags & OF_LAYOUT != 0;
        let mut solved = solve(&mut means, &question, inputs, &self.hint.1, is_of_layout);
        if matches!(solved, Solved::Bounded)
            && parent.aliasing_choices().n_met_before(flip.decision) < inputs.objects.len()
        {
            // Objects that only the rest of the parent's path needs may be in the way. This path does not need them.
            let terms = question.prefix.iter().copied().chain([goal]);
            let held = held(shapes, means.pool, inputs, terms);
            if held.objects.len() < inputs.objects.len() {
                let hint = assignment(&held);
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
            Solved::NoEnumerator => JobResult::Bounded("--any-enum, values that are not enumerators".to_owned()),
            Solved::Elsewhere => JobResult::Bounded("addresses of input objects".to_owned()),
            Solved::Unsat => JobResult::Unsat,
            Solved::Unknown(why) => JobResult::Unknown(why),
            Solved::GaveUp(why) if again => JobResult::GaveUp(why),
            Solved::GaveUp(why) => return Ok(Found::Hard(Hard { parent, flip: *flip, goal, why })),
        };
        Ok(Found::None(result))
    }

    /// True if a pointer may hold a number in the answer. An unaligned pointer is not an error if it points nowhere.
    fn may_ask_for_numbers(&self, flip: &Flip) -> bool {
        self.map.site(flip.site).is_none_or(|site| site.error != Some(ErrorKind::Misaligned))
    }

    fn hint_at(&mut self, case: CaseId, inputs: &Input) {
        if self.hint.0 != case {
            self.hint = (case, assignment(inputs));
        }
    }

    /// Handles a path that is too hard: solves only for the part of it nearest to the goal, and runs the input to see
    /// where it goes. An input that does not take the wanted side is discarded. If guesses keep failing, few are made.
    pub(super) fn guess(&mut self, hard: Hard) -> Result<JobResult, ExecutorError> {
        let inputs = self.inputs_of(hard.flip.parent)?;
        if !self.backoff.is_due() {
            return Ok(JobResult::GaveUp(hard.why));
        }
        self.hint_at(hard.flip.parent, &inputs);
        let run = self.guess_parts(&hard, &inputs)?;
        self.backoff.tried(run.is_some());
        Ok(run.map_or(JobResult::GaveUp(hard.why), |run| JobResult::Ran(Box::new(run))))
    }

    fn guess_parts(
        &mut self,
        Hard { parent, flip, goal, .. }: &Hard,
        inputs: &Input,
    ) -> Result<Option<Run>, ExecutorError> {
        let prefix = parent.prefix(flip.decision as usize);
        let mut parts = [2, 8, usize::MAX].map(|part| prefix.len() / part).to_vec();
        parts.dedup();
        let n_forgotten = self.n_forgotten;
        for n_kept in parts {
            // The previous guess may have discarded the terms, including those of the parent.
            if self.pool.len() > self.max_terms || self.n_forgotten != n_forgotten {
                break;
            }
            let start = prefix.len() - n_kept;
            let (used, numbers) = (parent.used_pointer(flip.decision as usize), self.may_ask_for_numbers(flip));
            let question =
                Question { trace: parent, prefix: &prefix[start..], first: start, goal: *goal, used, numbers };
            let chain = made(&mut self.hasty, &first(&self.solver), 1, 4)?;
            let (shapes, memory, seed) = (&self.shapes, self.memory, self.limits.fill_seed);
            let mut means = Means { chain, pool: &mut self.pool, shapes, memory, seed, program: &self.program };
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

    /// Returns the trace of a flip's parent, at least up to the flipped decision: kept, or recorded again.
    fn trace_of(&mut self, flip: &Flip) -> Result<Rc<Trace>, ExecutorError> {
        let (case, wanted) = (flip.parent, flip.decision as usize + 1);
        if let Some(trace) = self.traces.get(case).filter(|trace| trace.events().len() >= wanted) {
            return Ok(trace);
        }
        let inputs = self.inputs_of(case)?;
        self.run_unnoticed(&inputs)?;
        let seen = self.seen_inputs(&inputs);
        let trace = self.import(&seen, None, wanted)?;
        if self.unit.segment().outcome().kind != OutcomeKind::Unfinished as u32 {
            self.traces.keep(case, Rc::clone(&trace));
        }
        Ok(trace)
    }

    /// Returns the input of a case, with the addresses of functions in this process.
    fn inputs_of(&mut self, case: CaseId) -> Result<Arc<Input>, ExecutorError> {
        let inputs = self.cases.get(case).ok_or(ExecutorError::Case(case))?;
        self.located(inputs)
    }

    fn located(&mut self, inputs: Arc<Input>) -> Result<Arc<Input>, ExecutorError> {
        if inputs.functions.is_empty() {
            return Ok(inputs);
        }
        if self.shapes.functions().is_empty() {
            // The unit announces its functions in every run.
            self.run_unnoticed(&Input::default())?;
            self.seen_inputs(&Input::default());
        }
        Ok(Arc::new(self.shapes.located(&inputs)))
    }
}

/// Share of a query's time limit for its first attempt: 1 / `FIRST_PART`. Most queries are quick, so slow ones wait
/// until the quick ones are done.
const FIRST_PART: u64 = 20;
/// Minimum time limit of the first attempt.
const SHORTEST_MS: u64 = 100;

/// Limits of the first attempt at a query. A query that exceeds them is tried again when nothing else is left.
pub(super) fn first(usual: &tine_solver::Options) -> tine_solver::Options {
    let timeout_ms = (usual.timeout_ms / FIRST_PART).max(SHORTEST_MS).min(usual.timeout_ms);
    tine_solver::Options { timeout_ms, hasty: true, ..usual.clone() }
}

/// Creates a chain whose limits are the given multiple of the usual ones.
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
