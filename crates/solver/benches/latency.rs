//! Latency of small queries: `cargo bench -p tine-solver`.
//!
//! First, each SMT solver alone follows paths of a dozen conditions as the engine does: the path so far holds, and the
//! negation of the next condition is the goal. Then the whole chain explores synthetic programs depth first, and
//! follows paths of conditions on pointers.

use std::time::Instant;

use tine_expr::testing::Random;
use tine_expr::{Answer, Assignment, Domain, Query, Solver, TermId, TermPool};
use tine_solver::{Backend, Chain, Options, chain, plain};

const N_PATHS: u64 = 10;
const N_CONDITIONS: usize = 12;
const N_QUERIES: usize = 1000;

type Condition = fn(&mut TermPool, &mut Random) -> TermId;

fn main() {
    let families: [(&str, Condition); 4] =
        [("linear", linear), ("bytes", bytes), ("products", products), ("floats", floats)];
    println!(
        "{:<10} {:<10} {:>8} {:>8} {:>10} {:>10} {:>10}",
        "family", "", "sat", "unsat", "mean µs", "median", "p95"
    );
    for (name, condition) in families {
        for backend in [Backend::Bitwuzla, Backend::Z3] {
            let Ok(mut solver) = plain(&Options { backend, ..Options::default() }) else { continue };
            let mut times = Times::default();
            (0..N_PATHS).for_each(|seed| walk(&mut solver, condition, seed, &mut times));
            times.print(name, &format!("{backend:?}").to_lowercase());
        }
    }
    for (name, condition) in &families[..2] {
        let mut solver = chain(&Options::default()).expect("Bitwuzla is built in");
        let mut times = Times::default();
        explore(&mut solver, *condition, 1, &mut times);
        times.print(name, "chain");
        print_tiers(&solver);
    }
    for n_conditions in [10, 100] {
        let mut solver = chain(&Options::default()).expect("Bitwuzla is built in");
        let (mut times, mut pool) = (Times::default(), TermPool::new());
        for seed in 0..N_QUERIES as u64 {
            walk_pointers(&mut solver, &mut pool, n_conditions, seed, &mut times);
        }
        times.print("pointers", &n_conditions.to_string());
        print_tiers(&solver);
    }
}

fn print_tiers(solver: &Chain) {
    for tier in solver.stats().tiers {
        println!("{:>21} {:>17} answered in {:?}", tier.name, tier.answered, tier.time);
    }
}

#[derive(Default)]
struct Times {
    ns: Vec<u128>,
    sat: u32,
    unsat: u32,
}

impl Times {
    fn check(&mut self, solver: &mut impl Solver, pool: &mut TermPool, query: &Query<'_>) -> Answer {
        let start = Instant::now();
        let answer = solver.check(pool, query);
        self.ns.push(start.elapsed().as_nanos());
        self.sat += matches!(answer, Answer::Sat(_)) as u32;
        self.unsat += (answer == Answer::Unsat) as u32;
        answer
    }

    fn print(mut self, family: &str, solver: &str) {
        self.ns.sort_unstable();
        let n = self.ns.len();
        let [mean, median, p95] =
            [self.ns.iter().sum::<u128>() / n as u128, self.ns[n / 2], self.ns[n * 95 / 100]].map(|ns| ns as f64 / 1e3);
        let Self { sat, unsat, .. } = self;
        println!("{family:<10} {solver:<10} {sat:>8} {unsat:>8} {mean:>10.1} {median:>10.1} {p95:>10.1}");
    }
}

/// A random input.
fn input(random: &mut Random) -> Assignment {
    let mut input = Assignment::new();
    (0..64).for_each(|k| input.write(0, k, 8, random.below(256) as u128));
    input
}

/// The condition or its negation, whichever holds for this input, then the opposite one.
fn sides(pool: &mut TermPool, condition: TermId, input: &Assignment) -> (TermId, TermId, bool) {
    let negated = pool.not(condition);
    let taken = tine_expr::eval(pool, condition, input) != 0;
    if taken { (condition, negated, taken) } else { (negated, condition, taken) }
}

