//! Sinks of the command line: warnings, the progress line, the summary, and the suites for other tools.

use std::io::{IsTerminal, Write as _};
use std::path::Path;

use tine_engine::event::{Event, Finished, Kept, Progress, Started};
use tine_engine::{Config, Error, Sink, suggest};
use tine_explore::CaseId;
use tine_explore::errors::FoundError;
use tine_report::terminal::View;
use tine_report::{Style, printable, printable_bytes, printable_json, printable_lines, source, terminal};
use tine_session::Summary;

use crate::events::Events;
use crate::failure::Failure;
use crate::watch::Watch;

/// Shows an exploration to the user.
pub(crate) struct Display<'a> {
    config: &'a Config,
    /// Directory of the session.
    folder: &'a Path,
    /// Width of the terminal in columns, if progress is shown.
    width: Option<usize>,
    /// Print the summary and write the suites.
    reports: bool,
    /// True for the first exploration of the command.
    is_first: bool,
    events: Option<Events>,
    watch: Option<Watch>,
    /// Output of runs with errors.
    outputs: Vec<(CaseId, Vec<u8>)>,
    pub(crate) is_out_of_memory: bool,
}

impl<'a> Display<'a> {
    /// A display that prints the summary at the end.
    pub(crate) fn new(config: &'a Config, folder: &'a Path) -> Display<'a> {
        let shows_progress = !config.quiet && std::io::stderr().is_terminal();
        let width = shows_progress.then(terminal_width);
        Display {
            config,
            folder,
            width,
            reports: true,
            is_first: true,
            events: None,
            watch: None,
            outputs: Vec::new(),
            is_out_of_memory: false,
        }
    }

    /// A display for one of several explorations, which share a report.
    pub(crate) fn of_many(config: &'a Config, folder: &'a Path, is_first: bool) -> Display<'a> {
        let mut display = Display::new(config, folder);
        (display.reports, display.is_first) = (false, is_first);
        display
    }

    /// Opens the file for events and the screen, if requested. `target` is the explored function or program.
    pub(crate) fn open(&mut self, target: &str) -> Result<(), Failure> {
        if self.config.watch && self.width.is_some() {
            let workers = self.config.jobs.map_or_else(processors, |jobs| jobs.get() as usize);
            self.watch = Watch::open(target, workers, style(true).colour);
        }
        let open = |path: &std::path::PathBuf| Events::open(path, target, self.is_first);
        self.events = self.config.events.as_ref().map(open).transpose()?;
        Ok(())
    }

    fn warn(&self, started: &Started) {
        if !self.config.quiet {
            started.unprotected.iter().for_each(|missing| eprintln!("warning: sandbox: {missing}"));
            for place in &started.unused_weights {
                eprintln!("warning: the weights name {place}, but there is no branch");
            }
        }
    }

    fn show(&self, progress: &Progress) {
        let Some(width) = self.width.filter(|_| self.watch.is_none()) else { return };
        let Progress { runs, paths, branches_covered, branches_total, errors, solving, elapsed, .. } = *progress;
        let line = tine_report::Progress {
            runs,
            paths,
            branches_covered,
            branches_total,
            errors,
            solving,
            workers: progress.machines.len() as u64,
            workers_rate: progress.machines.iter().map(|machine| machine.rate as u64).sum(),
            elapsed,
        };
        eprint!("\r\x1b[K{}", line.line(style(true), Some(width)));
    }

    /// Reports an error immediately. The summary has the details.
    fn report(&self, error: &FoundError) {
        if self.config.quiet {
            return;
        }
        let FoundError { kind, place, case, .. } = error;
        let line = format!("{}:{} in `{}`", place.file, place.line, place.function);
        let clear = if self.width.is_some() { "\r\x1b[K" } else { "" };
        eprintln!("{clear}found: {} at {} (case {case})", kind.text(), printable(&line));
    }

    fn finish(&mut self, finished: &Finished) -> Result<(), Failure> {
        self.clear_line();
        self.is_out_of_memory = finished.is_out_of_memory;
        if self.reports { print(&finished.summary, self.config, self.folder, &self.outputs) } else { Ok(()) }
    }

    fn clear_line(&mut self) {
        if self.width.take().is_some() {
            eprint!("\r\x1b[K");
        }
    }
}

