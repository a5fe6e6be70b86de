//! Answers of each tier, and reuse of models by the chain.

use tine_expr::{Answer, Assignment, InputByte, Query, Solver, TermId, TermPool};

use crate::{Chain, Options, TierName, chain};

/// Tiers that answered at least one query.
fn answered(chain: &Chain) -> Vec<(&'static str, u64)> {
    chain.stats().tiers.iter().map(|tier| (tier.name, tier.answered)).filter(|(_, n)| *n > 0).collect()
}

fn answered_by(chain: &Chain, name: &str) -> u64 {
    answered(chain).into_iter().find(|(tier, _)| *tier == name).map_or(0, |(_, n)| n)
}

/// `input k < 10`, for four one-byte inputs.
fn small(pool: &mut TermPool) -> Vec<TermId> {
    let ten = pool.constant(8, 10);
    (0..4)
        .map(|k| {
            let byte = pool.input(k, 0, 8);
            pool.ult(byte, ten)
        })
        .collect()
}

#[test]
fn each_tier_answers_what_it_can() {
    let mut pool = TermPool::new();
    let constraints = small(&mut pool);
    let hint = Assignment::new();
    let mut chain = chain(&Options::default()).unwrap();

    let never = pool.bit(false);
    let query = Query { constraints: &constraints, goal: never, hint: &hint, domains: &[] };
    assert_eq!(chain.check(&mut pool, &query), Answer::Unsat);
    assert_eq!(answered(&chain), [("trivial", 1)]);

    let negated = pool.not(constraints[2]);
    let query = Query { constraints: &constraints, goal: negated, hint: &hint, domains: &[] };
    assert_eq!(chain.check(&mut pool, &query), Answer::Unsat);
    assert_eq!(answered(&chain), [("trivial", 2)]);

    let query = Query { constraints: &constraints[1..], goal: constraints[0], hint: &hint, domains: &[] };
    assert_eq!(chain.check(&mut pool, &query), Answer::Sat(vec![]));
    assert_eq!(answered(&chain), [("trivial", 3)]);

    let (byte, seven) = (pool.input(1, 0, 8), pool.constant(8, 7));
    let goal = pool.eq(byte, seven);
    let expected = Answer::Sat(vec![InputByte { input: 1, offset: 0, value: 7 }]);
    let query = Query { constraints: &constraints, goal, hint: &hint, domains: &[] };
    assert_eq!(chain.check(&mut pool, &query), expected);
    assert_eq!(answered_by(&chain, "direct"), 1);

    let eight = pool.constant(8, 8);
    let goal = pool.ult(eight, byte);
    let expected = Answer::Sat(vec![InputByte { input: 1, offset: 0, value: 9 }]);
    let query = Query { constraints: &constraints, goal, hint: &hint, domains: &[] };
    assert_eq!(chain.check(&mut pool, &query), expected);
    assert_eq!(answered_by(&chain, "bytes"), 1);

    let (word, eight) = (pool.input(2, 0, 16), pool.constant(16, 8));
    let goal = pool.ult(eight, word);
    let expected = Answer::Sat(vec![InputByte { input: 2, offset: 0, value: 9 }]);
    let query = Query { constraints: &constraints, goal, hint: &hint, domains: &[] };
    assert_eq!(chain.check(&mut pool, &query), expected);
    assert_eq!(answered(&chain), [("trivial", 3), ("direct", 1), ("bytes", 1), ("guess", 1)]);

    // Fewer constraints, the same slice.
    let query = Query { constraints: &constraints[..2], goal, hint: &hint, domains: &[] };
    assert_eq!(chain.check(&mut pool, &query), expected);
    assert_eq!(answered_by(&chain, "cache"), 1);

    let stats = chain.stats();
    assert_eq!((stats.queries, stats.sat, stats.unsat, stats.unknown, stats.bad_models), (7, 5, 2, 0, 0));
}