fn walk(solver: &mut impl Solver, condition: Condition, seed: u64, times: &mut Times) {
    let mut random = Random::new(seed);
    let mut pool = TermPool::new();
    let hint = input(&mut random);
    let mut path = Vec::new();
    while path.len() < N_CONDITIONS {
        let condition = condition(&mut pool, &mut random);
        let (constraint, goal, _) = sides(&mut pool, condition, &hint);
        if path.contains(&constraint) || pool.value(goal).is_some() {
            continue;
        }
        times.check(solver, &mut pool, &Query { constraints: &path, goal, hint: &hint, domains: &[] });
        path.push(constraint);
    }
}

/// The program evaluates thirty of sixty conditions. The sides taken before determine which ones.
fn explore(solver: &mut impl Solver, condition: Condition, seed: u64, times: &mut Times) {
    let mut random = Random::new(seed);
    let mut pool = TermPool::new();
    let conditions: Vec<TermId> = (0..60).map(|_| condition(&mut pool, &mut random)).collect();
    let mut open = vec![(input(&mut random), 0)];
    while let Some((hint, from)) = open.pop() {
        let (mut path, mut goals) = (Vec::new(), Vec::new());
        let mut state = seed;
        for _ in 0..30 {
            let condition = conditions[(state % 60) as usize];
            let (constraint, goal, taken) = sides(&mut pool, condition, &hint);
            state = Random::new(state ^ taken as u64).next_u64();
            if !path.contains(&constraint) && pool.value(goal).is_none() {
                path.push(constraint);
                goals.push(goal);
            }
        }
        for (k, &goal) in goals.iter().enumerate().skip(from) {
            let query = Query { constraints: &path[..k], goal, hint: &hint, domains: &[] };
            if let Answer::Sat(changes) = times.check(solver, &mut pool, &query) {
                let mut next = hint.clone();
                next.overlay(&changes);
                open.push((next, k + 1));
            }
            if times.ns.len() >= N_QUERIES {
                return;
            }
        }
    }
}

/// Follows a path of `n_conditions` conditions on half as many pointers, which are NULL, one of eight objects, or one
/// of two free places. The last condition is negated.
fn walk_pointers(solver: &mut impl Solver, pool: &mut TermPool, n_conditions: u32, seed: u64, times: &mut Times) {
    let mut random = Random::new(seed);
    let values: Vec<u128> = [0].into_iter().chain((0..10).map(|k| 0x10_0000 + 0x40 * k)).collect();
    let n_pointers = n_conditions / 2;
    let mut hint = Assignment::new();
    let domains: Vec<Domain> = (0..n_pointers)
        .map(|input| {
            hint.write(input, 0, 64, random.pick(&values[..9]));
            Domain { input, offset: 0, width: 64, values: values.clone() }
        })
        .collect();
    let mut path = Vec::new();
    loop {
        let p = pool.input(random.below(n_pointers as u64) as u32, 0, 64);
        let condition = match random.below(4) {
            0 => {
                let null = pool.constant(64, 0);
                pool.eq(p, null)
            }
            // Any pointer. The next arm uses the next pointer of the list.
            1 => {
                let q = pool.input(random.below(n_pointers as u64) as u32, 0, 64);
                pool.eq(p, q)
            }
            _ => {
                let input = pool.input_view(p).map_or(0, |view| view.input);
                let q = pool.input((input + 1) % n_pointers, 0, 64);
                pool.eq(p, q)
            }
        };
        let (constraint, goal, _) = sides(pool, condition, &hint);
        if path.contains(&constraint) || pool.value(goal).is_some() {
            continue;
        }
        if path.len() as u32 + 1 >= n_conditions {
            times.check(solver, pool, &Query { constraints: &path, goal, hint: &hint, domains: &domains });
            return;
        }
        path.push(constraint);
    }
}

fn int(pool: &mut TermPool, random: &mut Random) -> TermId {
    pool.input(0, 4 * random.below(5) as u32, 32)
}

/// Conditions such as x < k, x + k < y and x + y = k, which are typical of loops and bounds.
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

/// Conditions of parsers on characters.
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
