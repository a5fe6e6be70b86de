//! Reads SMT-LIB 2 as written by [`text`](super::text), and common constructs of other tools: bit-vectors, floats,
//! arrays of bytes, definitions without parameters, `let`, and sequences of queries with `(reset)` or with `(push)` and
//! `(pop)`.
//!
//! A Boolean is a one-bit term and a float is its bits, so `=` of floats means that both are NaN or the bits are equal.
//! Out-of-range conversions, which SMT-LIB leaves open, behave like the machine. [`text`](super::text) never uses them.

mod apply;
mod scan;
#[cfg(test)]
mod tests;

use apply::{format, overflow, rounding};
use rustc_hash::FxHashMap;
use scan::{Node, Scanner, is_place};
use tine_trace::plan::OBJECT;

use super::function::Sort;
use crate::assignment::Assignment;
use crate::pool::{TermPool, is_input_width};
use crate::term::TermId;

/// One `(check-sat)`.
#[derive(Clone, Debug)]
pub struct Problem {
    /// One-bit terms, in order.
    pub assertions: Vec<TermId>,
    /// Hint from the comments `; hint INPUT OFFSET BYTES`.
    pub hint: Assignment,
    /// Line of the `(check-sat)`.
    pub line: usize,
}

/// An error in the text, or an unknown construct.
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

/// Maximum number of levels of `(push)`.
const MAX_LEVELS: usize = 1 << 12;

/// Reads all queries of a file's text into one pool.
pub fn read(pool: &mut TermPool, text: &str) -> Result<Vec<Problem>, ReadError> {
    let mut reader = Reader {
        pool,
        names: FxHashMap::default(),
        hidden: Vec::new(),
        levels: Vec::new(),
        assertions: Vec::new(),
        hint: Assignment::new(),
        fresh: first_unnamed(text),
        n_fresh: 0,
        line: 1,
    };
    let mut problems = Vec::new();
    let mut scanner = Scanner::new(text);
    loop {
        scanner.skip();
        reader.line = scanner.line;
        let Some(command) = scanner.node(0)? else { break };
        for hint in scanner.hints.drain(..) {
            for (offset, byte) in (hint.offset..).zip(hint.bytes) {
                reader.hint.set(hint.input, offset, byte);
            }
        }
        match reader.command(&command)? {
            Asked::Nothing => {}
            Asked::Answer => problems.push(Problem {
                assertions: reader.assertions.clone(),
                hint: reader.hint.clone(),
                line: reader.line,
            }),
            Asked::Exit => break,
        }
    }
    Ok(problems)
}

/// Returns the first input that no variable is named after.
fn first_unnamed(text: &str) -> u32 {
    let words = text.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '|'));
    let inputs = words.filter_map(view).map(|(input, ..)| input).filter(|input| input & OBJECT == 0);
    inputs.max().map_or(0, |input| input + 1)
}

/// Parses the name of a view: `i0_4_32` is bytes 4 to 7 of input 0.
fn view(name: &str) -> Option<(u32, u32, u32)> {
    let mut parts = name.strip_prefix('i')?.split('_').map(|part| part.parse::<u32>().ok());
    let (input, offset, width) = (parts.next()??, parts.next()??, parts.next()??);
    let fits = is_input_width(width) && is_place(input, offset, u64::from(width / 8));
    (fits && parts.next().is_none()).then_some((input, offset, width))
}

/// Kind of command.
enum Asked {
    Nothing,
    Answer,
    Exit,
}

/// A term and its sort in SMT.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Typed {
    term: TermId,
    sort: Sort,
}

struct Reader<'p> {
    pool: &'p mut TermPool,
    names: FxHashMap<String, Typed>,
    /// Former meanings of names that were redefined (`None` for new names), the latest last.
    hidden: Vec<(String, Option<Typed>)>,
    /// Numbers of former meanings and of assertions before each `(push)`.
    levels: Vec<(usize, usize)>,
    assertions: Vec<TermId>,
    hint: Assignment,
    /// The input with the variables that are not named after an input, and in `n_fresh` its number of used bytes.
    fresh: u32,
    n_fresh: u32,
    line: usize,
}

