//! Each tier compared with plain SMT: its answers are right, and it answers some queries.
//!
//! Cheap tiers are tested without a tier after them. Tiers that only change queries, and the cache, are tested with SMT
//! after them. `make fuzz-solver` tries more seeds.

use tine_expr::testing::{EVERYTHING, Random, SMALL, Shape};
use tine_expr::{Answer, Query, Reason, Solver, TermId, TermPool};

use super::generate::{addresses, characters, comparisons, hint, orders, path, random_conditions, scanners};
use super::shrink::Witness;
use super::{Fuzz, compare};
use crate::tier::bytes::{Bytes, SharedTables};
use crate::tier::cases::Cases;
use crate::tier::differences::Differences;
use crate::tier::direct::Direct;
use crate::tier::guess::Guess;
use crate::tier::ranges::Ranges;
use crate::tier::trivial::Trivial;
use crate::tier::unanswered::Unanswered;
use crate::tier::values::Values;
use crate::{Chain, Options, TierName, chain, plain};

fn options() -> Options {
    Options { timeout_ms: 1_000, ..Options::default() }
}

/// A chain of only this tier and SMT.
fn only(tier: TierName) -> Chain {
    let without = TierName::ALL.iter().copied().filter(|other| *other != tier).collect();
    chain(&Options { without, ..options() }).unwrap()
}

/// Solves queries along paths, as the engine does. Returns the number of queries that the tier answered, and the number
/// of all queries.
fn against_smt(mut alone: Chain, name: &'static str, first_seed: u64, n_seeds: u64) -> (u64, u64) {
    let mut smt = plain(&options()).unwrap();
    let wide = Shape { n_terms: 20, floats: false, ..EVERYTHING };
    for seed in Fuzz::new(name, first_seed, n_seeds) {
        let (mut random, mut pool) = (Random::new(seed), TermPool::new());
        let conditions = match seed % 8 {
            0 => random_conditions(&mut random, &mut pool, &SMALL),
            1 => random_conditions(&mut random, &mut pool, &wide),
            2 => characters(&mut random, &mut pool),
            3 => addresses(&mut random, &mut pool),
            4 => scanners(&mut random, &mut pool),
            5 => orders(&mut random, &mut pool),
            _ => comparisons(&mut random, &mut pool),
        };
        let hint = hint(&mut random, 3, 32);
        let mut witness = Witness::new(seed);
        let mut before: Vec<TermId> = Vec::new();
        for (constraint, goal) in path(&mut pool, &conditions, &hint) {
            let query = Query { constraints: &before, goal, hint: &hint, domains: &[] };
            witness.check(&mut pool, &query, &mut |pool, query| {
                let said = alone.check(pool, query);
                // There is nothing to compare for queries that it does not answer.
                let passes = said == Answer::Unknown(Reason::GaveUp);
                if passes { None } else { super::wrong(&said, &smt.check(pool, query)) }
            });
            before.push(constraint);
        }
    }
    let stats = alone.stats();
    let answered = stats.tiers.iter().filter(|tier| tier.name == name).map(|tier| tier.answered).sum();
    assert!(stats.bad_models == 0 && stats.queries > 1_000, "{stats:?}");
    (answered, stats.queries)
}

#[test]
fn ranges_are_right() {
    let tier = Chain::new(Box::new(Ranges::new(Box::new(Unanswered))));
    let (answered, of) = against_smt(tier, "ranges", 10_000_000, 1_000);
    assert!(answered * 10 > of, "{answered} of {of}");
}

#[test]
fn differences_are_right() {
    let tier = Chain::new(Box::new(Differences::new(Box::new(Unanswered))));
    let (answered, of) = against_smt(tier, "differences", 15_000_000, 1_000);
    assert!(answered * 20 > of, "{answered} of {of}");
}

#[test]
fn guesses_are_right() {
    let tier = Chain::new(Box::new(Guess::new(Box::new(Unanswered))));
    let (answered, of) = against_smt(tier, "guess", 20_000_000, 1_000);
    assert!(answered * 4 > of, "{answered} of {of}");
}

#[test]
fn tried_values_are_right() {
    let tier = Chain::new(Box::new(Values::new(Box::new(Unanswered), SharedTables::default())));
    let (answered, of) = against_smt(tier, "values", 40_000_000, 1_000);
    assert!(answered * 4 > of, "{answered} of {of}");
}

#[test]
fn sets_of_single_bytes_are_right() {
    let tier = Chain::new(Box::new(Bytes::new(Box::new(Unanswered), SharedTables::default())));
    let (answered, of) = against_smt(tier, "bytes", 45_000_000, 1_000);
    assert!(answered * 20 > of, "{answered} of {of}");
}

#[test]
fn cases_are_right() {
    let tier = Chain::new(Box::new(Cases::new(Box::new(Unanswered))));
    let (answered, of) = against_smt(tier, "cases", 50_000_000, 1_000);
    assert!(answered * 20 > of, "{answered} of {of}");
}

#[test]
fn what_is_trivial_is_right() {
    let tier = Chain::new(Box::new(Trivial::new(Box::new(Unanswered))));
    let (answered, _) = against_smt(tier, "trivial", 60_000_000, 1_000);
    assert!(answered > 20, "{answered}");
}

#[test]
fn what_is_said_directly_is_right() {
    let tier = Chain::new(Box::new(Direct::new(Box::new(Unanswered))));
    let (answered, _) = against_smt(tier, "direct", 80_000_000, 1_000);
    assert!(answered > 20, "{answered}");
}

/// Tiers that drop constraints, and the cache: every query is answered, and the answers are the same as without the
/// tier.
#[test]
fn what_is_left_out_does_not_matter() {
    for (k, tier) in [TierName::Slice, TierName::Common, TierName::Cache].into_iter().enumerate() {
        let chain = only(tier);
        against_smt(chain, tier.name(), 90_000_000 + 1_000_000 * k as u64, 200);
    }
}

#[test]
fn the_whole_chain_is_right() {
    against_smt(chain(&options()).unwrap(), "bitwuzla", 95_000_000, 300);
}

/// The cache with SMT after it, with the same goals under more and fewer constraints and different hints.
#[test]
fn remembered_answers_are_right() {
    let mut cached = only(TierName::Cache);
    let mut smt = plain(&options()).unwrap();
    for seed in Fuzz::new("cache", 30_000_000, 200) {
        let (mut random, mut pool) = (Random::new(seed), TermPool::new());
        let conditions = comparisons(&mut random, &mut pool);
        let mut witness = Witness::new(seed);
        for _ in 0..4 {
            let hint = hint(&mut random, 3, 8);
            // Conditions as they hold under this hint.
            let holds: Vec<TermId> = path(&mut pool, &conditions, &hint).into_iter().map(|(taken, _)| taken).collect();
            for _ in 0..6 {
                let goal = random.pick(&holds);
                let constraints: Vec<TermId> =
                    holds.iter().copied().filter(|&id| id != goal && random.below(3) > 0).collect();
                let goal = pool.not(goal);
                let query = Query { constraints: &constraints, goal, hint: &hint, domains: &[] };
                witness.check(&mut pool, &query, &mut |pool, query| compare(&mut cached, &mut smt, pool, query));
            }
        }
    }
    let stats = cached.stats();
    let exact = 2 * stats.queries / 10;
    assert!(stats.queries > 1_000 && stats.bad_models == 0 && stats.tiers[0].answered > exact, "{stats:?}");
}
