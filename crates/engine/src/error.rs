//! Reasons why an exploration did not begin or did not end normally.

use std::io;
use std::path::PathBuf;

use tine_executor::ExecutorError;
use tine_executor::unit::UnitError;
use tine_explore::influence::InfluenceError;
use tine_session::SessionError;
use tine_solver::answers::AnswersError;

use crate::owned::NotOwned;
use crate::remote::HubError;

/// See the module's documentation.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The solver cannot be used.
    #[error("{0}")]
    Solver(String),
    #[error("{}: {why}", file.display())]
    SolverLog { file: PathBuf, why: io::Error },
    #[error("cannot write the solver's log: {0}")]
    SolverLogWrite(io::Error),
    #[error("{}: {why}", file.display())]
    SolverRecord { file: PathBuf, why: io::Error },
    #[error("cannot write the queries: {0}")]
    SolverRecordWrite(io::Error),
    #[error(transparent)]
    SolverCache(AnswersError),
    /// Cached answers are trusted, so no other user may be able to write them.
    #[error("--solver-cache is not used: {0}")]
    SolverCacheOwner(NotOwned),
    #[error("{file}: {why}")]
    WeightsFile { file: String, why: io::Error },
    #[error("{file}, {why}")]
    Weights { file: String, why: String },
    /// The target of the search does not exist.
    #[error("--target: {0}")]
    Target(InfluenceError),
    #[error("--seed-input {}: {why}", file.display())]
    Seed { file: PathBuf, why: io::Error },
    #[error("--seed-input needs a symbolic file, and only arguments are symbolic")]
    SeedWithoutFile,
    /// Required protections are missing.
    #[error("the sandbox is not complete: {0}")]
    Sandbox(String),
    /// The program did not reach `main`.
    #[error(transparent)]
    Start(UnitError),
    #[error("the program's map cannot be read: {0}")]
    Map(String),
    #[error("cannot read {}: {why}", file.display())]
    Types { file: PathBuf, why: io::Error },
    #[error("cannot start a thread: {0}")]
    Thread(io::Error),
    /// The hub of `--hub` cannot be used.
    #[error(transparent)]
    Hub(#[from] HubError),
    #[error("cannot read the program for other machines: {0}")]
    Offer(io::Error),
    /// A worker failed during the exploration.
    #[error(transparent)]
    Executor(ExecutorError),
    /// A session cannot be created or opened.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// The session could not be written. It has the state of the last commit.
    #[error("cannot write to {}: {why}", folder.display())]
    Recording { folder: PathBuf, why: SessionError },
    /// The session cannot be resumed.
    #[error("the session cannot go on: {0}")]
    Damaged(String),
    /// A file of the session has changed, or is not safe to run.
    #[error("{what}")]
    NotVerified { what: String, help: &'static str },
    #[error("{0} has changed since the session began")]
    SourceChanged(String),
    /// The caller stopped the exploration before there were any results.
    #[error("{0}")]
    Interrupted(&'static str),
    /// A sink failed.
    #[error(transparent)]
    Sink(Box<dyn std::error::Error + Send + Sync>),
    /// A bug in tine.
    #[error("{0}")]
    Bug(String),
}

impl Error {
    /// Advice for the user. `None` for a bug in tine, and if it depends on the caller.
    pub fn help(&self) -> Option<String> {
        let help = match self {
            Error::Bug(_) | Error::Interrupted(_) | Error::Sink(_) | Error::Session(_) | Error::Hub(_) => return None,
            Error::Executor(ExecutorError::Unit(UnitError::System { .. } | UnitError::Start { .. })) => LIMITS,
            Error::Executor(ExecutorError::Unit(_)) => {
                "see what the program does to its processes when you start it yourself"
            }
            Error::Executor(_) => return None,
            Error::Start(why) => start_help(why),
            Error::Solver(_) => "choose another --solver, or install what it needs",
            Error::SolverLog { .. } | Error::SolverLogWrite(_) => "choose another file with --solver-log",
            Error::SolverRecord { .. } | Error::SolverRecordWrite(_) => "choose another file with --solver-record",
            Error::SolverCache(_) => "choose another file with --solver-cache, or remove the one that is there",
            Error::SolverCacheOwner(_) => "choose a file of your own with --solver-cache",
            Error::WeightsFile { .. } => "give a file that can be read as weights=FILE",
            Error::Weights { .. } => "each line is `file.c:12 0.9`; what follows a # is not read",
            Error::Target(_) => "give a function, FILE:LINE or FILE:LINE-LINE as --target",
            Error::Seed { .. } => "give a file, or a directory of files, that can be read",
            Error::SeedWithoutFile => "add --sym-stdin or --sym-file, which receives the seed inputs",
            Error::Sandbox(_) => {
                "use a newer kernel, or a container that does not filter Landlock and seccomp; without `--require-sandbox` it runs with \
                 the protections that there are"
            }
            Error::Map(_) => "build it again with `tine cc`",
            Error::Thread(_) => "raise the limits of `ulimit -u` and `ulimit -v`",
            Error::Recording { folder, .. } => {
                return Some(format!("make room, then go on with `tine resume {}`", folder.display()));
            }
            Error::NotVerified { help, .. } => help,
            Error::SourceChanged(_) => "explore the new version with another --out, or put back the one of the session",
            _ => "explore again with another --out",
        };
        Some(help.to_owned())
    }
}

const LIMITS: &str = "see `ulimit -a`: limits of files, memory or processes";

/// Advice for a program that does not reach `main`.
fn start_help(why: &UnitError) -> &'static str {
    match why {
        UnitError::OutOfTime { .. } => "give it a longer --max-time",
        UnitError::EndedEarly { output, .. } if output.contains("ulimit -v") => {
            "programs under test reserve terabytes of addresses, which cost no memory: start tine with `ulimit -v unlimited`"
        }
        UnitError::System { .. } | UnitError::Start { .. } => LIMITS,
        _ => "build the program with `tine cc`; see what it prints when you start it yourself",
    }
}
