//! Random terms for tests here and in `solver`. They depend only on the seed.

use tine_trace::eval::mask;
use tine_trace::op::Op;

use crate::Assignment;
use crate::pool::TermPool;
use crate::term::TermId;
use crate::text::Names;

/// Kinds of terms to generate.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Widths of constants, extensions and the like.
    pub widths: &'static [u32],
    /// Widths of the inputs, all of them views of input 0.
    pub input_widths: &'static [u32],
    /// Number of bytes of input 0 that the inputs may use.
    pub n_input_bytes: u32,
    pub n_terms: u32,
    pub floats: bool,
    pub arrays: bool,
}

/// All operations, with every kind of width.
pub const EVERYTHING: Shape = Shape {
    widths: &[1, 2, 3, 7, 8, 13, 16, 24, 32, 33, 64, 65, 127, 128],
    input_widths: &[8, 32, 64, 128],
    n_input_bytes: 32,
    n_terms: 60,
    floats: true,
    arrays: true,
};

/// Two input bytes and small widths, so that all inputs can be tried.
pub const SMALL: Shape = Shape {
    widths: &[1, 3, 8, 16],
    input_widths: &[8, 8, 16],
    n_input_bytes: 2,
    n_terms: 25,
    floats: false,
    arrays: true,
};

/// Pairs of terms (raw, rewritten). Later ones are made from earlier ones.
pub fn random_terms(random: &mut Random, pool: &mut TermPool, shape: &Shape) -> Vec<(TermId, TermId)> {
    let mut terms = Vec::new();
    let mut arrays = Vec::new();
    for &width in shape.input_widths {
        let offset = random.below((shape.n_input_bytes - width / 8 + 1) as u64) as u32;
        let input = pool.input(0, offset, width);
        terms.push((input, input));
    }
    for _ in 0..6 {
        let width = random.pick(shape.widths);
        let value = random.interesting(width);
        let constant = pool.constant(width, value);
        terms.push((constant, constant));
    }
    let table = pool.table((0..random.below(9)).map(|_| random.next_u64() as u8).collect::<Vec<_>>());
    arrays.push((table, table));
    for _ in 0..shape.n_terms {
        if shape.arrays && random.below(12) == 0 {
            random_access(random, pool, &mut terms, &mut arrays);
            continue;
        }
        let op = random.pick(Op::ALL);
        if !shape.floats && is_float(op) {
            continue;
        }
        let first = random.pick(&terms);
        let from = pool.width(first.0);
        let float = random.pick(&[32, 64]);
        let (width, immediate, widths): (u32, u32, [u32; 3]) = match op {
            Op::Const | Op::Input => continue,
            Op::ZExt | Op::SExt => (random.pick(shape.widths).max(from), 0, [from, 0, 0]),
            Op::Extract => {
                let low = random.below(from as u64) as u32;
                let width = 1 + random.below((from - low) as u64) as u32;
                if random.below(2) == 0 && from >= 16 {
                    (8, low.min(from - 8) & !7, [from, 0, 0])
                } else {
                    (width, low, [from, 0, 0])
                }
            }
            Op::Concat => {
                let low = random.pick(shape.widths);
                if from + low > 128 {
                    continue;
                }
                (from + low, 0, [from, low, 0])
            }
            Op::Ite => (from, 0, [1, from, from]),
            Op::FRound => (float, random.below(5) as u32, [float; 3]),
            Op::FToF => (float, 0, [random.pick(&[32, 64]); 3]),
            Op::FToS | Op::FToU => (random.pick(shape.widths), 0, [float; 3]),
            Op::SToF | Op::UToF => (float, 0, [from; 3]),
            _ if is_float(op) => (if op.shape().predicate { 1 } else { float }, 0, [float; 3]),
            _ => (if op.shape().predicate { 1 } else { from }, 0, [from; 3]),
        };
        let operands: Vec<(TermId, TermId)> =
            widths[..op.shape().operands as usize].iter().map(|&width| random.term_of(pool, &terms, width)).collect();
        let raw: Vec<TermId> = operands.iter().map(|pair| pair.0).collect();
        let rewritten: Vec<TermId> = operands.iter().map(|pair| pair.1).collect();
        let raw = pool.apply_raw(op, width, &raw, immediate).unwrap();
        let rewritten = pool.apply(op, width, &rewritten, immediate);
        terms.push((raw, rewritten));
    }
    terms
}

