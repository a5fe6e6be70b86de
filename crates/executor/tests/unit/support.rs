//! Builds the programs and runs them, with an engine and without.

use std::ffi::OsString;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

use tine_executor::unit::{RUNTIME_ARCHIVE, Unit, UnitOptions};
use tine_trace::outcome::{Outcome, OutcomeKind};
use tine_trace::segment::{FLAG_RECORD, Limits, REPLAY_VARIABLE};
use tine_types::Input;

/// Creates an empty directory for a test.
pub(crate) fn directory(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("unit").join(name);
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(&directory).expect("a directory for the test");
    directory
}

/// Compiles `programs/<name>.c` and links it with the runtime. Other tests do the same at the same time, maybe in other
/// processes. So files are written under a unique name and then renamed.
pub(crate) fn build(name: &str, flags: &[&str]) -> PathBuf {
    static TURN: Mutex<()> = Mutex::new(());
    let _turn = TURN.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("programs");
    fs::create_dir_all(&out).expect("a directory for programs");
    let archive = out.join("libtine_rt.a");
    let made = out.join(format!("made-{}", std::process::id()));
    if fs::read(&archive).ok().as_deref() != Some(RUNTIME_ARCHIVE) {
        fs::write(&made, RUNTIME_ARCHIVE)
            .and_then(|()| fs::rename(&made, &archive))
            .expect("the archive can be written");
    }
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/unit/programs");
    let program = out.join(format!("{name}{}", flags.concat()));
    let mut command = Command::new("clang-22");
    command
        .args(["-O1", "-g", "-Wall", "-Wno-infinite-recursion", "-fno-builtin", "-Wl,--wrap=main", "-pthread"])
        .args(flags);
    command.arg("-o").arg(&made).arg(sources.join(format!("{name}.c"))).arg(&archive).arg("-lm");
    let status = command.status().expect("clang-22 is installed");
    assert!(status.success(), "{command:?}");
    fs::rename(&made, &program).expect("the program was made a moment ago");
    program
}

pub(crate) fn start(program: &Path, arguments: &[&Path], options: UnitOptions) -> Unit {
    let arguments: Vec<OsString> = arguments.iter().map(|argument| argument.as_os_str().to_owned()).collect();
    Unit::start(program, &arguments, options).expect("the program starts")
}

pub(crate) fn limits() -> Limits {
    Limits {
        max_depth: 1000,
        max_nodes: 1 << 20,
        max_events: 1 << 16,
        flags: FLAG_RECORD,
        memory: 32 << 20,
        fill_seed: 0,
        max_inputs: 0,
        unchecked: 0,
    }
}

pub(crate) fn plan(k: i32) -> Input {
    Input::of_requests(vec![k.to_le_bytes().to_vec()])
}

/// Kind and code of an outcome.
pub(crate) fn end_of(outcome: &Outcome) -> (OutcomeKind, u32) {
    (OutcomeKind::from_number(outcome.kind).expect("a kind"), outcome.code)
}

/// Runs the program without an engine. Returns its end and its output.
pub(crate) fn natively(program: &Path, arguments: &[&str], k: i32, directory: &Path) -> ((OutcomeKind, u32), Vec<u8>) {
    let plan_path = directory.join("plan");
    let output_path = directory.join("output");
    fs::write(&plan_path, plan(k).file()).expect("a plan file");
    let output = fs::OpenOptions::new().create(true).append(true).open(&output_path).expect("an output file");
    output.set_len(0).expect("an empty output file");
    let status = Command::new(program)
        .args(arguments)
        .env(REPLAY_VARIABLE, &plan_path)
        .stdin(Stdio::null())
        .stdout(output.try_clone().expect("a second descriptor"))
        .stderr(output)
        .status()
        .expect("the program starts");
    let end = match status.signal() {
        Some(signal) => (OutcomeKind::Signal, signal as u32),
        None => (OutcomeKind::Exited, status.code().expect("a code") as u32),
    };
    (end, fs::read(&output_path).expect("the output"))
}
