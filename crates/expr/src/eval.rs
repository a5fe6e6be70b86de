//! Evaluation of terms under an assignment.

use crate::assignment::Assignment;
use crate::pool::TermPool;
use crate::term::{ARRAY, Kind, Term, TermId};
use crate::value::node_value;

/// Evaluates one term. An [`Evaluator`] is faster for many terms or assignments.
pub fn eval(pool: &TermPool, term: TermId, assignment: &Assignment) -> u128 {
    Evaluator::new().with(pool, assignment).eval(term)
}

/// Evaluates terms, each at most once per assignment. Keeps its buffers between assignments.
#[derive(Clone, Debug, Default)]
pub struct Evaluator {
    values: Vec<u128>,
    /// The epoch in which each entry of `values` was written. A new epoch invalidates all of them at once.
    stamps: Vec<u32>,
    epoch: u32,
    stack: Vec<TermId>,
    steps: u64,
}

impl Evaluator {
    /// An evaluator without values.
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of terms and stores visited so far: the cost of evaluation.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Starts an evaluation under this assignment.
    pub fn with<'a>(&'a mut self, pool: &'a TermPool, assignment: &'a Assignment) -> Evaluation<'a> {
        if self.epoch == u32::MAX {
            self.stamps.clear();
            self.epoch = 0;
        }
        self.epoch += 1;
        self.values.resize(pool.len(), 0);
        self.stamps.resize(pool.len(), 0);
        Evaluation { scratch: self, pool, assignment }
    }
}

/// Evaluation under one assignment.
#[derive(Debug)]
pub struct Evaluation<'a> {
    scratch: &'a mut Evaluator,
    pool: &'a TermPool,
    assignment: &'a Assignment,
}

impl Evaluation<'_> {
    /// Returns the term's value. Arrays are not allowed, because they have no single value.
    pub fn eval(&mut self, root: TermId) -> u128 {
        assert_ne!(self.pool.width(root), ARRAY, "an array has no single value");
        // Uses an explicit stack instead of recursion, because terms can be as deep as paths are long.
        self.scratch.stack.clear();
        self.scratch.stack.push(root);
        while let Some(&id) = self.scratch.stack.last() {
            self.scratch.steps += 1;
            if self.known(id).is_some() {
                self.scratch.stack.pop();
                continue;
            }
            if let Some(value) = self.step(id) {
                self.scratch.values[id.index()] = value;
                self.scratch.stamps[id.index()] = self.scratch.epoch;
                self.scratch.stack.pop();
            }
        }
        self.scratch.values[root.index()]
    }

    /// True if the one-bit term is true.
    pub fn holds(&mut self, term: TermId) -> bool {
        self.eval(term) != 0
    }

    fn known(&self, id: TermId) -> Option<u128> {
        (self.scratch.stamps[id.index()] == self.scratch.epoch).then(|| self.scratch.values[id.index()])
    }

    /// Returns the term's value if the values of its operands are known. Otherwise pushes these operands onto the
    /// stack.
    fn step(&mut self, id: TermId) -> Option<u128> {
        let term = self.pool.term(id);
        match term.kind() {
            Kind::Op(tine_trace::op::Op::Const) => self.pool.value(id),
            Kind::Op(tine_trace::op::Op::Input) => {
                let view = term.input()?;
                Some(self.assignment.read(view.input, view.offset, view.width))
            }
            Kind::Op(op) => {
                let mut fields = [0; 3];
                let n = term.operands().len();
                for (field, operand) in fields.iter_mut().zip(term.operands()) {
                    match self.known(operand) {
                        Some(value) => *field = value,
                        None => self.scratch.stack.push(operand),
                    }
                }
                if self.scratch.stack.last() != Some(&id) {
                    return None;
                }
                if op.shape().immediates > 0 {
                    fields[n] = term.immediate() as u128;
                }
                let from = self.pool.width(term.operand(0));
                let value = node_value(op, term.width(), from, fields[0], fields[1], fields[2]);
                Some(value.unwrap_or_else(|| panic!("{op:?} of {} bits from {from} has no value", term.width())))
            }
            Kind::Select => self.select(&term),
            Kind::Table | Kind::Store => unreachable!("arrays are evaluated through `Select`"),
        }
    }

    /// Walks the stores from the newest to the oldest, then looks into the table.
    fn select(&mut self, term: &Term) -> Option<u128> {
        let Some(index) = self.known(term.operand(1)) else {
            self.scratch.stack.push(term.operand(1));
            return None;
        };
        let n = term.width() / 8;
        let mut value = 0;
        // Bit mask of the bytes that no visited store has provided.
        let mut missing = (1u32 << n) - 1;
        let mut array = term.operand(0);
        loop {
            self.scratch.steps += 1;
            let store = self.pool.term(array);
            if store.kind() == Kind::Table {
                let bytes = self.pool.table_bytes(array)?;
                for k in (0..n).filter(|k| missing >> k & 1 == 1) {
                    let at = (index as u64).wrapping_add(u64::from(k));
                    let byte = usize::try_from(at).ok().and_then(|at| bytes.get(at));
                    value |= u128::from(byte.copied().unwrap_or(0)) << (k * 8);
                }
                return Some(value);
            }
            let (at, stored) = (store.operand(1), store.operand(2));
            let Some(found) = self.known(at) else {
                self.push_indices(array);
                return None;
            };
            let m = self.pool.width(stored) / 8;
            let back = (index as u64).wrapping_sub(found as u64);
            for k in 0..n {
                let offset = back.wrapping_add(u64::from(k));
                if missing >> k & 1 == 0 || offset >= u64::from(m) {
                    continue;
                }
                let Some(stored) = self.known(stored) else {
                    self.scratch.stack.push(stored);
                    return None;
                };
                value |= (stored >> (offset * 8) & 0xff) << (k * 8);
                missing &= !(1 << k);
            }
            if missing == 0 {
                return Some(value);
            }
            array = store.operand(0);
        }
    }

    /// Pushes all unknown indices of a chain of stores at once, so that the chain is not walked again for each of them.
    fn push_indices(&mut self, mut array: TermId) {
        loop {
            let store = self.pool.term(array);
            if store.kind() == Kind::Table {
                return;
            }
            if self.known(store.operand(1)).is_none() {
                self.scratch.stack.push(store.operand(1));
            }
            array = store.operand(0);
        }
    }
}
