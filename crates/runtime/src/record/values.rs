//! Possible values of a word, if there are few: one of two pointers selected by arithmetic, a function from a table.

use tine_trace::eval::{integer, mask};
use tine_trace::event::{ConcretiseReason, EventKind, Site};
use tine_trace::node::Node;
use tine_trace::op::{ArrayOp, Op};

use super::arena::CONCRETISED;
use super::arrays::Word;
use super::state::Recorder;
use super::term::Term;

/// Maximum number of distinguished values.
const MAX_VALUES: usize = 64;
/// Maximum nesting of examined nodes.
const MAX_NESTING: u32 = 8;
/// Maximum number of free bits of a value.
const MAX_BITS: u32 = 4;

/// Values that a node may have.
#[derive(Debug)]
pub(super) struct Values {
    list: [u64; MAX_VALUES],
    n: usize,
    /// True if there may be other values.
    pub(super) open: bool,
}

impl Values {
    fn none() -> Values {
        Values { list: [0; MAX_VALUES], n: 0, open: false }
    }

    pub(super) fn list(&self) -> &[u64] {
        &self.list[..self.n]
    }

    fn add(&mut self, value: u64) {
        if self.list().contains(&value) {
            return;
        }
        match self.list.get_mut(self.n) {
            Some(free) => {
                *free = value;
                self.n += 1;
            }
            None => self.open = true,
        }
    }

    /// Adds every value whose bits are among these.
    fn add_within(&mut self, bits: u64) {
        let mut value = bits;
        loop {
            self.add(value);
            if value == 0 {
                return;
            }
            value = (value - 1) & bits;
        }
    }
}

impl Recorder {
    /// Possible values of `node`, if it has at most 64 bits.
    pub(super) fn values(&self, node: u32) -> Values {
        let mut values = Values::none();
        self.collect_values(node, MAX_NESTING, &mut values);
        values
    }

    fn collect_values(&self, node: u32, nesting: u32, values: &mut Values) {
        let Some(&made) = self.arena.get(node).filter(|node| node.width <= 64) else {
            values.open = true;
            return;
        };
        if made.op == Op::Const as u8 || made.flags & CONCRETISED != 0 {
            return values.add(made.value[0]);
        }
        let width = u32::from(made.width);
        if width <= MAX_BITS {
            return values.add_within(mask(width) as u64);
        }
        if nesting == 0 || values.open {
            values.open = true;
            return;
        }
        let nesting = nesting - 1;
        match Op::from_number(made.op) {
            Some(Op::Ite) => {
                self.collect_values(made.b, nesting, values);
                self.collect_values(made.c, nesting, values);
            }
            Some(Op::And) if self.few_bits(made).is_some() => values.add_within(self.few_bits(made).unwrap_or(0)),
            Some(op @ (Op::Not | Op::ZExt | Op::SExt)) => {
                self.combine(op, width, [made.a, 0], nesting, values);
            }
            Some(op @ (Op::Add | Op::Sub | Op::Mul | Op::And | Op::Or | Op::Xor)) => {
                self.combine(op, width, [made.a, made.b], nesting, values);
            }
            None if made.op == ArrayOp::Select as u8 && width == 64 => {
                self.words(made.a, &mut |word| match word {
                    Word::Value(value) => values.add(value),
                    Word::Node(node) => self.collect_values(node, nesting, values),
                });
            }
            _ => values.open = true,
        }
    }

    /// The bits that a mask keeps, if there are few.
    fn few_bits(&self, made: Node) -> Option<u64> {
        let constant = |id: u32| self.arena.get(id).filter(|node| node.op == Op::Const as u8).map(|node| node.value[0]);
        constant(made.a).or_else(|| constant(made.b)).filter(|bits| bits.count_ones() <= MAX_BITS)
    }

    /// Adds the results of an operation for all values of its operands. Operand 0 means that there is none.
    fn combine(&self, op: Op, width: u32, [a, b]: [u32; 2], nesting: u32, values: &mut Values) {
        let from = self.arena.get(a).map_or(width, |node| u32::from(node.width));
        let (mut of_a, mut of_b) = (Values::none(), Values::none());
        self.collect_values(a, nesting, &mut of_a);
        if b == 0 {
            of_b.add(0);
        } else if !of_a.open {
            self.collect_values(b, nesting, &mut of_b);
        }
        values.open |= of_a.open || of_b.open;
        for &a in of_a.list() {
            for &b in of_b.list() {
                values.add(integer(op, width, from, u128::from(a), u128::from(b), 0).unwrap_or(0) as u64);
            }
        }
    }

    /// Decides which of its possible values an address has that is called or jumped to.
    pub(super) fn decide_target(&mut self, site: Site, node: u32) {
        let targets = self.values(node);
        let Some(target) = self.term(node) else { return };
        if targets.open {
            return self.concretise(node, site, ConcretiseReason::Target);
        }
        let mut which = Term::concrete(16, targets.n as u128);
        for (number, value) in targets.list().iter().enumerate().rev() {
            let is_it = self.binary(Op::Eq, target, Term::concrete(64, u128::from(*value)));
            which = self.ite(is_it, Term::concrete(16, number as u128), which);
        }
        let decided =
            which.id == 0 || self.decide(EventKind::Choice, site, which.id, which.value as u16, targets.n as u32 + 1);
        if decided && which.value < targets.n as u128 {
            self.know_value(node);
        } else {
            self.concretise(node, site, ConcretiseReason::Target);
        }
    }
}
