//! Cases of a session, and programs, in the forms of other tools.
//!
//! [`corpus`] is for fuzzers, [`testcomp`] for validators of Test-Comp, [`shell`] runs a case without tine, [`graph`] draws
//! control flow and calls.

pub mod corpus;
pub mod testcomp;

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
    #[error("{flag} {}: {why}", folder.display())]
    Folder { flag: &'static str, folder: PathBuf, why: io::Error },
}

/// For errors of a folder that is written.
fn failed(flag: &'static str, folder: &Path) -> impl Fn(io::Error) -> Error {
    move |why| Error::Folder { flag, folder: folder.to_path_buf(), why }
}
