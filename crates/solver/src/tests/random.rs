//! Random queries: both solvers, the whole chain, and trying every input give one answer.

use tine_expr::testing::{EVERYTHING, Random, SMALL, random_terms};
use tine_expr::text::{Names, print};
use tine_expr::{Answer, Assignment, Evaluator, Query, Solver, TermId, TermPool};

use super::{ask, solver};
use crate::{Backend, Chain, Options, TierName, chain};

/// One-bit terms, each raw and rewritten.
fn conditions(random: &mut Random, pool: &mut TermPool, shape: &tine_expr::testing::Shape) -> Vec<(TermId, TermId)> {
    let terms = random_terms(random, pool, shape);
    terms.into_iter().filter(|pair| pool.width(pair.0) == 1 && !pool.support(pair.0).is_empty()).collect()
}

/// Whether some input of two bytes makes all terms true.
fn exhaustive(evaluator: &mut Evaluator, pool: &TermPool, terms: &[TermId]) -> bool {
    (0..=u16::MAX).any(|input| {
        let assignment = Assignment::from_inputs(vec![input.to_le_bytes().to_vec()]);
        let mut evaluation = evaluator.with(pool, &assignment);
        terms.iter().all(|&term| evaluation.holds(term))
    })
}

fn is_sat(answer: &Answer, what: &str) -> bool {
    match answer {
        Answer::Sat(_) => true,
        Answer::Unsat => false,
        Answer::Unknown(reason) => panic!("{what}: {reason}"),
    }
}

fn against_exhaustive(backend: Backend, seeds: std::ops::Range<u64>) {
    let (mut solver, mut evaluator) = (solver(backend), Evaluator::new());
    for seed in seeds {
        let mut random = Random::new(seed);
        let mut pool = TermPool::new();
        let conditions = conditions(&mut random, &mut pool, &SMALL);
        for chunk in conditions.chunks(2) {
            let raw: Vec<TermId> = chunk.iter().map(|pair| pair.0).collect();
            let rewritten: Vec<TermId> = chunk.iter().map(|pair| pair.1).collect();
            for terms in [raw, rewritten] {
                let what = format!("seed {seed}: {}", text(&pool, &terms));
                let answer = ask(&mut solver, &mut pool, &terms);
                assert_eq!(is_sat(&answer, &what), exhaustive(&mut evaluator, &pool, &terms), "{what}");
            }
        }
    }
}

fn text(pool: &TermPool, terms: &[TermId]) -> String {
    terms.iter().map(|&term| print(pool, term, &Names::new())).collect::<Vec<_>>().join(" and ")
}

#[test]
fn bitwuzla_agrees_with_trying_every_input() {
    against_exhaustive(Backend::Bitwuzla, 0..60);
}

#[test]
fn z3_agrees_with_trying_every_input() {
    against_exhaustive(Backend::Z3, 60..90);
}

/// Integers and arrays of every width: the two solvers, and the chain on rewritten terms.
#[test]
fn solvers_and_chain_agree() {
    let shape = tine_expr::testing::Shape { n_terms: 20, floats: false, ..EVERYTHING };
    let limits = Options { timeout_ms: 2_000, ..Options::default() };
    let mut bitwuzla = crate::plain(&limits).unwrap();
    let mut z3 = crate::plain(&Options { backend: Backend::Z3, ..limits.clone() }).unwrap();
    let mut whole = chain(&limits).unwrap();
    for seed in 0..60 {
        let mut random = Random::new(1000 + seed);
        let mut pool = TermPool::new();
        let conditions = conditions(&mut random, &mut pool, &shape);
        for chunk in conditions.chunks(3) {
            let raw: Vec<TermId> = chunk.iter().map(|pair| pair.0).collect();
            let what = format!("seed {seed}: {}", text(&pool, &raw));
            let answers = [ask(&mut bitwuzla, &mut pool, &raw), ask(&mut z3, &mut pool, &raw)];
            agree(&answers, &what);
        }
        along_a_path(&mut whole, &mut bitwuzla, &mut pool, &conditions, &mut random, seed);
    }
    let stats = bitwuzla.stats();
    assert!(stats.sat > 50 && stats.unsat > 50 && stats.unknown < 10, "{stats:?}");
    assert_eq!(whole.stats().bad_models + bitwuzla.stats().bad_models + z3.stats().bad_models, 0);
}

/// As the engine asks: the path under a random input, then each of its conditions the other way.
fn along_a_path(
    whole: &mut Chain,
    plain: &mut Chain,
    pool: &mut TermPool,
    conditions: &[(TermId, TermId)],
    random: &mut Random,
    seed: u64,
) {
    let mut hint = Assignment::new();
    (0..32).for_each(|offset| hint.set(0, offset, random.interesting(8) as u8));
    let mut evaluator = Evaluator::new();
    let mut path: Vec<TermId> = Vec::new();
    for &(_, condition) in conditions {
        let taken = evaluator.with(pool, &hint).holds(condition);
        let negated = pool.not(condition);
        let (constraint, goal) = if taken { (condition, negated) } else { (negated, condition) };
        let what = format!("seed {seed}: {} then {}", text(pool, &path), text(pool, &[goal]));
        let query = Query { constraints: &path, goal, hint: &hint, domains: &[] };
        let answers = [whole.check(pool, &query), plain.check(pool, &query), whole.check(pool, &query)];
        agree(&answers, &what);
        path.push(constraint);
    }
}

/// No two answers contradict each other.
fn agree(answers: &[Answer], what: &str) {
    let sat = answers.iter().any(|answer| matches!(answer, Answer::Sat(_)));
    let unsat = answers.contains(&Answer::Unsat);
    assert!(!(sat && unsat), "{answers:?} for {what}");
    assert!(!answers.contains(&Answer::Unknown(tine_expr::Reason::BadModel)), "a bad model for {what}");
}

/// Each tier left out, all of them left out, and none: one answer.
#[test]
fn leaving_a_tier_out_changes_no_answer() {
    let shape = tine_expr::testing::Shape { n_terms: 20, ..SMALL };
    let limits = Options { timeout_ms: 2_000, ..Options::default() };
    let without = TierName::ALL.iter().map(|&tier| vec![tier]).chain([Vec::new(), TierName::ALL.to_vec()]);
    let mut chains: Vec<Chain> =
        without.map(|without| chain(&Options { without, ..limits.clone() }).unwrap()).collect();
    for seed in 2000..2100 {
        let mut random = Random::new(seed);
        let mut pool = TermPool::new();
        let conditions = conditions(&mut random, &mut pool, &shape);
        let hint = Assignment::from_inputs(vec![vec![random.next_u64() as u8, random.next_u64() as u8]]);
        let mut path: Vec<TermId> = Vec::new();
        for &(_, condition) in &conditions {
            let taken = Evaluator::new().with(&pool, &hint).holds(condition);
            let negated = pool.not(condition);
            let (constraint, goal) = if taken { (condition, negated) } else { (negated, condition) };
            let what = format!("seed {seed}: {} then {}", text(&pool, &path), text(&pool, &[goal]));
            let query = Query { constraints: &path, goal, hint: &hint, domains: &[] };
            let sat: Vec<bool> =
                chains.iter_mut().map(|chain| is_sat(&chain.check(&mut pool, &query), &what)).collect();
            assert!(sat.iter().all(|answer| *answer == sat[0]), "{sat:?} for {what}");
            path.push(constraint);
        }
    }
}
