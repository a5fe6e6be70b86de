//! The chain of tiers, and its guarantees.
//!
//! ```text
//!   query ──▶ Chain       counts, and accepts no model without evaluating it on the whole path
//!               Trivial   constant goals, goals that already hold, goals whose negation is a constraint
//!               Slice     drops constraints that share no input byte, and no variable with a domain, with the goal
//!               Common    splits conjunctions, and drops repetitions and weaker bounds
//!               Pointers  equality of variables that have few values, by union-find
//!               Domains   adds domains as constraints: after it, queries consist of terms only
//!               Direct    goals `input == constant`, which state the answer
//!               Bytes     goals on a single byte, by sets of its values
//!               Differences  orders and differences, by bounds on differences of ideal integers
//!               Cache     the same query was solved before, or a similar one
//!               Ranges    conditions that contradict each other by ranges and single bits
//!               Guess     undoes the operations of the goal, and evaluates; tries all values of a single byte
//!               Values    sets of values of single bytes; tries the remaining values
//!               Cases     substitutes known values, and splits cases of addresses
//!               Smt       Bitwuzla, or Z3, or Z3 after Bitwuzla
//! ```
//!
//! Terms are rewritten while they are built (`expr::rewrite`), so every tier sees simplified terms. The tier name
//! `rewrite` stands for this ([`Options::pool`]). Each tier owns the next one, and answers or passes the query on.
//! Leaving out a tier changes the cost, but never an answer.

use std::time::Instant;

use tine_expr::domain::{in_order, overlapping};
use tine_expr::{Answer, ByteRange, Evaluator, InputByte, PoolIdentity, Query, Reason, Solver, TermPool};

use crate::bitwuzla::Bitwuzla;
use crate::log;
use crate::smt::Smt;
use crate::stats::{Stats, Tier, TierStats};
use crate::stream::Recording;
use crate::tier::bytes::{Bytes, SharedTables};
use crate::tier::cache::Cache;
use crate::tier::cases::Cases;
use crate::tier::common::Common;
use crate::tier::differences::Differences;
use crate::tier::direct::Direct;
use crate::tier::domains::Domains;
use crate::tier::guess::Guess;
use crate::tier::pointers::Pointers;
use crate::tier::ranges::Ranges;
use crate::tier::slice::Slice;
use crate::tier::trivial::Trivial;
use crate::tier::values::Values;
use crate::z3::Z3;
use crate::{Backend, Error, Options, TierName};

/// Builds the chain.
pub fn chain(options: &Options) -> Result<Chain, Error> {
    let tables = SharedTables::default();
    // Cores are needed only by the cache.
    let mut next: Box<dyn Tier> = Box::new(smt(options, options.has(TierName::Cache))?);
    if options.has(TierName::Cases) {
        next = Box::new(Cases::new(next));
    }
    if options.has(TierName::Values) {
        next = Box::new(Values::new(next, tables.clone()));
    }
    if options.has(TierName::Guess) {
        next = Box::new(Guess::new(next));
    }
    if options.has(TierName::Ranges) {
        next = Box::new(Ranges::new(next));
    }
    if options.has(TierName::Cache) {
        next = Box::new(Cache::new(next, options.answers.clone()));
    }
    if options.has(TierName::Differences) {
        next = Box::new(Differences::new(next));
    }
    if options.has(TierName::Bytes) {
        next = Box::new(Bytes::new(next, tables));
    }
    if options.has(TierName::Direct) {
        next = Box::new(Direct::new(next));
    }
    next = Box::new(Domains::new(next));
    if options.has(TierName::Pointers) {
        next = Box::new(Pointers::new(next));
    }
    if options.has(TierName::Common) {
        next = Box::new(Common::new(next));
    }
    if options.has(TierName::Slice) {
        next = Box::new(Slice::new(next));
    }
    if options.has(TierName::Trivial) {
        next = Box::new(Trivial::new(next));
    }
    let mut chain = Chain::new(next);
    chain.record.clone_from(&options.record);
    if options.check {
        chain.reference = Some(plain_tier(&Options { log: None, ..options.clone() })?);
    }
    Ok(chain)
}

/// Builds a chain with only the SMT solver, which has the same checks. Tests compare tiers with it.
pub fn plain(options: &Options) -> Result<Chain, Error> {
    Ok(Chain::new(plain_tier(options)?))
}

fn plain_tier(options: &Options) -> Result<Box<dyn Tier>, Error> {
    Ok(Box::new(Domains::new(Box::new(smt(options, false)?))))
}

fn smt(options: &Options, cores: bool) -> Result<Smt, Error> {
    let limits = options.limits();
    let bitwuzla = || Smt::new("bitwuzla", Box::new(Bitwuzla::new(limits, cores)), options.log.clone());
    let z3 = || Ok(Smt::new("z3", Box::new(Z3::open(limits)?), options.log.clone()));
    match options.backend {
        Backend::Bitwuzla => Ok(bitwuzla()),
        Backend::Z3 => z3(),
        Backend::Portfolio => Ok(bitwuzla().with_second(z3()?)),
    }
}

