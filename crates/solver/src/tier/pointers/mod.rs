//! Equality of variables that have few values, without SMT: what paths ask of pointers (CUTE §3.5, Figure 9).
//!
//! ```text
//!   terms     p = q   q ≠ NULL   r ≠ q + 8   flag & 1
//!      │ literal: each is one of four kinds, or the query goes to the next tier
//!   problem   classes of variables a known distance apart: {p, q}, {r}, {flag}
//!      │ search: for each class a value that every member's domain has
//!   answer    p = q = 0x1000, r and flag as in the hint
//! ```
//!
//! A class keeps the hint's value where it may, and else takes the first that is allowed in order of preference.
//! Classes that must differ are tried in turn, up to a bound. Where a term says "or", one side after the other is
//! taken, also up to a bound. Past either, the next tier is asked.

mod facts;
mod literal;
mod problem;
mod search;

use tine_expr::{Answer, Assignment, Evaluator, Query, TermId, TermPool};

use self::facts::Facts;
use self::problem::Problem;
use self::search::Search;
use crate::stats::{Meter, Tier};

/// How many ways through the disjunctions of a query are tried.
const MAX_WAYS: usize = 32;

pub(crate) struct Pointers {
    next: Box<dyn Tier>,
    meter: Meter,
    // Buffers, kept between queries.
    problem: Problem,
    search: Search,
    evaluator: Evaluator,
    scratch: Assignment,
    terms: Vec<(TermId, bool)>,
    /// For each disjunction on the way, in the order they are met: whether its second side is taken.
    choices: Vec<bool>,
}

/// Result of one way through the disjunctions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Sat,
    Unsat,
    /// This tier cannot say.
    Unclear,
}

impl Pointers {
    pub(crate) fn new(next: Box<dyn Tier>) -> Self {
        Self {
            next,
            meter: Meter::new("pointers"),
            problem: Problem::default(),
            search: Search::default(),
            evaluator: Evaluator::new(),
            scratch: Assignment::new(),
            terms: Vec::new(),
            choices: Vec::new(),
        }
    }

    fn decide(&mut self, pool: &TermPool, query: &Query<'_>) -> Option<Answer> {
        if query.domains.is_empty() {
            return None;
        }
        self.choices.clear();
        for _ in 0..MAX_WAYS {
            match self.one_way(pool, query) {
                Verdict::Sat => return Some(Answer::Sat(self.search.changes(&self.problem, query))),
                Verdict::Unclear => return None,
                Verdict::Unsat if !self.next_way() => return Some(Answer::Unsat),
                Verdict::Unsat => {}
            }
        }
        None
    }

    fn one_way(&mut self, pool: &TermPool, query: &Query<'_>) -> Verdict {
        self.problem.clear();
        match self.read(pool, query) {
            Verdict::Sat => {
                let facts =
                    Facts { pool, domains: query.domains, evaluator: &mut self.evaluator, scratch: &mut self.scratch };
                self.search.solve(&mut self.problem, facts)
            }
            other => other,
        }
    }

    /// Turns to the second side of the last disjunction that has one left.
    fn next_way(&mut self) -> bool {
        while let Some(second) = self.choices.pop() {
            if !second {
                self.choices.push(true);
                return true;
            }
        }
        false
    }
}

looks_or_passes_on!(Pointers, decide);
