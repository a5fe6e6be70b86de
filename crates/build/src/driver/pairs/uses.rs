//! Uses of names in the body of a function, as far as its tokens show them.

use std::collections::{BTreeMap, BTreeSet};

use super::tokens::{Token, is_name};

/// Functions that read their arguments up to a null character.
const TEXT: [&str; 12] = [
    "strlen", "strcmp", "strchr", "strrchr", "strstr", "strcpy", "strcat", "strdup", "strtol", "strtoul", "atoi",
    "printf",
];
const COMPARISONS: [&str; 6] = ["<", "<=", ">", ">=", "!=", "=="];
/// Maximum number of names that an index is traced back to.
const MAX_NAMES: usize = 64;

/// See the module's documentation.
#[derive(Debug, Default)]
pub(super) struct Uses<'t> {
    /// Indices by the name of the array.
    indices: BTreeMap<Token<'t>, Vec<Index<'t>>>,
    /// `p++`, `p += 4`.
    moved: BTreeSet<Token<'t>>,
    /// `n--`, `n -= 4`.
    counted: BTreeSet<Token<'t>>,
    /// `p + n`.
    sums: BTreeSet<(Token<'t>, Token<'t>)>,
    /// `i < n`, in both orders.
    compared: BTreeSet<(Token<'t>, Token<'t>)>,
    /// Names that are compared with numbers, also by `!n` and `if (n)`.
    tested: BTreeSet<Token<'t>>,
    /// Arguments of one call.
    passed: Vec<Vec<Token<'t>>>,
    /// Names that are passed to functions of `TEXT`.
    strings: BTreeSet<Token<'t>>,
    /// Names that a name is computed from.
    sources: BTreeMap<Token<'t>, BTreeSet<Token<'t>>>,
    /// `q = p`, `q = (char *)p`.
    copies: BTreeMap<Token<'t>, Token<'t>>,
}

/// The index of an access.
#[derive(Debug)]
struct Index<'t> {
    names: Vec<Token<'t>>,
    /// It is a name, or a name and a number.
    is_simple: bool,
    is_product: bool,
}