/// Shows on a terminal that a unit is being compiled, until it is dropped.
pub(crate) struct Compiling {
    is_shown: bool,
}

impl Compiling {
    pub(crate) fn new(file: &Path, config: &Config) -> Compiling {
        let is_shown = !config.quiet && std::io::stderr().is_terminal();
        if is_shown {
            let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy();
            eprint!("\r\x1b[Kcompiling {}…", printable(&name));
        }
        Compiling { is_shown }
    }
}

impl Drop for Compiling {
    fn drop(&mut self) {
        if self.is_shown {
            eprint!("\r\x1b[K");
        }
    }
}

impl Drop for Display<'_> {
    fn drop(&mut self) {
        self.clear_line();
    }
}

impl Sink for Display<'_> {
    fn event(&mut self, event: &Event<'_>) -> Result<(), Error> {
        if let Some(events) = &mut self.events {
            events.event(event)?;
        }
        match (&self.watch, event) {
            // The summary belongs on the normal screen.
            (Some(_), Event::Finished(_)) => self.watch = None,
            (Some(watch), _) => watch.event(event),
            (None, _) => {}
        }
        match event {
            Event::Started(started) => self.warn(started),
            Event::Job(done) => {
                if let Some(Kept { case, output: Some(output), .. }) = &done.kept {
                    self.outputs.push((*case, output.clone()));
                }
            }
            Event::Error { error, .. } => self.report(error),
            Event::Notice(text) if !self.config.quiet => {
                let clear = if self.width.is_some() { "\r\x1b[K" } else { "" };
                eprintln!("{clear}warning: {}", printable(text));
            }
            Event::Progress(progress) => self.show(progress),
            Event::Finished(finished) => self.finish(finished).map_err(|why| Error::Sink(why.into()))?,
            _ => {}
        }
        Ok(())
    }
}

/// Prints the results to stdout.
fn print(summary: &Summary, config: &Config, folder: &Path, outputs: &[(CaseId, Vec<u8>)]) -> Result<(), Failure> {
    let mut text = if config.json {
        tine_report::json::json(summary)
    } else {
        let sources = source::shown(std::slice::from_ref(summary));
        let view = View { dir: folder, sources: &sources, style: style(std::io::stdout().is_terminal()) };
        terminal::summary(summary, config.verbose, view)
    };
    if !config.json {
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        for line in suggest::suggestions(summary, config, &arguments) {
            text.push_str(&format!("try: {}\n", printable(&line)));
        }
        for (case, output) in outputs {
            text.push_str(&format!("\noutput of case {case}:\n{}\n", printable_bytes(output)));
        }
    }
    text.push('\n');
    print_safe(&text)
}

/// Prints text that may have come from a unit.
pub(crate) fn print_text(text: &str) -> Result<(), Failure> {
    print_safe(&printable_lines(text))
}

/// Prints JSON with strings that may have come from a unit.
pub(crate) fn print_json(json: &str) -> Result<(), Failure> {
    print_safe(&printable_json(json))
}

/// Prints text in which parts from a unit are already escaped, so that colours stay.
pub(crate) fn print_safe(text: &str) -> Result<(), Failure> {
    let mut stdout = std::io::stdout().lock();
    // A reader that closes the pipe early is not an error.
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(why) if why.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Failure::usage(format!("cannot print the summary: {why}"), "it is also in the session"))
        }
        _ => Ok(()),
    }
}

pub(crate) fn style(terminal: bool) -> Style {
    Style { colour: terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()) }
}

/// Number of processors: the default number of workers.
fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn terminal_width() -> usize {
    std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).unwrap_or(80)
}
