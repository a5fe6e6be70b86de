//! Events of an exploration as JSON lines (`--events FILE`), for scripts and dashboards.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;

use tine_engine::event::{Event, JsonLines};
use tine_engine::{Error, Sink};

use crate::failure::Failure;

/// Writes a line per event.
pub(crate) struct Events {
    file: BufWriter<File>,
    lines: JsonLines,
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
        Ok(Events { file: BufWriter::new(file), lines: JsonLines::new(target) })
    }
}

impl Sink for Events {
    fn event(&mut self, event: &Event<'_>) -> Result<(), Error> {
        let Some(value) = self.lines.value(event) else { return Ok(()) };
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
