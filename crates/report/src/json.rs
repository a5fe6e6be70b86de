//! The summary for programs: one object, on one line.

use tine_session::Summary;

use crate::printable::printable_json;

/// Output of `--json`.
pub fn json(summary: &Summary) -> String {
    let json = serde_json::to_string(summary).expect("a summary has only names and numbers");
    printable_json(&json).into_owned()
}
