//! Random conditions that resemble those of programs on their inputs.

use tine_expr::testing::{Random, Shape, random_terms};
use tine_expr::{Assignment, Evaluator, TermId, TermPool};
use tine_trace::op::Op;

/// Conditions like those of C code: sums, products, masks and parts of inputs, compared with constants and with each
/// other. Random operations alone seldom concern the same bytes.
pub(super) fn comparisons(random: &mut Random, pool: &mut TermPool) -> Vec<TermId> {
    let width = random.pick(&[8, 16, 32, 64]);
    let mut values: Vec<TermId> = (0..2 + random.below(2) as u32).map(|k| pool.input(k, 0, width)).collect();
    for _ in 0..random.below(4) {
        let (a, b) = (random.pick(&values), random.pick(&values));
        let k = random.interesting(width);
        let k = pool.constant(width, k);
        let value = match random.below(10) {
            0 => pool.add(a, k),
            1 => pool.add(a, b),
            2 => pool.sub(a, b),
            3 => pool.mul(a, k),
            4 => pool.and(a, k),
            5 => pool.or(a, k),
            6 => pool.xor(a, b),
            7 => pool.urem(a, k),
            8 => {
                let n = pool.constant(width, random.below(width as u64) as u128);
                if random.below(2) == 0 { pool.lshr(a, n) } else { pool.shl(a, n) }
            }
            _ => {
                let low = pool.extract(a, 0, 8);
                if random.below(2) == 0 { pool.zext(low, width) } else { pool.sext(low, width) }
            }
        };
        values.push(value);
    }
    (0..8)
        .map(|_| {
            let (a, k) = (random.pick(&values), random.interesting(width));
            let b = if random.below(3) == 0 { random.pick(&values) } else { pool.constant(width, k) };
            let (a, b) = if random.below(2) == 0 { (a, b) } else { (b, a) };
            let condition = match random.below(6) {
                0 | 1 => pool.eq(a, b),
                2 => pool.ult(a, b),
                3 => pool.ule(a, b),
                4 => pool.slt(a, b),
                _ => pool.sle(a, b),
            };
            let other = random.below(8) == 0;
            if other { pool.not(condition) } else { condition }
        })
        .collect()
}

/// Conditions of sorting: values compared by order or by the sign of a difference, with and without overflow checks.
pub(super) fn orders(random: &mut Random, pool: &mut TermPool) -> Vec<TermId> {
    let width = random.pick(&[8, 16, 32, 64]);
    let narrow = random.below(3) == 0;
    let mut value = |pool: &mut TermPool, k: u32| {
        let input = pool.input(k, 0, width);
        match random.below(if narrow { 4 } else { 2 }) {
            0 => input,
            1 => {
                let k = random.interesting(width);
                let k = pool.constant(width, k);
                pool.add(input, k)
            }
            _ if width == 8 => input,
            n => {
                let low = pool.input(k, 0, width / 2);
                if n == 2 { pool.zext(low, width) } else { pool.sext(low, width) }
            }
        }
    };
    let values: Vec<TermId> = (0..4).map(|k| value(pool, k % 3)).collect();
    let mut conditions = Vec::new();
    for _ in 0..8 {
        let (a, b) = (random.pick(&values), random.pick(&values));
        let k = if random.below(2) == 0 { 0 } else { random.interesting(width) };
        let (difference, k) = (pool.sub(a, b), pool.constant(width, k));
        conditions.push(match random.below(9) {
            0 => pool.ssubo(a, b),
            1 => pool.saddo(a, b),
            2 => pool.slt(a, b),
            3 => pool.ule(a, b),
            4 => pool.slt(difference, k),
            5 => pool.sle(k, difference),
            6 => pool.ult(difference, k),
            7 => {
                let (over, less) = (pool.ssubo(a, b), pool.slt(difference, k));
                pool.or(over, less)
            }
            _ => pool.eq(a, b),
        });
    }
    conditions
}

