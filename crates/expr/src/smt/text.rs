//! Output as SMT-LIB 2 text for standard solvers.

use std::fmt::Write as _;

use super::function::{Function, RoundingMode, Sort};
use super::lower::{Lowering, Target, Unsupported};
use crate::pool::TermPool;
use crate::term::{InputView, TermId};

/// A query as a separate benchmark, which asks whether all of these one-bit terms can hold at once.
#[derive(Clone, Debug)]
pub struct Benchmark {
    /// Declarations, definitions and assertions.
    pub body: String,
    /// The smallest logic that covers the body.
    pub logic: &'static str,
    /// The inputs that occur. [`name`] gives their names.
    pub views: Vec<InputView>,
}

impl Benchmark {
    /// Writes the terms as assertions.
    pub fn new(pool: &TermPool, terms: &[TermId]) -> Result<Self, Unsupported> {
        let mut writer = Writer::default();
        let lowered = Lowering::new().assertions(&mut writer, pool, terms)?;
        let mut body = writer.text;
        for assertion in lowered.assertions.iter().chain(&lowered.conditions) {
            let _ = writeln!(body, "(assert {assertion})");
        }
        let logic = if writer.floats { "QF_BVFP" } else { "QF_BV" };
        Ok(Self { body, logic, views: lowered.views })
    }
}

/// The benchmark as a file.
impl std::fmt::Display for Benchmark {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "(set-logic {})\n{}(check-sat)\n", self.logic, self.body)
    }
}

/// Name of the variable of a view: input, offset, width.
pub fn name(view: InputView) -> String {
    format!("i{}_{}_{}", view.input, view.offset, view.width)
}

/// Writes each term as a definition named after its number, so that terms neither nest nor repeat.
#[derive(Debug, Default)]
struct Writer {
    text: String,
    n_terms: u32,
    floats: bool,
}

impl Writer {
    fn define(&mut self, sort: Sort, body: &str) -> String {
        let name = format!("t{}", self.n_terms);
        self.n_terms += 1;
        let sort = self.sort(sort);
        let _ = writeln!(self.text, "(define-fun {name} () {sort} {body})");
        name
    }

    fn declare(&mut self, name: String, width: u32) -> String {
        let _ = writeln!(self.text, "(declare-const {name} (_ BitVec {width}))");
        name
    }

    fn sort(&mut self, sort: Sort) -> String {
        self.floats |= matches!(sort, Sort::Float(_));
        match sort {
            Sort::Bool => "Bool".into(),
            Sort::Bits(width) => format!("(_ BitVec {width})"),
            Sort::Float(width) => {
                let (exponent, significand) = format(width);
                format!("(_ FloatingPoint {exponent} {significand})")
            }
            Sort::Array => "(Array (_ BitVec 64) (_ BitVec 8))".into(),
        }
    }
}

impl Target for Writer {
    type Term = String;

    fn bits(&mut self, width: u32, value: u128) -> String {
        if width.is_multiple_of(4) {
            format!("#x{value:0digits$x}", digits = width as usize / 4)
        } else {
            format!("#b{value:0digits$b}", digits = width as usize)
        }
    }

    fn input(&mut self, view: InputView) -> String {
        self.declare(name(view), view.width)
    }

    fn float_bits(&mut self, term: TermId, width: u32) -> String {
        self.declare(format!("f{}", term.0), width)
    }

    fn apply(&mut self, function: Function, operands: &[String], sort: Sort) -> String {
        let body = match function {
            // Overflow predicates are too new for many solvers. They are expressed by the product in twice the width
            // instead.
            Function::BvUmulo(n) => overflow("zero_extend", n, operands),
            Function::BvSmulo(n) => overflow("sign_extend", n, operands),
            _ => format!("({} {})", symbol(function), operands.join(" ")),
        };
        self.define(sort, &body)
    }
}

