//! Random programs behave the same instrumented and native.
//!
//! csmith writes programs without undefined behaviour that print a running checksum of their globals. Each is built
//! natively and instrumented, and both must print the same. Every second one gets inputs: some of its globals are
//! overwritten at the start of `main`. It is explored for a few runs, and each run must print the same as the native
//! program with that run's input. The import also checks every constraint of every run.
//!
//! Other programs are made from templates (`differential/features.rs`). They are compared with builds by gcc, and by
//! clang with and without optimisation.
//!
//! A third kind has memory errors, which AddressSanitizer finds, too (`differential/memory.rs`).
//!
//! `TINE_CSMITH_PROGRAMS` (40), `TINE_FEATURE_PROGRAMS` (7) and `TINE_MEMORY_FILES` (3, of 20 programs each) are the
//! numbers of programs. With `TINE_LONG` there are 30 files with memory errors. The seed of a program is in
//! the name of its test. A failing program is kept, and the message names its path.

#[path = "differential/features.rs"]
mod features;
#[path = "differential/memory.rs"]
mod memory;

use std::ffi::OsString;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use libtest_mimic::{Arguments, Failed, Trial};
use tine_engine::scheduler::{Observer, run_alone};
use tine_executor::unit::{Unit, UnitOptions};
use tine_executor::{LocalExecutor, Places, Shapes};
use tine_explore::{Budget, Control, Dfs, Explorer, JobResult, ProgramMap, Run, Settings, Step};
use tine_trace::event::NoteKind;
use tine_trace::outcome::OutcomeKind;
use tine_trace::segment::{FLAG_RECORD, Limits, REPLAY_VARIABLE};

const PROGRAMS: u64 = 40;
/// Uses all templates twice.
const FEATURE_PROGRAMS: u64 = 7;
/// Each has 20 programs with memory errors.
const MEMORY_FILES: u64 = 3;
const MEMORY_FILES_LONG: u64 = 30;
const MAX_RUNS: u64 = 12;
const MAX_TIME: Duration = Duration::from_secs(4);
/// Minimum number of branches. Many programs have fewer, or run too long, because csmith does not guarantee an end.
/// Such a program is replaced by that of seed + `ANOTHER`.
const MIN_BRANCHES: usize = 12;
const NATIVE_CPU_SECONDS: u32 = 1;
const INSTRUMENTED_CPU_SECONDS: u32 = 60;
const ANOTHER: u64 = 100_000;
/// csmith's floats need pointer casts, and some of its builtins need a CPU feature.
const FLAGS: &[&str] = &[
    "-g",
    "-w",
    "-Wno-incompatible-pointer-types",
    "-fno-strict-aliasing",
    "-mcrc32",
    "-isystem",
    "/usr/include/csmith",
];
/// Small programs without undefined behaviour: pointers into packed structures are not aligned.
const SIZE: &[&str] =
    &["--max-funcs", "5", "--max-block-depth", "3", "--max-expr-complexity", "6", "--concise", "--no-packed-struct"];
/// Counting leading or trailing zeros of zero is undefined, too.
const BUILTINS: &[(&str, &str)] = &[
    ("clz", "unsigned"),
    ("ctz", "unsigned"),
    ("clzl", "unsigned long"),
    ("ctzl", "unsigned long"),
    ("clzll", "unsigned long long"),
    ("ctzll", "unsigned long long"),
    ("clzs", "unsigned short"),
    ("ctzs", "unsigned short"),
];
/// Features of the programs, in turn.
const FLAVOURS: &[&[&str]] = &[
    &[],
    &["--max-array-len-per-dim", "4", "--no-volatiles"],
    &["--inline-function", "--max-block-size", "3"],
    &["--no-structs", "--no-unions", "--max-pointer-depth", "3"],
    &["--no-jumps", "--no-unions", "--no-const-pointers"],
    &["--builtins", "--no-unions", "--max-funcs", "8"],
    &["--float", "--strict-float", "--max-array-dim", "2"],
];
/// The search begins with the deepest decision. Bounds make it flip early ones, too.
const DEPTHS: &[u32] = &[12, 40, 150, u32::MAX];

