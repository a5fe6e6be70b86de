//! The path condition of a test, in terms of the function's parameters.
//!
//! A condition of the source is part of it if the case took one side of it, it mentions parameters and constants only,
//! and nothing has changed them before: then it is a condition on the inputs.

use std::collections::BTreeSet;

/// Maximum number of conditions in a comment.
const MAX_FACTS: usize = 6;
/// Maximum length of the path condition.
const MAX_LENGTH: usize = 90;

/// Functions that change nothing.
const PURE: &[&str] = &[
    "if",
    "while",
    "for",
    "switch",
    "return",
    "sizeof",
    "strlen",
    "strnlen",
    "strcmp",
    "strncmp",
    "strcasecmp",
    "memcmp",
    "strchr",
    "strrchr",
    "strstr",
    "memchr",
    "isdigit",
    "isalpha",
    "isalnum",
    "isspace",
    "isupper",
    "islower",
    "isprint",
    "toupper",
    "tolower",
    "abs",
    "labs",
    "isnan",
    "isinf",
];

/// The source of a function.
#[derive(Clone, Debug, Default)]
pub(super) struct Source {
    parameters: BTreeSet<String>,
    /// Parameters whose numbers may be NaN.
    has_floats: bool,
    /// Tokens of the body, with their lines.
    tokens: Vec<(u32, String)>,
}

/// A condition of the source and the side that a run took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fact {
    pub(super) line: u32,
    pub(super) text: String,
    pub(super) holds: bool,
}

impl Source {
    /// `line` is that of the function's name.
    pub(super) fn new(lines: &[String], line: u32, parameters: BTreeSet<String>, has_floats: bool) -> Source {
        let mut tokens = Vec::new();
        let mut depth = 0;
        for (index, text) in lines.iter().enumerate().skip((line as usize).saturating_sub(1)) {
            for token in tokenize(text) {
                depth += i32::from(token == "{") - i32::from(token == "}");
                let ends = token == "}" && depth == 0;
                if depth > 0 {
                    tokens.push((index as u32 + 1, token));
                }
                if ends {
                    return Source { parameters, has_floats, tokens };
                }
            }
        }
        Source { parameters, has_floats, tokens: Vec::new() }
    }

    /// The path condition of these facts; and false if some of them are not conditions on the inputs.
    pub(super) fn path(&self, facts: &[Fact]) -> Option<(String, bool)> {
        let (own, others): (Vec<&Fact>, Vec<&Fact>) = facts.iter().partition(|fact| self.is_about_inputs(fact));
        let conditions = simplified(own.iter().map(|fact| self.text(fact)).collect());
        let is_all = others.is_empty() && conditions.len() <= MAX_FACTS;
        let text = conditions.into_iter().take(MAX_FACTS).collect::<Vec<_>>().join(" && ");
        (!text.is_empty() && text.len() <= MAX_LENGTH).then_some((text, is_all))
    }

    fn is_about_inputs(&self, fact: &Fact) -> bool {
        if self.tokens.is_empty() {
            return false;
        }
        let tokens = tokenize(&fact.text);
        let is_name = |token: &str| token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        let mut members = Vec::new();
        let mut mentions = false;
        for (index, token) in tokens.iter().enumerate().filter(|(_, token)| is_name(token)) {
            let before = index.checked_sub(1).map(|before| tokens[before].as_str());
            if matches!(before, Some("." | "->")) {
                members.push(token);
            } else if self.parameters.contains(token) {
                mentions = true;
            } else if !PURE.contains(&token.as_str()) && token.chars().any(|c| c.is_ascii_lowercase()) {
                return false;
            }
            let is_call = tokens.get(index + 1).is_some_and(|next| next == "(");
            if is_call && !PURE.contains(&token.as_str()) {
                return false;
            }
        }
        let dereferences = !members.is_empty() || tokens.iter().any(|token| matches!(token.as_str(), "*" | "[" | "("));
        let end = self.position(fact, &tokens);
        let changes = |index: usize| self.is_changed(index);
        let is_changed = self.tokens.iter().enumerate().take(end).any(|(index, (_, token))| {
            let is_call = is_name(token)
                && self.tokens.get(index + 1).is_some_and(|(_, next)| next == "(")
                && !PURE.contains(&token.as_str());
            let is_subject = tokens.contains(token) && is_name(token) || token == "]" && dereferences;
            is_subject && changes(index) || dereferences && is_call
        });
        let is_statement = |token: &str| matches!(token, ";" | "{" | "}" | ")");
        let writes_through = dereferences
            && self.tokens[..end]
                .windows(2)
                .any(|pair| is_statement(&pair[0].1) && matches!(pair[1].1.as_str(), "*" | "++" | "--"));
        mentions
            && !is_changed
            && !writes_through
            && !tokens.iter().any(|token| token == "=" || token == "++" || token == "--")
    }

