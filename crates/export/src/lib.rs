//! Cases of a session, and programs, in the forms of other tools.
//!
//! [`format`] has the forms: source code that needs no tine, and data for other tools. [`source`] makes tests of cases for those
//! that are source code. [`folder`] writes them, [`update`] refreshes those of a
//! committed suite, [`verify`] builds and runs them. [`shell`] runs a case without tine, [`graph`] draws control flow and calls.

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

/// Why nothing was exported.
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

/// For errors of a folder that is written.
fn failed(folder: &Path) -> impl Fn(io::Error) -> Error {
    move |why| Error::Folder { folder: folder.to_path_buf(), why }
}
