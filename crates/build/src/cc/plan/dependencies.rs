//! Dependency files (`-MD` and its family).
//!
//! The front end writes a temporary file, from which clang would derive the names of the dependency file and its
//! target. So both are stated explicitly, as the user's command would have named them.

use std::path::Path;

use super::super::args::{CommandLine, Stage};
use super::{stem, text};

pub(super) fn flags(line: &CommandLine, source: &str) -> Vec<String> {
    let given = line.options().filter(|option| option.stage == Stage::Dependencies);
    let mut words: Vec<String> = given.flat_map(|option| option.words.iter().cloned()).collect();
    if !line.has("-MD") && !line.has("-MMD") {
        return words;
    }
    let output = line.value("-o");
    if !line.has("-MF") {
        let file = match output {
            Some(output) => text(&Path::new(output).with_extension("d")),
            None => format!("{}.d", stem(source)),
        };
        words.extend(["-MF".into(), file]);
    }
    if !line.has("-MT") && !line.has("-MQ") {
        let target = output.map_or_else(|| format!("{}.o", stem(source)), str::to_owned);
        words.extend(["-MQ".into(), target]);
    }
    words
}
