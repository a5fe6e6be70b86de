//! Facts on the values of one variable that depend on no other variable: its domain, and conditions on it alone.

use tine_expr::{Assignment, Domain, Evaluator, TermPool};

use super::problem::{Fact, Problem};

pub(super) struct Facts<'a> {
    pub(super) pool: &'a TermPool,
    pub(super) domains: &'a [Domain],
    pub(super) evaluator: &'a mut Evaluator,
    /// Input for evaluating conditions. Only the bytes of the variable in question are valid.
    pub(super) scratch: &'a mut Assignment,
}

impl<'a> Facts<'a> {
    /// The variable's values, in order of preference.
    pub(super) fn values(&self, problem: &Problem, x: u32) -> &'a [u128] {
        &self.domains[problem.domain(x)].values
    }

    pub(super) fn allow(&mut self, problem: &Problem, x: u32, value: u128) -> bool {
        self.values(problem, x).contains(&value) && self.conditions_allow(problem, x, value)
    }

    /// True if conditions allow a value that is known to be in the domain.
    pub(super) fn conditions_allow(&mut self, problem: &Problem, x: u32, value: u128) -> bool {
        problem.facts(x).all(|fact| match fact {
            Fact::IsNot(other) => value != other,
            Fact::Condition(term, positive) => {
                let domain = &self.domains[problem.domain(x)];
                self.scratch.write(domain.input, domain.offset, domain.width, value);
                self.evaluator.with(self.pool, self.scratch).holds(term) == positive
            }
        })
    }
}
