//! The command line: every flag once, with its help.
//!
//! Flags of an exploration are settings: their names are the keys of a [`Config`], which parses their values and has
//! their defaults. Each is also a key of `tine.toml` ([`crate::config`]).
//!
//! The first paragraph of a doc comment is the short help (`-h`); all of it is the long help (`--help`), the man page
//! and the reference in `docs/reference`.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, CommandFactory, Parser, Subcommand};
use serde::Serialize;
use serde_json::{Map, Value};
use tine_engine::Config;
use tine_engine::config::environment::{Arguments, Failing, MAX_LEN, Named, Variable};
use tine_engine::config::values::{
    Count, FailOn, Init, Keep, Locale, Make, Memory, RequiredSandbox, Selected, Size, Solver, Switch, Tier, Time,
    TimeLimit,
};
use tine_engine::folder::ROOT;
use tine_explore::strategy::Spec;
use tine_solver::TierName;

use crate::generate::GenerateOptions;

const BUILDING: &str = "Building";
const LIMITS: &str = "Limits";
const SEARCH: &str = "Search";
const SESSION: &str = "Session";
const CHECKS: &str = "Checks";
const SOLVER: &str = "Solver";
const EXPERIMENTS: &str = "Experiments";
const HUB: &str = "Other machines";
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
  tine replay tine-out/scale 2        run case 2 of the session `tine-out/scale` again

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
  tine test parser.c -p build          flags from build/compile_commands.json
  tine test --changed                  what has changed since the last commit")]
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
    /// Compare two versions of a function: each gets the same inputs, and everything that a caller can observe must be equal.
    ///
    /// Compared are the result, memory that parameters and global variables lead to, errors, and exit status. Without a
    /// difference, the verdict says whether that is proved.
    #[command(after_long_help = "\
Examples:
  tine compare old.c new.c --fn scale
  tine compare --rev v1.0..v1.1 src/list.c --fn insert
  tine compare --rev HEAD src/list.c   every function, the last commit against the working tree
  tine compare old.c new.c --fn parse --except is_new_syntax")]
    Compare(CompareOptions),
    /// Change a function in small ways, and say which changes are noticed.
    ///
    /// Each mutant is compared with the original: it is killed by an input, proved equivalent, or alive. With --suite, only the
    /// inputs of a session run, and the mutation score says how good they are as tests.
    #[command(after_long_help = "\
Examples:
  tine mutate list.c --fn insert
  tine mutate list.c --fn insert --suite tine-out
  tine mutate list.c --fn insert --only 3,7 --max-time 1m")]
    Mutate(MutateOptions),
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
    /// Serve explorations of other machines, through a NATS server.
    ///
    /// Runs until it is interrupted. Programs run in the sandbox.
    #[command(after_long_help = "\
Examples:
  tine work nats://hub.example.org
  tine work nats://hub.example.org --jobs 4 --allow-key keys

NATS_USER and NATS_PASSWORD, or NATS_TOKEN, log in if the address does not.")]
    Work(WorkOptions),
    /// Run a local NATS server, through which machines explore together. `tine hub status` shows its state.
    ///
    /// Starts nats-server with JetStream. The login data is made at the first start, printed once, and stored in DIR/login.
    /// Runs until it is interrupted.
    #[command(
        args_conflicts_with_subcommands = true,
        after_long_help = "\
Examples:
  tine hub
  tine hub --listen 0.0.0.0:4222 --tls-cert hub.pem --tls-key hub.key
  tine hub status"
    )]
    Hub(HubServerOptions),
    /// Run one case of a session again, natively, and show where it ends.
    #[command(after_long_help = "\
Examples:
  tine replay tine-out 2
  tine replay tine-out 2 --gdb
  tine replay tine-out 2 --sanitize")]
    Replay(ReplayOptions),
    /// Write a report of sessions: a page, or a file for other tools.
    ///
    /// Takes directories of sessions, or directories that contain some. A session that still runs is reported as it is.
    #[command(after_long_help = "\
Examples:
  tine report tine-out --html page
  tine report tine-out --format sarif --out tine.sarif
  tine report tine-out --format lcov --out tine.info
  tine report tine-out --format sarif --baseline main.sarif --fail-on new
  tine report tine-out --serve 127.0.0.1:8000   look on while it runs")]
    Report(ReportOptions),
    /// Write the cases of a session as tests that need no tine, or as data for other tools.
    ///
    /// A test builds its input in C, calls the function and asserts what was observed. Each test is compiled and run before
    /// it is written. Tests that show errors are in the directory `errors`, with a target of their own (`make check-errors`).
    #[command(after_long_help = "\
Examples:
  tine export tine-out --format c --out tests
  make -C tests check
  tine export tine-out --format gtest --out tests")]
    Export(ExportOptions),
    /// Write a first `tine.toml` with the units of a project.
    ///
    /// The units are those of `compile_commands.json`, in the directory or in its build directory, otherwise all C files. `tine test`
    /// without files then explores them in parallel, and skips units whose code and settings have not changed.
    #[command(after_long_help = "\
Examples:
  tine init
  tine init path/to/project
  tine test                            explores what tine.toml lists")]
    Init(InitOptions),
    /// List the cases of a session, or print the input of one as text, picture or shell script.
    #[command(after_long_help = "\
Examples:
  tine show tine-out                   list all cases
  tine show tine-out 2 --svg >2.svg    draw the objects of case 2
  tine show tine-out 2 --shell >2.sh   a script that runs the program without tine")]
    Show(ShowOptions),
    /// Show the results of sessions in an editor, as a language server.
    ///
    /// Speaks the Language Server Protocol on standard input and output. Errors and uncovered branch sides become
    /// diagnostics; they follow the sessions while explorations run.
    #[command(after_long_help = "\
Examples:
  tine lsp                             an editor starts it in the directory of the sessions")]
    Lsp(LspOptions),
    /// Print the functions, variables and types of a C file.
    #[command(after_long_help = "\
