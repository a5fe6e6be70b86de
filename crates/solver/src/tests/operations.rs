//! Each operation on edge values and random values: the solver's result must agree with evaluation.

use tine_expr::testing::Random;
use tine_expr::{Answer, TermId, TermPool, node_value};
use tine_trace::eval::mask;
use tine_trace::op::Op;

use super::{BACKENDS, ask, solver};
use crate::{Backend, Chain};

/// Result width and operand widths at which to try an operation.
fn widths(op: Op) -> Vec<(u32, [u32; 3])> {
    match op {
        Op::Const | Op::Input => vec![],
        Op::ZExt | Op::SExt => vec![(32, [8; 3]), (128, [64; 3]), (16, [16; 3])],
        Op::Extract => vec![(8, [32; 3]), (3, [64; 3])],
        Op::Concat => vec![(24, [8, 16, 0]), (128, [64, 64, 0])],
        Op::Ite => vec![(32, [1, 32, 32]), (1, [1; 3])],
        Op::FRound | Op::FMa | Op::FNeg | Op::FAbs | Op::FSqrt => vec![(32, [32; 3]), (64, [64; 3])],
        Op::FAdd | Op::FSub | Op::FMul | Op::FDiv => vec![(32, [32; 3]), (64, [64; 3])],
        // For doubles see `the_remainder_of_doubles_is_fmod`.
        Op::FRem => vec![(32, [32; 3])],
        Op::FEq | Op::FLt | Op::FLe | Op::FIsNan => vec![(1, [32; 3]), (1, [64; 3])],
        Op::FToF => vec![(64, [32; 3]), (32, [64; 3])],
        Op::FToS | Op::FToU => vec![(32, [32; 3]), (8, [64; 3]), (32, [64; 3]), (64, [32; 3]), (64, [64; 3])],
        Op::SToF | Op::UToF => vec![(32, [32; 3]), (64, [64; 3]), (64, [32; 3]), (32, [16; 3])],
        _ if op.shape().predicate => vec![(1, [8; 3]), (1, [64; 3])],
        _ => vec![(8, [8; 3]), (64, [64; 3]), (1, [1; 3])],
    }
}

