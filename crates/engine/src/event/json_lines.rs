//! Events as JSON values, one per line of `--events`.

use std::sync::Arc;

use serde_json::{Value, json};
use tine_explore::ProgramMap;
use tine_explore::map::SideId;

use super::Event;

/// Describes the events of one exploration.
#[derive(Debug)]
pub struct JsonLines {
    target: String,
    map: Option<Arc<ProgramMap>>,
}

impl JsonLines {
    /// For the exploration of `target`.
    pub fn new(target: &str) -> JsonLines {
        JsonLines { target: target.to_owned(), map: None }
    }

    /// The value of an event, or `None` if the event is not reported.
    pub fn value(&mut self, event: &Event<'_>) -> Option<Value> {
        Some(match event {
            Event::Started(started) => {
                self.map = Some(Arc::clone(&started.map));
                json!({ "event": "started", "target": self.target, "branches_total": started.map.n_sides() })
            }
            Event::Job(done) => {
                let run = done.result.run()?;
                let number = done.step.ran.map(|(_, number)| number);
                json!({
                    "event": "run", "run": number, "case": run.case.0, "new_path": done.step.new_path,
                    "covered": done.n_covered, "time_ms": millis(done.elapsed),
                })
            }
            Event::Covered { side, case } => self.covered(*side, case.0),
            Event::Error { error, input } => json!({
                "event": "error", "kind": error.kind.text(), "file": &*error.place.file, "line": error.place.line,
                "column": error.place.column, "function": &*error.place.function, "case": error.case.0,
                "input": input.to_string(),
            }),
            Event::SlowQuery { why, .. } => json!({ "event": "slow-query", "why": why }),
            Event::Progress(progress) => json!({
                "event": "progress", "runs": progress.runs, "paths": progress.paths,
                "branches_covered": progress.branches_covered, "branches_total": progress.branches_total,
                "errors": progress.errors, "time_ms": millis(progress.elapsed), "machines": progress.machines,
            }),
            Event::Finished(finished) => json!({ "event": "finished", "summary": finished.summary }),
            _ => return None,
        })
    }

    fn covered(&self, side: SideId, case: u32) -> Value {
        let Some(map) = &self.map else { return Value::Null };
        let branch = map.branch(map.branch_side(side).0);
        json!({
            "event": "covered", "file": &*branch.file, "line": branch.line, "column": branch.column,
            "function": &*branch.key.function, "side": map.label(side), "case": case,
        })
    }
}

fn millis(time: std::time::Duration) -> u64 {
    time.as_millis() as u64
}
