//! Translation of SMT-LIB functions to operations of tine.

use tine_trace::op::{Op, Rounding};

use super::scan::Node;
use super::{Reader, Typed};
use crate::smt::function::Sort;
use crate::term::{ARRAY, TermId};

impl Reader<'_> {
    pub(super) fn apply(
        &mut self,
        name: &str,
        indices: &[u32],
        mode: Option<Rounding>,
        operands: &[Typed],
    ) -> Option<Typed> {
        let terms: Vec<TermId> = operands.iter().map(|operand| operand.term).collect();
        let first = *operands.first()?;
        if let Some(same) = self.in_other_words(name, indices, mode, operands) {
            return same;
        }
        match (name, terms.as_slice()) {
            ("=", [a, b]) => {
                (operands[1].sort == first.sort).then_some(())?;
                let term = match first.sort {
                    Sort::Array => return None,
                    Sort::Float(_) => self.same_float(*a, *b),
                    _ => self.pool.eq(*a, *b),
                };
                Some(Typed { term, sort: Sort::Bool })
            }
            ("ite", [condition, then, otherwise]) => {
                let fits = first.sort == Sort::Bool && operands[1].sort == operands[2].sort;
                let fits = fits && operands[1].sort != Sort::Array;
                fits.then(|| Typed { term: self.pool.ite(*condition, *then, *otherwise), sort: operands[1].sort })
            }
            ("and" | "or" | "xor", [_, ..]) => {
                let op = match name {
                    "and" => Op::And,
                    "or" => Op::Or,
                    _ => Op::Xor,
                };
                operands.iter().all(|operand| operand.sort == Sort::Bool).then_some(())?;
                let folded = terms[1..].iter().fold(first.term, |all, &term| self.pool.apply(op, 1, &[all, term], 0));
                Some(Typed { term: folded, sort: Sort::Bool })
            }
            ("select", [array, index]) => {
                let fits = first.sort == Sort::Array && operands[1].sort == Sort::Bits(64);
                fits.then(|| Typed { term: self.pool.select(*array, *index, 8), sort: Sort::Bits(8) })
            }
            ("store", [array, index, byte]) => {
                let fits = first.sort == Sort::Array && operands[1].sort == Sort::Bits(64);
                let fits = fits && operands[2].sort == Sort::Bits(8);
                fits.then(|| Typed { term: self.pool.store(*array, *index, *byte), sort: Sort::Array })
            }
            ("fp.isNegative", [x]) => {
                let Sort::Float(width) = first.sort else { return None };
                let nan = self.is_nan(*x);
                let (sign, number) = (self.pool.extract(*x, width - 1, 1), self.pool.not(nan));
                Some(Typed { term: self.pool.and(sign, number), sort: Sort::Bool })
            }
            ("fp.rem", [x, y]) => {
                let fits = matches!(first.sort, Sort::Float(_)) && operands[1].sort == first.sort && mode.is_none();
                fits.then(|| Typed { term: self.remainder(*x, *y), sort: first.sort })
            }
            _ => self.operation(name, indices, mode, operands, &terms),
        }
    }

    /// Functions that text written by tine does not use: synonyms, and forms with more than two operands.
    fn in_other_words(
        &mut self,
        name: &str,
        indices: &[u32],
        mode: Option<Rounding>,
        operands: &[Typed],
    ) -> Option<Option<Typed>> {
        let swapped = match name {
            "bvugt" => "bvult",
            "bvuge" => "bvule",
            "bvsgt" => "bvslt",
            "bvsge" => "bvsle",
            "fp.gt" => "fp.lt",
            "fp.geq" => "fp.leq",
            _ => "",
        };
        let negated = match name {
            "bvnand" => "bvand",
            "bvnor" => "bvor",
            "bvxnor" => "bvxor",
            _ => "",
        };
        Some(match (name, operands) {
            (_, &[a, b]) if !swapped.is_empty() => self.apply(swapped, indices, mode, &[b, a]),
            (_, &[_, _]) if !negated.is_empty() => {
                let other = self.apply(negated, indices, mode, operands);
                other.and_then(|other| self.apply("bvnot", &[], None, &[other]))
            }
            ("bvneg", &[a]) => {
                let Sort::Bits(width) = a.sort else { return Some(None) };
                let zero = Typed { term: self.pool.constant(width, 0), sort: a.sort };
                self.apply("bvsub", &[], None, &[zero, a])
            }
            ("bvcomp", [_, _]) => {
                let is_same = self.apply("=", &[], None, operands);
                is_same
                    .filter(|_| matches!(operands[0].sort, Sort::Bits(_)))
                    .map(|same| Typed { sort: Sort::Bits(1), ..same })
            }
            ("=>", [before @ .., last]) => {
                let mut folded = *last;
                for &other in before.iter().rev() {
                    let Some(not) = self.apply("not", &[], None, &[other]) else { return Some(None) };
                    let Some(or) = self.apply("or", &[], None, &[not, folded]) else { return Some(None) };
                    folded = or;
                }
                (!before.is_empty()).then_some(folded)
            }
            ("distinct", [_, _, ..]) => {
                let mut all = Typed { term: self.pool.bit(true), sort: Sort::Bool };
                for (k, &a) in operands.iter().enumerate() {
                    for &b in &operands[..k] {
                        let same = self.apply("=", &[], None, &[a, b]);
                        let differ = same.and_then(|same| self.apply("not", &[], None, &[same]));
                        let Some(both) = differ.and_then(|differ| self.apply("and", &[], None, &[all, differ])) else {
                            return Some(None);
                        };
                        all = both;
                    }
                }
                Some(all)
            }
            ("=", [_, _, _, ..]) => {
                let mut all = Typed { term: self.pool.bit(true), sort: Sort::Bool };
                for pair in operands.windows(2) {
                    let same = self.apply("=", &[], None, pair);
                    let Some(both) = same.and_then(|same| self.apply("and", &[], None, &[all, same])) else {
                        return Some(None);
                    };
                    all = both;
                }
                Some(all)
            }
            ("bvadd" | "bvmul" | "bvand" | "bvor" | "bvxor" | "concat", [first, second, rest @ ..])
                if !rest.is_empty() =>
            {
                let mut folded = self.apply(name, &[], None, &[*first, *second]);
                for &other in rest {
                    folded = folded.and_then(|folded| self.apply(name, &[], None, &[folded, other]));
                }
                folded
            }
            _ => return None,
        })
    }

    /// IEEE's remainder, expressed by C's `fmod`, because tine has no operation for it. The quotient is rounded to the
    /// nearest integer instead of towards zero, and to the even one of two equally near integers. All steps are exact.
    fn remainder(&mut self, x: TermId, y: TermId) -> TermId {
        let pool = &mut *self.pool;
        let width = pool.width(x);
        let [x_abs, y_abs] = [x, y].map(|id| pool.apply(Op::FAbs, width, &[id], 0));
        let (rest, twice_y) = (pool.frem(x_abs, y_abs), pool.fadd(y_abs, y_abs));
        // `fmod` by twice the divisor leaves more than the divisor if the quotient is odd.
        let rest_of_twice = pool.frem(x_abs, twice_y);
        let (is_odd, twice_rest) = (pool.fle(y_abs, rest_of_twice), pool.fadd(rest, rest));
        let (is_more, is_half) = (pool.flt(y_abs, twice_rest), pool.feq(twice_rest, y_abs));
        let half_of_odd = pool.and(is_half, is_odd);
        let (is_up, above) = (pool.or(is_more, half_of_odd), pool.fsub(rest, y_abs));
        let magnitude = pool.ite(is_up, above, rest);
        let (sign, negated) = (pool.extract(x, width - 1, 1), pool.apply(Op::FNeg, width, &[magnitude], 0));
        pool.ite(sign, negated, magnitude)
    }

    /// Functions that correspond to one operation of tine.
    fn operation(
        &mut self,
        name: &str,
        indices: &[u32],
        mode: Option<Rounding>,
        operands: &[Typed],
        terms: &[TermId],
    ) -> Option<Typed> {
        let first = operands[0].sort;
        let width = self.pool.width(terms[0]);
        let float = |index: usize| format(indices.get(index).copied(), indices.get(index + 1).copied());
        let nearest = mode == Some(Rounding::NearestEven);
        let all_bits = operands.iter().all(|operand| matches!(operand.sort, Sort::Bits(_)));
        let is_float = matches!(first, Sort::Float(_));
        let (op, sort, immediate) = match name {
            "to_fp" if mode.is_none() => {
                // A float is represented by its bits.
                let width = float(0).filter(|&width| first == Sort::Bits(width))?;
                return Some(Typed { term: terms[0], sort: Sort::Float(width) });
            }
            "to_fp" if is_float && nearest => (Op::FToF, Sort::Float(float(0)?), 0),
            "to_fp" if nearest && all_bits => (Op::SToF, Sort::Float(float(0)?), 0),
            "to_fp_unsigned" if nearest && all_bits => (Op::UToF, Sort::Float(float(0)?), 0),
            "fp.to_sbv" if is_float && mode == Some(Rounding::Zero) => (Op::FToS, Sort::Bits(*indices.first()?), 0),
            "fp.to_ubv" if is_float && mode == Some(Rounding::Zero) => (Op::FToU, Sort::Bits(*indices.first()?), 0),
            "fp.roundToIntegral" if is_float => (Op::FRound, first, mode? as u32),
            "extract" if all_bits => {
                let (&high, &low) = (indices.first()?, indices.get(1)?);
                (Op::Extract, Sort::Bits(high.checked_sub(low)?.checked_add(1)?), low)
            }
            "zero_extend" if all_bits => (Op::ZExt, Sort::Bits(width.checked_add(*indices.first()?)?), 0),
            "sign_extend" if all_bits => (Op::SExt, Sort::Bits(width.checked_add(*indices.first()?)?), 0),
            "concat" if all_bits => (Op::Concat, Sort::Bits(width + self.pool.width(*terms.get(1)?)), 0),
            _ => {
                let (op, of) = plain(name)?;
                let fits = match of {
                    Of::Bool => first == Sort::Bool,
                    Of::Bits => matches!(first, Sort::Bits(_)),
                    Of::Float => is_float,
                };
                let rounds = matches!(op, Op::FAdd | Op::FSub | Op::FMul | Op::FDiv | Op::FMa | Op::FSqrt);
                if !fits || operands.iter().any(|operand| operand.sort != first) || rounds != nearest {
                    return None;
                }
                (op, if op.shape().predicate { Sort::Bool } else { first }, 0)
            }
        };
        let width = match sort {
            Sort::Bool => 1,
            Sort::Bits(width) | Sort::Float(width) => width,
            Sort::Array => ARRAY,
        };
        let term = self.pool.try_apply(op, width, terms, immediate).ok()?;
        Some(Typed { term, sort })
    }

    fn is_nan(&mut self, x: TermId) -> TermId {
        self.pool.apply(Op::FIsNan, 1, &[x], 0)
    }

    /// SMT-LIB equality of floats: all NaNs are equal, and the zeros differ.
    fn same_float(&mut self, a: TermId, b: TermId) -> TermId {
        let (nan_a, nan_b, same) = (self.is_nan(a), self.is_nan(b), self.pool.eq(a, b));
        let both = self.pool.and(nan_a, nan_b);
        self.pool.or(both, same)
    }
}