impl<'t> Uses<'t> {
    pub(super) fn of(tokens: &[Token<'t>]) -> Uses<'t> {
        let mut uses = Uses::default();
        for at in 0..tokens.len() {
            uses.read(tokens, at);
        }
        uses
    }

    fn read(&mut self, tokens: &[Token<'t>], at: usize) {
        let token =
            |distance: isize| at.checked_add_signed(distance).and_then(|at| tokens.get(at)).copied().unwrap_or("");
        let here = tokens[at];
        let is_member = ["->", "."].contains(&token(-1));
        if COMPARISONS.contains(&here) {
            self.compare(token(-1), token(1));
        }
        if !is_name(here) || is_member {
            return;
        }
        let (before, after) = (token(-1), token(1));
        match after {
            "[" => {
                let inner = group(tokens, at + 1, "[", "]");
                self.indices.entry(here).or_default().push(Index::of(inner));
            }
            "++" | "+=" => _ = self.moved.insert(here),
            "--" | "-=" => _ = self.counted.insert(here),
            "+" if is_name(token(2)) => _ = self.sums.insert((here, token(2))),
            "=" => self.assign(here, tokens, at + 2),
            "(" => self.call(here, group(tokens, at + 1, "(", ")")),
            _ => {}
        }
        let is_operand = ["(", "&&", "||"].contains(&before) && [")", "&&", "||", "?"].contains(&after);
        if before == "!" || after == "?" || is_operand && is_condition(tokens, at) {
            self.tested.insert(here);
        }
        match before {
            "++" => _ = self.moved.insert(here),
            "--" => _ = self.counted.insert(here),
            _ => {}
        }
    }

    fn compare(&mut self, a: Token<'t>, b: Token<'t>) {
        for (a, b) in [(a, b), (b, a)] {
            if is_name(a) && is_name(b) {
                self.compared.insert((a, b));
            } else if is_name(a) && b.starts_with(|first: char| first.is_ascii_digit()) {
                self.tested.insert(a);
            }
        }
    }

    fn assign(&mut self, to: Token<'t>, tokens: &[Token<'t>], from: usize) {
        let mut depth = 0;
        let mut value = Vec::new();
        for token in &tokens[from.min(tokens.len())..] {
            match *token {
                "(" | "[" => depth += 1,
                ")" | "]" => depth -= 1,
                _ => {}
            }
            if depth < 0 || depth == 0 && [",", ";"].contains(token) {
                break;
            }
            value.push(*token);
        }
        let names = value.iter().copied().filter(|token| is_name(token));
        self.sources.entry(to).or_default().extend(names);
        // A cast ends with `)`.
        if let [.., last] = &value[..]
            && is_name(last)
            && (value.len() == 1 || value[0] == "(" && value[value.len() - 2] == ")")
            && *last != to
        {
            self.copies.entry(to).or_insert(*last);
        }
    }

    fn call(&mut self, function: Token<'t>, inner: &[Token<'t>]) {
        let arguments: Vec<Token<'t>> = separated(inner).into_iter().filter_map(plain).collect();
        if TEXT.contains(&function) {
            self.strings.extend(&arguments);
        } else if !["if", "while", "for", "switch", "return", "sizeof"].contains(&function) {
            self.passed.push(arguments);
        }
    }

    /// The pointer and the local variables that are copies of it.
    fn with_copies(&self, pointer: Token<'t>) -> Vec<Token<'t>> {
        let copies = self.copies.iter().filter(|(_, of)| **of == pointer).map(|(copy, _)| *copy);
        std::iter::once(pointer).chain(copies).collect()
    }

    /// Names that `name` is computed from, including itself.
    fn origins(&self, name: Token<'t>) -> BTreeSet<Token<'t>> {
        let mut found = BTreeSet::new();
        let mut pending = vec![name];
        while let Some(name) = pending.pop() {
            if found.len() < MAX_NAMES && found.insert(name) {
                pending.extend(self.sources.get(name).into_iter().flatten());
            }
        }
        found
    }

    fn indices_of(&self, pointer: Token<'t>) -> impl Iterator<Item = &Index<'t>> {
        self.with_copies(pointer).into_iter().filter_map(|name| self.indices.get(name)).flatten()
    }

    /// True if the pointer is used as the start of several elements.
    pub(super) fn is_array(&self, pointer: Token<'t>) -> bool {
        let is_moved = |name: &Token<'t>| self.moved.contains(name) || self.sums.iter().any(|(a, _)| a == name);
        self.indices_of(pointer).any(|index| !index.names.is_empty())
            || self.with_copies(pointer).iter().any(is_moved)
            || self.passed.iter().any(|arguments| arguments.contains(&pointer) && arguments.len() > 1)
    }

    /// True if an index is a product, as in arrays of several dimensions.
    pub(super) fn has_product(&self, pointer: Token<'t>) -> bool {
        self.indices_of(pointer).any(|index| index.is_product)
    }

    /// True if the pointer is read up to a null character.
    pub(super) fn is_text(&self, pointer: Token<'t>) -> bool {
        self.with_copies(pointer).iter().any(|name| self.strings.contains(name))
    }

    /// True if an index of the array is compared with `count`, and the index is nothing but a variable.
    pub(super) fn is_loop(&self, pointer: Token<'t>, count: Token<'t>) -> bool {
        let mut indices = self.indices_of(pointer).peekable();
        indices.peek().is_some()
            && self.indices_of(pointer).all(|index| index.is_simple)
            && indices.any(|index| index.names.iter().any(|name| self.compared.contains(&(*name, count))))
    }

    /// True if the code relates the array to `count` in some way.
    pub(super) fn is_related(&self, pointer: Token<'t>, count: Token<'t>) -> bool {
        let names = self.with_copies(pointer);
        let reaches = |name: &Token<'t>| {
            self.origins(name).into_iter().any(|origin| origin == count || self.compared.contains(&(origin, count)))
        };
        let is_indexed = || self.indices_of(pointer).any(|index| index.names.iter().any(reaches));
        let is_sum = || names.iter().any(|name| self.sums.contains(&(*name, count)));
        let is_counted = || {
            let is_limit = self.counted.contains(count) || self.compared.iter().any(|(_, limit)| *limit == count);
            is_limit && names.iter().any(|name| self.moved.contains(name))
        };
        let is_passed =
            || self.passed.iter().any(|arguments| arguments.contains(&pointer) && arguments.contains(&count));
        is_indexed() || is_sum() || is_counted() || is_passed()
    }

    /// Names that indices of the array are compared with.
    pub(super) fn limits(&self, pointer: Token<'t>) -> BTreeSet<Token<'t>> {
        let indices: BTreeSet<Token<'t>> =
            self.indices_of(pointer).flat_map(|index| &index.names).flat_map(|name| self.origins(name)).collect();
        self.compared.iter().filter(|(index, _)| indices.contains(index)).map(|(_, limit)| *limit).collect()
    }

    /// True if the code compares two names.
    pub(super) fn is_compared(&self, a: Token<'t>, b: Token<'t>) -> bool {
        self.compared.contains(&(a, b))
    }

    /// True if the code compares the name with a number.
    pub(super) fn is_tested(&self, name: Token<'t>) -> bool {
        self.tested.contains(name)
    }
}

impl<'t> Index<'t> {
    fn of(tokens: &[Token<'t>]) -> Index<'t> {
        let names: Vec<Token<'t>> = tokens.iter().copied().filter(|token| is_name(token)).collect();
        let is_plain = |token: &Token<'t>| {
            is_name(token) || ["+", "-", "++", "--"].contains(token) || token.starts_with(|c: char| c.is_ascii_digit())
        };
        Index { is_simple: names.len() <= 1 && tokens.iter().all(is_plain), is_product: tokens.contains(&"*"), names }
    }
}

/// True if the token is in the parentheses after `if` or `while`, or an operand of `&&` or `||`.
fn is_condition(tokens: &[Token<'_>], at: usize) -> bool {
    let around = [at.wrapping_sub(1), at + 1].map(|at| tokens.get(at).copied().unwrap_or(""));
    let before_bracket = at.checked_sub(2).map_or("", |at| tokens[at]);
    around.iter().any(|token| ["&&", "||"].contains(token)) || ["if", "while"].contains(&before_bracket)
}

/// Tokens between the bracket at `open` and the one that closes it.
fn group<'s, 't>(tokens: &'s [Token<'t>], open: usize, left: &str, right: &str) -> &'s [Token<'t>] {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        depth += i32::from(*token == left) - i32::from(*token == right);
        if depth == 0 {
            return &tokens[open + 1..at];
        }
    }
    &[]
}

/// Arguments of a call.
fn separated<'s, 't>(tokens: &'s [Token<'t>]) -> Vec<&'s [Token<'t>]> {
    let mut depth = 0;
    let is_comma = |token: &Token<'t>| {
        depth += i32::from(["(", "["].contains(token)) - i32::from([")", "]"].contains(token));
        depth == 0 && *token == ","
    };
    tokens.split(is_comma).collect()
}

