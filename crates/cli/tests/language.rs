//! Checks the language of comments, messages and documents against a list of phrases to avoid.
//!
//! `language/phrases.txt` has the phrases with better words.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// Folders and files below the root that are checked.
const CHECKED: [&str; 17] = [
    ".github",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "Cargo.toml",
    "Dockerfile",
    "Makefile",
    "README.md",
    "SECURITY.md",
    "benches",
    "crates",
    "docs",
    "examples",
    "include",
    "models",
    "scripts",
    "tests",
];
/// Suffixes of the names of checked files.
const ENDS: [&str; 12] =
    [".rs", ".md", ".h", ".c", ".cpp", ".sh", ".py", ".yml", ".toml", ".spec", "Makefile", "Dockerfile"];
/// Files that quote the phrases.
const QUOTING: [&str; 2] = ["docs/glossary.md", "crates/cli/tests/language.rs"];
/// Words that begin a relative clause where a doc comment should begin with a noun or a verb.
const CLAUSES: [&str; 5] = ["What ", "Whether ", "Where ", "How ", "Which "];

/// Idioms that contain a phrase and are allowed.
const FINE: [&str; 9] = [
    "there is no",
    "there are no",
    "there was no",
    "there were no",
    "is no longer",
    "are no longer",
    "was no longer",
    "were no longer",
    "is no more than",
];

#[test]
fn no_text_has_phrases_to_avoid() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let list = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/language/phrases.txt");
    let phrases = phrases(&fs::read_to_string(list).expect("a list of phrases"));
    let mut files = Vec::new();
    CHECKED.iter().for_each(|name| collect(&root.join(name), &mut files));
    files.sort();
    let mut messages = String::new();
    for path in files {
        let name = path.strip_prefix(&root).expect("below the root").display().to_string();
        let text = fs::read_to_string(&path).unwrap_or_default();
        if !QUOTING.contains(&name.as_str()) {
            offences(&text, &phrases).iter().for_each(|offence| _ = writeln!(messages, "{name}:{offence}"));
        }
    }
    assert!(messages.is_empty(), "\n{messages}");
}

/// Each line is `phrase: better words`.
fn phrases(text: &str) -> Vec<(String, String)> {
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines.map(|line| line.split_once(": ").unwrap_or((line, ""))).map(|(a, b)| (a.to_owned(), b.to_owned())).collect()
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    if path.is_dir() {
        let entries = fs::read_dir(path).expect("a folder").flatten();
        entries.filter(|entry| entry.file_name() != "target").for_each(|entry| collect(&entry.path(), files));
    } else if ENDS.iter().any(|end| path.to_string_lossy().ends_with(end)) {
        files.push(path.to_owned());
    }
}

/// Every phrase of the text that should be avoided, with its line.
fn offences(text: &str, phrases: &[(String, String)]) -> Vec<String> {
    let mut offences = Vec::new();
    let mut was_doc = false;
    for (number, line) in text.lines().enumerate() {
        let lower = FINE.iter().fold(line.to_lowercase(), |line, fine| line.replace(fine, ""));
        for (phrase, better) in phrases {
            let times = occurrences(&lower, phrase);
            offences.extend((0..times).map(|_| format!("{}: `{phrase}`; better: {better}", number + 1)));
        }
        let doc = line.trim_start().strip_prefix("/// ").or_else(|| line.strip_prefix("//! "));
        if let Some(words) = doc.filter(|words| !was_doc && CLAUSES.iter().any(|clause| words.starts_with(clause))) {
            offences.push(format!("{}: begins with a clause: `{words}`; better: a noun or a verb", number + 1));
        }
        was_doc = doc.is_some();
    }
    offences
}

/// Number of times the phrase occurs as whole words.
fn occurrences(line: &str, phrase: &str) -> usize {
    let is_word = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
    let whole =
        |at: usize| !is_word(line[..at].chars().next_back()) && !is_word(line[at + phrase.len()..].chars().next());
    line.match_indices(phrase).filter(|(at, _)| whole(*at)).count()
}

#[test]
fn whole_words_count() {
    assert_eq!(occurrences("told, is_told, untold: told", "told"), 2);
    let found = offences("/// What nobody\n/// Where told\nx", &[("nobody".to_owned(), "…".to_owned())]);
    assert_eq!(found.len(), 2, "{found:?}");
}