#[test]
fn cached_models_serve_other_hints() {
    let mut pool = TermPool::new();
    let (x, y) = (pool.input(0, 0, 8), pool.input(0, 1, 8));
    let goal = pool.ult(x, y);
    let mut chain = chain(&Options { without: vec![TierName::Differences], ..Options::default() }).unwrap();
    for (a, b) in [(0, 0), (9, 9), (255, 0), (255, 255)] {
        let hint = Assignment::from_inputs(vec![vec![a, b]]);
        let Answer::Sat(changes) = chain.check(&mut pool, &Query { constraints: &[], goal, hint: &hint, domains: &[] })
        else {
            panic!("x < y is satisfiable")
        };
        let mut model = hint.clone();
        model.overlay(&changes);
        assert!(model.get(0, 0) < model.get(0, 1));
    }
    assert_eq!(answered_by(&chain, "cache"), 3);
}

/// The goal on a word decides its bytes, but not the bytes after it.
#[test]
fn a_goal_that_says_its_answer_needs_no_solver() {
    let mut pool = TermPool::new();
    let (word, low, next) = (pool.input(0, 0, 32), pool.input(0, 0, 8), pool.input(0, 4, 8));
    let (five, ten, k) = (pool.constant(8, 5), pool.constant(8, 10), pool.constant(32, 0x0107));
    let (low_small, sum) = (pool.ult(low, ten), pool.add(low, next));
    let sum_small = pool.ult(sum, five);
    let word_is = pool.eq(word, k);
    let low_is = pool.eq(low, ten);
    let hint = Assignment::new();
    let byte = |offset, value| InputByte { input: 0, offset, value };
    let check = |pool: &mut TermPool, constraints: &[TermId], goal| {
        let mut chain = chain(&Options::default()).unwrap();
        let answer = chain.check(pool, &Query { constraints, goal, hint: &hint, domains: &[] });
        (answer, answered_by(&chain, "direct"))
    };
    assert_eq!(check(&mut pool, &[low_small], word_is), (Answer::Sat(vec![byte(0, 7), byte(1, 1)]), 1));
    assert_eq!(check(&mut pool, &[low_small], low_is), (Answer::Unsat, 1));
    // 7 + next < 5 still has to be solved for the other byte.
    let (answer, direct) = check(&mut pool, &[sum_small], word_is);
    assert!(matches!(answer, Answer::Sat(_)), "{answer:?}");
    assert_eq!(direct, 0);
}

#[test]
fn bytes_outside_the_slice_keep_their_value() {
    let mut pool = TermPool::new();
    let constraints = small(&mut pool);
    let hint = Assignment::from_inputs(vec![vec![1], vec![2], vec![3], vec![4]]);
    let (byte, nine) = (pool.input(2, 0, 8), pool.constant(8, 9));
    let goal = pool.eq(byte, nine);
    let mut chain = chain(&Options::default()).unwrap();
    let answer = chain.check(&mut pool, &Query { constraints: &constraints, goal, hint: &hint, domains: &[] });
    assert_eq!(answer, Answer::Sat(vec![InputByte { input: 2, offset: 0, value: 9 }]));
}

/// Constraints must hold under the hint. If they do not, the chain rejects a model that violates them.
#[test]
fn a_model_that_fails_on_the_path_is_refused() {
    let mut pool = TermPool::new();
    let constraints = small(&mut pool);
    let hint = Assignment::from_inputs(vec![vec![200]]);
    let (byte, nine) = (pool.input(2, 0, 8), pool.constant(8, 9));
    let goal = pool.eq(byte, nine);
    let mut chain = chain(&Options::default()).unwrap();
    let answer = chain.check(&mut pool, &Query { constraints: &constraints, goal, hint: &hint, domains: &[] });
    assert_eq!(answer, Answer::Unknown(tine_expr::Reason::BadModel));
    assert_eq!(chain.stats().bad_models, 1);
}

