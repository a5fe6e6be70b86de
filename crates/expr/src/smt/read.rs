//! Reads SMT-LIB 2 as [`text`](super::text) writes it: bit-vectors, floats, arrays of bytes, definitions without
//! parameters, queries that follow each other with `(reset)`.
//!
//! A Boolean is a one-bit term and a float is its bits, so `=` of floats says that both are NaNs or the bits agree. What
//! SMT-LIB leaves open, a conversion out of range, is what the machine does: [`text`](super::text) never asks for it.

use rustc_hash::FxHashMap;
use tine_trace::op::{Op, Rounding};

use super::function::Sort;
use crate::assignment::Assignment;
use crate::pool::{TermPool, is_input_width};
use crate::term::{ARRAY, TermId};

/// One `(check-sat)`.
#[derive(Clone, Debug)]
pub struct Problem {
    /// One-bit terms, in order.
    pub assertions: Vec<TermId>,
    /// From the comments `; hint INPUT OFFSET BYTES`.
    pub hint: Assignment,
    /// Of the `(check-sat)`.
    pub line: usize,
}

/// Where the text is wrong, or says what is not known here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    pub line: usize,
    pub message: String,
}

impl std::fmt::Display for ReadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for ReadError {}

/// Variables that are not named after an input are inputs from this number on.
const FIRST_FRESH: u32 = 1 << 24;
/// Our own text nests five deep.
const MAX_DEPTH: u32 = 200;

/// All queries of a text, in one pool.
pub fn read(pool: &mut TermPool, text: &str) -> Result<Vec<Problem>, ReadError> {
    let mut reader = Reader {
        pool,
        names: FxHashMap::default(),
        assertions: Vec::new(),
        hint: Assignment::new(),
        n_fresh: 0,
        line: 1,
    };
    let mut problems = Vec::new();
    let mut scanner = Scanner { text, at: 0, line: 1, hints: Vec::new() };
    while let Some(command) = scanner.node(0)? {
        reader.line = scanner.line;
        for (input, offset, bytes) in scanner.hints.drain(..) {
            for (offset, byte) in (offset..).zip(bytes) {
                reader.hint.set(input, offset, byte);
            }
        }
        if reader.command(&command)? {
            problems.push(Problem {
                assertions: reader.assertions.clone(),
                hint: reader.hint.clone(),
                line: scanner.line,
            });
        }
    }
    Ok(problems)
}

/// An s-expression.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Node<'a> {
    Word(&'a str),
    List(Vec<Node<'a>>),
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
    line: usize,
    hints: Vec<(u32, u32, Vec<u8>)>,
}

impl<'a> Scanner<'a> {
    fn error(&self, message: impl Into<String>) -> ReadError {
        ReadError { line: self.line, message: message.into() }
    }

    fn skip(&mut self) {
        loop {
            let rest = &self.text[self.at..];
            match rest.chars().next() {
                Some(';') => {
                    let comment = rest.lines().next().unwrap_or(rest);
                    self.hints.extend(hint(comment));
                    self.at += comment.len();
                }
                Some(c) if c.is_whitespace() => {
                    self.line += usize::from(c == '\n');
                    self.at += c.len_utf8();
                }
                _ => return,
            }
        }
    }

    /// The next s-expression; nothing at the end of the text.
    fn node(&mut self, depth: u32) -> Result<Option<Node<'a>>, ReadError> {
        self.skip();
        let rest = &self.text[self.at..];
        match rest.chars().next() {
            None => Ok(None),
            Some(')') => Err(self.error("`)` without `(`")),
            Some('(') if depth == MAX_DEPTH => Err(self.error("nested too deep")),
            Some('(') => {
                self.at += 1;
                let mut list = Vec::new();
                loop {
                    self.skip();
                    if self.text[self.at..].starts_with(')') {
                        self.at += 1;
                        return Ok(Some(Node::List(list)));
                    }
                    list.push(self.node(depth + 1)?.ok_or_else(|| self.error("`(` without `)`"))?);
                }
            }
            Some(quote @ ('"' | '|')) => {
                let end = rest[1..].find(quote).ok_or_else(|| self.error(format!("{quote} without end")))? + 2;
                self.line += rest[..end].matches('\n').count();
                self.at += end;
                Ok(Some(Node::Word(&rest[..end])))
            }
            Some(_) => {
                let ends = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | ';' | '"' | '|');
                let end = rest.find(ends).unwrap_or(rest.len());
                self.at += end;
                Ok(Some(Node::Word(&rest[..end])))
            }
        }
    }
}

