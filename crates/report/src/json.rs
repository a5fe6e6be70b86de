//! The summary for programs: one object on one line.

use serde_json::{Value, json};
use tine_session::Summary;

use crate::condition;
use crate::data::Data;
use crate::printable::printable_json;

/// Output of `--json`.
pub fn json(summary: &Summary) -> String {
    let json = serde_json::to_string(summary).expect("a summary has only names and numbers");
    printable_json(&json).into_owned()
}

/// Output of `tine report --format json`: the summary, with the coverage of every line and branch side, and the curve.
/// Several sessions become a list, as `tine test` prints them.
pub fn report(sessions: &[Data]) -> String {
    let all: Vec<Value> = sessions.iter().map(object).collect();
    let value = match <[Value; 1]>::try_from(all) {
        Ok([one]) => one,
        Err(all) => json!({ "functions": all }),
    };
    printable_json(&value.to_string()).into_owned() + "\n"
}

fn object(data: &Data) -> Value {
    let mut object = serde_json::to_value(&data.summary).expect("a summary has only names and numbers");
    object["finished"] = json!(data.is_finished);
    let branches = data.branches.iter().enumerate().map(|(id, side)| {
        json!({
            "id": id, "file": side.file, "line": side.line, "column": side.column, "function": side.function,
            "side": side.side, "case": side.case, "why": side.why, "reason": condition::reason(&data.sources, side),
        })
    });
    object["branches"] = branches.collect();
    let lines = data.lines.iter().map(
        |line| json!({ "file": line.file, "line": line.line, "function": line.function, "executed": line.is_executed }),
    );
    object["lines"] = lines.collect();
    let curve = data
        .curve
        .iter()
        .map(|point| json!({ "run": point.run, "time_ms": point.elapsed_ms, "covered": point.covered }));
    object["curve"] = curve.collect();
    object
}
