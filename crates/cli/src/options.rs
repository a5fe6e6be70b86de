//! The command line: every flag once, with its help. Each flag is also a key of `tine.toml` ([`crate::config`]).
//!
//! The first paragraph of a doc comment is the short help (`-h`); all of it is the long help (`--help`), the man page
//! and the reference in `docs/reference`.

use std::fmt::{self, Display, Formatter};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use tine_executor::{Bounds, Memory, Model};
use tine_explore::strategy::Spec;
use tine_solver::TierName;

use crate::failing::FailingOptions;
use crate::locale::Locale;
use crate::suite::SuiteOptions;
use crate::surroundings::SurroundingOptions;

const BUILDING: &str = "Building";
const LIMITS: &str = "Limits";
const SEARCH: &str = "Search";
const SESSION: &str = "Session";
const SOLVER: &str = "Solver";
const SANDBOX: &str = "Sandbox and trust";
const OUTPUT: &str = "Output";

/// Find bugs in C code by running every path.
///
/// tine runs a C function or program natively and records how each branch depends on the input. It then solves for
/// inputs that take the branches not yet taken, and reports every error together with an input that triggers it.
#[derive(Debug, Parser)]
#[command(name = "tine", version, max_term_width = 100, args_override_self = true)]
#[command(after_help = "Exit codes: 0 no error found, 1 errors found, 2 wrong usage or configuration, \
                        3 the unit does not compile or link, 4 a bug in tine.")]
#[command(after_long_help = "\
Examples:
  tine test scale.c --fn scale        explore one function; its parameters are the inputs
  tine test parser.c                  explore every function that other files can call
  tine run main.c --sym-argv 1,8      explore a program with one symbolic argument
  tine replay tine-out 2              run case 2 of the session `tine-out` again

Exit codes:
  0  no error found
  1  errors found
  2  wrong usage or configuration
  3  the unit does not compile or link
  4  a bug in tine")]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Explore functions of a C file; their parameters are the inputs.
    ///
    /// With --fn, one function is explored. Without it, every function that other files can call is explored, and one
    /// table is printed.
    #[command(after_long_help = "\
Examples:
  tine test scale.c --fn scale
  tine test list.c --fn insert --requires sorted --ensures sorted_after
  tine test sum.c --fn sum --len values=n --max-elements 4
  tine test parser.c util.c --cflags '-I include' --max-time 30s
  tine test parser.c -p build          flags from build/compile_commands.json")]
    Test(TestOptions),
    /// Explore sequences of calls on one object.
    ///
    /// The arguments of the calls are inputs, and so is the choice of the next call.
    #[command(after_long_help = "\
Examples:
  tine sequence set.c --calls 'init,add*,del*,find?' --max-calls 5 --ensures ok")]
    Sequence(SequenceOptions),
    /// Explore a whole program: arguments, standard input, files and environment variables.
    ///
    /// Takes a program that was built with `tine cc`, or C files, which are built first.
    #[command(after_long_help = "\
Examples:
  tine run main.c --sym-argv 1,8
  tine run ./grep --sym-argv 2,10 --sym-stdin 20 --max-time 1m
  tine run ./tool --sym-file settings,16 -- -v settings
  tine run task.c --testcomp suite     a Test-Comp program; the suite is written")]
    Run(RunOptions),
    /// Compile and link C like any C compiler, with instrumentation (`CC="tine cc"`).
    #[command(disable_help_flag = true)]
    Cc {
        /// Arguments of a C compiler. With `--native` first, the program is built without instrumentation.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Continue an exploration that was interrupted or reached a limit.
    #[command(after_long_help = "\
Examples:
  tine resume tine-out
  tine resume tine-out --max-time 10m  the time already spent counts")]
    Resume(ResumeOptions),
    /// Run one case of a session again, natively, and show where it ends.
    #[command(after_long_help = "\
Examples:
  tine replay tine-out 2
  tine replay tine-out 2 --gdb")]
    Replay(ReplayOptions),
    /// List the cases of a session, or print the input of one as text, picture or shell script.
    #[command(after_long_help = "\
Examples:
  tine show tine-out                   list all cases
  tine show tine-out 2 --svg >2.svg    draw the objects of case 2
  tine show tine-out 2 --shell >2.sh   a script that runs the program without tine")]
    Show(ShowOptions),
    /// Print the functions, variables and types of a C file.
    Types(TypesOptions),
    /// Answer the queries of an SMT-LIB 2 file, such as one written by --solver-log.
    Solve(SolveOptions),
    /// Print the control-flow and call graph of a program as Graphviz, SVG or JSON.
    Graph(GraphOptions),
    /// List the search strategies and their options.
    Strategies,
    /// Run a program in the sandbox of a replay. `tine replay --gdb` has gdb start it this way.
    #[command(hide = true)]
    Confine {
        /// Directory that the program may write below.
        scratch: PathBuf,
        #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
        command: Vec<std::ffi::OsString>,
    },
}