Examples:
  tine types list.c")]
    Types(TypesOptions),
    /// Answer the queries of an SMT-LIB 2 file, such as one written by --solver-log.
    #[command(after_long_help = "\
Examples:
  tine test parser.c --fn parse --solver-log queries.smt2
  tine solve queries.smt2")]
    Solve(SolveOptions),
    /// Print the control-flow and call graph of a program as Graphviz, SVG or JSON.
    #[command(after_long_help = "\
Examples:
  tine graph ./tool --svg > tool.svg
  tine graph tine-out/scale --json     with the coverage of a session")]
    Graph(GraphOptions),
    /// Print which branches decide about a place of the program, and which it influences.
    ///
    /// A branch *decides* if it may change whether, or with which values, a target is reached. It is *influenced* if a change of
    /// the target's code may change its outcome. Neither holds for *unrelated* branches.
    #[command(after_long_help = "\
Examples:
  tine influence parser.c --fn parse --target lookup
  tine influence parser.c --fn parse --target parser.c:40-44 --why parser.c:71
  tine influence ./tool --target main.c:12 --weights weights.txt")]
    Influence(InfluenceOptions),
    /// List the search strategies and their options.
    #[command(after_long_help = "\
Examples:
  tine strategies
  tine test list.c --fn insert --strategy bounded-dfs:depth=20")]
    Strategies,
    /// List the checks for --check, with an explanation each.
    #[command(after_long_help = "\
Examples:
  tine checks
  tine test list.c --fn insert --check +leak")]
    Checks,
    /// Write man pages, shell completions or pages of the reference.
    #[command(hide = true)]
    Generate(GenerateOptions),
    /// Run a program in the sandbox of a replay. `tine replay --gdb` has gdb start it this way.
    #[command(hide = true)]
    Confine {
        /// Directory that the program may write below.
        scratch: PathBuf,
        #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
        command: Vec<std::ffi::OsString>,
    },
}

#[derive(Debug, Args, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct TestOptions {
    /// File that defines the function, then further files that it needs [default: the units of `tine.toml`].
    #[arg(value_name = "FILE.c")]
    #[serde(skip)]
    pub(crate) files: Vec<PathBuf>,
    /// Function to explore [default: every function that other files can call].
    #[arg(long = "fn", value_name = "NAME")]
    #[serde(rename = "fn")]
    function: Option<String>,
    /// Compiler flags as one string: "-I include -DNDEBUG".
    #[arg(long, help_heading = BUILDING, value_name = "FLAGS", allow_hyphen_values = true)]
    cflags: Option<String>,
    /// Build directory whose compile_commands.json has the compiler flags of the first file.
    #[arg(long, short = 'p', help_heading = BUILDING, value_name = "DIR")]
    build: Option<PathBuf>,
    #[command(flatten)]
    #[serde(flatten)]
    inputs: InputOptions,
    #[command(flatten)]
    #[serde(flatten)]
    change: ChangeOptions,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) common: CommonOptions,
}

/// The change to test.
#[derive(Debug, Args, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct ChangeOptions {
    /// Test what has changed in the working tree since this revision of git [default: HEAD].
    ///
    /// The changed lines are targets. A function whose code is the same after compilation has not changed. Without --fn,
    /// every changed function that other files can call is explored, and the nearest callers of the others. Without
    /// files, the units of `tine.toml`, or the changed C files of the checkout. Nothing to test gives exit code 0.
    #[arg(long, help_heading = SEARCH, value_name = "REV", num_args = 0..=1, default_missing_value = "HEAD")]
    changed: Option<String>,
    /// Test what this patch has changed: the output of `git diff` or `diff -u`, applied to the files.
    #[arg(long, help_heading = SEARCH, value_name = "FILE", conflicts_with = "changed")]
    diff: Option<PathBuf>,
}

/// Other machines that take part.
#[derive(Debug, Args, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct HubOptions {
    /// Explore with the workers (`tine work`) of this NATS server: nats://HOST[:PORT], or tls://HOST[:PORT].
    ///
    /// USER:PASSWORD@ or TOKEN@ before the host logs in; otherwise NATS_USER and NATS_PASSWORD, or NATS_TOKEN, of the
    /// environment. With --jobs, workers on this machine take part, too.
    #[arg(long, help_heading = HUB, value_name = "URL")]
    hub: Option<String>,
    /// Explore on this machine alone if the hub cannot be used.
    #[arg(long, help_heading = HUB)]
    hub_optional: bool,
    #[command(flatten)]
    #[serde(flatten)]
    login: LoginOptions,
    /// Sign the exploration with the NKey whose seed is in this file, for workers with --allow-key.
    #[arg(long, help_heading = HUB, value_name = "FILE")]
    hub_sign: Option<PathBuf>,
}

/// Login data for a hub.
#[derive(Debug, Args, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct LoginOptions {
    /// Log in to the hub with this credentials file.
    #[arg(long, help_heading = HUB, value_name = "FILE")]
    pub(crate) hub_creds: Option<PathBuf>,
    /// Log in to the hub with the NKey whose seed is in this file.
    #[arg(long, help_heading = HUB, value_name = "FILE")]
    pub(crate) hub_nkey: Option<PathBuf>,
    /// Trust the hub's certificate if these authorities signed it, and require TLS.
    #[arg(long, help_heading = HUB, value_name = "FILE")]
    pub(crate) hub_ca: Option<PathBuf>,
    /// Log in to the hub with this certificate, whose private key is in --hub-key.
    #[arg(long, help_heading = HUB, value_name = "FILE", requires = "hub_key")]
    pub(crate) hub_cert: Option<PathBuf>,
    /// Private key of --hub-cert.
    #[arg(long, help_heading = HUB, value_name = "FILE", requires = "hub_cert")]
    pub(crate) hub_key: Option<PathBuf>,
}

