//! `tine cc`: a C compiler for make, configure and cmake, whose programs can be explored.
//!
//! `args` parses the command line, `plan` plans the steps, and `run` executes them. `flags` adds and
//! removes compiler flags. `assets` has the files that are embedded in tine. `instrument` calls the instrumenter.
//!
//! ```text
//!   tine cc [--native [--checks]] [--volatile] [--check=LIST] [--hooks=FILE] ARGUMENTS OF A COMPILER
//! ```

pub mod allowed;
mod args;
mod assets;
pub mod database;
mod flags;
mod instrument;
mod plan;
mod run;

use std::ffi::OsString;

use args::CommandLine;
pub use assets::Assets;
use plan::Mode;
use tine_engine::owned::NotOwned;
use tine_trace::check::Checks;

/// Calls the hooks of specifications in bitcode that is otherwise left alone: `tine cc --hook BITCODE OBJECT HOOKS`.
pub(crate) const HOOK: &str = "--hook";
/// Calls the hooks of specifications: `tine cc --hooks=HOOKS …`.
pub(crate) const HOOKS: &str = "--hooks=";

/// Runs the compiler with the arguments `words`.
///
/// Returns the exit code: clang's own if it refused, which is 1 for a program that does not compile.
pub fn run(words: Vec<OsString>, cxx: bool) -> Result<u8, Error> {
    let words: Vec<String> =
        words.into_iter().map(|word| word.into_string().map_err(Error::NotText)).collect::<Result<_, _>>()?;
    let mut mode = Mode { cxx, ..Mode::default() };
    let mut words = &words[..];
    if let [first, bitcode, output, hooks] = words
        && first == HOOK
    {
        tine_instrument::hook(bitcode.as_ref(), output.as_ref(), hooks.as_ref())?;
        return Ok(0);
    }
    // tine's own options come first, so that they cannot be confused with options of the compiler.
    loop {
        match words.first().map(String::as_str) {
            Some("--native") => mode.native = true,
            Some("--checks") if mode.native => mode.checks = true,
            Some("--volatile") => mode.volatile = true,
            Some(word) if word.starts_with(HOOKS) => mode.hooks = Some(word[HOOKS.len()..].to_owned()),
            Some(word) if word.starts_with("--check=") => {
                let list = &word["--check=".len()..];
                mode.selected = Checks::parse(list).map_err(|name| Error::Check(name.to_owned()))?;
            }
            _ => break,
        }
        words = &words[1..];
    }
    let line = CommandLine::parse(args::expand(words.to_vec()));
    let verbose = line.has("-v") || std::env::var_os("TINE_VERBOSE").is_some_and(|value| !value.is_empty());
    run::run(&line, &mode, verbose)
}

/// Reasons why a command failed, other than a program that does not compile.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("argument {0:?} is not UTF-8")]
    NotText(OsString),
    #[error("`{0}` is not a check\n  = help: `tine checks` lists all")]
    Check(String),
    #[error(transparent)]
    Refused(#[from] plan::Refusal),
    #[error(
        "`{0}` not found\n  = help: install the Debian package clang-22, \
         or run `make setup`"
    )]
    NoClang(&'static str),
    #[error("`{0}` not found\n  = help: install the Debian package binutils")]
    NoArchiver(&'static str),
    #[error("cannot {what}: {why}")]
    Io { what: String, why: std::io::Error },
    #[error(
        "cannot compile tine's own {0}\n  = help: this is a bug in tine, or the cache is damaged: remove {1} and \
         try again"
    )]
    OwnFile(String, String),
    #[error(
        "the cache is not used: {0}\n  = help: remove it, and it is made again; or set XDG_CACHE_HOME to a directory of your own"
    )]
    Cache(#[from] NotOwned),
    #[error(transparent)]
    Instrument(#[from] tine_instrument::Error),
}

impl Error {
    /// The exit code of a compiler that ends with this error.
    pub fn exit_code(&self) -> u8 {
        match self {
            // Like other compilers.
            Error::Refused(plan::Refusal::SeveralOutputs) => 1,
            Error::Instrument(tine_instrument::Error::Target(_) | tine_instrument::Error::Monitor(_)) => 2,
            Error::NotText(_)
            | Error::Check(_)
            | Error::Refused(_)
            | Error::NoClang(_)
            | Error::NoArchiver(_)
            | Error::Io { .. }
            | Error::Cache(_) => 2,
            Error::OwnFile(..) | Error::Instrument(_) => 4,
        }
    }
}