    /// Number of tokens that may have run before the condition: those before it, or all if the function has loops.
    fn position(&self, fact: &Fact, tokens: &[String]) -> usize {
        let is_loop = |token: &str| matches!(token, "for" | "while" | "do" | "goto");
        let has_loops = self.tokens.iter().any(|(_, token)| is_loop(token));
        let begins = |index: usize| {
            let found = self.tokens[index..].iter().map(|(_, token)| token).take(tokens.len());
            self.tokens[index].0 == fact.line && found.eq(tokens)
        };
        let first = (0..self.tokens.len()).find(|index| begins(*index)).filter(|_| !has_loops);
        first.unwrap_or(self.tokens.len())
    }

    /// True if the token is assigned to, or its address is taken.
    fn is_changed(&self, index: usize) -> bool {
        let at = |index: Option<usize>| {
            index.and_then(|index| self.tokens.get(index)).map_or("", |(_, token)| token.as_str())
        };
        let (before, after) = (at(index.checked_sub(1)), at(Some(index + 1)));
        let assigns = after.ends_with('=') && !matches!(after, "==" | "!=" | "<=" | ">=");
        let is_address = before == "&" && matches!(at(index.checked_sub(2)), "(" | "," | "=" | "return" | ";" | "{");
        assigns || matches!(after, "++" | "--") || matches!(before, "++" | "--") || is_address
    }

    /// The condition that holds.
    fn text(&self, fact: &Fact) -> String {
        let text = &fact.text;
        if fact.holds {
            return text.clone();
        }
        let tokens = tokenize(text);
        let is_path = |tokens: &[String]| {
            tokens.iter().enumerate().all(|(index, token)| {
                let is_word = token.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
                is_word || matches!(token.as_str(), "." | "->" | "[" | "]") || token == "*" && index == 0
            })
        };
        if let Some(rest) = text.strip_prefix('!').filter(|_| is_path(&tokens[1..]) || is_call(&tokens[1..])) {
            return rest.trim().to_owned();
        }
        if is_path(&tokens) || is_call(&tokens) {
            return format!("!{text}");
        }
        let is_comparison = |token: &&String| matches!(token.as_str(), "==" | "!=" | "<" | ">" | "<=" | ">=");
        let simple = !tokens.iter().any(|token| matches!(token.as_str(), "&" | "|" | "^" | "?" | "!"));
        let has_floats = self.has_floats || text.contains('.');
        let mut comparisons = tokens.iter().filter(is_comparison);
        match (comparisons.next(), comparisons.next()) {
            (Some(operator), None) if simple && (!has_floats || matches!(operator.as_str(), "==" | "!=")) => {
                let (left, right) = operands(text, operator).unwrap_or_default();
                format!("{} {} {}", left.trim(), opposite(operator), right.trim())
            }
            _ => format!("!({text})"),
        }
    }
}

/// Both sides of a comparison. `p->n > 3` is compared with `>` only once.
fn operands<'t>(text: &'t str, operator: &str) -> Option<(&'t str, &'t str)> {
    let is_own = |at: &usize| {
        let after = &text[at + operator.len()..];
        !text[..*at].ends_with(['-', '<', '>']) && !after.starts_with(['<', '>'])
    };
    let at = text.match_indices(operator).map(|(at, _)| at).find(is_own)?;
    Some((&text[..at], &text[at + operator.len()..]))
}

