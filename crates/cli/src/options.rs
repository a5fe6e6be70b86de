//! The command line: every flag once, with its help. Each flag is also a key of `tine.toml` ([`crate::config`]).

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

/// Explore a C function or program: every path, every error, the inputs that reach them.
#[derive(Debug, Parser)]
#[command(name = "tine", version, max_term_width = 100, args_override_self = true)]
#[command(after_help = "Exit codes: 0 no error found, 1 errors found, 2 wrong usage or configuration, \
                        3 the unit does not compile or link, 4 a bug in tine.")]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Explore one function of a C file: its parameters are the inputs.
    Test(TestOptions),
    /// Explore sequences of calls on one object: their arguments, and which call comes next, are the inputs.
    Sequence(SequenceOptions),
    /// Explore a whole program that was built with `tine cc`.
    Run(RunOptions),
    /// Compile and link C like any C compiler, instrumented (`CC="tine cc"`).
    #[command(disable_help_flag = true)]
    Cc {
        /// Arguments of a C compiler; `--native` first gives the same program uninstrumented.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Go on with an exploration that was cut off.
    Resume(ResumeOptions),
    /// Run one case of a session again, natively, and show where it ends.
    Replay(ReplayOptions),
    /// List the cases of a session, or print the input of one as text, as a picture or as a shell script.
    Show(ShowOptions),
    /// Print the functions, variables and types of a C file.
    Types(TypesOptions),
    /// Answer the queries of an SMT-LIB 2 file, as --solver-log writes them.
    Solve(SolveOptions),
    /// Print the control-flow and call graph of a program, for Graphviz or as JSON.
    Graph(GraphOptions),
    /// List the strategies that --strategy takes, with their options.
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
    /// The file that defines the function, and further files it needs.
    #[arg(required = true, value_name = "FILE.c")]
    pub(crate) files: Vec<PathBuf>,
    /// The function to explore; without it, each function that other files can call.
    #[arg(long = "fn", value_name = "NAME")]
    pub(crate) function: Option<String>,
    /// Flags for the compiler, as one text: "-I include -DNDEBUG".
    #[arg(long, value_name = "FLAGS", default_value = "", allow_hyphen_values = true)]
    pub(crate) cflags: String,
    /// Directory of a build, whose compile_commands.json says with which flags the first file is compiled.
    #[arg(long, short = 'p', value_name = "DIR")]
    pub(crate) build: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) inputs: InputOptions,
    #[command(flatten)]
    pub(crate) common: CommonOptions,
}

#[derive(Debug, Args)]
pub(crate) struct SequenceOptions {
    /// The file that defines the functions, and further files they need.
    #[arg(required = true, value_name = "FILE.c")]
    pub(crate) files: Vec<PathBuf>,
    /// Functions: `init,add*,remove*,find?`. Plain names are called first, in this order; the first makes the object.
    /// Each further call is one of the others, in any order: with `*` any number of times, with `?` at most once.
    #[arg(long, value_name = "CALLS")]
    pub(crate) calls: String,
    /// Calls of a sequence at most, the first ones included.
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) max_calls: u32,
    /// Go on also from states that another sequence has led to. With --depth this is always so.
    #[arg(long)]
    pub(crate) no_prune: bool,
    /// Flags for the compiler, as one text: "-I include -DNDEBUG".
    #[arg(long, value_name = "FLAGS", default_value = "", allow_hyphen_values = true)]
    pub(crate) cflags: String,
    /// Directory of a build, whose compile_commands.json says with which flags the first file is compiled.
    #[arg(long, short = 'p', value_name = "DIR")]
    pub(crate) build: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) inputs: InputOptions,
    #[command(flatten)]
    pub(crate) common: CommonOptions,
}