/// A superset of infeasible conditions, and an earlier model that holds.
#[test]
fn the_cache_knows_what_is_nearly_the_same() {
    let mut pool = TermPool::new();
    let (x, y, ten) = (pool.input(0, 0, 32), pool.input(0, 4, 32), pool.constant(32, 10));
    let product = pool.mul(x, y);
    let square = pool.mul(x, x);
    let (thousand, two) = (pool.constant(32, 391), pool.constant(32, 2));
    let (x_small, y_small) = (pool.ult(x, ten), pool.ult(y, ten));
    let (reached, never) = (pool.eq(product, thousand), pool.eq(square, two));
    let without = TierName::ALL.iter().copied().filter(|tier| *tier != TierName::Cache).collect();
    let mut chain = chain(&Options { without, ..Options::default() }).unwrap();
    let hint = Assignment::new();
    let mut check = |constraints: &[TermId], goal| {
        let answer = chain.check(&mut pool, &Query { constraints, goal, hint: &hint, domains: &[] });
        (matches!(answer, Answer::Sat(_)), answered_by(&chain, "cache"))
    };
    assert_eq!(check(&[x_small], never), (false, 0));
    assert_eq!(check(&[x_small, y_small], never), (false, 1));
    // The first query is infeasible without its constraint, because its core is the goal.
    assert_eq!(check(&[y_small], never), (false, 2));
    assert_eq!(check(&[x_small], reached), (true, 2));
    assert_eq!(check(&[], reached), (true, 3));
    // The earlier model does not hold here.
    assert_eq!(check(&[x_small, y_small], reached), (false, 3));
}

/// Subsets of feasible conditions, with any of them as goal, and with any hint.
#[test]
fn the_cache_knows_parts_of_what_can_hold() {
    let mut pool = TermPool::new();
    let [x, y, z] = [0, 4, 8].map(|offset| pool.input(0, offset, 32));
    let (product, sum) = (pool.mul(x, y), pool.add(y, z));
    let [k, n, m] = [391, 50, 5].map(|k| pool.constant(32, k));
    let [a, b, c, d] = [pool.eq(product, k), pool.ult(x, n), pool.eq(sum, n), pool.ult(m, y)];
    let without = TierName::ALL.iter().copied().filter(|tier| *tier != TierName::Cache).collect();
    let mut chain = chain(&Options { without, ..Options::default() }).unwrap();
    let mut check = |constraints: &[TermId], goal, hint: &Assignment| {
        let answer = chain.check(&mut pool, &Query { constraints, goal, hint, domains: &[] });
        (matches!(answer, Answer::Sat(_)), answered_by(&chain, "cache"), chain.stats().bad_models)
    };
    let (zeros, others) = (Assignment::new(), Assignment::from_inputs(vec![vec![9; 12]]));
    assert_eq!(check(&[a, b, c], d, &zeros), (true, 0, 0));
    // Each of the conditions was a constraint, and none was the goal.
    let parts: [(&[TermId], TermId); 5] = [(&[a, b], c), (&[b, c], a), (&[d, c], b), (&[], a), (&[c], b)];
    for (n, (constraints, goal)) in parts.into_iter().enumerate() {
        let hint = if n % 2 == 0 { &zeros } else { &others };
        assert_eq!(check(constraints, goal, hint), (true, n as u64 + 1, 0), "{n}");
    }
    // A condition that was not in the set.
    let not_b = pool.not(b);
    let answer = chain.check(&mut pool, &Query { constraints: &[not_b], goal: c, hint: &others, domains: &[] });
    assert!(matches!(answer, Answer::Sat(_)) && answered_by(&chain, "cache") == 5, "{answer:?}");
}

/// Only the necessary differences between the model and the hint are kept, for every solver.
#[test]
fn models_stay_close_to_the_hint() {
    for backend in super::BACKENDS {
        let mut solver = crate::plain(&Options { backend, ..Options::default() }).unwrap();
        let mut pool = TermPool::new();
        let [a, b, c, d] = [0, 1, 2, 3].map(|k| pool.input(k, 0, 32));
        let mut hint = Assignment::new();
        (0..4).for_each(|k| hint.write(k, 0, 32, 0x0707_0707));
        // `c` and `d` have many possible values, and all four variables are connected.
        let (product, either, sum) = (pool.mul(a, b), pool.or(c, d), pool.add(c, a));
        let (zero, k) = (pool.constant(32, 0), pool.constant(32, 391));
        let constraints = [pool.ne(either, zero), pool.ne(sum, d)];
        let goal = pool.eq(product, k);
        let query = Query { constraints: &constraints, goal, hint: &hint, domains: &[] };
        let Answer::Sat(changes) = solver.check(&mut pool, &query) else { panic!("17 * 23") };
        assert!(!changes.is_empty() && changes.iter().all(|byte| byte.input < 2), "{backend:?}: {changes:?}");
    }
}
