//! The end of a chain that need not answer every query.

use tine_expr::{Answer, Query, Reason, Solver, TermPool};

use crate::stats::{Tier, TierStats};

/// A tier that answers no query.
pub(crate) struct Unanswered;

impl Solver for Unanswered {
    fn check(&mut self, _: &mut TermPool, _: &Query<'_>) -> Answer {
        Answer::Unknown(Reason::GaveUp)
    }
}

impl Tier for Unanswered {
    fn stats(&self, _: &mut Vec<TierStats>) {}

    fn forget(&mut self) {}
}
