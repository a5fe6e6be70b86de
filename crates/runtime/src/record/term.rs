//! Building expressions: the result of an operation on terms. It gets a node only if it still depends on inputs.
//!
//! Applies cheap simplifications that save nodes: neutral operands, conditions that were widened to `int` and compared
//! with 0, bytes that were split and joined again. The engine rewrites thoroughly.

use tine_trace::eval::{concat, mask, signed};
use tine_trace::event::{ConcretiseReason, NoteKind, Site};
use tine_trace::node::Node;
use tine_trace::op::Op;

use super::arena::FLOAT;
use super::note;
use super::state::Recorder;
use super::value;

/// A value of the run: its expression, if it has one, and its concrete value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Term {
    /// Its node, never a constant node; 0 for a concrete value.
    pub(super) id: u32,
    pub(super) width: u32,
    /// Masked to the width.
    pub(super) value: u128,
}

impl Term {
    #[inline]
    pub(super) fn concrete(width: u32, value: u128) -> Term {
        Term { id: 0, width, value: value & mask(width) }
    }

    #[inline]
    pub(super) fn is_concrete(self) -> bool {
        self.id == 0
    }

    /// True if it is this constant.
    #[inline]
    pub(super) fn is(self, value: u128) -> bool {
        self.id == 0 && self.value == value
    }
}

impl Recorder {
    /// The term of a shadow that was passed with a value. If the node has another value or another width, the value was
    /// changed without its shadow. Then the shadow is dropped and counted.
    #[inline]
    pub(super) fn operand(&mut self, shadow: u32, width: u32, value: u128) -> Term {
        let value = value & mask(width);
        if shadow == 0 {
            return Term { id: 0, width, value };
        }
        match self.arena.get(shadow) {
            Some(node) if node.width as u32 == width && node.value() == value => Term { id: shadow, width, value },
            _ => {
                note(NoteKind::Stale, Site::NONE, 0);
                Term { id: 0, width, value }
            }
        }
    }

    /// The term of a node of this run.
    #[inline]
    pub(super) fn term(&self, id: u32) -> Option<Term> {
        let node = self.arena.get(id)?;
        Some(Term { id, width: node.width as u32, value: node.value() })
    }

    /// The operation a term was made by.
    #[inline]
    fn made_by(&self, term: Term, op: Op) -> Option<Node> {
        self.arena.get(term.id).filter(|node| node.op == op as u8).copied()
    }

    /// The operand of a node as a term: constants become concrete again.
    #[inline]
    fn part(&self, id: u32) -> Term {
        match self.arena.get(id) {
            Some(node) if node.op == Op::Const as u8 => Term::concrete(node.width as u32, node.value()),
            Some(node) => Term { id, width: node.width as u32, value: node.value() },
            None => Term::concrete(1, 0), // not reached: operands are nodes
        }
    }

    /// The term's node, that of a constant if it is concrete; 0 when the arena is full.
    #[inline]
    pub(super) fn node(&mut self, term: Term) -> u32 {
        if term.id != 0 { term.id } else { self.arena.constant(term.width, term.value) }
    }

    /// A term as an operand of an operation on bits. Solvers do not determine which NaN a float operation returns. So
    /// its bits are those of this run, and a constraint records this.
    #[inline]
    pub(super) fn bits(&mut self, term: Term) -> Term {
        if term.id != 0
            && value::is_nan(term.width, term.value)
            && self.arena.get(term.id).is_some_and(|node| node.flags & FLOAT != 0)
        {
            self.concretise(term.id, Site::NONE, ConcretiseReason::NanBits);
            return Term { id: 0, ..term };
        }
        term
    }

    /// Makes the node of an operation with one operand and perhaps an immediate.
    #[inline(always)]
    fn make_unary(&mut self, op: Op, width: u32, a: Term, immediate: u32, result: u128, flags: u8) -> Term {
        let fields = [self.node(a), immediate, 0];
        Term { id: self.arena.make(op, width, fields, result, flags), width, value: result }
    }

    /// Makes the node of an operation with two operands.
    #[inline(always)]
    fn make_binary(&mut self, op: Op, width: u32, a: Term, b: Term, result: u128, flags: u8) -> Term {
        let fields = [self.node(a), self.node(b), 0];
        Term { id: self.arena.make(op, width, fields, result, flags), width, value: result }
    }

