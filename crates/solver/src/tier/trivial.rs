//! Queries without any search: a constant goal, a goal that already holds, and a goal whose negation is one of the
//! constraints (CUTE's first optimisation).

use tine_expr::{Answer, Evaluator, Query, TermPool};

use crate::stats::{Meter, Tier};

pub(crate) struct Trivial {
    next: Box<dyn Tier>,
    evaluator: Evaluator,
    meter: Meter,
}

impl Trivial {
    pub(crate) fn new(next: Box<dyn Tier>) -> Self {
        Self { next, evaluator: Evaluator::new(), meter: Meter::new("trivial") }
    }

    fn glance(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Option<Answer> {
        if pool.value(query.goal) == Some(0) {
            return Some(Answer::Unsat);
        }
        // The constraints hold under the hint by contract. If the goal holds, too, the hint is the answer.
        if self.evaluator.with(pool, query.hint).holds(query.goal) {
            return Some(Answer::Sat(Vec::new()));
        }
        let negated = pool.not(query.goal);
        query.constraints.contains(&negated).then_some(Answer::Unsat)
    }
}

looks_or_passes_on!(Trivial, glance);
