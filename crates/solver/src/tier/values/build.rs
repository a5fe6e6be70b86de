//! Builds a program from terms: assigns operations to bytes, and determines the results that are used later.

use rustc_hash::FxHashMap;
use tine_expr::{Kind, TermId, TermPool};
use tine_trace::op::Op;

use super::below::{Below, ones};
use super::classes::{Known, Own};
use super::program::{Level, Operation, Program, What};
use crate::tier::bytes::Tables;

/// A program under construction.
pub(super) struct Build<'a> {
    pool: &'a TermPool,
    below: &'a Below,
    /// Position of a byte in the order, from 1, by bit. Level 0 holds operations that depend on no byte.
    level_of_bit: Vec<u32>,
    pub(super) numbers: FxHashMap<TermId, u32>,
    /// The byte as a part of wider inputs, by bit.
    bytes: FxHashMap<u32, u32>,
    pub(super) operations: Vec<Operation>,
    /// Level of an operation, and the last level at which it is used.
    levels: Vec<(u32, u32)>,
    /// Results that are looked up, by level.
    owns: Vec<Vec<(Own, u32)>>,
}

impl<'a> Build<'a> {
    /// `order` contains every bit once.
    pub(super) fn new(pool: &'a TermPool, below: &'a Below, order: &[u32]) -> Build<'a> {
        let mut level_of_bit = vec![0; order.len()];
        for (level, &bit) in (1..).zip(order) {
            level_of_bit[bit as usize] = level;
        }
        Build {
            pool,
            below,
            level_of_bit,
            numbers: FxHashMap::default(),
            bytes: FxHashMap::default(),
            operations: Vec::new(),
            levels: Vec::new(),
            owns: vec![Vec::new(); order.len() + 1],
        }
    }

    /// Adds an operation whose operands exist or can be looked up. Returns `None` if it cannot be computed.
    pub(super) fn add(&mut self, id: TermId) -> Option<()> {
        let level = ones(self.below.bits(id)).map(|bit| self.level_of_bit[bit as usize]).max().unwrap_or(0);
        let term = self.pool.term(id);
        let what = match term.kind() {
            Kind::Table | Kind::Store => return None,
            Kind::Op(Op::Const) => What::Constant(self.pool.value(id)?),
            Kind::Op(Op::Input) => {
                let view = term.input()?;
                let bit = |k: u32| self.below.bit_of((view.input, view.offset + k));
                let bits = (0..view.n_bytes()).map(bit).collect::<Option<Vec<u32>>>()?;
                What::Input(bits.into_iter().map(|bit| self.byte(bit, level)).collect())
            }
            Kind::Op(op) => {
                let operands = term.operands().map(|operand| self.operand(operand, level)).collect();
                What::Op { op, from: self.pool.width(term.operand(0)), operands, immediate: term.immediate() }
            }
            Kind::Select => {
                let index = self.operand(term.operand(1), level);
                let (mut array, mut stores) = (term.operand(0), Vec::new());
                while self.pool.term(array).kind() == Kind::Store {
                    let store = self.pool.term(array);
                    let n_bytes = self.pool.width(store.operand(2)) / 8;
                    stores.push((
                        self.operand(store.operand(1), level),
                        self.operand(store.operand(2), level),
                        n_bytes,
                    ));
                    array = store.operand(0);
                }
                What::Select { index, stores, table: self.pool.table_bytes(array)?.clone() }
            }
        };
        let number = self.push(what, term.width(), level);
        self.numbers.insert(id, number);
        Some(())
    }

    pub(super) fn finish(self, known: &mut Known, tables: &mut Tables, steps: u32) -> Option<Program> {
        let mut levels = Vec::with_capacity(self.owns.len());
        for owns in &self.owns[1..] {
            let what: Vec<Own> = owns.iter().map(|(own, _)| *own).collect();
            let owns = owns.iter().map(|(_, number)| *number).collect();
            levels.push(Level {
                classes: known.classes(self.pool, tables, &what)?,
                owns,
                computes: Vec::new(),
                later: Vec::new(),
            });
        }
        let mut constants = Vec::new();
        for ((operation, &(own, last)), number) in self.operations.iter().zip(&self.levels).zip(0..) {
            match own.checked_sub(1) {
                None => constants.push(number),
                Some(_) if matches!(operation.what, What::Own) => {}
                Some(level) => levels[level as usize].computes.push(number),
            }
            // Results that depend on no byte are constant.
            if own > 0 {
                (own..last).for_each(|level| levels[level as usize - 1].later.push(number));
            }
        }
        Some(Program { operations: self.operations, constants, levels, steps })
    }

    fn push(&mut self, what: What, width: u32, level: u32) -> u32 {
        let number = self.operations.len() as u32;
        self.operations.push(Operation { what, width, is_condition: false });
        self.levels.push((level, level));
        number
    }

    /// Returns the number of an operand that is used at this level.
    fn operand(&mut self, id: TermId, level: u32) -> u32 {
        let number = match self.numbers.get(&id) {
            Some(&number) => number,
            None => {
                let number = self.look_up(self.below.bits(id).trailing_zeros(), Own::Term(id), self.pool.width(id));
                self.numbers.insert(id, number);
                number
            }
        };
        self.is_used(number, level)
    }

    /// Returns the number of a byte of a wider input that is used at this level.
    fn byte(&mut self, bit: u32, level: u32) -> u32 {
        let number = match self.bytes.get(&bit) {
            Some(&number) => number,
            None => {
                let number = self.look_up(bit, Own::Byte, 8);
                self.bytes.insert(bit, number);
                number
            }
        };
        self.is_used(number, level)
    }

    fn look_up(&mut self, bit: u32, own: Own, width: u32) -> u32 {
        let level = self.level_of_bit[bit as usize];
        let number = self.push(What::Own, width, level);
        self.owns[level as usize].push((own, number));
        number
    }

    fn is_used(&mut self, number: u32, level: u32) -> u32 {
        let last = &mut self.levels[number as usize].1;
        *last = level.max(*last);
        number
    }
}