/// What inputs there can be, and which of them count.
#[derive(Debug, Clone, Args)]
pub(crate) struct InputOptions {
    /// Objects that pointers lead to, at most.
    #[arg(long, value_name = "N", default_value_t = Bounds::default().objects)]
    pub(crate) max_objects: u32,
    /// Elements of an array whose length is not given.
    #[arg(long, value_name = "N", default_value_t = Bounds::default().elements, value_parser = clap::value_parser!(u32).range(1..=65536))]
    pub(crate) max_elements: u32,
    /// Characters of a `char *`.
    #[arg(long, value_name = "N", default_value_t = Bounds::default().text, value_parser = clap::value_parser!(u32).range(0..=65536))]
    pub(crate) max_string: u32,
    /// What cells hold that no branch has asked for: zeros, or values drawn from --seed.
    #[arg(long, value_name = "HOW", default_value = "random")]
    pub(crate) init: Init,
    /// What a pointer leads to: PTR=N elements, or as many as PTR=PARAM says.
    #[arg(long, value_name = "PTR=N|PARAM")]
    pub(crate) len: Vec<String>,
    /// What a `void *` or a pointer to an opaque type points to: PARAM=TYPE.
    #[arg(long = "type", value_name = "PARAM=TYPE")]
    pub(crate) types: Vec<String>,
    /// Global variables that are inputs: `all`, or their names.
    #[arg(long, value_name = "all|LIST", value_delimiter = ',')]
    pub(crate) globals: Vec<String>,
    /// Every read of a `volatile` object is an input of its own.
    #[arg(long)]
    pub(crate) volatile: bool,
    /// Functions that return inputs instead of being called: `all` that nothing defines, or their names.
    #[arg(long, value_name = "all|LIST", value_delimiter = ',')]
    pub(crate) stub: Vec<String>,
    /// A cell belongs to the input only once it has been read.
    #[arg(long)]
    pub(crate) lazy: bool,
    /// A predicate over the same parameters: inputs for which it is false do not count.
    #[arg(long, value_name = "FN")]
    pub(crate) requires: Vec<String>,
    /// A predicate over the parameters and the result, which must hold afterwards.
    #[arg(long, value_name = "FN")]
    pub(crate) ensures: Vec<String>,
    #[command(flatten)]
    pub(crate) failing: FailingOptions,
}

impl InputOptions {
    /// What replays a case: what stands before a read of a volatile object, and what fails because an input says so, only the
    /// instrumented program has.
    pub(crate) fn replayed(&self) -> &'static str {
        if self.volatile || self.failing.line().is_some() { "unit" } else { "unit.native" }
    }

    pub(crate) fn bounds(&self) -> Bounds {
        let elements = self.max_elements.max(crate::driver::lengths::largest(&self.len));
        Bounds { objects: self.max_objects, elements, text: self.max_string }
    }
}

#[derive(Debug, Args)]
pub(crate) struct RunOptions {
    /// The program, built with `tine cc`; or its C files, which are built first.
    #[arg(required = true, value_name = "PROGRAM|FILE.c")]
    pub(crate) program: Vec<PathBuf>,
    /// Flags for the compiler, where C files are given: "-I include -lz".
    #[arg(long, value_name = "FLAGS", default_value = "", allow_hyphen_values = true)]
    pub(crate) cflags: String,
    /// Its arguments.
    #[arg(last = true)]
    pub(crate) arguments: Vec<String>,
    #[command(flatten)]
    pub(crate) surroundings: SurroundingOptions,
    #[command(flatten)]
    pub(crate) suite: SuiteOptions,
    /// The program may start processes and open sockets. Files stay protected.
    #[arg(long)]
    pub(crate) allow: bool,
    #[command(flatten)]
    pub(crate) common: CommonOptions,
}

/// The parts of the sandbox that the user insists on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum RequiredSandbox {
    /// All of them.
    Full,
}

#[derive(Debug, Args)]
pub(crate) struct ResumeOptions {
    /// The session's directory.
    pub(crate) session: PathBuf,
    /// Stop after this many runs, those before included; as when the session began if not given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_runs: Option<u64>,
    /// Stop after this time, that before included.
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub(crate) max_time: Option<Duration>,
    /// Workers, each with a process and a solver.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(crate) jobs: Option<u32>,
    /// Append every query that reaches SMT to this file, as SMT-LIB 2 with answers, times and limits.
    #[arg(long, value_name = "FILE")]
    pub(crate) solver_log: Option<PathBuf>,
    /// The program may start processes and open sockets, as when the session began.
    #[arg(long)]
    pub(crate) allow: bool,
    /// Let the session write its suite (--corpus, --testcomp) and its solver cache outside of the current directory.
    #[arg(long)]
    pub(crate) trust: bool,
    #[command(flatten)]
    pub(crate) output: OutputOptions,
}

