//! Variables with domains in queries of any form, and the constraints that SMT receives for them.

use tine_expr::testing::Random;
use tine_expr::{Answer, Assignment, Domain, Query, Solver, TermId, TermPool};

use super::shrink::Witness;
use super::{Fuzz, wrong};
use crate::{Options, TierName, chain, plain};

/// Four pointers, then four flags.
const VALUES: [u128; 5] = [0, 0x1000, 0x1010, 0x2000, 0x2003];

fn domains() -> Vec<Domain> {
    let pointer = |k: u32| Domain { input: k, offset: 0, width: 64, values: VALUES[..2 + k as usize].to_vec() };
    let flag = |k: u32| Domain { input: 4, offset: k, width: 8, values: vec![0, 1] };
    (0..4).map(pointer).chain((0..4).map(flag)).collect()
}

fn holds(domains: &[Domain], hint: &Assignment, changes: &[tine_expr::InputByte]) -> bool {
    let mut model = hint.clone();
    model.overlay(changes);
    domains.iter().all(|domain| domain.holds(&model))
}

/// Conditions of every kind on the variables of `domains`.
fn condition(pool: &mut TermPool, random: &mut Random) -> TermId {
    let pointer = |pool: &mut TermPool, random: &mut Random| pool.input(random.below(4) as u32, 0, 64);
    let flag = |pool: &mut TermPool, random: &mut Random| pool.input(4, random.below(4) as u32, 8);
    let (p, q) = (pointer(pool, random), pointer(pool, random));
    let k = pool.constant(64, random.pick(&VALUES));
    match random.below(8) {
        0 => pool.ult(p, q),
        1 => {
            // A single byte of the pointer.
            let (byte, k) = (pool.input(random.below(4) as u32, random.below(2) as u32, 8), pool.constant(8, 0x10));
            pool.ult(byte, k)
        }
        2 => {
            let (seven, zero) = (pool.constant(64, 7), pool.constant(64, 0));
            let low = pool.and(p, seven);
            pool.eq(low, zero)
        }
        3 => {
            let flag = flag(pool, random);
            let chosen = pool.extract(flag, 0, 1);
            let r = pool.ite(chosen, p, q);
            pool.eq(r, k)
        }
        4 => {
            let (a, b, two) = (flag(pool, random), flag(pool, random), pool.constant(8, 2));
            let sum = pool.add(a, b);
            pool.eq(sum, two)
        }
        5 => {
            let sum = pool.add(p, q);
            pool.ult(k, sum)
        }
        6 => pool.eq(p, q),
        _ => pool.eq(p, k),
    }
}

/// True if one of the 2 · 3 · 4 · 5 · 2⁴ inputs satisfies all terms.
fn exhaustive(pool: &TermPool, terms: &[TermId], domains: &[Domain]) -> bool {
    let n: usize = domains.iter().map(|domain| domain.values.len()).product();
    let mut evaluator = tine_expr::Evaluator::new();
    (0..n).any(|mut number| {
        let mut input = Assignment::new();
        for domain in domains {
            let value = domain.values[number % domain.values.len()];
            input.write(domain.input, domain.offset, domain.width, value);
            number /= domain.values.len();
        }
        let mut evaluation = evaluator.with(pool, &input);
        terms.iter().all(|&term| evaluation.holds(term))
    })
}

