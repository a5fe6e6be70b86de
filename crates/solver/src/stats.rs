//! Counting: which tier answered how many queries, in what time.

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
    /// Models that evaluation refuted; each also counts as unknown.
    pub bad_models: u64,
    /// Answers that plain SMT contradicts, each with its query; looked for only if [`crate::Options::check`] is set.
    pub disagreements: Vec<String>,
    /// Inputs for a part of a path whose whole was too hard, and how many of them took the path nevertheless: counted by
    /// who runs them.
    pub optimistic: u64,
    pub arrived: u64,
    /// Terms that a rule of rewriting changed: counted by who has the pool.
    pub rewritten: u64,
    /// Everything together.
    pub time: Duration,
    /// In the order in which a query meets them.
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

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TierStats {
    pub name: &'static str,
    /// Queries that went no further.
    pub answered: u64,
    /// Constraints that went no further.
    pub dropped: u64,
    /// Time in this tier, without those behind it.
    pub time: Duration,
    /// For how long other processes have computed for this tier.
    pub elsewhere: Duration,
}

/// A tier of the chain.
pub(crate) trait Tier: Solver {
    /// Adds its own figures, then those of the tiers behind it.
    fn stats(&self, tiers: &mut Vec<TierStats>);

    /// Conditions that cannot hold together, if a tier behind found some since they were last taken. They may be those of a
    /// query before the last: what they say is true all the same.
    fn take_core(&mut self) -> Option<Vec<TermId>> {
        None
    }

    /// Forgets everything about terms, and has the tiers behind it forget: the next query is about another pool.
    fn forget(&mut self);
}

/// A tier's counter and clock.
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

    /// The tier left out so many constraints.
    pub(crate) fn dropped(&mut self, n: usize) {
        self.0.dropped += n as u64;
    }

    /// The tier only looked, or worked on the answer of the next one.
    pub(crate) fn passed(&mut self, start: Instant) {
        self.0.time += start.elapsed();
    }

    pub(crate) fn stats(&self) -> TierStats {
        self.0.clone()
    }
}
