//! The summary for programs: one object, on one line.

use tine_session::Summary;

/// What `--json` prints.
pub fn json(summary: &Summary) -> String {
    serde_json::to_string(summary).expect("a summary has only names and numbers")
}
