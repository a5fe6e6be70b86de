//! How long one small query takes in each SMT solver, without the tiers before it: `cargo bench -p tine-solver`.
//!
//! Each family walks down a path of a dozen conditions as the engine does: the path so far holds, and the next
//! condition is asked the other way.

use std::time::Instant;

use tine_expr::testing::Random;
use tine_expr::{Answer, Assignment, Query, Solver, TermId, TermPool};
use tine_solver::{Backend, Options, plain};

const N_PATHS: u64 = 10;
const N_CONDITIONS: usize = 12;

type Condition = fn(&mut TermPool, &mut Random) -> TermId;

fn main() {
    let only = std::env::var("FAMILY").unwrap_or_default();
    let families: [(&str, Condition); 4] =
        [("linear", linear), ("bytes", bytes), ("products", products), ("floats", floats)];
    println!(
        "{:<10} {:<10} {:>8} {:>8} {:>10} {:>10} {:>10}",
        "family", "solver", "sat", "unsat", "mean µs", "median", "p95"
    );
    for (name, condition) in families.into_iter().filter(|f| f.0.contains(&only)) {
        for backend in [Backend::Bitwuzla] {
            let Ok(solver) = plain(&Options { backend, ..Options::default() }) else { continue };
            let mut solver = if std::env::var("EXPLORE").is_ok() {
                tine_solver::chain(&Options::default()).unwrap()
            } else {
                solver
            };
            let mut times = Vec::new();
            let (mut sat, mut unsat) = (0, 0);
            for seed in 0..N_PATHS {
                if seed > 1 && std::env::var("EXPLORE").is_ok() {
                    break;
                }
                let record = |answer: Answer, time| {
                    times.push(time);
                    sat += matches!(answer, Answer::Sat(_)) as u32;
                    unsat += (answer == Answer::Unsat) as u32;
                };
                if std::env::var("EXPLORE").is_ok() {
                    explore(
                        &mut solver,
                        condition,
                        seed,
                        if name == "products" || name == "floats" { 200 } else { 3000 },
                        record,
                    );
                } else {
                    walk(&mut solver, condition, seed, record);
                }
            }
            times.sort_unstable();
            let mean = times.iter().sum::<u128>() / times.len() as u128;
            let (median, p95) = (times[times.len() / 2], times[times.len() * 95 / 100]);
            println!(
                "{name:<10} {:<10} {sat:>8} {unsat:>8} {:>10.1} {:>10.1} {:>10.1}",
                format!("{backend:?}").to_lowercase(),
                mean as f64 / 1e3,
                median as f64 / 1e3,
                p95 as f64 / 1e3
            );
        }
    }
}

/// Explores a made-up program depth first: a list of conditions, each asked or not depending on the ones before.
fn explore(
    solver: &mut impl Solver,
    condition: Condition,
    seed: u64,
    n_queries: usize,
    mut record: impl FnMut(Answer, u128),
) {
    let mut random = Random::new(seed);
    let mut pool = TermPool::new();
    let conditions: Vec<TermId> = (0..60).map(|_| condition(&mut pool, &mut random)).collect();
    let mut hint = Assignment::new();
    (0..64).for_each(|k| hint.write(0, k, 8, random.below(256) as u128));
    let mut open = vec![(hint, 0)];
    let mut n = 0;
    while let Some((hint, from)) = open.pop() {
        let mut path = Vec::new();
        let mut state = seed;
        let mut tasks = Vec::new();
        for _ in 0..30 {
            let condition = conditions[(state % 60) as usize];
            let negated = pool.not(condition);
            let taken = tine_expr::eval(&pool, condition, &hint) != 0;
            let (constraint, goal) = if taken { (condition, negated) } else { (negated, condition) };
            state = Random::new(state ^ taken as u64).next_u64();
            if path.contains(&constraint) || pool.value(goal).is_some() {
                continue;
            }
            tasks.push((path.len(), goal));
            path.push(constraint);
        }
        for (k, goal) in tasks {
            if k < from {
                continue;
            }
            let start = Instant::now();
            let answer = solver.check(&mut pool, &Query { constraints: &path[..k], goal, hint: &hint });
            record(answer.clone(), start.elapsed().as_nanos());
            n += 1;
            if n >= n_queries {
                return;
            }
            if let Answer::Sat(changes) = answer {
                let mut next = hint.clone();
                next.overlay(&changes);
                open.push((next, k + 1));
            }
        }
    }
}

fn walk(solver: &mut impl Solver, condition: Condition, seed: u64, mut record: impl FnMut(Answer, u128)) {
    let mut random = Random::new(seed);
    let mut pool = TermPool::new();
    let mut hint = Assignment::new();
    (0..64).for_each(|k| hint.write(0, k, 8, random.below(256) as u128));
    let mut path = Vec::new();
    while path.len() < N_CONDITIONS {
        let condition = condition(&mut pool, &mut random);
        let negated = pool.not(condition);
        let taken = tine_expr::eval(&pool, condition, &hint) != 0;
        let (constraint, goal) = if taken { (condition, negated) } else { (negated, condition) };
        if path.contains(&constraint) || pool.value(goal).is_some() {
            continue;
        }
        let start = Instant::now();
        let answer = solver.check(&mut pool, &Query { constraints: &path, goal, hint: &hint });
        record(answer, start.elapsed().as_nanos());
        path.push(constraint);
    }
}

fn int(pool: &mut TermPool, random: &mut Random) -> TermId {
    pool.input(0, 4 * random.below(5) as u32, 32)
}

/// x < k, x + k < y, x + y = k and the like, as loops and bounds make them.
fn linear(pool: &mut TermPool, random: &mut Random) -> TermId {
    let (x, y) = (int(pool, random), int(pool, random));
    let k = pool.constant(32, random.below(100) as u128);
    match random.below(5) {
        0 => pool.slt(x, k),
        1 => pool.eq(x, k),
        2 => {
            let sum = pool.add(x, y);
            pool.eq(sum, k)
        }
        3 => {
            let two = pool.constant(32, 2);
            let twice = pool.mul(x, two);
            pool.slt(twice, y)
        }
        _ => {
            let sum = pool.add(x, k);
            pool.slt(sum, y)
        }
    }
}

/// What parsers ask of characters.
fn bytes(pool: &mut TermPool, random: &mut Random) -> TermId {
    let byte = pool.input(0, random.below(12) as u32, 8);
    let wide = pool.sext(byte, 32);
    let k = pool.constant(32, 32 + random.below(95) as u128);
    match random.below(4) {
        0 => pool.eq(wide, k),
        1 => pool.slt(wide, k),
        2 => pool.sle(k, wide),
        _ => {
            let other = pool.input(0, random.below(12) as u32, 8);
            pool.eq(byte, other)
        }
    }
}

fn products(pool: &mut TermPool, random: &mut Random) -> TermId {
    let (x, y) = (int(pool, random), int(pool, random));
    let k = pool.constant(32, random.below(1000) as u128);
    let value = match random.below(3) {
        0 => pool.mul(x, y),
        1 => pool.sdiv(x, k),
        _ => pool.srem(x, k),
    };
    pool.slt(value, k)
}

fn floats(pool: &mut TermPool, random: &mut Random) -> TermId {
    let (x, y) = (int(pool, random), int(pool, random));
    let k = pool.constant(32, (random.below(1000) as f32).to_bits() as u128);
    let sum = pool.fadd(x, y);
    pool.flt(sum, k)
}
