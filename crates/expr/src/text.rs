//! The text form of terms: s-expressions, for tests, messages and debugging.
//!
//! ```text
//! 42:8  0x2a:8                   constants with their width
//! i3:32  i3.4:8                  input 3 from its first byte; byte 4 of input 3
//! (add a b)  (not a)             operations, with the names of the trace
//! (zext 64 a)  (extract 8 16 a)  with a width; with lowest bit and width
//! (table 0aff)                   an array of these bytes
//! (select 16 a i)  (store a i x) 16 bits of array a from index i on; a with x there
//! (let $1 (add a b) (mul $1 $1)) a shared term
//! ```

use std::fmt::Write as _;

use rustc_hash::FxHashMap;
use tine_trace::op::Op;

use crate::pool::{TermPool, is_input_width};
use crate::term::{ARRAY, Kind, TermId};

/// Names for terms, in both directions: `x` reads better than `i0:32`.
#[derive(Clone, Debug, Default)]
pub struct Names {
    pairs: Vec<(String, TermId)>,
}

impl Names {
    /// An empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a named term.
    pub fn add(&mut self, name: impl Into<String>, term: TermId) {
        self.pairs.push((name.into(), term));
    }

    fn name(&self, term: TermId) -> Option<&str> {
        self.pairs.iter().find(|pair| pair.1 == term).map(|pair| pair.0.as_str())
    }

    fn term(&self, name: &str) -> Option<TermId> {
        self.pairs.iter().find(|pair| pair.0 == name).map(|pair| pair.1)
    }
}

/// Prints a term as text.
pub fn print(pool: &TermPool, root: TermId, names: &Names) -> String {
    Printer::new(pool, names, root).print(root)
}

/// Parses a term and simplifies it.
pub fn parse(pool: &mut TermPool, text: &str, names: &Names) -> Result<TermId, ParseError> {
    Parser::new(pool, text, names, false).whole()
}

/// Parses a term without changing it.
pub fn parse_raw(pool: &mut TermPool, text: &str, names: &Names) -> Result<TermId, ParseError> {
    Parser::new(pool, text, names, true).whole()
}

/// Position and description of an error in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    pub message: String,
    /// Byte offset in the text.
    pub at: usize,
}

impl std::fmt::Display for ParseError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "at byte {}: {}", self.at, self.message)
    }
}

impl std::error::Error for ParseError {}

/// True if the text contains the result's width because the operands do not determine it.
fn has_width(op: Op) -> bool {
    matches!(op, Op::ZExt | Op::SExt | Op::Extract | Op::FToF | Op::FToS | Op::FToU | Op::SToF | Op::UToF)
}

struct Printer<'a> {
    pool: &'a TermPool,
    names: &'a Names,
    /// Terms already printed, by their `let`.
    bound: FxHashMap<TermId, usize>,
    /// Terms to bind, operands first.
    shared: Vec<TermId>,
}

/// Terms deeper than this are bound too, so that printing and parsing need little stack.
const MAX_HEIGHT: u32 = 64;

impl<'a> Printer<'a> {
    fn new(pool: &'a TermPool, names: &'a Names, root: TermId) -> Self {
        let mut printer = Self { pool, names, bound: FxHashMap::default(), shared: Vec::new() };
        // Ids are in order of construction, so visiting them in sorted order visits operands first.
        let mut uses: FxHashMap<TermId, u32> = FxHashMap::default();
        let mut stack = vec![root];
        while let Some(id) = stack.pop() {
            let n = uses.entry(id).or_insert(0);
            *n += 1;
            if *n == 1 && names.name(id).is_none() {
                stack.extend(pool.term(id).operands());
            }
        }
        let mut heights: FxHashMap<TermId, u32> = FxHashMap::default();
        let mut ids: Vec<TermId> = uses.keys().copied().collect();
        ids.sort_unstable();
        for id in ids {
            let term = pool.term(id);
            let leaf = term.operands().len() == 0 || names.name(id).is_some();
            let below = term.operands().filter_map(|operand| heights.get(&operand)).max().copied().unwrap_or(0);
            let height = if leaf { 0 } else { below + 1 };
            let bind = !leaf && id != root && (uses[&id] > 1 || height == MAX_HEIGHT);
            heights.insert(id, if bind { 0 } else { height });
            if bind {
                printer.shared.push(id);
            }
        }
        printer
    }

    fn print(mut self, root: TermId) -> String {
        let mut text = String::new();
        let shared = std::mem::take(&mut self.shared);
        for (k, &id) in shared.iter().enumerate() {
            let _ = write!(text, "(let ${} ", k + 1);
            self.term(&mut text, id);
            text.push(' ');
            self.bound.insert(id, k + 1);
        }
        self.term(&mut text, root);
        text.extend(std::iter::repeat_n(')', shared.len()));
        text
    }

