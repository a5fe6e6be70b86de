//! Source files of a unit, if they are still readable.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use tine_session::Summary;

/// Maximum size of a source file that is read.
const MAX_SIZE: u64 = 64 << 20;
/// Maximum number of characters of a line that are shown.
const MAX_COLUMN: usize = 110;

/// Text of a source file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    pub lines: Vec<String>,
    /// The file differs from the explored one.
    pub is_changed: bool,
}

impl Source {
    /// Splits the contents of a file into lines.
    pub fn new(bytes: &[u8], is_changed: bool) -> Source {
        Source { lines: String::from_utf8_lossy(bytes).lines().map(str::to_owned).collect(), is_changed }
    }
}

/// Contents of a source file, if it can be read.
pub fn read(file: &str) -> Option<Vec<u8>> {
    let path = Path::new(file);
    let about = path.metadata().ok()?;
    if about.is_file() && about.len() <= MAX_SIZE { std::fs::read(path).ok() } else { None }
}

/// The files that have errors, requirements or explained branch sides. They were explored just now.
pub fn shown(summaries: &[Summary]) -> Sources {
    let lists =
        summaries.iter().flat_map(|summary| [&summary.errors, &summary.not_shown_reachable, &summary.unreproduced]);
    let explained = summaries.iter().flat_map(|summary| &summary.explained).map(|side| &side.file);
    let evidence = summaries.iter().flat_map(|summary| &summary.requirements).map(|required| &required.evidence.file);
    let files: BTreeSet<&String> = lists.flatten().map(|error| &error.file).chain(explained).chain(evidence).collect();
    files.into_iter().filter_map(|file| Some((file.clone(), Source::new(&read(file)?, false)))).collect()
}

/// Source files by their path in the session.
pub type Sources = BTreeMap<String, Source>;

/// Text of a line, from 1, if it is known.
pub(crate) fn text<'a>(sources: &'a Sources, file: &str, line: u32) -> Option<&'a str> {
    let source = sources.get(file).filter(|source| !source.is_changed);
    let index = (line as usize).checked_sub(1);
    source.zip(index).and_then(|(source, index)| source.lines.get(index)).map(String::as_str)
}

/// As [`text`], without surrounding white space; empty if it is not known.
pub(crate) fn line<'a>(sources: &'a Sources, file: &str, line: u32) -> &'a str {
    text(sources, file, line).map_or("", str::trim)
}

/// Converts a column of debug information, in bytes from 1, to UTF-16 code units from 1, which SARIF and editors count.
pub(crate) fn utf16_column(sources: &Sources, file: &str, line: u32, column: u32) -> u32 {
    let before = text(sources, file, line).zip((column as usize).checked_sub(1));
    let before = before.and_then(|(text, bytes)| text.get(..bytes));
    before.map_or(column, |before| before.encode_utf16().count() as u32 + 1)
}

/// A line without its indentation, and a mark below the column (from 1, in bytes); empty if the line is not known.
pub(crate) fn excerpt(sources: &Sources, file: &str, line: u32, column: u32) -> Vec<String> {
    let Some(text) = text(sources, file, line) else { return Vec::new() };
    let shown = text.trim();
    let indented = text.len() - text.trim_start().len();
    let before = (column as usize).checked_sub(1 + indented).and_then(|at| shown.get(..at));
    let Some(before) = before else { return vec![cut(shown)] };
    let n_before = widened(before).chars().count();
    // Of a long line, the part around the mark is shown.
    let n_left_out = if n_before < MAX_COLUMN { 0 } else { n_before - MAX_COLUMN / 2 };
    let rest: String = widened(shown).chars().skip(n_left_out).collect();
    let (start, n_before) = if n_left_out == 0 { ("", n_before) } else { ("… ", n_before - n_left_out + 2) };
    vec![format!("{start}{}", cut(&rest)), " ".repeat(n_before) + "^"]
}

fn widened(text: &str) -> String {
    text.replace('\t', "    ")
}

fn cut(text: &str) -> String {
    let text = widened(text);
    match text.char_indices().nth(MAX_COLUMN) {
        Some((at, _)) => format!("{} …", &text[..at]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mark_is_below_the_column() {
        let lines = vec!["int x;".to_owned(), "\tif (a\t/ b)".to_owned(), format!("{}/ 0;", "x".repeat(200))];
        let sources = Sources::from([("a.c".to_owned(), Source { lines, is_changed: false })]);
        assert_eq!(excerpt(&sources, "a.c", 2, 8), ["if (a    / b)", "         ^"]);
        assert_eq!(excerpt(&sources, "a.c", 2, 0), ["if (a    / b)"]);
        let [line, mark] = &excerpt(&sources, "a.c", 3, 201)[..] else { panic!("two lines") };
        assert_eq!(line.chars().nth(mark.chars().count() - 1), Some('/'));
        assert!(line.starts_with("… xxx") && line.ends_with("x/ 0;"), "{line}");
        assert!(excerpt(&sources, "a.c", 4, 1).is_empty());
        assert!(excerpt(&sources, "b.c", 1, 1).is_empty());
    }

    #[test]
    fn columns_of_editors_count_utf16() {
        let sources = Sources::from([("a.c".to_owned(), Source::new("\"äöü𝒳\" / x".as_bytes(), false))]);
        assert_eq!(utf16_column(&sources, "a.c", 1, 14), 9, "the operator after 10 bytes in 5 code units");
        assert_eq!(utf16_column(&sources, "a.c", 1, 99), 99);
        assert_eq!(utf16_column(&sources, "b.c", 1, 14), 14);
        assert_eq!(utf16_column(&sources, "a.c", 1, 0), 0);
    }
}
