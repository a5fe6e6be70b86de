//! Observations: the tests run once as programs that record values.
//!
//! The same text becomes part of the exported test. So an observed test is known to compile, and to end as its case
//! did.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs::{self, File};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tine_engine::temporary::Temporary;
use tine_executor::sandbox::{Confined, Confinement};

use super::Call;
use super::frame::{self, Head};
use super::leaves::{Leaf, LeafKind};

/// C code that reports how a case ends.
const SUPPORT: &str = include_str!("observe.c");

/// Time limit of one test.
const LIMIT: Duration = Duration::from_secs(4);

/// Limits of a program of tests: its time, and the processes that it may start.
const LIMIT_OF_SUITE: Duration = Duration::from_secs(120);
const MAX_TESTS: u32 = 10_000;

/// A test to observe.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) setup: Vec<String>,
    pub(super) calls: Vec<Call>,
    /// Statements after the calls that may fail: postconditions.
    pub(super) after: Vec<String>,
    pub(super) leaves: Vec<Leaf>,
    /// Addresses and sizes of the objects, in C.
    pub(super) objects: Vec<(String, String)>,
}

/// The end of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    Returned,
    Exited(i32),
    Signal(i32),
    TooLong,
}

/// Observed value of a leaf.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    Signed(i64),
    Unsigned(u64),
    /// Bits of a `double`.
    Float(u64),
    Null,
    /// Number of the object, and offset in bytes.
    Object(usize, i64),
    /// Another pointer.
    Other,
    Bytes(Vec<u8>),
}

/// Observations of one test.
#[derive(Clone, Debug)]
pub(super) struct Observed {
    pub(super) ending: Ending,
    pub(super) before: BTreeMap<usize, Vec<Seen>>,
    pub(super) after: BTreeMap<usize, Vec<Seen>>,
    pub(super) output: Vec<u8>,
    /// First lines of what it wrote to stderr.
    pub(super) message: String,
}

/// A compiler, with sanitizers or without.
#[derive(Clone, Debug)]
pub(super) struct Compiler {
    pub(super) command: &'static str,
    pub(super) flags: &'static [&'static str],
}

/// Sanitizer checks that the exploration has, too. Others report correct programs.
const SANITIZED: &[&str] =
    &["-g", "-O0", "-fsanitize=address,undefined", "-fno-sanitize=pointer-overflow", "-fno-sanitize-recover=all"];

pub(super) const WITH_SANITIZERS: [Compiler; 2] =
    [Compiler { command: "clang-22", flags: SANITIZED }, Compiler { command: "gcc", flags: SANITIZED }];
pub(super) const PLAIN: [Compiler; 2] =
    [Compiler { command: "gcc", flags: &["-O1"] }, Compiler { command: "clang-22", flags: &["-O2"] }];

pub(super) const UNOPTIMISED: [Compiler; 2] =
    [Compiler { command: "gcc", flags: &["-O0"] }, Compiler { command: "clang-22", flags: &["-O0"] }];
pub(super) const FOR_MEMORY: [Compiler; 1] =
    [Compiler { command: "clang-22", flags: &["-g", "-O0", "-fsanitize=memory", "-fno-sanitize-recover=all"] }];

/// Messages of a compiler.
#[derive(Debug)]
pub(super) struct Unbuilt(pub(super) String);

/// A built program of candidates.
#[derive(Debug)]
pub(super) struct Observer {
    program: PathBuf,
    /// Removed with the observer.
    _folder: Temporary,
}

impl Observer {
    /// Builds a program of the candidates with the first compiler that succeeds.
    pub(super) fn build(
        head: &Head,
        candidates: &[(usize, &Candidate)],
        compilers: &[Compiler],
    ) -> Result<Observer, Unbuilt> {
        let failed = |why: &dyn std::fmt::Display| Unbuilt(why.to_string());
        let folder = Temporary::new("export").map_err(|why| failed(&why))?;
        let here = folder.path();
        fs::write(here.join("unit.h"), frame::unit_header(&head.main_file.display().to_string(), head))
            .map_err(|why| failed(&why))?;
        fs::write(here.join("observe.c"), SUPPORT).map_err(|why| failed(&why))?;
        fs::write(here.join("tests.c"), text(head, candidates)).map_err(|why| failed(&why))?;
        fs::write(here.join("missing.c"), frame::missing(&head.missing)).map_err(|why| failed(&why))?;
        fs::write(here.join("tine.h"), frame::TINE_HEADER).map_err(|why| failed(&why))?;
        fs::write(here.join("tine.c"), frame::TINE_FUNCTIONS).map_err(|why| failed(&why))?;
        let mut first = None;
        for compiler in compilers {
            match build(head, here, compiler) {
                Ok(program) => return Ok(Observer { program, _folder: folder }),
                Err(why) => first = first.or(Some(why)),
            }
        }
        Err(first.unwrap_or_else(|| failed(&"no compiler")))
    }