impl LoginOptions {
    pub(crate) fn files(&self) -> [&Option<PathBuf>; 5] {
        [&self.hub_creds, &self.hub_nkey, &self.hub_ca, &self.hub_cert, &self.hub_key]
    }
}

#[derive(Debug, Args)]
pub(crate) struct WorkOptions {
    /// NATS server: nats://HOST[:PORT] or tls://HOST[:PORT], with USER:PASSWORD@ or TOKEN@ before the host to log in.
    #[arg(value_name = "URL")]
    pub(crate) url: String,
    /// Number of jobs at a time, each with a process and a solver [default: number of processors].
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<Count<1, 1024>>,
    /// Memory of this worker, whatever explorations ask for.
    #[arg(long, value_name = "SIZE", default_value = "2G")]
    pub(crate) memory: Size,
    #[command(flatten)]
    pub(crate) login: LoginOptions,
    /// Serve only explorations that were signed (--hub-sign) with one of the public NKeys in this file.
    #[arg(long, help_heading = SANDBOX, value_name = "FILE")]
    pub(crate) allow_key: Option<PathBuf>,
    /// Serve explorations whose programs may start processes and open sockets (--allow), too.
    #[arg(long, help_heading = SANDBOX)]
    pub(crate) allow: bool,
}

#[derive(Debug, Args)]
pub(crate) struct HubServerOptions {
    #[command(subcommand)]
    pub(crate) command: Option<HubCommand>,
    /// Address of an interface, and a port. Other machines cannot reach the default.
    #[arg(long, value_name = "HOST[:PORT]", default_value = "127.0.0.1:4222")]
    pub(crate) listen: String,
    /// Directory for the server's data [default: $XDG_DATA_HOME/tine/hub].
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// Maximum size of the stored data [default: the server's choice].
    #[arg(long, value_name = "SIZE")]
    pub(crate) max_store: Option<Size>,
    /// Certificate of the server, for secure connections.
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    pub(crate) tls_cert: Option<PathBuf>,
    /// Private key of --tls-cert.
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    pub(crate) tls_key: Option<PathBuf>,
    /// Accept only clients with a certificate that these authorities signed.
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    pub(crate) tls_client_ca: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum HubCommand {
    /// Show the explorations and workers of a hub, their rates and the orders in flight.
    Status(HubStatusOptions),
}

#[derive(Debug, Args)]
pub(crate) struct HubStatusOptions {
    /// NATS server. Without other login data, that of the local `tine hub` is used.
    #[arg(value_name = "URL", default_value = "nats://127.0.0.1:4222")]
    pub(crate) url: String,
    /// Directory of a local server, whose login data is used.
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) login: LoginOptions,
    /// Print the state as JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct CompareOptions {
    /// The old version of a file and the new one; with --rev one file. Then further files that both versions need.
    #[arg(required = true, value_name = "FILE.c")]
    #[serde(skip)]
    pub(crate) files: Vec<PathBuf>,
    /// Function to compare [default: every function that other files can call and that both versions have].
    #[arg(long = "fn", value_name = "NAME")]
    #[serde(rename = "fn")]
    function: Option<String>,
    /// Revisions of the git checkout to compare. Without the second, the working tree is the new version.
    #[arg(long, value_name = "A..B|A")]
    #[serde(skip)]
    pub(crate) rev: Option<String>,
    /// Leave intended differences out: a function of the new version with the same parameters. Inputs for which it does not return 0
    /// are skipped.
    #[arg(long, value_name = "FN")]
    #[serde(skip)]
    pub(crate) except: Vec<String>,
    /// Compiler flags as one string: "-I include -DNDEBUG".
    #[arg(long, help_heading = BUILDING, value_name = "FLAGS", allow_hyphen_values = true)]
    cflags: Option<String>,
    /// Build directory whose compile_commands.json has the compiler flags of the first file.
    #[arg(long, short = 'p', help_heading = BUILDING, value_name = "DIR")]
    build: Option<PathBuf>,
    #[command(flatten)]
    #[serde(flatten)]
    inputs: InputOptions,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) common: CommonOptions,
}

#[derive(Debug, Args, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct MutateOptions {
    /// File that defines the function, then further files that it needs.
    #[arg(required = true, value_name = "FILE.c")]
    #[serde(skip)]
    pub(crate) files: Vec<PathBuf>,
    /// Function to call. It is mutated, and so are the functions of its file that it calls.
    #[arg(long = "fn", value_name = "NAME")]
    #[serde(rename = "fn")]
    function: Option<String>,
    /// Session whose cases are the test suite: mutants that they do not kill are alive.
    #[arg(long, value_name = "SESSION")]
    #[serde(skip)]
    pub(crate) suite: Option<PathBuf>,
    /// Numbers of the mutants to try [default: all].
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    #[serde(skip)]
    pub(crate) only: Option<Vec<u32>>,
    /// Compiler flags as one string: "-I include -DNDEBUG".
    #[arg(long, help_heading = BUILDING, value_name = "FLAGS", allow_hyphen_values = true)]
    cflags: Option<String>,
    /// Build directory whose compile_commands.json has the compiler flags of the first file.
    #[arg(long, short = 'p', help_heading = BUILDING, value_name = "DIR")]
    build: Option<PathBuf>,
    #[command(flatten)]
    #[serde(flatten)]
    inputs: InputOptions,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) common: CommonOptions,
}