    /// An integer operation on two operands of one width.
    #[inline]
    pub(super) fn binary(&mut self, op: Op, a: Term, b: Term) -> Term {
        let Some(result) = value::binary(op, a.width, a.value, b.value) else {
            return Term::concrete(a.width, 0); // not reached: callers pass integer operations
        };
        let width = if is_predicate(op) { 1 } else { a.width };
        let (mut a, mut b) = (self.bits(a), self.bits(b));
        if a.is_concrete() && b.is_concrete() {
            return Term { id: 0, width, value: result };
        }
        if a.is_concrete() && is_commutative(op) {
            (a, b) = (b, a);
        }
        let simple = if b.is_concrete() {
            self.with_constant(op, a, b)
        } else if a.id == b.id {
            with_itself(op, a)
        } else {
            None
        };
        match simple {
            Some(term) => Term { value: result, ..term },
            None => self.make_binary(op, width, a, b, result, 0),
        }
    }

    /// `a op b` with a constant `b`: a shorter form, if there is one. Only its node and width are used.
    #[inline]
    fn with_constant(&mut self, op: Op, a: Term, b: Term) -> Option<Term> {
        let width = a.width;
        let ones = mask(width);
        let keeps = match op {
            Op::Add | Op::Sub | Op::Or | Op::Xor | Op::Shl | Op::LShr | Op::AShr => b.value == 0,
            Op::Mul | Op::UDiv | Op::SDiv => b.value == 1 && width > 1,
            Op::And => b.value == ones,
            _ => false,
        };
        if keeps {
            return Some(a);
        }
        let absorbs = match op {
            Op::Mul | Op::And => b.value == 0,
            Op::Or => b.value == ones,
            Op::URem => b.value == 1,
            _ => false,
        };
        if absorbs {
            return Some(Term::concrete(width, 0));
        }
        let absorbed = match op {
            Op::Ult => b.value == 0,
            Op::Ule => b.value == ones,
            Op::UMulO => b.value <= 1,
            Op::SAddO | Op::SSubO => b.value == 0,
            _ => false,
        };
        if absorbed {
            return Some(Term::concrete(1, 0));
        }
        match op {
            Op::Xor if b.value == ones => Some(self.not(a)),
            Op::Eq if width == 1 => Some(if b.value == 1 { a } else { self.not(a) }),
            Op::Eq => self.equals_constant(a, b.value),
            _ => None,
        }
    }

    /// `a == k` as a shorter comparison, so that the same condition has the same node in all its forms. C widens
    /// conditions to `int` and compares them with 0, and `strcmp` subtracts.
    fn equals_constant(&mut self, a: Term, k: u128) -> Option<Term> {
        let node = *self.arena.get(a.id)?;
        let op = Op::from_number(node.op)?;
        let (inner, k) = match op {
            Op::ZExt | Op::SExt => {
                let inner = self.part(node.a);
                let low = k & mask(inner.width);
                let extended = if op == Op::ZExt { low } else { signed(inner.width, low) as u128 & mask(a.width) };
                if extended != k {
                    return Some(Term::concrete(1, 0));
                }
                (inner, low)
            }
            Op::Add | Op::Sub if self.part(node.b).is_concrete() => {
                let by = self.part(node.b).value;
                let k = if op == Op::Add { k.wrapping_sub(by) } else { k.wrapping_add(by) };
                (self.part(node.a), k)
            }
            _ => return None,
        };
        Some(self.binary(Op::Eq, inner, Term::concrete(inner.width, k)))
    }

    /// Bitwise complement.
    #[inline]
    pub(super) fn not(&mut self, a: Term) -> Term {
        let result = !a.value & mask(a.width);
        let a = self.bits(a);
        if a.is_concrete() {
            return Term { id: 0, width: a.width, value: result };
        }
        if let Some(node) = self.made_by(a, Op::Not) {
            return self.part(node.a);
        }
        self.make_unary(Op::Not, a.width, a, 0, result, 0)
    }

