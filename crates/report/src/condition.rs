//! The source text of a branch condition.
//!
//! ```text
//!   if (head && *head && (*head)->k == 3)
//!       ~~~~    ~~~~~    ^^^^^^^^^^^^^^^ one operand
//! ```
//! Debug information gives a column in the operand: its start, one of its operators, or the `&&` before it.

use tine_session::session::Branch;

use crate::source::{Sources, text};

/// Maximum length of a condition in a comment.
const MAX: usize = 80;

/// Explains why no run took a side of a branch that runs reached, with the condition that an input has to meet, if the
/// source is known: ``needs `n > 8`: no path within --max-elements takes it``.
pub fn reason(sources: &Sources, side: &Branch) -> Option<String> {
    let reason = side.reason.as_deref().filter(|reason| !reason.is_empty())?;
    Some(explained(sources, (&side.file, side.line, side.column), &side.side, reason))
}

/// As [`reason`], for a place and the name of a side.
pub fn explained(sources: &Sources, (file, line, column): (&str, u32, u32), side: &str, reason: &str) -> String {
    let condition = text(sources, file, line).and_then(|text| operand(text, column));
    let Some(condition) = condition else { return reason.to_owned() };
    match (side, side.strip_prefix("case ")) {
        ("true", _) => format!("needs `{condition}`: {reason}"),
        ("false", _) => format!("needs `{condition}` to be false: {reason}"),
        (_, Some(values)) => format!("needs `{condition}` to be {}: {reason}", values.replace(", ", " or ")),
        _ => format!("needs another value of `{condition}`: {reason}"),
    }
}

/// The operand around a column, which counts bytes from 1; `None` if it cannot be found in the line.
pub fn operand(line: &str, column: u32) -> Option<String> {
    let before = line.get(..(column as usize).checked_sub(1)?)?;
    let text: Vec<char> = line.chars().collect();
    let mut at = Some(before.chars().count()).filter(|at| *at < text.len())?;
    if text[at..].starts_with(&['s', 'w', 'i', 't', 'c', 'h']) {
        at += text[at..].iter().position(|c| *c == '(')? + 1;
    }
    if is_logical(&text, at) {
        at += 2;
    }
    let (mut start, mut end) = (first(&text, at), last(&text, at)?);
    // `(*p)->k`, `f(a, b)`: parentheses within the operand.
    while start > 0 && text[start - 1] == '(' && text.get(end) == Some(&')') && !is_whole(&text, start - 1, end + 1) {
        (start, end) = (first(&text, start - 1), last(&text, end + 1)?);
    }
    // A column after the `!` means the operand of `!`, and so does the side.
    let begin = start + text[start..end].iter().take_while(|c| c.is_whitespace()).count();
    if at > begin && text[begin] == '!' {
        start = begin + 1;
    }
    let found: String = text[start..end].iter().collect();
    let found = found.trim().trim_start_matches("return ").trim();
    let is_plain = !found.is_empty() && found.len() <= MAX && !found.contains("/*") && !found.contains("//");
    (is_plain && is_balanced(found)).then(|| found.to_owned())
}

fn is_logical(text: &[char], at: usize) -> bool {
    matches!(text.get(at..at + 2), Some(['&', '&'] | ['|', '|']))
}

/// True if nothing but the operand is in the parentheses from `open` to before `end`.
fn is_whole(text: &[char], open: usize, end: usize) -> bool {
    let before: String = text[..open].iter().collect();
    let before = before.trim_end();
    let word = before.rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or_default();
    let begins = match word {
        "" => {
            before.ends_with(['(', '!', ';', '?', ':', '{', '}', ',', '='])
                || before.ends_with("&&")
                || before.ends_with("||")
        }
        "if" | "while" | "for" | "switch" | "return" => true,
        _ => return false,
    };
    let after: String = text[end.min(text.len())..].iter().collect();
    let after = after.trim_start();
    let ends = after.is_empty()
        || after.starts_with([')', ';', '?', '{', ','])
        || after.starts_with("&&")
        || after.starts_with("||");
    begins && ends || matches!(word, "if" | "while" | "switch")
}

