//! Events of an exploration as JSON lines (`--events FILE`), for scripts and dashboards.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};
use tine_engine::event::Event;
use tine_engine::{Error, Sink};
use tine_explore::ProgramMap;
use tine_explore::map::SideId;

use crate::failure::Failure;

/// Writes a line per event.
pub(crate) struct Events {
    file: BufWriter<File>,
    target: String,
    map: Option<Arc<ProgramMap>>,
}

impl Events {
    /// Opens the file, and truncates it if this is the first exploration of the command.
    pub(crate) fn open(path: &Path, target: &str, is_first: bool) -> Result<Events, Failure> {
        let mut options = File::options();
        if is_first {
            options.write(true).truncate(true)
        } else {
            options.append(true)
        };
        let file = options.create(true).open(path).map_err(|why| {
            Failure::usage(
                format!("cannot write {}: {why}", path.display()),
                "give a file that can be written as --events",
            )
        })?;
        Ok(Events { file: BufWriter::new(file), target: target.to_owned(), map: None })
    }

    fn value(&mut self, event: &Event<'_>) -> Option<Value> {
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

impl Sink for Events {
    fn event(&mut self, event: &Event<'_>) -> Result<(), Error> {
        let Some(value) = self.value(event) else { return Ok(()) };
        let line = tine_report::printable_json(&value.to_string()).into_owned();
        let written = writeln!(self.file, "{line}");
        // Errors and figures are flushed immediately, single runs a little later.
        let is_urgent = !matches!(event, Event::Job(_) | Event::Covered { .. });
        let written = if is_urgent { written.and_then(|()| self.file.flush()) } else { written };
        written.map_err(|why| {
            Error::Sink(Failure::usage(format!("cannot write events: {why}"), "make room on the disk").into())
        })
    }
}