#[test]
fn mixed_paths_respect_domains() {
    let domains = domains();
    let (mut whole, mut smt) = (chain(&Options::default()).unwrap(), plain(&Options::default()).unwrap());
    let (mut n_sat, mut n_unsat) = (0, 0);
    for seed in Fuzz::new("domains", 4_000_000, 150) {
        let mut random = Random::new(seed);
        let mut pool = TermPool::new();
        let mut hint = Assignment::new();
        for domain in &domains {
            hint.write(domain.input, domain.offset, domain.width, random.pick(&domain.values));
        }
        let mut path = Vec::new();
        let mut witness = Witness::new(seed);
        for _ in 0..8 {
            let condition = condition(&mut pool, &mut random);
            let negated = pool.not(condition);
            let taken = tine_expr::eval(&pool, condition, &hint) != 0;
            let (constraint, goal) = if taken { (condition, negated) } else { (negated, condition) };
            let query = Query { constraints: &path, goal, hint: &hint, domains: &domains };
            witness.check(&mut pool, &query, &mut |pool, query| {
                let terms: Vec<TermId> = query.constraints.iter().copied().chain([query.goal]).collect();
                let expected = exhaustive(pool, &terms, query.domains);
                *(if expected { &mut n_sat } else { &mut n_unsat }) += 1;
                let right = if expected { Answer::Sat(Vec::new()) } else { Answer::Unsat };
                [&mut whole, &mut smt].into_iter().find_map(|solver| {
                    let said = solver.check(pool, query);
                    match &said {
                        Answer::Sat(changes) if !holds(query.domains, query.hint, changes) => {
                            Some(format!("{changes:?} leave the domains"))
                        }
                        Answer::Unknown(reason) => Some(format!("unknown: {reason}")),
                        _ => wrong(&said, &right),
                    }
                })
            });
            path.push(constraint);
        }
    }
    assert!(n_sat > 300 && n_unsat > 200, "{n_sat} satisfiable, {n_unsat} not");
    assert_eq!(whole.stats().bad_models + smt.stats().bad_models, 0);
}

/// The slice for a part of a variable contains the constraints on its other parts.
#[test]
fn parts_of_a_variable_are_solved_together() {
    let mut pool = TermPool::new();
    let domains = [Domain { input: 0, offset: 0, width: 64, values: vec![0x1010, 0x2020, 0x1020] }];
    let mut hint = Assignment::new();
    hint.write(0, 0, 64, 0x1010);
    let byte = |pool: &mut TermPool, offset, value| {
        let (byte, value) = (pool.input(0, offset, 8), pool.constant(8, value));
        pool.eq(byte, value)
    };
    let high = byte(&mut pool, 1, 0x10);
    let goal = byte(&mut pool, 0, 0x20);
    let mut solver = chain(&Options::default()).unwrap();
    let query = Query { constraints: &[high], goal, hint: &hint, domains: &domains };
    let Answer::Sat(changes) = solver.check(&mut pool, &query) else { panic!("0x1020 is there") };
    assert!(holds(&domains, &hint, &changes) && changes.len() == 1, "{changes:?}");
    let goal = byte(&mut pool, 0, 0x30);
    let query = Query { constraints: &[high], goal, hint: &hint, domains: &domains };
    assert_eq!(solver.check(&mut pool, &query), Answer::Unsat);
}

/// The same terms with other domains are a different query.
#[test]
fn answers_are_remembered_with_their_domains() {
    let mut pool = TermPool::new();
    let hint = Assignment::new();
    let (p, q) = (pool.input(0, 0, 64), pool.input(1, 0, 64));
    let goal = pool.ult(p, q);
    let mut solver = chain(&Options { without: vec![TierName::Differences], ..Options::default() }).unwrap();
    for (values, expected) in [(vec![0], false), (vec![0, 8], true), (vec![0], false), (vec![0, 16], true)] {
        let domain = |input| Domain { input, offset: 0, width: 64, values: values.clone() };
        let domains = [domain(0), domain(1)];
        let query = Query { constraints: &[], goal, hint: &hint, domains: &domains };
        match solver.check(&mut pool, &query) {
            Answer::Sat(changes) => assert!(expected && holds(&domains, &hint, &changes), "{values:?}: {changes:?}"),
            answer => assert!(!expected && answer == Answer::Unsat, "{values:?}: {answer:?}"),
        }
    }
    let remembered = solver.stats().tiers.iter().find(|tier| tier.name == "cache").map(|tier| tier.answered);
    assert_eq!(remembered, Some(1));
}