/// Start of the operand that has the character at `at`.
fn first(text: &[char], at: usize) -> usize {
    let (mut index, mut depth) = (at.min(text.len()), 0);
    while index > 0 {
        match text[index - 1] {
            ')' | ']' => depth += 1,
            '(' | '[' if depth == 0 => return index,
            '(' | '[' => depth -= 1,
            ';' | '{' | '}' | '?' | ',' | ':' if depth == 0 => return index,
            '&' | '|' if depth == 0 && index > 1 && is_logical(text, index - 2) => return index,
            '=' if depth == 0 && is_assignment(text, index - 1) => return index,
            _ => {}
        }
        index -= 1;
    }
    0
}

/// The first character after the operand.
fn last(text: &[char], at: usize) -> Option<usize> {
    let (mut index, mut depth) = (at, 0);
    while index < text.len() {
        match text[index] {
            '(' | '[' => depth += 1,
            ')' | ']' if depth == 0 => return Some(index),
            ')' | ']' => depth -= 1,
            ';' | '{' | '}' | '?' | ',' if depth == 0 => return Some(index),
            '&' | '|' if depth == 0 && is_logical(text, index) => return Some(index),
            _ => {}
        }
        index += 1;
    }
    None
}

/// True for `=`, but not for `==`, `<=` and other comparisons.
fn is_assignment(text: &[char], at: usize) -> bool {
    text.get(at + 1) != Some(&'=') && at > 0 && !matches!(text[at - 1], '=' | '<' | '>' | '!')
}

fn is_balanced(text: &str) -> bool {
    let mut depth = 0;
    for c in text.chars() {
        depth += i32::from(matches!(c, '(' | '[')) - i32::from(matches!(c, ')' | ']'));
        if depth < 0 {
            return false;
        }
    }
    depth == 0 && text.matches('"').count().is_multiple_of(2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;

    /// The operand at the `^` of the second line.
    fn check(line: &str, marker: &str, expected: Option<&str>) {
        let column = marker.find('^').expect("a marker") as u32 + 1;
        assert_eq!(operand(line, column).as_deref(), expected, "{line}");
    }

    #[test]
    fn operands_of_conditions() {
        check("if (head && *head && (*head)->k == 3) {", "    ^", Some("head"));
        check("if (head && *head && (*head)->k == 3) {", "            ^", Some("*head"));
        check("if (head && *head && (*head)->k == 3) {", "                  ^", Some("(*head)->k == 3"));
        check("if (head && *head && (*head)->k == 3) {", "                       ^", Some("(*head)->k == 3"));
        check("    if (x > limit) return 1;", "          ^", Some("x > limit"));
        check("    while (n < 3 && f(a[n], 2) != 5)", "                    ^", Some("f(a[n], 2) != 5"));
        check("    for (int n = 0; last->next && n < 3; n++)", "                               ^", Some("n < 3"));
        check("    switch (t->tag) {", "    ^", Some("t->tag"));
        check("    return x < low ? low : high;", "             ^", Some("x < low"));
        check("    int b = x == 2 && y;", "              ^", Some("x == 2"));
        check("    if ((a == 1) || b)", "           ^", Some("a == 1"));
        check("    if (!p || !s->on)", "         ^", Some("p"));
        check("    if (!p || !s->on)", "           ^", Some("!s->on"));
        check("    if (!p || !s->on)", "        ^", Some("!p"));
        check("    if (!(a && b))", "          ^", Some("a"));
        check("    if (a ==", "          ^", None);
        check("if (s == \"ä\" || n > 3)", "                 ^", Some("n > 3"));
    }

    #[test]
    fn reasons_name_the_condition() {
        let source = Source::new(b"if (n > 8)\n    switch (n + 1) {\n#define M \\\n", false);
        let sources = Sources::from([("a.c".to_owned(), source)]);
        let said = |line, column, side| explained(&sources, ("a.c", line, column), side, "--max-elements");
        assert_eq!(said(1, 7, "true"), "needs `n > 8`: --max-elements");
        assert_eq!(said(1, 7, "false"), "needs `n > 8` to be false: --max-elements");
        assert_eq!(said(2, 5, "case 3, 4"), "needs `n + 1` to be 3 or 4: --max-elements");
        assert_eq!(said(2, 5, "default"), "needs another value of `n + 1`: --max-elements");
        assert_eq!(said(3, 90, "true"), "--max-elements");
        assert_eq!(explained(&sources, ("b.c", 1, 7), "true", "--max-elements"), "--max-elements");
    }
}
