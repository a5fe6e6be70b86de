//! The command `tine`: flags and wiring. Only this crate prints, reads the environment and exits.

mod checks;
mod compare;
mod config;
mod display;
mod events;
mod exit_rules;
mod explore;
mod export;
mod failure;
mod generate;
mod graph;
mod hub;
mod influence;
mod lsp;
mod mutate;
mod options;
mod project;
mod replay;
mod report;
mod sanitize;
mod sessions;
mod show;
mod solve;
mod strategies;
mod types;
mod watch;
mod work;

use std::process::ExitCode;

use clap::FromArgMatches;

use failure::Failure;
use options::{Cli, Command};

/// Makes a write fail when a file exceeds `ulimit -f`, instead of ending the process. A handler is used because started
/// programs then get the default behaviour back, unlike with an ignored signal.
fn survive_large_files() {
    extern "C" fn nothing(_: libc::c_int) {}
    let handler: extern "C" fn(libc::c_int) = nothing;
    // SAFETY: the handler does nothing.
    unsafe { libc::signal(libc::SIGXFSZ, handler as libc::sighandler_t) };
}

/// Runs tine on a stack of a size of its own, whatever `ulimit -s` is.
fn main() -> ExitCode {
    const STACK: usize = 8 << 20;
    survive_large_files();
    // A debugger expects that the main thread starts the program.
    if std::env::args_os().nth(1).is_some_and(|command| command == "confine") {
        return start();
    }
    let running = std::thread::Builder::new().stack_size(STACK).spawn(start);
    match running.map(std::thread::JoinHandle::join) {
        Ok(Ok(code)) => code,
        Ok(Err(panic)) => std::panic::resume_unwind(panic),
        Err(why) => {
            eprintln!("error: cannot start a thread: {why}\n  = help: raise the limits of `ulimit -u` and `ulimit -v`");
            ExitCode::from(failure::EXIT_USAGE)
        }
    }
}

fn start() -> ExitCode {
    // The arguments of a compiler are parsed elsewhere.
    if let Some(compiled) = tine_build::compiler_main() {
        return ExitCode::from(compiled.unwrap_or_else(|why| {
            let name = std::env::args().nth(1).unwrap_or_default();
            eprintln!("tine {name}: error: {}", tine_report::printable_lines(&why.to_string()));
            why.exit_code()
        }));
    }
    match dispatch() {
        Ok(code) => ExitCode::from(code),
        Err(failure) => {
            if !failure.is_told() {
                eprintln!("{}", tine_report::printable_lines(&failure.to_string()));
            }
            ExitCode::from(failure.code)
        }
    }
}

fn dispatch() -> Result<u8, Failure> {
    // clap prints help and usage errors itself, and exits with 0 and 2. tine uses the same codes.
    let command = match Cli::from_arg_matches(&options::command().get_matches()) {
        Ok(Cli { command }) => command,
        Err(why) => why.exit(),
    };
    tine_engine::temporary::sweep();
    match command {
        Command::Test(options) => explore::test(&options),
        Command::Sequence(options) => explore::sequence(&options),
        Command::Run(options) => explore::run(&options),
        Command::Compare(options) => compare::compare(&options),
        Command::Mutate(options) => mutate::mutate(&options),
        Command::Resume(options) => explore::resume(&options),
        Command::Work(options) => work::work(&options),
        Command::Hub(options) => hub::hub(&options),
        Command::Replay(options) => replay::replay(&options),
        Command::Report(options) => report::report(&options),
        Command::Export(options) => export::export(&options),
        Command::Init(options) => project::init(&options),
        Command::Show(options) => show::show(&options),
        Command::Lsp(options) => lsp::lsp(&options),
        Command::Types(options) => types::types(&options),
        Command::Solve(options) => solve::solve(&options),
        Command::Graph(options) => graph::graph(&options),
        Command::Influence(options) => influence::influence(&options),
        Command::Confine { scratch, command } => replay::confine(&scratch, &command),
        Command::Strategies => strategies::list(),
        Command::Checks => checks::list(),
        Command::Cc { .. } => unreachable!("compiled above"),
        Command::Generate(options) => generate::generate(&options),
    }
}
