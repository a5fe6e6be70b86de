//! Functions of SMT-LIB as kinds of terms of Bitwuzla.

use tine_expr::smt::{Function, RoundingMode};

/// Declares kinds; a kind's value is its position in the list of `bitwuzla/c/enums.h`.
macro_rules! kinds {
    ($($name:ident = $value:literal)*) => { $( const $name: u32 = $value; )* };
}

kinds! {
    AND = 4  EQUAL = 6  NOT = 9  OR = 10  XOR = 11  ITE = 12
    BV_ADD = 19  BV_AND = 20  BV_ASHR = 21  BV_CONCAT = 23  BV_MUL = 26  BV_NOT = 31  BV_OR = 32
    BV_SDIV = 40  BV_SHL = 43  BV_SHR = 44  BV_SLE = 45  BV_SLT = 46  BV_SMUL_OVERFLOW = 48  BV_SREM = 49
    BV_SUB = 51  BV_UDIV = 53  BV_ULE = 56  BV_ULT = 57  BV_UMUL_OVERFLOW = 58  BV_UREM = 59  BV_XOR = 62
    BV_EXTRACT = 63  BV_SIGN_EXTEND = 67  BV_ZERO_EXTEND = 68
    FP_ABS = 69  FP_ADD = 70  FP_DIV = 71  FP_EQUAL = 72  FP_FMA = 73  FP_IS_NAN = 78  FP_IS_NEG = 79
    FP_LEQ = 84  FP_LT = 85  FP_MUL = 88  FP_NEG = 89  FP_REM = 90  FP_RTI = 91  FP_SQRT = 92  FP_SUB = 93
    FP_TO_FP_FROM_BV = 94  FP_TO_FP_FROM_FP = 95  FP_TO_FP_FROM_SBV = 96  FP_TO_FP_FROM_UBV = 97
    FP_TO_SBV = 98  FP_TO_UBV = 99
}

/// Kind, rounding mode and indices of a function.
pub(super) fn of(function: Function) -> (u32, Option<RoundingMode>, Vec<u32>) {
    use RoundingMode::{NearestEven, Zero};
    let plain = |kind| (kind, None, Vec::new());
    let nearest = |kind| (kind, Some(NearestEven), Vec::new());
    match function {
        Function::Not => plain(NOT),
        Function::And => plain(AND),
        Function::Or => plain(OR),
        Function::Xor => plain(XOR),
        Function::Eq => plain(EQUAL),
        Function::Ite => plain(ITE),
        Function::BvNot => plain(BV_NOT),
        Function::BvAdd => plain(BV_ADD),
        Function::BvSub => plain(BV_SUB),
        Function::BvMul => plain(BV_MUL),
        Function::BvUdiv => plain(BV_UDIV),
        Function::BvSdiv => plain(BV_SDIV),
        Function::BvUrem => plain(BV_UREM),
        Function::BvSrem => plain(BV_SREM),
        Function::BvAnd => plain(BV_AND),
        Function::BvOr => plain(BV_OR),
        Function::BvXor => plain(BV_XOR),
        Function::BvShl => plain(BV_SHL),
        Function::BvLshr => plain(BV_SHR),
        Function::BvAshr => plain(BV_ASHR),
        Function::BvUlt => plain(BV_ULT),
        Function::BvUle => plain(BV_ULE),
        Function::BvSlt => plain(BV_SLT),
        Function::BvSle => plain(BV_SLE),
        Function::BvUmulo(_) => plain(BV_UMUL_OVERFLOW),
        Function::BvSmulo(_) => plain(BV_SMUL_OVERFLOW),
        Function::BvConcat => plain(BV_CONCAT),
        Function::BvExtract { high, low } => (BV_EXTRACT, None, vec![high, low]),
        Function::BvZeroExtend(n) => (BV_ZERO_EXTEND, None, vec![n]),
        Function::BvSignExtend(n) => (BV_SIGN_EXTEND, None, vec![n]),
        Function::FpAdd => nearest(FP_ADD),
        Function::FpSub => nearest(FP_SUB),
        Function::FpMul => nearest(FP_MUL),
        Function::FpDiv => nearest(FP_DIV),
        Function::FpRem => plain(FP_REM),
        Function::FpFma => nearest(FP_FMA),
        Function::FpNeg => plain(FP_NEG),
        Function::FpAbs => plain(FP_ABS),
        Function::FpSqrt => nearest(FP_SQRT),
        Function::FpRound(mode) => (FP_RTI, Some(mode), Vec::new()),
        Function::FpEq => plain(FP_EQUAL),
        Function::FpLt => plain(FP_LT),
        Function::FpLe => plain(FP_LEQ),
        Function::FpIsNan => plain(FP_IS_NAN),
        Function::FpIsNegative => plain(FP_IS_NEG),
        Function::FpFromBits(width) => (FP_TO_FP_FROM_BV, None, format(width)),
        Function::FpFromFp(width) => (FP_TO_FP_FROM_FP, Some(NearestEven), format(width)),
        Function::FpFromSigned(width) => (FP_TO_FP_FROM_SBV, Some(NearestEven), format(width)),
        Function::FpFromUnsigned(width) => (FP_TO_FP_FROM_UBV, Some(NearestEven), format(width)),
        Function::FpToSigned(width) => (FP_TO_SBV, Some(Zero), vec![width]),
        Function::FpToUnsigned(width) => (FP_TO_UBV, Some(Zero), vec![width]),
    }
}

/// Exponent and significand of a float format, in bits.
fn format(width: u32) -> Vec<u32> {
    if width == 32 { vec![8, 24] } else { vec![11, 53] }
}