/// True for one call and nothing else: `strcmp(s, "a")`.
fn is_call(tokens: &[String]) -> bool {
    let mut depth = 0;
    let is_inside = tokens.iter().enumerate().skip(1).all(|(index, token)| {
        depth += i32::from(token == "(") - i32::from(token == ")");
        depth > 0 || index + 1 == tokens.len()
    });
    let begins = tokens.first().is_some_and(|name| PURE.contains(&name.as_str()));
    begins && is_inside && tokens.last().is_some_and(|token| token == ")")
}

fn opposite(operator: &str) -> &'static str {
    match operator {
        "==" => "!=",
        "!=" => "==",
        "<" => ">=",
        ">" => "<=",
        "<=" => ">",
        _ => "<",
    }
}

/// Conditions without those that others imply.
fn simplified(facts: Vec<String>) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for fact in facts {
        if !kept.contains(&fact) {
            kept.push(fact);
        }
    }
    let mut index = 0;
    while index < kept.len() {
        if is_implied(&kept, index) {
            kept.remove(index);
        } else {
            index += 1;
        }
    }
    kept
}

/// True if other conditions imply this one.
fn is_implied(facts: &[String], index: usize) -> bool {
    let fact = &facts[index];
    let others = || facts.iter().enumerate().filter(|(other, _)| *other != index).map(|(_, other)| other.as_str());
    // A pointer that is dereferenced is not NULL.
    let pointer = fact.strip_suffix("!= NULL").map_or(fact.as_str(), str::trim);
    let dereferences = [format!("{pointer}->"), format!("{pointer}["), format!("*{pointer}"), format!("({pointer})->")];
    let begins = |text: &str, part: &String| {
        text.match_indices(part.as_str())
            .any(|(at, _)| !text[..at].ends_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '>')))
    };
    let is_pointer =
        pointer.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '>' | '.' | '*' | '[' | ']'));
    is_pointer && others().any(|other| dereferences.iter().any(|part| begins(other, part)))
        || bound(fact).is_some_and(|weak| others().filter_map(bound).any(|strong| implies(strong, weak)))
}

/// `x > 3` as its subject, operator and number.
fn bound(fact: &str) -> Option<(&str, &str, i64)> {
    let words: Vec<&str> = fact.split(' ').collect();
    let [subject, operator, number] = words.as_slice() else { return None };
    Some((subject, operator, number.parse().ok()?))
}

fn implies((subject, strong, a): (&str, &str, i64), (other, weak, b): (&str, &str, i64)) -> bool {
    let range = |operator: &str, number: i64| match operator {
        "==" => Some((number, number)),
        "<" => Some((i64::MIN, number.saturating_sub(1))),
        "<=" => Some((i64::MIN, number)),
        ">" => Some((number.saturating_add(1), i64::MAX)),
        ">=" => Some((number, i64::MAX)),
        _ => None,
    };
    let Some((low, high)) = range(strong, a).filter(|_| subject == other) else { return false };
    match range(weak, b) {
        Some((least, most)) => least <= low && high <= most,
        None => weak == "!=" && !(low..=high).contains(&b),
    }
}