/// Random terms for the names in the examples of [`rules`](crate::rewrite::rules). Few of them are constants.
pub fn random_names(random: &mut Random, pool: &mut TermPool) -> Names {
    let terms = random_terms(random, pool, &Shape { n_terms: 20, ..EVERYTHING });
    let mut names = Names::new();
    for (name, width) in [("x", 32), ("y", 32), ("z", 32), ("a", 8), ("b", 8), ("w", 64), ("p", 1), ("q", 1)] {
        let fitting = |&id: &TermId| pool.width(id) == width && !pool.support(id).is_empty();
        let fitting: Vec<TermId> = terms.iter().map(|pair| pair.1).filter(fitting).collect();
        let offset = random.below(24) as u32;
        let term = match random.below(8) {
            0 => {
                let value = random.interesting(width);
                pool.constant(width, value)
            }
            1..5 if !fitting.is_empty() => random.pick(&fitting),
            _ if width == 1 => {
                let byte = pool.input(0, offset, 8);
                let k = pool.constant(8, 1 + random.below(255) as u128);
                if random.below(2) == 0 { pool.ult(byte, k) } else { pool.extract(byte, offset % 8, 1) }
            }
            _ => pool.input(0, offset, width),
        };
        names.add(name, term);
    }
    names
}

/// Boundary values of the rules, for the inputs of random terms.
pub fn random_bytes(random: &mut Random) -> Assignment {
    let mut assignment = Assignment::new();
    for offset in 0..32 {
        let value = random.interesting(8) as u8;
        assignment.set(0, offset, value);
    }
    assignment
}

fn is_float(op: Op) -> bool {
    op.name().starts_with('f') || matches!(op, Op::SToF | Op::UToF)
}

fn random_access(
    random: &mut Random,
    pool: &mut TermPool,
    terms: &mut Vec<(TermId, TermId)>,
    arrays: &mut Vec<(TermId, TermId)>,
) {
    let array = random.pick(arrays);
    let mut index = random.term_of(pool, terms, 64);
    if random.below(2) == 0 {
        let k = pool.constant(64, random.below(10) as u128);
        index = (k, k);
    }
    if random.below(2) == 0 {
        let width = random.pick(&[8, 8, 16, 32, 64]);
        let value = random.term_of(pool, terms, width);
        let raw = pool.store_raw(array.0, index.0, value.0);
        arrays.push((raw, pool.store(array.1, index.1, value.1)));
    } else {
        let width = random.pick(&[8, 8, 16, 32, 64]);
        let raw = pool.select_raw(array.0, index.0, width);
        terms.push((raw, pool.select(array.1, index.1, width)));
    }
}

/// SplitMix64.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.next_u64() % n
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }

    /// Returns mostly boundary values of the rules.
    pub fn interesting(&mut self, width: u32) -> u128 {
        let wide = (self.next_u64() as u128) << 64 | self.next_u64() as u128;
        let value = match self.below(8) {
            0 => 0,
            1 => 1,
            2 => u128::MAX,
            3 => 1 << (width - 1),
            4 => mask(width) >> 1,
            5 => wide & 0xf,
            6 => (1 << self.below(width as u64)) - self.below(2) as u128,
            _ => wide,
        };
        value & mask(width)
    }

    /// Returns a pair of this width: an existing one or a new constant.
    fn term_of(&mut self, pool: &mut TermPool, terms: &[(TermId, TermId)], width: u32) -> (TermId, TermId) {
        let fitting: Vec<_> = terms.iter().copied().filter(|pair| pool.width(pair.0) == width).collect();
        if fitting.is_empty() || self.below(5) == 0 {
            let value = self.interesting(width);
            let constant = pool.constant(width, value);
            return (constant, constant);
        }
        // Newer terms are used more often, so that terms grow.
        let from = if self.below(2) == 0 { fitting.len().saturating_sub(3) } else { 0 };
        self.pick(&fitting[from..])
    }
}