const FLOATS: &[f64] = &[
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -1.5,
    2.5,
    -3.7,
    16_777_217.0,
    2_147_483_647.0,
    2_147_483_648.0,
    -2_147_483_649.0,
    4_294_967_295.0,
    9_223_372_036_854_775_808.0,
    18_446_744_073_709_551_615.0,
    1e300,
    1e-310,
    1e-45,
    3.402_823_466e38,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

fn operand(random: &mut Random, width: u32, float: bool) -> u128 {
    if !float || random.below(4) == 0 {
        return random.interesting(width);
    }
    let x = random.pick(FLOATS);
    if width == 32 { (x as f32).to_bits() as u128 } else { x.to_bits() as u128 }
}

fn takes_floats(op: Op) -> bool {
    op.name().starts_with('f')
}

/// An input of this width, or the lowest bit of one.
fn variable(pool: &mut TermPool, input: u32, width: u32) -> TermId {
    let whole = pool.input(input, 0, width.next_multiple_of(8));
    if width.is_multiple_of(8) { whole } else { pool.apply_raw(Op::Extract, width, &[whole], 0).unwrap() }
}

struct Trial {
    op: Op,
    width: u32,
    immediate: u32,
    operands: Vec<(u32, u128)>,
}

impl Trial {
    fn random(random: &mut Random, op: Op, width: u32, widths: [u32; 3]) -> Self {
        let immediate = match op {
            Op::Extract => random.below((widths[0] - width + 1) as u64) as u32,
            Op::FRound => random.below(5) as u32,
            _ => 0,
        };
        let operands = widths[..op.shape().operands as usize]
            .iter()
            .map(|&width| (width, operand(random, width, takes_floats(op))))
            .collect();
        Self { op, width, immediate, operands }
    }

    fn value(&self) -> u128 {
        let mut fields: Vec<u128> = self.operands.iter().map(|operand| operand.1).collect();
        fields.push(self.immediate as u128);
        fields.resize(4, 0);
        node_value(self.op, self.width, self.operands[0].0, fields[0], fields[1], fields[2]).unwrap()
    }

    fn apply(&self, pool: &mut TermPool, operands: &[TermId]) -> TermId {
        pool.apply_raw(self.op, self.width, operands, self.immediate).unwrap()
    }

    /// The condition that the result is the evaluated value. If that is NaN, the result may be any NaN.
    fn is_value(&self, pool: &mut TermPool, result: TermId) -> TermId {
        let value = self.value();
        let nan = match self.width {
            32 => f32::from_bits(value as u32).is_nan(),
            64 => f64::from_bits(value as u64).is_nan(),
            _ => false,
        };
        if nan && tine_expr::value::gives_float(self.op) {
            return pool.apply_raw(Op::FIsNan, 1, &[result], 0).unwrap();
        }
        let value = pool.constant(self.width, value);
        pool.apply_raw(Op::Eq, 1, &[result, value], 0).unwrap()
    }

    fn text(&self) -> String {
        format!("{} {} bits, {:x?}, immediate {}", self.op.name(), self.width, self.operands, self.immediate)
    }
}

/// Known operands: the result must have exactly this value.
fn forward(solver: &mut Chain, trial: &Trial) {
    let mut pool = TermPool::new();
    let mut terms = Vec::new();
    let mut variables = Vec::new();
    for (k, &(width, value)) in trial.operands.iter().enumerate() {
        let x = variable(&mut pool, k as u32, width);
        let value = pool.constant(width, value);
        terms.push(pool.apply_raw(Op::Eq, 1, &[x, value], 0).unwrap());
        variables.push(x);
    }
    let result = trial.apply(&mut pool, &variables);
    let right = trial.is_value(&mut pool, result);
    terms.push(right);
    let answer = ask(solver, &mut pool, &terms);
    assert!(matches!(answer, Answer::Sat(_)), "{}: {answer:?} instead of its value", trial.text());
    *terms.last_mut().unwrap() = pool.apply_raw(Op::Not, 1, &[right], 0).unwrap();
    let answer = ask(solver, &mut pool, &terms);
    assert_eq!(answer, Answer::Unsat, "{}: another value", trial.text());
}

/// Known result and one unknown operand: there is a solution, and the chain evaluates the one that is found.
fn backward(solver: &mut Chain, trial: &Trial, unknown: usize) {
    let mut pool = TermPool::new();
    let operands: Vec<TermId> = trial
        .operands
        .iter()
        .enumerate()
        .map(
            |(k, &(width, value))| {
                if k == unknown { variable(&mut pool, 0, width) } else { pool.constant(width, value) }
            },
        )
        .collect();
    let result = trial.apply(&mut pool, &operands);
    let goal = trial.is_value(&mut pool, result);
    let answer = ask(solver, &mut pool, &[goal]);
    assert!(matches!(answer, Answer::Sat(_)), "{}: {answer:?} solving for operand {unknown}", trial.text());
}

fn check_all(backend: Backend, n_trials: u32, floats: bool) {
    let mut solver = solver(backend);
    let mut random = Random::new(7);
    for &op in Op::ALL {
        if (takes_floats(op) || matches!(op, Op::SToF | Op::UToF)) != floats {
            continue;
        }
        for (width, widths) in widths(op) {
            for _ in 0..n_trials {
                let trial = Trial::random(&mut random, op, width, widths);
                forward(&mut solver, &trial);
            }
        }
    }
    assert_eq!(solver.stats().bad_models, 0);
}

#[test]
fn integers_in_bitwuzla() {
    check_all(Backend::Bitwuzla, 40, false);
}

#[test]
fn integers_in_z3() {
    check_all(Backend::Z3, 4, false);
}

#[test]
fn floats_in_bitwuzla() {
    check_all(Backend::Bitwuzla, 60, true);
}

/// NaN, infinities, zeros of both signs, and the least and greatest number: every operation on each, and on each pair.
#[test]
fn floats_at_their_edges() {
    const EDGES: [f32; 9] =
        [0.0, -0.0, 1.0, -1.5, f32::MAX, f32::from_bits(1), f32::INFINITY, f32::NEG_INFINITY, f32::NAN];
    let bits = |width: u32, x: f32| if width == 32 { x.to_bits() as u128 } else { (x as f64).to_bits() as u128 };
    let mut solver = solver(Backend::Bitwuzla);
    for &op in Op::ALL {
        if !takes_floats(op) || op == Op::FRem {
            continue;
        }
        for (width, widths) in widths(op) {
            let n_operands = op.shape().operands as usize;
            let n_modes = if op == Op::FRound { 5 } else { 1 };
            // Pairs in one format only. Operations with one operand in all formats.
            if n_operands > 1 && widths[0] == 64 {
                continue;
            }
            for k in 0..EDGES.len().pow(n_operands.min(2) as u32) {
                let of = [EDGES[k % EDGES.len()], EDGES[k / EDGES.len()], EDGES[(k * 7 + 1) % EDGES.len()]];
                let operands = widths.iter().zip(of).map(|(&width, x)| (width, bits(width, x))).take(n_operands);
                let operands: Vec<(u32, u128)> = operands.collect();
                for immediate in 0..n_modes {
                    forward(&mut solver, &Trial { op, width, immediate, operands: operands.clone() });
                }
            }
        }
    }
    assert_eq!(solver.stats().bad_models, 0);
}

/// `fmin` and `fmax` as the unit records them (`runtime/src/record/composite.rs`): choices between comparisons.
fn extreme(pool: &mut TermPool, x: TermId, y: TermId, smallest: bool) -> TermId {
    let better = if smallest { pool.flt(y, x) } else { pool.flt(x, y) };
    let chosen = pool.ite(better, y, x);
    let [x_nan, y_nan] = [x, y].map(|operand| pool.apply(Op::FIsNan, 1, &[operand], 0));
    let without_y = pool.ite(y_nan, x, chosen);
    pool.ite(x_nan, y, without_y)
}

/// Both formats: every pair of edge values and random numbers, compared with the host's own functions.
#[test]
fn least_and_greatest_agree_with_the_host() {
    let host = |width: u32, smallest: bool, a: u128, b: u128| {
        if width == 32 {
            let (x, y) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
            u128::from((if smallest { x.min(y) } else { x.max(y) }).to_bits())
        } else {
            let (x, y) = (f64::from_bits(a as u64), f64::from_bits(b as u64));
            u128::from((if smallest { x.min(y) } else { x.max(y) }).to_bits())
        }
    };
    let mut solver = solver(Backend::Bitwuzla);
    let mut random = Random::new(23);
    for width in [32, 64] {
        let narrow = |x: f64| if width == 32 { u128::from((x as f32).to_bits()) } else { u128::from(x.to_bits()) };
        let mut values: Vec<u128> = FLOATS.iter().map(|&x| narrow(x)).collect();
        values.extend([1, mask(width - 1), 1 << (width - 1) | 1]);
        values.extend((0..7).map(|_| random.interesting(width)));
        for k in 0..values.len() * values.len() {
            let (a, b) = (values[k % values.len()], values[k / values.len()]);
            let smallest = (k + k / values.len()).is_multiple_of(2);
            let mut pool = TermPool::new();
            let (x, y) = (pool.input(0, 0, width), pool.input(1, 0, width));
            let result = extreme(&mut pool, x, y, smallest);
            let expected = host(width, smallest, a, b);
            let [of_x, of_y, value] = [a, b, expected].map(|bits| pool.constant(width, bits));
            let is_nan = |bits: u128| node_value(Op::FIsNan, 1, width, bits, 0, 0) == Some(1);
            // The choice between two zeros or two NaNs is unspecified.
            let right = if is_nan(expected) {
                pool.apply(Op::FIsNan, 1, &[result], 0)
            } else if (a | b) & mask(width - 1) == 0 {
                pool.feq(result, value)
            } else {
                pool.eq(result, value)
            };
            let fixed = [pool.eq(x, of_x), pool.eq(y, of_y)];
            let what = format!("{width} bits, smallest {smallest}: {a:x} and {b:x} give {expected:x}");
            let answer = ask(&mut solver, &mut pool, &[fixed[0], fixed[1], right]);
            assert!(matches!(answer, Answer::Sat(_)), "{what}: {answer:?}");
            let wrong = pool.not(right);
            assert_eq!(ask(&mut solver, &mut pool, &[fixed[0], fixed[1], wrong]), Answer::Unsat, "{what}");
        }
    }
    assert_eq!(solver.stats().bad_models, 0);
}

#[test]
fn floats_in_z3() {
    check_all(Backend::Z3, 5, true);
}

#[test]
fn operands_are_found_for_integers() {
    for backend in BACKENDS {
        let mut solver = solver(backend);
        let mut random = Random::new(11);
        for &op in Op::ALL {
            let Some(&(width, widths)) = widths(op).first() else { continue };
            if takes_floats(op) || matches!(op, Op::SToF | Op::UToF) {
                continue;
            }
            for _ in 0..5 {
                let trial = Trial::random(&mut random, op, width, widths);
                for unknown in 0..trial.operands.len() {
                    backward(&mut solver, &trial, unknown);
                }
            }
        }
        assert_eq!(solver.stats().bad_models, 0);
    }
}

/// Here the solver cannot compute the result from constants, and has to bit-blast the operation.
#[test]
fn operands_are_found_for_floats_in_bitwuzla() {
    let mut solver = solver(Backend::Bitwuzla);
    let mut random = Random::new(13);
    for &op in Op::ALL {
        // The remainder's circuit is large: see `the_remainder_of_floats_is_fmod`.
        if !(takes_floats(op) || matches!(op, Op::SToF | Op::UToF)) || op == Op::FRem {
            continue;
        }
        for (width, widths) in widths(op) {
            let n_trials = if widths[0] == 64 { 4 } else { 10 };
            for _ in 0..n_trials {
                let trial = Trial::random(&mut random, op, width, widths);
                for unknown in 0..trial.operands.len() {
                    backward(&mut solver, &trial, unknown);
                }
            }
        }
    }
    assert_eq!(solver.stats().bad_models, 0);
}

#[test]
fn arrays_are_solved() {
    for backend in BACKENDS {
        let mut solver = solver(backend);
        let mut pool = TermPool::new();
        // a[i] = 0, a[j] = 1, and a[i] is no longer 0. This requires i = j.
        let table = pool.table(vec![7, 0, 9]);
        let (i, j) = (pool.input(0, 0, 64), pool.input(1, 0, 64));
        let (zero, one) = (pool.constant(8, 0), pool.constant(8, 1));
        let first = pool.store(table, i, zero);
        let second = pool.store(first, j, one);
        let found = pool.select(second, i, 8);
        let goal = pool.ne(found, zero);
        let same = pool.eq(i, j);
        let differ = pool.not(same);
        assert!(matches!(ask(&mut solver, &mut pool, &[goal]), Answer::Sat(_)));
        assert_eq!(ask(&mut solver, &mut pool, &[goal, differ]), Answer::Unsat);
        // The table itself: the index of the 9.
        let byte = pool.select(table, i, 8);
        let nine = pool.constant(8, 9);
        let goal = pool.eq(byte, nine);
        let Answer::Sat(changes) = ask(&mut solver, &mut pool, &[goal]) else { panic!("the 9 is not found") };
        assert_eq!(changes, [tine_expr::InputByte { input: 0, offset: 0, value: 2 }]);
        let eight = pool.constant(8, 8);
        let goal = pool.eq(byte, eight);
        assert_eq!(ask(&mut solver, &mut pool, &[goal]), Answer::Unsat);
    }
}

#[test]
fn views_of_the_same_bytes_agree() {
    for backend in BACKENDS {
        let mut solver = solver(backend);
        let mut pool = TermPool::new();
        let (word, byte, odd) = (pool.input(0, 0, 32), pool.input(0, 1, 8), pool.input(0, 3, 16));
        let (k_word, k_byte) = (pool.constant(32, 0x4433_2211), pool.constant(8, 0x22));
        let (k_other, k_odd) = (pool.constant(8, 0x23), pool.constant(16, 0x5544));
        let is_word = pool.eq(word, k_word);
        let is_byte = pool.eq(byte, k_byte);
        let is_odd = pool.eq(odd, k_odd);
        let is_other = pool.eq(byte, k_other);
        let Answer::Sat(changes) = ask(&mut solver, &mut pool, &[is_byte, is_odd, is_word]) else {
            panic!("the views agree")
        };
        assert_eq!(changes.iter().map(|change| change.value).collect::<Vec<_>>(), [0x11, 0x22, 0x33, 0x44, 0x55]);
        assert_eq!(ask(&mut solver, &mut pool, &[is_other, is_word]), Answer::Unsat);
    }
}

#[test]
fn nans_are_not_equal_to_themselves() {
    for backend in BACKENDS {
        let mut solver = solver(backend);
        let mut pool = TermPool::new();
        let x = pool.input(0, 0, 64);
        let equal = pool.apply_raw(Op::FEq, 1, &[x, x], 0).unwrap();
        let goal = pool.not(equal);
        let Answer::Sat(changes) = ask(&mut solver, &mut pool, &[goal]) else { panic!("there are NaNs") };
        let mut model = tine_expr::Assignment::new();
        model.overlay(&changes);
        assert!(f64::from_bits(model.read(0, 0, 64) as u64).is_nan());
    }
}

/// The circuit of the remainder, not only its value on constants: x with fmod(x, 3.5) = 1.25 and x > 20.
#[test]
fn the_remainder_of_floats_is_fmod() {
    let mut solver = solver(Backend::Bitwuzla);
    let mut pool = TermPool::new();
    let x = pool.input(0, 0, 32);
    let [y, r, bound] = [3.5f32, 1.25, 20.0].map(|k| pool.constant(32, k.to_bits() as u128));
    let rest = pool.frem(x, y);
    let (goal, large) = (pool.feq(rest, r), pool.flt(bound, x));
    let small = pool.constant(32, 24f32.to_bits() as u128);
    let small = pool.flt(x, small);
    let answer = ask(&mut solver, &mut pool, &[large, small, goal]);
    assert!(matches!(answer, Answer::Sat(_)), "{answer:?}");
}

/// The remainder of doubles, which is computed with integers.
#[test]
fn the_remainder_of_doubles_is_fmod() {
    let mut solver = solver(Backend::Bitwuzla);
    let mut pool = TermPool::new();
    let x = pool.input(0, 0, 64);
    let [y, r, bound, top] = [3.5f64, 1.25, 20.0, 24.0].map(|k| pool.constant(64, k.to_bits() as u128));
    let rest = pool.frem(x, y);
    let (goal, large, small) = (pool.feq(rest, r), pool.flt(bound, x), pool.flt(x, top));
    let answer = ask(&mut solver, &mut pool, &[large, small, goal]);
    assert!(matches!(answer, Answer::Sat(_)), "{answer:?}");
    // The remainder is always smaller than the divisor.
    let above = pool.fle(y, rest);
    assert_eq!(ask(&mut solver, &mut pool, &[above]), Answer::Unsat);
}

/// Compared with the host, for quotients below 2^64, and on edge values.
#[test]
fn remainders_of_doubles_agree_with_the_host() {
    let mut solver = solver(Backend::Bitwuzla);
    let mut random = Random::new(17);
    let (mut n_tried, edges) = (0, FLOATS.len() as u64);
    while n_tried < 400 {
        let mut number = || match random.below(3) {
            0 => random.pick(FLOATS),
            1 => f64::from_bits(random.next_u64()),
            _ => (random.below(1 << 20) as f64 - 5e5) / 8.0,
        };
        let (x, y) = if n_tried < edges { (FLOATS[n_tried as usize], number()) } else { (number(), number()) };
        if x.is_finite() && y != 0.0 && (x / y).abs() >= 2f64.powi(63) {
            continue;
        }
        n_tried += 1;
        let operands = [x, y].map(|x| (64, x.to_bits() as u128)).to_vec();
        forward(&mut solver, &Trial { op: Op::FRem, width: 64, immediate: 0, operands });
    }
    assert_eq!(solver.stats().bad_models, 0);
}

/// For larger quotients the solver knows little, but gives no wrong answer.
#[test]
fn remainders_of_very_large_doubles_are_not_guessed_at() {
    let mut solver = solver(Backend::Bitwuzla);
    let mut pool = TermPool::new();
    let (x, y) = (pool.input(0, 0, 64), pool.constant(64, 3f64.to_bits() as u128));
    let (rest, huge) = (pool.frem(x, y), pool.constant(64, 1e300f64.to_bits() as u128));
    let is_huge = pool.eq(x, huge);
    for whole in [0.0, 1.0, 2.0] {
        let k = pool.constant(64, f64::to_bits(whole) as u128);
        let goal = pool.feq(rest, k);
        let answer = ask(&mut solver, &mut pool, &[is_huge, goal]);
        let right = if 1e300 % 3.0 == whole { matches!(answer, Answer::Sat(_)) } else { answer != Answer::Unsat };
        assert!(right, "{whole}: {answer:?}");
        assert!(1e300 % 3.0 == whole || !matches!(answer, Answer::Sat(_)), "{whole}: {answer:?}");
    }
    let (minus, goal) = (pool.constant(64, (-1f64).to_bits() as u128), pool.feq(rest, y));
    let negative = pool.feq(rest, minus);
    assert_eq!(ask(&mut solver, &mut pool, &[is_huge, goal]), Answer::Unsat);
    assert_eq!(ask(&mut solver, &mut pool, &[is_huge, negative]), Answer::Unsat);
}

#[test]
fn shifts_stay_within_their_mask() {
    // A width that is not a power of two. Amounts just beyond it must give zero.
    for backend in BACKENDS {
        let mut solver = solver(backend);
        let mut pool = TermPool::new();
        let x = pool.input(0, 0, 24);
        let ones = pool.constant(24, mask(24));
        let shifted = pool.apply_raw(Op::Shl, 24, &[ones, x], 0).unwrap();
        let (zero, width) = (pool.constant(24, 0), pool.constant(24, 24));
        let gone = pool.eq(shifted, zero);
        let below = pool.ult(x, width);
        assert_eq!(ask(&mut solver, &mut pool, &[below, gone]), Answer::Unsat);
        assert!(matches!(ask(&mut solver, &mut pool, &[gone]), Answer::Sat(_)));
    }
}
