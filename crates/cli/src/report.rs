//! `tine report`: writes sessions for other tools, and lists errors that a baseline does not have.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use tine_engine::config::values::FailOn;
use tine_engine::stored::Stored;
use tine_engine::{STOP, folder};
use tine_report::baseline::Baseline;
use tine_report::serve::Server;
use tine_report::source::{self, Source, Sources};
use tine_report::terminal::View;
use tine_report::{Data, cobertura, html, json, junit, lcov, sarif};
use tine_session::Session;
use tine_session::summary::Verdict;

use crate::display::{print_safe, print_text, style};
use crate::exit_rules::require_baseline;
use crate::explore::stop_on_interrupt;
use crate::failure::{EXIT_ERRORS, EXIT_FINE, Failure};
use crate::options::{Format, ReportOptions};

const VERSION: &str = env!("CARGO_PKG_VERSION");

pub(crate) fn report(options: &ReportOptions) -> Result<u8, Failure> {
    if let Some(address) = options.serve {
        return serve(address, &options.sessions);
    }
    require_baseline(&options.fail_on, options.baseline.is_some())?;
    let sessions = read_all(&options.sessions)?;
    let baseline = options.baseline.as_deref().map(read_baseline).transpose()?;
    if let Some(dir) = &options.html {
        write_pages(&sessions, dir)?;
    }
    if let Some(format) = options.format {
        let text = written(format, &sessions, &root(options)?, baseline.as_ref());
        match &options.out {
            Some(file) => write(file, &text)?,
            // A terminal must not receive control characters of file names. Other tools need the names as they are.
            None if std::io::IsTerminal::is_terminal(&std::io::stdout()) => print_text(&text)?,
            None => print_safe(&text)?,
        }
    } else if baseline.is_none() && options.html.is_none() {
        print_summaries(&sessions)?;
    }
    exit_code(options, &sessions, baseline.as_ref())
}

/// Shows the report in a browser until Ctrl-C.
fn serve(address: SocketAddr, sessions: &[PathBuf]) -> Result<u8, Failure> {
    // If a session cannot be read, report that before serving.
    read_all(sessions)?;
    let server = Server::bind(address)
        .map_err(|why| Failure::usage(format!("cannot listen on {address}: {why}"), "choose another port"))?;
    println!("{}", server.url());
    let _ = std::io::stdout().flush();
    stop_on_interrupt();
    server.run(&STOP, &|| read_all(sessions).ok(), VERSION);
    Ok(EXIT_FINE)
}

/// Text in a format. JSON and XML escape strings of the unit, but lcov has file names as they are.
fn written(format: Format, sessions: &[Data], root: &Path, baseline: Option<&Baseline>) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_secs());
    let text = match format {
        Format::Sarif => sarif::sarif(sessions, root, VERSION, baseline),
        Format::Junit => junit::junit(sessions),
        Format::Lcov => lcov::lcov(sessions, root),
        Format::Cobertura => cobertura::cobertura(sessions, root, VERSION, now),
        Format::Json => json::report(sessions),
    };
    match format {
        Format::Sarif | Format::Json => tine_report::printable_json(&text).into_owned(),
        Format::Junit | Format::Lcov | Format::Cobertura => text,
    }
}

fn root(options: &ReportOptions) -> Result<PathBuf, Failure> {
    let root = options.root.as_deref().unwrap_or(Path::new("."));
    root.canonicalize()
        .map_err(|why| Failure::usage(format!("{}: {why}", root.display()), "give a directory as --root"))
}

fn write(file: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(file, text).map_err(|why| {
        Failure::usage(format!("cannot write {}: {why}", file.display()), "give a file that can be written as --out")
    })
}

/// Writes the HTML report of sessions after an exploration.
pub(crate) fn write_page(sessions: &[PathBuf], dir: &Path) -> Result<(), Failure> {
    write_pages(&read_all(sessions)?, dir)
}

fn write_pages(sessions: &[Data], dir: &Path) -> Result<(), Failure> {
    let failed = |why: std::io::Error| {
        Failure::usage(format!("cannot write to {}: {why}", dir.display()), "give a directory that can be written")
    };
    std::fs::create_dir_all(dir).map_err(failed)?;
    for (name, text) in html::pages(sessions, VERSION, false) {
        std::fs::write(dir.join(name), text).map_err(failed)?;
    }
    Ok(())
}

