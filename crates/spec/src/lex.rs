//! Words and symbols of a specification, with their places.

use crate::parse::Mistake;

/// A word or symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    /// As written.
    pub(crate) text: String,
    pub(crate) line: u32,
    pub(crate) column: u32,
    /// Offset in the text.
    pub(crate) start: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Word,
    /// Punctuation and operators, and characters that only C expressions contain.
    Symbol,
    End,
}

/// Symbols of more than one character.
const LONG_SYMBOLS: [&str; 5] = [":=", "&&", "||", "->", "..."];

/// Splits a string into tokens. Comments (`#`, `//` and `/* */`) are skipped.
pub(crate) fn tokens(text: &str) -> Result<Vec<Token>, Mistake> {
    let mut tokens = Vec::new();
    let (mut line, mut line_start, mut at) = (1, 0, 0);
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let first = rest.chars().next().unwrap_or_default();
        let length = if rest.starts_with("//") || first == '#' {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            let column = column(text, line_start, at);
            rest.find("*/")
                .map(|end| end + 2)
                .ok_or_else(|| Mistake::new(line, column, "this comment has no end").help("close it with `*/`"))?
        } else if first.is_whitespace() {
            first.len_utf8()
        } else {
            let (kind, length) = token(rest, first);
            let token =
                Token { kind, text: rest[..length].to_owned(), line, column: column(text, line_start, at), start: at };
            tokens.push(token);
            length
        };
        for (offset, character) in rest[..length].char_indices() {
            if character == '\n' {
                line += 1;
                line_start = at + offset + 1;
            }
        }
        at += length;
    }
    let column = column(text, line_start, text.len());
    tokens.push(Token { kind: Kind::End, text: String::new(), line, column, start: text.len() });
    Ok(tokens)
}

fn token(rest: &str, first: char) -> (Kind, usize) {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    if is_word(first) {
        return (Kind::Word, rest.find(|c| !is_word(c)).unwrap_or(rest.len()));
    }
    if first == '"' || first == '\'' {
        return (Kind::Symbol, literal(rest, first));
    }
    let long = LONG_SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol));
    (Kind::Symbol, long.map_or(first.len_utf8(), |symbol| symbol.len()))
}

/// Length of a C string or character constant, up to the end of the line if it is not closed.
fn literal(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, character) in rest.char_indices().skip(1) {
        match character {
            '\n' => return at,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if character == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

fn column(text: &str, line_start: usize, at: usize) -> u32 {
    u32::try_from(text[line_start..at].chars().count()).unwrap_or(u32::MAX - 1) + 1
}