/// A chain of tiers.
pub struct Chain {
    first: Box<dyn Tier>,
    evaluator: Evaluator,
    counts: Stats,
    /// See [`Self::left_out`].
    sliced_before: u64,
    /// Pool of the terms that the tiers remember.
    pool: Option<PoolIdentity>,
    /// Plain SMT, if every answer must be compared with it.
    reference: Option<Box<dyn Tier>>,
    record: Option<Recording>,
}

impl Chain {
    pub(crate) fn new(first: Box<dyn Tier>) -> Self {
        Self {
            first,
            evaluator: Evaluator::new(),
            counts: Stats::default(),
            sliced_before: 0,
            pool: None,
            reference: None,
            record: None,
        }
    }

    #[cfg(test)]
    pub(crate) fn checked(first: Box<dyn Tier>, options: &Options) -> Result<Self, Error> {
        Ok(Self { reference: Some(plain_tier(options)?), ..Chain::new(first) })
    }

    /// Counts constraints that the caller has left out of a query in advance because they share no byte with its goal.
    pub fn left_out(&mut self, n_constraints: usize) {
        self.counts.constraints += n_constraints as u64;
        self.sliced_before += n_constraints as u64;
    }

    /// Counts and times of all tiers.
    pub fn stats(&self) -> Stats {
        let mut stats = self.counts.clone();
        self.first.stats(&mut stats.tiers);
        if let Some(slice) = stats.tiers.iter_mut().find(|tier| tier.name == TierName::Slice.name()) {
            slice.dropped += self.sliced_before;
        }
        stats
    }

    /// True if the hint with the changes satisfies the whole query. Domains of unchanged variables hold by the hint.
    fn holds(&mut self, pool: &TermPool, query: &Query<'_>, changes: &[InputByte]) -> bool {
        let mut model = query.hint.clone();
        model.overlay(changes);
        let changed = |change: &InputByte| {
            let range = ByteRange { input: change.input, start: change.offset, end: change.offset.saturating_add(1) };
            overlapping(query.domains, range)
        };
        if !changes.iter().flat_map(changed).all(|domain| domain.holds(&model)) {
            return false;
        }
        let mut evaluation = self.evaluator.with(pool, &model);
        evaluation.holds(query.goal) && query.constraints.iter().all(|&constraint| evaluation.holds(constraint))
    }

    /// Solves the query with plain SMT, and records a contradicting answer.
    fn compare(&mut self, pool: &mut TermPool, query: &Query<'_>, answer: &Answer, before: &[TierStats]) {
        let Some(reference) = &mut self.reference else { return };
        let mut right = reference.check(pool, query);
        // SMT has only one NaN, so its statements about the bits of a NaN may be wrong.
        if let Answer::Sat(changes) = &right
            && !self.holds(pool, query, changes)
        {
            right = Answer::Unknown(Reason::BadModel);
        }
        let contradicts = |a: &Answer, b: &Answer| matches!(a, Answer::Sat(_)) && *b == Answer::Unsat;
        if !contradicts(answer, &right) && !contradicts(&right, answer) {
            return;
        }
        let after = self.stats().tiers;
        let who = after.iter().zip(before).find(|(after, before)| after.answered > before.answered);
        let who = who.map_or("chain", |(tier, _)| tier.name);
        let text = log::benchmark(pool, query).map_or_else(|why| why, |benchmark| benchmark.to_string());
        self.counts.disagreements.push(format!(
            "tier {who} says {}, plain SMT {}:\n{}{text}",
            log::verdict(answer),
            log::verdict(&right),
            log::hint(pool, query),
        ));
    }
}

impl Solver for Chain {
    fn check(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Answer {
        debug_assert!(in_order(query.domains), "domains out of order: {:?}", query.domains);
        if let Some(record) = &self.record {
            record.write(pool, query);
        }
        let start = Instant::now();
        let identity = pool.identity();
        if self.pool.as_ref() != Some(&identity) {
            self.first.forget();
            self.reference.iter_mut().for_each(|tier| tier.forget());
            self.pool = Some(identity);
        }
        let before = self.reference.is_some().then(|| self.stats().tiers);
        let mut answer = self.first.check(pool, query);
        if let Some(before) = before {
            self.compare(pool, query, &answer, &before);
        }
        if let Answer::Sat(changes) = &answer
            && !self.holds(pool, query, changes)
        {
            self.counts.bad_models += 1;
            answer = Answer::Unknown(Reason::BadModel);
        }
        self.counts.queries += 1;
        self.counts.constraints += query.constraints.len() as u64;
        match answer {
            Answer::Sat(_) => self.counts.sat += 1,
            Answer::Unsat => self.counts.unsat += 1,
            Answer::Unknown(_) => self.counts.unknown += 1,
        }
        self.counts.time += start.elapsed();
        answer
    }
}

impl std::fmt::Debug for Chain {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Chain").field("stats", &self.stats()).finish_non_exhaustive()
    }
}
