//! The rules, each with a name, a description, and an example term before and after it.
//!
//! The function of an operation contains the code that applies its rules. Building an operation takes a tenth of a
//! microsecond, and a `match` is the fastest way to select a rule. The code reports each application
//! ([`TermPool::fires`](crate::TermPool)). Tests keep code and table consistent: no operation changes without a rule's
//! name, and each example changes by the rule of its row and no other. The two terms of an example are equal under
//! evaluation and for an SMT solver. So are random terms in place of the names in the example.
//!
//! In examples `x y z` have 32 bits, `a b` have 8, `w` has 64, and `p q` are conditions.

use tine_trace::op::Op;

use crate::pool::TermPool;
use crate::term::{ARRAY, TermId};
use crate::text::Names;

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    pub rule: Rule,
    /// Description of the rule.
    pub what: &'static str,
    /// A term that the rule changes, in the form of [`text`](crate::text).
    pub before: &'static str,
    /// The term after the rule.
    pub after: &'static str,
}

/// Defines the rules and their table.
macro_rules! rules {
    ($($rule:ident $what:literal $before:literal => $after:literal)*) => {
        /// A rule by name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Rule { $($rule),* }

        /// All rules.
        pub const RULES: &[Row] =
            &[$(Row { rule: Rule::$rule, what: $what, before: $before, after: $after }),*];
    };
}

