//! Documented output: `…` matches any text within a line, and a line `…` any number of lines.

/// The placeholder.
const ANY: &str = "…";

/// Compares lines that a document shows with lines that a command printed.
pub(crate) fn matches(shown: &[&str], printed: &[&str]) -> bool {
    match (shown, printed) {
        ([], []) => true,
        ([any, rest @ ..], _) if *any == ANY => (0..=printed.len()).any(|skip| matches(rest, &printed[skip..])),
        ([line, rest @ ..], [first, others @ ..]) => line_matches(line, first) && matches(rest, others),
        _ => false,
    }
}

fn line_matches(shown: &str, printed: &str) -> bool {
    match shown.split_once(ANY) {
        None => shown == printed,
        Some((start, rest)) => printed.strip_prefix(start).is_some_and(|tail| {
            tail.char_indices().map(|(at, _)| at).chain([tail.len()]).any(|at| line_matches(rest, &tail[at..]))
        }),
    }
}

/// The form of a printed line for a document: the old line if it still matches, and without times.
pub(crate) fn bless(printed: &str, shown: &[&str]) -> String {
    if let Some(old) = shown.iter().find(|old| **old != ANY && old.contains(ANY) && line_matches(old, printed)) {
        return (*old).to_owned();
    }
    let cut = |end: &str| printed.rfind(end).map(|at| format!("{}{ANY}", &printed[..at + end.len()]));
    let blessed = match printed.chars().next() {
        Some('`') => cut("; "),
        _ if printed.starts_with("solver: ") => cut(" in "),
        _ => None,
    };
    blessed.unwrap_or_else(|| printed.to_owned())
}

/// Test of this module. The harness of this file does not collect `#[test]`.
pub(crate) fn check() {
    assert!(matches(&["a…c", "…", "z"], &["abc", "1", "2", "z"]));
    assert!(matches(&["…"], &[]));
    assert!(!matches(&["a…c"], &["abd"]));
    assert!(!matches(&["a"], &["a", "b"]));
}
