//! The tier for pointers agrees with plain SMT, keeps the hint where it can, and passes on all other queries.

use tine_expr::testing::Random;
use tine_expr::{Answer, Assignment, Domain, Query, Solver, TermId, TermPool};

use super::shrink::Witness;
use super::{Fuzz, wrong};
use crate::{Chain, Options, TierName, chain, plain};

/// NULL, objects, and addresses inside objects.
const ADDRESSES: [u128; 8] = [0, 0x1000, 0x1008, 0x1010, 0x2000, 0x2008, 0x3000, 0x4000];

fn pointer(input: u32, values: &[u128]) -> Domain {
    Domain { input, offset: 0, width: 64, values: values.to_vec() }
}

fn hint(values: &[u128]) -> Assignment {
    Assignment::from_inputs(values.iter().map(|&value| (value as u64).to_le_bytes().to_vec()).collect())
}

/// The input that the answer describes.
fn model(answer: &Answer, hint: &Assignment) -> Option<Assignment> {
    let Answer::Sat(changes) = answer else { return None };
    let mut model = hint.clone();
    model.overlay(changes);
    Some(model)
}

fn answered(chain: &Chain, tier: &str) -> u64 {
    chain.stats().tiers.iter().filter(|stats| stats.name == tier).map(|stats| stats.answered).sum()
}

/// Pointers in equality logic with few values, so that about half of the queries are infeasible.
struct Lists<'a> {
    pool: &'a mut TermPool,
    random: &'a mut Random,
    n_pointers: u32,
}

impl Lists<'_> {
    fn pointer(&mut self) -> TermId {
        self.pool.input(self.random.below(self.n_pointers as u64) as u32, 0, 64)
    }

    fn literal(&mut self) -> TermId {
        let (p, q) = (self.pointer(), self.pointer());
        let eight = self.pool.constant(64, 8);
        let field = self.pool.add(p, eight);
        let address = self.pool.constant(64, self.random.pick(&ADDRESSES));
        match self.random.below(8) {
            0..4 => self.pool.eq(p, q),
            4..6 => self.pool.eq(p, address),
            6 => self.pool.eq(field, q),
            _ => self.pool.eq(field, address),
        }
    }

    /// A literal, or a few literals combined by `&&`, `||`, `?:` and tests of single bits.
    fn condition(&mut self) -> TermId {
        let (a, b, c) = (self.literal(), self.literal(), self.literal());
        let not_a = self.pool.not(a);
        match self.random.below(12) {
            0 => self.pool.and(a, b),
            1 => self.pool.or(a, b),
            2 => self.pool.or(not_a, b),
            3 => self.pool.ite(a, b, c),
            4 => {
                let (byte, k) = (self.pointer_byte(), self.pool.constant(8, 0x08));
                self.pool.eq(byte, k)
            }
            _ => a,
        }
    }

    fn pointer_byte(&mut self) -> TermId {
        self.pool.input(self.random.below(self.n_pointers as u64) as u32, 0, 8)
    }
}

#[test]
fn random_equality_logic_agrees_with_smt() {
    let (mut whole, mut smt) = (chain(&Options::default()).unwrap(), plain(&Options::default()).unwrap());
    for seed in Fuzz::new("pointers", 5_000_000, 250) {
        let random = &mut Random::new(seed);
        let n_pointers = 2 + random.below(8) as u32;
        let domains: Vec<Domain> = (0..n_pointers)
            .map(|input| {
                let mut values: Vec<u128> = ADDRESSES.into_iter().filter(|_| random.below(5) < 2).collect();
                values.push(0x5000);
                let by = random.below(values.len() as u64) as usize;
                values.rotate_left(by);
                pointer(input, &values)
            })
            .collect();
        let values: Vec<u128> = domains.iter().map(|domain| random.pick(&domain.values)).collect();
        let hint = hint(&values);
        let pool = &mut TermPool::new();
        let mut path: Vec<TermId> = Vec::new();
        let mut witness = Witness::new(seed);
        for _ in 0..12 {
            let condition = Lists { pool, random, n_pointers }.condition();
            let negated = pool.not(condition);
            let taken = tine_expr::eval(pool, condition, &hint) != 0;
            let (constraint, goal) = if taken { (condition, negated) } else { (negated, condition) };
            let query = Query { constraints: &path, goal, hint: &hint, domains: &domains };
            witness.check(pool, &query, &mut |pool, query| {
                let (answer, expected) = (whole.check(pool, query), smt.check(pool, query));
                let leaves = |found: &Assignment| !query.domains.iter().all(|domain| domain.holds(found));
                match model(&answer, query.hint) {
                    Some(found) if leaves(&found) => Some(format!("{answer:?} leaves the domains")),
                    _ => wrong(&answer, &expected),
                }
            });
            path.push(constraint);
        }
    }
    let stats = whole.stats();
    assert!(stats.sat > 1000 && stats.unsat > 1000 && stats.unknown == 0, "{stats:?}");
    let (own, rest) = (answered(&whole, "pointers"), answered(&whole, "bitwuzla"));
    assert!(own > 50 * rest && own > 2000, "{stats:?}");
}

