//! Statistics: the number of queries that each tier answered, and the time.

use std::time::{Duration, Instant};

use tine_expr::{Solver, TermId};

/// Statistics of a chain.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    pub queries: u64,
    /// Constraints of all queries.
    pub constraints: u64,
    pub sat: u64,
    pub unsat: u64,
    pub unknown: u64,
    /// Models that evaluation refuted. Each also counts as unknown.
    pub bad_models: u64,
    /// Answers that plain SMT contradicts, with their queries. Collected only if [`crate::Options::check`] is set.
    pub disagreements: Vec<String>,
    /// Inputs for a part of a path whose complete query was too hard, and in `arrived` how many of them took the path
    /// nevertheless. Counted by the code that runs them.
    pub optimistic: u64,
    pub arrived: u64,
    /// Number of terms changed by rewriting. Counted by the owner of the pool.
    pub rewritten: u64,
    /// Total time.
    pub time: Duration,
    /// Tiers in the order in which a query passes them.
    pub tiers: Vec<TierStats>,
}

impl Stats {
    /// Adds the figures of another chain of the same tiers.
    pub fn add(&mut self, other: &Stats) {
        self.queries += other.queries;
        self.constraints += other.constraints;
        self.sat += other.sat;
        self.unsat += other.unsat;
        self.unknown += other.unknown;
        self.bad_models += other.bad_models;
        self.disagreements.extend_from_slice(&other.disagreements);
        self.optimistic += other.optimistic;
        self.arrived += other.arrived;
        self.rewritten += other.rewritten;
        self.time += other.time;
        for tier in &other.tiers {
            match self.tiers.iter_mut().find(|known| known.name == tier.name) {
                Some(known) => {
                    known.answered += tier.answered;
                    known.dropped += tier.dropped;
                    known.time += tier.time;
                    known.elsewhere += tier.elsewhere;
                }
                None => self.tiers.push(tier.clone()),
            }
        }
    }
}

/// Counts and times of a tier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TierStats {
    pub name: &'static str,
    /// Queries that this tier answered.
    pub answered: u64,
    /// Constraints that this tier dropped.
    pub dropped: u64,
    /// Time in this tier, without the tiers after it.
    pub time: Duration,
    /// CPU time of other processes that worked for this tier.
    pub elsewhere: Duration,
}

/// A tier of the chain.
pub(crate) trait Tier: Solver {
    /// Appends its own statistics, then those of the tiers after it.
    fn stats(&self, tiers: &mut Vec<TierStats>);

    /// Returns conditions that cannot hold together, if a tier after this one found some since the last call. They may
    /// come from an earlier query, which does not affect their validity.
    fn take_core(&mut self) -> Option<Vec<TermId>> {
        None
    }

    /// Forgets all terms, here and in the tiers after this one, because the next query uses another pool.
    fn forget(&mut self);
}

/// Counter and clock of a tier.
#[derive(Clone, Debug)]
pub(crate) struct Meter(TierStats);

impl Meter {
    pub(crate) fn new(name: &'static str) -> Self {
        Self(TierStats { name, answered: 0, dropped: 0, time: Duration::ZERO, elsewhere: Duration::ZERO })
    }

    pub(crate) fn start(&self) -> Instant {
        Instant::now()
    }

    /// The tier answered.
    pub(crate) fn answered(&mut self, start: Instant) {
        self.0.answered += 1;
        self.passed(start);
    }

    /// The tier dropped this many constraints.
    pub(crate) fn dropped(&mut self, n: usize) {
        self.0.dropped += n as u64;
    }

    /// The tier passed the query on, or processed the answer of the next tier.
    pub(crate) fn passed(&mut self, start: Instant) {
        self.0.time += start.elapsed();
    }

    pub(crate) fn stats(&self) -> TierStats {
        self.0.clone()
    }
}
