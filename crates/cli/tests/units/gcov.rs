//! Runs the kept cases with a program that gcc compiled for gcov: on every line it must count as many branch sides as
//! tine, and as many of them taken. It must also execute the same lines as the lcov file of the session.
//!
//! Each case is run as a user would run it. So this shows that the suite keeps a case for every side, and that tine
//! counts the same as other tools. A line with a different count names the reason: `//~ GCOV reason`, one of
//! [`DIFFERENCES`]. Lines that only one of the two counts are those of [`Text`].

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tine_engine::stored::Stored;
use tine_session::Session;

use crate::native;

mod lines;

/// Reasons for different gcov counts on a line.
const DIFFERENCES: [(&str, &str); 4] = [
    ("choice", "a choice between constants (`c ? 1 : 2`) is an expression for tine, and not a branch"),
    ("folded", "gcc removes operands that it knows (`x && 1`), and writes `a > b ? a : b` as a maximum"),
    (
        "generated",
        "gcc counts branches of its own: in products of complex numbers, where scopes with cleanups are left",
    ),
    (SUITE, "the kept cases take all branch sides without executing this line, as some other run did"),
];

/// Reason for a line that runs executed, but no kept case.
const SUITE: &str = "suite";

/// Calls whose lines are not compared: tine counts assertions as checks, and cases do not violate assumptions.
const LEFT_OUT: [&str; 2] = ["assert(", "assume("];

/// Writes the counts at the end of a run, however it ends.
const DUMP: &str = "#include <signal.h>
    void __gcov_dump(void);
    static void dump(int number) { __gcov_dump(); signal(number, SIG_DFL); raise(number); }
    __attribute__((constructor)) static void at_signals(void) {
        static char stack[1 << 16];
        sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, 0);
        int numbers[] = {SIGABRT, SIGFPE, SIGSEGV, SIGILL, SIGBUS, SIGXCPU};
        for (unsigned k = 0; k < sizeof numbers / sizeof *numbers; k++)
            sigaction(numbers[k], &(struct sigaction){.sa_handler = dump, .sa_flags = SA_ONSTACK}, 0);
    }";

/// Commands that build and run a unit.
pub(crate) struct Unit<'a> {
    /// The annotated file.
    pub(crate) file: &'a Path,
    pub(crate) is_program: bool,
    pub(crate) flags: &'a str,
    pub(crate) arguments: &'a [&'a str],
    /// Functions that do not count as code under test.
    pub(crate) predicates: &'a [&'a str],
    /// Reason by line.
    pub(crate) differences: &'a BTreeMap<u64, String>,
}

/// Name of a file, and number of a line in it.
type Line = (String, u64);
/// Number of branch sides on a line, and number of sides taken.
type Sides = BTreeMap<Line, (usize, usize)>;
/// Lines with code; true if they were executed.
type Lines = BTreeMap<Line, bool>;

/// Returns a message if the coverage of the session in `out` is wrong.
pub(crate) fn compare(out: &Path, unit: &Unit<'_>) -> Result<Vec<String>, String> {
    let text = |why: tine_session::SessionError| why.to_string();
    let session = Session::open(out).map_err(text)?;
    let folder = tempfile::tempdir().map_err(|why| why.to_string())?;
    let program = build(folder.path(), out, unit)?;
    let with_files = Stored::read(&session)
        .map(|stored| stored.target.inputs(&stored.config).is_some())
        .map_err(|why| why.to_string())?;
    for case in session.cases().map_err(text)? {
        let runs = if with_files { native::run_script } else { native::run };
        runs(&case, out, &program, unit.arguments)?;
    }
    let (theirs, executed) = counted_by_gcov(folder.path(), unit)?;
    let mut ours = Sides::new();
    for side in session.branches().map_err(text)? {
        if let Some(file) = unit.own(Path::new(&side.file)) {
            let (total, taken) = ours.entry((file, u64::from(side.line))).or_default();
            *total += 1;
            *taken += usize::from(side.case.is_some());
        }
    }
    let mut complaints = differences(&ours, &theirs, unit);
    complaints.extend(lines::differences(&lines::of_lcov(out, unit)?, &executed, unit));
    Ok(complaints)
}

