//! Table-driven scanners: queries along their paths are answered before SMT.

use tine_expr::testing::Random;
use tine_expr::{Answer, Query, Solver, TermId, TermPool};

use super::generate::{Machine, hint, path};
use crate::stats::Stats;
use crate::{Chain, Options, TierName, chain};

const N_BYTES: u32 = 24;
const N_STATES: u8 = 12;

fn without(tiers: &[TierName]) -> Chain {
    chain(&Options { timeout_ms: 20, without: tiers.to_vec(), ..Options::default() }).unwrap()
}

/// Solves for every state after each byte, with fixed earlier states, as `switch (state)` does.
fn ask_along_a_path(mut chain: Chain, n_seeds: u64) -> Stats {
    for seed in 0..n_seeds {
        let (mut random, mut pool) = (Random::new(seed), TermPool::new());
        let machine = Machine::random(&mut random, N_STATES, 9);
        let bytes: Vec<TermId> = (0..N_BYTES).map(|k| pool.input(0, k, 8)).collect();
        let states = machine.states(&mut pool, &bytes);
        let hint = hint(&mut random, 1, N_BYTES);
        let mut before = Vec::new();
        for state in states {
            // The path depends on the kind of state, so several states follow the same path.
            let (limit, n) = (pool.constant(8, 4), pool.constant(8, u128::from(N_STATES)));
            let conditions = [pool.ult(state, limit), pool.ult(state, n)];
            for k in [0, N_STATES - 1] {
                let k = pool.constant(8, u128::from(k));
                let goal = pool.eq(state, k);
                let query = Query { constraints: &before, goal, hint: &hint, domains: &[] };
                chain.check(&mut pool, &query);
            }
            for (taken, other) in path(&mut pool, &conditions, &hint) {
                if !pool.support(other).is_empty() {
                    let query = Query { constraints: &before, goal: other, hint: &hint, domains: &[] };
                    chain.check(&mut pool, &query);
                    before.push(taken);
                }
            }
        }
    }
    chain.stats()
}

fn answered(stats: &Stats, name: &str) -> u64 {
    stats.tiers.iter().filter(|tier| tier.name == name).map(|tier| tier.answered).sum()
}

#[test]
fn no_question_of_a_scanner_reaches_smt() {
    let stats = ask_along_a_path(without(&[]), 10);
    assert_eq!((stats.unknown, stats.bad_models, answered(&stats, "bitwuzla")), (0, 0, 0), "{stats:?}");
    assert!(stats.queries > 500 && stats.sat > 100 && stats.unsat > 100, "{stats:?}");
    assert!(answered(&stats, "bytes") > 10 && answered(&stats, "values") > 200, "{stats:?}");
}

/// Shows that the test above can fail.
#[test]
fn without_values_scanners_reach_smt() {
    let stats = ask_along_a_path(without(&[TierName::Values]), 1);
    assert!(answered(&stats, "bitwuzla") > 10, "{stats:?}");
}

/// Proving that no string reaches a state requires 256^24 strings if they are tried one by one. If repeated states are
/// not tried again, it requires 24 times all pairs of state and class.
#[test]
fn states_that_come_again_are_not_tried_again() {
    let mut pool = TermPool::new();
    // Counts digits modulo 8, so state 8 is not reached.
    let next = (0..9u8).flat_map(|state| [state, if state == 7 { 0 } else { (state + 1).min(8) }]).collect();
    let classes = (0..=u8::MAX).map(|c| u8::from(c.is_ascii_digit())).collect();
    let bytes: Vec<TermId> = (0..N_BYTES).map(|k| pool.input(0, k, 8)).collect();
    let states = Machine { classes, n_classes: 2, next }.states(&mut pool, &bytes);
    let hint = tine_expr::Assignment::new();
    let others = TierName::ALL.iter().copied().filter(|&tier| tier != TierName::Values && tier != TierName::Rewrite);
    let mut chain = without(&others.collect::<Vec<_>>());
    for (state, is_reached) in [(8, false), (7, true)] {
        let (last, state) = (states[states.len() - 1], pool.constant(8, state));
        let goal = pool.eq(last, state);
        let query = Query { constraints: &[], goal, hint: &hint, domains: &[] };
        assert_eq!(matches!(chain.check(&mut pool, &query), Answer::Sat(_)), is_reached);
    }
    assert_eq!(answered(&chain.stats(), "values"), 2, "{:?}", chain.stats());
}
