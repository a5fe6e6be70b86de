//! Goals that contradict the path word by word (CUTE's first optimisation): their negation is one of the constraints.

use tine_expr::{Answer, Query, TermPool};

use crate::stats::{Meter, Tier};

pub(crate) struct Contradiction {
    next: Box<dyn Tier>,
    meter: Meter,
}

impl Contradiction {
    pub(crate) fn new(next: Box<dyn Tier>) -> Self {
        Self { next, meter: Meter::new("contradiction") }
    }

    fn look(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Option<Answer> {
        let negated = pool.not(query.goal);
        query.constraints.contains(&negated).then_some(Answer::Unsat)
    }
}

looks_or_passes_on!(Contradiction, look);