impl Unit<'_> {
    /// Name of a file beside the unit. Other files are not the user's.
    fn own(&self, file: &Path) -> Option<String> {
        let is_beside = file.parent() == self.file.parent();
        is_beside.then(|| file.file_name().unwrap_or_default().to_string_lossy().into_owned())
    }

    /// Reason for a different gcov count on a line.
    fn reason(&self, (file, line): &Line) -> Option<&str> {
        let is_here = self.file.file_name().is_some_and(|name| name == file.as_str());
        self.differences.get(line).filter(|_| is_here).map(String::as_str)
    }

    fn is_left_out(&self, (file, line): &Line) -> bool {
        let text = std::fs::read_to_string(self.file.with_file_name(file)).unwrap_or_default();
        let line = text.lines().nth(*line as usize - 1).unwrap_or("");
        LEFT_OUT.iter().any(|call| line.contains(call))
    }
}

fn differences(ours: &Sides, theirs: &Sides, unit: &Unit<'_>) -> Vec<String> {
    let mut complaints = Vec::new();
    for line in ours.keys().chain(theirs.keys()).collect::<BTreeSet<_>>() {
        let sides = |of: &Sides| of.get(line).copied().unwrap_or_default();
        let ((total, taken), (gcov_total, gcov_taken)) = (sides(ours), sides(theirs));
        let differs = (total, taken) != (gcov_total, gcov_taken);
        let at = format!("{}:{}", line.0, line.1);
        match unit.reason(line) {
            _ if unit.is_left_out(line) => {}
            Some(reason) if DIFFERENCES.iter().all(|(name, _)| *name != reason) => {
                complaints.push(format!("{at}: `{reason}` is not a known reason to differ from gcov"));
            }
            Some(SUITE) if !differs => {}
            Some(_) if !differs => complaints.push(format!("{at}: gcov agrees, so `GCOV` is not needed")),
            None if differs => complaints.push(format!(
                "{at}: {taken} of {total} sides are taken, but {gcov_taken} of {gcov_total} according to gcov"
            )),
            _ => {}
        }
    }
    complaints
}

fn build(folder: &Path, out: &Path, unit: &Unit<'_>) -> Result<PathBuf, String> {
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../include");
    let source = if unit.is_program { unit.file.to_path_buf() } else { out.join("driver.c") };
    std::fs::write(folder.join("dump.c"), DUMP).map_err(|why| why.to_string())?;
    let mut gcc = Command::new("gcc");
    gcc.args(["-c", "-O0", "-w", "-fprofile-arcs", "-ftest-coverage"]).args(unit.flags.split_whitespace());
    gcc.arg("-I").arg(include).arg(source).arg("-o").arg(folder.join("unit.o"));
    finish(&mut gcc)?;
    finish(Command::new("gcc").args(["-c", "dump.c"]).current_dir(folder))?;
    let library = finish(Command::new("gcc").arg("-print-file-name=libgcov.a"))?;
    let program = folder.join("program");
    let mut link = Command::new(env!("CARGO_BIN_EXE_tine"));
    link.args(["cc", "--native"]).arg(folder.join("unit.o")).arg(folder.join("dump.o")).arg(library.trim());
    finish(link.args(["-lm", "-o"]).arg(&program))?;
    Ok(program)
}

fn counted_by_gcov(folder: &Path, unit: &Unit<'_>) -> Result<(Sides, Lines), String> {
    let report = finish(Command::new("gcov").args(["--json-format", "--stdout", "-b", "unit.o"]).current_dir(folder))?;
    let report: Value = serde_json::from_str(&report).map_err(|why| format!("gcov says {report}: {why}"))?;
    let list = |value: &Value, key: &str| value[key].as_array().cloned().unwrap_or_default();
    let (mut sides, mut lines) = (Sides::new(), Lines::new());
    for file in list(&report, "files") {
        let Some(name) = file["file"].as_str().and_then(|file| unit.own(Path::new(file))) else { continue };
        let is_left_out = |name: &str| is_in_driver(name) || unit.predicates.contains(&name);
        let is_user = |line: &Value| unit.is_program || !line["function_name"].as_str().is_some_and(is_left_out);
        for line in list(&file, "lines").into_iter().filter(is_user) {
            let number = line["line_number"].as_u64().unwrap_or(0);
            *lines.entry((name.clone(), number)).or_default() |= line["count"].as_u64() > Some(0);
            for side in list(&line, "branches") {
                let (total, taken) = sides.entry((name.clone(), number)).or_default();
                *total += 1;
                *taken += usize::from(side["count"].as_u64() > Some(0));
            }
        }
    }
    Ok((sides, lines))
}

/// True for functions of the harness, some of which have a source line of the user's file.
fn is_in_driver(function: &str) -> bool {
    function == "main" || function.starts_with("tine_")
}

/// Output of a command that succeeds.
fn finish(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|why| format!("{:?}: {why}", command.get_program()))?;
    if !output.status.success() {
        return Err(format!("{command:?} failed:\n{}", String::from_utf8_lossy(&output.stderr)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
