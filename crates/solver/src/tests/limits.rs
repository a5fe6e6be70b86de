//! Limits hold.

use std::time::{Duration, Instant};

use tine_expr::{Answer, Reason, TermId, TermPool};

use super::{BACKENDS, ask};
use crate::{Options, plain};

/// Two factors of a product of two large primes: too hard for anybody in a fifth of a second.
fn factors(pool: &mut TermPool) -> Vec<TermId> {
    let (x, y) = (pool.input(0, 0, 64), pool.input(1, 0, 64));
    let (wide_x, wide_y) = (pool.zext(x, 128), pool.zext(y, 128));
    let product = pool.mul(wide_x, wide_y);
    let semiprime = pool.constant(128, 18_446_744_073_709_551_557 * 18_446_744_073_709_551_533);
    let one = pool.constant(64, 1);
    vec![pool.ult(one, x), pool.ult(one, y), pool.eq(product, semiprime)]
}

#[test]
fn time_limits_hold() {
    for backend in BACKENDS {
        let mut pool = TermPool::new();
        let terms = factors(&mut pool);
        let mut solver = plain(&Options { backend, timeout_ms: 20, ..Options::default() }).unwrap();
        let start = Instant::now();
        let answer = ask(&mut solver, &mut pool, &terms);
        assert_eq!(answer, Answer::Unknown(Reason::Timeout), "{backend:?}");
        assert!(start.elapsed() < Duration::from_secs(5), "{backend:?} took {:?}", start.elapsed());
        // And the solver is still of use.
        let (x, k) = (pool.input(0, 0, 64), pool.constant(64, 5));
        let goal = pool.eq(x, k);
        assert!(matches!(ask(&mut solver, &mut pool, &[goal]), Answer::Sat(_)), "{backend:?}");
    }
}
