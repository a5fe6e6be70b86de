//! The chain of tiers, and what it promises.
//!
//! ```text
//!   query ──▶ Chain       counts, and believes no model that it has not evaluated on the whole path
//!               Trivial   constant goals, goals that hold already, negations found among the constraints
//!               Slice     drops constraints that share no input byte, and no variable with a domain, with the goal
//!               Pointers  equality of variables that have few values, by union-find
//!               Domains   states which values the variables may have as constraints: from here on, all is terms
//!               Direct    goals `input == constant` that say the answer
//!               Cache     the same question was asked before
//!               Smt       Bitwuzla, or Z3
//! ```
//!
//! Terms are rewritten while they are built (`expr::rewrite`), so every tier sees them simplified. Each tier owns the
//! next one and may answer or pass on; leaving one out changes cost, never an answer.

use std::time::Instant;

use tine_expr::domain::{in_order, overlapping};
use tine_expr::{Answer, ByteRange, Evaluator, InputByte, PoolIdentity, Query, Reason, Solver, TermPool};

use crate::bitwuzla::backend::Bitwuzla;
use crate::smt::{Backend as SmtBackend, Smt};
use crate::stats::{Stats, Tier};
use crate::tier::cache::Cache;
use crate::tier::direct::Direct;
use crate::tier::domains::Domains;
use crate::tier::pointers::Pointers;
use crate::tier::slice::Slice;
use crate::tier::trivial::Trivial;
use crate::z3::Z3;
use crate::{Backend, Error, Options};

/// Builds the chain.
pub fn chain(options: &Options) -> Result<Chain, Error> {
    let smt = smt(options)?;
    let cache = Cache::new(Box::new(smt));
    let direct = Direct::new(Box::new(cache));
    let domains = Domains::new(Box::new(direct));
    let pointers = Pointers::new(Box::new(domains));
    let slice = Slice::new(Box::new(pointers));
    let trivial = Trivial::new(Box::new(slice));
    Ok(Chain::new(Box::new(trivial)))
}

/// The SMT solver alone, behind the same checks: what tiers are tested against.
pub fn plain(options: &Options) -> Result<Chain, Error> {
    Ok(Chain::new(Box::new(Domains::new(Box::new(smt(options)?)))))
}

fn smt(options: &Options) -> Result<Smt, Error> {
    let limits = options.limits();
    let (name, backend): (_, Box<dyn SmtBackend>) = match options.backend {
        Backend::Bitwuzla => ("bitwuzla", Box::new(Bitwuzla::new(limits)?)),
        Backend::Z3 => ("z3", Box::new(Z3::open(limits)?)),
    };
    Ok(Smt::new(name, backend))
}

/// A chain of tiers.
pub struct Chain {
    first: Box<dyn Tier>,
    evaluator: Evaluator,
    counts: Stats,
    /// The pool that the tiers remember terms of.
    pool: Option<PoolIdentity>,
}

impl Chain {
    fn new(first: Box<dyn Tier>) -> Self {
        Self { first, evaluator: Evaluator::new(), counts: Stats::default(), pool: None }
    }

    pub fn stats(&self) -> Stats {
        let mut stats = self.counts.clone();
        self.first.stats(&mut stats.tiers);
        stats
    }

    /// Whether hint and changes together satisfy the whole query. Domains of unchanged variables are the hint's.
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
}

impl Solver for Chain {
    fn check(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Answer {
        debug_assert!(in_order(query.domains), "domains out of order: {:?}", query.domains);
        let start = Instant::now();
        let identity = pool.identity();
        if self.pool.as_ref() != Some(&identity) {
            self.first.forget();
            self.pool = Some(identity);
        }
        let mut answer = self.first.check(pool, query);
        if let Answer::Sat(changes) = &answer
            && !self.holds(pool, query, changes)
        {
            self.counts.bad_models += 1;
            answer = Answer::Unknown(Reason::BadModel);
        }
        self.counts.queries += 1;
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
