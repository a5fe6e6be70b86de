//! Planted errors: the report for each must be as small as the error.

use std::panic::{AssertUnwindSafe, catch_unwind};

use tine_expr::testing::Random;
use tine_expr::{Answer, Assignment, Domain, Evaluator, Query, Solver, TermId, TermPool};
use tine_trace::op::Op;

use super::Witness;
use crate::stats::{Tier, TierStats};
use crate::tests::{compare, generate};
use crate::{Chain, Options, plain};

/// A tier before SMT that wrongly answers *unsat* for some queries.
struct Mistaken<F> {
    next: Chain,
    is_mistaken: F,
}

impl<F: FnMut(&TermPool, &Query<'_>) -> bool> Solver for Mistaken<F> {
    fn check(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Answer {
        if (self.is_mistaken)(pool, query) { Answer::Unsat } else { self.next.check(pool, query) }
    }
}

impl<F: FnMut(&TermPool, &Query<'_>) -> bool> Tier for Mistaken<F> {
    fn stats(&self, _: &mut Vec<TierStats>) {}

    fn forget(&mut self) {}
}

fn mentions(pool: &TermPool, query: &Query<'_>, op: Op) -> bool {
    let mut todo: Vec<TermId> = query.constraints.iter().copied().chain([query.goal]).collect();
    while let Some(id) = todo.pop() {
        if pool.term(id).op() == Some(op) {
            return true;
        }
        todo.extend(pool.term(id).operands());
    }
    false
}

fn smt() -> Chain {
    plain(&Options { timeout_ms: 1_000, ..Options::default() }).unwrap()
}

/// Solves random conditions, as in the tests of the tiers, until an answer is wrong. Returns the report of the error.
fn report(is_mistaken: impl FnMut(&TermPool, &Query<'_>) -> bool + 'static) -> String {
    let (mut mistaken, mut right) = (Chain::new(Box::new(Mistaken { next: smt(), is_mistaken })), smt());
    for seed in 0..200 {
        let (mut random, mut pool) = (Random::new(seed), TermPool::new());
        let conditions = generate::comparisons(&mut random, &mut pool);
        let hint = Assignment::new();
        let mut witness = Witness::new(seed);
        let mut path: Vec<TermId> = Vec::new();
        for condition in conditions {
            let taken = Evaluator::new().with(&pool, &hint).holds(condition);
            let negated = pool.not(condition);
            let (constraint, goal) = if taken { (condition, negated) } else { (negated, condition) };
            let query = Query { constraints: &path, goal, hint: &hint, domains: &[] };
            let mut compare = |pool: &mut TermPool, query: &Query<'_>| compare(&mut mistaken, &mut right, pool, query);
            let panicked = catch_unwind(AssertUnwindSafe(|| witness.check(&mut pool, &query, &mut compare)));
            if let Err(panicked) = panicked {
                let text = *panicked.downcast::<String>().unwrap();
                assert!(text.starts_with(&format!("seed {seed}: ")), "{text}");
                return text;
            }
            path.push(constraint);
        }
    }
    panic!("nothing was wrong")
}

/// The lines of the report after the heading.
fn lines(report: &str) -> Vec<&str> {
    report.lines().skip_while(|line| !line.starts_with("The smallest")).skip(1).map(str::trim).collect()
}

/// If a tier is wrong about a kind of operation, only one such operation is left.
#[test]
fn a_wrong_operation_is_all_that_is_left() {
    for op in [Op::Mul, Op::Xor, Op::URem, Op::Slt] {
        let report = report(move |pool, query| mentions(pool, query, op));
        let lines = lines(&report);
        let conditions: Vec<&&str> = lines.iter().filter(|line| line.starts_with('(')).collect();
        let [condition] = conditions.as_slice() else { panic!("{report}") };
        assert!(condition.contains(op.name()) && condition.matches('(').count() <= 3, "{report}");
        assert_eq!(lines.last(), Some(&"unsat, where it is sat"), "{report}");
    }
}

/// If a tier is wrong because of an earlier query, two queries are left: the earlier one and the wrong one.
#[test]
fn what_was_asked_before_is_kept_if_it_matters() {
    let mut seen = None;
    let report = report(move |pool, query| {
        let (identity, products) = (pool.identity(), mentions(pool, query, Op::Mul));
        let before = seen.replace((identity, products));
        before.is_some_and(|(pool, products)| pool == seen.as_ref().unwrap().0 && products)
    });
    let lines = lines(&report);
    let n_conditions = lines.iter().filter(|line| line.starts_with('(')).count();
    assert!(lines.contains(&"query 2") && !lines.contains(&"query 3") && n_conditions <= 2, "{report}");
}

/// Domains and their values are removed like constraints.
#[test]
fn domains_are_made_smaller() {
    let domain = |input| Domain { input, offset: 0, width: 64, values: vec![0, 0x10, 0x20, 0x30] };
    let domains = [domain(0), domain(1), domain(2)];
    let mut pool = TermPool::new();
    let [p, q, r] = [0, 1, 2].map(|k| pool.input(k, 0, 64));
    let (constraints, goal) = ([pool.eq(q, r)], pool.ne(p, q));
    // Wrong if the second domain has the value 0x20.
    let mut compare = |_: &mut TermPool, query: &Query<'_>| {
        let wrong = |domain: &Domain| domain.input == 1 && domain.values.contains(&0x20);
        query.domains.iter().any(wrong).then(|| "it is there".to_owned())
    };
    let query = Query { constraints: &constraints, goal, hint: &Assignment::new(), domains: &domains };
    let panicked = catch_unwind(AssertUnwindSafe(|| Witness::new(7).check(&mut pool, &query, &mut compare)));
    let report = *panicked.unwrap_err().downcast::<String>().unwrap();
    let lines = lines(&report);
    let domains: Vec<&&str> = lines.iter().filter(|line| line.starts_with("domain")).collect();
    // The hint's value is kept.
    assert_eq!(domains, [&"domain: input 1 from 0, 64 bits: [0, 20]"], "{report}");
    assert_eq!(lines.iter().filter(|line| line.starts_with('(')).count(), 0, "{report}");
}