#[derive(Debug, Args, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct SequenceOptions {
    /// File that defines the functions, then further files that they need.
    #[arg(required = true, value_name = "FILE.c")]
    #[serde(skip)]
    pub(crate) files: Vec<PathBuf>,
    /// Functions to call: `init,add*,remove*,find?`.
    ///
    /// Plain names are called first, once each and in this order; the first of them makes the object. Every further call
    /// is one of the others: with `*` any number of times, with `?` at most once.
    ///
    /// Without this option, the calls are those that a specification of the unit names: the first makes the object, and the
    /// others follow in any order that the protocol allows.
    #[arg(long, value_name = "CALLS")]
    calls: Option<String>,
    /// Maximum number of calls in a sequence, including the first ones.
    #[arg(long, value_name = "K")]
    max_calls: Option<Count<1, 1000>>,
    /// Explore states again that an earlier sequence has reached.
    ///
    /// Implied by --depth.
    #[arg(long, help_heading = SEARCH)]
    no_prune: bool,
    /// Compiler flags as one string: "-I include -DNDEBUG".
    #[arg(long, help_heading = BUILDING, value_name = "FLAGS", allow_hyphen_values = true)]
    cflags: Option<String>,
    /// Build directory whose compile_commands.json has the compiler flags of the first file.
    #[arg(long, short = 'p', help_heading = BUILDING, value_name = "DIR")]
    build: Option<PathBuf>,
    #[command(flatten)]
    #[serde(flatten)]
    inputs: InputOptions,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) common: CommonOptions,
}

/// Size, types and preconditions of the inputs of a function.
#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = "Inputs")]
#[serde(rename_all = "kebab-case")]
pub(crate) struct InputOptions {
    /// Maximum number of objects that pointers in the input point to.
    #[arg(long, value_name = "N")]
    max_objects: Option<u32>,
    /// Maximum number of elements of an array without --len.
    #[arg(long, value_name = "N")]
    max_elements: Option<Count<1, MAX_LEN>>,
    /// Maximum length of the string that a `char *` points to.
    #[arg(long, value_name = "N")]
    max_string: Option<Count<0, MAX_LEN>>,
    /// Initial value of memory that no branch has constrained: zero, or random (drawn from --seed).
    #[arg(long, value_name = "HOW", value_parser = PossibleValuesParser::new(Init::NAMES))]
    init: Option<String>,
    /// Origin of objects: invented memory, calls of functions in the given files that make them, or both.
    ///
    /// With `both`, memory is invented first. If functions such as `parser_init` or `parser_new` make objects of a structure,
    /// short sequences of calls then show which errors are reachable. The others are listed as *not shown reachable*.
    #[arg(long, value_name = "HOW", value_parser = PossibleValuesParser::new(Make::NAMES))]
    make: Option<String>,
    /// Number of elements that a pointer points to: a number or the name of a parameter.
    ///
    /// An access past the end is an error. If two pointers point to the same object, it is long enough for both. Lengths that
    /// names and loops imply need no option; `PTR=any` is an array of unknown length all the same.
    #[arg(long, value_name = "PTR=N|PARAM")]
    len: Vec<String>,
    /// Type that a `void *` or a pointer to an opaque type points to.
    ///
    /// Without it, such a pointer points to 64 bytes.
    #[arg(long = "type", value_name = "PARAM=TYPE")]
    #[serde(rename = "type")]
    types: Vec<String>,
    /// Global variables to treat as inputs: `all`, or their names.
    #[arg(long, value_name = "all|LIST", value_delimiter = ',')]
    globals: Vec<String>,
    /// Make every read of a `volatile` object a new input.
    #[arg(long)]
    volatile: bool,
    /// Functions to replace with stubs that return inputs: `all` undefined functions, or their names.
    ///
    /// Without a stub, calling an undefined function is an error; undefined variables are zero.
    #[arg(long, value_name = "all|LIST", value_delimiter = ',')]
    stub: Vec<String>,
    /// Show only the parts of the input that the function read.
    #[arg(long)]
    lazy: bool,
    /// Precondition: a function with the same parameters. Inputs for which it returns 0 are skipped.
    #[arg(long, value_name = "FN")]
    requires: Vec<String>,
    /// Postcondition: a function of the parameters and the result. If it returns 0, that is an error.
    #[arg(long, value_name = "FN")]
    ensures: Vec<String>,
    /// Try all values of enumeration types. Without it they have the values of their enumerators, and of combinations if the
    /// enumerators are powers of two.
    #[arg(long)]
    any_enum: bool,
    /// Report inputs that violate a requirement as errors. A requirement is a condition on the parameters that the function
    /// uses without checking it.
    #[arg(long)]
    strict: bool,
    /// Write the requirements to FILE, as a predicate in C for `--requires`.
    #[arg(long, value_name = "FILE")]
    write_requires: Option<PathBuf>,
    #[command(flatten)]
    #[serde(flatten)]
    failing: FailingOptions,
}

#[derive(Debug, Args, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct RunOptions {
    /// Program that was built with `tine cc`, or C files, which are built first.
    #[arg(required = true, value_name = "PROGRAM|FILE.c")]
    #[serde(skip)]
    pub(crate) program: Vec<PathBuf>,
    /// Compiler and linker flags for C files, as one string: "-I include -lz".
    #[arg(long, help_heading = BUILDING, value_name = "FLAGS", allow_hyphen_values = true)]
    cflags: Option<String>,
    /// Arguments of the program. Symbolic arguments (--sym-argv) follow them.
    #[arg(last = true)]
    #[serde(skip)]
    pub(crate) arguments: Vec<String>,
    #[command(flatten)]
    #[serde(flatten)]
    environment: EnvironmentOptions,
    #[command(flatten)]
    #[serde(flatten)]
    suite: SuiteOptions,
    #[command(flatten)]
    #[serde(flatten)]
    change: ChangeOptions,
    /// Let the program start processes and open sockets. Files stay protected.
    #[arg(long, help_heading = SANDBOX)]
    allow: bool,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) common: CommonOptions,
}

