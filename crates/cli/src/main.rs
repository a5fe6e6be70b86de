//! The command `tine`: flags and wiring. Only this crate prints, reads the environment and exits.

mod config;
mod explore;
mod failing;
mod failure;
mod graph;
mod limits;
mod locale;
mod options;
mod replay;
mod resume;
mod run;
mod sandbox;
mod sequence;
mod settings;
mod shapes;
mod shell;
mod show;
mod solve;
mod strategies;
mod suite;
mod surroundings;
mod test;
mod testcomp;
mod trust;
mod types;
mod verified;
mod watch;
mod workers;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser;

use failure::Failure;
use options::{Cli, Command};

/// A file that exceeds `ulimit -f` makes that write fail. It does not end the process. Programs that
/// are started get the usual effect back, which they would not if the signal were ignored.
fn survive_large_files() {
    extern "C" fn nothing(_: libc::c_int) {}
    let handler: extern "C" fn(libc::c_int) = nothing;
    // SAFETY: the handler does nothing.
    unsafe { libc::signal(libc::SIGXFSZ, handler as libc::sighandler_t) };
}

fn main() -> ExitCode {
    survive_large_files();
    // The arguments of a compiler are not for the parser of ours.
    if let Some(compiled) = tine_build::compiler_main() {
        return ExitCode::from(compiled.unwrap_or_else(|why| {
            let name = std::env::args().nth(1).unwrap_or_default();
            eprintln!("tine {name}: error: {}", tine_report::printable_lines(&why.to_string()));
            why.exit_code()
        }));
    }
    match dispatch(std::env::args_os().collect()) {
        Ok(code) => ExitCode::from(code),
        Err(failure) => {
            if !failure.is_told() {
                eprintln!("{}", tine_report::printable_lines(&failure.to_string()));
            }
            ExitCode::from(failure.code)
        }
    }
}

fn dispatch(arguments: Vec<OsString>) -> Result<u8, Failure> {
    let folder = std::env::current_dir().unwrap_or_default();
    let arguments = config::extend(arguments, &folder)?;
    // clap prints help and mistakes itself and exits with 0 and 2, which are our codes too.
    let command = Cli::parse_from(arguments).command;
    tine_build::temporary::sweep();
    match command {
        Command::Test(options) => test::test(&options),
        Command::Sequence(options) => sequence::sequence(&options),
        Command::Run(options) => run::run(&options),
        Command::Resume(options) => resume::resume(&options),
        Command::Replay(options) => replay::replay(&options),
        Command::Show(options) => show::show(&options),
        Command::Types(options) => types::types(&options),
        Command::Solve(options) => solve::solve(&options),
        Command::Graph(options) => graph::graph(&options),
        Command::Confine { scratch, command } => replay::confine(&scratch, &command),
        Command::Strategies => strategies::list(),
        Command::Cc { .. } => unreachable!("compiled above"),
    }
}
