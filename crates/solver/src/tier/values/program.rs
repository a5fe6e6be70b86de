//! Conditions as a program that is executed byte by byte.
//!
//! Each operation belongs to the last byte that it depends on. When that byte changes, only its operations are computed
//! again:
//!
//! ```text
//!   bytes      a        b             c
//!   computes   a * 10   a * 10 + b    (a * 10 + b) * 10 + c,  < 300?
//! ```
//!
//! The part after a byte depends on earlier bytes only through the results that are used later. If that part has failed
//! for some results, it need not be tried when they occur again. A scanner has few states, however many strings lead to
//! them.
//!
//! ```text
//!   bytes      a                 b                          c
//!   computes   s1 = next[0, a]   s2 = next[s1, b]           s3 = next[s2, c],  accepts[s3]?
//!   later on   s1                s2 = 7: no solution        s2 = 7 again: skip
//! ```

use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashSet;
use tine_expr::{Kind, TermId, TermPool, node_value};
use tine_trace::op::Op;

use super::MAX_COMBINATIONS;
use super::below::Below;
use super::build::Build;
use super::classes::{Classes, Known};
use crate::tier::bytes::{Set, Tables};

/// Minimum number of operations computed for one query, for goals with few combinations of values and with many.
const MIN_STEPS: u32 = 60_000;
const MIN_STEPS_OF_MANY: u32 = 20_000;
/// Limit for trying all combinations of the goal's bytes. Long programs are hard for other solvers, too.
const MAX_STEPS: f64 = 2_000_000.0;
/// Operations that take SMT solvers long allow more steps. `MAX_HARD` limits their number.
const STEPS_OF_HARD: u32 = 20_000;
const MAX_HARD: u32 = 10;
/// Repeated results allow more steps, too. `MAX_AGAIN` limits their number.
const STEPS_OF_AGAIN: u32 = 100;
const MAX_AGAIN: u32 = 40_000;

pub(super) struct Program {
    pub(super) operations: Vec<Operation>,
    /// Operations that depend on no byte.
    pub(super) constants: Vec<u32>,
    /// Bytes in the order of trials.
    pub(super) levels: Vec<Level>,
    pub(super) steps: u32,
}

pub(super) struct Level {
    /// Results by class of the operations that depend only on this byte and are combined with others. `owns` contains
    /// the numbers of these operations.
    pub(super) classes: Rc<Classes>,
    pub(super) owns: Vec<u32>,
    /// Operations that are computed when this byte gets a value.
    pub(super) computes: Vec<u32>,
    /// Results of this level and earlier levels that are used later.
    pub(super) later: Vec<u32>,
}

pub(super) struct Operation {
    pub(super) what: What,
    pub(super) width: u32,
    pub(super) is_condition: bool,
}

pub(super) enum What {
    Constant(u128),
    /// An operation on a single byte. The class of the byte determines the result.
    Own,
    /// A combination of single bytes, the lowest first.
    Input(Vec<u32>),
    Op {
        op: Op,
        from: u32,
        operands: Vec<u32>,
        immediate: u32,
    },
    Select {
        index: u32,
        /// Stores, newest first: index, value, and number of bytes.
        stores: Vec<(u32, u32, u32)>,
        table: Arc<[u8]>,
    },
}

pub(super) enum Tried {
    /// There is no solution.
    Nothing,
    /// A value for each byte.
    Found(Vec<u8>),
    Unfinished,
}

impl Program {
    /// Returns `None` if a term cannot be computed. Bytes are bits of `below`. The goal has `n_combinations`
    /// combinations of values.
    pub(super) fn new(
        pool: &TermPool,
        below: &Below,
        conditions: &[TermId],
        order: &[u32],
        n_combinations: f64,
        known: &mut Known,
        tables: &mut Tables,
    ) -> Option<Program> {
        let mut build = Build::new(pool, below, order);
        let (mut n_hard, mut n_reads) = (0, 0);
        for &id in &below.terms {
            let term = pool.term(id);
            n_reads += u32::from(term.kind() == Kind::Select);
            n_hard += u32::from(term.op().is_some_and(is_hard));
            // Operations on a single byte are looked up if they are used.
            if !matches!(term.kind(), Kind::Table | Kind::Store) && below.bits(id).count_ones() != 1 {
                build.add(id)?;
            }
        }
        for condition in conditions {
            let number = *build.numbers.get(condition)?;
            build.operations[number as usize].is_condition = true;
        }
        // Computations without tables seldom give repeated results.
        let all = n_combinations * build.operations.len() as f64;
        let steps = if n_combinations > MAX_COMBINATIONS {
            MIN_STEPS_OF_MANY + n_reads.min(MAX_HARD) * STEPS_OF_HARD
        } else {
            let steps = MIN_STEPS + (n_hard + n_reads).min(MAX_HARD) * STEPS_OF_HARD;
            if all <= MAX_STEPS { steps.max(all as u32) } else { steps }
        };
        build.finish(known, tables, steps)
    }