    fn term(&self, text: &mut String, id: TermId) {
        if let Some(name) = self.names.name(id) {
            text.push_str(name);
            return;
        }
        if let Some(number) = self.bound.get(&id) {
            let _ = write!(text, "${number}");
            return;
        }
        let term = self.pool.term(id);
        if let Some(value) = self.pool.value(id) {
            let _ = if value < 1024 {
                write!(text, "{value}:{}", term.width())
            } else {
                write!(text, "{value:#x}:{}", term.width())
            };
            return;
        }
        if let Some(view) = term.input() {
            let _ = match view.offset {
                0 => write!(text, "i{}:{}", view.input, view.width),
                offset => write!(text, "i{}.{offset}:{}", view.input, view.width),
            };
            return;
        }
        let _ = write!(text, "({}", term.kind().name());
        if let Some(bytes) = self.pool.table_bytes(id) {
            text.push(' ');
            for byte in bytes.iter() {
                let _ = write!(text, "{byte:02x}");
            }
        }
        if let Some(op) = term.op() {
            if op.shape().immediates > 0 {
                let _ = write!(text, " {}", term.immediate());
            }
            if has_width(op) {
                let _ = write!(text, " {}", term.width());
            }
        }
        if term.kind() == Kind::Select {
            let _ = write!(text, " {}", term.width());
        }
        for operand in term.operands() {
            text.push(' ');
            self.term(text, operand);
        }
        text.push(')');
    }
}

struct Parser<'a> {
    pool: &'a mut TermPool,
    names: &'a Names,
    text: &'a str,
    at: usize,
    raw: bool,
    bound: FxHashMap<String, TermId>,
}

impl<'a> Parser<'a> {
    fn new(pool: &'a mut TermPool, text: &'a str, names: &'a Names, raw: bool) -> Self {
        Self { pool, names, text, at: 0, raw, bound: FxHashMap::default() }
    }

    fn whole(mut self) -> Result<TermId, ParseError> {
        // The body of a `let` does not add a level, because `print` produces long chains of them.
        let mut n_lets = 0;
        while self.take("(let") {
            let name = self.word().to_owned();
            let term = self.term()?;
            self.bound.insert(name, term);
            n_lets += 1;
        }
        let term = self.term()?;
        for _ in 0..n_lets {
            self.close()?;
        }
        self.blank();
        if self.at < self.text.len() {
            return Err(self.error("unexpected text after the term"));
        }
        Ok(term)
    }

    fn term(&mut self) -> Result<TermId, ParseError> {
        if !self.take("(") {
            return self.leaf();
        }
        let name = self.word();
        let term = match name {
            "table" => {
                let word = self.word();
                let bytes = hex(word).ok_or_else(|| self.error("a table is written as pairs of hex digits"))?;
                self.pool.table(bytes)
            }
            "select" => {
                let width = self.number()? as u32;
                let [array, index] = [self.array()?, self.term()?];
                self.want_width(index, 64)?;
                self.want_bytes(width)?;
                if self.raw { self.pool.select_raw(array, index, width) } else { self.pool.select(array, index, width) }
            }
            "store" => {
                let (array, index, value) = (self.array()?, self.term()?, self.term()?);
                self.want_width(index, 64)?;
                self.want_bytes(self.pool.width(value))?;
                if self.raw { self.pool.store_raw(array, index, value) } else { self.pool.store(array, index, value) }
            }
            _ => {
                let op = Op::ALL.iter().copied().find(|op| op.name() == name);
                let op = op.ok_or_else(|| self.error(&format!("there is no operation `{name}`")))?;
                self.operation(op)?
            }
        };
        self.close()?;
        Ok(term)
    }

    fn operation(&mut self, op: Op) -> Result<TermId, ParseError> {
        let immediate = if op.shape().immediates > 0 { self.number()? as u32 } else { 0 };
        let width = if has_width(op) { Some(self.number()? as u32) } else { None };
        let operands = (0..op.shape().operands).map(|_| self.term()).collect::<Result<Vec<_>, _>>()?;
        let widths: Vec<u32> = operands.iter().map(|&operand| self.pool.width(operand)).collect();
        let width = match (width, op) {
            (Some(width), _) => width,
            (None, Op::Concat) => widths[0] + widths[1],
            (None, Op::Ite) => widths[1],
            (None, op) if op.shape().predicate => 1,
            (None, _) => widths.first().copied().unwrap_or(0),
        };
        let term = if self.raw {
            self.pool.apply_raw(op, width, &operands, immediate)
        } else {
            self.pool.try_apply(op, width, &operands, immediate)
        };
        term.map_err(|error| self.error(&error.to_string()))
    }

