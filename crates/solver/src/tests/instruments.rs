//! Instruments: disabled tiers, checked answers, logged queries, and a second solver.

use std::io::Write;
use std::sync::{Arc, Mutex};

use tine_expr::{Answer, Assignment, Query, Reason, Solver, TermId, TermPool};

use crate::smt::{Backend as SmtBackend, Found, Smt};
use crate::stats::{Tier, TierStats};
use crate::{Backend, Chain, Log, Options, TierName, chain};

/// A solver that answers every query with *unsat*.
struct Liar;

impl Solver for Liar {
    fn check(&mut self, _: &mut TermPool, _: &Query<'_>) -> Answer {
        Answer::Unsat
    }
}

impl Tier for Liar {
    fn stats(&self, _: &mut Vec<TierStats>) {}

    fn forget(&mut self) {}
}

/// `input 0 < 10`, and the goals that this byte is 9 and that it is 11.
fn nine_and_eleven(pool: &mut TermPool) -> (Vec<TermId>, [TermId; 2]) {
    let (byte, ten) = (pool.input(0, 0, 8), pool.constant(8, 10));
    let small = pool.ult(byte, ten);
    let goals = [9, 11].map(|k| {
        let k = pool.constant(8, k);
        pool.eq(byte, k)
    });
    (vec![small], goals)
}

#[test]
fn a_wrong_answer_is_found_with_its_query() {
    let mut pool = TermPool::new();
    let (constraints, [nine, eleven]) = nine_and_eleven(&mut pool);
    let mut chain = Chain::checked(Box::new(Liar), &Options::default()).unwrap();
    let hint = Assignment::new();
    let query = Query { constraints: &constraints, goal: eleven, hint: &hint, domains: &[] };
    chain.check(&mut pool, &query);
    assert_eq!(chain.stats().disagreements, Vec::<String>::new());
    chain.check(&mut pool, &Query { goal: nine, ..query });
    let found = chain.stats().disagreements;
    assert_eq!(found.len(), 1);
    assert!(
        found[0].starts_with("tier chain says unsat, plain SMT sat:\n; hint 0 0 00\n(set-logic QF_BV)"),
        "{found:?}"
    );
}

#[test]
fn right_answers_pass_the_check() {
    let mut pool = TermPool::new();
    let (constraints, goals) = nine_and_eleven(&mut pool);
    let mut chain = chain(&Options { check: true, ..Options::default() }).unwrap();
    for goal in goals {
        chain.check(&mut pool, &Query { constraints: &constraints, goal, hint: &Assignment::new(), domains: &[] });
    }
    let stats = chain.stats();
    assert_eq!((stats.disagreements.len(), stats.sat, stats.unsat), (0, 1, 1));
}

#[test]
fn every_tier_has_a_name_and_can_be_left_out() {
    let names = |without: Vec<TierName>| -> Vec<&'static str> {
        let chain = chain(&Options { without, ..Options::default() }).unwrap();
        chain.stats().tiers.iter().map(|tier| tier.name).collect()
    };
    let all = names(Vec::new());
    // All tiers and SMT. Rewriting is not part of the chain.
    assert_eq!(all.len(), TierName::ALL.len());
    assert_eq!("rewrite".parse(), Ok(TierName::Rewrite));
    for &tier in TierName::ALL.iter().filter(|tier| **tier != TierName::Rewrite) {
        assert_eq!(tier.name().parse(), Ok(tier));
        let left: Vec<&str> = all.iter().copied().filter(|name| *name != tier.name()).collect();
        assert_eq!(left.len() + 1, all.len(), "{}", tier.name());
        assert_eq!(names(vec![tier]), left);
    }
    assert_eq!(names(TierName::ALL.to_vec()), ["bitwuzla"]);
    assert!(
        "magic"
            .parse::<TierName>()
            .unwrap_err()
            .starts_with("`magic` is not a solver tier; there are rewrite, trivial, ")
    );
}