#[derive(Debug, Args)]
pub(crate) struct LspOptions {
    /// Directories of sessions (`--out`), or directories that contain some.
    #[arg(default_value = "tine-out", value_name = "SESSION")]
    pub(crate) sessions: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct ReportOptions {
    /// Directories of sessions (`--out`), or directories that contain some.
    #[arg(required = true, value_name = "SESSION")]
    pub(crate) sessions: Vec<PathBuf>,
    /// Write a page to this directory: `index.html`, which opens from disk.
    #[arg(long, value_name = "DIR")]
    pub(crate) html: Option<PathBuf>,
    /// Show the page at this address until Ctrl-C, also while the exploration runs.
    ///
    /// Addresses of other machines' networks get a token, which is part of the printed link.
    #[arg(long, value_name = "ADDRESS:PORT", conflicts_with_all = ["html", "format", "baseline", "fail_on"])]
    pub(crate) serve: Option<std::net::SocketAddr>,
    /// Format of the file: `json` for scripts, `sarif` and `junit` for errors, `lcov` and `cobertura` for coverage.
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<Format>,
    /// File to write [default: standard output].
    #[arg(long, value_name = "FILE", requires = "format")]
    pub(crate) out: Option<PathBuf>,
    /// Directory that source paths in the file are relative to [default: the current directory].
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
    /// Earlier session, or SARIF file of one, whose errors are known.
    #[arg(long, value_name = "SESSION|SARIF")]
    pub(crate) baseline: Option<PathBuf>,
    /// Results that give exit code 1. `new` are errors that the baseline does not have.
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(crate) fail_on: Vec<FailOn>,
}

/// Format of a report for other tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// SARIF 2.1.0: errors with the decisions that lead to them.
    Sarif,
    /// JUnit XML: a test per kept case.
    Junit,
    /// Tracefile of lcov: lines, branches and functions.
    Lcov,
    /// Cobertura XML: lines and branches.
    Cobertura,
    /// Summary, lines, branches and coverage curve as JSON.
    Json,
}

#[derive(Debug, Args, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct ResumeOptions {
    /// Directory of the session, or one that contains only this session.
    #[arg(default_value = ROOT)]
    #[serde(skip)]
    pub(crate) session: PathBuf,
    /// Stop after this many runs, including those before [default: the session's limit].
    #[arg(long, help_heading = LIMITS, value_name = "N")]
    max_runs: Option<Count<1, { u64::MAX }>>,
    /// Stop after this time, including the time already spent; or `none`.
    #[arg(long, help_heading = LIMITS, value_name = "TIME|none")]
    max_time: Option<TimeLimit>,
    /// Number of workers, each with a process and a solver.
    #[arg(long, help_heading = SEARCH, value_name = "N")]
    jobs: Option<Count<1, 1024>>,
    #[command(flatten)]
    #[serde(flatten)]
    hub: HubOptions,
    /// Append every query that reaches the SMT solver to this file, as SMT-LIB 2.
    ///
    /// Answers, times and limits are written as comments. `tine solve FILE` answers the queries again.
    #[arg(long, help_heading = SOLVER, value_name = "FILE")]
    solver_log: Option<PathBuf>,
    /// Let the program start processes and open sockets, if the session began with --allow.
    #[arg(long, help_heading = SANDBOX)]
    #[serde(skip)]
    pub(crate) allow: bool,
    /// Let the session write its suite (--corpus, --testcomp) and solver cache outside the current directory.
    #[arg(long, help_heading = SANDBOX)]
    #[serde(skip)]
    pub(crate) trust: bool,
    #[command(flatten)]
    #[serde(flatten)]
    output: OutputOptions,
}

#[derive(Debug, Args, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct FailingOptions {
    /// Let up to N library calls per run fail: allocations, file operations, or both.
    ///
    /// tine chooses which calls fail. `alloc,N` restricts this to allocations, `files,N` to file operations.
    #[arg(long, value_name = "[alloc|files,]N")]
    sym_fail: Option<Failing>,
}

#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = "Environment of the program")]
#[serde(rename_all = "kebab-case")]
pub(crate) struct EnvironmentOptions {
    /// Add up to N symbolic arguments of up to LEN characters each.
    #[arg(long, value_name = "N,LEN")]
    sym_argv: Option<Arguments>,
    /// Make standard input symbolic, with up to LEN bytes.
    #[arg(long, value_name = "LEN")]
    sym_stdin: Option<Count<1, MAX_LEN>>,
    /// Make the file that the program opens as NAME symbolic, with up to LEN bytes.
    #[arg(long, value_name = "NAME,LEN")]
    sym_file: Vec<Named>,
    /// Make the environment variable NAME symbolic: unset, or up to LEN characters.
    #[arg(long, value_name = "NAME,LEN")]
    sym_env: Vec<Variable>,
    /// Make the results of `time`, `clock_gettime` and similar functions symbolic.
    #[arg(long)]
    sym_time: bool,
    /// Make the results of `rand`, `random` and similar functions symbolic.
    #[arg(long)]
    sym_random: bool,
    #[command(flatten)]
    #[serde(flatten)]
    failing: FailingOptions,
}

