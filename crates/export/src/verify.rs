//! Verification of exported tests: builds and runs them with gcc and clang with all warnings as errors, with
//! sanitizers, and with gcov. The lines that gcov counts are compared with those that tine reports as covered.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use tine_engine::stored::Stored;
use tine_engine::temporary::Temporary;
use tine_session::Session;

use crate::source::observe::run_confined_in;
use crate::{Error, failed};

/// One configuration for building the tests.
struct Build {
    name: &'static str,
    c: &'static str,
    cpp: &'static str,
    flags: &'static str,
}

const SANITIZERS: &str = "-g -O1 -fsanitize=address,undefined -fno-sanitize=pointer-overflow -fno-sanitize-recover=all";

const BUILDS: [Build; 4] = [
    Build { name: "gcc", c: "gcc", cpp: "g++", flags: "-O1" },
    Build { name: "clang", c: "clang-22", cpp: "clang++-22", flags: "-O1" },
    Build { name: "gcc with sanitizers", c: "gcc", cpp: "g++", flags: SANITIZERS },
    Build { name: "clang with sanitizers", c: "clang-22", cpp: "clang++-22", flags: SANITIZERS },
];

/// The result of building and running the tests.
#[derive(Debug, Default)]
pub struct Verified {
    /// Name of each build, and its failure if there is one.
    pub builds: Vec<(&'static str, Option<String>)>,
    /// Lines that tine reports as covered by cases that return.
    pub claimed: usize,
    /// Those of them that the tests do not execute according to gcov.
    pub missed: Vec<u32>,
    /// Some case is left out, so the tests need not execute all lines.
    pub is_partial: bool,
}

impl Verified {
    /// True if every build passed and the tests execute the lines that they should.
    pub fn is_fine(&self) -> bool {
        self.builds.iter().all(|(_, wrong)| wrong.is_none()) && (self.is_partial || self.missed.is_empty())
    }
}

/// Builds and runs the tests of a directory. `is_partial`: some case is left out.
pub fn verify(session: &Path, out: &Path, is_partial: bool) -> Result<Verified, Error> {
    let opened = Session::open(session)?;
    let mut verified = Verified { is_partial, ..Verified::default() };
    let program = fs::read_dir(out).map_err(failed(out))?.flatten().map(|entry| entry.path());
    let tests: Vec<PathBuf> = program.filter(|path| is_test(path)).collect();
    for build in &BUILDS {
        verified.builds.push((build.name, run(out, &tests, build)?));
    }
    clean(out);
    let errors = tests_of_errors(out);
    if !errors.is_empty() {
        let wrong = run_errors(out, &errors)?;
        verified.builds.push(("errors with sanitizers", wrong));
        clean(out);
    }
    coverage(&opened, out, &tests, &mut verified)?;
    clean(out);
    Ok(verified)
}

fn is_test(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name.starts_with("test_") && name.ends_with(".c")
}

fn tests_of_errors(out: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(out.join("errors")).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.filter(|path| is_test(path)).collect()
}

fn clean(out: &Path) {
    let _ = make(out, &["clean".to_owned()]);
}

/// Messages of make if it fails.
fn make(out: &Path, arguments: &[String]) -> Option<String> {
    let mut command = Command::new("make");
    command.arg("-s").arg("-C").arg(out).args(arguments).env("LC_ALL", "C").stdin(Stdio::null());
    match command.output() {
        Ok(output) if output.status.success() => None,
        Ok(output) => Some(String::from_utf8_lossy(&output.stderr).into_owned()),
        Err(why) => Some(format!("make: {why}")),
    }
}

fn compilers(c: &str, cpp: &str, flags: &str) -> Vec<String> {
    vec![format!("CC={c}"), format!("CXX={cpp}"), format!("CFLAGS={flags}"), format!("CXXFLAGS={flags}")]
}

/// Builds and runs the tests. Returns a description of a failure.
fn run(out: &Path, tests: &[PathBuf], build: &Build) -> Result<Option<String>, Error> {
    clean(out);
    for test in tests {
        let program = test.with_extension("");
        let target = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let arguments = [compilers(build.c, build.cpp, build.flags), vec![target]].concat();
        if let Some(messages) = make(out, &arguments) {
            return Ok(Some(first_error(&messages)));
        }
        let scratch = Temporary::new("verify").map_err(Error::Observing)?;
        if let Some(wrong) = failing(&program, scratch.path()) {
            return Ok(Some(wrong));
        }
    }
    Ok(None)
}

fn failing(program: &Path, scratch: &Path) -> Option<String> {
    let program = fs::canonicalize(program).unwrap_or_else(|_| program.to_owned());
    match run_confined_in(Command::new(program).env("GCOV_PREFIX", scratch), scratch) {
        Some(run) if run.passed => None,
        Some(run) => Some(first_error(&run.output)),
        None => Some("it cannot be run".to_owned()),
    }
}

fn run_errors(out: &Path, tests: &[PathBuf]) -> Result<Option<String>, Error> {
    for test in tests {
        let program = test.with_extension("");
        let target = format!("errors/{}", program.file_name().unwrap_or_default().to_string_lossy());
        // Only clang shows some errors.
        let arguments = [compilers("clang-22", "clang++-22", ""), vec!["CLANG=clang-22".to_owned(), target]].concat();
        if let Some(messages) = make(out, &arguments) {
            return Ok(Some(first_error(&messages)));
        }
        let scratch = Temporary::new("verify").map_err(Error::Observing)?;
        if let Some(wrong) = failing(&program, scratch.path()) {
            return Ok(Some(wrong));
        }
    }
    Ok(None)
}

fn first_error(messages: &str) -> String {
    let marked = messages.lines().find(|line| line.contains("error") || line.contains("FAILED"));
    marked.or(messages.lines().last()).unwrap_or("it fails").trim().to_owned()
}

/// Compares the lines that gcov counts with those that tine reports. Lines that only cases with errors execute are left
/// out: their tests do not return.
fn coverage(session: &Session, out: &Path, tests: &[PathBuf], verified: &mut Verified) -> Result<(), Error> {
    let stored = Stored::read(session)?;
    let (Some(unit), Some(test)) = (stored.target.sources.first(), tests.first()) else { return Ok(()) };
    let counts = counted(out, &test.with_extension(""), unit)?;
    for notes in files(out, "gcno") {
        let _ = fs::remove_file(notes);
    }
    let Some(counts) = counts else { return Ok(()) };
    for line in session.lines()?.iter().filter(|line| unit.ends_with(&line.file) || Path::new(&line.file) == unit) {
        if line.is_passed
            && let Some(count) = counts.get(&line.line)
        {
            verified.claimed += 1;
            if *count == 0 {
                verified.missed.push(line.line);
            }
        }
    }
    Ok(())
}

/// Executions of the lines of the unit by one program of tests.
fn counted(out: &Path, program: &Path, unit: &Path) -> Result<Option<BTreeMap<u32, u64>>, Error> {
    let scratch = Temporary::new("verify").map_err(Error::Observing)?;
    let target = program.strip_prefix(out).unwrap_or(program).to_string_lossy().into_owned();
    let arguments = [compilers("gcc", "g++", "-O0 --coverage -Wl,-u,__gcov_dump"), vec![target]].concat();
    if make(out, &arguments).is_some() || failing(program, scratch.path()).is_some() {
        return Ok(None);
    }
    let mut counts = BTreeMap::new();
    for data in files(scratch.path(), "gcda") {
        let notes = data.with_extension("gcno");
        let original = Path::new("/").join(notes.strip_prefix(scratch.path()).unwrap_or(&notes));
        if fs::copy(&original, &notes).is_err() {
            continue;
        }
        let mut gcov = Command::new("gcov");
        gcov.args(["--json-format", "--stdout"]).arg(&data).current_dir(scratch.path());
        let Ok(output) = gcov.output() else { return Ok(None) };
        for (line, count) in self::counts(&output.stdout, unit) {
            *counts.entry(line).or_insert(0) += count;
        }
    }
    Ok(if counts.is_empty() { None } else { Some(counts) })
}

/// Files below a directory with this ending.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            found.extend(files(&path, ending));
        } else if path.extension().is_some_and(|own| own == ending) {
            found.push(path);
        }
    }
    found
}

/// Executions of the lines of the unit.
fn counts(report: &[u8], unit: &Path) -> BTreeMap<u32, u64> {
    let mut counts = BTreeMap::new();
    let report: Value = serde_json::from_slice(report).unwrap_or_default();
    let name = unit.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    for file in report["files"].as_array().into_iter().flatten() {
        let path = file["file"].as_str().map(Path::new);
        if path.and_then(Path::file_name).is_none_or(|own| *own != *name) {
            continue;
        }
        for line in file["lines"].as_array().into_iter().flatten() {
            if let (Some(number), Some(count)) = (line["line_number"].as_u64(), line["count"].as_u64()) {
                *counts.entry(number as u32).or_insert(0) += count;
            }
        }
    }
    counts
}