fn overflow(extend: &str, n: u32, operands: &[String]) -> String {
    let product = format!("(bvmul ((_ {extend} {n}) {}) ((_ {extend} {n}) {}))", operands[0], operands[1]);
    format!("(not (= {product} ((_ {extend} {n}) ((_ extract {} 0) {product}))))", n - 1)
}

/// Exponent and significand of a float format, in bits.
fn format(width: u32) -> (u32, u32) {
    if width == 32 { (8, 24) } else { (11, 53) }
}

fn symbol(function: Function) -> String {
    let to_fp = |name: &str, width: u32, mode: &str| {
        let (exponent, significand) = format(width);
        format!("(_ {name} {exponent} {significand}){mode}")
    };
    let plain = match function {
        Function::Not => "not",
        Function::And => "and",
        Function::Or => "or",
        Function::Xor => "xor",
        Function::Eq => "=",
        Function::Ite => "ite",
        Function::BvNot => "bvnot",
        Function::BvAdd => "bvadd",
        Function::BvSub => "bvsub",
        Function::BvMul => "bvmul",
        Function::BvUdiv => "bvudiv",
        Function::BvSdiv => "bvsdiv",
        Function::BvUrem => "bvurem",
        Function::BvSrem => "bvsrem",
        Function::BvAnd => "bvand",
        Function::BvOr => "bvor",
        Function::BvXor => "bvxor",
        Function::BvShl => "bvshl",
        Function::BvLshr => "bvlshr",
        Function::BvAshr => "bvashr",
        Function::BvUlt => "bvult",
        Function::BvUle => "bvule",
        Function::BvSlt => "bvslt",
        Function::BvSle => "bvsle",
        Function::BvUmulo(_) => "bvumulo",
        Function::BvSmulo(_) => "bvsmulo",
        Function::BvConcat => "concat",
        Function::BvExtract { high, low } => return format!("(_ extract {high} {low})"),
        Function::BvZeroExtend(n) => return format!("(_ zero_extend {n})"),
        Function::BvSignExtend(n) => return format!("(_ sign_extend {n})"),
        Function::FpAdd => "fp.add RNE",
        Function::FpSub => "fp.sub RNE",
        Function::FpMul => "fp.mul RNE",
        Function::FpDiv => "fp.div RNE",
        Function::FpRem => "fp.rem",
        Function::FpFma => "fp.fma RNE",
        Function::FpNeg => "fp.neg",
        Function::FpAbs => "fp.abs",
        Function::FpSqrt => "fp.sqrt RNE",
        Function::FpRound(mode) => return format!("fp.roundToIntegral {}", rounding(mode)),
        Function::FpEq => "fp.eq",
        Function::FpLt => "fp.lt",
        Function::FpLe => "fp.leq",
        Function::FpIsNan => "fp.isNaN",
        Function::FpIsNegative => "fp.isNegative",
        Function::FpFromBits(width) => return to_fp("to_fp", width, ""),
        Function::FpFromFp(width) | Function::FpFromSigned(width) => return to_fp("to_fp", width, " RNE"),
        Function::FpFromUnsigned(width) => return to_fp("to_fp_unsigned", width, " RNE"),
        Function::FpToSigned(width) => return format!("(_ fp.to_sbv {width}) RTZ"),
        Function::FpToUnsigned(width) => return format!("(_ fp.to_ubv {width}) RTZ"),
    };
    plain.into()
}

