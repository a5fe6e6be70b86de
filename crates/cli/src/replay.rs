//! `tine replay`: runs one case again, natively, and in the sandbox unless the user disables it.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::AsRawFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use tine_engine::Config;
use tine_engine::config::values::RequiredSandbox;
use tine_engine::require_sandbox;
use tine_engine::stored::Stored;
use tine_engine::temporary::Temporary;
use tine_engine::verified::Verified;
use tine_executor::replay;
use tine_executor::sandbox::{Protections, SCRATCH_QUOTA};
use tine_report::{printable, run_printably, system_call};
use tine_session::Session;
use tine_session::session::Case;
use tine_trace::outcome::ErrorKind;
use tine_trace::segment::{GUARD_MARKER, INPUTS_VARIABLE, REPLAY_VARIABLE, SCRATCH_VARIABLE};

use crate::failure::{EXIT_ERRORS, EXIT_FINE, Failure};
use crate::options::ReplayOptions;
use crate::sanitize;
use crate::sessions::session_and_case;
use crate::show::printed;

/// A session and one case of it.
pub(crate) fn open(directory: &Path, case: u32) -> Result<(Session, Case), Failure> {
    let session =
        Session::open(directory).map_err(|why| Failure::session(&why, "give the directory of a session (`--out`)"))?;
    let case = session.case(case).map_err(|why| {
        let known: Vec<String> =
            session.cases().unwrap_or_default().iter().take(20).map(|case| case.id.to_string()).collect();
        Failure::usage(why.to_string(), format!("kept cases are {}", known.join(", ")))
    })?;
    Ok((session, case))
}

pub(crate) fn replay(options: &ReplayOptions) -> Result<u8, Failure> {
    let (directory, number) = session_and_case(&options.session, options.case)?;
    let Some(number) = number else {
        let help = "`tine show` lists the cases; `tine replay SESSION CASE` runs one";
        return Err(Failure::usage("the number of the case is missing", help));
    };
    let (session, case) = open(&directory, number)?;
    let stored = Stored::read(&session)?;
    if options.sanitize {
        return sanitize::replay(options, &directory, &session, &case, &stored);
    }
    let Stored { config, target, .. } = &stored;
    let program = open_rebuilt(&stored, &directory, &target.replayed(config))?;
    let scratch = if options.allow { None } else { Some(scratch_for(&program)?) };
    let (_inputs, plan) = plan_of(&case)?;
    println!("{}", printed(&case.input.lines()));
    let _ = io::stdout().flush();
    if scratch.is_some() {
        let required = options.require_sandbox.as_ref().map(|_| RequiredSandbox::Full);
        let protections = Protections::of_this_kernel();
        require_sandbox(&protections, &Config { require_sandbox: required, ..Config::default() })?;
        protections.missing(false).iter().for_each(|missing| eprintln!("warning: sandbox: {missing}"));
    }
    let mut command = if options.gdb {
        let mut gdb = Command::new("gdb");
        // The sandbox uses this signal.
        gdb.args(["-q", "-ex", "handle SIGSYS nostop noprint pass"]);
        if let Some(scratch) = &scratch {
            gdb.arg("-ex").arg(format!("set exec-wrapper {}", wrapper(scratch.path())?));
        }
        gdb.args(["-ex", "run", "-ex", "backtrace", "--args"]).arg(program.descriptor_for_others());
        gdb
    } else {
        let mut command = Command::new(program.descriptor());
        command.arg0(program.path());
        command
    };
    command.args(target.arguments()).env(REPLAY_VARIABLE, &plan);
    if let Some(inputs) = target.inputs(config) {
        command.env(INPUTS_VARIABLE, inputs);
    }
    config.locale.set(&mut command);
    command.env_remove(SCRATCH_VARIABLE);
    if let Some(scratch) = &scratch {
        // A unit runs in its scratch directory, too.
        command.current_dir(scratch.path());
    }
    if let Some(directory) = target.directory() {
        command.current_dir(directory);
    }
    let status = match &scratch {
        _ if options.gdb => command.status(),
        Some(scratch) => run_confined(&mut command, scratch.path()),
        None => run_printably(&mut command, Command::status),
    };
    let status = status.map_err(|why| match why.kind() {
        io::ErrorKind::NotFound if options.gdb => Failure::usage("`gdb` not found", "install the Debian package gdb"),
        _ => Failure::usage(format!("cannot start {}: {why}", program.path().display()), "explore again"),
    })?;
    println!("{}", ending(status));
    if let Some(refused) = scratch.as_ref().and_then(|scratch| refused(scratch.path())) {
        println!("the sandbox refused: {refused}; `--allow` runs the case without it");
    }
    for error in session.errors().unwrap_or_default().iter().filter(|error| error.case == number) {
        println!("recorded: {} at {}:{}", printable(&error.kind), printable(&error.file), error.line);
        if [ErrorKind::Difference.text(), ErrorKind::Specification.text()].contains(&error.kind.as_str()) {
            println!("  {}", printable(&error.about));
        }
    }
    Ok(if status.success() { EXIT_FINE } else { EXIT_ERRORS })
}