#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = "Seeds and suites")]
#[serde(rename_all = "kebab-case")]
pub(crate) struct SuiteOptions {
    /// Start from existing inputs: a file, or every file of a directory.
    ///
    /// Each file becomes standard input if that is symbolic, otherwise the first --sym-file, otherwise the first input
    /// that the program requests.
    #[arg(long, value_name = "FILE|DIR")]
    seed_input: Vec<PathBuf>,
    /// Write the kept inputs to this directory, one file each, for fuzzers such as AFL++ and libFuzzer.
    ///
    /// Inputs that the directory already contains are not written again.
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
    /// Write the kept cases as a Test-Comp suite (test-format 1.1).
    #[arg(long, value_name = "DIR")]
    testcomp: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct InitOptions {
    /// Directory of the project.
    #[arg(default_value = ".")]
    pub(crate) folder: PathBuf,
    /// Replace a `tine.toml` that is there.
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ExportOptions {
    /// Directory of the session, or of the sessions of several functions.
    pub(crate) session: PathBuf,
    /// Form of the tests: c, gtest, cmocka, criterion, check, unity, libfuzzer, testcomp, ktest, corpus or json.
    #[arg(long, value_name = "NAME", required_unless_present = "update")]
    pub(crate) format: Option<String>,
    /// Directory for the tests.
    #[arg(long, value_name = "DIR", required_unless_present = "update")]
    pub(crate) out: Option<PathBuf>,
    /// Refresh the tests of an earlier export in this directory.
    ///
    /// Tests with the same inputs, and others that still pass, keep their text and what you changed in it. Changed
    /// expectations are listed and new tests are added.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["out", "format", "force"])]
    pub(crate) update: Option<PathBuf>,
    /// Build and run the tests with gcc and clang, warnings as errors, sanitizers and gcov.
    #[arg(long)]
    pub(crate) verify: bool,
    /// Write into a directory that has other files.
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ShowOptions {
    /// Directory of the session, or one that contains only this session. It may be left out before a number.
    #[arg(default_value = ROOT)]
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
    /// Directory of the session, or one that contains only this session. It may be left out before the number.
    #[arg(default_value = ROOT)]
    pub(crate) session: PathBuf,
    /// Number of the case, as in the summary.
    pub(crate) case: Option<u32>,
    /// Run the case under gdb.
    #[arg(long)]
    pub(crate) gdb: bool,
    /// Run the case in a build with AddressSanitizer and UndefinedBehaviorSanitizer, and say which of them confirms its errors.
    ///
    /// The sources of the session are compiled again. Only cases of functions and call sequences can be run this way.
    #[arg(long, conflicts_with = "gdb")]
    pub(crate) sanitize: bool,
    /// Trust the compiler flags of the session, which --sanitize compiles with.
    #[arg(long, requires = "sanitize")]
    pub(crate) trust: bool,
    /// Refuse to run if this kernel lacks a part of the sandbox.
    #[arg(long, value_name = "full", conflicts_with = "allow", value_parser = PossibleValuesParser::new(RequiredSandbox::NAMES))]
    pub(crate) require_sandbox: Option<String>,
    /// Run without the sandbox. The program then really writes, removes and starts whatever the input makes it.
    #[arg(long)]
    pub(crate) allow: bool,
}

#[derive(Debug, Args)]
pub(crate) struct GraphOptions {
    /// Program that was built with `tine cc`, or a session directory, which adds coverage.
    #[arg(value_name = "PROGRAM|SESSION", default_value = ROOT)]
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

#[derive(Debug, Args, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct InfluenceOptions {
    /// C files, or a program that was built with `tine cc`.
    #[arg(required = true, value_name = "FILE.c|PROGRAM")]
    #[serde(skip)]
    pub(crate) files: Vec<PathBuf>,
    /// Function that is called with inputs. Without it, the files are a program.
    #[arg(long = "fn", value_name = "NAME")]
    #[serde(rename = "fn")]
    function: Option<String>,
    /// Compiler flags as one string: "-I include -DNDEBUG".
    #[arg(long, help_heading = BUILDING, value_name = "FLAGS", allow_hyphen_values = true)]
    cflags: Option<String>,
    /// Function or lines that the branches are related to. A file is named by the end of its path.
    #[arg(long, required_unless_present_any = ["changed", "diff"], value_name = "FN|FILE:LINE[-LINE]")]
    target: Vec<String>,
    #[command(flatten)]
    #[serde(flatten)]
    change: ChangeOptions,
    /// Explain the relation of the branches in this line.
    #[arg(long, value_name = "FILE:LINE")]
    #[serde(skip)]
    pub(crate) why: Option<String>,
    /// Write weights for `--strategy probabilistic:weights=FILE`.
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    pub(crate) weights: Option<PathBuf>,
    /// Print Graphviz: the branches, with the control flow between them.
    #[arg(long)]
    #[serde(skip)]
    pub(crate) dot: bool,
    /// Print the same graph as SVG.
    #[arg(long, conflicts_with = "dot")]
    #[serde(skip)]
    pub(crate) svg: bool,
    /// Print JSON.
    #[arg(long)]
    #[serde(skip)]
    pub(crate) json: bool,
    /// Trust `compile_commands.json` and settings that load compiler plugins.
    #[arg(long, help_heading = SANDBOX)]
    #[serde(skip)]
    pub(crate) trust: bool,
}

#[derive(Debug, Args)]
pub(crate) struct TypesOptions {
    /// C file, or object file or program with debug information.
    pub(crate) file: PathBuf,
    /// Print only this function, variable or type (`list`, `struct list`) and the types it uses.
    pub(crate) name: Option<String>,
    /// Compiler flags as one string: "-I include -DNDEBUG".
    #[arg(long, help_heading = BUILDING, value_name = "FLAGS", allow_hyphen_values = true)]
    pub(crate) cflags: Option<String>,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct SolveOptions {
    /// File of queries.
    #[arg(value_name = "FILE.smt2")]
    #[serde(skip)]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    #[serde(flatten)]
    solving: SolverOptions,
}

#[derive(Debug, Args, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct CommonOptions {
    /// File of specifications to monitor, or the name of one that ships with tine (`libc/stdio`, `libc/malloc`, `libc/mutex`,
    /// `libc/overlap`).
    ///
    /// Specifications in `//@` comments of the unit's files are always monitored. Programs built with `tine cc` are not.
    #[arg(long, help_heading = CHECKS, value_name = "FILE")]
    spec: Vec<PathBuf>,
    /// Directory for the session. It must not contain a session yet [default: tine-out/TARGET].
    ///
    /// In `tine-out`, a finished session of the same target is replaced, and an unfinished one stays: the new session then
    /// goes to `tine-out/TARGET-2`. When several functions are explored, each has a directory below this one.
    #[arg(long, help_heading = SESSION, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Keep finished sessions of the same target: the new session goes to `tine-out/TARGET-2`.
    #[arg(long, help_heading = SESSION)]
    keep_session: bool,
    /// Write the kept cases as tests into the directory NAME of the session (see `tine export`).
    #[arg(long, help_heading = SESSION, value_name = "NAME")]
    export: Option<String>,
    /// Seed for random choices. With 0 the first input is all zeros.
    #[arg(long, help_heading = SEARCH, value_name = "N")]
    seed: Option<u64>,
    /// Stop after this many runs.
    #[arg(long, help_heading = LIMITS, value_name = "N")]
    max_runs: Option<Count<1, { u64::MAX }>>,
    /// Stop exploring after this time (`500ms`, `30s`, `5m`, `1h`), or `none` [default: 60s per function].
    ///
    /// When several functions are explored, it is the time for all of them. Sequences and programs have no limit by default.
    #[arg(long, help_heading = LIMITS, value_name = "TIME|none")]
    max_time: Option<TimeLimit>,
    /// Time limit for building. It does not count towards --max-time.
    #[arg(long, help_heading = BUILDING, value_name = "TIME")]
    build_timeout: Option<Time>,
    /// Time limit per run.
    ///
    /// A run that exceeds it is repeated without tracing. If it still does not finish, it is reported as an endless loop;
    /// otherwise it counts as too slow to trace, which is a bound.
    #[arg(long, help_heading = LIMITS, value_name = "TIME")]
    run_timeout: Option<Time>,
    /// Memory limit per run, and for tine itself (`256M`, `1G`).
    ///
    /// When tine needs more, it drops the least promising branches and finally stops; the verdict reports both. With
    /// --experimental, the value may name, instead of a size or after a comma, how the solver models input pointers: `typed`
    /// (addresses of objects that do not overlap), `primitive` (the same for each scalar member) or `logical` (abstract
    /// locations that are equal or not). By default tine chooses the cheapest model for each query.
    #[arg(long, help_heading = LIMITS, value_name = "SIZE|MODEL")]
    memory: Option<Memory>,
    /// Checks to make: names, `default` or `all`; `+name` and `-name` change the default. `tine checks` lists all.
    ///
    /// An error that is not checked for does not end a run, unless it ends the program. For a program that was built by `tine cc`,
    /// checks that need code of their own must also be given there: `tine cc --check=LIST`.
    #[arg(long, help_heading = CHECKS, value_name = "LIST", allow_hyphen_values = true)]
    check: Option<Selected>,
    /// Allow options that serve a single experiment: --memory MODEL and those of this section.
    #[arg(long, help_heading = EXPERIMENTS)]
    experimental: bool,
    /// With `--memory typed` or `primitive`: first try objects at distinct addresses only.
    #[arg(long, help_heading = EXPERIMENTS, value_name = "on|off")]
    two_phase: Option<Switch>,
    /// With `--memory typed` or `primitive`: separate scalar objects of one type by alignment instead of pairwise.
    #[arg(long, help_heading = EXPERIMENTS, value_name = "on|off")]
    alignment: Option<Switch>,
    /// Start runs from a fork server stopped before the first input, if start-up takes longer than a fork.
    #[arg(long, help_heading = SEARCH, value_name = "on|off")]
    fork_server: Option<Switch>,
    /// Refuse to run if this kernel lacks a part of the sandbox. By default tine only warns.
    #[arg(long, help_heading = SANDBOX, value_name = "full", value_parser = PossibleValuesParser::new(RequiredSandbox::NAMES))]
    require_sandbox: Option<String>,
    /// Locale of the unit, whatever your environment says. A symbolic locale variable takes precedence.
    #[arg(long, help_heading = SEARCH, value_name = "NAME", value_parser = PossibleValuesParser::new(Locale::NAMES))]
    locale: Option<String>,
    /// Maximum number of symbolic branches per run.
    #[arg(long, help_heading = LIMITS, value_name = "N")]
    depth: Option<Count<1, { u32::MAX as u64 }>>,
    /// Search strategy, which decides what branch is tried next. `tine strategies` lists all.
    #[arg(long, help_heading = SEARCH, value_name = "NAME[:OPTION=VALUE,…]", value_parser = valid_strategy)]
    strategy: Option<String>,
    /// Number of workers, each with a process and a solver [default: number of processors].
    ///
    /// With 1, the same seed gives the same exploration twice. Call sequences with pruning use one worker.
    #[arg(long, help_heading = SEARCH, value_name = "N")]
    jobs: Option<Count<1, 1024>>,
    /// Reach this function or these lines first, and then explore what they influence (see the strategy `targeted`).
    ///
    /// A file is named by the end of its path.
    #[arg(long, help_heading = SEARCH, value_name = "FN|FILE:LINE[-LINE]")]
    target: Vec<String>,
    #[command(flatten)]
    #[serde(flatten)]
    hub: HubOptions,
    #[command(flatten)]
    #[serde(flatten)]
    solving: SolverOptions,
    /// Append every query that reaches the SMT solver to this file, as SMT-LIB 2.
    ///
    /// Answers, times and limits are written as comments. `tine solve FILE` answers the queries again.
    #[arg(long, help_heading = SOLVER, value_name = "FILE")]
    solver_log: Option<PathBuf>,
    /// Cases to keep: `suite` (the fewest that keep the coverage, and one per error) or `all` paths.
    #[arg(long, help_heading = SESSION, value_name = "WHAT", value_parser = PossibleValuesParser::new(Keep::NAMES))]
    keep: Option<String>,
    /// Read and store solver answers in this file, for later explorations.
    #[arg(long, help_heading = SOLVER, value_name = "FILE")]
    solver_cache: Option<PathBuf>,
    /// Write every distinct sliced query to this file, for benchmarks.
    #[arg(long, value_name = "FILE", hide = true)]
    solver_record: Option<PathBuf>,
    /// Same as --keep all.
    #[arg(long, help_heading = SESSION)]
    keep_all: bool,
    /// Trust `tine.toml` in this directory and the `compile_commands.json` of --build.
    ///
    /// Trusted files may load compiler plugins, lift the sandbox and write anywhere. The decision is remembered until the
    /// file changes.
    #[arg(long, help_heading = SANDBOX)]
    #[serde(skip)]
    pub(crate) trust: bool,
    #[command(flatten)]
    #[serde(flatten)]
    output: OutputOptions,
}

/// Options for what is printed.
#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = OUTPUT)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct OutputOptions {
    /// Explain why reached branch sides were not taken.
    #[arg(long)]
    explain: bool,
    /// Write what happens to this file, as one JSON object per line.
    #[arg(long, value_name = "FILE")]
    events: Option<PathBuf>,
    /// Write a page about the result to this directory (`index.html`).
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,
    /// Show a screen with coverage, errors and rates instead of the progress line.
    #[arg(long)]
    watch: bool,
    /// Show the output of the unit for each error.
    #[arg(long)]
    show_output: bool,
    /// Print the summary as one JSON object.
    #[arg(long)]
    json: bool,
    /// Show neither progress nor errors when they are found. The summary has them.
    #[arg(long, short)]
    quiet: bool,
    /// Add numbers of the solver to the summary.
    #[arg(long)]
    verbose: bool,
    /// Results that give exit code 1, besides errors: `incomplete`, `requirement`, `new`.
    ///
    /// `incomplete`: the verdict is incomplete. `requirement`: the function requires something of its callers. `new`: of
    /// the errors, only those that a baseline does not have count, unless `error` is listed, too.
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = PossibleValuesParser::new(FailOn::NAMES))]
    fail_on: Vec<String>,
    /// Earlier session, or SARIF file of one, whose errors are known: `--fail-on new` counts the others.
    #[arg(long, value_name = "SESSION|SARIF")]
    baseline: Option<PathBuf>,
    /// Smallest branch coverage in percent: less gives exit code 1.
    #[arg(long, value_name = "PERCENT")]
    min_coverage: Option<Count<0, 100>>,
}