    /// Runs one candidate in the sandbox.
    pub(super) fn run(&self, number: usize) -> std::io::Result<Observed> {
        let scratch = Temporary::new("scratch")?;
        let path = |name: &str| scratch.path().join(name);
        for name in [".observed", ".output", ".message"] {
            File::create(path(name))?;
        }
        let mut command = Command::new(&self.program);
        command
            .arg(number.to_string())
            .env_clear()
            .env("TINE_OBSERVED", path(".observed"))
            .env("ASAN_OPTIONS", "detect_leaks=0:allocator_may_return_null=1:abort_on_error=1:symbolize=0:detect_stack_use_after_return=1")
            .env("UBSAN_OPTIONS", "abort_on_error=1:print_stacktrace=0")
            .current_dir(scratch.path())
            .stdin(Stdio::null())
            .stdout(File::create(path(".output"))?)
            .stderr(File::create(path(".message"))?);
        let confinement =
            Confinement { scratch: Some(scratch.path()), lifted: false, n_forks: 0, file_limit: 64 << 20 };
        let Confined { mut child, supervisor, .. } = confinement.spawn(&mut command)?;
        let start = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break Some(status);
            }
            if start.elapsed() > LIMIT {
                let _ = child.kill();
                let _ = child.wait();
                break None;
            }
            std::thread::sleep(Duration::from_millis(1));
        };
        drop(supervisor);
        let lines = fs::read_to_string(path(".observed"))?;
        let returned = lines.lines().any(|line| line.starts_with('r'));
        let ending = match status {
            None => Ending::TooLong,
            Some(status) => match (status.signal(), status.code()) {
                (Some(signal), _) => Ending::Signal(signal),
                (_, Some(0)) if returned => Ending::Returned,
                (_, code) => Ending::Exited(code.unwrap_or(-1)),
            },
        };
        let message = String::from_utf8_lossy(&fs::read(path(".message"))?).into_owned();
        let output = fs::read(path(".output"))?;
        Ok(Observed { ending, before: values(&lines, 'b'), after: values(&lines, 'a'), output, message })
    }
}

/// Names of the tests in a suite in plain C that pass with the current unit.
pub(crate) fn passing(head: &Head, suite: &Path, file: &Path) -> BTreeSet<String> {
    let attempt = || -> Option<BTreeSet<String>> {
        let folder = Temporary::new("update").ok()?;
        let program = folder.path().join("tests");
        let mut command = Command::new("gcc");
        command.args(["-w", "-g"]).args(&head.flags).arg("-isystem").arg(suite.join("tine"));
        command.arg(suite.join(file)).arg(suite.join("support.c"));
        for extra in ["missing.c", "tine/tine.c"].map(|extra| suite.join(extra)).iter().filter(|path| path.exists()) {
            command.arg(extra);
        }
        for (index, other) in head.other_files.iter().enumerate() {
            let object = folder.path().join(format!("file-{index}.o"));
            let mut compile = Command::new("gcc");
            compile.args(["-w", "-c"]).args(&head.flags).arg(format!("-Dmain=main_of_file_{index}"));
            compile.arg(other).arg("-o").arg(&object).current_dir(&head.directory).stdin(Stdio::null());
            compile.output().ok()?;
            command.arg(object);
        }
        command.arg("-o").arg(&program).args(&head.libraries).arg("-lm").stdin(Stdio::null());
        let built = command.current_dir(&head.directory).output().ok()?;
        if !built.status.success() {
            return None;
        }
        let text = fs::read_to_string(suite.join(file)).ok()?;
        let names = text.lines().filter_map(|line| line.strip_prefix("    { \"test_")?.split('"').next());
        let names = names.map(|name| format!("test_{name}"));
        Some(
            names.filter(|name| run_confined(Command::new(&program).arg(name)).is_some_and(|run| run.passed)).collect(),
        )
    };
    attempt().unwrap_or_default()
}

/// Result of a run of a program of tests.
pub(crate) struct Run {
    pub(crate) passed: bool,
    /// Output, including error messages.
    pub(crate) output: String,
    /// Standard output alone, if the program ended in time.
    pub(crate) only_output: Option<Vec<u8>>,
}

/// Runs a program of tests in the sandbox, where it may start processes.
pub(crate) fn run_confined(command: &mut Command) -> Option<Run> {
    let scratch = Temporary::new("scratch").ok()?;
    run_confined_in(command, scratch.path())
}

