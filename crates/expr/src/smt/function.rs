//! The part of SMT-LIB that terms use.

/// Sorts of SMT terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sort {
    Bool,
    /// A bit-vector of this many bits.
    Bits(u32),
    /// An IEEE 754 number of 32 or 64 bits.
    Float(u32),
    /// An array from 64 bits to 8 bits.
    Array,
}

/// SMT-LIB's rounding modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RoundingMode {
    NearestEven,
    NearestAway,
    Positive,
    Negative,
    Zero,
}

/// Functions of SMT-LIB. Floats round to nearest even unless stated otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Function {
    // Functions on Booleans.
    Not,
    And,
    Or,
    Xor,

    // Functions on all sorts.
    Eq,
    Ite,

    // Functions on bit-vectors.
    BvNot,
    BvAdd,
    BvSub,
    BvMul,
    BvUdiv,
    BvSdiv,
    BvUrem,
    BvSrem,
    BvAnd,
    BvOr,
    BvXor,
    BvShl,
    BvLshr,
    BvAshr,
    BvUlt,
    BvUle,
    BvSlt,
    BvSle,
    /// Overflow predicates for operands of this many bits.
    BvUmulo(u32),
    BvSmulo(u32),
    BvConcat,
    BvExtract {
        high: u32,
        low: u32,
    },
    /// Extensions by this many bits.
    BvZeroExtend(u32),
    BvSignExtend(u32),

    // Functions on floats.
    FpAdd,
    FpSub,
    FpMul,
    FpDiv,
    FpRem,
    FpFma,
    FpNeg,
    FpAbs,
    FpSqrt,
    FpRound(RoundingMode),
    FpEq,
    FpLt,
    FpLe,
    FpIsNan,
    FpIsNegative,
    /// Reinterprets bits as a number in this format.
    FpFromBits(u32),
    /// Converts a float to another format.
    FpFromFp(u32),
    /// Converts a signed integer to a float.
    FpFromSigned(u32),
    FpFromUnsigned(u32),
    /// Converts to a signed integer of this many bits, toward zero. Unspecified if out of range.
    FpToSigned(u32),
    FpToUnsigned(u32),
}