/// Options for answering queries.
#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = SOLVER)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct SolverOptions {
    /// SMT solver for queries that no cheaper tier answers.
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(Solver::NAMES))]
    solver: Option<String>,
    /// Time limit per query.
    ///
    /// The first attempt gets a twentieth of it. Queries that reach a limit are tried again at the end with twice the
    /// limits.
    #[arg(long, value_name = "TIME")]
    solver_timeout: Option<Time>,
    /// Memory limit per query (`512M`, `2G`).
    #[arg(long, value_name = "SIZE")]
    solver_memory: Option<Size>,
    /// Compare every answer with the plain SMT solver. A difference is a bug in tine (exit code 4).
    #[arg(long)]
    solver_check: bool,
    #[arg(long, value_name = "NAME", value_delimiter = ',', help = no_tier_help())]
    no_tier: Vec<Tier>,
}

fn no_tier_help() -> String {
    let names: Vec<&str> = TierName::ALL.iter().map(|tier| tier.name()).collect();
    format!("Leave out a solver tier. Answers stay the same. Tiers: {}", names.join(", "))
}

fn valid_strategy(text: &str) -> Result<String, String> {
    Spec::parse(text).map(|_| text.to_owned()).map_err(|why| why.to_string())
}

/// The settings that flags give: those that were used.
pub(crate) fn settings(flags: &impl Serialize) -> Map<String, Value> {
    let Ok(Value::Object(mut settings)) = serde_json::to_value(flags) else { unreachable!("flags have names") };
    let is_given = |value: &Value| match value {
        Value::Null | Value::Bool(false) => false,
        Value::Array(values) => !values.is_empty(),
        _ => true,
    };
    settings.retain(|_, value| is_given(value));
    settings
}

