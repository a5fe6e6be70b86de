//! Errors and uncovered sides of branches as diagnostics of the Language Server Protocol.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tine_session::summary::Uncoverable;

use crate::source::utf16_column;
use crate::{Data, condition};

/// Adds the diagnostics of a session to those of its files.
pub fn add(files: &mut BTreeMap<String, Vec<Value>>, data: &Data) {
    // Skip a changed file, because its line numbers differ.
    let is_current = |file: &str| data.sources.get(file).is_some_and(|source| !source.is_changed);
    for error in data.summary.errors.iter().filter(|error| is_current(&error.file)) {
        let replay = format!("tine replay {} {}", data.folder_of(error).display(), error.case);
        let text = format!("{}\ninput: {}\nreplay: {replay}", error.kind, error.input);
        let column = utf16_column(&data.sources, &error.file, error.line, error.column);
        files.entry(error.file.clone()).or_default().push(diagnostic(error.line, column, 1, &error.kind, &text));
    }
    for side in data.branches.iter().filter(|side| side.case.is_none() && is_current(&side.file)) {
        let why = match side.why {
            Some(Uncoverable::Infeasible) => "infeasible",
            Some(Uncoverable::Open) => "reached, but not taken",
            Some(Uncoverable::NotReached) | None => "not reached",
        };
        let reason = condition::reason(&data.sources, side).map(|reason| format!(" ({reason})")).unwrap_or_default();
        let text = format!("side `{}` is not covered: {why}{reason}", side.side);
        let column = utf16_column(&data.sources, &side.file, side.line, side.column);
        files.entry(side.file.clone()).or_default().push(diagnostic(side.line, column, 4, "uncovered", &text));
    }
}

fn diagnostic(line: u32, column: u32, severity: u8, code: &str, text: &str) -> Value {
    let (line, column) = (line.saturating_sub(1), column.saturating_sub(1));
    json!({
        "range": {
            "start": { "line": line, "character": column },
            "end": { "line": line, "character": column + 1 },
        },
        "severity": severity, "source": "tine", "code": code, "message": text,
    })
}