    /// Zero extension to `width`, which is not smaller.
    pub(super) fn zext(&mut self, a: Term, width: u32) -> Term {
        if width <= a.width {
            return a;
        }
        let mut a = self.bits(a);
        if a.is_concrete() {
            return Term { width, ..a };
        }
        if let Some(node) = self.made_by(a, Op::ZExt) {
            a = self.part(node.a);
        }
        self.make_unary(Op::ZExt, width, a, 0, a.value, 0)
    }

    /// Sign extension to `width`, which is not smaller.
    pub(super) fn sext(&mut self, a: Term, width: u32) -> Term {
        if width <= a.width {
            return a;
        }
        let result = signed(a.width, a.value) as u128 & mask(width);
        let mut a = self.bits(a);
        if a.is_concrete() {
            return Term { id: 0, width, value: result };
        }
        if self.made_by(a, Op::ZExt).is_some() {
            return self.zext(a, width); // the sign bit is one of the zeros
        }
        if let Some(node) = self.made_by(a, Op::SExt) {
            a = self.part(node.a);
        }
        self.make_unary(Op::SExt, width, a, 0, result, 0)
    }

    /// Bits `low` … `low + width - 1`, all of which `a` has.
    pub(super) fn extract(&mut self, a: Term, low: u32, width: u32) -> Term {
        let (mut a, mut low) = (self.bits(a), low);
        let result = (a.value >> low.min(127)) & mask(width);
        loop {
            if a.is_concrete() {
                return Term { id: 0, width, value: result };
            }
            if low == 0 && width == a.width {
                return a;
            }
            let Some(node) = self.arena.get(a.id) else { break };
            let (op, first, second) = (node.op, node.a, node.b);
            if op == Op::Extract as u8 {
                (a, low) = (self.part(first), low + second);
            } else if op == Op::ZExt as u8 || op == Op::SExt as u8 {
                let inner = self.part(first);
                if low + width <= inner.width {
                    a = inner;
                } else if op == Op::ZExt as u8 && low >= inner.width {
                    a = Term::concrete(width, 0);
                } else if op == Op::ZExt as u8 && low == 0 {
                    return self.zext(inner, width);
                } else {
                    break;
                }
            } else if op == Op::Concat as u8 {
                let lower = self.part(second);
                if low + width <= lower.width {
                    a = lower;
                } else if low >= lower.width {
                    (a, low) = (self.part(first), low - lower.width);
                } else {
                    break;
                }
            } else {
                break;
            }
        }
        self.make_unary(Op::Extract, width, a, low, result, 0)
    }

    /// `high` above `low`.
    pub(super) fn concat(&mut self, high: Term, low: Term) -> Term {
        let width = high.width + low.width;
        let result = concat(low.width, high.value, low.value);
        let (high, low) = (self.bits(high), self.bits(low));
        if high.is_concrete() && low.is_concrete() {
            return Term { id: 0, width, value: result };
        }
        if high.is(0) {
            return self.zext(low, width);
        }
        if let Some(whole) = self.rejoined(high, low) {
            return whole;
        }
        self.make_binary(Op::Concat, width, high, low, result, 0)
    }

    /// Joins neighbouring pieces of one value: the result for `high`:`low` is a longer piece.
    fn rejoined(&mut self, high: Term, low: Term) -> Option<Term> {
        let node = self.made_by(high, Op::Extract)?;
        let (whole, above) = (node.a, node.b);
        let below = match self.made_by(low, Op::Extract) {
            Some(node) if node.a == whole => node.b,
            None if low.id == whole => 0,
            _ => return self.rejoined_inside(high, low),
        };
        if below + low.width != above {
            return None;
        }
        let whole = self.part(whole);
        Some(self.extract(whole, below, high.width + low.width))
    }

    /// `x[31:24] : (x[23:16] : y)` becomes `x[31:16] : y`: bytes are added one by one, from the low end.
    fn rejoined_inside(&mut self, high: Term, low: Term) -> Option<Term> {
        let node = self.made_by(low, Op::Concat)?;
        let (upper, rest) = (self.part(node.a), self.part(node.b));
        let outer = self.made_by(high, Op::Extract)?;
        let inner = self.made_by(upper, Op::Extract)?;
        if inner.a != outer.a || inner.b + upper.width != outer.b {
            return None;
        }
        let whole = self.part(outer.a);
        let joined = self.extract(whole, inner.b, high.width + upper.width);
        Some(self.concat(joined, rest))
    }