    fn leaf(&mut self) -> Result<TermId, ParseError> {
        let word = self.word();
        if let Some(term) = self.names.term(word).or_else(|| self.bound.get(word).copied()) {
            return Ok(term);
        }
        let parsed = word.split_once(':').and_then(|(left, width)| {
            let width: u32 = width.parse().ok()?;
            match left.strip_prefix('i') {
                Some(view) => {
                    let (input, offset) = view.split_once('.').unwrap_or((view, "0"));
                    let (input, offset) = (input.parse().ok()?, offset.parse().ok()?);
                    is_input_width(width).then(|| self.pool.input(input, offset, width))
                }
                None => {
                    let value = parse_number(left)?;
                    (1..=128).contains(&width).then(|| self.pool.constant(width, value))
                }
            }
        });
        parsed.ok_or_else(|| self.error(&format!("`{word}` is not a term")))
    }

    fn array(&mut self) -> Result<TermId, ParseError> {
        let term = self.term()?;
        self.want_width(term, ARRAY)?;
        Ok(term)
    }

    fn want_width(&self, term: TermId, width: u32) -> Result<(), ParseError> {
        let found = self.pool.width(term);
        if found == width { Ok(()) } else { Err(self.error(&format!("{width} bits wanted, not {found}"))) }
    }

    fn want_bytes(&self, width: u32) -> Result<(), ParseError> {
        if is_input_width(width) { Ok(()) } else { Err(self.error(&format!("arrays hold bytes, not {width} bits"))) }
    }

    fn number(&mut self) -> Result<u128, ParseError> {
        let word = self.word();
        parse_number(word).ok_or_else(|| self.error(&format!("`{word}` is not a number")))
    }

    fn word(&mut self) -> &'a str {
        self.blank();
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| c.is_whitespace() || c == '(' || c == ')').unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn blank(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn take(&mut self, prefix: &str) -> bool {
        self.blank();
        let found = self.text[self.at..].starts_with(prefix);
        if found {
            self.at += prefix.len();
        }
        found
    }

    fn close(&mut self) -> Result<(), ParseError> {
        if self.take(")") { Ok(()) } else { Err(self.error("`)` is missing")) }
    }

    fn error(&self, message: &str) -> ParseError {
        ParseError { message: message.to_owned(), at: self.at }
    }
}

fn parse_number(word: &str) -> Option<u128> {
    match word.strip_prefix("0x") {
        Some(digits) => u128::from_str_radix(digits, 16).ok(),
        None => word.parse().ok(),
    }
}

fn hex(word: &str) -> Option<Vec<u8>> {
    if !word.is_ascii() || !word.len().is_multiple_of(2) {
        return None;
    }
    (0..word.len()).step_by(2).map(|k| u8::from_str_radix(&word[k..k + 2], 16).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip(text: &str) {
        let mut pool = TermPool::new();
        let term = parse_raw(&mut pool, text, &Names::new()).unwrap();
        assert_eq!(print(&pool, term, &Names::new()), text);
    }

    #[test]
    fn text_goes_in_and_out() {
        for text in [
            "(add i0:32 1:32)",
            "(let $1 (add i0:32 0x1000:32) (mul $1 $1))",
            "(extract 8 16 (concat i0:8 i1.4:32))",
            "(ite (fisnan i0:64) (ftos 32 i0:64) (sext 32 i1:8))",
            "(fround 3 i0:32)",
            "(select 16 (store (table 00ff10) i0:64 i1:8) 0xffffffffffffffff:64)",
        ] {
            round_trip(text);
        }
    }

    #[test]
    fn deep_terms_need_no_deep_stack() {
        let mut pool = TermPool::new();
        let (mut term, y) = (pool.input(0, 0, 32), pool.input(1, 0, 32));
        for _ in 0..100_000 {
            term = pool.apply_raw(Op::Mul, 32, &[term, y], 0).unwrap();
        }
        let text = print(&pool, term, &Names::new());
        assert_eq!(parse_raw(&mut pool, &text, &Names::new()), Ok(term));
    }

    #[test]
    fn mistakes_are_named() {
        let mut pool = TermPool::new();
        let mut error = |text: &str| parse(&mut pool, text, &Names::new()).unwrap_err().to_string();
        assert_eq!(error("(add i0:32 i0:8)"), "at byte 15: add of 32 bits cannot have operands of [32, 8] bits");
        assert_eq!(error("(frob i0:32)"), "at byte 5: there is no operation `frob`");
        assert_eq!(error("(not i0:32"), "at byte 10: `)` is missing");
        assert_eq!(error("x"), "at byte 1: `x` is not a term");
        assert_eq!(error("i0:7"), "at byte 4: `i0:7` is not a term");
        assert_eq!(error("(not 1:1) 2:2"), "at byte 10: unexpected text after the term");
        assert_eq!(error("(select 8 (table 00) 1:8)"), "at byte 24: 64 bits wanted, not 8");
    }
}
