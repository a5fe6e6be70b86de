//! Random queries: both solvers, the whole chain and exhaustive search give the same answer.

use tine_expr::testing::{EVERYTHING, Random, SMALL, Shape, random_terms};
use tine_expr::{Answer, Assignment, Evaluator, Query, Solver, TermId, TermPool};

use super::generate::{hint, path};
use super::shrink::Witness;
use super::{Fuzz, compare, solver, wrong};
use crate::{Backend, Chain, Options, TierName, chain, plain};

/// One-bit terms, each raw and rewritten.
fn conditions(random: &mut Random, pool: &mut TermPool, shape: &Shape) -> Vec<(TermId, TermId)> {
    let terms = random_terms(random, pool, shape);
    terms.into_iter().filter(|pair| pool.width(pair.0) == 1 && !pool.support(pair.0).is_empty()).collect()
}

/// True if some input of two bytes makes all terms true.
fn exhaustive(evaluator: &mut Evaluator, pool: &TermPool, query: &Query<'_>) -> bool {
    (0..=u16::MAX).any(|input| {
        let assignment = Assignment::from_inputs(vec![input.to_le_bytes().to_vec()]);
        let mut evaluation = evaluator.with(pool, &assignment);
        query.constraints.iter().chain([&query.goal]).all(|&term| evaluation.holds(term))
    })
}

/// The answer must be that of exhaustive search, or unknown.
fn against_exhaustive(name: &'static str, backend: Backend, first_seed: u64, n_seeds: u64) {
    let (mut solver, mut evaluator) = (solver(backend), Evaluator::new());
    for seed in Fuzz::new(name, first_seed, n_seeds) {
        let (mut random, mut pool) = (Random::new(seed), TermPool::new());
        let conditions = conditions(&mut random, &mut pool, &SMALL);
        let mut witness = Witness::new(seed);
        for chunk in conditions.chunks(2) {
            let raw: Vec<TermId> = chunk.iter().map(|pair| pair.0).collect();
            let rewritten: Vec<TermId> = chunk.iter().map(|pair| pair.1).collect();
            for terms in [raw, rewritten] {
                let (&goal, constraints) = terms.split_last().unwrap();
                let query = Query { constraints, goal, hint: &Assignment::new(), domains: &[] };
                witness.check(&mut pool, &query, &mut |pool, query| {
                    let said = solver.check(pool, query);
                    let is_sat = exhaustive(&mut evaluator, pool, query);
                    wrong(&said, &if is_sat { Answer::Sat(Vec::new()) } else { Answer::Unsat })
                });
            }
        }
    }
    assert_eq!(solver.stats().unknown, 0, "{name}");
}

#[test]
fn bitwuzla_agrees_with_trying_every_input() {
    against_exhaustive("Bitwuzla", Backend::Bitwuzla, 0, 60);
}

#[test]
fn z3_agrees_with_trying_every_input() {
    against_exhaustive("Z3", Backend::Z3, 1_000_000, 30);
}

fn limits() -> Options {
    Options { timeout_ms: 2_000, ..Options::default() }
}

/// Integers and arrays of every width: both solvers, and the chain on rewritten terms.
#[test]
fn solvers_and_chain_agree() {
    let shape = Shape { n_terms: 20, floats: false, ..EVERYTHING };
    let mut bitwuzla = plain(&limits()).unwrap();
    let mut z3 = plain(&Options { backend: Backend::Z3, ..limits() }).unwrap();
    let mut whole = chain(&limits()).unwrap();
    for seed in Fuzz::new("solvers and chain", 2_000_000, 60) {
        let (mut random, mut pool) = (Random::new(seed), TermPool::new());
        let conditions = conditions(&mut random, &mut pool, &shape);
        let mut witness = Witness::new(seed);
        for chunk in conditions.chunks(3) {
            let raw: Vec<TermId> = chunk.iter().map(|pair| pair.0).collect();
            let (&goal, constraints) = raw.split_last().unwrap();
            let query = Query { constraints, goal, hint: &Assignment::new(), domains: &[] };
            witness.check(&mut pool, &query, &mut |pool, query| compare(&mut z3, &mut bitwuzla, pool, query));
        }
        // Queries as in the engine, and again with remembered answers.
        let hint = hint(&mut random, 1, 32);
        let rewritten: Vec<TermId> = conditions.iter().map(|pair| pair.1).collect();
        let (mut witness, mut before) = (Witness::new(seed), Vec::new());
        for (constraint, goal) in path(&mut pool, &rewritten, &hint) {
            let query = Query { constraints: &before, goal, hint: &hint, domains: &[] };
            for _ in 0..2 {
                witness.check(&mut pool, &query, &mut |pool, query| compare(&mut whole, &mut bitwuzla, pool, query));
            }
            before.push(constraint);
        }
    }
    let stats = bitwuzla.stats();
    assert!(stats.sat > 50 && stats.unsat > 50 && stats.unknown * 20 < stats.queries, "{stats:?}");
    assert_eq!(whole.stats().bad_models + bitwuzla.stats().bad_models + z3.stats().bad_models, 0);
}

/// All answers are the same with each tier disabled, with all tiers disabled, and with none disabled.
#[test]
fn leaving_a_tier_out_changes_no_answer() {
    let shape = Shape { n_terms: 20, ..SMALL };
    let without = TierName::ALL.iter().map(|&tier| vec![tier]).chain([TierName::ALL.to_vec()]);
    let mut chains: Vec<(String, Chain)> = without
        .map(|without| {
            let names: Vec<&str> = without.iter().map(|tier| tier.name()).collect();
            (names.join(", "), chain(&Options { without, ..limits() }).unwrap())
        })
        .collect();
    let mut whole = chain(&limits()).unwrap();
    for seed in Fuzz::new("leaving a tier out", 3_000_000, 100) {
        let (mut random, mut pool) = (Random::new(seed), TermPool::new());
        let rewritten: Vec<TermId> = conditions(&mut random, &mut pool, &shape).iter().map(|pair| pair.1).collect();
        let hint = Assignment::from_inputs(vec![vec![random.next_u64() as u8, random.next_u64() as u8]]);
        let (mut witness, mut before) = (Witness::new(seed), Vec::new());
        for (constraint, goal) in path(&mut pool, &rewritten, &hint) {
            let query = Query { constraints: &before, goal, hint: &hint, domains: &[] };
            witness.check(&mut pool, &query, &mut |pool, query| {
                let right = whole.check(pool, query);
                chains.iter_mut().find_map(|(names, chain)| {
                    Some(format!("{} with all tiers, without {names}", wrong(&chain.check(pool, query), &right)?))
                })
            });
            before.push(constraint);
        }
    }
    assert_eq!(whole.stats().unknown, 0);
}