/// Prints the summaries of the explorations, with coverage by function.
fn print_summaries(sessions: &[Data]) -> Result<(), Failure> {
    let style = style(std::io::IsTerminal::is_terminal(&std::io::stdout()));
    for data in sessions {
        let view = View { dir: &data.dir, sources: &data.sources, style };
        let summary = tine_report::terminal::summary(&data.summary, data.is_finished, view);
        print_safe(&format!("{summary}\n{}", tine_report::table::coverage(&data.summary, style)))?;
    }
    Ok(())
}

/// Prints the errors that the baseline does not have, and returns the exit code.
fn exit_code(options: &ReportOptions, sessions: &[Data], baseline: Option<&Baseline>) -> Result<u8, Failure> {
    let fails_on = |result: FailOn| options.fail_on.contains(&result);
    let new = baseline.map(|baseline| baseline.new_errors(sessions)).unwrap_or_default();
    if baseline.is_some() && (options.format.is_none() || options.out.is_some()) {
        print_text(&list_new(sessions, &new))?;
    }
    let any = |is_so: fn(&Data) -> bool| sessions.iter().any(is_so);
    let is_failed = fails_on(FailOn::New) && !new.is_empty()
        || fails_on(FailOn::Error)
            && any(|data| !data.summary.errors.is_empty() || !data.summary.not_shown_reachable.is_empty())
        || fails_on(FailOn::Requirement) && any(|data| !data.summary.requirements.is_empty())
        || fails_on(FailOn::Incomplete) && any(|data| data.summary.verdict == Verdict::Incomplete);
    Ok(if is_failed { EXIT_ERRORS } else { EXIT_FINE })
}

/// A list of new errors, given by session and error.
pub(crate) fn list_new(sessions: &[Data], new: &[(usize, usize)]) -> String {
    let mut text =
        if new.len() == 1 { "1 error is new\n".to_owned() } else { format!("{} errors are new\n", new.len()) };
    for (session, error) in new {
        let error = &sessions[*session].summary.errors[*error];
        text += &format!("  {}:{}: {} in `{}`\n", error.file, error.line, error.kind, error.function);
    }
    text
}

/// Reads the session, the sessions in a directory, or the SARIF file whose errors are known.
pub(crate) fn read_baseline(path: &Path) -> Result<Baseline, Failure> {
    if path.is_dir() {
        return Ok(Baseline::of_sessions(&read_all(&[path.to_path_buf()])?));
    }
    let help = "give the directory of a session, or a file of `tine report --format sarif`";
    let text = std::fs::read_to_string(path)
        .map_err(|why| Failure::usage(format!("cannot read {}: {why}", path.display()), help))?;
    Baseline::of_sarif(&text)
        .map_err(|why| Failure::usage(format!("{} is not a baseline: {why}", path.display()), help))
}

/// Reads sessions, including those in directories of sessions.
pub(crate) fn read_all(paths: &[PathBuf]) -> Result<Vec<Data>, Failure> {
    let mut sessions = Vec::new();
    for path in paths {
        for dir in directories(path) {
            let data = Data::read(&dir, sources);
            sessions.push(data.map_err(|why| Failure::session(&why, "give the directory of a session (`--out`)"))?);
        }
    }
    Ok(sessions)
}

/// The sessions at or below a directory.
fn directories(path: &Path) -> Vec<PathBuf> {
    let found = folder::sessions(path);
    // If there is none, opening the path reports the problem.
    if found.is_empty() { vec![path.to_path_buf()] } else { found }
}

/// Readable source files of a session.
fn sources(session: &Session, files: &BTreeSet<String>) -> Sources {
    let stored = Stored::read(session).ok();
    let read = |file: &String| {
        let bytes = source::read(file)?;
        let is_changed = stored.as_ref().is_some_and(|stored| stored.is_changed(file, &bytes));
        Some((file.clone(), Source::new(&bytes, is_changed)))
    };
    files.iter().filter_map(read).collect()
}