/// Names, numbers, strings and operators of a line, without its comments.
pub(super) fn tokenize(line: &str) -> Vec<String> {
    const OPERATORS: [&str; 22] = [
        "<<=", ">>=", "->", "++", "--", "==", "!=", "<=", ">=", "&&", "||", "+=", "-=", "*=", "/=", "%=", "&=", "|=",
        "^=", "<<", ">>", "##",
    ];
    let mut tokens = Vec::new();
    let mut rest = line.split("//").next().unwrap_or_default().trim_start();
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let length = if is_word(first) {
            rest.find(|c| !is_word(c)).unwrap_or(rest.len())
        } else if first == '"' || first == '\'' {
            let mut escaped = false;
            let end = rest[1..].find(|c| {
                let ends = c == first && !escaped;
                escaped = c == '\\' && !escaped;
                ends
            });
            end.map_or(rest.len(), |end| end + 2)
        } else if rest.starts_with("/*") {
            rest = rest.split_once("*/").map_or("", |(_, rest)| rest).trim_start();
            continue;
        } else {
            OPERATORS.iter().find(|operator| rest.starts_with(**operator)).map_or(first.len_utf8(), |found| found.len())
        };
        tokens.push(rest[..length].to_owned());
        rest = rest[length..].trim_start();
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(body: &str, facts: &[(u32, &str, bool)]) -> Option<(String, bool)> {
        let lines: Vec<String> = body.lines().map(str::to_owned).collect();
        let parameters = ["x", "p", "n"].map(str::to_owned).into_iter().collect();
        let source = Source::new(&lines, 1, parameters, false);
        let fact =
            |(line, text, holds): &(u32, &str, bool)| Fact { line: *line, text: (*text).to_owned(), holds: *holds };
        source.path(&facts.iter().map(fact).collect::<Vec<_>>())
    }

    #[test]
    fn conditions_on_parameters() {
        let body = "int f(int x, struct s *p, int n) {\n  if (x > 0 && p->v == x)\n    return n;\n}\n";
        let all = |text: &str| Some((text.to_owned(), true));
        assert_eq!(path(body, &[(2, "x > 0", true), (2, "p->v == x", false)]), all("x > 0 && p->v != x"));
        assert_eq!(path(body, &[(2, "p", true), (2, "p->v == x", true)]), all("p->v == x"));
        assert_eq!(path(body, &[(2, "x > 3", true), (2, "x > 10", true), (2, "x == 4", false)]), all("x > 10"));
        assert_eq!(path(body, &[(2, "!p", true)]), all("!p"));
        assert_eq!(path(body, &[(2, "p->v > p->n", false)]), all("p->v <= p->n"));
        assert_eq!(path(body, &[(2, "!p", false)]), all("p"));
        assert_eq!(path(body, &[(2, "x & MASK", false)]), all("!(x & MASK)"));
        assert_eq!(path(body, &[(2, "x > 0", true), (2, "i < n", true)]), Some(("x > 0".to_owned(), false)));
        assert_eq!(path(body, &[(2, "check(x)", true)]), None);
        assert_eq!(path(body, &[(2, "!strcmp(p->s, \"a\")", false)]), all("strcmp(p->s, \"a\")"));
        assert_eq!(path(body, &[(2, "isnan(x)", false)]), all("!isnan(x)"));
    }

    fn path_of(body: &str, facts: &[(u32, &str, bool)]) -> Option<String> {
        path(body, facts).map(|(text, _)| text)
    }

    #[test]
    fn changed_parameters_are_left_out() {
        let facts = [(3, "x > 0", true), (3, "p->v == 1", true), (3, "n < 2", true)];
        let path = |statement: &str| {
            let body = format!("int f(int x) {{\n  {statement}\n  if (x > 0)\n    return 1;\n}}\nint g() {{ x++; }}\n");
            path(&body, &facts).map(|(text, _)| text)
        };
        assert_eq!(path("x++;").as_deref(), Some("p->v == 1 && n < 2"));
        assert_eq!(path("p->v = 3;").as_deref(), Some("x > 0 && n < 2"));
        assert_eq!(path("g(&n);").as_deref(), Some("x > 0"));
        assert_eq!(path("int y = x == 3;").as_deref(), Some("x > 0 && p->v == 1 && n < 2"));
        // Later changes matter in loops only.
        let later = |begin: &str| {
            let body = format!("int f(int x) {{\n  {begin}\n  if (x > 0)\n    x = 1;\n}}\n");
            path_of(&body, &[(3, "x > 0", true)])
        };
        assert_eq!(later(";").as_deref(), Some("x > 0"));
        assert_eq!(later("while (n)").as_deref(), None);
    }
}
