//! Version scripts of programs. `local: *` would hide the runtime from the libraries that the program loads, so the
//! linker gets a modified script that exports it.

use std::path::{Path, PathBuf};

use super::super::args::Opt;
use super::{Step, text};

/// Replaces the user's scripts among the linker's options.
pub(super) struct VersionScripts<'a> {
    wanted: bool,
    temp: &'a Path,
    /// The last word was `--version-script`, so the next word is its file. libtool makes two options of them.
    file_comes: bool,
    pub(super) steps: Vec<Step>,
}

impl<'a> VersionScripts<'a> {
    pub(super) fn new(wanted: bool, temp: &'a Path) -> VersionScripts<'a> {
        VersionScripts { wanted, temp, file_comes: false, steps: Vec::new() }
    }

    /// The option for the linker.
    pub(super) fn replaced(&mut self, option: &Opt) -> Vec<String> {
        let value = option.value.as_deref().unwrap_or_default();
        match option.name.as_str() {
            "-Wl," if self.wanted => {
                let words: Vec<String> = value.split(',').map(|word| self.word(word)).collect();
                vec![format!("-Wl,{}", words.join(","))]
            }
            "-Xlinker" if self.wanted => vec!["-Xlinker".into(), self.word(value)],
            _ => option.words.clone(),
        }
    }

    fn word(&mut self, word: &str) -> String {
        if std::mem::take(&mut self.file_comes) {
            return self.script(word);
        }
        // The linker accepts long options with one dash, too.
        match word.strip_prefix('-').map(|word| word.strip_prefix('-').unwrap_or(word)) {
            Some("version-script") => self.file_comes = true,
            Some(long) => {
                if let Some(file) = long.strip_prefix("version-script=") {
                    return format!("--version-script={}", self.script(file));
                }
            }
            None => {}
        }
        word.to_owned()
    }

    fn script(&mut self, file: &str) -> String {
        let output = self.temp.join(format!("{}.version", self.steps.len()));
        self.steps.push(Step::ShowRuntime { script: PathBuf::from(file), output: output.clone() });
        text(&output)
    }
}

/// The script with the runtime's symbols among the global ones of its first version.
///
/// ```text
///   { global: f; local: *; };  →  { global: __tine_*; f; local: *; };
///   { local: *; };             →  { global: __tine_*; local: *; };
///   { f; };                    →  { __tine_*; f; };
/// ```
/// A pattern has precedence over `*` in any position.
pub(in super::super) fn show_runtime(script: &[u8]) -> Vec<u8> {
    let mut body = blank_end(script, 0);
    while script.get(body).is_some_and(|&byte| byte != b'{') {
        body = blank_end(script, body + 1);
    }
    let start = blank_end(script, body + 1);
    let Some(rest) = script.get(start..) else { return script.to_vec() };
    let (at, shown) = match label_end(script, start, b"global") {
        Some(end) => (end, " __tine_*;"),
        None if rest.starts_with(b"local") => (start, "global: __tine_*; "),
        None => (start, "__tine_*; "),
    };
    [&script[..at], shown.as_bytes(), &script[at..]].concat()
}

/// The end of `label` and its colon, if they stand at `at`.
fn label_end(script: &[u8], at: usize, label: &[u8]) -> Option<usize> {
    script[at..]
        .starts_with(label)
        .then(|| blank_end(script, at + label.len()))
        .filter(|&end| script.get(end) == Some(&b':'))
        .map(|colon| colon + 1)
}

/// End of the space and comments that begin at `at`.
fn blank_end(script: &[u8], mut at: usize) -> usize {
    loop {
        let rest = script.get(at..).unwrap_or_default();
        at += match rest {
            [b'/', b'*', comment @ ..] => {
                comment.windows(2).position(|two| two == b"*/").map_or(rest.len(), |end| end + 4)
            }
            [b'#', comment @ ..] => comment.iter().position(|&byte| byte == b'\n').map_or(rest.len(), |end| end + 2),
            [byte, ..] if byte.is_ascii_whitespace() => 1,
            _ => return at,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(script: &str, expected: &str) {
        assert_eq!(String::from_utf8(show_runtime(script.as_bytes())).unwrap(), expected);
    }

    #[test]
    fn the_runtime_is_global_in_the_first_version() {
        check("{ global: f; local: *; };", "{ global: __tine_*; f; local: *; };");
        check("V1 {\n  f;\n};\nV2 { g; } V1;", "V1 {\n  __tine_*; f;\n};\nV2 { g; } V1;");
        check("/* { */ # {\nV {local: *; };", "/* { */ # {\nV {global: __tine_*; local: *; };");
        check("{ /* all */ global : f; };", "{ /* all */ global : __tine_*; f; };");
        check("{ globals; };", "{ __tine_*; globals; };");
        check("/* no end {", "/* no end {");
        check("", "");
    }
}
