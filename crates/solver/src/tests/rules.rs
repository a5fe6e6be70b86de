//! Verification of the rewriting rules by SMT: no input distinguishes the terms before and after a rule.
//!
//! `make fuzz-solver` tries more terms.

use rustc_hash::FxHashMap;
use tine_expr::rewrite::rules::{RULES, Row, Rule, names, observed};
use tine_expr::testing::{Random, random_names};
use tine_expr::text::{Names, parse_raw, print};
use tine_expr::{Answer, Assignment, Kind, Query, TermId, TermPool};
use tine_trace::op::Op;

use super::shrink::Witness;
use super::{Fuzz, ask};
use crate::{Chain, Options, plain};

/// Rules that keep the bits of a NaN. SMT has only one NaN, so evaluation refutes its models for these rules.
const BITS_OF_NAN: [Rule; 1] = [Rule::FToFSame];

/// Searches for an input that distinguishes the goal of the query, which need not be a bit, from its rewritten form.
/// Stores the solver's answer in `answer`.
fn differs(solver: &mut Chain, pool: &mut TermPool, query: &Query<'_>, answer: &mut Option<Answer>) -> Option<String> {
    let after = rewritten(pool, query.goal, &mut FxHashMap::default());
    let shown = print(pool, after, &Names::new());
    let (raw, rewritten) = (observed(pool, query.goal), observed(pool, after));
    let equal = pool.apply_raw(Op::Eq, 1, &[raw, rewritten], 0).unwrap();
    let differ = pool.apply_raw(Op::Not, 1, &[equal], 0).unwrap();
    let said = answer.insert(ask(solver, pool, &[differ]));
    match said {
        Answer::Sat(model) => Some(format!("is not {shown} under {model:?}")),
        Answer::Unsat | Answer::Unknown(_) => None,
    }
}

/// Rebuilds the term and its operands with rules.
fn rewritten(pool: &mut TermPool, id: TermId, known: &mut FxHashMap<TermId, TermId>) -> TermId {
    if let Some(&known) = known.get(&id) {
        return known;
    }
    let term = pool.term(id);
    let operands: Vec<TermId> = term.operands().map(|operand| rewritten(pool, operand, known)).collect();
    let built = match term.kind() {
        Kind::Op(Op::Const | Op::Input) | Kind::Table => id,
        Kind::Op(op) => pool.apply(op, term.width(), &operands, term.immediate()),
        Kind::Select => pool.select(operands[0], operands[1], term.width()),
        Kind::Store => pool.store(operands[0], operands[1], operands[2]),
    };
    known.insert(id, built);
    built
}

/// True if a rule's example is proven equal to its rewritten form. Panics with the smallest term if they differ.
fn is_proven(solver: &mut Chain, pool: &mut TermPool, row: &Row, names: &Names, seed: u64) -> bool {
    let goal = parse_raw(pool, row.before, names).unwrap();
    let (hint, mut answer) = (Assignment::new(), None);
    let query = Query { constraints: &[], goal, hint: &hint, domains: &[] };
    let mut compare = |pool: &mut TermPool, query: &Query<'_>| {
        Some(format!("{:?}: {}", row.rule, differs(solver, pool, query, &mut answer)?))
    };
    Witness::new(seed).check(pool, &query, &mut compare);
    answer == Some(Answer::Unsat)
}

#[test]
fn every_example_is_proven() {
    let mut solver = plain(&Options::default()).unwrap();
    for row in RULES {
        let mut pool = TermPool::new();
        let names = names(&mut pool);
        let proven = is_proven(&mut solver, &mut pool, row, &names, 0);
        assert_eq!(proven, !BITS_OF_NAN.contains(&row.rule), "{:?}", row.rule);
    }
}

/// Terms that are hard to compare are left to the tests of `expr`, which evaluate them. Most terms are proven.
#[test]
fn every_rule_is_proven_on_random_terms() {
    let mut solver = plain(&Options { timeout_ms: 200, ..Options::default() }).unwrap();
    let mut patient = plain(&Options { timeout_ms: 5_000, ..Options::default() }).unwrap();
    let proven = |solver: &mut Chain, n: usize, seed: u64| {
        let (mut random, mut pool) = (Random::new(seed ^ (n as u64 + 1) << 40), TermPool::new());
        let names = random_names(&mut random, &mut pool);
        u64::from(is_proven(solver, &mut pool, &RULES[n], &names, seed))
    };
    let mut n_proven = vec![0; RULES.len()];
    let mut seeds = Vec::new();
    for seed in Fuzz::new("rules", 6_000_000, 20) {
        (0..RULES.len()).for_each(|n| n_proven[n] += proven(&mut solver, n, seed));
        seeds.push(seed);
    }
    let stats = solver.stats();
    eprintln!("{} rules, {} seeds each: {} proven, {} too hard", RULES.len(), seeds.len(), stats.unsat, stats.unknown);
    // Machines differ in speed and load: rules that are not proven in a short time get a longer one.
    let enough = |n_proven: u64, of: usize| n_proven * 4 >= of as u64;
    let mut rarely: Vec<Rule> = Vec::new();
    for n in (0..RULES.len()).filter(|&n| !enough(n_proven[n], seeds.len())) {
        let tried = &seeds[..seeds.len().min(20)];
        let n_proven = tried.iter().map(|&seed| proven(&mut patient, n, seed)).sum();
        if !enough(n_proven, tried.len()) {
            rarely.push(RULES[n].rule);
        }
    }
    assert_eq!(rarely, BITS_OF_NAN);
}
