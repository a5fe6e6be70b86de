//! Conditions as a program that is run for one byte after the other.
//!
//! Each operation belongs to the last byte that it depends on. When that byte gets another value, only its operations are
//! computed again:
//!
//! ```text
//!   bytes      a        b             c
//!   computes   a * 10   a * 10 + b    (a * 10 + b) * 10 + c,  < 300?
//! ```

use std::sync::Arc;

use rustc_hash::FxHashMap;
use tine_expr::{Kind, TermId, TermPool, node_value};
use tine_trace::op::Op;

use super::Place;
use super::set::Set;
use crate::tier::ranges::terms_below;

/// Operations of a program.
const MAX_OPERATIONS: usize = 2_000;
/// Operations computed for one query, at least.
const MIN_STEPS: u32 = 60_000;
/// Where that is enough to try all that the goal is about. Long programs are hard for other solvers, too.
const MAX_STEPS: f64 = 2_000_000.0;
/// Operations that solvers take longer for: each allows more steps.
const STEPS_OF_HARD: u32 = 20_000;
const MAX_HARD: u32 = 10;

pub(super) struct Program {
    operations: Vec<Operation>,
    /// By byte: which operations are computed when it has got a value. First those that need none.
    levels: Vec<Vec<u32>>,
    steps: u32,
}

struct Operation {
    what: What,
    width: u32,
    is_condition: bool,
}

enum What {
    Constant(u128),
    /// Numbers of the bytes, lowest first.
    Input(Vec<u32>),
    Op {
        op: Op,
        from: u32,
        operands: Vec<u32>,
        immediate: u32,
    },
    Select {
        index: u32,
        /// Newest first: index, value, and its bytes.
        stores: Vec<(u32, u32, u32)>,
        table: Arc<[u8]>,
    },
}

pub(super) enum Tried {
    /// No values will do.
    Nothing,
    /// For each byte one.
    Found(Vec<u8>),
    Unfinished,
}

impl Program {
    /// Nothing if it would be too long, or has something that cannot be computed. The goal has so many combinations of values.
    pub(super) fn new(pool: &TermPool, conditions: &[TermId], order: &[Place], n_combinations: f64) -> Option<Program> {
        let terms = terms_below(pool, conditions, MAX_OPERATIONS)?;
        let bytes: FxHashMap<Place, u32> = (0..).zip(order).map(|(k, &place)| (place, k)).collect();
        let mut numbers: FxHashMap<TermId, u32> = FxHashMap::default();
        let mut program =
            Program { operations: Vec::new(), levels: vec![Vec::new(); order.len() + 1], steps: MIN_STEPS };
        let mut level_of: Vec<usize> = Vec::new();
        let mut n_hard = 0;
        for id in terms {
            let term = pool.term(id);
            let mut level = 0;
            let mut number = |id: TermId| {
                let number = numbers[&id];
                level = level.max(level_of[number as usize]);
                number
            };
            let what = match term.kind() {
                Kind::Table | Kind::Store => continue,
                Kind::Op(Op::Const) => What::Constant(pool.value(id)?),
                Kind::Op(Op::Input) => {
                    let view = term.input()?;
                    let byte = |k: u32| bytes.get(&(view.input, view.offset + k)).copied();
                    let own = (0..view.n_bytes()).map(byte).collect::<Option<Vec<u32>>>()?;
                    level = own.iter().max().map_or(0, |&last| last as usize + 1);
                    What::Input(own)
                }
                Kind::Op(op) => {
                    n_hard += u32::from(is_hard(op));
                    let operands: Vec<u32> = term.operands().map(&mut number).collect();
                    What::Op { op, from: pool.width(term.operand(0)), operands, immediate: term.immediate() }
                }
                Kind::Select => {
                    n_hard += 1;
                    let index = number(term.operand(1));
                    let (mut array, mut stores) = (term.operand(0), Vec::new());
                    while pool.term(array).kind() == Kind::Store {
                        let store = pool.term(array);
                        let n_bytes = pool.width(store.operand(2)) / 8;
                        stores.push((number(store.operand(1)), number(store.operand(2)), n_bytes));
                        array = store.operand(0);
                    }
                    What::Select { index, stores, table: pool.table_bytes(array)?.clone() }
                }
            };
            let next = program.operations.len() as u32;
            numbers.insert(id, next);
            level_of.push(level);
            program.levels[level].push(next);
            program.operations.push(Operation { what, width: term.width(), is_condition: false });
        }
        for condition in conditions {
            program.operations[numbers[condition] as usize].is_condition = true;
        }
        program.steps += n_hard.min(MAX_HARD) * STEPS_OF_HARD;
        let all = n_combinations * program.operations.len() as f64;
        if all <= MAX_STEPS {
            program.steps = program.steps.max(all as u32);
        }
        Some(program)
    }

    /// Tries the values of `sets`, for each byte that of `now` first.
    pub(super) fn search(&self, sets: &[Set], now: &[u8]) -> Tried {
        let values = vec![0; self.operations.len()];
        let mut run = Run { program: self, sets, now, bytes: now.to_vec(), values, steps: self.steps };
        match run.compute(0).and_then(|holds| if holds { run.search(0) } else { Some(false) }) {
            Some(true) => Tried::Found(run.bytes),
            Some(false) => Tried::Nothing,
            None => Tried::Unfinished,
        }
    }
}

struct Run<'a> {
    program: &'a Program,
    sets: &'a [Set],
    now: &'a [u8],
    bytes: Vec<u8>,
    values: Vec<u128>,
    steps: u32,
}

impl Run<'_> {
    /// Whether there are values for this byte and those after it; nothing when there were too many to try.
    fn search(&mut self, byte: usize) -> Option<bool> {
        let Some(set) = self.sets.get(byte) else { return Some(true) };
        // What no condition needs stays as it is.
        for value in set.values(self.now[byte]) {
            self.bytes[byte] = value;
            if self.compute(byte + 1)? && self.search(byte + 1)? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Computes the operations of a level, up to a condition that fails.
    fn compute(&mut self, level: usize) -> Option<bool> {
        for &number in &self.program.levels[level] {
            self.steps = self.steps.checked_sub(1)?;
            let operation = &self.program.operations[number as usize];
            let value = self.value(operation)?;
            self.values[number as usize] = value;
            if operation.is_condition && value == 0 {
                return Some(false);
            }
        }
        Some(true)
    }

    fn value(&self, operation: &Operation) -> Option<u128> {
        match &operation.what {
            What::Constant(value) => Some(*value),
            What::Input(bytes) => {
                let byte = |&number: &u32| u128::from(self.bytes[number as usize]);
                Some(bytes.iter().rev().fold(0, |value, number| value << 8 | byte(number)))
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