fn main() {
    let arguments = Arguments::from_args();
    let wanted = |variable: &str| std::env::var(variable).ok().and_then(|text| text.parse().ok());
    let trials = (1..=wanted("TINE_CSMITH_PROGRAMS").unwrap_or(PROGRAMS)).map(|seed| {
        let how = if has_inputs(seed) { "with_inputs" } else { "plain" };
        Trial::test(format!("csmith/{how}/seed_{seed}"), move || check(seed, check_in))
    });
    let features = (1..=wanted("TINE_FEATURE_PROGRAMS").unwrap_or(FEATURE_PROGRAMS))
        .map(|seed| Trial::test(format!("features/seed_{seed}"), move || check(seed, check_features)));
    let is_long = std::env::var_os("TINE_LONG").is_some();
    let files = if is_long { MEMORY_FILES_LONG } else { MEMORY_FILES };
    let memory = (1..=wanted("TINE_MEMORY_FILES").unwrap_or(files))
        .map(|seed| Trial::test(format!("memory/seed_{seed}"), move || check(seed, memory::check)));
    libtest_mimic::run(&arguments, trials.chain(features).chain(memory).collect()).exit();
}

fn has_inputs(seed: u64) -> bool {
    seed.is_multiple_of(2)
}

fn check(seed: u64, how: fn(&Path, u64) -> Result<(), String>) -> Result<(), Failed> {
    let folder = tempfile::Builder::new().prefix("tine-differential-").tempdir()?;
    how(folder.path(), seed).map_err(|why| {
        let kept = folder.keep();
        format!("{why}\nthe program is in {}", kept.display()).into()
    })
}

fn check_in(folder: &Path, seed: u64) -> Result<(), String> {
    let (program, native_output) = Program::generate(folder, seed)?;
    program.compile(&[], &program.instrumented)?;
    let instrumented = run(&program.instrumented, INSTRUMENTED_CPU_SECONDS, None)?;
    let output = instrumented.ok_or("the instrumented program does not end")?;
    if output != native_output {
        return Err(format!("by itself: {}", difference(&native_output, &output)));
    }
    if has_inputs(seed) {
        let depth = DEPTHS[(seed / 2) as usize % DEPTHS.len()];
        // With a random input the program may not end. With zeros it does, as the run above has shown.
        let n_compared = explore(&program, depth, seed)?;
        if n_compared == 0 && explore(&program, depth, 0)? == 0 {
            return Err("no run ended by itself".to_owned());
        }
    }
    Ok(())
}

/// A program made from templates.
fn check_features(folder: &Path, seed: u64) -> Result<(), String> {
    let program = Program {
        source: folder.join("program.c"),
        natives: ["clang0", "clang2", "gcc"].map(|name| folder.join(name)).to_vec(),
        instrumented: folder.join("instrumented"),
    };
    std::fs::write(&program.source, features::program(seed)?).map_err(|why| why.to_string())?;
    program.compile(&["--native", "-O0"], &program.natives[0])?;
    program.compile(&["--native", "-O2"], &program.natives[1])?;
    program.compile_by_gcc(&program.natives[2])?;
    program.compile(&[], &program.instrumented)?;
    let outputs: Vec<Option<Vec<u8>>> = program
        .natives
        .iter()
        .chain([&program.instrumented])
        .map(|program| run(program, INSTRUMENTED_CPU_SECONDS, None))
        .collect::<Result<_, String>>()?;
    let [Some(first), others @ ..] = &outputs[..] else { return Err("the native program does not end".to_owned()) };
    for output in others {
        let output = output.as_ref().ok_or("a program does not end")?;
        if output != first {
            return Err(format!("by itself: {}", difference(first, output)));
        }
    }
    if explore(&program, u32::MAX, seed)? == 0 {
        return Err("no run ended by itself".to_owned());
    }
    Ok(())
}

struct Program {
    source: PathBuf,
    /// Native builds of the compilers.
    natives: Vec<PathBuf>,
    instrumented: PathBuf,
}

