//! The rules of rewriting to an SMT solver: no input tells the term before a rule from the term after it.
//!
//! `TINE_FUZZ_SOLVER=N` tries N times as many terms; `make fuzz-solver` does that.

use tine_expr::rewrite::rules::{RULES, Rule, names, observed};
use tine_expr::testing::{Random, random_names};
use tine_expr::text::{Names, parse, parse_raw, print};
use tine_expr::{Answer, TermPool};
use tine_trace::op::Op;

use super::{ask, factor};
use crate::{Chain, Options, plain};

/// Rules that keep the bits of a NaN, where SMT knows but one NaN: what a model says of them is then refuted by evaluation.
const BITS_OF_NAN: [Rule; 1] = [Rule::FToFSame];

/// Whether text, as it stands and simplified, is proven to be the same; `None` if the solver has no answer.
fn is_same(solver: &mut Chain, pool: &mut TermPool, text: &str, names: &Names, what: &str) -> Option<()> {
    let (raw, rewritten) = (parse_raw(pool, text, names).unwrap(), parse(pool, text, names).unwrap());
    let (raw, rewritten) = (observed(pool, raw), observed(pool, rewritten));
    let equal = pool.apply_raw(Op::Eq, 1, &[raw, rewritten], 0).unwrap();
    let differ = pool.apply_raw(Op::Not, 1, &[equal], 0).unwrap();
    match ask(solver, pool, &[differ]) {
        Answer::Unsat => Some(()),
        Answer::Unknown(_) => None,
        Answer::Sat(model) => panic!(
            "{what}:\n  {}\nis not\n  {}\nunder {model:?}",
            print(pool, raw, &Names::new()),
            print(pool, rewritten, &Names::new())
        ),
    }
}

#[test]
fn every_example_is_proven() {
    let mut solver = plain(&Options::default()).unwrap();
    for row in RULES {
        let mut pool = TermPool::new();
        let names = names(&mut pool);
        let proven = is_same(&mut solver, &mut pool, row.before, &names, &format!("{:?}", row.rule));
        assert_eq!(proven.is_some(), !BITS_OF_NAN.contains(&row.rule), "{:?}", row.rule);
    }
}

/// Terms that are hard to compare are left to evaluation, which the tests of `expr` do; most are not.
#[test]
fn every_rule_is_proven_on_random_terms() {
    let mut solver = plain(&Options { timeout_ms: 200, ..Options::default() }).unwrap();
    let mut patient = plain(&Options { timeout_ms: 5_000, ..Options::default() }).unwrap();
    let rounds = 20 * factor();
    let mut rarely: Vec<Rule> = Vec::new();
    for (n, row) in RULES.iter().enumerate() {
        let mut n_proven = 0;
        for round in 0..rounds {
            let seed = (n as u64 + 1) << 40 | round;
            let (mut random, mut pool) = (Random::new(seed), TermPool::new());
            let names = random_names(&mut random, &mut pool);
            let what = format!("{:?}, seed {seed}", row.rule);
            n_proven += u64::from(is_same(&mut solver, &mut pool, row.before, &names, &what).is_some());
        }
        // Machines differ, and are busy: who is not proven in a short time gets a long one.
        let mut round = if n_proven * 4 < rounds { 0 } else { rounds };
        n_proven *= u64::from(round > 0);
        while n_proven * 4 < rounds && round < rounds {
            let seed = (n as u64 + 1) << 40 | round;
            let (mut random, mut pool) = (Random::new(seed), TermPool::new());
            let names = random_names(&mut random, &mut pool);
            let what = format!("{:?}, seed {seed}", row.rule);
            n_proven += u64::from(is_same(&mut patient, &mut pool, row.before, &names, &what).is_some());
            round += 1;
        }
        if n_proven * 4 < rounds {
            rarely.push(row.rule);
        }
    }
    let stats = solver.stats();
    eprintln!("{} rules, {rounds} seeds each: {} proven, {} too hard", RULES.len(), stats.unsat, stats.unknown);
    assert_eq!(rarely, BITS_OF_NAN);
}