/// The name that an argument consists of, apart from a cast.
fn plain<'t>(argument: &[Token<'t>]) -> Option<Token<'t>> {
    let last = argument.last().copied().filter(|last| is_name(last))?;
    (argument.len() == 1 || argument[0] == "(" && argument[argument.len() - 2] == ")").then_some(last)
}

#[cfg(test)]
mod tests {
    use super::super::tokens::body;
    use super::Uses;

    fn related(text: &str) -> bool {
        Uses::of(&body(text, 1)).is_related("p", "n")
    }

    #[test]
    fn an_array_and_its_length_are_used_together() {
        for text in [
            "{ for (i = 0; i < n; i++) s += p[i]; }",
            "{ i = n; while (i > 0) s += p[--i]; }",
            "{ const unsigned char *q = p; while (n--) s += *q++; }",
            "{ const char *end = p + n; }",
            "{ lo = 0; hi = n; mid = (lo + hi) / 2; s = p[mid]; }",
            "{ memcpy(to, (void *)p, n); }",
        ] {
            assert!(related(text), "{text}");
        }
        for text in ["{ s = p[0] + n; }", "{ use(p); use(n); }", "{ x->n = 1; s = p[k]; }", "{ if (n > 3) p[k] = 1; }"]
        {
            assert!(!related(text), "{text}");
        }
    }

    #[test]
    fn comparisons_with_constants_are_tests() {
        for text in
            ["{ if (!n) return; }", "{ if (n == 0) return; }", "{ if (p && n) f(); }", "{ return n ? p[0] : 0; }"]
        {
            assert!(Uses::of(&body(text, 1)).is_tested("n"), "{text}");
        }
        for text in ["{ for (i = 0; i < n; i++) f(p[i]); }", "{ f(n); }"] {
            assert!(!Uses::of(&body(text, 1)).is_tested("n"), "{text}");
        }
    }

    #[test]
    fn loops_run_over_simple_indices() {
        let uses = |text| Uses::of(&body(text, 1)).is_loop("p", "k");
        assert!(uses("{ for (i = 0; i < k; i++) p[i] = p[i + 1]; }"));
        assert!(!uses("{ for (i = 0; i < k; i++) p[i & 7] = 0; }"));
        assert!(!uses("{ for (i = 0; i < k; i++) p[i * 2] = 0; }"));
    }
}