/// Conditions of parsers: bytes of a class, numbers made of digits, and tables indexed by them.
pub(super) fn characters(random: &mut Random, pool: &mut TermPool) -> Vec<TermId> {
    let n_bytes = 1 + random.below(3) as u32;
    let bytes: Vec<TermId> = (0..n_bytes).map(|k| pool.input(0, k, 8)).collect();
    let table = pool.table((0..32).map(|_| random.below(4) as u8).collect::<Vec<_>>());
    let mut conditions = Vec::new();
    for &byte in &bytes {
        let low = pool.constant(8, random.pick(&[0, 47, 64, 96, 250]));
        let high = pool.constant(8, random.pick(&[3, 58, 91, 123, 255]));
        conditions.extend([pool.ult(low, byte), pool.ult(byte, high)]);
    }
    for _ in 0..5 {
        let mut number = pool.constant(32, 0);
        for &byte in &bytes {
            let (ten, zero) = (pool.constant(32, random.pick(&[10, 16, 3])), pool.constant(32, 48));
            let (scaled, digit) = (pool.mul(number, ten), pool.zext(byte, 32));
            let digit = if random.below(2) == 0 { pool.sub(digit, zero) } else { digit };
            number = pool.add(scaled, digit);
        }
        let k = random.interesting(10);
        let k = pool.constant(32, k);
        conditions.push(match random.below(6) {
            0 => pool.eq(number, k),
            1 => pool.ult(number, k),
            2 => pool.slt(k, number),
            3 => {
                let mut number = pool.apply(Op::SToF, 64, &[number], 0);
                let factor = pool.constant(64, u128::from(random.pick(&[0.1f64, 10.0, -2.0]).to_bits()));
                if random.below(2) == 0 {
                    number = pool.fmul(number, factor);
                }
                let bound = random.pick(&[-1.0, 0.5, 12.0, 1e3, 1e9]);
                let bound = pool.constant(64, u128::from(f64::to_bits(bound)));
                if random.below(2) == 0 { pool.flt(number, bound) } else { pool.fle(bound, number) }
            }
            _ => {
                let (byte, class) = (random.pick(&bytes), pool.constant(8, random.below(4) as u128));
                let index = pool.zext(byte, 64);
                let found = pool.select(table, index, 8);
                pool.eq(found, class)
            }
        });
    }
    conditions
}

/// A table-driven state machine: a table of character classes, and a table of successor states.
pub(super) struct Machine {
    pub(super) classes: Vec<u8>,
    pub(super) n_classes: u8,
    pub(super) next: Vec<u8>,
}

impl Machine {
    pub(super) fn random(random: &mut Random, n_states: u8, n_classes: u8) -> Machine {
        let mut below = |n: u8, len: usize| (0..len).map(|_| random.below(u64::from(n)) as u8).collect::<Vec<u8>>();
        let (classes, cells) = (below(n_classes, 256), usize::from(n_states) * usize::from(n_classes));
        Machine { classes, n_classes, next: below(n_states, cells) }
    }

    /// States after each byte of a string, computed by `state = next[state * n + class_of[c]]`.
    pub(super) fn states(&self, pool: &mut TermPool, bytes: &[TermId]) -> Vec<TermId> {
        let (classes, next) = (pool.table(self.classes.clone()), pool.table(self.next.clone()));
        let mut state = pool.constant(8, 0);
        let mut states = Vec::new();
        for &byte in bytes {
            let at = pool.zext(byte, 64);
            let class = pool.select(classes, at, 8);
            let (wide, n, class) =
                (pool.zext(state, 64), pool.constant(64, u128::from(self.n_classes)), pool.zext(class, 64));
            let row = pool.mul(wide, n);
            let cell = pool.add(row, class);
            state = pool.select(next, cell, 8);
            states.push(state);
        }
        states
    }
}