impl Program {
    /// A terminating program and its native output.
    fn generate(folder: &Path, seed: u64) -> Result<(Program, Vec<u8>), String> {
        let program = Program {
            source: folder.join("program.c"),
            natives: vec![folder.join("native")],
            instrumented: folder.join("instrumented"),
        };
        for seed in (0..100).map(|attempt| seed + attempt * ANOTHER) {
            let flavour = FLAVOURS[(seed / 2) as usize % FLAVOURS.len()];
            let mut csmith = Command::new("csmith");
            // csmith leaves a file in its working directory.
            csmith.args(["--seed", &seed.to_string()]).args(SIZE).args(flavour).current_dir(folder);
            let output = csmith.output().map_err(|why| format!("csmith: {why}; install the package csmith"))?;
            let text = String::from_utf8_lossy(&output.stdout);
            if text.matches("if (").count() < MIN_BRANCHES {
                continue;
            }
            let text = format!("{}{text}", builtins());
            let text = if has_inputs(seed) { with_inputs(&text) } else { Some(text) };
            let Some(text) = text else { continue };
            std::fs::write(&program.source, text).map_err(|why| why.to_string())?;
            program.compile(&["--native", "-O1", "-fno-finite-loops"], &program.natives[0])?;
            if let Some(output) = run(&program.natives[0], NATIVE_CPU_SECONDS, None)? {
                return Ok((program, output));
            }
        }
        Err("no program that ends".to_owned())
    }

    fn compile(&self, how: &[&str], to: &Path) -> Result<(), String> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tine"));
        command.arg("cc").args(how).args(FLAGS);
        command.arg(&self.source).arg("-o").arg(to).arg("-lm");
        succeed(command)
    }

    fn compile_by_gcc(&self, to: &Path) -> Result<(), String> {
        let object = to.with_extension("o");
        let mut gcc = Command::new("gcc");
        gcc.args(["-w", "-O1", "-fno-strict-aliasing", "-c"]).arg(&self.source).arg("-o").arg(&object);
        succeed(gcc)?;
        let mut link = Command::new(env!("CARGO_BIN_EXE_tine"));
        link.args(["cc", "--native"]).arg(&object).arg("-o").arg(to).arg("-lm");
        succeed(link)
    }
}

fn succeed(mut command: Command) -> Result<(), String> {
    let output = command.output().map_err(|why| format!("{command:?}: {why}"))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr))),
    }
}

/// Definitions that make each of [`BUILTINS`] total.
fn builtins() -> String {
    let define = |(name, ty): &(&str, &str)| {
        format!("#define __builtin_{name}(x) ({{ {ty} _v = (x); _v ? __builtin_{name}(_v) : 8 * (int)sizeof _v; }})\n")
    };
    BUILTINS.iter().map(define).collect()
}

/// The program with inputs in some of its globals and constants; `None` if it has no suitable ones. If the inputs are
/// zero, the constants do not change.
fn with_inputs(text: &str) -> Option<String> {
    const MAX_GLOBALS: usize = 8;
    let names: Vec<&str> = text.lines().filter_map(input_name).take(MAX_GLOBALS).collect();
    let (before, body) = text.split_once("int main (int argc, char* argv[])\n{\n")?;
    let (before, n_constants) = with_symbolic_constants(before);
    let request = |name: &str| format!("    __tine_input((void *)&{name}, sizeof {name}, \"{name}\", 0);\n");
    let requests: String = names.iter().copied().chain(["constants"]).map(request).collect();
    (!names.is_empty() || n_constants > 0).then(|| {
        format!(
            "static signed char constants[{MAX_CONSTANTS}];\n{before}\
             extern void __tine_input(void *, unsigned long, const char *, unsigned);\n\
             int main (int argc, char* argv[])\n{{\n{requests}{body}"
        )
    })
}

const MAX_CONSTANTS: usize = 16;