    /// Tries the values of `sets`, beginning with the value in `now` for each byte.
    pub(super) fn search(&self, sets: &[Set], now: &[u8]) -> Tried {
        let tries = |((level, &set), &first): ((&Level, &Set), &u8)| level.classes.tries(set, first);
        let mut run = Run {
            program: self,
            tries: self.levels.iter().zip(sets).zip(now).map(tries).collect(),
            in_vain: vec![FxHashSet::default(); self.levels.len()],
            bytes: now.to_vec(),
            values: vec![0; self.operations.len()],
            later: Vec::new(),
            steps: self.steps,
            n_again: 0,
        };
        match run.compute(&self.constants).and_then(|holds| if holds { run.search(0) } else { Some(false) }) {
            Some(true) => Tried::Found(run.bytes),
            Some(false) => Tried::Nothing,
            None => Tried::Unfinished,
        }
    }
}

struct Run<'a> {
    program: &'a Program,
    /// Values and their classes, by level.
    tries: Vec<Vec<(u8, u8)>>,
    /// Results for which the rest had no solution, by level.
    in_vain: Vec<FxHashSet<Box<[u128]>>>,
    bytes: Vec<u8>,
    values: Vec<u128>,
    /// Buffer for the results in question.
    later: Vec<u128>,
    steps: u32,
    n_again: u32,
}

impl Run<'_> {
    /// True if there are values for this byte and all bytes after it. `None` if there were too many values to try.
    fn search(&mut self, byte: usize) -> Option<bool> {
        let program = self.program;
        let Some(level) = program.levels.get(byte) else { return Some(true) };
        for k in 0..self.tries[byte].len() {
            let (value, class) = self.tries[byte][k];
            self.bytes[byte] = value;
            for (&number, &result) in level.owns.iter().zip(level.classes.results(class)) {
                self.values[number as usize] = result;
            }
            self.steps = self.steps.checked_sub(1)?;
            if !self.compute(&level.computes)? || self.is_in_vain(byte, level) {
                continue;
            }
            if self.search(byte + 1)? {
                return Some(true);
            }
            self.in_vain[byte].insert(level.later.iter().map(|&number| self.values[number as usize]).collect());
        }
        Some(false)
    }

    /// True if the rest has already failed with the present results of this byte and earlier bytes.
    fn is_in_vain(&mut self, byte: usize, level: &Level) -> bool {
        if self.in_vain[byte].is_empty() {
            return false;
        }
        self.later.clear();
        self.later.extend(level.later.iter().map(|&number| self.values[number as usize]));
        let is_again = self.in_vain[byte].contains(&self.later[..]);
        if is_again && self.n_again < MAX_AGAIN {
            self.n_again += 1;
            self.steps += STEPS_OF_AGAIN;
        }
        is_again
    }

    /// Computes operations until a condition fails.
    fn compute(&mut self, numbers: &[u32]) -> Option<bool> {
        for &number in numbers {
            self.steps = self.steps.checked_sub(1)?;
            let operation = &self.program.operations[number as usize];
            let value = self.value(operation, number)?;
            self.values[number as usize] = value;
            if operation.is_condition && value == 0 {
                return Some(false);
            }
        }
        Some(true)
    }

    fn value(&self, operation: &Operation, number: u32) -> Option<u128> {
        match &operation.what {
            What::Constant(value) => Some(*value),
            What::Own => Some(self.values[number as usize]),
            What::Input(bytes) => {
                Some(bytes.iter().rev().fold(0, |value, &byte| value << 8 | self.values[byte as usize]))
            }
            What::Op { op, from, operands, immediate } => {
                let mut fields = [0; 4];
                for (field, &number) in fields.iter_mut().zip(operands) {
                    *field = self.values[number as usize];
                }
                if op.shape().immediates > 0 {
                    fields[operands.len()] = u128::from(*immediate);
                }
                node_value(*op, operation.width, *from, fields[0], fields[1], fields[2])
            }
            What::Select { index, stores, table } => {
                let index = self.values[*index as usize] as u64;
                let byte = |k: u64| {
                    let at = index.wrapping_add(k);
                    let stored = stores.iter().find_map(|&(place, value, n_bytes)| {
                        let offset = at.wrapping_sub(self.values[place as usize] as u64);
                        let value = || self.values[value as usize] >> (offset * 8) & 0xff;
                        (offset < u64::from(n_bytes)).then(value)
                    });
                    let below = || usize::try_from(at).ok().and_then(|at| table.get(at)).map_or(0, |&b| u128::from(b));
                    stored.unwrap_or_else(below)
                };
                Some((0..u64::from(operation.width / 8)).fold(0, |value, k| value | byte(k) << (8 * k)))
            }
        }
    }
}

/// Operations whose circuits are large.
fn is_hard(op: Op) -> bool {
    matches!(op, Op::Mul | Op::UDiv | Op::SDiv | Op::URem | Op::SRem | Op::UMulO | Op::SMulO)
        || tine_expr::value::gives_float(op)
        || matches!(op, Op::SToF | Op::UToF | Op::FToS | Op::FToU)
}
