//! The last tier: queries that no cheaper tier answered go to an SMT solver. Only the necessary differences between its
//! model and the hint are kept, so that successive inputs stay similar.

use std::time::Duration;

use tine_expr::{Answer, Assignment, Evaluator, InputByte, InputView, Query, Reason, Solver, TermId, TermPool};

use crate::Limits;
use crate::log::Log;
use crate::stats::{Meter, Tier, TierStats};

/// Maximum number of conditions evaluated to bring a model closer to the hint.
const MAX_LOOKS: usize = 20_000;

/// An SMT solver: decides whether these one-bit terms can hold together, and returns values.
pub(crate) trait Backend {
    fn solve(&mut self, pool: &TermPool, terms: &[TermId]) -> Found;

    /// Limits of the last query.
    fn last_limits(&self) -> Limits;

    /// Forgets all terms, because the next ones belong to another pool.
    fn forget(&mut self);

    /// CPU time of other processes that worked for the solver.
    fn elsewhere(&self) -> Duration {
        Duration::ZERO
    }
}

/// Answer of an SMT solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// Values for every input view that the terms mention.
    Sat(Vec<(InputView, u128)>),
    /// Terms of the query that cannot hold together, if the solver reports them. Otherwise empty.
    Unsat(Vec<TermId>),
    Unknown(Reason),
}

pub(crate) struct Smt {
    name: &'static str,
    backend: Box<dyn Backend>,
    meter: Meter,
    evaluator: Evaluator,
    log: Option<Log>,
    /// Second solver, for queries that this one does not answer.
    second: Option<Box<Smt>>,
    /// Conditions of the last infeasible query that cannot hold together.
    core: Option<Vec<TermId>>,
}

impl Smt {
    pub(crate) fn new(name: &'static str, backend: Box<dyn Backend>, log: Option<Log>) -> Self {
        let (meter, evaluator) = (Meter::new(name), Evaluator::new());
        Self { name, backend, meter, evaluator, log, second: None, core: None }
    }

    pub(crate) fn with_second(self, second: Smt) -> Self {
        Self { second: Some(Box::new(second)), ..self }
    }
}

impl Smt {
    /// Resets inputs, then their single bytes, to the hint's value if all conditions still hold.
    fn come_closer(
        &mut self,
        pool: &TermPool,
        query: &Query<'_>,
        views: &[(InputView, u128)],
        changes: &mut Vec<InputByte>,
    ) {
        let conditions: Vec<TermId> = [query.goal].iter().chain(query.constraints).copied().collect();
        let mut model = query.hint.clone();
        model.overlay(changes);
        let mut looks = 0;
        let mut holds = |model: &Assignment| {
            looks += conditions.len();
            let mut evaluation = self.evaluator.with(pool, model);
            looks <= MAX_LOOKS && conditions.iter().all(|&condition| evaluation.holds(condition))
        };
        // A model that does not hold initially, for example because of the bits of a NaN, is not repaired here.
        if changes.len() < 2 || !holds(&model) {
            return;
        }
        let whole = views.iter().map(|(view, _)| (view.input, view.offset, view.n_bytes()));
        let single = changes.iter().map(|byte| (byte.input, byte.offset, 1)).collect::<Vec<_>>();
        for (input, offset, n_bytes) in whole.chain(single) {
            let (now, before) = (model.read(input, offset, 8 * n_bytes), query.hint.read(input, offset, 8 * n_bytes));
            if now != before {
                model.write(input, offset, 8 * n_bytes, before);
                if !holds(&model) {
                    model.write(input, offset, 8 * n_bytes, now);
                }
            }
        }
        changes.retain_mut(|byte| {
            byte.value = model.get(byte.input, byte.offset);
            byte.value != query.hint.get(byte.input, byte.offset)
        });
    }
}

impl Solver for Smt {
    fn check(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Answer {
        let start = self.meter.start();
        let mut terms = query.constraints.to_vec();
        terms.push(query.goal);
        let answer = match self.backend.solve(pool, &terms) {
            Found::Sat(model) => {
                let mut changes = changes(&model, query);
                self.come_closer(pool, query, &model, &mut changes);
                Answer::Sat(changes)
            }
            Found::Unsat(core) => {
                self.core = (!core.is_empty()).then_some(core);
                Answer::Unsat
            }
            Found::Unknown(reason) => Answer::Unknown(reason),
        };
        if let Some(log) = &self.log {
            log.write(pool, query, self.name, &answer, start.elapsed(), self.backend.last_limits());
        }
        match &mut self.second {
            Some(second) if matches!(answer, Answer::Unknown(_)) => {
                self.meter.passed(start);
                match second.check(pool, query) {
                    // Keep the first solver's reason, because the limits are made for the first solver.
                    Answer::Unknown(_) => answer,
                    known => known,
                }
            }
            _ => {
                self.meter.answered(start);
                answer
            }
        }
    }
}

/// Returns the bytes of the model that differ from the hint.
fn changes(model: &[(InputView, u128)], query: &Query<'_>) -> Vec<InputByte> {
    let mut bytes = Vec::new();
    for &(view, value) in model {
        for k in 0..view.n_bytes() {
            let byte = InputByte { input: view.input, offset: view.offset + k, value: (value >> (8 * k)) as u8 };
            if query.hint.get(byte.input, byte.offset) != byte.value {
                bytes.push(byte);
            }
        }
    }
    bytes.sort_unstable();
    bytes.dedup();
    bytes
}

impl Tier for Smt {
    fn stats(&self, tiers: &mut Vec<TierStats>) {
        tiers.push(TierStats { elsewhere: self.backend.elsewhere(), ..self.meter.stats() });
        if let Some(second) = &self.second {
            second.stats(tiers);
        }
    }

    fn take_core(&mut self) -> Option<Vec<TermId>> {
        self.core.take()
    }

    fn forget(&mut self) {
        self.core = None;
        self.backend.forget();
        if let Some(second) = &mut self.second {
            second.forget();
        }
    }
}