rules! {
    // All operations.
    Fold "operations on constants are constants" "(add 2:32 3:32)" => "5:32"
    Lift "an operation on a choice between constants is a choice between results"
        "(add (ite p 3:32 5:32) 4:32)" => "(ite p 7:32 9:32)"
    Order "operands of commutative operations have one order, constants last" "(add 1:32 x)" => "(add x 1:32)"

    // Sums and differences: constants move to the outside and are combined there.
    AddZero "adding nothing" "(add x 0:32)" => "x"
    AddBit "a sum of single bits is their difference" "(add p q)" => "(xor p q)"
    AddConstants "two constants added are one" "(add (add x 1:32) 2:32)" => "(add x 3:32)"
    AddToDifference "a constant added to a difference from a constant" "(add (sub 5:32 x) 2:32)" => "(sub 7:32 x)"
    AddConstantOut "constants go to the outside" "(add (add x 1:32) y)" => "(add (add x y) 1:32)"
    AddDifference "what was taken away comes back" "(add (sub x y) y)" => "x"
    AddNegative "adding the negative" "(add x (sub 0:32 y))" => "(sub x y)"
    AddTwice "twice a number" "(add x x)" => "(shl x 1:32)"
    AddLike "like parts of two sums are one" "(add (mul x 3:32) (add x y))" => "(add y (mul x 4:32))"
    SubSame "a number less itself" "(sub x x)" => "0:32"
    SubBit "a difference of single bits" "(sub p q)" => "(xor p q)"
    SubConstant "taking a constant away is adding its negative" "(sub x 1:32)" => "(add x 0xffffffff:32)"
    SubSummand "a sum less one of its parts" "(sub (add x y) x)" => "y"
    SubConstantOut "constants go to the outside" "(sub (add x 5:32) y)" => "(add (sub x y) 5:32)"
    SubSum "a part less the sum" "(sub x (add x y))" => "(sub 0:32 y)"
    SubOfConstantOut "constants that are taken away, too" "(sub x (add y 1:32))" => "(add (sub x y) 0xffffffff:32)"
    SubNegative "taking the negative away" "(sub x (sub 0:32 y))" => "(add x y)"
    SubDifference "a number less what it exceeds another by" "(sub x (sub x y))" => "y"
    NegateDifference "the negative of a difference" "(sub 0:32 (sub x y))" => "(sub y x)"
    SubLike "like parts of a difference are one" "(sub (shl x 2:32) (add x y))" => "(sub (mul x 3:32) y)"

    // Products and division.
    MulBit "a product of single bits" "(mul p q)" => "(and p q)"
    MulZero "zero times" "(mul x 0:32)" => "0:32"
    MulOne "once" "(mul x 1:32)" => "x"
    MulMinusOne "the negative" "(mul x 0xffffffff:32)" => "(sub 0:32 x)"
    MulConstants "two constant factors are one" "(mul (mul x 3:32) 5:32)" => "(mul x 15:32)"
    UDivZero "division by zero gives ones" "(udiv x 0:32)" => "0xffffffff:32"
    UDivPower "division by a power of two is a shift" "(udiv x 8:32)" => "(zext 32 (extract 3 29 x))"
    URemNothing "nothing is left of zero, or of division by itself" "(urem x x)" => "0:32"
    URemZero "division by zero leaves everything" "(urem x 0:32)" => "x"
    URemPower "what a power of two leaves are low bits" "(urem x 256:32)" => "(zext 32 i0:8)"
    SDivZero "division by zero gives 1 for negative numbers, else -1"
        "(sdiv x 0:32)" => "(ite (slt x 0:32) 1:32 0xffffffff:32)"
    SDivMinusOne "division by -1" "(sdiv x 0xffffffff:32)" => "(sub 0:32 x)"
    SDivOne "division by 1" "(sdiv x 1:32)" => "x"
    SRemNothing "nothing is left by 1, by -1, or by itself" "(srem x 0xffffffff:32)" => "0:32"
    SRemZero "division by zero leaves everything" "(srem x 0:32)" => "x"
    UMulOFits "few bits times few bits do not overflow" "(umulo (zext 32 a) (zext 32 b))" => "0:1"
    SMulOFits "nor do they as signed numbers" "(smulo (sext 32 a) (zext 32 b))" => "0:1"
    SAddOFits "nor does a sum of few bits" "(saddo (sext 32 a) (zext 32 b))" => "0:1"
    SAddOConstant "a sum with a constant leaves the range at one end" "(saddo x 5:32)" => "(slt 0x7ffffffa:32 x)"
    SSubOFits "nor does a difference of few bits" "(ssubo (sext 32 a) (zext 32 b))" => "0:1"
    SSubOConstant "a difference from a constant, too" "(ssubo x 5:32)" => "(slt x 0x80000005:32)"
    SSubOFromConstant "and a constant less a number" "(ssubo 0xfffffffb:32 x)" => "(slt 0x7ffffffb:32 x)"

    // Bits.
    AndAll "a mask of everything, or the same twice" "(and x 0xffffffff:32)" => "x"
    AndZero "a mask of nothing" "(and x 0:32)" => "0:32"
    AndComplement "a value and its complement" "(and p (not p))" => "0:1"
    AndConstants "two masks are one" "(and (and x 0xf0f0:32) 0xff00:32)" => "(and x 0xf000:32)"
    AndLowBits "a mask of low bits is a part" "(and x 0xff:32)" => "(zext 32 i0:8)"
    AndZext "what a mask cannot reach above an extension"
        "(and (zext 32 a) 0x1f3:32)" => "(zext 32 (and a 243:8))"
    OrNothing "nothing added, or the same twice" "(or x 0:32)" => "x"
    OrOnes "everything" "(or x 0xffffffff:32)" => "0xffffffff:32"
    OrComplement "a value or its complement" "(or (ult x y) (ule y x))" => "1:1"
    OrConstants "two constants are one" "(or (or x 1:32) 2:32)" => "(or x 3:32)"
    XorSame "a value with itself" "(xor x x)" => "0:32"
    XorZero "nothing changes" "(xor x 0:32)" => "x"
    XorOnes "all bits change" "(xor x 0xffffffff:32)" => "(not x)"
    XorComplement "a value with its complement" "(xor p (not p))" => "1:1"
    XorConstants "two constants are one" "(xor (xor x 1:32) 3:32)" => "(xor x 2:32)"
    XorNot "the complement joins the constant" "(xor (not x) 1:32)" => "(xor x 0xfffffffe:32)"
    XorTwice "the same twice is nothing" "(xor x (xor y x))" => "y"
    NotNot "the complement's complement" "(not (not x))" => "x"
    NotOrder "what is not below is at least" "(not (ult x y))" => "(ule y x)"
    NotXor "the complement joins the constant" "(not (xor x 1:32))" => "(xor x 0xfffffffe:32)"
    AbsorbSame "and with a part of the and, or with a part of the or" "(and p (and p q))" => "(and p q)"
    AbsorbDual "and with an or that has it, or with an and that has it" "(or p (and p q))" => "p"
    AbsorbComplement "and with an or that has its complement, or with an and that has it"
        "(and p (or q (not p)))" => "(and p q)"
    JoinBits "bits that do not meet are put side by side"
        "(add (shl (zext 32 a) 16:32) (zext 32 b))" => "(zext 32 (concat a (zext 16 b)))"

    // Shifts by constants are treated as moves of bits.
    ShlNothing "by nothing, or of nothing" "(shl x 0:32)" => "x"
    ShlAll "by the whole width" "(shl x 32:32)" => "0:32"
    ShlShl "two shifts are one" "(shl (shl x 3:32) 4:32)" => "(shl x 7:32)"
    ShlZext "a zero extension shifted within its zeros" "(shl (zext 32 a) 8:32)" => "(zext 32 (concat a 0:8))"
    LShrZero "of nothing" "(lshr 0:32 x)" => "0:32"
    LShrAll "by the whole width" "(lshr x 32:32)" => "0:32"
    LShrConstant "the upper part, extended by zeros" "(lshr x 24:32)" => "(zext 32 i0.3:8)"
    AShrSign "all bits are the sign" "(ashr 0xffffffff:32 x)" => "0xffffffff:32"
    AShrConstant "the upper part, extended by its sign" "(ashr x 24:32)" => "(sext 32 i0.3:8)"

    // Extension, extraction and concatenation.
    ExtendNothing "to the width it has" "(zext 32 x)" => "x"
    ZextZext "zeros above zeros" "(zext 64 (zext 32 a))" => "(zext 64 a)"
    SextSext "signs above signs" "(sext 64 (sext 32 a))" => "(sext 64 a)"
    SextZext "the sign of a zero extension is zero" "(sext 64 (zext 32 a))" => "(zext 64 a)"
    ExtractAll "everything" "(extract 0 32 x)" => "x"
    ExtractInput "part of an input is an input, and depends on no other bytes" "(extract 8 8 x)" => "i0.1:8"
    ExtractExtract "part of a part" "(extract 2 4 (extract 8 8 (mul x y)))" => "(extract 10 4 (mul x y))"
    ExtractConcat "from the left part, the right part, or both" "(extract 8 8 (concat a b))" => "a"
    ExtractZext "the value, or the zeros above it" "(extract 0 8 (zext 32 a))" => "a"
    ExtractSext "the value, or the signs above it" "(extract 16 8 (sext 32 a))" => "(sext 8 (extract 7 1 a))"
    ExtractMask "part of bits with a constant" "(extract 0 8 (or x 0x1ff0:32))" => "(or i0:8 240:8)"
    ExtractNot "part of a complement" "(extract 8 8 (not x))" => "(not i0.1:8)"
    ExtractBelow "bits below all that is added" "(extract 0 4 (add (mul x y) 16:32))" => "(extract 0 4 (mul x y))"
    ExtractArithmetic "low bits depend on low bits only" "(extract 0 8 (add (zext 32 a) 1:32))" => "(add a 1:8)"
    ConcatZero "zeros above" "(concat 0:24 a)" => "(zext 32 a)"
    ConcatZext "zeros above become one extension" "(concat (zext 16 a) b)" => "(zext 24 (concat a b))"
    ConcatInput "neighbours of one input" "(concat i0.1:8 i0:8)" => "i0:16"
    ConcatParts "neighbours of one value"
        "(let $1 (mul x y) (concat (extract 8 24 $1) (extract 0 8 $1)))" => "(mul x y)"
    ConcatSign "signs above" "(concat (sext 8 (extract 7 1 a)) a)" => "(sext 16 a)"
    ConcatLeft "parts nest to the left" "(concat a (concat b a))" => "(concat (concat a b) a)"
    ConcatInto "a part fits the last one, or both are constants" "(concat (concat a i0.1:8) i0:8)" => "(concat a i0:16)"

    // Equality.
    EqSame "with itself" "(eq x x)" => "1:1"
    EqBit "of a condition with a constant" "(eq p 0:1)" => "(not p)"
    EqComplement "with its complement" "(eq x (not x))" => "0:1"
    EqZextNever "a constant too large for what was extended" "(eq (zext 32 a) 256:32)" => "0:1"
    EqSextNever "a constant that is not a sign extension" "(eq (sext 32 a) 0x80:32)" => "0:1"
    EqExtension "what was extended, with the low part" "(eq (zext 32 a) 65:32)" => "(eq a 65:8)"
    EqNotConstant "the complement goes to the constant" "(eq (not x) 5:32)" => "(eq x 0xfffffffa:32)"
    EqAddConstant "the summand goes to the constant" "(eq (add x 1:32) 5:32)" => "(eq x 4:32)"
    EqXorConstant "the bits go to the constant" "(eq (xor x 1:32) 5:32)" => "(eq x 4:32)"
    EqXorZero "no bit differs" "(eq (xor x y) 0:32)" => "(eq x y)"
    EqSubFrom "what was taken from a constant" "(eq (sub 7:32 x) 5:32)" => "(eq x 2:32)"
    EqSubZero "no difference" "(eq (sub x y) 0:32)" => "(eq x y)"
    EqMulNever "an even number of times something is not an odd number" "(eq (mul x 4:32) 6:32)" => "0:1"
    EqMulFits "a product that loses no bits can be undone" "(eq (mul (zext 32 a) 24:32) 72:32)" => "(eq a 3:8)"
    EqMulOdd "multiplication by an odd number can be undone" "(eq (mul x 3:32) 9:32)" => "(eq x 3:32)"
    EqAndNever "bits that the mask has cleared" "(eq (and x 0xf2:32) 1:32)" => "0:1"
    EqOrNever "bits that are always set" "(eq (or x 2:32) 1:32)" => "0:1"
    EqOrZero "nothing is set in either" "(eq (or x y) 0:32)" => "(and (eq x 0:32) (eq y 0:32))"
    EqMaskZero "a mask of everything or nothing leaves nothing"
        "(eq (and x (sub 0:32 (zext 32 p))) 0:32)" => "(or (eq x 0:32) (not p))"
    EqConcat "a known part decides, or drops out" "(eq (concat a 0:8) 0x1200:16)" => "(eq a 18:8)"
    EqIte "one branch is known" "(eq (ite p 3:32 x) 6:32)" => "(and (eq x 6:32) (not p))"
    EqExtensions "what was extended the same way" "(eq (zext 32 a) (zext 32 b))" => "(eq a b)"
    EqNots "complements" "(eq (not x) (not y))" => "(eq x y)"
    EqCommonSummand "what both sides add" "(eq (add x z) (add z y))" => "(eq x y)"
    EqOwnPart "a sum that is one of its parts" "(eq (add x y) x)" => "(eq y 0:32)"

    // Order. Comparisons with a constant are strict.
    LessSame "nothing is below itself" "(ult x x)" => "0:1"
    UltBit "of conditions: 0 below 1" "(ult p q)" => "(and q (not p))"
    SltBit "of conditions as signed numbers: -1 below 0" "(slt p q)" => "(and p (not q))"
    LessLeast "nothing is below the least number" "(ult x 0:32)" => "0:1"
    LessGreatest "nothing is above the greatest" "(slt 0x7fffffff:32 x)" => "0:1"
    LessOne "one number is left" "(ult x 1:32)" => "(eq x 0:32)"
    LessAllButOne "one number is excluded" "(ult 0:32 x)" => "(not (eq x 0:32))"
    LessExtensionKnown "all that extension can make is below, or nothing" "(slt (zext 32 a) 300:32)" => "1:1"
    LessExtension "what was extended, with the low part" "(slt (zext 32 a) 65:32)" => "(ult a 65:8)"
    GreaterExtensionKnown "all that extension can make is above, or nothing" "(slt 300:32 (zext 32 a))" => "0:1"
    GreaterExtension "what was extended, with the low part" "(slt 65:32 (zext 32 a))" => "(ult 65:8 a)"
    LessExtensions "what was extended the same way" "(slt (zext 32 a) (zext 32 b))" => "(ult a b)"
    LeqAlways "itself, the least and the greatest number" "(ule x x)" => "1:1"
    UleBit "of conditions" "(ule p q)" => "(or q (not p))"
    SleBit "of conditions as signed numbers" "(sle p q)" => "(or p (not q))"
    LeqStrict "at most k is below k + 1" "(ule x 9:32)" => "(ult x 10:32)"
    GeqStrict "at least k is above k - 1" "(sle 9:32 x)" => "(slt 8:32 x)"

    // Choices.
    IteSame "between the same" "(ite p x x)" => "x"
    IteKnown "that is made already" "(ite 1:1 x y)" => "x"
    IteNot "by a complement" "(ite (not p) x y)" => "(ite p y x)"
    IteInThen "inside a branch the condition is known" "(ite p (ite p x y) z)" => "(ite p x z)"
    IteInElse "inside the other, too" "(ite p x (ite p y z))" => "(ite p x z)"
    IteOr "true, or else" "(ite p 1:1 q)" => "(or p q)"
    IteAnd "if not, false" "(ite p q 0:1)" => "(and p q)"
    IteAndNot "false, or else" "(ite p 0:1 q)" => "(and q (not p))"
    IteOrNot "if not, true" "(ite p q 1:1)" => "(or q (not p))"
    IteZext "between 1 and 0" "(ite p 1:32 0:32)" => "(zext 32 p)"
    IteSext "between 0 and -1" "(ite p 0:32 0xffffffff:32)" => "(sext 32 (not p))"

    // Arrays.
    SelectStored "what was stored there" "(select 8 (store (table 0102) w a) w)" => "a"
    SelectBelow "what lies below a store elsewhere"
        "(select 8 (store (table 0102) w a) (add w 1:64))" => "(select 8 (table 0102) (add w 1:64))"
    SelectBytes "part of it was stored there: each byte on its own"
        "(select 16 (store (table 0102) w a) w)" => "(concat (select 8 (table 0102) (add w 1:64)) a)"
    SelectFew "one of few indices: a choice"
        "(select 8 (store (table 0102) 0:64 a) (zext 64 p))" => "(ite p 2:8 a)"
    SelectChoice "what was stored there, or else what lies below"
        "(select 8 (store (table 0102) w a) 1:64)" => "(ite (eq w 1:64) a 2:8)"
    SelectKnown "bytes of a table" "(select 8 (table 0102) 1:64)" => "2:8"
    SelectZeros "a table of zeros" "(select 8 (table 0000) w)" => "0:8"
    StoreOver "a store hides the one below" "(store (store (table 0102) w a) w b)" => "(store (table 0102) w b)"
    StoreSame "what is there already" "(store (table 0102) w (select 8 (table 0102) w))" => "(table 0102)"

    // Floats: only rules that keep every bit, including those of NaNs.
    FNegFNeg "the sign changes twice" "(fneg (fneg x))" => "x"
    FAbsFAbs "the sign is gone already" "(fabs (fabs x))" => "(fabs x)"
    FAbsFNeg "the sign goes anyway" "(fabs (fneg x))" => "(fabs x)"
    FLtSame "nothing is below itself" "(flt x x)" => "0:1"
    FEqSame "only NaN differs from itself" "(feq x x)" => "(not (fisnan x))"
    FCompareNan "a NaN is not below, above or equal to anything" "(flt x 0x7fc00000:32)" => "0:1"
    FCompareIntegers "two integers that became floats and lost nothing" "(fle (stof 64 x) (stof 64 y))" => "(sle x y)"
    FOnce "once a number that was an integer" "(fmul (stof 64 x) 0x3ff0000000000000:64)" => "(stof 64 x)"
    FIsNanInteger "a number that was an integer" "(fisnan (stof 32 y))" => "0:1"
    FIsNanThrough "operations that make no NaN and lose none" "(fisnan (fneg x))" => "(fisnan x)"
    FToFSame "to the format it has" "(ftof 32 x)" => "x"
    FOrderInteger "an order of a number that was an integer is one of the integer"
        "(flt (stof 64 a) 0x4059000000000000:64)" => "(slt a 100:8)"
    FEqInteger "so is being equal" "(feq (stof 64 a) 0x4059000000000000:64)" => "(eq a 100:8)"
    FToIntBack "an integer that fits comes back" "(ftos 32 (stof 64 x))" => "x"
}

/// A term's comparable part: the term itself, or the element of an array at some index.
pub fn observed(pool: &mut TermPool, id: TermId) -> TermId {
    if pool.width(id) != ARRAY {
        return id;
    }
    let index = pool.input(0, 0, 64);
    pool.select_raw(id, index, 8)
}

/// The names that examples use.
pub fn names(pool: &mut TermPool) -> Names {
    let mut names = Names::new();
    for (input, name, width) in [(0, "x", 32), (1, "y", 32), (2, "z", 32), (3, "a", 8), (4, "b", 8), (5, "w", 64)] {
        let term = pool.input(input, 0, width);
        names.add(name, term);
    }
    for (offset, name) in [(0, "p"), (1, "q")] {
        let byte = pool.input(6, offset, 8);
        let term = pool.apply_raw(Op::Extract, 1, &[byte], 0).expect("a bit of a byte");
        names.add(name, term);
    }
    names
}
