//! Equality of variables with few values, without SMT: typical conditions on pointers (CUTE §3.5, Figure 9).
//!
//! ```text
//!   terms     p = q   q ≠ NULL   r ≠ q + 8   flag & 1
//!      │ literal: each has one of four forms, otherwise the query goes to the next tier
//!   problem   classes of variables at a known distance: {p, q}, {r}, {flag}
//!      │ search: for each class a value that is in the domain of every member
//!   answer    p = q = 0x1000, r and flag as in the hint
//! ```
//!
//! A class keeps the hint's value if possible, and otherwise takes the first allowed value in order of preference.
//! Classes that must differ are tried in turn, up to a bound. The sides of a disjunction are also tried in turn, up to
//! a bound. If a bound is exceeded, the next tier solves the query.

mod facts;
mod literal;
mod problem;
mod search;

use tine_expr::{Answer, Assignment, Evaluator, Query, TermId, TermPool};

use self::facts::Facts;
use self::problem::Problem;
use self::search::Search;
use crate::stats::{Meter, Tier};

/// Maximum number of ways through the disjunctions of a query.
const MAX_WAYS: usize = 32;

pub(crate) struct Pointers {
    next: Box<dyn Tier>,
    meter: Meter,
    // Buffers that are reused between queries.
    problem: Problem,
    search: Search,
    evaluator: Evaluator,
    scratch: Assignment,
    terms: Vec<(TermId, bool)>,
    /// Selected sides of the visited disjunctions, in order: true for the second side.
    choices: Vec<bool>,
}

/// Result of one way through the disjunctions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Sat,
    Unsat,
    /// This tier cannot decide the query.
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

    /// Moves to the second side of the last disjunction whose second side is untried.
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
