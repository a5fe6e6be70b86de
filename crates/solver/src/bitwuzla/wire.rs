//! Requests and replies in words, as `native/server.cpp` documents them.

use std::time::Instant;

use tine_expr::InputView;
use tine_expr::TermId;
use tine_expr::smt::{Function, RoundingMode, Sort, Target};

use super::kind;

const BEGIN: u32 = 1;
const BITS: u32 = 2;
const VARIABLE: u32 = 3;
const APPLY: u32 = 4;
const FORGET: u32 = 5;
const CHECK: u32 = 6;

const MAGIC: u32 = 0x656e_6974;
pub(super) const SAT: u32 = 10;
pub(super) const UNSAT: u32 = 20;
pub(super) const TIMEOUT: u32 = 1;

/// Numbers of terms that exist from the start: the rounding modes.
const N_ROUNDING_MODES: u32 = 5;

/// Number of a term in the server.
pub(super) type Term = u32;

/// Definitions that the server has not seen yet.
#[derive(Debug)]
pub(super) struct Wire {
    words: Vec<u32>,
    n_terms: u32,
    /// Deadline for creating terms.
    pub(super) end: Option<Instant>,
}

/// A query about defined terms.
pub(super) struct Question<'a> {
    pub(super) timeout_ms: u32,
    /// Terms asserted on successive levels.
    pub(super) path: &'a [Term],
    pub(super) assumed: &'a [Term],
    /// Terms whose values are reported if the others can hold.
    pub(super) values: &'a [Term],
}

impl Wire {
    /// Creates the state for a newly started server.
    pub(super) fn new() -> Self {
        Self { words: Vec::new(), n_terms: N_ROUNDING_MODES, end: None }
    }

    /// Creates the state for a server that must drop its terms.
    pub(super) fn afresh() -> Self {
        Self { words: vec![FORGET], ..Self::new() }
    }

    /// Returns the definitions and a query about them as bytes. From then on the server is assumed to know the terms.
    pub(super) fn request(&mut self, question: &Question<'_>) -> Vec<u8> {
        let Question { timeout_ms, path, assumed, values } = *question;
        let [n_path, n_assumed, n_values] = [path, assumed, values].map(|list| list.len() as u32);
        self.words.extend([CHECK, n_path, n_assumed, n_values]);
        self.words.extend(path.iter().chain(assumed).chain(values));
        [BEGIN, timeout_ms].into_iter().chain(self.words.drain(..)).flat_map(u32::to_ne_bytes).collect()
    }

    fn defined(&mut self) -> Term {
        self.n_terms += 1;
        self.n_terms - 1
    }

    fn variable(&mut self, width: u32) -> Term {
        self.words.extend([VARIABLE, width]);
        self.defined()
    }

    fn call(&mut self, kind: u32, rounding: Option<RoundingMode>, operands: &[Term], indices: &[u32]) -> Term {
        let n_operands = operands.len() as u32 + u32::from(rounding.is_some());
        self.words.extend([APPLY, kind, n_operands, indices.len() as u32]);
        self.words.extend(rounding.map(rounding_mode));
        self.words.extend(operands.iter().chain(indices));
        self.defined()
    }
}

impl Target for Wire {
    type Term = Term;

    fn bits(&mut self, width: u32, value: u128) -> Term {
        self.words.extend([BITS, width]);
        self.words.extend((0..4).map(|k| (value >> (32 * k)) as u32));
        self.defined()
    }

    fn input(&mut self, view: InputView) -> Term {
        self.variable(view.width)
    }

    fn float_bits(&mut self, _: TermId, width: u32) -> Term {
        self.variable(width)
    }

    fn is_over(&self) -> bool {
        self.end.is_some_and(|end| Instant::now() >= end)
    }

    fn apply(&mut self, function: Function, operands: &[Term], _: Sort) -> Term {
        let (kind, rounding, indices) = kind::of(function);
        self.call(kind, rounding, operands, &indices)
    }
}

/// Number of the term of a rounding mode.
fn rounding_mode(mode: RoundingMode) -> Term {
    match mode {
        RoundingMode::NearestEven => 0,
        RoundingMode::NearestAway => 1,
        RoundingMode::Negative => 2,
        RoundingMode::Positive => 3,
        RoundingMode::Zero => 4,
    }
}

/// A reply of the server.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) status: u32,
    pub(super) words: Vec<u32>,
}

impl Reply {
    /// Parses the reply, if it has arrived completely.
    pub(super) fn parse(bytes: &[u8]) -> Option<Reply> {
        let (words, rest) = bytes.as_chunks::<4>();
        let mut words = words.iter().map(|word| u32::from_ne_bytes(*word));
        let (magic, status, n_words) = (words.next()?, words.next()?, words.next()?);
        let is_whole = magic == MAGIC && words.len() == n_words as usize && rest.is_empty();
        is_whole.then(|| Reply { status, words: words.collect() })
    }

    /// Values of the requested terms.
    pub(super) fn values(&self) -> impl Iterator<Item = u128> {
        let value = |words: &[u32; 4]| words.iter().rev().fold(0, |value, word| value << 32 | u128::from(*word));
        self.words.as_chunks::<4>().0.iter().map(value)
    }
}