/// Replaces `0x4DL` in some expressions by `(0x4DL ^ constants[3])`. Where csmith needs a constant expression, it
/// writes a decimal number.
fn with_symbolic_constants(text: &str) -> (String, usize) {
    let mut result = String::new();
    let mut n_constants = 0;
    for line in text.split_inclusive('\n') {
        let is_expression = line.contains("safe_") || line.contains("if (");
        let mut rest = line;
        while is_expression && n_constants < MAX_CONSTANTS {
            let Some(start) = rest.find("0x") else { break };
            let is_digit = |c: char| c.is_ascii_hexdigit() || matches!(c, 'x' | 'L' | 'U');
            let len = rest[start..].find(|c| !is_digit(c)).unwrap_or(rest.len() - start);
            let (before, literal, after) = (&rest[..start], &rest[start..start + len], &rest[start + len..]);
            if literal.ends_with('L') {
                result += &format!("{before}({literal} ^ constants[{n_constants}])");
                n_constants += 1;
            } else {
                // This is part of a float, `0x3.5p+1`.
                result += &rest[..start + len];
            }
            rest = after;
        }
        result += rest;
    }
    (result, n_constants)
}

/// `g_7` of `static volatile int32_t g_7 = 0x1L;`, `static struct S0 g_7 = {1,2};` or `static int8_t g_7[2] = {1,2};`:
/// integers, and structures and arrays of them, which may have any value.
fn input_name(line: &str) -> Option<&str> {
    let mut words = line.strip_prefix("static ")?.split(' ').filter(|word| *word != "volatile");
    let ty = words.next()?;
    let is_integer = ty.ends_with("_t") && ty.trim_start_matches('u').starts_with("int");
    if !is_integer && (ty != "struct" || words.next().is_none()) {
        return None;
    }
    let name = words.next()?;
    let (name, _) = name.split_once('[').unwrap_or((name, ""));
    (name.starts_with("g_") && words.next() == Some("=")).then_some(name)
}

/// Output of a program; `None` if it exceeds the time limit.
fn run(program: &Path, cpu_seconds: u32, plan: Option<&Path>) -> Result<Option<Vec<u8>>, String> {
    let mut command = Command::new("prlimit");
    command.arg(format!("--cpu={cpu_seconds}")).arg("--core=0").arg("--").arg(program).arg("1");
    if let Some(plan) = plan {
        command.env(REPLAY_VARIABLE, plan);
    }
    let Output { status, mut stdout, stderr } = command.output().map_err(|why| format!("prlimit: {why}"))?;
    if !status.success() {
        use std::os::unix::process::ExitStatusExt;
        const SIGKILL: i32 = 9;
        const SIGXCPU: i32 = 24;
        return match status.signal() {
            Some(SIGKILL | SIGXCPU) => Ok(None),
            _ => Err(format!("{} ended with {status}: {}", program.display(), String::from_utf8_lossy(&stderr))),
        };
    }
    stdout.extend_from_slice(&stderr);
    Ok(Some(stdout))
}

/// Explores the program for a while and compares each run with the native program. Returns the number of compared runs.
fn explore(program: &Program, depth: u32, seed: u64) -> Result<u32, String> {
    let text = |why: &dyn std::fmt::Display| why.to_string();
    let scratch = tempfile::tempdir().map_err(|why| text(&why))?;
    let options = UnitOptions {
        scratch: Some(scratch.path().to_path_buf()),
        run_timeout: Duration::from_secs(2),
        ..UnitOptions::default()
    };
    let unit = Unit::start(&program.instrumented, &[OsString::from("1")], options).map_err(|why| text(&why))?;
    let map = Arc::new(ProgramMap::parse(unit.maps(), unit.segment().modules()).map_err(|why| text(&why))?);
    let limits = Limits {
        max_depth: depth,
        max_nodes: u32::MAX,
        max_events: u32::MAX,
        flags: FLAG_RECORD,
        memory: 1 << 30,
        fill_seed: seed,
        max_inputs: 0,
        unchecked: 0,
    };
    let solver = tine_solver::Options { timeout_ms: 1000, ..tine_solver::Options::default() };
    let places = Places::of(&program.instrumented);
    let mut executor =
        LocalExecutor::new(unit, Arc::clone(&map), places, Shapes::default(), limits, solver, Arc::default())
            .map_err(|why| text(&why))?;
    let settings =
        Settings { budget: Budget { max_runs: Some(MAX_RUNS), max_time: Some(MAX_TIME) }, ..Settings::default() };
    let explorer = Explorer::new(map, Box::new(Dfs::default()), settings);
    let oracle = Oracle { program, n_compared: 0, followed_all: true, complaint: None };
    let start = Instant::now();
    let elapsed = || start.elapsed();
    let control = Control { stop: &AtomicBool::new(false), elapsed: &elapsed };
    let over = run_alone(explorer, &mut executor, oracle, control);
    over.ended.map_err(|why| text(&why))?;
    let (oracle, explorer) = (over.observer, over.explorer);
    if let Some(complaint) = oracle.complaint {
        return Err(complaint);
    }
    println!("{} compared, {:?}", oracle.n_compared, explorer.counters());
    Ok(oracle.n_compared)
}

