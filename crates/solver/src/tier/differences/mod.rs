//! Orders and differences: `x < y`, `x - y < 0`, "`x - y` overflows". Most conditions of sorting are of this kind.
//!
//! ```text
//!   x - y does not overflow, x - y < 0        -2³¹ ≤ x - y ≤ -1
//!   y < z                                     y - z ≤ -1
//!   goal: z < x                               z - x ≤ -1        a cycle with the sum -3: unsat
//! ```
//!
//! Conditions are read as bounds on differences of ideal integers, with several cases if a result may wrap around
//! (`read`). A closed matrix of bounds (`bounds`) decides a conjunction. A search selects the cases (`search`).
//! Conditions that cannot be read are left out. *Unsat* is therefore certain, and a model is evaluated before it is an
//! answer.

mod bounds;
mod read;
mod search;

use tine_expr::{Answer, Assignment, Evaluator, InputByte, Query, TermId, TermPool};

use crate::stats::{Meter, Tier};
use read::Reader;
use search::{Outcome, Search};

/// Queries with more conditions are passed on.
const MAX_CONDITIONS: usize = 256;

pub(crate) struct Differences {
    next: Box<dyn Tier>,
    evaluator: Evaluator,
    meter: Meter,
}

impl Differences {
    pub(crate) fn new(next: Box<dyn Tier>) -> Self {
        Self { next, evaluator: Evaluator::new(), meter: Meter::new("differences") }
    }

    fn look(&mut self, pool: &TermPool, query: &Query<'_>) -> Option<Answer> {
        if query.constraints.len() > MAX_CONDITIONS {
            return None;
        }
        let mut reader = Reader::new(pool);
        // Other tiers decide bounds of single terms. Most queries are passed on here.
        reader.assume(query.goal).then_some(())?;
        for &constraint in query.constraints {
            reader.assume(constraint);
        }
        let problem = reader.finish()?;
        let value = |id| self.evaluator.with(pool, query.hint).eval(id);
        match Search::new(&problem).run(value) {
            Outcome::Contradiction => Some(Answer::Unsat),
            Outcome::Values(values) => self.checked(pool, query, &values),
            Outcome::GaveUp => None,
        }
    }

    /// Returns the model that gives terms these values, if the terms are inputs and all conditions hold.
    fn checked(&mut self, pool: &TermPool, query: &Query<'_>, values: &[(TermId, u128)]) -> Option<Answer> {
        let mut model: Assignment = query.hint.clone();
        let mut changes = Vec::new();
        for &(id, value) in values {
            let Some(view) = pool.input_view(id) else { continue };
            model.write(view.input, view.offset, view.width, value);
            changes.extend((view.offset..view.offset + view.n_bytes()).map(|offset| (view.input, offset)));
        }
        let mut evaluation = self.evaluator.with(pool, &model);
        if ![query.goal].iter().chain(query.constraints).all(|&condition| evaluation.holds(condition)) {
            return None;
        }
        changes.sort_unstable();
        changes.dedup();
        let byte = |(input, offset)| InputByte { input, offset, value: model.get(input, offset) };
        let is_new = |byte: &InputByte| query.hint.get(byte.input, byte.offset) != byte.value;
        Some(Answer::Sat(changes.into_iter().map(byte).filter(is_new).collect()))
    }
}

looks_or_passes_on!(Differences, look);