/// `; hint 0 4 00ff`
fn hint(comment: &str) -> Option<(u32, u32, Vec<u8>)> {
    let mut words = comment.strip_prefix("; hint ")?.split_whitespace();
    let (input, offset, digits) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?, words.next()?);
    let byte = |k: usize| u8::from_str_radix(digits.get(2 * k..2 * k + 2)?, 16).ok();
    Some((input, offset, (0..digits.len() / 2).map(byte).collect::<Option<_>>()?))
}

/// A term and what SMT takes it for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Typed {
    term: TermId,
    sort: Sort,
}

struct Reader<'p> {
    pool: &'p mut TermPool,
    names: FxHashMap<String, Typed>,
    assertions: Vec<TermId>,
    hint: Assignment,
    n_fresh: u32,
    line: usize,
}

impl Reader<'_> {
    fn error(&self, message: impl Into<String>) -> ReadError {
        ReadError { line: self.line, message: message.into() }
    }

    /// Whether it asks for an answer.
    fn command(&mut self, command: &Node<'_>) -> Result<bool, ReadError> {
        let Node::List(words) = command else { return Err(self.error("a command stands in parentheses")) };
        match words.as_slice() {
            [Node::Word("check-sat")] => return Ok(true),
            [Node::Word("reset")] => {
                self.names.clear();
                self.assertions.clear();
                self.hint = Assignment::new();
            }
            [Node::Word("assert"), term] => {
                let term = self.term(term)?;
                self.expect(term, Sort::Bool)?;
                self.assertions.push(term.term);
            }
            [Node::Word("declare-const"), Node::Word(name), sort]
            | [Node::Word("declare-fun"), Node::Word(name), Node::List(_), sort] => {
                let sort = self.sort(sort)?;
                let variable = self.variable(name, sort)?;
                self.names.insert((*name).to_owned(), variable);
            }
            [Node::Word("define-fun"), Node::Word(name), Node::List(parameters), sort, body]
                if parameters.is_empty() =>
            {
                let (sort, body) = (self.sort(sort)?, self.term(body)?);
                self.expect(body, sort)?;
                self.names.insert((*name).to_owned(), body);
            }
            [Node::Word("set-logic" | "set-info" | "set-option" | "exit" | "get-model" | "get-value"), ..] => {}
            [Node::Word(name), ..] => return Err(self.error(format!("the command `{name}` is not known in this form"))),
            _ => return Err(self.error("a command begins with its name")),
        }
        Ok(false)
    }

    fn expect(&self, found: Typed, sort: Sort) -> Result<(), ReadError> {
        if found.sort == sort {
            return Ok(());
        }
        Err(self.error(format!("{:?} where {sort:?} is needed", found.sort)))
    }

    fn sort(&self, node: &Node<'_>) -> Result<Sort, ReadError> {
        let number = |word: &str| word.parse::<u32>().ok();
        let sort = match node {
            Node::Word("Bool") => Some(Sort::Bool),
            Node::Word("Float32") => Some(Sort::Float(32)),
            Node::Word("Float64") => Some(Sort::Float(64)),
            Node::List(words) => match words.as_slice() {
                [Node::Word("_"), Node::Word("BitVec"), Node::Word(width)] => {
                    number(width).filter(|width| (1..=128).contains(width)).map(Sort::Bits)
                }
                [Node::Word("_"), Node::Word("FloatingPoint"), Node::Word(exponent), Node::Word(significand)] => {
                    format(number(exponent), number(significand)).map(Sort::Float)
                }
                [Node::Word("Array"), index, element] => {
                    let bytes = self.sort(index)? == Sort::Bits(64) && self.sort(element)? == Sort::Bits(8);
                    bytes.then_some(Sort::Array)
                }
                _ => None,
            },
            Node::Word(_) => None,
        };
        sort.ok_or_else(|| self.error("this sort is not known: there are Bool, bit-vectors up to 128 bits, float, double, and arrays from 64 bits to 8"))
    }

    /// `i0_4_32` is bytes 4 to 7 of input 0; any other name is an input of its own.
    fn variable(&mut self, name: &str, sort: Sort) -> Result<Typed, ReadError> {
        let width = match sort {
            Sort::Bool => 1,
            Sort::Bits(width) | Sort::Float(width) => width,
            Sort::Array => return Err(self.error("variables that are arrays are not known")),
        };
        let view = name.strip_prefix('i').and_then(|rest| {
            let mut parts = rest.split('_').map(|part| part.parse::<u32>().ok());
            let view = (parts.next()??, parts.next()??, parts.next()??);
            (parts.next().is_none() && view.2 == width && is_input_width(width)).then_some(view)
        });
        let term = match view {
            Some((input, offset, width)) => self.pool.input(input, offset, width),
            None => {
                let input = self.pool.input(FIRST_FRESH + self.n_fresh, 0, width.next_multiple_of(8));
                self.n_fresh += 1;
                if self.pool.width(input) == width { input } else { self.pool.extract(input, 0, width) }
            }
        };
        Ok(Typed { term, sort })
    }

    fn term(&mut self, node: &Node<'_>) -> Result<Typed, ReadError> {
        match node {
            Node::Word(word) => self.word(word),
            Node::List(words) => match words.as_slice() {
                [Node::List(head), value] if matches!(head.as_slice(), [Node::Word("as"), Node::Word("const"), _]) => {
                    let value = self.term(value)?;
                    if self.pool.value(value.term) != Some(0) {
                        return Err(self.error("only arrays of zeros are known"));
                    }
                    Ok(Typed { term: self.pool.table(Vec::new()), sort: Sort::Array })
                }
                [Node::Word("not"), Node::List(equation)] if overflow(equation).is_some() => {
                    let (op, n, [a, b]) = overflow(equation).ok_or_else(|| self.error("no overflow"))?;
                    let (a, b) = (self.term(a)?, self.term(b)?);
                    self.expect(a, Sort::Bits(n))?;
                    let made = self.pool.try_apply(op, 1, &[a.term, b.term], 0);
                    let term = made.map_err(|why| self.error(why.to_string()))?;
                    Ok(Typed { term, sort: Sort::Bool })
                }
                [head, rest @ ..] => self.application(head, rest),
                [] => Err(self.error("`()` is no term")),
            },
        }
    }

    fn word(&mut self, word: &str) -> Result<Typed, ReadError> {
        if let Some(&known) = self.names.get(word) {
            return Ok(known);
        }
        let bits = |digits: &str, base: u32, per_digit: u32| {
            let width = digits.len() as u32 * per_digit;
            let value = u128::from_str_radix(digits, base).ok()?;
            (1..=128).contains(&width).then_some((width, value))
        };
        let literal = match (word, word.strip_prefix("#x"), word.strip_prefix("#b")) {
            ("true" | "false", ..) => {
                return Ok(Typed { term: self.pool.bit(word == "true"), sort: Sort::Bool });
            }
            (_, Some(digits), _) => bits(digits, 16, 4),
            (_, _, Some(digits)) => bits(digits, 2, 1),
            _ => None,
        };
        let (width, value) = literal.ok_or_else(|| self.error(format!("`{word}` is not known")))?;
        Ok(Typed { term: self.pool.constant(width, value), sort: Sort::Bits(width) })
    }

    fn application(&mut self, head: &Node<'_>, rest: &[Node<'_>]) -> Result<Typed, ReadError> {
        let (name, indices) = self.head(head)?;
        // A rounding mode stands before the operands.
        let (mode, rest) = match rest {
            [Node::Word(word), rest @ ..] if rounding(word).is_some() => (rounding(word), rest),
            rest => (None, rest),
        };
        let mut operands = Vec::with_capacity(rest.len());
        for node in rest {
            operands.push(self.term(node)?);
        }
        let made = self.apply(name, &indices, mode, &operands);
        made.ok_or_else(|| self.error(format!("`{name}` is not known with these operands")))
    }

    /// `name` or `(_ name 7 0)`.
    fn head<'n>(&self, head: &Node<'n>) -> Result<(&'n str, Vec<u32>), ReadError> {
        match head {
            Node::Word(name) => Ok((name, Vec::new())),
            Node::List(words) => match words.as_slice() {
                [Node::Word("_"), Node::Word(name), indices @ ..] => {
                    let index = |node: &Node<'_>| match node {
                        Node::Word(word) => word.parse().ok(),
                        Node::List(_) => None,
                    };
                    let indices: Option<Vec<u32>> = indices.iter().map(index).collect();
                    Ok((name, indices.ok_or_else(|| self.error(format!("`{name}` has a strange index")))?))
                }
                _ => Err(self.error("an application begins with a function")),
            },
        }
    }

    fn apply(&mut self, name: &str, indices: &[u32], mode: Option<Rounding>, operands: &[Typed]) -> Option<Typed> {
        let terms: Vec<TermId> = operands.iter().map(|operand| operand.term).collect();
        let first = *operands.first()?;
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

    /// IEEE's remainder, which we have no operation for, by C's `fmod`: the quotient is rounded to the nearest number
    /// instead of towards zero, to the even one of two that are as near. All of it is exact.
    fn remainder(&mut self, x: TermId, y: TermId) -> TermId {
        let pool = &mut *self.pool;
        let width = pool.width(x);
        let [x_abs, y_abs] = [x, y].map(|id| pool.apply(Op::FAbs, width, &[id], 0));
        let (rest, twice_y) = (pool.frem(x_abs, y_abs), pool.fadd(y_abs, y_abs));
        // Of twice the divisor, more than the divisor is left where the quotient is odd.
        let rest_of_twice = pool.frem(x_abs, twice_y);
        let (is_odd, twice_rest) = (pool.fle(y_abs, rest_of_twice), pool.fadd(rest, rest));
        let (is_more, is_half) = (pool.flt(y_abs, twice_rest), pool.feq(twice_rest, y_abs));
        let half_of_odd = pool.and(is_half, is_odd);
        let (is_up, above) = (pool.or(is_more, half_of_odd), pool.fsub(rest, y_abs));
        let magnitude = pool.ite(is_up, above, rest);
        let (sign, negated) = (pool.extract(x, width - 1, 1), pool.apply(Op::FNeg, width, &[magnitude], 0));
        pool.ite(sign, negated, magnitude)
    }

    /// What is one operation of ours.
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
        let (op, sort, immediate) = match name {
            "to_fp" if mode.is_none() => {
                // The bits are the float.
                let width = float(0).filter(|&width| first == Sort::Bits(width))?;
                return Some(Typed { term: terms[0], sort: Sort::Float(width) });
            }
            "to_fp" if matches!(first, Sort::Float(_)) && nearest => (Op::FToF, Sort::Float(float(0)?), 0),
            "to_fp" if nearest => (Op::SToF, Sort::Float(float(0)?), 0),
            "to_fp_unsigned" if nearest => (Op::UToF, Sort::Float(float(0)?), 0),
            "fp.to_sbv" if mode == Some(Rounding::Zero) => (Op::FToS, Sort::Bits(*indices.first()?), 0),
            "fp.to_ubv" if mode == Some(Rounding::Zero) => (Op::FToU, Sort::Bits(*indices.first()?), 0),
            "fp.roundToIntegral" => (Op::FRound, first, mode? as u32),
            "extract" => {
                let (&high, &low) = (indices.first()?, indices.get(1)?);
                (Op::Extract, Sort::Bits(high.checked_sub(low)?.checked_add(1)?), low)
            }
            "zero_extend" => (Op::ZExt, Sort::Bits(width.checked_add(*indices.first()?)?), 0),
            "sign_extend" => (Op::SExt, Sort::Bits(width.checked_add(*indices.first()?)?), 0),
            "concat" => (Op::Concat, Sort::Bits(width + self.pool.width(*terms.get(1)?)), 0),
            _ => {
                let (op, of) = plain(name)?;
                let fits = match of {
                    Of::Bool => first == Sort::Bool,
                    Of::Bits => matches!(first, Sort::Bits(_)),
                    Of::Float => matches!(first, Sort::Float(_)),
                };
                let rounds = matches!(op, Op::FAdd | Op::FSub | Op::FMul | Op::FDiv | Op::FMa | Op::FSqrt);
                if !fits || operands.iter().any(|operand| operand.sort != first) || rounds != nearest {
                    return None;
                }
                (op, if op.shape().predicate { Sort::Bool } else { first }, 0)
            }
        };
        let float_operands = matches!(op, Op::FToF | Op::FToS | Op::FToU | Op::FRound);
        if float_operands != matches!(first, Sort::Float(_)) && !name.starts_with("fp.") {
            return None;
        }
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

    /// Equality of floats as such: a NaN is like every other, the zeros differ.
    fn same_float(&mut self, a: TermId, b: TermId) -> TermId {
        let (nan_a, nan_b, same) = (self.is_nan(a), self.is_nan(b), self.pool.eq(a, b));
        let both = self.pool.and(nan_a, nan_b);
        self.pool.or(both, same)
    }
}