#[derive(Debug, Args)]
pub(crate) struct TestOptions {
    /// File that defines the function, then further files that it needs.
    #[arg(required = true, value_name = "FILE.c")]
    pub(crate) files: Vec<PathBuf>,
    /// Function to explore [default: every function that other files can call].
    #[arg(long = "fn", value_name = "NAME")]
    pub(crate) function: Option<String>,
    /// Compiler flags as one string: "-I include -DNDEBUG".
    #[arg(long, help_heading = BUILDING, value_name = "FLAGS", default_value = "", allow_hyphen_values = true)]
    pub(crate) cflags: String,
    /// Build directory whose compile_commands.json has the compiler flags of the first file.
    #[arg(long, short = 'p', help_heading = BUILDING, value_name = "DIR")]
    pub(crate) build: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) inputs: InputOptions,
    #[command(flatten)]
    pub(crate) common: CommonOptions,
}

#[derive(Debug, Args)]
pub(crate) struct SequenceOptions {
    /// File that defines the functions, then further files that they need.
    #[arg(required = true, value_name = "FILE.c")]
    pub(crate) files: Vec<PathBuf>,
    /// Functions to call: `init,add*,remove*,find?`.
    ///
    /// Plain names are called first, once each and in this order; the first of them makes the object. Every further call
    /// is one of the others: with `*` any number of times, with `?` at most once.
    #[arg(long, value_name = "CALLS")]
    pub(crate) calls: String,
    /// Maximum number of calls in a sequence, including the first ones.
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) max_calls: u32,
    /// Explore states again that an earlier sequence has reached.
    ///
    /// Implied by --depth.
    #[arg(long, help_heading = SEARCH)]
    pub(crate) no_prune: bool,
    /// Compiler flags as one string: "-I include -DNDEBUG".
    #[arg(long, help_heading = BUILDING, value_name = "FLAGS", default_value = "", allow_hyphen_values = true)]
    pub(crate) cflags: String,
    /// Build directory whose compile_commands.json has the compiler flags of the first file.
    #[arg(long, short = 'p', help_heading = BUILDING, value_name = "DIR")]
    pub(crate) build: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) inputs: InputOptions,
    #[command(flatten)]
    pub(crate) common: CommonOptions,
}