/// Solves for `goal` after `path`, with pointers 0, 1, 2 … that have these values and the same domain. Returns their
/// values. The answer must come from the tier.
fn ask(
    values: &[u128],
    domain: &[u128],
    terms: impl FnOnce(&mut TermPool, &[TermId]) -> (Vec<TermId>, TermId),
) -> Option<Vec<u128>> {
    let mut pool = TermPool::new();
    let pointers: Vec<TermId> = (0..values.len() as u32).map(|input| pool.input(input, 0, 64)).collect();
    let domains: Vec<Domain> = (0..values.len() as u32).map(|input| pointer(input, domain)).collect();
    let (path, goal) = terms(&mut pool, &pointers);
    let hint = hint(values);
    let mut solver = chain(&Options::default()).unwrap();
    let answer = solver.check(&mut pool, &Query { constraints: &path, goal, hint: &hint, domains: &domains });
    assert_eq!(answered(&solver, "pointers"), 1, "{:?}", solver.stats());
    assert!(matches!(answer, Answer::Sat(_) | Answer::Unsat), "{answer:?}");
    model(&answer, &hint).map(|model| domains.iter().map(|domain| domain.value(&model)).collect())
}

const NULL: u128 = 0;
const A: u128 = 0x1000;
const B: u128 = 0x2000;
const FRESH: u128 = 0x9000;
const ALL: [u128; 4] = [NULL, A, B, FRESH];

#[test]
fn values_are_taken_in_order_of_preference() {
    let not_null = |pool: &mut TermPool, p: &[TermId]| {
        let null = pool.constant(64, NULL);
        (vec![], pool.ne(p[0], null))
    };
    assert_eq!(ask(&[NULL], &ALL, not_null), Some(vec![A]));
    assert_eq!(ask(&[NULL], &[NULL, FRESH, A], not_null), Some(vec![FRESH]));
    // Values of other variables are avoided only if the variables must differ.
    assert_eq!(ask(&[NULL, A], &ALL, not_null), Some(vec![A, A]));
    let and_different = |pool: &mut TermPool, p: &[TermId]| {
        let (null, path) = (pool.constant(64, NULL), vec![pool.ne(p[0], p[1]), pool.ne(p[0], p[2])]);
        (path, pool.ne(p[0], null))
    };
    assert_eq!(ask(&[NULL, A, B], &ALL, and_different), Some(vec![FRESH, A, B]));
}

#[test]
fn the_hint_is_kept_where_it_may() {
    // p = q: the value that more variables have stays.
    let equal = |pool: &mut TermPool, p: &[TermId]| (vec![pool.eq(p[1], p[2])], pool.eq(p[0], p[1]));
    assert_eq!(ask(&[A, B, B], &ALL, equal), Some(vec![B, B, B]));
    // p ≠ q: one of them changes, and no variable that must only differ from it.
    let differ =
        |pool: &mut TermPool, p: &[TermId]| (vec![pool.ne(p[0], p[2]), pool.ne(p[1], p[2])], pool.ne(p[0], p[1]));
    assert_eq!(ask(&[A, A, NULL], &ALL, differ), Some(vec![B, A, NULL]));
    // A variable that occupies a required value is changed.
    let take = |pool: &mut TermPool, p: &[TermId]| {
        let b = pool.constant(64, B);
        (vec![pool.ne(p[0], p[1]), pool.ne(p[1], p[2])], pool.eq(p[0], b))
    };
    assert_eq!(ask(&[A, B, NULL], &ALL, take), Some(vec![B, A, NULL]));
    // p[3] is not in the slice.
    assert_eq!(ask(&[A, B, NULL, B], &ALL, take), Some(vec![B, A, NULL, B]));
}

#[test]
fn contradictions_are_found() {
    let transitive =
        |pool: &mut TermPool, p: &[TermId]| (vec![pool.eq(p[0], p[1]), pool.eq(p[1], p[2])], pool.ne(p[0], p[2]));
    assert_eq!(ask(&[A, A, A], &ALL, transitive), None);
    let nowhere = |pool: &mut TermPool, p: &[TermId]| {
        let elsewhere = pool.constant(64, 0x1234);
        (vec![], pool.eq(p[0], elsewhere))
    };
    assert_eq!(ask(&[A], &ALL, nowhere), None);
    let nothing_left = |pool: &mut TermPool, p: &[TermId]| {
        let (null, a) = (pool.constant(64, NULL), pool.constant(64, A));
        let path = vec![pool.eq(p[1], a), pool.ne(p[0], p[1])];
        (path, pool.ne(p[0], null))
    };
    assert_eq!(ask(&[NULL, A], &[NULL, A], nothing_left), None);
    // No object is eight bytes after another.
    let field = |pool: &mut TermPool, p: &[TermId]| {
        let eight = pool.constant(64, 8);
        let field = pool.add(p[0], eight);
        (vec![], pool.eq(field, p[1]))
    };
    assert_eq!(ask(&[A, B], &ALL, field), None);
    assert_eq!(ask(&[A, B], &[A, B, B + 8], field), Some(vec![B, B + 8]));
}