/// The operands of an overflow predicate, out of the equation that stands for its negation: the product of `n` bits in
/// twice the width is what its lower half extends to. In 128 bits there are no terms for the product itself.
fn overflow<'n, 't>(equation: &'n [Node<'t>]) -> Option<(Op, u32, [&'n Node<'t>; 2])> {
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

fn format(exponent: Option<u32>, significand: Option<u32>) -> Option<u32> {
    match (exponent, significand) {
        (Some(8), Some(24)) => Some(32),
        (Some(11), Some(53)) => Some(64),
        _ => None,
    }
}

fn rounding(word: &str) -> Option<Rounding> {
    match word {
        "RNE" => Some(Rounding::NearestEven),
        "RNA" => Some(Rounding::NearestAway),
        "RTP" => Some(Rounding::Up),
        "RTN" => Some(Rounding::Down),
        "RTZ" => Some(Rounding::Zero),
        _ => None,
    }
}

/// What a function takes.
enum Of {
    Bool,
    Bits,
    Float,
}

/// Functions that are operations of ours, under another name.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Evaluator;
    use crate::smt::text::Benchmark;
    use crate::testing::{EVERYTHING, Random, Shape, random_terms};

    /// What was written comes back as a term of the same value, on random inputs.
    #[test]
    fn what_is_written_is_read_again() {
        let shape = Shape { floats: false, n_terms: 30, ..EVERYTHING };
        let mut n_read = 0;
        for seed in 0..300 {
            let (mut random, mut pool) = (Random::new(seed), TermPool::new());
            let terms = random_terms(&mut random, &mut pool, &shape);
            let conditions: Vec<TermId> =
                terms.iter().map(|pair| pair.0).filter(|&term| pool.width(term) == 1).collect();
            let text = Benchmark::new(&pool, &conditions).unwrap().to_string();
            let problems = read(&mut pool, &text).unwrap_or_else(|why| panic!("seed {seed}: {why}\n{text}"));
            let [problem] = problems.as_slice() else { panic!("seed {seed}: {} problems", problems.len()) };
            let mut evaluator = Evaluator::new();
            for _ in 0..10 {
                let mut inputs = Assignment::new();
                (0..32).for_each(|offset| inputs.set(0, offset, random.interesting(8) as u8));
                let mut evaluation = evaluator.with(&pool, &inputs);
                for (k, (&written, &read)) in conditions.iter().zip(&problem.assertions).enumerate() {
                    assert_eq!(evaluation.holds(written), evaluation.holds(read), "seed {seed}, assertion {k}\n{text}");
                    n_read += 1;
                }
            }
        }
        assert!(n_read > 5_000, "{n_read}");
    }

    /// Every function on floats is known.
    #[test]
    fn floats_are_read() {
        let shape = Shape { n_terms: 40, ..EVERYTHING };
        let mut n_read = 0;
        for seed in 0..100 {
            let (mut random, mut pool) = (Random::new(seed), TermPool::new());
            let terms = random_terms(&mut random, &mut pool, &shape);
            for (condition, _) in terms.into_iter().filter(|pair| pool.width(pair.0) == 1).collect::<Vec<_>>() {
                let Ok(benchmark) = Benchmark::new(&pool, &[condition]) else { continue };
                let problems = read(&mut pool, &benchmark.to_string());
                n_read += problems.unwrap_or_else(|why| panic!("seed {seed}: {why}\n{benchmark}")).len();
            }
        }
        assert!(n_read > 100, "{n_read}");
    }

    /// IEEE's remainder, on values where it differs from `fmod`, and at the edges.
    #[test]
    fn the_remainder_is_ieee() {
        let mut pool = TermPool::new();
        for (x, y, expected) in [
            (5.0f32, 3.0f32, -1.0f32),
            (-5.0, 3.0, 1.0),
            (7.0, 2.0, -1.0),
            (5.0, 2.0, 1.0),
            (3.0, -2.0, -1.0),
            (1.0, 2.0, 1.0),
            (3.0, 2.0, -1.0),
            (0.75, 0.5, -0.25),
            (-6.0, 3.0, -0.0),
            (f32::MAX, 2.5e38, f32::MAX - 2.5e38),
            (1.0, f32::INFINITY, 1.0),
            (f32::from_bits(3), f32::from_bits(2), f32::from_bits(0x8000_0001)),
            (f32::INFINITY, 1.0, f32::NAN),
            (1.0, 0.0, f32::NAN),
        ] {
            let float = |x: f32| format!("((_ to_fp 8 24) #x{:08x})", x.to_bits());
            let text = format!("(assert (= (fp.rem {} {}) {}))(check-sat)", float(x), float(y), float(expected));
            let problems = read(&mut pool, &text).unwrap();
            assert_eq!(pool.value(problems[0].assertions[0]), Some(1), "{x} rem {y} is not {expected}");
        }
    }

    #[test]
    fn queries_follow_each_other() {
        let text = "; hint 0 1 05ff\n(set-logic QF_BV)\n(declare-const i0_0_32 (_ BitVec 32))\n(declare-const b Bool)\n\
                    (assert b)(assert (= i0_0_32 #x00000007))\n(check-sat)\n(reset)\n(assert true)\n(check-sat)\n(exit)\n";
        let mut pool = TermPool::new();
        let problems = read(&mut pool, text).unwrap();
        assert_eq!(problems.iter().map(|problem| problem.assertions.len()).collect::<Vec<_>>(), [2, 1]);
        assert_eq!(problems.iter().map(|problem| problem.line).collect::<Vec<_>>(), [6, 9]);
        assert_eq!((problems[0].hint.get(0, 1), problems[0].hint.get(0, 2)), (5, 255));
        assert_eq!(problems[1].hint, Assignment::new());
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        for (text, line, message) in [
            ("(check-sat", 1, "`(` without `)`"),
            ("\n)", 2, "`)` without `(`"),
            ("(assert x)", 1, "`x` is not known"),
            ("(assert #x00)", 1, "Bits(8) where Bool is needed"),
            ("(assert (bvult #x00 #x0000))", 1, "`bvult` is not known with these operands"),
            ("(assert (and true #b1))", 1, "`and` is not known with these operands"),
            ("(assert ((_ extract 0 7) #x00))", 1, "`extract` is not known with these operands"),
            ("(assert (= ((_ zero_extend 200) #x00) #x00))", 1, "`zero_extend` is not known with these operands"),
            ("(push 1)", 1, "the command `push` is not known in this form"),
            ("x", 1, "a command stands in parentheses"),
            ("(declare-const a (Array (_ BitVec 64) (_ BitVec 8)))", 1, "variables that are arrays are not known"),
            (&"(".repeat(1000), 1, "nested too deep"),
        ] {
            let found = read(&mut TermPool::new(), text).unwrap_err();
            assert_eq!((found.line, found.message.as_str()), (line, message), "{text}");
        }
    }
}
