//! Operations of expressions: one closed list for the unit, the engine and every solver.
//!
//! Every value is a bit-vector of 1 to 128 bits. Floats are represented by their IEEE 754 bits. The operations that
//! start with `F` interpret them. The width (32 or 64) selects the format, and rounding is to nearest even. Operations
//! that C compilers have but solvers do not (`abs`, `ctpop`, `fshl`, saturation, unordered comparisons …) are composed
//! from these in `runtime`, so that this list stays short.

/// Use of the fields `a`, `b` and `c` of a node by its operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Number of fields, from the left, that are operands (node ids).
    pub operands: u8,
    /// Number of fields after the operands that are plain numbers.
    pub immediates: u8,
    /// True if the result is one bit for any width of the operands.
    pub predicate: bool,
}

macro_rules! ops {
    ($( $(#[$doc:meta])* $name:ident $text:literal ($operands:literal, $immediates:literal, $predicate:literal) )*) => {
        /// Operation of a node. "w" is the node's own width in bits.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Op { $( $(#[$doc])* $name ),* }

        impl Op {
            /// Every operation, in order of its number.
            pub const ALL: &'static [Op] = &[ $( Op::$name ),* ];

            /// Its name in text forms.
            pub const fn name(self) -> &'static str {
                match self { $( Op::$name => $text ),* }
            }

            /// Number and widths of the operands.
            pub const fn shape(self) -> Shape {
                match self { $( Op::$name => Shape {
                    operands: $operands, immediates: $immediates, predicate: $predicate,
                } ),* }
            }
        }
    };
}

ops! {
    /// The node's value itself.
    Const "const" (0, 0, false)
    /// Bytes of an input: `a` = input ordinal, `b` = byte offset in it; w/8 bytes, little-endian.
    Input "input" (0, 2, false)

    // Both operands and the result have width w. Division is total, as in SMT-LIB: x / 0 is all ones
    // (signed: -1, or 1 for negative x), x % 0 = x; shifts by w or more give 0 (`ashr`: all sign bits).
    Add "add" (2, 0, false)
    Sub "sub" (2, 0, false)
    Mul "mul" (2, 0, false)
    UDiv "udiv" (2, 0, false)
    SDiv "sdiv" (2, 0, false)
    URem "urem" (2, 0, false)
    SRem "srem" (2, 0, false)
    And "and" (2, 0, false)
    Or "or" (2, 0, false)
    Xor "xor" (2, 0, false)
    Shl "shl" (2, 0, false)
    LShr "lshr" (2, 0, false)
    AShr "ashr" (2, 0, false)

    // Both operands have one width; the result is one bit.
    Eq "eq" (2, 0, true)
    Ult "ult" (2, 0, true)
    Ule "ule" (2, 0, true)
    Slt "slt" (2, 0, true)
    Sle "sle" (2, 0, true)
    /// Unsigned multiplication of the operands leaves their width.
    UMulO "umulo" (2, 0, true)
    /// Signed multiplication of the operands leaves their width.
    SMulO "smulo" (2, 0, true)
    /// Signed addition of the operands leaves their width.
    SAddO "saddo" (2, 0, true)
    /// Signed subtraction of the second operand from the first leaves their width.
    SSubO "ssubo" (2, 0, true)

    /// Bitwise complement; on one bit, logical negation.
    Not "not" (1, 0, false)
    /// Zero extension of `a` to w.
    ZExt "zext" (1, 0, false)
    /// Sign extension of `a` to w.
    SExt "sext" (1, 0, false)
    /// Bits `b` … `b`+w-1 of `a`.
    Extract "extract" (1, 1, false)
    /// `a` is the high part, `b` the low part.
    Concat "concat" (2, 0, false)
    /// `a` (one bit) ? `b` : `c`.
    Ite "ite" (3, 0, false)

    FAdd "fadd" (2, 0, false)
    FSub "fsub" (2, 0, false)
    FMul "fmul" (2, 0, false)
    FDiv "fdiv" (2, 0, false)
    /// C's `fmod`: the result has the sign of the dividend.
    FRem "frem" (2, 0, false)
    /// `a` * `b` + `c`, rounded once.
    FMa "fma" (3, 0, false)
    FNeg "fneg" (1, 0, false)
    FAbs "fabs" (1, 0, false)
    FSqrt "fsqrt" (1, 0, false)
    /// Round to an integral value in float format; `b` is a [`Rounding`].
    FRound "fround" (1, 1, false)

    // Float comparisons: the result is one bit, false if an operand is a NaN.
    FEq "feq" (2, 0, true)
    FLt "flt" (2, 0, true)
    FLe "fle" (2, 0, true)
    FIsNan "fisnan" (1, 0, true)

    // Conversions: `a` is the operand, w the width of the result.
    /// Between float formats.
    FToF "ftof" (1, 0, false)
    /// Float to signed integer, toward zero. Out of range (undefined in C) the result is unconstrained: `runtime`
    /// concretises the operand instead of building this node.
    FToS "ftos" (1, 0, false)
    /// Float to unsigned integer, toward zero. Out of range: as for [`Op::FToS`].
    FToU "ftou" (1, 0, false)
    /// Signed integer to float.
    SToF "stof" (1, 0, false)
    /// Unsigned integer to float.
    UToF "utof" (1, 0, false)
}

/// Operation of a node on an array of bytes: the memory of an object, as one value. Their numbers differ from those of
/// [`Op`]. Indices are nodes of 64 bits and wrap around.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum ArrayOp {
    /// Bytes of the segment's images: `a` = start, `b` = length; zeros follow. Its value is a hash of the bytes.
    Table = 200,
    /// w/8 bytes of array `a` from index `b` on, little-endian.
    Select = 201,
    /// Array `a` with the bytes of `c` from index `b` on.
    Store = 202,
}

