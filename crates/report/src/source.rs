//! Source files of a unit, if they are still readable.

use std::collections::BTreeMap;

/// Text of a source file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    pub lines: Vec<String>,
    /// The file differs from the explored one.
    pub is_changed: bool,
}

/// Source files by their path in the session.
pub type Sources = BTreeMap<String, Source>;

/// Text of a line, from 1, without surrounding white space; empty if it is not known.
pub(crate) fn line<'a>(sources: &'a Sources, file: &str, line: u32) -> &'a str {
    let source = sources.get(file).filter(|source| !source.is_changed);
    let index = (line as usize).checked_sub(1);
    source.zip(index).and_then(|(source, index)| source.lines.get(index)).map_or("", |text| text.trim())
}