/// Size, types and preconditions of the inputs of a function.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Inputs")]
pub(crate) struct InputOptions {
    /// Maximum number of objects that pointers in the input point to.
    #[arg(long, value_name = "N", default_value_t = Bounds::default().objects)]
    pub(crate) max_objects: u32,
    /// Maximum number of elements of an array without --len.
    #[arg(long, value_name = "N", default_value_t = Bounds::default().elements, value_parser = clap::value_parser!(u32).range(1..=65536))]
    pub(crate) max_elements: u32,
    /// Maximum length of the string that a `char *` points to.
    #[arg(long, value_name = "N", default_value_t = Bounds::default().text, value_parser = clap::value_parser!(u32).range(0..=65536))]
    pub(crate) max_string: u32,
    /// Initial value of memory that no branch has constrained: zero, or random (drawn from --seed).
    #[arg(long, value_name = "HOW", default_value = "random")]
    pub(crate) init: Init,
    /// Number of elements that a pointer points to: a number or the name of a parameter.
    ///
    /// An access past the end is an error. If two pointers point to the same object, it is long enough for both.
    #[arg(long, value_name = "PTR=N|PARAM")]
    pub(crate) len: Vec<String>,
    /// Type that a `void *` or a pointer to an opaque type points to.
    ///
    /// Without it, such a pointer points to 64 bytes.
    #[arg(long = "type", value_name = "PARAM=TYPE")]
    pub(crate) types: Vec<String>,
    /// Global variables to treat as inputs: `all`, or their names.
    #[arg(long, value_name = "all|LIST", value_delimiter = ',')]
    pub(crate) globals: Vec<String>,
    /// Make every read of a `volatile` object a new input.
    #[arg(long)]
    pub(crate) volatile: bool,
    /// Functions to replace with stubs that return inputs: `all` undefined functions, or their names.
    ///
    /// Without a stub, calling an undefined function is an error; undefined variables are zero.
    #[arg(long, value_name = "all|LIST", value_delimiter = ',')]
    pub(crate) stub: Vec<String>,
    /// Show only the parts of the input that the function read.
    #[arg(long)]
    pub(crate) lazy: bool,
    /// Precondition: a function with the same parameters. Inputs for which it returns 0 are skipped.
    #[arg(long, value_name = "FN")]
    pub(crate) requires: Vec<String>,
    /// Postcondition: a function of the parameters and the result. If it returns 0, that is an error.
    #[arg(long, value_name = "FN")]
    pub(crate) ensures: Vec<String>,
    #[command(flatten)]
    pub(crate) failing: FailingOptions,
}

impl InputOptions {
    /// Program that replays a case. Volatile inputs and failing calls exist only in the instrumented program.
    pub(crate) fn replayed(&self) -> &'static str {
        if self.volatile || self.failing.line().is_some() { "unit" } else { "unit.native" }
    }

    pub(crate) fn bounds(&self) -> Bounds {
        let elements = self.max_elements.max(tine_build::driver::lengths::largest(&self.len));
        Bounds { objects: self.max_objects, elements, text: self.max_string }
    }
}

#[derive(Debug, Args)]
pub(crate) struct RunOptions {
    /// Program that was built with `tine cc`, or C files, which are built first.
    #[arg(required = true, value_name = "PROGRAM|FILE.c")]
    pub(crate) program: Vec<PathBuf>,
    /// Compiler and linker flags for C files, as one string: "-I include -lz".
    #[arg(long, help_heading = BUILDING, value_name = "FLAGS", default_value = "", allow_hyphen_values = true)]
    pub(crate) cflags: String,
    /// Arguments of the program. Symbolic arguments (--sym-argv) follow them.
    #[arg(last = true)]
    pub(crate) arguments: Vec<String>,
    #[command(flatten)]
    pub(crate) surroundings: SurroundingOptions,
    #[command(flatten)]
    pub(crate) suite: SuiteOptions,
    /// Let the program start processes and open sockets. Files stay protected.
    #[arg(long, help_heading = SANDBOX)]
    pub(crate) allow: bool,
    #[command(flatten)]
    pub(crate) common: CommonOptions,
}

/// Parts of the sandbox that must be available.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum RequiredSandbox {
    /// All parts.
    Full,
}

#[derive(Debug, Args)]
pub(crate) struct ResumeOptions {
    /// Directory of the session.
    pub(crate) session: PathBuf,
    /// Stop after this many runs, including those before [default: the session's limit].
    #[arg(long, help_heading = LIMITS, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_runs: Option<u64>,
    /// Stop after this time, including the time already spent.
    #[arg(long, help_heading = LIMITS, value_name = "TIME", value_parser = parse_time)]
    pub(crate) max_time: Option<Duration>,
    /// Number of workers, each with a process and a solver.
    #[arg(long, help_heading = SEARCH, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(crate) jobs: Option<u32>,
    /// Append every query that reaches the SMT solver to this file, as SMT-LIB 2.
    ///
    /// Answers, times and limits are written as comments. `tine solve FILE` answers the queries again.
    #[arg(long, help_heading = SOLVER, value_name = "FILE")]
    pub(crate) solver_log: Option<PathBuf>,
    /// Let the program start processes and open sockets, if the session began with --allow.
    #[arg(long, help_heading = SANDBOX)]
    pub(crate) allow: bool,
    /// Let the session write its suite (--corpus, --testcomp) and solver cache outside the current directory.
    #[arg(long, help_heading = SANDBOX)]
    pub(crate) trust: bool,
    #[command(flatten)]
    pub(crate) output: OutputOptions,
}

