//! Constant propagation and case split, for queries with input-dependent addresses.
//!
//! ```text
//!   p == 4096,  a[i & 1] != 0,  a[i & 1] == p        substitute 4096 for p and simplify
//!     i & 1 == 0:  0 != 0                            unsat
//!     i & 1 == 1:  …                                 ranges, guess and values, in this order
//! ```
//!
//! If all cases are unsat, the answer is unsat. A feasible case gives the answer. If a case is undecided, the tier does
//! not answer. All work happens in temporary pools, so that the terms of cases are dropped after the query.
//!
//! With large tables the case split costs as much as an SMT solver, so a tier that often fails is tried seldom.

mod rebuild;

use tine_expr::{Answer, Evaluator, InputByte, Kind, Query, TermId, TermPool};
use tine_trace::op::Op;

use super::guess::Guess;
use super::ranges::{self, Ranges};
use super::unanswered::Unanswered;
use super::values::Values;
use crate::backoff::Backoff;
use crate::stats::{Meter, Tier};
use rebuild::{Rebuilt, rebuild};

/// Maximum number of cases …
const MAX_CASES: usize = 64;
/// … and of work in all of them: number of terms, and of byte values that each condition is tried with.
const MAX_WORK: usize = 1 << 17;
const VALUES: usize = 256;
/// Maximum number of cases for one term.
const MAX_VALUES: usize = 16;
/// Maximum nesting of cases.
const MAX_DEPTH: u32 = 4;
/// Queries with more terms are passed on.
const MAX_TERMS: usize = 1 << 15;

pub(crate) struct Cases {
    next: Box<dyn Tier>,
    /// Tiers that solve a case.
    inner: Box<dyn Tier>,
    evaluator: Evaluator,
    backoff: Backoff,
    meter: Meter,
}

impl Cases {
    pub(crate) fn new(next: Box<dyn Tier>) -> Self {
        let inner = Box::new(Ranges::new(Box::new(Guess::new(Box::new(Values::of_few(Box::new(Unanswered)))))));
        Self { next, inner, evaluator: Evaluator::new(), backoff: Backoff::default(), meter: Meter::new("cases") }
    }

    fn look(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Option<Answer> {
        let conditions: Vec<TermId> = query.constraints.iter().copied().chain([query.goal]).collect();
        let n_terms = ranges::terms_below(pool, &conditions, MAX_TERMS).filter(|terms| has_choices(pool, terms))?.len();
        if !self.backoff.is_due() {
            return None;
        }
        let n_cases = (MAX_WORK / (n_terms + VALUES * conditions.len())).min(MAX_CASES);
        let answer = self.told_apart(pool, query, &conditions, n_cases as u32);
        self.backoff.tried(answer.is_some());
        answer
    }

    fn told_apart(
        &mut self,
        pool: &TermPool,
        query: &Query<'_>,
        conditions: &[TermId],
        n_cases: u32,
    ) -> Option<Answer> {
        let mut search = Search { inner: &mut *self.inner, query, left: n_cases };
        let rebuilt = rebuild(pool, conditions, None, &[]);
        let answer = search.solve(rebuilt, 0)?;
        let Answer::Sat(changes) = &answer else { return Some(answer) };
        // Rewriting may change NaN bits, so check the model against the original conditions.
        let mut model = query.hint.clone();
        model.overlay(changes);
        let mut evaluation = self.evaluator.with(pool, &model);
        conditions.iter().all(|&condition| evaluation.holds(condition)).then_some(answer)
    }
}

/// True if some condition reads from an array, so that there is an address to split.
fn has_choices(pool: &TermPool, terms: &[TermId]) -> bool {
    terms.iter().any(|&id| pool.term(id).kind() == Kind::Select)
}

struct Search<'a, 'q> {
    inner: &'a mut dyn Tier,
    query: &'a Query<'q>,
    left: u32,
}

impl Search<'_, '_> {
    /// Solves the conditions. Returns `None` if they are not decided.
    fn solve(&mut self, rebuilt: Rebuilt, depth: u32) -> Option<Answer> {
        self.left = self.left.checked_sub(1)?;
        let Rebuilt { mut pool, conditions, known } = rebuilt;
        let Some((&goal, constraints)) = conditions.split_last() else { return Some(self.answer(&known, Vec::new())) };
        if conditions.iter().any(|&condition| pool.value(condition) == Some(0)) {
            return Some(Answer::Unsat);
        }
        self.inner.forget();
        let mut hint = self.query.hint.clone();
        hint.overlay(&known);
        let query = Query { constraints, goal, hint: &hint, domains: &[] };
        match self.inner.check(&mut pool, &query) {
            Answer::Unsat => return Some(Answer::Unsat),
            Answer::Sat(changes) => return Some(self.answer(&known, changes)),
            Answer::Unknown(_) => {}
        }
        if depth == MAX_DEPTH {
            return None;
        }
        let (term, values) = few_valued(&pool, &conditions)?;
        for value in values {
            let case = rebuild(&pool, &conditions, Some((term, value)), &known);
            match self.solve(case, depth + 1)? {
                Answer::Unsat => {}
                answer => return Some(answer),
            }
        }
        Some(Answer::Unsat)
    }

    /// Returns known and found bytes that differ from the hint.
    fn answer(&self, known: &[InputByte], found: Vec<InputByte>) -> Answer {
        let mut model = self.query.hint.clone();
        model.overlay(known);
        model.overlay(&found);
        let mut changes: Vec<InputByte> = known.iter().copied().chain(found).collect();
        changes.iter_mut().for_each(|byte| byte.value = model.get(byte.input, byte.offset));
        changes.retain(|byte| self.query.hint.get(byte.input, byte.offset) != byte.value);
        changes.sort_unstable();
        changes.dedup();
        Answer::Sat(changes)
    }
}

/// Returns the term with the fewest possible values that an address depends on, and these values.
fn few_valued(pool: &TermPool, conditions: &[TermId]) -> Option<(TermId, Vec<u128>)> {
    let terms = ranges::terms_below(pool, conditions, MAX_TERMS)?;
    let known = ranges::analyse(pool, conditions, &[])?;
    let mut best: Option<(TermId, Vec<u128>)> = None;
    for &id in &terms {
        let term = pool.term(id);
        if !matches!(term.kind(), Kind::Select | Kind::Store) {
            continue;
        }
        let mut at = Some(term.operand(1));
        // From the address down to its parts.
        while let Some(part) = at {
            if pool.value(part).is_some() {
                break;
            }
            if let Some(values) = known.of(part).few(MAX_VALUES)
                && best.as_ref().is_none_or(|(_, fewest)| values.len() <= fewest.len())
            {
                best = Some((part, values));
            }
            at = only_operand(pool, part);
        }
    }
    best
}

/// Returns the only operand of an operation that is not a constant.
fn only_operand(pool: &TermPool, id: TermId) -> Option<TermId> {
    let term = pool.term(id);
    if !matches!(term.kind(), Kind::Op(_)) || term.op() == Some(Op::Ite) {
        return None;
    }
    let mut open = term.operands().filter(|&operand| pool.value(operand).is_none());
    let first = open.next()?;
    open.all(|other| other == first).then_some(first)
}

looks_or_passes_on!(Cases, look);
