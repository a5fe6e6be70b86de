//! Terms of the engine as terms of Bitwuzla.

use tine_expr::smt::{Function, RoundingMode, Sort, Target};
use tine_expr::{InputView, TermId};

use super::ffi::{kind, rounding};
use super::{Manager, Term};

impl Target for Manager {
    type Term = Term;

    fn bits(&mut self, width: u32, value: u128) -> Term {
        Manager::bits(self, width, value)
    }

    fn input(&mut self, view: InputView) -> Term {
        self.variable(self.bits_sort(view.width))
    }

    fn float_bits(&mut self, _: TermId, width: u32) -> Term {
        self.variable(self.bits_sort(width))
    }

    fn is_over(&self) -> bool {
        Manager::is_over(self)
    }

    fn apply(&mut self, function: Function, operands: &[Term], _: Sort) -> Term {
        let plain = |kind| Manager::apply(self, kind, operands, &[]);
        let rounded = |kind, mode, indices: &[u64]| {
            let mut all = vec![self.rounding(mode)];
            all.extend_from_slice(operands);
            Manager::apply(self, kind, &all, indices)
        };
        let nearest = |kind| rounded(kind, rounding::RNE, &[]);
        match function {
            Function::Not => plain(kind::NOT),
            Function::And => plain(kind::AND),
            Function::Or => plain(kind::OR),
            Function::Xor => plain(kind::XOR),
            Function::Eq => plain(kind::EQUAL),
            Function::Ite => plain(kind::ITE),
            Function::BvNot => plain(kind::BV_NOT),
            Function::BvAdd => plain(kind::BV_ADD),
            Function::BvSub => plain(kind::BV_SUB),
            Function::BvMul => plain(kind::BV_MUL),
            Function::BvUdiv => plain(kind::BV_UDIV),
            Function::BvSdiv => plain(kind::BV_SDIV),
            Function::BvUrem => plain(kind::BV_UREM),
            Function::BvSrem => plain(kind::BV_SREM),
            Function::BvAnd => plain(kind::BV_AND),
            Function::BvOr => plain(kind::BV_OR),
            Function::BvXor => plain(kind::BV_XOR),
            Function::BvShl => plain(kind::BV_SHL),
            Function::BvLshr => plain(kind::BV_SHR),
            Function::BvAshr => plain(kind::BV_ASHR),
            Function::BvUlt => plain(kind::BV_ULT),
            Function::BvUle => plain(kind::BV_ULE),
            Function::BvSlt => plain(kind::BV_SLT),
            Function::BvSle => plain(kind::BV_SLE),
            Function::BvUmulo(_) => plain(kind::BV_UMUL_OVERFLOW),
            Function::BvSmulo(_) => plain(kind::BV_SMUL_OVERFLOW),
            Function::BvConcat => plain(kind::BV_CONCAT),
            Function::BvExtract { high, low } => {
                Manager::apply(self, kind::BV_EXTRACT, operands, &[high as u64, low as u64])
            }
            Function::BvZeroExtend(n) => Manager::apply(self, kind::BV_ZERO_EXTEND, operands, &[n as u64]),
            Function::BvSignExtend(n) => Manager::apply(self, kind::BV_SIGN_EXTEND, operands, &[n as u64]),
            Function::FpAdd => nearest(kind::FP_ADD),
            Function::FpSub => nearest(kind::FP_SUB),
            Function::FpMul => nearest(kind::FP_MUL),
            Function::FpDiv => nearest(kind::FP_DIV),
            Function::FpRem => plain(kind::FP_REM),
            Function::FpFma => nearest(kind::FP_FMA),
            Function::FpNeg => plain(kind::FP_NEG),
            Function::FpAbs => plain(kind::FP_ABS),
            Function::FpSqrt => nearest(kind::FP_SQRT),
            Function::FpRound(mode) => rounded(kind::FP_RTI, rounding_mode(mode), &[]),
            Function::FpEq => plain(kind::FP_EQUAL),
            Function::FpLt => plain(kind::FP_LT),
            Function::FpLe => plain(kind::FP_LEQ),
            Function::FpIsNan => plain(kind::FP_IS_NAN),
            Function::FpIsNegative => plain(kind::FP_IS_NEG),
            Function::FpFromBits(width) => Manager::apply(self, kind::FP_TO_FP_FROM_BV, operands, &format(width)),
            Function::FpFromFp(width) => rounded(kind::FP_TO_FP_FROM_FP, rounding::RNE, &format(width)),
            Function::FpFromSigned(width) => rounded(kind::FP_TO_FP_FROM_SBV, rounding::RNE, &format(width)),
            Function::FpFromUnsigned(width) => rounded(kind::FP_TO_FP_FROM_UBV, rounding::RNE, &format(width)),
            Function::FpToSigned(width) => rounded(kind::FP_TO_SBV, rounding::RTZ, &[width as u64]),
            Function::FpToUnsigned(width) => rounded(kind::FP_TO_UBV, rounding::RTZ, &[width as u64]),
        }
    }
}

/// Exponent and significand of a float format, in bits.
fn format(width: u32) -> [u64; 2] {
    if width == 32 { [8, 24] } else { [11, 53] }
}

fn rounding_mode(mode: RoundingMode) -> std::ffi::c_int {
    match mode {
        RoundingMode::NearestEven => rounding::RNE,
        RoundingMode::NearestAway => rounding::RNA,
        RoundingMode::Positive => rounding::RTP,
        RoundingMode::Negative => rounding::RTN,
        RoundingMode::Zero => rounding::RTZ,
    }
}
