//! The part of SMT-LIB that terms need.

/// Sorts of SMT terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sort {
    Bool,
    /// A bit-vector of so many bits.
    Bits(u32),
    /// An IEEE 754 number of 32 or 64 bits.
    Float(u32),
    /// From 64 bits to 8.
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

/// Functions of SMT-LIB. Floats round to nearest even where nothing else is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Function {
    // On Booleans.
    Not,
    And,
    Or,
    Xor,

    // On every sort.
    Eq,
    Ite,

    // On bit-vectors.
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
    /// Of operands of so many bits.
    BvUmulo(u32),
    BvSmulo(u32),
    BvConcat,
    BvExtract {
        high: u32,
        low: u32,
    },
    /// By so many bits more.
    BvZeroExtend(u32),
    BvSignExtend(u32),

    // On floats.
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
    /// The number that the bits stand for, in this format.
    FpFromBits(u32),
    /// To another format.
    FpFromFp(u32),
    /// From a signed integer.
    FpFromSigned(u32),
    FpFromUnsigned(u32),
    /// To a signed integer of so many bits, toward zero; unspecified out of range.
    FpToSigned(u32),
    FpToUnsigned(u32),
}
