//! Cases of a session, and programs, in formats of other tools.
//!
//! [`format`] has the formats: source code that does not need tine, and data for other tools. [`source`] turns cases
//! into tests for the source formats. [`folder`] writes them, [`update`] refreshes those of a committed suite, and
//! [`verify`] builds and runs them. [`shell`] runs a case without tine. [`graph`] draws control flow and calls.

pub mod format;
pub mod source;

pub mod folder;

pub mod update;

pub mod verify;

pub mod shell;

pub mod graph;

use std::io;
use std::path::{Path, PathBuf};

use tine_session::SessionError;

/// Reasons why nothing was exported.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Session(#[from] SessionError),
    #[error(transparent)]
    Stored(#[from] tine_engine::Error),
    #[error("cannot write to {}: {why}", folder.display())]
    Folder { folder: PathBuf, why: io::Error },
    #[error("there is no format `{name}`")]
    UnknownFormat { name: String, nearest: &'static str },
    #[error("{} has files that are not of an export, such as {}", folder.display(), file.display())]
    OtherFiles { folder: PathBuf, file: PathBuf },
    #[error("{0} cannot be exported as source code")]
    Unsupported(&'static str),
    #[error("the types of the unit cannot be read: {0}")]
    Types(String),
    #[error("a test cannot be started: {0}")]
    Observing(io::Error),
    #[error("{} has no tests of an earlier export", .0.display())]
    NothingToUpdate(PathBuf),
    #[error("`{0}` is data: there is nothing to compile")]
    NotSource(&'static str),
    #[error("the session has no cases")]
    NoCases,
}

/// Converts errors of writing a folder.
fn failed(folder: &Path) -> impl Fn(io::Error) -> Error {
    move |why| Error::Folder { folder: folder.to_path_buf(), why }
}
