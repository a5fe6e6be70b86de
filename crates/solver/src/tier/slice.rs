//! Drops the constraints that share no input byte with the goal (CUTE's third optimisation).

use tine_expr::{Answer, Query, Solver, TermPool, independent_slice};

use crate::stats::{Meter, Tier, TierStats};

pub(crate) struct Slice {
    next: Box<dyn Tier>,
    meter: Meter,
}

impl Slice {
    pub(crate) fn new(next: Box<dyn Tier>) -> Self {
        Self { next, meter: Meter::new("slice") }
    }
}

impl Solver for Slice {
    fn check(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Answer {
        let start = self.meter.start();
        let constraints = independent_slice(pool, query.constraints, query.goal, query.domains);
        self.meter.dropped(query.constraints.len() - constraints.len());
        self.meter.passed(start);
        self.next.check(pool, &Query { constraints: &constraints, ..*query })
    }
}

impl Tier for Slice {
    fn stats(&self, tiers: &mut Vec<TierStats>) {
        tiers.push(self.meter.stats());
        self.next.stats(tiers);
    }

    fn forget(&mut self) {
        self.next.forget();
    }
}