fn rounding(mode: RoundingMode) -> &'static str {
    match mode {
        RoundingMode::NearestEven => "RNE",
        RoundingMode::NearestAway => "RNA",
        RoundingMode::Positive => "RTP",
        RoundingMode::Negative => "RTN",
        RoundingMode::Zero => "RTZ",
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::text::{Names, parse};

    #[expect(clippy::needless_pass_by_value, reason = "so that calls read `check(.., expect![..])`")]
    fn check(terms: &[&str], expected: Expect) {
        let mut pool = TermPool::new();
        let terms: Vec<TermId> = terms.iter().map(|text| parse(&mut pool, text, &Names::new()).unwrap()).collect();
        expected.assert_eq(&Benchmark::new(&pool, &terms).unwrap().to_string());
    }

    #[test]
    fn a_query_is_a_benchmark() {
        check(
            &["(slt (add i0:32 i1:32) 100:32)", "(eq i0:32 7:32)"],
            expect![[r#"
            (set-logic QF_BV)
            (declare-const i1_0_32 (_ BitVec 32))
            (declare-const i0_0_32 (_ BitVec 32))
            (define-fun t0 () (_ BitVec 32) (bvadd i0_0_32 i1_0_32))
            (define-fun t1 () Bool (bvslt t0 #x00000064))
            (define-fun t2 () Bool (= i0_0_32 #x00000007))
            (assert t1)
            (assert t2)
            (check-sat)
        "#]],
        );
    }

    #[test]
    fn views_that_overlap_are_tied() {
        check(
            &["(ult i0:16 9:16)", "(eq i0:8 5:8)"],
            expect![[r#"
            (set-logic QF_BV)
            (declare-const i0_0_16 (_ BitVec 16))
            (define-fun t0 () Bool (bvult i0_0_16 #x0009))
            (declare-const i0_0_8 (_ BitVec 8))
            (define-fun t1 () Bool (= i0_0_8 #x05))
            (define-fun t2 () (_ BitVec 8) ((_ extract 7 0) i0_0_16))
            (define-fun t3 () Bool (= t2 i0_0_8))
            (assert t0)
            (assert t1)
            (assert t3)
            (check-sat)
        "#]],
        );
    }

    #[test]
    fn bits_of_floats_are_variables() {
        check(
            &["(eq (fadd i0:32 i1:32) 0x3f800000:32)"],
            expect![[r#"
            (set-logic QF_BVFP)
            (declare-const i1_0_32 (_ BitVec 32))
            (define-fun t0 () (_ FloatingPoint 8 24) ((_ to_fp 8 24) i1_0_32))
            (declare-const i0_0_32 (_ BitVec 32))
            (define-fun t1 () (_ FloatingPoint 8 24) ((_ to_fp 8 24) i0_0_32))
            (define-fun t2 () (_ FloatingPoint 8 24) (fp.add RNE t1 t0))
            (declare-const f2 (_ BitVec 32))
            (define-fun t3 () (_ FloatingPoint 8 24) ((_ to_fp 8 24) f2))
            (define-fun t4 () Bool (= t3 t2))
            (define-fun t5 () Bool (= f2 #x3f800000))
            (assert t5)
            (assert t4)
            (check-sat)
        "#]],
        );
    }

    #[test]
    fn arrays_and_overflow() {
        check(
            &["(eq (select 8 (table 0007) i0:64) 7:8)", "(not (umulo i1:8 i2:8))"],
            expect![[r#"
                (set-logic QF_BV)
                (declare-const i0_0_64 (_ BitVec 64))
                (define-fun t0 () (_ BitVec 1) ((_ extract 0 0) i0_0_64))
                (define-fun t1 () Bool (= t0 #b1))
                (define-fun t2 () (_ BitVec 8) (ite t1 #x07 #x00))
                (define-fun t3 () Bool (bvult i0_0_64 #x0000000000000002))
                (define-fun t4 () (_ BitVec 8) (ite t3 t2 #x00))
                (define-fun t5 () Bool (= t4 #x07))
                (declare-const i2_0_8 (_ BitVec 8))
                (declare-const i1_0_8 (_ BitVec 8))
                (define-fun t6 () Bool (not (= (bvmul ((_ zero_extend 8) i1_0_8) ((_ zero_extend 8) i2_0_8)) ((_ zero_extend 8) ((_ extract 7 0) (bvmul ((_ zero_extend 8) i1_0_8) ((_ zero_extend 8) i2_0_8)))))))
                (define-fun t7 () Bool (not t6))
                (assert t5)
                (assert t7)
                (check-sat)
            "#]],
        );
    }
}
