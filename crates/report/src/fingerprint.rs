//! Identity of an error across versions of the source: kind, function and the text of its line, without line number and
//! case. An error that only moves keeps its fingerprint.

use std::collections::BTreeMap;
use std::path::Path;

use tine_session::summary::ErrorSummary;

use crate::data::Data;
use crate::source;

/// Name of the fingerprint in SARIF files; changes when its definition does.
pub(crate) const NAME: &str = "tineError/v1";

/// Fingerprints of errors, in order. Equal errors of one function are numbered.
pub(crate) fn fingerprints(data: &Data, errors: &[ErrorSummary]) -> Vec<String> {
    numbered(errors, |error| {
        let text = source::line(&data.sources, &error.file, error.line);
        // Indentation and spacing are not part of the code.
        parts(error, if text.is_empty() { offset(data, error) } else { text.split_whitespace().collect() })
    })
}

/// The fingerprints that the errors would have if the text of their lines were not known.
pub(crate) fn fingerprints_without_text(data: &Data, errors: &[ErrorSummary]) -> Vec<String> {
    numbered(errors, |error| parts(error, offset(data, error)))
}

fn numbered(errors: &[ErrorSummary], parts: impl Fn(&ErrorSummary) -> [String; 4]) -> Vec<String> {
    let mut seen = BTreeMap::<u64, u64>::new();
    let one = |error: &ErrorSummary| {
        let base = hash(&parts(error), 0);
        let number = seen.entry(base).or_default();
        *number += 1;
        format!("{:016x}", if *number == 1 { base } else { hash(&parts(error), *number) })
    };
    errors.iter().map(one).collect()
}

/// The parts that identify an error. `line` identifies its line.
fn parts(error: &ErrorSummary, line: String) -> [String; 4] {
    let file = Path::new(&error.file).file_name().unwrap_or_default().to_string_lossy().into_owned();
    [error.kind.clone(), file, error.function.clone(), line]
}

/// Number of lines from the start of the function, for files whose text is not known.
fn offset(data: &Data, error: &ErrorSummary) -> String {
    let of_function = data.lines.iter().filter(|line| line.file == error.file && line.function == error.function);
    let first = of_function.map(|line| line.line).min().unwrap_or(0);
    format!("+{}", error.line.saturating_sub(first))
}

/// FNV-1a over parts that end with a separator.
fn hash(parts: &[String; 4], number: u64) -> u64 {
    let bytes = parts.iter().flat_map(|part| part.bytes().chain([0]));
    let all = bytes.chain(number.to_le_bytes());
    all.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;

    fn error(kind: &str, line: u32) -> ErrorSummary {
        ErrorSummary { kind: kind.into(), file: "a.c".into(), line, function: "f".into(), ..Default::default() }
    }

    fn data(text: &str) -> Data {
        let lines = text.lines().map(str::to_owned).collect();
        let mut data = Data::default();
        data.sources.insert("a.c".into(), Source { lines, is_changed: false });
        data
    }

    #[test]
    fn errors_that_move_stay_the_same() {
        let before = data("int f(int x) {\n  return 1 / x;\n}");
        let after = data("\n\nint f(int x) {\n      return 1/x;\n}");
        let of = |data: &Data, line| fingerprints(data, &[error("division by zero", line)]).remove(0);
        assert_eq!(of(&before, 2), of(&after, 4));
        assert_ne!(of(&before, 2), fingerprints(&before, &[error("overflow", 2)])[0]);
        assert_ne!(of(&before, 2), of(&before, 1));
    }

    #[test]
    fn equal_lines_are_numbered() {
        let data = data("x = 1 / y;\nx = 1 / y;");
        let both = fingerprints(&data, &[error("division by zero", 1), error("division by zero", 2)]);
        assert_ne!(both[0], both[1]);
    }
}