impl ResumeOptions {
    /// The given options as flags of an exploration.
    pub(crate) fn flags(&self) -> Vec<String> {
        let mut flags = Vec::new();
        flags.extend(self.max_runs.map(|runs| format!("--max-runs={runs}")));
        flags.extend(self.max_time.map(|time| format!("--max-time={}ms", time.as_secs_f64() * 1e3)));
        flags.extend(self.jobs.map(|jobs| format!("--jobs={jobs}")));
        let OutputOptions { explain, show_output, json, quiet } = self.output;
        let switches = [(explain, "--explain"), (show_output, "--show-output"), (json, "--json"), (quiet, "--quiet")];
        flags.extend(switches.into_iter().filter(|(on, _)| *on).map(|(_, flag)| flag.to_owned()));
        flags
    }
}

#[derive(Debug, Args)]
pub(crate) struct ShowOptions {
    /// Directory of the session.
    pub(crate) session: PathBuf,
    /// Number of the case, as in the summary [default: list all cases].
    pub(crate) case: Option<u32>,
    /// Draw the input as SVG.
    #[arg(long, group = "form")]
    pub(crate) svg: bool,
    /// Draw the input for Graphviz.
    #[arg(long, group = "form")]
    pub(crate) dot: bool,
    /// Print the input as JSON.
    #[arg(long, group = "form")]
    pub(crate) json: bool,
    /// Print a shell script that runs the program on this input without tine.
    ///
    /// The script writes the input files into the current directory. `PROGRAM=… sh SCRIPT` runs another build.
    #[arg(long, group = "form")]
    pub(crate) shell: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ReplayOptions {
    /// Directory of the session.
    pub(crate) session: PathBuf,
    /// Number of the case, as in the summary.
    pub(crate) case: u32,
    /// Run the case under gdb.
    #[arg(long)]
    pub(crate) gdb: bool,
    /// Refuse to run if this kernel lacks a part of the sandbox.
    #[arg(long, value_name = "full", conflicts_with = "allow")]
    pub(crate) require_sandbox: Option<RequiredSandbox>,
    /// Run without the sandbox. The program then really writes, removes and starts whatever the input makes it.
    #[arg(long)]
    pub(crate) allow: bool,
}

#[derive(Debug, Args)]
pub(crate) struct GraphOptions {
    /// Program that was built with `tine cc`, or a session directory, which adds coverage.
    #[arg(value_name = "PROGRAM|SESSION")]
    pub(crate) target: PathBuf,
    /// Print Graphviz (the default).
    #[arg(long, group = "form")]
    pub(crate) dot: bool,
    /// Print SVG: one function below the other, calls as text.
    #[arg(long, group = "form")]
    pub(crate) svg: bool,
    /// Print JSON.
    #[arg(long, group = "form")]
    pub(crate) json: bool,
    /// Include functions of libraries and system headers.
    #[arg(long)]
    pub(crate) all: bool,
}

#[derive(Debug, Args)]
pub(crate) struct TypesOptions {
    /// C file, or object file or program with debug information.
    pub(crate) file: PathBuf,
    /// Print only this function, variable or type (`list`, `struct list`) and the types it uses.
    pub(crate) name: Option<String>,
    /// Compiler flags as one string: "-I include -DNDEBUG".
    #[arg(long, help_heading = BUILDING, value_name = "FLAGS", default_value = "", allow_hyphen_values = true)]
    pub(crate) cflags: String,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct SolveOptions {
    /// File of queries.
    #[arg(value_name = "FILE.smt2")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) solving: SolverOptions,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct CommonOptions {
    /// Directory for the session. It must not contain a session yet.
    #[arg(long, help_heading = SESSION, value_name = "DIR", default_value = "tine-out")]
    pub(crate) out: PathBuf,
    /// Seed for random choices. With 0 the first input is all zeros.
    #[arg(long, help_heading = SEARCH, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Stop after this many runs.
    #[arg(long, help_heading = LIMITS, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_runs: Option<u64>,
    /// Stop exploring after this time (`500ms`, `30s`, `5m`, `1h`).
    #[arg(long, help_heading = LIMITS, value_name = "TIME", value_parser = parse_time)]
    pub(crate) max_time: Option<Duration>,
    /// Time limit for building. It does not count towards --max-time.
    #[arg(long, help_heading = BUILDING, value_name = "TIME", default_value = "5m", value_parser = parse_time)]
    pub(crate) build_timeout: Duration,
    /// Time limit per run.
    ///
    /// A run that exceeds it is repeated without tracing. If it still does not finish, it is reported as an endless loop;
    /// otherwise it counts as too slow to trace, which is a bound.
    #[arg(long, help_heading = LIMITS, value_name = "TIME", default_value = "1s", value_parser = parse_time)]
    pub(crate) run_timeout: Duration,
    /// Memory limit per run, and for tine itself (`256M`, `1G`).
    ///
    /// When tine needs more, it drops the least promising branches and finally stops; the verdict reports both. Instead
    /// of a size, or after a comma, the value may name how the solver models input pointers: `typed` (addresses of
    /// objects that do not overlap), `primitive` (the same for each scalar member) or `logical` (abstract locations that
    /// are equal or not). By default tine chooses the cheapest model for each query.
    #[arg(long, help_heading = LIMITS, value_name = "SIZE|MODEL", default_value = "1G")]
    pub(crate) memory: MemoryOption,
    /// With address models: first try objects at distinct addresses only.
    #[arg(long, help_heading = SOLVER, value_name = "on|off", default_value = "on", value_parser = parse_switch, action = clap::ArgAction::Set)]
    pub(crate) two_phase: bool,
    /// With address models: separate scalar objects of one type by alignment instead of pairwise.
    #[arg(long, help_heading = SOLVER, value_name = "on|off", default_value = "on", value_parser = parse_switch, action = clap::ArgAction::Set)]
    pub(crate) alignment: bool,
    /// Start runs from a fork server stopped before the first input, if start-up takes longer than a fork.
    #[arg(long, help_heading = SEARCH, value_name = "on|off", default_value = "on", value_parser = parse_switch, action = clap::ArgAction::Set)]
    pub(crate) snapshot: bool,
    /// Refuse to run if this kernel lacks a part of the sandbox. By default tine only warns.
    #[arg(long, help_heading = SANDBOX, value_name = "full")]
    pub(crate) require_sandbox: Option<RequiredSandbox>,
    /// Locale of the unit, whatever your environment says. A symbolic locale variable takes precedence.
    #[arg(long, help_heading = SEARCH, value_name = "NAME", default_value = "C")]
    pub(crate) locale: Locale,
    /// Maximum number of symbolic branches per run.
    #[arg(long, help_heading = LIMITS, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) depth: Option<u32>,
    /// Search strategy, which decides what branch is tried next. `tine strategies` lists all.
    #[arg(long, help_heading = SEARCH, value_name = "NAME[:OPTION=VALUE,…]", default_value = "auto", value_parser = Spec::parse)]
    pub(crate) strategy: Spec,
    /// Number of workers, each with a process and a solver [default: number of processors].
    ///
    /// With 1, the same seed gives the same exploration twice. Call sequences with pruning use one worker.
    #[arg(long, help_heading = SEARCH, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(crate) jobs: Option<u32>,
    #[command(flatten)]
    pub(crate) solving: SolverOptions,
    /// Append every query that reaches the SMT solver to this file, as SMT-LIB 2.
    ///
    /// Answers, times and limits are written as comments. `tine solve FILE` answers the queries again.
    #[arg(long, help_heading = SOLVER, value_name = "FILE")]
    pub(crate) solver_log: Option<PathBuf>,
    /// Cases to keep: `suite` (the fewest that keep the coverage, and one per error) or `all` paths.
    #[arg(long, help_heading = SESSION, value_name = "WHAT", default_value = "suite")]
    pub(crate) keep: KeepName,
    /// Read and store solver answers in this file, for later explorations.
    #[arg(long, help_heading = SOLVER, value_name = "FILE")]
    pub(crate) solver_cache: Option<PathBuf>,
    /// Write every distinct sliced query to this file, for benchmarks.
    #[arg(long, value_name = "FILE", hide = true)]
    pub(crate) solver_record: Option<PathBuf>,
    /// Same as --keep all.
    #[arg(long, help_heading = SESSION)]
    pub(crate) keep_all: bool,
    /// Trust `tine.toml` in this directory and the `compile_commands.json` of --build.
    ///
    /// Trusted files may load compiler plugins, lift the sandbox and write anywhere. The decision is remembered until the
    /// file changes.
    #[arg(long, help_heading = SANDBOX)]
    pub(crate) trust: bool,
    #[command(flatten)]
    pub(crate) output: OutputOptions,
}

/// Options for what is printed.
#[derive(Debug, Clone, Copy, Args)]
#[command(next_help_heading = OUTPUT)]
pub(crate) struct OutputOptions {
    /// Explain why reached branch sides were not taken.
    #[arg(long)]
    pub(crate) explain: bool,
    /// Show the output of the unit for each error.
    #[arg(long)]
    pub(crate) show_output: bool,
    /// Print the summary as one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
    /// Do not show progress.
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// Options for answering queries.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = SOLVER)]
pub(crate) struct SolverOptions {
    /// SMT solver for queries that no cheaper tier answers.
    #[arg(long, value_name = "NAME", default_value = "bitwuzla")]
    pub(crate) solver: SolverName,
    /// Time limit per query.
    ///
    /// The first attempt gets a twentieth of it. Queries that reach a limit are tried again at the end with twice the
    /// limits.
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = parse_time)]
    pub(crate) solver_timeout: Duration,
    /// Memory limit per query (`512M`, `2G`).
    #[arg(long, value_name = "SIZE", default_value = "2G", value_parser = parse_size)]
    pub(crate) solver_memory: u64,
    /// Compare every answer with the plain SMT solver. A difference is a bug in tine (exit code 4).
    #[arg(long)]
    pub(crate) solver_check: bool,
    #[arg(long, value_name = "NAME", value_delimiter = ',', help = no_tier_help(), value_parser = str::parse::<TierName>)]
    pub(crate) no_tier: Vec<TierName>,
}

impl CommonOptions {
    /// Pointer model for queries about input pointers.
    pub(crate) fn pointers(&self) -> Memory {
        Memory { model: self.memory.model, two_phase: self.two_phase, alignment: self.alignment }
    }
}

impl SolverOptions {
    pub(crate) fn options(&self) -> tine_solver::Options {
        tine_solver::Options {
            backend: match self.solver {
                SolverName::Bitwuzla => tine_solver::Backend::Bitwuzla,
                SolverName::Z3 => tine_solver::Backend::Z3,
                SolverName::Portfolio => tine_solver::Backend::Portfolio,
            },
            timeout_ms: self.solver_timeout.as_millis() as u64,
            memory_mb: self.solver_memory.div_ceil(1 << 20),
            without: self.no_tier.clone(),
            check: self.solver_check,
            ..tine_solver::Options::default()
        }
    }
}

fn no_tier_help() -> String {
    let names: Vec<&str> = TierName::ALL.iter().map(|tier| tier.name()).collect();
    format!("Leave out a solver tier. Answers stay the same. Tiers: {}", names.join(", "))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Init {
    Zero,
    /// Drawn from --seed; the seed 0 gives zeros.
    Random,
}

impl CommonOptions {
    pub(crate) fn keeps_all(&self) -> bool {
        self.keep_all || self.keep == KeepName::All
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum KeepName {
    Suite,
    All,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SolverName {
    Bitwuzla,
    /// The program `z3`, which must be installed.
    Z3,
    /// Bitwuzla, then Z3 for queries that Bitwuzla does not answer.
    Portfolio,
}

/// `500ms`, `30s`, `5m`, `1h`.
fn parse_time(text: &str) -> Result<Duration, String> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let number: f64 =
        number.parse().map_err(|_| format!("invalid duration `{text}` (expected e.g. 500ms, 30s, 5m, 1h)"))?;
    let seconds = match unit {
        "ms" => number / 1e3,
        "s" => number,
        "m" | "min" => number * 60.0,
        "h" => number * 3600.0,
        _ => return Err(format!("duration `{text}` has no unit (expected e.g. 500ms, 30s, 5m, 1h)")),
    };
    if seconds <= 0.0 {
        return Err("the duration must be positive".to_owned());
    }
    Duration::try_from_secs_f64(seconds).map_err(|_| format!("duration `{text}` is too long"))
}

/// `on` or `off`.
fn parse_switch(text: &str) -> Result<bool, String> {
    match text {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err(format!("invalid switch `{text}` (expected on or off)")),
    }
}

/// A size and a pointer model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MemoryOption {
    /// Bytes.
    pub(crate) size: u64,
    pub(crate) model: Model,
}

impl FromStr for MemoryOption {
    type Err = String;

    fn from_str(text: &str) -> Result<MemoryOption, String> {
        let mut option = MemoryOption { size: 1 << 30, model: Model::default() };
        for part in text.split(',') {
            match MODELS.iter().find(|(name, _)| *name == part) {
                Some((_, model)) => option.model = *model,
                None => {
                    let what = |_| {
                        format!("invalid value `{part}` (expected a size such as 256M, or typed, primitive or logical)")
                    };
                    let is_number = part.trim().starts_with(|first: char| first.is_ascii_digit());
                    option.size = if is_number { parse_size(part)? } else { parse_size(part).map_err(what)? };
                }
            }
        }
        Ok(option)
    }
}

impl Display for MemoryOption {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.size)?;
        match MODELS.iter().find(|(_, model)| *model == self.model) {
            Some((name, _)) => write!(f, ",{name}"),
            None => Ok(()),
        }
    }
}

const MODELS: [(&str, Model); 3] =
    [("typed", Model::Typed), ("primitive", Model::Primitive), ("logical", Model::Logical)];

/// `256M`, `1G`, `4096`.
fn parse_size(text: &str) -> Result<u64, String> {
    let upper = text.trim().to_ascii_uppercase();
    let upper = upper.strip_suffix('B').unwrap_or(&upper);
    let (number, factor) = match upper.chars().last() {
        Some('K') => (&upper[..upper.len() - 1], 1 << 10),
        Some('M') => (&upper[..upper.len() - 1], 1 << 20),
        Some('G') => (&upper[..upper.len() - 1], 1 << 30),
        _ => (upper, 1),
    };
    let number: u64 = number.parse().map_err(|_| format!("invalid size `{text}` (expected e.g. 256M, 1G)"))?;
    match number.checked_mul(factor) {
        Some(0) | None => Err(format!("invalid size `{text}` (must be between 1 byte and 16 EiB)")),
        Some(bytes) => Ok(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        assert_eq!(parse_time("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(parse_time("1.5s"), Ok(Duration::from_millis(1500)));
        assert_eq!(parse_time("2m"), Ok(Duration::from_secs(120)));
        assert!(parse_time("30").is_err());
        assert!(parse_time("0s").is_err());
        assert!(parse_time("fast").is_err());
    }

    #[test]
    fn sizes_may_have_units() {
        assert_eq!(parse_size("1G"), Ok(1 << 30));
        assert_eq!(parse_size("256mb"), Ok(256 << 20));
        assert_eq!(parse_size("4096"), Ok(4096));
        assert!(parse_size("0").is_err());
        assert!(parse_size("lots").is_err());
    }

    #[test]
    fn the_command_line_is_consistent() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }
}