/// Without rewriting, terms stay unchanged. With it, changed terms are counted.
#[test]
fn rewriting_can_be_left_out() {
    let built = |without: Vec<TierName>| {
        let mut pool = Options { without, ..Options::default() }.pool();
        let (x, zero) = (pool.input(0, 0, 32), pool.constant(32, 0));
        let sum = pool.add(x, zero);
        (sum == x, pool.n_rewritten())
    };
    assert_eq!(built(Vec::new()), (true, 1));
    assert_eq!(built(vec![TierName::Rewrite]), (false, 0));
}

/// A solver that answers no query.
struct Ignorant;

impl SmtBackend for Ignorant {
    fn solve(&mut self, _: &TermPool, _: &[TermId]) -> Found {
        Found::Unknown(Reason::Timeout)
    }

    fn last_limits(&self) -> crate::Limits {
        Options::default().limits()
    }

    fn forget(&mut self) {}
}

#[test]
fn the_second_solver_is_asked_what_the_first_does_not_know() {
    let mut pool = TermPool::new();
    let (constraints, [nine, _]) = nine_and_eleven(&mut pool);
    let query = Query { constraints: &constraints, goal: nine, hint: &Assignment::new(), domains: &[] };
    let limits = Options::default().limits();
    let ignorant = |name| Smt::new(name, Box::new(Ignorant), None);
    let z3 = Smt::new("z3", Box::new(crate::z3::Z3::open(limits).unwrap()), None);
    let mut both = Chain::new(Box::new(ignorant("first").with_second(z3)));
    assert!(matches!(both.check(&mut pool, &query), Answer::Sat(_)));
    let answered: Vec<_> = both.stats().tiers.iter().map(|tier| (tier.name, tier.answered)).collect();
    assert_eq!(answered, [("first", 0), ("z3", 1)]);
    let mut neither = Chain::new(Box::new(ignorant("first").with_second(ignorant("second"))));
    assert_eq!(neither.check(&mut pool, &query), Answer::Unknown(Reason::Timeout));
    // The same as built from options: Bitwuzla answers the query.
    let mut portfolio = crate::plain(&Options { backend: Backend::Portfolio, ..Options::default() }).unwrap();
    assert!(matches!(portfolio.check(&mut pool, &query), Answer::Sat(_)));
    let answered: Vec<_> = portfolio.stats().tiers.iter().map(|tier| (tier.name, tier.answered)).collect();
    assert_eq!(answered, [("bitwuzla", 1), ("z3", 0)]);
}

/// A file in memory that the test can read.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn the_log_runs_in_a_stock_solver() {
    let shared = Shared::default();
    let log = Log::new(Box::new(shared.clone()));
    let mut pool = TermPool::new();
    let (constraints, [nine, eleven]) = nine_and_eleven(&mut pool);
    let hint = Assignment::from_inputs(vec![vec![7]]);
    for (goal, n_chains) in [(nine, 1), (eleven, 2)] {
        // Successive chains write to one file.
        for _ in 0..n_chains {
            let mut plain = crate::plain(&Options { log: Some(log.clone()), ..Options::default() }).unwrap();
            plain.check(&mut pool, &Query { constraints: &constraints, goal, hint: &hint, domains: &[] });
        }
    }
    let text = String::from_utf8(shared.0.lock().unwrap().clone()).unwrap();
    assert!(text.starts_with("(reset)\n; query 1\n; hint 0 0 07\n(set-logic QF_BV)\n"), "{text}");
    let verdicts: Vec<&str> =
        text.lines().filter_map(|line| line.strip_prefix("; bitwuzla: ")?.split(' ').next()).collect();
    assert_eq!(verdicts, ["sat", "unsat", "unsat"]);
    assert_eq!(text.matches(" ms of 10000 ms and 2048 MiB\n").count(), 3, "{text}");
    let mut z3 = crate::z3::Z3::open(Options::default().limits()).unwrap();
    let printed = z3.run(&text).unwrap();
    assert_eq!(printed.lines().collect::<Vec<_>>(), verdicts, "{text}");
    assert!(log.take_error().is_none());
}