/// Conditions of a table-driven scanner: on its states, on required states, and on characters.
pub(super) fn scanners(random: &mut Random, pool: &mut TermPool) -> Vec<TermId> {
    let bytes: Vec<TermId> = (0..2 + random.below(4) as u32).map(|k| pool.input(0, k, 8)).collect();
    let (n_states, n_classes) = (2 + random.below(5) as u8, 2 + random.below(4) as u8);
    let machine = Machine::random(random, n_states, n_classes);
    let states = machine.states(pool, &bytes);
    let wanted = pool.table((0..n_states).map(|_| random.below(3) as u8).collect::<Vec<_>>());
    let mut conditions = Vec::new();
    for &state in &states {
        let at = pool.zext(state, 64);
        let found = pool.select(wanted, at, 8);
        let (k, other) = (pool.constant(8, random.below(3) as u128), random.pick(&states));
        let (c, letter) = (random.pick(&bytes), pool.constant(8, random.interesting(8)));
        let of_state = pool.constant(8, random.below(u64::from(n_states)) as u128);
        let mut options = [
            pool.eq(found, k),
            pool.eq(state, of_state),
            pool.eq(state, other),
            pool.ult(c, letter),
            pool.ult(of_state, state),
        ];
        let either = pool.or(options[0], options[3]);
        options[2] = if random.below(2) == 0 { either } else { options[2] };
        conditions.extend([random.pick(&options), random.pick(&options)]);
    }
    conditions.retain(|&condition| !pool.support(condition).is_empty());
    conditions
}

/// Conditions on memory: words are stored at known places and at input-dependent places, then read again.
pub(super) fn addresses(random: &mut Random, pool: &mut TermPool) -> Vec<TermId> {
    let mut array = pool.table((0..16).map(|_| random.below(3) as u8).collect::<Vec<_>>());
    let inputs: Vec<TermId> = (0..3).map(|k| pool.input(k, 0, 32)).collect();
    let place = |random: &mut Random, pool: &mut TermPool| {
        let four = pool.constant(64, 4);
        let index = match random.below(3) {
            0 => pool.constant(64, random.below(4) as u128),
            1 => {
                let bits = pool.extract(random.pick(&inputs), 0, 1 + random.below(2) as u32);
                pool.zext(bits, 64)
            }
            _ => pool.zext(random.pick(&inputs), 64),
        };
        pool.mul(index, four)
    };
    let mut conditions = Vec::new();
    for _ in 0..8 {
        let at = place(random, pool);
        let limit = pool.constant(64, 16);
        conditions.push(pool.ult(at, limit));
        let value = random.pick(&inputs);
        match random.below(4) {
            0 => array = pool.store(array, at, value),
            1 => {
                let k = random.interesting(4);
                let k = pool.constant(32, k);
                conditions.push(pool.eq(value, k));
            }
            _ => {
                let found = pool.select(array, at, 32);
                let k = random.interesting(16);
                let other = if random.below(2) == 0 { value } else { pool.constant(32, k) };
                conditions.push(if random.below(2) == 0 { pool.eq(found, other) } else { pool.slt(found, other) });
            }
        }
    }
    conditions.retain(|&condition| !pool.support(condition).is_empty());
    conditions
}

pub(super) fn random_conditions(random: &mut Random, pool: &mut TermPool, shape: &Shape) -> Vec<TermId> {
    let terms = random_terms(random, pool, shape);
    terms.into_iter().map(|pair| pair.1).filter(|&id| pool.width(id) == 1 && !pool.support(id).is_empty()).collect()
}

/// A path under an input, as in the engine's queries: each condition as it was taken, and its negation.
pub(super) fn path(pool: &mut TermPool, conditions: &[TermId], hint: &Assignment) -> Vec<(TermId, TermId)> {
    let mut evaluator = Evaluator::new();
    let mut path = Vec::new();
    for &condition in conditions {
        let (taken, negated) = (evaluator.with(pool, hint).holds(condition), pool.not(condition));
        path.push(if taken { (condition, negated) } else { (negated, condition) });
    }
    path
}

/// Bytes that distinguish values, for inputs up to this one.
pub(super) fn hint(random: &mut Random, n_inputs: u32, n_bytes: u32) -> Assignment {
    let mut hint = Assignment::new();
    for input in 0..n_inputs {
        (0..n_bytes).for_each(|offset| hint.set(input, offset, random.interesting(8) as u8));
    }
    hint
}