/// The input of a case as a file that a program replays.
pub(crate) fn plan_of(case: &Case) -> Result<(Temporary, PathBuf), Failure> {
    let inputs = Temporary::new("replay").map_err(|why| {
        Failure::usage(format!("cannot write the input: {why}"), "set TMPDIR to a writable directory")
    })?;
    let plan = inputs.path().join("input");
    std::fs::write(&plan, case.input.input.file())
        .map_err(|why| Failure::usage(format!("cannot write the input: {why}"), "make room on the disk"))?;
    Ok((inputs, plan))
}

/// A program of a session. The user may have rebuilt it, if it is not in the session's directory.
pub(crate) fn open_rebuilt(stored: &Stored, folder: &Path, name: &Path) -> Result<Verified, Failure> {
    let (program, is_rebuilt) = stored.open_rebuilt(folder, name)?;
    if is_rebuilt {
        eprintln!("note: {} was built again since the session", printable(&program.path().to_string_lossy()));
    }
    Ok(program)
}

/// Runs a program in the sandbox, and says why it was stopped.
pub(crate) fn run_confined(command: &mut Command, scratch: &Path) -> io::Result<ExitStatus> {
    let ended = run_printably(command, |command| replay::run(command, scratch))?;
    if ended.is_over_quota {
        println!("stopped: it wrote more than {} MiB to files, or had too many files or threads", SCRATCH_QUOTA >> 20);
    }
    Ok(ended.status)
}

/// Replaces this process by a program in the sandbox; see [`wrapper`].
pub(crate) fn confine(scratch: &Path, command: &[OsString]) -> Result<u8, Failure> {
    let [program, arguments @ ..] = command else {
        return Err(Failure::usage("no program was given", "this command is used by `tine replay --gdb`"));
    };
    // Open it before the sandbox is set up: afterwards, descriptors of other processes cannot be opened by path.
    let opened = File::open(program)
        .map_err(|why| Failure::usage(format!("cannot read {}: {why}", program.display()), "explore again"))?;
    let by_descriptor = format!("/proc/self/fd/{}", opened.as_raw_fd());
    let why = replay::confinement(scratch).exec(Command::new(by_descriptor).arg0(program).args(arguments));
    Err(Failure::usage(format!("cannot start {}: {why}", program.display()), "explore again"))
}

/// The command that gdb's shell runs before the program.
fn wrapper(scratch: &Path) -> Result<String, Failure> {
    let tine = std::env::current_exe()
        .map_err(|why| Failure::usage(format!("cannot find tine itself: {why}"), "start it by its full path"))?;
    let quoted = |path: &Path| format!("'{}'", path.display().to_string().replace('\'', "'\\''"));
    Ok(format!("{} confine {}", quoted(&tine), quoted(scratch)))
}

/// The scratch directory of a replay. Fails for programs that do not support the sandbox of replays.
fn scratch_for(program: &Verified) -> Result<Temporary, Failure> {
    if memchr::memmem::find(program.bytes(), GUARD_MARKER.as_bytes()).is_none() {
        return Err(Failure::usage(
            format!("{} was built by a tine whose replays have no sandbox", program.path().display()),
            "build it again, or replay the case with `--allow`: what it writes and starts is then real",
        ));
    }
    Temporary::new("scratch").map_err(|why| {
        Failure::usage(format!("cannot make a scratch directory: {why}"), "set TMPDIR to a writable directory")
    })
}

/// The refused system calls, as `unlink (2×), execve (1×)`.
fn refused(scratch: &Path) -> Option<String> {
    let counts = replay::refused(scratch);
    let calls = counts.iter().map(|(call, count)| format!("{} ({count}×)", system_call::name(*call)));
    Some(calls.collect::<Vec<_>>().join(", ")).filter(|calls| !calls.is_empty())
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