    /// `condition ? yes : no`; the condition is one bit, the others have one width.
    pub(super) fn ite(&mut self, condition: Term, yes: Term, no: Term) -> Term {
        let taken = if condition.value != 0 { yes } else { no };
        if condition.is_concrete() || yes.id == no.id && yes.value == no.value {
            return taken;
        }
        if let Some(node) = self.made_by(condition, Op::Not) {
            let positive = self.part(node.a);
            return self.ite(positive, no, yes);
        }
        if yes.width == 1 {
            match (yes.is_concrete(), no.is_concrete()) {
                // The sides are unequal, as seen above.
                (true, true) => return if yes.value == 1 { condition } else { self.not(condition) },
                (false, true) if no.value == 0 => return self.binary(Op::And, condition, yes),
                (true, false) if yes.value == 1 => return self.binary(Op::Or, condition, no),
                _ => {}
            }
        }
        let flags = self.flags(yes) | self.flags(no);
        let fields = [condition.id, self.node(yes), self.node(no)];
        Term { id: self.arena.make(Op::Ite, yes.width, fields, taken.value, flags & FLOAT), ..taken }
    }

    fn flags(&self, term: Term) -> u8 {
        self.arena.get(term.id).map_or(0, |node| node.flags)
    }

    /// A float operation on one operand, whose result `r` the machine has computed.
    pub(super) fn float_unary(&mut self, op: Op, width: u32, a: Term, immediate: u32, r: u128) -> Term {
        if a.is_concrete() {
            return Term { id: 0, width, value: r };
        }
        let flags = if is_predicate(op) || matches!(op, Op::FToS | Op::FToU) { 0 } else { FLOAT };
        self.make_unary(op, width, a, immediate, r, flags)
    }

    /// A float operation on two operands, with the machine's result `r`.
    pub(super) fn float_binary(&mut self, op: Op, width: u32, a: Term, b: Term, r: u128) -> Term {
        if a.is_concrete() && b.is_concrete() {
            return Term { id: 0, width, value: r };
        }
        let flags = if is_predicate(op) { 0 } else { FLOAT };
        self.make_binary(op, width, a, b, r, flags)
    }

    /// `a * b + c`, rounded once, with the machine's result `r`.
    pub(super) fn fused(&mut self, a: Term, b: Term, c: Term, r: u128) -> Term {
        let fields = [self.node(a), self.node(b), self.node(c)];
        Term { id: self.arena.make(Op::FMa, a.width, fields, r, FLOAT), width: a.width, value: r }
    }

    /// A comparison of floats.
    pub(super) fn float_compared(&mut self, op: Op, a: Term, b: Term) -> Term {
        let result = value::float_predicate(op, a.width, a.value, b.value).unwrap_or(0);
        self.float_binary(op, 1, a, b, result)
    }

    /// True if a float is a NaN.
    pub(super) fn float_is_nan(&mut self, a: Term) -> Term {
        self.float_unary(Op::FIsNan, 1, a, 0, value::is_nan(a.width, a.value) as u128)
    }
}

/// True if the result is one bit for any width of the operands.
#[inline]
pub(super) fn is_predicate(op: Op) -> bool {
    let op = op as u8;
    op >= Op::Eq as u8 && op <= Op::SSubO as u8 || op >= Op::FEq as u8 && op <= Op::FIsNan as u8
}

#[inline]
fn is_commutative(op: Op) -> bool {
    matches!(op, Op::Add | Op::Mul | Op::And | Op::Or | Op::Xor | Op::Eq | Op::UMulO | Op::SMulO | Op::SAddO)
}

/// `a op a`. Only the node and width of the result are used.
#[inline]
fn with_itself(op: Op, a: Term) -> Option<Term> {
    match op {
        Op::And | Op::Or => Some(a),
        Op::Sub | Op::Xor => Some(Term::concrete(a.width, 0)),
        Op::Eq | Op::Ult | Op::Ule | Op::Slt | Op::Sle | Op::SSubO => Some(Term::concrete(1, 0)),
        _ => None,
    }
}
