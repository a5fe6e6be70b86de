//! `tine replay`: one case again, natively.

use std::io::Write as _;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitStatus};

use tine_session::Session;
use tine_session::session::Case;
use tine_trace::segment::{INPUTS_VARIABLE, REPLAY_VARIABLE};

use crate::failure::{EXIT_ERRORS, EXIT_FINE, Failure};
use crate::options::ReplayOptions;

/// A session and one case of it.
pub(crate) fn open(directory: &Path, case: u32) -> Result<(Session, Case), Failure> {
    let session = Session::open(directory)
        .map_err(|why| Failure::usage(why.to_string(), "give the directory of a session (`--out`)"))?;
    let case = session.case(case).map_err(|why| {
        let known: Vec<String> =
            session.cases().unwrap_or_default().iter().take(20).map(|case| case.id.to_string()).collect();
        Failure::usage(why.to_string(), format!("kept cases are {}", known.join(", ")))
    })?;
    Ok((session, case))
}

pub(crate) fn replay(options: &ReplayOptions) -> Result<u8, Failure> {
    let (session, case) = open(&options.session, options.case)?;
    let text = |key: &str| {
        let value = session.setting(key).ok().flatten();
        value.and_then(|value| value.as_str().map(str::to_owned))
    };
    // A unit has a native twin in the session; a program runs itself, which without an engine is native too.
    let program = match (text("native"), text("program")) {
        (Some(native), _) => options.session.join(native),
        (None, Some(program)) => options.session.join(program),
        (None, None) => return Err(Failure::usage("the session does not say what it explored", "explore again")),
    };
    if !program.exists() {
        return Err(Failure::usage(format!("{} is gone", program.display()), "build it again and explore again"));
    }
    let mut plan = tempfile::NamedTempFile::new().map_err(|why| {
        Failure::usage(format!("cannot write the input: {why}"), "set TMPDIR to a writable directory")
    })?;
    plan.write_all(&case.input.plan().file())
        .map_err(|why| Failure::usage(format!("cannot write the input: {why}"), "make room on the disk"))?;

    for line in case.input.lines() {
        println!("{line}");
    }
    let _ = std::io::stdout().flush();
    let arguments: Vec<String> = session
        .setting("arguments")
        .ok()
        .flatten()
        .and_then(|value| serde_json::from_value(value).ok())
        .unwrap_or_default();
    let mut command = if options.gdb {
        let mut gdb = Command::new("gdb");
        gdb.args(["-q", "-ex", "run", "-ex", "backtrace", "--args"]).arg(&program);
        gdb
    } else {
        Command::new(&program)
    };
    command.args(&arguments).env(REPLAY_VARIABLE, plan.path());
    if let Some(inputs) = text("inputs") {
        command.env(INPUTS_VARIABLE, inputs);
    }
    if let Some(directory) = text("directory") {
        command.current_dir(directory);
    }
    let status = command.status().map_err(|why| match why.kind() {
        std::io::ErrorKind::NotFound if options.gdb => {
            Failure::usage("`gdb` not found", "install the Debian package gdb")
        }
        _ => Failure::usage(format!("cannot start {}: {why}", program.display()), "explore again"),
    })?;
    println!("{}", ending(status));
    for error in session.errors().unwrap_or_default().iter().filter(|error| error.case == options.case) {
        println!("recorded: {} at {}:{}", error.kind, error.file, error.line);
    }
    Ok(if status.success() { EXIT_FINE } else { EXIT_ERRORS })
}

fn ending(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("ended with exit code {code}"),
        (None, Some(signal)) => format!("ended by signal {signal} ({})", signal_name(signal)),
        (None, None) => "ended".to_owned(),
    }
}

fn signal_name(signal: i32) -> &'static str {
    match signal {
        4 => "illegal instruction",
        5 => "trap",
        6 => "abort",
        7 => "bus error",
        8 => "arithmetic exception",
        9 => "killed",
        11 => "segmentation fault",
        _ => "see signal(7)",
    }
}