impl Reader<'_> {
    fn error(&self, message: impl Into<String>) -> ReadError {
        ReadError { line: self.line, message: message.into() }
    }

    fn command(&mut self, command: &Node<'_>) -> Result<Asked, ReadError> {
        let Node::List(words) = command else { return Err(self.error("a command stands in parentheses")) };
        match words.as_slice() {
            [Node::Word("check-sat")] => return Ok(Asked::Answer),
            [Node::Word("exit")] => return Ok(Asked::Exit),
            [Node::Word("reset")] => {
                self.names.clear();
                self.hidden.clear();
                self.levels.clear();
                self.assertions.clear();
                self.hint = Assignment::new();
            }
            [Node::Word("push")] => self.push(1)?,
            [Node::Word("push"), Node::Word(levels)] => self.push(self.levels(levels)?)?,
            [Node::Word("pop")] => self.pop(1)?,
            [Node::Word("pop"), Node::Word(levels)] => self.pop(self.levels(levels)?)?,
            [Node::Word("assert"), term] => {
                let term = self.term(term)?;
                self.expect(term, Sort::Bool)?;
                self.assertions.push(term.term);
            }
            [Node::Word("declare-const"), Node::Word(name), sort] => self.declare(name, sort)?,
            [Node::Word("declare-fun"), Node::Word(name), Node::List(parameters), sort] if parameters.is_empty() => {
                self.declare(name, sort)?;
            }
            [Node::Word("define-fun"), Node::Word(name), Node::List(parameters), sort, body]
                if parameters.is_empty() =>
            {
                let (sort, body) = (self.sort(sort)?, self.term(body)?);
                self.expect(body, sort)?;
                self.give(name, body)?;
            }
            [Node::Word("declare-fun" | "define-fun"), Node::Word(name), Node::List(_), ..] => {
                return Err(self.error(format!("`{}` has parameters: only constants are known", short(name))));
            }
            // Only answers are printed.
            [Node::Word("set-logic" | "set-info" | "set-option" | "get-model" | "get-value" | "echo"), ..] => {}
            [Node::Word(name), ..] => {
                return Err(self.error(format!("the command `{}` is not known in this form", short(name))));
            }
            _ => return Err(self.error("a command begins with its name")),
        }
        Ok(Asked::Nothing)
    }

    fn levels(&self, word: &str) -> Result<usize, ReadError> {
        word.parse().map_err(|_| self.error(format!("`{}` is not a number of levels", short(word))))
    }

    fn push(&mut self, n: usize) -> Result<(), ReadError> {
        if n > MAX_LEVELS - self.levels.len() {
            return Err(self.error(format!("more than {MAX_LEVELS} levels")));
        }
        self.levels.extend(std::iter::repeat_n((self.hidden.len(), self.assertions.len()), n));
        Ok(())
    }

    fn pop(&mut self, n: usize) -> Result<(), ReadError> {
        for _ in 0..n {
            let (n_hidden, n_assertions) = self.levels.pop().ok_or_else(|| self.error("`pop` without `push`"))?;
            self.show(n_hidden);
            self.assertions.truncate(n_assertions);
        }
        Ok(())
    }

    fn declare(&mut self, name: &str, sort: &Node<'_>) -> Result<(), ReadError> {
        let sort = self.sort(sort)?;
        let variable = self.variable(name, sort)?;
        self.give(name, variable)
    }

    /// Defines a name for the following commands.
    fn give(&mut self, name: &str, to: Typed) -> Result<(), ReadError> {
        if self.names.contains_key(name) {
            return Err(self.error(format!("`{}` is declared already", short(name))));
        }
        self.hide(name, to);
        Ok(())
    }

    fn hide(&mut self, name: &str, to: Typed) {
        let before = self.names.insert(name.to_owned(), to);
        self.hidden.push((name.to_owned(), before));
    }

    /// Restores the meanings of names to the state with `n_hidden` former meanings.
    fn show(&mut self, n_hidden: usize) {
        while self.hidden.len() > n_hidden {
            match self.hidden.pop() {
                Some((name, Some(before))) => drop(self.names.insert(name, before)),
                Some((name, None)) => drop(self.names.remove(&name)),
                None => return,
            }
        }
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

    /// Returns a variable: a view of the input that it is named after, otherwise bytes of the input for other
    /// variables.
    fn variable(&mut self, name: &str, sort: Sort) -> Result<Typed, ReadError> {
        let width = match sort {
            Sort::Bool => 1,
            Sort::Bits(width) | Sort::Float(width) => width,
            Sort::Array => return Err(self.error("variables that are arrays are not known")),
        };
        let term = match view(name).filter(|view| view.2 == width) {
            Some((input, offset, width)) => self.pool.input(input, offset, width),
            None => {
                let bits = width.next_multiple_of(8);
                let offset = self.n_fresh;
                self.n_fresh += bits / 8;
                if !is_place(self.fresh, offset, u64::from(bits / 8)) {
                    return Err(self.error("too many variables"));
                }
                let input = self.pool.input(self.fresh, offset, bits);
                if bits == width { input } else { self.pool.extract(input, 0, width) }
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
                [Node::Word("let"), Node::List(bindings), body] => self.within(bindings, body),
                // Annotations have no effect.
                [Node::Word("!"), term, ..] => self.term(term),
                [Node::Word("_"), Node::Word(value), Node::Word(width)] if value.starts_with("bv") => {
                    let width = width.parse().ok().filter(|width| (1..=128).contains(width));
                    let value = value[2..].parse::<u128>().ok();
                    let (Some(width), Some(value)) = (width, value) else {
                        return Err(self.error("only numbers of up to 128 bits are known"));
                    };
                    Ok(Typed { term: self.pool.constant(width, value), sort: Sort::Bits(width) })
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
                [] => Err(self.error("`()` is not a term")),
            },
        }
    }

    /// Reads a term with `let` bindings. The bound terms are read in the outer scope.
    fn within(&mut self, bindings: &[Node<'_>], body: &Node<'_>) -> Result<Typed, ReadError> {
        let mut given = Vec::new();
        for binding in bindings {
            let Node::List(pair) = binding else { return Err(self.error("`let` binds names in parentheses")) };
            let [Node::Word(name), term] = pair.as_slice() else {
                return Err(self.error("`let` binds a name to a term"));
            };
            given.push((*name, self.term(term)?));
        }
        let before = self.hidden.len();
        given.into_iter().for_each(|(name, term)| self.hide(name, term));
        let term = self.term(body);
        self.show(before);
        term
    }

    fn word(&mut self, word: &str) -> Result<Typed, ReadError> {
        if let Some(&known) = self.names.get(word) {
            return Ok(known);
        }
        let bits = |digits: &str, base: u32, per_digit: u32| {
            let width = u32::try_from(digits.len()).ok()?.checked_mul(per_digit)?;
            let value = u128::from_str_radix(digits, base).ok().filter(|_| !digits.starts_with('+'))?;
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
        let (width, value) = literal.ok_or_else(|| self.error(format!("`{}` is not known", short(word))))?;
        Ok(Typed { term: self.pool.constant(width, value), sort: Sort::Bits(width) })
    }

    fn application(&mut self, head: &Node<'_>, rest: &[Node<'_>]) -> Result<Typed, ReadError> {
        let (name, indices) = self.head(head)?;
        // A rounding mode precedes the operands.
        let (mode, rest) = match rest {
            [Node::Word(word), rest @ ..] if rounding(word).is_some() => (rounding(word), rest),
            rest => (None, rest),
        };
        let mut operands = Vec::with_capacity(rest.len());
        for node in rest {
            operands.push(self.term(node)?);
        }
        let made = self.apply(name, &indices, mode, &operands);
        made.ok_or_else(|| self.error(format!("`{}` is not known with these operands", short(name))))
    }

    /// Reads the head of an application: `name` or `(_ name 7 0)`.
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
                    Ok((name, indices.ok_or_else(|| self.error(format!("`{}` has a strange index", short(name))))?))
                }
                _ => Err(self.error("an application begins with a function")),
            },
        }
    }
}

/// Shortens a word for a message.
fn short(word: &str) -> String {
    const MOST: usize = 40;
    let mut shown: String = word.chars().take(MOST).flat_map(char::escape_debug).collect();
    if word.chars().nth(MOST).is_some() {
        shown.push('…');
    }
    shown
}
