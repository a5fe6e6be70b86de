//! Cost of building and evaluating terms: `cargo bench -p tine-expr --features testing`.

use std::time::Instant;

use tine_expr::testing::Random;
use tine_expr::{Assignment, Evaluator, TermId, TermPool, independent_slice};

const N: usize = 100_000;

fn main() {
    let mut pool = TermPool::new();
    let new = build(&mut pool);
    let n_terms = pool.len();
    report("new operation", new, N);
    report("operation that is there", build(&mut pool), N);
    assert_eq!(pool.len(), n_terms);

    let roots: Vec<TermId> = (0..n_terms as u32).map(TermId).collect();
    let mut evaluator = Evaluator::new();
    for round in ["first evaluation of a term", "evaluation of a term"] {
        let assignment = Assignment::from_inputs(vec![vec![7; 64]]);
        let start = Instant::now();
        let mut evaluation = evaluator.with(&pool, &assignment);
        let sum = roots.iter().fold(0u128, |sum, &root| sum.wrapping_add(evaluation.eval(root)));
        report(round, start.elapsed().as_nanos(), n_terms);
        assert_ne!(sum, 1);
    }

    let constraints: Vec<TermId> = roots.iter().copied().filter(|&id| pool.width(id) == 1).take(1000).collect();
    let start = Instant::now();
    let n = 1000;
    let total: usize =
        (0..n).map(|k| independent_slice(&pool, &constraints, constraints[k % constraints.len()], &[]).len()).sum();
    report("slice of a thousand constraints", start.elapsed().as_nanos(), n);
    assert!(total > 0);
}

/// Time for `N` operations on small and growing terms, in nanoseconds.
fn build(pool: &mut TermPool) -> u128 {
    let mut random = Random::new(1);
    let mut terms: Vec<TermId> = (0..16).map(|k| pool.input(0, 4 * k, 32)).collect();
    let start = Instant::now();
    for _ in 0..N {
        let (a, b) = (random.pick(&terms), random.pick(&terms));
        let term = match random.below(5) {
            0 => pool.add(a, b),
            1 => pool.mul(a, b),
            2 => pool.xor(a, b),
            3 => pool.and(a, b),
            _ => {
                pool.ult(a, b);
                continue;
            }
        };
        let place = random.below(1000) as usize;
        if terms.len() < 1000 {
            terms.push(term);
        } else if pool.term(term).op().is_some() {
            terms[16 + place % 984] = term;
        }
    }
    start.elapsed().as_nanos()
}

fn report(what: &str, ns: u128, n: usize) {
    println!("{what:<40} {:>8.1} ns", ns as f64 / n as f64);
}
