//! Checks the language of comments, messages and documents against a list of phrases to avoid.
//!
//! `language/phrases.txt` has the phrases with better words. Old occurrences are counted per file in
//! `language/allowed.txt`, and a file must not have more. After editing a file, lower its count:
//!
//! ```text
//! TINE_BLESS=1 cargo nextest run --release -p tine-cli --test language
//! ```

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// Folders and files below the root that are checked.
const CHECKED: [&str; 12] = [
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
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
];
/// Suffixes of the names of checked files.
const ENDS: [&str; 6] = [".rs", ".md", ".h", ".c", ".sh", "Makefile"];
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
fn phrases_to_avoid_only_become_fewer() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/language");
    let phrases = phrases(&fs::read_to_string(here.join("phrases.txt")).expect("a list of phrases"));
    let allowed = counts(&fs::read_to_string(here.join("allowed.txt")).unwrap_or_default());
    let mut files = Vec::new();
    CHECKED.iter().for_each(|name| collect(&root.join(name), &mut files));
    files.sort();
    let (mut found, mut messages) = (BTreeMap::new(), String::new());
    for path in files {
        let name = path.strip_prefix(&root).expect("below the root").display().to_string();
        let text = fs::read_to_string(&path).unwrap_or_default();
        let offences = if QUOTING.contains(&name.as_str()) { Vec::new() } else { offences(&text, &phrases) };
        let limit = allowed.get(&name).copied().unwrap_or(0);
        if offences.len() > limit {
            let _ = writeln!(messages, "{name}: {} phrases to avoid, at most {limit} allowed", offences.len());
            offences.iter().for_each(|offence| messages += &format!("  {offence}\n"));
        }
        if !offences.is_empty() {
            found.insert(name, offences.len());
        }
    }
    if std::env::var_os("TINE_BLESS").is_some() {
        let text: String = found.iter().map(|(name, count)| format!("{count} {name}\n")).collect();
        fs::write(here.join("allowed.txt"), text).expect("allowed.txt can be written");
    } else {
        assert!(messages.is_empty(), "\n{messages}`TINE_BLESS=1` updates the counts; do not let one go up");
    }
}

/// Each line is `phrase: better words`.
fn phrases(text: &str) -> Vec<(String, String)> {
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines.map(|line| line.split_once(": ").unwrap_or((line, ""))).map(|(a, b)| (a.to_owned(), b.to_owned())).collect()
}

/// Each line is `count file`.
fn counts(text: &str) -> BTreeMap<String, usize> {
    let lines = text.lines().filter_map(|line| line.split_once(' '));
    lines.map(|(count, name)| (name.to_owned(), count.parse().expect("a count"))).collect()
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