impl ResumeOptions {
    /// What is given, as flags of an exploration.
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
    /// The session's directory.
    pub(crate) session: PathBuf,
    /// Number of the case, as the summary names it; without it, all cases are listed.
    pub(crate) case: Option<u32>,
    /// A picture, drawn.
    #[arg(long, group = "form")]
    pub(crate) svg: bool,
    /// A picture, for Graphviz.
    #[arg(long, group = "form")]
    pub(crate) dot: bool,
    /// All that is known of the input, for programs.
    #[arg(long, group = "form")]
    pub(crate) json: bool,
    /// A shell script that runs the program without tine: with these arguments and variables, and these files,
    /// which it writes into the current directory. `PROGRAM=… sh SCRIPT` runs another build.
    #[arg(long, group = "form")]
    pub(crate) shell: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ReplayOptions {
    /// The session's directory.
    pub(crate) session: PathBuf,
    /// Number of the case, as the summary names it.
    pub(crate) case: u32,
    /// Run it under gdb.
    #[arg(long)]
    pub(crate) gdb: bool,
    /// Run it only if this kernel has every part of the sandbox.
    #[arg(long, value_name = "full", conflicts_with = "allow")]
    pub(crate) require_sandbox: Option<RequiredSandbox>,
    /// Run it without the sandbox: what it writes, removes and starts, it does for real.
    #[arg(long)]
    pub(crate) allow: bool,
}

#[derive(Debug, Args)]
pub(crate) struct GraphOptions {
    /// A program that was built with `tine cc`, or the directory of a session, which also says what was covered.
    #[arg(value_name = "PROGRAM|SESSION")]
    pub(crate) target: PathBuf,
    /// For Graphviz; this is the default.
    #[arg(long, group = "form")]
    pub(crate) dot: bool,
    /// A drawing: functions one below the other, calls as words.
    #[arg(long, group = "form")]
    pub(crate) svg: bool,
    /// Print one JSON object.
    #[arg(long, group = "form")]
    pub(crate) json: bool,
    /// Also functions of libraries and system headers.
    #[arg(long)]
    pub(crate) all: bool,
}

#[derive(Debug, Args)]
pub(crate) struct TypesOptions {
    /// A C file, or an object or program with debug information.
    pub(crate) file: PathBuf,
    /// Only the function, variable or type of that name (`list`, `struct list`), and the types it reaches.
    pub(crate) name: Option<String>,
    /// Flags for the compiler, as one text: "-I include -DNDEBUG".
    #[arg(long, value_name = "FLAGS", default_value = "", allow_hyphen_values = true)]
    pub(crate) cflags: String,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct SolveOptions {
    /// The file.
    #[arg(value_name = "FILE.smt2")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) solving: SolverOptions,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct CommonOptions {
    /// Directory of the session; it must not hold one yet.
    #[arg(long, value_name = "DIR", default_value = "tine-out")]
    pub(crate) out: PathBuf,
    /// Seed of the first input; 0 starts from zeros.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Stop after this many runs.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_runs: Option<u64>,
    /// Stop exploring after this time (`500ms`, `30s`, `5m`, `1h`).
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub(crate) max_time: Option<Duration>,
    /// Time for building what is explored; it does not count for --max-time.
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = parse_time)]
    pub(crate) build_timeout: Duration,
    /// A run that takes longer is an endless loop, or too slow to follow if it ends when it is not recorded.
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = parse_time)]
    pub(crate) run_timeout: Duration,
    /// Memory limit of a run, and of tine itself (`256M`, `1G`). When tine needs more, it drops the least promising branches,
    /// and then stops; both are reported. Instead, or after a comma, how the solver models pointers among the inputs, rather
    /// than what is cheapest for a query: `typed` (addresses, and objects that do not overlap), `primitive` (likewise, part by
    /// part), or `logical` (places, which are equal or not).
    #[arg(long, value_name = "SIZE|MODEL", default_value = "1G")]
    pub(crate) memory: MemoryOption,
    /// Where pointers are addresses: first ask only for objects at different ones.
    #[arg(long, value_name = "on|off", default_value = "on", value_parser = parse_switch, action = clap::ArgAction::Set)]
    pub(crate) two_phase: bool,
    /// Where pointers are addresses: keep primitive objects of one type apart by their alignment, not in pairs.
    #[arg(long, value_name = "on|off", default_value = "on", value_parser = parse_switch, action = clap::ArgAction::Set)]
    pub(crate) alignment: bool,
    /// Do what the program does before its first input once, and not in every run, where that takes longer than a fork.
    #[arg(long, value_name = "on|off", default_value = "on", value_parser = parse_switch, action = clap::ArgAction::Set)]
    pub(crate) snapshot: bool,
    /// Run only if this kernel has every part of the sandbox. Otherwise missing parts are named as warnings.
    #[arg(long, value_name = "full")]
    pub(crate) require_sandbox: Option<RequiredSandbox>,
    /// The locale of the environment, whoever runs tine: `LANG`, where no variable that is an input says otherwise.
    #[arg(long, value_name = "NAME", default_value = "C")]
    pub(crate) locale: Locale,
    /// Bound on the symbolic branches of a run.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) depth: Option<u32>,
    /// Which open branch comes next: one of `tine strategies`, with its options behind a colon.
    #[arg(long, value_name = "NAME[:OPTION=VALUE,…]", default_value = "auto", value_parser = Spec::parse)]
    pub(crate) strategy: Spec,
    /// Workers, each with a process and a solver; as many as there are processors if not given. With 1 the same seed gives
    /// the same run twice. Sequences that recognise states have 1.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(crate) jobs: Option<u32>,
    #[command(flatten)]
    pub(crate) solving: SolverOptions,
    /// Append every query that reaches SMT to this file, as SMT-LIB 2 with answers, times and limits.
    #[arg(long, value_name = "FILE")]
    pub(crate) solver_log: Option<PathBuf>,
    /// Which cases the session keeps in the end: `suite`, as few as hold the coverage and one of each error; or `all` paths.
    #[arg(long, value_name = "WHAT", default_value = "suite")]
    pub(crate) keep: KeepName,
    /// Keep answers of the solver in this file, for runs to come, and use those that are there.
    #[arg(long, value_name = "FILE")]
    pub(crate) solver_cache: Option<PathBuf>,
    /// Write every query to this file, sliced and each once, for benchmarks to ask again.
    #[arg(long, value_name = "FILE", hide = true)]
    pub(crate) solver_record: Option<PathBuf>,
    /// The same as --keep all.
    #[arg(long)]
    pub(crate) keep_all: bool,
    /// Trust `tine.toml` in this directory, and `compile_commands.json` of --build: they may then load plugins into the compiler,
    /// lift the sandbox and write anywhere. Remembered until the file changes.
    #[arg(long)]
    pub(crate) trust: bool,
    #[command(flatten)]
    pub(crate) output: OutputOptions,
}