/// The command line, with the defaults of a [`Config`] in its help.
pub(crate) fn command() -> clap::Command {
    let defaults = Config::default().to_map();
    let shown = |arg: clap::Arg| {
        let default = arg.get_long().and_then(|long| defaults.get(long));
        let text = match default {
            Some(Value::String(text)) if !text.is_empty() && text != "0" => text.clone(),
            Some(Value::Number(number)) => number.to_string(),
            _ => return arg,
        };
        let help = |help: Option<&clap::builder::StyledStr>| {
            format!("{} [default: {text}]", help.cloned().unwrap_or_default())
        };
        match arg.get_long_help().cloned() {
            Some(long) => {
                let short = help(arg.get_help());
                arg.help(short).long_help(help(Some(&long)))
            }
            None => {
                let short = help(arg.get_help());
                arg.help(short)
            }
        }
    };
    Cli::command().mut_subcommands(|subcommand| match subcommand.get_name() {
        "resume" => subcommand,
        _ => subcommand.mut_args(shown),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        command().debug_assert();
    }

    /// Every setting has a flag, and every flag of an exploration is a setting.
    #[test]
    fn flags_are_settings() {
        let mut keys: Vec<String> = Config::default().to_map().keys().cloned().collect();
        let cli = command();
        for name in ["test", "sequence", "run"] {
            let explored = cli.find_subcommand(name).expect("a command");
            for long in explored.get_arguments().filter_map(clap::Arg::get_long) {
                let is_other = ["help", "trust"].contains(&long);
                assert!(is_other || Config::default().to_map().contains_key(long), "--{long} is not a setting");
                keys.retain(|key| key != long);
            }
        }
        assert_eq!(keys, [""; 0], "settings without a flag");
    }

    #[test]
    fn only_flags_that_were_given_are_settings() {
        let parse = |line: &str| match Cli::try_parse_from(line.split(' ')).expect("a command line").command {
            Command::Test(options) => settings(&options),
            other => panic!("{other:?}"),
        };
        assert_eq!(parse("tine test a.c"), Map::new());
        let given = parse("tine test a.c --fn f --seed 7 --json --stub a,b --max-time 1.5s --memory 1G,typed");
        let expected = serde_json::json!({
            "fn": "f", "seed": 7, "json": true, "stub": ["a", "b"], "max-time": "1500ms", "memory": "1G,typed"
        });
        assert_eq!(Value::Object(given), expected);
    }
}