/// Compares every run with the native program on the same input.
struct Oracle<'a> {
    program: &'a Program,
    n_compared: u32,
    /// No cause for a divergence has occurred so far.
    followed_all: bool,
    complaint: Option<String>,
}

impl Oracle<'_> {
    fn compare(&mut self, run_: &Run, executor: &LocalExecutor) -> Result<(), String> {
        let inputs = executor.inputs(run_.case).ok_or("a run without inputs")?;
        let plan = self.program.source.with_file_name("plan");
        std::fs::write(&plan, inputs.file()).map_err(|why| why.to_string())?;
        let (kind, code) = (run_.end.kind, run_.end.code);
        // With another input the program may not end.
        if kind == OutcomeKind::Timeout {
            return Ok(());
        }
        let output = executor.output();
        for program in &self.program.natives {
            let Some(native) = run(program, INSTRUMENTED_CPU_SECONDS, Some(&plan))? else {
                return Err(format!("with the input in {}: it ended, but natively it does not", plan.display()));
            };
            self.n_compared += 1;
            if (kind, code) != (OutcomeKind::Exited, 0) || output != native {
                let (native, difference) = (program.display(), difference(&native, &output));
                return Err(format!(
                    "with the input in {}: ended as {kind:?} {code}; {native}: {difference}",
                    plan.display()
                ));
            }
        }
        Ok(())
    }
}

impl Observer<LocalExecutor> for Oracle<'_> {
    fn step(&mut self, step: Step, result: JobResult, _: &Explorer, executor: &mut LocalExecutor) -> ControlFlow<()> {
        let Some(run) = result.run() else { return ControlFlow::Continue(()) };
        let concrete = |kind| !matches!(kind, NoteKind::Error | NoteKind::Depth | NoteKind::Refused);
        self.followed_all &= !run.notes.iter().any(|note| concrete(note.kind));
        let errors: Vec<_> = run.notes.iter().filter(|note| note.kind == NoteKind::Error).collect();
        let mut complaint = self.compare(run, executor).err();
        if step.diverged.is_some() && self.followed_all {
            complaint.get_or_insert_with(|| "a run diverged from its predicted path".to_owned());
        }
        if !errors.is_empty() {
            complaint.get_or_insert_with(|| format!("errors in a program that has none: {errors:?}"));
        }
        match complaint {
            None => ControlFlow::Continue(()),
            Some(complaint) => {
                self.complaint = Some(complaint);
                ControlFlow::Break(())
            }
        }
    }
}

/// The first line in which two outputs differ.
fn difference(native: &[u8], instrumented: &[u8]) -> String {
    let (native, instrumented) = (String::from_utf8_lossy(native), String::from_utf8_lossy(instrumented));
    let mut lines = native
        .lines()
        .chain(std::iter::repeat("(the end)"))
        .zip(instrumented.lines().chain(std::iter::repeat("(the end)")));
    let n_lines = native.lines().count().max(instrumented.lines().count());
    match lines.by_ref().take(n_lines).enumerate().find(|(_, (native, instrumented))| native != instrumented) {
        Some((index, (native, instrumented))) => {
            format!("line {}: natively `{native}`, instrumented `{instrumented}`", index + 1)
        }
        None => "the output is the same".to_owned(),
    }
}
