//! Scanner for words, parentheses and hints in comments.

use tine_trace::plan::OBJECT;

use super::ReadError;

/// Maximum nesting. Text written by tine nests five deep.
const MAX_DEPTH: u32 = 300;

/// An s-expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Node<'a> {
    Word(&'a str),
    List(Vec<Node<'a>>),
}

pub(super) struct Scanner<'a> {
    text: &'a str,
    at: usize,
    pub(super) line: usize,
    pub(super) hints: Vec<Hint>,
}

/// Input bytes stated by a comment: number, offset and bytes.
pub(super) struct Hint {
    pub(super) input: u32,
    pub(super) offset: u32,
    pub(super) bytes: Vec<u8>,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0, line: 1, hints: Vec::new() }
    }

    fn error(&self, message: impl Into<String>) -> ReadError {
        ReadError { line: self.line, message: message.into() }
    }

    /// Skips to the next s-expression or to the end.
    pub(super) fn skip(&mut self) {
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

    /// Returns the next s-expression, or `None` at the end of the text.
    pub(super) fn node(&mut self, depth: u32) -> Result<Option<Node<'a>>, ReadError> {
        self.skip();
        let rest = &self.text[self.at..];
        match rest.chars().next() {
            None => Ok(None),
            Some(')') => Err(self.error("`)` without `(`")),
            Some('(') if depth == MAX_DEPTH => Err(self.error("nested too deep")),
            Some('(') => {
                self.at += 1;
                let begin = self.line;
                let mut list = Vec::new();
                loop {
                    self.skip();
                    if self.text[self.at..].starts_with(')') {
                        self.at += 1;
                        return Ok(Some(Node::List(list)));
                    }
                    let unclosed = || ReadError { line: begin, message: "`(` without `)`".to_owned() };
                    list.push(self.node(depth + 1)?.ok_or_else(unclosed)?);
                }
            }
            Some(quote @ ('"' | '|')) => {
                let end = rest[1..].find(quote).ok_or_else(|| self.error(format!("`{quote}` without end")))? + 2;
                self.line += rest[..end].matches('\n').count();
                self.at += end;
                // A symbol means the same with and without bars.
                Ok(Some(Node::Word(if quote == '|' { &rest[1..end - 1] } else { &rest[..end] })))
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

/// Parses `; hint 0 4 00ff`. Bytes at impossible positions are ignored.
fn hint(comment: &str) -> Option<Hint> {
    let mut words = comment.strip_prefix("; hint ")?.split_whitespace();
    let (input, offset, digits) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?, words.next()?);
    let byte = |k: usize| u8::from_str_radix(digits.get(2 * k..2 * k + 2)?, 16).ok();
    let bytes: Vec<u8> = (0..digits.len() / 2).map(byte).collect::<Option<_>>()?;
    is_place(input, offset, bytes.len() as u64).then_some(Hint { input, offset, bytes })
}

/// True if an input can have bytes at this position. Inputs store all bytes up to the last one, so positions are
/// limited.
pub(super) fn is_place(input: u32, offset: u32, n_bytes: u64) -> bool {
    const MAX_INPUTS: u32 = 1 << 16;
    const MAX_BYTES: u64 = 1 << 24;
    input & !OBJECT < MAX_INPUTS && u64::from(offset) + n_bytes <= MAX_BYTES
}