#[test]
fn either_side_of_a_disjunction_will_do() {
    // p = q or p = r, and q has no value that p may have.
    let either = |pool: &mut TermPool, p: &[TermId]| {
        let (null, q, r) = (pool.constant(64, NULL), pool.eq(p[0], p[1]), pool.eq(p[0], p[2]));
        (vec![pool.ne(p[0], null), pool.eq(p[1], null)], pool.or(q, r))
    };
    assert_eq!(ask(&[A, NULL, B], &ALL, either), Some(vec![A, NULL, A]));
    // The path holds because of p = r, which can stay.
    let elsewhere = |pool: &mut TermPool, p: &[TermId]| {
        let (q, r) = (pool.eq(p[0], p[1]), pool.eq(p[0], p[2]));
        (vec![pool.or(q, r)], pool.eq(p[2], p[3]))
    };
    assert_eq!(ask(&[A, B, A, B], &ALL, elsewhere), Some(vec![A, B, A, A]));
}

/// Flags have domains, too. All conditions on a single flag are decided without SMT.
#[test]
fn flags_are_decided_by_evaluation() {
    let mut pool = TermPool::new();
    let domains: Vec<Domain> = (0..4).map(|offset| Domain { input: 0, offset, width: 8, values: vec![0, 1] }).collect();
    let flags: Vec<TermId> = (0..4).map(|offset| pool.input(0, offset, 8)).collect();
    let hint = Assignment::from_inputs(vec![vec![0, 1, 0, 1]]);
    let mut solver = chain(&Options::default()).unwrap();
    let set = pool.extract(flags[0], 0, 1);
    let query = Query { constraints: &[], goal: set, hint: &hint, domains: &domains };
    let changed = |offset, value| Answer::Sat(vec![tine_expr::InputByte { input: 0, offset, value }]);
    assert_eq!(solver.check(&mut pool, &query), changed(0, 1));
    let two = pool.constant(8, 2);
    let odd = pool.ult(two, flags[1]);
    let query = Query { goal: odd, ..query };
    assert_eq!(solver.check(&mut pool, &query), Answer::Unsat);
    let same = pool.eq(flags[1], flags[2]);
    let query = Query { constraints: &[pool.not(set)], goal: same, ..query };
    assert!(matches!(solver.check(&mut pool, &query), Answer::Sat(changes) if changes.len() == 1));
    assert_eq!(answered(&solver, "pointers"), 3);
    assert_eq!(answered(&solver, "bitwuzla"), 0);
}

/// Eight pointers that all differ in seven places: too many orders to try, so SMT solves the query.
#[test]
fn pigeons_are_left_to_smt() {
    let mut pool = TermPool::new();
    let values: Vec<u128> = (0..8).map(|k| 0x1000 + 0x10 * k).collect();
    let pointers: Vec<TermId> = (0..8).map(|input| pool.input(input, 0, 64)).collect();
    let mut path = Vec::new();
    for (k, &p) in pointers.iter().enumerate() {
        path.extend(pointers[..k].iter().map(|&q| pool.ne(p, q)).collect::<Vec<_>>());
    }
    let hint = hint(&values);
    let domains: Vec<Domain> = (0..8).map(|input| pointer(input, &values)).collect();
    let mut solver = chain(&Options::default()).unwrap();
    let last = pool.constant(64, values[7]);
    let goal = pool.eq(pointers[0], last);
    let query = Query { constraints: &path, goal, hint: &hint, domains: &domains };
    assert!(matches!(solver.check(&mut pool, &query), Answer::Sat(_)));
    assert_eq!(answered(&solver, "pointers"), 1);
    let goal = pool.ne(pointers[7], last);
    path.extend(pointers[..7].iter().map(|&p| pool.ne(p, last)).collect::<Vec<_>>());
    let query = Query { constraints: &path, goal, hint: &hint, domains: &domains };
    assert_eq!(solver.check(&mut pool, &query), Answer::Unsat);
    assert_eq!(answered(&solver, "bitwuzla"), 1);
}

/// p < q is not supported by this tier, so the whole slice is passed on.
#[test]
fn other_literals_go_to_smt() {
    let mut pool = TermPool::new();
    let (p, q, r) = (pool.input(0, 0, 64), pool.input(1, 0, 64), pool.input(2, 0, 64));
    let domains: Vec<Domain> = (0..3).map(|input| pointer(input, &ALL)).collect();
    let hint = hint(&[A, A, NULL]);
    let (path, goal) = ([pool.ne(p, r), pool.eq(p, q)], pool.ult(p, r));
    let mut solver =
        chain(&Options { without: vec![TierName::Guess, TierName::Differences], ..Options::default() }).unwrap();
    let answer = solver.check(&mut pool, &Query { constraints: &path, goal, hint: &hint, domains: &domains });
    let found = model(&answer, &hint).unwrap();
    assert!(domains.iter().all(|domain| domain.holds(&found)), "{answer:?}");
    assert_eq!((answered(&solver, "pointers"), answered(&solver, "bitwuzla")), (0, 1));
}
