//! Executed lines according to gcov, and to the lcov file that `tine report` writes.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use super::{Lines, SUITE, Unit, finish};

/// Lines that only one of gcc and clang counts. The code of a statement is the same, but its position is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Text {
    /// Only braces, or `else` and `do`: clang gives returns and loops such positions.
    Brace,
    /// A label: gcc counts it, and clang has no code for it.
    Label,
    /// A part of a statement of several lines: its operations may have the position of any part.
    Part,
    /// A loop's or function's head, which has code of its own only in one of the two compilers.
    Other,
}

fn text(lines: &[&str], number: u64) -> Text {
    let code = |line: &str| line.split("//").next().unwrap_or_default().trim().to_owned();
    let at = |index: usize| lines.get(index).map(|line| code(line)).unwrap_or_default();
    let line = at(number as usize - 1);
    let before = (0..number as usize - 1).rev().map(at).find(|line| !line.is_empty()).unwrap_or_default();
    let words = line.replace("else", "").replace("do", "");
    let is_label = ["case ", "default"].iter().any(|word| line.starts_with(word)) || line.ends_with(':');
    let ends = |line: &str| line.is_empty() || line.starts_with('#') || line.ends_with([';', '{', '}', ':', '/']);
    if words.chars().all(|letter| "{}(); ".contains(letter)) {
        Text::Brace
    } else if is_label {
        Text::Label
    } else if !ends(&line) || !ends(&before) {
        Text::Part
    } else {
        Text::Other
    }
}

pub(super) fn differences(ours: &Lines, theirs: &Lines, unit: &Unit<'_>) -> Vec<String> {
    let mut complaints = Vec::new();
    for line in ours.keys().chain(theirs.keys()).collect::<BTreeSet<_>>() {
        let source = std::fs::read_to_string(unit.file.with_file_name(&line.0)).unwrap_or_default();
        let kind = text(&source.lines().collect::<Vec<_>>(), line.1);
        let at = format!("{}:{}", line.0, line.1);
        let said = |executed: bool| if executed { "executed" } else { "not executed" };
        match (ours.get(line), theirs.get(line)) {
            // Which cases are kept depends on the order in which workers find them.
            (Some(true), Some(_)) if unit.reason(line) == Some(SUITE) => {}
            _ if unit.is_left_out(line) || unit.reason(line).is_some() => {}
            (Some(ours), Some(theirs)) if ours != theirs => {
                complaints.push(format!("{at}: {}, but {} according to gcov", said(*ours), said(*theirs)));
            }
            (Some(_), Some(_)) | (None, None) => {}
            _ if kind != Text::Other => {}
            (Some(_), None) => complaints.push(format!("{at}: a line with code, but not according to gcov")),
            (None, Some(_)) => complaints.push(format!("{at}: no line with code, but one according to gcov")),
        }
    }
    complaints
}

/// Lines of the lcov file of a session.
pub(super) fn of_lcov(out: &Path, unit: &Unit<'_>) -> Result<Lines, String> {
    let mut report = Command::new(env!("CARGO_BIN_EXE_tine"));
    let report = finish(report.arg("report").arg(out).args(["--format", "lcov", "--root", "/"]))?;
    let (mut lines, mut file) = (Lines::new(), None);
    for line in report.lines() {
        if let Some(path) = line.strip_prefix("SF:") {
            file = unit.own(&Path::new("/").join(path));
        } else if let (Some(counted), Some(file)) = (line.strip_prefix("DA:"), &file) {
            let (number, count) = counted.split_once(',').ok_or_else(|| line.to_owned())?;
            lines.insert((file.clone(), number.parse().map_err(|_| line.to_owned())?), count != "0");
        }
    }
    Ok(lines)
}
