//! Terms: values of the unit as functions of the inputs.
//!
//! A term has sixteen bytes and refers to its operands by [`TermId`]. The [`TermPool`](crate::TermPool) that created it
//! stores the rest. Most terms are operations of the trace. Arrays of bytes exist in the engine only.

use tine_trace::op::Op;

/// Number of a term in its pool. Operands have smaller numbers than their users. Equal terms have equal numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct TermId(pub u32);

impl TermId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Operation of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// An operation of the trace.
    Op(Op),
    /// An array: the bytes of a table known in advance, and zeros after its end.
    Table,
    /// Bytes of array `a` from the 64-bit index `b` on, little-endian. The width gives their number. Indices wrap
    /// around.
    Select,
    /// The array `a` with the bytes of `c` from the 64-bit index `b` on.
    Store,
}

impl Kind {
    /// Name in text forms.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Op(op) => op.name(),
            Kind::Table => "table",
            Kind::Select => "select",
            Kind::Store => "store",
        }
    }

    /// Number of operands among a term's three fields. Operands come first.
    pub const fn n_operands(self) -> usize {
        match self {
            Kind::Op(op) => op.shape().operands as usize,
            Kind::Table => 0,
            Kind::Select => 2,
            Kind::Store => 3,
        }
    }
}

/// Width of terms that are arrays.
pub const ARRAY: u32 = 0;

/// One term. The fields after the operands are immediates, as in the trace, then zeros. The field of a constant or a
/// table is its number in the pool's list of values or tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Term {
    pub(crate) kind: Kind,
    pub(crate) width: u8,
    pub(crate) fields: [u32; 3],
}

const _: () = assert!(size_of::<Term>() == 16);

impl Term {
    /// Kind of the term.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The operation, if the term is an operation of the trace.
    pub fn op(&self) -> Option<Op> {
        match self.kind {
            Kind::Op(op) => Some(op),
            _ => None,
        }
    }

    /// Width of the value in bits, 1 to 128, or [`ARRAY`].
    pub fn width(&self) -> u32 {
        self.width as u32
    }

    /// All operands in order.
    pub fn operands(&self) -> impl DoubleEndedIterator<Item = TermId> + ExactSizeIterator + use<> {
        let (fields, n) = (self.fields, self.kind.n_operands());
        (0..n).map(move |k| TermId(fields[k]))
    }

    /// Operand `k`, which must exist.
    pub fn operand(&self, k: usize) -> TermId {
        debug_assert!(k < self.kind.n_operands(), "{:?} has no operand {k}", self.kind);
        TermId(self.fields[k])
    }

    /// The immediate after the operands: the lowest bit of an `Extract`, the mode of an `FRound`.
    pub fn immediate(&self) -> u32 {
        self.fields.get(self.kind.n_operands()).copied().unwrap_or(0)
    }

    /// The bytes that an `Input` term reads.
    pub fn input(&self) -> Option<InputView> {
        match self.kind {
            Kind::Op(Op::Input) => {
                Some(InputView { input: self.fields[0], offset: self.fields[1], width: self.width as u32 })
            }
            _ => None,
        }
    }

    /// True for constants.
    pub fn is_const(&self) -> bool {
        self.kind == Kind::Op(Op::Const)
    }
}

/// View of an `Input` term: `width / 8` bytes of an input from `offset` on, little-endian. Views may overlap. The
/// variables are the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InputView {
    pub input: u32,
    pub offset: u32,
    pub width: u32,
}

impl InputView {
    /// Number of bytes that hold the value.
    pub fn n_bytes(self) -> u32 {
        self.width / 8
    }
}

/// Reason why a term cannot be built: its operands do not fit. Data from a trace is not trusted.
/// @162t t built by separate functions
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IllFormed {
    pub op: Op,
    pub width: u32,
    pub operand_widths: Vec<u32>,
    pub immediate: u32,
}

impl std::fmt::Display for IllFormed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { op, width, operand_widths, immediate } = self;
        write!(f, "{} of {width} bits cannot have operands of {operand_widths:?} bits", op.name())?;
        if *immediate != 0 {
            write!(f, " and {immediate}")?;
        }
        Ok(())
    }
}

impl std::error::Error for IllFormed {}

/// True if an operation of this width fits operands of these widths.
pub(crate) fn well_formed(op: Op, width: u32, operands: &[u32], immediate: u32) -> bool {
    let float = |w: u32| w == 32 || w == 64;
    if operands.len() != op.shape().operands as usize || !(1..=128).contains(&width) || operands.contains(&ARRAY) {
        return false;
    }
    match op {
        Op::Const | Op::Input => false, // have functions of their own
        Op::Add | Op::Sub | Op::Mul | Op::UDiv | Op::SDiv | Op::URem | Op::SRem => operands == [width, width],
        Op::And | Op::Or | Op::Xor | Op::Shl | Op::LShr | Op::AShr => operands == [width, width],
        Op::Eq | Op::Ult | Op::Ule | Op::Slt | Op::Sle | Op::UMulO | Op::SMulO | Op::SAddO | Op::SSubO => {
            width == 1 && operands[0] == operands[1]
        }
        Op::Not => operands[0] == width,
        Op::ZExt | Op::SExt => operands[0] <= width,
        Op::Extract => immediate < 128 && immediate + width <= operands[0],
        Op::Concat => operands[0] + operands[1] == width,
        Op::Ite => operands == [1, width, width],
        Op::FAdd | Op::FSub | Op::FMul | Op::FDiv | Op::FRem => float(width) && operands == [width, width],
        Op::FMa => float(width) && operands == [width, width, width],
        Op::FNeg | Op::FAbs | Op::FSqrt => float(width) && operands == [width],
        Op::FRound => float(width) && operands == [width] && immediate <= 4,
        Op::FEq | Op::FLt | Op::FLe => width == 1 && float(operands[0]) && operands[0] == operands[1],
        Op::FIsNan => width == 1 && float(operands[0]),
        Op::FToF => float(width) && float(operands[0]),
        Op::FToS | Op::FToU => float(operands[0]),
        Op::SToF | Op::UToF => float(width),
    }
}
