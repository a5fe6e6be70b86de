//! One method per operation, for code that builds terms by hand.

use tine_trace::op::Op;

use crate::pool::TermPool;
use crate::term::TermId;

macro_rules! binary {
    ($($name:ident $op:ident)*) => { $(
        pub fn $name(&mut self, a: TermId, b: TermId) -> TermId {
            let width = if Op::$op.shape().predicate { 1 } else { self.width(a) };
            self.apply(Op::$op, width, &[a, b], 0)
        }
    )* };
}

/// Each method simplifies, and panics if the widths of its operands do not fit.
impl TermPool {
    binary! {
        add Add  sub Sub  mul Mul  udiv UDiv  sdiv SDiv  urem URem  srem SRem
        and And  or Or  xor Xor  shl Shl  lshr LShr  ashr AShr
        eq Eq  ult Ult  ule Ule  slt Slt  sle Sle  umulo UMulO  smulo SMulO
        saddo SAddO  ssubo SSubO
        fadd FAdd  fsub FSub  fmul FMul  fdiv FDiv  frem FRem  feq FEq  flt FLt  fle FLe
    }

    /// Bitwise complement; the negation of a one-bit term.
    pub fn not(&mut self, a: TermId) -> TermId {
        let width = self.width(a);
        self.apply(Op::Not, width, &[a], 0)
    }

    /// `a != b`.
    pub fn ne(&mut self, a: TermId, b: TermId) -> TermId {
        let eq = self.eq(a, b);
        self.not(eq)
    }

    /// Zero extension.
    pub fn zext(&mut self, a: TermId, width: u32) -> TermId {
        self.apply(Op::ZExt, width, &[a], 0)
    }

    /// Sign extension.
    pub fn sext(&mut self, a: TermId, width: u32) -> TermId {
        self.apply(Op::SExt, width, &[a], 0)
    }

    /// Extracts the bits `low` … `low + width - 1`.
    pub fn extract(&mut self, a: TermId, low: u32, width: u32) -> TermId {
        self.apply(Op::Extract, width, &[a], low)
    }

    /// Concatenation.
    pub fn concat(&mut self, high: TermId, low: TermId) -> TermId {
        let width = self.width(high) + self.width(low);
        self.apply(Op::Concat, width, &[high, low], 0)
    }

    /// Choice between two terms.
    pub fn ite(&mut self, condition: TermId, then: TermId, otherwise: TermId) -> TermId {
        let width = self.width(then);
        self.apply(Op::Ite, width, &[condition, then, otherwise], 0)
    }
}
