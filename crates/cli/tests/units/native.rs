//! Runs kept cases with the native program: it must end as the exploration reports.

use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitStatus};

use tine_engine::stored::Stored;
use tine_session::Session;
use tine_session::session::Case;
use tine_trace::outcome::ErrorKind;
use tine_trace::segment::REPLAY_VARIABLE;

const SIGABRT: i32 = 6;
const SIGFPE: i32 = 8;
const SIGKILL: i32 = 9;
const SIGSEGV: i32 = 11;
const SIGXCPU: i32 = 24;

/// Returns a message if the cases of the session in `out` are wrong. `unnoticed`: an access outside of an object, or a
/// free of a part of an input, may hit other memory natively, so cases that show one are skipped.
pub(crate) fn compare(out: &Path, native: &Path, arguments: &[&str], unnoticed: bool) -> Result<Vec<String>, String> {
    let text = |why: tine_session::SessionError| why.to_string();
    let session = Session::open(out).map_err(text)?;
    let errors = session.errors().map_err(text)?;
    let mut complaints = Vec::new();
    let has_environment = Stored::read(&session)
        .map(|stored| stored.target.inputs(&stored.config).is_some())
        .map_err(|why| why.to_string())?;
    for case in session.cases().map_err(text)? {
        let outside = [ErrorKind::InvalidAccess, ErrorKind::InvalidFree, ErrorKind::ArrayBounds];
        let is_unnoticed = |kind: ErrorKind| kind.goes_unnoticed() || unnoticed && outside.contains(&kind);
        if case.outcome == "failed" && ErrorKind::from_number(case.code).is_some_and(is_unnoticed) {
            continue;
        }
        let runs = if has_environment { run_script } else { run };
        let (status, said) = runs(&case, out, native, arguments)?;
        let mut wrong = ends_otherwise(&case, status, &said);
        // The native checks report errors after which the program continues.
        for error in errors.iter().filter(|error| error.case == case.id) {
            let kind = ErrorKind::ALL.iter().find(|kind| kind.text() == error.kind);
            if let Some(kind) = kind.filter(|kind| !kind.stops() && !kind.goes_unnoticed())
                && !said.contains(&format!("tine: {}", native_name(*kind)))
            {
                wrong.get_or_insert_with(|| format!("does not tell of `{}`", error.kind));
            }
        }
        if let Some(wrong) = wrong {
            complaints.push(format!("case {} ({}) {wrong}; natively {status}: {said}", case.id, case.input));
        }
    }
    Ok(complaints)
}

/// End and output of a run.
type Ended = Result<(ExitStatus, String), String>;

pub(crate) fn run(case: &Case, out: &Path, native: &Path, arguments: &[&str]) -> Ended {
    let plan = out.join("plan");
    std::fs::write(&plan, case.input.input.file()).map_err(|why| why.to_string())?;
    // A limit on processor time for endless loops, and one on real time for waiting programs.
    let mut command = Command::new("timeout");
    command.args(["--signal=KILL", "20", "prlimit", "--cpu=1", "--core=0", "--"]).arg(native).args(arguments);
    let output = command.env(REPLAY_VARIABLE, &plan).current_dir(out).output().map_err(|why| why.to_string())?;
    let said = [output.stdout, output.stderr].concat();
    Ok((output.status, String::from_utf8_lossy(&said).into_owned()))
}

/// Runs a case with arguments and files as a user would without tine.
pub(crate) fn run_script(case: &Case, out: &Path, native: &Path, _: &[&str]) -> Ended {
    let text = |why: std::io::Error| why.to_string();
    let mut show = Command::new(env!("CARGO_BIN_EXE_tine"));
    let script = show.arg("show").arg(out).args([&case.id.to_string(), "--shell"]).output().map_err(text)?.stdout;
    std::fs::write(out.join("script"), script).map_err(text)?;
    let folder = tempfile::tempdir_in(out).map_err(text)?;
    let mut command = Command::new("timeout");
    command.args(["--signal=KILL", "20", "sh"]).arg(out.join("script")).env("PROGRAM", native);
    let output = command.current_dir(folder.path()).output().map_err(text)?;
    Ok((output.status, String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()))
}

fn ends_otherwise(case: &Case, status: ExitStatus, said: &str) -> Option<String> {
    let tells = |kind: ErrorKind| said.contains(&format!("tine: {}", native_name(kind)));
    // `timeout` turns the end by a signal into an exit code.
    let signal = status.signal().or_else(|| status.code().filter(|code| *code > 128).map(|code| code - 128));
    let is_right = match case.outcome.as_str() {
        // An end of an unchecked kind becomes the exit code that a shell shows.
        "exited" => status.code().or(signal.map(|signal| 128 + signal)) == Some(case.code as i32),
        "signal" => signal == Some(case.code as i32),
        "stack-overflow" => signal == Some(SIGSEGV),
        "timeout" => matches!(signal, Some(SIGKILL | SIGXCPU)),
        "failed" => match ErrorKind::from_number(case.code)? {
            ErrorKind::AssertionFailure | ErrorKind::ReachError | ErrorKind::Abort => signal == Some(SIGABRT),
            // The allocator may notice it, or write to memory that is read-only.
            ErrorKind::InvalidFree => matches!(signal, Some(SIGABRT | SIGSEGV)),
            ErrorKind::EndlessLoop | ErrorKind::Blocked => matches!(signal, Some(SIGKILL | SIGXCPU)),
            ErrorKind::DivisionByZero | ErrorKind::DivisionOverflow => signal == Some(SIGFPE),
            // If a parameter is declared as not null, the compiler omits the check.
            ErrorKind::NullPointer => tells(ErrorKind::NullPointer) || signal == Some(SIGSEGV),
            kind => tells(kind),
        },
        // The native program has no memory limit.
        "out-of-memory" => true,
        _ => false,
    };
    (!is_right).then(|| format!("ended as `{} {}`", case.outcome, case.code))
}

/// Error kinds as the native program reports them. It distinguishes fewer kinds.
fn native_name(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Misaligned => ErrorKind::NullPointer.text(),
        ErrorKind::DivisionOverflow => ErrorKind::DivisionByZero.text(),
        ErrorKind::SignedOverflow | ErrorKind::UnsignedOverflow => "integer overflow",
        kind => kind.text(),
    }
}
