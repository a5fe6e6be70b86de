//! A working directory for tine, and its output.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value;

/// Long enough for anything on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

/// A unit with more paths than an exploration can finish.
pub(crate) const MANY_PATHS: &str = "\
int f(unsigned long x) {
    int n = 0;
    for (int i = 0; i < 64; i++)
        if (x >> i & 1)
            n++;
    return n;
}
";

/// A unit with branches and errors of two kinds.
pub(crate) const TWO_ERRORS: &str = "\
#include <stdlib.h>
int f(int x, int y) {
    if (x == 1234)
        abort();
    if (x > 10 && y < 3)
        return 100 / (y + 7);
    return 0;
}
";

/// A working directory, with a directory for temporary files and a home directory.
pub(crate) struct Bench {
    dir: tempfile::TempDir,
}

/// Result of running tine.
pub(crate) struct Ran {
    pub(crate) command: String,
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Bench {
    pub(crate) fn new(files: &[(&str, &str)]) -> Bench {
        let bench = Bench { dir: tempfile::tempdir().expect("a temporary directory") };
        for name in ["work", "tmp", "home"] {
            fs::create_dir(bench.dir.path().join(name)).expect("a directory");
        }
        for (name, text) in files {
            bench.write(name, text);
        }
        bench
    }

    /// A file or directory of the working directory.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join("work").join(name)
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.dir.path().join("home")
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("a file");
    }

    /// Makes another user the owner of everything in it, and the directory accessible.
    pub(crate) fn give_to(&self, user: u32) {
        let mut open = vec![self.dir.path().to_path_buf()];
        while let Some(path) = open.pop() {
            std::os::unix::fs::chown(&path, Some(user), Some(user)).expect("root may");
            if path.is_dir() && !path.is_symlink() {
                open.extend(fs::read_dir(&path).expect("a directory").flatten().map(|entry| entry.path()));
            }
        }
    }

    /// `tine` with arguments, split like a shell does.
    pub(crate) fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tine"));
        command.args(shell_words::split(arguments).expect("closed quotes"));
        command.current_dir(self.path(".")).env("TMPDIR", self.dir.path().join("tmp")).env("NO_COLOR", "1");
        // Files that tine unpacks and compiles for itself are shared by all homes.
        command.env("XDG_CACHE_HOME", cache()).env("HOME", self.home());
        command
    }

    pub(crate) fn tine(&self, arguments: &str) -> Ran {
        ran(arguments, &mut self.command(arguments))
    }

    /// Runs tine and expects it to fail with one message that has all these parts, and to change no files.
    #[track_caller]
    pub(crate) fn fails(&self, arguments: &str, code: i32, parts: &[&str]) {
        self.command_fails(arguments, &mut self.command(arguments), code, parts);
    }

    #[track_caller]
    pub(crate) fn command_fails(&self, name: &str, command: &mut Command, code: i32, parts: &[&str]) {
        let before = self.contents();
        let ran = ran(name, command);
        assert_eq!(ran.code, Some(code), "{ran}");
        for part in parts {
            assert!(ran.stderr.contains(part), "`{part}` is missing in: {ran}");
        }
        assert_eq!(ran.stdout, "", "{ran}");
        assert!(!ran.stderr.contains("panicked"), "{ran}");
        assert_eq!(self.contents(), before, "files were left by: {ran}");
    }

    /// `tine cc FILE -o PROGRAM`.
    #[track_caller]
    pub(crate) fn compile(&self, file: &str, program: &str) {
        let ran = self.tine(&format!("cc -g -w {file} -o {program}"));
        assert_eq!(ran.code, Some(0), "{ran}");
    }

    /// Every file of working, temporary and home directory, with its contents.
    fn contents(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut contents = BTreeMap::new();
        let mut folders = vec![self.dir.path().to_path_buf()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).expect("a directory").flatten() {
                let path = entry.path();
                if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    contents.insert(path.clone(), Vec::new());
                    folders.push(path);
                } else {
                    let bytes = fs::read(&path).unwrap_or_default();
                    contents.insert(path, bytes);
                }
            }
        }
        contents
    }

    /// Expects that tine has left no temporary files.
    #[track_caller]
    pub(crate) fn is_tidy(&self) {
        let left: Vec<_> = fs::read_dir(self.dir.path().join("tmp")).expect("a directory").flatten().collect();
        assert!(left.is_empty(), "{left:?}");
    }
}

impl Ran {
    /// The summary. Expects that nothing else was printed.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        match serde_json::from_str(&self.stdout) {
            Ok(value) => value,
            Err(why) => panic!("no summary ({why}): {self}"),
        }
    }
}

impl std::fmt::Display for Ran {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Ran { command, code, stdout, stderr } = self;
        write!(f, "tine {command}\nexit code {code:?}\n--- stdout\n{stdout}\n--- stderr\n{stderr}")
    }
}

pub(crate) fn ran(name: &str, command: &mut Command) -> Ran {
    let output = command.output().expect("tine starts");
    Ran {
        command: name.to_owned(),
        code: output.status.code(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

fn cache() -> PathBuf {
    let given = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    given.unwrap_or_else(|| PathBuf::from(std::env::var_os("HOME").unwrap_or_default()).join(".cache"))
}

/// The kinds of error that a summary lists, with their lines.
pub(crate) fn errors(summary: &Value) -> Vec<(String, u64)> {
    let list = summary["errors"].as_array().expect("a list of errors");
    let mut errors: Vec<_> =
        list.iter().map(|e| (e["kind"].as_str().unwrap_or("").to_owned(), e["line"].as_u64().unwrap_or(0))).collect();
    errors.sort();
    errors
}

/// Processes that run this program.
pub(crate) fn processes_of(program: &Path) -> Vec<u32> {
    let program = program.to_string_lossy().into_owned();
    let gone = format!("{program} (deleted)");
    let runs_it = |pid: &u32| {
        let path = fs::read_link(format!("/proc/{pid}/exe"));
        path.is_ok_and(|path| *path.to_string_lossy() == program || *path.to_string_lossy() == gone)
    };
    let entries = fs::read_dir("/proc").expect("/proc").flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).filter(runs_it).collect()
}

/// Waits for a condition, and fails after a time limit.
#[track_caller]
pub(crate) fn wait_for(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < PATIENCE, "{what} did not happen");
        std::thread::sleep(Duration::from_millis(20));
    }
}
