//! Tests of features that only Bitwuzla has. `tests/processes.rs` has the tests that both solvers share.

use tine_expr::{Reason, TermId, TermPool};

use super::*;
use crate::Options;
use crate::tests::limits::divisions;

fn limits(timeout_ms: u64, memory_mb: u64) -> Limits {
    Options { timeout_ms, memory_mb, ..Options::default() }.limits()
}

/// `k < x` for many constants.
fn bounds(pool: &mut TermPool, n: u128) -> Vec<TermId> {
    let x = pool.input(0, 0, 64);
    let constants: Vec<TermId> = (0..n).map(|k| pool.constant(64, k)).collect();
    constants.into_iter().map(|k| pool.ult(k, x)).collect()
}

/// Creating the terms of a long path may take longer than the query's time limit.
#[test]
fn no_terms_are_made_when_time_is_up() {
    let mut pool = TermPool::new();
    let terms = bounds(&mut pool, 1000);
    let mut solver = Bitwuzla::new(limits(0, 2048), true);
    assert_eq!(solver.solve(&pool, &terms), Found::Unknown(Reason::Timeout));
    assert!(solver.lowering.is_empty() && solver.process.is_none());
    solver.limits = limits(600_000, 2048);
    assert!(matches!(solver.solve(&pool, &terms), Found::Sat(_)), "nothing is spoilt");
    assert!(solver.lowering.len() > terms.len());
    solver.limits = limits(0, 2048);
    let kept = solver.lowering.len();
    assert_eq!(solver.solve(&pool, &terms[..10]), Found::Unknown(Reason::Timeout));
    assert_eq!(solver.lowering.len(), kept, "terms that were made are kept");
}

/// Terms are sent once, even if the query that created them had no time left.
#[test]
fn the_server_keeps_terms() {
    let mut pool = TermPool::new();
    let terms = bounds(&mut pool, 100);
    let mut solver = Bitwuzla::new(limits(600_000, 2048), true);
    let end = Instant::now() + Duration::from_secs(600);
    solver.wire.end = Some(end);
    solver.lowering.assertions(&mut solver.wire, &pool, &terms).unwrap();
    assert!(matches!(solver.solve(&pool, &terms), Found::Sat(_)));
    let id = solver.process.as_ref().unwrap().id();
    let lowered = solver.lowering.assertions(&mut solver.wire, &pool, &terms).unwrap();
    let question = Question { timeout_ms: 1, path: &lowered.assertions, assumed: &[], values: &[] };
    assert_eq!(solver.wire.request(&question).len(), 4 * (6 + terms.len()), "nothing but the question");
    // Terms of another pool have the same numbers, but are different terms.
    solver.forget();
    let mut other = TermPool::new();
    let (y, seven) = (other.input(3, 0, 64), other.constant(64, 7));
    let goal = other.eq(y, seven);
    let Found::Sat(model) = solver.solve(&other, &[goal]) else { panic!("no model") };
    assert_eq!((model[0].0.input, model[0].1), (3, 7));
    assert_eq!(solver.process.as_ref().unwrap().id(), id, "it is the same process");
}

#[test]
fn cores_are_named() {
    let mut pool = TermPool::new();
    let (x, y) = (pool.input(0, 0, 64), pool.input(1, 0, 64));
    let [five, six, seven] = [5, 6, 7].map(|value| pool.constant(64, value));
    let square = pool.mul(x, x);
    let terms = [pool.eq(y, seven), pool.eq(x, six), pool.ult(x, y), pool.eq(square, five)];
    let mut solver = Bitwuzla::new(limits(600_000, 2048), true);
    let Found::Unsat(core) = solver.solve(&pool, &terms) else { panic!("not unsat") };
    assert!(core.contains(&terms[3]) && !core.contains(&terms[0]), "{core:?} of {terms:?}");
    let mut solver = Bitwuzla::new(limits(600_000, 2048), false);
    assert_eq!(solver.solve(&pool, &terms), Found::Unsat(Vec::new()));
}

/// Memory of old terms in the server does not count against a query.
#[test]
fn a_new_server_tries_again() {
    let mut pool = TermPool::new();
    let hard = divisions(&mut pool);
    let easy = bounds(&mut pool, 10);
    let mut solver = Bitwuzla::new(limits(600_000, 20), true);
    assert!(matches!(solver.solve(&pool, &easy), Found::Sat(_)));
    let id = solver.process.as_ref().unwrap().id();
    // Both servers run out of memory, and both are gone.
    assert_eq!(solver.solve(&pool, &hard), Found::Unknown(Reason::Memory));
    assert!(solver.process.is_none());
    assert!(matches!(solver.solve(&pool, &easy), Found::Sat(_)));
    assert_ne!(solver.process.as_ref().unwrap().id(), id);
}

#[test]
fn garbage_is_not_a_reply() {
    let reply = [0x656e_6974, SAT, 4, 1, 0, 0, 1].map(u32::to_ne_bytes).concat();
    let whole = Reply::parse(&reply).unwrap();
    assert_eq!(whole.values().collect::<Vec<_>>(), [1 << 96 | 1]);
    for n in 0..reply.len() {
        assert!(Reply::parse(&reply[..n]).is_none(), "{n} bytes");
    }
    assert!(Reply::parse(b"GNU MP: Cannot allocate memory (size=8)\n").is_none());
}