impl ArrayOp {
    /// All operations.
    pub const ALL: [ArrayOp; 3] = [ArrayOp::Table, ArrayOp::Select, ArrayOp::Store];

    /// The operation with this number.
    pub fn from_number(number: u8) -> Option<ArrayOp> {
        Self::ALL.into_iter().find(|op| *op as u8 == number)
    }

    /// Number of fields, from the left, that are nodes.
    pub const fn n_operands(self) -> usize {
        match self {
            ArrayOp::Table => 0,
            ArrayOp::Select => 2,
            ArrayOp::Store => 3,
        }
    }
}

/// Hash of an image.
pub const fn image_hash(bytes: &[u8]) -> u64 {
    let mut hash = 0x7469_6e65_0000_0003 ^ bytes.len() as u64;
    let mut k = 0;
    while k < bytes.len() {
        let mut word = 0u64;
        let mut j = 0;
        while j < 8 && k + j < bytes.len() {
            word |= (bytes[k + j] as u64) << (8 * j);
            j += 1;
        }
        hash = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash ^= hash >> 29;
        k += 8;
    }
    hash
}

impl Op {
    /// The operation with this number, if it exists. The engine reads numbers from an untrusted unit.
    pub fn from_number(number: u8) -> Option<Op> {
        Op::ALL.get(number as usize).copied()
    }
}

/// Rounding of [`Op::FRound`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Rounding {
    /// Ties to even: `rint`, `nearbyint`, `roundeven`.
    NearestEven = 0,
    /// Ties away from zero: `round`.
    NearestAway = 1,
    /// `ceil`.
    Up = 2,
    /// `floor`.
    Down = 3,
    /// `trunc`.
    Zero = 4,
}

impl Rounding {
    /// The mode with this number.
    pub fn from_number(number: u32) -> Option<Rounding> {
        Some(match number {
            0 => Rounding::NearestEven,
            1 => Rounding::NearestAway,
            2 => Rounding::Up,
            3 => Rounding::Down,
            4 => Rounding::Zero,
            _ => return None,
        })
    }
}
