//! Tokens of a function's body in C source, without comments, strings and directives of the preprocessor.

use std::collections::BTreeSet;

/// A token, as in the source. A string or character literal is `""`.
pub(super) type Token<'t> = &'t str;

/// Operators of more than one character, longest first.
const OPERATORS: [&str; 19] = [
    "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=", "|=",
];

/// The tokens between the first brace at or after `line` and the brace that closes it.
pub(super) fn body(text: &str, line: u32) -> Vec<Token<'_>> {
    let skipped = text.split_inclusive('\n').take((line as usize).saturating_sub(1)).map(str::len).sum::<usize>();
    let mut tokens = Tokens { rest: &text[skipped..] };
    let mut found = Vec::new();
    let mut depth = 0;
    while let Some(token) = tokens.next_token() {
        match token {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ => {}
        }
        if depth > 0 {
            found.push(token);
        } else if token == "}" {
            break;
        }
    }
    found
}

/// Names of the functions that a preprocessed file declares or defines.
pub(in crate::driver) fn declared(text: &str) -> BTreeSet<Token<'_>> {
    let mut tokens = Tokens { rest: text };
    let mut found = BTreeSet::new();
    let (mut depth, mut before) = (0, "");
    while let Some(token) = tokens.next_token() {
        if token == "(" && depth == 0 && is_name(before) {
            found.insert(before);
        }
        match token {
            "(" | "{" | "[" => depth += 1,
            ")" | "}" | "]" => depth -= 1,
            _ => {}
        }
        before = token;
    }
    found
}

pub(super) fn is_name(token: Token<'_>) -> bool {
    token.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
}

struct Tokens<'t> {
    rest: &'t str,
}

impl<'t> Tokens<'t> {
    fn next_token(&mut self) -> Option<Token<'t>> {
        loop {
            self.rest = self.rest.trim_start();
            let ending = |end: &str| self.rest.find(end).map_or(self.rest.len(), |at| at + end.len());
            let skipped = match self.rest {
                "" => return None,
                rest if rest.starts_with("/*") => ending("*/"),
                rest if rest.starts_with("//") => ending("\n"),
                // Branches of `#if` are all read: they hardly differ in how they use parameters.
                rest if rest.starts_with('#') => directive(rest),
                _ => break,
            };
            self.rest = &self.rest[skipped..];
        }
        let first = self.rest.chars().next()?;
        let len = match first {
            '"' | '\'' => {
                self.rest = &self.rest[literal(self.rest, first)..];
                return Some("\"\"");
            }
            _ if first.is_ascii_alphanumeric() || first == '_' => {
                let part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.' && first.is_ascii_digit();
                self.rest.find(|c| !part(c)).unwrap_or(self.rest.len())
            }
            _ => OPERATORS
                .iter()
                .find(|operator| self.rest.starts_with(**operator))
                .map_or(first.len_utf8(), |operator| operator.len()),
        };
        let (token, rest) = self.rest.split_at(len);
        self.rest = rest;
        Some(token)
    }
}

/// Length of a directive, which continues after a backslash at the end of a line.
fn directive(text: &str) -> usize {
    let mut len = 0;
    for line in text.split_inclusive('\n') {
        len += line.len();
        if !line.trim_end().ends_with('\\') {
            break;
        }
    }
    len
}

/// Length of a string or character literal.
fn literal(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if character == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::{body, declared};

    #[test]
    fn functions_are_declared_outside_of_braces_and_parentheses() {
        let text = "# 1 \"a.c\"\nstruct s { int (*get)(int); };\nstruct s *make(int (*with)(void));\n\
                    static int own(void) { return other(1); }\nint v = 3;\n";
        assert_eq!(declared(text).into_iter().collect::<Vec<_>>(), ["make", "own"]);
    }

    #[test]
    fn a_body_has_no_comments_strings_and_directives() {
        let text = "int g(void);\nint f(int *a /* { */)\n{ // }\n#if X \\\n }\n  a[i++] = '}'; if (b) { s = \"\\\"}\"; }\n}\nint h;";
        let expected =
            ["{", "a", "[", "i", "++", "]", "=", "\"\"", ";", "if", "(", "b", ")", "{", "s", "=", "\"\"", ";", "}"];
        assert_eq!(body(text, 2), expected);
        assert!(body("int f(int *a)", 1).is_empty());
    }
}
