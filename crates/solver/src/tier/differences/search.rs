//! Selects a case of every clause such that all bounds hold together.

use tine_expr::TermId;
use tine_trace::eval::{mask, signed};

use super::bounds::{Atom, Bounds, Variable};
use super::read::{Case, Clause, Number, Problem};

/// Maximum number of cases tried for one query.
const MAX_CASES: u32 = 400;

pub(super) enum Outcome {
    Contradiction,
    /// Values of the terms.
    Values(Vec<(TermId, u128)>),
    GaveUp,
}

pub(super) struct Search<'p> {
    problem: &'p Problem,
    left: u32,
}

/// `None` if the search gave up.
type Found = Option<Option<Bounds>>;

impl<'p> Search<'p> {
    pub(super) fn new(problem: &'p Problem) -> Self {
        Self { problem, left: MAX_CASES }
    }

    /// Searches for values close to those that `value` returns for the terms.
    pub(super) fn run(mut self, mut value: impl FnMut(TermId) -> u128) -> Outcome {
        let numbers = &self.problem.numbers;
        let mut bounds = Bounds::new(numbers.len() + 1);
        for (k, number) in numbers.iter().enumerate() {
            let (low, high) = number.range();
            bounds.add(&Atom { a: k + 1, b: 0, low, high });
        }
        match self.solve(bounds, self.problem.clauses.iter().collect()) {
            None => Outcome::GaveUp,
            Some(None) => Outcome::Contradiction,
            Some(Some(bounds)) => Outcome::Values(values(numbers, bounds, &mut value)),
        }
    }

    fn solve(&mut self, mut bounds: Bounds, mut clauses: Vec<&'p Clause>) -> Found {
        loop {
            let n = clauses.len();
            let mut shortest: Option<(usize, usize)> = None;
            let mut open = Vec::with_capacity(n);
            for clause in clauses {
                let mut possible = clause.iter().filter(|case| allowed(&bounds, case));
                match (possible.next(), possible.count()) {
                    (None, _) => return Some(None),
                    (Some(case), 0) => {
                        if !add(&mut bounds, case) {
                            return Some(None);
                        }
                    }
                    (Some(_), more) => {
                        if clause.iter().any(|case| implied(&bounds, case)) {
                            continue;
                        }
                        if shortest.is_none_or(|(_, least)| more < least) {
                            shortest = Some((open.len(), more));
                        }
                        open.push(clause);
                    }
                }
            }
            clauses = open;
            // Later bounds may leave fewer cases of the first clauses.
            if clauses.len() == n || clauses.is_empty() {
                let Some((k, _)) = shortest else { return Some(Some(bounds)) };
                let clause = clauses.swap_remove(k);
                return self.branch(&bounds, clause, &clauses);
            }
        }
    }

    fn branch(&mut self, bounds: &Bounds, clause: &Clause, others: &[&'p Clause]) -> Found {
        for case in clause.iter().filter(|case| allowed(bounds, case)) {
            self.left = self.left.checked_sub(1)?;
            let mut bounds = bounds.clone();
            if !add(&mut bounds, case) {
                continue;
            }
            if let Some(found) = self.solve(bounds, others.to_vec())? {
                return Some(Some(found));
            }
        }
        Some(None)
    }
}

fn allowed(bounds: &Bounds, case: &Case) -> bool {
    case.iter().all(|atom| bounds.allows(atom))
}

fn implied(bounds: &Bounds, case: &Case) -> bool {
    case.iter().all(|atom| bounds.implies(atom))
}

fn add(bounds: &mut Bounds, case: &Case) -> bool {
    case.iter().all(|atom| bounds.add(atom))
}

/// Returns a value for every number. In closed bounds, each value between the ends can be extended to values of the
/// others.
fn values(numbers: &[Number], mut bounds: Bounds, value: &mut impl FnMut(TermId) -> u128) -> Vec<(TermId, u128)> {
    let mut values = Vec::with_capacity(numbers.len());
    for (k, number) in numbers.iter().enumerate() {
        let variable: Variable = k + 1;
        let before = value(number.term);
        let wished = if number.is_signed { signed(number.width, before) } else { before as i128 };
        let chosen = wished.clamp(bounds.least(variable, 0), bounds.greatest(variable, 0));
        bounds.add(&Atom { a: variable, b: 0, low: chosen, high: chosen });
        values.push((number.term, chosen as u128 & mask(number.width)));
    }
    values
}
