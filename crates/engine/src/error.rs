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