/// Like `run_confined`, with a directory that it may write below.
pub(crate) fn run_confined_in(command: &mut Command, scratch: &Path) -> Option<Run> {
    let (path, messages) = (scratch.join(".output"), scratch.join(".message"));
    command.current_dir(scratch).env("TMPDIR", scratch).stdin(Stdio::null());
    command.stdout(File::create(&path).ok()?).stderr(File::create(&messages).ok()?);
    let confinement = Confinement { scratch: Some(scratch), lifted: false, n_forks: MAX_TESTS, file_limit: 64 << 20 };
    let Confined { mut child, supervisor, .. } = confinement.spawn(command).ok()?;
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().ok()? {
            break Some(status);
        }
        if start.elapsed() > LIMIT_OF_SUITE {
            let _ = child.kill();
            let _ = child.wait();
            break None;
        }
        std::thread::sleep(Duration::from_millis(1));
    };
    drop(supervisor);
    let printed = fs::read(path).ok()?;
    let all = [fs::read(messages).ok()?, printed.clone()].concat();
    let output = String::from_utf8_lossy(&all).into_owned();
    let passed = status.is_some_and(|status| status.success());
    Some(Run { passed, output, only_output: status.map(|_| printed) })
}

fn values(lines: &str, phase: char) -> BTreeMap<usize, Vec<Seen>> {
    let mut values = BTreeMap::<usize, Vec<Seen>>::new();
    for line in lines.lines().filter(|line| line.starts_with(phase)) {
        let words: Vec<&str> = line.split(' ').collect();
        let (Some(leaf), Some(kind), Some(value)) = (words.get(1), words.get(2), words.get(3)) else { continue };
        let Ok(leaf) = leaf.parse() else { continue };
        let seen = match *kind {
            "i" => value.parse().ok().map(Seen::Signed),
            "u" => value.parse().ok().map(Seen::Unsigned),
            "f" => value.parse().ok().map(Seen::Float),
            "n" => Some(Seen::Null),
            "o" => value
                .parse()
                .ok()
                .zip(words.get(4).and_then(|word| word.parse().ok()))
                .map(|(k, at)| Seen::Object(k, at)),
            // Freed memory.
            "p" if *value == "0" => None,
            "p" => Some(Seen::Other),
            "x" => Some(Seen::Bytes(
                value
                    .as_bytes()
                    .chunks(2)
                    .filter_map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
                    .collect(),
            )),
            _ => None,
        };
        values.entry(leaf).or_default().extend(seen);
    }
    values
}

fn build(head: &Head, folder: &Path, compiler: &Compiler) -> Result<PathBuf, Unbuilt> {
    let program = folder.join("observe");
    let run = |arguments: &[String]| {
        let output = Command::new(compiler.command)
            .args(compiler.flags)
            .args(&head.flags)
            .args(older(compiler.command))
            .args(["-w", "-isystem"])
            .arg(folder)
            .args(arguments)
            .current_dir(&head.directory)
            .env("LC_ALL", "C")
            .stdin(Stdio::null())
            .output()
            .map_err(|why| Unbuilt(format!("{}: {why}", compiler.command)))?;
        if output.status.success() {
            Ok(())
        } else {
            Err(Unbuilt(String::from_utf8_lossy(&output.stderr).into_owned()))
        }
    };
    let at = |name: &str| folder.join(name).display().to_string();
    let mut inputs = vec![at("tests.c"), at("observe.c"), at("missing.c")];
    if head.uses_tine {
        inputs.push(at("tine.c"));
    }
    for (index, file) in head.other_files.iter().enumerate() {
        let object = at(&format!("file-{index}.o"));
        let file = file.display().to_string();
        run(&["-c".to_owned(), format!("-Dmain=main_of_file_{index}"), file, "-o".to_owned(), object.clone()])?;
        inputs.push(object);
    }
    inputs.extend(["-o".to_owned(), program.display().to_string()]);
    inputs.extend(head.libraries.iter().cloned());
    inputs.push("-lm".to_owned());
    run(&inputs)?;
    Ok(program)
}

/// Constructs that C99 forbids and programs still use.
pub(super) fn older(compiler: &str) -> &'static [&'static str] {
    if compiler.starts_with("clang") { frame::OLDER_C } else { &[] }
}

