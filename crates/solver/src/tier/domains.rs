//! Adds domains as constraints: after this tier a query consists of terms only, and is remembered and solved as such.
//!
//! The tier answers nothing and has no statistics.

use tine_expr::domain::overlapping;
use tine_expr::{Answer, Domain, Query, Solver, TermPool};

use crate::stats::{Tier, TierStats};

pub(crate) struct Domains {
    next: Box<dyn Tier>,
}

impl Domains {
    pub(crate) fn new(next: Box<dyn Tier>) -> Self {
        Self { next }
    }
}

impl Solver for Domains {
    fn check(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Answer {
        let mentioned = mentioned(pool, query);
        if mentioned.is_empty() {
            return self.next.check(pool, &Query { domains: &[], ..*query });
        }
        let mut constraints = query.constraints.to_vec();
        constraints.extend(mentioned.into_iter().map(|domain| domain.term(pool)));
        self.next.check(pool, &Query { constraints: &constraints, domains: &[], ..*query })
    }
}

/// Returns the domains of all variables that the terms mention at least in part, each once.
fn mentioned<'a>(pool: &TermPool, query: &Query<'a>) -> Vec<&'a Domain> {
    if query.domains.is_empty() {
        return Vec::new();
    }
    let terms = query.constraints.iter().chain([&query.goal]);
    let mut domains: Vec<&Domain> =
        pool.support_of_all(terms.copied()).into_iter().flat_map(|range| overlapping(query.domains, range)).collect();
    domains.sort_unstable_by_key(|domain| (domain.input, domain.offset));
    domains.dedup_by_key(|domain| (domain.input, domain.offset));
    domains
}

impl Tier for Domains {
    fn stats(&self, tiers: &mut Vec<TierStats>) {
        self.next.stats(tiers);
    }

    fn forget(&mut self) {
        self.next.forget();
    }
}
