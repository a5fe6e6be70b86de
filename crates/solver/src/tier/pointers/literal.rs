//! Translation of terms to a problem: the literals of a query.

use tine_expr::domain::containing;
use tine_expr::{ByteRange, Query, TermId, TermPool};
use tine_trace::op::Op;

use super::{Pointers, Verdict};

/// Maximum number of values for which a condition on one variable is evaluated.
const MAX_VALUES: usize = 256;

/// One side of an equation.
enum Side {
    /// Variable of the problem, and an added constant.
    Variable(u32, u128),
    Constant(u128),
}

impl Pointers {
    /// Fills the problem with the literals of goal and constraints. `Sat` means that no contradiction has been found.
    pub(super) fn read(&mut self, pool: &TermPool, query: &Query<'_>) -> Verdict {
        let mut n_choices = 0;
        // The goal comes first, because it identifies most queries that belong to other tiers.
        for &term in [&query.goal].into_iter().chain(query.constraints) {
            self.terms.clear();
            self.terms.push((term, true));
            while let Some((term, positive)) = self.terms.pop() {
                match self.term(pool, query, term, positive, &mut n_choices) {
                    Verdict::Sat => {}
                    other => return other,
                }
            }
        }
        Verdict::Sat
    }

    /// Adds a term or its negation to the problem. Parts of a conjunction are pushed for later.
    fn term(
        &mut self,
        pool: &TermPool,
        query: &Query<'_>,
        id: TermId,
        positive: bool,
        n_choices: &mut usize,
    ) -> Verdict {
        let term = pool.term(id);
        let part = |k: usize| term.operand(k);
        match term.op() {
            Some(Op::Const) => return Self::possible((pool.value(id) == Some(1)) == positive),
            Some(Op::Not) => {
                self.terms.push((part(0), !positive));
                return Verdict::Sat;
            }
            Some(Op::And) if positive => {
                self.terms.extend([(part(1), true), (part(0), true)]);
                return Verdict::Sat;
            }
            Some(Op::Or) if !positive => {
                self.terms.extend([(part(1), false), (part(0), false)]);
                return Verdict::Sat;
            }
            Some(Op::Eq) => {
                if let Some(sides) = self.sides(pool, query, part(0), part(1)) {
                    return self.equation(sides, positive);
                }
            }
            _ => {}
        }
        if let [range] = *pool.support(id)
            && let Some(variable) = self.variable(query, range)
        {
            let n_values = query.domains[self.problem.domain(variable)].values.len();
            self.problem.condition(variable, id, positive);
            return if n_values <= MAX_VALUES { Verdict::Sat } else { Verdict::Unclear };
        }
        match term.op() {
            Some(Op::And | Op::Or) => {
                let second = self.choose(pool, query, part(0), positive, n_choices);
                self.terms.push((part(second as usize), positive));
                Verdict::Sat
            }
            Some(Op::Ite) => {
                let second = self.choose(pool, query, part(0), true, n_choices);
                self.terms.extend([(part(1 + second as usize), positive), (part(0), !second)]);
                Verdict::Sat
            }
            _ => Verdict::Unclear,
        }
    }

    fn possible(it_is: bool) -> Verdict {
        if it_is { Verdict::Sat } else { Verdict::Unsat }
    }

    /// Selects one of two sides: true for the second one. Begins with the side that holds under the hint.
    fn choose(
        &mut self,
        pool: &TermPool,
        query: &Query<'_>,
        first: TermId,
        positive: bool,
        n_choices: &mut usize,
    ) -> bool {
        if *n_choices == self.choices.len() {
            self.choices.push(false);
        }
        let other = self.choices[*n_choices];
        *n_choices += 1;
        let on_first = self.evaluator.with(pool, query.hint).holds(first) == positive;
        on_first == other
    }

    fn equation(&mut self, sides: (Side, Side), positive: bool) -> Verdict {
        let problem = &mut self.problem;
        let is_possible = match (sides, positive) {
            ((Side::Constant(a), Side::Constant(b)), _) => (a == b) == positive,
            ((Side::Variable(x, i), Side::Variable(y, j)), true) => problem.equal(x, y, j.wrapping_sub(i)),
            ((Side::Variable(x, i), Side::Variable(y, j)), false) => {
                problem.differ(x, y, j.wrapping_sub(i));
                true
            }
            ((Side::Variable(x, i), Side::Constant(k)) | (Side::Constant(k), Side::Variable(x, i)), true) => {
                problem.is(x, k.wrapping_sub(i))
            }
            ((Side::Variable(x, i), Side::Constant(k)) | (Side::Constant(k), Side::Variable(x, i)), false) => {
                problem.is_not(x, k.wrapping_sub(i));
                true
            }
        };
        Self::possible(is_possible)
    }

    fn sides(&mut self, pool: &TermPool, query: &Query<'_>, a: TermId, b: TermId) -> Option<(Side, Side)> {
        Some((self.side(pool, query, a)?, self.side(pool, query, b)?))
    }

    /// Reads a constant, a variable, or a variable plus a constant: `&p->next` is `p + 8`.
    fn side(&mut self, pool: &TermPool, query: &Query<'_>, id: TermId) -> Option<Side> {
        let term = pool.term(id);
        match term.op()? {
            Op::Const => Some(Side::Constant(pool.value(id)?)),
            Op::Input => Some(Side::Variable(self.whole_variable(pool, query, id)?, 0)),
            Op::Add => {
                let k = pool.value(term.operand(1))?;
                Some(Side::Variable(self.whole_variable(pool, query, term.operand(0))?, k))
            }
            _ => None,
        }
    }

    /// Returns the variable that this input term represents completely.
    fn whole_variable(&mut self, pool: &TermPool, query: &Query<'_>, id: TermId) -> Option<u32> {
        let view = pool.input_view(id)?;
        let range =
            ByteRange { input: view.input, start: view.offset, end: view.offset.saturating_add(view.n_bytes()) };
        let domain = containing(query.domains, range)?;
        (query.domains[domain].range() == range).then(|| self.problem.variable(domain, query))
    }

    /// Returns the variable that contains these bytes.
    fn variable(&mut self, query: &Query<'_>, range: ByteRange) -> Option<u32> {
        let domain = containing(query.domains, range)?;
        Some(self.problem.variable(domain, query))
    }
}