/// Extracts the operands of an overflow predicate from the equation that stands for its negation: the product of `n`
/// bits in twice the width equals the extension of its lower half. With 128 bits the product itself cannot be a term.
pub(super) fn overflow<'n, 't>(equation: &'n [Node<'t>]) -> Option<(Op, u32, [&'n Node<'t>; 2])> {
    let list = |node: &'n Node<'t>| match node {
        Node::List(words) => Some(words.as_slice()),
        Node::Word(_) => None,
    };
    let [Node::Word("="), product, extended] = equation else { return None };
    let [Node::Word("bvmul"), a, b] = list(product)? else { return None };
    let ([extend, a], [same, b]) = (list(a)?, list(b)?) else { return None };
    let [Node::Word("_"), Node::Word(name), Node::Word(n)] = list(extend)? else { return None };
    let [outer, lower] = list(extended)? else { return None };
    let [extract, whole] = list(lower)? else { return None };
    let [Node::Word("_"), Node::Word("extract"), Node::Word(high), Node::Word("0")] = list(extract)? else {
        return None;
    };
    let (n, high): (u32, u32) = (n.parse().ok()?, high.parse().ok()?);
    let op = match *name {
        "zero_extend" => Op::UMulO,
        "sign_extend" => Op::SMulO,
        _ => return None,
    };
    (same == extend && outer == extend && whole == product && high.checked_add(1) == Some(n)).then_some((op, n, [a, b]))
}