/// What is printed.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct OutputOptions {
    /// For each side of a branch that runs came to and none took, say why.
    #[arg(long)]
    pub(crate) explain: bool,
    /// Show what the unit printed in the run of each error.
    #[arg(long)]
    pub(crate) show_output: bool,
    /// Print one JSON object instead of the summary.
    #[arg(long)]
    pub(crate) json: bool,
    /// No progress display.
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// How queries are answered.
#[derive(Debug, Clone, Args)]
pub(crate) struct SolverOptions {
    /// Who solves what the cheap tiers leave over.
    #[arg(long, value_name = "NAME", default_value = "bitwuzla")]
    pub(crate) solver: SolverName,
    /// Time for one query.
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = parse_time)]
    pub(crate) solver_timeout: Duration,
    /// Memory for one query (`512M`, `2G`).
    #[arg(long, value_name = "SIZE", default_value = "2G", value_parser = parse_size)]
    pub(crate) solver_memory: u64,
    /// Compare every answer with plain SMT's; a difference is a bug in tine (exit code 4).
    #[arg(long)]
    pub(crate) solver_check: bool,
    #[arg(long, value_name = "NAME", value_delimiter = ',', help = no_tier_help(), value_parser = str::parse::<TierName>)]
    pub(crate) no_tier: Vec<TierName>,
}

impl CommonOptions {
    /// How to reason about pointers among the inputs.
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
    format!("Leave out a tier of the solver; time changes, answers do not. Tiers: {}", names.join(", "))
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
    /// The program `z3`, which has to be installed.
    Z3,
    /// Bitwuzla, and Z3 for what it has no answer to.
    Portfolio,
}

/// `500ms`, `30s`, `5m`, `1h`.
fn parse_time(text: &str) -> Result<Duration, String> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let number: f64 = number.parse().map_err(|_| format!("`{text}` is no time; write 500ms, 30s, 5m or 1h"))?;
    let seconds = match unit {
        "ms" => number / 1e3,
        "s" => number,
        "m" | "min" => number * 60.0,
        "h" => number * 3600.0,
        _ => return Err(format!("`{text}` has no unit of time; write 500ms, 30s, 5m or 1h")),
    };
    if seconds <= 0.0 {
        return Err("the time must be more than nothing".to_owned());
    }
    Duration::try_from_secs_f64(seconds).map_err(|_| format!("`{text}` is too long"))
}

/// `256M`, `1G`, `4096`.
fn parse_switch(text: &str) -> Result<bool, String> {
    match text {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err(format!("`{text}` is neither `on` nor `off`")),
    }
}

/// A size, and a model of memory.
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
                        format!("`{part}` is no size and no model; write 256M or 1G, or typed, primitive or logical")
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

fn parse_size(text: &str) -> Result<u64, String> {
    let upper = text.trim().to_ascii_uppercase();
    let upper = upper.strip_suffix('B').unwrap_or(&upper);
    let (number, factor) = match upper.chars().last() {
        Some('K') => (&upper[..upper.len() - 1], 1 << 10),
        Some('M') => (&upper[..upper.len() - 1], 1 << 20),
        Some('G') => (&upper[..upper.len() - 1], 1 << 30),
        _ => (upper, 1),
    };
    let number: u64 = number.parse().map_err(|_| format!("`{text}` is no size; write 256M or 1G"))?;
    match number.checked_mul(factor) {
        Some(0) | None => Err(format!("`{text}` is no size a program could run with")),
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