/// Assigns messages of the compiler to tests.
pub(super) fn blamed(head: &Head, candidates: &[(usize, &Candidate)], messages: &str) -> Vec<(usize, String)> {
    let text = text(head, candidates);
    let mut found: Vec<(usize, String)> = Vec::new();
    for message in messages.lines() {
        let Some((_, rest)) = message.split_once("tests.c:") else { continue };
        let mut parts = rest.splitn(3, ':');
        let Some(line) = parts.next().and_then(|line| line.parse::<usize>().ok()) else { continue };
        let Some((_, what)) = rest.split_once("error: ") else { continue };
        let before = text.lines().take(line);
        let test =
            before.filter_map(|line| line.strip_prefix("static void tine_t_")?.split('(').next()?.parse().ok()).last();
        if let Some(test) = test
            && !found.iter().any(|(known, _)| *known == test)
        {
            found.push((test, what.to_owned()));
        }
    }
    found
}

/// The program of the candidates.
fn text(head: &Head, candidates: &[(usize, &Candidate)]) -> String {
    let mut text = head.text("unit.h");
    text.push_str(
        "extern void tine_o_begin(void), tine_o_call(void), tine_o_returned(void);\n\
         extern void tine_o_object(const volatile void *, unsigned long);\n\
         extern int tine_o_readable(const volatile void *, unsigned long), tine_o_fresh(const volatile void *, unsigned long);\n\
         extern void tine_o_signed(int, long long), tine_o_unsigned(int, unsigned long long), tine_o_float(int, double);\n\
         extern void tine_o_pointer(int, const volatile void *), tine_o_text(int, const volatile void *);\n\
         extern void tine_o_bytes(int, const volatile void *, unsigned long);\n",
    );
    for (number, candidate) in candidates {
        let _ = writeln!(text, "static void tine_t_{number}(void) {{\n    tine_o_begin();");
        for line in &candidate.setup {
            let _ = writeln!(text, "    {line}");
        }
        for (address, size) in &candidate.objects {
            let _ = writeln!(text, "    tine_o_object((const volatile void *){address}, {size});");
        }
        observe_all(&mut text, &candidate.leaves, false);
        text.push_str("    tine_o_call();\n");
        for call in &candidate.calls {
            let _ = writeln!(text, "    {}", call.statement(true));
        }
        text.push_str("    tine_o_returned();\n");
        observe_all(&mut text, &candidate.leaves, true);
        for line in &candidate.after {
            let _ = writeln!(text, "    {line}");
        }
        text.push_str("}\n");
    }
    text.push_str("int main(int argc, char **argv) {\n    int test = argc > 1 ? __builtin_atoi(argv[1]) : -1;\n");
    let text = &mut text.replace("__builtin_atoi", "atoi");
    for (number, _) in candidates {
        let _ = writeln!(text, "    if (test == {number}) tine_t_{number}();");
    }
    text.push_str("    return 0;\n}\n");
    text.clone()
}

fn observe_all(text: &mut String, leaves: &[Leaf], after: bool) {
    let roots = leaves.iter().enumerate().filter(|(_, leaf)| leaf.parent.is_none() && (after || !leaf.is_result));
    for (index, leaf) in roots {
        observe(text, leaves, index, leaf, after);
    }
}

fn observe(text: &mut String, leaves: &[Leaf], index: usize, leaf: &Leaf, after: bool) {
    let e = &leaf.expression;
    let statement = match leaf.kind {
        LeafKind::Signed => format!("tine_o_signed({index}, (long long)({e}));"),
        LeafKind::Unsigned => format!("tine_o_unsigned({index}, (unsigned long long)({e}));"),
        LeafKind::Float => format!("tine_o_float({index}, (double)({e}));"),
        LeafKind::Pointer => format!("tine_o_pointer({index}, (const volatile void *)({e}));"),
        LeafKind::Text => format!("tine_o_text({index}, (const volatile void *)({e}));"),
        LeafKind::Wide => format!("tine_o_bytes({index}, (const volatile void *)&({e}), sizeof ({e}));"),
        LeafKind::Characters(size) => format!("tine_o_bytes({index}, (const volatile void *)({e}), {size});"),
    };
    // Objects may have been freed.
    let guard = if leaf.is_bits || leaf.is_result && leaf.parent.is_none() || leaf.parent.is_some() {
        String::new()
    } else {
        format!("if (tine_o_readable((const volatile void *)&({e}), sizeof ({e}))) ")
    };
    let _ = writeln!(text, "    {guard}{{ {statement}");
    let inner: Vec<usize> = (index + 1..leaves.len()).filter(|k| leaves[*k].parent == Some(index)).collect();
    if after && !inner.is_empty() {
        let _ = writeln!(text, "    if (tine_o_fresh((const volatile void *)({e}), sizeof *({e}))) {{");
        for k in inner {
            observe(text, leaves, k, &leaves[k], after);
        }
        text.push_str("    }\n");
    }
    text.push_str("    }\n");
}