pub(super) fn format(exponent: Option<u32>, significand: Option<u32>) -> Option<u32> {
    match (exponent, significand) {
        (Some(8), Some(24)) => Some(32),
        (Some(11), Some(53)) => Some(64),
        _ => None,
    }
}

pub(super) fn rounding(word: &str) -> Option<Rounding> {
    match word {
        "RNE" => Some(Rounding::NearestEven),
        "RNA" => Some(Rounding::NearestAway),
        "RTP" => Some(Rounding::Up),
        "RTN" => Some(Rounding::Down),
        "RTZ" => Some(Rounding::Zero),
        _ => None,
    }
}

/// Parameter sort of a function.
enum Of {
    Bool,
    Bits,
    Float,
}

/// Functions that are operations of tine under another name.
fn plain(name: &str) -> Option<(Op, Of)> {
    let bits = |op| Some((op, Of::Bits));
    let float = |op| Some((op, Of::Float));
    match name {
        "not" => Some((Op::Not, Of::Bool)),
        "bvnot" => bits(Op::Not),
        "bvadd" => bits(Op::Add),
        "bvsub" => bits(Op::Sub),
        "bvmul" => bits(Op::Mul),
        "bvudiv" => bits(Op::UDiv),
        "bvsdiv" => bits(Op::SDiv),
        "bvurem" => bits(Op::URem),
        "bvsrem" => bits(Op::SRem),
        "bvand" => bits(Op::And),
        "bvor" => bits(Op::Or),
        "bvxor" => bits(Op::Xor),
        "bvshl" => bits(Op::Shl),
        "bvlshr" => bits(Op::LShr),
        "bvashr" => bits(Op::AShr),
        "bvult" => bits(Op::Ult),
        "bvule" => bits(Op::Ule),
        "bvslt" => bits(Op::Slt),
        "bvsle" => bits(Op::Sle),
        "fp.add" => float(Op::FAdd),
        "fp.sub" => float(Op::FSub),
        "fp.mul" => float(Op::FMul),
        "fp.div" => float(Op::FDiv),
        "fp.fma" => float(Op::FMa),
        "fp.sqrt" => float(Op::FSqrt),
        "fp.neg" => float(Op::FNeg),
        "fp.abs" => float(Op::FAbs),
        "fp.eq" => float(Op::FEq),
        "fp.lt" => float(Op::FLt),
        "fp.leq" => float(Op::FLe),
        "fp.isNaN" => float(Op::FIsNan),
        _ => None,
    }
}
